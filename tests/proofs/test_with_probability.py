"""The claim that a goal is met with a probability: bounds from boxes and moments, verdicts, certificates that travel."""

import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.kernel import balls, budget
from headwright.kernel.certificate import load
from headwright.kernel.heads import Heads
from headwright.search.random_keys.outcome import heads_of
from headwright.theories.random_keys.gaussian_probability import _room_for, gaussian_enclosures
from headwright.theories.random_keys.score_box import Room, ScoreBox, _sum_within
from headwright.theories.random_keys.score_noise import score_noise
from headwright.theories.random_keys.with_probability import WithProbability, probability_enclosures
from tests.facts import near
from tests.proofs.enclosing import TENTH, claim, enclosed, normal_cdf

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


@pytest.mark.parametrize("support", [3, 7])
def test_parts_left_out_in_a_cell_settle_nothing_inside_it(rng, support):
    """In cells inside a cell, the parts that still count there give the verdict of all parts."""
    left_out = 0
    for case in range(40):
        n = support + 1 + case % 4
        model = hw.GaussianKeys(rng.standard_normal((n, 3)), isotropic=1e-4, along={case % n: 0.5})
        heads = Heads(model.mean, 3 * rng.standard_normal((1 + case % 2, 3)), np.ones(1 + case % 2), Fraction(1))
        goal = hw.Blend({i: float(rng.random() + 0.1) for i in range(support)})
        with balls.precision(128):
            nothing = Room(balls.exact(1), None, balls.exact(0))
            box = ScoreBox(heads, goal, score_noise(model, heads), next(heads.climb()), nothing)
            for error in (0.1, 0.3, 0.5, 0.8):
                _, counting = box.judged(-1.0, 1.0, balls.exact(error), box.parts)
                left_out += len(box.parts) - len(counting)
                for low in np.linspace(-1, 0.75, 8).tolist():
                    inside = box.judged(low, low + 0.25, balls.exact(error), counting)[0]
                    assert inside is box.verdict(low, low + 0.25, balls.exact(error))
    assert left_out > 100


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
            model,
            heads_of(np.eye(4), np.ones((3, 4)), mix="equal"),
            hw.Copy(0),
            TENTH,
            Fraction(1, 100),
            lambda a, b: False,
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
    heads = heads_of(np.eye(n), [[3.0, 1.0, 0.0, 0.0, 0.0, 1.0], [0.0, 2.0, 1.0, 0.0, 0.0, 0.0]], mix="equal")
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
                model,
                heads_of(keys, queries, mix="equal"),
                goal,
                Fraction(error),
                Fraction(1, 50),
                lambda low, high: False,
            ):
                low, high = max(low, found.low), min(high, found.high)
            slack = 6 * math.sqrt(max(p * (1 - p), 0.01) / 4000)
            assert low <= p + slack
            assert p - slack <= high
            widths.append(float(high - low))
    assert min(widths) < 0.05
    assert sum(w < 0.9 for w in widths) >= 5


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
    assert near(proved.bound_text, truth, within=1e-8)
    assert near(refuted.bound_text, truth, within=1e-8)


def test_two_textbook_heads_never_do_better_than_the_length_being_positive():
    """P(c > 0) = Φ(√2) = 0.92135 bounds them, whatever t."""
    for t in (10.0, 100.0, 1000.0):
        model, heads = textbook(t)
        assert claim(model, heads, hw.Average(0, 1), confidence="0.9214").prove().status == "refuted"
    assert claim(model, heads, hw.Average(0, 1), confidence="0.92").prove().status == "proved"


def test_a_claim_that_rough_bounds_cannot_settle_is_undecided():
    model = hw.GaussianKeys(np.eye(5), isotropic=0.02)
    verdict = claim(model, 6 * np.eye(5)[:2], hw.Average(0, 1), confidence="0.99967", error="0.15").prove()
    assert verdict.status == "undecided"
    assert verdict.reason


def test_the_claim_is_checked():
    model, heads = textbook()
    for confidence in ("0", "1", "1.5", "-1"):
        with pytest.raises(ValueError, match="`confidence`"):
            claim(model, heads, hw.Average(0, 1), confidence=confidence)
    with pytest.raises(ValueError, match="`error`"):
        claim(model, heads, hw.Average(0, 1), error="1")
    with pytest.raises(ValueError, match=r"`goal`.*10"):
        claim(model, heads, hw.Copy(10))
    with pytest.raises(ValueError, match="`heads`"):
        WithProbability(model, heads_of(2 * np.eye(10), heads, mix="equal"), hw.Copy(0), TENTH, TENTH)
    with pytest.raises(ValueError, match="`heads`"):
        WithProbability(model, heads_of(np.eye(9), np.eye(9), mix="equal"), hw.Copy(0), TENTH, TENTH)
    narrow = Heads(np.eye(10), heads.round(), np.ones(2), Fraction(1), "bfloat16")
    with pytest.raises(ValueError, match="`precision`"):
        WithProbability(model, narrow, hw.Copy(0), TENTH, TENTH)
    with pytest.raises(TypeError, match=r"`keys`.*GaussianKeys"):
        probability_enclosures(
            np.eye(10), heads_of(np.eye(10), heads, mix="equal"), hw.Copy(0), TENTH, enough=lambda a, b: True
        )


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
    with pytest.raises(ValueError, match="'cauchy'"):
        WithProbability.from_parts(record.arrays(), {**record.fields(), "law": "cauchy"})
    with pytest.raises(ValueError, match="`along`"):
        WithProbability.from_parts({**record.arrays(), "along": np.zeros(3)}, record.fields())
    scaled = claim(hw.ScaledKeys(np.eye(10), {0: {1: 1}}), heads, hw.Copy(0))
    with pytest.raises(ValueError, match="`laws`"):
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


@pytest.mark.parametrize(("n", "heads", "targets"), [(12, 8, 5), (90, 1, 60), (200, 1, 150)])
def test_a_confidence_too_near_the_truth_is_given_up_after_bounded_work(n, heads, targets):
    """The truth is about 0.6, and boxes leave some percent open."""
    keys = np.cos(np.arange(4.0 * n)).reshape(n, 4)
    queries = keys[:targets].mean(axis=0) + np.sin(np.arange(4.0 * heads)).reshape(heads, 4)
    model = hw.GaussianKeys(keys, isotropic=[0.1, 1e-5, 1e-5, *[0.0] * (n - 3)])
    weights = np.exp(queries @ keys.T)
    goal = hw.Average(*range(targets))
    error = float(np.abs((weights.T / weights.sum(axis=1)).mean(axis=1) - goal.weights(n)).sum() / 2)
    with budget.within(10**12) as purse:
        said = hw.certify(model, queries, goal, error=error, confidence=0.5, mix="equal")
    assert said.status == "undecided", said
    assert purse.spent < 2 * 10**9
