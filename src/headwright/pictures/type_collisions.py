"""Picture: how many positions share their stored code with an earlier one, per number type, as the sequence grows.

Exact sinusoidal codes never repeat, because π is irrational. Stored codes are rounded, and two positions with near codes may then
have the same: from the first coinciding pair on, no layer can tell those positions apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headwright.number_types import PRECISIONS
from headwright.pictures import palette
from headwright.pictures.line_chart import Axis, Line, line_chart, star
from headwright.position import Positions, coincidence
from headwright.position.claimed_rows import row_set
from headwright.proofs import TableRows

_MOST_POINTS = 300  # of one curve


def collisions_by_type(positions: Positions, *, dtypes: Sequence[str] = PRECISIONS) -> palette.Figure:
    """The share of the first L positions whose stored code an earlier one has, against L, one curve for each of `dtypes`.

    A stored code is the float64 row with every number rounded to the nearest of the type. A star marks the first coinciding pair.
    """
    if not isinstance(positions, Positions):
        raise TypeError(f"`positions` must be Positions, got {type(positions).__name__}")
    if positions.kind == "alibi":
        raise ValueError(
            "`positions` must be sinusoidal, rotary or learned, got alibi. Write `hw.position.learned(np.asarray(rows))` to draw "
            "them as a table of float64 numbers"
        )
    if positions.length < 2:
        raise ValueError(f"`positions` must have at least 2 rows, got {positions.length}")
    unknown = [name for name in dtypes if name not in PRECISIONS]
    if unknown or not dtypes or len(set(dtypes)) < len(dtypes):
        got = ", ".join(map(str, unknown or dtypes)) or "none"
        raise ValueError(f"`dtypes` must be among {', '.join(PRECISIONS)}, each once, got {got}")
    first = {name: coincidence(positions, dtype=name) for name in dtypes}
    # Before the first coincidence all curves are 0: they start a little before it.
    start = max(1, min((pair[1] // 4 for pair in first.values() if pair is not None), default=1))
    drawn = [_type(positions, name, first[name], start, place) for place, name in enumerate(dtypes)]
    words = " ".join(each for _, each in drawn)
    return line_chart(
        [line for lines, _ in drawn for line in lines],
        x=Axis("number L of positions", (start, positions.length), log=True, form=",.0f"),
        y=Axis("positions that repeat a code", (0, 1), form=".0%"),
        title=f"How many positions lose their own code? {positions.kind.capitalize()}, d = {positions.dim}",
        note="The share of the first L positions whose stored code an earlier position already has.",
        text=f"Coinciding {positions.kind} codes among {positions.length} positions, d = {positions.dim}. {words}",
    )


def _type(
    positions: Positions, name: str, first: tuple[int, int] | None, start: int, place: int
) -> tuple[list[Line], str]:
    """The share of repeats as a curve, a star at the first coinciding pair, and both in words."""
    look, lengths = palette.LOOKS[place], np.unique(np.geomspace(start, positions.length, _MOST_POINTS).astype(int))
    if first is None:
        return [Line(name, lengths, 0 * lengths, look, (name, "no two alike"))], f"{name}: none."
    i, j = first
    repeats = _repeats(positions, name)
    # First pairs are often neighbours: a larger star shows from under a smaller one.
    lines = [
        Line(name, lengths, repeats[lengths - 1] / lengths, look, (name, f"★ first {i:,} and {j:,}")),
        star(f"first of {name}", (j + 1, repeats[j] / (j + 1)), look, size=22 - 5 * place),
    ]
    return lines, f"{name}: first {i} and {j}, {int(repeats[-1])} repeats in all."


def _repeats(positions: Positions, name: str) -> np.ndarray:
    """For each position, how many up to it have a stored code that an earlier one has."""
    rows = row_set(positions, name)
    assert isinstance(rows, TableRows), "rows of a narrow type are a table"
    seen: set[bytes] = set()
    repeated = np.zeros(positions.length, dtype=bool)
    for t, row in enumerate(np.ascontiguousarray(rows.stored)):
        code = row.tobytes()
        repeated[t] = code in seen
        seen.add(code)
    return np.cumsum(repeated)
