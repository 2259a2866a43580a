"""Bounds on the total variation over each of many key sets: float64 for all, and one at a time where that is open."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.kernel import variation_of_each as module
from headwright.kernel.certificate import load
from headwright.kernel.variation_of_each import VariationOfEach
from tests.facts import says


def claim_of(keys, queries, goals, *, mix=None, scale=1, least=None, most=None, precision=None):
    b = len(keys) if least is None else len(least)
    mix = np.ones(np.shape(queries)[1]) if mix is None else mix
    least, most = (np.full(b, end) if given is None else given for given, end in ((least, 0.0), (most, 1.0)))
    return VariationOfEach(keys, queries, mix, Fraction(scale), goals, least, most, precision)


def truth(keys, queries, goal, mix, scale, digits=300):
    """The total variation as half the sum of all differences, in many digits."""
    with mpmath.workdps(digits):
        weights = [mpmath.mpf(0)] * len(keys)
        for query, part in zip(queries.tolist(), mix.tolist(), strict=True):
            powers = [
                mpmath.exp(
                    mpmath.mpf(scale) * mpmath.fdot([mpmath.mpf(x) for x in query], [mpmath.mpf(x) for x in key])
                )
                for key in keys.tolist()
            ]
            whole = mpmath.fsum(powers)
            total = mpmath.fsum([mpmath.mpf(x) for x in mix.tolist()])
            weights = [w + mpmath.mpf(part) / total * power / whole for w, power in zip(weights, powers, strict=True)]
        for j, share in zip(goal.indices, goal.shares, strict=True):
            weights[j] -= mpmath.mpf(share.numerator) / share.denominator
        return mpmath.fsum([abs(w) for w in weights]) / 2


def random_goal(rng, n):
    chosen = rng.choice(n, size=int(rng.integers(1, n + 1)), replace=False)
    kind = rng.integers(3)
    if kind == 0:
        return hw.Copy(chosen[0])
    return hw.Average(chosen) if kind == 1 else hw.Blend({int(j): float(rng.random()) + 1e-9 for j in chosen})


@pytest.mark.parametrize("size", [1e-3, 1.0, 8.0, 60.0])
@pytest.mark.parametrize("h", [1, 3])
def test_the_enclosures_hold_the_truth(size, h, rng):
    b, n, d = 30, 7, 5
    keys, queries = rng.normal(size=(b, n, d)), size * rng.normal(size=(b, h, d))
    mix, scale = rng.random(h) + 0.01, 0.7
    goals = tuple(random_goal(rng, n) for _ in range(b))
    claim = claim_of(keys, queries, goals, mix=mix, scale=scale)
    low, high = claim.enclosures()
    for i in range(b):
        exact = truth(keys[i], queries[i], goals[i], mix, scale)
        assert low[i] <= exact <= high[i]
        assert high[i] - low[i] <= 1e-10
    assert replace(claim, least=low, most=high).prove().status == "proved"


def test_tiny_errors_keep_their_relative_precision(rng):
    keys = np.tile(np.eye(6), (4, 1, 1))
    queries = np.array([30.0, 100.0, 400.0, 590.0])[:, None, None] * np.eye(6)[:1]
    claim = claim_of(keys, queries, (hw.Copy(0),))
    low, high = claim.enclosures()
    for i in range(4):
        exact = truth(keys[i], queries[i], hw.Copy(0), np.ones(1), 1, digits=400)
        assert low[i] <= exact <= high[i] <= low[i] * (1 + 1e-9)


def test_each_bound_counts(rng):
    keys, queries = rng.normal(size=(5, 6, 3)), rng.normal(size=(1, 2, 3))
    claim = claim_of(keys, queries, (hw.Average(1, 4),))
    low, high = claim.enclosures()
    assert replace(claim, least=low, most=high).prove().bound == pytest.approx(high.max(), rel=1e-12)
    for i in range(5):
        for name, end, factor in (("most", high, 1 - 1e-9), ("least", low, 1 + 1e-9)):
            wrong = end.copy()
            wrong[i] *= factor
            verdict = replace(claim, **{"least": low, "most": high, name: wrong}).prove()
            assert (verdict.status, verdict.counterexample["key set"]) == ("refuted", i)
            np.testing.assert_array_equal(verdict.counterexample["keys"], keys[i])


def test_every_open_key_set_is_looked_at_with_its_own_query_and_goal(rng):
    keys, all_ = rng.normal(size=(3, 5, 2)), hw.Average(range(5))
    still = np.array([[[0.0, 0.0]], [[0.0, 0.0]], [[0.0, 1e-9]]])  # equal weights, but for the last key set
    claim = claim_of(keys, still, (all_,), most=np.zeros(3))
    verdict = claim.prove()
    assert (verdict.status, verdict.counterexample["key set"]) == ("refuted", 2)
    np.testing.assert_array_equal(verdict.counterexample["queries"], still[2])
    assert replace(claim, queries=still[:2].repeat(2, axis=0)[:3]).prove().status == "proved"
    moving = np.array([[[1.0, 0.0]], [[0.0, 0.0]], [[0.0, 0.0]]])
    own = replace(claim, queries=moving, goals=(hw.Copy(0), all_, all_), most=np.array([1.0, 0.0, 0.0]))
    assert own.prove().status == "proved"


@pytest.mark.parametrize("h", [1, 2])
def test_rows_share_their_keys_in_turn(h, rng, monkeypatch, tmp_path):
    """Rows 0 and 1 read key set 0, rows 2 and 3 key set 1: as when every row has a copy of its keys, in parts too."""
    keys, queries = rng.normal(size=(3, 5, 2)), rng.normal(size=(6, h, 2))
    goals = tuple(hw.Copy(i % 5) for i in range(6))
    alone = claim_of(keys.repeat(2, axis=0), queries, goals)
    low, high = alone.enclosures()
    shared = replace(alone, keys=keys, least=low * (1 - 1e-12), most=high * (1 + 1e-12))
    for together in (module._TOGETHER, 10):
        monkeypatch.setattr(module, "_TOGETHER", together)
        np.testing.assert_allclose(shared.enclosures(), (low, high), rtol=1e-12)
    verdict = shared.prove()
    assert (verdict.status, shared.row) == ("proved", "query" if h == 1 else "mixture")
    assert says(verdict.claim, f"each of 6 {shared.rows}, 2 in turn over each of 3 key sets", f"that {shared.row}")
    hw.save(tmp_path / "c", verdict)
    assert hw.verify(tmp_path / "c").claim == verdict.claim
    for i in range(6):
        wrong = replace(shared, most=np.where(np.arange(6) == i, 0.9 * high, shared.most)).prove()
        assert (wrong.status, wrong.counterexample[shared.row]) == ("refuted", i)
        np.testing.assert_array_equal(wrong.counterexample["keys"], keys[i // 2])
    with pytest.raises(ValueError, match=r"`least`.*3 key sets"):
        replace(shared, least=low[:5], most=high[:5], queries=queries[:5], goals=goals[:5])


def test_an_open_row_is_looked_at_over_its_own_keys():
    """Equal weights over key set 0 and others over key set 1: only exact scores tell that an error is 0."""
    keys, all_ = np.array([[[1.0], [1.0]], [[1.0], [2.0]]]), hw.Average(0, 1)
    claim = claim_of(keys, [[[1.0]], [[3.0]], [[0.0]], [[0.0]]], (all_,), least=np.zeros(4), most=np.zeros(4))
    assert claim.prove().status == "proved"
    assert replace(claim, queries=[[[1.0]], [[3.0]], [[0.0]], [[1e-9]]]).prove().counterexample["query"] == 3


def variation(powers, mix, wanted):
    """Total variation of mixed heads with these exponentials, in rationals."""
    sums = [sum(row) for row in powers]
    weights = [sum(p * row[j] / s for p, row, s in zip(mix, powers, sums, strict=True)) for j in range(len(wanted))]
    return sum(abs(w - g) for w, g in zip(weights, wanted, strict=True)) / 2


@pytest.mark.parametrize("h", [1, 2])
@pytest.mark.parametrize("width", [0.3, 1e-6])
def test_the_ends_hold_all_exponentials_within_their_radii(h, width, rng):
    """The total variation at every vertex of the exponentials' enclosures: nothing but the two ends may bound it."""
    n, b = 4, 12
    powers = rng.random((b, h, n)) + 1e-3
    radii = width * powers * rng.random((b, h, n))
    wanted = np.array([random_goal(rng, n).weights(n) for _ in range(b)])
    mix = rng.integers(1, 9, size=h)
    shares = np.array([float(Fraction(int(part), int(mix.sum()))) for part in mix])
    low, high = module._variations(powers, radii, np.ones(b, dtype=bool), shares, wanted)
    exact = [Fraction(int(part), int(mix.sum())) for part in mix]
    for i in range(b):
        goal = [Fraction(float(g)) for g in wanted[i]]
        for signs in product((-1, 1), repeat=h * n):
            moved = np.reshape(signs, (h, n)) * radii[i]
            at = [
                [Fraction(float(e)) + Fraction(float(r)) for e, r in zip(*row, strict=True)]
                for row in zip(powers[i], moved, strict=True)
            ]
            found = variation(at, exact, [g / sum(goal) for g in goal])
            assert Fraction(float(low[i])) <= found <= Fraction(float(high[i]))


