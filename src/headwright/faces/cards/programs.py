"""Cards of compiled programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwright.faces.cards.parts import UP, Html, count, figures, fold, frame, grid, joined, note, number, text
from headwright.faces.cards.verdicts import mark, proof

if TYPE_CHECKING:
    from headwright.search.compile.model import Model

_MOST_STEPS = 40


def model_card(model: Model) -> Html:
    """The verdict, the sizes, the proved error, and the steps layer by layer."""
    found, colour = mark(model.verdict)
    program, bound = model.claim.program, getattr(model.verdict, "bound", None)
    kind = "real arithmetic" if model.claim.dtype == "real" else model.claim.dtype
    facts = [
        count(len(model.blocks), "block"),
        count(sum(place.head is not None for place in model.layout), "head"),
        text(f"width {model.embedding.shape[1]}"),
        *([text("causal")] if program.causal else []),
        text(kind),
    ]
    shown = {
        "error": (
            text("not proved") if bound is None else Html(f"≤ {number(bound, UP)}"),
            Html(f"asked: {text(model.claim.error, most=40)}"),
        ),
        "parameters": (text(f"{model.parameters:,}"), text("zeros included")),
        "words": (text(f"up to {program.length:,}"), Html(f"of {count(len(program.vocabulary), 'token')}")),
    }
    title = Html(f"{text(model.program.name(model.claim.output))} for every word on which the program is defined")
    body = [note(joined(*facts)), figures(shown), fold("Steps, and what is proved of each", *_steps(model))]
    return frame([found], "Model", title, *body, *proof([model.verdict]), colour=colour)


def _steps(model: Model) -> list[Html]:
    table = model.table()
    lines = []
    for block, kind, register, step, error in zip(
        *(table[name] for name in ("block", "kind", "register", "step", "error")), strict=True
    ):
        where = "table" if block is None else f"{kind}, block {block}"
        said = step if register in step.split() else f"{register} = {step}"
        lines.append([text(where), number(error, UP), text(said)])
    left = len(lines) - _MOST_STEPS
    more = [note(text(f"{left:,} more steps, all in .table()"))] if left > 0 else []
    return [grid(["where", "error", "step"], lines[:_MOST_STEPS], last_is_text=True), *more]
