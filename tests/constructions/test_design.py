"""design for any keys: certified as returned, optimal with proof, or refused with a reason that checks."""

from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.number_types import round_to


def assert_good(keys, design, gap=1e-9):
    assert hw.certify(keys, design).status == "proved"
    assert design.error <= float(Fraction(design.asked)) * (1 + 1e-15)
    if design.exact_ratios:
        assert design.norm <= design.lower_bound * (1 + gap)


@pytest.mark.parametrize("seed", range(12))
def test_random_keys_all_goals(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 80)), int(rng.integers(6, 24))
    keys = rng.normal(size=(n, d)) + 3 * rng.normal(size=d)
    error = ["0.3", "0.01", "1e-6"][seed % 3]
    for goal in (hw.Copy(1), hw.Average(0, 3), hw.Blend({0: "0.5", 2: "0.3", 1: "0.2"})):
        (found,) = hw.design_many(keys, [goal], error=error, scale=[1.0, 0.25][seed % 2])
        if isinstance(found, hw.Unreachable):
            assert found.verdict.record.prove().status == "proved"
        else:
            assert_good(keys, found)


def test_fewer_keys_than_dimensions_and_rank_deficient_keys(rng):
    few = rng.normal(size=(4, 11))
    assert_good(few, hw.design(few, hw.Average(0, 2), error=0.05))
    flat = rng.normal(size=(12, 3)) @ rng.normal(size=(3, 9))
    flat[5] *= 4
    assert_good(flat, hw.design(flat, hw.Copy(5), error=0.05))


def test_the_zero_query_where_nothing_is_needed():
    design = hw.design(np.eye(10), hw.Copy(3), error="0.9")
    assert (design.norm, design.lower_bound) == (0.0, 0.0)
    assert_good(np.eye(10), design)
    everything = hw.design(np.eye(4), hw.Blend({0: 1, 1: 2, 2: 3, 3: 4}), error="1e-9")
    assert_good(np.eye(4), everything)


def test_lower_bound_is_below_the_textbook():
    textbook = hw.design(np.eye(20), hw.Average(1, 2), method="closed-form")
    assert textbook.lower_bound is None
    shortest = hw.design(np.eye(20), hw.Average(1, 2))
    assert shortest.norm < textbook.norm


def test_inside_the_hull(rng):
    keys = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [5.0, 5.0], [2.0, 1.0]])
    with pytest.raises(hw.Unreachable, match=r"\b4\b") as caught:
        hw.design(keys, hw.Copy(4))
    witness = caught.value.witness
    point = sum(float(w) * keys[j] for j, w in zip(witness.indices, witness.weights, strict=True))
    assert point.tolist() == [2.0, 1.0]
    assert len(witness.indices) == 3
    best = caught.value.best_error
    with pytest.raises(hw.Unreachable):
        hw.design(keys, hw.Copy(4), error=best * 0.999)
    assert_good(keys, hw.design(keys, hw.Copy(4), error=best + 0.01))


def test_duplicates_are_named():
    keys = np.array([[1.0, 2.0], [3.0, 0.0], [1.0, 2.0], [1.0, 2.0]])
    with pytest.raises(hw.Unreachable, match=r"\b0\b") as caught:
        hw.design(keys, hw.Copy(0), error=0.1)
    assert caught.value.best_error == pytest.approx(2 / 3, abs=1e-9)


def test_just_outside_the_hull_is_still_designed():
    """Outside by 1e-17 of the others' size: the query is enormous, and certifies all the same."""
    keys = np.array([[0.0, 0.0], [1.0, 1e-17], [2.0, 0.0]])
    design = hw.design(keys, hw.Copy(1))
    assert design.norm > 1e17
    assert hw.certify(keys, design).status == "proved"


def test_nearer_to_the_hull_than_float64_can_tell(rng):
    """The mean of three keys, rounded: neither a query nor a proof that there is none."""
    keys = rng.normal(size=(40, 9))
    keys[7] = keys[1:4].mean(axis=0)
    with pytest.raises(hw.NotFound, match="float64") as caught:
        hw.design(keys, hw.Copy(7))
    assert caught.value.proved_bound > 1e10


def test_heads_that_cannot_be_had_prove_nothing_about_the_goal():
    keys = np.array([[0.0], [1.0], [2.0]])
    assert hw.design(keys, hw.Average(0, 1), error=0.3).error <= 0.3
    with pytest.raises(hw.NotFound, match=r"Copy\(1\)"):
        hw.design(keys, hw.Average(0, 1), error=0.3, heads=2)


def test_rounded_keys_are_named_in_the_refusal():
    with pytest.raises(hw.Unreachable, match=r"bfloat16.*\b0\b"):
        hw.design(np.array([[1.0], [1.001], [3.0]]), hw.Copy(0), precision="bfloat16")


def test_ratios_that_cannot_be_exact():
    keys = np.array(
        [[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 3.0]]
    )  # Blend .6/.4 on two equal keys: off by .1 at best
    design = hw.design(keys, hw.Blend({0: "0.6", 1: "0.4"}), error=0.15)
    assert not design.exact_ratios
    assert design.lower_bound is None
    assert_good(keys, design)
    with pytest.raises(hw.Unreachable):
        hw.design(keys, hw.Blend({0: "0.6", 1: "0.4"}), error=0.05)


