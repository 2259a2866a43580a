"""One question of the report as HTML: a finding in the open, or a card that is folded until it is asked for."""

from __future__ import annotations

from html import escape

from headwright.faces.pictures.weight_columns import Panel
from headwright.kernel.verdict import Verdict
from headwright.problems.reports.drawings import drawings, embedded, panels
from headwright.problems.reports.entries import Entry, option_mark
from headwright.problems.reports.figures import panels_html
from headwright.problems.reports.marks import MARKS, Mark
from headwright.problems.reports.typesetting import sentence, typeset

_ASIDE = ("fails at", "how", "scope", "about")  # what most readers pass over


def finding(entry: Entry) -> str:
    """A published answer that does not hold: what is wrong with it in two sentences, its picture, and all the rest folded."""
    problem, mark = entry.problem, entry.published_mark
    assert mark is not None, "a finding is about a published answer"
    drawn = drawings(problem)
    picture = embedded(drawn[0]) if drawn else panels_html(_compared(entry))
    return (
        f"<article class='finding {mark.id}' id='{escape(problem.id)}' {_tags(entry)}><div class='words'>"
        f"<p class='over'>{link(problem.id)} {badge(mark)}</p>"
        f"<h3>{typeset(entry.worded('headline'))}</h3><p>{typeset(entry.worded('finding'))}</p></div>{picture}"
        f"<details><summary>The question, both answers and their verdicts</summary>{_body(entry)}</details></article>"
    )


def card(entry: Entry) -> str:
    """A question whose answers hold, folded to one line. Its id is inside, so that a link to it unfolds the card."""
    problem = entry.problem
    marks = badge(entry.mark, "ours") + (badge(entry.published_mark, "published") if entry.published_mark else "")
    drawn = "".join(map(embedded, drawings(problem)))
    pictures = f"<div class='pictures'>{drawn}</div>" if drawn else ""
    body = f"<article id='{escape(problem.id)}'>{_body(entry)}{pictures}</article>"
    title = f"{typeset(problem.title)} <span class='theme'>{escape(problem.theme)}</span>"
    return (
        f"<details class='card' {_tags(entry)}><summary><b>{escape(problem.id)}</b><span class='title'>{title}</span>"
        f"<span class='marks'>{marks}</span></summary>{body}</details>"
    )


def link(question: str, mark: Mark | None = None) -> str:
    """A permanent link to a question."""
    sign = f" <span class='{mark.id}'>{mark.sign}</span>" if mark else ""
    return f"<a class='id' href='#{escape(question)}'>{escape(question)}{sign}</a>"


def badge(mark: Mark, of: str = "") -> str:
    """The sign of a mark with its name, or with what has the mark, where the name is for those who listen or point."""
    words = f"{of}<span class='unseen'>: {mark.name}</span>" if of else mark.name
    return f"<span class='badge {mark.id}' title='{mark.name}'>{mark.sign} {words}</span>"


def verdict_html(verdict: Verdict, mark: Mark) -> str:
    """The mark, the claim, why, and folded away what the proof rests on."""
    lines = verdict.lines()
    shown = {name: text for name, text in lines.items() if name not in (*_ASIDE, "because")}
    aside = _facts({name: text for name, text in lines.items() if name in _ASIDE})
    because = f"<p>{sentence(lines['because'])}</p>" if "because" in lines else ""
    return (
        f"<div class='verdict {mark.id}'><p>{badge(mark)} {sentence(verdict.claim)}</p>{because}{_facts(shown)}"
        f"<details><summary>How it was judged</summary>{aside}</details></div>"
    )


def _tags(entry: Entry) -> str:
    """What the filters of the page look at."""
    marks = [f"ours-{entry.mark.id}", f"published-{entry.published_mark.id if entry.published_mark else 'none'}"]
    problem = entry.problem
    return f"data-sheet='{escape(problem.sheet)}' data-theme='{escape(problem.theme)}' data-marks='{' '.join(marks)}'"


def _compared(entry: Entry) -> list[Panel]:
    """The two sets of weights that a finding is seen in: a question's file has them last."""
    ours, others = panels(entry.showing)
    return (ours + others)[-2:]


def _body(entry: Entry) -> str:
    problem = entry.problem
    points = "" if problem.points is None else f" · {problem.points} points"
    return (
        f"<p class='small soft'>{link(problem.id)} · {typeset(problem.title)} · {escape(problem.theme)}{points}</p>"
        f"<p>{typeset(problem.question)}</p>{_facts({'to show': problem.must_show, 'setting': entry.setting})}"
        f"{_published(entry)}{_ours(entry)}{_statements(entry)}"
    )


def _ours(entry: Entry) -> str:
    showing = entry.showing
    weights = panels_html(panels(showing)[0])
    return f"<h4>Our construction</h4><p>{sentence(showing.construction)}</p>{verdict_html(showing.ours, entry.mark)}{weights}"


def _published(entry: Entry) -> str:
    problem, weights = entry.problem, panels_html(panels(entry.showing)[1])
    if entry.published is None or entry.published_mark is None:
        return weights
    given = "\n".join(f"{name} = {formula}" for name, formula in (problem.published_answer or {}).items())
    code = f"<code class='given'>{escape(given)}</code>" if given and "statement" not in given else ""
    judged = verdict_html(entry.published, entry.published_mark)
    return f"<h4>Published answer</h4><p>{typeset(problem.published or '')}</p>{code}{judged}{weights}"


def _statements(entry: Entry) -> str:
    """What an essay question offers as answers, each judged: folded away, for the reader who wants to think first."""
    if not entry.statements:
        return ""
    rows = "".join(
        f"<li>{_option(verdict)} {typeset(statement.text)} <code class='small'>{escape(statement.id)}</code>"
        f"<p class='small soft'>{sentence(verdict.reason)}</p></li>"
        for statement, verdict in entry.statements
    )
    return (
        f"<details><summary>{len(entry.statements)} options to choose from, judged</summary><ul>{rows}</ul></details>"
    )


def _option(verdict: Verdict) -> str:
    """The mark of an option; one that is false was put there to be recognised, so it has a mark of its own."""
    known = MARKS.get(option_mark(verdict))
    return badge(known) if known else "<span class='badge false'>≠ false option</span>"


def _facts(facts: dict[str, str]) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{_fact(name, text)}</dd>" for name, text in facts.items() if text)
    return f"<dl>{rows}</dl>" if rows else ""


def _fact(name: str, text: str) -> str:
    """A counterexample is numbers for a machine; all else is for a reader."""
    return f"<code>{escape(text)}</code>" if name == "fails at" else typeset(text)
