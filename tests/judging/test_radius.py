"""radius: proved below, refuted above, against a slow bisection; and every answer that is not an interval."""

import math
import re
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import load
from headwright.search.radius import radius as _radius
from tests import known_moves
from tests.second_opinion import check_counterexample, judge

each = pytest.mark.parametrize
PER = [None, "key", "channel", "entry"]
GOALS = [hw.Copy(1), hw.Average(0, 1, 2), hw.Blend({0: 1, 1: 2, 2: 1})]


def profile_for(rng, per, n, d):
    return None if per is None else rng.uniform(0, 2, size={"key": n, "channel": d, "entry": (n, d)}[per])


def wide(profile, per):
    return 1.0 if profile is None else {"key": profile[:, None], "channel": profile[None]}.get(per, profile)


@each("norm", ["box", "ball"])
@each("per", PER)
@each("goal", GOALS, ids=["copy", "average", "blend"])
def test_the_interval_holds_the_true_radius(rng, goal, per, norm):
    keys, query, scale = rng.normal(size=(7, 4)), rng.normal(size=4), Fraction(3, 4)
    profile = profile_for(rng, per, 7, 4)
    with mpmath.workdps(40):
        reach = known_moves.moves(keys.shape, query, norm, wide(profile, per), scale)
        given = known_moves.scores(keys, query, scale), reach, dict(zip(goal.indices, goal.shares, strict=True))
        error = (1 + 2 * float(known_moves.variation(*given, mpmath.mpf(0)))) / 3
        low, high = known_moves.bisected(lambda t: known_moves.variation(*given, t) > error)
    found = hw.radius(keys, query, goal, error=error, norm=norm, per=per, profile=profile, scale=scale)
    assert found.exact
    assert found.low <= high
    assert low <= found.high
    assert (found.high - found.low) / found.high <= 1e-6
    assert judge(found.verdict.record) == "true"
    assert judge(found.refutation.record) == "false"
    assert check_counterexample(found.refutation)
    told = hw.attend(query, found.counterexample["keys"], scale=float(scale)).weights
    assert 0.5 * np.abs(told - goal.weights(7)).sum() >= error * (1 - 1e-9)


@each("norm", ["box", "ball"])
@each("per", PER)
@each("part", [None, 0.25])
def test_top(rng, part, per, norm):
    keys, query = rng.normal(size=(7, 4)), rng.normal(size=4)
    order, profile = np.argsort(-(keys @ query)), profile_for(rng, per, 7, 4)
    members = set(order[:2].tolist())
    with mpmath.workdps(40):
        reach = known_moves.moves(keys.shape, query, norm, wide(profile, per))
        given = known_moves.scores(keys, query), reach, members
        gap = None if part is None else part * float(known_moves.smallest_gap(*given, mpmath.mpf(0)))
        least = mpmath.mpf(gap or 0)
        low, high = known_moves.bisected(lambda t: known_moves.smallest_gap(*given, t) <= least)
    found = hw.radius(keys, query, hw.Top(*members), gap=gap, norm=norm, per=per, profile=profile)
    assert found.exact
    assert found.low <= high
    assert low <= found.high
    assert (found.high - found.low) / found.high <= 1e-6
    assert set(np.argsort(-(found.counterexample["keys"] @ query))[:2].tolist()) != members or gap


def test_both_ends_can_be_saved(tmp_path, rng):
    keys = rng.normal(size=(6, 3))
    design = hw.design(keys, hw.Copy(0), error=0.05)
    found = hw.radius(keys, design, error=0.1, profile=rng.uniform(size=(6, 3)), norm="ball")
    for name, verdict in (("low", found.verdict), ("high", found.refutation)):
        hw.save(tmp_path / name, verdict)
        assert hw.verify(tmp_path / name).status == verdict.status
        assert (load(tmp_path / name).region.profile == found.profile).all()


def test_several_heads_are_proved_as_far_as_they_are(rng):
    keys = rng.normal(size=(8, 6))
    design = hw.design(keys, hw.Average(0, 1), heads=2)
    found = hw.radius(keys, design, error=0.1)
    assert not found.exact
    assert 0 < found.low < found.high
    assert hw.certify(keys, design, error=0.1, radius=found.low).status == "proved"
    assert hw.certify(keys, design, error=0.1, radius=found.high).status == "refuted"
    assert hw.certify(keys, design, error=0.1, radius=found.low * 1.001).status != "proved"


