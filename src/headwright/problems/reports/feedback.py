"""The page that a student gets: each question, the answer as it was read, what it earned, and why.

A page is one file without a script and without anything to fetch. What students wrote is escaped, and set as mathematics only
where that is known to be quick.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from headwright.problems import ClassGrade, Grade, Problem
from headwright.problems.answers.safe_text import plain
from headwright.problems.classes.class_statistics import OUTCOMES, outcome_of
from headwright.problems.grading.given_answers import chosen_statement
from headwright.problems.grading.results import Result
from headwright.problems.reports.typesetting import typeset

SIGNS = {"right": "✓", "part": "◐", "wrong": "✗", "waits": "…", "missing": "–"}
_DEEPEST = 8  # brackets within brackets, and bars: what is deeper would take the typesetter long, and is shown as text
_LONGEST = 1500
_LONGEST_WORDS = 6000  # of a student's explanation, which its writer knows
_MOST_BARS = 12
# What can be spelled shorter, since a page has a thousand elements: rows of one element, signs that neither stretch nor keep a
# distance, quotes around a single word. The text itself has no tags and no quotes: these are escaped.
_SHORTER = (
    (re.compile(r"<mrow>(<(m[nio])\b[^>]*>[^<]*</\2>)</mrow>"), r"\1"),
    (re.compile(r"<mo (?:stretchy='false'|lspace='0' rspace='0')>([()\[\]/′])</mo>"), r"<mi>\1</mi>"),
    (re.compile(r"='([\w.%-]+)'(?=[ >])"), r"=\1"),
    (re.compile("<span class=tied>"), "<span class=t>"),
)
_FOLDER = Path(__file__).parent


def feedback_page(graded: Grade, found: ClassGrade) -> str:
    """The HTML page of one file's grade."""
    questions = {name: item.question for name, item in found.assignment.items.items()}
    outcomes = {name: outcome_of(result) for name, result in graded.results.items()}
    who = plain(graded.student or graded.path)
    cards = "\n".join(
        _card(questions[name], result, outcomes[name], found.comments.get((graded.path, name), ""))
        for name, result in graded.results.items()
    )
    return document(
        f"{found.title}: {who}",
        f"<header><p class='over'>{text(found.title)}</p><h1>{escape(who)}</h1>{_total(graded, outcomes)}"
        f"{_notes(graded)}{_list(graded, outcomes)}"
        f"</header><main>{cards}</main><footer>{_footer(graded)}</footer>",
    )


def document(title: str, body: str) -> str:
    """A whole page in the style of the class's pages."""
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'><meta name='color-scheme' content='light dark'>"
        f"<link rel='icon' href='data:,'><title>{escape(title)}</title><style>{_style()}</style></head>"
        f"<body>\n{_shorter(body)}\n</body></html>\n"
    )


def _shorter(markup: str) -> str:
    """The same page in fewer bytes."""
    for long, short in _SHORTER:
        markup = long.sub(short, markup)
    return markup


@cache
def _style() -> str:
    """The style sheet with its font, and without its comments."""
    font = b64encode((_FOLDER / "math_signs.woff2").read_bytes()).decode()
    bare = re.sub(r"/\*.*?\*/", "", (_FOLDER / "feedback.css").read_text("utf-8"))
    return re.sub(r"\s*([{};:,])\s+", r"\1", Template(bare).substitute(font=font)).strip()


@lru_cache(maxsize=4096)
def text(words: str) -> str:
    """Words with their formulas set as mathematics; a line with a caret below it stays as it is typed."""
    first, _, rest = words.partition("\n")
    shown = typeset(first) if _quick(first) else escape(first)
    return f"{shown}<pre tabindex='0'>{escape(_dedented(rest))}</pre>" if rest.strip() else shown


