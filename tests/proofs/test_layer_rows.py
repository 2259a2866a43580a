"""A layer row by row: exact edges, refuted rows by name, several heads, causal rows, files, ill-formed claims."""

from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import load
from headwright.theories.matrices.layer_rows import LayerRows
from tests.facts import figures, near, says
from tests.second_opinion import judge

# With Q = 0 every weight of three tokens is 1/3, exactly: Copy is off by 2/3, Average(0, 1) by 1/3, and the mean is (1, 1).
TOKENS = np.array([[3.0, 0.0], [0.0, 3.0], [0.0, 0.0]])
ZERO = np.zeros((1, 1, 2))
EVEN = LayerRows(TOKENS, ZERO, ZERO, np.eye(2), {1: hw.Average(0, 1)}, Fraction(1, 3))
HAIR = Fraction(1, 10**60)


def test_the_error_is_told_apart_at_the_edge():
    verdict = EVEN.prove()
    assert verdict.status == "proved"
    assert 0 <= Fraction(verdict.bound) - Fraction(1, 3) < Fraction(1, 10**15)  # rounded up
    assert says(verdict.claim, 1, 3, "1/3")
    assert all(0 < x - Fraction(1, 3) < Fraction(1, 10**5) for x in figures(verdict.bound_text))
    below = replace(EVEN, error=Fraction(1, 3) - HAIR).prove()
    assert below.status == "refuted"
    assert below.counterexample == {"row": 1}
    assert says(below.bound_text, 1)
    assert near(below.bound_text, Fraction(1, 3), within=1e-4)


def test_every_row_counts_and_the_first_that_fails_is_named():
    goals = {0: hw.Average(0, 1, 2), 2: hw.Average(1, 2), 1: hw.Copy(0)}
    assert replace(EVEN, goals=goals, error=Fraction(2, 3)).prove().bound == pytest.approx(2 / 3)
    verdict = replace(EVEN, goals=goals, error=Fraction(1, 2)).prove()
    assert (verdict.status, verdict.counterexample) == ("refuted", {"row": 1})
    swapped = {1: hw.Copy(0), 0: hw.Average(0, 1, 2)}  # the largest error is not that of the last row
    assert replace(EVEN, goals=swapped, error=Fraction(3, 4)).prove().bound == pytest.approx(2 / 3)


def with_outputs(outputs, wanted, tolerance, goals=None, **more):
    goals = {0: hw.Average(0, 1, 2), 1: hw.Average(0, 1)} if goals is None else goals
    outputs = np.array(outputs, dtype=float)
    return replace(EVEN, goals=goals, wanted=wanted, outputs=outputs, tolerance=Fraction(tolerance), **more)


def test_the_output_is_told_apart_at_the_edge():
    """The output is (1, 1) in every row: it is 5 away from (4, 5), and 2 from (1, 3)."""
    far = with_outputs([[4.0, 5.0]], (1,), 5)
    verdict = far.prove()
    assert verdict.status == "proved"
    assert says(verdict.claim, 1, "5.0")
    assert says(with_outputs([[4.0, 5.0]], (1,), 5, {1: hw.Copy(0)}).sentence(), "5.0")
    assert says(verdict.bound_text, 5)
    short = replace(far, tolerance=5 - HAIR).prove()
    assert (short.status, short.counterexample) == ("refuted", {"row": 1})
    assert says(short.bound_text, 1, 5)
    both = with_outputs([[1.0, 3.0], [4.0, 5.0]], (1, 0), 5)
    assert both.prove().status == "proved"
    assert replace(both, tolerance=Fraction(3)).prove().counterexample == {"row": 0}
    assert with_outputs([[4.0, 5.0], [1.0, 3.0]], (1, 0), 3).prove().counterexample == {"row": 1}


def test_small_tolerances_are_not_squared_away():
    """An output 1/4 off: 1/4 is allowed, 1/5 is not, though (1/4)² < 1/5."""
    assert with_outputs([[1.0, 1.25]], (0,), "1/4").prove().status == "proved"
    assert with_outputs([[1.0, 1.25]], (0,), "1/5").prove().status == "refuted"


