"""Comparison: how far each query's attention moved, with proved bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, final

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.frozen import Frozen, lending, sealed
from headwright.kernel.shown import Shown, drawing
from headwright.kernel.verdict import Verdict
from headwright.theories.stored_keys.attention_kept import AttentionKept
from headwright.theories.stored_keys.compared_rows import Moved
from headwright.words.bounded import Bounded
from headwright.words.pickling import Whole

_QUANTILES = (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100), Fraction(1))
_FIGURES = ("variation_low", "variation", "winner_kept", "winner_changed", "output_change_low", "output_change")
_HOW = "float64 with proved radii"


class Worst(NamedTuple):
    """The largest move of all queries, and the index of the query with the largest upper bound.

    >>> import numpy as np, headwright as hw
    >>> worst = hw.compare(np.eye(2), 0.5 * np.eye(2), [[1.0, 0.0], [9.0, 0.0]]).worst
    >>> worst.where, round(worst.value, 4)
    ((0,), 0.1086)
    """

    value: Bounded
    where: tuple[int, ...]


@final
@lending(*_FIGURES, "values", "stored_values")
@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Whole, Frozen, Shown):
    """How far each query's attention moves: every array has one entry per query, and every bound is proved.

    `variation` and `variation_low` bound the total variation between the weights before and after, `output_change` and
    `output_change_low` the Euclidean norm of the output's change (None without values). `winner_kept` is True where the same
    key or keys are proved to have the largest score before and after, `winner_changed` where no key is proved to have it both
    times. Where both are False, float64 cannot separate the largest scores.

    >>> import numpy as np, headwright as hw
    >>> c = hw.compare(np.eye(2), np.array([[1.0, 0.0], [0.0, 1.5]]), [[0.0, 2.0]])
    >>> c.variation.round(6).tolist(), c.winner_kept.tolist(), c.within("0.1")
    ([0.071777], [True], 1 (exact))
    """

    variation: np.ndarray
    variation_low: np.ndarray
    winner_kept: np.ndarray
    winner_changed: np.ndarray
    output_change: np.ndarray | None
    output_change_low: np.ndarray | None
    weights_claim: AttentionKept
    values: np.ndarray | None
    stored_values: np.ndarray | None

    @classmethod
    def of(
        cls,
        claim: AttentionKept,
        values: np.ndarray | None,
        stored_values: np.ndarray | None,
        shape: tuple[int, ...],
    ) -> Comparison:
        """Compare head by head, with one result array of this shape. Where float64 proves nothing, exact scores are used."""
        whole = claim if values is None else replace(claim, values=values, stored_values=stored_values)
        parts: list[Moved] = []
        for head in range(len(claim.queries)):
            moved = whole.moved(head)
            for row in np.flatnonzero((moved.low == 0) & (moved.high == 1)):
                moved.low[row], moved.high[row] = _exactly(claim, head, int(row))
            if moved.output_low is not None and moved.output_high is not None:
                for row in np.flatnonzero(np.isinf(moved.output_high)):
                    moved.output_low[row], moved.output_high[row] = _exactly(whole, head, int(row))
            parts.append(moved)

        def whole_array(name: str) -> Any:
            arrays = [getattr(part, name) for part in parts]
            return None if arrays[0] is None else sealed(np.concatenate(arrays).reshape(shape))

        names = ("high", "low", "kept", "changed", "output_high", "output_low")
        high, low, kept, changed, output_high, output_low = map(whole_array, names)
        return cls(high, low, kept, changed, output_high, output_low, claim, whole.values, whole.stored_values)

    @property
    def worst(self) -> Worst:
        """The largest total variation, and where its upper bound is largest."""
        return _worst(self.variation_low, self.variation)

    @property
    def worst_output(self) -> Worst | None:
        """The largest change of an output, and where; None without values."""
        if self.output_change is None or self.output_change_low is None:
            return None
        return _worst(self.output_change_low, self.output_change)

    def quantile(self, p: Any) -> Bounded:
        """The least number that the total variation of a share `p` of the queries does not exceed, 0 < p <= 1."""
        share = inputs.rational(p, name="p")
        if not 0 < share <= 1:
            raise ValueError(f"`p` must lie in (0, 1], got {inputs.show(share)}")
        rank = math.ceil(share * self.variation.size) - 1
        low, high = (float(np.partition(part, rank, axis=None)[rank]) for part in (self.variation_low, self.variation))
        return Bounded.proven(Fraction(low), Fraction(high), how=_HOW)

    def within(self, error: Any) -> Bounded:
        """The share of queries whose total variation is at most `error`; its `low` counts those proved within."""
        bound = inputs.rational(error, name="error")
        least = np.count_nonzero(self.variation <= balls.float_below(bound))
        most = np.count_nonzero(self.variation_low <= balls.float_below(bound))
        count = self.variation.size
        return Bounded.proven(Fraction(int(least), count), Fraction(int(most), count), how=_HOW)

    def claim(self, error: Any, *, of: str = "weights") -> Verdict:
        """The verdict on "every query moves by at most `error`", of the weights or of the "output", which `save` can write.

        >>> import numpy as np, headwright as hw
        >>> c = hw.compare(np.eye(2), 0.5 * np.eye(2), [[1.0, 0.0], [0.0, 1.0]])
        >>> c.claim("0.2").status, c.claim("0.1").status
        ('proved', 'refuted')
        """
        if of not in ("weights", "output"):
            raise ValueError(f"`of` must be 'weights' or 'output', got {of!r}")
        if of == "output" and self.values is None:
            raise ValueError("`of` may be 'output' only if `values` were given to `compare`")
        bound = inputs.rational(error, name="error")
        own = (None, None) if of == "weights" else (self.values, self.stored_values)
        return replace(self.weights_claim, error=bound, values=own[0], stored_values=own[1]).prove()

    def table(self) -> dict[str, list[Any]]:
        """One row per query, for pandas or polars: its index and every array of this comparison."""
        places = [list(map(int, place)) for place in np.ndindex(self.variation.shape)]
        columns: dict[str, list[Any]] = {"query": places}
        return columns | {name: part.ravel().tolist() for name, part in self._arrays().items()}

    def plot(self) -> Any:
        """A matplotlib figure of the total variation that each share of the queries does not exceed; needs the extra `plots`."""
        return drawing["comparison"](self)

    def to_dict(self) -> dict[str, Any]:
        """A summary as plain values for JSON."""
        worst = self.worst
        said: dict[str, Any] = {
            "queries": int(self.variation.size),
            "shape": list(self.variation.shape),
            "worst": worst.value.to_dict() | {"where": list(worst.where)},
            "quantiles": {str(float(p)): self.quantile(p).to_dict() for p in _QUANTILES},
            "winner_kept": int(self.winner_kept.sum()),
            "winner_changed": int(self.winner_changed.sum()),
        }
        if (change := self.worst_output) is not None:
            said["worst_output"] = change.value.to_dict() | {"where": list(change.where)}
        return said

    def _arrays(self) -> dict[str, np.ndarray]:
        return {name: part for name in _FIGURES if (part := getattr(self, name)) is not None}

    def __repr__(self) -> str:
        (sets, n, d), worst = self.weights_claim.keys.shape, self.worst
        count = self.variation.size
        lines = [
            f"Comparison of {count} {'query' if count == 1 else 'queries'} over {sets} × {n} keys of {d} numbers",
            f"worst total variation {worst.value!r} at query {list(worst.where)}",
            "quantiles " + ", ".join(f"{100 * float(p):g} %: {self.quantile(p):.4g}" for p in _QUANTILES),
            f"winner kept for {int(self.winner_kept.sum())}, changed for {int(self.winner_changed.sum())}",
        ]
        if (change := self.worst_output) is not None:
            lines.append(f"worst change of an output {change.value!r} at query {list(change.where)}")
        return "\n  ".join(lines)


def _worst(low: np.ndarray, high: np.ndarray) -> Worst:
    where = np.unravel_index(int(high.argmax()), high.shape)
    value = Bounded.proven(Fraction(float(low.max())), Fraction(float(high.max())), how=_HOW)
    return Worst(value, tuple(int(k) for k in where))


def _exactly(claim: AttentionKept, head: int, row: int) -> tuple[float, float]:
    """Bounds of one query's move from exact scores, once they are nearly as close together as floats are."""
    low, high = 0.0, math.inf
    for move, whole, bits in claim.enclosures(head, row):
        with balls.precision(bits):
            figure = move / whole if claim.values is None else (move / whole).sqrt()
            ends = balls.lower(figure), balls.upper(figure)
        if ends[0] is not None and ends[1] is not None:
            low, high = max(balls.float_below(ends[0]), 0.0), balls.float_above(ends[1])
            if high - low <= 2.0**-40 * high:
                break
    return low, high if claim.values is not None else min(high, 1.0)
