"""headwright outcome: a query over keys that vary, and what its weights and its error do, each number with its worth.

Proved figures and estimated ones differ in words, in sign (≈) and in colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, final

import numpy as np
import typer
from rich.text import Text

from headwright._design import Design
from headwright.array_files import read_array
from headwright.batches import shares_of
from headwright.bounded import Bounded
from headwright.cli import screens
from headwright.cli.goal_options import DEFAULT_ERROR, WeightGoalOptions
from headwright.cli.key_options import KeyOptions, QueryOptions, number_of
from headwright.cli.output_files import check_files, picture_option, print_saved
from headwright.goals import Top
from headwright.key_models import GaussianKeys, KeyModel
from headwright.noise import Outcome, outcome
from headwright.noise.result import spread_bars

_MOST_OUTPUTS = 8
_FIGURES = {"probability": ("error", "P(error <= {})"), "quantile": ("p", "error met with {}")}  # argument, and words
Figures = Mapping[str, tuple[str, Bounded]]  # what was asked for, as given, and its answer


@final
@dataclass(frozen=True)
class PictureOptions:
    picture: Annotated[Path | None, picture_option(help="Draw the weights over 60 draws of the keys.")] = None
    against: Annotated[
        Path | None, picture_option(metavar="FILE", help="Another query, drawn beside it in --picture.")
    ] = None
    key_picture: Annotated[Path | None, picture_option(help="Draw where the first varying key may lie.")] = None

    def check(self) -> None:
        if self.against is not None and self.picture is None:
            raise ValueError("`--against` needs `--picture`, where it is drawn")
        check_files({"--picture": self.picture, "--key-picture": self.key_picture})

    def draw(self, model: KeyModel, design: Design | None, *, queries: QueryOptions, seed: int) -> list[Path]:
        """The files it drew: the strips of the design, which has these `queries`, and the range of the first key that varies."""
        if self.picture is None and self.key_picture is None:
            return []
        from headwright import pictures  # it takes half a second

        drawn = []
        if self.picture is not None and design is not None:
            figure = pictures.weights_over_samples(model, self._strips(design, queries), error=design.asked, seed=seed)
            drawn.append(pictures.save(figure, self.picture))
        if self.key_picture is not None:
            if not model.varying:
                raise ValueError("`--key-picture` needs a key that varies")
            drawn.append(pictures.save(pictures.key_range(model, model.varying[0], seed=seed), self.key_picture))
        return drawn

    def _strips(self, design: Design, given: QueryOptions) -> dict[str, Design]:
        if self.against is None:
            return {_heads(design): design}
        query, mix = given.query, given.shares()
        queries = np.atleast_2d(read_array(self.against, argument="against", ndim=(1, 2), chosen_by=""))
        other = replace(design, queries=queries, mix=shares_of(mix, len(queries), name="against"))
        strips = {f"{file.name}: {_heads(each)}": each for file, each in ((query, design), (self.against, other))}
        if len(strips) == 1:
            raise ValueError(
                f"`--against` {self.against} and `--query` {query} would have the same name in the picture"
            )
        return strips


def _heads(design: Design) -> str:
    return "one head" if len(design.queries) == 1 else f"{len(design.queries)} heads"


def outcome_command(
    queries: QueryOptions,
    keys: KeyOptions,
    wanted: WeightGoalOptions,
    pictures: PictureOptions,
    error: Annotated[
        str | None,
        typer.Option(metavar="0.01", help="Report the probability that the error is at most this (default: 0.01)."),
    ] = None,
    quantile: Annotated[
        str | None, typer.Option(metavar="0.95", help="Report the error that is met with this probability, too.")
    ] = None,
    values: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Values (n, v): report mean and covariance of the output, too.")
    ] = None,
    values_array: Annotated[str | None, typer.Option(metavar="NAME", help="Which array of the value file.")] = None,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Samples, where nothing can be proved (default: 65536).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Random seed for the samples, and for the draws in pictures.")
    ] = None,
    as_json: screens.Json = False,
) -> int:
    """Report what a query's weights do when keys vary: mean and deviation of each, and how surely an error is met.

    What can be proved is proved. The rest is estimated, and says so. Example:

    headwright outcome --orthonormal 12 --along 0=0.5 --query q.npy --average 0,1
    """
    goal = wanted.goal()
    assert not isinstance(goal, Top)  # there is no --top here
    for option, given in {"--error": error, "--quantile": quantile, "--picture": pictures.picture}.items():
        if goal is None and given is not None:
            raise ValueError(f"`{option}` needs a goal: one of `--copy 3`, `--average 3,7` and `--blend 3=0.7,7=0.3`")
    pictures.check()
    if queries.each and pictures.picture is not None:
        raise ValueError("`--picture` does not go with `--each`: it draws one query, or heads of one output")
    model = keys.read()
    model = model if isinstance(model, KeyModel) else GaussianKeys(model)
    rows, scale = queries.read(model), number_of(queries.scale, "--scale")
    held = None if values is None else read_array(values, argument="values", ndim=2, name=values_array)
    options: dict[str, Any] = {"values": held, "samples": samples, "seed": seed, "scale": scale}
    law: Outcome | list[Outcome] = outcome(model, rows, goal, **options, mix=queries.shares(), each=queries.each)
    asked = DEFAULT_ERROR if error is None else error
    if isinstance(law, list):
        _answer_each([(own, _figures(own, asked, quantile)) for own in law], model, as_json)
        return 0
    figures = _figures(law, asked, quantile)
    shares = shares_of(queries.shares(), len(rows))
    shown = None if goal is None else Design(rows, shares, scale, goal, asked, law.mean)
    drawn = pictures.draw(model, shown, queries=queries, seed=seed or 0)
    if as_json:
        screens.print_json(_as_json(law, figures, drawn))
    else:
        _show(law, model, figures, drawn)
    return 0


def _figures(law: Outcome, error: str, quantile: str | None) -> Figures:
    """What was asked of the law of the error; nothing without a goal."""
    figures = {} if law.goal is None else {"probability": (error, law.probability(error))}
    return figures if quantile is None else {**figures, "quantile": (quantile, law.quantile(quantile))}


def _answer_each(laws: list[tuple[Outcome, Figures]], model: KeyModel, as_json: bool) -> None:
    if as_json:
        outcomes = [_as_json(law, figures, []) for law, figures in laws]
        screens.print_json({"status": "done", "outcomes": outcomes})
        return
    for i, (law, figures) in enumerate(laws):
        screens.print_plain(screens.out(), f"Query {i}")
        _show(law, model, figures, [])


def _as_json(law: Outcome, figures: Figures, drawn: Sequence[Path]) -> dict[str, Any]:
    """All of it as plain values for JSON; every figure says whether it is proved."""
    asked = {
        name: {argument: figures[name][0], **figures[name][1].to_dict()} if name in figures else None
        for name, (argument, _) in _FIGURES.items()
    }
    return {"status": "done", **law.to_dict(), **asked, "pictures": [str(path) for path in drawn]}


def _show(law: Outcome, model: KeyModel, figures: Figures, drawn: Sequence[Path]) -> None:
    console = screens.out()
    about = "The weights" if law.goal is None else str(law.goal)
    heads = len(law.head_mean)
    by = "1 head" if heads == 1 else f"{heads} heads"
    console.print(Text(f"{about} by {by} over {model.describe()}\n"))
    status, style = ("Proved", "proved") if law.proved else ("Estimated, not proved", "undecided")
    seed = "" if law.seed is None else f", seed {law.seed}"
    console.print(Text.assemble((status, screens.COLOURS[style]), f": {law.method}{seed}"))
    screens.print_facts(console, _facts(law, figures))
    marked = "" if law.goal is None else " (* named by the goal)"
    screens.print_plain(console, f"\nWeights, mean ± standard deviation{marked}:")
    screens.print_plain(console, spread_bars(law.mean, law.sd, law.goal, proved=law.proved, width=36))
    if law.output_mean is not None and law.output_cov is not None:
        _show_output(law, law.output_mean, law.output_cov)
    print_saved([], drawn)


def _facts(law: Outcome, figures: Figures) -> list[tuple[str, str]]:
    from headwright.balls import decimal_above

    shown = {name: words for name, (_, words) in _FIGURES.items() if name in figures}
    facts = [(words.format(figures[name][0]), repr(figures[name][1])) for name, words in shown.items()]
    if law.goal is not None:
        facts.append(("mean error", repr(law.error_mean)))
    off = decimal_above(Fraction(max(float(np.max(law.uncertainty[name])) for name in ("mean", "sd"))), 1)
    worth = f"proved to ±{off}" if law.proved else f"estimated to ±{off} at 95 %"
    return [*facts, ("weights below", f"each mean and deviation {worth}")]


def _show_output(law: Outcome, mean: np.ndarray, covariance: np.ndarray) -> None:
    """The output's coordinates with their deviations; the whole covariance is in the JSON."""
    console = screens.out()
    about = "" if law.proved else "≈ "
    screens.print_plain(console, "\nOutput, mean ± standard deviation:")
    spread = np.sqrt(np.maximum(np.diag(covariance), 0))
    for k in range(min(len(mean), _MOST_OUTPUTS)):
        screens.print_plain(console, f"  [{k}]  {about}{mean[k]:.6g} ± {spread[k]:.4g}")
    if len(mean) > _MOST_OUTPUTS:
        screens.print_plain(console, f"  … {len(mean)} coordinates; --json has them all, and their covariance")
