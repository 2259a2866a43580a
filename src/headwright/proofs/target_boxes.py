"""Bounds on P(total variation <= error) for several Gaussians: targets in boxes, outsiders by the law of their sums.

TV <= e means Σ_h π_h α_h(T ∪ outside) <= c_T = e + w(T) for every T ⊂ S. In a head with the outsiders' sum Y, let N be the sum of
the exponentials in T and D of those in S \\ T. Then α = (N + Y)/(N + Y + D), so if heads other than the last take up at most A,

    π_last α_last <= c_T - A   if and only if   Y <= D·r/(1 - r) - N,   r = (c_T - A)/π_last   (any Y if r >= 1).

A box holds the Gaussians of the targets in ranges of cells and, with two heads, the first head's sum in a range of its grid.
N, D and A rise or fall with every one of these, so the corners of the box bound them and thus the threshold of Y. The mass of
`up` below the lower threshold is good, that of `down` above the higher one is bad, and the rest of the box is cut in two.

Exponentials are at most 2^950 and at least 2^-950, or bounded by 0 and 2^-950. So nothing underflows, sums of at most eight of
them and a few products round by less than 2^-48 of themselves, and 2^-45 takes in the roundings of c_T - A, all numbers below 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import final

import numpy as np

from headwright import balls, budget
from headwright.goals import Goal
from headwright.key_laws import GaussianLaw
from headwright.proofs.heads import Heads
from headwright.proofs.outsider_sums import CELLS, Ends, Growth, NoisyKey, SumsLaw, sums_law
from headwright.proofs.score_noise import own_gaussians, score_covariances

_MOST_TARGETS = 5  # all subsets are examined
_MOST_OUTSIDERS = {1: 64, 2: 6}  # that vary, for one head and for two: the law of their sums takes so long
_MOST_BOXES, _AT_ONCE = 2**20, 2**13
_LOW, _HIGH = 2.0**-950, 2.0**950
_LESS, _MORE = 1 - 2.0**-48, 1 + 2.0**-48
_SLACK = 2.0**-45
_UNIT = 2.0**-60  # masses are added up as integers of this unit
_TO_SPARE = Fraction(2**30 - 1, 2**30)  # a sum of 2^21 products of at most 10 masses, rounded


@final
@dataclass(frozen=True, eq=False)
class Setting:
    """Targets and outsiders of at most two heads, the eliminated one last."""

    shares: tuple[float, ...]
    targets: tuple[tuple[Ends, ...], ...]  # by head and target, at the mean
    owners: tuple[int, ...]  # of the Gaussians of targets: the target's place
    gaussians: tuple[Growth, ...]
    sums: SumsLaw
    limits: tuple[tuple[tuple[int, ...], float], ...]  # (T, c_T), where it can bind


def boxed(model: GaussianLaw, heads: Heads, goal: Goal, error: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Ever tighter (low, high) around the probability; nothing for more heads, targets or outsiders than are examined."""
    if len(heads.queries) > 2 or len(goal.indices) > _MOST_TARGETS:
        return
    setting = _setting(model, heads, goal, error)
    if setting is not None:
        yield from _Boxes(setting).refined()


def _setting(model: GaussianLaw, heads: Heads, goal: Goal, error: Fraction) -> Setting | None:
    covariances = score_covariances(model, heads)
    noisy = [j for j in covariances if j not in goal.indices]
    if len(noisy) > _MOST_OUTSIDERS[len(heads.queries)]:
        return None
    order = sorted(range(len(heads.queries)), key=lambda h: heads.mix[h])  # the head with most weight is eliminated
    tier = next(heads.climb())
    with balls.precision(128):
        rows = [tier.exponentials[h] for h in order]
        growths: dict[int, list[Growth]] = {}
        for j, covariance in covariances.items():
            own = own_gaussians([[covariance[g][h] for h in order] for g in order])
            made = [_growth(rises, root) for rises, root in own]
            if any(growth is None for growth in made):
                return None
            growths[j] = [growth for growth in made if growth is not None]
        moves = [{j for j in noisy if covariances[j][h][h]} for h in order]
        still = [_ends(row.total(without={*goal.indices, *moved})) for row, moved in zip(rows, moves, strict=True)]
        outsiders = [
            _noisy_key(
                [_ends(row[j]) if j in moved else None for row, moved in zip(rows, moves, strict=True)], growths[j]
            )
            for j in noisy
        ]
        targets = tuple(tuple(_ends(row[i]) for i in goal.indices) for row in rows)
    owned = [(place, growth) for place, i in enumerate(goal.indices) for growth in growths.get(i, ())]
    return Setting(
        tuple(float(heads.shares[h]) for h in order),
        targets,
        tuple(place for place, _ in owned),
        tuple(growth for _, growth in owned),
        sums_law(still, outsiders),
        tuple(_limits(goal, error)),
    )