def _quick(words: str) -> bool:
    depth = deepest = 0
    for letter in words:
        depth += (letter in "([{") - (letter in ")]}")
        deepest = max(deepest, depth)
    return len(words) <= _LONGEST and deepest <= _DEEPEST and max(map(words.count, "|‖√")) <= _DEEPEST


def _dedented(lines: str) -> str:
    split = [line for line in lines.split("\n") if line.strip()]
    least = min((len(line) - len(line.lstrip()) for line in split), default=0)
    return "\n".join(line[least:].rstrip() for line in split)


def points_in_words(result: Result) -> str:
    """Points of what is possible; of an answer that waits for a person, what it may earn.

    >>> points_in_words(Result("X.1", "X", "refuted", possible=7.5)), points_in_words(Result("X.1", "X", "written"))
    ('0 of 7.5 points', 'up to 1 point')
    """
    most = 1 if result.possible is None else result.possible
    return f"{'up to' if result.to_read else f'{result.points} of'} {most} point{'' if most == 1 else 's'}"


def _total(graded: Grade, outcomes: Mapping[str, str]) -> str:
    waits = sum(kind == "waits" for kind in outcomes.values())
    doubt = (
        f"<p>Provisional: {_count(waits, 'answer waits', 'answers wait')} for a person, who may add points.</p>"
        if waits
        else ""
    )
    sizes = dict.fromkeys(OUTCOMES, 0.0)
    for name, result in graded.results.items():
        sizes[outcomes[name]] += 1 if result.possible is None else result.possible
    bars = "".join(f"<i class='{kind}' style='flex:{size:.6g}'></i>" for kind, size in sizes.items() if size)
    return (
        f"<p class='total'><strong>{graded.points}</strong> of {graded.possible} points</p>"
        f"<div class='meter' aria-hidden='true'>{bars}</div>{doubt}"
    )


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _notes(graded: Grade) -> str:
    """What is wrong with the file as a whole."""
    if graded.unreadable is not None:
        return f"<div class='said wrong'><span class='badge'>{SIGNS['wrong']} not graded</span> {text(graded.unreadable)}</div>"
    return "".join(
        f"<div class='said waits'><span class='badge'>not graded</span> {text(complaint)}</div>"
        for complaint in graded.complaints
    )


def _list(graded: Grade, outcomes: Mapping[str, str]) -> str:
    rows = "".join(
        f"<li><a class='{kind}' href='#{anchor(name)}'><b>{SIGNS[kind]}</b> {escape(name)}"
        f"<span class='soft'>{'' if kind == 'waits' else graded.results[name].points}</span></a></li>"
        for name, kind in outcomes.items()
    )
    return f"<nav aria-label='Questions'><ul class='list'>{rows}</ul></nav>" if len(outcomes) > 3 else ""


def anchor(name: str) -> str:
    """The id of a question's place on a page."""
    return escape(re.sub(r"\W", "-", name))


def _card(question: Problem, result: Result, outcome: str, comment: str) -> str:
    drawn = picture(result.picture) if result.status == "refuted" else ""
    title = f"{escape(question.id)}{': ' if question.title else ''}{text(question.title)}"
    return (
        f"<article class='card {outcome}' id='{anchor(question.id)}'><div class='head'><h2>{title}</h2>"
        f"<p><span class='badge'>{SIGNS[outcome]} {text(result.word)}</span>"
        f"<span class='points'>{points_in_words(result)}</span></p></div>"
        f"<div class='question'>{_question(question.question)}</div>{_answer(question, result)}"
        f"{_said(result, comment)}{drawn}</article>"
    )


@lru_cache(maxsize=1024)
def _question(words: str) -> str:
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", words.strip())]
    return "".join(f"<p>{typeset(part)}</p>" for part in paragraphs)


