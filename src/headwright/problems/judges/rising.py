"""Whether an answer, once it serves, goes on serving as its large symbol grows: only then is a value of it a threshold.

One head whose targets score alike serves the better the further they lead: with f(X + x) - f(X) >= 0 for all X beyond a value and
all x >= 0, what holds at that value holds from there on. Anything else is not looked at; then a value where the claim is met is
just that.
"""

from __future__ import annotations

from fractions import Fraction

from headwright import formulas
from headwright.balls import TooLarge
from headwright.formulas import FormulaError, LogForm, OutOfClass, Range
from headwright.problems.judges.scores import Scores
from headwright.problems.judges.weights import heads_of_length

_FROM, _BEYOND = "X", "x"


def rises_beyond(scores: Scores, fixed: dict[str, Fraction], value: Fraction) -> bool:
    """True only when the lead of the targets never falls once every large symbol is `value` or more, the same for all."""
    try:
        queries = scores.queries(fixed)
        return (
            all(
                _never_falls(head.targets, head.rest, scores.large, fixed, value)
                for length in scores.ask.lengths
                for head in heads_of_length(scores.ask, queries, length)
            )
            and len(queries) == 1
        )
    except (FormulaError, OutOfClass, TooLarge, ZeroDivisionError):
        return False


def _never_falls(
    targets: tuple[LogForm, ...], rest: LogForm, large: tuple[str, ...], fixed: dict[str, Fraction], value: Fraction
) -> bool:
    if any(not (form - targets[0]).is_zero() for form in targets):
        return False
    start, more = LogForm.symbol(_FROM), LogForm.symbol(_BEYOND)
    region = {_FROM: Range(value, closed=True), _BEYOND: Range(0, closed=True)}
    settled = {name: LogForm.number(number) for name, number in fixed.items()}
    lead = targets[0] - rest
    here = formulas.substituted(lead, {**settled, **dict.fromkeys(large, start)}, region)
    later = formulas.substituted(lead, {**settled, **dict.fromkeys(large, start + more)}, region)
    return formulas.defined(here, region) and formulas.nonnegative(later - here, region)
