"""The rows that a claim can be about: waves as exact reals, or a table of numbers.

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
_MOST_PRODUCTS = 2**38  # of all pairs of a table
_MOST_WORDS = 2**34  # products of 64-bit words, for pairs that float64 does not decide: half a minute
_MOST_SINES = 2**22  # in balls, for shifts that float64 does not decide: some ten seconds
_CODES = ("sinusoidal", "rotary")


class TooLarge(Exception):  # noqa: N818 - a state of the work, not a fault
    """The work would take too long; the text says what it would examine."""


def allow_words(cost: int) -> None:
    """TooLarge if a table would need more integer arithmetic than allowed."""
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

    def sides(self, distance: Fraction) -> Iterator[tuple[int, int, int | None]]:
        """(0, s, sign of ‖row 0 - row s‖² - distance²), one pair for each shift s that may bring rows near; no other does."""
        looked_at = replace(self.waves, length=min(self.length, _MOST_SHIFTS))
        for tried, shift in enumerate(balls.all_near_shifts(looked_at, balls.float_above(distance**2))):
            if tried * self.waves.columns > _MOST_SINES:
                raise TooLarge(f"more than {tried} shifts whose distance is close to the claimed one")
            yield 0, shift, self.compare(0, shift, distance**2)
        self.allow_shifts()

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
        return balls.first_equal(self.stored)

    def compare(self, i: int, j: int, square: Fraction) -> int:
        own = balls.square_between(self.stored[i], self.stored[j])
        return (own > square) - (own < square)

    def arrays(self) -> dict[str, np.ndarray]:
        return {"table": self.table}

    def fields(self) -> dict[str, Any]:
        return {} if self.dtype is None else {"dtype": self.dtype}


RowSet = WaveRows | TableRows


def rows_from_parts(stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> RowSet:
    """The rows that these parts describe; ValueError, TypeError or KeyError if they describe none."""
    known = {"code", "length", "dim", "base"} if "code" in fields else {"dtype"} & set(fields)
    if set(fields) != known:
        raise ValueError(f"`rows` must have the parts {', '.join(sorted(known))}, got {', '.join(sorted(fields))}")
    if "code" not in fields:
        return TableRows(stored["table"], type_name(fields["dtype"]) if known else None)
    length, dim = (inputs.index(fields[name], name=name) for name in ("length", "dim"))
    return WaveRows(fields["code"], balls.Waves(length, dim, inputs.rational(fields["base"], name="base")))
