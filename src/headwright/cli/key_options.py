"""Keys and queries on the command line: keys from a file or standard basis vectors, fixed or varying, and queries from a file."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, final

import numpy as np
import typer

from headwright.cli.goal_options import pairs_of
from headwright.kernel import inputs
from headwright.reading.array_files import read_array
from headwright.words.batches import BATCH_AXES
from headwright.words.key_models import GaussianKeys, KeyModel
from headwright.words.scaled_keys import ScaledKeys

_MOST_ORTHONORMAL = 10_000  # they fill an n×n matrix: 800 MB at this size
_fixed = partial(typer.Option, rich_help_panel="Keys (one of a file and --orthonormal)")
_varying = partial(typer.Option, rich_help_panel="Keys that vary (Gaussian, or scaled by finite laws)")


Scale = Annotated[str, typer.Option(metavar="1/8", help="Factor on every score: 0.125, or 1/8.")]


@dataclass(frozen=True)
class FixedKeyOptions:
    """The keys (n, d) or, as a batch, (..., n, d)."""

    keys: Annotated[Path | None, _fixed(metavar="FILE", help="Keys (n, d): .npy, .npz, .safetensors, .csv.")] = None
    array: Annotated[str | None, _fixed(metavar="NAME", help="Which array of the file, where it holds several.")] = None
    orthonormal: Annotated[int | None, _fixed(metavar="N", help="The N standard basis vectors as keys.")] = None

    def centre(self, *, batch: bool = False) -> np.ndarray:
        """The keys of the file, or the basis vectors.

        >>> FixedKeyOptions(orthonormal=3).centre().shape
        (3, 3)
        """
        if (self.keys is None) == (self.orthonormal is None):
            got = "neither" if self.keys is None else "both"
            raise ValueError(f"keys must be given by exactly one of `--keys FILE` and `--orthonormal N`, got {got}")
        if self.keys is not None:
            axes = BATCH_AXES if batch else 2
            return read_array(self.keys, argument="keys", ndim=axes, name=self.array)
        if self.array is not None:
            raise ValueError("`--array` needs `--keys`: it names an array of that file")
        n = self.orthonormal or 0
        if not 1 <= n <= _MOST_ORTHONORMAL:
            raise ValueError(f"`--orthonormal` must lie between 1 and {_MOST_ORTHONORMAL}, got {n}")
        return np.eye(n)


@final
@dataclass(frozen=True)
class KeyOptions(FixedKeyOptions):
    """The keys, and how they vary where they do: Gaussian by the options from `along` to `cov`, or of finite laws by `scaled`."""

    along: Annotated[
        list[str] | None,
        _varying(
            metavar="KEY=VARIANCE",
            help="Variance of a key along its own direction: 0=0.5, or 0=0.5,3=0.1; may be repeated.",
        ),
    ] = None
    isotropic: Annotated[str | None, _varying(metavar="VARIANCE", help="Variance of every key in every direction.")] = (
        None
    )
    factor: Annotated[
        list[str] | None,
        _varying(
            metavar="KEY=FILE",
            help="Noise in any directions: an array U (d,) or (d, r) adds the covariance UUᵀ; may be repeated.",
        ),
    ] = None
    cov: Annotated[
        Path | None,
        _varying(metavar="FILE", help="A covariance (d, d) that every key has, or one for each key (n, d, d)."),
    ] = None
    scaled: Annotated[
        list[str] | None,
        _varying(
            metavar="KEY=FACTOR:PROBABILITY,…",
            help="A key times a random factor: 0=0.5:1/2,1.5:1/2 halves key 0 or lengthens it by half, each with "
            "probability 1/2; once per key.",
        ),
    ] = None

    def read(self, *, batch: bool = False) -> np.ndarray | KeyModel:
        """The keys (n, d), or the key model around them where an option says how they vary. A `batch` is (..., n, d).

        >>> KeyOptions(orthonormal=3).read().shape
        (3, 3)
        >>> KeyOptions(orthonormal=3, along=["0=0.5"]).read()
        GaussianKeys: 3 Gaussian keys in dimension 3: variance 0.5 along key 0
        >>> KeyOptions(orthonormal=3, scaled=["1=0.5:1/4,1:3/4"]).read()
        ScaledKeys: 3 keys in dimension 3, key 1 times 0.5 (probability 0.25) or 1.0 (probability 0.75)
        """
        gaussian = [name for name in ("along", "isotropic", "factor", "cov") if getattr(self, name)]
        if self.scaled and gaussian:
            raise ValueError(
                f"`--scaled` keys follow finite laws; `--{gaussian[0]}` makes them Gaussian: give one or the other"
            )
        keys = self.centre(batch=batch and not (self.scaled or gaussian))
        if self.scaled:
            return _scaled_keys(keys, self.scaled)
        return self._gaussian_keys(keys) if gaussian else keys

    def _gaussian_keys(self, keys: np.ndarray) -> GaussianKeys:
        variances = {
            index: number_of(text, f"--along {index}=")
            for index, text in pairs_of(self.along or (), "--along", "0=0.5,3=0.1")
        }
        factors = {
            index: read_array(Path(file), argument="factor", ndim=(1, 2), chosen_by="")
            for index, file in pairs_of(self.factor or (), "--factor", "0=noise.npy", commas=False)
        }
        everywhere = 0.0 if self.isotropic is None else number_of(self.isotropic, "--isotropic")
        cov = None if self.cov is None else read_array(self.cov, argument="cov", ndim=(2, 3), chosen_by="")
        return GaussianKeys(keys, isotropic=everywhere, along=variances, factors=factors, cov=cov)


@final
@dataclass(frozen=True)
class QueryOptions:
    """The query of one head, or rows of queries with what they are: heads with their shares, or separate queries."""

    query: Annotated[Path, typer.Option(metavar="FILE", help="The query (d,), or queries (m, d) with --mix or --each.")]
    query_array: Annotated[str | None, typer.Option(metavar="NAME", help="Which array of the query file.")] = None
    mix: Annotated[
        str | None,
        typer.Option(
            metavar="equal", help="The rows of --query are heads of one output; their shares: equal, or 0.25,0.75."
        ),
    ] = None
    each: Annotated[
        bool, typer.Option("--each", help="The rows of --query are separate queries, with one answer each.")
    ] = False
    scale: Scale = "1"

    def read(self, keys: np.ndarray | KeyModel) -> np.ndarray:
        """The queries (h, d) for these keys; for keys of more than two axes as the file has them."""
        centre = keys.mean if isinstance(keys, KeyModel) else keys
        axes = (1, 2) if centre.ndim == 2 else (1, *BATCH_AXES)
        queries = read_queries(self.query, centre, argument="query", ndim=axes, name=self.query_array)
        return np.atleast_2d(queries) if centre.ndim == 2 and not self.each else queries

    def shares(self) -> np.ndarray | Literal["equal"] | None:
        """The heads' shares, as the library takes them.

        >>> QueryOptions(Path("q.npy"), mix="0.5, 0.5").shares()
        array([0.5, 0.5])
        """
        if self.mix is None or self.mix == "equal":
            return self.mix  # type: ignore[return-value]  # `equal`, the one word that it may be
        try:
            return np.array([float(part) for part in self.mix.split(",")])
        except ValueError:
            raise ValueError(f"`--mix` must be `equal` or numbers such as 0.5,0.5, got {self.mix!r}") from None


def read_queries(
    file: Path, keys: np.ndarray, *, argument: str, ndim: tuple[int, ...], name: str | None = None
) -> np.ndarray:
    """Queries for keys (..., n, d). In a .csv file, a column of d numbers is one query unless d is 1: NumPy writes (d,) so."""
    queries = read_array(file, argument=argument, ndim=ndim, name=name, chosen_by="--query-array")
    d = keys.shape[-1]
    return queries.ravel() if file.suffix.lower() == ".csv" and queries.shape == (d, 1) != (1, 1) else queries


def scale_of(text: str) -> Fraction:
    """The factor that `--scale` means: of a decimal the nearest float64, as in Python, and a fraction exactly.

    >>> scale_of("0.125"), scale_of("1/3"), scale_of("0.1") == Fraction(0.1)
    (Fraction(1, 8), Fraction(1, 3), True)
    """
    return inputs.rational(text if "/" in text else number_of(text, "--scale"), name="--scale")


def number_of(text: str, option: str) -> float:
    """The float64 that a number on the command line means: of a decimal the nearest, as in Python; a fraction must be exact.

    >>> number_of("0.1", "--isotropic"), number_of("1/4", "--isotropic")
    (0.1, 0.25)
    """
    exact = inputs.rational(text, name=option)
    if "/" in text or not abs(exact) < 2**1023 or (exact != 0 and float(exact) == 0):
        return inputs.held(text, name=option)
    return float(exact)


def _scaled_keys(keys: np.ndarray, texts: list[str]) -> ScaledKeys:
    example = "0=0.5:1/2,1.5:1/2"
    laws: dict[int, dict[str, str]] = {}
    for index, text in pairs_of(texts, "--scaled", example, commas=False):
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
