"""The screen of shifts loses none that is near, and what it keeps is enclosed."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from headwright.theories.positions.near_shifts import CHUNK, all_near_shifts, near_shifts
from headwright.theories.positions.waves import Waves


def squares(waves):
    """Σ 2(1 - cos ω_i s) of every shift, to 40 digits."""
    with mpmath.workdps(40):
        base = mpmath.mpf(waves.base.numerator) / waves.base.denominator
        omega = [base ** (mpmath.mpf(-2 * i) / waves.dim) for i in range(waves.columns)]
        return [sum(2 * (1 - mpmath.cos(w * s)) for w in omega) for s in range(waves.length)]


@pytest.mark.parametrize(("dim", "base"), [(2, 10000), (6, 10000), (12, 3), (4, Fraction(1, 50)), (10, 10**15)])
def test_nothing_near_is_lost_and_nothing_far_is_kept(dim, base):
    waves = Waves(900, dim, Fraction(base))
    exact = squares(waves)
    for limit in sorted(float(x) for x in exact[1:])[:40:3]:
        for edge in (np.nextafter(limit, 0), limit, np.nextafter(limit, 9)):
            kept = list(all_near_shifts(waves, edge))
            assert kept == sorted(kept)
            assert set(kept) >= {s for s in range(1, 900) if exact[s] <= edge}
            assert all(exact[s] <= edge * (1 + 1e-12) for s in kept)


def test_kept_shifts_are_enclosed():
    waves = Waves(900, 6, Fraction(10000))
    exact, near = squares(waves), near_shifts(waves, np.inf, start=1, stop=900)
    assert near.shifts.tolist() == list(range(1, 900))
    for shift, low, high in zip(near.shifts.tolist(), near.low.tolist(), near.high.tolist(), strict=True):
        assert low <= exact[shift] <= high <= low * (1 + 1e-12)


def test_chunks_meet():
    """Limits at and beside the ends of chunks: every shift is looked at once."""
    waves = Waves(CHUNK + 9, 2, Fraction(10000))
    assert list(all_near_shifts(waves, 5.0)) == list(range(1, CHUNK + 9))
    assert list(all_near_shifts(Waves(1, 2, Fraction(10000)), 5.0)) == []


def test_no_shift_at_all():
    assert len(near_shifts(Waves(100, 4, Fraction(10000)), 0.0, start=1, stop=100).shifts) == 0
