"""Two claims about read-outs: a matrix reads v_a out of v_a + v_b up to a bound; or the spans meet, and none does."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import load
from headwright.theories.matrices.reads_out import ReadsOut
from headwright.theories.matrices.spans_meet import SpansMeet
from tests.facts import says
from tests.second_opinion import judge

# In the plane: a = (3, 4), b = (1, 0). M keeps the second coordinate and puts 3/4 of it into the first: M a = a, M b = 0.
A = np.array([[3.0], [4.0]])
B = np.array([[1.0], [0.0]])
M = np.array([[0.0, 0.75], [0.0, 1.0]])


def claim(matrix=M, bound="0", share="1", against=B, witness=None):
    return ReadsOut(matrix, A, against, Fraction(share), Fraction(bound), witness)


def test_an_exact_readout_is_proved_without_error():
    verdict = claim().prove()
    assert verdict.status == "proved"
    assert verdict.bound == 0
    assert says(verdict.claim, "v_a", "v_b", 1, 0)
    assert "Σ |y_j| ‖b_j‖" in verdict.bound_text
    assert judge(claim()) == "true"


def test_the_share_counts():
    assert claim(2 * M, share="1/2").prove().status == "proved"
    assert "0.5 (v_a + v_b)" in claim(share="1/2").sentence()
    assert claim(M, share="1/2").prove().status == "refuted"
    assert claim(3 * M, share="1/3").prove().status == "proved"  # the rational itself, not its float
    assert claim(3 * M, share=Fraction(1 / 3)).prove().status == "refuted"


@pytest.mark.parametrize(
    ("place", "side", "ratio"),
    [((0, 0), "basis", Fraction(3, 5)), ((1, 1), "basis", Fraction(4, 5)), ((1, 0), "against", Fraction(1))],
)
def test_the_error_is_told_apart_at_the_edge(place, side, ratio):
    """An entry moved by 2^-20 reads a column wrongly by that times the other coordinate: the bound is known exactly."""
    matrix = M.copy()
    matrix[place] += 2.0**-20
    largest = (
        max(Fraction(1) if place[1] == 0 else Fraction(0), ratio) / 2**20
    )  # b = (1, 0) feels the first column whole
    hair = Fraction(1, 10**40)
    wrong = claim(matrix, bound=largest - hair).prove()
    assert claim(matrix, bound=largest).prove().status == "proved"
    assert wrong.status == "refuted"
    assert wrong.counterexample["side"] == ("against" if place[1] == 0 else side)
    assert wrong.counterexample["column"] == 0
    assert Fraction(wrong.bound) <= largest
    assert claim(matrix).best() == Fraction(above(largest))


def above(value):
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else np.nextafter(nearest, np.inf)


def test_the_worst_column_decides(rng):
    basis, against = rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    matrix = rng.normal(size=(6, 6))
    draft = ReadsOut(matrix, basis, against, Fraction(1, 2), Fraction(0))
    errors = [np.linalg.norm(matrix @ a / 2 - a) / np.linalg.norm(a) for a in basis.T]
    errors += [np.linalg.norm(matrix @ b / 2) / np.linalg.norm(b) for b in against.T]
    assert float(draft.best()) == pytest.approx(max(errors), rel=1e-12)
    assert replace(draft, bound=draft.best()).prove().status == "proved"
    less = replace(draft, bound=draft.best() * (1 - Fraction(1, 2**50))).prove()
    assert less.status == "refuted"
    assert less.bound == pytest.approx(max(errors), rel=1e-12)


def test_zero_columns_and_extreme_numbers():
    basis = np.array([[0.0, 1e300], [0.0, 5e-324]])
    exact = ReadsOut(np.eye(2), basis, np.zeros((2, 1)), Fraction(1), Fraction(0))
    assert exact.prove().status == "proved"
    off = np.array([[1.0, 0.0], [5e-324, 1.0]])
    assert replace(exact, matrix=off).prove().status == "refuted"


# Orthogonal to the basis


def beside(matrix, witness, bound="0", share="1"):
    return claim(np.array(matrix), bound, share, None, np.array(witness))


PROJECTOR = [[9.0, 12.0], [12.0, 16.0]]  # 25 times the projector onto (3, 4)


def test_the_complement_needs_its_witness():
    good = beside(PROJECTOR, [[3.0], [4.0]], share="1/25")
    assert good.prove().status == "undecided"  # s M - X Aᵀ with X = A is -24/25 of the matrix
    small = ReadsOut(
        np.eye(2)[[0, 0]] * [[1.0], [0.0]], np.array([[2.0], [0.0]]), None, Fraction(1), Fraction(0), [[0.5], [0.0]]
    )
    assert small.prove().status == "proved"
    assert "‖v_b‖" in small.prove().bound_text
    assert judge(small) == "true"


def test_the_complement_at_the_edge():
    """M = (1 t; 0 0) keeps (1, 0) and turns (0, 1) into t: the witness (1, 0) shows just t."""
    t = 2.0**-30
    draft = ReadsOut(
        np.array([[1.0, t], [0.0, 0.0]]), np.array([[1.0], [0.0]]), None, Fraction(1), Fraction(t), [[1.0], [0.0]]
    )
    assert draft.prove().status == "proved"
    assert draft.best() == Fraction(t)
    short = replace(draft, bound=Fraction(t) * (1 - Fraction(1, 2**80)))
    assert short.prove().status == "undecided"
    assert judge(short) == "false"  # (0, 1) itself shows it
    poor = replace(draft, witness=np.array([[1.0], [1.0]]))
    assert poor.prove().status == "undecided"
    assert replace(poor, bound=Fraction(2)).prove().status == "proved"


def test_every_vector_keeps_the_bound(rng):
    """Combinations of all columns, and vectors beside the basis, against the proved bound."""
    for against in (rng.normal(size=(7, 3)), None):
        basis = rng.normal(size=(7, 2))
        made = hw.readout(basis, against=against, share=0.5)
        noisy = np.asarray(made) + 1e-3 * rng.normal(size=(7, 7))
        witness = made.inverse if against is None else None
        draft = ReadsOut(noisy, basis, against, Fraction(1, 2), Fraction(0), witness)
        bound = float(draft.best())
        others = np.eye(7) - basis @ np.linalg.pinv(basis) if against is None else against
        for _ in range(100):
            x, y = rng.normal(size=2), rng.normal(size=others.shape[1])
            v_a, v_b = basis @ x, others @ y
            size = np.abs(x) @ np.linalg.norm(basis, axis=0)
            size += np.linalg.norm(v_b) if against is None else np.abs(y) @ np.linalg.norm(others, axis=0)
            assert np.linalg.norm(noisy @ (v_a + v_b) / 2 - v_a) <= bound * size * (1 + 1e-9)


def test_saved_and_proved_again(tmp_path):
    without = hw.readout(A).verdict.record
    for made, kind in ((claim(), ReadsOut), (without, ReadsOut), (MEET, SpansMeet)):
        hw.save(tmp_path / "claim", made.prove())
        assert isinstance(load(tmp_path / "claim"), kind)
        assert hw.verify(tmp_path / "claim").status == "proved"
        assert judge(tmp_path / "claim") == "true"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"share": Fraction(0)}, "`share`"),
        ({"bound": Fraction(-1)}, "`bound`"),
        ({"matrix": np.eye(3)}, "`matrix`.*d = 2"),
        ({"against": np.ones((3, 1))}, "`against`.*d = 2"),
        ({"witness": A}, "`witness`.*`against`"),
        ({"against": None}, "`witness`.*`against`"),
        ({"against": None, "witness": np.ones((2, 2))}, "`witness`.*d = 2, m = 1"),
        ({"basis": np.full((2, 1), np.nan)}, "`basis`"),
        ({"basis": np.ones(2)}, "`basis`"),
    ],
)
def test_ill_formed_claims_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(claim(), **change)


# Spans that meet: (1, 2, 2) = a_0 + 2 a_1 = b_0 / 2 - b_1

LEFT = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]])
RIGHT = np.array([[4.0, 1.0], [2.0, -1.0], [6.0, 1.0]])
MEET = SpansMeet(LEFT, RIGHT, (2, 4), (1, -2))


def test_a_common_vector_is_proved():
    verdict = MEET.prove()
    assert verdict.status == "proved"
    assert says(verdict.claim, "v_a", "v_b", 2, 3)
    assert MEET.common_vector() == (2, 4, 4)
    assert judge(MEET) == "true"


@pytest.mark.parametrize(
    ("in_basis", "in_against", "status"),
    [
        ((2, 4), (1, -1), "undecided"),
        ((2, 3), (1, -2), "undecided"),
        ((-2, -4), (1, -2), "undecided"),
        ((0, 0), (0, 0), "undecided"),
        ((0, 0), (1, -2), "undecided"),
        ((-4, -8), (-2, 4), "proved"),
    ],
)
def test_only_a_common_vector_is_proved(in_basis, in_against, status):
    verdict = replace(MEET, in_basis=in_basis, in_against=in_against).prove()
    assert verdict.status == status


def test_a_relation_inside_one_basis_shows_nothing():
    """Both combinations are the zero vector: equal, but no witness."""
    twice, other = np.array([[1.0, 2.0], [3.0, 6.0]]), np.array([[1.0, 1.0], [0.0, 0.0]])
    alone = SpansMeet(twice, other, (2, -1), (1, -1))
    assert alone.prove().status == "undecided"
    assert judge(alone) == "false"


def test_a_hair_off_is_no_common_vector():
    for row in range(3):
        moved = RIGHT.copy()
        moved[row, 0] = np.nextafter(moved[row, 0], 9)
        assert replace(MEET, against=moved).prove().status == "undecided"


def test_long_integers_travel():
    huge = 7**20_000
    made = replace(MEET, in_basis=(2 * huge, 4 * huge), in_against=(huge, -2 * huge))
    assert made.prove().status == "proved"
    again = SpansMeet.from_parts(made.arrays(), json.loads(json.dumps(made.fields())))
    assert again.in_against == made.in_against


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"against": np.ones((2, 2))}, "`against`.*d = 3"),
        ({"in_basis": (1,)}, "`in_basis`.*1"),
        ({"in_against": (1, 2, 3)}, "`in_against`.*3"),
        ({"in_basis": (1.0, 2)}, "`in_basis`"),
        ({"in_basis": (True, 2)}, "`in_basis`"),
        ({"basis": np.full((3, 2), np.inf)}, "`basis`"),
    ],
)
def test_ill_formed_witnesses_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(MEET, **change)


@pytest.mark.parametrize("change", [{"in_basis": ["2", "x"]}, {"in_basis": [2, 4]}])
def test_ill_formed_files_are_refused(change):
    with pytest.raises((ValueError, TypeError)):
        SpansMeet.from_parts(MEET.arrays(), MEET.fields() | change)


def test_the_error_is_a_part_of_what_the_coefficients_sum():
    """Vectors whose parts cancel: the error is small beside the parts, and as large as the vector itself."""
    columns = np.array([[1.0, 1.0], [0.0, 2.0**-50]])
    for against in (None, np.array([[0.0], [0.0], [1.0]])):
        d = 2 if against is None else 3
        basis, first = np.pad(columns, ((0, d - 2), (0, 0))), np.zeros((d, d))
        first[0, 0] = 1.0  # e_2 = 2^50 (a_2 - a_1) is in the span, and the matrix takes it to 0
        witness = basis * [[1.0], *[[0.0]] * (d - 1)] * [1.0, 0.0] if against is None else None
        verdict = ReadsOut(first, basis, against, Fraction(1), Fraction(1, 2**49), witness).prove()
        assert verdict.status == "proved"
        assert "(Σ |x_j| ‖a_j‖ + " in verdict.claim
        assert "v_a = Σ x_j a_j" in verdict.claim
        assert ("‖v_b‖" if against is None else "v_b = Σ y_j b_j") in verdict.claim
