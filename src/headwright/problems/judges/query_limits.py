"""A query with large symbols: the search for a member whose limit is wrong, and for where the limit is right or begins to serve.

Whatever is found is only a witness: the claim `ServesFamily` judges it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from headwright.kernel import balls
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.problems.family import ERROR, Family, N, epsilon_for
from headwright.problems.judges.float_weights import FloatWeights, boundary
from headwright.problems.judges.query_words import SAME, at_member, reached, tending
from headwright.problems.prose import number
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.family import NO_FORM, Queries, heads_of
from headwright.theories.formulas.families.limits import limiting_weights
from headwright.theories.formulas.families.members import Finding, Member, judged, looked_at
from headwright.theories.formulas.families.regions import Part
from headwright.theories.formulas.families.serves_family import ServesFamily, holds
from headwright.theories.formulas.forms import FormulaError, LogForm, Range

_SIZES = (10, 3, 2, 5, 1000, 10**6)
_TOLERANCES = (Fraction(1, 2), Fraction(1, 100), Fraction(1, 10**6), Fraction(99, 100))
_FAR = tuple(Fraction(10) ** k for k in (2, 4, 8, 16, 30, 60))
_FROM = (3, 11, 101)
_BETWEEN = (3, 4, 10, 1000)
_DOUBLINGS = 200
_STEPS = 4  # values that are looked at in each doubling
_LOOKED_BEYOND = 8  # doublings
_CLOSE = 1e-12
_MARGIN = Fraction(1, 10**9)  # of what floats find
_FIGURES = 4
_ROUNDED = ((1, balls.decimal_above), (-1, balls.decimal_below))


def judge_limit(queries: Queries, given: Family) -> Verdict:
    """For every error there must be a threshold, at every fixed n and ε."""
    sizes = ((2, 2), (3, None)) if given.n is None else ((given.n, given.n),)
    parts = tuple(Part(low, high, given.epsilon) for low, high in sizes)
    claim = ServesFamily(queries, given.n, given.epsilon, parts)
    verdict = claim.prove()
    if isinstance(verdict, Refuted):
        return verdict.explained(SAME)
    if isinstance(verdict, Proved):
        half = ["one half"] * queries.family.targets
        return verdict.explained(f"{tending(queries, half)} {_threshold(queries, given)}".strip())
    wrong = _wrong_member(claim)
    if wrong is not None:
        far, tail = wrong
        verdict = _with_condition(replace(claim, member=far, parts=())).prove()
        if isinstance(verdict, Refuted):
            return verdict.explained(f"{at_member(queries, judged(queries, far))} {tail}".strip())
    return claim.undecided(
        "No n and ε were found at which the limit is wrong, and no proof for all of them either.",
        "write the factor with one large symbol, or ask for one n",
    )


def _with_condition(claim: ServesFamily) -> ServesFamily:
    """The claim with the n at which the limit is right, where these have a short description."""
    if claim.n is not None:
        return claim
    low, two = _least(claim), Part(2, 2, claim.epsilon)
    parts = [*([two] if holds(claim.queries, two) else []), *([] if low is None else [Part(low, None, claim.epsilon)])]
    if not parts:
        return claim
    others = _BETWEEN if low is None else [n for n in (*_BETWEEN, low - 1) if 2 < n < low]
    wrong = [_wrong_member(claim, n) for n in dict.fromkeys([*([] if two in parts else [2]), *others])]
    outside = tuple(one[0] for one in wrong if one is not None) if None not in wrong else ()
    return replace(claim, parts=tuple(parts), outside=outside)


def _least(claim: ServesFamily) -> int | None:
    """The least n from which on the limit is proved: one of a few, then by halving between it and the one before."""

    def right_from(low: int) -> bool:
        return holds(claim.queries, Part(low, None, claim.epsilon))

    if not right_from(_FROM[-1]):
        return None
    known = 2
    for low in _FROM:
        if right_from(low):
            break
        known = low
    while low - known > 1:
        middle = (known + low) // 2
        known, low = (known, middle) if right_from(middle) else (middle, low)
    return low


def _wrong_member(claim: ServesFamily, n: int | None = None) -> tuple[Member, str] | None:
    """A member whose limit is certainly not the goal, at a large value of the symbols where the weights are off; and words."""
    free = "eps" in claim.queries.used and claim.epsilon is None
    size = claim.n if n is None else n
    for count in _SIZES if size is None else (size,):
        for epsilon in _TOLERANCES if free else (claim.epsilon or Fraction(1, 2),):
            wrong = _wrong_at(claim.queries, count, epsilon)
            if wrong is not None:
                return wrong
    return None


def _wrong_at(queries: Queries, n: int, epsilon: Fraction) -> tuple[Member, str] | None:
    """The same at one n and ε, on every way out."""
    try:
        coefficients = queries.coefficients({"n": Fraction(n), "eps": epsilon})
        for path in _paths(queries.large):
            for length in queries.family.lengths:
                weights = limiting_weights(queries.family, coefficients, n, length, path)
                off = None if weights is None else _off(weights)
                if weights is None or off is None:
                    continue
                error = min(ERROR, Fraction(balls.decimal_below(off / 2, 3)))
                far = _far_out(queries, n, epsilon, path, error)
                if far is not None:
                    limits = [number(float(weight.mid())) for weight in weights]
                    return far, tending(queries, limits, may=len({*path.values()}) > 1)
    except (FormulaError, *NO_FORM):
        return None
    return None


def _paths(large: tuple[str, ...]) -> list[dict[str, int]]:
    """Ways to be large: all alike, or one of them the square of the others."""
    level = dict.fromkeys(large, 1)
    return [level, *({**level, name: 2} for name in (large if len(large) > 1 else ()))]


def _far_out(queries: Queries, n: int, epsilon: Fraction, path: dict[str, int], error: Fraction) -> Member | None:
    """A member on the way whose weights miss the error, which is half of what the limit is off: no threshold can serve it.

    It is the first that the next one hardly differs from: its weights show the limit, not that the symbol is still small.
    """
    seen: Finding | None = None
    own = {"eps": epsilon} if "eps" in queries.used else {}
    for x in _FAR:
        further = {**own, **{name: x**power for name, power in path.items()}}
        finding = judged(queries, Member(n, epsilon_for(error, queries.family.targets), further, path))
        if seen is not None and finding.meets is False and _alike(seen, finding, error):
            break
        seen = finding if finding.meets is False else None
    return None if seen is None else seen.member


def _alike(one: Finding, other: Finding, error: Fraction) -> bool:
    pairs = zip(one.weights, other.weights, strict=False)
    return bool(one.weights) and all(abs(a - b) <= float(error) / 8 for a, b in pairs)


def _off(weights: list[balls.Ball]) -> Fraction | None:
    """A positive lower bound on how far the limit is from one half each, None where it may be there."""
    with balls.precision(128):
        bounds = [balls.lower(abs(weight - balls.exact(Fraction(1, 2)))) for weight in weights]
    return max((low for low in bounds if low is not None and low > 0), default=None)


# Where the limit begins to serve: the value of the large symbols from which on one member meets its error, to four figures. It is
# searched for in floats, and judged in balls on both sides.


def _threshold(queries: Queries, given: Family) -> str:
    """A sentence on where the claim begins to hold at one member; "" where it always does or that is not found."""
    n = N if given.n is None else given.n
    error = given.near if given.error is None else given.error
    if n == queries.family.targets:
        return ""
    epsilon = epsilon_for(error, queries.family.targets)
    place = _begins(queries, n, epsilon)
    if place is None:
        return ""
    high, low = (Fraction(rounded(place * (1 + sign * _MARGIN), _FIGURES)) for sign, rounded in _ROUNDED)
    if not _at(queries, n, epsilon, high).meets:
        return ""
    rising = _rises_beyond(queries, {"n": Fraction(n), "eps": epsilon}, high)
    unmet = low if _at(queries, n, epsilon, low).meets is False else None
    return reached(queries, n, error, high, unmet, rising=rising)


def _begins(queries: Queries, n: int, epsilon: Fraction) -> Fraction | None:
    """The value of the large symbols from which on the member seems to be met, in floats; None where it never is.

    What does not rise may miss again, so some values beyond the first that is met are looked at.
    """
    floats = FloatWeights(queries.family, queries.coefficients({"n": Fraction(n), "eps": epsilon}))
    others, fixed = floats.log_others(n), {"n": float(n), "eps": float(epsilon)}

    def met(value: float) -> bool:
        return floats.room(others, {**fixed, **dict.fromkeys(queries.large, value)}) >= 0

    first = next((k for k in range(-_STEPS, _STEPS * _DOUBLINGS) if met(2 ** (k / _STEPS))), None)
    if first is None:
        return None
    beyond = range(first, first + _STEPS * _LOOKED_BEYOND)
    last = next((k for k in reversed(beyond) if not met(2 ** (k / _STEPS))), first - 1) + 1
    return Fraction(boundary(met, 2 ** ((last - 1) / _STEPS), 2 ** (last / _STEPS), _CLOSE))


def _at(queries: Queries, n: int, epsilon: Fraction, value: Fraction) -> Finding:
    member = Member(n, epsilon, dict.fromkeys(queries.large, value))
    return looked_at(queries.family, queries.coefficients({"n": Fraction(n), "eps": epsilon}), member)


def _rises_beyond(queries: Queries, fixed: dict[str, Fraction], value: Fraction) -> bool:
    """True only when the lead of the targets never falls once every large symbol is `value` or more, the same for all.

    One head whose targets score alike serves the better the further they lead: with f(X + x) - f(X) >= 0 for all X beyond a
    value and all x >= 0, what holds at that value holds from there on. Anything else is not looked at.
    """
    try:
        vectors = queries.coefficients(fixed)
        heads = [head for length in queries.family.lengths for head in heads_of(queries.family, vectors, length)]
        return len(vectors) == 1 and all(_never_falls(head.targets, head.rest, queries.large, value) for head in heads)
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
