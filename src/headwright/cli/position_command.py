"""headwright position: position codes, the two nearest of them, and whether any two become one when they are stored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES
from headwright.cli.key_files import read_array
from headwright.cli.picture_options import check_drawings
from headwright.cli.saving import SaveOption, check_target, save_certificate, saved_note
from headwright.number_types import PRECISIONS

if TYPE_CHECKING:
    from headwright.position import NearestPair, Positions
    from headwright.verdict import Verdict

_KINDS = ("sinusoidal", "rotary", "alibi")
_PICTURES = "Pictures (they need the extra plots)"
_FILE = "FILE.svg|.png"


def position_command(
    length: Annotated[int | None, typer.Option(metavar="L", help="The number of positions, 0 to L-1.")] = None,
    dim: Annotated[int | None, typer.Option(metavar="D", help="Columns of a sinusoidal or rotary code, even.")] = None,
    kind: Annotated[str | None, typer.Option(help=f"{', '.join(_KINDS)} (default: sinusoidal).")] = None,
    base: Annotated[float | None, typer.Option(help="The base of the frequencies (default: 10000).")] = None,
    heads: Annotated[int | None, typer.Option(metavar="H", help="With --kind alibi: the number of heads.")] = None,
    table: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A table (L, D) of your own: .npy, .npz, .safetensors, .csv.")
    ] = None,
    table_array: Annotated[str | None, typer.Option(metavar="NAME", help="Which array of the table file.")] = None,
    dtype: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE", help=f"Ask about the codes as stored in {', '.join(PRECISIONS)}; else about the exact ones."
        ),
    ] = None,
    save: SaveOption = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar=_FILE, help="Draw the distance against the shift.", rich_help_panel=_PICTURES),
    ] = None,
    collisions: Annotated[
        Path | None,
        typer.Option(metavar=_FILE, help="Draw how many codes coincide, by type.", rich_help_panel=_PICTURES),
    ] = None,
    as_json: screens.Json = False,
) -> int:
    """Tell which two positions have the nearest codes, and whether all codes differ, exactly and as stored.

    The exit code is that of the verdict "all codes differ": 0 proved, 1 refuted, 3 undecided. Examples:
    headwright position --length 4096 --dim 128; headwright position --length 4096 --dim 2 --dtype float16
    """
    from headwright.position import distinct, nearest_pair

    if dtype is not None and dtype not in PRECISIONS:
        raise ValueError(f"`--dtype` must be one of {', '.join(PRECISIONS)}, got {dtype!r}")
    drawn = check_drawings({"--picture": picture, "--collisions": collisions})
    check_target(save, "--save")
    codes = _codes(length, dim, kind, base, heads, table, table_array)
    if codes.length < 2:
        raise ValueError("`--length`, or the number of rows of `--table`, must be at least 2 for a nearest pair, got 1")
    if picture is not None and codes.base is None:
        raise ValueError(
            f"`--picture` needs sinusoidal or rotary codes, whose distances depend on the shift, got {codes.kind}"
        )
    nearest = nearest_pair(codes, dtype=dtype)
    verdict = distinct(codes, dtype=dtype)
    first = _first_alike(codes, dtype)
    saved = save_certificate(save, verdict)
    _draw(codes, picture, collisions)
    if as_json:
        files = {"saved": saved and str(saved), "pictures": [str(path) for path in drawn]}
        told = {"nearest_pair": {**nearest.to_dict(), "verdict": nearest.verdict.to_dict()}, "coincidence": first}
        screens.print_json(
            {"status": verdict.status, **_described(codes), **told, "verdict": verdict.to_dict(), **files}
        )
    else:
        _show(codes, nearest, first, verdict, [*([saved] if saved else [])], drawn)
    return VERDICT_CODES[verdict.status]


def _codes(
    length: int | None,
    dim: int | None,
    kind: str | None,
    base: float | None,
    heads: int | None,
    table: Path | None,
    table_array: str | None,
) -> Positions:
    """The encoding that the options name; ValueError where they contradict each other or say too little."""
    from headwright.position import alibi, learned, rotary, sinusoidal

    given = {"--length": length, "--dim": dim, "--kind": kind, "--base": base, "--heads": heads}
    if table is not None:
        extra = [option for option, value in given.items() if value is not None]
        if extra:
            raise ValueError(f"`--table` holds all codes: it goes without {', '.join(f'`{name}`' for name in extra)}")
        return learned(read_array(table, argument="table", ndim=2, name=table_array))
    if table_array is not None:
        raise ValueError("`--table-array` names an array of a file: it needs `--table`")
    chosen = "sinusoidal" if kind is None else kind
    if chosen not in _KINDS:
        raise ValueError(f"`--kind` must be one of {', '.join(_KINDS)}, got {kind!r}")
    wanted, refused = ("--heads", ("--dim", "--base")) if chosen == "alibi" else ("--dim", ("--heads",))
    for option in refused:
        if given[option] is not None:
            raise ValueError(f"`{option}` does not go with `--kind {chosen}`, which takes `--length` and `{wanted}`")
    size = heads if chosen == "alibi" else dim
    if length is None or size is None:
        raise ValueError(
            f"`--length` and `{wanted}` are needed for {chosen} codes, or a table of your own by `--table`"
        )
    if chosen == "alibi":
        return alibi(length, size)
    return (sinusoidal if chosen == "sinusoidal" else rotary)(length, size, 10000.0 if base is None else base)


def _first_alike(codes: Positions, dtype: str | None) -> dict[str, list[int] | str | None]:
    """The first coinciding pair by type, None where there is none; a type not asked for that overflows says so."""
    from headwright.position import coincidence

    found: dict[str, list[int] | str | None] = {}
    for name in PRECISIONS if dtype is None else (dtype,):
        try:
            pair = coincidence(codes, dtype=name)
        except ValueError:
            if dtype is not None:
                raise
            found[name] = "overflow"
        else:
            found[name] = None if pair is None else list(pair)
    return found


def _draw(codes: Positions, picture: Path | None, collisions: Path | None) -> None:
    from headwright import pictures

    if picture is not None:
        pictures.save(pictures.distance_against_shift(codes), picture)
    if collisions is not None:
        pictures.save(pictures.collisions_by_type(codes), collisions)


def _described(codes: Positions) -> dict[str, Any]:
    return {"kind": codes.kind, "length": codes.length, "dim": codes.dim, "base": codes.base}


def _show(
    codes: Positions,
    nearest: NearestPair,
    first: dict[str, list[int] | str | None],
    verdict: Verdict,
    saved: list[Path],
    drawn: list[Path],
) -> None:
    console = screens.out()
    kind = "ALiBi" if codes.kind == "alibi" else codes.kind.capitalize()
    screens.print_plain(console, f"{kind} codes of {codes.length:,} positions, {codes.dim} columns\n")
    stored = "exact codes" if nearest.dtype is None else f"as stored in {nearest.dtype}"
    sure = "proved" if nearest.verdict.status == "proved" else "not proved"
    i, j = nearest.pair
    facts = [("nearest pair", f"{i} and {j}, {stored}; no two are nearer ({sure})")]
    distance = f"{nearest.distance:.9g}, between {nearest.distance.low!r} and {nearest.distance.high!r}"
    if nearest.distance.low == nearest.distance.high:
        distance = f"{nearest.distance.low!r} exactly"
    if nearest.distance.high == 0:
        facts, distance = [("nearest pair", f"{i} and {j}, {stored}; they are equal")], "0"
    facts.append(("distance", distance))
    for name, pair in first.items():
        alike = "no two codes coincide" if pair is None else "the largest numbers overflow"
        if isinstance(pair, list):
            alike = f"positions {pair[0]} and {pair[1]} are the first to coincide"
        facts.append((f"in {name}", alike))
    screens.print_facts(console, facts)
    screens.print_plain(console, "")
    screens.print_verdict(console, verdict)
    for path in saved:
        screens.print_plain(console, saved_note(path))
    for path in drawn:
        screens.print_plain(console, f"\nSaved {path}")
