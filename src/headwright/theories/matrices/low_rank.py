"""Claim: a product L R of rank at most r is near a matrix, ‖A - L R‖ <= error, and no matrix of that rank is nearer than `best`.

Norms are spectral norms (the largest singular value). L is (n, r) and R (r, d), so the exact product has rank at most r.
**Witness** U (n, q), s_1 >= … >= s_q >= 0, V (d, q), any floats, q at most min(n, d), with ‖UᵀU - I‖ <= α and ‖VᵀV - I‖ <= β.

*Above.* Let U', s', V' be what follows the first r columns. Then A - L R = U' diag(s') V'ᵀ + E, and

    ‖A - L R‖  <=  √((1+α)(1+β)) s_{r+1} + ‖E‖_F,        E = A - [L U'] [R; diag(s') V'ᵀ].

*Below.* The least distance to a matrix of rank at most r is σ_{r+1}(A) (Eckart, Young, Mirsky). Since UᵀA = diag(s) Vᵀ - Dᵀ,

    √(1+α) σ_{r+1}(A)  >=  σ_{r+1}(UᵀA)  >=  √(1-β) s_{r+1} - ‖D‖_F,        D = V diag(s) - AᵀU,

and 1/√(1+α) >= √(1-α), so that σ_{r+1}(A) >= √((1-α)(1-β)) s_{r+1} - ‖D‖_F.

With a whole decomposition (q = min(n, d)), E and D are as small as rounding. A decomposition of a few sampled columns leaves
everything it missed in E: the upper bound is then a Frobenius norm, which is weaker but still true.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.claim import Claim, at_most
from headwright.kernel.verdict import Refuted, Verdict
from headwright.theories.matrices.matrix_norms import norm_above, residual_norm, scaled, stretch
from headwright.theories.matrices.singular_values import DIGITS, METHOD, check_values


@final
@dataclass(frozen=True, eq=False)
class NearLowRank(Claim):
    """‖matrix - left @ right‖ <= error in exact arithmetic, and every matrix of that rank is at least `best` away.

    >>> import headwright as hw
    >>> hw.spectrum.low_rank([[3, 0], [4, 5]], 1).verdict.record.kind
    'low-rank'
    """

    matrix: np.ndarray
    left: np.ndarray
    right: np.ndarray
    error: Fraction
    best: Fraction
    witness_left: np.ndarray
    witness_values: np.ndarray
    witness_right: np.ndarray
    kind: ClassVar[str] = "low-rank"

    def __post_init__(self) -> None:
        self.settle(matrix="nd", left="nr", right="rd", witness_values="q", witness_left="nq", witness_right="dq")
        r, q, most = self.rank, len(self.witness_values), min(self.matrix.shape)
        if max(r, q) > most:
            raise ValueError(f"`left` and the witness must have at most min(n, d) = {most} columns, got {r} and {q}")
        check_values(self.witness_values)
        if self.error < 0 or self.best < 0:
            raise ValueError("`error` and `best` must not be negative")

    @property
    def rank(self) -> int:
        """The number of factors that the matrix is made of."""
        return int(self.left.shape[1])

    @property
    def whole(self) -> bool:
        """Whether the witness decomposes the whole matrix rather than a sample of its range."""
        return bool(len(self.witness_values) == min(self.matrix.shape))

    def sentence(self) -> str:
        n, d = self.matrix.shape
        q = len(self.witness_values)
        how = "" if self.whole else f", seen through {q} sampled direction{'s'[: q - 1]},"
        return (
            f"the product of rank at most {self.rank}{how} is within {inputs.show(self.error, DIGITS)} of the "
            f"{n} × {d} matrix in spectral norm, and none of that rank is nearer than {inputs.show(self.best, DIGITS)}"
        )

    def judge(self) -> Verdict:
        bounds = self.bounds()
        if bounds is None:
            return self.undecided("the products of the witness overflow", "find a better decomposition")
        if bounds[1] > self.error:
            return self._refuted(bounds[1], f"every matrix of rank at most {self.rank} is at least this far")
        if bounds[0] < self.best:
            return self._refuted(bounds[0], "this product is at most this far")
        if bounds[0] > self.error or bounds[1] < self.best:
            return self.undecided(
                "the witness proves only a larger error, or a smaller least distance, than claimed",
                "find a better decomposition, or claim less",
            )
        return self.proved(
            **at_most("spectral norm of the rest", self.error, DIGITS), reason=self._reason(), method=METHOD
        )

    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """(a number not below ‖A - L R‖, a number not above σ_{r+1}(A)); None if the products of the witness overflow."""
        if not self.matrix.any():  # then ‖A - L R‖ = ‖L R‖, and nothing is nearer than 0
            sizes = [norm_above(part) for part in (self.left, self.right)]
            return (sizes[0] or Fraction(0)) * (sizes[1] or Fraction(0)), Fraction(0)
        part, exponent = scaled(self.matrix)
        with np.errstate(over="ignore", invalid="ignore"):  # infinities end as None
            values = np.ldexp(self.witness_values, -exponent)
            tail = self.witness_left[:, self.rank :] * values[self.rank :]
            left = np.concatenate([np.ldexp(self.left, -exponent), tail], axis=1)
            turned = self.witness_right * values
        right = np.concatenate([self.right.T, self.witness_right[:, self.rank :]], axis=1)
        rest = residual_norm(part, left, right)
        missed = residual_norm(turned, part.T, self.witness_left.T)
        factors = stretch(self.witness_left, self.witness_right)
        if rest is None or missed is None or factors is None:
            return None
        unit = Fraction(2) ** exponent
        following = Fraction(float(values[self.rank])) if len(values) > self.rank else Fraction(0)
        return unit * (factors[1] * following + rest), unit * max(factors[0] * following - missed, Fraction(0))

    def _reason(self) -> str:
        if self.whole:
            return (
                "the rest of a decomposition is no longer than its next singular value, up to the decomposition's defects; the "
                "distance to the nearest matrix of that rank is a singular value (Eckart, Young, Mirsky)"
            )
        return (
            "what the sampled directions leave unexplained is bounded by its Frobenius norm, which may be far above its spectral "
            "norm; the part of the matrix that they span bounds how near any matrix of that rank can be"
        )

    def _refuted(self, distance: Fraction, what: str) -> Refuted:
        number = balls.float_below(distance) if distance > self.error else balls.float_above(distance)
        return self.refuted(counterexample={what: number}, method=METHOD)
