"""Impossibility: a witness that cancels exactly and gains proves it; anything less is Undecided, never Refuted."""

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel import balls, gibbs
from headwright.kernel.balls import ball
from headwright.kernel.certificate import BadCertificate, load
from headwright.kernel.out_of_reach import OutOfReach
from tests.certificate_files import signed
from tests.facts import says
from tests.second_opinion import judge

LINE = np.array([[0.0], [1.0], [3.0]])
BETWEEN = ((1, 0, Fraction(2)), (1, 2, Fraction(1)))  # 2·(0 - 1) + 1·(3 - 1) = 0
H = math.log(3) - 2 / 3 * math.log(2)


def claim(error="1/2", *, keys=LINE, goal=None, witness=BETWEEN):
    return OutOfReach(np.asarray(keys, dtype=float), goal or hw.Copy(1), Fraction(error), tuple(witness))


def test_a_key_between_two_others():
    verdict = claim().prove()
    assert verdict.status == "proved"
    assert says(verdict.claim, 3, "0.5", "Copy(1)")
    assert verdict.bound == pytest.approx(1 / (1 + math.exp(-H)), abs=1e-15)
    assert verdict.bound < 1 / (1 + math.exp(-H)) + 1e-18
    assert judge(verdict.record) == "true"


def test_the_bound_is_where_the_proof_ends():
    best = 1 / (1 + math.exp(-H))
    assert claim(Fraction(best) - Fraction(1, 10**14)).prove().status == "proved"
    beyond = claim(Fraction(best) + Fraction(1, 10**14)).prove()
    assert beyond.status == "undecided"
    assert beyond.reason


def test_equality_is_not_enough():
    """Two equal keys and nothing else: error 1/2 is reached, so 1/2 itself is not out of reach."""
    twins = claim("1/2", keys=[[3.0, 1], [3, 1]], goal=hw.Copy(0), witness=((0, 1, Fraction(5)),))
    assert twins.prove().status == "undecided"
    assert judge(twins) == "unknown"
    below = replace(twins, error=Fraction(1, 2) - Fraction(1, 10**9)).prove()
    assert below.status == "proved"
    assert below.bound == 0.5


@pytest.mark.parametrize("copies", [1, 2, 3, 8])
def test_equal_keys_share_the_weight(copies):
    keys = np.array([[2.0, 1.0]] * (copies + 1) + [[0.0, 0.0]])
    verdict = claim(
        "1/10", keys=keys, goal=hw.Copy(0), witness=[(0, j, Fraction(1)) for j in range(1, copies + 1)]
    ).prove()
    assert verdict.bound == balls.float_below(Fraction(copies, copies + 1))


def test_a_key_midway_between_its_targets():
    """α_1 = √(α_0 α_2): the largest error these inequalities refute is 1/6, though the best there is is about .309."""
    witness = [(i, j, Fraction(1)) for i in (0, 2) for j in range(3) if j != i]
    middle = claim("1/10", keys=[[0.0], [1], [2]], goal=hw.Average(0, 2), witness=witness)
    verdict = middle.prove()
    assert verdict.status == "proved"
    assert Fraction(1, 6) - Fraction(1, 10**15) < Fraction(verdict.bound) < Fraction(1, 6)
    assert judge(replace(middle, error=Fraction(verdict.bound))) == "true"
    assert replace(middle, error=Fraction(1, 6)).prove().status == "undecided"


def test_one_target_of_several_may_be_witness_enough():
    """Blend .6/.4 of equal keys: each has weight at most one half."""
    unequal = claim("1/20", keys=[[1.0], [1], [0]], goal=hw.Blend({0: "0.6", 1: "0.4"}), witness=[(0, 1, Fraction(1))])
    verdict = unequal.prove()
    assert verdict.bound == balls.float_below(Fraction(1, 10))
    more = [(0, 1, Fraction(2)), (0, 2, Fraction(1)), (0, 3, Fraction(1))]
    wider = claim("1/20", keys=[[1.0], [1], [0], [2]], goal=hw.Blend({0: "0.6", 1: "0.4"}), witness=more).prove()
    assert wider.bound == pytest.approx(0.6 - 1 / (1 + math.exp(1.5 * math.log(2))), abs=1e-14)


def test_a_witness_that_does_not_cancel_proves_nothing():
    wrong = ((1, 0, Fraction(2)), (1, 2, 1 + Fraction(1, 10**30)))
    verdict = claim(witness=wrong).prove()
    assert verdict.status == "undecided"
    assert says(verdict.reason, 0)
    assert judge(verdict.record) == "unknown"
    assert claim(witness=()).prove().status == "undecided"
    outside = claim(goal=hw.Copy(2), witness=((2, 0, Fraction(1)), (2, 1, Fraction(1))))
    assert outside.prove().status == "undecided"
    assert judge(outside) == "false"


