"""The data of a small drawing: the weights of an answer at its counterexample, or at a usual member, beside what is required."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import balls
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.kernel.within_error import WithinError
from headwright.problems.family import ERROR, N, epsilon_for
from headwright.problems.judges.key_words import key_name
from headwright.problems.judges.query_words import place_of, values_in_words
from headwright.problems.problem import Problem
from headwright.problems.prose import joined, tidied
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.exact_average import ExactAverage
from headwright.theories.formulas.families.family import NO_FORM, QueryFamily
from headwright.theories.formulas.families.members import Member, looked_at
from headwright.theories.formulas.families.serves_family import ServesFamily
from headwright.theories.formulas.families.serves_keys import ServesKeys
from headwright.theories.formulas.forms import FormulaError
from headwright.theories.random_keys.with_probability import WithProbability
from headwright.words.attention import attend

Picture = dict[str, Any]
_MOST_BARS = 12
_MOST_KEYS = 200  # more are not computed for a drawing


def picture_of(problem: Problem, verdict: Verdict) -> Picture | None:
    """{"at": a place in words, "bars": [[name, weight, required weight or None], …]}; None where there are no weights to draw."""
    if not isinstance(verdict, Proved | Refuted):
        return None
    claim = verdict.record
    try:
        if isinstance(claim, ServesFamily):
            return _at_example(claim, verdict) if isinstance(verdict, Refuted) else _at_usual(claim)
        if isinstance(claim, ServesKeys):
            return _at_keys(claim)
        if isinstance(claim, ExactAverage) and claim.tree is not None and (claim.n or 3) <= _MOST_KEYS:
            return _of_three(claim.basis, claim.tree, claim.n or 3)
        if isinstance(claim, WithinError | WithProbability):
            return _at_given(claim, problem)
    except (FormulaError, *NO_FORM, OverflowError):
        return None
    return None


def _drawn(at: str, names: Sequence[str], weights: Sequence[float], required: Sequence[float]) -> Picture | None:
    if not all(map(np.isfinite, weights)):
        return None
    rest = max(0.0, 1 - sum(weights))
    bars = [[tidied(name), float(w), float(x)] for name, w, x in zip(names, weights, required, strict=True)]
    return {"at": tidied(at), "bars": [*bars[:_MOST_BARS], ["all others", rest, None]]}


def _required(family: QueryFamily, epsilon: Fraction, weights: Sequence[float]) -> list[float]:
    """What each target must have at least."""
    m = family.targets
    if family.each:
        return [float(1 / (m + epsilon))] * m
    return _within([1 / m] * m, weights, float(family.error(epsilon)))


def _within(shares: Sequence[float], weights: Sequence[float], error: float) -> list[float]:
    """What each target must have at least so that the total variation is met, given what the others have."""
    missing = [max(0.0, share - weight) for share, weight in zip(shares, weights, strict=True)]
    return [max(0.0, share - max(0.0, error - sum(missing) + own)) for share, own in zip(shares, missing, strict=True)]


def _at_example(claim: ServesFamily, verdict: Refuted) -> Picture | None:
    family, member, point = claim.queries.family, claim.member, verdict.counterexample
    weights = [float(str(point[f"weight of {name}"])) for name in family.basis if f"weight of {name}" in point]
    if member is None or len(weights) < family.targets:
        return None
    at = place_of(claim.queries, member, Fraction(str(point["c"])) if "c" in point else None)
    return _drawn(at, family.basis, weights, _required(family, member.epsilon, weights))


def _at_usual(claim: ServesFamily) -> Picture | None:
    queries, family = claim.queries, claim.queries.family
    usual = epsilon_for(ERROR, family.targets) if claim.epsilon is None else claim.epsilon
    if queries.large:  # what the weights tend to, which is what was proved
        at = f"as {joined(queries.large)} {'grows' if len(queries.large) == 1 else 'grow'}"
        weights = [1 / family.targets] * family.targets
        return _drawn(at, family.basis, weights, _required(family, usual, weights))
    finding = looked_at(family, queries.coefficients({}), Member(claim.n or N, usual))
    if finding.fault or not finding.weights:
        return None
    at = place_of(queries, finding.member, finding.length)
    return _drawn(at, family.basis, finding.weights, _required(family, usual, finding.weights))


def _at_keys(claim: ServesKeys) -> Picture | None:
    family, n = claim.family, len(claim.keys)
    if n > _MOST_KEYS:
        return None
    weights, length = min((_weights(claim, length)[: family.targets], length) for length in family.lengths)
    at = values_in_words({"n": Fraction(n), **({"c": length} if len(family.lengths) > 1 else {})})
    return _drawn(at, family.basis, weights, _required(family, claim.epsilon, weights))


def _weights(claim: ServesKeys, length: Fraction) -> list[float]:
    with balls.precision(128):
        return [float(weight.mid()) for weight in claim.weights(claim.queries(), length)]


def three_weights(basis: tuple[str, ...], tree: forms.Node, n: int) -> tuple[dict[str, Fraction], list[float]]:
    """Values for the symbols of a query, and its weights there at n orthonormal keys; FormulaError or one of NO_FORM."""
    used = {
        name: Fraction(1, 2) if name == "eps" else Fraction(3, 2)
        for name in sorted(forms.names_in(tree) - {*basis, "n"})
    }
    vectors = {name: np.eye(n)[j] for j, name in enumerate(basis)}
    claim = ServesKeys(QueryFamily(basis), (forms.with_numbers(tree, used),), np.eye(n), vectors, Fraction(1, 2))
    return used, _weights(claim, Fraction(1))


def _of_three(basis: tuple[str, ...], tree: forms.Node, n: int) -> Picture | None:
    used, weights = three_weights(basis, tree, n)
    return _drawn(values_in_words({"n": Fraction(n), **used}), basis, weights[:2], [0.5, 0.5])


def _at_given(claim: WithinError | WithProbability, problem: Problem) -> Picture | None:
    heads, goal, setting = claim.heads, claim.goal, problem.setting()
    if len(heads.keys) > _MOST_KEYS * _MOST_KEYS:
        return None
    every = np.array([attend(query, heads.keys).weights for query in heads.queries])
    weights = np.average(every, axis=0, weights=heads.mix)
    names = [key_name(setting, i) for i in goal.indices]
    own, shares = [float(weights[i]) for i in goal.indices], [float(share) for share in goal.shares]
    return _drawn("the keys of the question", names, own, _within(shares, own, float(claim.error)))
