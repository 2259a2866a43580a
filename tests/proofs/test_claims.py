"""The three claims against slow oracles: the true value is known, and the verdict is right on both sides of it."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.kernel import balls, weight_bound, withstands
from headwright.kernel.balls import tiers
from headwright.kernel.heads import Heads
from headwright.kernel.region import Region
from headwright.kernel.weight_bound import WeightBound, above, extreme
from headwright.kernel.within_error import WithinError
from headwright.kernel.withstands import Withstands
from tests.facts import says
from tests.known_truth import Base, average, blend, copy, digits, truth
from tests.second_opinion import check_counterexample, judge

HAIR = Fraction(1, 10**13)
GOALS = {"copy": lambda rng: copy(1), "average": lambda rng: average(3), "blend": lambda rng: blend(rng, 4)}


def true_value(base):
    with mpmath.workdps(200):
        return digits(truth(base))


def goal_of(shares):
    return hw.Copy(*shares) if len(shares) == 1 else hw.Blend(shares)


def ask(base, number):
    common = {"scale": base.scale, "mix": base.mix, "radius": base.radius, "norm": base.norm}
    if base.values is not None:
        return hw.certify(base.rows, base.queries, of=base.values, at_most=number, **common)
    return hw.certify(base.rows, base.queries, goal_of(base.goal), error=number, **common)


def assert_told_apart(base):
    value = true_value(base)
    over, under = ask(base, value * (1 + HAIR)), ask(base, value * (1 - HAIR))
    assert over.status == "proved"
    assert under.status == "refuted"
    assert over.bound >= value * (1 - HAIR)
    assert check_counterexample(under)
    return over, under


@pytest.mark.parametrize("heads", [1, 3])
@pytest.mark.parametrize("goal", GOALS)
def test_fixed_keys(rng, goal, heads):
    rows, queries = rng.normal(size=(11, 3)), rng.normal(size=(heads, 3))
    base = Base(rows, queries, GOALS[goal](rng), mix=rng.uniform(size=heads), scale=Fraction(2, 3))
    over, under = assert_told_apart(base)
    assert over.bound <= float(true_value(base)) * (1 + 1e-12)
    assert under.bound >= float(true_value(base)) * (1 - 1e-12)


@pytest.mark.parametrize("norm", ["box", "ball"])
@pytest.mark.parametrize("goal", GOALS)
def test_moved_keys_one_head(rng, goal, norm):
    rows, queries = rng.normal(size=(9, 3)), rng.normal(size=(1, 3))
    assert_told_apart(Base(rows, queries, GOALS[goal](rng), radius=Fraction(1, 7), norm=norm))


@pytest.mark.parametrize("radius", [None, Fraction(1, 5)])
def test_functional(rng, radius):
    rows, queries = rng.normal(size=(9, 3)), rng.normal(size=(1, 3))
    assert_told_apart(Base(rows, queries, values=rng.uniform(0.1, 1, size=9), radius=radius, norm="ball"))


def test_at_least_is_at_most_turned_round(rng):
    keys, query, y = rng.normal(size=(6, 2)), rng.normal(size=2), rng.normal(size=6)
    for radius in (None, 0.1):
        for number in (-0.5, 0.0, 0.25):
            least = hw.certify(keys, query, of=y, at_least=number, radius=radius)
            most = hw.certify(keys, query, of=-y, at_most=-number, radius=radius)
            assert least.status == most.status
            assert least.status == "refuted" or least.bound == -most.bound


def test_equality_by_ties_is_decided():
    keys = np.ones((5, 2))
    assert hw.certify(keys, [0.1, 0.7], hw.Copy(0), error="4/5").status == "proved"
    assert hw.certify(keys, [0.1, 0.7], hw.Copy(0), error="0.7999999999999999999999999999").status == "refuted"
    assert hw.certify(keys, [[0.1, 0.7], [3.0, 1.0]], hw.Average(0, 1), error="3/5", mix="equal").status == "proved"
    assert hw.certify(keys, [0.1, 0.7], of=0, at_least="1/5").status == "proved"


def test_one_key_has_no_error():
    assert hw.certify([[3.0]], [0.1], hw.Copy(0), error="1e-300").status == "proved"
    assert hw.certify([[3.0]], [0.1], hw.Copy(0), error="1e-300", radius=5).status == "proved"


def test_what_no_precision_tells_apart_is_undecided(monkeypatch):
    """Copy(0) of two keys has the error 1/(1+e), irrational: a rational 10^-1300 away is beyond 4096 bits."""
    monkeypatch.setattr(tiers, "_WORK", 1)
    with mpmath.workdps(1400):
        value = digits(1 / (1 + mpmath.exp(1)), 1300)
    assert hw.certify([[1.0], [0.0]], [1.0], hw.Copy(0), error=value).status == "undecided"
    assert hw.certify([[2.0], [0.0]], [1.0], hw.Copy(0), error=value, radius="1/2").status == "undecided"
    assert hw.certify([[1.0], [0.0]], [1.0], of=1, at_most=value).status == "undecided"


@pytest.mark.parametrize("norm", ["box", "ball"])
def test_several_heads_with_moved_keys(rng, norm):
    """Not exact: what is decided must agree with moved keys that are tried, and far from the border all is decided."""
    keys, queries = rng.normal(size=(8, 3)), rng.normal(size=(2, 3))
    seen = []
    for error in np.linspace(0.02, 0.98, 13):
        for goal in (hw.Copy(1), hw.Average(0, 4)):
            verdict = hw.certify(keys, queries, goal, error=error, radius="0.2", norm=norm, mix=[1, 3])
            seen.append(verdict.status)
            assert verdict.status != "proved" or judge(verdict.record) == "true"  # it proves what the library proves
            assert verdict.status != "refuted" or check_counterexample(verdict)
    assert {"proved", "refuted"} <= set(seen)


def test_several_heads_may_stay_undecided():
    """Opposite queries cannot both be at their worst, but the bound takes them so: no counterexample exists."""
    verdict = hw.certify([[0.0], [0.0]], [[1.0], [-1.0]], hw.Average(0, 1), error="0.01", radius="0.5", mix="equal")
    assert verdict.status == "undecided"
    assert verdict.reason
    weight = hw.certify([[0.0], [0.0]], [[1.0], [-1.0]], of=0, at_most="0.51", radius="0.5", mix="equal")
    assert weight.status == "undecided"


def test_several_heads_functional_with_moved_keys(rng):
    keys, queries, y = rng.normal(size=(8, 3)), rng.normal(size=(2, 3)), rng.uniform(size=8)
    seen = {}
    for number in np.linspace(0, 1, 21):
        verdict = hw.certify(keys, queries, of=y, at_most=number, radius="0.1", mix="equal")
        seen.setdefault(verdict.status, verdict)
        assert verdict.status != "proved" or judge(verdict.record) == "true"
        assert verdict.status != "refuted" or check_counterexample(verdict)
    assert {"proved", "refuted"} <= seen.keys()
    assert seen["proved"].method != hw.certify(keys, queries[0], of=y, at_most=1, radius="0.1").method  # head by head


def test_a_bound_that_is_never_known_leaves_it_to_moved_keys(monkeypatch):
    monkeypatch.setattr(weight_bound, "extreme", lambda *_: None)
    keys, queries = [[1.0, 0.0], [0.0, 1.0]], [[1.0, 2.0], [2.0, 1.0]]
    assert hw.certify(keys, queries, of=0, at_most="0.99", radius="0.1", mix="equal").status == "undecided"
    assert hw.certify(keys, queries, of=0, at_most="0.01", radius="0.1", mix="equal").status == "refuted"


def test_bounds_next_to_the_number_climb_to_the_end():
    """Equal heads: the sum of extremes is the truth, here 1/(1+e^{-4/10}), and the number is a hair below or above it."""
    keys, queries = [[0.0], [0.0]], [[1.0], [1.0]]
    with mpmath.workdps(100):
        value = digits(1 / (1 + mpmath.exp(mpmath.mpf(-4) / 10)))
    for asked, told in ((value * (1 - HAIR**2), "undecided"), (value * (1 + HAIR), "proved")):
        assert hw.certify(keys, queries, of=0, at_most=asked, radius="0.2", mix="equal").status == told
        goal = {"error": asked, "radius": "0.2"}
        assert hw.certify(keys, queries, hw.Copy(1), **goal, mix="equal").status == told


def test_moved_keys_that_float64_cannot_hold_are_no_candidates():
    """Near 128 the hair by which moves of 1/64 are drawn in is lost to rounding, and the keys would lie outside."""
    keys, queries = np.full((3, 1), 128.0), np.full((2, 1), 0.125)
    assert hw.certify(keys, queries, of=0, at_most="0.1", radius="1/64", mix="equal").status != "proved"
    assert hw.certify(keys, queries, hw.Copy(0), error="0.1", radius="1/64", mix="equal").status != "proved"


def test_a_bound_too_wide_at_every_precision_proves_nothing(monkeypatch):
    monkeypatch.setattr(Withstands, "_bound", lambda self, tier: balls.around([0.5], [1.0])[0])
    keys, queries = np.eye(2), 9 * np.ones((2, 2))
    assert hw.certify(keys, queries, hw.Average(0, 1), error="0.5", radius="0.001", mix="equal").status == "undecided"


def test_too_many_subsets_fall_back_to_a_bound(rng, monkeypatch):
    monkeypatch.setattr(withstands, "_MOST_SUBSETS", 4)
    keys, query = np.eye(6), np.array([9.0, 9.1, 9.2, 0, 0, 0])
    goal = hw.Blend({0: 0.3, 1: 0.33, 2: 0.37})
    good = hw.certify(keys, query, goal, error="0.2", radius="0.01")
    assert good.status == "proved"
    assert says(good.method, 4)
    bad = hw.certify(keys, query, goal, error="0.001", radius="0.01")
    assert bad.status == "refuted"
    assert check_counterexample(bad)


def test_vertex_without_float_keys_is_still_a_refutation():
    """Keys of 1e17 cannot move by 0.1 in float64: the vertex stands alone as counterexample."""
    keys = np.array([[1e17, 1.0], [1e17, 0.0]])
    verdict = hw.certify(keys, [0.0, 3.0], hw.Copy(0), error="0.05", radius="1e-17")
    far = hw.certify(keys, [1.0, 3.0], hw.Copy(0), error="0.05", radius="0.1")
    assert verdict.status == "proved"
    assert far.status == "refuted"
    assert "signs" in far.counterexample
    assert check_counterexample(far)


def test_wrong_claims_are_refused():
    heads = Heads(np.eye(2), np.ones((1, 2)), np.ones(1), Fraction(1))
    region = Region(Fraction(1), "box")
    for error in (Fraction(0), Fraction(1), Fraction(-1)):
        with pytest.raises(ValueError, match="`error`"):
            WithinError(heads, hw.Copy(0), error)
        with pytest.raises(ValueError, match="`error`"):
            Withstands(heads, hw.Copy(0), error, region)
    with pytest.raises(ValueError, match=r"`goal`.*2"):
        WithinError(heads, hw.Copy(2), Fraction(1, 2))
    with pytest.raises(ValueError, match="`values`"):
        WeightBound(heads, np.ones(3), "at most", Fraction(1))
    with pytest.raises(ValueError, match="`side`"):
        WeightBound(heads, np.ones(2), "below", Fraction(1))


def test_above_is_exact():
    y = np.array([-1.0, 0.0, 5e-324, 0.1, 1.0])
    for c in (Fraction(0.1), Fraction(1, 10), Fraction(0), Fraction(10**400), -Fraction(10**400), Fraction(1, 10**400)):
        assert above(y, c).tolist() == [Fraction(v) > c for v in y.tolist()]


def test_extreme_is_none_where_nothing_is_known():
    unknown = balls.exact(1) / balls.around([0.0], [1.0])[0]
    assert extreme(([unknown, unknown], [unknown, unknown]), np.array([0.0, 1.0])) is None


def test_extreme_gives_up_rather_than_guess(monkeypatch):
    monkeypatch.setattr(weight_bound, "excess", lambda *_: balls.exact(1))
    assert extreme(([balls.exact(1), balls.exact(2)],) * 2, np.array([0.0, 1.0])) is None


def test_numbers_of_a_narrow_type_are_checked():
    good = np.array([[1.0, 0.5], [0.25, -2.0]])
    Heads(good, good[:1], np.ones(1), Fraction(1), "bfloat16")
    with pytest.raises(ValueError, match="`keys`"):
        Heads(good + 1e-5, good[:1], np.ones(1), Fraction(1), "bfloat16")
    with pytest.raises(ValueError, match="`queries`"):
        Heads(good, good[:1] + 1e-9, np.ones(1), Fraction(1), "float16")
