"""headwright layer: tokens, goals and outputs in a TOML file; the maps Q, K, V that do it, with their verdict; or why none do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headwright.budget import DEFAULT
from headwright.cli import design_screens, screens
from headwright.cli.faults import VERDICT_CODES
from headwright.cli.layer_files import read_layer
from headwright.cli.output_files import SaveOption, check_files, named, print_saved, save_certificate
from headwright.layer import Layer, counted
from headwright.refusal_types import NotFound, Unreachable
from headwright.verdict import Verdict

_MOST_ROWS = 24  # of the table on the screen


def layer_command(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="Tokens, goals and outputs.")],
    save: SaveOption = None,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export", metavar="MAPS.safetensors", help="Write Q, K and V, with goals and error as metadata."
        ),
    ] = None,
    as_json: screens.Json = False,
    budget: screens.Budget = DEFAULT,
) -> int:
    """Make Q, K and V for your tokens: each row attends and yields as you say.

    The file holds tokens = [[...], ...] or tokens = "x.npy", and may hold
    error = 0.01, rank = 2 or "smallest", heads = 2, causal = true. For each row
    with a goal it has a table \\[rows.0] with one of copy = 2,
    average = [0, 1], blend = {0 = 0.7, 1 = 0.3}, and perhaps output = [1, 0].

    Where no layer does it, --save writes the certificate of that. Example:
    headwright layer examples/three_tokens.toml --export maps.safetensors
    """
    from headwright.constructions import design_layer

    check_files({"--save": save, "--export": export})
    asked = read_layer(file, budget=budget)
    try:
        layer = design_layer(**vars(asked))
    except (Unreachable, NotFound) as refusal:
        return design_screens.refuse(refusal, save=save, json_wanted=as_json)
    verdict = layer.verdict
    assert verdict is not None  # design_layer returns what it has proved
    saved = save_certificate(save, verdict)
    if export is not None:
        layer.export(export)
    if as_json:
        files = named(saved=saved, exported=export)
        screens.print_json({"status": verdict.status, "layer": layer.to_dict(), **files})
    else:
        _show(layer, verdict)
        print_saved([saved], [export])
    return VERDICT_CODES[verdict.status]


def _show(layer: Layer, verdict: Verdict) -> None:
    console = screens.out()
    n, d = layer.tokens.shape
    screens.print_plain(console, f"{counted(len(layer.goals), 'goal')} over {counted(n, 'token')} of dimension {d}\n")
    heads = "1" if layer.heads == 1 else f"{layer.heads}, mixed equally"
    facts = [("‖QᵀK‖", f"{layer.norm:.9g}"), ("rank", str(layer.rank)), ("heads", heads), ("method", layer.method)]
    facts += [("causal", "each row sees the tokens up to itself")] if layer.causal else []
    facts += [("tolerance", f"{layer.tolerance!r} of every output")] if layer.outputs else []
    screens.print_facts(console, facts)
    table = layer.table()
    rows = list(zip(table["row"], table["goal"], table["error"], strict=True))
    wide = max(len(goal) for goal in table["goal"][:_MOST_ROWS])
    lines = [f"  row {row:>{len(str(n))}}  {goal:<{wide}}  error {error:.4g}" for row, goal, error in rows[:_MOST_ROWS]]
    more = [f"  … {len(rows)} rows with goals"] if len(rows) > _MOST_ROWS else []
    screens.print_plain(console, "\n".join(["", *lines, *more, ""]))
    screens.print_verdict(console, verdict)
