"""The words about a query: what this answer does at one member or at given keys, and never about another answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from headwright.kernel import balls
from headwright.problems.prose import apart, joined, number, shortened, tidied
from headwright.theories.formulas.families.family import Queries, QueryFamily, heads_of
from headwright.theories.formulas.families.members import Finding, Member

SAME = "The two formulas are the same query. The question asks for two different ones."


def at_member(queries: Queries, finding: Finding) -> str:
    """What this answer does at one member, and what is required there."""
    family = queries.family
    where = place_of(queries, finding.member, finding.length if not finding.fault else None)
    if finding.fault:
        return f"For {where} {_fault(finding.fault)}."
    if not finding.weights:  # too near to a value that does not exist for balls to tell
        return f"For {where} the weights could not be computed."
    if family.each:
        needed = 1 / (family.targets + finding.member.epsilon)
        return f"For {where} {_gives(family)} {_least(family, finding.weights, needed)}."
    seen = f"For {where} {_gives(family)} {_shares(family, finding.weights)}."
    if finding.member.path:  # no error is asked for here: the weights must come as near as one likes
        return seen
    return f"{seen} {_distance(family, finding.weights, finding.member.epsilon)}"


def place_of(queries: Queries, member: Member, length: Fraction | None = None) -> str:
    """The member in words, such as "n = 10 and ε = 1/2"; with the length of the first key, where that varies."""
    family = queries.family
    named = {"eps": member.epsilon} if family.each or "eps" in queries.used else {}
    varies = {"c": length} if length is not None and len(family.lengths) > 1 else {}
    return values_in_words({"n": Fraction(member.n), **named, **member.further, **varies})


def values_in_words(values: Mapping[str, Fraction]) -> str:
    return joined([f"{tidied(name)} = {number(x)}" for name, x in values.items()])


def at_keys(family: QueryFamily, weights: Sequence[tuple[Fraction, Sequence[float]]], epsilon: Fraction) -> str:
    """What an answer does at given keys, for the length of the first key that serves it worst, and what is required there."""
    m = family.targets
    length, every = max(weights, key=lambda one: _off(one[1][:m]))
    named = {"eps": epsilon} if family.each else {}
    varies = {"c": length} if len(family.lengths) > 1 else {}
    where = values_in_words({"n": Fraction(len(every)), **named, **varies})
    if family.each:
        return f"For {where} {_gives(family)} {_least(family, every[:m], 1 / (m + epsilon))}."
    return f"For {where} {_gives(family)} {_shares(family, every[:m])}. {_distance(family, every[:m], epsilon)}"


def too_long(lengths: str) -> str:
    """A sentence about a query that exceeds the allowed length, from the words of a claim: "6, where 5 is allowed"."""
    own, _, allowed = shortened(lengths.replace("inf", "more than 1e300")).partition(", where ")
    return f"your query has length {own}; at most {allowed.removesuffix(' is allowed')} is allowed"


def why_not_for_all(queries: Queries, holds_when: str | None) -> str:
    """A sentence on scores that lead, and serve few keys, but stay the same however many there are; "" for all others."""
    if holds_when is None or queries.used & {"n", "eps", *queries.large}:
        return ""
    family = queries.family
    heads = heads_of(family, queries.coefficients({}), min(family.lengths))
    leads = [max(balls.lower((form - head.rest).enclosure({})) or 0 for form in head.targets) for head in heads]
    return "The factor is the same for every n, so enough other keys outweigh it." if min(leads) > 0 else ""


def tending(queries: Queries, limits: Sequence[str], *, may: bool = False) -> str:
    """A sentence on what the weights of the targets tend to as the large symbols grow."""
    names, large = joined([tidied(name) for name in queries.family.basis]), [tidied(name) for name in queries.large]
    grow = "grows" if len(large) == 1 else "grow"
    to = f"{limits[0]} each" if len({*limits}) == 1 else joined(limits)
    return f"As {joined(large)} {grow}, the weights of {names} {'can ' if may else ''}tend to {to}."


def reached(queries: Queries, n: int, error: Fraction, high: Fraction, low: Fraction | None, *, rising: bool) -> str:
    """A sentence on the value of the large symbols at which one member meets the error, and on one at which it does not."""
    names = " = ".join(tidied(name) for name in queries.large)
    met, unmet = (None if x is None else number(float(x), 4) for x in (high, low))
    where = f"from {names} = {met} on" if rising else f"at {names} = {met}"
    before = "" if unmet is None else f", but not yet at {names} = {unmet}"
    return f"For n = {number(n)} the error is at most {number(float(error))} {where}{before}."


def weights_in_words(names: Sequence[str], weights: Sequence[str], kind: str = "weight") -> str:
    """Such as "k_a a weight of 0.9 and k_b a weight of 0.1", or "k_a and k_b a weight of 0.2 each"."""
    shown = [tidied(name) for name in names]
    if len(shown) > 1 and len({*weights}) == 1:
        return f"{joined(shown)} a {kind} of {weights[0]} each"
    return joined([f"{name} a {kind} of {weight}" for name, weight in zip(shown, weights, strict=True)])


def _gives(family: QueryFamily) -> str:
    return "your query gives" if family.heads == 1 else "your two heads give"


def _shares(family: QueryFamily, weights: Sequence[float], shown: Sequence[str] | None = None) -> str:
    kind = "weight" if family.heads == 1 else "mean weight"
    return weights_in_words(family.basis, shown or [number(weight) for weight in weights], kind)


def _least(family: QueryFamily, weights: Sequence[float], needed: Fraction) -> str:
    *shown, least = apart(*weights, needed)
    return f"{_shares(family, weights, shown)}; at least {least} is required{' for each' if family.targets > 1 else ''}"


def _off(weights: Sequence[float]) -> float:
    return sum(max(0.0, 1 / len(weights) - weight) for weight in weights)


def _distance(family: QueryFamily, weights: Sequence[float], epsilon: Fraction) -> str:
    reached, allowed = apart(_off(weights), family.error(epsilon))
    return f"That is a total variation of {reached} from one half each; at most {allowed} is allowed."


def _fault(fault: str) -> str:
    """Why a member fails without weights, from the words of a claim."""
    if fault.startswith("the query has length "):
        return too_long(fault.removeprefix("the query has length "))
    why = fault.removeprefix("the formula has no value there: ").removesuffix(" there").removesuffix(".")
    why = why[:1].lower() + why[1:] if why[:2].isalpha() else why
    return f"your formula has no value: {tidied(shortened(why))}. The question includes this case"
