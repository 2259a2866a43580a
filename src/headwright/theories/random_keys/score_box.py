"""Two-sided bounds on the total variation when scores lie in boxes and one key moves with a Gaussian z in an interval.

TV = max over T ⊂ S of α(T ∪ outside) - w(T). In one head α(A) = N/(N + D), where N sums the exponentials of A and D those of the
rest. It rises with every score in A and falls with every other, so over a box its extremes are at N high and D low, and the
reverse. Heads are bounded one by one and mixed, which is sound, and exact for one head. Large supports have too many subsets. For
them each part of the sum of non-negative parts α(outside) + Σ_S [α_i - w_i]₊ is bounded instead.

The outsiders enter only through the sum Y of their exponentials, which varies far less than its terms. Instead of boxing every
term, moments can bound it: P(|Y - EY| >= (M/p)^{1/4}) <= p with M = E(Y - EY)⁴ (Markov). A term e^N, N ~ N(s, v), has, with
w = e^v,

    mean e^s √w,   variance (w - 1)·mean²,   fourth central moment (w - 1)²(w⁴ + 2w³ + 3w² - 3)·mean⁴,

and independent terms add up to M = Σ fourth moments + 3((Σ variances)² - Σ variances²).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations
from typing import final

from headwright.kernel import balls, budget
from headwright.kernel.frozen import computed_once
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.theories.random_keys.score_noise import ScoreNoise

_MOST_BY_SUBSETS = 5  # support size up to which all subsets are examined


@final
@dataclass(frozen=True)
class Room:
    """The limits on left-over noise: scores stay within `reach` standard deviations, and the outsiders' sum of each head leaves
    its interval with probability at most `beyond` (None: bounded by its scores). All of this fails with probability `escape`.
    """

    reach: balls.Ball
    beyond: balls.Ball | None
    escape: balls.Ball


Ends = tuple[balls.Ball, balls.Ball]  # a lower and an upper number, each a ball of its own


@final
@dataclass(frozen=True)
class _Sides:
    """One head and one set A: exponentials of A (`inside`) and of the rest (`beside`), without the moving keys."""

    inside: Ends
    beside: Ends
    moving_inside: tuple[bool, ...]  # for every moving key


@final
class ScoreBox:
    """Score boxes of all heads: each score within `reach` left-over deviations of its mean; the moving key also moves with z."""

    def __init__(self, heads: Heads, goal: Goal, noise: ScoreNoise, tier: balls.Tier, room: Room) -> None:
        self._shares = [balls.exact(share) for share in heads.shares]
        moving = [] if noise.key is None else [(noise.key, noise.rises)]
        moving += [] if noise.partner is None else [noise.partner]
        keys = tuple(key for key, _ in moving)
        unit = balls.exact(noise.root).sqrt()
        self.escape, self.moves = room.escape, any(noise.rises)  # z may move nothing
        self.looked = 0  # parts of the bound, by head, in all cells judged
        tables = [
            _Exponentials(row, left, room, goal, keys, noise.common)
            for row, left in zip(tier.exponentials, noise.left_over, strict=True)
        ]
        self._moving = [
            [_Moving(table.ends(key), balls.exact(rises[h]) * unit, rises[h] >= 0) for key, rises in moving]
            for h, table in enumerate(tables)
        ]
        self._by_subsets = len(goal.indices) <= _MOST_BY_SUBSETS
        self._parts = [
            (balls.exact(wanted), [table.sides(chosen, with_outside) for table in tables])
            for chosen, with_outside, wanted in _sets(goal, self._by_subsets)
        ]

    @property
    def parts(self) -> tuple[int, ...]:
        """The parts of the bound, all of which count for a cell of which nothing is known."""
        return tuple(range(len(self._parts)))

    def verdict(self, low: float, high: float, error: balls.Ball) -> bool | None:
        """True if TV <= error for all z in [low, high] and all scores in the boxes, False if for none, otherwise None."""
        return self.judged(low, high, error, self.parts)[0]

    def judged(
        self, low: float, high: float, error: balls.Ball, among: tuple[int, ...]
    ) -> tuple[bool | None, tuple[int, ...]]:
        """The verdict, and those of the parts `among` that still count in cells inside this one.

        A set whose weight exceeds nothing here (a part of a sum that is 0 here) exceeds nothing in a smaller cell. `among` holds
        all parts that count in a cell around this one.
        """
        budget.spend(
            len(among) * len(self._shares) * 20 * balls.unit_cost() + 4 * len(self._shares) * balls.function_cost()
        )
        self.looked += len(among) * len(self._shares)
        ends = [[key.over(low, high) for key in head] for head in self._moving]
        least, most = balls.exact(0), balls.exact(0)
        counting = []
        for place in among:
            wanted, heads = self._parts[place]
            if self._by_subsets and 1 - wanted <= error:
                continue  # α(A) - w(T) <= 1 - w(T): this set never exceeds the error
            below, above = balls.exact(0), balls.exact(0)
            for share, sides, moving in zip(self._shares, heads, ends, strict=True):
                bottom, top = _fraction(sides, moving)
                below, above = below + share * bottom, above + share * top
            below, above = below - wanted, above - wanted
            if above <= (error if self._by_subsets else 0):
                continue
            counting.append(place)
            if self._by_subsets:
                least, most = least.max(below), most.max(above)
            else:
                least, most = least + below.max(0), most + above.max(0)
        if most <= error:
            return True, ()
        return (False if least > error else None), tuple(counting)


@final
class _Moving:
    """The exponential of one key that moves with z, in one head."""

    def __init__(self, at_zero: Ends, slope: balls.Ball, rising: bool) -> None:
        self._at_zero, self._slope, self._rising = at_zero, slope, rising
        self._growth: dict[float, balls.Ball] = {}  # neighbouring cells share their ends

    def over(self, low: float, high: float) -> Ends:
        first, last = (low, high) if self._rising else (high, low)
        return self._at_zero[0] * self._grown(first), self._at_zero[1] * self._grown(last)

    def _grown(self, z: float) -> balls.Ball:
        if z not in self._growth:
            self._growth[z] = (self._slope * balls.exact(z)).exp()
        return self._growth[z]


@final
class _Exponentials:
    """The exponentials of one head's keys, each with the lowest and the highest value its left-over noise allows."""

    def __init__(
        self,
        row: balls.Table,
        left_over: dict[int, Fraction],
        room: Room,
        goal: Goal,
        moving: tuple[int, ...],
        common: Fraction,
    ) -> None:
        budget.spend(
            len(left_over) * (2000 + 10 * balls.unit_cost()) + 5 * len(set(left_over.values())) * balls.function_cost()
        )
        stretch = {v: (room.reach * balls.exact(v).sqrt()).exp() for v in set(left_over.values())}
        self._row, self._goal, self._moving = row, goal, moving
        self._stretch = {j: stretch[variance] for j, variance in left_over.items()}
        apart = {*goal.indices, *moving}
        still = row.total(without=apart | set(self._stretch))
        moved = {j: v - common for j, v in left_over.items() if j not in apart}
        if room.beyond is None:
            self._outside = _added([(still, still), *(self.ends(j) for j in moved)])
        else:
            together = (room.reach * balls.exact(common).sqrt()).exp()
            low, high = _sum_within(row, moved, room.beyond)
            self._outside = _added([(still, still), (low / together, high * together)])

    def ends(self, j: int) -> Ends:
        middle, stretch = self._row[j], self._stretch.get(j)
        return (middle, middle) if stretch is None else (middle / stretch, middle * stretch)

    def sides(self, chosen: frozenset[int], with_outside: bool) -> _Sides:
        """The set `chosen` ⊂ S, with all outsiders or without them, against everything else; moving keys left out of both."""
        members, moving = self._goal.indices, self._moving
        on_this_side = tuple(key in chosen if key in members else with_outside for key in moving)
        if len(chosen) == 1 and not with_outside:
            (i,) = chosen
            return _Sides(_added([] if i in moving else [self.ends(i)]), self._besides[i], on_this_side)
        budget.spend(len(members) * (2500 + 4 * balls.unit_cost()))
        inside = [self.ends(i) for i in chosen if i not in moving]
        beside = [self.ends(i) for i in members if i not in moving and i not in chosen]
        (inside if with_outside else beside).append(self._outside)
        return _Sides(_added(inside), _added(beside), on_this_side)

    @computed_once
    def _besides(self) -> dict[int, Ends]:
        """For each target, what outsiders and other targets add up to without the moving keys."""
        members = self._goal.indices
        budget.spend(len(members) * (5000 + 8 * balls.unit_cost()))
        still = [_added([] if i in self._moving else [self.ends(i)]) for i in members]
        before = list(accumulate(still, lambda a, b: _added([a, b]), initial=self._outside))
        behind = list(accumulate(still[::-1], lambda a, b: _added([a, b]), initial=_added([])))[::-1]
        return {i: _added([before[k], behind[k + 1]]) for k, i in enumerate(members)}


