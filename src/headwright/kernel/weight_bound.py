"""Claim: a linear functional of the weights, such as one single weight, is at most (or at least) a number.

Σ y_j α_j <= c means Σ (y_j - c) e_j <= 0 for the numerators e_j of the weights. If each score may move by ±δ_j independently,
every term has its own worst case: e^{+δ_j} where y_j > c, e^{-δ_j} elsewhere. One pass decides the claim, exactly for one
head, and the signs are the counterexample. "At least" is "at most" for -y and -c.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim, at_least, at_most
from headwright.kernel.heads import Heads
from headwright.kernel.region import Pushed, Region
from headwright.kernel.verdict import Counterexample, Proved, Refuted, Verdict

SIDES = ("at most", "at least")
Ends = tuple[Sequence[balls.Ball], Sequence[balls.Ball]]  # every exponential with its score raised, and lowered


@final
@dataclass(frozen=True, eq=False)
class WeightBound(Claim):
    """Σ values_j · weight_j is `side` ("at most" or "at least") `bound`, for all keys moved within `region` if given.

    >>> WeightBound(Heads(np.eye(2), [[9.0, 0.0]], [1.0], 1), [1.0, 0.0], "at least", "0.99").prove().status
    'proved'
    """

    heads: Heads
    values: np.ndarray
    side: str
    bound: Fraction
    region: Region | None = None
    kind: ClassVar[str] = "weight-bound"
    takes_image: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.settle({"n": self.heads.n}, values="n")
        if self.region is not None:
            self.region.check(self.heads.keys)
        if self.side not in SIDES:
            raise ValueError(f"`side` must be 'at most' or 'at least', got {self.side!r}")

    def sentence(self) -> str:
        chosen = np.flatnonzero(self.values)
        single = len(chosen) == 1 and self.values[chosen[0]] == 1
        what = f"the weight of key {chosen[0]}" if single else "the given linear functional of the weights"
        moves = f", {self.region.describe()}" if self.region else ""
        return f"{what} under {self.heads.describe()} is {self.side} {inputs.show(self.bound)}{moves}"

    def judge(self) -> Verdict:
        if self.region is None or len(self.heads.queries) == 1:
            return self._prove_exactly()
        return self._prove_by_bound(self.region)

    def _upward(self) -> tuple[np.ndarray, Fraction]:
        """(y, c) of the equivalent claim Σ y α <= c."""
        return (self.values, self.bound) if self.side == "at most" else (-self.values, -self.bound)

    def _ends(self, row: balls.Table, query: balls.Vector, bits: int) -> Ends:
        return Pushed(row, self.region, query, self.heads.scale, bits).both()

    def _prove_exactly(self) -> Verdict:
        y, c = self._upward()
        for tier in self.heads.climb():
            with balls.precision(tier.bits):
                ends = self._ends(self.heads.numerators(tier), self.heads.points[0], tier.bits)
                worst = excess(ends, y, c)
                if worst <= 0:
                    tight = extreme(ends, y)
                    return self._proved(c if tight is None else min(tight, c), f"{tier.method}; exact")
                if worst > 0:
                    return self._refuted({"signs": np.where(above(y, c), 1, -1)}, f"{tier.method}; exact")
        return self.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)

    def _prove_by_bound(self, region: Region) -> Verdict:
        """Each head's own extreme, added up: sound for heads that see the same moved keys, not exact."""
        y, c = self._upward()
        reached: Fraction | None = None
        for tier in self.heads.climb():
            with balls.precision(tier.bits):
                parts = [
                    extreme(self._ends(row, q, tier.bits), y)
                    for row, q in zip(tier.exponentials, self.heads.points, strict=True)
                ]
            known = [part for part in parts if part is not None]
            if len(known) == len(parts):
                reached = sum((pi * part for pi, part in zip(self.heads.shares, known, strict=True)), Fraction(0))
                if reached <= c:
                    return self._proved(reached, f"{tier.method}; a sound bound, not exact: heads taken one by one")
                if reached - c > (Fraction(float(y.max())) - Fraction(float(y.min()))) / 2**30:
                    break  # more precision would not close this gap
        for moved in self._candidates(region):
            fixed = WeightBound(self.heads.replace_keys(moved), self.values, self.side, self.bound).prove()
            if isinstance(fixed, Refuted):
                return self._refuted({"keys": moved}, fixed.method)
        return self.undecided(
            "the sound bound does not reach the claimed number, and no moved keys that break the claim were found",
            "ask for a weaker bound or a smaller radius, or certify each head by itself",
        )

    def _candidates(self, region: Region) -> Iterator[np.ndarray]:
        y, c = self._upward()
        signs = np.where(above(y, c), 1.0, -1.0)
        yield self.heads.keys
        for way in [*self.heads.ways, self.heads.mix @ self.heads.ways]:
            moved = region.moved(self.heads.keys, signs[:, None] * region.direction(way))
            if moved is not None:
                yield moved

    def _proved(self, most: Fraction, method: str) -> Proved:
        reached = at_most("it is", most) if self.side == "at most" else at_least("it is", -most)
        return self.proved(**reached, method=method)

    def _refuted(self, point: Counterexample, method: str) -> Refuted:
        if self.region is None:
            point = self.heads.as_given()
        elif "signs" in point:
            point = {"vertex": f"key_j + signs_j · {self.region.move()}", **point}
        return self.refuted(counterexample=point, method=method)


def above(y: np.ndarray, c: Fraction) -> np.ndarray:
    """Where y_j > c, exactly: a float exceeds c if and only if it exceeds the largest float not above c."""
    raised: np.ndarray = y > balls.float_below(c)
    return raised


def excess(ends: Ends, y: np.ndarray, c: Fraction) -> balls.Ball:
    """The largest Σ (y_j - c) e_j over the score box, up to a positive factor; <= 0 if and only if Σ y α <= c."""
    distinct = np.unique(y).tolist()
    common = budget.common_denominator([c, *map(Fraction, distinct)])
    budget.spend(len(distinct) * (len(y) + 5000 + 3 * budget.product(common.bit_length(), 2200)))
    raised = above(y, c)
    terms = []
    for value in distinct:
        where = np.flatnonzero(y == value).tolist()
        end = ends[0] if raised[where[0]] else ends[1]
        weight = balls.total([end[j] for j in where])
        terms.append(int((Fraction(value) - c) * common) * weight)  # an integer, so that ties stay exact
    return balls.total(terms)


def extreme(ends: Ends, y: np.ndarray, rounds: int = 60) -> Fraction | None:
    """A proved upper bound of Σ y_j α_j over the score box, tight to rounding; None if none is found.

    Dinkelbach's iteration finds the extreme vertex, and `excess` then proves the number. An error in the iteration
    could only make the bound less tight.
    """
    least, most = Fraction(float(y.min())), Fraction(float(y.max()))
    c = least
    for _ in range(rounds):
        budget.spend(4 * len(y) * balls.unit_cost())
        pushed = [high if up else low for high, low, up in zip(*ends, above(y, c).tolist(), strict=True)]
        value = balls.total([balls.exact(v) * e for v, e in zip(y.tolist(), pushed, strict=True)]) / balls.total(pushed)
        reached = balls.upper(value)
        if reached is None:
            return None
        if reached <= c:
            break
        c = reached
    for hair in (Fraction(0), Fraction(1, 2**48), Fraction(1, 2**36)):
        candidate = c + hair * (most - least)
        if excess(ends, y, candidate) <= 0:
            return candidate
    return None
