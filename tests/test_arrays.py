"""Inputs: every conversion keeps the exact value or is refused with the argument's name."""

from decimal import Decimal
from fractions import Fraction

import array_api_strict
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headwright import arrays

TINY = [[0.5, -1.25, 3.0], [2.0, 0.0, 2.0**-14]]  # exact in every half type


def matrix(value):
    return arrays.float64(value, name="keys", ndim=2)


def spelled(value):
    return arrays.rational(value, name="error")


def from_torch(kind):
    import torch

    return torch.tensor(TINY, dtype=getattr(torch, kind), requires_grad=True)


def from_jax(kind):
    import jax.numpy as jnp

    return jnp.asarray(TINY, dtype=kind)


def from_ml_dtypes(kind):
    import ml_dtypes

    return np.array(TINY).astype(getattr(ml_dtypes, kind))


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda kind: TINY, "list"),
        (lambda kind: tuple(map(tuple, TINY)), "tuple"),
        *((lambda kind: np.array(TINY, dtype=kind), kind) for kind in ("float16", "float32", "float64", ">f8", ">f4")),
        (lambda kind: np.asfortranarray(TINY), "columns first"),
        (lambda kind: array_api_strict.asarray(TINY), "array_api_strict"),
        pytest.param(from_ml_dtypes, "bfloat16", marks=pytest.mark.needs("ml_dtypes")),
        *(pytest.param(from_torch, k, marks=pytest.mark.needs("torch")) for k in ("bfloat16", "float16", "float64")),
        *(pytest.param(from_jax, k, marks=pytest.mark.needs("jax")) for k in ("bfloat16", "float16", "float32")),
    ],
)
def test_float64_keeps_every_number(make, kind):
    found = matrix(make(kind))
    assert (type(found), found.dtype, found.flags.c_contiguous) == (np.ndarray, np.dtype(np.float64), True)
    assert found.tolist() == TINY


def test_float64_is_a_read_only_copy(rng):
    given = rng.normal(size=(3, 2))
    found = matrix(given)
    assert not np.shares_memory(found, given)
    with pytest.raises(ValueError, match="read-only"):
        found[0, 0] = 1.0
    given[0, 0] = 9.0
    assert found[0, 0] != 9.0


@pytest.mark.parametrize("kind", ["int8", "uint16", "int32", "int64", "uint64", "bool"])
def test_integers_are_exact(kind):
    assert matrix(np.array([[1, 0], [0, 1], [1, 1]], dtype=kind)).tolist() == [[1, 0], [0, 1], [1, 1]]


def test_integers_up_to_two_to_the_53():
    assert matrix([[2**53, -(2**53)]]).tolist() == [[2.0**53, -(2.0**53)]]


@pytest.mark.parametrize(
    "value",
    [
        [[2**53 + 1, 0]],
        [[-(2**53) - 1, 0]],
        np.array([[2**64 - 1]], dtype=np.uint64),
        np.array([[-(2**63)]]),
        [[2**53 + 1, 0.5]],  # NumPy would round the integer to make room for the float
        [[2**64 - 1, -1]],
    ],
)
def test_integers_beyond_are_refused(value):
    with pytest.raises(ValueError, match=r"`keys`.*2"):
        matrix(value)


wide = pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="longdouble is float64 on this machine")


@pytest.mark.parametrize(
    "kind", [pytest.param("longdouble", marks=wide), "complex64", "complex128", "object", "str", "datetime64[s]"]
)
def test_other_types_are_refused(kind):
    with pytest.raises(TypeError, match="`keys`"):
        matrix(np.array([[1, 2], [3, 4]]).astype(kind))


@pytest.mark.needs("torch")
def test_torch_complex_is_refused():
    import torch

    with pytest.raises(TypeError, match="`keys`"):
        matrix(torch.ones((2, 3), dtype=torch.complex64))


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ([[1.0, 2.0], [3.0, np.nan], [np.inf, 0.0]], ValueError, r"`keys`.*\[1, 1\]"),
        (np.array([[1, 2, -np.inf]], dtype=np.float16), ValueError, r"`keys`.*\[0, 2\]"),
        (np.zeros((0, 3)), ValueError, r"`keys`.*\(0, 3\)"),
        ([[]], ValueError, r"`keys`.*\(1, 0\)"),
        ([1.0, 2.0], ValueError, r"`keys`.*\(2,\)"),
        (3.0, ValueError, r"`keys`.*\(\)"),
        (np.zeros((2, 2, 2)), ValueError, r"`keys`.*\(2, 2, 2\)"),
        ([[1.0], [1.0, 2.0]], ValueError, "`keys`"),
        ([["a", "b"]], TypeError, "`keys`"),
        ([[Fraction(1, 3)]], TypeError, "`keys`"),
    ],
)
def test_refusals_name_the_argument(value, error, message):
    with pytest.raises(error, match=message):
        matrix(value)


