"""judge: an answer taken as its question asks for it, and sent to the judge of the question's kind of claim.

What is wrong with the answer itself is an `AnswerError` or a `FormulaError`, here and in every judge.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.verdict import Verdict
from headwright.problems.family import Family
from headwright.problems.judges import statements
from headwright.problems.judges.given_keys import judge_at_keys
from headwright.problems.judges.keyed import choice_verdict, text_verdict
from headwright.problems.judges.layers import judge_layer
from headwright.problems.judges.matrices import judge_low_rank, judge_read_out
from headwright.problems.judges.numbers import judge_number, without_unit
from headwright.problems.judges.queries import judge_exact, judge_queries
from headwright.problems.judges.readings import Read, judged_as_read
from headwright.problems.problem import MATRICES, Problem, about_the_answer

Given = dict[str, str | np.ndarray]
_MOST_ENTRIES = 10**6
_MOST_DIGITS = 20  # of a number before its point, or zeros after it, that are written out


JUDGES: dict[str, Callable[[Problem, Read, Family], Verdict]] = {
    "near": judge_queries,
    "each": judge_queries,
    "exact": judge_exact,
    "reads-out": judge_read_out,
    "low-rank": judge_low_rank,
    "layer": judge_layer,
    "number": judge_number,
}
_OF_WORDS: dict[str, Callable[[Problem, Given], Verdict]] = {  # answers that are not formulas
    "statement": lambda problem, given: statements.judge(problem, str(given["statement"])),
    "choice": choice_verdict,
    "text": text_verdict,
}


def judge(problem: Problem, answer: Mapping[str, Any], *, error: Any = None, n: int | None = None) -> Verdict:
    """The verdict on {name: formula or array}; `n` and `error` restrict the family that the question is about."""
    with balls.precision(balls.FLOAT_BITS):  # one thread at a time, from the first ball of an answer to the last
        for name, value in (("error", error), ("n", n)):
            if value is not None and problem.family.fixed:
                raise ValueError(
                    f"`{name}` is for questions about every size, and {problem.id} has its own; got {value!r}"
                )
        family = problem.family.restricted(n, None if error is None else inputs.rational(error, name="error"))
        given = answered(problem, answer)
        if problem.kind in _OF_WORDS:
            return _OF_WORDS[problem.kind](problem, given)
        at_keys = family.fixed and problem.kind in ("near", "impossible")
        judge_one = judge_at_keys if at_keys else JUDGES[problem.kind]
        return judged_as_read(problem, given, lambda read: judge_one(problem, read, family))


def answered(problem: Problem, answer: Any) -> Given:
    """The answer as its question asks for it; AnswerError where it is something else."""
    with about_the_answer():
        return _given(problem, answer)


def _given(problem: Problem, answer: Any) -> Given:
    """The answer with exactly the question's names, each a text or a float64 array."""
    if not isinstance(answer, Mapping):
        raise TypeError(f"`answer` must map names to formulas or arrays, got {type(answer).__name__}")
    for name in answer:
        if not isinstance(name, str):
            raise TypeError(f"`answer` must have names (str) as keys, got {type(name).__name__}")
    wanted = problem.answers
    answer = as_asked(answer, wanted, problem.also)
    factors = tuple(problem.claim.get("factors", ()))  # a matrix of low rank may be given as a product
    if factors and set(answer) == set(factors):
        wanted = factors
    unknown, missing = [k for k in answer if k not in wanted], [k for k in wanted if k not in answer]
    if unknown or missing:
        faults = [f"`{k}` {_where(k, answer)}" for k in missing] + [f"`{k}` is not asked for" for k in unknown]
        raise ValueError(f"The answer to {problem.id} must give {' and '.join(wanted)}, but {' and '.join(faults)}.")
    if problem.kind in ("choice", "text"):
        return {name: _plain(name, answer[name]) for name in wanted}
    if problem.kind == "number":
        return {name: without_unit(_plain(name, answer[name]), problem.claim["unit"]) for name in wanted}
    return {name: _value(name, answer[name], 2 if problem.kind in MATRICES else 1) for name in wanted}


