"""headwright outcome: a query over keys that vary, and what its weights and its error do, each number with its worth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from headwright import arrays
from headwright._design import Design
from headwright.cli import outcome_screens, screens
from headwright.cli.certify_command import QueryArrayOption, QueryOption, mix_of
from headwright.cli.goal_options import DEFAULT_ERROR, AverageOption, BlendOption, CopyOption, goal_of
from headwright.cli.key_files import read_array
from headwright.cli.key_options import ArrayOption, KeysOption, OrthonormalOption, keys_of
from headwright.cli.model_options import AlongOption, FactorOption, IsotropicOption, ScaledOption, model_of
from headwright.cli.picture_options import (
    AgainstOption,
    KeyPictureOption,
    PictureOption,
    check_pictures,
    draw_key,
    draw_weights,
)
from headwright.goals import Goal
from headwright.keys import GaussianKeys


def outcome_command(
    query: QueryOption,
    query_array: QueryArrayOption = None,
    keys: KeysOption = None,
    array: ArrayOption = None,
    orthonormal: OrthonormalOption = None,
    along: AlongOption = None,
    isotropic: IsotropicOption = None,
    factor: FactorOption = None,
    scaled: ScaledOption = None,
    copy: CopyOption = None,
    average: AverageOption = None,
    blend: BlendOption = None,
    error: Annotated[
        str | None,
        typer.Option(metavar="0.01", help="The probability that the error is at most this is told (default: 0.01)."),
    ] = None,
    quantile: Annotated[
        str | None, typer.Option(metavar="0.95", help="Tell the error that is met with this probability, too.")
    ] = None,
    values: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Values (n, v): tell mean and covariance of the output, too.")
    ] = None,
    values_array: Annotated[str | None, typer.Option(metavar="NAME", help="Which array of the value file.")] = None,
    scale: Annotated[float, typer.Option(help="Factor on every score.")] = 1.0,
    mix: Annotated[
        str | None, typer.Option(metavar="0.5,0.5", help="The heads' shares (default: equal shares).")
    ] = None,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Samples, where nothing can be proved (default: 65536).")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of the samples, and of the draws in pictures.")] = None,
    picture: PictureOption = None,
    against: AgainstOption = None,
    key_picture: KeyPictureOption = None,
    as_json: screens.Json = False,
) -> int:
    """Tell what a query's weights do when keys vary: mean and deviation of each, and how surely an error is met.

    What can be proved is proved; the rest is estimated, and says so. Example:
    headwright outcome --orthonormal 12 --along 0=0.5 --query q.npy --average 0,1 --error 0.1
    """
    from headwright.noise import outcome

    goal = _goal(copy, average, blend, needing={"--error": error, "--quantile": quantile, "--picture": picture})
    if quantile is not None and not 0 < arrays.rational(quantile, name="--quantile") < 1:
        raise ValueError(f"`--quantile` must lie strictly between 0 and 1, got {quantile}")
    drawn = check_pictures(picture, against, key_picture)
    numbers = keys_of(keys, array, orthonormal)
    model = model_of(numbers, along, isotropic, factor, scaled) or GaussianKeys(numbers)
    queries = np.atleast_2d(read_array(query, argument="query", ndim=(1, 2), name=query_array))
    shares = np.ones(len(queries)) if mix is None else mix_of(mix)
    held = None if values is None else read_array(values, argument="values", ndim=2, name=values_array)
    found = outcome(model, queries, goal, values=held, samples=samples, seed=seed, scale=scale, mix=shares)
    asked = DEFAULT_ERROR if error is None else error
    figures = {} if goal is None else {"probability": (asked, found.probability(asked))}
    if quantile is not None:
        figures["quantile"] = quantile, found.quantile(quantile)
    if picture is not None and goal is not None:
        shown = Design(queries, shares, scale, goal, asked, found.mean)
        draw_weights(picture, model, shown, against, query=query, seed=seed or 0)
    if key_picture is not None:
        draw_key(key_picture, model, seed=seed or 0)
    if as_json:
        screens.print_json(outcome_screens.told(found, figures, drawn))
    else:
        outcome_screens.show(found, model, figures, drawn)
    return 0


def _goal(copy: str | None, average: str | None, blend: str | None, *, needing: Mapping[str, object]) -> Goal | None:
    """The goal, which may be missing; ValueError where one of the options `needing` it is given without."""
    goal = goal_of(copy, average, blend, None)
    for option, given in needing.items():
        if goal is None and given is not None:
            raise ValueError(f"`{option}` needs a goal: one of `--copy 3`, `--average 3,7` and `--blend 3=0.7,7=0.3`")
    return goal if isinstance(goal, Goal) else None
