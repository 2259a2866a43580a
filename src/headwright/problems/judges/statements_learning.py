"""Statements about attention that works and heads that were trained (E.2a), checked on the embedded blocks.

Queries and keys of the stored blocks are computed without rounding (`Learned.is_exact`), so `certify` speaks of the blocks
themselves, on held-out sequences.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np

from headwright.judging import certify
from headwright.problems.judges.statement_verdicts import falls, said, shown, stands
from headwright.problems.learned import ALLOWED, HELD_OUT
from headwright.tasks import AVERAGE, COPY, SEEDS, WEIGHTS, Learned, Task, file_name
from headwright.verdict import Refuted, Verdict

_DRAWN = 20  # held-out sequences per block


@cache
def _block(task: Task, seed: int) -> Learned:
    return Learned.load(WEIGHTS / file_name(task, 1, seed))


def _rows(task: Task, seed: int, *, positions: bool = True) -> tuple[np.ndarray, np.ndarray, Fraction, np.ndarray]:
    """Asking queries (count, r), keys (count, n, r), the scale, and the places asked for, of the block's only head."""
    block = _block(task, seed).block
    if not positions:
        block = replace(block, positions=None)
    drawn = task.draw(_DRAWN, seed=HELD_OUT)
    queries, keys, _ = block.projections(drawn.tokens)
    return queries[:, 0, -1, :], keys[:, 0], Fraction(block.scale), drawn.places


def _weight(task: Task, seed: int, *, at_most: str | None = None, positions: bool = True) -> list[Verdict]:
    """Claims about the weight of the place asked for: at most so much, or by default at least 0.9."""
    queries, keys, scale, places = _rows(task, seed, positions=positions)
    least = 1 - ALLOWED if at_most is None else None
    rows = zip(queries, keys, places[:, 0], strict=True)
    return [certify(k, q, of=int(place), scale=scale, at_most=at_most, at_least=least) for q, k, place in rows]


def _exact(task: Task) -> list[bool]:
    return [_block(task, seed).is_exact for seed in SEEDS]


def one_head_cannot_average(text: str) -> Verdict:
    queries, keys, scale, places = _rows(AVERAGE, SEEDS[0])
    goal = AVERAGE.goal(places[0])
    return falls(
        text,
        example={
            "block": file_name(AVERAGE, 1, SEEDS[0]),
            "sequence": f"the first of {_DRAWN} held out (seed {HELD_OUT})",
            "goal": str(goal),
        },
        reason="one head that gradient descent trained to average two places is within total variation 0.1 of one half "
        "each on a sequence it never saw.",
        also=_exact(AVERAGE),
        facts=[certify(keys[0], queries[0], goal, error=ALLOWED, scale=scale)],
    )


def needs_no_positions(text: str) -> Verdict:
    lost = _lost()
    return falls(
        text,
        example={
            "blocks": "three trained to copy, their positions removed",
            "sequences": f"{_DRAWN} held out for each",
        },
        reason="without positions no token says where it stands, and the asking token names a place, not a value: the "
        f"head trained to copy gives the token asked for less than 0.9 of the weight in {lost} of {len(SEEDS) * _DRAWN} "
        "held-out sequences, and less than 0.5 in the first.",
        also=[*_exact(COPY), lost > len(SEEDS) * _DRAWN // 2],
        facts=[_weight(COPY, SEEDS[0], at_most="0.5", positions=False)[0]],
    )


@cache
def _lost() -> int:
    """In how many sequences the blocks without positions are refuted to copy."""
    return sum(isinstance(v, Refuted) for seed in SEEDS for v in _weight(COPY, seed, positions=False))


def softmax_over_queries(text: str) -> Verdict:
    keys, query = np.eye(2), np.array([7.0, 0.0])
    return falls(
        text,
        example={"keys": "u_0, u_1", "queries": "7 u_0, twice"},
        reason="two queries 7 u_0 both give key 0 a weight above 0.99: the weights of that key sum to more than 1.9 over "
        "the queries, not to 1.",
        facts=[certify(keys, np.array([query, query]), of=0, at_least="0.99")],
    )


def weight_exactly_one(text: str) -> Verdict:
    return falls(
        text,
        example={
            "block": file_name(COPY, 1, SEEDS[0]),
            "sequence": f"the first of {_DRAWN} held out (seed {HELD_OUT})",
        },
        reason="the trained head gives the token asked for at least 0.9 of the weight, but not 1: less than 0.9999999 on "
        "the first held-out sequence. Its scores are finite, so every other token keeps something.",
        also=_exact(COPY),
        facts=[_weight(COPY, SEEDS[0], at_most="0.9999999")[0], _weight(COPY, SEEDS[0])[0]],
    )


def positions_and_softmax_over_keys(text: str) -> Verdict:
    kept = [verdict for seed in SEEDS for verdict in _weight(COPY, seed)]
    queries, keys, scale, _ = _rows(COPY, SEEDS[0])
    ones = np.ones(keys.shape[1])
    return stands(
        text,
        argument="weights.md#weights-are-a-distribution",
        scope=f"the stored blocks that learned to copy, {_DRAWN} held-out sequences each; the first half: all attention",
        reason="softmax divides the exponentials of one query by their sum over the keys. With positions the weight of "
        f"the token asked for is at least 0.9 in all {len(kept)} sequences; with the positions removed it is less in "
        f"{_lost()} of them.",
        checks=[*_exact(COPY), _lost() > len(kept) // 2],
        facts=[
            *kept,
            certify(keys[0], queries[0], of=ones, at_least=1, scale=scale),
            certify(keys[0], queries[0], of=ones, at_most=1, scale=scale),
        ],
    )


CHECKS = {
    "one-head-cannot-average": one_head_cannot_average,
    "copy-and-average": lambda text: said(text, shown("E.2a").ours),
    "needs-no-positions": needs_no_positions,
    "softmax-over-queries": softmax_over_queries,
    "weight-exactly-one": weight_exactly_one,
    "positions-and-softmax-over-keys": positions_and_softmax_over_keys,
}
