"""The words about a query: what this answer does at one member or at given keys, and never about another answer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from headwright import balls, inputs
from headwright.proofs.families import Finding, Queries, QueryFamily
from headwright.proofs.families.family import heads_of
from headwright.proofs.families.regions import spelled


def at_member(queries: Queries, finding: Finding) -> str:
    """Two sentences: what this answer does at one member, and what is required there."""
    family, member = queries.family, finding.member
    named = {"eps": member.epsilon} if family.each or "eps" in queries.used else {}
    where = ", ".join(
        f"{name} = {_short(x)}" for name, x in {"n": Fraction(member.n), **named, **member.further}.items()
    )
    length = f" and c = {finding.length}" if len(family.lengths) > 1 and not finding.fault else ""
    if finding.fault:
        return f"At {where} {finding.fault}. The claim includes that case."
    who = "your query gives" if family.heads == 1 else "your two heads give, on average,"
    if family.each:
        *weights, needed = enough_digits(*finding.weights, float(1 / (family.targets + member.epsilon)))
        on = "each of them" if family.targets > 1 else family.basis[0]
        return f"At {where}{length} {who} {listed(family, weights)}. At least {needed} on {on} is required."
    error = float(family.error(member.epsilon))
    off = sum(max(0.0, 1 / family.targets - weight) for weight in finding.weights)
    reached, allowed = enough_digits(off, error)
    weights = [f"{weight:.4g}" for weight in finding.weights]
    distance = f"That is a total variation of {reached} from one half each, where {allowed} is allowed."
    return f"At {where}{length} {who} {listed(family, weights)}. {distance}"


def at_keys(family: QueryFamily, weights: Sequence[tuple[Fraction, Sequence[float]]], epsilon: Fraction) -> str:
    """Two sentences: the weights of all keys that an answer has at given keys, for each length, and those that are required."""
    m, parts = family.targets, []
    for length, every in weights:
        on, rest = listed(family, [f"{weight:.4g}" for weight in every[:m]], joint=", "), sum(every[m:])
        when = f" when c = {length}" if len(family.lengths) > 1 else ""
        parts.append(f"{on} and {rest:.3g} on all others together{when}")
    who = "Your query gives" if family.heads == 1 else "Your two heads give, on average,"
    if family.each:
        wanted = (
            f"At least {float(1 / (m + epsilon)):.6g} on {'each target' if m == 2 else family.basis[0]} is required."
        )
    else:
        wanted = f"A total variation of at most {inputs.show(family.error(epsilon))} from one half each is required."
    return f"{who} {'; '.join(parts)}. {wanted}"


def why_not_for_all(queries: Queries, holds_when: str | None) -> str:
    """A sentence on scores that lead, and serve few keys, but stay the same however many there are; "" for all others."""
    if holds_when is None or queries.used & {"n", "eps", *queries.large}:
        return ""
    family = queries.family
    heads = heads_of(family, queries.coefficients({}), min(family.lengths))
    leads = [max(balls.lower((form - head.rest).enclosure({})) or 0 for form in head.targets) for head in heads]
    return "The factor grows neither with n nor with a large symbol." if min(leads) > 0 else ""


def growing(queries: Queries) -> str:
    return f"As {' and '.join(queries.large)} {'grows' if len(queries.large) == 1 else 'grow'}"


def listed(family: QueryFamily, weights: Sequence[str], joint: str = " and ") -> str:
    return joint.join(f"{weight} on {name}" for weight, name in zip(weights, family.basis, strict=False))


def _short(number: Fraction) -> str:
    """A rational for a sentence: itself where it is short, else six digits of it."""
    short = number >= 10**300 or max(abs(number.numerator), number.denominator) < 10**13
    return spelled(number) if short else f"{float(number):.6g}"


def enough_digits(*numbers: float) -> list[str]:
    """The numbers with as few digits, four at least, as tell the last of them from the others.

    >>> enough_digits(0.5, 0.25), enough_digits(0.49999983, 0.5)
    (['0.5', '0.25'], ['0.4999998', '0.5'])
    """
    for digits in range(4, 16):
        *others, last = (f"{number:.{digits}g}" for number in numbers)
        if last not in others or all(number == numbers[-1] for number in numbers):
            break
    return [*others, last]
