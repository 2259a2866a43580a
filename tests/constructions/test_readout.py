"""readout: the matrix that gives v_a when shown v_a + v_b; both conventions; spans that meet, nearly meet, depend."""

import doctest
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import headwright as hw
from tests.facts import says
from tests.second_opinion_readout import _rank


def orthonormal(rng, d, m):
    return np.linalg.qr(rng.normal(size=(d, m)))[0]


def test_orthonormal_columns_give_a_times_its_transpose(rng):
    both = orthonormal(rng, 9, 7)
    a, b = both[:, :3], both[:, 3:]
    for made in (hw.readout(a), hw.readout(a, against=b)):
        assert np.allclose(made, a @ a.T, atol=1e-14)
        assert made.condition == pytest.approx(1, abs=1e-12)
        assert made.norm == pytest.approx(1, abs=1e-12)
        assert made.verdict.status == "proved"
        assert made.residual < 1e-14


@pytest.mark.parametrize("share", [1.0, 0.5, "1/3", Fraction(7, 2)])
def test_any_bases_by_a_slow_oracle(rng, share):
    """Independent columns, slanted spans: every sum is taken apart again by least squares in the coefficients."""
    for d, m, p in ((5, 2, 2), (8, 1, 4), (9, 4, 5)):
        a, b = rng.normal(size=(d, m)), rng.normal(size=(d, p))
        made = hw.readout(a, against=b, share=share)
        for _ in range(5):
            x, y = rng.normal(size=m), rng.normal(size=p)
            c = float(Fraction(share)) * (a @ x + b @ y)
            taken_apart = np.linalg.lstsq(np.hstack([a, b]), c / float(Fraction(share)), rcond=None)[0]
            assert np.allclose(made @ c, a @ taken_apart[:m], atol=1e-10)
            assert np.allclose(made @ c, a @ x, atol=1e-10)
        assert np.allclose(np.asarray(made) @ np.asarray(made) * float(Fraction(share)), np.asarray(made), atol=1e-9)
        assert made.residual < 1e-11
        both = np.hstack([a / np.linalg.norm(a, axis=0), b / np.linalg.norm(b, axis=0)])
        assert made.condition == pytest.approx(np.linalg.cond(both), rel=1e-9)
        assert made.norm == pytest.approx(np.linalg.norm(np.asarray(made), 2))


def test_the_orthogonal_complement_is_the_default(rng):
    a = rng.normal(size=(6, 2)) @ [[1.0, 5.0], [0.0, 0.1]]
    made = hw.readout(a, share=0.5)
    beside = rng.normal(size=6)
    beside -= a @ np.linalg.lstsq(a, beside, rcond=None)[0]
    assert np.allclose(made @ (0.5 * (a @ [1, -2] + beside)), a @ [1, -2], atol=1e-12)
    assert np.allclose(made, made.T)
    assert "‖v_b‖" in made.verdict.bound_text


def test_rows_are_read_by_the_transpose(rng):
    """Slanted spans: the matrix is not symmetric, and c M instead of c Mᵀ goes wrong."""
    a, b = rng.normal(size=(5, 2)), rng.normal(size=(5, 2))
    made = hw.readout(a, against=b, share=0.5)
    x, y = rng.normal(size=(7, 2)), rng.normal(size=(7, 2))
    rows = 0.5 * (x @ a.T + y @ b.T)
    assert np.allclose(rows @ made.T, x @ a.T)
    assert not np.allclose(rows @ made, x @ a.T, atol=1e-2)


def test_dependent_columns_span_what_they_span(rng):
    a, b = rng.normal(size=(6, 2)), rng.normal(size=(6, 2))
    plain = hw.readout(a, against=b)
    mixed = np.hstack([a, a @ rng.normal(size=(2, 3)), np.zeros((6, 1))])  # equal spans, up to rounding
    for made in (
        hw.readout(mixed, against=np.hstack([b, b[:, :1] * 3])),
        hw.readout(mixed * 1e150, against=b * 1e-150),
    ):
        assert np.allclose(made, plain, atol=1e-12)
        assert made.residual < 1e-13
        assert made.condition < 100
    assert np.allclose(hw.readout(mixed), hw.readout(a), atol=1e-13)
    assert np.allclose(hw.readout(a, against=np.zeros((6, 1))) @ a, a)
    assert np.allclose(hw.readout(np.eye(3)) @ [1, 2, 3], [1, 2, 3])


