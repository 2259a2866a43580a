"""An outcome on the screen and as JSON. Proved figures and estimated ones differ in words, in sign (≈) and in colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from rich.text import Text

from headwright.bounded import Bounded
from headwright.cli import screens
from headwright.cli.output_files import print_saved
from headwright.key_models import KeyModel
from headwright.noise import Outcome
from headwright.noise.result import spread_bars

_MOST_OUTPUTS = 8
Figures = Mapping[str, tuple[str, Bounded]]  # what was asked for, as given, and its answer


def told(outcome: Outcome, figures: Figures, drawn: Sequence[Path]) -> dict[str, Any]:
    """All of it as plain values for JSON; every figure says whether it is proved."""
    asked = {"probability": "error", "quantile": "p"}
    answers = {name: figures[name] for name in asked if name in figures}
    more = {name: {asked[name]: given, **figure.to_dict()} for name, (given, figure) in answers.items()}
    return {
        "status": "done",
        **outcome.to_dict(),
        **{name: more.get(name) for name in asked},
        "pictures": [str(path) for path in drawn],
    }


def show(outcome: Outcome, model: KeyModel, figures: Figures, drawn: Sequence[Path]) -> None:
    console = screens.out()
    about = "The weights" if outcome.goal is None else str(outcome.goal)
    heads = len(outcome.head_mean)
    by = "1 head" if heads == 1 else f"{heads} heads"
    console.print(Text(f"{about} by {by} over {model.describe()}\n"))
    status, style = ("Proved", "proved") if outcome.proved else ("Estimated, not proved", "undecided")
    seed = "" if outcome.seed is None else f", seed {outcome.seed}"
    console.print(Text.assemble((status, screens.COLOURS[style]), f": {outcome.method}{seed}"))
    screens.print_facts(console, _facts(outcome, figures))
    marked = "" if outcome.goal is None else " (* named by the goal)"
    screens.print_plain(console, f"\nWeights, mean ± standard deviation{marked}:")
    screens.print_plain(console, spread_bars(outcome.mean, outcome.sd, outcome.goal, proved=outcome.proved, width=36))
    if outcome.output_mean is not None and outcome.output_cov is not None:
        _show_output(outcome, outcome.output_mean, outcome.output_cov)
    print_saved([], drawn)


def _facts(outcome: Outcome, figures: Figures) -> list[tuple[str, str]]:
    from headwright.balls import decimal_above

    facts = []
    if "probability" in figures:
        error, figure = figures["probability"]
        facts.append((f"P(error <= {error})", repr(figure)))
    if "quantile" in figures:
        p, figure = figures["quantile"]
        facts.append((f"error met with {p}", repr(figure)))
    if outcome.goal is not None:
        facts.append(("mean error", repr(outcome.error_mean)))
    off = decimal_above(Fraction(max(float(np.max(outcome.uncertainty[name])) for name in ("mean", "sd"))), 1)
    worth = f"proved to ±{off}" if outcome.proved else f"estimated to ±{off} at 95 %"
    return [*facts, ("weights below", f"each mean and deviation {worth}")]


def _show_output(outcome: Outcome, mean: np.ndarray, covariance: np.ndarray) -> None:
    """The output's coordinates with their deviations; the whole covariance is in the JSON."""
    console = screens.out()
    about = "" if outcome.proved else "≈ "
    screens.print_plain(console, "\nOutput, mean ± standard deviation:")
    spread = np.sqrt(np.maximum(np.diag(covariance), 0))
    for k in range(min(len(mean), _MOST_OUTPUTS)):
        screens.print_plain(console, f"  [{k}]  {about}{mean[k]:.6g} ± {spread[k]:.4g}")
    if len(mean) > _MOST_OUTPUTS:
        screens.print_plain(console, f"  … {len(mean)} coordinates; --json has them all, and their covariance")