def _answer(question: Problem, result: Result) -> str:
    """What the student wrote, and how it was read where that says more."""
    rows = []
    if chosen := chosen_statement(question, result.given):
        rows.append(("your choice", text(chosen)))
    elif result.given and not (result.reading and result.share == 1):
        rows.append(("you wrote", f"<pre class='given' tabindex='0'>{escape(result.given)}</pre>"))
    if result.reading:
        rows.append(("we read", _reading(result.reading)))
    if result.written:
        rows.append(("your words", f"<div class='words'>{escape(plain(result.written, longest=_LONGEST_WORDS))}</div>"))
    return f"<dl>{''.join(f'<dt>{name}</dt><dd>{shown}</dd>' for name, shown in rows)}</dl>" if rows else ""


def _reading(reading: str) -> str:
    return "<br>".join(text(line) for line in reading.split("\n"))


def _said(result: Result, comment: str) -> str:
    said = f"<div class='said'>{text(result.message)}</div>" if result.message else ""
    said += f"<div class='said'>Our answer: {text(result.explanation)}</div>" if result.explanation else ""
    said += (
        f"<div class='said note'><b>Comment:</b> <span class='words'>{escape(comment)}</span></div>" if comment else ""
    )
    return said


def picture(held: Mapping[str, Any] | None) -> str:
    """The weights at the counterexample as bars, with a dashed line at the weight that is required.

    >>> "0.526" in picture({"at": "n = 10", "bars": [["k_1", 0.5263, 0.667]]})
    True
    """
    bars = [] if held is None else list(held.get("bars", ()))[:_MOST_BARS]
    if held is None or not bars:
        return ""
    asked = any(least is not None for _, _, least in bars)
    rows = "".join(_bar(str(label), float(weight), least, asked) for label, weight, least in bars)
    required = "<th scope='col'>required</th>" if asked else ""
    dashed = " The dashed line is the required weight." if asked else ""
    return (
        f"<figure><figcaption>The weights of your answer for {text(str(held.get('at', '')))}.{dashed}</figcaption>"
        f"<table class='weights'><thead><tr><th scope='col'>key</th><th scope='col'>weight</th>{required}<td></td></tr></thead>"
        f"<tbody>{rows}</tbody></table></figure>"
    )


def _bar(label: str, weight: float, least: float | None, asked: bool) -> str:
    place = "" if least is None else f"{100 * min(max(float(least), 0.0), 1.0):.4g}"
    line = f"<line class='least' x1='{place}' x2='{place}' y1='-1.5' y2='11.5'/>" if place else ""
    required = "" if least is None else weight_in_words(float(least))
    return (
        f"<tr><th scope='row'>{text(label)}</th><td class='number'>{weight_in_words(weight)}</td>"
        + (f"<td class='number'>{required}</td>" if asked else "")
        + f"<td class='bar'>{svg_bars([('weight asked' if place else 'weight', weight)], 1.0, line)}</td></tr>"
    )


def svg_bars(parts: Sequence[tuple[str, float]], whole: float, above: str = "") -> str:
    """Bars end to end on a line that stands for the whole; `above` is drawn over them."""
    drawn, at = [], 0.0
    for kind, size in parts:
        share = 100 * min(max(size / whole, 0.0), 1.0)
        drawn.append(f"<rect class='{kind}' x='{at:.4g}' width='{share:.4g}' height='10'/>" if share else "")
        at += share
    return f"<svg viewBox='0 0 100 10' preserveAspectRatio='none' aria-hidden='true'>{''.join(drawn)}{above}</svg>"


def weight_in_words(weight: float) -> str:
    """A weight with three or four figures.

    >>> weight_in_words(0.52631), weight_in_words(2.69e-05), weight_in_words(0.0)
    ('0.526', '< 0.001', '0')
    """
    if weight == 0:
        return "0"
    return "< 0.001" if 0 < weight < 0.0005 else f"{weight:.3f}"


def _footer(graded: Grade) -> str:
    return (
        f"File {escape(plain(graded.path))}. Judged by headwright: an answer counts by what it does, not by its form. "
        "Ask your teacher if you think that an answer was misjudged."
    )
