"""Heads: the attention that a claim is about, with keys, queries, mixing shares and scale as exact numbers.

weights_j = Σ_h π_h · exp(τ k_j·q_h) / Σ_i exp(τ k_i·q_h). What is proved is about this exact real softmax of the stored
numbers, not about what some floating-point kernel returns. With an image the stored numbers are coordinates x, and the query
is W x + b in exact arithmetic. Claims take it from `points`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.frozen import computed_once
from headwright.kernel.image import Image
from headwright.kernel.number_types import PRECISIONS, as_stored, need_stored
from headwright.kernel.record import Parts


@final
@dataclass(frozen=True, eq=False)
class Heads(Parts):
    """Attention over `keys` (n, d) by `queries` (h, d) at `scale` > 0, mixed by `mix` (h,) >= 0 (normalised exactly).

    With an `image` of matrix W (d, r) and offset b, `queries` (h, r) holds coordinates x, and the queries are W x + b.

    >>> Heads(np.eye(3), [[9.0, 0.0, 0.0]], [1.0], 1).describe()
    '1 head over 3 keys'
    """

    keys: np.ndarray
    queries: np.ndarray
    mix: np.ndarray
    scale: Fraction
    precision: str | None = None  # the number type of keys and queries, or the kind in which the keys alone are stored
    image: Image | None = None

    def __post_init__(self) -> None:
        columns = {} if self.image is None else dict(zip("dr", self.image.matrix.shape, strict=True))
        self.settle(columns, keys="nd", queries="hr" if columns else "hd", mix="h")
        if self.image is not None and self.precision in PRECISIONS:
            raise ValueError(f"`precision` must not name a type of queries beside an image, got {self.precision!r}")
        if (self.mix < 0).any() or not (self.mix > 0).any():
            raise ValueError(f"`mix` must be non-negative and not all zero, got {self.mix.tolist()}")
        if self.scale <= 0:
            raise ValueError(f"`scale` must be positive, got {inputs.show(self.scale)}")
        need_stored(self.keys, self.precision, name="keys")
        if self.precision in PRECISIONS:
            need_stored(self.queries, self.precision, name="queries")

    @property
    def n(self) -> int:
        """The number of keys."""
        return len(self.keys)

    @property
    def shares(self) -> list[Fraction]:
        """The exact mixing weight of each head; their sum is exactly 1."""
        parts = [Fraction(weight) for weight in self.mix.tolist()]
        whole = budget.summed(parts)
        budget.spend(len(parts) * budget.product(budget.bits(whole), 2200))
        return [part / whole for part in parts]

    @computed_once
    def points(self) -> Sequence[balls.Vector]:
        """The exact queries: rows of float64 numbers, or exact vectors W x + b."""
        return list(self.queries) if self.image is None else [self.image.at(x) for x in self.queries]

    @property
    def rounded(self) -> np.ndarray:
        """The queries (h, d) in float64, each entry rounded once, infinite beyond its range; never for proofs."""
        return np.array([point if isinstance(point, np.ndarray) else point.nearest() for point in self.points])

    @property
    def ways(self) -> np.ndarray:
        """The same within the range of float64: directions in which a search moves keys."""
        ways: np.ndarray = np.nan_to_num(self.rounded)
        return ways

    def as_given(self) -> dict[str, np.ndarray]:
        """The stored numbers as a counterexample names them."""
        return {"keys": self.keys, "queries" if self.image is None else "coordinates": self.queries}

    def climb(self) -> Iterator[balls.Tier]:
        """The scores at rising precision."""
        return balls.climb(self.keys, self.points, self.scale)

    def numerators(self, tier: balls.Tier) -> balls.Table:
        """Balls W_j with weights_j = W_j / Σ W."""
        return self.mixed(tier.exponentials)

    def mixed(self, exponentials: Sequence[balls.Table]) -> balls.Table:
        """Numerators of the mixed weights, from one row of exponentials per head."""
        return mixed(self.shares, exponentials)

    def replace_keys(self, keys: np.ndarray) -> Heads:
        """The same queries over other keys, which may be any float64 numbers."""
        return Heads(keys, self.queries, self.mix, self.scale, image=self.image)

    def describe(self) -> str:
        """The heads in words, for the sentence of a claim."""
        heads = "1 head" if len(self.queries) == 1 else f"{len(self.queries)} heads"
        at = "" if self.scale == 1 else f" at scale {inputs.show(self.scale)}"
        whose = "keys and queries" if self.precision in PRECISIONS else "keys"
        stored = f" ({whose}{as_stored(self.precision)})" if self.precision else ""
        formed = f" with queries {self.image.describe()}" if self.image else ""
        return f"{heads}{formed} over {self.n} keys{at}{stored}"


def mixed(shares: Sequence[Fraction], exponentials: Sequence[balls.Table]) -> balls.Table:
    """Balls W_j with Σ_h π_h e_hj/Z_h = W_j / Σ W, without a division: W_j = Σ_h π_h (Π_{g≠h} Z_g) e_hj, Z_g = Σ_j e_gj.

    The mixing shares are brought to integers, so that ties stay exact.
    """
    if len(exponentials) == 1:
        return exponentials[0]
    common = budget.common_denominator(shares)
    budget.spend(len(shares) * (len(shares) + 2 * len(exponentials[0])) * balls.unit_cost())
    sums = [row.total() for row in exponentials]
    combined = [balls.exact(0)] * len(exponentials[0])
    for h, row in enumerate(exponentials):
        factor = balls.exact(int(shares[h] * common))
        for g, whole in enumerate(sums):
            if g != h:
                factor = factor * whole
        combined = [so_far + factor * e for so_far, e in zip(combined, row, strict=True)]
    return balls.BallTable(combined)
