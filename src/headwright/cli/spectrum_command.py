"""headwright spectrum: the singular values of a matrix, each in a proved interval; a bound for one, or a matrix of low rank."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from headwright.array_files import read_array
from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES
from headwright.cli.output_files import SaveOption, check_files, named, picture_option, print_saved, save_certificate

if TYPE_CHECKING:
    from headwright.spectrum import Energy, LowRank, Spectrum, Tail
    from headwright.verdict import Verdict

_SHOWN = 12  # singular values on the screen
_BAR = 30
_DIGITS = 12


def spectrum_command(
    file: Annotated[
        Path, typer.Argument(metavar="MATRIX", help="A file with a matrix (n, d): .npy, .npz, .safetensors, .csv.")
    ],
    array: Annotated[
        str | None, typer.Option("--matrix-array", metavar="NAME", help="Which array of the file.")
    ] = None,
    rank: Annotated[int | None, typer.Option(metavar="R", help="The nearest matrix of rank at most R.")] = None,
    tail: Annotated[
        int | None, typer.Option(metavar="K", help="The K-th singular value and its bound ‖A‖_F/√K.")
    ] = None,
    factors: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="With --rank: write left (n, R) and right (R, d), whose product it is."),
    ] = None,
    save: SaveOption = None,
    picture: Annotated[Path | None, picture_option(help="Draw the singular values under ‖A‖_F/√k.")] = None,
    as_json: screens.Json = False,
) -> int:
    """Enclose the singular values of a matrix with proof, bound one of them, or find the nearest matrix of low rank.

    Examples: headwright spectrum keys.npy; headwright spectrum keys.npy --rank 8 --factors near.npz
    """
    from headwright import spectrum

    if rank is not None and tail is not None:
        raise ValueError("`--rank` does not go with `--tail`: ask one question at a time")
    if factors is not None and rank is None:
        raise ValueError("`--factors` needs `--rank`: the factors are those of a matrix of low rank")
    check_files({"--save": save, "--factors": factors, "--picture": picture})
    matrix = read_array(file, argument="matrix", ndim=2, name=array)
    result: Energy | Tail | LowRank
    if rank is not None:
        result = spectrum.low_rank(matrix, rank)
    else:
        result = spectrum.energy(matrix) if tail is None else spectrum.tail(matrix, tail)
    saved = save_certificate(save, _provable(result))
    if factors is not None and isinstance(result, spectrum.LowRank):
        np.savez(factors, left=result.left, right=result.right)
    if picture is not None:
        from headwright import pictures

        pictures.save(pictures.spectrum_and_bound(matrix, name=file.stem), picture)
    if as_json:
        files = {**named(saved=saved, factors=factors), "pictures": [str(picture)] if picture else []}
        screens.print_json({"status": result.verdict.status, **_as_json(result, matrix, factors), **files})
    else:
        _show(result, matrix, file)
        print_saved([saved], [factors, picture])
    return VERDICT_CODES[result.verdict.status]


def _provable(result: Energy | Tail | LowRank) -> Verdict:
    """The verdict that a certificate can hold: the intervals, where the question itself is answered by a theorem."""
    from headwright.spectrum import LowRank

    return result.verdict if isinstance(result, LowRank) else result.singular_values.verdict


def _as_json(result: Energy | Tail | LowRank, matrix: np.ndarray, factors: Path | None) -> dict[str, Any]:
    """The result as plain values, without the factors where these were written to a file."""
    parts = {"shape": list(matrix.shape), **result.to_dict()}
    return {name: part for name, part in parts.items() if factors is None or name not in ("left", "right")}


def _show(result: Energy | Tail | LowRank, matrix: np.ndarray, file: Path) -> None:
    from headwright.balls import decimal_above
    from headwright.spectrum import LowRank, Tail

    console = screens.out()
    n, d = matrix.shape
    screens.print_plain(console, f"{file.name}: a {n} × {d} matrix\n")
    if isinstance(result, LowRank):
        _show_low_rank(result)
    else:
        if isinstance(result, Tail):
            facts = [(f"σ_{result.k}", repr(result.singular_value)), (f"‖A‖_F/√{result.k}", repr(result.bound))]
            facts.append((f"Σ σ_i², i >= {result.k}", repr(result.energy)))
        else:
            facts = [("‖A‖_F²", repr(result.total)), ("Σ σ_i²", repr(result.sum))]
        screens.print_facts(console, facts)
        screens.print_plain(
            console, f"\nSingular values, each to {decimal_above(Fraction(result.singular_values.width), 2)} (proved):"
        )
        screens.print_plain(console, _bars(result.singular_values) + "\n")
    screens.print_verdict(console, result.verdict)


def _show_low_rank(result: LowRank) -> None:
    from headwright.balls import decimal_above, decimal_below

    console = screens.out()
    facts = [
        ("rank", f"at most {result.rank}"),
        ("distance", f"at most {decimal_above(Fraction(result.error), _DIGITS)} in spectral norm (proved)"),
        ("nearest", f"no matrix of that rank is nearer than {decimal_below(Fraction(result.best), _DIGITS)} (proved)"),
        (f"‖A‖_F/√{result.rank + 1}", decimal_above(Fraction(result.bound), _DIGITS)),
        ("method", result.method if result.seed is None else f"{result.method}, seed {result.seed}"),
    ]
    if result.estimate is not None:
        facts.append(("estimate", f"≈ {result.estimate:.4g}: the distance is below this, not proved"))
    screens.print_facts(console, facts)
    screens.print_plain(console, "")


def _bars(values: Spectrum) -> str:
    """The largest singular values, and the last, as bars."""
    largest = float(values.values[0]) or 1.0
    wide = len(str(len(values)))
    lines = [
        f"  σ_{i:<{wide}}  {value:<12.6g}  {'█' * round(_BAR * value / largest)}"
        for i, value in enumerate(values.values[:_SHOWN].tolist(), start=1)
    ]
    if len(values) > _SHOWN:
        lines += ["  …", f"  σ_{len(values)}  {values.values[-1]:<12.6g}"]
    return "\n".join(line.rstrip() for line in lines)