def test_exact_dependence_beside_another_span():
    """Three columns in one plane, the fourth outside: there are relations, but none between the spans."""
    a = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    made = hw.readout(a, against=[[1.0], [1.0], [1e-16]])
    assert made.condition > 1e15


@pytest.mark.parametrize(
    ("d", "m", "p", "common"), [(6, 2, 3, 1), (6, 3, 3, 2), (4, 3, 3, 0), (7, 1, 1, 1), (3, 3, 1, 0)]
)
def test_spans_that_meet_are_refused_with_an_exact_vector(rng, d, m, p, common):
    a = rng.integers(-9, 10, size=(d, m)).astype(float)
    shared = a @ rng.integers(-3, 4, size=(m, common)).astype(float)
    b = np.hstack([shared, rng.normal(size=(d, p - common))])
    with pytest.raises(hw.Unreachable, match=r"`basis`.*`against`") as refused:
        hw.readout(a, against=b)
    found = refused.value
    assert found.verdict.status == "proved"
    record = found.verdict.record
    vector = record.common_vector()
    assert any(vector)
    for columns, weights in ((a, record.in_basis), (b, record.in_against)):
        rows = [[Fraction(entry) for entry in row] for row in columns.tolist()]
        assert tuple(sum(w * entry for w, entry in zip(weights, row, strict=True)) for row in rows) == vector
    largest = max(map(abs, record.in_basis))
    told = {j: weight * largest for j, weight in zip(found.witness.indices, found.witness.weights, strict=True)}
    assert [told.get(j, 0) for j in range(m)] == list(record.in_basis)
    assert pickle.loads(pickle.dumps(found)).reason == found.reason


def test_random_spans_are_refused_just_when_they_must_meet(rng):
    met = 0
    for _ in range(60):
        d, (m, p) = rng.integers(2, 9), rng.integers(1, 6, size=2)
        a, b = rng.normal(size=(d, m)), rng.normal(size=(d, p))
        if min(d, m) + min(d, p) > d:
            met += 1
            with pytest.raises(hw.Unreachable):
                hw.readout(a, against=b)
        else:
            assert hw.readout(a, against=b).residual < 1e-10
    assert 10 < met < 50


def case(rng, kind):
    """Bases of one kind: small integers, wild units, nearly equal columns that meet, unequal rows."""
    d, m, p = rng.integers(1, 8), rng.integers(1, 5), rng.integers(1, 5)
    a, b = rng.normal(size=(d, m)), rng.normal(size=(d, p))
    if kind == "integers":
        return rng.integers(-2, 3, size=(d, m)) + np.eye(d, m), rng.integers(-2, 3, size=(d, p)).astype(float)
    if kind == "units":
        return a * 10.0 ** rng.integers(-200, 200, size=m), b * 10.0 ** rng.integers(-200, 200, size=p)
    if kind == "near columns":
        a = a[:, :1] + 10.0 ** -rng.integers(4, 13) * a
        return a, np.hstack([a[:, :1] * 0.25, b[:, 1:]])
    scales = 10.0 ** rng.integers(-9, 9, size=(d, 1))
    return a * scales, b * scales


@pytest.mark.parametrize("kind", ["integers", "units", "near columns", "rows"])
def test_refused_just_when_the_exact_spans_meet(rng, kind):
    """Ranks by elimination in Fractions, however ill-conditioned the columns are."""
    for _ in range(40):
        a, b = case(rng, kind)
        if not a.any():
            continue
        left, right = ([[Fraction(entry) for entry in column] for column in columns.T.tolist()] for columns in (a, b))
        if _rank(left + right) < _rank(left) + _rank(right):
            with pytest.raises(hw.Unreachable):
                hw.readout(a, against=b)
        else:
            made = hw.readout(a, against=b, share=0.5)
            assert made.residual < 1e-13 * max(1, made.norm)


