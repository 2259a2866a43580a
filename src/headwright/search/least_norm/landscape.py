"""Total variation as a function of the query: its value, and the local searches on it. No trust needed, none given.

    TV(q) = Σ_{j∉S} α_j + Σ_{a∈S} [α_a - w_a]₊,        α = softmax(K q),

is neither convex nor smooth: it has kinks where α_a = w_a, and the best queries sit on them. Three ways down:

* the cross-entropy -Σ w_a ln α_a instead, which is convex and bounds TV (Pinsker);
* ln T by L-BFGS, T = TV with [x]₊ replaced by (x + √(x² + μ²))/2 >= [x]₊;
* slacks t_a >= α_a - w_a, t_a >= 0, one per target, which turn the kinks into smooth constraints, by SLSQP.

Adding one vector to all keys changes no weight, so the keys are taken relative to one of them (`centred`), and the search runs
in the span of the differences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

_TINY = 1e-300  # keeps the logarithm of a leak that underflowed, and quotients by it, finite
_MANY = 300  # unknowns beyond which a step of SLSQP, cubic in them, costs too much

Smooth = Callable[[np.ndarray], tuple[float, np.ndarray]]


def centred(keys: np.ndarray, origin: int) -> tuple[np.ndarray, int]:
    """(keys - keys[origin]) / 2^exponent with entries of about unit size, and the exponent; all equal: zeros and 0.

    The difference is rounded relative to itself, not to the keys: keys far from the origin lose nothing.
    """
    down = int(np.frexp(np.abs(keys).max())[1])
    relative = np.ldexp(keys, -down)
    relative = relative - relative[origin]
    if not relative.any():
        return relative, 0
    up = int(np.frexp(np.abs(relative).max())[1])
    return np.ldexp(relative, -up), down + up


def total_variation(scores: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """TV (...) of softmax(scores) (..., n) from a goal whose support is the first m keys, with `shares` (m,).

    A sum of non-negative terms, so that a tiny leak keeps its digits.

    >>> total_variation(np.log([3.0, 2.0, 5.0]), np.array([0.5, 0.5])).round(12)
    np.float64(0.5)
    """
    m = len(shares)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    inside, outside = powers[..., :m], powers[..., m:].sum(axis=-1)
    total = outside + inside.sum(axis=-1)
    excess = np.maximum(inside / total[..., None] - shares, 0.0).sum(axis=-1) if m > 1 else 0.0
    variation: np.ndarray = outside / total + excess
    return variation


@final
@dataclass(frozen=True, eq=False)
class Landscape:
    """rows (n, r): keys, targets first, along the `axes` (d, r) they span; their `spread` (r,); shares (m,) of the targets.

    A point y (r,) stands for the query axes·y, of the same norm.
    """

    rows: np.ndarray
    axes: np.ndarray
    spread: np.ndarray
    shares: np.ndarray

    @classmethod
    def over(cls, relative: np.ndarray, shares: np.ndarray) -> Landscape:
        """Of keys (n, d), centred, targets first."""
        _, spread, axes = np.linalg.svd(relative - relative.mean(axis=0), full_matrices=False)
        kept = spread > 1e-15 * spread[0]  # directions of rounding
        axes = axes[kept].T
        return cls(relative @ axes, axes, spread[kept] / np.sqrt(len(relative)), shares)

    def variation(self, y: np.ndarray) -> float:
        return float(total_variation(self.rows @ y, self.shares))

    def nearest_in_entropy(self, shares: np.ndarray, ridge: float, y: np.ndarray) -> np.ndarray:
        """The least -Σ w ln α + ridge·‖spread·y‖², w = `shares` (m,). Where they separate, a small ridge tends to the margin."""

        def smooth(y: np.ndarray) -> tuple[float, np.ndarray]:
            scores, z = self.rows @ y, y * self.spread
            powers = np.exp(scores - scores.max())
            value = scores.max() + np.log(powers.sum()) - shares @ scores[: len(shares)]
            slope = powers / powers.sum()
            slope[: len(shares)] -= shares
            return float(value + ridge * (z @ z)), slope @ self.rows + 2 * ridge * z * self.spread

        return self._minimise(smooth, y)

    def smoothed(self, mu: float, y: np.ndarray) -> np.ndarray:
        """Down ln T from y: dT/dα_j is 1 outside the goal and (1 + x/√(x²+μ²))/2 inside; dα = α(ds - Σ α ds)."""
        m = len(self.shares)

        def smooth(y: np.ndarray) -> tuple[float, np.ndarray]:
            weights = _softmax(self.rows @ y)
            x = weights[:m] - self.shares
            root = np.hypot(x, mu)
            half = 0.5 * (np.abs(x) + root)
            value = weights[m:].sum() + np.where(x > 0, half, mu * mu / (4 * half)).sum()  # no cancellation for x < 0
            pull = np.ones(len(weights))
            pull[:m] = 0.5 * (1 + x / root)
            return float(np.log(value)), (weights * (pull - weights @ pull) / value) @ self.rows

        return self._minimise(smooth, y)

    def _minimise(self, smooth: Smooth, y: np.ndarray) -> np.ndarray:
        """L-BFGS in the coordinates z = spread·y, in which the scores vary alike along every axis."""
        from scipy.optimize import minimize  # quick `import headwright`: heavy imports where they are used

        def whitened(z: np.ndarray) -> tuple[float, np.ndarray]:
            value, slope = smooth(z / self.spread)
            return value, slope / self.spread

        # to the last digits: a start that stops early is taken for a worse one
        options = {"maxiter": 150, "maxcor": 20, "ftol": 1e-15, "gtol": 1e-11}
        result = minimize(whitened, y * self.spread, jac=True, method="L-BFGS-B", options=options)
        best: np.ndarray = result.x / self.spread
        return best

    def down(self, y: np.ndarray, box: float) -> np.ndarray:
        """Towards the least total variation from y, the scores moving about `box` at most along each axis."""
        return self._with_slacks(y, box=box, bound=1.0)

    def shortened(self, y: np.ndarray, bound: float) -> np.ndarray:
        """Towards the least norm at total variation <= bound, from y."""
        return self._with_slacks(y, box=None, bound=bound)

    def _with_slacks(self, y: np.ndarray, *, box: float | None, bound: float) -> np.ndarray:
        """SLSQP on (y, t). With a box: least leak + Σt. Without: least ‖y‖ subject to leak + Σt <= bound.

        Unknowns v = (y / unit, t / bound). Returns y as it came where they are too many.
        """
        from scipy.optimize import minimize

        m, r = len(self.shares), len(y)
        if m + r > _MANY:
            return y
        unit = np.full(r, np.linalg.norm(y)) if box is None else 1 / self.spread

        def leak_and_slacks(v: np.ndarray) -> tuple[float, np.ndarray]:
            weights = _softmax(self.rows @ (v[:r] * unit))
            slope = weights[m:] @ (self.rows[m:] - weights @ self.rows)
            return float(weights[m:].sum() + bound * v[r:].sum()), np.append(slope * unit, np.full(m, bound))

        def half_square(v: np.ndarray) -> tuple[float, np.ndarray]:
            return 0.5 * float(v[:r] @ v[:r]), np.append(v[:r], np.zeros(m))

        def limits(v: np.ndarray) -> np.ndarray:
            weights = _softmax(self.rows @ (v[:r] * unit))
            inside: np.ndarray = (self.shares - weights[:m]) / bound + v[r:]
            return inside if box else np.append(inside, np.log(bound / max(leak_and_slacks(v)[0], _TINY)))

        def limit_slopes(v: np.ndarray) -> np.ndarray:
            weights = _softmax(self.rows @ (v[:r] * unit))
            moved = weights[:m, None] * (self.rows[:m] - weights @ self.rows) * unit
            inside = np.hstack([-moved / bound, np.eye(m)])
            whole, slope = leak_and_slacks(v)
            return inside if box else np.vstack([inside, -slope / max(whole, _TINY)])

        start = np.append(y / unit, np.maximum(_softmax(self.rows @ y)[:m] - self.shares, 0.0) / bound)
        result = minimize(
            leak_and_slacks if box else half_square,
            start,
            jac=True,
            method="SLSQP",
            bounds=[(z - box, z + box) if box else (None, None) for z in start[:r]] + [(0, None)] * m,
            constraints={"type": "ineq", "fun": limits, "jac": limit_slopes},
            # a step costs the cube of m + r; 1e-13: to the digits that float64 leaves after the sums
            options={"maxiter": 100 if m + r < 100 else 40, "ftol": 1e-13},
        )
        best: np.ndarray = result.x[:r] * unit
        return best


def _softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max())
    weights: np.ndarray = powers / powers.sum()
    return weights
