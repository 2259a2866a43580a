"""Facts about blocks that were trained and are stored with the library, on held-out sequences, which none of them saw.

    { trained = "copy_1_head", sequences = 20 }       # the asking row meets its goal within 0.1, in the first 20 sequences
    { trained = "copy_1_head_0", sequences = 1, at_most = "0.9999999" }      # how much the place asked for weighs; `at_least`
    { trained = "average_2_heads", sequences = 200, split = true }           # of two heads, each copies one of two places
    { trained = […], sequences = 200, share = "0.99", answers = 1000 }

A name without a seed stands for the blocks of all seeds. `share` is how many of a block's sequences must be so (default: all),
and of `answers` sequences that many must be answered right, in float64. `positions = false` takes the block's positions away.

Nothing is trained here, and torch is not needed. For each sequence the asking row is certified on that sequence's own keys: the
exact real softmax of the stored numbers, since queries and keys are computed without rounding (`Learned.is_exact`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from headwright.kernel.claim import Claim
from headwright.kernel.combined import AllOf
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.kernel.verdict import Proved, Refuted, Undecided, Verdict
from headwright.kernel.weight_bound import WeightBound
from headwright.kernel.within_error import WithinError
from headwright.problems.trained.tasks import SEEDS, WEIGHTS, Learned, Sequences

Table = Mapping[str, Any]
HELD_OUT = (2026, 11)  # the seed of the held-out sequences; training draws from (seed, 1, step)
DRAWN = 1000  # sequences; facts are about the first ones
SIDES = ("at least", "at most")
ALLOWED = Fraction(1, 10)  # total variation from the goal


def trained(table: Table, folder: Path = WEIGHTS) -> Verdict:
    """The verdict on a fact about the blocks in `folder`.

    Several entries may rest on one fact about the blocks of the package, which no run changes: it is proved once.
    """
    return _of_package(json.dumps(dict(table))) if folder == WEIGHTS else _judged(table, folder)


@lru_cache(maxsize=8)  # a fact holds a claim for each of its sequences
def _of_package(text: str) -> Verdict:
    return _judged(json.loads(text), WEIGHTS)


def _judged(table: Table, folder: Path) -> Verdict:
    names = [table["trained"]] if isinstance(table["trained"], str) else table["trained"]
    blocks = [_without(learned, table) for name in names for learned in _stored(name, folder)]
    share, sequences, answers = Fraction(str(table.get("share", 1))), table["sequences"], table.get("answers", 0)
    right = [each.task.accuracy(each.block, _held_out(each, answers)) for each in blocks] if answers else [1.0]
    proved = rows = [_claims(learned, table) for learned in blocks]
    refuted: list[list[Claim]] = [[]]
    every = AllOf(tuple(chain(*rows))).prove()  # as a rule all rows hold, and then each is proved once
    if not isinstance(every, Proved):
        verdicts = [[(row, row.prove()) for row in each] for each in rows]
        proved, refuted = (
            [[row for row, said in each if isinstance(said, kind)] for each in verdicts] for kind in (Proved, Refuted)
        )
    reason = _counted([len(each) for each in proved], sequences) + (
        f" Of {answers} answers of each block at least {min(right):.1%} are right." if answers else ""
    )
    if all(learned.is_exact for learned in blocks):
        if min(right) >= share and all(len(each) >= share * sequences for each in proved):
            return (every if proved is rows else AllOf(tuple(chain(*proved))).prove()).explained(reason)
        if any(len(each) > (1 - share) * sequences for each in refuted):
            return AllOf(tuple(chain(*refuted))).prove().explained(reason)
    return Undecided(
        f"trained blocks do so in {float(share):.0%} of the held-out sequences: {', '.join(names)}",
        scope=f"{len(blocks)} blocks, {sequences} sequences each",
        reason=reason,
        next_step="train longer, as examples/train_heads.py does",
    )


def asking_rows(name: str) -> tuple[np.ndarray, Goal]:
    """The weights (h, n) of the asking token in the first held-out sequence of one stored block, and what they are to be."""
    (learned,) = _stored(name, WEIGHTS)
    drawn = _held_out(learned, 1)
    return learned.block.attention(drawn.tokens[0])[:, -1, :], learned.task.goal(drawn.places[0])


def _stored(name: str, folder: Path) -> Iterator[Learned]:
    """The block of this name, or those of all seeds."""
    if name.rpartition("_")[2].isdecimal():
        yield Learned.load(folder / f"{name}.safetensors")
    else:
        yield from (Learned.load(folder / f"{name}_{seed}.safetensors") for seed in SEEDS)


def _without(learned: Learned, table: Table) -> Learned:
    if table.get("positions", True):
        return learned
    return replace(learned, block=replace(learned.block, positions=None))


def _held_out(learned: Learned, count: int) -> Sequences:
    """The first held-out sequences of the block's task."""
    drawn = learned.task.draw(DRAWN, seed=HELD_OUT)
    return Sequences(drawn.tokens[:count], drawn.places[:count], drawn.wanted[:count])


