"""headwright compare: how far the attention of queries moves when stored keys replace the keys."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES
from headwright.cli.key_options import Scale, read_queries, scale_of
from headwright.cli.output_files import SaveOption, check_files, named, print_saved, save_certificate
from headwright.reading.array_files import read_array

if TYPE_CHECKING:
    from headwright.search.compress.comparison import Comparison

_AXES = (1, 2, 3, 4, 5, 6)
_PER_CENT = (50, 90, 99)
_several = partial(typer.Option, metavar="NAME", rich_help_panel="Files that hold several arrays")


def compare_command(
    keys: Annotated[
        Path, typer.Argument(metavar="KEYS", help="Keys (..., n, d): .npy, .npz, .safetensors (bfloat16 too), .csv.")
    ],
    stored: Annotated[Path, typer.Argument(metavar="STORED", help="The keys that replace them, of the same shape.")],
    queries: Annotated[
        Path, typer.Argument(metavar="QUERIES", help="Queries (..., m, d), or one for each key set (..., d).")
    ],
    values: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Values (..., n, v): compare outputs too.")
    ] = None,
    stored_values: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The values that replace them (default: the same values).")
    ] = None,
    scale: Scale = "1",
    causal: Annotated[bool, typer.Option("--causal", help="Query i of m sees the keys up to n - m + i.")] = False,
    error: Annotated[
        str | None, typer.Option(metavar="E", help="Judge the claim that every query moves by at most E.")
    ] = None,
    of: Annotated[
        str,
        typer.Option(
            metavar="weights|output", help="With --error: whether E bounds the move of the weights or of the output."
        ),
    ] = "weights",
    array: Annotated[str | None, _several(help="Which array of the key file.")] = None,
    stored_array: Annotated[str | None, _several(help="Which array of the stored keys' file.")] = None,
    query_array: Annotated[str | None, _several(help="Which array of the query file.")] = None,
    values_array: Annotated[str | None, _several(help="Which array of the value file.")] = None,
    stored_values_array: Annotated[str | None, _several(help="Which array of the stored values' file.")] = None,
    save: SaveOption = None,
    as_json: screens.Json = False,
) -> int:
    """Bound how far the attention of every query moves when stored keys replace the keys, with proof.

    Examples:

    headwright compare keys.npy int8.npy queries.npy --causal --scale 1/8

    headwright compare keys.npy int4.npy queries.npy --error 0.05
    """
    from headwright.search.compress.compare import compare

    if save is not None and error is None:
        raise ValueError(
            "`--save` needs `--error`: a certificate holds the claim that every query moves by at most that"
        )
    check_files({"--save": save})
    own = read_array(keys, argument="keys", ndim=_AXES, name=array)
    result = compare(
        own,
        _read(stored, "stored", stored_array),
        read_queries(queries, own, argument="queries", ndim=_AXES, name=query_array),
        values=_read(values, "values", values_array),
        stored_values=_read(stored_values, "stored_values", stored_values_array),
        scale=scale_of(scale),
        causal=causal,
    )
    verdict = None if error is None else result.claim(error, of=of)
    saved = save_certificate(save, verdict)
    if as_json:
        judged = {} if verdict is None else {"verdict": verdict.to_dict()}
        status = "done" if verdict is None else verdict.status
        screens.print_json({"status": status, **result.to_dict(), **judged, **named(saved=saved)})
    else:
        _show(result)
        if verdict is not None:
            screens.print_plain(screens.out(), "")
            screens.print_verdict(screens.out(), verdict)
        print_saved([saved])
    return 0 if verdict is None else VERDICT_CODES[verdict.status]


def _read(file: Path | None, argument: str, name: str | None) -> np.ndarray | None:
    option = f"--{argument.replace('_', '-')}"
    if file is not None:
        return read_array(file, argument=argument, ndim=_AXES, name=name, chosen_by=f"{option}-array")
    if name is not None:
        raise ValueError(f"`{option}-array` needs `{option}`: it names an array of that file")
    return None


def _show(result: Comparison) -> None:
    console, worst, count = screens.out(), result.worst, result.variation.size
    kept, changed = int(result.winner_kept.sum()), int(result.winner_changed.sum())
    screens.print_plain(console, f"{count} queries, shape {result.variation.shape}\n")
    facts = [("total variation", f"at most {worst.value!r}, at query {list(worst.where)}")]
    facts += [(f"{share} % of them", f"within {result.quantile(f'{share}/100')!r}") for share in _PER_CENT]
    facts.append(
        ("largest weight", f"stays with its key for {kept}, moves for {changed}, open for {count - kept - changed}")
    )
    if (change := result.worst_output) is not None:
        facts.append(("output", f"moves by at most {change.value!r}, at query {list(change.where)}"))
    screens.print_facts(console, facts)
