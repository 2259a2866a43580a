"""Claim: in one head, every score of a set of keys exceeds every other score, by more than 0 or by at least a given gap.

With exact integer scores N_j = k_j·q / 2^e the smallest gap is the rational τ·2^e·(min_S N - max_{rest} N) =: A. If every key
may move (see `region`), the scores of the lowest member and of the highest outsider move towards each other by up to δ each,
independently, and both ends are reached. So the smallest gap over the region is exactly A - 2δ. δ may be irrational, but δ² is
rational, and A - 2δ > g if and only if A - g > 0 and (A - g)² > 4δ². These rationals are compared without rounding, so no claim
of this kind is Undecided.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright import balls, budget, inputs
from headwright.goals import Top
from headwright.proofs.claim import Claim, at_least, at_most
from headwright.proofs.heads import Heads
from headwright.proofs.region import Region
from headwright.verdict import Counterexample, Proved, Refuted, Verdict

_BITS = 128  # for the printed bound; the decision does not depend on it


@final
@dataclass(frozen=True, eq=False)
class TopGap(Claim):
    """The smallest score gap of `top` under the one head of `heads` is > 0, or >= `gap` (> 0) if one is given.

    If `region` is given, this holds for all keys moved within it.

    >>> TopGap(Heads(np.eye(3), [[2.0, 2.0, 0.0]], [1.0], 1), Top(0, 1), Fraction(2)).prove().status
    'proved'
    """

    heads: Heads
    top: Top
    gap: Fraction | None = None
    region: Region | None = None
    kind: ClassVar[str] = "top-gap"
    takes_image: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.settle()
        self.top.check(self.heads.n)
        if len(self.heads.queries) != 1:
            raise ValueError(f"`goal` {self.top} is about the scores of one head, got {len(self.heads.queries)} heads")
        if self.gap is not None and self.gap <= 0:
            raise ValueError(f"`gap` must be positive, got {inputs.show(self.gap)}")

    def sentence(self) -> str:
        by = "" if self.gap is None else f" by at least {inputs.show(self.gap)}"
        moves = f", {self.region.describe()}" if self.region else ""
        return f"{self.heads.describe()} scores every key of {self.top} above every other key{by}{moves}"

    def judge(self) -> Verdict:
        inputs.need_gradual_underflow()
        lowest, highest, apart = self._closest()
        if self._holds(apart):
            return self._proved(apart)
        return self._refuted(lowest, highest, apart)

    def _closest(self) -> tuple[int, int, Fraction]:
        """(lowest-scored member, highest-scored outsider, their exact gap for unmoved keys)."""
        members, others = self._contenders()
        keys, query = self.heads.keys, self.heads.points[0]
        numerators, exponent = balls.exact_scores(keys[np.concatenate([members, others])], query)
        lowest = min(range(len(members)), key=numerators.__getitem__)
        highest = max(range(len(members), len(numerators)), key=numerators.__getitem__)
        difference = numerators[lowest] - numerators[highest]
        apart = self.heads.scale * Fraction(2) ** exponent * difference
        return int(members[lowest]), int(others[highest - len(members)]), apart

    def _contenders(self) -> tuple[np.ndarray, np.ndarray]:
        """Members that may score lowest and outsiders that may score highest; float64 scores rule out most others."""
        named = self.top.members(self.heads.n)
        members, others = np.flatnonzero(named), np.flatnonzero(~named)
        enclosed = balls.float_scores(self.heads.keys, self.heads.points[0])
        if enclosed is None:
            return members, others
        low = np.nextafter(enclosed[0] - enclosed[1], -np.inf)
        high = np.nextafter(enclosed[0] + enclosed[1], np.inf)
        return members[low[members] <= high[members].min()], others[high[others] >= low[others].max()]

    def _move_squared(self) -> Fraction:
        """(2δ)², exactly."""
        if self.region is None:
            return Fraction(0)
        parts = [abs(Fraction(c)) for c in self.heads.points[0].tolist()]
        box = self.region.norm == "box"
        size = budget.summed(parts) ** 2 if box else budget.summed(c * c for c in parts)
        return (2 * self.heads.scale * self.region.radius) ** 2 * size

    def _holds(self, apart: Fraction) -> bool:
        """A - 2δ >= g, or > 0 without g, by squares."""
        square = self._move_squared()
        if self.gap is None:
            return apart > 0 and apart**2 > square
        left = apart - self.gap
        return left >= 0 and left**2 >= square

    def _reached(self, apart: Fraction) -> balls.Ball:
        """A - 2δ as a ball; as (A² - 4δ²)/(A + 2δ) where A > 0, so that a small difference keeps its digits."""
        square = self._move_squared()
        move = balls.exact(square).sqrt()
        if apart > 0:
            return balls.exact(apart**2 - square) / (balls.exact(apart) + move)
        return balls.exact(apart) - move

    def _proved(self, apart: Fraction) -> Proved:
        least = apart
        if self.region is not None:
            with balls.precision(_BITS):
                least = max(self.gap or Fraction(0), balls.lower(self._reached(apart)) or Fraction(0))
        return self.proved(**at_least("smallest gap", least), method=self._method())

    def _refuted(self, lowest: int, highest: int, apart: Fraction) -> Refuted:
        """The pair is the counterexample. If keys may move, these two move towards each other along the query."""
        most = apart
        point: Counterexample = {"pair": (lowest, highest)}
        if self.region is not None:
            unit = "sign(query)" if self.region.norm == "box" else "query/‖query‖"
            moves = f"key {lowest} by -radius · {unit}, key {highest} by +radius · {unit}"
            point = {**point, "moves": moves}
            with balls.precision(_BITS):
                most = min(apart, self.gap or Fraction(0), balls.upper(self._reached(apart)) or apart)
        reached = at_most(f"key {lowest} is ahead of key {highest} by", most)
        return self.refuted(**reached, counterexample=point, method=self._method())

    def _method(self) -> str:
        return "exact scores" if self.region is None else "exact scores, compared by squares; exact: the extreme vertex"
