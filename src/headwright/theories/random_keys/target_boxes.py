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

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import final

import numpy as np

from headwright.kernel import balls, budget
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.theories.random_keys.laws import GaussianLaw
from headwright.theories.random_keys.normal import growths as growths_of_normal, normal_cells
from headwright.theories.random_keys.outsider_sums import CELLS, Ends, Growth, NoisyKey, SumsLaw, sums_law
from headwright.theories.random_keys.score_noise import own_gaussians, score_covariances

Bounds = list[list[np.ndarray]]
_MOST_TARGETS = 5  # all subsets are examined
# Outsiders that vary, for one head and for two: the law of their sums takes some seconds.
_MOST_OUTSIDERS = {1: 64, 2: 6}
_MOST_BOXES, _AT_ONCE = 2**20, 2**13
_FIRST_REPORT, _LATER_REPORTS = 2**10, 8  # bounds are reported after so many boxes, and then after that many times more
_LOW, _HIGH = 2.0**-950, 2.0**950
_LESS, _MORE = 1 - 2.0**-48, 1 + 2.0**-48
_SLACK = 2.0**-45
_UNIT = 2.0**-60  # masses are added up as integers of this unit
# A sum of 2^21 products of at most 12 masses is off by less than 2^-31 of itself.
_TO_SPARE = Fraction(2**30 - 1, 2**30)


@final
@dataclass(frozen=True, eq=False)
class Setting:
    """One head or two, the one with the larger share last, with bounds on every exponential."""

    shares: tuple[float, ...]
    targets: tuple[tuple[Ends, ...], ...]  # by head and target, at the mean
    owners: tuple[int, ...]  # of the Gaussians: the place of the target that each moves
    gaussians: tuple[Growth, ...]
    sums: SumsLaw
    limits: tuple[tuple[tuple[int, ...], float], ...]  # (T, c_T) with c_T < 1


