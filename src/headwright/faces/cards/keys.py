"""Cards of goals, key models, programs, outcomes and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from headwright.faces.cards.parts import (
    MOST_BARS,
    SLATE,
    Bar,
    Html,
    badge,
    bars,
    count,
    enclosed,
    figures,
    fold,
    frame,
    joined,
    note,
    number,
    rows,
    share,
    text,
    weight_bars,
)
from headwright.kernel.goals import Average, Copy, Goal, Top

if TYPE_CHECKING:
    from headwright.search.compress.comparison import Comparison
    from headwright.search.random_keys.result import Outcome
    from headwright.words.bounded import Bounded
    from headwright.words.key_models import GaussianKeys, KeyModel
    from headwright.words.program import Program
    from headwright.words.scaled_keys import ScaledKeys


_MOST_REGISTERS = 24


def goal_card(goal: Goal | Top) -> Html:
    if isinstance(goal, Top):
        listed = ", ".join(map(str, goal.indices[:MOST_BARS]))
        more = f" and {len(goal.indices) - MOST_BARS:,} more" if len(goal.indices) > MOST_BARS else ""
        words = f"Score each of these keys above every other key: {listed}{more}."
        return frame([], "goal", text(goal), note(text(words)))
    if isinstance(goal, Copy):
        words = f"All attention on key {goal.index}."
    elif isinstance(goal, Average):
        words = f"The same attention on each of {len(goal.indices):,} keys, and none elsewhere."
    else:
        words = f"Shares of attention on {len(goal.indices):,} keys, and none elsewhere."
    order = sorted(zip(goal.shares, goal.indices, strict=True), key=lambda pair: (-pair[0], pair[1]))
    shown = [Bar(f"key {j}", share(part), float(part), goal=True) for part, j in order[:MOST_BARS]]
    left = order[MOST_BARS:]
    rest = [note(Html(f"{count(len(left), 'more key')}, {number(float(sum(s for s, _ in left)))} together"))]
    return frame([], "goal", text(goal), note(text(words)), bars(shown), *(rest if left else []))


def gaussian_card(model: GaussianKeys) -> Html:
    """How far each key strays: the root of its total variance, beside the length of its mean."""
    total = model.d * model.isotropic + model.along
    for j, factor in model.directions().items():
        total[j] += float((factor**2).sum())
    return _model_card(
        model, [(j, Html(f"± {number(float(total[j]) ** 0.5)}"), float(total[j]) ** 0.5) for j in model.varying]
    )


def scaled_card(model: ScaledKeys) -> Html:
    """The factors of each key, and how far they stray from one length."""
    spreads = []
    for j in model.varying:
        law = model.laws[j]
        factors, chances = np.array([[float(c), float(p)] for c, p in law.items()]).T
        words = ", ".join(
            f"× {number(c, digits=3)} ({number(100 * p, digits=3)} %)"
            for c, p in zip(factors[:3], chances, strict=False)
        )
        more = f", {len(law) - 3} more" if len(law) > 3 else ""
        spread = float(np.sqrt(chances @ (factors - chances @ factors) ** 2)) * float(np.linalg.norm(model.centre[j]))
        spreads.append((j, Html(words + more), spread))
    return _model_card(model, spreads)


def _model_card(model: KeyModel, spreads: list[tuple[int, Html, float]]) -> Html:
    spreads = sorted(spreads, key=lambda row: (-row[2], row[0]))
    largest = max((spread for _, _, spread in spreads), default=0.0) or 1.0
    shown = [Bar(f"key {j}", words, spread / largest) for j, words, spread in spreads[:MOST_BARS]]
    left = len(spreads) - len(shown)
    said = [count(left, "more varying key")] if left > 0 else []
    said += [text("bars: root-mean-square distance of a key from its mean, beside the largest")] if shown else []
    vary = note(text(f"{len(spreads):,} of {model.n:,} keys {'varies' if len(spreads) == 1 else 'vary'}"))
    legend = [note(joined(*said))] if said else []
    return frame([], type(model).__name__, text(model.describe()), vary, bars(shown), *legend)


def program_card(program: Program) -> Html:
    """What each register reads and can hold."""
    table = program.table()
    lines = {}
    for name, reads, values in zip(table["register"], table["reads"], table["values"], strict=True):
        lines[name] = text(f"{values} (reads {reads})" if reads else values)
    shown = dict(list(lines.items())[:_MOST_REGISTERS])
    more = len(lines) - len(shown)
    rest = [note(Html(f"{count(more, 'more register')}"))] if more else []
    return frame([], "program", text(repr(program).removeprefix("Program: ")), rows(shown), *rest)


def outcome_card(outcome: Outcome) -> Html:
    kind = badge("=", "Rigorous bounds", SLATE) if outcome.proved else badge("≈", "Estimated at 95 %", SLATE)
    shown = {}
    wanted: dict[int, float | None] = {}
    title = text("Weights over varying keys")
    if outcome.goal is not None:
        title = text(outcome.goal)
        wanted = {j: float(s) for j, s in zip(outcome.goal.indices, outcome.goal.shares, strict=True)}
        shown["mean error"] = enclosed(outcome.error_mean)
    about = "" if outcome.proved else "≈ "
    drawn = weight_bars(outcome.mean, wanted, outcome.sd, about=about)
    how = fold("Keys and method", note(text(outcome.summary())))
    return frame([kind], "Outcome", title, figures(shown), drawn, how)


def comparison_card(found: Comparison) -> Html:
    worst, count_all = found.worst, found.variation.size
    shown = {
        "worst total variation": enclosed(worst.value),
        "median": enclosed(found.quantile("1/2")),
        "99 % of queries within": enclosed(found.quantile("99/100")),
    }
    if (change := found.worst_output) is not None:
        shown["worst change of an output"] = enclosed(change.value)
    kept, changed = int(found.winner_kept.sum()), int(found.winner_changed.sum())
    facts = note(
        joined(
            text(f"worst at query {list(worst.where)}"),
            text(f"largest weight kept for {kept:,}, changed for {changed:,}, open for {count_all - kept - changed:,}"),
        )
    )
    title = text(f"{count_all:,} {'query' if count_all == 1 else 'queries'} over stored keys")
    return frame([badge("=", "Rigorous bounds", SLATE)], "Comparison", title, figures(shown), facts)


def bounded_text(value: Bounded) -> Html:
    return Html(f"<span>{text(repr(value))}</span>")
