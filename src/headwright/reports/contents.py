"""The beginning of the report: how many of what, which published answers fail, and a table of contents with marks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from headwright.problems import SHEETS
from headwright.reports.entries import Entry, counts
from headwright.reports.question_html import MARKS

_TILES = {
    "ours": "Our constructions",
    "published": "Published answers",
    "statements": "Statements of essay questions",
}


def opening(found: Sequence[Entry]) -> str:
    """Tiles of counts, the refuted published answers by name, and the contents."""
    refuted = [entry for entry in found if entry.published is not None and entry.published.status == "refuted"]
    named = ", ".join(_link(entry.problem.id) for entry in refuted)
    told = f"<p>Published answers that do not hold as they stand: {named}.</p>" if refuted else ""
    return f"{_tiles(found)}{told}{_contents(found)}"


def _tiles(found: Sequence[Entry]) -> str:
    tiles = []
    for name, table in counts(found).items():
        said = " ".join(
            f"<span class='{status}'>{MARKS[status]} {number} {status}</span>"
            for status, number in sorted(table.items())
        )
        tiles.append(f"<div class='tile'><b>{_TILES[name]}</b>{said}</div>")
    return f"<div class='tiles'>{''.join(tiles)}</div>"


def _contents(found: Sequence[Entry]) -> str:
    parts = [
        "<nav id='contents' aria-label='contents'><h2>Contents</h2>"
        "<p class='soft small'>First mark: our construction. Second: the published answer, where there is one. "
        f"{MARKS['proved']} proved, {MARKS['refuted']} refuted, {MARKS['argued']} argued (in writing, not proved), "
        f"{MARKS['undecided']} undecided.</p>"
    ]
    for letter, title in SHEETS.items():
        rows = "".join(_row(entry) for entry in found if entry.problem.sheet == letter)
        parts.append(f"<h3><a href='#sheet-{letter}'>Sheet {letter}</a>: {escape(title)}</h3><ul>{rows}</ul>")
    return "".join([*parts, "</nav>"])


def _row(entry: Entry) -> str:
    marks = [_mark(entry.showing.ours.status, "our construction")]
    if entry.published is not None:
        marks.append(_mark(entry.published.status, "published answer"))
    return f"<li><a href='#{escape(entry.problem.id)}'>{escape(entry.problem.id)} {''.join(marks)}</a></li>"


def _mark(status: str, of: str) -> str:
    return f"<span class='mark {status}' title='{of}: {status}'>{MARKS[status]}</span>"


def _link(problem_id: str) -> str:
    return f"<a href='#{escape(problem_id)}'>{escape(problem_id)}</a>"
