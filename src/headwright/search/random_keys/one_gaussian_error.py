"""The mean error over one Gaussian, proved: total variation is linear in the logistic functions wherever no sign changes.

    TV = (weight outside the goal) + Σ_{i∈S} [α_i - w_i]₊ ,     α_i - w_i = c + Σ_h a_h u_h(z).

The first part needs only means. For each i the line of z is cut into cells until the sign on each is certain, by the ends of the
cell alone since every u_h is monotone; over runs of positive cells the linear form is integrated. A cell that stays undecided
has a tiny form as well as a tiny mass, and enters as the interval from 0 to their product.
"""

from __future__ import annotations

from itertools import pairwise
from typing import final

from headwright.kernel import balls
from headwright.kernel.goals import Goal
from headwright.search.random_keys.linear_image import Balls
from headwright.theories.random_keys.integrals import FAR, logistic_integral, logistic_mean
from headwright.theories.random_keys.normal import mass_between, mass_beyond

# The first cells; beyond 40 deviations lies a mass below 10^-347, which enters as an interval.
_FIRST = (-40.0, -12.0, -8.0, -6.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 40.0)
_NEGLIGIBLE = 2.0**-66  # of the mean error, for one undecided cell
_MOST_CELLS = 4000  # for one key of the goal; what is undecided then widens the figure


@final
class LogisticError:
    """E[TV] for heads that are logistic in z: shares π_h, lines (a_h, b_h), ratios r_hj of the keys that stay, the moving key."""

    def __init__(
        self, shares: Balls, lines: list[tuple[balls.Ball, balls.Ball]], ratios: list[Balls], key: int, goal: Goal
    ) -> None:
        self._shares, self._lines, self._ratios, self._key, self._goal = shares, lines, ratios, key, goal
        self._at: dict[float, Balls] = {}
        self._integrals: dict[tuple[float, float], Balls] = {}

    def mean(self) -> balls.Ball:
        members = set(self._goal.indices)
        outside = [
            share * balls.total([r for j, r in enumerate(row) if j not in members and j != self._key])
            for share, row in zip(self._shares, self._ratios, strict=True)
        ]
        whole = balls.total([a * self._mean(h) for h, a in enumerate(outside)])
        if self._key not in members:
            whole = whole + balls.total([share * self._mean(h, rest=True) for h, share in enumerate(self._shares)])
        if len(members) == 1:  # [α - 1]₊ = 0
            return whole
        groups: dict[object, list[int]] = {}  # equal keys with equal shares have one form
        for place, i in enumerate(self._goal.indices):
            same = (self._goal.shares[place], i == self._key, *(id(row[i]) for row in self._ratios))
            groups.setdefault(same, []).append(place)
        return whole + balls.total([len(places) * self._positive_part(places[0]) for places in groups.values()])

    def _mean(self, h: int, *, rest: bool = False) -> balls.Ball:
        """E[u_h], or E[1 - u_h]."""
        level, slope = self._lines[h]
        return logistic_mean([(-level, -slope) if rest else (level, slope)])

    def _positive_part(self, place: int) -> balls.Ball:
        """E[α_i - w_i]₊ for the goal's key at this place."""
        i, wanted = self._goal.indices[place], balls.exact(self._goal.shares[place])
        if i == self._key:
            factors, constant = [-share for share in self._shares], 1 - wanted
        else:
            factors = [share * row[i] for share, row in zip(self._shares, self._ratios, strict=True)]
            constant = -wanted
        positive, doubtful = self._cells(factors, constant)
        parts = [doubtful, balls.exact(0).union(2 * mass_beyond(balls.exact(FAR)))]
        for low, high in positive:
            integrals = self._over(low, high)
            parts += [a * x for a, x in zip(factors, integrals, strict=True)]
            parts.append(constant * mass_between(low, high))
        return balls.total(parts).max(0)

    def _cells(self, factors: Balls, constant: balls.Ball) -> tuple[list[tuple[float, float]], balls.Ball]:
        """(runs on which the form is certainly positive, what the undecided cells may add)."""
        waiting = list(pairwise(_FIRST))
        positive: list[tuple[float, float]] = []
        doubtful, looked = balls.exact(0), 0
        while waiting:
            low, high = waiting.pop()
            looked += 1
            least, most = self._range(factors, constant, low, high)
            if least >= 0:
                positive.append((low, high))
            elif not most <= 0:
                mass, middle = mass_between(low, high), (low + high) / 2
                slack = balls.exact(0).union((most * mass).upper())
                if float(slack.upper()) <= _NEGLIGIBLE or looked > _MOST_CELLS or not low < middle < high:
                    doubtful = doubtful + slack
                else:
                    waiting += [(low, middle), (middle, high)]
        return _joined(positive), doubtful

    def _range(self, factors: Balls, constant: balls.Ball, low: float, high: float) -> tuple[balls.Ball, balls.Ball]:
        """Numbers below and above the form on the whole cell: every term is monotone there."""
        terms = [(a * x, a * y) for a, x, y in zip(factors, self._u(low), self._u(high), strict=True)]
        return (
            constant + balls.total([x.min(y) for x, y in terms]),
            constant + balls.total([x.max(y) for x, y in terms]),
        )

    def _u(self, z: float) -> Balls:
        if z not in self._at:
            self._at[z] = [1 / (1 + (level + slope * balls.exact(z)).exp()) for level, slope in self._lines]
        return self._at[z]

    def _over(self, low: float, high: float) -> Balls:
        """∫ u_h φ over [low, high] for every head."""
        if (low, high) not in self._integrals:
            self._integrals[low, high] = [logistic_integral([line], low, high) for line in self._lines]
        return self._integrals[low, high]


def _joined(cells: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Cells that touch made into runs."""
    runs: list[tuple[float, float]] = []
    for low, high in sorted(cells):
        if runs and runs[-1][1] == low:
            runs[-1] = (runs[-1][0], high)
        else:
            runs.append((low, high))
    return runs
