"""Picture: bits per number against the error of attention, for every kind in which keys were tried, proved and observed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from headwright.faces.pictures import palette
from headwright.faces.pictures.line_chart import Axis, Line, line_chart, star
from headwright.kernel.balls import decimal_above
from headwright.search.compress.compression_result import Compression

_ASKED = palette.Look(palette.INK, "", "-", "")
_LEAST = 1e-9  # an error that is drawn no lower: the axis is logarithmic, and an error may be 0
_ALONE = {"linestyle": "none"}


def bits_against_error(compression: Compression) -> palette.Figure:
    """What is proved of every kind and what was observed, with the error asked for, and a star at the kind found."""
    if not isinstance(compression, Compression):
        raise TypeError(f"`compression` must be a Compression, got {type(compression).__name__}")
    rows = [row for row in compression.tried if row.certified is not None]
    if not rows:
        raise ValueError("`compression` must have an error that is proved for at least one kind")
    bits = np.array([row.bits for row in rows])
    certified, observed = (
        np.maximum([getattr(row, name) for row in rows], _LEAST) for name in ("certified", "observed")
    )
    least = np.minimum.accumulate(certified)
    asked, limits = float(compression.error), (0.0, float(bits.max()) + 0.5)
    sure, seen = palette.LOOKS[0], palette.LOOKS[1]
    lines = [
        Line("asked", limits, (asked, asked), _ASKED, ("asked", f"at most {asked:g}"), style={"linewidth": 0.9}),
        Line("certified", bits, certified, sure, most_markers=len(rows), style=_ALONE),
        Line(
            "least certified",
            bits,
            least,
            sure,
            ("certified", "the least so far"),
            style={"drawstyle": "steps-post", "marker": ""},
        ),
        Line("observed", bits, observed, seen, ("observed", ""), most_markers=len(rows), style=_ALONE),
    ]
    found = [k for k, row in enumerate(rows) if row.kind == compression.kind]
    if found:
        lines.append(star("found", (float(bits[found[0]]), float(certified[found[0]])), sure))
    listed = "; ".join(
        f"{row.kind}: {row.bits:.3g} bits, at most {decimal_above(Fraction(row.certified or 0), 3)}" for row in rows
    )
    return line_chart(
        lines,
        x=Axis("bits per number, scales counted", limits),
        y=Axis("largest total variation", log=True),
        title="How few bits do the keys need?",
        note=f"For {compression.about}. Star: {compression.kind or 'no kind is proved to suffice'}.",
        text=f"Bits per number against the largest total variation for {compression.about}. {listed}.",
    )
