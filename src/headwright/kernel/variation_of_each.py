"""Claim: for each of many queries, or key sets, the total variation from the goal lies between two bounds of its own.

The claim of `within_error.py` for a whole batch, decided side by side in float64. For one head with exponentials e_j and the
support S of the goal, let O = Σ_{j∉S} e_j, I = Σ_{j∈S} e_j and Z = O + I. Then the weights are w_j = e_j / Z, and

    TV = O/Z + Σ_{j∈S} [w_j - g_j]₊,      where the last sum is 0 if S has one member, because its share is 1.

For several heads O/Z and w_j are means over the heads. O/(O + I) grows with O and falls with I, so ends of the exponentials'
enclosures give ends for TV. All terms are non-negative and added up without cancellation. With u = 2^-53, a sum of n terms is
off by at most nu/(1-nu) of itself, in any order, and quotient, product and mean over h heads add less than (h + 8)u: together
with numerator and denominator less than (2n + h + 16)u. `_slack` is four times that. Shares and mixing weights are rounded to
float64 once, by at most u of themselves or, where they are subnormal, by 2^-1075. `_TINY` covers that and all other underflow.

What float64 cannot confirm is looked at one row at a time, in tiers of rising precision.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.balls.float_exp import WIDEST, exp_enclosed
from headwright.kernel.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim, at_most
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.kernel.verdict import Counterexample, Verdict
from headwright.kernel.within_error import total_variation

_LONGEST_DOT = 2**20  # the a-priori radius of a score holds up to this dimension
_TOGETHER = 2**20  # numbers of keys or scores held at once: 8 MB
_TINY = 2.0**-960
_HOW = "float64 scores and exponentials with proved radii, many {} at a time; exact for fixed keys"


@final
@dataclass(frozen=True, eq=False)
class VariationOfEach(Claim):
    """In row i of b rows, the total variation from its goal is at least `least[i]` and at most `most[i]`.

    Row i reads key set i // (b/g) of `keys` (g, n, d): its own where g = b, the same as all rows where g = 1. `queries` are
    (b, h, d), or (1, h, d) for all rows alike, and `goals` one goal per row, or one for all.

    >>> from headwright.kernel.goals import Copy
    >>> claim = VariationOfEach(np.eye(2)[None], [[[9.0, 0.0]]], [1.0], 1, (Copy(0),), [0.0], [0.01])
    >>> claim.prove().status
    'proved'
    """

    keys: np.ndarray
    queries: np.ndarray
    mix: np.ndarray
    scale: Fraction
    goals: tuple[Goal, ...]
    least: np.ndarray
    most: np.ndarray
    precision: str | None = None
    kind: ClassVar[str] = "variation-of-each"

    def __post_init__(self) -> None:
        self.settle(keys="gnd", queries="chd", mix="h", least="b", most="b")
        (g, n, _), b = self.keys.shape, len(self.least)
        if b % g:
            raise ValueError(f"`least` must have as many rows for every one of {g} key sets, got {b} rows")
        for name, given in (("queries", len(self.queries)), ("goals", len(self.goals))):
            if given not in (1, b):
                raise ValueError(f"`{name}` must be one for all or one for each of {b} {self.rows}, got {given}")
        for goal in self.goals:
            goal.check(n)
        for i in range(b if self.precision else 1):
            self.heads(i)  # checks mix, scale and the number type

    def heads(self, i: int) -> Heads:
        """The attention of row i."""
        queries = self.queries[i if len(self.queries) > 1 else 0]
        return Heads(self.keys[self._key_set(i)], queries, self.mix, self.scale, self.precision)

    def _key_set(self, i: Any) -> Any:
        """The key set that row i reads, or rows."""
        return i // (len(self.least) // len(self.keys))

    @property
    def row(self) -> str:
        """What a row is called: a key set, or a query or a mixture of heads where several rows share their keys."""
        if len(self.keys) == len(self.least):
            return "key set"
        return "query" if len(self.mix) == 1 else "mixture"

    @property
    def rows(self) -> str:
        """The same of many."""
        return {"query": "queries"}.get(self.row, f"{self.row}s")

    def goal(self, i: int) -> Goal:
        """The goal of row i."""
        return self.goals[i if len(self.goals) > 1 else 0]

    def sentence(self) -> str:
        about = str(self.goals[0]) if len(set(self.goals)) == 1 else "its goal"
        g, b = len(self.keys), len(self.least)
        if g == b:
            own = ", with queries of its own" if len(self.queries) > 1 else ""
            each = f"over each of {b} key sets{own}"
        else:
            each = f"for each of {b} {self.rows}" + (f", {b // g} in turn over each of {g} key sets" if g > 1 else "")
        return (
            f"{each}, the total variation between the weights of {self.heads(0).describe()} and {about} lies within "
            f"the bounds stated for that {self.row}, at most {inputs.show(Fraction(float(self.most.max())))}"
        )

    def judge(self) -> Verdict:
        inputs.need_gradual_underflow()
        how = _HOW.format(self.rows)
        low, high = self.enclosures()
        for i in np.flatnonzero(~((low >= self.least) & (high <= self.most))).tolist():
            inside, how = self._look(i)
            if inside is None:
                return self.undecided(f"{self.row} {i}: {OUT_OF_PRECISION}", ASK_FURTHER_AWAY)
            if not inside:
                heads = self.heads(i)
                point: Counterexample = {self.row: Fraction(i), "keys": heads.keys, "queries": heads.queries}
                return self.refuted(counterexample=point, method=how)
        return self.proved(**at_most("total variation", Fraction(float(self.most.max()))), method=how)

    def _look(self, i: int) -> tuple[bool | None, str]:
        """Whether row i keeps its bounds, None if no precision decides, and how that was found."""
        heads, how = self.heads(i), ""
        ends = Fraction(float(self.least[i])), Fraction(float(self.most[i]))
        for tier in heads.climb():
            with balls.precision(tier.bits):
                numerator, denominator = total_variation(heads.numerators(tier), self.goal(i))
                low, high = (end.denominator * numerator - end.numerator * denominator for end in ends)
                how = f"{tier.method}; exact for fixed keys"
                if low >= 0 and high <= 0:
                    return True, how
                if low < 0 or high > 0:
                    return False, how
        return None, how

    def enclosures(self) -> tuple[np.ndarray, np.ndarray]:
        """Proved ends (b,) of the total variation of each row: 0 and 1 where float64 cannot tell more."""
        b, (_, n, d) = len(self.least), self.keys.shape
        h = self.queries.shape[1]
        low, high = np.zeros(b), np.ones(b)
        if d > _LONGEST_DOT or not Fraction(2) ** -500 < self.scale < Fraction(2) ** 500:
            return low, high
        shares = np.array([float(share) for share in self.heads(0).shares])
        together = max(1, _TOGETHER // (n * max(d, h)))
        budget.spend(b * n * (3 * d * (h + 1) + 100 * h))
        budget.hold(80 * min(b, together) * n * max(d, h))
        for first in range(0, b, together):
            part = slice(first, min(b, first + together))
            wanted = self._wanted(part)
            powers = self._exponentials(part)
            low[part], high[part] = _variations(*powers, shares, wanted)
        return low, high

    def _wanted(self, part: slice) -> np.ndarray:
        """The shares that the goals ask of the rows in `part`, rounded to float64."""
        if len(self.goals) == 1:
            return np.broadcast_to(
                self.goals[0].weights(self.keys.shape[1]), (part.stop - part.start, self.keys.shape[1])
            )
        return np.array([goal.weights(self.keys.shape[1]) for goal in self.goals[part]])

    def _exponentials(self, part: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(midpoints, radii) (b, h, n) of exp(s_j - c), and which rows float64 can hold; as in `kernel/balls/tiers.py`."""
        keys = self.keys[self._key_set(np.arange(part.start, part.stop))]
        queries = self.queries[part] if len(self.queries) > 1 else self.queries
        d, scale = keys.shape[2], float(self.scale)
        with np.errstate(all="ignore"):
            middle = queries @ keys.transpose(0, 2, 1)
            sizes = np.abs(keys)
            flushed = 4 * (d + 4) * 2.0**-1022 * (1 + sizes.max(axis=(1, 2), keepdims=True) + np.abs(queries).max())
            radii = (d + 4) * 2.0**-52 * (np.abs(queries) @ sizes.transpose(0, 2, 1)) + flushed
            x = scale * (middle - middle.max(axis=2, keepdims=True))
            radii = (scale * radii) * (1 + 2.0**-49) + np.abs(x) * 2.0**-50
            held = (np.isfinite(x) & (x <= WIDEST) & (radii <= WIDEST)).all(axis=(1, 2))
        x[~held] = 0.0
        radii[~held] = 0.0
        powers = exp_enclosed(x, radii)
        assert powers is not None  # every x and every radius is small
        return *powers, held


