"""Claim: in a layer with maps Q, K, V over given tokens, every named row attends as its goal says and yields its wanted output.

Row r of tokens X has the scores s_rj = (Q x_r)·(K x_j) in every head, and the heads are mixed equally. With `causal` a row sees
only the tokens up to itself. Scores are products of four float64 matrices, computed as exact integers. The row's weights must be
within total variation `error` of its goal, and its output Σ_j α_rj V x_j within `tolerance` of the wanted one in Euclidean norm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim
from headwright.kernel.goals import Goal
from headwright.kernel.heads import mixed
from headwright.kernel.verdict import Refuted, Verdict
from headwright.kernel.within_error import checked_error, total_variation

_BITS = (128, 256, 512, 1024, 2048)


@final
@dataclass(frozen=True, eq=False)
class LayerRows(Claim):
    """Every row in `goals` is within `error` of its goal, and every row in `wanted` within `tolerance` of its output.

    tokens (n, d), Q and K (h, r, d), V (v, d), outputs (m, v) of the rows in `wanted`.

    >>> from headwright.kernel.goals import Copy
    >>> LayerRows(np.eye(2), [9 * np.eye(2)], [np.eye(2)], np.eye(2), {0: Copy(0)}, "0.01").prove().status
    'proved'
    """

    tokens: np.ndarray
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    goals: Mapping[int, Goal]
    error: Fraction
    wanted: tuple[int, ...] = ()
    outputs: np.ndarray | None = None
    tolerance: Fraction = Fraction(0)
    causal: bool = False
    kind: ClassVar[str] = "layer-rows"

    def __post_init__(self) -> None:
        self.settle({"m": len(self.wanted)}, tokens="nd", Q="hrd", K="hrd", V="vd", outputs="mv")
        n = len(self.tokens)
        if not self.goals:
            raise ValueError("`goals` must name at least one row")
        for row, goal in self.goals.items():
            if not 0 <= row < n:
                raise ValueError(f"`goals` names row {row}, but there are only {n} tokens (0 to {n - 1})")
            goal.check(row + 1 if self.causal else n)
        checked_error(self.error)
        self._check_outputs()

    def _check_outputs(self) -> None:
        if (self.outputs is None) != (not self.wanted):
            raise ValueError("`outputs` must hold one vector for every row in `wanted`")
        if self.outputs is None:
            return
        if len(set(self.wanted)) < len(self.wanted):  # only the first of two outputs would be checked
            raise ValueError(f"`wanted` must name each row once, got {list(self.wanted)}")
        if not set(self.wanted) <= set(self.goals):
            raise ValueError(f"`wanted` names rows without a goal: {sorted(set(self.wanted) - set(self.goals))}")
        if self.tolerance <= 0:
            raise ValueError(f"`tolerance` must be positive, got {inputs.show(self.tolerance)}")

    def sentence(self) -> str:
        heads = "1 head" if len(self.Q) == 1 else f"{len(self.Q)} heads"
        seen = ", each seeing the tokens up to itself," if self.causal else ""
        one = len(self.goals) == 1
        rows = f"1 row{seen} attends" if one else f"{len(self.goals)} rows{seen} attend"
        said = (
            f"in a layer of {heads} over {len(self.tokens)} tokens, {rows} within total variation "
            f"{inputs.show(self.error)} of {'its goal' if one else 'their goals'}"
        )
        if self.outputs is None:
            return said
        yielding = "1 of them yields" if len(self.wanted) == 1 else f"{len(self.wanted)} of them yield"
        return (
            f"{said}, and {'it yields' if one else yielding} the wanted output to within {inputs.show(self.tolerance)}"
        )

    def judge(self) -> Verdict:
        largest, furthest, bits = Fraction(0), Fraction(0), 0
        for row, goal in self.goals.items():
            measured = self._row(row, goal)
            if isinstance(measured, Verdict):
                return measured
            variation, off, used = measured
            largest, furthest, bits = max(largest, variation), max(furthest, off), max(bits, used)
        reached = f"total variation at most {balls.decimal_above(largest)}"
        if self.outputs is not None:
            reached += f", outputs within {balls.decimal_above(furthest)}"
        method = f"exact scores, exponentials in balls of up to {bits} bits; row by row"
        return self.proved(bound=balls.float_above(largest), bound_text=reached, method=method)

    def _row(self, row: int, goal: Goal) -> tuple[Fraction, Fraction, int] | Verdict:
        """(total variation, distance of the output, bits) of a row that meets its claim, or the verdict on one that does not."""
        scores = self._scores(row)
        for bits in _BITS:
            with balls.precision(bits):
                weights = _weights(scores)
                above, below = total_variation(weights, goal)
                excess = self.error.denominator * above - self.error.numerator * below
                off = self._squared_distance(row, weights)
                far = off - balls.exact(self.tolerance) ** 2
                variation, distance = above / below, off.sqrt()
                if excess > 0:
                    return self._refuted(row, "total variation", balls.lower_end(variation, least=self.error))
                if far > 0:
                    return self._refuted(row, "output off by", balls.lower_end(distance, least=self.tolerance))
                if excess <= 0 and far <= 0:
                    most = balls.upper_end(variation, most=self.error)
                    return most, balls.upper_end(distance, most=self.tolerance), bits
        return self.undecided(f"row {row}: {OUT_OF_PRECISION}", ASK_FURTHER_AWAY)

    def _scores(self, row: int) -> list[tuple[list[int], int]]:
        """The exact scores of the row in every head: integers and their exponent."""
        seen = self.tokens[: row + 1] if self.causal else self.tokens
        scores = []
        for query_map, key_map in zip(self.Q, self.K, strict=True):
            numerators, exponent = balls.exact_product(seen, key_map.T, query_map, self.tokens[row])
            scores.append((numerators.tolist(), exponent))
        return scores

    def _squared_distance(self, row: int, weights: balls.Table) -> balls.Ball:
        """‖Σ_j α_j V x_j - y‖², 0 for a row without a wanted output."""
        if row not in self.wanted:
            return balls.exact(0)
        assert self.outputs is not None
        values, exponent = balls.exact_product(self.tokens[: len(weights)], self.V.T)
        wanted = self.outputs[self.wanted.index(row)]
        unit, whole = balls.exact(2) ** exponent, weights.total()
        distances = []
        budget.spend(values.size * 3 * balls.unit_cost())
        for column, y in zip(values.T.tolist(), wanted.tolist(), strict=True):
            mean = balls.total([w * v for w, v in zip(weights, column, strict=True)]) * unit
            distances.append((mean / whole - balls.exact(y)) ** 2)
        return balls.total(distances)

    def _refuted(self, row: int, what: str, least: Fraction) -> Refuted:
        text = f"row {row}: {what} at least {balls.decimal_below(least)}"
        return self.refuted(bound_text=text, counterexample={"row": row}, method="exact scores, exponentials in balls")


def _weights(scores: list[tuple[list[int], int]]) -> balls.Table:
    """Numerators of the row's mixed weights, at the present precision."""
    rows = []
    for numerators, exponent in scores:
        top, unit = max(numerators), Fraction(2) ** exponent
        budget.spend(
            len(numerators) * (balls.function_cost() + 3 * budget.product(top.bit_length(), budget.bits(unit)))
        )
        known = {x: balls.exact((x - top) * unit).exp() for x in set(numerators)}
        rows.append(balls.BallTable([known[x] for x in numerators]))
    return mixed([Fraction(1, len(rows))] * len(rows), rows)
