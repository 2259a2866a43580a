"""Beyond the sheets: the shortest query for keys that no textbook assumption fits, and a goal that no query reaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from headwright.constructions import design
from headwright.goals import Average, Copy, Goal
from headwright.judging import certify
from headwright.refusals import Unreachable
from headwright.verdict import Verdict


@final
@dataclass(frozen=True, eq=False)
class Exhibit:
    """One thing shown after the sheets: a title, what is seen, the weights, and the verdicts that prove it."""

    title: str
    text: str
    weights: np.ndarray
    goal: Goal
    verdicts: tuple[Verdict, ...]


def exhibits() -> tuple[Exhibit, ...]:
    return _any_keys(), _impossible()


def _any_keys() -> Exhibit:
    """Thirty keys in eight dimensions: neither unit nor orthogonal, more of them than dimensions."""
    keys = np.random.default_rng(2).standard_normal((30, 8))
    goal = Average(3, 7)
    made = design(keys, goal, error=0.01)
    optimal = made.optimality
    return Exhibit(
        "Any keys: 30 random keys in 8 dimensions, the mean of keys 3 and 7",
        f"The textbook's construction does not apply. The query found has norm {made.norm:.6f}, and it is proved that none "
        f"with exact ratios is shorter than {made.lower_bound or 0.0:.6f}.",
        made.weights,
        goal,
        (certify(keys, made), *((optimal,) if optimal is not None else ())),
    )


def _impossible() -> Exhibit:
    """Four corners and a point inside: no query singles it out."""
    keys = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [5.0, 5.0], [2.0, 1.0]])
    goal = Copy(4)
    try:
        design(keys, goal, error=0.01)
    except Unreachable as refusal:
        witness = refusal.witness
        parts = (
            ""
            if witness is None
            else " + ".join(f"{weight}·k_{j}" for j, weight in zip(witness.indices, witness.weights, strict=True))
        )
        return Exhibit(
            "Impossible: copy key 4, which lies inside the hull of the others",
            f"{refusal.reason}. k_4 = {parts}, so its score is the same mean of the others' scores, whatever the query; "
            f"the best any query can do is an error of {refusal.best_error or 0.0:.6f}. Asked for 0.78 instead, it gets these "
            "weights:",
            design(keys, goal, error=0.78).weights,
            goal,
            (refusal.verdict, *((refusal.best_verdict,) if refusal.best_verdict is not None else ())),
        )
    raise AssertionError("a key inside the hull was copied")
