"""Cards of what somebody designed: Design, Layer, and how far keys may move: Radius."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from headwright.faces.cards.parts import (
    DOWN,
    UP,
    Html,
    count,
    element,
    figures,
    fold,
    frame,
    grid,
    joined,
    note,
    number,
    text,
    weight_bars,
)
from headwright.faces.cards.verdicts import mark, proof
from headwright.kernel.goals import Copy, Top

if TYPE_CHECKING:
    from headwright.search.radius.radius_result import Radius
    from headwright.words.design import Design
    from headwright.words.layer import Layer

_MOST_DIGITS = 24  # of a number that was asked for, which may be a long fraction
_MOST_TOKENS = 12  # a larger layer shows a few of its rows


def design_card(design: Design) -> Html:
    found, colour = mark(design.verdict)
    varying = "varying key" if design.confidence is not None else "key"
    facts = [Html(f"{count(len(design.queries), 'head')} over {count(len(design.weights), varying)}")]
    facts += [text(word) for word in (design.formed, design.method, design.precision) if word]
    wanted = _wanted(design.goal)
    shown = {"query norm": (number(design.norm), _above_least(design)), **_reached(design)}
    body = [note(joined(*facts)), figures(shown), weight_bars(design.weights, wanted)]
    body += proof([design.verdict, design.optimality])
    return frame([found], "Design", text(design.goal), *body, colour=colour)


def _wanted(goal: object) -> dict[int, float | None]:
    if isinstance(goal, Top):
        return dict.fromkeys(goal.indices)
    shares = zip(getattr(goal, "indices", ()), getattr(goal, "shares", ()), strict=True)
    return {j: float(share) for j, share in shares}


def _above_least(design: Design) -> Html:
    """How much longer the query may be than the shortest: its norm beside the proved least norm."""
    least = design.lower_bound
    if design.max_norm is not None:
        return Html(f"at most {number(float(design.max_norm), UP)} allowed")
    if least is None:
        return text("no least norm proved" if design.confidence is None else "the longest head")
    if least <= 0:
        return text("the least norm is 0")
    among = "" if isinstance(design.goal, Copy | Top) else " with exact ratios"
    over = max(0.0, design.norm / least - 1)
    if over < 1e-9:
        return text(f"the least{among}, to nine digits")
    return Html(f"at most {number(100 * over, UP, digits=2)} % above the least{among}")


def _reached(design: Design) -> dict[str, tuple[Html, Html]]:
    asked = Html(f"asked: {text(design.asked, most=_MOST_DIGITS)}")
    if design.max_norm is not None:
        asked = _best_within(design)
    if isinstance(design.goal, Top):
        return {"score gap": (_bound(design.gap, "≥", DOWN), asked)}
    if design.confidence is None:
        return {"error": (_bound(design.error, "≤", UP), asked)}
    wish = Html(f"asked: {text(design.confidence, most=_MOST_DIGITS)}")
    return {f"probability of error ≤ {design.asked}": (_bound(design.probability, "≥", DOWN), wish)}


def _best_within(design: Design) -> Html:
    """What no query within the norm improves on."""
    among = "" if isinstance(design.goal, Copy | Top) else " with exact ratios"
    if design.gap_upper_bound is not None:
        return Html(f"none within the norm reaches more than {number(design.gap_upper_bound, UP)}")
    if design.error_lower_bound is not None:
        return Html(f"none within the norm{among} errs less than {number(design.error_lower_bound, DOWN)}")
    return text("no bound proved")


def _bound(value: float | None, sign: str, rounding: str) -> Html:
    return text("not proved") if value is None else Html(f"{sign} {number(value, rounding)}")


def radius_card(radius: Radius) -> Html:
    found, colour = mark(radius.verdict if radius.verdict is not None else radius.refutation)
    shown = {
        "proved up to": (
            text("nothing") if radius.low is None else number(radius.low, DOWN),
            text("every move within it"),
        ),
        "refuted at": (
            number(radius.high, UP),
            text("no move known" if radius.refutation is None else "some move within it"),
        ),
    }
    times = "" if radius.profile is None else "times the profile, "
    facts = note(text(times + ("per coordinate" if radius.norm == "box" else "in length")))
    body = [facts, figures(shown), *proof([radius.verdict, radius.refutation])]
    return frame([found], "Radius", text(radius.summary()), *body, colour=colour)


def layer_card(layer: Layer) -> Html:
    found, colour = mark(layer.verdict)
    facts = [count(layer.heads, "head"), text(f"rank {layer.rank}"), *([text("causal")] if layer.causal else [])]
    table = layer.table()
    worst = max(table["error"], default=0.0)
    shown = {
        "‖QᵀK‖": (number(layer.norm), text("Frobenius norm")),
        "largest error": (number(worst), Html(f"float64; asked: {text(layer.asked, most=_MOST_DIGITS)}")),
    }
    title = Html(f"{count(len(layer.goals), 'goal')} over {count(len(layer.tokens), 'token')}")
    body = [note(joined(*facts, *([text(layer.method)] if layer.method else []))), figures(shown), _attention(layer)]
    lines = zip(table["row"], table["error"], table["goal"], strict=True)
    goals = grid(
        ["row", "error", "goal"],
        [(text(row), number(error), text(goal)) for row, error, goal in list(lines)[:_MOST_TOKENS]],
        last_is_text=True,
    )
    left = len(table["row"]) - _MOST_TOKENS
    more = [note(text(f"{left:,} more rows with goals"))] if left > 0 else []
    body += [fold("Goals by row", goals, *more), *proof([layer.verdict])]
    return frame([found], "Layer", title, *body, colour=colour)


def _attention(layer: Layer) -> Html:
    """The weights as shaded squares. Of a large layer, rows that have goals come first, and then the heaviest columns."""
    weights = layer.weights()
    n = len(weights)
    rows = sorted(sorted(range(n), key=lambda row: (row not in layer.goals, row))[:_MOST_TOKENS])
    columns = sorted(np.argsort(-weights[rows].max(axis=0), kind="stable")[:_MOST_TOKENS].tolist())
    lines = [_line("", [(text(j), 0.0) for j in columns])]
    for row in rows:
        shares = weights[row, columns].tolist()
        squares = [(Html("·" if share < 0.005 else f"{share:.2f}"), 0.06 + 0.5 * min(share, 1.0)) for share in shares]
        lines.append(_line(f"{'◆ ' if row in layer.goals else ''}token {row}", squares))
    part = f"{len(rows)} of {n:,} rows and columns · " if n > len(rows) else ""
    legend = note(text(f"{part}each row: how one token attends to the others · ◆ has a goal"))
    return Html(element("div", "margin:.6em 0 0 0;overflow-x:auto", *lines) + legend)


def _line(name: str, squares: list[tuple[Html, float]]) -> Html:
    """One row of squares, each with its text and how dark it is."""
    label = element("span", "display:inline-block;width:6em;font-size:.92em;opacity:.75", text(name))
    size = "display:inline-block;width:2.7em;height:1.7em;line-height:1.7em;text-align:center;font-size:.8em;margin:1px"
    drawn = [
        element("span", f"{size};background-color:rgba(59,130,196,{shade:.2f});border-radius:2px", words)
        for words, shade in squares
    ]
    return element("div", "white-space:nowrap", label, Html(" "), Html(" ".join(drawn)))
