"""The public call: what it takes, what it refuses, and how its result looks."""

import json
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.search.random_keys.outcome import heads_of, probability_met
from tests.facts import says

KEYS = hw.GaussianKeys(np.eye(4, 3), along={0: 0.5})
QUERY = [3.0, 3.0, 0.0]


def test_a_design_brings_its_goal_and_its_own_scale():
    design = hw.Design(np.array([QUERY]), np.ones(1), 0.5, hw.Average(0, 1), 0.1, np.zeros(4))
    found = hw.outcome(KEYS, design)
    raw = hw.outcome(KEYS, QUERY, hw.Average(0, 1), scale=0.5)
    assert found.goal == hw.Average(0, 1)
    assert (found.mean == raw.mean).all()
    assert found.error_mean == raw.error_mean
    assert hw.outcome(KEYS, design, hw.Copy(1)).goal == hw.Copy(1)
    with pytest.raises(ValueError, match=r"`scale`.*`mix`"):
        hw.outcome(KEYS, design, scale=1)


def test_scores_at_the_ends_of_float64():
    for size in (1e8, 1e30):
        huge = hw.outcome(KEYS, np.array([size, 1.0, 0.0]), hw.Copy(0))
        assert huge.mean[0] == pytest.approx(0.9213503964748575, abs=1e-8)  # P(length > 0) = Φ(√2): all or nothing
        assert huge.uncertainty["mean"].max() < 1e-15
    sharp = hw.outcome(KEYS, np.array([1e8, 1.0, 0.0]), hw.Copy(0))
    assert sharp.probability(0.5) == pytest.approx(0.9213503964748575, abs=1e-8)
    assert sharp.quantile(0.9).high < 1e-6
    assert sharp.quantile(0.95).low > 1 - 1e-6
    with pytest.raises(ValueError, match=r"`design`.*float64"):
        hw.outcome(hw.GaussianKeys(1e300 * np.eye(3), isotropic=1.0), 1e300 * np.eye(3)[:2], hw.Copy(0), mix="equal")


def test_precision_does_not_go_with_key_models():
    design = hw.design(np.eye(4, 3)[:3], hw.Copy(0), precision="float16")
    assert hw.outcome(np.eye(3), design).proved
    with pytest.raises(ValueError, match="`precision`"):
        hw.outcome(hw.GaussianKeys(np.eye(3), isotropic=0.1), design)


def test_a_design_for_top_has_no_error():
    design = hw.design(np.eye(4, 3), hw.Top(0, 1))
    found = hw.outcome(KEYS, design)
    assert found.goal is None
    assert found.mean.shape == (4,)


@pytest.mark.parametrize("ask", [lambda o: o.error_mean, lambda o: o.probability(0.1), lambda o: o.quantile(0.5)])
def test_figures_of_the_error_need_a_goal(ask):
    with pytest.raises(ValueError, match="`goal`"):
        ask(hw.outcome(KEYS, QUERY))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (dict(goal=0), TypeError, "`goal`.*int"),
        (dict(goal=hw.Top(0)), TypeError, "`goal`.*Top"),
        (dict(goal=hw.Copy(4)), ValueError, "`goal`.*4"),
        (dict(values=np.ones((3, 2))), ValueError, r"`values`.*\(3, 2\)"),
        (dict(values=np.ones(4)), ValueError, "`values`"),
        (dict(samples=0), ValueError, "`samples`.*0"),
        (dict(samples=2**41), ValueError, "`samples`.*1"),
        (dict(samples=1.5), TypeError, "`samples`"),
        (dict(seed=-1), ValueError, "`seed`"),
        (dict(keys=[[1.0], [np.nan]]), ValueError, "`keys`"),
        (dict(design=[1.0]), ValueError, "`queries`.*3"),
        (dict(mix=[1.0, 1.0]), ValueError, "`mix`.*h = 1"),
        (dict(scale=0), ValueError, "`scale`"),
    ],
)
def test_wrong_calls(call, error, message):
    with pytest.raises(error, match=message):
        hw.outcome(**({"keys": KEYS, "design": QUERY} | call))


def test_wrong_questions():
    found = hw.outcome(KEYS, QUERY, hw.Copy(0))
    for p in (0, 1, -0.5, "3/2"):
        with pytest.raises(ValueError, match="`p`"):
            found.quantile(p)
    with pytest.raises(ValueError, match="`error`"):
        found.probability(-0.1)
    assert found.probability(1) == 1
    assert found.probability(2).proved
    with pytest.raises(AttributeError, match="frozen"):
        found.goal = hw.Copy(1)
    with pytest.raises(ValueError, match="read-only"):
        found.mean[0] = 0.0


