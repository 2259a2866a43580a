"""Formulas of low rank: the truncation and nothing else for all A; witnesses that show nothing at one A."""

import numpy as np
import pytest

from headwright.kernel import balls
from headwright.reading.formulas import parse
from headwright.theories.formulas.families.low_rank_formula import LowRankFormula, _is_positive

A = np.diag([4.0, 2.0, 1.0])[:, :3] @ np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])
A = np.vstack([A, np.zeros((1, 3))])
FACTORS = {"left": np.eye(4)[:, :1] * 4.0, "right": np.eye(3)[:1]}


def low(text, k=2, matrix=A, given=None, **witness):
    root = parse(text, names=["A", "k", *(given or {})], functions=["svd_part"]).root
    return LowRankFormula(root, k, matrix, given or {}, **witness)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("svd_part(A, k-1)", "proved"),
        ("svd_part(A, (k^2-1)/(k+1))", "proved"),
        ("svd_part(A, k)", "undecided"),
        ("svd_part(A, k-2)", "undecided"),
        ("svd_part(A, 1)", "undecided"),
        ("svd_part(2*A, k-1)", "undecided"),
        ("svd_part(A', k-1)'", "undecided"),
        ("svd_part(A, k-1+0/(k-3))", "undecided"),
        ("svd_part(A, (k-1)^2/(k-1))", "undecided"),
        ("svd_part(A, k-1+0*log(k-1))", "undecided"),
        ("2*svd_part(A, k-1)", "undecided"),
        ("A", "undecided"),
        ("0*A", "undecided"),
        ("svd_part(k, k-1)", "undecided"),
    ],
)
def test_every_matrix(text, status):
    assert low(text, None, None).prove().status == status


@pytest.mark.parametrize(
    ("text", "k", "witness", "status"),
    [
        ("svd_part(A, k-1)", 2, FACTORS, "proved"),
        ("svd_part(A, k-1)", 2, {}, "undecided"),
        ("svd_part(A, 2)", 2, FACTORS, "undecided"),
        ("svd_part(A, 2)", 2, {"directions": np.eye(3)[:, :2]}, "refuted"),
        ("svd_part(A, 1)", 2, {"directions": np.eye(3)[:, :2]}, "undecided"),
        ("svd_part(A, 2)", 2, {"directions": np.eye(3)[:, [0, 0]]}, "undecided"),
        ("svd_part(A, 2)", 2, {"directions": np.eye(3)[:, [0, 2]]}, "undecided"),
        ("A", 2, {"directions": np.eye(3)[:, :2]}, "refuted"),
        ("0*A", 2, {"left": 0 * FACTORS["left"], "right": FACTORS["right"]}, "undecided"),
        ("0*A", 2, {"stretched": np.eye(3)[:, :1]}, "refuted"),
        ("0*A", 2, {"stretched": np.eye(3)[:, 1:2]}, "undecided"),
        ("0*A", 2, {"stretched": 9 * np.eye(3)[:, 1:2]}, "undecided"),
        ("0*A", 2, {"stretched": 0 * np.eye(3)[:, 1:2]}, "undecided"),
        ("0*A", 1, {}, "proved"),
        ("A/10^12", 1, {}, "proved"),
        ("A/10^6", 1, {}, "undecided"),
        ("A/10^6", 1, {"directions": np.eye(3)[:, :1]}, "refuted"),
        ("-A/2", 1, {"stretched": np.eye(3)[:, :1]}, "refuted"),
        ("svd_part(A, 1)/2", 2, {"left": FACTORS["left"] / 2, "right": FACTORS["right"]}, "proved"),
        ("-svd_part(A, 1)", 2, {"left": -FACTORS["left"], "right": FACTORS["right"]}, "undecided"),
        ("-svd_part(A, 1)", 2, {"stretched": np.eye(3)[:, :1]}, "refuted"),
        ("A'", 2, {}, "refuted"),
        ("2", 2, {}, "refuted"),
        ("A/(k-2)", 2, {}, "refuted"),
        ("svd_part(A, k-1) + 1e-12*[[1,1,1],[1,1,1],[1,1,1],[1,1,1]]", 2, FACTORS, "proved"),
        ("svd_part(A, k-1) + 1e-7*[[1,1,1],[1,1,1],[1,1,1],[1,1,1]]", 2, FACTORS, "undecided"),
    ],
)
def test_one_matrix(text, k, witness, status):
    assert low(text, k, **witness).prove().status == status


def test_the_distance_is_that_of_the_norm():
    """‖A‖_F = √21 and k = 2: 3.24 is allowed, also in a direction between the axes."""
    near = {"C": A.copy()}
    near["C"][1:] = 0
    near["C"][0, 0] = 4 - 3.2
    factors = {"left": np.eye(4)[:, :1] * near["C"][0, 0], "right": np.eye(3)[:1]}
    assert low("C", 2, A, near, **factors).prove().status == "proved"
    near["C"][0, 0] = 4 - 3.3
    factors["left"] = np.eye(4)[:, :1] * near["C"][0, 0]
    assert low("C", 2, A, near, **factors).prove().status == "undecided"
    assert low("C", 2, A, near, stretched=np.eye(3)[:, :1]).prove().status == "refuted"


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0},
        {"k": 4},
        {"k": True},
        {"k": None},
        {"matrix": None},
        {"left": np.eye(4)[:, :2], "right": np.eye(3)[:1]},
        {"left": np.eye(4)[:, :1], "right": np.eye(3)[:2]},
        {"directions": np.eye(3)[:, :1]},
        {"stretched": np.eye(3)[:, :2]},
        {"given": {"A": A}},
        {"given": {"k": A}},
        {"given": {"left": A}},
        {"given": {"matrix": A}},
    ],
)
def test_what_is_not_judged(wrong):
    root = parse("A", names=["A", "k"]).root
    with pytest.raises(ValueError, match=r"`|witness"):
        LowRankFormula(**{"tree": root, "k": 2, "matrix": A, **wrong})


def test_a_matrix_is_seen_to_be_positive_only_where_it_is(rng):
    with balls.precision(128):
        for shift in (0.0, -0.5, -2.0):
            half = rng.standard_normal((4, 5))
            symmetric = half @ half.T + shift * np.eye(4)
            rows = [[balls.exact(float(x)) for x in row] for row in (symmetric + symmetric.T) / 2]
            assert _is_positive(np.array(rows, dtype=object)) == (np.linalg.eigvalsh(symmetric)[0] > 0)
        for rows in ([[0, 0], [0, 0]], [[0, 1], [1, 5]], [[1, 2], [2, 4]], [[1, 2], [2, 3]], [[-1, 0], [0, 1]]):
            assert not _is_positive(np.array([[balls.exact(x) for x in row] for row in rows], dtype=object))
        assert not _is_positive(np.array([[balls.exact(0).union(balls.exact(1))]], dtype=object))


def test_a_claim_survives_its_own_record():
    claim = low("svd_part(A, k-1)", **FACTORS)
    again = LowRankFormula.from_parts(claim.arrays(), claim.fields())
    assert again.fields() == claim.fields()
    assert again.prove().status == "proved"