def test_several_dimensions_may_be_allowed():
    assert arrays.float64([1, 2], name="queries", ndim=(1, 2)).shape == (2,)
    with pytest.raises(ValueError, match="`queries`"):
        arrays.float64(1.0, name="queries", ndim=(1, 2))


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (0.1, Fraction(3602879701896397, 36028797018963968)),
        (np.float32(0.1), Fraction(13421773, 134217728)),
        (np.float16(0.1), Fraction(819, 8192)),
        ("0.1", Fraction(1, 10)),
        (" 1/3 ", Fraction(1, 3)),
        ("1e-300", Fraction(1, 10**300)),
        ("-2.5E+2", Fraction(-250)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Decimal("1e400"), Fraction(10**400)),
        (Fraction(1, 3), Fraction(1, 3)),
        (7, Fraction(7)),
        (np.int8(-3), Fraction(-3)),
        (5e-324, Fraction(1, 2**1074)),
    ],
)
def test_rational_is_exact(value, exact):
    found = spelled(value)
    assert type(found) is Fraction
    assert found == exact


@pytest.mark.parametrize(
    "value",
    [
        *("1e-999999999", "1e999999999", "1E+5001", "1e-0000000005001", "1e-5_001", Decimal("1e-5001")),
        pytest.param("1" * 10**6, id="a million digits"),
    ],
)
def test_rational_refuses_numbers_that_would_fill_the_memory(value):
    with pytest.raises(ValueError, match="`error`"):
        spelled(value)


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (True, TypeError, "`error`.*True"),
        (np.bool_(False), TypeError, "`error`"),
        (None, TypeError, "`error`.*NoneType"),
        (1j, TypeError, "`error`.*complex"),
        ([0.1], TypeError, "`error`.*list"),
        (float("nan"), ValueError, "`error`.*nan"),
        (np.float32("-inf"), ValueError, "`error`"),
        (Decimal("NaN"), ValueError, "`error`"),
        (Decimal("sNaN"), ValueError, "`error`"),
        *((text, ValueError, "`error`") for text in ("nan", "inf", "abc", "", "1/0", "1e")),
    ],
)
def test_rational_refusals(value, error, message):
    with pytest.raises(error, match=message):
        spelled(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_rational_of_a_float_is_its_binary_value(x):
    assert spelled(x) == Fraction(x)
    assert spelled(repr(x)) == Fraction(repr(x))


def test_index():
    found = [arrays.index(i, name="i") for i in (0, 7, np.int64(3), np.uint8(2))]
    assert found == [0, 7, 3, 2]
    assert {type(i) for i in found} == {int}


@pytest.mark.parametrize("value", [True, np.bool_(True), 1.0, "1", None, Fraction(2), [1]])
def test_index_refuses_all_but_integers(value):
    with pytest.raises(TypeError, match="`i`"):
        arrays.index(value, name="i")


@pytest.mark.parametrize("value", [True, np.bool_(True), 1.0, "1", None, Fraction(2), [1]])
def test_count_refuses_all_but_integers(value):
    with pytest.raises(TypeError, match="`steps`"):
        arrays.count(value, name="steps")


def test_count_says_how_few_are_too_few():
    found = [arrays.count(k, name="steps", least=least) for k, least in ((1, 1), (np.int64(7), 2), (np.uint8(2), 2))]
    assert found == [1, 7, 2]
    assert {type(k) for k in found} == {int}
    assert arrays.count(0, name="seed") == 0
    for k, least in ((-3, 1), (0, 1), (1, 2)):
        with pytest.raises(ValueError, match=rf"`steps`.*{k}"):
            arrays.count(k, name="steps", least=least)
    with pytest.raises(ValueError, match=r"`seed`.*-1"):
        arrays.count(-1, name="seed")


def test_index_never_counts_from_the_end():
    with pytest.raises(ValueError, match=r"`i`.*-1"):
        arrays.index(-1, name="i")


@given(st.floats(allow_nan=False, allow_infinity=False).filter(bool))
@example(5e-324)
@example(1.7976931348623157e308)
def test_show_of_a_float_is_its_repr(x):
    assert arrays.show(Fraction(x)) == repr(x)


@given(st.fractions(), st.integers(-5000, 5000))
@example(Fraction(1, 3), -4990)
@example(Fraction(-2, 3), 4990)
@example(Fraction(0), 0)
def test_show_never_raises_and_is_near(x, power):
    number = x * Fraction(10) ** power
    shown = Fraction(arrays.show(number).removesuffix("…"))
    assert abs(shown - number) <= abs(number) / 10**5
