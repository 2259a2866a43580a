"""Powers of two in place: as near to mpmath's as their derivations say."""

import mpmath
import numpy as np
import pytest

from headwright.theories.stored_keys.powers import exp2, half_exp2_less_half

HALVES = np.arange(-20, 20) + 0.5


def farthest(found, exact):
    """The largest relative error, with 60 digits."""
    with mpmath.workdps(60):
        return max(float(abs(mpmath.mpf(a) / b - 1)) for a, b in zip(found.tolist(), exact, strict=True))


@pytest.mark.parametrize("reach", [1e-300, 1e-9, 0.5, 3.0, 50.0, 1000.0])
def test_powers_of_two(rng, reach):
    near = np.concatenate([np.nextafter(HALVES, -np.inf), HALVES, np.nextafter(HALVES, np.inf)])
    x = np.concatenate([reach * rng.uniform(-1, 1, 500), [0.0, -0.0, reach, -reach], near[np.abs(near) <= reach]])
    found = x.copy()
    exp2(found, np.empty_like(x), np.empty_like(x))
    with mpmath.workdps(60):
        exact = [mpmath.power(2, mpmath.mpf(a)) for a in x.tolist()]
    assert farthest(found, exact) < 2.0**-35


def test_whole_numbers_become_exact_powers():
    x = np.arange(-1000.0, 1001.0)
    found = x.copy()
    exp2(found, np.empty_like(x), np.empty_like(x))
    assert np.array_equal(found, np.ldexp(1.0, x.astype(int)))


@pytest.mark.parametrize("largest", [1e-300, 1e-14, 1e-7, 1e-3, 0.02, 0.1, 0.25, 0.5])
def test_powers_less_one(rng, largest):
    x = np.concatenate([largest * rng.uniform(-1, 1, 500), [largest, -largest]])
    found = x.copy()
    half_exp2_less_half(found, largest, np.empty_like(x), np.empty_like(x))
    with mpmath.workdps(400):
        exact = [mpmath.expm1(mpmath.mpf(a) * mpmath.log(2)) / 2 for a in x.tolist()]
    assert farthest(found, exact) < 2.0**-37


def test_zero_stays_zero():
    x = np.zeros(3)
    half_exp2_less_half(x, 0.0, np.empty(3), np.empty(3))
    assert not x.any()
