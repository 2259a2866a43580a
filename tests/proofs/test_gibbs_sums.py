"""Every tier's sums of a witness hold the true ones."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from headwright.kernel import balls
from headwright.kernel.gibbs_sums import gibbs_sums


def rational(value):
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction(-1 if sign else 1) * mantissa * Fraction(2) ** exponent


def true_sums(keys, support, witness):
    """λ, λH(p) and ‖v‖ with 400 digits, more than any tier has."""
    with mpmath.workdps(400):
        outside = [mpmath.mpf(u) for j, u in enumerate(witness.tolist()) if j not in support and u > 0]
        lam = mpmath.fsum(outside)
        entropy = lam * mpmath.log(lam) - mpmath.fsum(u * mpmath.log(u) for u in outside) if outside else lam
        origin = [Fraction(k) for k in keys[support[0]].tolist()]
        v = [Fraction(0)] * len(origin)
        for j, (u, key) in enumerate(zip(witness.tolist(), keys.tolist(), strict=True)):
            if j != support[0]:
                v = [x + Fraction(u) * (Fraction(k) - o) for x, k, o in zip(v, key, origin, strict=True)]
        squared = sum(x * x for x in v)
        length = mpmath.sqrt(mpmath.mpf(squared.numerator) / squared.denominator)
        return [rational(number) for number in (lam, entropy, length)]


def assert_enclosed(keys, support, witness, first=96):
    found = list(gibbs_sums(keys, support, witness))
    assert found[0].bits == first
    true = true_sums(keys, support, witness)
    widths = []
    for sums in found:
        with balls.precision(3000):
            ends = [(balls.lower(ball), balls.upper(ball)) for ball in (sums.weight, sums.entropy, sums.length)]
        for (low, high), number in zip(ends, true, strict=True):
            hair = abs(number) / 10**390
            assert low - hair <= number <= high + hair
        widths.append(ends[2][1] - ends[2][0])
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("support", [(2,), (4, 1), (0, 3, 7)])
@pytest.mark.parametrize("far", [0.0, 2.0**40])
@pytest.mark.parametrize("sparse", [False, True])
def test_all_tiers_enclose_the_truth(support, far, sparse, rng):
    keys, witness = rng.normal(size=(60, 5)) + far, rng.random(60)
    if sparse:
        witness[rng.random(60) < 0.8] = 0.0
    witness[list(support)] = rng.normal(size=len(support))
    assert_enclosed(keys, support, witness)


def test_weights_too_large_for_float64_are_summed_exactly(rng):
    assert_enclosed(rng.normal(size=(6, 2)), (0,), 1e300 * rng.random(6), first=128)
    assert_enclosed(1e300 * rng.normal(size=(6, 2)), (0,), 1e10 * rng.random(6), first=128)


def test_a_witness_on_the_support_alone(rng):
    witness = np.zeros(5)
    witness[[1, 3]] = 0.5, -0.25
    assert_enclosed(rng.normal(size=(5, 3)), (1, 3), witness)


def test_a_witness_of_nothing_has_no_sums(rng):
    witness = np.zeros(5)
    witness[1] = 1.0
    assert list(gibbs_sums(rng.normal(size=(5, 3)), (1,), witness)) == []
