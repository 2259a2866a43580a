"""Claim: in one head, every score of a set of keys exceeds every other score, by more than 0 or by at least a given gap.

Scores are exact rationals s_j = τ·2^e·N_j with integers N_j. If every key may move (see `region`), the score of key j goes down
or up by as much as δ_j, independently of the others, and both ends are reached. So the smallest gap over the region is exactly

    min_{i∈S} (s_i - δ_i) - max_{j∉S} (s_j + δ_j).

δ_j may be irrational, but δ_j² is rational, and the sign of a sum of a rational and two square roots is found by squaring twice.
Nothing is rounded, so no claim of this kind is Undecided.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple, final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import Claim, at_least, at_most
from headwright.kernel.goals import Top
from headwright.kernel.heads import Heads
from headwright.kernel.region import Region
from headwright.kernel.verdict import Counterexample, Proved, Refuted, Verdict

_FEW_BITS = 64  # enough to tell which keys can matter
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
        if self.region is not None:
            self.region.check(self.heads.keys)
        if self.gap is not None and self.gap <= 0:
            raise ValueError(f"`gap` must be positive, got {inputs.show(self.gap)}")

    @property
    def exact(self) -> bool:
        """Whether the worst case is found exactly: always, since nothing is rounded."""
        return True

    def sentence(self) -> str:
        by = "" if self.gap is None else f" by at least {inputs.show(self.gap)}"
        moves = f", {self.region.describe()}" if self.region else ""
        return f"{self.heads.describe()} scores every key of {self.top} above every other key{by}{moves}"

    def judge(self) -> Verdict:
        inputs.need_gradual_underflow()
        closest = self._closest()
        if self._holds(closest):
            return self._proved(closest)
        return self._refuted(closest)

    def _closest(self) -> Closest:
        """The member whose score may fall lowest and the outsider whose score may rise highest."""
        members, others = self._contenders()
        rows = np.concatenate([members, others])
        numerators, exponent = balls.exact_scores(self.heads.keys[rows], self.heads.points[0])
        unit = self.heads.scale * Fraction(2) ** exponent
        squares = [Fraction(0)] * len(rows)
        if self.region is not None:
            squares = self.region.squared_moves(self.heads.points[0], self.heads.scale, rows)
        budget.spend(len(rows) * 12 * budget.product(4400, 4400))

        def first(side: range, way: int) -> int:
            """Of these rows, the one with the largest way·s_j + δ_j."""
            best = side[0]
            for k in side:
                ahead = way * unit * (numerators[k] - numerators[best])
                if root_sign(ahead, squares[k], -squares[best]) > 0:
                    best = k
            return best

        lowest, highest = first(range(len(members)), -1), first(range(len(members), len(rows)), 1)
        apart = unit * (numerators[lowest] - numerators[highest])
        return Closest(int(rows[lowest]), int(rows[highest]), apart, squares[lowest], squares[highest])

    def _contenders(self) -> tuple[np.ndarray, np.ndarray]:
        """Members that may score lowest and outsiders that may score highest; float64 scores rule out most others."""
        named = self.top.members(self.heads.n)
        members, others = np.flatnonzero(named), np.flatnonzero(~named)
        enclosed = balls.float_scores(self.heads.keys, self.heads.points[0])
        if enclosed is None:
            return members, others
        low = np.nextafter(enclosed[0] - enclosed[1], -np.inf)
        high = np.nextafter(enclosed[0] + enclosed[1], np.inf)
        if self.region is not None and not self.region.alike:  # else every score moves by the same δ
            with balls.precision(_FEW_BITS):
                moves = self.region.score_moves(self.heads.points[0], Fraction(1), _FEW_BITS)
                ends = [(balls.lower(move), balls.upper(move)) for move in moves]
                least = [0.0 if end is None else balls.float_below(end) for end, _ in ends]
                most = [math.inf if end is None else balls.float_above(end) for _, end in ends]
            with np.errstate(all="ignore"):
                down, up = np.nextafter(low - most, -np.inf), np.nextafter(high + most, np.inf)
                low, high = np.nextafter(low + least, -np.inf), np.nextafter(high - least, np.inf)
            if not all(np.isfinite(end).all() for end in (down, up, low, high)):
                return members, others
            return members[down[members] <= high[members].min()], others[up[others] >= low[others].max()]
        return members[low[members] <= high[members].min()], others[high[others] >= low[others].max()]

    def _holds(self, closest: Closest) -> bool:
        """A - δ_i - δ_j >= g, or > 0 without g."""
        left = root_sign(closest.apart - (self.gap or 0), -closest.down, -closest.up)
        return left > 0 or (left == 0 and self.gap is not None)

    def _reached(self, closest: Closest) -> balls.Ball:
        """A - δ_i - δ_j as a ball, from its square where A > 0, so that a small difference keeps its digits."""
        apart = balls.exact(closest.apart)
        move = balls.exact(closest.down).sqrt() + balls.exact(closest.up).sqrt()
        if closest.apart > 0:
            cross = 2 * balls.exact(closest.down * closest.up).sqrt()
            return (balls.exact(closest.apart**2 - closest.down - closest.up) - cross) / (apart + move)
        return apart - move

    def _proved(self, closest: Closest) -> Proved:
        least = closest.apart
        if self.region is not None:
            with balls.precision(_BITS):
                least = max(self.gap or Fraction(0), balls.lower(self._reached(closest)) or Fraction(0))
        return self.proved(**at_least("smallest gap", least), method=self._method())

    def _refuted(self, closest: Closest) -> Refuted:
        """The pair is the counterexample. If keys may move, these two move towards each other along the query."""
        most, (lowest, highest) = closest.apart, (closest.lowest, closest.highest)
        point: Counterexample = {"pair": (lowest, highest)}
        if self.region is not None:
            move = self.region.move()
            point = {
                **point,
                "moves": f"key {lowest} by -{move}, key {highest} by +{move}",
                **self._stored(lowest, highest),
            }
            with balls.precision(_BITS):
                most = min(most, self.gap or Fraction(0), balls.upper(self._reached(closest)) or most)
        reached = at_most(f"key {lowest} is ahead of key {highest} by", most)
        return self.refuted(**reached, counterexample=point, method=self._method())

    def _stored(self, lowest: int, highest: int) -> Counterexample:
        """Float64 keys near the vertex, where they break the claim by themselves."""
        assert self.region is not None
        signs = np.zeros((self.heads.n, 1))
        signs[lowest], signs[highest] = -1.0, 1.0
        keys = self.region.moved(self.heads.keys, signs * self.region.direction(self.heads.ways[0]))
        if keys is None or not isinstance(TopGap(self.heads.replace_keys(keys), self.top, self.gap).prove(), Refuted):
            return {}
        return {"keys": keys}

    def _method(self) -> str:
        return "exact scores" if self.region is None else "exact scores, compared by squares; exact: the extreme vertex"


class Closest(NamedTuple):
    """A member and an outsider, how far apart their scores are, and the squares of the moves that bring them together."""

    lowest: int
    highest: int
    apart: Fraction
    down: Fraction
    up: Fraction


def root_sign(a: Fraction, p: Fraction, q: Fraction) -> int:
    """The sign of a ± √|p| ± √|q|, where each root has the sign of its number; exact.

    Let r be the sum of the roots. If a and r have opposite signs, a² and r² = |p| + |q| ± 2√|pq| are compared, and the last
    root again by its square.

    >>> root_sign(Fraction(3), Fraction(-2), Fraction(-2)), root_sign(Fraction(0), Fraction(3), Fraction(-2))
    (1, 1)
    """
    roots = sign(p + q) if p * q < 0 else sign(p) or sign(q)
    if not roots or sign(a) in (0, roots):
        return sign(a) or roots
    rest = a * a - abs(p) - abs(q)
    cross = 4 * p * q  # of the sign of the cross term, and its square in size
    if sign(rest) * sign(cross) > 0:
        return sign(a) * sign(rest) * sign(rest * rest - abs(cross))
    return sign(a) * (sign(rest) or -sign(cross))


def sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)