def boxed(model: GaussianLaw, heads: Heads, goal: Goal, error: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Ever tighter (low, high) around the probability; none for more heads, targets or outsiders than can be examined."""
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
    order = sorted(range(len(heads.queries)), key=lambda h: heads.mix[h])
    tier = next(heads.climb())
    with balls.precision(128):
        rows = [tier.exponentials[h] for h in order]
        growths: dict[int, list[Growth]] = {}
        for j, c in covariances.items():
            made = [_growth(*own) for own in own_gaussians([[c[g][h] for h in order] for g in order])]
            growths[j] = [growth for growth in made if growth is not None]
            if len(growths[j]) < len(made):
                return None
        moves = [{j for j in noisy if covariances[j][h][h]} for h in order]
        still = [_ends(row.total(without={*goal.indices, *moved})) for row, moved in zip(rows, moves, strict=True)]
        means = {
            j: [_ends(row[j]) if j in at else (0.0, 0.0) for row, at in zip(rows, moves, strict=True)] for j in noisy
        }
        targets = tuple(tuple(_ends(row[i]) for i in goal.indices) for row in rows)
    owned = [(place, growth) for place, i in enumerate(goal.indices) for growth in growths.get(i, ())]
    return Setting(
        tuple(float(heads.shares[h]) for h in order),
        targets,
        tuple(place for place, _ in owned),
        tuple(growth for _, growth in owned),
        sums_law(still, [_noisy_key(means[j], growths[j]) for j in noisy]),
        tuple(_limits(goal, error)),
    )


def _noisy_key(means: list[Ends], growths: list[Growth]) -> NoisyKey:
    """Of at most one Gaussian a head, the one that moves the last head alone, if any, is its own."""
    own = growths[-1] if len(means) == 1 or not growths[-1].signs[0] else None
    shared = growths[0] if growths[0] is not own else None
    return NoisyKey(tuple(means), shared, own)


def _growth(rises: tuple[Fraction, ...], root: Fraction) -> Growth | None:
    ends, _ = normal_cells(CELLS)
    budget.spend(100 * len(ends) * len(rises))
    slopes = [balls.exact(rise) * balls.exact(root).sqrt() for rise in rises]
    pairs = [pair for slope in slopes if (pair := growths_of_normal(slope, ends)) is not None]
    if len(pairs) < len(rises):
        return None
    low, high = zip(*pairs, strict=True)
    return Growth(low, high, tuple((rise > 0) - (rise < 0) for rise in rises), tuple(abs(float(x)) for x in slopes))


def _ends(ball: balls.Ball) -> Ends:
    low, high = balls.lower(ball), balls.upper(ball)
    return 0.0 if low is None else max(0.0, balls.float_below(low)), np.inf if high is None else balls.float_above(high)


def _limits(goal: Goal, error: Fraction) -> Iterator[tuple[tuple[int, ...], float]]:
    """Of sets T with c_T >= 1 none exceeds the error, since α <= 1."""
    for size in range(len(goal.shares)):
        for chosen in combinations(range(len(goal.shares)), size):
            limit = error + sum((goal.shares[place] for place in chosen), Fraction(0))
            if limit < 1:
                yield chosen, float(limit)


@final
class _Boxes:
    """Boxes as numbers of ends (boxes, axes, 2): an axis for every Gaussian of a target, the last for the first head's sum."""

    def __init__(self, setting: Setting) -> None:
        self._setting, self._sums = setting, setting.sums
        self._ends, chances = normal_cells(CELLS)
        self._mass = np.concatenate([[0], np.cumsum(np.floor(chances / _UNIT).astype(np.int64))])
        self._up, self._down = _below(self._sums.up), _below(self._sums.down[:, ::-1])
        added = self._sums.up.sum(axis=0).cumsum()
        self._typical = float(self._sums.last[min(len(added) - 1, int(np.searchsorted(added, added[-1] / 2)))])

    def refined(self) -> Iterator[tuple[Fraction, Fraction]]:
        """Bounds as boxes are cut, those with the most mass left open first."""
        sizes = [CELLS] * len(self._setting.gaussians) + [len(self._sums.first)]
        boxes = np.array([[[0, size] for size in sizes]], dtype=np.int64)
        good, bad, left, axis = self._judged(boxes)
        done_good, done_bad, looked, report = 0.0, 0.0, 1, _FIRST_REPORT
        while looked < _MOST_BOXES and (left > 0).any():
            if looked >= report:
                yield _bounds(done_good + good.sum(), done_bad + bad.sum())
                report = _LATER_REPORTS * looked
            cut = np.zeros(len(boxes), dtype=bool)
            cut[np.argsort(-left)[:_AT_ONCE]] = True
            cut &= left > 0
            over = (left == 0) & ~cut  # good and bad are all they will ever be
            done_good, done_bad = done_good + good[over].sum(), done_bad + bad[over].sum()
            halves = _halves(boxes[cut], axis[cut])
            looked += len(halves)
            kept = ~cut & ~over
            boxes = np.concatenate([boxes[kept], halves])
            good, bad, left, axis = (
                np.concatenate([old[kept], new])
                for old, new in zip((good, bad, left, axis), self._judged(halves), strict=True)
            )
        yield _bounds(done_good + good.sum(), done_bad + bad.sum())

    def _judged(self, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Of every box: mass that is good, mass that is bad, about what a cut may still settle, and the axis to cut."""
        setting, sums = self._setting, self._sums
        count, share = len(setting.targets[0]), setting.shares[-1]
        budget.spend(len(boxes) * (len(setting.limits) * len(setting.shares) * 30 + 30 * len(setting.gaussians) + 200))
        low, high, chance = self._exponentials(boxes)
        a, b = boxes[:, -1, 0], boxes[:, -1, 1] - 1
        fine, bad_from = np.full(len(boxes), np.inf), np.full(len(boxes), np.inf)
        with np.errstate(all="ignore"):
            for chosen, limit in setting.limits:
                rest = [i for i in range(count) if i not in chosen]
                sides = [
                    [_added(ends, part) for part in (chosen, rest)]
                    for row in zip(low, high, strict=True)
                    for ends in row
                ]
                at_least = at_most = np.full(len(boxes), limit)  # what the last head may take
                if len(setting.shares) == 2:
                    (n_low, d_low), (n_high, d_high) = sides[:2]
                    most = (n_high + sums.first[b]) / (n_high + sums.first[b] + d_low) * _MORE
                    least = (n_low + sums.first[a]) / (n_low + sums.first[a] + d_high) * _LESS
                    at_least, at_most = limit - setting.shares[0] * most, limit - setting.shares[0] * least
                (n_low, d_low), (n_high, d_high) = sides[-2:]
                worst = _threshold((at_least - _SLACK) / share, d_low * _LESS, n_high * _MORE, -1)
                best = _threshold((at_most + _SLACK) / share, d_high * _MORE, n_low * _LESS, 1)
                fine, bad_from = np.minimum(fine, worst), np.minimum(bad_from, best)
        fine, bad_from = np.where(np.isnan(fine), -np.inf, fine), np.where(np.isnan(bad_from), np.inf, bad_from)
        below = np.searchsorted(sums.last, fine, side="right")
        above = len(sums.last) - np.searchsorted(sums.last, bad_from, side="right")
        good, bad = self._up[b + 1, below] - self._up[a, below], self._down[b + 1, above] - self._down[a, above]
        up_to, down_to = len(sums.last) - above, len(sums.last) - below
        open_up = self._up[b + 1, up_to] - self._up[a, up_to] - good
        open_down = self._down[b + 1, down_to] - self._down[a, down_to] - bad
        axis, can_be_cut = self._axis(boxes, low, high)
        left = chance * np.maximum(open_up + open_down, 0) * can_be_cut
        return chance * good * _UNIT, chance * bad * _UNIT, left * _UNIT, axis

    def _exponentials(self, boxes: np.ndarray) -> tuple[Bounds, Bounds, np.ndarray]:
        """Bounds on the targets' exponentials by head and target, and the boxes' masses without that of the sums."""
        setting = self._setting
        low = [[np.full(len(boxes), ends[0]) for ends in row] for row in setting.targets]
        high = [[np.full(len(boxes), ends[1]) for ends in row] for row in setting.targets]
        chance = np.ones(len(boxes))
        for k, (owner, growth) in enumerate(zip(setting.owners, setting.gaussians, strict=True)):
            first, last = boxes[:, k, 0], boxes[:, k, 1]
            for h in range(len(setting.shares)):
                low[h][owner] *= growth.least(h, first, last)
                high[h][owner] *= growth.most(h, first, last)
            chance *= (self._mass[last] - self._mass[first]) * _UNIT
        return (
            [[np.where(x < _LOW, 0.0, np.minimum(x, _HIGH)) for x in row] for row in low],
            [[np.maximum(x, _LOW) for x in row] for row in high],
            chance,
        )

    def _axis(self, boxes: np.ndarray, low: Bounds, high: Bounds) -> tuple[np.ndarray, np.ndarray]:
        """The axis that moves the weights most across the box, and whether it can be cut. Any choice will do for a proof."""
        setting, felt = self._setting, np.zeros(boxes.shape[:2])
        ends = np.clip(self._ends, -4.0, 4.0)
        with np.errstate(all="ignore"):
            for h, share in enumerate(setting.shares):
                middle = [np.sqrt(x * y) for x, y in zip(low[h], high[h], strict=True)]
                others = np.full(len(boxes), self._typical)
                if h < len(setting.shares) - 1:
                    bottom, top = self._sums.first[boxes[:, -1, 0]], self._sums.first[boxes[:, -1, 1] - 1]
                    others = np.sqrt(bottom * top)
                    felt[:, -1] += share * np.log(top / bottom) * _slope(others, sum(middle, others))
                for k, (owner, growth) in enumerate(zip(setting.owners, setting.gaussians, strict=True)):
                    across = growth.sd[h] * (ends[boxes[:, k, 1]] - ends[boxes[:, k, 0]])
                    felt[:, k] += share * np.minimum(across, 4.0) * _slope(middle[owner], sum(middle, others))
        felt = np.where(np.isnan(felt), 0.0, felt)
        felt[boxes[:, :, 1] - boxes[:, :, 0] < 2] = -1.0
        axis = np.argmax(felt, axis=1)
        return axis, felt[np.arange(len(boxes)), axis] >= 0


def _halves(boxes: np.ndarray, axis: np.ndarray) -> np.ndarray:
    rows = np.arange(len(boxes))
    first, second = boxes.copy(), boxes.copy()
    first[rows, axis, 1] = second[rows, axis, 0] = boxes[rows, axis].sum(axis=1) // 2
    return np.concatenate([first, second])


def _slope(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """How fast the weight of a part of the exponentials rises with its score."""
    return np.asarray(part / whole * (1 - part / whole))


def _added(ends: list[np.ndarray], part: Collection[int]) -> np.ndarray:
    return np.asarray(sum((ends[i] for i in part), np.zeros(len(ends[0]))))


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