def test_values_weigh_the_outputs():
    values = np.array([[1.0, 2.0], [0.0, -1.0], [4.0, 0.0]])  # V (1, 1) = (3, -1, 4)
    exact = with_outputs([[3.0, -1.0, 4.0]], (1,), HAIR, V=values)
    assert exact.prove().status == "proved"
    assert with_outputs([[3.0, -1.0, 4.5]], (1,), "1/4", V=values).prove().status == "refuted"


def softmax(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def slowly(claim, row):
    """The weights of one row, by a loop."""
    total = 0.0
    for query_map, key_map in zip(claim.Q, claim.K, strict=True):
        seen = claim.tokens[: row + 1] if claim.causal else claim.tokens
        total = total + softmax(np.array([(query_map @ claim.tokens[row]) @ (key_map @ x) for x in seen]))
    return total / len(claim.Q)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("heads", [1, 3])
def test_random_layers_at_both_sides_of_the_truth(causal, heads, rng):
    tokens, V = rng.normal(size=(5, 4)), rng.normal(size=(3, 4))
    Q, K = rng.normal(size=(2, heads, 2, 4))
    goals = {4: hw.Blend({0: "0.2", 3: "0.8"}), 2: hw.Copy(1), 3: hw.Average(0, 2)}
    draft = LayerRows(tokens, Q, K, V, goals, Fraction(1, 2), causal=causal)
    errors, outputs = [], []
    for row, goal in goals.items():
        weights = slowly(draft, row)
        errors.append(np.abs(weights - goal.weights(len(weights))).sum() / 2)
        outputs.append(V @ tokens[: len(weights)].T @ weights)
    above, below = (Fraction(max(errors) * (1 + sign * 1e-9)) for sign in (1, -1))
    verdict = replace(draft, error=above).prove()
    assert (verdict.status, verdict.bound) == ("proved", pytest.approx(max(errors), rel=1e-9))
    refuted = replace(draft, error=below).prove()
    assert refuted.counterexample == {"row": list(goals)[int(np.argmax(errors))]}
    off = np.array(outputs) + np.array([[0.0, 0.3, 0.4], [0.1, 0.0, 0.0], [0.0, 0.0, 0.2]])
    wanted = replace(draft, error=above, wanted=tuple(goals), outputs=off, tolerance=Fraction("0.5001"))
    assert wanted.prove().status == "proved"
    assert replace(wanted, tolerance=Fraction("0.4999")).prove().counterexample == {"row": 4}


def test_a_causal_row_does_not_see_later_tokens():
    claim = replace(EVEN, goals={0: hw.Copy(0), 1: hw.Average(0, 1)}, error=Fraction(1, 10**9), causal=True)
    verdict = claim.prove()
    assert verdict.status == "proved"
    assert verdict.bound == 0
    assert verdict.claim != replace(claim, causal=False).sentence()
    assert replace(claim, causal=False).prove().status == "refuted"


def test_what_no_precision_tells_is_undecided():
    """Two tokens, scores 1 and 0: the error is 1/(1+e), here to 2^-2500."""
    with mpmath.workprec(2600):
        near = 1 / (1 + mpmath.e)
        error = Fraction(int(near * mpmath.mpf(2) ** 2500), 2**2500)
    one = np.array([[[1.0, 0.0]]])
    claim = LayerRows(np.eye(2), one, one, np.eye(2), {0: hw.Copy(0)}, error)
    verdict = claim.prove()
    assert verdict.status == "undecided"
    assert says(verdict.reason, 0)
    assert replace(claim, error=error + Fraction(1, 2**1500)).prove().status == "proved"
    assert replace(claim, error=error - Fraction(1, 2**1500)).prove().status == "refuted"


def test_scores_beyond_float64_are_exact():
    """Scores 1e300² and 0: no overflow, and the largest is alone."""
    big = np.array([[[1e300, 0.0]]])
    claim = LayerRows(np.eye(2), big, big, np.eye(2), {0: hw.Copy(0)}, Fraction(1, 10**100))
    assert claim.prove().status == "proved"
    tiny = LayerRows(np.eye(2), big, big * 0 + [[[1e-300, 5e-324]]], np.eye(2), {0: hw.Copy(0)}, Fraction(1, 3))
    assert tiny.prove().status == "proved"
    assert tiny.prove().bound == pytest.approx(1 / (1 + np.e), rel=1e-6)


@pytest.fixture
def layer():
    goals = {0: hw.Copy(2), 2: hw.Average(0, 1)}
    return hw.design_layer(np.eye(4)[:3], goals, {2: [1.0, -1.0]}, error="0.05")


def test_saved_and_proved_again(layer, tmp_path):
    hw.save(tmp_path / "claim", layer.verdict)
    claim = load(tmp_path / "claim")
    assert isinstance(claim, LayerRows)
    assert claim.fields() == layer.verdict.record.fields()
    again = hw.verify(tmp_path / "claim")
    assert (again.status, again.bound) == ("proved", layer.verdict.bound)
    assert judge(tmp_path / "claim") == "true"
    without = replace(claim, wanted=(), outputs=None)
    hw.save(tmp_path / "claim", without.prove())
    assert load(tmp_path / "claim").outputs is None


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"error": "1/1000"}, "refuted"),
        ({"error": "1/2"}, "proved"),
        ({"tolerance": "1/10000"}, "refuted"),
        ({"causal": True, "goals": [[2, {"goal": "copy", "indices": [2], "shares": ["1"]}]]}, "refuted"),
    ],
)
def test_edited_certificates_are_judged_anew(layer, change, status):
    record = layer.verdict.record
    edited = LayerRows.from_parts(record.arrays(), record.fields() | change)
    assert edited.prove().status == status
    assert judge(edited) == {"proved": "true", "refuted": "false"}[status]


