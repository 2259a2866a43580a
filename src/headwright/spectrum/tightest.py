"""The narrowest claims that a computed decomposition shows. The claim itself proves them: a mistake here costs only a proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from headwright import balls
from headwright.proofs import NearLowRank, SingularValues


def tightest_intervals(
    matrix: np.ndarray, left: np.ndarray, values: np.ndarray, right: np.ndarray
) -> SingularValues | None:
    """The claim with the narrowest float64 intervals that this witness shows; None where it shows none, or they overflow."""
    nothing = np.zeros(len(values))
    draft = SingularValues(matrix, nothing, nothing, left, values, right)
    bounds = draft.bounds()
    if bounds is None:
        return None
    low = np.array([balls.float_below(bound) for bound in bounds[0]])
    high = np.array([balls.float_above(bound) for bound in bounds[1]])
    return replace(draft, low=low, high=high) if np.isfinite(high).all() else None


def tightest_error(draft: NearLowRank) -> NearLowRank | None:
    """The same with the least error and the greatest `best` this witness shows, as floats; None where it shows none."""
    bounds = draft.bounds()
    if bounds is None:
        return None
    error, best = balls.float_above(bounds[0]), balls.float_below(bounds[1])
    return replace(draft, error=Fraction(error), best=Fraction(best)) if np.isfinite(error) else None
