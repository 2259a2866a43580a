"""low_rank: a matrix of rank at most r near a given one, with its distance proved, and proof of how near any could come.

The decomposition cut off after r terms is nearest in spectral norm: ‖A - L R‖ = σ_{r+1} <= ‖A‖_F/√(r+1) (Eckart, Young, Mirsky).
Up to n · d · min(n, d) = 2 · 10^10 the whole decomposition is taken, and `error` and `best` differ by rounding alone. Beyond, a
few directions are found by sampling: still a proved `error`, but no better than a Frobenius norm.

Sampling is a randomised range finder: Y = (A Aᵀ)^t A Ω with Ω (d, q) Gaussian, orthonormalised after every product; then the
decomposition of the small QᵀA [Halko, Martinsson, Tropp 2011, algorithms 4.4 and 5.1]. How well it does depends on chance; what
it yields is judged afterwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from headwright.kernel import balls, inputs
from headwright.kernel.frozen import lending
from headwright.kernel.shown import Shown
from headwright.kernel.verdict import Verdict
from headwright.search.spectrum.decomposition import TOO_LARGE, Decomposition, checked_count, decomposed, root
from headwright.theories.matrices.low_rank import NearLowRank
from headwright.theories.matrices.matrix_norms import scaled, squared_norm
from headwright.words.pickling import Whole

WHOLE = 2 * 10**10  # n · d · min(n, d) up to which the whole decomposition is taken: a quarter of a minute
_DIGITS = 12  # shown of error and best, rounded outward
METHODS = ("decomposition", "randomised")
SPARE = 10  # directions beyond the wanted rank
_ROUNDS = 2  # t above
PROBES = 10  # the estimate of a norm fails with probability 10^-PROBES
_POWER = 8  # of MᵀM in that estimate: what it is above the norm by shrinks to its 16th root


@final
@lending("left", "right")
@dataclass(frozen=True, eq=False, repr=False)
class LowRank(Whole, Shown):
    """`left` (n, r) and `right` (r, d), whose exact product has rank at most r, and how near it is to the matrix.

    - `error`: ‖A - L R‖ is at most this (spectral norm, proved, rounded up); `best`: no matrix of that rank is nearer (proved,
      rounded down); `bound`: ‖A‖_F/√(r+1), what a nearest one never exceeds (rounded up; for r = min(n, d) a nearest one is A).
    - `method`: "decomposition", or "randomised" with its `seed`; then `estimate` is a number that ‖A - L R‖ exceeds with
      probability at most 10^-10 over the probes, not proved.
    - `verdict`: the claim about `error` and `best`, which can be saved.

    >>> found = low_rank([[3, 0], [4, 5]], 1)
    >>> found.left.shape, found.right.shape, round(found.error, 6), round(found.best, 6)
    ((2, 1), (1, 2), 2.236068, 2.236068)
    """

    left: np.ndarray
    right: np.ndarray
    bound: float
    method: str
    seed: int | None
    estimate: float | None
    verdict: Verdict

    @property
    def rank(self) -> int:
        """The rank that was asked for."""
        return int(self.left.shape[1])

    @property
    def error(self) -> float:
        """The distance ‖A - L R‖ in the spectral norm is at most this: proved, rounded up."""
        return balls.float_above(self._claim.error)

    @property
    def best(self) -> float:
        """No matrix of this rank is nearer than this: proved, rounded down."""
        return balls.float_below(self._claim.best)

    @property
    def _claim(self) -> NearLowRank:
        record = self.verdict.record
        assert isinstance(record, NearLowRank), "made so by `low_rank`"
        return record

    @property
    def matrix(self) -> np.ndarray:
        """left @ right in float64. Its entries are rounded, so its rank may be higher: what is proved is about the factors."""
        return np.asarray(self.left @ self.right)

    def table(self) -> dict[str, list[Any]]:
        """Two columns, for pandas or polars."""
        names = ("rank", "error", "best", "bound", "method", "seed", "estimate")
        return {"part": list(names), "value": [getattr(self, name) for name in names]}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        named = dict(zip(*self.table().values(), strict=True))
        return {**named, "left": self.left.tolist(), "right": self.right.tolist(), "verdict": self.verdict.to_dict()}

    def summary(self) -> str:
        """The distance in one line."""
        n, d = self._claim.matrix.shape
        how = "" if self.seed is None else f", found by sampling (seed {self.seed})"
        error, best = balls.decimal_above(self._claim.error, _DIGITS), balls.decimal_below(self._claim.best, _DIGITS)
        text = f"rank {self.rank} beside a {n} × {d} matrix{how}: within {error}, none nearer than {best}"
        if self.estimate is None:
            return text
        return (
            f"{text}\n  estimated, not proved: within {self.estimate:.4g}, wrong with probability at most 1e-{PROBES}"
        )

    def __repr__(self) -> str:
        return f"LowRank ({self.method}): {self.summary()}\n{self.verdict}"


def low_rank(a: ArrayLike, rank: int, *, method: str | None = None, seed: int = 0) -> LowRank:
    """A matrix of rank at most `rank` near `a` (n, d), its distance proved from above, and that of all others from below.

    `method` is "decomposition" or "randomised"; by default the first up to n·d·min(n, d) = 2·10^10. `seed` serves the second.

    >>> found = low_rank([[3, 0], [4, 5]], 1)                           # σ = √45, √5
    >>> f"{found.error:.9f} {found.best:.9f} {found.bound:.6f}", found.verdict.status
    ('2.236067977 2.236067977 5.000000', 'proved')
    """
    matrix = inputs.float64(a, name="a", ndim=2)
    number = checked_count(rank, name="rank", matrix=matrix)
    chosen = _method(method, matrix)
    drawn = inputs.count(seed, name="seed")
    parts = decomposed(matrix) if chosen == "decomposition" else sketched(matrix, number, seed=drawn)
    with np.errstate(over="ignore"):
        left, right = parts.left[:, :number] * parts.values[:number], parts.right[:, :number].T
    claim = None
    if np.isfinite(left).all() and np.isfinite(parts.values).all():
        claim = tightest_error(NearLowRank(matrix, left, right, Fraction(0), Fraction(0), *parts))
    if claim is None:
        raise ValueError(TOO_LARGE)
    sampled = chosen == "randomised"
    estimate = probable_norm(matrix, claim.left, claim.right, seed=drawn) if sampled else None
    norm = _norm(matrix, number)
    return LowRank(claim.left, claim.right, norm, chosen, drawn if sampled else None, estimate, claim.prove())


def _method(method: str | None, matrix: np.ndarray) -> str:
    if method is None:
        n, d = matrix.shape
        return METHODS[n * d * min(n, d) > WHOLE]
    if method not in METHODS:
        raise ValueError(f"`method` must be one of {', '.join(map(repr, METHODS))} or None, got {method!r}")
    return method


def _norm(matrix: np.ndarray, rank: int) -> float:
    """‖A‖_F/√(rank + 1), rounded up."""
    square = squared_norm(matrix)
    assert square is not None, "the entries are finite"
    return balls.float_above(root(Fraction(0), square[1] / (rank + 1))[1])


def tightest_error(draft: NearLowRank) -> NearLowRank | None:
    """The same with the least error and the greatest `best` this witness shows, as floats; None where it shows none."""
    bounds = draft.bounds()
    if bounds is None:
        return None
    error, best = balls.float_above(bounds[0]), balls.float_below(bounds[1])
    return replace(draft, error=Fraction(error), best=Fraction(best)) if np.isfinite(error) else None


def sketched(matrix: np.ndarray, rank: int, *, seed: int) -> Decomposition:
    """The leading min(rank + SPARE, n, d) singular values and vectors, approximately."""
    rng = np.random.default_rng(seed)
    part, exponent = scaled(matrix)
    wanted = min(rank + SPARE, *matrix.shape)
    basis = _orthonormal(part @ rng.standard_normal((matrix.shape[1], wanted)))
    for _ in range(_ROUNDS):
        basis = _orthonormal(part @ _orthonormal(part.T @ basis))
    small = decomposed(basis.T @ part)
    with np.errstate(over="ignore"):
        return Decomposition(basis @ small.left, np.ldexp(small.values, exponent), small.right)


def probable_norm(matrix: np.ndarray, left: np.ndarray, right: np.ndarray, *, seed: int) -> float:
    """A number that ‖A - L R‖ exceeds with probability at most 10^-PROBES over the probes, and up to rounding.

    For any B and ω_1, …, ω_t Gaussian, ‖B‖ <= 10 √(2/π) max ‖B ω_i‖ with probability at least 1 - 10^-t [Halko, Martinsson,
    Tropp 2011, lemma 4.1]; here B = (MᵀM)^8 and M = A - L R, so that ‖M‖ is the 16th root of ‖B‖.
    """
    probes = np.random.default_rng([seed, 1]).standard_normal((matrix.shape[1], PROBES))
    part, exponent = scaled(matrix)
    short, size = np.ldexp(left, -exponent), 0.0  # ln of what the probes were divided by
    for _ in range(_POWER):
        image = part @ probes - short @ (right @ probes)
        probes = part.T @ image - right.T @ (short.T @ image)
        longest = float(np.abs(probes).max())
        if longest == 0:
            return 0.0
        probes, size = probes / longest, size + math.log(longest)
    size += math.log(10 * math.sqrt(2 / math.pi) * float(np.linalg.norm(probes, axis=0).max()))
    return float(np.ldexp(math.exp(size / (2 * _POWER)), exponent))


def _orthonormal(columns: np.ndarray) -> np.ndarray:
    basis, _ = np.linalg.qr(columns)
    return basis
