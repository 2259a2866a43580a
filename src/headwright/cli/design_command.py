"""headwright design: keys and a goal in, the query that does it out, with its verdict; or why there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from headwright.cli import design_screens, screens
from headwright.cli.faults import VERDICT_CODES, worst
from headwright.cli.goal_options import DEFAULT_ERROR, LikelyGoalOptions
from headwright.cli.key_options import KeyOptions, Scale, number_of
from headwright.cli.move_options import MoveOptions
from headwright.cli.output_files import SaveOption, check_files, named, print_saved, save_certificate
from headwright.cli.within_options import WithinOptions
from headwright.kernel.verdict import Proved
from headwright.words.key_models import KeyModel
from headwright.words.refusals import NotFound, Unreachable


def design_command(
    keys: KeyOptions,
    asked: LikelyGoalOptions,
    moves: MoveOptions,
    image: WithinOptions,
    max_norm: Annotated[
        str | None,
        typer.Option(
            metavar="R", help="Ask for the least error, or with --top the largest gap, of all queries up to this norm."
        ),
    ] = None,
    scale: Scale = "1",
    heads: Annotated[
        str,
        typer.Option(
            metavar="N",
            help="1, or one head for each key of the goal. For keys that vary, any number, or auto for the fewest found.",
        ),
    ] = "1",
    method: Annotated[
        str, typer.Option(help="least-norm (the shortest query, for any keys) or closed-form (the textbook's query).")
    ] = "least-norm",
    precision: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE",
            help="Design for keys and query rounded to float32, float16 or bfloat16, or for keys stored in fp8-e4m3, "
            "fp8-e5m2, int8, int4, int3 or nf4.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Random seed for the search, where it draws at random.")
    ] = None,
    save: SaveOption = None,
    save_bound: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the certificate that no such query is shorter (with --max-norm: that none errs less).",
        ),
    ] = None,
    query_out: Annotated[Path | None, typer.Option(metavar="FILE.npy", help="Write the query, or the queries.")] = None,
    as_json: screens.Json = False,
) -> int:
    """Make the shortest query that does what you ask of the keys, with a proof, or prove that there is none.

    If there is none, --save writes the certificate that says so.

    headwright design --keys keys.npy --average 3,7

    With --max-norm, you get the query that does best within that norm:

    headwright design --keys keys.npy --average 3,7 --max-norm 10

    With --radius, the query keeps its error however the keys move within it:

    headwright design --keys keys.npy --copy 3 --radius 0.01

    For keys that vary, the heads meet the error with the probability you ask for:

    headwright design --orthonormal 12 --along 0=0.5 --average 0,1 --error 0.1 --confidence 0.95 --heads auto
    """
    from headwright.search.certify import certify
    from headwright.search.design import design

    goal = asked.required()
    check_files(
        {
            "--save": save,
            "--save-bound": save_bound,
            "--query-out": query_out,
            "--coordinates-out": image.coordinates_out,
        }
    )
    given = keys.read()
    if save_bound is not None and (isinstance(given, KeyModel) or heads != "1" or method == "closed-form"):
        raise ValueError("`--save-bound` needs fixed keys, one head and the method least-norm to prove a lower bound")
    options: dict[str, Any] = {  # `design` refuses any other word for a method or a precision
        "heads": int(heads) if heads.isascii() and heads.isdecimal() and len(heads) < 10 else heads,
        "method": method,
        "precision": precision,
        "confidence": asked.confidence,
        **moves.read(),
        "max_norm": max_norm,
        "error": asked.error if max_norm is not None else asked.asked_error() or DEFAULT_ERROR,
        "within": image.read(),
    }
    made = design(given, goal, scale=number_of(scale, "--scale"), seed=seed, throw=False, **options)
    if isinstance(made, Unreachable | NotFound):
        return design_screens.refuse(made, save=save, json_wanted=as_json, precision=precision)
    verdict = certify(given, made, **moves.read()) if moves.radius else certify(given, made)
    saved, saved_bound = save_certificate(save, made), save_certificate(save_bound, made.optimality)
    if query_out is not None:  # one head as (d,), several as (h, d): the shapes that `certify` reads
        np.save(query_out, made.queries[0] if len(made.queries) == 1 else made.queries, allow_pickle=False)
    image.write(made.coordinates)
    unproved = save_bound is not None and not isinstance(made.optimality, Proved)
    if as_json:
        status = "not found" if unproved else verdict.status
        files = named(saved=saved, saved_bound=saved_bound, query_out=query_out, coordinates_out=image.coordinates_out)
        screens.print_json({"status": status, **design_screens.as_json(made, verdict), **files})
    else:
        design_screens.show(made, verdict)
        if unproved:
            screens.out().print("\n[bold yellow]Not found[/bold yellow]: a bound for --save-bound")
        print_saved([saved, saved_bound], [query_out, image.coordinates_out])
    return worst([VERDICT_CODES[verdict.status], 3 if unproved else 0])
