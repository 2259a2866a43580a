"""The pages of a class: one for each student, and one that says how the questions went. The second names nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from headwright.problems import ClassGrade
from headwright.problems.classes._grade_class import page_name
from headwright.problems.classes.class_results import write_whole
from headwright.problems.classes.class_statistics import OUTCOMES
from headwright.problems.reports.feedback import SIGNS, anchor, document, feedback_page, svg_bars, text


def write_pages(found: ClassGrade, statistics: Mapping[str, Any], out: Path) -> None:
    """Write feedback/NAME.html for every file, and class.html."""
    for graded in found.grades:
        write_whole(out / "feedback" / page_name(graded.path), feedback_page(graded, found))
    write_whole(out / "class.html", class_page(statistics))


def class_page(found: Mapping[str, Any]) -> str:
    """The HTML page of a class's statistics."""
    waits = f", and {_answers(found['to_read'])} for a person" if found["to_read"] else ""
    bad = f" {found['unreadable']} could not be read." if found["unreadable"] else ""
    lead = (
        f"<p>{found['files']} {'file' if found['files'] == 1 else 'files'}, {found['possible']} points{waits}.{bad}</p>"
    )
    return document(
        f"{found['title']}: the class",
        f"<header><p class='over'>The class</p><h1>{text(found['title'])}</h1>{lead}</header>"
        f"<main>{_totals(found['totals'], provisional=found['provisional'])}{_questions(found['questions'])}"
        f"{''.join(map(_wrong, found['questions']))}{_waiting(found['questions'])}</main>",
    )


def _answers(number: int) -> str:
    return "1 answer waits" if number == 1 else f"{number} answers wait"


def _totals(totals: Mapping[str, Any], *, provisional: bool) -> str:
    """How many files have how many points."""
    if not totals["bins"]:
        return ""
    most = max(each["files"] for each in totals["bins"])
    rows = "".join(
        f"<tr><th scope='row'>{each['from']:g} to {each['to']:g}</th><td class='number'>{each['files']}</td>"
        f"<td class='bar'>{svg_bars([('weight asked', each['files'])], most)}</td></tr>"
        for each in totals["bins"]
    )
    words = f"Mean {totals['mean']:g}, median {totals['median']:g}, least {totals['least']:g}, most {totals['most']:g}."
    words += " These figures are provisional: answers that wait for a person count 0 points." if provisional else ""
    return (
        f"<section class='card'><h2>Totals</h2><p>{words}</p><table class='weights'><thead><tr><th scope='col'>points</th>"
        f"<th scope='col'>files</th><td></td></tr></thead><tbody>{rows}</tbody></table></section>"
    )


def _questions(questions: Sequence[Mapping[str, Any]]) -> str:
    rows = "".join(map(_question, questions))
    legend = " ".join(f"<span class='{name}'><b>{SIGNS[name]}</b> {words}</span>" for name, words in OUTCOMES.items())
    return (
        f"<section class='card'><h2>Questions</h2><p class='legend small'>{legend}</p><table class='shares'><thead><tr>"
        "<th scope='col'>question</th><th scope='col'>right</th><th scope='col'>mean</th><td></td></tr></thead>"
        f"<tbody>{rows}</tbody></table></section>"
    )


def _question(asked: Mapping[str, Any]) -> str:
    outcomes, name = asked["outcomes"], escape(asked["id"])
    if asked["groups"]:
        name = f"<a href='#{anchor(asked['id'])}'>{name}</a>"
    count = sum(outcomes.values())
    right = "" if asked["share_right"] is None else f"{100 * asked['share_right']:.0f} %"
    mean = "" if asked["mean"] is None else f"{asked['mean']:g} of {asked['possible']:g}"
    label = ", ".join(f"{outcomes[name]} {words}" for name, words in OUTCOMES.items() if outcomes[name])
    return (
        f"<tr><th scope='row'><b>{name}</b> <span class='soft title'>{text(asked['title'])}</span></th>"
        f"<td class='number'>{right}</td><td class='number'>{mean}</td>"
        f"<td class='bar' title='{escape(label)}'>{svg_bars([(name, outcomes[name]) for name in OUTCOMES], count or 1)}</td></tr>"
    )


def _wrong(asked: Mapping[str, Any]) -> str:
    """What went wrong with one question."""
    if not asked["groups"]:
        return ""
    groups = "".join(map(_group, asked["groups"]))
    title = f"<h2>{escape(asked['id'])}: what went wrong</h2>"
    return f"<section class='card wrong' id='{anchor(asked['id'])}'>{title}{groups}</section>"


def _waiting(questions: Sequence[Mapping[str, Any]]) -> str:
    waiting = "".join(
        f"<h3>{escape(asked['id'])}</h3>{''.join(map(_group, asked['waiting']))}"
        for asked in questions
        if asked["waiting"]
    )
    about = "<p>Type points into to_read.csv and grade again: they count from then on.</p>"
    return f"<section class='card waits'><h2>Waiting for a person</h2>{about}{waiting}</section>" if waiting else ""


def _group(group: Mapping[str, Any]) -> str:
    count = f"{group['files']} {'student' if group['files'] == 1 else 'students'}"
    example = group["example"]
    if example is None:
        return f"<p><b>{count}</b>: something else, each in few files.</p>"
    read = example["reading"] or example["statement"]
    shown = text(read) if read else f"<code>{escape(example['given'])}</code>"
    spread = "" if group["different"] == 1 else f" ({group['different']} different answers)"
    said = f"<div>{text(group['message'])}</div>" if group["message"] else ""
    given = f"<dt>for example</dt><dd>{shown}</dd>" if example["reading"] or example["given"] else ""
    return f"<h3>{count}: {text(group['word'])}{spread}</h3><dl>{given}<dt>message</dt><dd>{said}</dd></dl>"
