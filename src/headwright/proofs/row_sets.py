"""What a claim about rows can speak of: waves in exact reals, waves as stored in a narrow type, or a table of numbers.

Each can name the pairs that may be near (all others are certainly not) and compare one squared distance with a rational.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, final

import numpy as np

from headwright import arrays, balls
from headwright.number_types import round_to, type_name

_MOST_SHIFTS = 2**27  # some ten seconds
_MOST_ENTRIES = 2**28  # of stored rows made for one proof: some ten seconds
_MOST_PRODUCTS = 2**38  # of all pairs of a table
_KEPT_ENTRIES = 2**22  # stored rows are kept up to here, and made again beyond
_MOST_BITS = 4096
_CODES = ("sinusoidal", "rotary")


class TooLarge(Exception):  # noqa: N818 - a state of the work, not a fault
    """The proof would take too long; the text says what it would have to look at."""


@final
@dataclass(frozen=True, eq=False)
class WaveRows:
    """Rows 0 … length-1 of sines and cosines as exact reals; `code` names their order in words."""

    code: str
    waves: balls.Waves

    def __post_init__(self) -> None:
        if self.code not in _CODES:
            raise ValueError(f"`code` must be one of {', '.join(_CODES)}, got {self.code!r}")

    @property
    def length(self) -> int:
        return self.waves.length

    def words(self) -> str:
        waves, whole = self.waves, self.waves.base.denominator == 1
        base = waves.base.numerator if whole and waves.base < 10**16 else arrays.show(waves.base)
        return f"the first {waves.length} rows of {self.code} positions of dimension {waves.dim}, base {base}"

    def near(self, distance: Fraction) -> Iterator[tuple[int, int]]:
        """Pairs (0, s), one for each shift that may bring rows within `distance`."""
        limit = balls.float_above(distance**2)
        too_long = self.length > _MOST_SHIFTS
        looked_at = replace(self.waves, length=_MOST_SHIFTS) if too_long else self.waves
        yield from ((0, shift) for shift in balls.all_near_shifts(looked_at, limit))
        if too_long:
            raise TooLarge(f"{self.length} shifts")

    def compare(self, i: int, j: int, square: Fraction) -> int | None:
        """The sign of ‖row i - row j‖² - square; None where the highest precision does not tell."""
        bits = 128
        while bits <= _MOST_BITS:
            with balls.precision(bits):
                over = self.waves.square(j - i, bits) - balls.exact(square)
            if over > 0:
                return 1
            if over < 0:
                return -1
            bits *= 2
        return None

    def arrays(self) -> dict[str, np.ndarray]:
        return {}

    def fields(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "length": self.length,
            "dim": self.waves.dim,
            "base": str(self.waves.base),
            "dtype": None,
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

    def near(self, distance: Fraction) -> Iterable[tuple[int, int]]:
        """Rows further apart than distance + (what rounding can do) need not be looked at as stored."""
        reach = distance + balls.rounding_reach(self.exact.waves.dim, self.dtype)
        shifts = (shift for _, shift in self.exact.near(reach))
        if distance == 0:
            return self._equal(next(shifts, None))
        return self._near_as_stored(shifts, distance)

    def _equal(self, some: int | None) -> list[tuple[int, int]]:
        if some is None:
            return []
        looked_at = min(self.length, _MOST_ENTRIES // self.exact.waves.dim)
        found = balls.first_equal(self.rows, looked_at)
        if found is None and looked_at < self.length:
            raise TooLarge(f"more than {looked_at} stored rows, of which all these differ")
        return [] if found is None else [found]

    def _near_as_stored(self, shifts: Iterator[int], distance: Fraction) -> Iterator[tuple[int, int]]:
        dim = self.exact.waves.dim
        most = (_MOST_ENTRIES if self._kept is None else 16 * _MOST_ENTRIES) // (self.length * dim)
        limit = balls.float_above(distance**2) * (1 + (dim + 8) * 2.0**-52)
        step = max(1, _KEPT_ENTRIES // 16 // dim)
        for tried, shift in enumerate(shifts):
            if tried >= most:
                raise TooLarge(f"more than {most} shifts of {self.length} stored rows each")
            for start in range(0, self.length - shift, step):
                stop = min(start + step, self.length - shift)
                difference = self.rows(start, stop) - self.rows(start + shift, stop + shift)
                square = np.einsum("ij,ij->i", difference, difference)  # off by a relative (dim + 3)·2^-53
                for place in np.flatnonzero(~(square > limit)).tolist():
                    yield start + place, start + place + shift

    def compare(self, i: int, j: int, square: Fraction) -> int:
        found = balls.square_between(self.rows(i, i + 1)[0], self.rows(j, j + 1)[0])
        return (found > square) - (found < square)

    def rows(self, start: int, stop: int) -> np.ndarray:
        """Stored rows start … stop-1 (stop - start, dim), as float64."""
        if self._kept is not None:
            return self._kept[start:stop]
        return balls.stored_rows(self.exact.waves, start, stop, self.dtype)

    @cached_property
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
        object.__setattr__(self, "table", arrays.float64(self.table, name="table", ndim=2))

    @property
    def length(self) -> int:
        return len(self.table)

    def words(self) -> str:
        length, d = self.table.shape
        stored = "" if self.dtype is None else f", as stored in {self.dtype}"
        return f"the {length} row{'s'[: length - 1]} of a table of {d} column{'s'[: d - 1]}{stored}"

    @cached_property
    def stored(self) -> np.ndarray:
        """The numbers the claim speaks of, without negative zeros."""
        return (self.table if self.dtype is None else round_to(self.table, self.dtype)) + 0.0

    def near(self, distance: Fraction) -> Iterable[tuple[int, int]]:
        if distance == 0:
            found = balls.first_equal(lambda start, stop: self.stored[start:stop], self.length)
            return [] if found is None else [found]
        if self.length**2 * self.table.shape[1] > _MOST_PRODUCTS:
            raise TooLarge(f"all pairs of {self.length} rows")
        return balls.Points(self.stored).all_near(distance**2)

    def compare(self, i: int, j: int, square: Fraction) -> int:
        found = balls.square_between(self.stored[i], self.stored[j])
        return (found > square) - (found < square)

    def arrays(self) -> dict[str, np.ndarray]:
        return {"table": self.table}

    def fields(self) -> dict[str, Any]:
        return {"dtype": self.dtype}


RowSet = WaveRows | StoredWaveRows | TableRows


def rows_from_parts(stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> RowSet:
    """The rows these parts describe; ValueError, TypeError or KeyError when they describe none."""
    known = {"dtype"} if "code" not in fields else {"code", "length", "dim", "base", "dtype"}
    if set(fields) != known:
        raise ValueError(f"`rows` must have the parts {', '.join(sorted(known))}, got {', '.join(sorted(fields))}")
    dtype = fields["dtype"] if fields["dtype"] is None else type_name(fields["dtype"])
    if "code" not in fields:
        return TableRows(stored["table"], dtype)
    length, dim = (arrays.index(fields[name], name=name) for name in ("length", "dim"))
    exact = WaveRows(fields["code"], balls.Waves(length, dim, arrays.rational(fields["base"], name="base")))
    return exact if dtype is None else StoredWaveRows(exact, dtype)