def test_a_used_up_error_is_refused_and_a_larger_one_taken(rng):
    keys = rng.normal(size=(8, 6))
    design = hw.design(keys, hw.Copy(0))
    with pytest.raises(ValueError, match="`error`") as refused:
        hw.radius(keys, design)
    assert hw.radius(keys, design, error=advised(refused.value)).low > 0
    roomy = hw.Design(2 * design.queries, design.mix, 1.0, hw.Copy(0), 0.01, design.weights)
    assert hw.radius(keys, roomy).low > 0
    assert hw.radius(keys, roomy).low == hw.radius(keys, roomy, error=0.01).low


def advised(refusal):
    """The error that a refusal advises."""
    return re.search(r"`error=([^`]+)`", str(refusal)).group(1)


@each("length", [30.0, 5.0, 0.0, -1.0, -5.0, -30.0])
def test_the_advised_error_can_be_asked_for(length):
    """However near to 1 the error is that was used up, the one that is advised lies between it and 1."""
    query = [[length, 0.0, 0.0]]
    reached = hw.certify(np.eye(3), query, hw.Copy(0), error=1 - 2.0**-50).bound
    design = hw.Design(query, [1.0], 1.0, hw.Copy(0), reached, np.full(3, 1 / 3))
    with pytest.raises(ValueError, match="`error`") as refused:
        hw.radius(np.eye(3), design)
    assert reached < Fraction(advised(refused.value)) < 1
    found = hw.radius(np.eye(3), design, error=advised(refused.value))
    assert found.low > 0


def test_refuted_without_a_move():
    found = hw.radius(np.eye(3), [1.0, 0.0, 0.0], hw.Copy(0))
    assert (found.low, found.high, found.verdict, found.exact) == (None, 0.0, None, True)
    assert found.refutation.status == "refuted"
    assert found.counterexample is not None
    assert found.to_dict()["low"] is None


@each(
    ("query", "goal", "options"),
    [
        ([0.0, 0.0], hw.Average(0, 1), {"error": "0.6"}),
        ([5.0, 0.0], hw.Copy(0), {"profile": [0.0, 1.0], "per": "channel"}),
        ([5.0, 0.0], hw.Copy(0), {"profile": [[0.0, 1.0], [0.0, 1.0]], "norm": "ball"}),
        ([0.5, 0.0], hw.Average(0, 1), {"error": "0.5"}),
        ([5.0, 0.0], hw.Top(0), {"profile": [0.0, 1.0], "per": "channel"}),
    ],
)
def test_infinite(query, goal, options):
    found = hw.radius(np.eye(2), query, goal, **options)
    assert found.low == found.high == math.inf
    assert found.exact
    assert found.counterexample is None
    assert found.verdict.status == "proved"
    assert found.verdict.record.region.radius == 1
    assert found.reason
    assert found.reason in found.summary()
    assert found.to_dict()["high"] == "infinity"
    assert found.to_dict()["reason"] == found.reason
    assert hw.radius(np.eye(2), [5.0, 0.0], hw.Copy(0)).reason is None


def test_what_is_not_proved_is_not_called_infinite(monkeypatch):
    """No score moves, but the claim itself stays open: then nothing is known."""
    for kind in (hw.claims.WithinError, hw.claims.Withstands):
        monkeypatch.setattr(kind, "prove", lambda claim: hw.Undecided(claim.sentence()))
    found = hw.radius(np.eye(2), [5.0, 0.0], hw.Copy(0), profile=[0.0, 1.0], per="channel")
    assert (found.low, found.high, found.exact, found.reason) == (None, math.inf, False, None)
    assert found.verdict is found.refutation is None
    assert "not known" in found.summary()
    assert "Radius" in found._repr_html_()


def test_keys_that_stay_can_leave_the_rest_open():
    """Only key 2, a thousandth of the weight, moves, and only down: no radius breaks this, and none is called infinite."""
    keys, query = np.array([[9.0], [0.0]]), [1.0]
    found = hw.radius(keys, query, hw.Copy(0), error="0.1", profile=[1.0, 0.0], per="key")
    assert math.isfinite(found.high)  # key 0 falls
    found = hw.radius([[0.0], [1.0]], query, hw.Average(0, 1), error="0.499", profile=[1.0, 0.0], per="key")
    assert found.exact


@each("size", [1e-140, 1e-3, 1e3, 1e140])
@each("norm", ["box", "ball"])
def test_radii_of_every_size(rng, size, norm):
    keys, query = size * rng.normal(size=(6, 3)), 3 * rng.normal(size=3) / size
    top = hw.Copy(int((keys @ query).argmax()))
    found = hw.radius(keys, query, top, error="0.9", norm=norm)
    assert found.exact
    assert 1e-3 * size < found.low < 1e3 * size


