"""What the report holds of each question: its words, its setting, what running it showed, its statements judged, and its marks.

The setting in words is one line: the keys or key model, the goal, the heads, the error, and what the names stand for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from headwright.kernel.verdict import Refuted, Verdict
from headwright.problems import CATALOGUE, Problem, Showing, run as shown
from headwright.problems.family import Setting
from headwright.problems.judges import statements
from headwright.problems.judges.entries import text
from headwright.problems.problem import Statement
from headwright.problems.reports.drawings import drawings
from headwright.problems.reports.marks import Mark, mark_of, published_entries
from headwright.words.progress import with_progress


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

    @property
    def mark(self) -> Mark:
        """The mark of our construction."""
        return mark_of(self.showing.ours)

    @property
    def published_mark(self) -> Mark | None:
        return None if self.published is None else mark_of(self.published, published_entries(self.problem))

    @property
    def refuted(self) -> bool:
        """Whether the published answer does not hold as it stands."""
        return isinstance(self.published, Refuted)

    def worded(self, name: str) -> str:
        """The `headline` or the `finding` that the question's file has for its published answer, with the figures in it."""
        entries = published_entries(self.problem)
        figures = {name: table for entry in entries for name, table in entry.get("figures", {}).items()}
        return text(self.problem.published_entry.get(name, ""), figures)

    def to_dict(self) -> dict[str, Any]:
        shown = self.showing.to_dict()
        judged = [
            {
                **statement.to_dict(),
                "status": verdict.status,
                "mark": option_mark(verdict),
                "because": verdict.reason,
            }
            for statement, verdict in self.statements
        ]
        return {
            **self.problem.to_dict(),
            "title": self.problem.title,
            "setting": self.setting,
            "mark_on_ours": self.mark.id,
            "mark_on_published": None if self.published_mark is None else self.published_mark.id,
            "headline": self.worded("headline"),
            "finding": self.worded("finding"),
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


def judged_questions() -> list[Entry]:
    """Every question of the sheets, run and judged; a line on stderr says how far it is."""
    return [entry_of(problem) for problem in with_progress(CATALOGUE.values(), len(CATALOGUE), "Judging the questions")]


def option_mark(verdict: Verdict) -> str:
    """The mark of a statement that an essay question offers: one that is false was put there to be recognised."""
    return "false option" if isinstance(verdict, Refuted) else mark_of(verdict).id


def mark_counts(found: Iterable[Entry]) -> dict[str, dict[str, int]]:
    """How many constructions of ours, published answers and statements have which mark."""
    tables: dict[str, Counter[str]] = {"ours": Counter(), "published": Counter(), "statements": Counter()}
    for entry in found:
        tables["ours"][entry.mark.id] += 1
        if entry.published_mark is not None:
            tables["published"][entry.published_mark.id] += 1
        tables["statements"].update(option_mark(verdict) for _, verdict in entry.statements)
    return {name: dict(table) for name, table in tables.items()}


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
    words = []
    for name, value in setting.names.items():
        if isinstance(value, np.ndarray):
            words.append(
                f"{name} = {_along(value)}" if value.ndim == 1 else f"{name} is {value.shape[0]}×{value.shape[1]}"
            )
        elif name not in ("n", "eps"):
            words.append(f"{name} = {value:g}")
    return ", ".join(words)


def _along(vector: np.ndarray) -> str:
    """A multiple of an axis as such, any other vector by its coordinates."""
    if np.count_nonzero(vector) != 1:
        return np.array2string(vector, precision=4, separator=", ")
    axis = int(np.argmax(vector != 0))
    return f"e_{axis}" if vector[axis] == 1 else f"{vector[axis]:g} e_{axis}"
