"""What every claim has in common: how its parts are read, what its verdicts say, and which kinds a file may hold."""

from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.forms.trees import Name
from headwright.noise import heads_of
from headwright.proofs import Inequality, LayerRows, RecordedOrder, WeightVariance
from headwright.proofs.claim import KINDS, at_least, at_most
from tests.toy_claim import Toy

ONE = np.ones((1, 1, 1))
ROWS = LayerRows(np.array([[1.0], [0.5]]), ONE, ONE, ONE[0], {0: hw.Copy(0)}, Fraction(1, 2))


def test_parts_come_back():
    again = LayerRows.from_parts(ROWS.arrays(), ROWS.fields())
    assert again.fields() == ROWS.fields()
    assert again.outputs is None
    assert all((array == ROWS.arrays()[name]).all() for name, array in again.arrays().items())


@pytest.mark.parametrize("causal", [0, 1, None, "true", []])
def test_only_true_and_false_are_truths(causal):
    with pytest.raises(ValueError, match="`causal`"):
        LayerRows.from_parts(ROWS.arrays(), {**ROWS.fields(), "causal": causal})


def test_a_claim_may_have_a_scope_of_its_own():
    rows = np.array([[1.0], [2.0]])
    for moved, status in ((rows[::-1], "proved"), (rows, "refuted")):
        verdict = RecordedOrder(rows, rows, moved, (1, 0), Fraction(0)).prove()
        assert (verdict.status, verdict.scope) == (status, "the recorded outputs")


def test_files_hold_our_own_claims_alone():
    assert Toy.kind not in KINDS
    assert all(
        claim.kind == kind and claim.__module__.startswith("headwright.proofs.") for kind, claim in KINDS.items()
    )


def test_the_law_of_the_keys_is_read():
    model = hw.GaussianKeys(np.eye(2), along={0: 0.25})
    claim = WeightVariance(model, heads_of(np.eye(2), [1.0, 0.0]), np.ones(2), "at most", Fraction(1))
    assert WeightVariance.from_parts(claim.arrays(), claim.fields()).fields() == claim.fields()
    for kind in (WeightVariance, hw.GaussianKeys):
        with pytest.raises(ValueError, match="`law`"):
            kind.from_parts(claim.arrays(), {**claim.fields(), "law": "scaled"})


@pytest.mark.parametrize("rows", [["0", "00"], ["+0"], [" 0"], ["0_0"]])
def test_a_row_is_named_once_as_a_plain_number(rows):
    goal = ROWS.fields()["goals"]["0"]
    with pytest.raises(ValueError, match="`goals`"):
        LayerRows.from_parts(ROWS.arrays(), {**ROWS.fields(), "goals": dict.fromkeys(rows, goal)})


def test_arrays_of_a_mapping_are_taken_exactly_and_come_back():
    for wrong in (np.array([[2**53 + 1]]), np.array([[np.nan]]), np.ones(1)):
        with pytest.raises(ValueError, match="`x`"):
            Inequality(Name("x"), ">", {}, {"x": wrong})
    claim = Inequality(Name("x"), ">", {}, {"x": np.ones((1, 1))})
    again = Inequality.from_parts(claim.arrays(), claim.fields())
    assert {name: x.tolist() for name, x in again.given.items()} == {"x": [[1.0]]}
    assert not again.given["x"].flags.writeable


def test_what_a_verdict_states_is_rounded_outward():
    third = Fraction(1, 3)
    most, least = at_most("it is", third, 3), at_least("it is", third, 3)
    assert Fraction(least["bound"]) < third < Fraction(most["bound"])
    assert (most["bound_text"], least["bound_text"]) == ("it is at most 0.334", "it is at least 0.333")
    assert at_most("it is", Fraction(10) ** 400)["bound"] is None  # nothing that float64 holds


def test_rationals_are_taken_exactly_or_refused():
    heads = hw.claims.Heads(np.eye(2), [[9.0, 0.0]], [1.0], 1)
    assert hw.claims.WithinError(heads, hw.Copy(0), "0.1").error == Fraction(1, 10)
    assert hw.claims.WithinError(heads, hw.Copy(0), 0.1).error == Fraction(0.1)
    with pytest.raises((TypeError, ValueError), match="`error`"):
        hw.claims.WithinError(heads, hw.Copy(0), "a tenth")
    with pytest.raises((TypeError, ValueError), match="`scale`"):
        hw.claims.Heads(np.eye(2), [[9.0, 0.0]], [1.0], None)


def test_a_rational_that_may_be_missing_is_taken_exactly_too():
    """As a float, 1 - 2^-60 less 1 would be rounded to 0, and the gap would be 1."""
    heads = hw.claims.Heads(np.array([[1.0], [2.0**-60]]), [[1.0]], [1.0], 1)
    claim = hw.claims.TopGap(heads, hw.Top(0), 1.0)
    assert type(claim.gap) is Fraction
    assert claim.prove().status == "refuted"
    assert hw.claims.TopGap(heads, hw.Top(0)).gap is None
    with pytest.raises((TypeError, ValueError), match="`gap`"):
        hw.claims.TopGap(heads, hw.Top(0), "wide")
