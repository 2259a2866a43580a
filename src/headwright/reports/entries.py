"""What the report holds of each question: its words, its setting, what running it showed, and its statements judged.

The setting in words is one line: the keys or key model, the goal, the heads, the error, and what the names stand for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from headwright.problems import Problem, Showing, run as shown
from headwright.problems.family import Setting
from headwright.problems.judges import statements
from headwright.problems.problem import Statement
from headwright.reports.drawings import drawings
from headwright.verdict import Verdict


@final
@dataclass(frozen=True, eq=False)
class Entry:
    """One question, its setting in words, what running it showed, and its statements, each with a verdict."""

    problem: Problem
    setting: str
    showing: Showing
    statements: tuple[tuple[Statement, Verdict], ...] = ()

    @property
    def published(self) -> Verdict | None:
        """The verdict on the published answer; None where the sheet gives none."""
        return self.showing.published

    def to_dict(self) -> dict[str, Any]:
        shown = self.showing.to_dict()
        judged = [
            {**statement.to_dict(), "status": verdict.status, "because": verdict.reason}
            for statement, verdict in self.statements
        ]
        return {
            **self.problem.to_dict(),
            "setting": self.setting,
            "statements": judged,
            "construction": shown["construction"],
            "verdict_on_ours": shown["ours"],
            "verdict_on_published": shown["published"],
            "pictures": [drawing.caption for drawing in drawings(self.problem)],
            **{name: shown[name] for name in ("caption", "weights", "goal", "also")},
        }


def entry_of(problem: Problem) -> Entry:
    """The question, run and judged."""
    judged = tuple((statement, statements.judge(problem, statement.id)) for statement in problem.statements)
    return Entry(problem, setting_in_words(problem), shown(problem.id), judged)


def counts(found: Iterable[Entry]) -> dict[str, dict[str, int]]:
    """How many constructions of ours, published answers and statements have which verdict."""
    tables: dict[str, Counter[str]] = {"ours": Counter(), "published": Counter(), "statements": Counter()}
    for entry in found:
        tables["ours"][entry.showing.ours.status] += 1
        if entry.published is not None:
            tables["published"][entry.published.status] += 1
        tables["statements"].update(verdict.status for _, verdict in entry.statements)
    return {name: dict(table) for name, table in tables.items()}


def setting_in_words(problem: Problem) -> str:
    """The setting at which arrays and numbers are judged."""
    setting = problem.setting()
    parts = [_keys(setting), _goal(setting), _names(setting)]
    said = "; ".join(part for part in parts if part)
    return f"{said}." if said else problem.ours.get("setting", "The whole family at once.")


def _keys(setting: Setting) -> str:
    if setting.model is not None:
        return str(setting.model).partition(": ")[2].rstrip(".")
    if setting.keys is None:
        return ""
    n, d = setting.keys.shape
    if n == d and np.array_equal(setting.keys, np.eye(n)):
        return f"{n} orthonormal keys, the standard basis"
    unit = np.allclose(np.linalg.norm(setting.keys, axis=1), 1.0)
    if unit and np.all(setting.keys[1:] @ setting.keys[0] == 0.5):
        return f"{n} unit keys, all others at distance exactly 1 from the first, the nearest that is allowed"
    return f"{n} {'tokens' if setting.goal is None else 'keys'} in dimension {d}"


def _goal(setting: Setting) -> str:
    if setting.goal is None:
        return ""
    heads = {1: "one head", 2: "two heads"}.get(setting.heads, f"{setting.heads} heads")
    return f"goal {setting.goal}, {heads}, error {float(setting.error):g} (ε = {setting.epsilon})"


def _names(setting: Setting) -> str:
    """Vectors as coordinates, matrices by their shape, numbers as they are; n and ε are given elsewhere in it."""
    told = []
    for name, value in setting.names.items():
        if isinstance(value, np.ndarray):
            told.append(
                f"{name} = {_along(value)}" if value.ndim == 1 else f"{name} is {value.shape[0]}×{value.shape[1]}"
            )
        elif name not in ("n", "eps"):
            told.append(f"{name} = {value:g}")
    return ", ".join(told)


def _along(vector: np.ndarray) -> str:
    """A multiple of an axis as such, any other vector by its coordinates."""
    if np.count_nonzero(vector) != 1:
        return np.array2string(vector, precision=4, separator=", ")
    axis = int(np.argmax(vector != 0))
    return f"e_{axis}" if vector[axis] == 1 else f"{vector[axis]:g} e_{axis}"
