"""Inputs: every conversion keeps the exact value or is refused with the argument's name."""

import array
import copy
import pickle
import sys
import tracemalloc
from collections import UserList, deque, namedtuple
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from types import MappingProxyType, SimpleNamespace

import array_api_strict
import numpy as np
import pytest
from hypothesis import example, given, strategies as st

import headwright as hw
from headwright.kernel import exact_inputs, inputs
from headwright.search.readout.readout_matrix import Readout
from headwright.words.array_libraries import typed
from headwright.words.pickling import remade

TINY = [[0.5, -1.25, 3.0], [2.0, 0.0, 2.0**-14]]  # exact in every half type


def matrix(value):
    return inputs.float64(value, name="keys", ndim=2)


def spelled(value):
    return inputs.rational(value, name="error")


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


@pytest.mark.parametrize("kind", ["longdouble", "complex64", "complex128", "object", "str", "datetime64[s]", "m8[s]"])
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


BIG = 2**53 + 1


@pytest.mark.parametrize(
    "value",
    [
        [[np.int64(BIG), 0.5]],
        [[np.uint64(BIG), 0.5]],
        [[np.longlong(-BIG), 0.5]],
        ((np.float32(0.5), BIG),),
        [[0.5, 1.0], (1.0, np.array(BIG))],
        [np.array([0.5, 1.0]), np.array([BIG, 1])],
        (np.array([BIG, 1]), [0.5, 1.0]),
        np.array([[BIG, 1]]),
        np.array([[BIG, 1]], dtype=">i8"),
        [[True, BIG]],
        [[10**400, 0.5]],
    ],
)
def test_integers_beyond_are_refused_wherever_they_stand(value):
    with pytest.raises(ValueError, match=r"`keys` holds integers beyond 2\^53"):
        matrix(value)


def test_the_claim_that_was_proved_of_rounded_keys_is_refused():
    keys = [[np.int64(BIG), 0.5], [np.int64(2**53), 0.5]]
    with pytest.raises(ValueError, match="`keys` holds integers"):
        hw.certify(keys, [1.0, 0.0], hw.Average(0, 1), error="1e-6")


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        ([[np.float32(0.1), 1.0], (True, np.int8(-3))], [[float(np.float32(0.1)), 1.0], [1.0, -3.0]]),
        ([np.array([1, 2], dtype=np.uint8), [0.5, np.float16(0.1)]], [[1.0, 2.0], [0.5, float(np.float16(0.1))]]),
        ([[np.array(0.25), 2**53]], [[0.25, 2.0**53]]),
        ([array_api_strict.asarray([1.0, 2.0]), np.array([3.0, 4.0])[::-1]], [[1.0, 2.0], [4.0, 3.0]]),
        (hw.position.learned([[0.1, 0.2]]), [[0.1, 0.2]]),
        (hw.readout(np.eye(2)[:, :1], against=np.eye(2)[:, 1:]), [[1.0, 0.0], [0.0, 0.0]]),
        ([[hw.Bounded(0.5, low=0.0, high=1.0, proved=False, how="by hand"), 1]], [[0.5, 1.0]]),
        (np.array([[np.nextafter(0, 1)]], dtype="<f4") + np.float32(1e-45), [[float(np.float32(1e-45))]]),
    ],
)
def test_lists_are_read_entry_by_entry(value, exact):
    assert matrix(value).tolist() == exact


class OtherFloat(float):
    def __float__(self):
        return 0.75

    def as_integer_ratio(self):
        return (3, 4)


class OtherInteger(int):
    def __index__(self):
        return 4


class Seven(IntEnum):
    SEVEN = 7


class Rounding:
    def __array__(self, dtype=None, copy=None):
        return np.ones((2, 2))


