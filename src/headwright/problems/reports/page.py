"""The report as one HTML page, self-contained, nothing fetched from outside; and the same as JSON.

It opens with what was found: the published answers that do not hold. What holds follows, folded, by sheet.
"""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from headwright.problems import SHEETS, WORDS
from headwright.problems.reports.drawings import embedded
from headwright.problems.reports.entries import Entry, counts, judged_questions, mark_counts
from headwright.problems.reports.exhibits import Exhibit, exhibits
from headwright.problems.reports.figures import bars_html, figure
from headwright.problems.reports.marks import MARKS, mark_of
from headwright.problems.reports.question_html import card, finding, link, verdict_html
from headwright.problems.reports.typesetting import typeset

FORMAT = "headwright report 1"
_FOLDER = Path(__file__).parent


def write_report(folder: Path) -> tuple[Path, Path]:
    """Run and judge every question, and write report.html and report.json into `folder`, which is made if it is not there."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"`folder` must be a folder, or a new one; {folder} is a file")
    folder.mkdir(parents=True, exist_ok=True)
    return write_files(folder / "report.html", judged_questions(), exhibits())


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
        "marks": mark_counts(found),
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
    refuted, held = ([entry for entry in found if entry.refuted is wrong] for wrong in (True, False))
    return Template(_read("page.html")).substitute(
        style=Template(_read("page.css")).substitute(font=b64encode((_FOLDER / "math.woff2").read_bytes()).decode()),
        script=_read("page.js"),
        lead=_lead(found, len(refuted)),
        tally=_tally(found),
        findings="\n".join(map(finding, refuted))
        or "<p>None of these questions has a published answer that fails.</p>",
        held="\n".join(_sheet(letter, held, refuted) for letter in SHEETS),
        beyond="\n".join(map(_exhibit, shown)),
        meanings="".join(
            f"<dt><span class='badge {mark.id}'>{mark.sign} {mark.name}</span></dt><dd>{mark.meaning}</dd>"
            for mark in MARKS.values()
        ),
        words=typeset(WORDS),
        sheets=_options((letter, f"Sheet {letter}") for letter in SHEETS),
        themes=_options((theme, theme) for theme in dict.fromkeys(entry.problem.theme for entry in found)),
        published=_options(_verdicts("published", found)) + _options([("published-none", "none published")]),
        ours=_options(_verdicts("ours", found)),
    )


def _read(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


def _lead(found: Sequence[Entry], refuted: int) -> str:
    """The finding of the whole report, in three sentences."""
    marks = mark_counts(found)
    published, options, ours = sum(marks["published"].values()), dict(marks["statements"]), marks["ours"]
    wrong = options.pop("false option", 0)
    told = f"{refuted} of the {published} published answers to these {len(found)} questions do not hold as they stand."
    own = f"Each question is also answered by a construction of our own: {_listed(ours)}."
    essay = (
        f"The essay questions offer {wrong + sum(options.values())} options: {_listed(options)}, and {wrong} that are false. "
        "Each false one was recognised by a counterexample."
    )
    return f"<p class='lead'>{told}</p><p>{own} {essay}</p>"


def _listed(table: dict[str, int]) -> str:
    return ", ".join(f"{table[mark.id]} {mark.name}" for mark in MARKS.values() if mark.id in table)


def _tally(found: Sequence[Entry]) -> str:
    """The published answers by their marks, each a link."""
    tiles = []
    for mark in MARKS.values():
        named = [entry.problem.id for entry in found if entry.published_mark is mark]
        if named:
            tiles.append(
                f"<li class='{mark.id}'><strong>{mark.sign} {len(named)}</strong> <b>{mark.name}</b>"
                f"<span>{' '.join(map(link, named))}</span></li>"
            )
    return f"<h2 class='over'>The published answers</h2><ul class='tally'>{''.join(tiles)}</ul>"


def _sheet(letter: str, held: Sequence[Entry], refuted: Sequence[Entry]) -> str:
    cards = "\n".join(card(entry) for entry in held if entry.problem.sheet == letter)
    above = " ".join(link(entry.problem.id, entry.published_mark) for entry in refuted if entry.problem.sheet == letter)
    also = f"<p class='small soft'>Above: {above}</p>" if above else ""
    title = f"<h3><span>Sheet {letter}</span> {escape(SHEETS[letter])}</h3>"
    return f"<section class='sheet' id='sheet-{letter}'>{title}{also}{cards}</section>" if cards else ""


def _exhibit(exhibit: Exhibit) -> str:
    judged = "".join(verdict_html(verdict, mark_of(verdict)) for verdict in exhibit.verdicts)
    shown = "".join(map(embedded, exhibit.pictures)) or figure([("weights", bars_html(exhibit.weights, exhibit.goal))])
    return (
        f"<article class='finding'><div class='words'><h3>{typeset(exhibit.title)}</h3><p>{typeset(exhibit.text)}</p></div>"
        f"<div>{shown}</div><details><summary>The verdicts</summary>{judged}</details></article>"
    )


def _verdicts(of: str, found: Sequence[Entry]) -> list[tuple[str, str]]:
    marks = mark_counts(found)[of]
    return [(f"{of}-{mark.id}", f"{mark.sign} {mark.name}") for mark in MARKS.values() if mark.id in marks]


def _options(choices: Iterable[tuple[str, str]]) -> str:
    return "".join(f"<option value='{escape(value)}'>{escape(name)}</option>" for value, name in choices)
