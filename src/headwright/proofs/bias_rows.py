"""Rows of ALiBi's biases -m_h·|t - j|, m_h = 2^(-8h/heads), h = 1 … heads: their distances in closed form.

Rows t and t+s of head h: for j <= t and for j >= t+s the biases differ by m_h·s, L-s+1 places in all; at j = t+k, 0 < k < s,
they differ by m_h·(s - 2k). So, whatever t is,

    ‖b_t - b_{t+s}‖² = Σ_h m_h² · (s²(L-s+1) + s(s-1)(s-2)/3),        Σ_h m_h² = (1 - 2^-16)/(2^(16/heads) - 1).

For s = 1 the bracket is L. For s >= 2 it is at least s²(L-s+1), which over 2 <= s <= L-1 is least at an end: at least
min(4(L-1), 2(L-1)²) > L for L >= 3. So the nearest rows are neighbours. Rows stored in a narrow type still differ, because row
t is 0 at j = t in every head, and every other bias is at least 2^-8 in size and not stored as 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Self, final

import numpy as np

from headwright import balls, inputs
from headwright.number_types import round_to, type_name

CODE = "alibi"
_LARGEST = 2**32  # of lengths and heads, far beyond practical use


@final
@dataclass(frozen=True, eq=False)
class BiasRows:
    """Rows 0 … length-1 of ALiBi biases, all heads side by side, as exact reals; with `dtype`, as stored (for equality only).

    >>> from headwright.proofs import RowsApart
    >>> RowsApart(BiasRows(100, 8), Fraction(1)).prove().status
    'proved'
    """

    length: int
    heads: int
    dtype: str | None = None

    def __post_init__(self) -> None:
        for name in ("length", "heads"):
            if not 1 <= getattr(self, name) <= _LARGEST:
                raise ValueError(f"`{name}` must lie between 1 and 2^32, got {getattr(self, name)}")
        if self.dtype is not None:
            # ValueError if the largest bias overflows
            stored_size(self.length - 1, Fraction(8, self.heads), self.dtype)

    def words(self) -> str:
        """The rows in words."""
        stored = "" if self.dtype is None else f", as stored in {self.dtype}"
        return f"the first {self.length} rows of ALiBi biases of {self.heads} heads{stored}"

    def sides(self, distance: Fraction) -> Iterator[tuple[int, int, int | None]]:
        """Only neighbours, which are nearest; no pair at all if rows need only differ and no small bias is rounded to 0."""
        if self.length > 1 and (distance > 0 or not self._keeps_small()):
            yield 0, 1, None if self.dtype is not None else self.compare(0, 1, distance**2)

    def _keeps_small(self) -> bool:
        """Whether the smallest bias other than 0, of size 2^-8, is not stored as 0; then no larger one is either."""
        return self.dtype is None or bool(round_to(np.array([2.0**-8]), self.dtype)[0] > 0)

    def compare(self, i: int, j: int, square: Fraction) -> int | None:
        """The sign of ‖row i - row j‖² - square; None for stored rows, and if the highest precision leaves it open."""
        if self.dtype is not None:
            return None
        s = j - i
        places = s * s * (self.length - s + 1) + s * (s - 1) * (s - 2) // 3  # three numbers in a row: divisible by 3
        return balls.sign(lambda bits: places * self._squared_slopes() - balls.exact(square))

    def _squared_slopes(self) -> balls.Ball:
        """Σ_h m_h²."""
        ratio = (balls.exact(2).log() * balls.exact(Fraction(16, self.heads))).exp()
        return balls.exact(1 - Fraction(1, 2**16)) / (ratio - 1)

    def arrays(self) -> dict[str, np.ndarray]:
        return {}

    def fields(self) -> dict[str, Any]:
        return {"code": CODE, "length": self.length, "heads": self.heads, "dtype": self.dtype}

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Self:
        """The rows that `fields` describes; ValueError, TypeError or KeyError when it describes none."""
        unknown = set(fields) - {"code", "length", "heads", "dtype"}
        if unknown:
            raise ValueError(f"`rows` of biases have no part {', '.join(sorted(unknown))}")
        length, heads = (inputs.index(fields[name], name=name) for name in ("length", "heads"))
        return cls(length, heads, None if fields["dtype"] is None else type_name(fields["dtype"]))


def stored_size(k: int, power: Fraction, dtype: str) -> float:
    """k·2^(-power), rounded to `dtype`; ValueError if it overflows."""
    if power.denominator == 1:
        return float(round_to(np.array([k / 2**power.numerator]), dtype)[0])  # exact before it is rounded
    return balls.nearest(partial(_size, k, power), dtype)


def _size(k: int, power: Fraction, bits: int) -> balls.Ball:
    """k·2^(-power)."""
    with balls.precision(bits):
        return k * (-balls.exact(2).log() * balls.exact(power)).exp()
