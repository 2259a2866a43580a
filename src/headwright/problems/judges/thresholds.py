"""The value of a large symbol from which on one member meets its error, to six digits, with a certain comparison on both sides.

The logarithm of the error is nearly linear in the scores far out, so that a secant finds the place in a few steps where halving
takes twenty; it only guesses, and every bound is one of `looked_at`.
"""

from __future__ import annotations

import math
from fractions import Fraction

from headwright import arrays, balls
from headwright.problems.judges.members import Members
from headwright.problems.judges.points import Finding, Point, looked_at
from headwright.problems.judges.rising import rises_beyond
from headwright.problems.judges.scores import Scores
from headwright.problems.showing import ERROR, N

_DOUBLINGS = 200
_LEAST = Fraction(1)  # a threshold below this is not looked for more closely
_CLOSE = Fraction(1, 10**7)
_SECANTS = 6
_LOOKED_BEYOND = 8


def threshold(scores: Scores, given: Members) -> str:
    """A sentence on where the claim begins to hold at one member; "" where it always does or that is not found."""
    n = N if given.n is None else given.n
    error = ERROR if given.error is None else given.error
    if n == scores.ask.targets:
        return ""
    found = _enclosed(scores, n, error)
    if found is None:
        return ""
    rising = rises_beyond(scores, {"n": Fraction(n), "eps": scores.ask.targets * error / (1 - error)}, found[1])
    low, high = found if rising else _last(scores, n, error, *found)
    names = " = ".join(scores.large)
    met, unmet = balls.decimal_above(high), balls.decimal_below(low)
    before = f", and not yet at {unmet}" if _at(scores, n, error, low).meets is False else ""
    return f"At n = {n} and error {arrays.show(error)} that is met at {names} = {met}{' and beyond' if rising else ''}{before}."


def _enclosed(scores: Scores, n: int, error: Fraction) -> tuple[Fraction, Fraction] | None:
    """(low, high) close together: the error is certainly met where all large symbols are `high`."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(_DOUBLINGS):
        if _at(scores, n, error, high).meets:
            break
        low, high = high, high * 2
    else:
        return None
    return _narrowed(scores, n, error, low, high)


def _last(scores: Scores, n: int, error: Fraction, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """The same beyond the last value that is not met, among four in each next doubling: what does not rise may miss again."""
    start = max(high, _LEAST)
    grid = [start * Fraction(4 + step, 4) * 2**doubling for doubling in range(_LOOKED_BEYOND) for step in range(4)]
    missed = [k for k, value in enumerate(grid[:-1]) if not _at(scores, n, error, value).meets]
    return _narrowed(scores, n, error, grid[missed[-1]], grid[missed[-1] + 1]) if missed else (low, high)


def _narrowed(scores: Scores, n: int, error: Fraction, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    for _ in range(_SECANTS if low else 0):
        if high - low <= _near(high):
            break
        low, high = _closer(scores, n, error, low, high)
    while high - low > _near(high):
        middle = (low + high) / 2
        low, high = (low, middle) if _at(scores, n, error, middle).meets else (middle, high)
    return low, high


def _near(high: Fraction) -> Fraction:
    return max(high, _LEAST) * _CLOSE


def _closer(scores: Scores, n: int, error: Fraction, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """The same, with a point a little to each side of where the secant of the error's logarithm meets the wanted one."""
    ends = [_excess(scores, n, error, end) for end in (low, high)]
    if not math.isfinite(ends[0]) or not math.isfinite(ends[1]) or ends[0] <= ends[1]:
        return low, high
    guess = low + (high - low) * Fraction(ends[0] / (ends[0] - ends[1])).limit_denominator(10**12)
    for place in (guess - _near(high) / 3, guess + _near(high) / 3):
        if low < place < high:
            low, high = (low, place) if _at(scores, n, error, place).meets else (place, high)
    return low, high


def _excess(scores: Scores, n: int, error: Fraction, value: Fraction) -> float:
    """ln(error there/error wanted), in floats; -∞ where it is too small to be seen."""
    finding = _at(scores, n, error, value)
    off = sum(max(0.0, 1 / scores.ask.targets - weight) for weight in finding.weights)
    return math.log(off / float(error)) if off > 0 else -math.inf


def _at(scores: Scores, n: int, error: Fraction, value: Fraction) -> Finding:
    targets = scores.ask.targets
    point = Point(n, targets * error / (1 - error), dict.fromkeys(scores.large, value), named=False)
    return looked_at(scores.ask, scores.queries({"n": Fraction(n), "eps": point.epsilon}), point)
