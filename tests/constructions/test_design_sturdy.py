"""Designs for keys that move: as short as any that withstand the moves, or a proof that none does."""

import cvxpy as cp
import numpy as np
import pytest

import headwright as hw
from headwright.search.least_norm import sturdy_design
from headwright.search.least_norm.sturdy import Sturdy
from tests.second_opinion import judge

each = pytest.mark.parametrize
PER = {
    None: lambda rng, n, d: 1.0,
    "key": lambda rng, n, d: rng.uniform(0, 2, size=n),
    "channel": lambda rng, n, d: rng.uniform(0, 2, size=d),
    "entry": lambda rng, n, d: rng.uniform(0, 2, size=(n, d)),
}


def far_key(keys):
    return int(np.linalg.norm(keys - keys.mean(axis=0), axis=1).argmax())


def peer(keys, i, error, moves, norm, scale):
    """CVXPY's norm of the same problem."""
    q = cp.Variable(keys.shape[1])
    size = cp.norm1 if norm == "box" else cp.norm2
    rows = np.broadcast_to(moves, keys.shape)
    own = size(cp.multiply(rows[i], q))
    terms = [(keys[j] - keys[i]) @ q + size(cp.multiply(rows[j], q)) + own for j in range(len(keys)) if j != i]
    problem = cp.Problem(cp.Minimize(cp.norm2(q)), [cp.log_sum_exp(cp.hstack(terms)) <= np.log(error / (1 - error))])
    problem.solve(solver=cp.CLARABEL)
    return problem.value / scale


@each("norm", ["box", "ball"])
@each("per", PER)
def test_the_shortest_copy_agrees_with_a_peer_and_is_proved_so(rng, per, norm):
    keys = rng.normal(size=(9, 4))
    i, radius = far_key(keys), 0.05 * PER[per](rng, 9, 4)
    design = hw.design(keys, hw.Copy(i), error=0.05, radius=radius, norm=norm, per=per, scale=0.5)
    assert design.verdict.status == "proved"
    assert design.error <= 0.05
    assert judge(design.verdict.record) == "true"
    shape = {None: (1, 1), "key": (9, 1), "channel": (1, 4), "entry": (9, 4)}[per]
    assert design.norm == pytest.approx(peer(keys, i, 0.05, np.reshape(radius, shape), norm, 0.5), rel=1e-5)
    # an ellipsoid per entry is bounded by the triangle inequality, which loses a little
    assert design.norm * (1 - (1e-2 if (per, norm) == ("entry", "ball") else 1e-8)) <= design.lower_bound <= design.norm
    assert judge(design.optimality.record) == "true"
    assert design.norm > hw.design(keys, hw.Copy(i), error=0.05, scale=0.5).norm
    again = hw.certify(keys, design, radius=radius, norm=norm, per=per)
    assert (again.status, again.record.kind) == ("proved", "withstands")


@each("norm", ["box", "ball"])
@each("per", PER)
def test_too_large_a_radius_is_proved_to_be_so(rng, per, norm):
    keys = rng.normal(size=(9, 4))
    radius = 3 * PER[per](rng, 9, 4)
    refusal = hw.design(keys, hw.Copy(far_key(keys)), error=0.05, radius=radius, norm=norm, per=per, throw=False)
    assert isinstance(refusal, hw.Unreachable)
    assert refusal.verdict.status == "proved"
    assert refusal.verdict.record.kind == "none-withstands"
    assert judge(refusal.verdict.record) == "true"


def test_the_radius_of_a_design_for_a_radius_is_that_radius(rng):
    keys = rng.normal(size=(9, 4))
    design = hw.design(keys, hw.Copy(far_key(keys)), error=0.05, radius=0.07)
    found = hw.radius(keys, design)
    assert 0.07 <= found.low <= found.high
    assert found.high == pytest.approx(0.07, rel=1e-6)
    assert found.verdict.record.region.radius == found.low


@each("norm", ["box", "ball"])
@each("per", list(PER))
@each("goal", [None, hw.Average(0, 1)], ids=["copy", "average"])
def test_its_own_radius_is_never_lost(rng, goal, per, norm):
    """The interval starts at the radius of the design or above it, where moves are measured alike."""
    keys = rng.normal(size=(9, 12))
    own, profile = 0.01 * PER[per](rng, 9, 12), PER[per](rng, 9, 12)
    goal = goal or hw.Copy(far_key(keys))
    design = hw.design(keys, goal, error=0.1, radius=own, norm=norm, per=per)
    profile, least = (None, own) if per is None else (own, 1.0)
    found = hw.radius(keys, design, norm=norm, per=per, profile=profile)
    assert least <= found.low <= found.high
    assert hw.radius(keys, design, norm={"box": "ball", "ball": "box"}[norm], per=per, profile=profile).exact


