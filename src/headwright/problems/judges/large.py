"""The search behind a verdict on a query with large symbols: a member whose limit is wrong, and where the limit is right.

Whatever is found is only a witness: the claim `ServesFamily` judges it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from headwright import balls
from headwright.forms import FormulaError
from headwright.problems.family import ERROR, Family
from headwright.problems.judges.telling import growing, told
from headwright.problems.judges.thresholds import threshold
from headwright.proofs.families import NO_FORM, Finding, Member, Part, Queries, ServesFamily
from headwright.proofs.families.limits import limiting_weights
from headwright.proofs.families.members import judged
from headwright.proofs.families.serves_family import holds
from headwright.verdict import Proved, Refuted, Verdict

_SIZES = (10, 3, 2, 5, 1000, 10**6)
_TOLERANCES = (Fraction(1, 2), Fraction(1, 100), Fraction(1, 10**6), Fraction(99, 100))
_FAR = tuple(Fraction(10) ** k for k in (2, 4, 8, 16, 30, 60))
_FROM = (3, 11, 101)
_BETWEEN = (3, 4, 10, 1000)


def judge_limit(queries: Queries, given: Family) -> Verdict:
    """For every error there must be a threshold, at every fixed n and ε."""
    sizes = ((2, 2), (3, None)) if given.n is None else ((given.n, given.n),)
    parts = tuple(Part(low, high, given.epsilon) for low, high in sizes)
    claim = ServesFamily(queries, given.n, given.epsilon, parts)
    verdict = claim.prove()
    if isinstance(verdict, Refuted):
        return verdict.explained("The two formulas are the same query. The question asks for two different ones.")
    if isinstance(verdict, Proved):
        half = f"{growing(queries)}, the weights tend to one half on each target."
        return verdict.explained(f"{half} {threshold(queries, given)}".strip())
    wrong = _wrong_member(claim)
    if wrong is not None:
        far, tail = wrong
        verdict = _with_condition(replace(claim, member=far, parts=())).prove()
        if isinstance(verdict, Refuted):
            return verdict.explained(f"{told(queries, judged(queries, far))} {tail}".strip())
    return claim.undecided(
        "No member was found at which the limit is wrong, and no proof for all of them.",
        "write the factor with one large symbol, or ask for one n",
    )


def _with_condition(claim: ServesFamily) -> ServesFamily:
    """The claim with the n at which the limit is right, where they are simply named."""
    if claim.n is not None:
        return claim
    low, two = _least(claim), Part(2, 2, claim.epsilon)
    parts = [*([two] if holds(claim.queries, two) else []), *([] if low is None else [Part(low, None, claim.epsilon)])]
    others = _BETWEEN if low is None else [n for n in (*_BETWEEN, low - 1) if 2 < n < low]
    found = [_wrong_member(claim, n) for n in dict.fromkeys([*([] if two in parts else [2]), *others])]
    outside = tuple(one[0] for one in found if one is not None) if None not in found else ()
    return replace(claim, parts=tuple(parts), outside=outside)


def _least(claim: ServesFamily) -> int | None:
    """The least n from which on the limit is proved: one of a few, then by halving between it and the one before."""

    def right_from(low: int) -> bool:
        return holds(claim.queries, Part(low, None, claim.epsilon))

    known = 2
    for low in _FROM:
        if right_from(low):
            break
        known = low
    else:
        return None
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
            found = _looked_at(claim.queries, count, epsilon)
            if found is not None:
                return found
    return None


def _looked_at(queries: Queries, n: int, epsilon: Fraction) -> tuple[Member, str] | None:
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
                    near = " and ".join(f"{float(w.mid()):.4g}" for w in weights)
                    may = "can " if len({*path.values()}) > 1 else ""
                    return far, f"{growing(queries)}, the weights of the targets {may}tend to {near}."
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
        finding = judged(queries, Member(n, queries.family.targets * error / (1 - error), further, path))
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
        found = [balls.lower(abs(weight - balls.exact(Fraction(1, 2)))) for weight in weights]
    return max((low for low in found if low is not None and low > 0), default=None)
