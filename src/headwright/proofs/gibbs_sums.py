"""What Gibbs' inequality needs of a witness over keys: its total λ, its entropy λH(p), and the vector v.

A witness u (n,) has entries u_j >= 0 outside a support S and any entries on it. With a₀ the first of S,

    λ = Σ_{j∉S} u_j,   p = u/λ outside S,   λH(p) = λ ln λ - Σ_{j∉S} u_j ln u_j,   v = Σ_{j≠a₀} u_j (k_j - k_{a₀}).

Claims that rest on lse(x) >= H(p) + p·x combine these three numbers. `gibbs_sums` gives them in balls, ever tighter: from
float64 sums with an a-priori radius, then from exact sums. Only keys with a non-zero entry matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from headwright import balls, budget, inputs

_FLOAT_TIER = 96  # bits at which balls of float64 numbers are combined: none of theirs is lost
_EXACT_TIERS = (128, 256, 512, 1024)


class GibbsSums(NamedTuple):
    """Balls of λ, λH(p) and v, to be used at `bits` bits of precision."""

    bits: int
    method: str
    weight: balls.Ball
    entropy: balls.Ball
    v: list[balls.Ball]

    @property
    def length(self) -> balls.Ball:
        """‖v‖, at the working precision."""
        budget.spend(4 * len(self.v) * balls.unit_cost())
        return balls.total([x * x for x in self.v]).sqrt()


def gibbs_sums(keys: np.ndarray, support: Sequence[int], witness: np.ndarray) -> Iterator[GibbsSums]:
    """The sums of a witness, cheapest first; none where the witness is zero but for a₀."""
    inputs.need_gradual_underflow()
    used, outside = witness.copy(), witness.copy()
    used[support[0]] = 0.0
    outside[list(support)] = 0.0
    rows = np.flatnonzero(used)
    if not len(rows):
        return
    if 2 * len(rows) < len(keys):  # else the zeros cost less than a copy of the other rows
        keys, origin, used = keys[rows], keys[support[0]], used[rows]
    else:
        origin = keys[support[0]]
    first = _in_float64(keys, origin, used, outside)
    if first is not None:
        yield first
    yield from _exactly(keys, origin, used, outside)


def _in_float64(keys: np.ndarray, origin: np.ndarray, used: np.ndarray, outside: np.ndarray) -> GibbsSums | None:
    enclosed = balls.float_sums(used, keys, origin)
    with balls.precision(_FLOAT_TIER):
        weighed = balls.enclosed_entropy(outside)
        if enclosed is None or weighed is None:
            return None
        v = balls.around(*(part.tolist() for part in enclosed))
    return GibbsSums(_FLOAT_TIER, "float64 sums and logarithms, each with an a-priori radius", *weighed, v)


def _exactly(keys: np.ndarray, origin: np.ndarray, used: np.ndarray, outside: np.ndarray) -> Iterator[GibbsSums]:
    rows = np.flatnonzero(used)
    numerators, exponent = balls.exact_scores(np.ascontiguousarray(keys[rows].T), used[rows])
    weights = outside[outside > 0].tolist()
    for bits in _EXACT_TIERS:
        with balls.precision(bits):
            budget.spend(len(weights) * balls.function_cost() + len(used) * balls.unit_cost())
            unit = balls.exact(Fraction(2) ** exponent)
            whole = balls.total([balls.exact(u) for u in used[rows].tolist()])
            v = [
                balls.exact(number) * unit - whole * balls.exact(k)
                for number, k in zip(numerators, origin.tolist(), strict=True)
            ]
            terms = [balls.exact(u) for u in weights]
            weight = balls.total(terms)
            entropy = weight * weight.log() - balls.total([u * u.log() for u in terms]) if terms else weight
        yield GibbsSums(bits, f"exact sums, logarithms in balls of {bits} bits", weight, entropy, v)
