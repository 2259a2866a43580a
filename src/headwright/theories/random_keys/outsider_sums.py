"""The law of the outsiders' sums: in one head, or in two at once, as masses on a grid that bound it from above and from below.

The total variation rises with the sum Y_h of the outsiders' exponentials in every head h, and depends on the outsiders through
these sums alone. So bounds on P(error met) need no box for every outsider. Two laws on the points of one grid suffice:

* `up`: every noise is moved to the end of its cell at which its exponential is largest, every sum to the next point of the grid
  above it. So Y is at most a variable of this law, and a set of sums closed downward has at least the mass that `up` gives it.
* `down`: the reverse, for sets closed upward.

Mass is only ever left out: what lies beyond the cells or the grid, and the roundings. A product of masses with an inner sum of at
most 2^11 terms and an outer one of at most 2^10 is off by less than 2^-41 of itself [Higham, Accuracy and Stability, §3.1].
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from headwright.kernel import budget
from headwright.theories.random_keys.normal import normal_cells

Ends = tuple[float, float]  # a number not above, and one not below
Pair = tuple[np.ndarray, np.ndarray]
CELLS = 1024  # of every Gaussian
# Cells taken together where a Gaussian moves both heads: in quick steps, and in steps by matrix products.
_FINE, _COARSE = 2, 8
# Places at which the search for a value starts, and how far off its logarithm may be.
_LOOKED_UP, _A_LITTLE = 2**14, 1e-6
_POINTS = {1: 1024, 2: 256}  # of the grid in a head, for one head and for two
_UNIT = 2.0**-60  # masses of cells are added up as integers of this unit, which is exact
_NO_UNDERFLOW = 2.0**-300  # masses below it are left out, so that no product of masses is rounded to a subnormal number
_LESS, _MORE = 1 - 2.0**-50, 1 + 2.0**-50  # four roundings of positive numbers, and one of the factor's own
_TO_SPARE = 1 - 2.0**-41


@final
@dataclass(frozen=True, eq=False)
class Growth:
    """Bounds on e^{b_h z} at the ends of the cells of one Gaussian z, for every head h; the signs of b_h and |b_h|, rounded."""

    low: tuple[np.ndarray, ...]
    high: tuple[np.ndarray, ...]
    signs: tuple[int, ...]
    sd: tuple[float, ...]

    def least(self, h: int, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Not above the growth in head h anywhere between the ends numbered `first` and `last`."""
        return np.asarray(self.low[h][first if self.signs[h] >= 0 else last])

    def most(self, h: int, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        return np.asarray(self.high[h][last if self.signs[h] >= 0 else first])


@final
@dataclass(frozen=True, eq=False)
class NoisyKey:
    """The exponentials of a key by head: bounds at the mean, times growths. `own` moves the last head alone.

    In a head where the key does not vary it counts among the keys that stay, and its exponential here is 0.
    """

    means: tuple[Ends, ...]
    shared: Growth | None
    own: Growth | None

    def sd(self, h: int) -> float:
        return math.hypot(*(g.sd[h] for g in (self.shared, self.own) if g is not None))


@final
@dataclass(frozen=True, eq=False)
class SumsLaw:
    """Masses (a, b) on sums first[a] in the first head and last[b] in the last one. With one head `first` is idle."""

    first: np.ndarray
    last: np.ndarray
    up: np.ndarray
    down: np.ndarray


def sums_law(still: Sequence[Ends], keys: Sequence[NoisyKey]) -> SumsLaw:
    """The law of the sums of `still` (bounds by head) and of the exponentials of independent `keys`, in one head or two."""
    heads = len(still)
    first, last = np.unique(still[0] if heads == 2 else (0.0,)), np.unique(still[-1])
    up, down = np.zeros((len(first), len(last))), np.zeros((len(first), len(last)))
    up[-1, -1] = down[0, 0] = 1.0
    budget.hold(64 * _POINTS[heads] ** 2 if keys else 0)  # eight tables, one step after the other
    for key in sorted(keys, key=lambda key: -max(key.means[h][1] * key.sd(h) for h in range(heads))):
        grid = (
            _grid(first, up.sum(axis=1), key, 0, _POINTS[2]) if heads == 2 else first,
            _grid(last, up.sum(axis=0), key, heads - 1, _POINTS[heads]),
        )
        up, down = (_moved((first, last), mass, key, grid, upward) for mass, upward in ((up, True), (down, False)))
        first, last = grid
    return SumsLaw(first, last, up, down)


def _moved(points: Pair, mass: np.ndarray, key: NoisyKey, grid: Pair, upward: bool) -> np.ndarray:
    """The masses on `grid` when the key is added, with all roundings `upward` or all of them downward."""
    end, heads = int(upward), len(key.means)
    _, chances = normal_cells(CELLS)
    in_first, in_last, weights = np.zeros(1), np.full(1, key.means[-1][end]), np.ones(1)
    if key.shared is not None:
        together = _FINE if key.own is None or mass.size <= 4 else _COARSE
        at = np.arange(0, CELLS, together)
        grown = key.shared.most if upward else key.shared.least
        in_first = key.means[0][end] * grown(0, at, at + together)
        in_last = key.means[-1][end] * grown(heads - 1, at, at + together)
        weights = chances.reshape(-1, together).sum(axis=1)
    kept = np.where(mass < _NO_UNDERFLOW, 0.0, mass)
    found = np.zeros((len(grid[0]), len(grid[1])))
    own = None if key.own is None else _Own(key.own, heads - 1, points[1], grid[1], upward)
    size = 0 if own is None else own.size
    budget.spend(len(weights) * (kept.size + len(kept) * size // 7 + 20 * size))
    for a, b, weight in zip(in_first.tolist(), in_last.tolist(), weights.tolist(), strict=True):
        rows, sent = _sent(kept, _places(points[0], a, grid[0], upward), len(grid[0]))
        if own is None:
            columns, sent = _sent(sent.T, _places(points[1], b, grid[1], upward), len(grid[1]))
            found[rows[:, None], columns] += weight * sent.T
        else:
            found[rows] += (weight * sent) @ own.reached(b)
    found *= _TO_SPARE
    return found if own is None else _apart(found, upward) * _TO_SPARE


def _apart(reached: np.ndarray, upward: bool) -> np.ndarray:
    """Masses of the points of the grid, of which those up to every point (or from it on) add up to what is `reached` there."""
    if upward:
        return np.diff(np.maximum.accumulate(reached, axis=1), axis=1, prepend=0.0)
    return _apart(reached[:, ::-1], True)[:, ::-1]


def _places(points: np.ndarray, value: float, grid: np.ndarray, upward: bool) -> np.ndarray:
    """For every point, where point + value comes to lie in the grid, rounded upward or downward; outside it where it cannot."""
    moved = points if value == 0 else (points + value) * (_MORE if upward else _LESS)
    return np.searchsorted(grid, moved) if upward else np.searchsorted(grid, moved, side="right") - 1


def _sent(mass: np.ndarray, places: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of `mass` added up by their places, which rise; those outside 0 … size - 1 are left out."""
    inside = slice(*np.searchsorted(places, (0, size)))
    starts = np.flatnonzero(np.diff(places[inside], prepend=-1))
    if not len(starts):
        return starts, mass[:0]
    return places[inside][starts], np.add.reduceat(mass[inside], starts, axis=0)


@final
class _Own:
    """A Gaussian that moves the last head alone: the chance to get from a point at most (at least) as far as one of the grid."""

    def __init__(self, growth: Growth, h: int, points: np.ndarray, grid: np.ndarray, upward: bool) -> None:
        at, (_, chances) = np.arange(CELLS), normal_cells(CELLS)
        values = (growth.most if upward else growth.least)(h, at, at + 1)
        order = np.argsort(values)
        masses = np.floor(chances[order] / _UNIT).astype(np.int64)
        self._upward = upward
        self._values = np.concatenate([[0.0], values[order], [np.inf]])
        self._reached = np.concatenate([[0], np.cumsum(masses)] if upward else [np.cumsum(masses[::-1])[::-1], [0]])
        self._gaps = (grid - points[:, None]) * (_LESS if upward else _MORE)  # the factor does not change a sign
        with np.errstate(divide="ignore"):
            logs = np.clip(np.log(values[order]), -690.0, 690.0)
        self._logs, self._start = np.log(np.maximum(self._gaps, 2.0**-1000)), float(logs[0])
        self._steps = (_LOOKED_UP - 1) / max(float(logs[-1]) - self._start, 1e-100)  # 1e-100: values that are all alike
        looked_up = np.linspace(logs[0], logs[-1], _LOOKED_UP)
        self._nearest = np.searchsorted(logs, looked_up, side="right" if upward else "left")
        self.size = self._gaps.size

    def reached(self, value: float) -> np.ndarray:
        """That chance for every point and every point of the grid, with the growths times `value`.

        Where to look is guessed by logarithms and then checked. Upward, the last value counted must not be beyond the gap.
        Downward, the first value counted must not be below it. Where the check fails nothing is counted.
        """
        if not 0 < value < np.inf:
            return np.zeros(self._gaps.shape)
        position = (self._logs - (math.log(value) + self._start)) * self._steps
        if self._upward:
            count = self._nearest[np.clip(position - _A_LITTLE, 0, _LOOKED_UP - 1).astype(np.int64)]
            fits = (value * self._values[count] * _MORE <= self._gaps) & (self._gaps > 0)
            return np.where(fits, self._reached[count] * _UNIT, 0.0)
        count = self._nearest[np.clip(np.ceil(position + _A_LITTLE), 0, _LOOKED_UP - 1).astype(np.int64)]
        fits = value * self._values[count + 1] * _LESS >= self._gaps
        return np.where(fits, self._reached[count] * _UNIT, 0.0)


def _grid(points: np.ndarray, mass: np.ndarray, key: NoisyKey, h: int, count: int) -> np.ndarray:
    """Points for the sums with the key in head h: half where the mass is, half further out. Any points will do for a proof."""
    sd = key.sd(h)
    if not sd:
        return points
    ends, chances = normal_cells(128)
    with np.errstate(divide="ignore"):
        moved = math.log(min(max(key.means[h][1], 2.0**-900), 2.0**900)) + sd * ends
        logs = np.clip(np.logaddexp(np.log(points)[:, None], moved), -650.0, 650.0)
    chance = mass[:, None] * (np.append(chances, 0.0) + np.append(0.0, chances)) / 2
    order = np.argsort(logs, axis=None)
    added = np.cumsum(chance.ravel()[order])
    likely = np.interp(np.linspace(0, added[-1], count // 2), added, logs.ravel()[order])
    low, high, bins = float(logs.min()), float(logs.max()), 4 * count
    places = ((logs - low) * (bins / max(high - low, 1e-9))).astype(np.int64)  # 1e-9: sums that are all alike
    dense = np.bincount(np.minimum(places, bins - 1).ravel(), chance.ravel(), bins)
    spread = np.concatenate([[0.0], np.cumsum(np.sqrt(dense) + 1e-9)])  # 1e-9: rises where no mass is
    wide = np.interp(np.linspace(0, spread[-1], count // 2), spread, np.linspace(low, high, bins + 1))
    found = np.unique(np.exp(np.concatenate([likely, wide])))
    found[0], found[-1] = found[0] * (1 - 1e-9), found[-1] * (1 + 1e-9)  # takes in the ends, which are rounded
    return found
