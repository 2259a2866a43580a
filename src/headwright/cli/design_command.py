"""headwright design: keys and a goal in, the query that does it out, with its verdict; or why there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
from headwright.cli.model_options import HOW_TO_VARY, AlongOption, FactorOption, IsotropicOption, ScaledOption, model_of
from headwright.cli.saving import SaveOption, check_target, save_certificate, save_queries, saved_note
from headwright.keys import KeyModel
from headwright.refusals import NotFound, Unreachable


def _heads(text: str) -> str:
    if text != "auto" and not (text.isascii() and text.isdecimal() and 1 <= len(text) <= 9):
        raise typer.BadParameter(f"it must be a number or auto, got {text!r}")
    return text


def _check_varying(model: KeyModel | None, heads: str, confidence: str | None, save_bound: Path | None) -> None:
    """ValueError where options for fixed keys meet keys that vary, or the other way round."""
    if model is None:
        for option, given in (("--confidence", confidence is not None), ("--heads auto", heads == "auto")):
            if given:
                raise ValueError(f"`{option}` needs keys that vary: {HOW_TO_VARY}")
        return
    if confidence is None:
        raise ValueError(
            "`--confidence` is needed for keys that vary: the probability with which the error must be met"
        )
    if save_bound is not None:
        raise ValueError("`--save-bound` does not go with keys that vary: no lower bound is proved for them")


def design_command(
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
        str | None,
        typer.Option(
            metavar="0.01",
            help="Total variation from the goal that is allowed (default: 0.01); exact: 0.01 is 1/100. Not with --top.",
        ),
    ] = None,
    scale: Annotated[float, typer.Option(help="Factor on every score.")] = 1.0,
    heads: Annotated[
        str,
        typer.Option(
            metavar="N",
            parser=_heads,
            help="1, or one head per key of the goal; for keys that vary any number, or auto for the fewest found.",
        ),
    ] = "1",
    confidence: Annotated[
        str | None,
        typer.Option(metavar="0.95", help="With keys that vary: the probability with which the error must be met."),
    ] = None,
    method: Annotated[
        str, typer.Option(help="least-norm (any keys, the shortest query) or closed-form (the textbook's).")
    ] = "least-norm",
    precision: Annotated[
        str | None,
        typer.Option(metavar="TYPE", help="Round keys and query to float32, float16 or bfloat16; it holds for those."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of the search, where it draws at random.")] = None,
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

    Where none can, --save writes the certificate of that. Example: headwright design --keys keys.npy --average 3,7.
    For keys that vary, the heads meet the error with the probability you ask:
    headwright design --orthonormal 12 --along 0=0.5 --average 0,1 --error 0.1 --confidence 0.95 --heads auto
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
    if save_bound is not None and (heads != "1" or method == "closed-form"):
        raise ValueError("`--save-bound` needs one head and the method least-norm: nothing else proves a lower bound")
    numbers = keys_of(keys, array, orthonormal)
    model = model_of(numbers, along, isotropic, factor, scaled)
    _check_varying(model, heads, confidence, save_bound)
    given = numbers if model is None else model
    options: dict[str, Any] = {"method": method, "precision": precision, "confidence": confidence, "seed": seed}
    made = design(
        given,
        goal,
        error=DEFAULT_ERROR if asked is None else asked,  # Top does not look at it
        scale=scale,
        heads="auto" if heads == "auto" else int(heads),
        throw=False,
        **options,
    )
    if isinstance(made, Unreachable | NotFound):
        impossible = made.verdict if isinstance(made, Unreachable) else None
        saved_refusal = save_certificate(save, impossible)
        refusal_screens.show(made, precision=precision, saved=saved_refusal, as_json=as_json)
        return fault_of(made).code
    verdict = certify(given, made)
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
