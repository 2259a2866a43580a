"""The worst case over keys that move within a profile, with as many digits as are asked for, and the radius at which it breaks.

Written without headwright, for `evidence/` and for the tests. Scores and moves are rationals or roots of rationals,
exponentials are mpmath's, and every subset is tried. A profile is 1, or an array of shape (n, 1), (1, d) or (n, d).
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import mpmath
import numpy as np

Goal = dict[int, Fraction]


def mp(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def scores(keys: np.ndarray, query: np.ndarray, scale: Fraction = Fraction(1)) -> list[Fraction]:
    q = [Fraction(c) for c in query.tolist()]
    return [scale * sum(Fraction(a) * b for a, b in zip(key, q, strict=True)) for key in keys.tolist()]


def moves(
    shape: tuple[int, ...], query: np.ndarray, norm: str, profile: Any, scale: Fraction = Fraction(1)
) -> list[Any]:
    """How far every score moves at radius 1."""
    q, found = [abs(Fraction(c)) for c in query.tolist()], []
    for row in np.broadcast_to(np.asarray(profile, dtype=np.float64), shape).tolist():
        parts = [Fraction(own) * c for own, c in zip(row, q, strict=True)]
        size = mp(sum(parts)) if norm == "box" else mpmath.sqrt(mp(sum(c * c for c in parts)))
        found.append(mp(scale) * size)
    return found


def variation(given: list[Fraction], reach: list[Any], goal: Goal, t: Any) -> Any:
    """The worst total variation when score j moves by at most t·reach_j: every set of members tried."""
    top = max(given)
    up = [mpmath.exp(mp(s - top) + t * r) for s, r in zip(given, reach, strict=True)]
    down = [mpmath.exp(mp(s - top) - t * r) for s, r in zip(given, reach, strict=True)]
    outside = mpmath.fsum(up[j] for j in range(len(given)) if j not in goal)
    found = mpmath.mpf(0)
    for size in range(len(goal) + 1):
        for chosen in combinations(sorted(goal), size):
            raised = outside + mpmath.fsum(up[j] for j in chosen)
            lowered = mpmath.fsum(down[j] for j in goal if j not in chosen)
            share = mp(sum((goal[j] for j in chosen), Fraction(0)))
            found = max(found, raised / (raised + lowered) - share)
    return found


def functional(given: list[Fraction], reach: list[Any], values: list[float], t: Any) -> Any:
    """The largest Σ values_j · weight_j: every threshold of the values tried."""
    top, found = max(given), []
    order = sorted(range(len(values)), key=lambda j: -values[j])
    for k in range(len(order) + 1):
        signs = {j: 1 if place < k else -1 for place, j in enumerate(order)}
        e = [mpmath.exp(mp(s - top) + signs[j] * t * reach[j]) for j, s in enumerate(given)]
        found.append(mpmath.fsum(x * y for x, y in zip(e, values, strict=True)) / mpmath.fsum(e))
    return max(found)


def smallest_gap(given: list[Fraction], reach: list[Any], members: set[int], t: Any) -> Any:
    low = min(mp(given[i]) - t * reach[i] for i in members)
    return low - max(mp(s) + t * reach[j] for j, s in enumerate(given) if j not in members)


def bisected(breaks: Callable[[Any], bool], digits: int = 20) -> tuple[Any, Any]:
    """(a radius that holds, one that breaks), this many digits apart in ratio: doubling, then bisection."""
    low = high = mpmath.mpf(1)
    while breaks(low):
        low /= 4
        assert low > mpmath.mpf(10) ** -320, "it breaks without a move"
    while not breaks(high):
        high *= 4
        assert high < mpmath.mpf(10) ** 320, "no move breaks it"
    while high - low > high * mpmath.mpf(10) ** -digits:
        middle = (low + high) / 2
        low, high = (low, middle) if breaks(middle) else (middle, high)
    return low, high
