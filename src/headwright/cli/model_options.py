"""Keys that vary, on the command line: Gaussian by `--along`, `--isotropic`, `--factor`, or of finite laws by `--scaled`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from headwright import arrays
from headwright.cli.goal_options import index_of
from headwright.cli.key_files import read_array
from headwright.keys import GaussianKeys, KeyModel
from headwright.scaled_keys import ScaledKeys

_PANEL = "Keys that vary (Gaussian, or scaled by finite laws)"
HOW_TO_VARY = "say how by `--along`, `--isotropic`, `--factor` or `--scaled`"
AlongOption = Annotated[
    list[str] | None,
    typer.Option(
        "--along",
        metavar="KEY=VARIANCE",
        help="Variance of a key along its own direction: 0=0.5, or 0=0.5,3=0.1; may be repeated.",
        rich_help_panel=_PANEL,
    ),
]
IsotropicOption = Annotated[
    str | None,
    typer.Option(
        "--isotropic", metavar="VARIANCE", help="Variance of every key in every direction.", rich_help_panel=_PANEL
    ),
]
FactorOption = Annotated[
    list[str] | None,
    typer.Option(
        "--factor",
        metavar="KEY=FILE",
        help="Noise in any directions: an array U (d,) or (d, r) adds the covariance UUᵀ; may be repeated.",
        rich_help_panel=_PANEL,
    ),
]
ScaledOption = Annotated[
    list[str] | None,
    typer.Option(
        "--scaled",
        metavar="KEY=FACTOR:PROBABILITY,…",
        help="A key times a random factor: 0=0.5:1/2,1.5:1/2 halves key 0 or lengthens it by half, each with "
        "probability 1/2; once per key.",
        rich_help_panel=_PANEL,
    ),
]


def model_of(
    keys: np.ndarray,
    along: list[str] | None,
    isotropic: str | None,
    factor: list[str] | None,
    scaled: list[str] | None,
) -> KeyModel | None:
    """The key model that the options describe around `keys`; None where they describe none.

    >>> model_of(np.eye(3), ["0=0.5"], None, None, None)
    GaussianKeys: 3 Gaussian keys in dimension 3: variance 0.5 along key 0
    >>> model_of(np.eye(3), None, None, None, ["1=0.5:1/4,1:3/4"])
    ScaledKeys: 3 keys in dimension 3, key 1 times 0.5 or 1.0
    """
    gaussian = [name for name, given in _named(along, isotropic, factor) if given]
    if scaled and gaussian:
        raise ValueError(
            f"`--scaled` keys follow finite laws; `{gaussian[0]}` makes them Gaussian: give one or the other"
        )
    if scaled:
        return _scaled_keys(keys, scaled)
    if not gaussian:
        return None
    spread = 0.0 if isotropic is None else number_of(isotropic, "--isotropic")
    lengths = {index: number_of(text, f"--along {index}=") for index, text in _pairs(along, "--along", "0=0.5,3=0.1")}
    files = {index: _factor(path) for index, path in _pairs(factor, "--factor", "0=noise.npy", commas=False)}
    return GaussianKeys(keys, isotropic=spread, along=lengths, factors=files)


def number_of(text: str, option: str) -> float:
    """The float64 that a number on the command line means: of a decimal the nearest, as in Python; a fraction must be exact.

    >>> number_of("0.1", "--isotropic"), number_of("1/4", "--isotropic")
    (0.1, 0.25)
    """
    exact = arrays.rational(text, name=option)
    if "/" in text or not abs(exact) < 2**1023 or (exact != 0 and float(exact) == 0):
        return arrays.held(text, name=option)
    return float(exact)


def _named(along: list[str] | None, isotropic: str | None, factor: list[str] | None) -> Iterable[tuple[str, object]]:
    return ("--along", along), ("--isotropic", isotropic), ("--factor", factor)


def _pairs(texts: list[str] | None, option: str, example: str, *, commas: bool = True) -> list[tuple[int, str]]:
    """(key, text after its =) for every part; ValueError for a part without =, or a key named twice."""
    found: dict[int, str] = {}
    for part in (part for text in texts or () for part in (text.split(",") if commas else [text])):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"`{option}` must look like {example}, got {part.strip()!r}")
        index = index_of(key, option)
        if index in found:
            raise ValueError(f"`{option}` names key {index} more than once")
        found[index] = value.strip()
    return list(found.items())


def _factor(path: str) -> np.ndarray:
    return read_array(Path(path), argument="factor", ndim=(1, 2))


def _scaled_keys(keys: np.ndarray, texts: list[str]) -> ScaledKeys:
    example = "0=0.5:1/2,1.5:1/2"
    laws: dict[int, dict[str, str]] = {}
    for index, text in _pairs(texts, "--scaled", example, commas=False):
        law: dict[str, str] = {}
        for part in text.split(","):
            factor, colon, probability = (piece.strip() for piece in part.partition(":"))
            if not colon:
                raise ValueError(
                    f"`--scaled` must look like {example}, got {part.strip()!r} where factor:probability belongs"
                )
            if factor in law:
                raise ValueError(f"`--scaled` gives key {index} the factor {factor} twice")
            law[factor] = probability
        laws[index] = law
    try:
        return ScaledKeys(keys, laws)
    except (ValueError, TypeError) as error:
        raise ValueError(f"`--scaled`: {error}") from error
