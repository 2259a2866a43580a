"""Waves sin(tω_i), cos(tω_i), ω_i = base^(-2i/dim): sines of half angles, and distances from them, at integer times t.

The sines are in float64 with a proved radius, for a screen of many times, and the distances in balls.

**Angles are integers.** In float64 an angle tω/2 would lose its last digits as t grows. Here an angle is a 96-bit integer x, in
units of 2^-95 half turns. Two half turns are 2^96, so the overflow of unsigned integers reduces the angle. One step is ω_i/2π,
rounded once by balls to within `error` units, and t steps are t times that, off by at most t·error units.

**Sines.** With the whole half turns taken off, and the rest p folded to [0, 1/2], sin(πp) is Taylor's polynomial in z =
πp up to z²¹/21!, by additions and multiplications alone, without trusting libm. With u = 2^-53:

* z is off by a relative 4u at most: rounding the integer to float64 twice (2u), the product (u), π itself (u/2). Since
  z cos z <= sin z on [0, π/2], this moves the sine by no more than a relative 4u.
* Horner's rule in the rounded z², with rounded coefficients, is off by at most γ₃₁ Σ z^(2k)/(2k+1)! = γ₃₁ sinh(z)/z, a
  relative 31u·2.31 of sin(z)/z [Higham, Accuracy and Stability, §5.1]; the last product adds u, the remainder z²³/23!
  less than u/50.
* Together they are less than 77u. The code uses 2^-46 = 128u, which covers rounding the radius and midpoint ± radius.
* An angle off by t·error units moves the sine by at most π·t·error·2^-95, bounded by 2^-93·t·error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from headwright import budget
from headwright.balls.ball import Ball, exact, lower, precision, upper
from headwright.frozen import computed_once

LATEST = 2**32  # times are below this
LEAST_BASE, LARGEST_BASE = Fraction(1e-300), Fraction(1e300)
_BITS = 256  # beyond those of the largest frequency
_WIDEST = 2**16  # beyond this, balls for every frequency take too long
_LOW = 2**32 - 1
_TURN = 2**96
_COEFFICIENTS = tuple((-1) ** k / math.factorial(2 * k + 1) for k in range(11))


@final
@dataclass(frozen=True)
class Turn:
    """The angle of one step, without whole turns: `units`·2^-95 half turns, off by at most `error` units."""

    units: int
    error: int

    @classmethod
    def of(cls, half_turns: Ball) -> Turn:
        scaled = half_turns * 2**95
        low, high = lower(scaled), upper(scaled)
        assert low is not None, "frequencies are finite"
        assert high is not None, "frequencies are finite"
        units = math.floor(low)
        return cls(units % _TURN, math.ceil(high - units))

    def sines(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(midpoints, radii) of |sin(πx)|, x the angle at each of `times` (uint64, below 2^32)."""
        low = times * np.uint64(self.units & _LOW)
        high = times * np.uint64(self.units >> 32) + (low >> np.uint64(32))
        # Twice the upper half, read as a signed number: the angle from the nearest whole half turn, in 2^-64 of them.
        rest = (high << np.uint64(1)).view(np.int64).astype(np.float64)
        z = np.abs(rest * 2.0**-64 + (low & np.uint64(_LOW)).astype(np.float64) * 2.0**-95)
        z *= math.pi
        sine = _sine(z)
        radii = sine * 2.0**-46 + times.astype(np.float64) * (self.error * 2.0**-93)
        return sine, radii


def _sine(z: np.ndarray) -> np.ndarray:
    """Taylor's polynomial at 0 <= z <= π/2."""
    square = z * z
    sine = np.full_like(z, _COEFFICIENTS[-1])
    for coefficient in reversed(_COEFFICIENTS[:-1]):
        sine *= square
        sine += coefficient
    sine *= z
    return sine


@final
@dataclass(frozen=True)
class Waves:
    """The position codes of times 0 … length-1: sin(tω_i), cos(tω_i) in columns 2i, 2i+1, ω_i = base^(-2i/dim).

    >>> waves = Waves(5, 4, Fraction(10000))
    >>> waves.frequency(1).contains(0.01), waves.columns
    (True, 2)
    """

    length: int
    dim: int
    base: Fraction

    def __post_init__(self) -> None:
        if not 1 <= self.length <= LATEST:
            raise ValueError(f"`length` must lie in 1 … 2^32, got {self.length}")
        if not 2 <= self.dim <= _WIDEST or self.dim % 2:
            raise ValueError(
                f"`dim` must be even, since sine and cosine come in pairs, and lie in 2 … 2^16, got {self.dim}"
            )
        if not LEAST_BASE <= self.base <= LARGEST_BASE:
            raise ValueError("`base` must lie between 1e-300 and 1e300")

    @property
    def columns(self) -> int:
        """How many frequencies there are."""
        return self.dim // 2

    def frequency(self, i: int) -> Ball:
        """ω_i, at the precision in force."""
        return (exact(self.base).log() * exact(Fraction(-2 * i, self.dim))).exp()

    def _frequencies(self) -> Iterator[Ball]:
        """ω_0, ω_1, …, each from the one before."""
        now, step = exact(1), self.frequency(1)
        for _ in range(self.columns):
            yield now
            now = now * step

    def square(self, shift: int, bits: int) -> Ball:
        """The squared distance of two rows `shift` apart, Σ 4 sin²(ω_i·shift/2)."""
        budget.spend(2 * self.columns * budget.function(bits + self._magnitude))
        with precision(bits + self._magnitude):
            sines = [(frequency * shift / 2).sin() for frequency in self._frequencies()]
            return 4 * sum((sine * sine for sine in sines), exact(0))

    @computed_once
    def half_steps(self) -> tuple[Turn, ...]:
        """The angle ω_i/2 of half a step of time, for distances."""
        budget.spend(40 * self.columns * budget.function(_BITS + self._magnitude))
        with precision(_BITS + self._magnitude):
            per_step = exact(1) / exact(1).atan() / 8  # atan 1 = π/4
            return tuple(Turn.of(frequency * per_step) for frequency in self._frequencies())

    @property
    def _magnitude(self) -> int:
        """Extra bits for a large time, for a frequency above 1 (when base < 1), and for errors that add up over frequencies."""
        return 32 + self.dim.bit_length() + max(0, (1 / self.base).__ceil__().bit_length())