def test_cancellation_is_exact_far_from_the_origin():
    """0.1 is not midway between 0 and 0.2 + 1e-17 rounded; float64 subtraction would say so at 1e8."""
    keys = np.array([[1e8 + 0.1], [1e8], [1e8 + 0.2]])
    middle = (Fraction(keys[0, 0]) - Fraction(keys[1, 0])) / (Fraction(keys[2, 0]) - Fraction(keys[1, 0]))
    exact = ((0, 1, 1 - middle), (0, 2, middle))
    assert claim("1/10", keys=keys, goal=hw.Copy(0), witness=exact).prove().status == "proved"
    half = ((0, 1, Fraction(1)), (0, 2, Fraction(1)))
    assert (middle == Fraction(1, 2)) == (
        claim("1/10", keys=keys, goal=hw.Copy(0), witness=half).prove().status == "proved"
    )
    tiny = np.array([[1.0], [0.0], [2 + 2.0**-51]])
    assert claim("1/10", keys=tiny, goal=hw.Copy(0), witness=half).prove().status == "undecided"


def test_an_error_that_swallows_a_share_is_undecided():
    witness = [(i, j, Fraction(1)) for i in (0, 2) for j in range(3) if j != i]
    verdict = claim("1/2", keys=[[0.0], [1], [2]], goal=hw.Average(0, 2), witness=witness).prove()
    assert verdict.status == "undecided"
    assert verdict.reason


def test_precision_is_raised_until_it_tells(monkeypatch):
    near = Fraction(1, 2) - Fraction(1, 2**100)
    twins = claim(near, keys=[[3.0], [3.0]], goal=hw.Copy(0), witness=((0, 1, Fraction(1)),))
    assert "256 bits" in twins.prove().method or "128 bits" in twins.prove().method
    monkeypatch.setattr(gibbs, "_BITS", (64,))
    assert twins.prove().reason


def test_a_bound_that_cannot_be_enclosed_is_the_error_asked(monkeypatch):
    monkeypatch.setattr(ball, "lower", lambda ball: None)
    assert claim("1/2").prove().bound == 0.5


@pytest.mark.parametrize(
    ("witness", "why"),
    [
        (((1, 1, Fraction(1)),), "`witness`"),
        (((0, 1, Fraction(1)),), "`witness`"),
        (((1, 3, Fraction(1)),), "`witness`"),
        (((1, -1, Fraction(1)),), "`witness`"),
        (((1, 0, Fraction(0)),), "`witness`"),
        (((1, 0, Fraction(-1)),), "`witness`"),
        (((1, 0, Fraction(1)), (1, 0, Fraction(1)), (1, 2, Fraction(1))), "`witness`"),
    ],
)
def test_witnesses_that_say_nothing_are_refused(witness, why):
    with pytest.raises(ValueError, match=why):
        claim(witness=witness)


def test_wrong_claims_are_refused():
    with pytest.raises(ValueError, match="`error`"):
        claim("1")
    with pytest.raises(ValueError, match=r"`goal`.*3"):
        claim(goal=hw.Copy(3))
    with pytest.raises(ValueError, match="`keys`"):
        claim(keys=[[np.nan], [1], [2]])


def test_saved_and_proved_again(tmp_path):
    long = Fraction(10**600 + 1, 3**700)
    verdict = claim(witness=((1, 0, 2 * long), (1, 2, long))).prove()
    hw.save(tmp_path / "between", verdict)
    again = hw.verify(tmp_path / "between")
    assert (again.status, again.claim, again.bound) == ("proved", verdict.claim, verdict.bound)
    assert load(tmp_path / "between").witness == verdict.record.witness
    assert judge(tmp_path / "between") == "true"


@pytest.mark.parametrize(
    "witness",
    [
        *(
            [[1, 0, text]]
            for text in ("", "-0x1", "1", "0x1/0x0", "0x1/", "0xg", "0x1_0", "0x1.5", 3, None, "0x0", "0x2/0x4")
        ),
        [[1, 0]],
        [[True, 0, "1"]],
        [[1, 0.0, "1"]],
        [[1, 0, "1"], [1, 0, "1"]],
        5,
    ],
)
def test_files_with_wrong_witnesses_are_refused(tmp_path, witness):
    from safetensors.numpy import save_file

    fields = {"kind": "out-of-reach", **claim().fields(), "witness": witness}
    text = json.dumps(fields)
    stored = {"keys": LINE}
    path = tmp_path / "forged"
    save_file(stored, path, metadata=signed(text, stored))
    with pytest.raises(BadCertificate, match="`path`"):
        load(path)


def test_no_query_beats_a_proved_bound(rng):
    """Random keys, a random convex combination as target: thousands of queries stay above the bound."""
    for n, d in ((5, 2), (9, 3)):
        numbers = [Fraction(int(x)) for x in rng.integers(1, 9, n - 1)]
        others = rng.integers(-20, 21, (n - 1, d))
        keys = np.vstack([[float(x) for x in sum(w * row for w, row in zip(numbers, others, strict=True))],
                          np.array([[float(v * sum(numbers)) for v in row] for row in others])])  # fmt: skip
        verdict = claim(
            "1/10", keys=keys, goal=hw.Copy(0), witness=[(0, j + 1, w) for j, w in enumerate(numbers)]
        ).prove()
        queries = rng.standard_normal((4000, d)) * 10.0 ** rng.uniform(-5, 0, (4000, 1))
        weights = np.array([hw.attend(q, keys).weights[0] for q in queries[:500]])
        assert (1 - weights >= verdict.bound - 1e-12).all()
