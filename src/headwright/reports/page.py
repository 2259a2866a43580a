"""The report as one HTML page, self-contained, nothing fetched from outside; and the same as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from headwright.problems import CATALOGUE, SHEETS, WORDS
from headwright.reports.drawings import embedded
from headwright.reports.entries import Entry, counts, entry_of
from headwright.reports.exhibits import Exhibit, exhibits
from headwright.reports.question_html import MARKS, article, bars_html, link, mark, verdict_html
from headwright.reports.typesetting import typeset

FORMAT = "headwright report 1"
_TILES = {
    "ours": "Our constructions",
    "published": "Published answers",
    "statements": "Statements of essay questions",
}


def write_report(folder: Path, say: Callable[[str], None] = lambda _: None) -> tuple[Path, Path]:
    """Run and judge every question, and write report.html and report.json into `folder`, which is made if it is not there.

    `say` hears the id of each question before it is run.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"`folder` must be a folder, or a new one; {folder} is a file")
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for problem in CATALOGUE.values():
        say(problem.id)
        found.append(entry_of(problem))
    say("beyond the sheets")
    return write_files(folder / "report.html", found, exhibits())


def write_files(out: Path, found: Sequence[Entry], shown: Sequence[Exhibit] = ()) -> tuple[Path, Path]:
    """The page at `out` and the JSON beside it, each whole or not at all."""
    data = out.with_suffix(".json")
    _write(out, page(found, shown))
    _write(data, json.dumps(report_dict(found, shown), ensure_ascii=False, indent=1) + "\n")
    return out, data


def _write(target: Path, text: str) -> None:
    draft = target.with_name(f".{target.name}.draft")
    draft.write_text(text, encoding="utf-8", newline="\n")
    os.replace(draft, target)


def report_dict(found: Sequence[Entry], shown: Sequence[Exhibit] = ()) -> dict[str, Any]:
    """Everything the page says, but for its pictures, in types that JSON has."""
    return {
        "format": FORMAT,
        "words": WORDS,
        "counts": counts(found),
        "questions": [entry.to_dict() for entry in found],
        "beyond": [
            {
                "title": exhibit.title,
                "text": exhibit.text,
                "weights": exhibit.weights.tolist(),
                "goal": exhibit.goal.to_dict(),
                "verdicts": [verdict.to_dict() for verdict in exhibit.verdicts],
            }
            for exhibit in shown
        ],
    }


def page(found: Sequence[Entry], shown: Sequence[Exhibit] = ()) -> str:
    """The HTML of all questions with what they showed, and of the exhibits after them."""
    parts = []
    for letter, title in SHEETS.items():
        parts.append(f"<h2 id='sheet-{letter}'>Sheet {letter}: {escape(title)}</h2>")
        parts += [article(entry) for entry in found if entry.problem.sheet == letter]
    if shown:
        parts.append("<h2 id='beyond'>Beyond the sheets</h2>")
        parts += [_exhibit(exhibit) for exhibit in shown]
    return Template(_read("page.html")).substitute(
        style=_read("page.css"),
        run=len(found),
        asked=len(CATALOGUE),
        words=escape(WORDS),
        opening=_opening(found),
        questions="\n".join(parts),
    )


def _read(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")


def _exhibit(exhibit: Exhibit) -> str:
    judged = "".join(verdict_html(verdict) for verdict in exhibit.verdicts)
    bars = bars_html(exhibit.weights, set(exhibit.goal.indices))
    drawn = "".join(embedded(drawing) for drawing in exhibit.pictures)
    return f"<article><h3>{typeset(exhibit.title)}</h3><p>{typeset(exhibit.text)}</p>{bars}{judged}{drawn}</article>"


def _opening(found: Sequence[Entry]) -> str:
    """Tiles of counts, the refuted published answers by name, and the contents."""
    refuted = [entry for entry in found if entry.published is not None and entry.published.status == "refuted"]
    named = ", ".join(link(entry.problem) for entry in refuted)
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
    marks = mark(entry.showing.ours.status, "our construction")
    if entry.published is not None:
        marks += mark(entry.published.status, "published answer")
    return f"<li>{link(entry.problem, marks)}</li>"
