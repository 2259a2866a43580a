"""The law of the outsiders' sums: never beyond the true law on either side, and close to it."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from headwright.kernel import balls
from headwright.theories.random_keys import outsider_sums
from headwright.theories.random_keys.outsider_sums import CELLS, NoisyKey, _Own, sums_law
from headwright.theories.random_keys.target_boxes import _growth, _noisy_key

DRAWS = 400_000


def exactly(*numbers):
    return tuple((number, number) for number in numbers)


def growth(*slopes):
    with balls.precision(128):
        return _growth(tuple(map(Fraction, slopes)), Fraction(1))


def drawn(rng, still, keys):
    """Sums (heads, draws) of log-normal keys given as (means, slopes of the shared Gaussian, slope of the last head's own)."""
    total = np.repeat(np.array(still)[:, None], DRAWS, axis=1)
    for means, shared, own in keys:
        z, y = rng.standard_normal((2, DRAWS))
        moved = np.outer(shared, z)
        moved[-1] += own * y
        total += np.array(means)[:, None] * np.exp(moved)
    return total


def made(means, shared, own):
    heads = len(means)
    return NoisyKey(
        exactly(*means), growth(*shared) if any(shared) else None, growth(*[0] * (heads - 1), own) if own else None
    )


@pytest.mark.parametrize("slope", [0.02, 1.0, -2.5])
@pytest.mark.parametrize("still", [0.0, 0.3])
def test_one_log_normal_key_against_its_distribution_function(slope, still):
    law = sums_law([(still, still)], [_noisy_key([(0.7, 0.7)], [growth(slope)])])
    below, above = law.up.sum(axis=0).cumsum(), law.down.sum(axis=0)[::-1].cumsum()[::-1]
    with mpmath.workdps(30):
        for k, point in enumerate(law.last.tolist()):
            over = mpmath.mpf(point) - mpmath.mpf(still)
            p = mpmath.ncdf(mpmath.log(over / mpmath.mpf(0.7)) / abs(slope)) if over > 0 else mpmath.mpf(0)
            assert p - 0.012 <= below[k] <= p
            assert 1 - p - 0.012 <= above[k] <= 1 - p


KEYS = {
    "one Gaussian a key": [((0.5, 0.2), (0.8, -0.4), 0), ((0.3, 0.4), (-0.5, 0.9), 0), ((0.2, 0.2), (0.3, 0.2), 0)],
    "two Gaussians a key": [((0.5, 0.2), (0.8, -0.4), 0.7), ((0.3, 0.4), (0.5, 0.9), 0.5)],
    "one head only": [((0.5, 0.0), (0.8, 0.0), 0), ((0.0, 0.4), (0.0, 0.0), 0.9), ((0.3, 0.3), (0.4, 0.4), 0)],
}


@pytest.mark.parametrize("name", KEYS)
def test_two_heads_at_once_against_draws(rng, name):
    """Sets closed downward and upward, cut slantwise: six standard deviations of the draws, and no further off than 0.04."""
    still = (0.4, 0.1)
    law = sums_law(exactly(*still), [made(*key) for key in KEYS[name]])
    first, last = drawn(rng, still, KEYS[name])
    for slant in (0.2, 0.5, 0.8):
        level = slant * np.log(first) + (1 - slant) * np.log(last)
        of_grid = slant * np.log(law.first)[:, None] + (1 - slant) * np.log(law.last)
        for cut in np.quantile(level, [0.1, 0.4, 0.7, 0.95]):
            p = (level <= cut).mean()
            off = 6 * np.sqrt(p * (1 - p) / DRAWS)
            low, high = law.up[of_grid <= cut].sum(), 1 - law.down[of_grid > cut].sum()
            assert p - 0.04 <= low <= p + off
            assert p - off <= high <= p + 0.04


@pytest.mark.parametrize("upward", [True, False])
def test_each_step_moves_the_law_its_own_way(upward):
    """One Gaussian in both heads, cells wide against what rounding the sums costs: the ends of cells must be the outer ones."""
    law = sums_law(exactly(1.0, 1.0), [made((1.0, 1.0), (3.0, -3.0), 0)])
    mass = (law.up if upward else law.down).sum(axis=1)
    reached = mass.cumsum() if upward else mass[::-1].cumsum()[::-1]
    with mpmath.workdps(30):
        for point, value in zip(law.first.tolist()[2:-2], reached[2:-2], strict=True):
            p = mpmath.ncdf(mpmath.log(mpmath.mpf(point) - 1) / 3)
            assert value <= (p if upward else 1 - p)
            assert value >= (p if upward else 1 - p) - 0.02


@pytest.mark.parametrize("upward", [True, False])
@pytest.mark.parametrize("guess", [0, 300, CELLS])
def test_a_wrong_guess_is_noticed(upward, guess):
    points, grid = np.array([0.5, 1.0]), np.array([0.6, 1.4, 2.0, 5.0])
    own = _Own(growth(1.0), 0, points, grid, upward)
    own._nearest[:] = guess
    found = own.reached(0.5)
    for i, k in np.ndindex(found.shape):
        gap = grid[k] - points[i]
        p = float(mpmath.ncdf(mpmath.log(gap / 0.5))) if gap > 0 else 0.0
        assert found[i, k] <= (p if upward else 1 - p)


def test_values_that_cannot_be_reached_are_left_out():
    law = sums_law([(1.0, 1.0)], [_noisy_key([(1.0, np.inf)], [growth(0.5)])])
    assert law.up.sum() == 0
    assert sums_law([(0.0, np.inf)], []).up.tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("slope", [1e-9, 1e-15, 1e-200, 600.0])
def test_noise_too_small_or_too_large_to_follow(slope):
    law = sums_law(exactly(0.5, 0.25), [made((0.5, 0.25), (slope, slope), slope)])
    for mass, first, last in ((law.up, law.first > 1, law.last > 0.5), (law.down, law.first < 1, law.last < 0.5)):
        for sums, beyond in ((mass.sum(axis=1), first), (mass.sum(axis=0), last)):
            assert sums[~beyond].sum() <= 0.5 + 1e-6  # half of it is beyond the mean


def test_mass_is_left_out_never_made(rng):
    keys = [made((0.5,), (0,), float(sd)) for sd in rng.uniform(0.1, 1.5, 5)]
    law = sums_law(exactly(0.2), keys)
    for mass in (law.up, law.down):
        assert (mass >= 0).all()
        assert 1 - 1e-4 < mass.sum() < 1
    assert outsider_sums._TO_SPARE < 1