def _variations(
    powers: np.ndarray, radii: np.ndarray, held: np.ndarray, shares: np.ndarray, wanted: np.ndarray
) -> Iterator[np.ndarray]:
    """The lower ends (b,) and the upper ends of the total variation."""
    _, h, n = powers.shape
    slack = (2 * n + h + 16) * 2.0**-51
    named = wanted > 0
    inside, several = named[:, None, :], named.sum(axis=1) > 1
    ends = np.maximum(powers - radii, 0.0), powers + radii
    within = [np.where(inside, end, 0.0) for end in ends]
    sums_in = [end.sum(axis=2) for end in within]
    sums_out = [np.where(inside, 0.0, end).sum(axis=2) for end in ends]
    for end, other, sign, limit in ((0, 1, -1, 0.0), (1, 0, 1, 1.0)):
        leak = (sums_out[end] / (sums_out[end] + sums_in[other])) @ shares
        whole = sums_out[other] + sums_in[other]
        weights = np.einsum("bhn,bh->bn", within[end], shares / whole) * (1 + sign * slack)
        above = np.where(named, np.maximum(weights - wanted * (1 - sign * 2.0**-51), 0.0), 0.0).sum(axis=1)
        variation = (leak + np.where(several, above, 0.0)) * (1 + sign * slack) + sign * _TINY
        yield np.where(held, np.clip(variation, 0.0, 1.0), limit)
