"""What the report holds of each question: its words, its setting, what running it showed, and its statements judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, final

from headwright.problems import CATALOGUE, Problem, Showing, run as shown
from headwright.problems.judges import statements
from headwright.problems.problem import Statement
from headwright.reports.drawings import drawings
from headwright.reports.setting_words import setting_in_words
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
        judged = [{**statement.to_dict(), **_brief(verdict)} for statement, verdict in self.statements]
        return {
            **self.problem.to_dict(),
            "published": self.problem.published,
            "setting": self.setting,
            "statements": judged,
            "construction": shown["construction"],
            "verdict_on_ours": shown["ours"],
            "verdict_on_published": shown["published"],
            "pictures": [drawing.caption for drawing in drawings(self.problem.id)],
            **{name: shown[name] for name in ("caption", "weights", "goal", "also")},
        }


def _brief(verdict: Verdict) -> dict[str, str]:
    return {"status": verdict.status, "because": verdict.reason}


def entry_of(problem: Problem) -> Entry:
    """The question, run and judged."""
    judged = tuple((statement, statements.judge(problem, statement.id)) for statement in problem.statements)
    return Entry(problem, setting_in_words(problem), shown(problem.id), judged)


def entries(say: Callable[[str], None] | None = None) -> tuple[Entry, ...]:
    """Every question in the order of the sheets; `say` hears the id of each before it is run."""
    found = []
    for problem in CATALOGUE.values():
        if say is not None:
            say(problem.id)
        found.append(entry_of(problem))
    return tuple(found)


def counts(found: Iterable[Entry]) -> dict[str, dict[str, int]]:
    """How many constructions of ours, published answers and statements have which verdict."""
    tables: dict[str, Counter[str]] = {"ours": Counter(), "published": Counter(), "statements": Counter()}
    for entry in found:
        tables["ours"][entry.showing.ours.status] += 1
        if entry.published is not None:
            tables["published"][entry.published.status] += 1
        tables["statements"].update(verdict.status for _, verdict in entry.statements)
    return {name: dict(table) for name, table in tables.items()}
