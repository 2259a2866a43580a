"""ALiBi's biases -m_h·|t - j|: their distances in closed form, and as stored.

Rows t and t+s of head h: for j <= t and for j >= t+s the biases differ by m_h·s, L-s+1 places in all; at j = t+k, 0 < k <
s, they differ by m_h·(s - 2k). So

    ‖b_t - b_{t+s}‖² = Σ_h m_h² · (s²(L-s+1) + s(s-1)(s-2)/3),

whatever t is. For s = 1 this is L Σ m_h². For s >= 2 the bracket is at least s²(L-s+1) >= 4(L-1) >= 2L at s = 2 and, the
product (L-s+1)·s² over 2 <= s <= L-1 being least at an end, at least min(4(L-1), 2(L-1)²) > L everywhere: the nearest
rows are neighbours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from headwright import balls
from headwright.number_types import round_to
from headwright.position.codes import Positions, slopes
from headwright.verdict import Proved

_MOST_ENTRIES = 2**25  # of the whole table of stored biases: 256 MiB
DISTINCT = (
    "row t is 0 at j = t in every head, and no other row is: m_h·|t - j| is at least 2^-8, and is not stored as 0"
)


def bias_square(positions: Positions) -> balls.Ball:
    """The squared distance of neighbours, L Σ m_h² = L (1 - 2^-16) / (2^(16/heads) - 1), a geometric series."""
    heads = positions.heads
    assert heads is not None, "biases belong to heads"
    with balls.precision(256):
        ratio = (balls.exact(2).log() * balls.exact(Fraction(16, heads))).exp()
        return positions.length * balls.exact(1 - Fraction(1, 2**16)) / (ratio - 1)


def bias_argument(positions: Positions, low: float) -> Proved:
    return Proved(
        f"no two of the {positions.length} rows of ALiBi biases of {positions.heads} heads are nearer than "
        f"{balls.decimal_below(Fraction(low))}; neighbours are that near, up to rounding",
        bound=low,
        reason="‖b_t - b_(t+s)‖² = Σ m_h²·(s²(L-s+1) + s(s-1)(s-2)/3) for every t, which is least at s = 1",
        method="the sum in closed form, its value in balls",
        scope="every length, by the closed form; the figure is for this one",
    )


def refuse_overflow(positions: Positions, dtype: str) -> None:
    """ValueError where the largest bias, m_1·(L-1), is beyond the type."""
    heads, last = positions.heads, positions.length - 1
    assert heads is not None, "biases belong to heads"
    try:
        _stored_size(last, Fraction(8, heads), dtype)
    except ValueError:
        raise ValueError(f"`dtype` {dtype} cannot hold biases of {positions.length} positions") from None


def stored_bias(positions: Positions, dtype: str) -> np.ndarray:
    """The table (L, heads·L) of biases, each exact value rounded to `dtype`; ValueError where it is too large or overflows."""
    length, heads = positions.length, positions.heads
    assert heads is not None, "biases belong to heads"
    if length * length * heads > _MOST_ENTRIES:
        raise ValueError(
            f"stored biases are compared as a table: `length`²·`heads` must be at most 2^25, got {length}²·{heads}"
        )
    refuse_overflow(positions, dtype)
    sizes = stored_sizes(length, heads, dtype)
    apart = np.abs(np.arange(length)[:, None] - np.arange(length))
    return np.concatenate([-sizes[h][apart] for h in range(heads)], axis=1) + 0.0


def stored_sizes(length: int, heads: int, dtype: str) -> np.ndarray:
    """m_h·k rounded to `dtype`, (heads, length), k = 0 … length-1."""
    sizes = np.empty((heads, length))
    for h, slope in enumerate(slopes(heads).tolist(), start=1):
        power = Fraction(8 * h, heads)
        if power.denominator == 1:
            sizes[h - 1] = round_to(slope * np.arange(length), dtype)  # the products are exact
        else:
            sizes[h - 1] = [_stored_size(k, power, dtype) for k in range(length)]
    return sizes


def _stored_size(k: int, power: Fraction, dtype: str) -> float:
    """k·2^(-power), rounded to `dtype`; ValueError where it overflows."""
    if power.denominator == 1:
        return float(round_to(np.array([k / 2**power.numerator]), dtype)[0])  # exact before it is rounded
    return balls.nearest(partial(_size, k, power), dtype)


def _size(k: int, power: Fraction, bits: int) -> balls.Ball:
    """k·2^(-power)."""
    with balls.precision(bits):
        return k * (-balls.exact(2).log() * balls.exact(power)).exp()