def _claims(learned: Learned, table: Table) -> list[Claim]:
    """One claim for each sequence, about the mean of the heads' weights or, with `split`, about each head."""
    drawn, scale = _held_out(learned, table["sequences"]), Fraction(learned.block.scale)
    queries, keys, _ = learned.block.projections(drawn.tokens)
    asked = {side: Fraction(str(table[side.replace(" ", "_")])) for side in SIDES if side.replace(" ", "_") in table}
    claims: list[Claim] = []
    for q, own, places in zip(queries[:, :, -1, :], keys, drawn.places, strict=True):
        joined = _joined(q, own, scale)
        if table.get("split", False):
            claims.append(_split(q, own, places, scale))
        elif asked:
            sides = [_weighs(joined, int(places[0]), side, bound) for side, bound in asked.items()]
            claims.append(
                sides[0] if len(sides) == 1 else AllOf(tuple(sides))
            )  # rows are counted: one claim a sequence
        else:
            claims.append(WithinError(joined, learned.task.goal(places), ALLOWED))
    return claims


def _joined(queries: np.ndarray, keys: np.ndarray, scale: Fraction) -> Heads:
    """Heads with keys of their own, (h, r) and (h, n, r), as heads over one set of keys.

    Over the joined keys (K_1 x, …, K_h x), with each query 0 on the others' parts, they score as before.
    """
    heads, width = queries.shape
    spread = np.zeros((heads, heads * width))
    for h, q in enumerate(queries):
        spread[h, h * width : (h + 1) * width] = q
    return Heads(np.concatenate(list(keys), axis=1), spread, np.ones(heads), scale)


def _split(queries: np.ndarray, keys: np.ndarray, places: np.ndarray, scale: Fraction) -> Claim:
    """Each of two heads gives one of two places at least 0.9: the first head the one that it scores higher."""
    first, second = keys[0][places] @ queries[0]
    asked = places if first >= second else places[::-1]
    heads = [_joined(q[None], own[None], scale) for q, own in zip(queries, keys, strict=True)]
    return AllOf(tuple(_weighs(one, int(at), "at least", 1 - ALLOWED) for one, at in zip(heads, asked, strict=True)))


def _weighs(heads: Heads, place: int, side: str, bound: Fraction) -> Claim:
    """The weight of one place is at least, or at most, `bound`."""
    return WeightBound(heads, np.eye(heads.n)[place], side, bound)


def _counted(counts: Sequence[int], sequences: int) -> str:
    """`counts`: how many rows of each block are proved."""
    return (
        f"Certified one by one, over each sequence's own keys: {sum(counts)} of {sequences * len(counts)} asking rows, for no "
        f"block fewer than {min(counts)} of its {sequences} held-out sequences."
    )
