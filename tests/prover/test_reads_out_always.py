"""Read-outs for all bases: matrices that are wrong by a rule, bases that break the rules, and values that cancel undefined."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.theories.formulas.families.reads_out_always import ReadsOutAlways
from tests.prover.reading import tree

A, B = np.eye(4)[:, :2], np.eye(4)[:, 2:3]
SLANTED = np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]])


def reads(text, *, share=Fraction(1), rows=False, orthonormal=True, **given):
    names = [name for name in ("A", "B", *given) if name]
    return ReadsOutAlways(tree(text, *names), "A", "B", share, rows, orthonormal, given)


@pytest.mark.parametrize(
    ("text", "share", "rows", "orthonormal"),
    [
        ("A*A'", 1, False, True),
        ("I-B*B'", 1, True, True),
        ("2*A*A'", Fraction(1, 2), False, True),
        ("A*pinv(A)", 1, False, False),
        ("A*inv(A'*A)*A'", 1, True, False),
        ("3*(I-B*pinv(B))", Fraction(1, 3), False, False),
    ],
)
def test_what_is_right_is_proved(text, share, rows, orthonormal):
    claim = reads(text, share=Fraction(share), rows=rows, orthonormal=orthonormal)
    assert claim.prove().status == "proved"


@pytest.mark.parametrize(
    ("text", "share", "rows", "orthonormal"),
    [
        ("A*A'", 1, False, False),
        ("A*A'", Fraction(1, 2), False, True),
        ("2*A*A'", 1, False, True),
        ("2*A*A'", 2, False, True),
        ("A*A'/2", Fraction(1, 2), True, True),
        ("I", 1, False, True),
        ("0*I", 1, False, True),
        ("B*B'", 1, False, True),
        ("A*A'+B*B'", 1, True, True),
        ("A*A'-B*B'", 1, True, True),
        ("A'*A", 1, False, True),
        ("A'", 1, False, True),
        ("A*A'+inv(A*A')-inv(A*A')", 1, False, True),
        ("A*A'+inv(I-B*B')*0", 1, False, True),
        ("A*pinv(A)+(0/(sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3)))*I", 1, False, False),
        ("A*A'+log(sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3))*I*0", 1, False, True),
        ("A*pinv(A*A)", 1, False, False),
        ("A*B'*B*A'", 1, False, True),
        ("A*inv(A'*A)*A'*A*A'", 1, False, False),
        ("(A+B)*A'", 1, False, True),
        (
            "A*inv(A'*A+0*I)*A'",
            1,
            False,
            False,
        ),  # A'A is a number if A has one column, and a number plus 0·I has no value
        ("A*(A'*A+I-I)*A'", 1, False, True),
    ],
)
def test_what_is_wrong_is_not_proved(text, share, rows, orthonormal):
    claim = reads(text, share=Fraction(share), rows=rows, orthonormal=orthonormal)
    assert claim.prove().status == "undecided"


@pytest.mark.parametrize("text", ["2*A*inv(A'*A)'*A'", "2*(A*inv(A'*A)*A')'", "2*(inv(A'*A)*A')'*A'"])
def test_the_inverse_of_a_gram_matrix_is_its_own_transpose(text):
    assert reads(text, share=Fraction(1, 2), orthonormal=False).prove().status == "proved"


def test_columns_and_rows_are_told_apart():
    """C is right on columns; from the right it adds the fourth unit vector."""
    right = np.diag([1.0, 1, 0, 0])
    right[0, 3] = 1.0
    assert reads("C", A=A, B=B, C=right).prove().status == "undecided"
    assert reads("C", rows=True, A=A, B=B, C=right).prove().counterexample["vector"].tolist() == [1.0, 0, 0, 0]
    assert reads("C'", rows=True, A=A, B=B, C=right).prove().status == "undecided"
    assert reads("C'", A=A, B=B, C=right).prove().status == "refuted"


@pytest.mark.parametrize(
    ("text", "given", "status"),
    [
        ("A*A'", {"A": A, "B": B}, "undecided"),
        ("A*A'", {"A": SLANTED, "B": B}, "refuted"),
        ("A*pinv(A)", {"A": SLANTED, "B": B}, "undecided"),
        ("I-A*pinv(A)", {"A": SLANTED, "B": B}, "refuted"),
        ("I", {"A": A, "B": B}, "refuted"),
        ("I-B*B'", {"A": A, "B": B}, "undecided"),
        ("A'", {"A": A, "B": B}, "refuted"),
        ("2", {"A": A, "B": B}, "refuted"),
        ("inv(A*A')", {"A": A, "B": B}, "refuted"),
        ("A*A' + 0*inv(A)", {"A": A, "B": B}, "refuted"),
        ("C", {"A": A, "B": B, "C": np.diag([1.0, 1, 0, 0])}, "undecided"),
        ("C", {"A": A, "B": B, "C": np.diag([1.0, 1, 1e-30, 0])}, "refuted"),
        ("C", {"A": A, "B": B, "C": np.diag([1.0, 1 + 2**-50, 0, 0])}, "refuted"),
        ("2^(1/3)*1e17*I + A*A' - 2^(1/3)*1e17*I", {"A": A, "B": B}, "undecided"),
        ("2^(1/3)*1e17*I + A*A' - 2^(1/3)*1e17*I + 1e-30*I", {"A": A, "B": B}, "refuted"),
    ],
)
def test_at_bases(text, given, status):
    orthonormal = given["A"] is A
    assert reads(text, orthonormal=orthonormal, **given).prove().status == status


def test_a_refutation_says_where_it_holds_after_all():
    verdict = reads("A*A'", orthonormal=False, A=SLANTED, B=B).prove()
    assert verdict.status == "refuted"
    assert verdict.holds_when is not None
    assert verdict.counterexample["vector"].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert reads("2*A*A'", orthonormal=False, A=SLANTED, B=B).prove().holds_when is None
    assert reads("I", A=A, B=B).prove().holds_when is None
    turned = reads("A*A'", rows=True, orthonormal=False, A=SLANTED, B=B).prove()
    assert turned.counterexample["vector"].tolist() == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("given", "orthonormal"),
    [
        ({"A": A, "B": A[:, :1]}, True),
        ({"A": A, "B": A[:, :1]}, False),
        ({"A": SLANTED, "B": B}, True),
        ({"A": 2 * A, "B": B}, True),
        ({"A": A, "B": 2 * B}, True),
        ({"A": A[:, [0, 0]], "B": B}, False),
        ({"A": A[:, [0, 0]], "B": B}, True),
        ({"A": A, "B": 0 * B}, False),
        ({"A": A, "B": np.eye(5)[:, 4:]}, False),
        ({"A": A, "B": np.ones((4, 1))}, False),
        ({"A": A * (1 + 2**-52), "B": B}, True),
        ({"A": A + 2**-60 * np.ones((4, 2)), "B": B}, False),
        ({"A": A}, True),
        ({"B": B}, True),
    ],
)
def test_bases_that_break_the_rules_are_refused(given, orthonormal):
    with pytest.raises(ValueError, match="`given`"):
        reads("I", orthonormal=orthonormal, **given)


def test_what_is_not_judged():
    for share in (0, -1):
        with pytest.raises(ValueError, match="`share`"):
            reads("A*A'", share=Fraction(share))
    for first, second in (("A", "A"), ("M", "B"), ("A", "M"), ("A", "~n")):
        with pytest.raises(ValueError, match="name"):
            ReadsOutAlways(tree("I"), first, second, Fraction(1), False, True)
    for rows, orthonormal in ((1, True), (False, 0), ("yes", True)):
        with pytest.raises(TypeError):
            ReadsOutAlways(tree("I"), "A", "B", Fraction(1), rows, orthonormal)


def test_a_claim_survives_its_own_record():
    claim = reads("A*A'", share=Fraction(1, 2), rows=True, orthonormal=False, A=SLANTED, B=B)
    again = ReadsOutAlways.from_parts(claim.arrays(), claim.fields())
    assert again.fields() == claim.fields()
    assert (again.first, again.rows, again.orthonormal, again.share) == ("A", True, False, Fraction(1, 2))
