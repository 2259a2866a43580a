"""headwright certify: a query you have, and the proof that it does what you say, or that it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES
from headwright.cli.goal_options import (
    AverageOption,
    BlendOption,
    CopyOption,
    TopOption,
    error_for,
    goal_of,
    required_goal,
)
from headwright.cli.key_files import read_array
from headwright.cli.key_options import ArrayOption, KeysOption, OrthonormalOption, keys_of
from headwright.cli.model_options import HOW_TO_VARY, AlongOption, FactorOption, IsotropicOption, ScaledOption, model_of
from headwright.cli.saving import SaveOption, check_target, save_certificate, saved_note

QueryOption = Annotated[
    Path, typer.Option("--query", metavar="FILE", help="The query (d,), or the queries (h, d) of h heads.")
]
QueryArrayOption = Annotated[
    str | None, typer.Option("--query-array", metavar="NAME", help="Which array of the query file.")
]
_ONE_WEIGHT = "One weight instead of a goal"


def certify_command(
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
    top: TopOption = None,
    error: Annotated[
        str | None, typer.Option(metavar="0.01", help="Total variation from the goal that is allowed (default: 0.01).")
    ] = None,
    confidence: Annotated[
        str | None,
        typer.Option(metavar="0.95", help="With keys that vary: the probability with which the error is met."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="With keys that vary: of the estimate where nothing is proved.")
    ] = None,
    gap: Annotated[
        str | None, typer.Option(metavar="0.5", help="With --top: the score gap claimed (default: any above 0).")
    ] = None,
    radius: Annotated[str | None, typer.Option(metavar="0.05", help="How far every key may move.")] = None,
    norm: Annotated[str, typer.Option(help="How a move is measured: box (per coordinate) or ball (length).")] = "box",
    scale: Annotated[float, typer.Option(help="Factor on every score.")] = 1.0,
    mix: Annotated[
        str | None, typer.Option(metavar="0.5,0.5", help="The heads' shares (default: equal shares).")
    ] = None,
    of: Annotated[
        int | None, typer.Option(metavar="INDEX", help="The key asked about.", rich_help_panel=_ONE_WEIGHT)
    ] = None,
    at_least: Annotated[
        str | None, typer.Option(metavar="X", help="Its weight is at least X.", rich_help_panel=_ONE_WEIGHT)
    ] = None,
    at_most: Annotated[
        str | None, typer.Option(metavar="X", help="Its weight is at most X.", rich_help_panel=_ONE_WEIGHT)
    ] = None,
    save: SaveOption = None,
    as_json: screens.Json = False,
) -> int:
    """Prove or refute what a query of yours does with the keys, also when every key may move, or keys vary at random.

    Examples: headwright certify --keys keys.npy --query query.npy --copy 3 --error 0.01 --radius 0.001;
    headwright certify --keys keys.npy --along 3=0.1 --query query.npy --copy 3 --error 0.05 --confidence 0.95
    """
    from headwright.judging import certify

    goal = goal_of(copy, average, blend, top)
    if of is None:
        goal = required_goal(copy, average, blend, top)
        error = error_for(goal, error)
    check_target(save, "--save")
    numbers = keys_of(keys, array, orthonormal)
    model = model_of(numbers, along, isotropic, factor, scaled)
    if model is None and confidence is not None:
        raise ValueError(f"`--confidence` needs keys that vary: {HOW_TO_VARY}")
    if model is not None and confidence is None:
        raise ValueError("`--confidence` is needed for keys that vary: the probability with which the error is met")
    verdict = certify(
        numbers if model is None else model,
        read_array(query, argument="query", ndim=(1, 2), name=query_array),
        goal,
        error=error,
        gap=gap,
        radius=radius,
        norm=norm,  # type: ignore[arg-type]  # `certify` refuses any other word
        of=of,
        at_most=at_most,
        at_least=at_least,
        confidence=confidence,
        scale=scale,
        mix=None if mix is None else mix_of(mix),
        seed=seed,
    )
    save_certificate(save, verdict)
    if as_json:
        screens.print_json({"status": verdict.status, "verdict": verdict.to_dict(), "saved": save and str(save)})
    else:
        console = screens.out()
        screens.print_verdict(console, verdict)
        if save is not None:
            screens.print_plain(console, saved_note(save))
    return VERDICT_CODES[verdict.status]


def mix_of(text: str) -> np.ndarray:
    """
    >>> mix_of("0.5, 0.5")
    array([0.5, 0.5])
    """
    try:
        return np.array([float(part) for part in text.split(",")])
    except ValueError:
        raise ValueError(f"`--mix` must be numbers such as 0.5,0.5, got {text!r}") from None
