"""Radius: how far keys may move before a claim about the weights breaks, proved from below and refuted from above."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright.kernel import balls
from headwright.kernel.frozen import Frozen, lending
from headwright.kernel.shown import Shown
from headwright.kernel.verdict import Refuted, Verdict
from headwright.words.pickling import Whole


@final
@lending("profile")
@dataclass(frozen=True, eq=False, repr=False)
class Radius(Whole, Frozen, Shown):
    """The claim holds for every move within `low` times the profile, and some move within `high` times it breaks the claim.

    `verdict` is the Proved at `low`, and `refutation` the Refuted at `high`. Both can be saved. `exact` says that no radius
    in between is left open but for a relative width of 10^-6.

    If the claim fails for the keys as they are, `low` is None and `high` is 0. If no move of any size breaks it, `low` and `high`
    are infinite. `verdict` is then the Proved at radius 1, and `reason` says what carries it to every other radius. If only
    `high` is infinite, no radius that was tried breaks the claim, and larger ones are left open. If `low` is 0, the claim holds
    for the keys as they are and was proved for no positive radius. If `low` is None and `high` is not 0, nothing was proved.

    >>> import numpy as np, headwright as hw
    >>> found = hw.radius(np.eye(3), [9.0, 0.0, 0.0], hw.Copy(0), error=0.01)
    >>> found.low < found.high, found.exact, found.verdict.status, found.refutation.status
    (True, True, 'proved', 'refuted')
    """

    low: float | None
    high: float
    exact: bool
    norm: str
    profile: np.ndarray | None
    verdict: Verdict | None
    refutation: Verdict | None
    reason: str | None = None

    @property
    def counterexample(self) -> Mapping[str, Any] | None:
        """The moved keys that break the claim at `high`; None if nothing breaks it."""
        return self.refutation.counterexample if isinstance(self.refutation, Refuted) else None

    def table(self) -> dict[str, list[Any]]:
        """One row for `low` and one for `high`: the radius, the status there and the worst figure reached."""
        rows = [("low", self.low, self.verdict), ("high", self.high, self.refutation)]
        return {
            "end": [end for end, _, _ in rows],
            "radius": [radius for _, radius, _ in rows],
            "status": [None if verdict is None else verdict.status for _, _, verdict in rows],
            "reached": [getattr(verdict, "bound", None) for _, _, verdict in rows],
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, in which an infinite radius is the text "infinity"."""
        return {
            "low": _plain(self.low),
            "high": _plain(self.high),
            "exact": self.exact,
            "reason": self.reason,
            "norm": self.norm,
            "profile": None if self.profile is None else self.profile.tolist(),
            "verdict": None if self.verdict is None else self.verdict.to_dict(),
            "refutation": None if self.refutation is None else self.refutation.to_dict(),
        }

    def summary(self) -> str:
        """The radius in one line."""
        times = "" if self.profile is None else " times the profile"
        measured = "per coordinate" if self.norm == "box" else "in length"
        if self.low is None and self.high == 0:
            return "0: the claim fails for the keys as they are"
        if self.low is None:
            return "not known: nothing was proved, not even for the keys as they are"
        if math.isinf(self.low):
            return f"infinite: no move of the keys breaks the claim, because {self.reason}"
        if math.isinf(self.high):
            least = balls.decimal_below(Fraction(self.low), 7)
            return f"at least {least}{times} {measured}, and no move that was tried breaks the claim"
        ends = balls.decimal_below(Fraction(self.low), 9), balls.decimal_above(Fraction(self.high), 9)
        return f"between {ends[0]} and {ends[1]}{times}, {measured}"

    def __repr__(self) -> str:
        found = [verdict for verdict in (self.verdict, self.refutation) if verdict is not None]
        return "\n".join([f"Radius: {self.summary()}", *(f"  {_said(verdict)}" for verdict in found)])


def _plain(radius: float | None) -> float | str | None:
    return "infinity" if radius is not None and math.isinf(radius) else radius


def _said(verdict: Verdict) -> str:
    reached = getattr(verdict, "bound_text", None)
    return f"{verdict.status.capitalize()}: {verdict.claim}" + (f" ({reached})" if reached else "")
