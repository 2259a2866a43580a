"""Probabilities over keys that vary: closed forms, brute force, bounds that hold, and certificates that travel."""

import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright import balls
from headwright.proofs import Heads, WithProbability, heads_of, load, probability_enclosures
from headwright.proofs.gaussian_probability import _room_for, gaussian_enclosures
from headwright.proofs.score_box import Room, ScoreBox, _sum_within
from headwright.proofs.score_noise import pair_noise, score_noise

TENTH = Fraction(1, 10)


def enclosed(model, queries, goal, error, width=Fraction(1, 10**13), **kw):
    """The first enclosure as narrow as `width`, or the last one."""
    narrow = lambda low, high: high - low <= width  # noqa: E731
    for found in probability_enclosures(model, heads_of(model.centre, queries, **kw), goal, error, enough=narrow):
        if found.high - found.low <= width:
            break
    return found


def claim(model, queries, goal, *, error=TENTH, confidence=Fraction(1, 2), **kw):
    return WithProbability(model, heads_of(model.centre, queries, **kw), goal, Fraction(error), Fraction(confidence))


def normal_cdf(x):
    return mpmath.ncdf(x)


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
    assert "rigorous integral" in found.method


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
    assert score_noise(model, heads_of(np.eye(4), [[1.0, 2.0, 0.0, 0.0], [-2.0, -4.0, 0.0, 0.0]])).is_one_gaussian
    assert not score_noise(model, heads_of(np.eye(4), [[1.0, 2.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])).is_one_gaussian


def test_a_confidence_equal_to_the_probability_is_undecided_in_bounded_time():
    """Two keys, one of varying length about 0 scores: α_0 <= 1/2 for z <= 0, so P(error <= 1/2) = 1/2 exactly."""
    model = hw.GaussianKeys(np.eye(2), factors={0: [1.0, 0.0]})
    verdict = claim(model, [1.0, 1.0], hw.Copy(0), error="1/2", confidence="1/2").prove()
    assert verdict.status == "undecided"
    assert "between 0.499999 and 0.500001" in verdict.reason


def test_more_digits_are_tried_in_vain_only_so_far(monkeypatch):
    from headwright.proofs import gaussian_probability

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
        model = hw.GaussianKeys(
            keys,
            isotropic=rng.random(n) * (case % 2),
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
    noise = score_noise(model, heads_of(np.eye(3), [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]))
    assert noise.left_over[0].get(0) is None or noise.key != 0
    total = [
        float(noise.left_over[h].get(0, 0)) + (float(noise.rises[h] ** 2 * noise.root) if noise.key == 0 else 0)
        for h in (0, 1)
    ]
    assert total == pytest.approx([0.0, 0.5])
    alone = hw.GaussianKeys(np.eye(3), isotropic=[0.5, 0, 0], along={0: -0.25})
    split = score_noise(alone, heads_of(np.eye(3), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    assert split.key == 0
    assert not any(split.rises)
    assert [dict(left) for left in split.left_over] == [{0: Fraction(1, 4)}, {0: Fraction(1, 2)}]


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


# Boxes


@pytest.mark.parametrize("support", [1, 2, 3, 7])
def test_a_box_verdict_holds_at_every_point_of_the_box(rng, support):
    """Random scores inside the box, random z inside the interval: never on the wrong side of a verdict."""
    settled = 0
    for case in range(60):
        n, h = support + 1 + case % 4, 1 + case % 2
        keys, queries = rng.standard_normal((n, 3)), 3 * rng.standard_normal((h, 3))
        model = hw.GaussianKeys(keys, isotropic=1e-4, along={0: 0.5})
        heads = Heads(keys, queries, rng.random(h) + 0.1, Fraction(1))
        goal = hw.Blend({i: float(rng.random() + 0.1) for i in rng.permutation(n)[:support].tolist()})
        noise = score_noise(model, heads)
        tier = next(heads.climb())
        low = float(rng.standard_normal())
        high = low + 0.02
        with balls.precision(128):
            box = ScoreBox(heads, goal, noise, tier, Room(balls.exact(2), None, balls.exact(0)))
            for error in np.linspace(0.02, 0.98, 25):
                said = box.verdict(low, high, balls.exact(float(error)))
                settled += said is not None
                for z in rng.uniform(low, high, 4):
                    found = _variation_in_box(heads, goal, noise, 2.0, z, rng)
                    assert not (said is True and found > error + 1e-12)
                    assert not (said is False and found < error - 1e-12)
    assert settled > 300


def _variation_in_box(heads, goal, noise, reach, z, rng):
    weights = np.zeros(heads.n)
    for h, share in enumerate(heads.shares):
        scores = heads.keys @ heads.queries[h]
        for j, variance in noise.left_over[h].items():
            scores[j] += rng.choice([-1, 1, rng.uniform(-1, 1)]) * reach * math.sqrt(variance)
        scores[noise.key] += float(noise.rises[h]) * math.sqrt(noise.root) * z
        e = np.exp(scores - scores.max())
        weights += float(share) * e / e.sum()
    return np.abs(weights - goal.weights(heads.n)).sum() / 2


def test_for_one_head_the_box_verdict_is_exact_at_a_point():
    """With no room at all the verdict flips where the total variation is, to 10^-12."""
    heads = heads_of(np.eye(3), [2.0, 1.0, 0.0])
    model = hw.GaussianKeys(np.eye(3), along={2: 0.5})
    e = np.exp([2.0, 1.0, 0.0])
    truth = np.abs(e / e.sum() - [0.5, 0.5, 0.0]).sum() / 2
    with balls.precision(128):
        nothing = Room(balls.exact(0), None, balls.exact(0))
        box = ScoreBox(heads, hw.Average(0, 1), score_noise(model, heads), next(heads.climb()), nothing)
        assert box.verdict(0.0, 0.0, balls.exact(truth + 1e-12)) is True
        assert box.verdict(0.0, 0.0, balls.exact(truth - 1e-12)) is False


def test_a_box_too_wide_for_single_points_is_given_up_at_once():
    model = hw.GaussianKeys(np.eye(4), isotropic=25.0)
    bounds = list(
        gaussian_enclosures(
            model, heads_of(np.eye(4), np.ones(4)), hw.Copy(0), TENTH, Fraction(1, 100), lambda a, b: False
        )
    )
    assert {(b.low, b.high) for b in bounds} == {(0, 1)}


def test_the_sum_of_log_normal_terms_stays_where_its_moments_say(rng):
    """The fourth moment against 40-digit raw moments, and the interval against samples."""
    scores, variances = [0.3, -1.0, 0.7], [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    with balls.precision(128):
        row = balls.BallTable([balls.exact(s).exp() for s in scores])
        low, high = _sum_within(row, dict(enumerate(variances)), balls.exact(Fraction(1, 50)))
    with mpmath.workdps(40):
        m4 = mpmath.mpf(0)
        parts = []
        for s, v in zip(scores, variances, strict=True):
            raw = [mpmath.exp(k * s + mpmath.mpf(k * k) * v.numerator / v.denominator / 2) for k in range(5)]
            m = raw[1]
            central = [1, 0, raw[2] - m**2, None, raw[4] - 4 * raw[3] * m + 6 * raw[2] * m**2 - 3 * m**4]
            parts.append((m, central[2], central[4]))
        for i, (_, v_i, f_i) in enumerate(parts):
            m4 += f_i + 3 * sum(v_i * v_j for j, (_, v_j, _) in enumerate(parts) if j != i)
        middle, off = sum(m for m, _, _ in parts), (m4 * 50) ** mpmath.mpf("0.25")
        assert float(high) == pytest.approx(float(middle + off), rel=1e-14)
        assert float(low) == max(0.0, float(middle - off))
    drawn = sum(np.exp(s + math.sqrt(v) * rng.standard_normal(100_000)) for s, v in zip(scores, variances, strict=True))
    assert ((drawn < float(low)) | (drawn > float(high))).mean() <= 0.02
    with balls.precision(128):
        assert _sum_within(row, dict(enumerate(variances)), balls.exact(1e-9))[0] >= 0


def test_what_a_room_says_escapes_does(rng):
    """P(some score or sum leaves its room) <= escape, from samples; and the room is not absurdly wide."""
    n = 6
    model = hw.GaussianKeys(np.eye(n), isotropic=0.04, along={0: 0.5})
    heads = heads_of(np.eye(n), [[3.0, 1.0, 0.0, 0.0, 0.0, 1.0], [0.0, 2.0, 1.0, 0.0, 0.0, 0.0]])
    noise = score_noise(model, heads)
    for by_sum, asked in product((False, True), (Fraction(1, 10), Fraction(1, 100))):
        with balls.precision(128):
            room = _room_for(noise, hw.Average(0, 1), asked, by_sum)
            escape = balls.upper(room.escape)
            assert escape <= asked * (1 + Fraction(1, 10**9))
            assert escape >= asked * Fraction(4, 5)
            assert not by_sum or balls.upper(2 * room.beyond) <= asked / 2 * (1 + Fraction(1, 10**9))
        reach = float(room.reach)
        followed = {0, 1} if by_sum else set(range(n))
        left = np.zeros(200_000, dtype=bool)
        for h in (0, 1):
            outside = np.zeros(len(left))
            for j, _ in noise.left_over[h].items():
                z = rng.standard_normal(len(left))
                if j in followed:
                    left |= np.abs(z) > reach
                else:
                    outside += np.exp(float(heads.keys[j] @ heads.queries[h]) + math.sqrt(noise.left_over[h][j]) * z)
            if by_sum:
                row = balls.BallTable([balls.exact(float(s)).exp() for s in heads.keys @ heads.queries[h]])
                moved = {j: v for j, v in noise.left_over[h].items() if j not in followed}
                low, high = _sum_within(row, moved, room.beyond)
                left |= (outside < float(low)) | (outside > float(high))
        assert left.mean() <= float(asked) * 1.05


@pytest.mark.parametrize("side", [1, -1])
def test_what_escapes_is_taken_off_below_and_added_above(side):
    """Sharp scores: key 0 wins iff its own noise, left over, stays above ∓1.2 deviations; that of key 1 decides nothing."""
    model = hw.GaussianKeys(
        [[0.0, 0.0, 0.0], [0.0, -50.0, 0.0], [0.0, 0.0, -0.6 * side]], factors={0: [0.5, 0.0, 0.0], 1: [0.0, 2.0, 0.0]}
    )
    heads = heads_of(model.centre, [100.0, 100.0, 100.0])
    assert score_noise(model, heads, prefer=(0,)).key == 1
    truth = float(normal_cdf(1.2 * side))
    for found in gaussian_enclosures(model, heads, hw.Copy(0), Fraction(1, 2), Fraction(1), lambda low, high: False):
        assert found.low <= truth <= found.high
        assert found.high - found.low > Fraction(1, 1000)


def test_bounds_for_many_gaussians_hold_and_close_in(rng):
    """Proved bounds contain the fraction of a large sample (six standard deviations), one head and two."""
    n, d = 30, 12
    keys = rng.standard_normal((n, d)) / math.sqrt(d)
    widths = []
    for heads, isotropic in product((1, 2), (1e-3, 4e-3)):
        model = hw.GaussianKeys(keys, isotropic=isotropic)
        queries = np.stack([hw.design(keys, hw.Copy(h), error="0.05").query for h in range(heads)])
        goal = hw.Copy(0) if heads == 1 else hw.Average(0, 1)
        weights = np.zeros((4000, n))
        for query in queries:
            s = model.sample(4000, seed=3) @ query
            e = np.exp(s - s.max(axis=1, keepdims=True))
            weights += e / e.sum(axis=1, keepdims=True) / heads
        errors = np.abs(weights - goal.weights(n)).sum(axis=1) / 2
        for error in (0.05, 0.1, 0.3):
            p = (errors <= error).mean()
            low, high = Fraction(0), Fraction(1)
            for found in gaussian_enclosures(
                model, heads_of(keys, queries), goal, Fraction(error), Fraction(1, 50), lambda low, high: False
            ):
                low, high = max(low, found.low), min(high, found.high)
            slack = 6 * math.sqrt(max(p * (1 - p), 0.01) / 4000)
            assert low <= p + slack
            assert p - slack <= high
            widths.append(float(high - low))
    assert min(widths) < 0.05
    assert sum(w < 0.9 for w in widths) >= 5


# Finite laws


def brute_force(model, queries, goal, error):
    """Every combination with mpmath in 50 digits."""
    with mpmath.workdps(50):
        total = Fraction(0)
        for chosen in product(*(law.items() for law in model.laws.values())):
            factors = dict(zip(model.laws, (c for c, _ in chosen), strict=True))
            weights = [mpmath.mpf(0)] * model.n
            for query in np.atleast_2d(queries):
                exps = []
                for j, key in enumerate(model.centre):
                    c = factors.get(j, Fraction(1))
                    dot = sum(mpmath.mpf(float(a)) * mpmath.mpf(float(b)) for a, b in zip(key, query, strict=True))
                    exps.append(mpmath.exp(dot * c.numerator / c.denominator))
                whole = sum(exps)
                weights = [w + x / whole / len(np.atleast_2d(queries)) for w, x in zip(weights, exps, strict=True)]
            shares = dict(zip(goal.indices, goal.shares, strict=True))
            wanted = [
                mpmath.mpf(shares.get(j, Fraction(0)).numerator) / shares.get(j, Fraction(1)).denominator
                for j in range(model.n)
            ]
            variation = sum(abs(w - v) for w, v in zip(weights, wanted, strict=True)) / 2
            if variation <= mpmath.mpf(error.numerator) / error.denominator:
                total += math.prod((p for _, p in chosen), start=Fraction(1))
        return total


def test_finite_laws_are_exact(rng):
    seen = set()
    for case in range(25):
        n, h = 3 + case % 3, 1 + case % 2
        keys, queries = rng.standard_normal((n, 3)), 2 * rng.standard_normal((h, 3))
        laws = {0: {"1/3": "1/6", "-2": "1/2", "5/4": "1/3"}, n - 1: {1: "0.9", "3/2": "0.1"}}
        model = hw.ScaledKeys(keys, laws)
        goal = [hw.Copy(0), hw.Average(0, 1), hw.Blend({1: "0.3", n - 1: "0.7"})][case % 3]
        error = Fraction(int(rng.integers(1, 9)), 10)
        found = enclosed(model, queries, goal, error)
        expected = brute_force(model, queries, goal, error)
        assert found.low == found.high == expected
        seen.add(expected)
    assert len(seen) > 4


def test_many_combinations_are_screened_and_agree_with_the_exact_way(rng, monkeypatch):
    from headwright.proofs import finite_probability

    keys, queries = rng.standard_normal((9, 4)), rng.standard_normal((2, 4))
    model = hw.ScaledKeys(keys, {j: {"1/2": "1/3", 1: "1/3", "7/5": "1/3"} for j in range(6)})
    for goal, error in ((hw.Average(0, 7), "0.6"), (hw.Copy(8), "0.8"), (hw.Blend({1: 1, 2: 3}), "0.55")):
        exact = enclosed(model, queries, goal, Fraction(error))
        assert exact.low == exact.high
        with monkeypatch.context() as patched:
            patched.setattr(finite_probability, "_MOST_EXACT", 10)
            screened = enclosed(model, queries, goal, Fraction(error))
        assert screened.low <= exact.low <= screened.high
        assert screened.high - screened.low < Fraction(1, 10**12)
        assert "screened" in screened.method


def test_combinations_too_near_for_the_screen_go_to_the_balls(monkeypatch):
    """The error is one combination's total variation, 10^-30 up or down: nearer than float64 can tell, still settled."""
    from headwright.proofs import finite_probability

    monkeypatch.setattr(finite_probability, "_MOST_EXACT", 0)
    model = hw.ScaledKeys(np.eye(3), {0: {1: "1/2", 2: "1/2"}, 1: {1: "1/4", 3: "3/4"}})
    query = np.array([2.0, 0.5, 0.0])
    for a, b in product((1, 2), (1, 3)):
        with mpmath.workdps(50):
            e = [mpmath.exp(2 * a), mpmath.exp(b / mpmath.mpf(2)), mpmath.mpf(1)]
            near = Fraction(int((1 - e[0] / sum(e)) * 2**160), 2**160)
        for error in (near - Fraction(1, 10**30), near + Fraction(1, 10**30)):
            found = enclosed(model, query, hw.Copy(0), error, width=Fraction(1, 10**9))
            assert found.low <= brute_force(model, query, hw.Copy(0), error) <= found.high


def test_a_combination_with_an_exact_tie_is_settled():
    """Two equal keys share the weight exactly in one combination: total variation 1/2 against error 1/2."""
    model = hw.ScaledKeys([[1.0], [1.0]], {0: {1: "1/2", 2: "1/2"}})
    found = enclosed(model, [3.0], hw.Copy(0), Fraction(1, 2))
    assert (found.low, found.high) == (1, 1)
    assert enclosed(model, [3.0], hw.Copy(0), Fraction(1, 2) - Fraction(1, 10**50)).high == Fraction(1, 2)


def test_a_tie_between_heads_stays_open():
    """Two opposite heads over two keys: α_0 = ½(σ(s) + σ(-s)) = ½ exactly, which balls cannot see."""
    model = hw.ScaledKeys([[1.0], [-1.0]], {0: {1: 1}})
    found = enclosed(model, [[1.5], [-1.5]], hw.Copy(0), Fraction(1, 2))
    assert (found.low, found.high) == (0, 1)


def test_a_combination_judged_alone_is_judged_with_its_factors(rng, monkeypatch):
    """Four bits settle nothing, so every combination goes the slow way."""
    from headwright.proofs import finite_probability

    monkeypatch.setattr(finite_probability, "_BITS", (4, 256))
    model = hw.ScaledKeys(
        rng.standard_normal((4, 3)), {0: {"1/3": "1/6", "-2": "1/2", 3: "1/3"}, 3: {0: "1/3", 2: "2/3"}}
    )
    for queries in (rng.standard_normal((1, 3)), 2 * rng.standard_normal((2, 3))):
        for error in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
            found = enclosed(model, queries, hw.Average(0, 3), error)
            assert found.low == found.high == brute_force(model, queries, hw.Average(0, 3), error)


def test_the_figure_of_a_verdict_is_on_the_safe_side():
    """P = 1/3 exactly, which no float holds."""
    model = hw.ScaledKeys(np.eye(2), {0: {10: "1/3", 0: "2/3"}})
    proved = claim(model, [3.0, 0.0], hw.Copy(0), confidence="0.3").prove()
    refuted = claim(model, [3.0, 0.0], hw.Copy(0), confidence="0.4").prove()
    assert Fraction(proved.bound) < Fraction(1, 3) < Fraction(refuted.bound)
    assert refuted.bound - proved.bound < 1e-16
    assert Fraction(proved.bound_text.split()[-1]) <= Fraction(1, 3) <= Fraction(refuted.bound_text.split()[-1])


def test_probabilities_below_the_range_of_floats_are_not_lost_by_the_screen():
    """P = 10^-330 by the exact way; more than 4096 combinations are screened in float64, where it underflows."""
    tiny = Fraction(1, 10**330)
    laws = {0: {1: 1 - tiny, 2: tiny}, **{j: {1: "1/2", "0.99": "1/2"} for j in range(1, 13)}}
    model = hw.ScaledKeys(np.eye(14), laws)
    found = enclosed(model, 5 * np.eye(14)[0], hw.Copy(0), Fraction(1, 100), width=Fraction(1, 10**300))
    assert found.low <= tiny <= found.high
    assert claim(model, 5 * np.eye(14)[0], hw.Copy(0), error="1/100", confidence=tiny / 10).prove().status != "refuted"


def test_a_confidence_of_four_hundred_nines_is_answered():
    model = hw.GaussianKeys(np.eye(3), isotropic=1e-4)
    verdict = claim(model, 20 * np.eye(3)[0], hw.Copy(0), confidence=1 - Fraction(1, 10**400)).prove()
    assert verdict.status in ("proved", "undecided")


def test_too_many_ties_stay_open(monkeypatch):
    from headwright.proofs import finite_probability

    monkeypatch.setattr(finite_probability, "_MOST_ALONE", 0)
    model = hw.ScaledKeys([[1.0], [1.0]], {0: {1: "1/2", 2: "1/2"}})
    found = enclosed(model, [3.0], hw.Copy(0), Fraction(1, 2))
    assert (found.low, found.high) == (Fraction(1, 2), 1)


def test_scores_beyond_the_range_of_floats_are_left_to_the_balls(monkeypatch):
    from headwright.proofs import finite_probability

    monkeypatch.setattr(finite_probability, "_MOST_EXACT", 0)
    model = hw.ScaledKeys(np.eye(2), {0: {1: "1/2", "-1": "1/4", 0: "1/4"}, 1: {-2: "1/2", 1: "1/2"}})
    for goal in (hw.Copy(0), hw.Copy(1)):
        found = enclosed(model, [900.0, 900.0], goal, TENTH)
        expected = brute_force(model, np.array([900.0, 900.0]), goal, TENTH)
        assert found.low <= expected <= found.high
        assert found.high - found.low < Fraction(1, 10**12)


# The claim


def textbook(t=9.210340371976184, n=10):
    model = hw.GaussianKeys(np.eye(n), along={0: 0.5})
    return model, t * np.eye(n)[:2]


def test_proved_refuted_and_the_bounds_they_state():
    model, heads = textbook()
    proved = claim(model, heads, hw.Average(0, 1), confidence="0.8").prove()
    refuted = claim(model, heads, hw.Average(0, 1), confidence="0.81").prove()
    assert (proved.status, refuted.status) == ("proved", "refuted")
    truth = 0.80622621445
    assert proved.bound <= truth <= refuted.bound
    assert refuted.bound - proved.bound < 1e-8
    assert "probability at least 0.806226214" in proved.bound_text
    assert "probability at most 0.80622621" in refuted.bound_text


def test_two_textbook_heads_never_do_better_than_the_length_being_positive():
    """P(c > 0) = Φ(√2) = 0.92135 bounds them, whatever t."""
    for t in (10.0, 100.0, 1000.0):
        model, heads = textbook(t)
        assert claim(model, heads, hw.Average(0, 1), confidence="0.9214").prove().status == "refuted"
    assert claim(model, heads, hw.Average(0, 1), confidence="0.92").prove().status == "proved"


def test_a_claim_that_rough_bounds_cannot_settle_is_undecided():
    model = hw.GaussianKeys(np.eye(5), isotropic=0.02)
    verdict = claim(model, 6 * np.eye(5)[:2], hw.Average(0, 1), confidence="0.55", error="0.15").prove()
    assert verdict.status == "undecided"
    assert "lie on both sides" in verdict.reason


def test_the_claim_is_checked():
    model, heads = textbook()
    for confidence in ("0", "1", "1.5", "-1"):
        with pytest.raises(ValueError, match="`confidence` must lie strictly between 0 and 1"):
            claim(model, heads, hw.Average(0, 1), confidence=confidence)
    with pytest.raises(ValueError, match="`error` must lie strictly between 0 and 1"):
        claim(model, heads, hw.Average(0, 1), error="1")
    with pytest.raises(ValueError, match="only 10 keys"):
        claim(model, heads, hw.Copy(10))
    with pytest.raises(ValueError, match="around which the model varies"):
        WithProbability(model, heads_of(2 * np.eye(10), heads), hw.Copy(0), TENTH, TENTH)
    with pytest.raises(ValueError, match="around which the model varies"):
        WithProbability(model, heads_of(np.eye(9), np.eye(9)), hw.Copy(0), TENTH, TENTH)
    narrow = Heads(np.eye(10), heads.round(), np.ones(2), Fraction(1), "bfloat16")
    with pytest.raises(ValueError, match="`precision` does not go"):
        WithProbability(model, narrow, hw.Copy(0), TENTH, TENTH)
    with pytest.raises(TypeError, match="GaussianKeys or ScaledKeys"):
        probability_enclosures(np.eye(10), heads_of(np.eye(10), heads), hw.Copy(0), TENTH, enough=lambda a, b: True)


@pytest.mark.parametrize("law", ["gaussian", "scaled"])
def test_certificates_travel(tmp_path, rng, law):
    keys = rng.standard_normal((5, 4))
    if law == "gaussian":
        model = hw.GaussianKeys(
            keys, isotropic=rng.random(5) / 100, along={1: 0.5}, factors={3: rng.standard_normal((4, 2))}
        )
    else:
        model = hw.ScaledKeys(keys, {1: {"1/3": "1/2", 2: "1/2"}, 4: {1: 0.1, 2: 0.9}})
    verdict = claim(
        model, rng.standard_normal((2, 4)), hw.Blend({1: 1, 4: 2}), error="0.9", confidence="0.3", mix=[1.0, 2.0]
    ).prove()
    assert verdict.status != "undecided"
    path = tmp_path / "claim.safetensors"
    hw.save(path, verdict)
    again = load(path)
    assert again.sentence() == verdict.record.sentence()
    assert hw.verify(path).bound == verdict.bound
    assert {name: a.tolist() for name, a in again.arrays().items()} == {
        name: a.tolist() for name, a in verdict.record.arrays().items()
    }


def test_certificates_with_other_laws_are_refused():
    model, heads = textbook()
    record = claim(model, heads, hw.Copy(0))
    with pytest.raises(ValueError, match="unknown law of keys 'cauchy'"):
        WithProbability.from_parts(record.arrays(), {**record.fields(), "law": "cauchy"})
    with pytest.raises(ValueError, match="`along` must have one number per key"):
        WithProbability.from_parts({**record.arrays(), "along": np.zeros(3)}, record.fields())
    scaled = claim(hw.ScaledKeys(np.eye(10), {0: {1: 1}}), heads, hw.Copy(0))
    with pytest.raises(ValueError, match="`laws` must map keys to laws"):
        WithProbability.from_parts(scaled.arrays(), {**scaled.fields(), "laws": [1]})


# Metamorphic


def test_permuting_keys_rotating_space_and_moving_the_scale_change_nothing(rng):
    n, d = 6, 5
    keys, queries = rng.standard_normal((n, d)), rng.standard_normal((2, d))
    goal, order = hw.Blend({0: 1, 2: 2}), rng.permutation(n)
    turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
    model = hw.GaussianKeys(keys, along={2: 0.5})
    place = {int(old): new for new, old in enumerate(order)}
    variants = [
        (hw.GaussianKeys(keys[order], along={place[2]: 0.5}), queries, hw.Blend({place[0]: 1, place[2]: 2}), {}),
        (hw.GaussianKeys(keys @ turn, along={2: 0.5}), queries @ turn, goal, {}),
        (model, queries / 4, goal, {"scale": 4}),
        (model, queries[::-1], goal, {}),
        (hw.GaussianKeys(keys, factors={2: math.sqrt(0.5) * keys[2] / np.linalg.norm(keys[2])}), queries, goal, {}),
    ]
    found = {error: enclosed(model, queries, goal, Fraction(error, 50)) for error in range(20, 35)}
    error, first = next((Fraction(e, 50), p) for e, p in found.items() if 0.2 < p.low < 0.8)
    for other, heads, wanted, kw in variants:
        found = enclosed(other, heads, wanted, error, **kw)
        assert float(found.low) == pytest.approx(float(first.low), abs=1e-11)