@pytest.mark.parametrize("size", [1.0, 3e3, 1e5])
def test_the_exponentials_hold_the_exact_scores(size, rng):
    """Scores that cancel, a key without a score of its own, and a scale that float64 rounds."""
    keys, queries = rng.normal(size=(40, 6, 4)), rng.normal(size=(40, 1, 4))
    keys[:, :, 0] += size
    queries[:, :, 0] += size
    keys[:, 5] = 0.0
    scale = Fraction(1, 3)
    if size == 1.0:  # the zero key has no score, and its difference from the largest is rounded alone
        top = (queries @ keys.transpose(0, 2, 1)).max(axis=(1, 2))
        queries *= np.where(top > 0, 1770 / np.maximum(top, 1e-9), 1.0)[:, None, None]
    claim = claim_of(keys, queries, (hw.Copy(0),), scale=scale)
    powers, radii, held = claim._exponentials(slice(0, 40))
    middle = (queries @ keys.transpose(0, 2, 1)).max(axis=2)
    with mpmath.workdps(60):
        for i, j in product(np.flatnonzero(held), range(6)):
            score = sum(Fraction(float(a)) * Fraction(float(b)) for a, b in zip(keys[i, j], queries[i, 0], strict=True))
            x = scale * (score - Fraction(float(middle[i, 0])))
            if x > -600:
                exact = mpmath.exp(mpmath.mpf(x.numerator) / x.denominator)
                assert abs(exact - powers[i, 0, j]) <= radii[i, 0, j]
    assert held.any()