def _noisy_key(means: list[Ends | None], growths: list[Growth]) -> NoisyKey:
    """A head in which the key does not vary has it among the keys that stay."""
    own = [g for g in growths if len(means) == 1 or not g.sd[0]]
    shared = [g for g in growths if g not in own]
    return NoisyKey(
        tuple((0.0, 0.0) if mean is None else mean for mean in means),
        shared[0] if shared else None,
        own[0] if own else None,
    )


def _growth(rises: tuple[Fraction, ...], root: Fraction) -> Growth | None:
    ends, _ = balls.normal_cells(CELLS)
    unit = balls.exact(root).sqrt()
    budget.spend(200 * len(ends) * len(rises))
    made = [balls.growths(balls.exact(rise) * unit, ends) for rise in rises]
    if any(pair is None for pair in made):
        return None
    pairs = [pair for pair in made if pair is not None]
    return Growth(
        tuple(low for low, _ in pairs),
        tuple(high for _, high in pairs),
        tuple(rise >= 0 for rise in rises),
        tuple(abs(float(balls.exact(rise) * unit)) for rise in rises),
    )


def _ends(ball: balls.Ball) -> Ends:
    low, high = balls.lower(ball), balls.upper(ball)
    return (
        0.0 if low is None else max(0.0, balls.float_below(low)),
        np.inf if high is None else balls.float_above(high),
    )


def _limits(goal: Goal, error: Fraction) -> Iterator[tuple[tuple[int, ...], float]]:
    shares = goal.shares
    for size in range(len(shares)):
        for chosen in combinations(range(len(shares)), size):
            limit = error + sum((shares[place] for place in chosen), Fraction(0))
            if limit < 1:
                yield chosen, float(limit)


