"""headwright radius: how far the keys may move before a query of yours fails."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwright.cli import screens
from headwright.cli.faults import worst
from headwright.cli.goal_options import GoalOptions
from headwright.cli.key_options import FixedKeyOptions, QueryOptions, scale_of
from headwright.cli.move_options import Norm, Per, profile as profile_of
from headwright.cli.output_files import SaveOption, check_files, named, print_saved, save_certificate

if TYPE_CHECKING:
    from headwright.judging import Radius

_STATUSES = {0: "done", 1: "refuted", 3: "undecided"}


def radius_command(
    queries: QueryOptions,
    keys: FixedKeyOptions,
    asked: GoalOptions,
    gap: Annotated[
        str | None, typer.Option(metavar="0.5", help="With --top: the score gap to keep (default: any above 0).")
    ] = None,
    norm: Norm = "box",
    per: Per = None,
    profile: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="How far each key, channel or entry may move at radius 1 (default: 1).",
            rich_help_panel="Keys that move",
        ),
    ] = None,
    profile_array: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which array of the profile file.", rich_help_panel="Keys that move"),
    ] = None,
    save: SaveOption = None,
    save_refutation: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the certificate that the upper end is too large.")
    ] = None,
    as_json: screens.Json = False,
) -> int:
    """Find how far every key may move before a query of yours misses its goal, with proof from both sides.

    Up to the lower end of the radius, no move breaks the goal. At the upper end, one does. Examples:

    headwright radius --keys k.npy --query q.npy --copy 3 --error 0.02

    headwright radius --keys k.npy --query q.npy --copy 3 --profile p.npy
    """
    from headwright.judging import radius

    goal = asked.required()
    if profile is None and profile_array is not None:
        raise ValueError("`--profile-array` needs `--profile`: it names an array of that file")
    if queries.each and (save or save_refutation):
        raise ValueError("`--save` does not go with `--each`: the certificates of one query are saved at a time")
    check_files({"--save": save, "--save-refutation": save_refutation})
    centre = keys.centre()
    found: Radius | list[Radius] = radius(
        centre,
        queries.read(centre),
        goal,
        error=asked.asked_error(),
        gap=gap,
        norm=norm,  # type: ignore[arg-type]  # `radius` refuses any other word
        per=per,  # type: ignore[arg-type]
        profile=None if profile is None else profile_of(profile, "profile", per, profile_array),
        scale=scale_of(queries.scale),
        mix=queries.shares(),
        each=queries.each,
    )
    if isinstance(found, list):
        return _answer_each(found, as_json)
    saved = save_certificate(save, found.verdict), save_certificate(save_refutation, found.refutation)
    code = _code(found)
    if as_json:
        status = _STATUSES[code]
        files = named(saved=saved[0], saved_refutation=saved[1])
        screens.print_json({"status": status, "radius": found.to_dict(), **files})
        return code
    console = screens.out()
    screens.print_plain(console, f"Radius: {found.summary()}\n")
    for verdict in (found.verdict, found.refutation):
        if verdict is not None:
            screens.print_verdict(console, verdict)
    print_saved(saved)
    return code


def _code(found: Radius) -> int:
    return 0 if found.low else 1 if found.high == 0 else 3


def _answer_each(found: list[Radius], as_json: bool) -> int:
    """One line for each query; returns the worst exit code."""
    code = worst([_code(own) for own in found])
    if as_json:
        screens.print_json({"status": _STATUSES[code], "radii": [own.to_dict() for own in found]})
        return code
    for i, own in enumerate(found):
        screens.print_plain(screens.out(), f"Query {i}: {own.summary()}")
    return code