Pair = namedtuple("Pair", "a b")
Quiet = type("Quiet", (np.ndarray,), {})
MASKED = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[True, False], [False, False]])
UNLISTED = {
    "deque": deque([[1.0, 2.0]]),
    "deque in a list": [deque([1.0, 2.0])],
    "own list": UserList([[1.0, 2.0]]),
    "named tuple": [Pair(1.0, 2.0)],
    "range": [range(2)],
    "array.array": [array.array("d", [1.0])],
    "memoryview": memoryview(np.ones((2, 2))),
    "dictionary": {0: [1.0]},
    "generator": ([1.0] for _ in range(2)),
    "bytes": [b"12"],
    "masked": MASKED,
    "masked rows": list(MASKED),
    "masked entries": [[np.ma.masked, 1.0]],
    "subclass": np.ones((2, 2)).view(Quiet),
    "subclass in a list": [np.ones(2).view(Quiet)],
    "records": np.zeros((2, 2), dtype=[("a", "f8")]).view(np.recarray),
    "has __array__": Rounding(),
    "has __array__, in a list": [[Rounding(), 1.0]],
    "a float that says two things": [[OtherFloat(0.5), 1.0]],
    "an integer that says two things": [[OtherInteger(3), 1.0]],
    "IntEnum": [[Seven.SEVEN, 1.0]],
    "longdouble": [[np.longdouble(0.5), 1.0]],
    "complex": [[np.complex64(1), 1.0]],
    "Fraction": [[Fraction(1, 2), 1.0]],
    "Decimal": [[Decimal("0.5"), 1.0]],
    "date": [[np.datetime64(1, "s"), 1.0]],
    "text": [[np.str_("1"), 1.0]],
    "None": [[None, 1.0]],
}


@pytest.mark.parametrize("value", UNLISTED.values(), ids=UNLISTED)
def test_what_is_not_on_the_list_is_refused(value):
    with pytest.raises(TypeError, match="`keys` must hold real numbers"):
        matrix(value)


@pytest.mark.parametrize(
    ("value", "name"),
    [(deque([[1.0]]), "collections.deque"), (np.ma.array([[1.0]]), "MaskedArray"), ([[Rounding()]], "Rounding")],
)
def test_a_refusal_names_the_type(value, name):
    with pytest.raises(TypeError, match=name):
        matrix(value)


def test_fields_and_small_integers_of_other_kinds_are_refused():
    with pytest.raises(TypeError, match="`keys` must hold real numbers of at most 64 bits, got dtype"):
        matrix(np.zeros((2, 2), dtype=[("a", "f8")]))


def test_lists_that_hold_themselves_or_double_at_every_level_end():
    endless = []
    endless.append(endless)
    doubled = [1.0]
    for _ in range(20):
        doubled = [doubled, doubled]
    tracemalloc.start()
    try:
        for value in (endless, doubled):
            with pytest.raises(ValueError, match="`keys` must have 2 dimension"):
                matrix(value)
        assert tracemalloc.get_traced_memory()[1] < 10**6  # nobody looks below the second level
    finally:
        tracemalloc.stop()


@pytest.mark.filterwarnings("error")
def test_a_signalling_nan_is_refused_without_a_warning():
    signalling = np.array([[0x7F800001]], dtype=np.uint32).view(np.float32)
    for value in (signalling, [signalling[0]]):
        with pytest.raises(ValueError, match="`keys` must be finite"):
            matrix(value)


def test_ours_are_four():
    assert {hw.Bounded} == {kind for kind in exact_inputs.FLOAT_SCALARS if kind.__module__.startswith("headwright")}
    own = {kind for kind in exact_inputs._ARRAYS if kind.__module__.startswith("headwright")}
    assert own == {Readout, hw.Stored, type(hw.position.learned([[1.0]]))}


def test_an_array_that_was_opened_is_not_taken_for_settled():
    found = matrix([[1.0, 2.0]])
    assert matrix(found) is found
    found.flags.writeable = True
    found[0, 0] = 3.0
    assert matrix(found) is not found
    found.flags.writeable = False
    found.dtype = np.int64
    assert matrix(np.ones((1, 1))).dtype == np.float64
    with pytest.raises(ValueError, match="`keys` holds integers beyond"):
        matrix(found)