def test_between_the_proof_and_the_search_nothing_is_claimed():
    keys = np.array([[0.0], [2.0], [1.0]])  # a key midway between the targets: true best .309, proved .167
    with pytest.raises(hw.NotFound, match=r"0\.16666") as caught:
        hw.design(keys, hw.Average(0, 1), error=0.25)
    assert caught.value.proved_bound == pytest.approx(1 / 6, abs=1e-6)
    assert caught.value.best.error == pytest.approx(0.3090169944, abs=1e-4)


def test_two_heads_copy_each_target(rng):
    keys = rng.normal(size=(30, 12))
    design = hw.design(keys, hw.Blend({4: "0.75", 9: "0.25"}), heads=2, error=0.02, scale=0.5)
    assert design.queries.shape == (2, 12)
    assert design.lower_bound is None
    assert_good(keys, design)


def test_many_goals_are_those_of_one_at_a_time(rng):
    keys = rng.normal(size=(40, 9))
    keys[7] = keys[8:].mean(axis=0)  # one goal that cannot be had
    goals = [*(hw.Copy(i) for i in range(12)), hw.Average(0, 5), hw.Blend({1: 2, 2: 1})]
    many = hw.design_many(keys, goals, error=0.02)
    assert len(many) == len(goals)
    for goal, found in zip(goals, many, strict=True):
        if isinstance(found, hw.Design):
            assert found.norm == pytest.approx(hw.design(keys, goal, error=0.02).norm, rel=1e-9)
            assert_good(keys, found)
        else:
            with pytest.raises(type(found)):
                hw.design(keys, goal, error=0.02)
    assert isinstance(many[7], hw.Unreachable)


@pytest.mark.parametrize("precision", ["float32", "float16", "bfloat16"])
def test_rounded_keys_and_queries(precision, rng):
    keys = rng.normal(size=(60, 16))
    design = hw.design(keys, hw.Copy(3), error=0.01, precision=precision)
    assert design.precision == precision
    np.testing.assert_array_equal(round_to(design.queries, precision), design.queries)
    verdict = hw.certify(keys, design)
    assert verdict.status == "proved"
    assert verdict.record.heads.precision == precision
    assert precision in verdict.claim
    np.testing.assert_array_equal(verdict.record.heads.keys, round_to(keys, precision))
    assert design.lower_bound <= design.norm


def test_precision_survives_saving(tmp_path, rng):
    keys = rng.normal(size=(20, 8))
    design = hw.design(keys, hw.Average(1, 2), error=0.05, precision="float16")
    hw.save(tmp_path / "c.safetensors", hw.certify(keys, design))
    again = hw.verify(tmp_path / "c.safetensors")
    assert again.record.heads.precision == "float16"
    assert "float16" in again.claim


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"precision": "float8"}, "`precision`"),
        ({"method": "magic"}, "`method`"),
        ({"error": "2"}, "`error`"),
        ({"scale": 0}, "`scale`"),
        ({"heads": 3}, "`heads`.*1"),
    ],
)
def test_wrong_calls(call, message):
    with pytest.raises(ValueError, match=message):
        hw.design(np.eye(5), hw.Average(0, 1), **call)


def test_top_takes_no_heads_and_no_precision():
    with pytest.raises(ValueError, match=r"`heads`.*`precision`"):
        hw.design(np.eye(4), hw.Top(0), heads=2)


def test_bfloat16_where_rounding_the_shortest_query_fails():
    keys = np.random.default_rng(0).normal(size=(200, 32))
    goal = hw.Average(1, 2, 3, 4, 5)
    exact = hw.design(keys, goal, error=0.01)
    rounded = round_to(exact.queries, "bfloat16")
    assert hw.certify(round_to(keys, "bfloat16"), rounded, goal, error=0.01).status == "refuted"
    kept = hw.design(keys, goal, error=0.01, precision="bfloat16")
    assert hw.certify(keys, kept).status == "proved"
    assert kept.norm < 1.01 * exact.norm


@pytest.mark.parametrize("shape", [(2, 3, 4), (1, 1, 3, 4)])
def test_a_batch_of_key_sets_takes_several_calls(shape):
    for call in (lambda keys: hw.design(keys, hw.Copy(0)), lambda keys: hw.design_many(keys, [hw.Copy(0)])):
        with pytest.raises(ValueError, match=r"`keys` must be one key set.*\(.*3, 4\)\. Make one call for each"):
            call(np.ones(shape))


@pytest.mark.parametrize(
    ("keys", "goals", "error", "message"),
    [
        (np.ones((3, 2)), [hw.Copy(0), "copy"], TypeError, "`goal`"),
        (np.ones((3, 2)), None, TypeError, "`goals`"),
        (np.ones((3, 2)), [hw.Copy(3)], ValueError, "`goal`"),
        (np.full((3, 2), np.nan), [hw.Copy(0)], ValueError, r"`keys`.*nan"),
        (np.ones(3), [hw.Copy(0)], ValueError, r"`keys`.*\(3,\)$"),
    ],
)
def test_refused_for_many_goals(keys, goals, error, message):
    with pytest.raises(error, match=message):
        hw.design_many(keys, goals)
