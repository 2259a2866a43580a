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
from headwright.cli.saving import SaveOption, check_target, save_certificate, saved_note

_ONE_WEIGHT = "One weight instead of a goal"


def certify_command(
    query: Annotated[Path, typer.Option(metavar="FILE", help="The query (d,), or the queries (h, d) of h heads.")],
    query_array: Annotated[str | None, typer.Option(metavar="NAME", help="Which array of the query file.")] = None,
    keys: KeysOption = None,
    array: ArrayOption = None,
    orthonormal: OrthonormalOption = None,
    copy: CopyOption = None,
    average: AverageOption = None,
    blend: BlendOption = None,
    top: TopOption = None,
    error: Annotated[
        str | None, typer.Option(metavar="0.01", help="Total variation from the goal that is allowed (default: 0.01).")
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
    """Prove or refute what a query of yours does with the keys, also when every key may move.

    Example: headwright certify --keys keys.npy --query query.npy --copy 3 --error 0.01 --radius 0.001
    """
    from headwright.judging import certify

    goal = goal_of(copy, average, blend, top)
    if of is None:
        goal = required_goal(copy, average, blend, top)
        error = error_for(goal, error)
    check_target(save, "--save")
    verdict = certify(
        keys_of(keys, array, orthonormal),
        read_array(query, argument="query", ndim=(1, 2), name=query_array),
        goal,
        error=error,
        gap=gap,
        radius=radius,
        norm=norm,
        of=of,
        at_most=at_most,
        at_least=at_least,
        scale=scale,
        mix=None if mix is None else _mix(mix),
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


def _mix(text: str) -> np.ndarray:
    try:
        return np.array([float(part) for part in text.split(",")])
    except ValueError:
        raise ValueError(f"`--mix` must be numbers such as 0.5,0.5, got {text!r}") from None
