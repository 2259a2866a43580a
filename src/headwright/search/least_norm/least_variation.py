"""Small total variation when the ratios inside the goal cannot be exact: a search, honest about being one.

Targets that depend on each other (equal keys, three on a line), or ratios that can be exact only at a leak beyond the
error, leave the least-norm problem without an answer. What remains is to minimise the total variation itself
(`landscape.py`), which has many local minima: a query may give up one target or another, or meet one share exactly at the
cost of another (a key midway between its two targets: .309). The search is a heuristic in four steps, and proves nothing:

1. Starts. Least cross-entropy, with a ridge that shrinks; the same for reweighted targets; the least-squares solution of
   the ratio equations with and without a push towards the targets; random queries.
2. Descent from the best of them, by slacks in a box, then on the smoothed variation with μ shrinking.
3. Lengthening: the infimum may lie at infinity.
4. Shortening: least norm subject to TV <= error, by slacks and along the ray.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from headwright.kernel.goals import Goal
from headwright.search.least_norm.landscape import Landscape, centred, total_variation

_RIDGES = (1e-2, 1e-4, 1e-6, 1e-9)  # of the cross-entropy: from short queries to nearly the widest margin
_SMOOTHINGS = (3e-1, 3e-2, 3e-3, 1e-4, 1e-6, 1e-8)  # μ as a part of the total variation at hand
# Multiples of a query that are tried: about it, and far out, where the infimum may lie.
_LENGTHS = np.array([0.5, 0.8, 1.0, 1.25, 1.6, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0])
_RANDOM, _SHORTENED, _ROUNDS = 64, 3, 5  # queries drawn, queries shortened, descents in a box from each start
_MARGIN = 1e-9  # what is called met leaves this part of the error to the rounding of the proof's numbers


def least_variation(keys: np.ndarray, goal: Goal, error: Fraction, *, seed: int = 0) -> tuple[np.ndarray, float]:
    """The best query (d,) found at scale 1 for float64 `keys` (n, d), and its total variation from `goal` in float64.

    Where the search meets `error` the query is a short one that does, otherwise one of the smallest total variation seen
    (within 1e-9 of it). Finding none says nothing of existence.

    >>> from headwright.kernel.goals import Blend
    >>> equal = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> query, variation = least_variation(equal, Blend({0: "0.6", 1: "0.4"}), Fraction("0.15"))
    >>> round(variation, 6)
    0.15
    """
    order = [*goal.indices, *sorted(set(range(len(keys))) - set(goal.indices))]
    relative, exponent = centred(keys, goal.indices[0])
    land = Landscape.over(relative[order], np.array([float(share) for share in goal.shares]))
    # 1e-15: weights of several targets are rounded absolutely, a lone leak relatively
    asked = float(error) * (1 - _MARGIN) - (1e-15 if len(goal.indices) > 1 else 0.0)
    reached = _descents(land, asked, np.random.default_rng(seed))
    least = min(land.variation(y) for y in reached)
    # where the error is missed, a shorter query may lie 1e-9 above the least seen, or 1e-7 of it where that is less
    bound = asked if least <= asked else least + 1e-9 * min(1.0, 100 * least)
    y = _shortest(land, [y for y in reached if land.variation(y) <= bound], bound)
    return np.ldexp(land.axes @ y, -exponent), land.variation(y)


def _descents(land: Landscape, asked: float, rng: np.random.Generator) -> list[np.ndarray]:
    """Queries of small total variation, from the most promising starts; none goes further down than asked."""
    zero = np.zeros(len(land.spread))
    if land.variation(zero) <= asked or not len(zero):
        return [zero]
    starts = sorted((_best_length(land, y) for y in _starts(land, rng)), key=land.variation)
    most = 8 if len(zero) + len(land.shares) < 100 else 4  # a descent costs the cube of the unknowns
    followed = _distinct(starts, land.variation)[:most]
    return [zero, *(_best_length(land, _followed(land, y, asked)) for y in followed)]


def _followed(land: Landscape, y: np.ndarray, asked: float) -> np.ndarray:
    box = 1.0
    for _ in range(_ROUNDS):
        if land.variation(y) <= asked:
            return y
        y, before = _better(land, y, land.down(y, box)), y
        box = box / 4 if y is before else box
    for part in _SMOOTHINGS:
        if land.variation(y) <= asked:
            return y
        # 1e-16: a variation that underflowed is smoothed too
        y = _better(land, y, land.smoothed(part * max(land.variation(y), 1e-16), y))
    return y


def _better(land: Landscape, y: np.ndarray, other: np.ndarray) -> np.ndarray:
    return other if land.variation(other) < land.variation(y) * (1 - 1e-12) else y  # a NaN is no better


def _best_length(land: Landscape, y: np.ndarray) -> np.ndarray:
    variations = total_variation(_LENGTHS[:, None] * (land.rows @ y), land.shares)
    return y * float(_LENGTHS[variations.argmin()])


def _starts(land: Landscape, rng: np.random.Generator) -> Iterator[np.ndarray]:
    y = np.zeros(len(land.spread))
    for ridge in _RIDGES:
        y = land.nearest_in_entropy(land.shares, ridge, y)
        yield y
    for shares in _reweighted(land.shares, rng):
        yield land.nearest_in_entropy(shares, _RIDGES[1], 0 * y)  # other targets need not be sharp: one ridge
    m, r = len(land.shares), len(y)
    # rcond: targets nearly in line are taken to be in line, or the query would be a million times too long
    inverse = np.linalg.pinv(land.rows[1:m] - land.rows[0], rcond=1e-6)
    exact = inverse @ np.log(land.shares[1:] / land.shares[0])
    yield exact
    others = land.rows[m:].mean(axis=0) if m < len(land.rows) else 0 * exact
    towards = land.shares @ land.rows[:m] - others
    level = towards - inverse @ ((land.rows[1:m] - land.rows[0]) @ towards)  # keeps the ratios
    for direction in (towards, level):
        reach = float(np.abs(land.rows @ direction).max())
        # the largest score moves by these lengths; a direction that moves none by 1e-12 is rounding
        for length in (1.0, 5.0, 25.0) if reach > 1e-12 else ():
            yield exact + direction * (length / reach)
    random = rng.normal(size=(_RANDOM, r)) * rng.choice([1.0, 4.0, 16.0], size=(_RANDOM, 1)) / land.spread / r**0.5
    yield from random[total_variation(random @ land.rows.T, land.shares).argsort()[: _RANDOM // 8]]


def _reweighted(shares: np.ndarray, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Nine tenths on one target, on all but one, or at random, and the rest as wanted."""
    m = len(shares)
    if m == 1:
        return
    lightest = shares.argsort(kind="stable")
    for one in lightest[-4:]:
        yield 0.9 * np.eye(m)[one] + 0.1 * shares
    for one in lightest[:4]:
        yield 0.9 * shares * (np.arange(m) != one) / (1 - shares[one]) + 0.1 * shares
    yield from 0.9 * rng.dirichlet(np.ones(m), 6) + 0.1 * shares


