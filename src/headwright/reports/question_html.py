"""One question of the report as HTML: a card with its words, our construction, the published answer, verdicts and pictures."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

import numpy as np

from headwright.pictures.weight_columns import Panel
from headwright.problems import Problem
from headwright.reports.drawings import drawings, embedded, panels
from headwright.reports.entries import Entry
from headwright.reports.typesetting import sentence, typeset
from headwright.verdict import Verdict

_NEGLIGIBLE = 0.005  # a bar of half a hundredth is not seen
MARKS = {"proved": "✓", "refuted": "✗", "undecided": "?", "argued": "≡"}


def article(entry: Entry) -> str:
    """The card of one question; its id is the question's, so that others can link to it."""
    problem = entry.problem
    facts = _facts({"to show": problem.must_show, "setting": entry.setting})
    drawn = "".join(embedded(drawing) for drawing in drawings(problem))
    return (
        f"<article id='{escape(problem.id)}'>{_heading(problem)}<p>{typeset(problem.question)}</p>{facts}"
        f"{_ours(entry)}{_published(entry)}{drawn}{_statements(entry)}</article>"
    )


def _heading(problem: Problem) -> str:
    points = "" if problem.points is None else f"<span class='chip'>{problem.points} points</span>"
    return f"<h3>{link(problem)}{points}<span class='chip'>{escape(problem.theme)}</span></h3>"


def link(problem: Problem, marks: str = "") -> str:
    """A link to a question's card: its id, and marks after it."""
    return f"<a href='#{escape(problem.id)}'>{escape(problem.id)}{marks and ' '}{marks}</a>"


def _facts(facts: dict[str, str]) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{typeset(text)}</dd>" for name, text in facts.items() if text)
    return f"<dl class='facts'>{rows}</dl>"


def _ours(entry: Entry) -> str:
    showing = entry.showing
    bars = panels_html(panels(showing)[0])
    return f"<h4>Our construction</h4><p>{sentence(showing.construction)}</p>{verdict_html(showing.ours)}{bars}"


def _published(entry: Entry) -> str:
    problem, bars = entry.problem, panels_html(panels(entry.showing)[1])
    if problem.published is None:
        return bars
    given = "\n".join(f"{name} = {formula}" for name, formula in (problem.published_answer or {}).items())
    code = f"<code class='given'>{escape(given)}</code>" if given else ""
    judged = "" if entry.published is None else verdict_html(entry.published)
    return f"<h4>Published answer</h4><p>{typeset(problem.published)}</p>{code}{judged}{bars}"


def panels_html(shown: Iterable[Panel]) -> str:
    """Weights as bars, each set of them under its caption."""
    return "".join(
        f"<p class='soft small'>{typeset(caption[:1].upper() + caption[1:])}</p>"
        f"{bars_html(weights, set(goal.indices) if goal else set())}"
        for caption, weights, goal in shown
    )


def _statements(entry: Entry) -> str:
    """What may be answered, each judged: folded away, for the reader who wants to think first."""
    if not entry.statements:
        return ""
    rows = "".join(
        f"<li>{mark(verdict.status)} <code>{escape(statement.id)}</code>: "
        f"{typeset(statement.text)}<br><span class='soft small'>{sentence(verdict.reason)}</span></li>"
        for statement, verdict in entry.statements
    )
    return f"<details><summary>{len(entry.statements)} statements to choose from, judged</summary><ul>{rows}</ul></details>"


def mark(status: str, of: str = "") -> str:
    """The mark of a status; `of` is what has it, for those who point at the mark."""
    title = f" title='{of}: {status}'" if of else ""
    return f"<span class='mark {status}'{title}>{MARKS[status]}</span>"


def verdict_html(verdict: Verdict) -> str:
    """Status, claim, and below them what it rests on."""
    badge = f"<span class='badge'>{MARKS[verdict.status]} {verdict.status.capitalize()}</span>"
    facts = _facts(verdict.lines())
    return f"<div class='verdict {verdict.status}'><p>{badge}: {typeset(verdict.claim.rstrip('.'))}.</p>{facts}</div>"


def bars_html(weights: np.ndarray, wanted: set[int]) -> str:
    """A bar for each key; neighbours that the goal does not name share one where they look alike or hardly show."""
    rows = []
    for keys in _runs(weights, wanted):
        least, most = float(weights[keys].min()), float(weights[keys].max())
        name = f"key {keys[0]}" if len(keys) == 1 else f"keys {keys[0]}-{keys[-1]}, each"
        told = f"{most:.4f}" if f"{least:.4f}" == f"{most:.4f}" else f"≤ {math.ceil(most * 1e4) / 1e4:.4f}"
        named = " class='goal'" if keys[0] in wanted else ""
        rows.append(f"<span>{name}</span><span>{told}</span><i{named} style='width:{100 * most:.2f}%'></i>")
    return f"<div class='bars' role='img' aria-label='attention weights'>{''.join(rows)}</div>"


def _runs(weights: np.ndarray, wanted: set[int]) -> list[list[int]]:
    """The keys in groups of neighbours: alone where the goal names them, else with those of the same or a negligible weight."""
    found: list[list[int]] = []
    for j, weight in enumerate(weights.tolist()):
        last = found[-1] if found and j not in wanted and found[-1][-1] not in wanted else None
        before = weights[last[0]] if last else math.nan
        if last and (f"{before:.4f}" == f"{weight:.4f}" or max(before, weight) < _NEGLIGIBLE):
            last.append(j)
        else:
            found.append([j])
    return found