@final
class _Boxes:
    """Boxes as numbers of ends: (box, Gaussian or first head's sum, first or last)."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        sums = setting.sums
        self._ends, self._chances = balls.normal_cells(CELLS)
        self._mass = np.concatenate([[0], np.cumsum(np.floor(self._chances / _UNIT).astype(np.int64))])
        self._up, self._down = _below(sums.up), _below(sums.down[:, ::-1])
        middle = sums.up.sum(axis=0).cumsum()
        self._typical = float(sums.last[min(len(sums.last) - 1, int(np.searchsorted(middle, middle[-1] / 2)))])

    def refined(self) -> Iterator[tuple[Fraction, Fraction]]:
        setting = self._setting
        sizes = [CELLS] * len(setting.gaussians) + [len(setting.sums.first)]
        boxes = np.array([[[0, size] for size in sizes]], dtype=np.int32)
        good, bad, open_, axis = self._judged(boxes)
        looked = 1
        settled = [0.0, 0.0]
        next_report = 2**10
        while True:
            if looked >= next_report:
                yield _bounds(settled[0] + good.sum(), settled[1] + bad.sum())
                next_report = 8 * looked
            can = np.flatnonzero((open_ > 0) & (axis >= 0))
            if not len(can) or looked >= _MOST_BOXES:
                break
            if len(can) > _AT_ONCE:
                can = can[np.argpartition(-open_[can], _AT_ONCE)[:_AT_ONCE]]
            parents, cut = boxes[can], axis[can]
            rows = np.arange(len(can))
            middle = (parents[rows, cut, 0] + parents[rows, cut, 1]) // 2
            left, right = parents.copy(), parents.copy()
            left[rows, cut, 1] = right[rows, cut, 0] = middle
            fresh = np.concatenate([left, right])
            looked += len(fresh)
            new = self._judged(fresh)
            kept = np.ones(len(boxes), dtype=bool)
            kept[can] = False
            kept &= (open_ > 0) & (axis >= 0)
            gone = ~kept
            gone[can] = False
            settled[0] += good[gone].sum()
            settled[1] += bad[gone].sum()
            boxes = np.concatenate([boxes[kept], fresh])
            good, bad, open_, axis = (
                np.concatenate([old[kept], now]) for old, now in zip((good, bad, open_, axis), new, strict=True)
            )
        yield _bounds(settled[0] + good.sum(), settled[1] + bad.sum())

    def _judged(self, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Of every box: mass that is good, mass that is bad, about how much is open, and the axis to cut (-1: none)."""
        setting, sums = self._setting, self._setting.sums
        heads, count, share = len(setting.shares), len(setting.targets[0]), setting.shares[-1]
        budget.spend(len(boxes) * (len(setting.limits) * heads * 30 + 30 * len(setting.gaussians) + 200))
        first, last = boxes[:, :, 0], boxes[:, :, 1]
        low = [[np.full(len(boxes), ends[0]) for ends in row] for row in setting.targets]
        high = [[np.full(len(boxes), ends[1]) for ends in row] for row in setting.targets]
        chance = np.ones(len(boxes))
        for k, (owner, growth) in enumerate(zip(setting.owners, setting.gaussians, strict=True)):
            for h in range(heads):
                low[h][owner] *= growth.least(h, first[:, k], last[:, k])
                high[h][owner] *= growth.most(h, first[:, k], last[:, k])
            chance *= (self._mass[last[:, k]] - self._mass[first[:, k]]) * _UNIT
        for h in range(heads):
            for i in range(count):
                low[h][i] = np.where(low[h][i] < _LOW, 0.0, np.minimum(low[h][i], _HIGH))
                high[h][i] = np.maximum(high[h][i], _LOW)
        a, b = first[:, -1], last[:, -1] - 1
        fine, bad_from = np.full(len(boxes), np.inf), np.full(len(boxes), np.inf)
        with np.errstate(all="ignore"):
            for chosen, limit in setting.limits:
                rest = [i for i in range(count) if i not in chosen]
                sides = [
                    [sum((ends[h][i] for i in part), np.zeros(len(boxes))) for part in (chosen, rest)]
                    for h in range(heads)
                    for ends in (low, high)
                ]
                left_most = left_least = np.full(len(boxes), limit)
                if heads == 2:
                    (n_low, d_low), (n_high, d_high) = sides[:2]
                    most = (n_high + sums.first[b]) / (n_high + sums.first[b] + d_low) * _MORE
                    least = (n_low + sums.first[a]) / (n_low + sums.first[a] + d_high) * _LESS
                    left_least = limit - setting.shares[0] * most
                    left_most = limit - setting.shares[0] * least
                (n_low, d_low), (n_high, d_high) = sides[-2:]
                fine = np.minimum(fine, _threshold((left_least - _SLACK) / share, d_low * _LESS, n_high * _MORE, -1))
                bad_from = np.minimum(
                    bad_from, _threshold((left_most + _SLACK) / share, d_high * _MORE, n_low * _LESS, 1)
                )
        below = np.searchsorted(sums.last, fine, side="right")
        above = len(sums.last) - np.searchsorted(sums.last, bad_from, side="right")
        met, missed = (
            (table[b + 1, many] - table[a, many]) * _UNIT for table, many in ((self._up, below), (self._down, above))
        )
        to = np.maximum(len(sums.last) - above, below)
        between = sum(
            (table[b + 1, j] - table[a, j]) - (table[b + 1, i] - table[a, i])
            for table, i, j in ((self._up, below, to), (self._down, above, len(sums.last) - below))
        )
        axis = self._axis(boxes, low, high)
        return chance * met, chance * missed, chance * np.maximum(between, 0) * _UNIT, axis

    def _axis(self, boxes: np.ndarray, low: list[list[np.ndarray]], high: list[list[np.ndarray]]) -> np.ndarray:
        """The axis that moves the weights most across the box. Any choice will do for a proof."""
        setting = self._setting
        felt = np.zeros(boxes.shape[:2])
        ends = np.clip(self._ends, -4.0, 4.0)
        with np.errstate(all="ignore"):
            for h, share in enumerate(setting.shares):
                middle = [np.sqrt(x * y) for x, y in zip(low[h], high[h], strict=True)]
                if h == len(setting.shares) - 1:
                    others = np.full(len(boxes), self._typical)
                    wide = np.zeros(len(boxes))
                else:
                    bottom, top = setting.sums.first[boxes[:, -1, 0]], setting.sums.first[boxes[:, -1, 1] - 1]
                    others, wide = np.sqrt(bottom * top), np.log(top / bottom)
                total = sum(middle, others)
                felt[:, -1] += share * wide * (others / total) * (1 - others / total)
                for k, (owner, growth) in enumerate(zip(setting.owners, setting.gaussians, strict=True)):
                    part = middle[owner] / total
                    spread = growth.sd[h] * (ends[boxes[:, k, 1]] - ends[boxes[:, k, 0]])
                    felt[:, k] += share * np.minimum(spread, 4.0) * part * (1 - part)
        felt = np.where(np.isnan(felt), 0.0, felt) + 1e-12
        felt[boxes[:, :, 1] - boxes[:, :, 0] < 2] = -1.0
        best = np.argmax(felt, axis=1)
        return np.where(felt[np.arange(len(boxes)), best] < 0, -1, best)


def _threshold(ratio: np.ndarray, rest: np.ndarray, chosen: np.ndarray, away: int) -> np.ndarray:
    """rest·r/(1 - r) - chosen, rounded upward (`away` 1) or downward (-1); inf where r >= 1, -inf where r < 0."""
    found = rest * (ratio / (1 - ratio)) - chosen
    found = found + away * np.abs(found) * 2.0**-50
    return np.where(ratio >= 1, np.inf, np.where(ratio < 0, -np.inf, found))


def _below(masses: np.ndarray) -> np.ndarray:
    """(a, b): the sum of the masses in the first a rows and b columns, as integers."""
    whole = np.zeros((masses.shape[0] + 1, masses.shape[1] + 1), dtype=np.int64)
    whole[1:, 1:] = np.floor(masses / _UNIT).astype(np.int64).cumsum(axis=0).cumsum(axis=1)
    return whole


def _bounds(good: float, bad: float) -> tuple[Fraction, Fraction]:
    return Fraction(good) * _TO_SPARE, 1 - Fraction(bad) * _TO_SPARE
