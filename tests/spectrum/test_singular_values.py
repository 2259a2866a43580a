"""singular_values: proved intervals around known values, for every kind of array and every wrong call."""

from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.search.spectrum import Spectrum
from headwright.search.spectrum.decomposition import decomposed
from tests.facts import near, says


def holds(found, values):
    """Whether the exact singular values lie inside, given by their exact squares."""
    ends = zip(found.low.tolist(), found.high.tolist(), values, strict=True)
    return all(Fraction(low) ** 2 <= square <= Fraction(high) ** 2 for low, high, square in ends)


@pytest.mark.parametrize(
    ("matrix", "squares"),
    [
        ([[3, 0], [4, 5]], (45, 5)),
        ([[3, 4]], (25,)),
        ([[3], [4], [12]], (169,)),
        ([[-7]], (49,)),
        (np.zeros((2, 4)), (0, 0)),
        (2 * np.eye(5), (4,) * 5),
        (np.ones((3, 5)), (15, 0, 0)),
        (np.diag([1.0, 1e-8, 1e-16]), (1, Fraction(1e-8) ** 2, Fraction(1e-16) ** 2)),
        (np.diag([1e200, 1e-200]), (Fraction(1e200) ** 2, Fraction(1e-200) ** 2)),
    ],
)
def test_known_values(matrix, squares):
    found = hw.spectrum.singular_values(matrix)
    assert found.verdict.status == "proved"
    assert holds(found, squares)
    assert (found.high - found.low).max() <= 1e-13 * found.high[0]
    assert len(found) == len(squares) == min(np.shape(matrix))


@pytest.mark.parametrize("shape", [(2000, 128), (60, 200)])
def test_widths(rng, shape):
    found = hw.spectrum.singular_values(rng.normal(size=shape))
    assert found.verdict.status == "proved"
    assert found.width <= 1e-10 * found.high[0]
    assert (found.low <= found.values).all()
    assert (found.values <= found.high).all()


def test_the_transpose_has_the_same(rng):
    matrix = rng.normal(size=(7, 4))
    one, other = (hw.spectrum.singular_values(part) for part in (matrix, matrix.T))
    assert (np.maximum(one.low, other.low) <= np.minimum(one.high, other.high)).all()


def test_numbers_of_all_sizes_together(rng):
    """Entries from 1e-300 to 1e300: what float64 products cannot see is in the width."""
    for _ in range(10):
        matrix = rng.normal(size=(3, 2)) * 10.0 ** rng.integers(-300, 300, size=(3, 2))
        assert hw.spectrum.singular_values(matrix).verdict.status == "proved"  # and judged again, exactly
    assert hw.spectrum.singular_values([[5e-324, 0], [0, 5e-324]]).verdict.status == "proved"


def test_singular_values_beyond_the_range_are_refused():
    with pytest.raises(ValueError, match=r"`a`.*float64"):
        hw.spectrum.singular_values(np.full((2, 2), 1.7e308))
    with pytest.raises(ValueError, match=r"`a`.*float64"):
        hw.spectrum.low_rank(np.full((2, 2), 1.7e308), 1)
    top = np.array([[np.finfo(float).max]])  # only the upper end overflows
    assert np.isfinite(decomposed(top).values).all()
    with pytest.raises(ValueError, match=r"`a`.*float64"):
        hw.spectrum.singular_values(top)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (np.ones(3), ValueError, r"`a`.*\(3,\)"),
        (np.ones((2, 2, 2)), ValueError, "`a`"),
        (np.ones((0, 3)), ValueError, "`a`"),
        ([[1.0, np.nan]], ValueError, r"`a`.*\[0, 1\]"),
        ([[1.0], [np.inf]], ValueError, "`a`"),
        ([[1 + 2j]], TypeError, "`a`"),
        ([["x"]], TypeError, "`a`"),
    ],
)
def test_wrong_matrices(wrong, error, message):
    spectrum = hw.spectrum
    for call in (
        spectrum.singular_values,
        spectrum.energy,
        lambda a: spectrum.tail(a, 1),
        lambda a: spectrum.low_rank(a, 1),
    ):
        with pytest.raises(error, match=message):
            call(wrong)


@pytest.mark.parametrize("call", ["tail", "low_rank"])
@pytest.mark.parametrize(
    ("count", "error"),
    [
        (0, ValueError),
        (3, ValueError),
        (-1, ValueError),
        (True, TypeError),
        (1.0, TypeError),
        ("1", TypeError),
    ],
)
def test_wrong_counts(call, count, error):
    name = "k" if call == "tail" else "rank"
    with pytest.raises(error, match=f"`{name}`"):
        getattr(hw.spectrum, call)(np.ones((3, 2)), count)


@pytest.mark.parametrize("kind", ["float16", "float32", "int8", "uint16", "bool"])
def test_numpy_types(kind):
    matrix = np.array([[3, 0], [4, 5]]).astype(kind)
    exact = hw.spectrum.singular_values(matrix.astype(np.float64))
    assert (hw.spectrum.singular_values(matrix).low == exact.low).all()


@pytest.mark.needs("torch")
@pytest.mark.parametrize("kind", ["bfloat16", "float16", "float32", "float64", "int32"])
def test_torch_types(kind):
    import torch

    matrix = torch.tensor([[3, 0], [4, 5]], dtype=getattr(torch, kind))
    assert holds(hw.spectrum.singular_values(matrix), (45, 5))
    leaf = torch.tensor([[3.0, 0.0], [4.0, 5.0]], requires_grad=True)
    assert holds(hw.spectrum.energy(leaf).singular_values, (45, 5))
    with pytest.raises(TypeError, match="`a`"):
        hw.spectrum.energy(torch.ones((2, 2), dtype=torch.complex64))


@pytest.mark.needs("jax")
def test_jax_arrays():
    import jax.numpy as jnp

    for kind in (jnp.bfloat16, jnp.float16, jnp.float32):
        assert holds(hw.spectrum.singular_values(jnp.array([[3, 0], [4, 5]], dtype=kind)), (45, 5))


def test_the_slower_method_where_the_faster_does_not_converge(monkeypatch):
    import scipy.linalg

    true_svd = scipy.linalg.svd

    def stubborn(*arguments, **options):
        if options.get("lapack_driver") != "gesvd":
            raise scipy.linalg.LinAlgError("SVD did not converge")
        return true_svd(*arguments, **options)

    monkeypatch.setattr(scipy.linalg, "svd", stubborn)
    assert holds(hw.spectrum.singular_values([[3, 0], [4, 5]]), (45, 5))


def test_it_shows_itself(tmp_path):
    found = hw.spectrum.singular_values([[3, 0], [4, 5], [0, 0]])
    assert isinstance(found, Spectrum)
    assert says(repr(found), 2, 3)
    assert all(near(repr(found), value) for value in (45**0.5, 5**0.5))
    assert "…" in repr(hw.spectrum.singular_values(np.eye(9)))
    assert list(found.table()) == ["i", "value", "low", "high"]
    assert found.to_dict()["verdict"]["status"] == "proved"
    assert 45 ** Fraction(1, 2) in found[0]
    assert hw.spectrum.singular_values(np.zeros((2, 2))).width == 0
    hw.save(tmp_path / "claim", found.verdict)
    assert hw.verify(tmp_path / "claim").status == "proved"
