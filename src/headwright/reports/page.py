"""The tour as one HTML page: self-contained, nothing fetched from outside."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import numpy as np

from headwright.problems import CATALOGUE, COUNTEREXAMPLE, SHEETS, WORDS, Problem, Showing
from headwright.reports.drawings import drawings, embedded
from headwright.reports.exhibits import Exhibit
from headwright.verdict import Verdict

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fdfdfb; --soft: #777; --line: #ddd; --bar: #9db4c8; --goal: #2166ac }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e4; --paper: #17181a; --soft: #9a9a9a; --line: #333; --bar: #4a6076; --goal: #74add1 } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 46rem;
  margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; border-bottom: 1px solid var(--line); margin-top: 2.5rem }
article { margin: 1.5rem 0 } h3 { font-size: 1rem; margin: 0 } p { margin: .3rem 0 }
.soft { color: var(--soft) } .verdict { border-left: 4px solid; padding-left: .7rem; margin: .6rem 0 }
.proved { border-color: #1b7837 } .refuted { border-color: #b2182b } .undecided { border-color: #8c510a }
.bars { display: grid; grid-template-columns: max-content max-content 1fr; gap: 1px .6rem; align-items: center;
  font: 13px/1.4 ui-monospace, monospace; margin: .5rem 0 }
figure { margin: .8rem 0 } img { max-width: 100%; height: auto; background: #fff; border-radius: 4px }
.bars i { display: block; height: .8em; background: var(--bar); min-width: 1px } .bars i.goal { background: var(--goal) }
"""


def write_page(out: Path, showings: Mapping[str, Showing], shown: Sequence[Exhibit] = ()) -> None:
    """Write the page to `out`, whole or not at all."""
    draft = out.with_name(f".{out.name}.draft")
    draft.write_text(page(showings, shown), encoding="utf-8")
    os.replace(draft, out)


def page(showings: Mapping[str, Showing], shown: Sequence[Exhibit] = ()) -> str:
    """The HTML of all questions, those that ran with what they showed, and of the exhibits after them."""
    parts = []
    for letter, title in SHEETS.items():
        parts.append(f"<h2>Sheet {letter}: {escape(title)}</h2>")
        for problem in CATALOGUE.values():
            if problem.sheet == letter:
                parts.append(_article(problem, showings.get(problem.id)))
    if shown:
        parts.append("<h2>Beyond the sheets</h2>")
        parts += [_exhibit(exhibit) for exhibit in shown]
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'><title>headwright: the five sheets</title>"
        f"<style>{_STYLE}</style></head><body><h1>headwright: the five sheets</h1>"
        f"<p>{len(showings)} of {len(CATALOGUE)} questions run. Each is answered by a construction of ours and judged by "
        "proof; where the sheet publishes an answer, that is judged too.</p>"
        f"<p class='soft'>{escape(WORDS)}</p>"
        f"{''.join(parts)}</body></html>\n"
    )


def _article(problem: Problem, showing: Showing | None) -> str:
    points = "" if problem.points is None else f" <span class='soft'>{problem.points} points</span>"
    lines = [
        f"<article id='{escape(problem.id)}'><h3>{escape(problem.id)}{points}</h3><p>{escape(problem.question)}</p>"
    ]
    if showing is None:
        lines.append(f"<p class='soft'>Waits for {escape(problem.waits_for or '')}.</p>")
    else:
        lines.append(f"<p><b>Ours.</b> {escape(showing.construction)}.</p>")
        bars = ""
        if showing.weights is not None:
            wanted = set(showing.goal.indices) if showing.goal else set()
            bars = f"<p class='soft'>{escape(showing.caption)}</p>{_bars(showing.weights, wanted)}"
        ours = _verdict(showing.ours)
        lines.append(ours if showing.caption == COUNTEREXAMPLE else bars + ours)
        if showing.published is not None:
            lines.append(f"<p><b>Published.</b> {escape(problem.published or '')}</p>{_verdict(showing.published)}")
        if showing.caption == COUNTEREXAMPLE:
            lines.append(bars)
        wanted = set(showing.goal.indices) if showing.goal else set()
        lines += [f"<p class='soft'>{escape(caption)}</p>{_bars(weights, wanted)}" for caption, weights in showing.also]
        lines += [embedded(drawing) for drawing in drawings(problem.id)]
    return "".join([*lines, "</article>"])


def _exhibit(exhibit: Exhibit) -> str:
    judged = "".join(_verdict(verdict) for verdict in exhibit.verdicts)
    bars = _bars(exhibit.weights, set(exhibit.goal.indices))
    drawn = "".join(embedded(drawing) for drawing in drawings(exhibit.drawn))
    return f"<article><h3>{escape(exhibit.title)}</h3><p>{escape(exhibit.text)}</p>{bars}{judged}{drawn}</article>"


def _verdict(verdict: Verdict) -> str:
    details = "".join(
        f"<p><span class='soft'>{escape(name)}:</span> {escape(text)}</p>" for name, text in verdict.lines().items()
    )
    return f"<div class='verdict {verdict.status}'><b>{verdict.status.capitalize()}</b>: {escape(verdict.claim)}.{details}</div>"


def _bars(weights: np.ndarray, wanted: set[int]) -> str:
    rows = []
    for j, weight in enumerate(weights.tolist()):
        mark = " class='goal'" if j in wanted else ""
        rows.append(f"<span>key {j}</span><span>{weight:.4f}</span><i{mark} style='width:{100 * weight:.2f}%'></i>")
    return f"<div class='bars' role='img' aria-label='attention weights'>{''.join(rows)}</div>"
