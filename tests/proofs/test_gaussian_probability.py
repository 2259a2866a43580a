"""Probabilities over one Gaussian: closed forms, and the noise of the scores, which is taken apart exactly."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.kernel.heads import Heads
from headwright.search.random_keys.outcome import heads_of
from headwright.theories.random_keys.gaussian_probability import gaussian_enclosures
from headwright.theories.random_keys.score_noise import pair_noise, score_noise
from headwright.theories.random_keys.with_probability import probability_enclosures
from tests.facts import says
from tests.proofs.enclosing import TENTH, claim, enclosed, normal_cdf
from tests.second_opinion import judge

# One Gaussian: closed forms


@pytest.mark.parametrize("t", [3.0, 9.210340371976184, 40.0, 150.0])
@pytest.mark.parametrize("error", ["1/100", "1/10", "1/2"])
def test_copy_of_a_key_of_varying_length_is_a_normal_probability(t, error):
    """Head t·u_a: error <= e iff 1 + z/√2 >= ln((n-1)/odds(e))/t."""
    n, e = 10, Fraction(error)
    model = hw.GaussianKeys(np.eye(n), along={0: 0.5})
    found = enclosed(model, t * np.eye(n)[0], hw.Copy(0), e)
    with mpmath.workdps(40):
        ratio = mpmath.log((n - 1) * (1 - mpmath.mpf(e.numerator) / e.denominator) * e.denominator / e.numerator)
        p = normal_cdf(mpmath.sqrt(2) * (1 - ratio / t))
        assert mpmath.mpf(found.low.numerator) / found.low.denominator <= p
        assert p <= mpmath.mpf(found.high.numerator) / found.high.denominator
    assert found.high - found.low <= Fraction(1, 10**12)


@pytest.mark.parametrize("t", [2.0, 20.0])
def test_a_head_that_looks_away_from_the_varying_key(t):
    """q = -t u_0 + s u_1 copies key 1 iff e^{-tc} <= odds·e^s - (n-2): the score of key 0 falls as z rises."""
    n, s = 5, 6.0
    model = hw.GaussianKeys(np.eye(n), along={0: 0.5})
    found = enclosed(model, -t * np.eye(n)[0] + s * np.eye(n)[1], hw.Copy(1), TENTH)
    with mpmath.workdps(40):
        least = -mpmath.log(mpmath.exp(s) / 9 - (n - 2)) / t
        p = 1 - normal_cdf(mpmath.sqrt(2) * (least - 1))
        assert mpmath.mpf(found.low.numerator) / found.low.denominator <= p
        assert p <= mpmath.mpf(found.high.numerator) / found.high.denominator
    assert found.high - found.low <= Fraction(1, 10**12)


def test_two_heads_with_opposite_components_along_the_noise():
    """q± = s u_1 ± t u_0: the weight of key 1 falls with |c|, so the error is met on one interval of c."""
    n, s, t = 5, 4.0, 3.0
    model = hw.GaussianKeys(np.eye(n), along={0: 0.5})
    heads = np.array([s * np.eye(n)[1] + t * np.eye(n)[0], s * np.eye(n)[1] - t * np.eye(n)[0]])
    found = enclosed(model, heads, hw.Copy(1), Fraction(1, 4))
    with mpmath.workdps(40):
        weight = lambda c: sum(mpmath.exp(s) / (mpmath.exp(s) + mpmath.exp(x * t * c) + n - 2) for x in (1, -1)) / 2  # noqa: E731
        inside, beyond = mpmath.mpf(0), mpmath.mpf(10)
        for _ in range(140):
            middle = (inside + beyond) / 2
            inside, beyond = (middle, beyond) if weight(middle) >= 0.75 else (inside, middle)
        p = normal_cdf(mpmath.sqrt(2) * (inside - 1)) - normal_cdf(mpmath.sqrt(2) * (-inside - 1))
        assert 0.1 < p < 0.9
        assert mpmath.mpf(found.low.numerator) / found.low.denominator <= p
        assert p <= mpmath.mpf(found.high.numerator) / found.high.denominator
    assert found.high - found.low <= Fraction(1, 10**12)


def test_one_head_averaging_is_an_interval_of_the_gaussian():
    """q = t(u_a + u_b): both ends of {z : TV <= e} by bisection in 40 digits."""
    n, t, e = 7, 5.0, mpmath.mpf("0.25")
    model = hw.GaussianKeys(np.eye(n), along={0: 0.5})
    found = enclosed(model, t * (np.eye(n)[0] + np.eye(n)[1]), hw.Average(0, 1), Fraction(1, 4))

    def variation(z):
        a, b = mpmath.exp(t * (1 + z / mpmath.sqrt(2))), mpmath.exp(t)
        whole = a + b + n - 2
        return (abs(a / whole - 0.5) + abs(b / whole - 0.5) + (n - 2) / whole) / 2

    with mpmath.workdps(40):
        ends = []
        for good, bad in ((0, 4), (0, -4)):
            for _ in range(140):
                middle = (mpmath.mpf(good) + bad) / 2
                good, bad = (middle, bad) if variation(middle) <= e else (good, middle)
            ends.append(good)
        p = normal_cdf(ends[0]) - normal_cdf(ends[1])
        assert mpmath.mpf(found.low.numerator) / found.low.denominator <= p
        assert p <= mpmath.mpf(found.high.numerator) / found.high.denominator


def test_a_query_blind_to_the_noise_has_probability_one_or_zero():
    n = 6
    model = hw.GaussianKeys(np.eye(n), along={0: 0.5})
    query = -20.0 * np.eye(n)[2:].sum(axis=0)
    found = enclosed(model, query, hw.Average(0, 1), Fraction(1, 1000))
    assert (found.low, found.high) == (1, 1)
    assert (enclosed(model, 0 * query, hw.Average(0, 1), TENTH).high) == 0


def test_a_single_key_gets_all_weight_whatever_its_length():
    model = hw.GaussianKeys([[2.0, 1.0]], along={0: 3.0})
    assert enclosed(model, [1.0, 1.0], hw.Copy(0), TENTH).low > Fraction(999_999, 10**6)


def test_isotropic_noise_on_one_key_is_one_gaussian_for_one_head_and_for_parallel_heads():
    model = hw.GaussianKeys(np.eye(4), isotropic=[0.3, 0, 0, 0])
    assert score_noise(model, heads_of(np.eye(4), [1.0, 2.0, 0.0, 0.0])).is_one_gaussian
    assert score_noise(
        model, heads_of(np.eye(4), [[1.0, 2.0, 0.0, 0.0], [-2.0, -4.0, 0.0, 0.0]], mix="equal")
    ).is_one_gaussian
    assert not score_noise(
        model, heads_of(np.eye(4), [[1.0, 2.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]], mix="equal")
    ).is_one_gaussian


def test_a_confidence_equal_to_the_probability_is_undecided_in_bounded_time():
    """Two keys, one of varying length about 0 scores: α_0 <= 1/2 for z <= 0, so P(error <= 1/2) = 1/2 exactly."""
    model = hw.GaussianKeys(np.eye(2), factors={0: [1.0, 0.0]})
    verdict = claim(model, [1.0, 1.0], hw.Copy(0), error="1/2", confidence="1/2").prove()
    assert verdict.status == "undecided"
    assert says(verdict.reason, "0.499999", "0.500001")


def test_more_digits_are_tried_in_vain_only_so_far(monkeypatch):
    from headwright.theories.random_keys import gaussian_probability

    monkeypatch.setattr(gaussian_probability, "_AS_NARROW_AS_CELLS", -1)
    model = hw.GaussianKeys(np.eye(2), along={0: 1.0})
    tiers = list(
        probability_enclosures(model, heads_of(np.eye(2), [1.0, 1.0]), hw.Copy(0), TENTH, enough=lambda a, b: False)
    )
    assert 3 <= len(tiers) <= 6


def test_scores_too_large_for_the_first_digits_are_read_with_more():
    """Scores of 10^30: the difference of two keys is exact, and the probability that z turns it round is found."""
    big = 2.0**100
    model = hw.GaussianKeys([[big, 0.0], [big, 1.0]], factors={0: [0.0, 1.0]})
    found = enclosed(model, [1.0, 1.0], hw.Copy(1), Fraction(1, 2))
    with mpmath.workdps(30):
        p = normal_cdf(1)
        assert mpmath.mpf(found.low.numerator) / found.low.denominator <= p
        assert p <= mpmath.mpf(found.high.numerator) / found.high.denominator
    assert found.high - found.low < Fraction(1, 10**12)


def test_an_error_at_the_limit_of_the_variation_closes_too():
    """Average of two at error 1/2: sets that can never exceed it are left out, so that the bounds close in at TV → 1/2."""
    model = hw.GaussianKeys(np.eye(4), along={0: 0.5})
    found = enclosed(model, 40 * (np.eye(4)[0] + np.eye(4)[1]), hw.Average(0, 1), Fraction(1, 2))
    assert found.low > 1 - Fraction(1, 10**12)


# The noise of scores, exactly


def test_the_noise_of_scores_adds_up_to_the_covariance(rng):
    for case in range(40):
        n, d, h = 5, 4, 1 + case % 3
        keys, queries = rng.standard_normal((n, d)), rng.standard_normal((h, d))
        root = rng.integers(-3, 4, (d, d)) / 4
        model = hw.GaussianKeys(
            keys,
            isotropic=rng.random(n) * (case % 2),
            cov=root @ root.T if case % 4 > 1 else None,  # of all keys
            along={1: 0.7, 3: -0.1 * (case % 2) * 0},
            factors={2: rng.standard_normal((d, 2)), 1: rng.standard_normal(d)},
        )
        heads = Heads(keys, queries, np.ones(h), Fraction(3, 2))
        noise = score_noise(model, heads)
        for j in range(n):
            expected = 2.25 * queries @ model.covariance(j) @ queries.T
            for g in range(h):
                kept = float(noise.rises[g] ** 2 * noise.root) if j == noise.key else 0.0
                left = float(noise.left_over[g].get(j, 0))
                assert left >= 0
                assert kept + left == pytest.approx(expected[g, g], rel=1e-12, abs=1e-14)


def test_preferred_keys_are_kept_unless_others_vary_much_more():
    model = hw.GaussianKeys(np.eye(4), isotropic=[1.0, 1.0, 1.0, 3.9])
    heads = heads_of(np.eye(4), np.ones(4))
    assert score_noise(model, heads).key == 3
    assert score_noise(model, heads, prefer=(2,)).key == 2
    assert score_noise(hw.GaussianKeys(np.eye(4), isotropic=[1.0, 1.0, 1.0, 4.1]), heads, prefer=(2,)).key == 3


def test_less_variance_along_the_mean_than_across_it():
    model = hw.GaussianKeys(np.eye(3), isotropic=0.5, along={0: -0.5})
    noise = score_noise(model, heads_of(np.eye(3), [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]], mix="equal"))
    assert noise.left_over[0].get(0) is None or noise.key != 0
    total = [
        float(noise.left_over[h].get(0, 0)) + (float(noise.rises[h] ** 2 * noise.root) if noise.key == 0 else 0)
        for h in (0, 1)
    ]
    assert total == pytest.approx([0.0, 0.5])
    alone = hw.GaussianKeys(np.eye(3), isotropic=[0.5, 0, 0], along={0: -0.25})
    split = score_noise(alone, heads_of(np.eye(3), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], mix="equal"))
    assert (split.key, split.rises, split.root) == (0, (0, Fraction(1, 2)), 2)
    assert [dict(left) for left in split.left_over] == [{0: Fraction(1, 4)}, {}]


def test_the_difference_of_two_targets_is_one_gaussian():
    """Two varying keys alone: α_0/α_1 = e^D, D ~ N(difference of means, V_0 + V_1), so P is a normal probability."""
    model = hw.GaussianKeys(np.eye(2), isotropic=[0.125, 0.25])
    found = enclosed(model, [2.0, 1.0], hw.Average(0, 1), Fraction(1, 5))
    with mpmath.workdps(40):
        odds, sd = mpmath.log(mpmath.mpf(7) / 3), mpmath.sqrt(5 * mpmath.mpf("0.375"))
        p = normal_cdf((odds - 1) / sd) - normal_cdf((-odds - 1) / sd)
        assert mpmath.mpf(found.low.numerator) / found.low.denominator <= p
        assert p <= mpmath.mpf(found.high.numerator) / found.high.denominator
    assert found.high - found.low <= Fraction(1, 10**12)


def test_a_pair_leaves_the_others_what_it_shares(rng):
    """Counted from M, keys have the variances that a sample shows, and D is not correlated with any of them."""
    variances = [0.3, 0.1, 0.2, 0.0]
    model = hw.GaussianKeys(np.eye(4), isotropic=variances)
    noise = pair_noise(model, heads_of(np.eye(4), [1.0, 0.0, 0.0, 0.0]), (0, 2, 3))
    assert (noise.key, noise.partner[0]) == (0, 2)
    drawn = np.sqrt(variances) * rng.standard_normal((400_000, 4))
    both = drawn - ((0.2 * drawn[:, 0] + 0.3 * drawn[:, 2]) / 0.5)[:, None]
    for key, rises in ((0, noise.rises), noise.partner):
        assert np.allclose(both[:, key], float(rises[0]) * (drawn[:, 0] - drawn[:, 2]), atol=1e-12)
    assert float(noise.root) == pytest.approx(0.5)
    for j in (1, 3):
        assert both[:, j].var() == pytest.approx(float(noise.left_over[0][j]), rel=0.02)
        assert abs(np.corrcoef(both[:, j], drawn[:, 0] - drawn[:, 2])[0, 1]) < 0.01
    assert both[:, 3].var() == pytest.approx(float(noise.common), rel=0.02)
    assert pair_noise(model, heads_of(np.eye(4), [1.0, 0.0, 0.0, 0.0]), (0, 3)) is None


def test_averaging_under_isotropic_noise_is_proved_to_a_hair(rng):
    """The sheets' own query, all keys varying a little: bounds within a percent of a sample's share."""
    n, t = 10, 7.0
    model = hw.GaussianKeys(np.eye(n), isotropic=1e-6)
    query = t * (np.eye(n)[0] + np.eye(n)[1])
    scores = model.sample(20_000, seed=5) @ query
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    share = (np.abs(weights - hw.Average(0, 1).weights(n)).sum(axis=1) / 2 <= 0.01).mean()
    bounds = list(
        probability_enclosures(
            model, heads_of(np.eye(n), query), hw.Average(0, 1), Fraction(1, 100), enough=lambda a, b: False
        )
    )
    assert max(float(b.low) for b in bounds) == pytest.approx(share, abs=0.01)
    assert min(float(b.high) for b in bounds) == pytest.approx(share, abs=0.01)
    assert all(b.low <= share + 0.006 and share - 0.006 <= b.high for b in bounds)
    likely = claim(model, query, hw.Average(0, 1), error=Fraction(1, 100), confidence=Fraction(share / 2))
    assert (likely.prove().status, judge(likely)) == ("proved", "not contradicted")  # samples confirm nothing


@pytest.mark.parametrize("support", [2, 3])
def test_the_shared_noise_of_a_pair_is_followed(rng, support):
    """Targets that vary much among outsiders that do not: what escapes and what the pair shares must both be taken in."""
    n = 6
    for spread, gap, error in ((0.5, 0.5, 0.5), (2.0, 2.0, 0.7)):
        isotropic = [spread if j < support else 1e-3 for j in range(n)]
        model = hw.GaussianKeys(np.eye(n), isotropic=isotropic)
        query = gap * np.eye(n)[:support].sum(axis=0)
        goal = hw.Average(*range(support))
        scores = query + np.sqrt(isotropic) * np.linalg.norm(query) * rng.standard_normal((40_000, n))
        weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        share = (np.abs(weights - goal.weights(n)).sum(axis=1) / 2 <= error).mean()
        for room in (Fraction(1, 20), Fraction(1)):
            for found in gaussian_enclosures(
                model, heads_of(np.eye(n), query), goal, Fraction(error), room, lambda a, b: False
            ):
                assert found.low <= share + 0.013
                assert share - 0.013 <= found.high
