"""Claim: every query that scores a set S above the rest by at least a gap g has at least a given norm.

**Witness** u (n,), any non-negative floats, some positive inside S and some outside. Normalised exactly to P on S and R
outside, each of sum 1, they make two points, one of each hull. A query whose scores inside S exceed those outside by g
has

    g  <=  τ q·x  <=  τ ‖q‖ ‖x‖,      x = Σ_{i∈S} P_i k_i - Σ_{j∉S} R_j k_j,

because a mean of scores inside exceeds a mean of scores outside by g too. This holds for every u: a poor witness gives a weak
bound, never a false one, and the nearest points of the two hulls give the best. ‖x‖² is an exact rational, so the comparison
g² >= (τ‖x‖·norm)² needs no rounding. If x = 0, there is no such query, and every norm is proved. With an image the claim is about
the queries W x + b alone, and (1) of `image.py` takes the place of the last step, with -x for its v, in balls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import Claim, at_least
from headwright.kernel.goals import Top
from headwright.kernel.image import Image
from headwright.kernel.number_types import as_stored, need_stored
from headwright.kernel.verdict import Verdict

_BITS = (128, 256, 512, 1024)


@final
@dataclass(frozen=True, eq=False)
class GapNorm(Claim):
    """Every query at `scale` whose smallest score gap for `top` is >= `gap` has norm >= `least`; `witness` (n,) shows it.

    >>> GapNorm([[0.0], [4.0]], Top(1), Fraction(1), Fraction(1), Fraction(1, 4), [1.0, 1.0]).prove().bound
    0.25
    """

    keys: np.ndarray
    top: Top
    gap: Fraction
    scale: Fraction
    least: Fraction
    witness: np.ndarray
    precision: str | None = None  # the number type that the keys are stored in, where it is narrower than float64
    image: Image | None = None
    kind: ClassVar[str] = "gap-norm"

    def __post_init__(self) -> None:
        self.settle({} if self.image is None else {"d": self.image.d}, keys="nd", witness="n")
        need_stored(self.keys, self.precision, name="keys")
        named = self.top.members(len(self.keys))
        if (self.witness < 0).any() or not (self.witness[named].any() and self.witness[~named].any()):
            raise ValueError("`witness` must be non-negative, and positive somewhere inside the set and outside")
        for name, value in (("gap", self.gap), ("scale", self.scale)):
            if value <= 0:
                raise ValueError(f"`{name}` must be positive, got {inputs.show(value)}")
        if self.least < 0:
            raise ValueError(f"`least` must not be negative, got {inputs.show(self.least)}")

    def sentence(self) -> str:
        at = "" if self.scale == 1 else f" at scale {inputs.show(self.scale)}"
        formed = self.image.among() if self.image else ""
        return (
            f"no query{formed} over {len(self.keys)} keys{as_stored(self.precision)} that scores every key of {self.top} "
            f"above the other keys by {inputs.show(self.gap)}{at} is shorter than {inputs.show(self.least, 12)}"
        )

    def judge(self) -> Verdict:
        if self.image is not None:
            return self._within()
        if self.gap**2 >= (self.scale * self.least) ** 2 * self.distance_squared():
            how = "two points of the hulls, their distance squared as an exact rational"
            return self.proved(**at_least("norm", self.least, 12), method=how)
        return self.undecided("the witness shows a smaller norm only", "find nearer points, or claim a smaller norm")

    def _within(self) -> Verdict:
        for bits, bound in self.bounds():
            with balls.precision(bits):
                if bound >= balls.exact(self.least):
                    how = f"two points of the hulls, projected on the image in balls of {bits} bits"
                    return self.proved(**at_least("norm", self.least, 12), method=how)
        return self.undecided("the witness shows a smaller norm only", "find nearer points, or claim a smaller norm")

    def bounds(self) -> Iterator[tuple[int, balls.Ball]]:
        """(bits, ball of the norm that the witness shows), ever tighter."""
        image = self.image or Image(np.eye(self.keys.shape[1]))
        apart = self.points()
        for bits in _BITS:
            with balls.precision(bits):
                bound = image.least_norm([balls.exact(b - a) for a, b in apart], balls.exact(self.gap / self.scale))
            yield bits, bound

    def distance_squared(self) -> Fraction:
        """‖x‖², exactly."""
        return budget.summed((a - b) ** 2 for a, b in self.points())

    def points(self) -> list[tuple[Fraction, Fraction]]:
        """The coordinates of the two points, inside and outside."""
        inputs.need_gradual_underflow()
        named = self.top.members(len(self.keys))
        inside, outside = (self._mean(np.flatnonzero(part & (self.witness > 0))) for part in (named, ~named))
        return list(zip(inside, outside, strict=True))

    def _mean(self, rows: np.ndarray) -> list[Fraction]:
        """The mean of these keys by the witness's weights, coordinate by coordinate."""
        weights = self.witness[rows]
        numerators, exponent = balls.exact_scores(np.ascontiguousarray(self.keys[rows].T), weights)
        whole = budget.summed(Fraction(weight) for weight in weights.tolist())
        budget.spend(len(numerators) * 9 * budget.product(6400, 2200))
        return [numerator * Fraction(2) ** exponent / whole for numerator in numerators]
