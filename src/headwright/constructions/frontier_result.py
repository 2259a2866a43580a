"""Frontier: the best probability found against the query norm allowed, per number of heads, and how each number was had."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright._design import Design
from headwright.frozen import lending, sealed
from headwright.goals import Goal
from headwright.pickling import Whole
from headwright.shown import Shown

Curve = tuple[np.ndarray, np.ndarray]  # norms (m,) and probabilities (m,)


@final
@lending("curves", "textbook")
@dataclass(frozen=True, eq=False, repr=False)
class Frontier(Whole, Shown):
    """`curves[h]`: norms (m,) and the best probability (m,) found for h heads within each; it never falls as the norm grows.

    `best[h]` is the best length: the least norm found, and its probability, within a thousandth or two of the best probability;
    `designs[h]` has those queries. `textbook` is the curve of the one query t·Σ targets, which has a best length and then fails;
    None where it is zero. Where `proved`, every probability is a proved lower bound for a query that was found; otherwise some
    are estimates. In either case other queries may do better than was found.

    >>> import numpy as np, headwright as hw
    >>> keys = hw.ScaledKeys(np.eye(3), {0: {"1/2": "1/2", "3/2": "1/2"}})
    >>> found = hw.frontier(keys, hw.Average(0, 1), error="0.2", heads=(1,))
    >>> sorted(found.curves), found.proved
    ([1], True)
    """

    goal: Goal
    error: float | str | Fraction
    curves: Mapping[int, Curve]
    best: Mapping[int, tuple[float, float]]
    designs: Mapping[int, Design]
    textbook: Curve | None
    proved: bool

    def __post_init__(self) -> None:
        for name in ("curves", "best", "designs", "textbook"):
            object.__setattr__(self, name, sealed(vars(self)[name]))

    @property
    def norms(self) -> np.ndarray:
        """The norms at which all curves were looked at."""
        return next(iter(self.curves.values()))[0]

    def table(self) -> dict[str, list[Any]]:
        """One row a norm: norm, the probability for each number of heads, and the textbook's."""
        columns = {"norm": self.norms.tolist()}
        columns |= {_words(h): chances.tolist() for h, (_, chances) in self.curves.items()}
        return columns if self.textbook is None else columns | {"textbook": self.textbook[1].tolist()}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "goal": self.goal.to_dict(),
            "error": str(self.error),
            "curves": {str(h): {"norms": x.tolist(), "probabilities": p.tolist()} for h, (x, p) in self.curves.items()},
            "best": {str(h): {"norm": norm, "probability": chance} for h, (norm, chance) in self.best.items()},
            "textbook": None if self.textbook is None else [part.tolist() for part in self.textbook],
            "proved": self.proved,
        }

    def summary(self) -> str:
        """The best probability and its norm for each number of heads, in one line."""
        kind = "proved for the queries found" if self.proved else "estimated"
        return f"probability of error at most {self.error} for {self.goal} against query norm ({kind})"

    def _marks(self) -> list[str]:
        return [
            f"best length for {_words(h)}: {norm:.4g}, with probability {_six(chance)}"
            for h, (norm, chance) in self.best.items()
        ]

    def __repr__(self) -> str:
        columns = self.table()
        wide = max(12, *(len(name) + 2 for name in columns))
        rows = ["".join(f"{name:>{wide}}" for name in columns)]
        for norm, *chances in zip(*columns.values(), strict=True):
            rows.append(f"{norm:>{wide}.4g}" + "".join(f"{_six(chance):>{wide}}" for chance in chances))
        return "\n".join([f"Frontier: {self.summary()}", *rows, *self._marks()])


def _six(chance: float) -> str:
    """Six digits, rounded down: a proved probability is never shown larger than it is."""
    return f"{math.floor(chance * 10**6) / 10**6:.6f}"


def _words(heads: int) -> str:
    return "1 head" if heads == 1 else f"{heads} heads"