def test_it_shows_which_kind_it_is():
    proved = hw.outcome(KEYS, QUERY, hw.Average(0, 1))
    estimated = hw.outcome(
        hw.GaussianKeys(np.eye(4, 3), isotropic=0.1),
        [QUERY, [0.0, 1.0, 1.0]],
        hw.Average(0, 1),
        samples=1024,
        seed=9,
        mix="equal",
    )
    assert "proved" in repr(proved)
    assert "≈" not in repr(proved)
    assert "estimated" not in repr(proved)
    assert "estimated" in repr(estimated)
    assert "proved" not in repr(estimated)
    assert says(repr(estimated), 9)
    assert all("≈" in line for line in repr(estimated).splitlines()[2:])
    assert says(repr(proved).splitlines()[0], 1, 4, 3, "0.5", 0)
    assert repr(proved).count("* key") == 2
    for found in (proved, estimated):
        assert found.kind in found._repr_html_().replace("&#x27;", "'")
        data = json.loads(json.dumps(found.to_dict()))
        assert data["mean"] == found.mean.tolist()
        assert data["error_mean"]["value"] == found.error_mean
        table = found.table()
        assert {len(column) for column in table.values()} == {4}
        assert table["goal"] == [0.5, 0.5, 0, 0]


def test_every_number_has_an_uncertainty():
    found = hw.outcome(KEYS, QUERY, hw.Average(0, 1), values=np.eye(4, 2))
    shapes = {name: np.shape(half) for name, half in found.uncertainty.items()}
    assert shapes == {
        **{"mean": (4,), "sd": (4,), "head_mean": (1, 4), "output_mean": (2,), "output_cov": (2, 2), "error_mean": ()}
    }
    assert hw.outcome(KEYS, QUERY).output_mean is None
    assert hw.outcome(KEYS, QUERY).output_cov is None


def test_many_keys_and_a_goal_of_many():
    found = hw.outcome(np.eye(30), np.ones(30), hw.Average(*range(20)))
    lines = repr(found).splitlines()
    assert len(lines) == 3 + 10 + 1
    assert says(lines[-1], 20, "0.6667")


@pytest.mark.parametrize("size", [1e160, 1e300])
@pytest.mark.parametrize(
    "keys", [KEYS, hw.ScaledKeys(np.eye(4, 3), {0: {"1/2": "1/2", "3/2": "1/2"}})], ids=["gaussian", "scaled"]
)
def test_what_float64_cannot_hold_is_not_called_proved(keys, size):
    with pytest.raises(ValueError, match="`values` must be small enough"):
        hw.outcome(keys, QUERY, values=size * np.eye(4, 2))
    found = hw.outcome(keys, QUERY, values=1e-200 * size * np.eye(4, 2))
    assert found.proved
    assert np.isfinite(found.output_cov).all()


def test_an_outcome_cannot_be_written_to():
    import copy
    import pickle

    found = hw.outcome(KEYS, QUERY, hw.Average(0, 1), values=np.eye(4, 2))
    for again in (found, copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        for name in ("mean", "sd", "head_mean", "output_mean", "output_cov"):
            assert not getattr(again, name).flags.writeable
            assert not again.uncertainty[name].flags.writeable
        with pytest.raises(TypeError):
            again.uncertainty["mean"] = 0.0
        assert again.error_mean == found.error_mean


@pytest.mark.parametrize(
    ("model", "proved"),
    [
        (hw.GaussianKeys(np.eye(3), along={0: 0.25}), True),
        (hw.ScaledKeys(np.eye(3), {0: {"1/2": "1/2", "3/2": "1/2"}}), True),
        (hw.GaussianKeys(np.eye(3), isotropic=0.05), False),
    ],
)
def test_the_probability_alone_agrees_with_the_outcome(model, proved):
    heads = heads_of(model.centre, [5.0, 0.0, 0.0])
    alone = probability_met(model, heads, hw.Copy(0), Fraction(1, 10), samples=2**12, seed=1)
    whole = hw.outcome(model, [5.0, 0.0, 0.0], hw.Copy(0), samples=2**12, seed=1).probability("1/10")
    assert alone.proved == whole.proved == proved
    assert alone.low <= whole.high
    assert whole.low <= alone.high
    assert not proved or alone.high - alone.low <= 1e-6