@each("goal", [hw.Average(0, 1), hw.Blend({0: 1, 1: 3})])
@each("norm", ["box", "ball"])
def test_other_goals_are_searched_for_and_certified(rng, goal, norm):
    keys = rng.normal(size=(30, 12))
    design = hw.design(keys, goal, error=0.1, radius=0.005, norm=norm)
    assert hw.certify(keys, design, radius=0.005, norm=norm).status == "proved"
    assert design.lower_bound is None
    assert hw.design(keys, goal, error=0.1).norm < design.norm
    assert design.norm < 2 * hw.design(keys, goal, error=0.1).norm
    assert hw.certify(keys, hw.design(keys, goal, error=0.1), radius=0.005, norm=norm).status == "refuted"
    refusal = hw.design(keys, goal, error=0.1, radius=1.0, norm=norm, throw=False)
    assert isinstance(refusal, hw.NotFound)


def test_a_query_that_needs_no_change_is_kept():
    keys = np.eye(3)
    design = hw.design(keys, hw.Average(0, 1, 2), error=0.1, radius=0.5)
    assert design.norm == 0
    assert design.verdict.record.kind == "withstands"


def test_a_search_that_fails_ends_in_a_proof_or_says_so(rng, monkeypatch):
    keys = rng.normal(size=(9, 4))
    lost = Sturdy(np.zeros(4), np.full(8, 1 / 8), reached=False)
    monkeypatch.setattr(sturdy_design, "least_sturdy", lambda *_: lost)
    refusal = hw.design(keys, hw.Copy(far_key(keys)), radius=0.01, throw=False)
    assert isinstance(refusal, hw.NotFound)
    assert 0 <= refusal.proved_bound < np.inf


@each("size", [1e-100, 1e100])
def test_keys_of_every_size(rng, size):
    keys = rng.normal(size=(9, 4))
    i = far_key(keys)
    one, other = (hw.design(s * keys, hw.Copy(i), error=0.05, radius=0.05 * s) for s in (1.0, size))
    assert other.norm * size == pytest.approx(one.norm, rel=1e-8)
    assert other.lower_bound == pytest.approx(other.norm, rel=1e-8)


@each(
    ("options", "message"),
    [
        ({"radius": 0}, "`radius`"),
        ({"radius": -1.0}, "`radius`"),
        ({"radius": float("nan")}, "`radius`"),
        ({"radius": np.ones(4)}, "`per`"),
        ({"radius": np.ones(5)}, "`radius`"),
        ({"radius": np.zeros((4, 4))}, "`radius`"),
        ({"radius": 0.1, "per": "key"}, "`per`"),
        ({"per": "key"}, "`per`"),
        ({"radius": 0.1, "norm": "cube"}, "`norm`"),
        ({"radius": 0.1, "precision": "float16"}, "`radius`.*`precision`"),
        ({"radius": 0.1, "method": "closed-form"}, "`radius`.*`method"),
        ({"radius": 0.1, "max_norm": 2.0}, "`radius`.*`max_norm`"),
        ({"radius": 0.1, "within": np.eye(4)}, "`radius`.*`within`"),
        ({"radius": 0.1, "goal": hw.Top(0)}, "`radius`.*`Top`"),
        ({"radius": 0.1, "goal": hw.Average(0, 1), "heads": 2}, "`radius`.*`heads`"),
        ({"radius": 0.1, "keys": hw.GaussianKeys(np.eye(4), isotropic=1.0), "confidence": 0.9}, "`radius`"),
    ],
)
def test_wrong_calls(options, message):
    with pytest.raises(ValueError, match=message):
        hw.design(**({"keys": np.eye(4), "goal": hw.Copy(0)} | options))


@each("norm", ["box", "ball"])
@each("per", list(PER))
def test_its_radius_is_the_default_of_certify(rng, per, norm, tmp_path):
    keys = rng.normal(size=(9, 4))
    radius = 0.02 * PER[per](rng, 9, 4)
    design = hw.design(keys, hw.Copy(far_key(keys)), error=0.05, radius=radius, norm=norm, per=per)
    hw.save(tmp_path / "d", design)
    for own in (design, hw.load(tmp_path / "d")):
        verdict = hw.certify(keys, own)
        assert verdict.status == "proved"
        assert verdict.record.stated() == design.verdict.record.stated()
    wider = hw.certify(keys, design, radius=1.0, norm=norm)
    assert wider.record.region.radius == 1
    tighter = hw.certify(keys, design, error="1e-6")
    assert (tighter.status, tighter.record.kind) == ("refuted", "withstands")
    assert hw.certify(keys, design, of=0, at_most=1).record.region is not None
    fixed = hw.certify(keys, design.queries, design.goal, error=0.05)
    assert fixed.record.kind == "within-error"


def test_a_default_radius_that_does_not_fit_is_refused(rng):
    keys = rng.normal(size=(9, 4))
    others = np.concatenate([keys, 0 * keys[:1]])
    goal = hw.Copy(far_key(keys))
    alike = hw.design(keys, goal, error=0.05, radius=0.01)
    assert hw.certify(others, alike).record.region.radius == alike.verdict.record.region.radius
    own = hw.design(keys, goal, error=0.05, radius=np.full(9, 0.01))
    with pytest.raises(ValueError, match="`radius`"):
        hw.certify(others, own)
    assert hw.certify(others, own, radius=0.01).record.region.radius == alike.verdict.record.region.radius
    moved = hw.certify(np.stack([keys, keys + 0.001]), own)
    assert [each.record.kind for each in moved] == ["withstands"] * 2
