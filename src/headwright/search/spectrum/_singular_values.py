"""singular_values: an interval for each singular value, proved from the defects of a computed decomposition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from headwright.kernel import balls, inputs
from headwright.kernel.frozen import Frozen, lending
from headwright.kernel.shown import Shown
from headwright.kernel.verdict import Verdict
from headwright.search.spectrum.decomposition import TOO_LARGE, decomposed
from headwright.theories.matrices.singular_values import SingularValues
from headwright.words.bounded import Bounded
from headwright.words.pickling import Whole

_SHOWN = 8


@final
@lending("values", "low", "high")
@dataclass(frozen=True, eq=False, repr=False)
class Spectrum(Whole, Frozen, Shown):
    """The singular values of a matrix, largest first: `values` as computed, `low` and `high` proved around the true ones.

    `verdict` is the claim low_i <= σ_i <= high_i, which can be saved. `shape` is that of the matrix.

    >>> found = singular_values([[3, 0], [4, 5]])
    >>> found.values.round(6), found.shape, found.verdict.status
    (array([6.708204, 2.236068]), (2, 2), 'proved')
    """

    values: np.ndarray
    low: np.ndarray
    high: np.ndarray
    shape: tuple[int, int]
    verdict: Verdict

    @property
    def width(self) -> float:
        """The widest interval, rounded up."""
        return float(np.nextafter((self.high - self.low).max(), np.inf)) if (self.high > self.low).any() else 0.0

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: int) -> Bounded:
        """The i-th singular value, 0-based."""
        ends = Fraction(float(self.low[i])), Fraction(float(self.high[i]))
        return Bounded.proven(*ends, how="the defects of a computed decomposition")

    def table(self) -> dict[str, list[Any]]:
        """One row per singular value."""
        return {
            "i": list(range(1, len(self) + 1)),
            "value": self.values.tolist(),
            "low": self.low.tolist(),
            "high": self.high.tolist(),
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"shape": list(self.shape), **self.table(), "width": self.width, "verdict": self.verdict.to_dict()}

    def summary(self) -> str:
        """The singular values in one line."""
        n, d = self.shape
        width, least = Fraction(self.width), Fraction(float(self.low[0]))
        relative = f" ({balls.decimal_above(width / least, 2)} of the largest)" if least else ""
        to = balls.decimal_above(width, 2)
        return f"{len(self)} singular value{'s'[: len(self) - 1]} of a {n} × {d} matrix, each to {to}{relative}"

    def __repr__(self) -> str:
        shown = ", ".join(f"{value:.10g}" for value in self.values[:_SHOWN])
        return f"Spectrum ({self.verdict.status}): {self.summary()}\n  {shown}{', …' if len(self) > _SHOWN else ''}"


def singular_values(a: ArrayLike) -> Spectrum:
    """The singular values of `a` (n, d), each in a proved interval of width about 1e-15 … 1e-10 times the largest.

    >>> found = singular_values([[3, 0], [4, 5]])                       # √45 and √5
    >>> found.verdict.status, bool(found.low[0] ** 2 < 45 < found.high[0] ** 2), bool(found.width < 1e-12)
    ('proved', True, True)
    """
    matrix = inputs.float64(a, name="a", ndim=2)
    parts = decomposed(matrix)
    claim = tightest_intervals(matrix, *parts) if np.isfinite(parts.values).all() else None
    if claim is None:
        raise ValueError(TOO_LARGE)
    n, d = matrix.shape
    return Spectrum(claim.values, claim.low, claim.high, (n, d), claim.prove())


def tightest_intervals(
    matrix: np.ndarray, left: np.ndarray, values: np.ndarray, right: np.ndarray
) -> SingularValues | None:
    """The claim with the narrowest float64 intervals that this witness shows; None where it shows none, or they overflow.

    The claim itself proves them: a mistake here costs only a proof.
    """
    nothing = np.zeros(len(values))
    draft = SingularValues(matrix, nothing, nothing, left, values, right)
    bounds = draft.bounds()
    if bounds is None:
        return None
    low = np.array([balls.float_below(bound) for bound in bounds[0]])
    high = np.array([balls.float_above(bound) for bound in bounds[1]])
    return replace(draft, low=low, high=high) if np.isfinite(high).all() else None
