"""A question about given keys: its queries are judged by `certify` at those keys, and "none" by the proof that no query will do.

An answer is one query for each asked name, as a formula over the question's names, or as an array. Several queries are heads,
mixed equally. The answer is right when the weights are within the error of the goal (for keys that vary: with the asked
probability; for Top: when the gap is positive) and no query is longer than `max_length`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.goals import Goal, Top
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.problems.family import Family, Setting
from headwright.problems.judges.impossible import judge_none
from headwright.problems.judges.key_words import key_name, named
from headwright.problems.judges.query_words import weights_in_words
from headwright.problems.problem import AnswerError, Problem, about_the_answer
from headwright.problems.prose import apart, joined, number, shortened
from headwright.reading import formulas
from headwright.reading.formulas import Formula
from headwright.search.certify import certify
from headwright.theories.formulas.forms.trees import Name, Number, Product, Sum, Transposed
from headwright.theories.formulas.inequality import Inequality
from headwright.words.attention import attend
from headwright.words.key_models import KeyModel

_BOUND = re.compile(r"^(probability|smallest gap) at")
_MOST_SHOWN = 4  # keys of the goal whose weights are shown


def judge_at_keys(problem: Problem, given: Mapping[str, Any], family: Family) -> Verdict:
    """The verdict on queries at the keys of the question, or on "none", where these do not vary."""
    setting = family.setting()
    if any(value is None for value in given.values()):
        if not all(value is None for value in given.values()):
            raise AnswerError(f"`{' and '.join(given)}` must all be queries, or all be none")
        return judge_none(problem, setting)
    queries = np.array([_query(name, value, setting) for name, value in given.items()])
    too_long = _too_long(problem, queries)
    if too_long is not None:
        return too_long
    keys = setting.centre if setting.model is None else setting.model
    if isinstance(setting.goal, Top):
        return _explained(
            certify(keys, queries, setting.goal, mix="equal"), "Every wanted key must score above all others.", setting
        )
    confidence = problem.claim.get("confidence")
    verdict = certify(keys, queries, setting.goal, error=setting.error, confidence=confidence, mix="equal")
    return _explained(verdict, _seen(queries, setting), setting, confidence)


def _query(name: str, value: Any, setting: Setting) -> np.ndarray:
    if isinstance(value, Formula):
        value = formulas.evaluate(value, setting.names)
    d = setting.centre.shape[1]
    if np.shape(value) != (d,):
        shape = np.shape(value)
        got = "a single number" if shape == () else f"an array of shape {shape}"
        raise AnswerError(f"`{name}` must be a vector of {d} numbers like the keys, got {got}")
    with about_the_answer():
        return inputs.float64(value, name=name, ndim=1)


def _too_long(problem: Problem, queries: np.ndarray) -> Verdict | None:
    """Refuted where a query is longer than allowed: max² - qᵀq >= 0 is a comparison of rationals, so this is exact."""
    longest: Fraction | None = problem.claim.get("max_length")
    if longest is None:
        return None
    square = Product(((1, Transposed(Name("q"))), (1, Name("q"))))
    short = Sum(((1, Number(longest**2)), (-1, square)))
    for name, query in zip(problem.answers, queries, strict=True):
        verdict = Inequality(short, ">=", {}, {"q": query[:, None]}).prove()
        if isinstance(verdict, Refuted):
            length = float(np.linalg.norm(query))
            own, allowed = apart(length, float(longest))
            return verdict.explained(f"`{name}` has length {own}; at most {allowed} is allowed")
    return None


def _seen(queries: np.ndarray, setting: Setting) -> str:
    """The weights of the answer on the wanted keys, rounded, beside what is asked of them."""
    assert isinstance(setting.goal, Goal)
    weights = np.mean([attend(query, setting.centre).weights for query in queries], axis=0)
    shown = setting.goal.indices[:_MOST_SHOWN]
    got = weights_in_words([key_name(setting, i) for i in shown], [number(float(weights[i])) for i in shown])
    shares = [number(float(share)) for share in setting.goal.shares[: len(shown)]]
    wanted = f"{shares[0]}{' each' if len(shares) > 1 else ''}" if len({*shares}) == 1 else joined(shares)
    at = " where every key is at its centre" if isinstance(setting.model, KeyModel) else ""
    who = "Your query gives" if len(queries) == 1 else f"Your {len(queries)} heads together give"
    return f"{who} {got}{at}; the goal is {wanted}."


def _explained(verdict: Verdict, seen: str, setting: Setting, confidence: Fraction | None = None) -> Verdict:
    """The verdict with a reason about the answer, in the question's names, that ends with what was proved."""
    proved = named(verdict.findings().get("bound", "") or verdict.reason, setting)
    if proved.startswith("total variation ") and isinstance(verdict, Proved | Refuted) and verdict.bound is not None:
        reached, allowed = apart(verdict.bound, setting.error)
        return verdict.explained(f"{seen} That is a total variation of {reached}; at most {allowed} is allowed.")
    if confidence is not None:
        error, often = number(float(setting.error)), number(float(confidence))
        seen += f" The total variation must be at most {error} with probability at least {often}."
    found = _BOUND.sub(r"The \1 is at", shortened(proved))
    return verdict.explained(f"{seen} {found}." if found else seen)