@pytest.mark.parametrize(
    "change",
    [
        {"causal": 1},
        {"goals": [[0, {}]]},
        {"goals": {"x": {"goal": "copy", "indices": [0], "shares": ["1"]}}},
        {"goals": {"-1": {"goal": "copy", "indices": [0], "shares": ["1"]}}},
        {"error": None},
        {"wanted": [2.5]},
        {"wanted": []},
        {"tolerance": "nan"},
    ],
)
def test_ill_formed_files_are_refused(layer, change):
    record = layer.verdict.record
    with pytest.raises((ValueError, TypeError)):
        LayerRows.from_parts(record.arrays(), record.fields() | change)


OUT = {"wanted": (1,), "outputs": np.ones((1, 2)), "tolerance": Fraction(1)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": np.full((3, 2), np.nan)}, "`tokens`"),
        ({"tokens": np.ones(3)}, "`tokens`"),
        ({"Q": np.zeros((2, 1, 2))}, "`K`.*h = 2"),
        ({"Q": np.zeros((1, 1, 3)), "K": np.zeros((1, 1, 3))}, "`Q`.*d = 2"),
        ({"V": np.zeros((2, 3))}, "`V`.*2"),
        ({"goals": {}}, "`goals`"),
        ({"goals": {3: hw.Copy(0)}}, "`goals`.*3"),
        ({"goals": {-1: hw.Copy(0)}}, "`goals`.*-1"),
        ({"goals": {0: hw.Copy(3)}}, "`goal`.*3"),
        ({"goals": {1: hw.Copy(2)}, "causal": True}, "`goal`.*2"),
        ({"error": Fraction(0)}, "`error`"),
        ({"error": Fraction(1)}, "`error`"),
        ({"wanted": (1,)}, "`outputs`.*`wanted`"),
        ({"outputs": np.ones((1, 2))}, "`outputs`"),
        (OUT | {"outputs": np.ones((2, 2))}, r"`outputs`.*\(2, 2\)"),
        (OUT | {"outputs": np.ones((1, 3))}, r"`outputs`.*\(1, 3\)"),
        (OUT | {"outputs": np.full((1, 2), np.inf)}, "`outputs`"),
        (OUT | {"wanted": (0,)}, r"`wanted`.*\[0\]"),
        (OUT | {"wanted": (1, 1), "outputs": np.ones((2, 2))}, "`wanted`"),
        (OUT | {"tolerance": Fraction(0)}, "`tolerance`"),
    ],
)
def test_ill_formed_claims_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(EVEN, **change)


def test_rows_written_twice_are_refused():
    from headwright.theories.matrices.layer_rows import LayerRows

    record = hw.design_layer(np.eye(3), {0: hw.Copy(2)}).verdict.record
    fields = record.fields()
    doubled = {**fields, "goals": 2 * fields["goals"]}
    with pytest.raises(ValueError, match="`goals`"):
        LayerRows.from_parts(record.arrays(), doubled)