def test_bounds_that_float64_cannot_tell_apart_are_looked_at_one_by_one(rng):
    keys = np.repeat(rng.normal(size=(4, 1, 3)), 5, axis=1)  # all scores tie: the error of Average over all keys is 0
    whole = claim_of(keys, rng.normal(size=(1, 1, 3)), (hw.Average(range(5)),), most=np.zeros(4))
    assert whole.prove().status == "proved"
    assert "exact scores" in whole.prove().method
    copy = claim_of(keys, rng.normal(size=(1, 1, 3)), (hw.Copy(0),), least=np.full(4, 0.8), most=np.full(4, 0.8))
    assert copy.prove().status == "refuted"  # the float 0.8 is not 4/5
    inexact = replace(copy, least=np.full(4, np.nextafter(0.8, 0)), most=np.full(4, np.nextafter(0.8, 1)))
    assert inexact.prove().status == "proved"


@pytest.mark.parametrize("size", [1e200, 1e-200, 1e300, 1e-310])
def test_scores_beyond_float64_leave_the_others_alone(size, rng):
    keys = rng.normal(size=(3, 5, 4))
    keys[1] *= size
    claim = claim_of(keys, np.ones((1, 1, 4)) * 1e150, (hw.Copy(2),))
    low, high = claim.enclosures()
    alone = replace(claim, keys=keys[[0, 2]], least=np.zeros(2), most=np.ones(2)).enclosures()
    np.testing.assert_array_equal(low[[0, 2]], alone[0])
    np.testing.assert_array_equal(high[[0, 2]], alone[1])
    assert claim.prove().status == "proved"
    if size > 1:  # its scores overflow
        assert (low[1], high[1]) == (0, 1)