def test_narrow_floats_are_not_read_where_subnormals_are_flushed(monkeypatch):
    def flushes():
        raise FloatingPointError("flushed")

    monkeypatch.setattr(exact_inputs, "need_gradual_underflow", flushes)
    for value in (np.ones((1, 1), dtype=np.float32), [[np.float16(1)]]):
        with pytest.raises(FloatingPointError, match="flushed"):
            matrix(value)
    assert matrix(np.ones((1, 1))).tolist() == [[1.0]]


class Tensor:
    """What the door looks at of a torch tensor."""

    is_quantized = is_nested = False
    layout, dtype, device = "strided", "torch.float32", SimpleNamespace(type="cuda")

    def __init__(self, numbers, **more):
        self.numbers, self.negative = numbers, False
        self.__dict__.update(more)

    def detach(self):
        return self

    def cpu(self):
        return self

    def resolve_neg(self):
        return Tensor(-self.numbers if self.negative else self.numbers)

    def numpy(self):
        return self.numbers


@pytest.fixture
def fake_torch(monkeypatch):
    fake = SimpleNamespace(
        Tensor=Tensor, nn=SimpleNamespace(Parameter=type("Parameter", (Tensor,), {})), strided="strided"
    )
    monkeypatch.setitem(sys.modules, "torch", fake)
    return fake


@pytest.mark.parametrize(
    "more",
    [
        {"is_quantized": True},
        {"is_nested": True},
        {"layout": "sparse"},
        {"device": SimpleNamespace(type="meta")},
        {"dtype": "torch.complex64"},
        {"dtype": "torch.float4_e2m1fn_x2"},
    ],
)
def test_strange_tensors_are_refused(fake_torch, more):
    numbers = np.array([[0.5, 1.0]], dtype=np.float32)
    assert matrix(Tensor(numbers)).tolist() == [[0.5, 1.0]]
    assert matrix(Tensor(numbers, negative=True)).tolist() == [[-0.5, -1.0]]
    assert matrix([Tensor(numbers[0]), fake_torch.nn.Parameter(numbers[0])]).tolist() == [[0.5, 1.0]] * 2
    with pytest.raises(TypeError, match="`keys` must hold real numbers in a dense tensor"):
        matrix(Tensor(numbers, **more))
    with pytest.raises(TypeError, match="Own"):
        matrix(type("Own", (Tensor,), {})(numbers))


@pytest.mark.needs("torch")
def test_real_tensors_that_are_no_plain_ones_are_refused():
    import torch

    dense = torch.ones((2, 2))
    strange = [dense.to_sparse(), dense.to_sparse_csr(), dense.to("meta"), dense.to(torch.complex64)]
    strange += [torch.quantize_per_tensor(dense, 0.1, 0, torch.qint8), torch.nested.nested_tensor([dense, dense])]
    strange += [dense.as_subclass(type("Own", (torch.Tensor,), {}))]
    for tensor in strange:
        for value in (tensor, [tensor]):
            with pytest.raises(TypeError, match="`keys` must hold real numbers"):
                inputs.float64(value, name="keys", ndim=(2, 3))


@pytest.mark.needs("torch", "ml_dtypes")
def test_every_code_of_every_small_float_is_read_as_its_own_value():
    import ml_dtypes
    import torch

    from evidence.doors import FLOATS

    for name, form in FLOATS.items():
        codes = np.arange(2 ** min(form.bits, 16))
        if form.bits > 16 or name == "float16":
            continue
        bits = codes.astype(f"uint{form.bits}")
        made = [bits.view(getattr(ml_dtypes, name))]
        if hasattr(torch, name):
            made.append(torch.from_numpy(bits.view(f"int{form.bits}")).view(getattr(torch, name)))
        truth = [form.value(int(code)) for code in codes]
        finite = [k for k, number in enumerate(truth) if number is not None]
        for array_of in made:
            found = inputs.float64(array_of, name="keys", ndim=1, finite=False)
            assert [Fraction(found[k]) for k in finite] == [truth[k] for k in finite]
            assert not np.isfinite(np.delete(found, finite)).any()


