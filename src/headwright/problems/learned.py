"""Learned heads: blocks trained to copy and to average, judged on sequences they never saw (E.2a).

The blocks are embedded as numbers; nothing is trained here, and torch is not needed. For each sequence the asking row of each
head is certified on that sequence's own keys: the exact real softmax of the stored numbers, since queries and keys are computed
without rounding (`Learned.is_exact`). Answers, after the feed-forward, are computed in float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import final

import numpy as np

from headwright.block import Block
from headwright.judging import certify
from headwright.problems.problem import Problem
from headwright.problems.showing import Showing
from headwright.proofs import AllOf, Claim
from headwright.tasks import AVERAGE, CLOSE, COPY, LESSONS, SEEDS, WEIGHTS, WIDTH, Learned, Task, file_name
from headwright.verdict import Proved, Refuted, Undecided, Verdict

HELD_OUT = (2026, 11)  # the seed of the held-out sequences; training draws from (seed, 1, step)
ANSWERED = 1000  # sequences per block whose answers are computed
CERTIFIED = 200  # the first of them, whose weights are certified
SHARE = Fraction(99, 100)
ALLOWED = Fraction(1, 10)  # total variation


@final
@dataclass(frozen=True, eq=False)
class Marks:
    """One block on the held-out sequences: the share answered right, and the certified rows, one a sequence."""

    learned: Learned
    right: float
    verdicts: tuple[Verdict, ...]
    copying: int  # of two heads that average together: sequences in which each copies one place, in floating point

    @property
    def proved(self) -> int:
        return sum(isinstance(verdict, Proved) for verdict in self.verdicts)

    @property
    def passed(self) -> bool:
        enough = self.proved >= SHARE * len(self.verdicts)
        return enough and self.right >= SHARE and self.learned.is_exact


Grades = dict[tuple[Task, int], list[Marks]]  # by lesson, one for each seed


def e_2a(problem: Problem) -> Showing:
    return judged(problem, WEIGHTS)


def judged(problem: Problem, folder: Path) -> Showing:
    """The blocks in `folder` on held-out sequences."""
    marks = {
        (task, heads): [_marks(Learned.load(folder / file_name(task, heads, seed))) for seed in SEEDS]
        for task, heads in LESSONS
    }
    copier, one, pair = (marks[lesson][0].learned.block for lesson in LESSONS)
    tokens, places = _example()
    asked = int(places[0])
    alone = tokens.copy()
    alone[-1, WIDTH:] = 0
    alone[-1, WIDTH + asked] = 1
    return Showing(
        problem,
        _text(marks),
        _verdict(marks),
        None,
        _rows(one, tokens)[0],
        AVERAGE.goal(places),
        "weights of a learned head that averages, on a held-out sequence",
        (
            *((f"head {h} of two that average, the same sequence", _rows(pair, tokens)[h]) for h in range(2)),
            (f"a head that copies, the same sequence asking for token {asked} alone", _rows(copier, alone)[0]),
        ),
    )


def _text(marks: Grades) -> str:
    every = [mark for row in marks.values() for mark in row]
    recipe = every[0].learned.recipe
    apart = " / ".join(str(mark.copying) for mark in marks[AVERAGE, 2])
    return (
        f"`hw.Block` with positions, residuals and feed-forward, trained by gradient descent ({recipe['steps']} steps of Adam, "
        f"{recipe['batch']} fresh sequences each) from {len(SEEDS)} seeds: one head to copy the value at the place asked for, "
        f"one head to average two places, two heads to do so together. The lowest share of right answers (all numbers within "
        f"{CLOSE}) on {ANSWERED} held-out sequences, among {len(every)} blocks: {min(mark.right for mark in every):.1%}. Left "
        f"to share the average, the two heads copy one place each in {apart} of {CERTIFIED} sequences (seed by seed): the "
        "sheets' two-head answer, found by descent."
    )


def _example() -> tuple[np.ndarray, np.ndarray]:
    """The first held-out sequence (n, d) of the averaging task, and its places."""
    drawn = AVERAGE.draw(1, seed=HELD_OUT)
    return drawn.tokens[0], drawn.places[0]


def _rows(block: Block, tokens: np.ndarray) -> np.ndarray:
    """Weights (h, n) of the asking row."""
    rows: np.ndarray = block.attention(tokens)[:, -1, :]
    return rows


def _marks(learned: Learned) -> Marks:
    task, block = learned.task, learned.block
    drawn = task.draw(ANSWERED, seed=HELD_OUT)
    queries, keys, _ = block.projections(drawn.tokens[:CERTIFIED])
    verdicts = tuple(
        _certified(task, q, k, places, Fraction(block.scale))
        for q, k, places in zip(queries[:, :, -1, :], keys, drawn.places[:CERTIFIED], strict=True)
    )
    weights = block.attention(drawn.tokens[:CERTIFIED])[:, :, -1, :]
    both = np.take_along_axis(weights, drawn.places[:CERTIFIED, None, :], axis=2)  # (count, heads, asked)
    copying = 0
    if both.shape[1:] == (2, 2):
        straight, crossed = np.minimum(both[:, 0, 0], both[:, 1, 1]), np.minimum(both[:, 0, 1], both[:, 1, 0])
        copying = int((np.maximum(straight, crossed) >= 1 - ALLOWED).sum())
    return Marks(learned, task.accuracy(block, drawn), verdicts, copying)


def _certified(task: Task, queries: np.ndarray, keys: np.ndarray, places: np.ndarray, scale: Fraction) -> Verdict:
    """The mean of the heads' weights against the goal. queries (h, r), keys (h, n, r).

    Heads of a block have keys of their own. Over the joined keys (K_1 x, …, K_h x), with each query 0 on the others' parts, they
    score as before, so that these are heads over one set of keys, mixed equally.
    """
    heads, width = queries.shape
    joined = np.zeros((heads, heads * width))
    for h, q in enumerate(queries):
        joined[h, h * width : (h + 1) * width] = q
    return certify(np.concatenate(list(keys), axis=1), joined, task.goal(places), error=ALLOWED, scale=scale)


def _verdict(marks: Grades) -> Verdict:
    claim = (
        f"on these {CERTIFIED} held-out sequences per block, the learned heads copy and average: in at least 99 % of them a "
        "head trained to copy gives the token asked for a weight of at least 0.9, one trained to average is within total "
        "variation 0.1 of one half each, and so is the mean of two heads trained to average together"
    )
    every = [mark for row in marks.values() for mark in row]
    scope = (
        f"{len(every)} stored blocks, {CERTIFIED} drawn sequences each (seed {HELD_OUT}); nothing is claimed of others"
    )
    words = {
        (COPY, 1): "rows of heads that copy",
        (AVERAGE, 1): "of one that averages",
        (AVERAGE, 2): "of two together",
    }
    counts = ", ".join(
        f"{sum(m.proved for m in row)} of {sum(len(m.verdicts) for m in row)} {words[lesson]}"
        for lesson, row in marks.items()
    )
    right = min(mark.right for mark in every)
    certified = f"certified one by one, over each sequence's own keys: {counts}"
    reason = f"{certified}; of each block's answers at least {right:.1%} are right"
    if all(mark.passed for mark in every):
        return _together([v for mark in every for v in mark.verdicts if isinstance(v, Proved)]).explained(
            f"{claim}: {reason}"
        )
    failed = [v for mark in every for v in mark.verdicts if isinstance(v, Refuted)]
    if any(_fails(mark) for mark in every):
        return _together(failed).explained(reason)
    return Undecided(claim, scope=scope, reason=reason, next_step="train longer: `headwright problems E.2a --train`")


def _together(verdicts: Sequence[Verdict]) -> Verdict:
    """One claim that all these rows do what they were trained for."""
    return AllOf(tuple(verdict.record for verdict in verdicts if isinstance(verdict.record, Claim))).prove()


def _fails(mark: Marks) -> bool:
    """More than one row in a hundred is refuted."""
    refuted = sum(isinstance(verdict, Refuted) for verdict in mark.verdicts)
    return refuted > (1 - SHARE) * len(mark.verdicts)


RUNS = {"E.2a": e_2a}
