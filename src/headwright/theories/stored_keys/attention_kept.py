"""Claim: replacing keys, and values, moves the attention of every given query by at most an error.

For each query the move is the total variation between the weights over the keys and those over the stored keys. If values are
given, it is the Euclidean norm of the output's change. `moved_rows` bounds all of them in float64. Only the queries that it
leaves open are judged one by one, with exact scores. With e_j, f_j the exponentials before and after, A = Σ e_j and B = Σ f_j,

    TV = Σ |e_j B - f_j A| / (2AB),        o' - o = Σ (f_j A v'_j - e_j B v_j) / (AB),

and both sides of the comparison are multiplied by AB, so that ties are decided too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim, at_least, at_most
from headwright.kernel.verdict import Verdict
from headwright.kernel.within_error import checked_error
from headwright.theories.stored_keys.compared_rows import Moved, moved_rows

_FLOATS = "float64 scores and powers with proved radii"
_EXACTLY = "exact scores where these leave a query open"


@final
@dataclass(frozen=True, eq=False)
class AttentionKept(Claim):
    """With `stored` (g, n, d) for `keys` (g, n, d), the attention of all `queries` (h, m, d) moves by at most `error`.

    Query head i reads key set i // (h / g). With `causal`, query i of m sees the first n - m + i + 1 keys. With `values` (g,
    n, v) the claim is about outputs, and `stored_values` replace the values.

    >>> keys = np.eye(2)[None]
    >>> AttentionKept(keys, 0.9 * keys, keys, "0.05", 1).prove().status
    'proved'
    """

    keys: np.ndarray
    stored: np.ndarray
    queries: np.ndarray
    error: Fraction
    scale: Fraction
    causal: bool = False
    values: np.ndarray | None = None
    stored_values: np.ndarray | None = None
    kind: ClassVar[str] = "attention-kept"

    def __post_init__(self) -> None:
        self.settle(keys="gnd", stored="gnd", queries="hmd", values="gnv", stored_values="gnv")
        (sets, n, _), (heads, m, _) = self.keys.shape, self.queries.shape
        if heads % sets:
            raise ValueError(f"`queries` must have a multiple of {sets} heads, one group for each key set, got {heads}")
        if self.causal and m > n:
            raise ValueError(f"`causal` needs at least as many keys as queries, got {n} keys and {m} queries")
        if self.scale <= 0:
            raise ValueError(f"`scale` must be positive, got {inputs.show(self.scale)}")
        if self.values is None:
            checked_error(self.error)
            if self.stored_values is not None:
                raise ValueError("`stored_values` needs `values`, which they replace")
        elif self.error <= 0:
            raise ValueError(f"`error` must be positive, got {inputs.show(self.error)}")

    def sentence(self) -> str:
        (sets, n, d), (heads, m, _) = self.keys.shape, self.queries.shape
        what = "total variation of the weights" if self.values is None else "Euclidean norm of the output's change"
        over = f"{n} keys of {d} numbers" + (f" in each of {sets} sets" if sets > 1 else "")
        order = ", causal" if self.causal else ""
        at = "" if self.scale == 1 else f", at scale {inputs.show(self.scale)}"
        return (
            f"storing {over} moves each of {heads * m} queries by at most {inputs.show(self.error)} ({what}{order}{at})"
        )

    def scope(self) -> str:
        (sets, n, d), (heads, m, _) = self.keys.shape, self.queries.shape
        return f"these queries ({heads} × {m} × {d}) and keys ({sets} × {n} × {d})"

    @property
    def what(self) -> str:
        """The figure that the error bounds."""
        return "total variation" if self.values is None else "change of an output"

    def judge(self) -> Verdict:
        worst, failing, open_rows = Fraction(0), None, []
        line = balls.float_below(self.error)  # a float is at most the error if and only if it is at most this
        for head in range(len(self.queries)):
            low, high = self.bounds(head)
            within = high <= line
            worst = max(worst, Fraction(float(high[within].max(initial=0))))
            open_rows += [(float(low[i]), head, int(i)) for i in np.flatnonzero(~within)]
        for _, head, row in sorted(open_rows, reverse=True):
            judged = self._judge_row(head, row)
            if judged is None:
                failing = head, row
            elif judged[0]:
                worst = max(worst, judged[1])
            else:
                point = {"head": head, "row": row, "query": self.queries[head, row]}
                return self.refuted(**at_least(self.what, judged[1]), counterexample=point, method="exact scores")
        if failing is not None:
            return self.undecided(f"{OUT_OF_PRECISION} at head {failing[0]}, query {failing[1]}", ASK_FURTHER_AWAY)
        how = f"{_FLOATS}; {_EXACTLY}" if open_rows else _FLOATS
        return self.proved(**at_most(self.what, worst), method=how)

    def bounds(self, head: int) -> tuple[np.ndarray, np.ndarray]:
        """What float64 proves of every query of a head: a lower and an upper bound of its move."""
        moved = self.moved(head)
        if moved.output_low is None or moved.output_high is None:
            return moved.low, moved.high
        return moved.output_low, moved.output_high

    def moved(self, head: int) -> Moved:
        """Everything that float64 proves of the queries of a head."""
        own = self._set_of(head)
        values, others = (None if part is None else part[own] for part in (self.values, self.stored_values))
        return moved_rows(
            self.keys[own],
            self.stored[own],
            self.queries[head],
            self.scale,
            causal=self.causal,
            values=values,
            stored_values=others,
        )

    def enclosures(self, head: int, row: int) -> Iterator[tuple[balls.Ball, balls.Ball, int]]:
        """(a, b, bits) with the move of one query a / b, for outputs its square, ever more tightly; use them at these bits."""
        own, (n, m) = self._set_of(head), (self.keys.shape[1], self.queries.shape[1])
        seen = n - m + row + 1 if self.causal else n
        query = self.queries[head, row][None]
        before, after = (balls.climb(part[own, :seen], query, self.scale) for part in (self.keys, self.stored))
        for first, second in zip(before, after, strict=False):
            bits = max(first.bits, second.bits)
            with balls.precision(bits):
                move, whole = self._move(first.exponentials[0], second.exponentials[0], own, seen)
            yield move, whole, bits

    def _set_of(self, head: int) -> int:
        return head // (len(self.queries) // len(self.keys))

    def _judge_row(self, head: int, row: int) -> tuple[bool, Fraction] | None:
        """(whether the move is at most the error, an upper or a lower bound of it); None if no precision decides."""
        error = self.error if self.values is None else self.error**2
        for move, whole, bits in self.enclosures(head, row):
            with balls.precision(bits):
                excess = error.denominator * move - error.numerator * whole
                figure = move / whole if self.values is None else (move / whole).sqrt()
                if excess <= 0:
                    return True, balls.upper_end(figure, most=self.error)
                if excess > 0:
                    return False, balls.lower_end(figure, least=self.error)
        return None

    def _move(self, e: balls.Table, f: balls.Table, own: int, seen: int) -> tuple[balls.Ball, balls.Ball]:
        """Balls (a, b) with move a / b or, for outputs, squared move a / b."""
        a, b = e.total(), f.total()
        if self.values is None:
            budget.spend(4 * seen * balls.unit_cost())
            return balls.total([abs(x * b - y * a) for x, y in zip(e, f, strict=True)]), 2 * a * b
        old = self.values[own, :seen]
        new = old if self.stored_values is None else self.stored_values[own, :seen]
        budget.spend(6 * old.size * balls.unit_cost())
        change = balls.exact(0)
        before, after = [x * b for x in e], [y * a for y in f]
        for v, w in zip(old.T.tolist(), new.T.tolist(), strict=True):
            part = balls.total(
                [y * balls.exact(q) - x * balls.exact(p) for x, y, p, q in zip(before, after, v, w, strict=True)]
            )
            change = change + part**2
        return change, (a * b) ** 2