@pytest.mark.parametrize("scale", [Fraction(2) ** -600, Fraction(2) ** 600, Fraction(1, 3)])
def test_any_scale(scale):
    claim = claim_of(np.eye(3)[None], np.ones((1, 1, 3)), (hw.Copy(0),), scale=scale, most=[0.7])
    assert claim.prove().status == "proved"
    assert replace(claim, most=[0.66]).prove().status == "refuted"


def test_a_mix_and_shares_far_below_one(rng):
    keys, queries = rng.normal(size=(2, 4, 3)), rng.normal(size=(1, 2, 3))
    goal = hw.Blend({0: 1, 1: "1e-330", 2: "1e-320"})
    claim = claim_of(keys, queries, (goal,), mix=np.array([1.0, 5e-324]))
    low, high = claim.enclosures()
    for i in range(2):
        exact = truth(keys[i], queries[0, :1], hw.Copy(0), np.ones(1), 1, digits=400)
        assert low[i] <= exact <= high[i]
    assert replace(claim, least=low, most=high).prove().status == "proved"


def test_many_parts_are_the_same_as_one(rng, monkeypatch):
    keys, queries = rng.normal(size=(11, 6, 3)), rng.normal(size=(11, 2, 3))
    claim = claim_of(keys, queries, tuple(hw.Copy(i % 6) for i in range(11)))
    before = claim.enclosures()
    monkeypatch.setattr(module, "_TOGETHER", 40)
    np.testing.assert_allclose(claim.enclosures(), before, rtol=1e-12)


def test_a_file_gives_the_claim_back(rng, tmp_path):
    keys = rng.normal(size=(3, 4, 2)).astype(np.float32)
    claim = claim_of(
        keys, np.float32(rng.normal(size=(3, 1, 2))), (hw.Copy(0), hw.Copy(1), hw.Copy(2)), precision="float32"
    )
    hw.save(tmp_path / "c", claim.prove())
    back = load(tmp_path / "c")
    assert back.goals == claim.goals
    assert back.precision == "float32"
    assert hw.verify(tmp_path / "c").status == "proved"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dict(keys=np.eye(3)), "`keys`"),
        (dict(queries=np.ones((2, 1, 3))), "`queries`.*3 key sets"),
        (dict(queries=np.ones((1, 1, 4))), "`queries`"),
        (dict(goals=(hw.Copy(0), hw.Copy(1))), "`goals`.*3 key sets"),
        (dict(goals=()), "`goals`"),
        (dict(goals=(hw.Copy(9),)), "`goal`"),
        (dict(most=np.ones(2)), "`most`"),
        (dict(least=np.array([0, 0, np.nan])), "`least`.*nan"),
        (dict(mix=np.zeros(1)), "`mix`"),
        (dict(scale=Fraction(0)), "`scale`"),
        (dict(precision="float16", keys=np.full((3, 4, 3), 0.1)), "`keys`"),
        (dict(precision="float16", keys=np.array([1, 1, 0.1])[:, None, None] * np.ones((3, 4, 3))), "`keys`"),
    ],
)
def test_refused_when_made(change, message):
    claim = claim_of(np.ones((3, 4, 3)), np.ones((1, 1, 3)), (hw.Copy(0),))
    with pytest.raises(ValueError, match=message):
        replace(claim, **change)
