"""A randomised range finder: a few directions that carry most of a matrix, from products with random vectors.

Y = (A Aᵀ)^t A Ω with Ω (d, q) Gaussian, orthonormalised after every product; then the decomposition of the small QᵀA [Halko,
Martinsson, Tropp 2011, algorithms 4.4 and 5.1]. How well it does depends on chance; what it yields is judged afterwards.
"""

from __future__ import annotations

import math

import numpy as np

from headwright import balls
from headwright.spectrum.decomposition import Decomposition, decomposed

SPARE = 10  # directions beyond the wanted rank
_ROUNDS = 2  # t above
PROBES = 10  # the estimate of a norm fails with probability 10^-PROBES
_POWER = 8  # of MᵀM in that estimate: what it is above the norm by shrinks to its 16th root


def sketched(matrix: np.ndarray, rank: int, *, seed: int) -> Decomposition:
    """The leading min(rank + SPARE, n, d) singular values and vectors, approximately."""
    rng = np.random.default_rng(seed)
    part, exponent = balls.scaled(matrix)
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
    part, exponent = balls.scaled(matrix)
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
