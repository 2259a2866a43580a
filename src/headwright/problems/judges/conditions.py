"""The part of a family on which a refuted answer holds after all, where it is a simple one.

From some n on (proved like any region), up to some n (where the scores do not depend on n: then more keys only take weight away,
so that the largest n decides for all smaller ones), or for the smallest n one by one. A condition is stated only if it is proved.
"""

from __future__ import annotations

from fractions import Fraction

from headwright.formulas import FormulaError
from headwright.problems.judges.points import Point, looked_at, members
from headwright.problems.judges.proving import everything, proved_whole
from headwright.problems.judges.regions import Region
from headwright.problems.judges.scores import NO_FORM, Scores

_FROM = (3, 4, 5, 7, 10, 20)
_ONE_BY_ONE = 8
_MOST = 10**15


def holds_when(scores: Scores, tolerance: Fraction | None, n: int | None) -> str | None:
    """A condition on n under which the answer is right, or None."""
    if n is not None:
        return None
    ends = everything(tolerance, None).tolerance
    for low in _FROM:
        if _nothing_fails(scores, tolerance, (low, low + 1, 3 * low, 10**6, 10**12)):
            return f"n >= {low}" if proved_whole(scores, Region(low, False, ends)) else None
    if tolerance is not None and "n" not in scores.used and not scores.ask.each:
        most = _largest(scores, tolerance)
        return None if most is None else "n = 2" if most == 2 else f"n <= {most}"
    last = 1
    while last < _ONE_BY_ONE and _nothing_fails(scores, tolerance, (last + 1,)):
        if not proved_whole(scores, Region(last + 1, True, ends)):
            break
        last += 1
    return None if last == 1 else "n = 2" if last == 2 else f"n <= {last}"


def _nothing_fails(scores: Scores, tolerance: Fraction | None, sizes: tuple[int, ...]) -> bool:
    """Whether none of a few members of these sizes fails: a proof that is worth trying."""
    try:
        return not any(
            looked_at(scores.ask, scores.queries({"n": Fraction(n)}), point).meets is False
            for n in sizes
            for point in members(n, None if tolerance is None else [tolerance])
        )
    except (FormulaError, *NO_FORM):
        return False


def _largest(scores: Scores, tolerance: Fraction) -> int | None:
    """The largest n that is met, for scores that do not depend on n; None where not even n = 2 is."""
    if not _met(scores, tolerance, 2):
        return None
    low, high = 2, _MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _met(scores, tolerance, middle) else (low, middle)
    return low


def _met(scores: Scores, tolerance: Fraction, n: int) -> bool:
    try:
        if looked_at(scores.ask, scores.queries({"n": Fraction(n)}), Point(n, tolerance, {})).meets:
            return True
    except (FormulaError, *NO_FORM):
        return False
    return n == 2 and proved_whole(scores, Region(2, True, (tolerance, tolerance)))