def _sum_within(row: balls.Table, variances: dict[int, Fraction], beyond: balls.Ball) -> Ends:
    """Ends that a sum of log-normal terms leaves with probability at most `beyond`; the lower one is not below 0."""
    shapes = {}
    for v in set(variances.values()):
        w = balls.exact(v).exp()
        shapes[v] = w.sqrt(), w - 1, (w - 1) ** 2 * (w**4 + 2 * w**3 + 3 * w**2 - 3)
    means, squares, fourths = [], [], []
    for j, v in variances.items():
        growth, spread, flatness = shapes[v]
        mean = row[j] * growth
        means.append(mean)
        squares.append(spread * mean**2)
        fourths.append(flatness * mean**4)
    moment = balls.total(fourths) + 3 * (balls.total(squares) ** 2 - balls.total([x**2 for x in squares]))
    middle, off = balls.total(means), (moment.max(0) / beyond).sqrt().sqrt()
    return (middle - off).max(0), middle + off


def _sets(goal: Goal, by_subsets: bool) -> Iterator[tuple[frozenset[int], bool, Fraction]]:
    """(members of S, with the outsiders?, wanted weight) of the sets whose weight the bound looks at."""
    shares = dict(zip(goal.indices, goal.shares, strict=True))
    if by_subsets:
        for size in range(len(shares)):
            for chosen in combinations(goal.indices, size):
                yield frozenset(chosen), True, sum((shares[i] for i in chosen), Fraction(0))
    else:
        yield frozenset(), True, Fraction(0)
        for i, share in shares.items():
            yield frozenset([i]), False, share


def _added(parts: list[Ends]) -> Ends:
    return balls.total([low for low, _ in parts]), balls.total([high for _, high in parts])


def _fraction(sides: _Sides, moving: list[Ends]) -> Ends:
    """The least and the largest N/(N + D)."""
    inside = _added([sides.inside, *(e for e, here in zip(moving, sides.moving_inside, strict=True) if here)])
    beside = _added([sides.beside, *(e for e, here in zip(moving, sides.moving_inside, strict=True) if not here)])
    return inside[0] / (inside[0] + beside[1]), inside[1] / (inside[1] + beside[0])