def _shortest(land: Landscape, meeting: list[np.ndarray], bound: float) -> np.ndarray:
    """The shortest query of total variation <= bound that shortening these reaches."""
    kept = sorted((_along_ray(land, y, bound) for y in meeting), key=_norm)
    best = kept[0]
    for y in _distinct(kept, _norm)[:_SHORTENED] if best.any() else []:
        # 1e-9: SLSQP may end a little beyond its bound
        shorter = _along_ray(land, land.shortened(y, bound * (1 - 1e-9)), bound)
        if land.variation(shorter) <= bound and _norm(shorter) < _norm(best):
            best = shorter
    return best


def _along_ray(land: Landscape, y: np.ndarray, bound: float) -> np.ndarray:
    """The first point of the ray to y seen to meet the bound, y itself where none is."""
    # a little beyond y as well: y may miss the bound by rounding
    parts = np.append(np.linspace(0.0, 1.0, 65), [1 + 1e-8, 1 + 1e-6, 1 + 1e-4, 1.01])
    met = total_variation(parts[:, None] * (land.rows @ y), land.shares) <= bound
    if not met.any() or met[0]:
        return y * float(not met.any())
    low, high = parts[met.argmax() - 1], parts[met.argmax()]
    for _ in range(40):  # halvings of 1/64: to the last digits
        middle = 0.5 * (low + high)
        low, high = (low, middle) if land.variation(middle * y) <= bound else (middle, high)
    return y * high if land.variation(y * high) <= bound else y


def _norm(y: np.ndarray) -> float:
    return float(np.linalg.norm(y))


def _distinct(queries: list[np.ndarray], measure: Callable[[np.ndarray], float]) -> list[np.ndarray]:
    """Sorted queries without those whose measure equals their predecessor's to six digits."""
    kept: list[np.ndarray] = []
    for y in queries:
        if not kept or abs(measure(y) - measure(kept[-1])) > 1e-6 * measure(kept[-1]):
            kept.append(y)
    return kept
