"""An answer that is a query, or two: formulas over the family, numbers at the setting, or the word none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import balls
from headwright.kernel.goals import Goal
from headwright.kernel.verdict import Proved, Refuted, Undecided, Verdict
from headwright.problems.family import ERROR, Family, N, Setting
from headwright.problems.judges.query_every_size import judge_every_size
from headwright.problems.judges.query_limits import judge_limit
from headwright.problems.judges.query_pictures import three_weights
from headwright.problems.judges.query_words import at_keys, too_long, values_in_words, weights_in_words
from headwright.problems.problem import AnswerError, Problem
from headwright.problems.prose import number, shortened
from headwright.reading import formulas
from headwright.reading.formulas import Formula, FormulaError, OutOfClass
from headwright.search.random_keys.outcome import heads_of
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.exact_average import ExactAverage
from headwright.theories.formulas.families.family import EVERYWHERE, LARGE, NO_FORM, Queries, QueryFamily
from headwright.theories.formulas.families.serves_keys import ServesKeys
from headwright.theories.formulas.forms.trees import Array, Name
from headwright.theories.random_keys.with_probability import WithProbability

ROUNDING = Fraction(1, 10**12)  # numbers from outside are rounded: every limit is relaxed by this part of itself
_CONFIDENCE = Fraction(99, 100)
_MOST_SHOWN = 200  # keys of a query whose weights are shown
_SIZES = (10, 3, 40)  # where a formula without a normal form is looked at
_ERRORS = (ERROR, Fraction(1, 5), Fraction(1, 10**5))
_FINEST = 2048  # as fine as the claim itself looks: a formula may have a value there and none in coarser balls
_LEANING = Fraction(1, 2)  # k_0·k of unit keys at distance 1


def family_of(problem: Problem) -> QueryFamily:
    """What the question asks of a query, in the terms of the proofs."""
    family, claim = problem.family, problem.claim
    lengths = tuple(Fraction(factor) for factor in family.law.get("scaled", {}).get("0", ()))
    return QueryFamily(
        family.basis,
        heads=len(problem.answers),
        each=problem.kind == "each",
        limit=claim.get("limit"),
        leaning=_LEANING if family.keys == "separated" else Fraction(0),
        lengths=lengths or (Fraction(1),),
        vanishing=family.vanishing,
        different=claim.get("different", False),
    )


def judge_queries(problem: Problem, given: Mapping[str, Formula | np.ndarray | None], members: Family) -> Verdict:
    """The verdict on {"q": …} or {"q1": …, "q2": …}."""
    read = {name: formula for name, formula in given.items() if isinstance(formula, Formula)}
    family = family_of(problem)
    if family.each and members.error is not None and family.targets * members.error >= 1 - members.error:
        raise ValueError(
            f"`error` must be below 1/{family.targets + 1} for {problem.id}, whose eps = {family.targets}·error/(1-error) lies "
            "in (0, 1)"
        )
    if len(read) < len(given) or any(_has_array(formula) for formula in read.values()):
        return _judge_at_setting(family, {name: read.get(name, given[name]) for name in given}, members.setting())
    queries = Queries(family, tuple(formula.root for formula in read.values()))
    try:
        for formula in read.values():
            with formula.marked():
                forms.need_degree(formula.root, 30)
                forms.vector_on(formula.root, family.basis, EVERYWHERE)
        queries.coefficients({})
        return judge_limit(queries, members) if queries.large else judge_every_size(queries, members)
    except NO_FORM as beyond:
        return _judge_without_form(family, read, members, str(beyond))


def _has_array(formula: Formula) -> bool:
    return any(isinstance(node, Array) for node in forms.below(formula.root))


def _judge_at_setting(family: QueryFamily, given: Mapping[str, Any], setting: Setting) -> Verdict:
    """Numbers, and formulas beside numbers, at the keys of the setting."""
    for name, value in given.items():
        large = sorted(value.used & set(LARGE)) if isinstance(value, Formula) else ()
        if large:
            raise AnswerError(
                f"`{name}` has {', '.join(large)}, which has no value beside an array: give every query as a formula, or none"
            )
        if not isinstance(value, Formula):
            _need_shape(name, np.shape(value), setting)
    claim = _claim_at(family, given, setting, ROUNDING)
    _need_vectors(claim, given, setting)
    verdict = claim.prove()
    return verdict.explained(_described(claim, verdict, setting))


def _claim_at(family: QueryFamily, given: Mapping[str, Any], setting: Setting, slack: Fraction) -> ServesKeys:
    arrays = {name: np.asarray(x, dtype=np.float64) for name, x in given.items() if not isinstance(x, Formula)}
    named = {name: np.asarray(setting.names[name]) for name in family.basis}
    trees = tuple(value.root if isinstance(value, Formula) else Name(name) for name, value in given.items())
    return ServesKeys(family, trees, setting.centre, {**named, **arrays}, setting.epsilon, slack)


def _need_shape(name: str, shape: tuple[int, ...], setting: Setting) -> None:
    if shape != (setting.n,):
        raise AnswerError(
            f"`{name}` must have shape ({setting.n},), one number for each dimension of the setting; got {shape}"
        )


def _need_vectors(claim: ServesKeys, given: Mapping[str, Any], setting: Setting) -> None:
    """AnswerError or FormulaError, with the name of the answer, where a query is not a vector of the setting's dimension."""
    with balls.precision(128):
        try:
            queries = claim.queries()
        except FormulaError as fault:
            texts = [value.text for value in given.values() if isinstance(value, Formula)]
            raise (formulas.within(fault, texts[0]) if len(texts) == 1 else fault) from None
        except OutOfClass:
            return
    for name, query in zip(given, queries, strict=True):
        _need_shape(name, (len(query),) if len(query[0]) == 1 else (len(query), len(query[0])), setting)