def test_scales_with_the_profile(rng):
    keys, query = rng.normal(size=(6, 3)), 3 * rng.normal(size=3)
    top = hw.Copy(int((keys @ query).argmax()))
    one = hw.radius(keys, query, top, error="0.9")
    half = hw.radius(keys, query, top, error="0.9", profile=np.full(6, 0.5))
    assert half.low == pytest.approx(2 * one.low, rel=1e-6)


def test_precision_and_scale_of_a_design(rng):
    keys = rng.normal(size=(8, 4))
    design = hw.design(keys, hw.Copy(2), precision="bfloat16", scale=0.5)
    found = hw.radius(keys, design, error=0.05)
    assert found.exact
    assert found.verdict.record.heads.precision == "bfloat16"
    assert found.verdict.record.heads.scale == Fraction(1, 2)


def test_a_root_that_is_wrong_costs_proofs_only(rng, monkeypatch):
    keys, query = rng.normal(size=(6, 3)), 3 * rng.normal(size=3)
    top = hw.Copy(int((keys @ query).argmax()))
    right = hw.radius(keys, query, top, error="0.9")
    for wrong in (1e-5, 1.01, 300.0, 2.0**900, 2.0**-900):
        monkeypatch.setattr(_radius, "crossing", lambda *_, wrong=wrong: right.low * wrong)
        found = hw.radius(keys, query, top, error="0.9")
        assert found.low <= right.high
        assert right.low <= found.high
        assert found.exact


@each(
    ("options", "message"),
    [
        ({"profile": [1.0, 2.0, 3.0]}, "`per`"),
        ({"profile": [1.0, 2.0]}, "`profile`"),
        ({"profile": np.ones((2, 3))}, "`profile`"),
        ({"profile": [1.0, np.nan, 1.0], "per": "key"}, "`profile`"),
        ({"profile": [1.0, -1.0, 1.0], "per": "key"}, "`profile`"),
        ({"profile": [0.0, 0.0, 0.0], "per": "key"}, "`profile`"),
        ({"profile": [1.0, 1.0, 1.0], "per": "row"}, "`per`"),
        ({"profile": [1.0, 1.0, 1.0], "per": "entry"}, "`profile`"),
        ({"per": "key"}, "`per`"),
        ({"norm": "cube"}, "`norm`"),
        ({"gap": 1}, "`gap`"),
        ({"error": 0}, "`error`"),
        ({"error": float("nan")}, "`error`"),
        ({"goal": hw.Top(0), "error": 0.1}, "`error`"),
    ],
)
def test_wrong_calls(options, message):
    with pytest.raises(ValueError, match=message):
        hw.radius(**({"keys": np.eye(3), "design": [9.0, 0.0, 0.0], "goal": hw.Copy(0)} | options))


def test_wrong_types():
    with pytest.raises(TypeError, match="`goal`"):
        hw.radius(np.eye(3), [9.0, 0.0, 0.0])
    with pytest.raises(TypeError, match="`keys`"):
        hw.radius(hw.GaussianKeys(np.eye(3), isotropic=1.0), [9.0, 0.0, 0.0], hw.Copy(0))
    with pytest.raises(TypeError, match="`profile`"):
        hw.radius(np.eye(3), [9.0, 0.0, 0.0], hw.Copy(0), profile=["a", "b", "c"], per="key")


def test_certify_takes_the_same_profiles(rng):
    keys, query = rng.normal(size=(6, 4)), 3 * rng.normal(size=4)
    top = hw.Copy(int((keys @ query).argmax()))
    for profile, per in (
        (rng.uniform(size=6), None),
        (rng.uniform(size=4), "channel"),
        (rng.uniform(size=(6, 4)), None),
    ):
        found = hw.radius(keys, query, top, error="0.9", profile=profile, per=per)
        for t, status in ((found.low * (1 - 1e-9), "proved"), (found.high * (1 + 1e-9), "refuted")):
            assert hw.certify(keys, query, top, error="0.9", radius=t * profile, per=per).status == status
    with pytest.raises(ValueError, match="`per`"):
        hw.certify(np.eye(3), np.ones(3), hw.Copy(0), radius=np.ones(3))
    with pytest.raises(ValueError, match="`per`"):
        hw.certify(np.eye(3), np.ones(3), hw.Copy(0), radius=0.1, per="key")
    with pytest.raises(ValueError, match="`per`"):
        hw.certify(np.eye(3), np.ones(3), hw.Copy(0), per="key")


def test_shown(rng):
    found = hw.radius(np.eye(3), [9.0, 0.0, 0.0], hw.Copy(0))
    assert found.table()["status"] == ["proved", "refuted"]
    assert found.table()["radius"] == [found.low, found.high]
    assert found.to_dict()["verdict"]["status"] == "proved"
    assert "Radius" in repr(found)
    assert "Radius" in found._repr_html_()
