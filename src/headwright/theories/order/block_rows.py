"""A block's formulas over exact numbers, row by row: the same lines make polynomials of the input and balls around its values.

    s_r = x_r + p_r,   u_r = s_r or LayerNorm(s_r),   scores τ (Q_h u_r + b_Q)·(K_h u_j + b_K)
    y_r = s_r + b_O + Σ_h (O_h Σ_j E_rj (V_h u_j + b_V)) / Σ_j E_rj,   E_rj = e^score, j over the rows that r sees

`number` converts one stored float to the arithmetic in use. Its values need only support sums, differences and products. Roots,
exponentials and the feed-forward need balls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from headwright.kernel import balls
from headwright.theories.order.block_parts import BlockParts
from headwright.theories.random_keys.normal import mass_beyond

Number = Any  # a polynomial or a ball
Row = Sequence[Number]


@final
@dataclass(frozen=True, eq=False)
class BlockRows:
    """`block`, whose arrays are float64, with every one of its numbers made by `number`."""

    block: BlockParts
    number: Callable[[float], Number]
    own: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        made = {name: _each(array.tolist(), self.number) for name, array in self.block.arrays().items()}
        object.__setattr__(self, "own", made)

    def placed(self, x: Sequence[Row]) -> list[Row]:
        """s: the rows with their positions."""
        table = self.own.get("positions")
        return list(x) if table is None else [_added(row, place) for row, place in zip(x, table, strict=True)]

    def seen(self, r: int, n: int) -> range:
        """The rows that row r attends to."""
        return range(r + 1) if self.block.causal else range(n)

    def projected(self, head: int, name: str, rows: Sequence[Row]) -> list[Row]:
        """What one head makes of the rows: its queries, keys or values."""
        bias = self.own.get(f"{name}_bias")
        return [self._affine(self.own[name][head], row, None if bias is None else bias[head]) for row in rows]

    def scores(self, head: int, u: Sequence[Row]) -> list[Row]:
        """τ q_r·k_j for all r and j, masked or not."""
        queries, keys = (self.projected(head, name, u) for name in ("query", "key"))
        scale = self.number(float(self.block.scale))
        return [[scale * self._dot(query, key) for key in keys] for query in queries]

    def gathered(self, head: int, powers: Row, values: Sequence[Row]) -> tuple[Row, Number]:
        """O_h Σ_j E_j v_j, and Σ_j E_j that divides it."""
        mixed = [self._dot(powers, column) for column in zip(*values, strict=True)]
        return self._affine(self.own["output"][head], mixed, None), sum(powers, self.number(0.0))

    def results(self, x: Sequence[Row]) -> list[Row]:
        """The block's output on rows of balls."""
        s = self.placed(x)
        u = [self.normed(row, 0) for row in s] if self.block.norm_first else s
        y = [self.added(*rows, 0) for rows in zip(s, self.attended(u), strict=True)]
        if self.block.inner is None:
            return y
        return [self.added(row, self.forward(self.normed(row, 1) if self.block.norm_first else row), 1) for row in y]

    def attended(self, u: Sequence[Row]) -> list[Row]:
        """What all heads and the output's bias give each row, in balls."""
        nothing = [self.number(0.0)] * len(u[0])
        outputs: list[Row] = [self.own.get("output_bias", nothing)] * len(u)
        for head in range(len(self.own["query"])):
            scores, values = self.scores(head, u), self.projected(head, "value", u)
            for r, row in enumerate(scores):
                seen = self.seen(r, len(u))
                top = max(row[j] for j in seen)  # any score would do; a large one keeps the exponentials finite
                parts, whole = self.gathered(head, [(row[j] - top).exp() for j in seen], [values[j] for j in seen])
                outputs[r] = _added(outputs[r], [part / whole for part in parts])
        return outputs

    def added(self, before: Row, change: Row, step: int) -> Row:
        y = _added(before, change) if self.block.residual else change
        return y if self.block.norm_first else self.normed(y, step)

    def normed(self, row: Row, step: int) -> Row:
        """LayerNorm number `step`, where there are norms."""
        if self.block.norm_scale is None:
            return row
        mean = balls.total(list(row)) / len(row)
        centred = [entry - mean for entry in row]
        spread = (self._dot(centred, centred) / len(row) + self.number(float(self.block.norm_eps))).sqrt()
        scale, shift = (self.own[name][step] for name in ("norm_scale", "norm_shift"))
        return [entry / spread * a + b for entry, a, b in zip(centred, scale, shift, strict=True)]

    def forward(self, row: Row) -> Row:
        hidden = self._affine(self.own["inner"], row, self.own.get("inner_bias"))
        relu = self.block.activation == "relu"
        active = [h.max(0) if relu else h * mass_beyond(-h) for h in hidden]
        return self._affine(self.own["outer"], active, self.own.get("outer_bias"))

    def _affine(self, matrix: Sequence[Row], row: Row, bias: Row | None) -> Row:
        image = [self._dot(weights, row) for weights in matrix]
        return image if bias is None else _added(image, bias)

    def _dot(self, one: Row, other: Row) -> Number:
        return sum((a * b for a, b in zip(one, other, strict=True)), self.number(0.0))


def _added(one: Row, other: Row) -> Row:
    return [a + b for a, b in zip(one, other, strict=True)]


def _each(values: Any, number: Callable[[float], Number]) -> Any:
    """Nested lists of floats as nested lists of numbers."""
    return [_each(value, number) for value in values] if isinstance(values, list) else number(values)