@pytest.mark.parametrize(
    "value",
    [
        OtherFloat(0.5),
        OtherInteger(3),
        Seven.SEVEN,
        np.longdouble(0.5),
        np.array([0.5]),
        np.array(True),
        type("S", (str,), {})("1"),
    ],
)
def test_rational_takes_listed_types_alone(value):
    with pytest.raises(TypeError, match="`error` must be a number"):
        spelled(value)


@pytest.mark.parametrize(
    "value", ["1/3", "0.1", Fraction(1, 10), "1e400", "-1e400", "1e-400", 2**53 + 1, Decimal("0.3")]
)
def test_held_refuses_what_float64_cannot_hold(value):
    with pytest.raises(ValueError, match="`scale` must be a number that float64 holds exactly"):
        inputs.held(value, name="scale")


@pytest.mark.parametrize("value", ["1/4", 0.1, 2**60, np.float32(0.1), "1e20", 5e-324, Fraction(3, 8)])
def test_held_keeps_the_number(value):
    found = inputs.held(value, name="scale")
    assert type(found) is float
    assert Fraction(found) == spelled(value)


@pytest.mark.parametrize(
    ("text", "number"),
    [(" 12 ", 12), ("-9007199254740993", -BIG), ("0.1", 0.1), ("1e3", 1000.0), ("9" * 500, float("inf"))],
)
def test_typed_keeps_whole_numbers_whole(text, number):
    assert (typed(text), type(typed(text))) == (number, type(number))


def test_copies_and_pickles_are_frozen_again():
    @dataclass(frozen=True)
    class Held:
        table: np.ndarray
        named: object

        def __post_init__(self):
            object.__setattr__(self, "table", inputs.float64(self.table, name="table", ndim=1))
            object.__setattr__(self, "named", MappingProxyType(dict(self.named)))

        def __reduce__(self):
            return remade(self)

    held = Held([1.0, 2.0], {"a": 1})
    held.__dict__["seen"] = 5
    for again in (copy.copy(held), copy.deepcopy(held), replace(held)):
        assert not again.table.flags.writeable
        assert again.named == {"a": 1}
    assert copy.copy(held).__dict__["seen"] == 5


@pytest.mark.parametrize("made", [hw.Design(np.ones((1, 2)), [1.0], 1.0, hw.Copy(0), "0.1", [1.0])])
def test_what_is_designed_is_frozen_again(made):
    for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert not again.queries.flags.writeable


def test_several_dimensions_may_be_allowed():
    assert inputs.float64([1, 2], name="queries", ndim=(1, 2)).shape == (2,)
    with pytest.raises(ValueError, match="`queries`"):
        inputs.float64(1.0, name="queries", ndim=(1, 2))


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
    found = [inputs.index(i, name="i") for i in (0, 7, np.int64(3), np.uint8(2))]
    assert found == [0, 7, 3, 2]
    assert {type(i) for i in found} == {int}


def test_an_index_is_a_plain_integer():
    class Loud(int):
        def __repr__(self):
            return "another"

    for value in (Seven.SEVEN, Loud(7)):
        assert type(inputs.index(value, name="i")) is int
        assert inputs.index(value, name="i") == 7
    flag = type("Flag", (), {"dtype": "torch.bool", "__index__": lambda self: 1})  # as a tensor of one truth value
    with pytest.raises(TypeError, match="`i` must be an integer"):
        inputs.index(flag(), name="i")


