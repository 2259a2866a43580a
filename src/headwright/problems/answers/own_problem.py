"""OwnProblem: a teacher's question about given keys, judged by `certify` at those keys.

An answer is one query for each asked name, as a formula over the question's names, or as an array. Several queries
are heads, mixed equally. The answer is right when the weights are within `error` of the goal (for a key model: with
probability at least `confidence`; for Top: when the gap is positive) and no query is longer than `max_length`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright import arrays
from headwright.attention import attend
from headwright.goals import Goal, Top
from headwright.judging import certify
from headwright.keys import KeyModel
from headwright.problems.answers.asked_names import as_asked
from headwright.proofs import Inequality
from headwright.verdict import Refuted, Verdict

_KEY = re.compile(r"\bkey ([0-9]{1,9})\b")
_MOST_ROWS = 12
_MOST_SHOWN = 4  # keys of the goal whose weights are told


@final
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class OwnProblem:
    """One question of a teacher's own; `load` reads it from a file.

    `keys` is an array (n, d) or a key model; `values` holds what the names of formulas stand for; `solution` is the teacher's own
    answer, shown on request only.

    >>> from headwright.goals import Average
    >>> problem = OwnProblem(
    ...     id="X.1", question="Average keys 0 and 1.", keys=np.eye(4), goal=Average(0, 1), error=Fraction(1, 100),
    ...     values={"k_1": np.eye(4)[0], "k_2": np.eye(4)[1]},
    ... )
    >>> problem.check({"q": "9*(k_1 + k_2)"}).status, problem.check({"q": [1, 1, 0, 0]}).status
    ('proved', 'refuted')
    """

    id: str
    question: str
    keys: np.ndarray | KeyModel
    goal: Goal | Top
    error: Fraction
    values: Mapping[str, Any]
    sheet: str = "own"
    title: str = ""
    points: int | None = None
    answers: tuple[str, ...] = ("q",)
    confidence: Fraction | None = None
    max_length: Fraction | None = None
    solution: Mapping[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The symbols that a formula in the answer may use."""
        return tuple(self.values)

    @property
    def functions(self) -> tuple[str, ...]:
        """What a formula may call besides the usual functions: nothing."""
        return ()

    def asked(self) -> dict[str, Any]:
        """What those who are to answer may know, in types that JSON has: no solution."""
        told = {name: getattr(self, name) for name in ("id", "sheet", "title", "points", "question")}
        return {**told, "keys": self.keys_in_words(), "answers": list(self.answers), "names": list(self.names)}

    def keys_in_words(self) -> str:
        """The keys as rows where they are few, else how many there are."""
        if isinstance(self.keys, KeyModel):
            return self._named(str(self.keys).partition(": ")[2] or str(self.keys))
        n, d = self.keys.shape
        rows = "\n".join(
            f"{self.key_name(i)} = {[float(f'{x:.6g}') for x in key]}" for i, key in enumerate(self.keys[:_MOST_ROWS])
        )
        return rows if n <= _MOST_ROWS and d <= _MOST_ROWS else f"{n} keys in dimension {d}"

    def __str__(self) -> str:
        worth = "" if self.points is None else f" ({self.points} points)"
        return f"{self.id}{worth}: {self.question}"

    def __repr__(self) -> str:
        return f"<OwnProblem {self.id}>"

    def check(self, answer: Mapping[str, Any]) -> Verdict:
        """The verdict on an answer {name: formula or array}; ValueError or TypeError where it is none."""
        if not isinstance(answer, Mapping):
            raise TypeError(f"`answer` must map names to formulas or arrays, got {type(answer).__name__}")
        if all(isinstance(name, str) for name in answer):
            answer = as_asked(answer, self.answers)
        queries = np.array([self._query(name, answer) for name in self._asked(answer)])
        too_long = self._too_long(queries)
        if too_long is not None:
            return too_long
        if isinstance(self.goal, Top):
            return self._told(certify(self.keys, queries, self.goal), "the smallest score gap must be positive")
        verdict = certify(self.keys, queries, self.goal, error=self.error, confidence=self.confidence)
        return self._told(verdict, self._seen(queries))

    def explain(self) -> str:
        """The teacher's own answer in words; empty where the file gives none."""
        shown = (
            f"{name} = {value if isinstance(value, str) else np.asarray(value).tolist()}"
            for name, value in self.solution.items()
        )
        return ", ".join(shown)

    def _asked(self, answer: Mapping[str, Any]) -> tuple[str, ...]:
        asked = " and ".join(f"`{name}`" for name in self.answers)
        for name in answer:
            if name not in self.answers:
                raise ValueError(f"`{name}` is not asked for; question {self.id} asks for {asked}")
        for name in self.answers:
            if name not in answer:
                raise ValueError(f"`{name}` is missing; question {self.id} asks for {asked}")
        return self.answers

    def _query(self, name: str, answer: Mapping[str, Any]) -> np.ndarray:
        from headwright import formulas

        value = answer[name]
        if isinstance(value, str):
            value = formulas.evaluate(formulas.parse(value, names=self.names), self.values)
        d = self._centre().shape[1]
        if np.shape(value) != (d,):
            raise ValueError(f"`{name}` must be a vector of {d} numbers like the keys, got {_shape(value)}")
        return arrays.float64(value, name=name, ndim=1)

    def _too_long(self, queries: np.ndarray) -> Verdict | None:
        """Refuted where a query is longer than allowed: max² - qᵀq >= 0 is a comparison of rationals, so this is exact."""
        from headwright.forms.trees import Name, Number, Product, Sum, Transposed

        if self.max_length is None:
            return None
        square = Product(((1, Transposed(Name("q"))), (1, Name("q"))))
        short = Sum(((1, Number(self.max_length**2)), (-1, square)))
        for name, query in zip(self.answers, queries, strict=True):
            verdict = Inequality(short, ">=", {}, {"q": query[:, None]}).prove()
            if isinstance(verdict, Refuted):
                length = float(np.linalg.norm(query))
                return verdict.explained(
                    f"`{name}` is {length:.6g} long, and at most {float(self.max_length):.6g} is allowed"
                )
        return None

    def _seen(self, queries: np.ndarray) -> str:
        """The weights of the answer on the wanted keys, rounded, beside what is asked of them."""
        assert isinstance(self.goal, Goal)
        weights = np.mean([attend(query, self._centre()).weights for query in queries], axis=0)
        shown = self.goal.indices[:_MOST_SHOWN]
        got = ", ".join(f"{weights[i]:.4g} on {self.key_name(i)}" for i in shown)
        wanted = ", ".join(f"{float(share):.4g}" for share in self.goal.shares[: len(shown)])
        at = " where every key is at its centre" if isinstance(self.keys, KeyModel) else ""
        often = "" if self.confidence is None else f" with probability at least {float(self.confidence):g}"
        return (
            f"your weights are {got}{at}, and {wanted} is required. Their total variation from the goal must be at most "
            f"{float(self.error):g}{often}"
        )

    def _told(self, verdict: Verdict, seen: str) -> Verdict:
        """The verdict with a reason that speaks of the answer, by the question's names, and ends with what was proved."""
        found = self._named(verdict.findings().get("bound", "") or verdict.reason)
        return verdict.explained("; ".join(part for part in (seen, found) if part))

    def _named(self, text: str) -> str:
        return _KEY.sub(lambda key: self.key_name(int(key[1])), text)

    def key_name(self, index: int) -> str:
        """What the question calls this key, such as k_2; "key 1", counted from 0, where it has no name for it alone."""
        centre = self._centre()
        if not 0 <= index < len(centre):
            return f"key {index}"
        named = [name for name, value in self.values.items() if np.array_equal(value, centre[index])]
        alike = [i for i, key in enumerate(centre) if np.array_equal(key, centre[index])]
        if len(alike) == 1 or len(named) == len(alike):  # equal keys take their names in order
            return named[alike.index(index)] if named else f"key {index}"
        return f"key {index}"

    def _centre(self) -> np.ndarray:
        return self.keys.centre if isinstance(self.keys, KeyModel) else self.keys


def _shape(value: Any) -> str:
    shape = np.shape(value)
    return "a single number" if shape == () else f"an array of shape {shape}"
