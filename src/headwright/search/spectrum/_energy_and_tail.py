"""energy and tail: the squares of the singular values add up to ‖A‖_F², so that the k-th is at most ‖A‖_F/√k.

    Σ_i σ_i² = tr(AᵀA) = ‖A‖_F²,          k σ_k²  <=  σ_1² + … + σ_k²  <=  ‖A‖_F².

Both hold for every real matrix. What is proved of one matrix are the numbers: that the squares add up to this one, and that the
k-th is at most that one (`theories/matrices/singular_squares.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from headwright.kernel import inputs
from headwright.kernel.shown import Shown
from headwright.kernel.verdict import Verdict
from headwright.search.spectrum._singular_values import Spectrum, singular_values
from headwright.search.spectrum.decomposition import checked_count, root
from headwright.theories.matrices.singular_squares import SingularSquares, SingularTail, sum_of_squares
from headwright.words.bounded import Bounded, Ends
from headwright.words.pickling import Whole

_BY_SQUARES = "squares of the entries, added up in rationals or balls"
_BY_INTERVALS = "proved intervals of the singular values"


@final
@dataclass(frozen=True, eq=False, repr=False)
class Energy(Whole, Shown):
    """Σσ_i² beside ‖A‖_F²: `singular_values` (a Spectrum), `total` = ‖A‖_F², `sum` = Σσ_i² from the intervals, `verdict`.

    >>> found = energy([[3, 0], [4, 5]])
    >>> found.total, 50 in found.sum, found.shares().round(2)
    (50 (exact), True, array([0.9, 0.1]))
    """

    singular_values: Spectrum
    total: Bounded
    sum: Bounded
    verdict: Verdict

    @property
    def norm(self) -> Bounded:
        """‖A‖_F."""
        assert self.total.ends is not None, "proved when it was made"
        return Bounded.proven(*root(*self.total.ends), how=self.total.how)

    def shares(self) -> np.ndarray:
        """How much of the whole each singular value's square makes up; zeros for the zero matrix."""
        parts = (self.singular_values.values / (self.singular_values.values[0] or 1)) ** 2
        return parts / (parts.sum() or 1)

    def table(self) -> dict[str, list[Any]]:
        """One row per singular value, with its share of the whole and what all up to it make up."""
        shares = self.shares()
        return {**self.singular_values.table(), "share": shares.tolist(), "share so far": shares.cumsum().tolist()}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {name: getattr(self, name).to_dict() for name in ("singular_values", "total", "sum", "verdict")}

    def __repr__(self) -> str:
        return f"Energy: ‖A‖_F² = {self.total}, Σσ_i² = {self.sum}\n  {self.singular_values.summary()}\n{self.verdict}"


def energy(a: ArrayLike) -> Energy:
    """Σσ_i² = ‖A‖_F² for the matrix `a` (n, d): both sides enclosed, the identity proved by the trace.

    >>> found = energy([[1, 2], [3, 4], [5, 6]])
    >>> found.total, 91 in found.sum, found.verdict.status
    (91 (exact), True, 'proved')
    """
    matrix = inputs.float64(a, name="a", ndim=2)
    spectrum = singular_values(matrix)
    total, whole = _total(matrix), _squares(spectrum, 0)
    assert max(total[0], whole[0]) <= min(total[1], whole[1]), "proved bounds on one number share a number"
    verdict = SingularSquares(matrix, *total).prove()
    return Energy(spectrum, Bounded.proven(*total, how=_BY_SQUARES), Bounded.proven(*whole, how=_BY_INTERVALS), verdict)


@final
@dataclass(frozen=True, eq=False, repr=False)
class Tail(Whole, Shown):
    """σ_k beside its bound ‖A‖_F/√k: `singular_value`, `bound`, `energy` = Σ_{i>=k} σ_i², `separated`, `verdict`.

    `energy` is the squared Frobenius distance to the nearest matrix of rank k - 1, and σ_k the spectral one. `separated` says
    whether the enclosures alone show σ_k <= bound; where σ_1 = … = σ_k and the rest is 0 the two are equal and they cannot.

    >>> found = tail([[3, 0], [4, 5]], 2)
    >>> found.k, round(found.singular_value, 6), found.separated
    (2, 2.236068, True)
    """

    k: int
    singular_value: Bounded
    bound: Bounded
    energy: Bounded
    separated: bool
    singular_values: Spectrum
    verdict: Verdict

    def table(self) -> dict[str, list[Any]]:
        """One row per index: σ_i and its bound ‖A‖_F/√i."""
        norm = float(self.bound) * self.k**0.5
        bounds = [norm / i**0.5 for i in range(1, len(self.singular_values) + 1)]
        return {**self.singular_values.table(), "bound": bounds}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        parts = {name: getattr(self, name).to_dict() for name in ("singular_value", "bound", "energy", "verdict")}
        return {"k": self.k, **parts, "separated": self.separated}

    def __repr__(self) -> str:
        return (
            f"Tail: σ_{self.k} = {self.singular_value}, ‖A‖_F/√{self.k} = {self.bound}\n"
            f"  Σ σ_i² from i = {self.k} on: {self.energy}\n{self.verdict}"
        )


def tail(a: ArrayLike, k: int) -> Tail:
    """σ_k <= ‖A‖_F/√k for the matrix `a` (n, d), k counted from 1: both sides enclosed, the inequality proved.

    >>> found = tail([[3, 0], [4, 5]], 2)
    >>> f"{found.singular_value:.6f} <= {found.bound:.6f}", found.separated
    ('2.236068 <= 5.000000', True)
    """
    matrix = inputs.float64(a, name="a", ndim=2)
    place = checked_count(k, name="k", matrix=matrix)
    spectrum, total = singular_values(matrix), _total(matrix)
    separated = place * Fraction(float(spectrum.high[place - 1])) ** 2 <= total[0]
    bound = root(total[0] / place, total[1] / place)
    verdict = SingularTail(matrix, place, bound[1]).prove()
    return Tail(
        place,
        spectrum[place - 1],
        Bounded.proven(*bound, how=_BY_SQUARES),
        Bounded.proven(*_squares(spectrum, place - 1), how=_BY_INTERVALS),
        separated,
        spectrum,
        verdict,
    )


def _total(matrix: np.ndarray) -> Ends:
    """‖A‖_F²: exact up to a million entries, beyond that enclosed."""
    ends = sum_of_squares(matrix)
    assert ends is not None, "the entries are finite"
    return ends


def _squares(spectrum: Spectrum, first: int) -> Ends:
    """Σ σ_i² from the index `first` on, from the ends of the intervals, in rationals."""
    low, high = (
        sum((Fraction(end) ** 2 for end in part[first:].tolist()), Fraction(0))
        for part in (spectrum.low, spectrum.high)
    )
    return low, high
