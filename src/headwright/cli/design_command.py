"""headwright design: keys and a goal in, the query that does it out, with its verdict; or why there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headwright.cli import design_screens, refusal_screens, screens
from headwright.cli.faults import VERDICT_CODES, fault_of, worst
from headwright.cli.goal_options import (
    DEFAULT_ERROR,
    AverageOption,
    BlendOption,
    CopyOption,
    TopOption,
    error_for,
    required_goal,
)
from headwright.cli.key_options import ArrayOption, KeysOption, OrthonormalOption, keys_of
from headwright.cli.saving import SaveOption, check_target, save_certificate, save_queries, saved_note
from headwright.refusals import NotFound, Unreachable


def design_command(
    keys: KeysOption = None,
    array: ArrayOption = None,
    orthonormal: OrthonormalOption = None,
    copy: CopyOption = None,
    average: AverageOption = None,
    blend: BlendOption = None,
    top: TopOption = None,
    error: Annotated[
        str | None,
        typer.Option(
            metavar="0.01",
            help="Total variation from the goal that is allowed (default: 0.01); exact: 0.01 is 1/100. Not with --top.",
        ),
    ] = None,
    scale: Annotated[float, typer.Option(help="Factor on every score.")] = 1.0,
    heads: Annotated[int, typer.Option(help="1, or one head per key of the goal.")] = 1,
    method: Annotated[
        str, typer.Option(help="least-norm (any keys, the shortest query) or closed-form (the textbook's).")
    ] = "least-norm",
    precision: Annotated[
        str | None,
        typer.Option(metavar="TYPE", help="Round keys and query to float32, float16 or bfloat16; it holds for those."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of the search for approximate ratios.")] = None,
    save: SaveOption = None,
    save_bound: Annotated[
        Path | None,
        typer.Option("--save-bound", metavar="FILE", help="Write the certificate that no such query is shorter."),
    ] = None,
    query_out: Annotated[
        Path | None, typer.Option("--query-out", metavar="FILE.npy", help="Write the query, or the queries.")
    ] = None,
    as_json: screens.Json = False,
) -> int:
    """Make the shortest query that does what you ask of the keys, and prove that it does; or prove that none can.

    Where none can, --save writes the certificate of that. Example: headwright design --keys keys.npy --average 3,7
    """
    from headwright.constructions import design
    from headwright.judging import certify

    goal = required_goal(copy, average, blend, top)
    asked = error_for(goal, error)
    check_target(save, "--save")
    check_target(save_bound, "--save-bound")
    check_target(query_out, "--query-out", suffix=".npy")
    if save_bound is not None and save_bound == save:
        raise ValueError(f"`--save` and `--save-bound` both name {save}")
    if save_bound is not None and (heads > 1 or method == "closed-form"):
        raise ValueError("`--save-bound` needs one head and the method least-norm: nothing else proves a lower bound")
    numbers = keys_of(keys, array, orthonormal)
    try:
        made = design(
            numbers,
            goal,
            error=DEFAULT_ERROR if asked is None else asked,  # Top does not look at it
            scale=scale,
            heads=heads,
            method=method,
            precision=precision,
            seed=seed,
        )
    except (Unreachable, NotFound) as refusal:
        impossible = refusal.verdict if isinstance(refusal, Unreachable) else None
        saved_refusal = save_certificate(save, impossible)
        refusal_screens.show(refusal, precision=precision, saved=saved_refusal, as_json=as_json)
        return fault_of(refusal).code
    verdict = certify(numbers, made)
    saved = save_certificate(save, verdict), save_certificate(save_bound, made.optimality)
    save_queries(query_out, made.queries)
    unproved = save_bound is not None and made.lower_bound is None
    status = "not found" if unproved else verdict.status
    if as_json:
        names = {"saved": saved[0], "saved_bound": saved[1], "query_out": query_out}
        files = {name: path and str(path) for name, path in names.items()}
        screens.print_json({"status": status, **design_screens.told(made, verdict), **files})
    else:
        design_screens.show(made, verdict, dimension=numbers.shape[1])
        if unproved:
            screens.out().print("\n[bold yellow]Not found[/bold yellow]: a lower bound on the norm for --save-bound")
        if any(saved):
            screens.print_plain(screens.out(), saved_note(*filter(None, saved)))
        if query_out is not None:
            screens.print_plain(screens.out(), f"\nSaved {query_out}")
    return worst([VERDICT_CODES[verdict.status], 3 if unproved else 0])
