"""The rows that a claim can be about: waves as exact reals, waves as stored in a narrow type, or a table of numbers.

Each names the pairs that may be near (all others are certainly not) and says on which side of a rational their squared
distances lie. Work that would take too long raises `TooLarge`, if possible before it begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright import balls, budget, inputs
from headwright.frozen import computed_once
from headwright.number_types import round_to, type_name

_MOST_SHIFTS = 2**27  # some ten seconds
_MOST_ENTRIES = 2**28  # of stored rows made for one proof: some ten seconds
_MOST_PRODUCTS = 2**38  # of all pairs of a table
_MOST_WORDS = 2**34  # products of 64-bit words, for pairs that float64 does not decide: half a minute
_MOST_SINES = 2**22  # in balls, for shifts that float64 does not decide: some ten seconds
_FIRST_ENTRIES = 2**26  # of stored rows searched for equal ones if all are too many
_KEPT_ENTRIES = 2**22  # stored rows are kept up to here, and made again beyond
_CODES = ("sinusoidal", "rotary")


class TooLarge(Exception):  # noqa: N818 - a state of the work, not a fault
    """The work would take too long; the text says what it would examine."""


def allow_words(cost: int) -> None:
    """TooLarge if one table or code would need more integer arithmetic than allowed."""
    if cost > _MOST_WORDS:
        raise TooLarge("more pairs that float64 cannot decide than half a minute of exact integers allows")


@final
@dataclass(frozen=True, eq=False)
class WaveRows:
    """Rows 0 … length-1 of sines and cosines as exact reals; `code` is "sinusoidal" or "rotary"."""

    code: str
    waves: balls.Waves

    def __post_init__(self) -> None:
        if self.code not in _CODES:
            raise ValueError(f"`code` must be one of {', '.join(_CODES)}, got {self.code!r}")

    @property
    def length(self) -> int:
        return self.waves.length

    def words(self) -> str:
        rows = f"{self.waves.length} row{'s'[: self.waves.length - 1]}"
        return f"the first {rows} of {self.kind_in_words()}"

    def kind_in_words(self) -> str:
        waves, whole = self.waves, self.waves.base.denominator == 1
        base = waves.base.numerator if whole and waves.base < 10**16 else inputs.show(waves.base)
        return f"{self.code} positions of dimension {waves.dim}, base {base}"

    def near(self, distance: Fraction) -> Iterator[tuple[int, int]]:
        """Pairs (0, s), one for each shift that may bring rows within `distance`."""
        limit = balls.float_above(distance**2)
        looked_at = replace(self.waves, length=min(self.length, _MOST_SHIFTS))
        yield from ((0, shift) for shift in balls.all_near_shifts(looked_at, limit))
        self.allow_shifts()

    def sides(self, distance: Fraction) -> Iterator[tuple[int, int, int | None]]:
        """(i, j, sign of ‖row i - row j‖² - distance²) for the pairs that may be near; all others are further apart."""
        for tried, (i, j) in enumerate(self.near(distance)):
            if tried * self.waves.columns > _MOST_SINES:
                raise TooLarge(f"more than {tried} shifts whose distance is close to the claimed one")
            yield i, j, self.compare(i, j, distance**2)

    def allow_shifts(self) -> None:
        """TooLarge if not every shift can be examined."""
        if self.length > _MOST_SHIFTS:
            raise TooLarge(f"{self.length} shifts, where {_MOST_SHIFTS} are the most")

    def compare(self, i: int, j: int, square: Fraction) -> int | None:
        """The sign of ‖row i - row j‖² - square; None if the highest precision leaves it open."""
        return balls.sign(lambda bits: self.waves.square(j - i, bits) - balls.exact(square))

    def arrays(self) -> dict[str, np.ndarray]:
        return {}

    def fields(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "length": self.length,
            "dim": self.waves.dim,
            "base": str(self.waves.base),
        }


@final
@dataclass(frozen=True, eq=False)
class StoredWaveRows:
    """The same rows with every entry rounded to the nearest number of `dtype`, ties to even."""

    exact: WaveRows
    dtype: str

    @property
    def length(self) -> int:
        return self.exact.length

    def words(self) -> str:
        return f"{self.exact.words()}, as stored in {self.dtype}"

    def sides(self, distance: Fraction) -> Iterator[tuple[int, int, int]]:
        """(i, j, sign of ‖row i - row j‖² - distance²) for the pairs that may be near, and the first two equal rows for 0."""
        if distance == 0:
            pair = self.first_equal()
            yield from [] if pair is None else [(*pair, self.compare(*pair, Fraction(0)))]
            return
        spent, limit = 0, self.screened(distance**2)
        for shift in self.near_shifts(distance):
            for start, x, y in self.shifted(shift):
                budget.spend(20 * x.size)
                places = np.flatnonzero(~(distances(x, y) > limit))
                if not len(places):
                    continue
                whole, i, j = paired(x, y, places)
                spent += whole.cost(i, j)
                allow_words(spent)
                for place, sign in zip(
                    places.tolist(), balls.signs(whole.squares(i, j), distance**2 / whole.unit**2), strict=True
                ):
                    yield start + place, start + place + shift, sign

    def near_shifts(self, distance: Fraction) -> Iterator[int]:
        """Shifts that may bring stored rows within `distance`: the exact rows are then within distance + (effect of rounding)."""
        waves = self.exact.waves
        reach = distance + balls.rounding_reach(waves.dim, self.dtype)
        most = self.most_shifts()
        for tried, (_, shift) in enumerate(self.exact.near(reach)):
            if tried >= most:
                raise TooLarge(f"more than {most} shifts of {self.length} stored rows each")
            yield shift

    def most_shifts(self) -> int:
        """How many shifts of stored rows may be examined; TooLarge if not even one."""
        entries = self.length * self.exact.waves.dim
        if entries > _MOST_ENTRIES:
            raise TooLarge(
                f"{self.length} stored rows of dimension {self.exact.waves.dim}: more than {_MOST_ENTRIES} numbers"
            )
        return (_MOST_ENTRIES if self._kept is None else 16 * _MOST_ENTRIES) // entries

    def shifted(self, shift: int) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """(start, rows from there, rows `shift` after them), block by block."""
        step = max(1, _KEPT_ENTRIES // 16 // self.exact.waves.dim)
        for start in range(0, self.length - shift, step):
            stop = min(start + step, self.length - shift)
            yield start, self.rows(start, stop), self.rows(start + shift, stop + shift)

    def screened(self, square: Fraction) -> float:
        """If `distances` in float64, off by a relative (dim + 3)·2^-53, exceeds this, the exact one exceeds `square`."""
        return balls.float_above(square) * (1 + (self.exact.waves.dim + 8) * 2.0**-52)

    def first_equal(self) -> tuple[int, int] | None:
        """The first two equal rows; None if all differ."""
        waves = self.exact.waves
        if next(self.exact.near(balls.rounding_reach(waves.dim, self.dtype)), None) is None:
            return None  # the exact rows are too far apart for rounding to bring them together
        most = min(_MOST_ENTRIES, _FIRST_ENTRIES) if self.length * waves.dim > _MOST_ENTRIES else _MOST_ENTRIES
        looked_at = min(self.length, max(1, most // waves.dim))
        pair = balls.first_equal(self.rows, looked_at)
        if pair is None and looked_at < self.length:
            raise TooLarge(f"{self.length} stored rows, of which the first {looked_at} differ")
        return pair

    def compare(self, i: int, j: int, square: Fraction) -> int:
        own = balls.square_between(self.rows(i, i + 1)[0], self.rows(j, j + 1)[0])
        return (own > square) - (own < square)

    def rows(self, start: int, stop: int) -> np.ndarray:
        """Stored rows start … stop-1 (stop - start, dim), as float64."""
        if self._kept is not None:
            return self._kept[start:stop]
        return balls.stored_rows(self.exact.waves, start, stop, self.dtype)

    @computed_once
    def _kept(self) -> np.ndarray | None:
        waves = self.exact.waves
        if self.length * waves.dim > _KEPT_ENTRIES:
            return None
        return balls.stored_rows(waves, 0, self.length, self.dtype)

    def arrays(self) -> dict[str, np.ndarray]:
        return {}

    def fields(self) -> dict[str, Any]:
        return {**self.exact.fields(), "dtype": self.dtype}


@final
@dataclass(frozen=True, eq=False)
class TableRows:
    """The rows of a table (L, d); with `dtype`, each entry rounded to the nearest number of that type."""

    table: np.ndarray
    dtype: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", inputs.float64(self.table, name="table", ndim=2))

    @property
    def length(self) -> int:
        return len(self.table)

    def words(self) -> str:
        length, d = self.table.shape
        stored = "" if self.dtype is None else f", as stored in {self.dtype}"
        return f"the {length} row{'s'[: length - 1]} of a table of {d} column{'s'[: d - 1]}{stored}"

    @computed_once
    def stored(self) -> np.ndarray:
        """The numbers that the claim is about, without negative zeros."""
        return (self.table if self.dtype is None else round_to(self.table, self.dtype)) + 0.0

    def sides(self, distance: Fraction) -> Iterator[tuple[int, int, int]]:
        """(i, j, sign of ‖row i - row j‖² - distance²) for the pairs that may be near, and the first two equal rows for 0."""
        if distance == 0:
            pair = self.first_equal()
            yield from [] if pair is None else [(*pair, self.compare(*pair, Fraction(0)))]
            return
        points, spent = self.points(), 0
        for block in points.blocks:
            near = points.near(block, points.limit(distance**2))
            budget.spend(1000 * len(near.i))
            spent += points.cost(near)
            allow_words(spent)
            squares, unit = points.squares(near)
            yield from zip(near.i.tolist(), near.j.tolist(), balls.signs(squares, distance**2 / unit**2), strict=True)

    def points(self) -> balls.Points:
        """The rows prepared for a search of all pairs; TooLarge if there are too many pairs."""
        length, d = self.table.shape
        if length**2 * d > _MOST_PRODUCTS:
            raise TooLarge(f"all pairs of {length} rows of {d} numbers: more than {_MOST_PRODUCTS} products")
        return balls.Points(self.stored)

    def first_equal(self) -> tuple[int, int] | None:
        """The first two equal rows; None if all differ."""
        return balls.first_equal(lambda start, stop: self.stored[start:stop], self.length)

    def compare(self, i: int, j: int, square: Fraction) -> int:
        own = balls.square_between(self.stored[i], self.stored[j])
        return (own > square) - (own < square)

    def arrays(self) -> dict[str, np.ndarray]:
        return {"table": self.table}

    def fields(self) -> dict[str, Any]:
        return {} if self.dtype is None else {"dtype": self.dtype}


def distances(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The squared distance of every row of x from that of y, in float64."""
    difference = x - y
    return np.asarray(np.einsum("ij,ij->i", difference, difference))


def paired(x: np.ndarray, y: np.ndarray, places: np.ndarray) -> tuple[balls.WholeRows, np.ndarray, np.ndarray]:
    """These rows of x and y as integers, and which of them belong together."""
    k = np.arange(len(places))
    return balls.WholeRows(np.concatenate([x[places], y[places]])), k, k + len(places)


RowSet = WaveRows | StoredWaveRows | TableRows


def rows_from_parts(stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> RowSet:
    """The rows that these parts describe; ValueError, TypeError or KeyError if they describe none."""
    known = {"code", "length", "dim", "base"} if "code" in fields else set[str]()
    if set(fields) - {"dtype"} != known:
        raise ValueError(f"`rows` must have the parts {', '.join(sorted(known))}, got {', '.join(sorted(fields))}")
    dtype = type_name(fields["dtype"]) if "dtype" in fields else None
    if "code" not in fields:
        return TableRows(stored["table"], dtype)
    length, dim = (inputs.index(fields[name], name=name) for name in ("length", "dim"))
    exact = WaveRows(fields["code"], balls.Waves(length, dim, inputs.rational(fields["base"], name="base")))
    return exact if dtype is None else StoredWaveRows(exact, dtype)
