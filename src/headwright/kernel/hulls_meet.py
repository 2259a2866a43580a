"""Claim: no query scores all of a set S above the rest. The witness is a point that both hulls share.

Positive integers N_j on some keys, with the same sum on S as outside and

    Σ_{i∈S} N_i k_i  =  Σ_{j∉S} N_j k_j       (exactly),

give, for every query, a mean of scores inside that equals a mean of scores outside. So the lowest member never exceeds the
highest outsider, at any scale. (Conversely, some query separates disjoint hulls of finitely many keys.) For S = {i} this says
that key i lies in the hull of the others. With an image the claim is about the queries W x + b alone: then Σ ± N Wᵀk = 0 is
enough if Σ ± N k·b <= 0, with + inside S and - outside. With a gap g the claim is that no such query scores S above the rest by
g, and τ Σ ± N k·b < g Σ_{i∈S} N_i is enough. Everything is checked in Python integers. Certificates store them as
hexadecimal text, whose length is not limited.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import Claim
from headwright.kernel.goals import Top
from headwright.kernel.image import Image
from headwright.kernel.number_types import as_stored, need_stored
from headwright.kernel.record import LongIntegers
from headwright.kernel.verdict import Verdict


@final
@dataclass(frozen=True, eq=False)
class HullsMeet(Claim):
    """No query scores every key of `top` above the other keys; positive integer `weights` on the keys `indices` show it.

    >>> HullsMeet(np.array([[0.0], [1.0], [2.0]]), Top(1), (0, 1, 2), (1, 2, 1)).prove().status
    'proved'
    """

    keys: np.ndarray
    top: Top
    indices: tuple[int, ...]
    weights: LongIntegers
    precision: str | None = None  # the number type that the keys are stored in, where it is narrower than float64
    image: Image | None = None
    gap: Fraction | None = None  # only where the image has an offset, and then together with the scale
    scale: Fraction | None = None
    kind: ClassVar[str] = "hulls-meet"

    def __post_init__(self) -> None:
        self.settle({} if self.image is None else {"d": self.image.d}, keys="nd")
        need_stored(self.keys, self.precision, name="keys")
        self.top.check(len(self.keys))
        self._check_gap()
        if len(self.indices) != len(self.weights):
            raise ValueError("`indices` and `weights` must have the same length")
        if len(set(self.indices)) < len(self.indices):
            raise ValueError("`indices` must be distinct")
        if any(inputs.index(j, name="indices") >= len(self.keys) for j in self.indices):
            raise ValueError(f"`indices` must lie inside the {len(self.keys)} keys")
        if any(not isinstance(w, int) or w <= 0 for w in self.weights):
            raise ValueError("`weights` must be positive integers")

    def _check_gap(self) -> None:
        given = {name: getattr(self, name) for name in ("gap", "scale") if getattr(self, name) is not None}
        if given and (len(given) < 2 or self.image is None or self.image.offset is None):
            raise ValueError("`gap` and `scale` must be given together, for an image with an offset")
        for name, value in given.items():
            if value <= 0:
                raise ValueError(f"`{name}` must be positive, got {inputs.show(value)}")

    def sentence(self) -> str:
        others = len(self.keys) - len(self.top.indices)
        whose = as_stored(self.precision)
        formed = self.image.among() if self.image else ""
        by = ""
        if self.gap is not None and self.scale is not None:
            by = f" by {inputs.show(self.gap)} at scale {inputs.show(self.scale)}"
        over = f"the other {others} of {len(self.keys)} keys{whose}"
        return f"no query{formed} scores every key of {self.top} above {over}{by}"

    def judge(self) -> Verdict:
        named = set(self.top.indices)
        budget.spend(len(self.weights) * (200 + max(map(int.bit_length, self.weights), default=0)))
        inside = sum(w for j, w in zip(self.indices, self.weights, strict=True) if j in named)
        if inside == 0 or 2 * inside != sum(self.weights):
            return self._no_witness("the weights inside and outside the set do not have the same positive sum")
        signed = [w if j in named else -w for j, w in zip(self.indices, self.weights, strict=True)]
        if self.image is not None:
            return self._within(self.image, signed, inside)
        if not balls.sums_to_zero(self.keys[list(self.indices)], signed):
            return self._no_witness("the two weighted means are different points")
        return self.proved(
            reason=f"a mean of {sum(j in named for j in self.indices)} of these keys equals a mean of "
            f"{sum(j not in named for j in self.indices)} others, so their scores have equal means under every query",
            method="exact integers",
        )

    def _within(self, image: Image, signed: list[int], inside: int) -> Verdict:
        """The same where only queries of an image count: the mean inside is ahead of the other by the same for all of them."""
        ahead = image.value(self.keys[list(self.indices)], signed)
        if ahead is None:
            return self._no_witness("some query of the image tells the two weighted means apart")
        short = (self.gap or 0) * inside - (self.scale or 1) * ahead
        if short < 0 or (short == 0 and self.gap is not None):  # a mean that is ahead by the gap itself shows nothing
            return self._no_witness("the offset scores the mean inside far enough above the one outside")
        return self.proved(
            reason="the scores of two weighted means, one inside and one outside, differ by the same under all these queries",
            method="exact integers",
        )

    def _no_witness(self, reason: str) -> Verdict:
        return self.undecided(f"{reason}, so they prove nothing", "find a point that both hulls share, or a query")
