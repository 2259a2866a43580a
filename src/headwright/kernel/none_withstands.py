"""Claim: no query that copies a key, and keeps its error however keys move within a region, is shorter than a given norm.

Without a norm, the claim is that there is no such query at all.

**The condition.** A query q copies key i within error e for all keys in the region if and only if

    lse_{j≠i}(τ(k_j - k_i)·q + δ_j + δ_i) <= c := ln(e/(1-e)),      δ_j = τ t ‖p_j ∘ q‖,

with the region's moves δ (see `region`): the one set that can be worst is that of all outsiders (`withstands`).

**Witness** u (n,), any floats with u_j >= 0. Let λ = Σ_{j≠i} u_j and p = u/λ there (u_i is not used). By Gibbs' inequality
lse(x) >= H(p) + p·x. With v = Σ u_j (k_j - k_i) and W_c = t(Σ_{j≠i} u_j p_jc + λ p_ic), every such q has

    λ(H(p) - c)  <=  -v·τq - Σ u_j (δ_j + δ_i)  <=  τ ‖q‖ · length.

For a box the middle is at most τ Σ_c |q_c| (|v_c| - W_c), and the length is ‖max(|v| - W, 0)‖. For a ball, the triangle
inequality gives Σ u_j (δ_j + δ_i) >= τ ‖W ∘ q‖, and ‖W ∘ q‖ >= |y·q| for every y in the ellipsoid with semi-axes W, so that the
length is ‖v - y‖. A poor witness, or a poor y, gives a weak bound, never a false one. If the length is 0 and the left side
positive, there is no q.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple, final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import Claim, at_least
from headwright.kernel.goals import Goal
from headwright.kernel.number_types import as_stored, need_stored
from headwright.kernel.region import Region
from headwright.kernel.verdict import Verdict
from headwright.kernel.within_error import checked_error

_EXACT_BITS = (128, 256, 512)
_FLOAT_BITS = 96


class Bound(NamedTuple):
    """Enclosures of both sides, `left` <= τ‖q‖·`length`, at some precision; `short` says that the length is certainly 0."""

    bits: int
    left: balls.Ball
    length: balls.Ball
    short: bool


@final
@dataclass(frozen=True, eq=False)
class NoneWithstands(Claim):
    """Every query at `scale` for the Copy `goal` that keeps `error` in `region` has norm >= `least`, or there is none (None).

    `witness` (n,) shows it.

    >>> from headwright.kernel.goals import Copy
    >>> claim = NoneWithstands([[0.0], [1.0]], Copy(1), "0.1", 1, Region("0.6", "box"), [1.0, 0.0])
    >>> claim.prove().status
    'proved'
    """

    keys: np.ndarray
    goal: Goal
    error: Fraction
    scale: Fraction
    region: Region
    witness: np.ndarray
    least: Fraction | None = None  # the norm; a field `norm` belongs to the region
    precision: str | None = None  # the number type that the keys are stored in, where it is narrower than float64
    kind: ClassVar[str] = "none-withstands"

    def __post_init__(self) -> None:
        self.settle(keys="nd", witness="n")
        need_stored(self.keys, self.precision, name="keys")
        self.goal.check(len(self.keys))
        self.region.check(self.keys)
        checked_error(self.error)
        if len(self.goal.indices) != 1:
            raise ValueError(f"`goal` must be a Copy, got {self.goal}")
        if (self._used() < 0).any() or not self._used().any():
            raise ValueError("`witness` must not be negative, and must be positive somewhere outside the goal")
        if self.scale <= 0:
            raise ValueError(f"`scale` must be positive, got {inputs.show(self.scale)}")
        if self.least is not None and self.least < 0:
            raise ValueError(f"`least` must not be negative, got {inputs.show(self.least)}")

    def sentence(self) -> str:
        at = "" if self.scale == 1 else f" at scale {inputs.show(self.scale)}"
        over = f"{self.goal} over {len(self.keys)} keys{as_stored(self.precision)}{at}"
        asked = f"with error at most {inputs.show(self.error)}, {self.region.describe()}"
        if self.least is None:
            return f"there is no query for {over} {asked}"
        return f"no query for {over} {asked}, is shorter than {inputs.show(self.least, 12)}"

    def judge(self) -> Verdict:
        for bound in self.bounds():
            with balls.precision(bound.bits):
                method = f"Gibbs' inequality in balls of {bound.bits} bits"
                if not bound.left > 0:
                    continue
                if self.least is None:
                    if bound.short:
                        return self.proved(method=method)
                elif bound.short or bound.left >= balls.exact(self.scale * self.least) * bound.length:
                    return self.proved(**at_least("norm", self.least, 12), method=method)
        if self.least == 0:
            return self.proved(**at_least("norm", self.least, 12), method="a norm is never negative")
        return self.undecided("the witness does not show it", "find a better witness, or claim a smaller norm")

    def _used(self) -> np.ndarray:
        used = self.witness.copy()
        used[self.goal.indices[0]] = 0.0
        return used

    def bounds(self) -> Iterator[Bound]:
        """Both sides, ever tighter; only keys with a positive witness matter."""
        inputs.need_gradual_underflow()
        used = self._used()
        rows = np.flatnonzero(used)
        u, own = used[rows], self.goal.indices[0]
        profile = np.ones((1, 1)) if self.region.profile is None else self.region.profile
        alike = len(profile) == 1
        mine = [self.keys[own].tolist(), profile[0 if alike else own].tolist()]
        for bits in (_FLOAT_BITS, *_EXACT_BITS):
            with balls.precision(bits):
                weights = [balls.exact(x) for x in u.tolist()]
                whole = balls.total(weights)
                sums = [_column_sums(self.keys[rows], u, bits)]
                sums += [[whole * balls.exact(x) for x in mine[1]] if alike else _column_sums(profile[rows], u, bits)]
                v = [s - whole * balls.exact(k) for s, k in zip(sums[0], mine[0], strict=True)]
                t = balls.exact(self.region.radius)
                reach = [t * (s + whole * balls.exact(p)) for s, p in zip(sums[1], mine[1], strict=True)]
                budget.spend(len(u) * (balls.function_cost() + 4 * balls.unit_cost()))
                logs = balls.total([x * x.log() for x in weights])
                odds = balls.exact(self.error / (1 - self.error)).log()
                left = whole * (whole.log() - odds) - logs
                bound = Bound(bits, left, *self._length(v, reach))
            yield bound  # outside of the block, which keeps others waiting

    def _length(self, v: list[balls.Ball], reach: list[balls.Ball]) -> tuple[balls.Ball, bool]:
        """The length, and whether it is certainly 0."""
        budget.spend(20 * len(v) * balls.unit_cost())
        if self.region.norm == "box":
            wide = reach * len(v) if len(reach) == 1 else reach
            over = [abs(x) - w for x, w in zip(v, wide, strict=True)]
            return balls.total([x.max(0) ** 2 for x in over]).sqrt(), all(x <= 0 for x in over)
        if len(reach) == 1:
            size = balls.total([x * x for x in v]).sqrt()
            return (size - reach[0]).max(0), bool(size <= reach[0])
        pairs = list(zip(v, reach, strict=True))
        if all(w > 0 or x == 0 for x, w in pairs) and balls.total([(x / w) ** 2 for x, w in pairs if w > 0]) <= 1:
            return balls.exact(0), True
        part = _multiplier(v, reach)
        y = [w * w * x / (part + w * w) if w > 0 else balls.exact(0) for x, w in pairs]
        size = balls.total([(x / w) ** 2 for x, w in zip(y, reach, strict=True) if w > 0]).sqrt()
        shrunk = 1 / size.upper().max(1)  # y/size lies in the ellipsoid, whatever the multiplier is
        return balls.total([(x - shrunk * z) ** 2 for x, z in zip(v, y, strict=True)]).sqrt(), False


def _column_sums(table: np.ndarray, u: np.ndarray, bits: int) -> list[balls.Ball]:
    """Σ_j u_j table_jc for every column c, in float64 with an a-priori radius or exactly."""
    columns = np.ascontiguousarray(table.T)
    enclosed = balls.float_scores(columns, u) if bits == _FLOAT_BITS else None
    if enclosed is not None:
        return balls.around(enclosed[0].tolist(), enclosed[1].tolist())
    numerators, exponent = balls.exact_scores(columns, u)
    unit = balls.exact(Fraction(2) ** exponent)
    return [balls.exact(k) * unit for k in numerators]


def _multiplier(v: list[balls.Ball], reach: list[balls.Ball]) -> balls.Ball:
    """s >= 0 for which y_c = W_c² v_c / (s + W_c²) lies near the border of the ellipsoid; any s is sound."""
    squares, wide = [x.mid() ** 2 for x in v], [w.mid() ** 2 for w in reach]
    low = balls.exact(0)
    high = balls.total([x * w for x, w in zip(squares, wide, strict=True)]).sqrt().mid()
    for _ in range(60):
        budget.spend(6 * len(v) * balls.unit_cost())
        s = ((low + high) / 2).mid()
        inside = balls.total([x * w / (s + w) ** 2 for x, w in zip(squares, wide, strict=True) if w > 0]) < 1
        low, high = (low, s) if inside else (s, high)
    return high