@pytest.mark.parametrize("value", [True, np.bool_(True), 1.0, "1", None, Fraction(2), [1]])
def test_index_refuses_all_but_integers(value):
    with pytest.raises(TypeError, match="`i`"):
        inputs.index(value, name="i")


@pytest.mark.parametrize("value", [True, np.bool_(True), 1.0, "1", None, Fraction(2), [1]])
def test_count_refuses_all_but_integers(value):
    with pytest.raises(TypeError, match="`steps`"):
        inputs.count(value, name="steps")


def test_count_says_how_few_are_too_few():
    found = [inputs.count(k, name="steps", least=least) for k, least in ((1, 1), (np.int64(7), 2), (np.uint8(2), 2))]
    assert found == [1, 7, 2]
    assert {type(k) for k in found} == {int}
    assert inputs.count(0, name="seed") == 0
    for k, least in ((-3, 1), (0, 1), (1, 2)):
        with pytest.raises(ValueError, match=rf"`steps`.*{k}"):
            inputs.count(k, name="steps", least=least)
    with pytest.raises(ValueError, match=r"`seed`.*-1"):
        inputs.count(-1, name="seed")


def test_index_never_counts_from_the_end():
    with pytest.raises(ValueError, match=r"`i`.*-1"):
        inputs.index(-1, name="i")


@given(st.floats(allow_nan=False, allow_infinity=False).filter(bool))
@example(5e-324)
@example(1.7976931348623157e308)
def test_show_of_a_float_is_its_repr(x):
    assert inputs.show(Fraction(x)) == repr(x)


@given(st.fractions(), st.integers(-5000, 5000))
@example(Fraction(1, 3), -4990)
@example(Fraction(-2, 3), 4990)
@example(Fraction(0), 0)
def test_show_never_raises_and_is_near(x, power):
    number = x * Fraction(10) ** power
    shown = Fraction(inputs.show(number).removesuffix("…"))
    assert abs(shown - number) <= abs(number) / 10**5


def test_letters_stand_for_one_number_each():
    sizes = {}
    inputs.match(np.ones((3, 2)), "keys", "nd", sizes)
    assert sizes == {"n": 3, "d": 2}
    inputs.match(np.ones((2, 2, 2)), "norms", (2, "d", "d"), sizes)
    for shape, letters in [
        ((2, 3), "dd"),
        ((2, 3), "pp"),
        ((3,), "nd"),
        ((2, 2), "nd"),
        ((0, 2), "pd"),
        ((3, 2), (2, "d")),
    ]:
        with pytest.raises(ValueError, match="`queries`"):
            inputs.match(np.ones(shape), "queries", letters, sizes)
    assert sizes == {"n": 3, "d": 2}


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (np.array(0.1), Fraction(0.1)),
        (np.array(0.1, dtype=np.float32), Fraction(float(np.float32(0.1)))),
        (np.array(3, dtype=np.uint8), Fraction(3)),
    ],
)
def test_an_array_of_one_number_is_that_number(value, number):
    assert inputs.rational(value, name="error") == number


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (np.array(np.longdouble(0.1)), TypeError),
        (np.array(1j), TypeError),
        (np.array("0.1"), TypeError),
        (np.array(0.1, dtype=object), TypeError),
        (np.array(np.nan), ValueError),
        (np.array(2**60), ValueError),
        (np.ma.array(0.1), TypeError),
    ],
)
def test_an_array_of_one_number_is_exact_or_refused(value, error):
    with pytest.raises(error, match="`error`"):
        inputs.rational(value, name="error")


@pytest.mark.needs("torch")
def test_a_tensor_of_one_number_is_that_number():
    import torch

    norm = torch.tensor([0.3, 0.4], dtype=torch.bfloat16, requires_grad=True).norm()
    assert inputs.rational(norm, name="max_norm") == Fraction(float(norm))
    with pytest.raises(TypeError, match="`max_norm`"):
        inputs.rational(torch.tensor(True), name="max_norm")
