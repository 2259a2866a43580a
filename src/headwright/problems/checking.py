"""check: anyone's answer to a question of the sheets, judged by what it does.

An answer names what its question asks for: {"q": "2*log(n/eps)*k_1"}, {"q1": …, "q2": …}, {"M": …}, {"statement": "an-id"}. Text
is a formula over the question's own names and is judged over the whole family that the question speaks of; an array is judged
at `problem.setting()`. No stored solution is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np

from headwright import arrays, balls
from headwright.problems.answers.asked_names import as_asked
from headwright.problems.answers.own_problem import OwnProblem
from headwright.problems.catalogue import find
from headwright.problems.judges import Members, judge
from headwright.problems.problem import Problem
from headwright.verdict import Verdict

LARGEST = 10**12  # the largest n that a family may be restricted to
_MOST_ENTRIES = 10**6
_VECTORS = ("q", "q1", "q2")
_FACTORED = {"A.3c": ("L", "R")}  # a matrix of low rank may be given as a product


def check(
    problem_id: str | Problem | OwnProblem, answer: Mapping[str, Any], *, error: Any = None, n: int | None = None
) -> Verdict:
    """Proved, Refuted or Undecided: does `answer` do what the question asks?

    `answer` maps the question's answer names to a formula (str) or an array. A formula is judged for all n >= 2 and all
    tolerances ε in (0, 1), or "≈" as error 0.01 where it has no eps; `n` and `error` restrict the family to that one member.
    An array is judged at `problem.setting(n)`, n = 10 and error 0.01 unless given. A verdict's reason is about the answer
    given, and never tells another. A teacher's own question, as `load` reads it, has its own keys and error: neither is given.

    >>> check("A.1a", {"q": "2*log(n/eps)*k_1"}).status, check("A.1a", {"q": "log(n/eps)*k_1"}).status
    ('proved', 'refuted')
    """
    with balls.precision(balls.FLOAT_BITS):  # one thread at a time, from the first ball of an answer to the last
        if isinstance(problem_id, OwnProblem):
            return _own(problem_id, answer, {"error": error, "n": n})
        problem = problem_id if isinstance(problem_id, Problem) else find(problem_id)
        return judge(problem, _given(problem, answer), _members(n, error))


def _own(problem: OwnProblem, answer: Mapping[str, Any], fixed: Mapping[str, Any]) -> Verdict:
    for name, value in fixed.items():
        if value is not None:
            raise ValueError(f"`{name}` goes with a question of the sheets: {problem.id} has its own, got {value!r}")
    return problem.check(answer)


def _members(n: Any, error: Any) -> Members:
    number = None if n is None else arrays.count(n, name="n", least=2)
    if number is not None and number > LARGEST:
        raise ValueError(f"`n` must lie between 2 and {LARGEST}, got {number}")
    allowed = None if error is None else arrays.rational(error, name="error")
    if allowed is not None and not 0 < allowed < 1:
        raise ValueError(f"`error` must lie strictly between 0 and 1, got {arrays.show(allowed)}")
    return Members(number, allowed)


def _given(problem: Problem, answer: Any) -> dict[str, str | np.ndarray]:
    """The answer with exactly the question's names, each a text or a float64 array."""
    if not isinstance(answer, Mapping):
        raise TypeError(f"`answer` must map names to formulas or arrays, got {type(answer).__name__}")
    for name in answer:
        if not isinstance(name, str):
            raise TypeError(f"`answer` must have names (str) as keys, got {type(name).__name__}")
    wanted = problem.answers
    answer = as_asked(answer, wanted)
    factors = _FACTORED.get(problem.id)
    if factors and set(answer) == set(factors):
        wanted = factors
    unknown, missing = [k for k in answer if k not in wanted], [k for k in wanted if k not in answer]
    if unknown or missing:
        faults = [f"{', '.join(found)} {word}" for found, word in ((missing, "missing"), (unknown, "unknown")) if found]
        raise ValueError(f"`answer` to {problem.id} must define {' and '.join(wanted)}: {'; '.join(faults)}")
    return {name: _value(name, answer[name]) for name in wanted}


def _value(name: str, value: Any) -> str | np.ndarray:
    if isinstance(value, str):
        if not value.strip():
            raise ValueError(f"`{name}` must not be empty")
        return value
    if isinstance(value, bool | np.bool_) or value is None:
        raise TypeError(f"`{name}` must be a formula in quotes or an array of numbers, got {value!r}")
    if name == "statement":
        raise TypeError(f"`statement` must be an id in quotes, got {type(value).__name__}")
    kind = "a vector" if name in _VECTORS else "a matrix"
    if isinstance(value, Number | Fraction) or getattr(value, "ndim", None) == 0:
        raise ValueError(f"`{name}` must be {kind}, got a single number")
    if isinstance(value, Mapping | set | frozenset | bytes):
        raise TypeError(f"`{name}` must be a formula in quotes or an array of numbers, got {type(value).__name__}")
    return _array(name, value)


def _array(name: str, value: Any) -> np.ndarray:
    if _holds_booleans(value):
        raise TypeError(f"`{name}` must hold numbers, got booleans")
    found = arrays.float64(value, name=name, ndim=1 if name in _VECTORS else 2)
    if found.size > _MOST_ENTRIES:
        raise ValueError(f"`{name}` must have at most {_MOST_ENTRIES} entries, got {found.size}")
    return found


def _holds_booleans(value: Any) -> bool:
    """Whether an array is one of booleans, or a list or one of its rows has one: NumPy would read True as 1."""
    if not isinstance(value, list | tuple):
        return "bool" in str(getattr(value, "dtype", ""))
    rows = [value, *(row for row in value if isinstance(row, list | tuple))]
    return any(isinstance(entry, bool | np.bool_) for row in rows for entry in row)
