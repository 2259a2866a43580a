"""The members of a family for which a refuted answer holds after all, where they are simply named.

The first n, one by one (n = 2, or n <= 4), and all n from some n on. The latter is searched at single members by halving, then
proved like any region: it is the least one where the member before it certainly fails. Scores that do not depend on n have an
n up to which they serve: more keys only take weight away, so that the largest n decides for all smaller ones (beyond 10^15 the
largest power of ten). A condition is stated only if it is proved; "at least" says that it may hold for more.
"""

from __future__ import annotations

import math
from fractions import Fraction

from headwright.formulas import FormulaError
from headwright.problems.judges.points import Point, far_power, looked_at, members
from headwright.problems.judges.proving import everything, proved_whole
from headwright.problems.judges.regions import Region
from headwright.problems.judges.scores import NO_FORM, Scores

_FARTHEST = 40  # the search begins at n = 2^40
_OTHERS = (3, 4, 5, 6, 8, 12, 20, 50, 100, 1000, 10**6, 10**12)
_FURTHER = (
    0,
    1,
    3,
    7,
)  # how far beyond the least n the proof is tried, where its bounds are too coarse; then twice, four times it
_MOST_SINGLE = {True: 64, False: 8}  # first members taken one by one, by whether the tolerance is fixed
_POWER = 15
_MOST = 10**_POWER


def holds_when(scores: Scores, tolerance: Fraction | None, n: int | None) -> str | None:
    """A condition on n under which the answer is right, or None."""
    if n is not None:
        return None
    if tolerance is not None and "n" not in scores.used and not scores.ask.each:
        return _up_to(scores, tolerance)
    first, whole = _first(scores, tolerance)
    begins = (
        _from(scores, tolerance) if "n" in scores.used else None
    )  # without n, what holds for many keys holds for fewer
    low, least = begins or (None, True)
    parts = [*_named(first), *([] if low is None else [f"n >= {low}"])]
    if not parts:
        return None
    told = " or ".join(parts)
    return told if whole and least and _others_fail(scores, tolerance, first, low) else f"at least for {told}"


def _named(most: int) -> list[str]:
    """The condition that n is at most this, in words."""
    return [] if most < 2 else ["n = 2"] if most == 2 else [f"n <= {most}"]


def _others_fail(scores: Scores, tolerance: Fraction | None, first: int, low: int | None) -> bool:
    """Whether some members outside of the named parts all fail for certain: then nothing speaks for further ones."""
    sizes = [n for n in _OTHERS if first + 1 < n < (math.inf if low is None else low - 1)]
    return "n" not in scores.used or all(_fails(scores, tolerance, n) for n in sizes)


def _up_to(scores: Scores, tolerance: Fraction) -> str | None:
    """For scores that do not depend on n."""
    most = _largest(scores, tolerance)
    if most == _MOST - 1 and _met(scores, tolerance, _MOST):
        return f"at least for n <= 10^{_largest_power(scores, tolerance)}"
    return next(iter(_named(most or 1)), None)


def _first(scores: Scores, tolerance: Fraction | None) -> tuple[int, bool]:
    """(the last of the first n that are all met, or 1; whether the next one certainly fails)."""
    last = 1
    while last < _MOST_SINGLE[tolerance is not None]:
        if _fails(scores, tolerance, last + 1):
            return last, True
        if not _proved_at(scores, tolerance, last + 1):
            return last, False
        last += 1
    return last, _fails(scores, tolerance, last + 1)


def _from(scores: Scores, tolerance: Fraction | None) -> tuple[int, bool] | None:
    """(the n from which on all members are met, whether the member before it certainly fails); None where none is found."""
    if _fails(scores, tolerance, 2**_FARTHEST):
        return None
    ends = everything(tolerance, None).tolerance
    least = _after_failing(scores, tolerance)
    tried = dict.fromkeys([*(least + k for k in _FURTHER), 2 * least, 4 * least])
    low = next((low for low in tried if proved_whole(scores, Region(low, False, ends))), None)
    if low is None:
        return None
    down = low - _MOST_SINGLE[tolerance is not None]
    while low > max(least, down) and _proved_at(scores, tolerance, low - 1):
        low -= 1
    return low, _fails(scores, tolerance, low - 1)


def _after_failing(scores: Scores, tolerance: Fraction | None) -> int:
    """The n after a failing one, from which on none is seen to fail: first among powers of two, then between two of these."""
    below, above = 1, _FARTHEST
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (middle, above) if _fails(scores, tolerance, 2**middle) else (below, middle)
    low, high = 1 << below, 1 << above
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fails(scores, tolerance, middle) else (low, middle)
    return max(high, 3)


def _fails(scores: Scores, tolerance: Fraction | None, n: int) -> bool:
    """Whether a member of this size certainly fails."""
    try:
        queries = scores.queries({"n": Fraction(n)} if n == 2 else {})
        points = members(n, None if tolerance is None else [tolerance])
        return any(looked_at(scores.ask, queries, point).meets is False for point in points)
    except (FormulaError, ZeroDivisionError):
        return n == 2  # the answer has no value there
    except NO_FORM:
        return False


def _proved_at(scores: Scores, tolerance: Fraction | None, n: int) -> bool:
    """Whether all members of this size are met, for certain."""
    if tolerance is not None and not scores.ask.different and _met(scores, tolerance, n):
        return True
    return proved_whole(scores, Region(n, True, everything(tolerance, None).tolerance))


def _largest(scores: Scores, tolerance: Fraction) -> int | None:
    """The largest n that is met, for scores that do not depend on n; None where not even n = 2 is."""
    if not _met(scores, tolerance, 2):
        return None
    low, high = 2, _MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _met(scores, tolerance, middle) else (low, middle)
    return low


def _largest_power(scores: Scores, tolerance: Fraction) -> int:
    """The largest k for which 10^k keys are met, where 10^15 are."""
    low, high = _POWER, far_power(scores.ask, scores.queries({}), tolerance) or _POWER
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _met(scores, tolerance, 10**middle) else (low, middle)
    return low


def _met(scores: Scores, tolerance: Fraction, n: int) -> bool:
    try:
        if looked_at(scores.ask, scores.queries({"n": Fraction(n)}), Point(n, tolerance, {})).meets:
            return True
    except (FormulaError, *NO_FORM):
        return False
    return n == 2 and proved_whole(scores, Region(2, True, (tolerance, tolerance)))