def test_spans_that_nearly_meet_are_not_refused(rng):
    a, other = rng.normal(size=(6, 2)), rng.normal(size=(6, 1))
    for tilt in (1e-3, 1e-8):
        made = hw.readout(a, against=np.hstack([a[:, :1] + tilt * other, rng.normal(size=(6, 1))]))
        assert 0.1 / tilt < made.condition < 100 / tilt
        assert made.norm > 0.1 / tilt
        assert made.residual < 1e-13 / tilt
    hair = a[:, :1].copy()
    hair[0] = np.nextafter(hair[0], 9)
    made = hw.readout(a, against=hair)  # the exact vectors differ
    assert made.condition > 1e15
    assert made.residual > 1e-3  # float64 cannot hold a matrix of that size well enough, and says so


def test_it_is_used_like_an_array(rng):
    a = rng.normal(size=(4, 2))
    made = hw.readout(a)
    plain = np.asarray(made)
    assert type(plain) is np.ndarray
    assert (plain == made.matrix).all()
    assert (made.shape, made.dtype, len(made)) == ((4, 4), np.float64, 4)
    assert type(2 * made - plain) is np.ndarray
    assert np.array_equal(2 * made - made, plain)
    assert np.array_equal(np.vstack(list(made)), plain)
    assert np.array_equal(made[1], plain[1])
    assert np.array_equal(np.ones(4) @ made, np.ones(4) @ plain)
    assert np.asarray(made, dtype=np.float32).dtype == np.float32
    with pytest.raises(ValueError, match="`copy`"):
        np.array(made, copy=False)
    assert np.linalg.matrix_rank(made) == 2


def test_it_shows_itself_and_cannot_be_changed(rng, tmp_path):
    made = hw.readout(rng.normal(size=(4, 2)), against=rng.normal(size=(4, 1)))
    assert says(repr(made), 2, "1.0", 1, 4)
    assert says(hw.readout(np.eye(3)[:, :1]).summary(), 1, 3)
    assert made.to_dict()["residual"] == made.residual
    assert hw.readout(np.eye(3)[:, :1]).to_dict()["against"] is None
    assert list(made.table()) == ["c_0", "c_1", "c_2", "c_3"]
    with pytest.raises(FrozenInstanceError):
        made.share = 2
    with pytest.raises(ValueError, match="read-only"):
        made.matrix[0, 0] = 1
    hw.save(tmp_path / "m", made.verdict)
    assert hw.verify(tmp_path / "m").status == "proved"


@pytest.mark.parametrize(
    ("basis", "options", "message"),
    [
        ([1.0, 2.0], {}, r"`basis`.*\(2,\)"),
        (np.zeros((3, 0)), {}, "`basis`"),
        ([[1.0], [np.nan]], {}, r"`basis`.*\[1, 0\]"),
        (np.zeros((3, 2)), {}, "`basis`"),
        (np.eye(3), {"against": np.eye(2)}, "`against`.*`basis`.*2"),
        (np.eye(3), {"against": [1.0, 2.0, 3.0]}, "`against`"),
        (np.eye(3)[:, :1], {"against": [[0], [np.inf], [1]]}, "`against`.*inf"),
        (np.eye(3), {"share": 0}, "`share`.*0"),
        (np.eye(3), {"share": -0.5}, r"`share`.*-0\.5"),
        (np.eye(3), {"share": "a half"}, "`share`"),
        (np.eye(3), {"share": "1e-320"}, "`share`"),
        (np.eye(3), {"share": "1e-4000"}, "`share`"),
    ],
)
def test_wrong_calls_are_named(basis, options, message):
    with pytest.raises(ValueError, match=message):
        hw.readout(basis, **options)


def test_complex_numbers_and_missing_names_are_refused():
    with pytest.raises(TypeError, match="`basis`"):
        hw.readout(np.eye(2) * 1j)
    with pytest.raises(TypeError):
        hw.readout(np.eye(2), np.eye(2))


def test_the_theory_page_prints_what_it_says():
    page = Path(__file__).parents[2] / "docs" / "theory" / "layers.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted >= 6
    assert result.failed == 0


@pytest.mark.needs("torch")
def test_bases_may_come_from_torch():
    import torch

    made = hw.readout(torch.eye(3)[:, :2], against=torch.tensor([[0.0], [0.0], [2.0]]))
    assert np.array_equal(made, np.diag([1.0, 1.0, 0.0]))
