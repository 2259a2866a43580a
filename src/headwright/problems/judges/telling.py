"""What is said about an answer that is a formula: about the answer itself, at one member, and never about another answer."""

from __future__ import annotations

from collections.abc import Sequence

from headwright import balls
from headwright.problems.judges.points import Finding, spelled
from headwright.problems.judges.questions import Ask
from headwright.problems.judges.scores import Scores
from headwright.problems.judges.weights import heads_of_length
from headwright.verdict import Refuted


def same_queries(claim: str, scope: str) -> Refuted:
    return Refuted(
        claim,
        scope=f"the claim for {scope}",
        counterexample={"q1 - q2": "0"},
        reason="The two formulas are the same query. The question asks for two different ones.",
        method="the difference of the normal forms is zero",
    )


def example(ask: Ask, finding: Finding) -> dict[str, str]:
    """The member that fails, with its weights, as a counterexample is stored."""
    point = finding.point
    found = {name: spelled(value) for name, value in point.told().items()}
    if not ask.each:
        found["error"] = str(point.epsilon / (ask.targets + point.epsilon))
    if finding.when:
        found["c"] = finding.when.removeprefix("c = ")
    if finding.fault:
        return {**found, "fault": finding.fault}
    return {**found, **{f"weight of {name}": f"{w:.6g}" for name, w in zip(ask.basis, finding.weights, strict=False)}}


def told(ask: Ask, finding: Finding) -> str:
    """Two sentences: what this answer does at one member, and what is needed there."""
    point = finding.point
    when = f"At {point}{' and ' + finding.when if finding.when else ''}"
    if finding.fault:
        return f"{when} {finding.fault}. The claim is for that member too."
    mean = "its weights are" if len(ask.answers) == 1 else "the mean weights of the two heads are"
    if ask.each:
        least = float(1 / (ask.targets + point.epsilon))
        *weights, needed = told_apart(*finding.weights, least)
        where = "each of them" if ask.targets > 1 else ask.basis[0]
        return f"{when} {mean} {_listed(ask, weights)}. Needed is at least {needed} on {where}."
    error = float(point.epsilon / (ask.targets + point.epsilon))
    off = sum(max(0.0, 1 / ask.targets - weight) for weight in finding.weights)
    reached, allowed = told_apart(off, error)
    weights = [f"{weight:.4g}" for weight in finding.weights]
    return (
        f"{when} {mean} {_listed(ask, weights)}, {reached} in total variation from one half each. Allowed is {allowed}."
    )


def why_not_for_all(scores: Scores, holds_when: str | None) -> str:
    """A sentence on scores that lead, and serve few keys, but stay the same however many there are; "" for all others."""
    if holds_when is None or scores.used & {"n", "eps", *scores.large}:
        return ""
    heads = heads_of_length(scores.ask, scores.queries({}), min(scores.ask.lengths))
    leads = [max(balls.lower((form - head.rest).enclosure({})) or 0 for form in head.targets) for head in heads]
    return "The factor grows neither with n nor with a large symbol." if min(leads) > 0 else ""


def _listed(ask: Ask, weights: Sequence[str]) -> str:
    return " and ".join(f"{weight} on {name}" for weight, name in zip(weights, ask.basis, strict=False))


def told_apart(*numbers: float) -> list[str]:
    """The numbers with as few digits, four at least, as tell the last of them from the others.

    >>> told_apart(0.5, 0.25), told_apart(0.49999983, 0.5)
    (['0.5', '0.25'], ['0.4999998', '0.5'])
    """
    for digits in range(4, 16):
        *found, last = (f"{number:.{digits}g}" for number in numbers)
        if last not in found or all(number == numbers[-1] for number in numbers):
            break
    return [*found, last]
