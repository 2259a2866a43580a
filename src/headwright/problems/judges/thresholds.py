"""The value of a large symbol from which on one member meets its error, to six digits, with a certain comparison on both sides.

The logarithm of the error is nearly linear in the scores far out, so that a secant finds the place in a few steps where halving
takes twenty; it only guesses, and every bound is one of `looked_at`.
"""

from __future__ import annotations

import math
from fractions import Fraction

from headwright import arrays, balls, forms
from headwright.forms import FormulaError, LogForm, Range
from headwright.problems.family import ERROR, Family, N
from headwright.proofs.families import NO_FORM, Finding, Member, Queries
from headwright.proofs.families.family import heads_of
from headwright.proofs.families.members import looked_at

_DOUBLINGS = 200
_LEAST = Fraction(1)  # a threshold below this is not looked for more closely
_CLOSE = Fraction(1, 10**7)
_SECANTS = 6
_LOOKED_BEYOND = 8


def threshold(queries: Queries, given: Family) -> str:
    """A sentence on where the claim begins to hold at one member; "" where it always does or that is not found."""
    n = N if given.n is None else given.n
    error = ERROR if given.error is None else given.error
    if n == queries.family.targets:
        return ""
    found = _enclosed(queries, n, error)
    if found is None:
        return ""
    rising = _rises_beyond(queries, {"n": Fraction(n), "eps": queries.family.targets * error / (1 - error)}, found[1])
    low, high = found if rising else _last(queries, n, error, *found)
    names = " = ".join(queries.large)
    met, unmet = balls.decimal_above(high), balls.decimal_below(low)
    before = f", and not yet at {unmet}" if _at(queries, n, error, low).meets is False else ""
    return f"At n = {n} and error {arrays.show(error)} that is met at {names} = {met}{' and beyond' if rising else ''}{before}."


def _enclosed(queries: Queries, n: int, error: Fraction) -> tuple[Fraction, Fraction] | None:
    """(low, high) close together: the error is certainly met where all large symbols are `high`."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(_DOUBLINGS):
        if _at(queries, n, error, high).meets:
            break
        low, high = high, high * 2
    else:
        return None
    return _narrowed(queries, n, error, low, high)


def _last(queries: Queries, n: int, error: Fraction, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """The same beyond the last value that is not met, among four in each next doubling: what does not rise may miss again."""
    start = max(high, _LEAST)
    grid = [start * Fraction(4 + step, 4) * 2**doubling for doubling in range(_LOOKED_BEYOND) for step in range(4)]
    missed = [k for k, value in enumerate(grid[:-1]) if not _at(queries, n, error, value).meets]
    return _narrowed(queries, n, error, grid[missed[-1]], grid[missed[-1] + 1]) if missed else (low, high)


def _narrowed(queries: Queries, n: int, error: Fraction, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    for _ in range(_SECANTS if low else 0):
        if high - low <= _near(high):
            break
        low, high = _closer(queries, n, error, low, high)
    while high - low > _near(high):
        middle = (low + high) / 2
        low, high = (low, middle) if _at(queries, n, error, middle).meets else (middle, high)
    return low, high


def _near(high: Fraction) -> Fraction:
    return max(high, _LEAST) * _CLOSE


def _closer(queries: Queries, n: int, error: Fraction, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """The same, with a point a little to each side of where the secant of the error's logarithm meets the wanted one."""
    ends = [_excess(queries, n, error, end) for end in (low, high)]
    if not math.isfinite(ends[0]) or not math.isfinite(ends[1]) or ends[0] <= ends[1]:
        return low, high
    guess = low + (high - low) * Fraction(ends[0] / (ends[0] - ends[1])).limit_denominator(10**12)
    for place in (guess - _near(high) / 3, guess + _near(high) / 3):
        if low < place < high:
            low, high = (low, place) if _at(queries, n, error, place).meets else (place, high)
    return low, high


def _excess(queries: Queries, n: int, error: Fraction, value: Fraction) -> float:
    """ln(error there/error wanted), in floats; -∞ where it is too small to be seen."""
    finding = _at(queries, n, error, value)
    off = sum(max(0.0, 1 / queries.family.targets - weight) for weight in finding.weights)
    return math.log(off / float(error)) if off > 0 else -math.inf


def _at(queries: Queries, n: int, error: Fraction, value: Fraction) -> Finding:
    targets = queries.family.targets
    member = Member(n, targets * error / (1 - error), dict.fromkeys(queries.large, value))
    return looked_at(queries.family, queries.coefficients({"n": Fraction(n), "eps": member.epsilon}), member)


def _rises_beyond(queries: Queries, fixed: dict[str, Fraction], value: Fraction) -> bool:
    """True only when the lead of the targets never falls once every large symbol is `value` or more, the same for all.

    One head whose targets score alike serves the better the further they lead: with f(X + x) - f(X) >= 0 for all X beyond a
    value and all x >= 0, what holds at that value holds from there on. Anything else is not looked at.
    """
    try:
        found = queries.coefficients(fixed)
        heads = [head for length in queries.family.lengths for head in heads_of(queries.family, found, length)]
        return len(found) == 1 and all(_never_falls(head.targets, head.rest, queries.large, value) for head in heads)
    except (FormulaError, *NO_FORM):
        return False


def _never_falls(targets: tuple[LogForm, ...], rest: LogForm, large: tuple[str, ...], value: Fraction) -> bool:
    if any(not (form - targets[0]).is_zero() for form in targets):
        return False
    start, more = LogForm.symbol("X"), LogForm.symbol("x")
    ranges = {"X": Range(value, closed=True), "x": Range(0, closed=True)}
    lead = targets[0] - rest
    here = forms.substituted(lead, dict.fromkeys(large, start), ranges)
    later = forms.substituted(lead, dict.fromkeys(large, start + more), ranges)
    return forms.defined(here, ranges) and forms.nonnegative(later - here, ranges)
