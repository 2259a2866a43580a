"""readout: the matrix that gives v_a when shown v_a + v_b, v_a and v_b from two known spans.

With the columns of A and B as bases of spans that share 0 alone, the oblique projector onto span(A) along span(B) is

    M = (1/s) [A 0] [A B]⁺,      M · s(v_a + v_b) = v_a,

s = 1 for the sum, s = ½ for the mean. Where the spans are orthogonal, M = A A⁺/s, which is symmetric, and A Aᵀ/s for orthonormal
columns. Spans that share more than 0 have no read-out: their common vector could be either part.

Columns may depend on each other; what counts is their span, found by singular values at the level of rounding. Search in floating
point is not trusted: what M does to the given columns is proved from their exact values (`ReadsOut`), and so is a common vector
(`SpansMeet`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from headwright.kernel import balls, inputs
from headwright.search.least_norm.null_space import null_vectors
from headwright.search.readout.readout_matrix import Readout
from headwright.theories.matrices.spans_meet import SpansMeet
from headwright.words.refusals import Unreachable, Witness

_ROUNDING = float(np.finfo(np.float64).eps)
_MARGIN = 8  # how many times the rounding of a basis counts as "may be zero": then the exact numbers are asked


def readout(basis: ArrayLike, *, against: ArrayLike | None = None, share: float | str | Fraction = 1.0) -> Readout:
    """M (d, d) with M @ (share * (v_a + v_b)) == v_a for v_a in the span of `basis`, v_b in the span of `against`.

    Bases are columns, (d, m) and (d, p), not necessarily orthogonal or independent. `against=None`: v_b is whatever is orthogonal
    to the basis. `share` is 1 for the sum of the two, 0.5 for their mean. The result is used like an array; row vectors are read
    by its transpose, c @ M.T. Raises Unreachable, with an exact common vector, where the spans meet.

    >>> import numpy as np
    >>> slanted = np.array([[1.0, 0.6, 0.0], [0.0, 0.8, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    >>> M = readout(slanted[:, :2], against=slanted[:, 2:], share=0.5)
    >>> print((M @ [1.0, 2.0, 0.0, 5.0]).round(12))
    [2. 4. 0. 0.]
    >>> try:
    ...     readout([[1, 0], [0, 1], [0, 0]], against=[[3], [4], [0]])
    ... except Unreachable as impossible:
    ...     print([str(entry) for entry in impossible.verdict.record.common_vector()])
    ['3', '4', '0']
    """
    columns, others = _checked(basis, against)
    part = inputs.rational(share, name="share")
    if part <= 0:
        raise ValueError(f"`share` must be positive, got {inputs.show(part)}")
    own = _span(columns)
    if others is None:
        projector, condition = own.directions @ own.directions.T, own.condition
    else:
        projector, condition = _oblique(own, _span(others))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        matrix = projector / np.float64(part)
    if not np.isfinite(matrix).all():
        raise ValueError(
            f"float64 cannot hold the matrix: `share` {inputs.show(part)} is too small, or `basis` and `against` nearly meet"
        )
    return Readout(matrix, columns, others, part, condition, own.inverse)


def _checked(basis: Any, against: Any) -> tuple[np.ndarray, np.ndarray | None]:
    columns = inputs.float64(basis, name="basis", ndim=2)
    if not columns.any():
        raise ValueError(
            "`basis` must have a column that is not zero: its span is {0}, and there is nothing to read out"
        )
    if against is None:
        return columns, None
    others = inputs.float64(against, name="against", ndim=2)
    if len(others) != len(columns):
        raise ValueError(f"`against` must have columns as long as those of `basis` ({len(columns)}), got {len(others)}")
    return columns, others


@final
@dataclass(frozen=True, eq=False)
class _Span:
    """What `columns` span, as far as float64 can tell: orthonormal `directions` (d, r).

    `unit` are the columns scaled to length 1, so that no unit of measurement decides; `condition` is the quotient of the largest
    and the least of their singular values that are no rounding, `inverse` (d, m) the transpose of the columns' pseudo-inverse.
    """

    columns: np.ndarray
    unit: np.ndarray
    directions: np.ndarray
    condition: float
    inverse: np.ndarray


def _span(columns: np.ndarray) -> _Span:
    largest = np.abs(columns).max(axis=0)
    largest = np.where(largest > 0, largest, 1.0)
    scaled = columns / largest  # no square overflows
    lengths = np.linalg.norm(scaled, axis=0)
    lengths = np.where(lengths > 0, lengths, 1.0)
    left, values, right = np.linalg.svd(scaled / lengths, full_matrices=False)
    rank = int((values > max(columns.shape) * _ROUNDING * values[0]).sum())
    condition = float(values[0] / values[rank - 1]) if rank else 1.0
    with np.errstate(over="ignore"):
        inverse = left[:, :rank] / values[:rank] @ right[:rank] / lengths / largest
    inverse = np.where(np.isfinite(inverse), inverse, 0.0)  # a poor witness, for columns shorter than 1e-308
    return _Span(columns, scaled / lengths, left[:, :rank], condition, inverse)


def _oblique(own: _Span, other: _Span) -> tuple[np.ndarray, float]:
    """The projector onto `own` along `other`, and the condition of both together; Unreachable when they meet."""
    both = np.concatenate([own.directions, other.directions], axis=1)
    d, rank = both.shape
    values = np.linalg.svd(both, compute_uv=False)
    doubtful = _MARGIN * max(d, rank) * _ROUNDING * (own.condition + other.condition)
    if rank > d or values[-1] <= doubtful:
        _refuse_a_common_vector(own.columns, other.columns)
    # They do not meet, or only float64 sees it so: every singular value counts, and the condition says what that costs.
    inverse = np.linalg.pinv(both, rcond=0.0)
    spread = np.linalg.svd(np.concatenate([own.unit, other.unit], axis=1), compute_uv=False)
    least = float(spread[min(d, rank) - 1])
    return own.directions @ inverse[: own.directions.shape[1]], float(spread[0]) / least if least > 0 else math.inf


def _refuse_a_common_vector(basis: np.ndarray, against: np.ndarray) -> None:
    """Raise Unreachable when the exact spans share a vector: Σ x_j a_j = Σ y_j b_j, not zero. Asked where float64 doubts it."""
    m = basis.shape[1]
    for relation in null_vectors(np.concatenate([basis, against], axis=1)):
        sign = 1 if max(relation[:m], key=abs) > 0 else -1
        in_basis = tuple(sign * number for number in relation[:m])
        in_against = tuple(-sign * number for number in relation[m:])
        if balls.sums_to_zero(basis.T, in_basis):
            continue  # a relation among the columns of each basis by itself
        verdict = SpansMeet(basis, against, in_basis, in_against).prove().expect()
        largest = max(in_basis, key=abs)
        used = [j for j, number in enumerate(in_basis) if number]
        witness = Witness(tuple(used), tuple(Fraction(in_basis[j], largest) for j in used))
        terms = [f"{inputs.show(weight)} a_{j}" for j, weight in zip(used, witness.weights, strict=True)]
        text = " + ".join(terms) if len(terms) <= 3 else f"{terms[0]} + … + {terms[-1]} of {len(terms)} terms"
        raise Unreachable(
            f"no matrix reads v_a out of v_a + v_b: the spans of `basis` and `against` share the vector {text}",
            verdict=verdict,
            witness=witness,
        )
