"""headwright compress: the fewest bits in which keys can be stored so that attention is proved to stay within an error."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES
from headwright.cli.key_options import Scale, read_queries, scale_of
from headwright.cli.output_files import SaveOption, check_files, named, print_saved, save_certificate
from headwright.reading.array_files import read_array

_AXES = (1, 2, 3, 4, 5, 6)


def compress_command(
    keys: Annotated[
        Path, typer.Argument(metavar="KEYS", help="Keys (..., n, d): .npy, .npz, .safetensors (bfloat16 too), .csv.")
    ],
    error: Annotated[str, typer.Option(metavar="E", help="The largest total variation allowed.")],
    queries: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the attention of these queries (..., m, d).")
    ] = None,
    array: Annotated[str | None, typer.Option(metavar="NAME", help="Which array of the key file.")] = None,
    query_array: Annotated[str | None, typer.Option(metavar="NAME", help="Which array of the query file.")] = None,
    max_norm: Annotated[
        str | None, typer.Option(metavar="R", help="Keep the attention of all queries of norm R or less.")
    ] = None,
    kinds: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="The kinds to try, with commas between them (default: the common ones).",
        ),
    ] = None,
    scale: Scale = "1",
    causal: Annotated[
        bool,
        typer.Option(
            "--causal",
            help="Query i of m sees the keys up to n - m + i. With --max-norm, a query may see any first keys.",
        ),
    ] = False,
    save: SaveOption = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg|.png",
            help="Draw bits against error.",
            rich_help_panel="Pictures (they need the extra plots)",
        ),
    ] = None,
    as_json: screens.Json = False,
) -> int:
    """Find the fewest bits per number in which keys can be stored with attention proved to stay within an error.

    A kind of --kinds is a type of number, then, where they apply, the axis,
    the group and min-max: int8, int4/token/32, int3/channel/16/min-max.
    rank/8 stands for two factors of rank 8. Examples:

    headwright compress keys.npy --queries queries.npy --error 0.05 --scale 1/8

    headwright compress keys.npy --max-norm 9 --error 0.05 --kinds int8,rank/16
    """
    from headwright.search.compress.compress import compress

    if (queries is None) == (max_norm is None):
        raise ValueError("`--queries` or `--max-norm` must be given, and not both")
    check_files({"--save": save, "--picture": picture})
    if query_array is not None and queries is None:
        raise ValueError("`--query-array` needs `--queries`: it names an array of that file")
    own = read_array(keys, argument="keys", ndim=_AXES, name=array)
    result = compress(
        own,
        None if queries is None else read_queries(queries, own, argument="queries", ndim=_AXES, name=query_array),
        max_norm=max_norm,
        error=error,
        kinds=None if kinds is None else [_entry(text) for text in kinds.split(",")],
        scale=scale_of(scale),
        causal=causal,
    )
    saved = save_certificate(save, result.verdict)
    if picture is not None:
        from headwright.faces import pictures

        pictures.save(result.plot(), picture)
    if as_json:
        screens.print_json({**result.to_dict(), **named(saved=saved, picture=picture)})
    else:
        screens.print_plain(screens.out(), f"{result!r}\n")
        screens.print_verdict(screens.out(), result.verdict)
        print_saved([saved], [picture])
    return VERDICT_CODES[result.verdict.status]


def _entry(text: str) -> tuple[Any, ...]:
    """One entry of --kinds: the arguments of `stored` with strokes between them.

    >>> _entry("int8"), _entry("int4/token/32"), _entry("int3/channel/all/min-max"), _entry("rank/8")
    (('int8',), ('int4', 'token', 32), ('int3', 'channel', None, False), ('rank', 8))
    """
    kind, *rest = (part.strip() for part in text.split("/"))
    parts: list[Any] = [kind]
    for part in rest:
        if part.isdecimal() or part == "all":
            parts.append(None if part == "all" else int(part))
        elif part in ("min-max", "symmetric"):
            parts += [None] * (3 - len(parts)) if len(parts) > 1 else ["channel", None]
            parts.append(part == "symmetric")
        else:
            parts.append(part)
    return tuple(parts)
