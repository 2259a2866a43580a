"""headwright position: position codes, the two nearest of them, and whether any two become one when they are stored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, final

import typer

from headwright.array_files import read_array
from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES
from headwright.cli.output_files import SaveOption, check_files, named, picture_option, print_saved, save_certificate
from headwright.number_types import PRECISIONS

if TYPE_CHECKING:
    from headwright.position import NearestPair, Positions
    from headwright.verdict import Verdict

_KINDS = ("sinusoidal", "rotary")


@final
@dataclass(frozen=True)
class CodeOptions:
    """The codes that are asked about: of a kind with its sizes, or a table."""

    length: Annotated[int | None, typer.Option(min=2, metavar="L", help="The number of positions, 0 to L-1.")] = None
    dim: Annotated[int | None, typer.Option(metavar="D", help="Columns of the code, even.")] = None
    kind: Annotated[str | None, typer.Option(help=f"{', '.join(_KINDS)} (default: sinusoidal).")] = None
    base: Annotated[float | None, typer.Option(help="The base of the frequencies (default: 10000).")] = None
    table: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A table (L, D) of your own: .npy, .npz, .safetensors, .csv.")
    ] = None
    table_array: Annotated[str | None, typer.Option(metavar="NAME", help="Which array of the table file.")] = None

    def codes(self) -> Positions:
        """The codes that the options name; ValueError where they contradict each other or say too little."""
        from headwright.position import learned, rotary, sinusoidal

        if self.table is not None:
            self._check(("table",), ("table_array",), "`--table`, which holds all codes")
            return learned(read_array(self.table, argument="table", ndim=2, name=self.table_array))
        kind = self.kind or "sinusoidal"
        if kind not in _KINDS:
            raise ValueError(f"`--kind` must be one of {', '.join(_KINDS)}, got {kind!r}")
        self._check(("length", "dim"), ("kind", "base"), f"{kind} codes, which take `--length` and `--dim`")
        make = sinusoidal if kind == "sinusoidal" else rotary
        return make(self.length or 0, self.dim or 0, 10000.0 if self.base is None else self.base)

    def _check(self, needed: tuple[str, ...], optional: tuple[str, ...], codes: str) -> None:
        """ValueError unless all options that these codes need are given, and no others but the optional ones."""
        given = {name for name, value in vars(self).items() if value is not None}
        for name in vars(self):
            option = f"`--{name.replace('_', '-')}`"
            if name in given.difference(needed, optional):
                raise ValueError(f"{option} does not go with {codes}")
            if name in set(needed) - given:
                raise ValueError(f"{option} is needed for {codes}; or give a table of your own by `--table`")


def position_command(
    wanted: CodeOptions,
    dtype: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE", help=f"Judge the codes as stored in {', '.join(PRECISIONS)} (default: the exact codes)."
        ),
    ] = None,
    save: SaveOption = None,
    picture: Annotated[Path | None, picture_option(help="Draw the distance against the shift.")] = None,
    collisions: Annotated[Path | None, picture_option(help="Draw how many codes coincide, by type.")] = None,
    as_json: screens.Json = False,
) -> int:
    """Report which two positions have the nearest codes, and whether all codes differ, exactly and as stored.

    The exit code is that of the verdict "all codes differ": 0 proved, 1 refuted, 3 undecided. Examples:
    headwright position --length 4096 --dim 128; headwright position --length 4096 --dim 2 --dtype float16
    """
    from headwright.position import distinct, nearest_pair

    check_files({"--save": save, "--picture": picture, "--collisions": collisions})
    codes = wanted.codes()
    if picture is not None and codes.base is None:
        raise ValueError(
            f"`--picture` needs sinusoidal or rotary codes, whose distances depend on the shift, got {codes.kind}"
        )
    nearest = nearest_pair(codes, dtype=dtype)
    verdict = distinct(codes, dtype=dtype)
    first = _first_alike(codes, dtype)
    saved = save_certificate(save, verdict)
    drawn = _draw(codes, picture, collisions)
    if as_json:
        shape = {"kind": codes.kind, "length": codes.length, "dim": codes.dim, "base": codes.base}
        pairs = {"nearest_pair": {**nearest.to_dict(), "verdict": nearest.verdict.to_dict()}, "coincidence": first}
        files = {**named(saved=saved), "pictures": [str(path) for path in drawn]}
        screens.print_json({"status": verdict.status, **shape, **pairs, "verdict": verdict.to_dict(), **files})
    else:
        _show(codes, nearest, first, verdict)
        print_saved([saved], drawn)
    return VERDICT_CODES[verdict.status]


def _first_alike(codes: Positions, dtype: str | None) -> dict[str, list[int] | str | None]:
    """The first coinciding pair by type, None where there is none; a type not asked for that overflows says so."""
    from headwright.position import coincidence

    first: dict[str, list[int] | str | None] = {}
    for name in PRECISIONS if dtype is None else (dtype,):
        try:
            pair = coincidence(codes, dtype=name)
        except ValueError:
            if dtype is not None:
                raise
            first[name] = "overflow"
        else:
            first[name] = None if pair is None else list(pair)
    return first


def _draw(codes: Positions, picture: Path | None, collisions: Path | None) -> list[Path]:
    """The files it drew."""
    if picture is None and collisions is None:
        return []
    from headwright import pictures  # it takes half a second

    wanted = ((picture, pictures.distance_against_shift), (collisions, pictures.collisions_by_type))
    return [pictures.save(draw(codes), path) for path, draw in wanted if path is not None]


def _show(codes: Positions, nearest: NearestPair, first: dict[str, list[int] | str | None], verdict: Verdict) -> None:
    console = screens.out()
    screens.print_plain(
        console, f"{codes.kind.capitalize()} codes of {codes.length:,} positions, {codes.dim} columns\n"
    )
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
