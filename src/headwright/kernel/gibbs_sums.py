"""What Gibbs' inequality needs of a witness over keys: its total λ, its entropy λH(p), and the vector v.

A witness u (n,) has entries u_j >= 0 outside a support S and any entries on it. With a₀ the first of S,

    λ = Σ_{j∉S} u_j,   p = u/λ outside S,   λH(p) = λ ln λ - Σ_{j∉S} u_j ln u_j,   v = Σ_{j≠a₀} u_j (k_j - k_{a₀}).

Claims that rest on lse(x) >= H(p) + p·x combine these three numbers (`WitnessBound`). `gibbs_sums` gives them in balls, ever
tighter: from float64 sums with an a-priori radius, then from exact sums. Only keys with a non-zero entry matter.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any, ClassVar, NamedTuple, Self, cast

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.balls.float_log import enclosed_entropy
from headwright.kernel.claim import Claim, at_least
from headwright.kernel.frozen import computed_once
from headwright.kernel.goals import Goal
from headwright.kernel.image import Image
from headwright.kernel.number_types import need_stored
from headwright.kernel.verdict import Verdict

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
        weighed = enclosed_entropy(outside)
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


class WitnessBound(Claim):
    """No query with exact ratios goes below a number, which the sums of `witness` (n,) show; `bounded` names its field."""

    bounded: ClassVar[str]
    figure: ClassVar[str]  # what it is in words
    keys: np.ndarray
    goal: Goal
    witness: np.ndarray
    precision: str | None
    image: Image | None

    def check_witness(self) -> None:
        """For `__post_init__`: make the fields exact, and see that the witness fits the keys and the goal."""
        self.settle({} if self.image is None else {"d": self.image.d}, keys="nd", witness="n")
        need_stored(self.keys, self.precision, name="keys")
        self.goal.check(len(self.keys))
        if (self.outside() < 0).any():
            raise ValueError("`witness` must not be negative outside the goal's support")

    def outside(self) -> np.ndarray:
        """The witness outside the support (0 on it)."""
        outside = self.witness.copy()
        outside[list(self.goal.indices)] = 0.0
        return outside

    @property
    def claimed(self) -> Fraction:
        """The number that no query goes below."""
        return cast(Fraction, getattr(self, self.bounded))

    def at(self, claimed: Fraction) -> Self:
        """The same claim about another number. What was computed from the witness does not depend on it, and is kept."""
        other = replace(cast(Any, self), **{self.bounded: claimed})
        vars(other)["_first"] = self._first
        return cast(Self, other)

    def judge(self) -> Verdict:
        if self.claimed == 0:
            return self.proved(**self.facts(), method=f"no {self.figure} is negative")
        shown: Fraction | None = None
        for bits, method, bound in self.bounds():
            with balls.precision(bits):
                if bound >= balls.exact(self.claimed):
                    return self.proved(**self.facts(), method=method)
            shown = balls.lower(bound)
        least = "" if shown is None else balls.decimal_below(max(shown, Fraction(0)))
        only = f"{self.figure} at least {least}" if least else "no finite bound"
        return self.undecided(f"the witness proves {only}", f"find a better witness, or claim a smaller {self.figure}")

    def facts(self) -> dict[str, Any]:
        """What the verdict Proved states."""
        return at_least(self.figure, self.claimed, 12)

    @computed_once
    def _first(self) -> GibbsSums | None:
        """The cheapest sums of the witness."""
        return next(self._sums(), None)

    def _sums(self) -> Iterator[GibbsSums]:
        return gibbs_sums(self.keys, self.goal.indices, self.witness)

    def bounds(self) -> Iterator[tuple[int, str, balls.Ball]]:
        """(bits, method, ball of the proved number), ever tighter; only keys with a non-zero witness matter."""
        if self._first is None:
            if self.image is not None:
                yield from self.from_distance(self.image)
            return
        yield self._bound(self._first)
        yield from map(self._bound, islice(self._sums(), 1, None))

    def _bound(self, sums: GibbsSums) -> tuple[int, str, balls.Ball]:
        with balls.precision(sums.bits):
            return sums.bits, *self.from_sums(sums, self._less_ratios(sums.entropy))

    def _less_ratios(self, entropy: balls.Ball) -> balls.Ball:
        """λH(p) - Σ ν_a ln(w_a / w_{a₀})."""
        budget.spend((2 + len(self.goal.shares)) * balls.function_cost())
        for a, share in zip(self.goal.indices[1:], self.goal.shares[1:], strict=True):
            entropy = entropy - balls.exact(float(self.witness[a])) * log(share / self.goal.shares[0])
        return entropy

    @abstractmethod
    def from_sums(self, sums: GibbsSums, gained: balls.Ball) -> tuple[str, balls.Ball]:
        """(method, ball of the number) that these sums prove, where `gained` is λH(p) - Σ ν_a ln(w_a / w_{a₀})."""

    @abstractmethod
    def from_distance(self, image: Image) -> Iterator[tuple[int, str, balls.Ball]]:
        """What the distance of the image from 0 proves, without a witness."""


def log(x: Fraction) -> balls.Ball:
    """ln x of a positive rational; exactly 0 at 1."""
    return balls.exact(x).log() if x != 1 else balls.exact(0)
