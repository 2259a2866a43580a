"""headwright certify: a query you have, and the proof that it does what you say, or that it does not."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES
from headwright.cli.goal_options import GoalOptions
from headwright.cli.key_options import KeyOptions, QueryOptions
from headwright.cli.move_options import MoveOptions
from headwright.cli.output_files import SaveOption, check_files, named, print_saved, save_certificate

_one_weight = partial(typer.Option, rich_help_panel="One weight instead of a goal")


def certify_command(
    queries: QueryOptions,
    keys: KeyOptions,
    asked: GoalOptions,
    moves: MoveOptions,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Random seed for the estimate made when nothing can be proved (varying keys only)."),
    ] = None,
    gap: Annotated[
        str | None, typer.Option(metavar="0.5", help="With --top: the score gap claimed (default: any above 0).")
    ] = None,
    of: Annotated[int | None, _one_weight(metavar="INDEX", help="The key asked about.")] = None,
    at_least: Annotated[str | None, _one_weight(metavar="X", help="Its weight is at least X.")] = None,
    at_most: Annotated[str | None, _one_weight(metavar="X", help="Its weight is at most X.")] = None,
    save: SaveOption = None,
    as_json: screens.Json = False,
) -> int:
    """Prove or refute what a query of yours does with the keys, also when every key may move, or keys vary at random.

    Examples: headwright certify --keys keys.npy --query query.npy --copy 3 --error 0.01 --radius 0.001;
    headwright certify --keys keys.npy --along 3=0.1 --query query.npy --copy 3 --error 0.05 --confidence 0.95
    """
    from headwright.judging import certify

    goal = asked.required() if of is None else asked.goal()
    check_files({"--save": save})
    verdict = certify(
        keys.read(),
        queries.read(),
        goal,
        error=asked.asked_error() if of is None else asked.error,
        gap=gap,
        **moves.read(),
        of=of,
        at_most=at_most,
        at_least=at_least,
        confidence=asked.confidence,
        scale=queries.scale,
        mix=queries.shares(),
        seed=seed,
    )
    save_certificate(save, verdict)
    if as_json:
        screens.print_json({"status": verdict.status, "verdict": verdict.to_dict(), **named(saved=save)})
    else:
        screens.print_verdict(screens.out(), verdict)
        print_saved([save])
    return VERDICT_CODES[verdict.status]
