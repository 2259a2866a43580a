"""The largest norm that a witness shows: what to claim. The claim itself proves it, so a mistake here costs a proof, no truth."""

from __future__ import annotations

from fractions import Fraction

from headwright import balls
from headwright.proofs import GapNorm, NoShorter

_BITS = 128


def best_norm(draft: NoShorter) -> Fraction:
    """The largest norm the witness proves, to float64 precision."""
    found = Fraction(0)
    for _, _, bound in draft.bounds():
        with balls.precision(balls.FLOAT_BITS):
            low, high = balls.lower(bound), balls.upper(bound)
        if low is not None and high is not None:
            found = max(found, Fraction(max(0.0, balls.float_below(low))))
            if high - low <= high / 2**34:
                break
    return found


def best_gap_norm(draft: GapNorm) -> Fraction | None:
    """The largest norm the witness proves, to float64 precision. None where it proves every norm."""
    square = draft.distance_squared()
    if square == 0:
        return None
    with balls.precision(_BITS):
        found = balls.lower(balls.exact(draft.gap / draft.scale) / balls.exact(square).sqrt())
    return Fraction(balls.float_below(found or Fraction(0)))
