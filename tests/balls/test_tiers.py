"""Every tier's exponentials hold the true ones, and exact ties are exactly one."""

from fractions import Fraction
from itertools import islice

import mpmath
import numpy as np
import pytest

from headwright.kernel import balls
from headwright.kernel.balls import tiers


def true_exponentials(keys, query, scale, shift):
    """e^{scale·k·q - scale·shift} with 400 digits, `shift` a rational."""
    found = []
    with mpmath.workdps(400):
        for key in keys.tolist():
            s = scale * (sum(Fraction(a) * Fraction(b) for a, b in zip(key, query.tolist(), strict=True)) - shift)
            found.append(mpmath.exp(mpmath.mpf(s.numerator) / s.denominator))
    return found


def encloses(ball, value):
    """Compared in rationals; mpmath's value is right to far more digits than the ball's width."""
    sign, mantissa, exponent, _ = value._mpf_
    true = Fraction(-1 if sign else 1) * mantissa * Fraction(2) ** exponent
    hair = abs(true) * Fraction(1, 10**390)
    with balls.precision(3000):  # the ends themselves, not rounded outward to fewer bits
        low, high = balls.lower(ball), balls.upper(ball)
    return low <= true + hair and true - hair <= high


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(1, 3), Fraction(0.1), Fraction(7)])
@pytest.mark.parametrize("spread", [0.01, 1.0, 30.0])
def test_tiers_enclose_the_truth(rng, scale, spread):
    keys, queries = spread * rng.normal(size=(9, 4)), rng.normal(size=(2, 4))
    climbed = list(islice(balls.climb(keys, queries, scale), 4))
    assert [tier.bits for tier in climbed] == [64, 128, 256, 512]
    for tier in climbed:
        for query, row in zip(queries, tier.exponentials, strict=True):
            exact = [
                sum(Fraction(a) * Fraction(b) for a, b in zip(k, query.tolist(), strict=True)) for k in keys.tolist()
            ]
            shift = Fraction(float((keys @ query).max())) if tier.bits == 64 else max(exact)
            true = true_exponentials(keys, query, scale, shift)
            assert all(encloses(ball, value) for ball, value in zip(row, true, strict=True))


def test_higher_tiers_are_tighter(rng):
    keys, queries = rng.normal(size=(9, 4)), rng.normal(size=(1, 4))
    widths = [
        max(float(e.rad()) for e in tier.exponentials[0]) for tier in islice(balls.climb(keys, queries, Fraction(1)), 4)
    ]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[0] * 1e-30


def test_ties_are_exactly_one():
    keys = np.array([[1.0, 0.1], [1.0, 0.1], [0.0, 0.0]])
    tier = list(islice(balls.climb(keys, np.array([[0.3, 0.7]]), Fraction(1, 3)), 2))[1]
    first, second, third = tier.exponentials[0]
    assert first == 1
    assert second == 1
    assert third < 1


def test_float_tier_is_left_out_where_it_overflows():
    tier = next(balls.climb(np.array([[1e200], [0.0]]), np.array([[1e200]]), Fraction(1)))
    assert tier.bits == 128
    assert tier.exponentials[0][0] == 1


def test_the_climb_ends_by_work(monkeypatch):
    keys, queries = np.zeros((2, 1)), np.zeros((1, 1))
    assert [tier.bits for tier in balls.climb(keys, queries, Fraction(1))][-1] == 16384
    monkeypatch.setattr(tiers, "_WORK", 1)
    assert [tier.bits for tier in balls.climb(keys, queries, Fraction(1))][-1] == 4096


def test_a_scale_beyond_float64_goes_straight_to_exact_scores(rng):
    keys, queries = rng.normal(size=(3, 2)), rng.normal(size=(1, 2))
    for scale in (Fraction(1, 10**300), Fraction(10) ** 300):
        assert next(balls.climb(keys, queries, scale)).bits == 128


def test_rounding_far_below_the_largest_score_is_counted(rng):
    """Small scores are known almost exactly; their distance from a large one, times the scale, is rounded three times."""
    keys, scale = np.append(1536.0, rng.random(1500))[:, None], Fraction(1, 3)
    first = next(balls.climb(keys, np.ones((1, 1)), scale))
    true = true_exponentials(keys, np.ones(1), scale, Fraction(1536))
    assert all(encloses(ball, value) for ball, value in zip(first.exponentials[0], true, strict=True))


def peaked(rng, n=96, scale=Fraction(1, 3)):
    """Keys of which few matter, and the tiers over them."""
    keys, queries = 20 * rng.normal(size=(n, 3)), rng.normal(size=(2, 3))
    return keys, queries, scale, list(islice(balls.climb(keys, queries, scale), 2))


def test_the_keys_that_matter_most_are_exact(rng, monkeypatch):
    """The second tier encloses the truth, relative to the same score as the first, and is far tighter as a whole."""
    monkeypatch.setattr(tiers, "_MANY", 32)
    keys, queries, scale, climbed = peaked(rng)
    assert [tier.bits for tier in climbed] == [64, 128]
    assert climbed[0].method in climbed[1].method
    for query, first, second in zip(queries, *(tier.exponentials for tier in climbed), strict=True):
        true = true_exponentials(keys, query, scale, Fraction(float((keys @ query).max())))
        assert all(encloses(ball, value) for ball, value in zip(second, true, strict=True))
        assert sum(float(ball.rad()) < 1e-30 for ball in second) >= 2
        with balls.precision(128):
            wide, narrow, rest = (
                first.total(),
                second.total(),
                second.total(without=(0, 7, int(np.argmax(keys @ query)))),
            )
        with mpmath.workdps(400):
            assert encloses(narrow, mpmath.fsum(true))
            left = [value for j, value in enumerate(true) if j not in (0, 7, int(np.argmax(keys @ query)))]
            assert encloses(rest, mpmath.fsum(left))
        assert float(narrow.rad()) < float(wide.rad()) / 10


def test_keys_that_matter_alike_go_straight_to_exact_scores(rng, monkeypatch):
    monkeypatch.setattr(tiers, "_MANY", 32)
    keys = 1e-3 * rng.normal(size=(40, 3))
    climbed = list(islice(balls.climb(keys, np.ones((1, 3)), Fraction(1)), 2))
    assert "balls of 128 bits" in climbed[1].method


def test_few_keys_go_straight_to_exact_scores(rng):
    assert "balls of 128 bits" in peaked(rng)[3][1].method


def test_claims_beyond_float64_are_decided_by_the_keys_that_matter(rng):
    import headwright as hw
    from headwright.kernel.heads import Heads
    from headwright.kernel.within_error import WithinError

    heads = Heads(4 * rng.normal(size=(2000, 2)), [[1.0, 0.5]], [1.0], 1)
    winner = int(np.argmax(heads.keys @ heads.queries[0]))
    *_, exact = islice(heads.climb(), 3)
    with balls.precision(128):
        numerators = heads.numerators(exact)
        leak = numerators.total(without=(winner,)) / numerators.total()
        error = balls.upper(leak)
    for factor, status in ((1 + Fraction(1, 10**14), "proved"), (1 - Fraction(1, 10**14), "refuted")):
        verdict = WithinError(heads, hw.Copy(winner), error * factor).prove()
        assert (verdict.status, "matter most" in verdict.method) == (status, True)
