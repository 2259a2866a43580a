"""The verdict on a query with a large symbol: its limit at every member, a member where it is wrong, and where it is right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from headwright import arrays, balls, formulas
from headwright.formulas import FormulaError, LogForm, Range
from headwright.problems.judges.limits import defined_far_out, limiting_weights, tends, tends_to_goal
from headwright.problems.judges.members import Members
from headwright.problems.judges.numbers import said
from headwright.problems.judges.points import Finding, Point, looked_at
from headwright.problems.judges.scores import NO_FORM, Scores
from headwright.problems.judges.telling import example, same_queries, told
from headwright.problems.judges.thresholds import threshold
from headwright.problems.showing import ERROR
from headwright.verdict import Proved, Refuted, Undecided, Verdict

_SIZES = (10, 3, 2, 5, 1000, 10**6)
_TOLERANCES = (Fraction(1, 2), Fraction(1, 100), Fraction(1, 10**6), Fraction(99, 100))
_FAR = tuple(Fraction(10) ** k for k in (2, 4, 8, 16, 30, 60))
_FROM = (3, 11, 101)
_BETWEEN = (3, 4, 10, 1000)


def judge_limit(scores: Scores, given: Members) -> Verdict:
    """For every error there must be a threshold, at every fixed n and ε."""
    ask = scores.ask
    are = "is" if len(scores.large) == 1 else "are"
    claim = f"{said(ask, given.n)}, once {_listed(scores.large)} {are} large enough"
    tolerance = "eps" in scores.used and given.error is None
    scope = given.described(tolerance=tolerance).replace(f", error {arrays.show(ERROR)}", "") + ", every error"
    queries = scores.queries({})
    if ask.different and all((queries[0][name] - queries[1][name]).is_zero() for name in queries[0]):
        return same_queries(claim, scope)
    if _proved(scores, given):
        return Proved(
            claim,
            scope=f"{scope}, from a threshold on",
            reason=f"{_growing(scores)}, the weights tend to one half on each target. {threshold(scores, given)}".strip(),
            method="limits of the differences of the scores",
        )
    wrong = _wrong_member(scores, given)
    if wrong is not None:
        finding, tail = wrong
        return Refuted(
            claim,
            scope=f"the claim for {scope}",
            counterexample=example(ask, finding),
            holds_when=_holds_when(scores, given),
            reason=f"{told(ask, finding)} {tail}".strip(),
            method="the limit of the weights, and the weights of that member, in balls",
        )
    return Undecided(
        claim,
        scope=scope,
        reason="No member was found at which the limit is wrong, and no proof for all of them.",
        next_step="write the factor with one large symbol, or ask for one n",
    )


def _holds_when(scores: Scores, given: Members) -> str | None:
    """A condition on n under which the limit is right, where it is a simple one; "at least" where it may be so for more."""
    if given.n is not None:
        return None
    low = _least(scores, given)
    parts = [*(["n = 2"] if _proved_case(scores, given, 2, True) else []), *([] if low is None else [f"n >= {low}"])]
    if not parts:
        return None
    others = _BETWEEN if low is None else [n for n in (*_BETWEEN, low - 1) if 2 < n < low]
    told = " or ".join(parts)
    return told if all(_fails(scores, given, n) for n in others) else f"at least for {told}"


def _least(scores: Scores, given: Members) -> int | None:
    """The least n from which on the limit is proved: one of a few, then by halving between it and the one before."""
    known = 2
    for low in _FROM:
        if _proved_case(scores, given, low, False):
            break
        known = low
    else:
        return None
    while low - known > 1:
        middle = (known + low) // 2
        known, low = (known, middle) if _proved_case(scores, given, middle, False) else (middle, low)
    return low


def _fails(scores: Scores, given: Members, n: int) -> bool:
    """Whether a member of this size certainly has another limit, or none."""
    return _wrong_member(scores, replace(given, n=n)) is not None


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(names)


def _growing(scores: Scores) -> str:
    return f"As {_listed(scores.large)} {'grows' if len(scores.large) == 1 else 'grow'}"


def _fixed(scores: Scores, given: Members) -> dict[str, Fraction]:
    found = {} if given.n is None else {"n": Fraction(given.n)}
    if given.error is not None:
        found["eps"] = scores.ask.targets * given.error / (1 - given.error)
    return found


def _proved(scores: Scores, given: Members) -> bool:
    """The limit at every member: with two keys alone, and with more."""
    cases = [(2, True), (3, False)] if given.n is None else [(given.n, True)]
    return all(_proved_case(scores, given, low, single) for low, single in cases)


def _proved_case(scores: Scores, given: Members, low: int, single: bool) -> bool:
    fixed = _fixed(scores, given)
    ranges: dict[str, Range] = {name: Range(0) for name in scores.large}
    if single:
        fixed["n"] = Fraction(low)
    else:
        ranges["n"] = Range(low, closed=True)
    if "eps" not in fixed:
        ranges["eps"] = Range(0, 1)
    try:
        queries = scores.queries(fixed)
    except (FormulaError, *NO_FORM):  # it has no value at this n, or no form
        return False
    forms = [form for query in queries for form in query.values()]
    if not defined_far_out(forms, scores.large, ranges):
        return False
    if scores.ask.different and not _differ(queries, scores.large, ranges):
        return False
    alone = single and low == scores.ask.targets
    return tends_to_goal(scores.ask, queries, scores.large, ranges, alone=alone)


def _differ(queries: list[dict[str, LogForm]], large: tuple[str, ...], ranges: dict[str, Range]) -> bool:
    """True only when the two queries are certainly different once the large symbols are large enough."""
    for name in queries[0]:
        gap = queries[0][name] - queries[1][name]
        found = tends(gap, large, ranges)
        if isinstance(found, float) or formulas.sign(gap, ranges) in (1, -1):
            return True
        if found is not None and formulas.sign(found, ranges) in (1, -1):
            return True
    return False


def _wrong_member(scores: Scores, given: Members) -> tuple[Finding, str] | None:
    """A member whose limit is certainly not the goal, shown at a large value of the symbols where the weights are off."""
    fixed = _fixed(scores, given)
    for n in _SIZES if given.n is None else (given.n,):
        for epsilon in (
            _TOLERANCES if "eps" in scores.used and "eps" not in fixed else (fixed.get("eps", Fraction(1, 2)),)
        ):
            found = _looked_at(scores, n, epsilon)
            if found is not None:
                return found
    return None


def _looked_at(scores: Scores, n: int, epsilon: Fraction) -> tuple[Finding, str] | None:
    """The same at one n and ε, on every way out."""
    here = {"n": Fraction(n), "eps": epsilon}
    try:
        queries = scores.queries(here)
        for path in _paths(scores.large):
            for length in scores.ask.lengths:
                weights = limiting_weights(scores.ask, queries, n, length, path)
                off = None if weights is None else _off(weights)
                found = (
                    None
                    if off is None
                    else _far_out(scores, n, epsilon, path, min(ERROR, Fraction(balls.decimal_below(off / 2, 3))))
                )
                if found is not None and weights is not None:
                    near = " and ".join(f"{float(w.mid()):.4g}" for w in weights)
                    return (
                        found,
                        f"{_growing(scores)}, the weights of the targets {'can ' if path != _level(path) else ''}tend to {near}.",
                    )
    except (FormulaError, *NO_FORM):
        return None
    return None


def _level(names: Iterable[str]) -> dict[str, int]:
    return dict.fromkeys(names, 1)


def _paths(large: tuple[str, ...]) -> list[dict[str, int]]:
    """Ways to be large: all alike, or one of them the square of the others."""
    if len(large) == 1:
        return [_level(large)]
    return [_level(large), *({**_level(large), name: 2} for name in large)]


def _far_out(scores: Scores, n: int, epsilon: Fraction, path: dict[str, int], error: Fraction) -> Finding | None:
    """A member on the way whose weights miss the error, which is half of what the limit is off: no threshold can serve it.

    It is the first that the next one hardly differs from: its weights show the limit, not that the symbol is still small.
    """
    seen: Finding | None = None
    queries = scores.queries({"n": Fraction(n), "eps": epsilon})
    own = {"eps": epsilon} if "eps" in scores.used else {}
    for x in _FAR:
        further = {**own, **{name: x**power for name, power in path.items()}}
        point = Point(n, scores.ask.targets * error / (1 - error), further, named=False)
        finding = looked_at(scores.ask, queries, point)
        if seen is not None and finding.meets is False and _alike(seen, finding, error):
            return seen
        seen = finding if finding.meets is False else None
    return seen


def _alike(one: Finding, other: Finding, error: Fraction) -> bool:
    pairs = zip(one.weights, other.weights, strict=False)
    return bool(one.weights) and all(abs(a - b) <= float(error) / 8 for a, b in pairs)


def _off(weights: list[balls.Ball]) -> Fraction | None:
    """A positive lower bound on how far the limit is from one half each, None where it may be there."""
    with balls.precision(128):
        found = [balls.lower(abs(weight - balls.exact(Fraction(1, 2)))) for weight in weights]
    known = [low for low in found if low is not None and low > 0]
    return max(known, default=None)
