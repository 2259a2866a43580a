"""headwright layer: tokens, goals and outputs in a TOML file; the maps Q, K, V that do it, with their verdict; or why none do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from headwright.budget import DEFAULT
from headwright.cli import refusal_screens, screens
from headwright.cli.faults import VERDICT_CODES, fault_of
from headwright.cli.layer_files import read_layer
from headwright.cli.saving import SaveOption, check_files, named, print_saved, save_certificate
from headwright.layer import Layer, counted
from headwright.refusals import NotFound, Unreachable
from headwright.verdict import Verdict

_MOST_ROWS = 24  # of the table on the screen
_MOST_WITNESS = 10


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
        layer = design_layer(
            asked.tokens,
            asked.goals,
            asked.outputs or None,
            error=asked.error,
            rank=asked.rank,
            heads=asked.heads,
            causal=asked.causal,
        )
    except (Unreachable, NotFound) as refusal:
        saved = save_certificate(save, refusal.verdict if isinstance(refusal, Unreachable) else None)
        _show_refusal(refusal, saved=saved, as_json=as_json)
        return fault_of(refusal).code
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
    facts += [("tolerance", f"{layer.tolerance:.6g} of every output")] if layer.outputs else []
    screens.print_facts(console, facts)
    table = layer.table()
    rows = list(zip(table["row"], table["goal"], table["error"], strict=True))
    wide = max(len(goal) for goal in table["goal"][:_MOST_ROWS])
    lines = [f"  row {row:>{len(str(n))}}  {goal:<{wide}}  error {error:.4g}" for row, goal, error in rows[:_MOST_ROWS]]
    more = [f"  … {len(rows)} rows with goals"] if len(rows) > _MOST_ROWS else []
    screens.print_plain(console, "\n".join(["", *lines, *more, ""]))
    screens.print_verdict(console, verdict)


def _show_refusal(refusal: Unreachable | NotFound, *, saved: Path | None, as_json: bool) -> None:
    """As `design` shows its own, but a relation among rows is told as one."""
    meaning = _meaning(refusal.verdict.record) if isinstance(refusal, Unreachable) else None
    if as_json or meaning is None or not isinstance(refusal, Unreachable) or refusal.witness is None:
        refusal_screens.show(refusal, precision=None, saved=saved, as_json=as_json)
        return
    console = screens.out()
    screens.print_status(console, fault_of(refusal))
    screens.print_facts(console, [("proof", refusal.verdict.method), ("because", refusal.verdict.reason)])
    console.print(f"\nWitness: {meaning}")
    pairs = list(zip(refusal.witness.indices, refusal.witness.weights, strict=True))
    lines = [f"  row {row}  {float(weight):+.6f}" for row, weight in pairs[:_MOST_WITNESS]]
    more = [f"  … {len(pairs)} rows in all"] if len(pairs) > _MOST_WITNESS else []
    screens.print_plain(console, "\n".join([*lines, *more]))
    print_saved([saved])


def _meaning(record: Any) -> str | None:
    """What the witness of a contradiction between rows says, None for one of a single row."""
    from headwright.proofs import GoalsContradict, OutputsContradict

    if isinstance(record, OutputsContradict):
        return "so the wanted means cancel, and the wanted outputs do not:"
    if isinstance(record, GoalsContradict):
        return "the share of each row in the contradiction:"
    return None