def _where(name: str, answer: Mapping[str, Any]) -> str:
    """Where an asked name is, if not in a place of its own: q1 may stand in the text that was given for q2."""
    spelled = re.compile(rf"\b{name.rstrip('0123456789')}_?\{{?{name.lstrip(name.rstrip('0123456789'))}\}}?\s*:?=")
    inside = next((k for k, text in answer.items() if isinstance(text, str) and spelled.search(text)), None)
    return "is missing" if inside is None else f"stands in the text of `{inside}` and needs a line of its own"


def as_asked(
    answer: Mapping[str, Any], asked: Collection[str], also: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The answer under the asked names, q_1 and q1 being one name; a name that is none of them, nor in `also`, stays as it is.

    >>> as_asked({"q_1": "k_1", "q2": "k_2", "M": "I"}, ["q1", "q2"])
    {'q1': 'k_1', 'q2': 'k_2', 'M': 'I'}
    >>> as_asked({"q_1": "k_1", "q1": "k_2"}, ["q1"])  # two answers in one place: neither is dropped
    {'q_1': 'k_1', 'q1': 'k_2'}
    """
    names = {name: (also or {}).get(name) or _spelled(name, asked) for name in answer}
    meant = list(names.values())
    return {name if meant.count(names[name]) > 1 else names[name]: value for name, value in answer.items()}


def _spelled(name: str, asked: Collection[str]) -> str:
    if name in asked:
        return name
    same = [known for known in asked if known.replace("_", "") == name.replace("_", "")]
    return same[0] if len(same) == 1 else name


def _plain(name: str, value: Any) -> str:
    """A number as its shortest decimal, ids in a list as a text, and a text as it is."""
    if isinstance(value, list | tuple) and value and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    if isinstance(value, bool | np.bool_) or not isinstance(value, str | int | float | np.integer | np.floating):
        raise TypeError(f"`{name}` must be a text in quotes or a number, got {type(value).__name__}")
    if isinstance(value, str) and not value.strip():
        raise ValueError(f"`{name}` must not be empty")
    if not isinstance(value, str) and not math.isfinite(value):
        raise ValueError(f"`{name}` must be a finite number, got {value}")
    if isinstance(value, str):
        return value
    decimal = Decimal(str(value))
    power = decimal.adjusted()
    return format(decimal, "f") if abs(power) < _MOST_DIGITS else f"{decimal.scaleb(-power):f}*10^({power})"


def _value(name: str, value: Any, ndim: int) -> str | np.ndarray:
    if isinstance(value, str):
        if not value.strip():
            raise ValueError(f"`{name}` must not be empty")
        return value
    if isinstance(value, bool | np.bool_) or value is None:
        raise TypeError(f"`{name}` must be a formula in quotes or an array of numbers, got {value!r}")
    if name == "statement":
        raise TypeError(f"`statement` must be an id in quotes, got {type(value).__name__}")
    kind = "a vector" if ndim == 1 else "a matrix"
    if isinstance(value, Number | Fraction) or getattr(value, "ndim", None) == 0:
        raise ValueError(f"`{name}` must be {kind}, got a single number")
    if isinstance(value, Mapping | set | frozenset | bytes):
        raise TypeError(f"`{name}` must be a formula in quotes or an array of numbers, got {type(value).__name__}")
    if _holds_booleans(value):
        raise TypeError(f"`{name}` must hold numbers, got booleans")
    array = inputs.float64(value, name=name, ndim=ndim)
    if array.size > _MOST_ENTRIES:
        raise ValueError(f"`{name}` must have at most {_MOST_ENTRIES} entries, got {array.size}")
    return array


def _holds_booleans(value: Any) -> bool:
    """Whether an array is one of booleans, or a list or one of its rows has one: NumPy would read True as 1."""
    if not isinstance(value, list | tuple):
        return "bool" in str(getattr(value, "dtype", ""))
    rows = [value, *(row for row in value if isinstance(row, list | tuple))]
    return any(isinstance(entry, bool | np.bool_) for row in rows for entry in row)