def _described(claim: ServesKeys, verdict: Verdict, setting: Setting) -> str:
    """The weights of the answer beside what is required, and what is proved of the noise."""
    if isinstance(verdict, Refuted) and "q1 - q2" in verdict.counterexample:
        return "The two queries are equal, number for number. The question asks for two different ones."
    if isinstance(verdict, Refuted) and "length" in verdict.counterexample:
        return f"{too_long(str(verdict.counterexample['length']))}."
    with balls.precision(_FINEST):
        try:
            queries = claim.queries()
        except OutOfClass:
            return verdict.reason
        lengths = claim.family.lengths
        weights = [(length, [float(w.mid()) for w in claim.weights(queries, length)]) for length in lengths]
        numbers = np.array([[float(forms.ball(entry).mid()) for (entry,) in query] for query in queries])
    noise = _noise(claim.family, numbers, setting) if isinstance(verdict, Proved) else ""
    return f"{at_keys(claim.family, weights, claim.epsilon)} {noise}".strip()


def _noise(family: QueryFamily, queries: np.ndarray, setting: Setting) -> str:
    """What is proved of the probability at the setting's own variance, in words; "" where that is not decided.

    The claim is about vanishing noise, so a probability below 0.99 does not count against the answer, and the words say so.
    """
    if not family.vanishing or setting.model is None or not isinstance(setting.goal, Goal):
        return ""
    heads = heads_of(setting.model.centre, queries, mix="equal")
    verdict = WithProbability(setting.model, heads, setting.goal, setting.error, _CONFIDENCE).prove()
    if isinstance(verdict, Proved | Refuted):
        bound = shortened(verdict.bound_text).replace("probability at", "the probability of that error is at")
        return f"The question is about vanishing noise. At a variance of 10^−6, {bound}."
    return ""


def _judge_without_form(family: QueryFamily, read: Mapping[str, Formula], members: Family, why: str) -> Verdict:
    """A formula without a normal form, such as one with √(ln n): it can be refuted at single settings, never proved for all."""
    tried: dict[str, str] = {}
    large = any(formula.used & set(LARGE) for formula in read.values())
    last: Verdict | None = None
    for setting in () if large else _settings(family, read, members):
        claim = _claim_at(family, read, setting, Fraction(0))
        if setting.n == (members.n or N):
            _need_vectors(claim, read, setting)
        last = claim.prove()
        if isinstance(last, Refuted) and "fault" not in last.counterexample:
            return last.explained(_described(claim, last, setting))
        tried[f"n = {setting.n}, error {float(setting.error):g}"] = last.status
    where = "for every n >= 2" if members.n is None else f"n = {members.n}"
    return Undecided(
        f"the answer does what the question asks, {where}",
        scope="the claim in general",
        reason=f"The formula is beyond what can be proved for every n and ε: {why}.",
        next_step="use sums, products, quotients and logarithms",
        evidence=tried or None,
    )


def _settings(family: QueryFamily, read: Mapping[str, Formula], given: Family) -> Iterator[Setting]:
    """The usual setting first, then others that the caller leaves."""
    tied = given.error is None and (family.each or any("eps" in formula.used for formula in read.values()))
    for n in _SIZES if given.n is None else (given.n,):
        for error in _ERRORS if tied else (given.near if given.error is None else given.error,):
            yield given.restricted(n, error).setting()


def judge_exact(problem: Problem, given: Mapping[str, Any], members: Family) -> Verdict:
    """Equality, not nearness: with a third key no query will do; with two, equal scores will."""
    first, second = members.basis
    basis, (value,) = (first, second), given.values()
    if value is None:
        verdict = ExactAverage(basis, None, members.n).prove()
        if isinstance(verdict, Refuted):
            return verdict.explained("With two keys there is no third key to take a part of the attention.")
        return verdict.explained(
            "Softmax gives every key a positive weight, a third key too. Values that differ there change the output, so it "
            "equals (v_i + v_j)/2 for some values only."
        )
    if isinstance(value, Formula):
        tree, n = value.root, members.n
        with value.marked(), suppress(*NO_FORM):
            forms.vector_on(tree, basis, EVERYWHERE)
    else:
        setting = members.setting()
        numbers = np.asarray(value)
        _need_shape("q", numbers.shape, setting)
        tree, n = Array(tuple((Fraction(x),) for x in numbers.tolist())), setting.n
    asked = "The question asks for an output equal to (v_i + v_j)/2, whatever the values are."
    return ExactAverage(basis, tree, n).prove().explained(f"{_weights_of_three(basis, tree, n or 3)}{asked}")


def _weights_of_three(basis: tuple[str, str], tree: forms.Node, n: int) -> str:
    """One sentence with the weights of a query at n orthonormal keys; "" where they cannot be computed, or n is too large."""
    if n > _MOST_SHOWN:
        return ""
    try:
        used, weights = three_weights(basis, tree, n)
    except (FormulaError, *NO_FORM, ValueError):
        return ""
    if not np.isfinite(weights).all():
        return ""
    shown = [number(weight) if weight else "less than 10^−300" for weight in weights[:3]]
    on = weights_in_words((*basis, "a third key")[: len(shown)], shown)
    return f"For {values_in_words({'n': Fraction(n), **used})} your query gives {on}. "
