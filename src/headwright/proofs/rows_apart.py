"""Claim: no two rows are nearer than δ (δ > 0), or all rows differ (δ = 0). It may also, or only, say that one pair is near.

For waves ‖Φ_t - Φ_{t+s}‖² = Σ 4 sin²(ω_i s/2), so one comparison for each shift s = 1 … L-1 covers all pairs. For a table all
pairs are examined. Pairs that float64 with its radius does not place beyond δ are decided one by one: in balls for waves, in
integers for a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self, final

import numpy as np

from headwright import inputs
from headwright.frozen import sealed
from headwright.proofs.claim import OUT_OF_PRECISION, Claim, at_least
from headwright.proofs.row_sets import RowSet, TableRows, TooLarge, WaveRows, rows_from_parts
from headwright.verdict import Refuted, Undecided, Verdict

_ALL_INTEGERS = "all integer positions, by the irrationality of π (ω_0 = 1)"


@final
@dataclass(frozen=True, eq=False)
class RowsApart(Claim):
    """No two of `rows` are nearer than `distance`, and the rows `pair` are at most `within` apart.

    Distance 0: no two rows are equal. Distance None: the claim is about the pair only. `everywhere`, for exact waves only: in
    addition, no two integer positions have equal rows. Their first two columns are sin t and cos t, since ω_0 = base^0 = 1, and
    both agree at t and t' only if t - t' is a multiple of 2π. π is irrational (Lambert), so 0 is the only such integer.

    >>> RowsApart(TableRows(np.eye(3)), Fraction(1)).prove().status
    'proved'
    """

    rows: RowSet
    distance: Fraction | None
    pair: tuple[int, int] | None = None
    within: Fraction | None = None
    everywhere: bool = False
    kind: ClassVar[str] = "rows-apart"

    def __post_init__(self) -> None:
        self.settle()
        object.__setattr__(self, "pair", sealed(self.pair))
        if self.distance is None and self.pair is None:
            raise ValueError("`distance` or `pair` must be given")
        if self.everywhere and (self.distance is None or not isinstance(self.rows, WaveRows)):
            raise ValueError("`everywhere` must go with a `distance` between rows of exact waves")
        if self.distance is not None and self.distance < 0:
            raise ValueError(f"`distance` must not be negative, got {inputs.show(self.distance)}")
        if (self.pair is None) != (self.within is None):
            raise ValueError("`pair` and `within` must be given together")
        if self.pair is not None and not 0 <= self.pair[0] < self.pair[1] < self.rows.length:
            raise ValueError(f"`pair` must be two rows i < j below {self.rows.length}, got {self.pair}")
        if self.within is not None and self.within < 0:
            raise ValueError(f"`within` must not be negative, got {inputs.show(self.within)}")

    def sentence(self) -> str:
        if self.distance is None:
            return f"{self._reached()}, of {self.rows.words()}"
        first = ""
        if self.everywhere:
            assert isinstance(self.rows, WaveRows), "checked when made"
            first = f"different integer positions have different rows in {self.rows.kind_in_words()}"
            if not self.distance:
                return f"{first}{self._also_reached()}"
            first += "; "
        far = f"are nearer than {inputs.show(self.distance, 6)}" if self.distance else "are equal"
        if self.rows.length == 1:
            return f"{first}there is only one row, so no two {far}: {self.rows.words()}"
        return f"{first}no two of {self.rows.words()} {far}{self._also_reached()}"

    def _also_reached(self) -> str:
        return "" if self.pair is None else f"; {self._reached()}"

    def _reached(self) -> str:
        assert self.pair is not None, "both or neither are given"
        assert self.within is not None, "both or neither are given"
        far = f"at most {inputs.show(self.within, 6)} apart" if self.within else "equal"
        return f"rows {self.pair[0]} and {self.pair[1]} are {far}"

    def judge(self) -> Verdict:
        try:
            apart = self._apart()
        except TooLarge as work:
            return self.undecided(f"the proof would have to examine {work}", "ask about fewer rows")
        if isinstance(apart, Verdict):
            return apart
        missed = self._pair_missed()
        if missed is not None:
            return missed
        return self.proved(
            **(at_least("every distance", self.distance) if self.distance else {}),
            method=self._method(apart),
            scope=self._scope(),
        )

    def _scope(self) -> str:
        if not self.everywhere:
            return "this instance"
        return _ALL_INTEGERS + (f"; the first {self.rows.length} also by balls" if self.distance else "")

    def _apart(self) -> Refuted | Undecided | int:
        """A verdict if the rows break the claim or leave it open; otherwise how many pairs were compared one by one."""
        compared = 0
        if self.distance is None or (self.everywhere and not self.distance):
            return compared
        for i, j, side in self.rows.sides(self.distance):
            compared += 1
            if side is None:
                return self.undecided(OUT_OF_PRECISION, "claim a slightly smaller distance")
            if side < 0 or side == self.distance == 0:
                return self._refuted(i, j, "are nearer" if self.distance else "are equal")
        return compared

    def _pair_missed(self) -> Refuted | Undecided | None:
        """A verdict if the pair is not certainly within its bound; None if it is."""
        if self.pair is None or self.within is None:
            return None
        side = self.rows.compare(*self.pair, self.within**2)
        if side is None:
            return self.undecided(OUT_OF_PRECISION, "claim a slightly larger bound for the pair")
        return self._refuted(*self.pair, "are further apart than claimed") if side > 0 else None

    def _refuted(self, i: int, j: int, fault: str) -> Refuted:
        return self.refuted(
            counterexample={"pair": (i, j)}, reason=f"rows {i} and {j} {fault}", method=self._one_pair()
        )

    def _method(self, looked_at: int) -> str:
        if self.distance is None:
            return self._one_pair()
        if self.everywhere and not self.distance:
            return "sin t and cos t are columns, and no multiple of 2π but 0 is an integer"
        if self.distance == 0 and isinstance(self.rows, TableRows):
            return "rows of equal hash compared number by number"
        waves = isinstance(self.rows, WaveRows)
        what, last = ("angles from balls, every shift", "balls") if waves else ("all pairs", "exact integers")
        return f"{what} by float64 with a proved radius, {looked_at} pair{'s'[: looked_at ^ 1]} by {last}"

    def _one_pair(self) -> str:
        return "only that pair, in " + ("balls" if isinstance(self.rows, WaveRows) else "exact rationals")

    def arrays(self) -> dict[str, np.ndarray]:
        return self.rows.arrays()

    def fields(self) -> dict[str, Any]:
        distance = {} if self.distance is None else {"distance": str(self.distance)}
        pair = {} if self.pair is None else {"pair": list(self.pair), "within": str(self.within)}
        everywhere = {"everywhere": True} if self.everywhere else {}
        return {"rows": self.rows.fields(), **distance, **pair, **everywhere}

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        pair = fields.get("pair")
        if pair is not None:
            i, j = (inputs.index(place, name="pair") for place in pair)
            pair = (i, j)
        within, distance = (
            inputs.rational(fields[name], name=name) if name in fields else None for name in ("within", "distance")
        )
        everywhere = fields.get("everywhere", False)
        if not isinstance(everywhere, bool):
            raise TypeError(f"`everywhere` must be true or false, got {type(everywhere).__name__}")
        return cls(rows_from_parts(stored, fields["rows"]), distance, pair, within, everywhere)
