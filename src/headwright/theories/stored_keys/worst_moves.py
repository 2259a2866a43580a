"""How far weights can move for any query of bounded norm when keys are replaced: two bounds from one table of products.

Let Δ_j = k'_j - k_j, let ‖q‖ <= R, and let τ be the scale. The scores move by δ_j = τ Δ_j·q. With ρ = τR,

    |δ_i - δ_j|  <=  ρ‖Δ_i - Δ_j‖.

**Diameter.** The new weights are α'_j = α_j e^δ_j / Σ_i α_i e^δ_i. For a set S of keys, α'(S) - α(S) is largest if δ has its
largest value on all of S and its least elsewhere. If L is the difference of the two, that is at most tanh(L/4), whatever α(S)
is. So TV <= tanh(ρD/4), where D is the largest ‖Δ_i - Δ_j‖.

**Spread.** Over keys k_j + tΔ_j the weights α(t) change at the rate α_j (δ_j - δ̄). So TV is at most half the largest standard
deviation of δ under α(t), 0 <= t <= 1. For any centre c, with y_j = Δ_j - c, the variance is at most ρ² times the largest
eigenvalue of Σ α_j y_j y_jᵀ. That is also an eigenvalue of the matrix with entries y_i·y_j α_j, so for any positive v it is at
most the largest

    Σ_j α_j A_ij,      A_ij = |y_i·y_j| v_j / v_i.

The exponential is convex, so α_j <= a_j = e^(ρ r_j) / n with r_j the distance of k_j from the mean of the keys, or of k'_j from
the mean of the stored keys. The larger of the two serves for every t, because the distance is convex in t. Weights add up to
1, so for every μ >= 0

    Σ_j α_j A_ij  <=  μ + Σ_j a_j [A_ij - μ]₊.

**Radii.** Let u = 2^-53, moves scaled by a power of two to entries of at most 1, and x_j the computed y_j. Each entry of Δ_j and
of x_j is rounded once, so ‖y_j - x_j‖ <= 2.1us with s >= ‖Δ_j‖, ‖x_j‖. The code has 5us. A product x_i·x_j is off by at most γ_d
‖x_i‖‖x_j‖. The code has twice (d + 8)u max‖x‖², which covers the few roundings that follow. Underflow loses less than 2^-1000
each time, and 2^-500 in a root.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from headwright.kernel import budget
from headwright.kernel.balls.ball import exact, float_above, float_below, lower, upper
from headwright.kernel.balls.float_exp import exp_enclosed
from headwright.kernel.inputs import need_gradual_underflow

_UNIT = 2.0**-53
_WIDEST = 2**20
_LOST = 2.0**-500
_ENTRIES = 2**21  # products held at once
_LEAST_SIZE = 2.0**-20  # v of a key that hardly moves, beside the largest; any positive number would do


def worst_move(keys: np.ndarray, stored: np.ndarray, reach: Fraction, *, whole: bool = True) -> Fraction | None:
    """A number not below the total variation that any query q with scale · ‖q‖ <= reach can cause; None if float64 overflows.

    The keys (n, d) become `stored`. Unless `whole`, the bound holds for any choice of keys out of the n as well.

    >>> keys = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    >>> float(worst_move(keys, keys + 0.25, Fraction(2))) < 1e-15
    True
    >>> round(float(worst_move(keys, keys * 1.5, Fraction(2))), 9), round(math.tanh(2 * 0.5**0.5 / 4), 9)
    (0.339523099, 0.339523099)
    """
    need_gradual_underflow()
    n, d = keys.shape
    budget.spend(2 * n * n * (d // 8 + 40))
    budget.hold(40 * min(n * n, _ENTRIES) + 24 * n * d)
    with np.errstate(all="ignore"):  # what overflows is not finite, and proves nothing
        moves = stored - keys
        peak = float(np.abs(moves).max())
        if not math.isfinite(peak) or d > _WIDEST:
            return None
        if peak == 0 or n == 1:
            return Fraction(0)
        exponent = int(np.frexp(peak)[1])
        moves = np.ldexp(moves, -exponent)
        rows = moves - moves.mean(axis=0)
        off, longest = _diameter(moves, rows)
        unit = Fraction(2) ** exponent * reach
        bounds = [upper(exact(Fraction(longest) * unit / 4).tanh())]
        if whole:
            caps = _most_weights(keys, stored, float_above(reach))
            # Otherwise the spread is no smaller than the diameter's bound.
            if float((caps * np.einsum("ij,ij->i", rows, rows)).max()) < longest**2 / 4:
                bounds.append(upper(exact(Fraction(_spread(rows, off, caps)) * unit**2).sqrt() / 2))
    return min((bound for bound in bounds if bound is not None), default=None)


def _diameter(moves: np.ndarray, rows: np.ndarray) -> tuple[float, float]:
    """A bound on ‖y_j - x_j‖, and one on the largest ‖Δ_i - Δ_j‖."""
    sizes = [float(_norms_above(part).max()) for part in (moves, rows)]
    off = 5 * _UNIT * max(sizes)
    squares = np.einsum("ij,ij->i", rows, rows)
    largest = max(float((squares[part, None] + squares - 2 * products).max()) for part, products in _products(rows))
    error = 2 * (rows.shape[1] + 8) * _UNIT * sizes[1] ** 2
    return off, (math.sqrt(max(largest, 0.0) + 6 * error) + _LOST + 2 * off) * (1 + 4 * _UNIT)


def _spread(rows: np.ndarray, off: float, caps: np.ndarray) -> float:
    """A number not below Σ_j α_j A_ij for any i and any weights α_j <= caps_j that add up to 1."""
    sizes = _norms_above(rows)
    size = float(sizes.max())
    # Of a product of two rows: its own rounding, and that of the rows.
    error = 2 * (rows.shape[1] + 8) * _UNIT * size**2 + off * (2 * size + off) + _LOST
    factors, worst = np.maximum(sizes, _LEAST_SIZE * size), 0.0
    for part, products in _products(rows):
        table = (np.abs(products) + error) * factors / factors[part, None]
        order = np.argsort(-table, axis=1)
        # The largest entries, until their weights add up to 1.
        full = np.greater_equal(np.cumsum(caps[order], axis=1), 1)
        last = np.take_along_axis(order, np.argmax(full, axis=1)[:, None], axis=1)
        level = np.where(full.any(axis=1)[:, None], np.take_along_axis(table, last, axis=1), 0.0)
        sums = level[:, 0] + np.maximum(table - level, 0.0) @ caps
        worst = max(worst, float(sums.max()))
    return worst * (1 + 2 * (len(rows) + 16) * _UNIT)


def _most_weights(keys: np.ndarray, stored: np.ndarray, reach: float) -> np.ndarray:
    """Numbers not below e^(ρ r_j) / n, and at most 1."""
    n, far = len(keys), np.zeros(len(keys))
    for part in (keys, stored):
        # The mean is off by less than (n + 8)u of the longest key.
        slack = (n + 8) * 2 * _UNIT * float(_norms_above(part).max())
        far = np.maximum(far, _norms_above(part - part.mean(axis=0)) + slack)
    count = float_below(lower(exact(n).log()) or Fraction(0))
    power = (reach * far - count) + 2.0**-50 * (reach * far + count)
    usable = power < 0  # False for what is not a number
    enclosed = exp_enclosed(np.where(usable, power, 0.0), np.zeros(n))
    assert enclosed is not None, "no power exceeds 0"
    return np.where(usable, np.minimum((enclosed[0] + enclosed[1]) * (1 + 4 * _UNIT), 1.0), 1.0)


def _products(rows: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """All products of two rows, some rows at a time."""
    step = max(1, _ENTRIES // len(rows))
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        yield part, rows[part] @ rows.T


def _norms_above(rows: np.ndarray) -> np.ndarray:
    """Numbers not below the Euclidean norms of the rows, each entry of which may carry one rounding."""
    above: np.ndarray = np.sqrt(np.einsum("ij,ij->i", rows, rows)) * (1 + (rows.shape[1] + 8) * _UNIT) + _LOST
    return above
