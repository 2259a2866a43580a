"""Stored keys: exact values, codes and scales against a slow reference in fractions, and what every call makes of them."""

import math
import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.number_types import KINDS, LEVELS, need_stored, round_to
from tests import second_opinion

CODES = {"int8": 127, "int4": 7, "int3": 3}
FP8 = {"fp8-e4m3": (4, 3, 7), "fp8-e5m2": (5, 2, 15)}  # bits of the exponent, of the fraction, and the bias
GRID = [
    (kind, axis, group, symmetric)
    for kind in LEVELS
    for axis in ("channel", "token")
    for group in (None, 2)
    for symmetric in ((True,) if kind == "nf4" else (True, False))
]


def nearest(wanted, choices):
    """The choice nearest to a rational; of two equally near ones, the one with the even index. Choices: (index, value)."""
    return min(choices, key=lambda choice: (abs(choice[1] - wanted), choice[0] % 2))


def half(number):
    """The float16 number nearest to a rational, as NumPy rounds the nearest float64."""
    return Fraction(float(np.float16(float(number))))


def one_group(numbers, kind, symmetric):
    """Codes, values, scale and zero of one group, number by number in fractions."""
    numbers = [Fraction(x) for x in numbers]
    zero = Fraction(0)
    if kind == "nf4":
        scale = half(max(map(abs, numbers)))
        choices = [(i, Fraction(float(level)) * scale) for i, level in enumerate(LEVELS["nf4"])]
    elif symmetric:
        most = CODES[kind]
        scale = half(max(map(abs, numbers)) / most)
        choices = [(code, code * scale) for code in range(-most, most + 1)]
    else:
        steps = 2 * CODES[kind] + 1
        scale, zero = half((max(numbers) - min(numbers)) / steps), half(min(numbers))
        choices = [(code, code * scale + zero) for code in range(steps + 1)]
    found = [nearest(x, choices) for x in numbers]
    return [code for code, _ in found], [value for _, value in found], scale, zero


def groups_of(n, d, axis, group):
    """The places of each group, and the place of its scale."""
    size = group or (n if axis == "channel" else d)
    if axis == "channel":
        return [([(i + a, j) for a in range(size)], (i // size, j)) for i in range(0, n, size) for j in range(d)]
    return [([(i, j + a) for a in range(size)], (i, j // size)) for i in range(n) for j in range(0, d, size)]


def compare_with_reference(keys, kind, axis, group, symmetric):
    kept = hw.stored(keys, kind, axis, group, symmetric)
    assert (kept.zeros is None) == symmetric
    for places, where in groups_of(*keys.shape, axis, group):
        codes, values, scale, zero = one_group([keys[place] for place in places], kind, symmetric)
        assert Fraction(kept.scales[where]) == scale
        assert symmetric or Fraction(kept.zeros[where]) == zero
        assert [Fraction(kept.values[place]) for place in places] == values
        if scale:
            assert [int(kept.codes[place]) for place in places] == codes


@pytest.mark.parametrize(("kind", "axis", "group", "symmetric"), GRID)
def test_codes_scales_and_values_are_those_of_the_definition(kind, axis, group, symmetric, rng):
    compare_with_reference(rng.normal(size=(6, 4)), kind, axis, group, symmetric)
    compare_with_reference(rng.normal(size=(4, 6)) * 10.0 ** rng.integers(-3, 3, size=6), kind, axis, group, symmetric)


@pytest.mark.parametrize(("kind", "axis", "group", "symmetric"), GRID)
def test_ties_and_what_lies_a_hair_beside_them(kind, axis, group, symmetric, rng):
    kept = hw.stored(rng.normal(size=(8, 4)), kind, axis, group, symmetric)
    steps = kept.scales.repeat(kept.group, axis=-2 if axis == "channel" else -1)
    levels = np.asarray(LEVELS[kind]) if symmetric else np.arange(len(LEVELS[kind]) + 1.0)
    middles = (levels[1:] + levels[:-1]) / 2
    zeros = 0.0 if symmetric else kept.zeros.repeat(kept.group, axis=-2 if axis == "channel" else -1)
    ties = rng.choice(middles, size=kept.shape) * steps + zeros
    keep = rng.random(kept.shape) < 0.5  # the largest and smallest numbers must stay, so that the scale does
    for keys in (ties, np.nextafter(ties, 0), np.nextafter(ties, np.inf)):
        compare_with_reference(np.where(keep, kept.values, keys), kind, axis, group, symmetric)


@pytest.mark.parametrize("kind", FP8)
def test_fp8_is_the_nearest_of_its_256_codes(kind, rng):
    exponents, fraction, bias = FP8[kind]
    table = set()
    for code in range(256):
        exponent, part = code >> fraction & (2**exponents - 1), code & (2**fraction - 1)
        top = exponent == 2**exponents - 1
        if top and (
            kind == "fp8-e5m2" or part == 7
        ):  # infinities and NaN; e4m3fn has one NaN of each sign and no infinity
            continue
        shown = Fraction(part, 2**fraction) + (exponent > 0)
        table.add((-1) ** (code >> 7) * shown * Fraction(2) ** (max(exponent, 1) - bias))
    numbers = sorted(table)
    assert float(numbers[-1]) == {"fp8-e4m3": 448, "fp8-e5m2": 57344}[kind]
    middles = [float((a + b) / 2) for a, b in pairwise(numbers)]
    tried = [*map(float, numbers), *middles, *np.nextafter(middles, 0), *np.nextafter(middles, np.inf)]
    tried += [1e9, -1e300, 449.0, 464.0, 479.9, 6e4, *(rng.normal(size=300) * 10.0 ** rng.integers(-8, 5, size=300))]
    kept = hw.stored([tried], kind)
    even = {value: i for i, value in enumerate(x for x in numbers if x >= 0)}
    for x, value in zip(map(Fraction, tried), map(Fraction, kept.values[0].tolist()), strict=True):
        assert value == min(numbers, key=lambda y, x=x: (abs(y - x), even[abs(y)] % 2))
    assert kept.bits == 8
    assert (kept.codes, kept.scales, kept.zeros, kept.group) == (None, None, None, None)


@pytest.mark.needs("torch")
@pytest.mark.parametrize("kind", ["fp8-e4m3", "fp8-e5m2", "bfloat16", "float16"])
def test_number_types_are_those_of_torch(kind, rng):
    import torch

    types = {"fp8-e4m3": "float8_e4m3fn", "fp8-e5m2": "float8_e5m2"}
    keys = (rng.normal(size=(500, 3)) * 10.0 ** rng.integers(-6, 2, size=(500, 3))).astype(np.float32)
    theirs = torch.from_numpy(keys).to(getattr(torch, types.get(kind, kind)))
    np.testing.assert_array_equal(hw.stored(keys, kind).values, theirs.double().numpy())
    np.testing.assert_array_equal(hw.stored(theirs, kind).values, theirs.double().numpy())


@pytest.mark.parametrize(("kind", "axis", "group", "symmetric"), GRID)
def test_a_batch_is_stored_set_by_set(kind, axis, group, symmetric, rng):
    keys = rng.normal(size=(2, 3, 6, 4))
    kept = hw.stored(keys, kind, axis, group, symmetric)
    assert kept.shape == keys.shape
    assert kept.ndim == 4
    for b in np.ndindex(2, 3):
        alone = hw.stored(keys[b], kind, axis, group, symmetric)
        assert alone.bits == kept.bits
        for name in ("values", "codes", "scales", "zeros"):
            one, many = getattr(alone, name), getattr(kept, name)
            assert (one is None) == (many is None)
            if one is not None:
                np.testing.assert_array_equal(one, many[b])


@pytest.mark.parametrize(
    ("kind", "options", "bits", "shape"),
    [
        ("int8", {}, 8 + 16 / 6, (1, 4)),
        ("int4", {"axis": "token"}, 8, (6, 1)),
        ("int4", {"axis": "token", "group": 2}, 12, (6, 2)),
        ("int3", {"group": 2, "symmetric": False}, 3 + 16, (3, 4)),
        ("nf4", {"group": 3}, 4 + 16 / 3, (2, 4)),
    ],
)
def test_bits_count_the_scales_and_zeros(kind, options, bits, shape, rng):
    kept = hw.stored(rng.normal(size=(6, 4)), kind, **options)
    assert math.isclose(kept.bits, bits)
    assert kept.scales.shape == shape
    held = 16 * (kept.scales.size + (0 if kept.zeros is None else kept.zeros.size))
    assert math.isclose(kept.bits * 24, 24 * {"int8": 8, "int3": 3}.get(kind, 4) + held)


@pytest.mark.parametrize("kind", LEVELS)
@pytest.mark.parametrize("size", [0.0, 2.0**-24, 1e-6, 1e-3, 1.0, 1e3])
def test_what_is_stored_is_stored_and_stays(kind, size, rng):
    kept = hw.stored(rng.normal(size=(9, 5)) * size, kind)
    need_stored(kept.values, kind, name="keys")
    assert second_opinion.is_labelled({"keys": kept.values}, kind)
    if (
        kept.scales >= 2.0**-14
    ).all():  # below, float16 rounds coarsely, and the largest code may be less than the largest level
        np.testing.assert_array_equal(hw.stored(kept, kind).values, kept.values)


@pytest.mark.parametrize("kind", KINDS)
def test_other_numbers_are_not_taken_for_stored_ones(kind, rng):
    kept = hw.stored(rng.normal(size=(9, 5)), kind).values
    for factor in (1 + 2.0**-40, 1 + 2.0**-20 if kind == "float32" else 1.01):
        for place in ((0, 0), (8, 4)):
            moved = kept.copy()
            place = place if moved[place] else (int(np.flatnonzero(moved[:, place[1]])[0]), place[1])
            moved[place] *= factor
            with pytest.raises(ValueError, match="`keys`"):
                need_stored(moved, kind, name="keys")
            assert not second_opinion.is_labelled({"keys": moved}, kind)


@pytest.mark.parametrize(
    ("column", "kind", "right"),
    [
        ([8.0, 1.0], "int4", False),  # whole, but nine steps apart
        ([7.0, 1.0], "int4", True),
        ([-8.0, 1.0], "int4", False),
        ([6.0, 4.0], "int4", True),  # scales 1 and 2
        ([7.0, 0.5], "int4", False),
        ([128.0, 1.0], "int8", False),
        ([127.0, -1.0], "int8", True),
        ([4.0, 1.0], "int3", False),
        ([3.0, -1.0], "int3", True),
        ([3 * 65504.0, 65504.0], "int3", True),
        ([3 * 65536.0, 65536.0], "int3", False),  # float16 cannot hold the scale
        ([3 * 2.0**-25, 2.0**-25], "int3", False),
        ([3 * 2049.0, 2049.0], "int3", False),  # twelve bits
        ([1.0, LEVELS["nf4"][3]], "nf4", True),
        ([1.0, -LEVELS["nf4"][3]], "nf4", False),
        ([LEVELS["nf4"][3], LEVELS["nf4"][9]], "nf4", True),  # the largest level need not occur
        ([448.0, 2.0**-9], "fp8-e4m3", True),
        ([480.0, 1.0], "fp8-e4m3", False),
        ([2.0**-10, 1.0], "fp8-e4m3", False),
        ([57344.0, 2.0**-16], "fp8-e5m2", True),
        ([61440.0, 1.0], "fp8-e5m2", False),
    ],
)
def test_which_numbers_a_kind_holds(column, kind, right):
    keys = np.array([column, [0.0, 0.0]]).T
    assert second_opinion.is_labelled({"keys": keys}, kind) == right
    heads = hw.claims.Heads(keys, np.ones((1, 2)) / 3, np.ones(1), 1)
    if right:
        assert hw.claims.Heads(keys, heads.queries, heads.mix, 1, kind).precision == kind
    else:
        with pytest.raises(ValueError, match="`keys`"):
            hw.claims.Heads(keys, heads.queries, heads.mix, 1, kind)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("float32", "float16", "bfloat16")])
@pytest.mark.parametrize("goal", [hw.Copy(0), hw.Average(0, 2), hw.Blend({0: "0.7", 1: "0.3"})])
def test_a_design_for_stored_keys(kind, goal, rng, tmp_path):
    keys = rng.normal(size=(7, 8))
    made = hw.design(keys, goal, error="0.05", precision=kind)
    assert made.precision == kind
    assert made.verdict.status == "proved"
    assert made.verdict.record.heads.precision == kind
    np.testing.assert_array_equal(made.verdict.record.heads.keys, hw.stored(keys, kind).values)
    assert made.optimality.record.precision == kind
    assert made.lower_bound <= made.norm <= made.lower_bound * (1 + 1e-6)  # the query was not rounded
    again = hw.certify(keys, made)
    assert again.status == "proved"
    assert hw.certify(hw.stored(keys, kind), made.queries, goal, error="0.05").status == "proved"
    hw.save(tmp_path / "claim", again)
    assert hw.verify(tmp_path / "claim").status == "proved"
    assert hw.outcome(keys, made).error_mean.high <= made.error
    kept = pickle.loads(pickle.dumps(made))
    assert hw.certify(keys, kept).status == "proved"


def test_every_call_takes_stored_keys(rng):
    keys = rng.normal(size=(7, 9))
    kept = hw.stored(keys, "int4")
    plain = np.asarray(kept)
    made = hw.design(kept, hw.Copy(2))
    np.testing.assert_array_equal(made.queries, hw.design(plain, hw.Copy(2)).queries)
    assert hw.certify(kept, made).status == "proved"
    np.testing.assert_array_equal(hw.attend(made, kept).weights, hw.attend(made, plain).weights)
    np.testing.assert_array_equal(hw.attend(keys[0], kept).weights, hw.attend(keys[0], plain).weights)
    assert hw.outcome(kept, made).error_mean.high == hw.outcome(plain, made).error_mean.high
    assert len(hw.design_many(kept, [hw.Copy(0), hw.Copy(1)], throw=True)) == 2
    np.testing.assert_array_equal(hw.spectrum.singular_values(kept).values, hw.spectrum.singular_values(plain).values)


def test_it_is_an_array():
    kept = hw.stored(np.eye(3), "int8")
    assert len(kept) == 3
    assert kept.dtype == np.float64
    np.testing.assert_array_equal(np.asarray(kept), kept.values)
    assert not np.shares_memory(np.asarray(kept), np.asarray(kept))
    assert np.asarray(kept, dtype=np.float32).dtype == np.float32
    assert np.array(kept) is not kept.values
    with pytest.raises(ValueError, match="`copy`"):
        np.asarray(kept, dtype=np.float32, copy=False)
    np.testing.assert_array_equal(kept @ np.ones(3), kept.values @ np.ones(3))
    np.testing.assert_array_equal(kept - kept, np.zeros((3, 3)))
    assert kept[1].tolist() == kept.values[1].tolist()
    for part in (kept.values, kept.codes, kept.scales):
        assert not part.flags.writeable
    again = pickle.loads(pickle.dumps(kept))
    assert not again.values.flags.writeable
    assert again.to_dict() == kept.to_dict()
    assert list(kept.table()) == ["k_0", "k_1", "k_2"]
    assert kept.to_dict()["codes"] == kept.codes.tolist()


@pytest.mark.parametrize("symmetric", [True, False])
def test_groups_without_a_range(symmetric):
    kept = hw.stored([[0.0, 0.1], [0.0, 0.1], [0.0, 0.1]], "int4", symmetric=symmetric)
    assert kept.values[:, 0].tolist() == [0.0] * 3
    assert kept.scales[0, 0] == 0
    assert not kept.codes[:, 0].any()
    if symmetric:
        assert len(set(kept.values[:, 1])) == 1
    else:
        assert kept.values[:, 1].tolist() == [float(np.float16(0.1))] * 3


@pytest.mark.parametrize("kind", LEVELS)
def test_what_float16_scales_cannot_hold(kind):
    tiny = hw.stored(np.full((3, 2), 1e-9), kind)
    assert not tiny.values.any()
    assert not tiny.scales.any()
    for huge in (1e8, 1e300, -1.7e308):
        with pytest.raises(ValueError, match="`keys`"):
            hw.stored([[huge, 1.0], [0.0, 1.0]], kind)
    if kind != "nf4":
        for bad in ([[1.7e308], [-1.7e308]], [[1e6], [1e6 + 1]]):
            with pytest.raises(ValueError, match="`keys`"):
                hw.stored(bad, kind, symmetric=False)


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32"])
def test_a_number_type_rounds_or_refuses(kind, rng):
    keys = rng.normal(size=(5, 2))
    np.testing.assert_array_equal(hw.stored(keys, kind).values, round_to(keys, kind))
    with pytest.raises(ValueError, match="`keys`"):
        hw.stored(keys * 1e300, kind)


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        ((np.eye(4), "int5"), {}, "kind"),
        ((np.eye(4), None), {}, "kind"),
        ((np.eye(4), ["int8"]), {}, "kind"),
        ((np.eye(4), "int4"), {"axis": "key"}, "axis"),
        ((np.eye(4), "int4"), {"group": 3}, "group"),
        ((np.ones((6, 4)), "int4"), {"group": 4}, "group"),
        ((np.ones((6, 4)), "int4"), {"axis": "token", "group": 3}, "group"),
        ((np.eye(4), "int4"), {"group": 0}, "group"),
        ((np.eye(4), "int4"), {"group": -2}, "group"),
        ((np.eye(4), "int4"), {"group": 2.0}, "group"),
        ((np.eye(4), "int4"), {"group": True}, "group"),
        ((np.eye(4), "int4"), {"symmetric": "no"}, "symmetric"),
        ((np.eye(4), "nf4"), {"symmetric": False}, "symmetric"),
        ((np.eye(4), "fp8-e4m3"), {"symmetric": False}, "symmetric"),
        ((np.eye(4), "bfloat16"), {"group": 2}, "group"),
        (([1.0, 2.0], "int4"), {}, "keys"),
        ((np.empty((0, 3)), "int4"), {}, "keys"),
        (([[np.nan, 1.0]], "int4"), {}, "keys"),
        (([[np.inf, 1.0]], "fp8-e4m3"), {}, "keys"),
        (([[1.0], [1.0, 2.0]], "int4"), {}, "keys"),
        (("keys", "int4"), {}, "keys"),
    ],
)
def test_usage_errors_name_the_argument(arguments, options, named):
    with pytest.raises((ValueError, TypeError), match=f"`{named}`"):
        hw.stored(*arguments, **options)


def test_a_precision_that_names_no_kind():
    with pytest.raises(ValueError, match="`precision`"):
        hw.design(np.eye(3), hw.Copy(0), precision="int5")


def test_whose_numbers_the_label_is_about():
    for kind, words in (("float16", "keys and queries"), ("int4", "(keys as"), ("fp8-e5m2", "(keys as")):
        heads = hw.claims.Heads(np.eye(2), [[1.0, 2.0]], [1.0], 1, kind)
        assert words in heads.describe()
        fine = np.array([[0.1, 2.0]])
        if kind == "float16":
            with pytest.raises(ValueError, match="`queries`"):
                hw.claims.Heads(np.eye(2), fine, [1.0], 1, kind)
            assert not second_opinion.is_labelled({"keys": np.eye(2), "queries": fine}, kind)
        else:
            hw.claims.Heads(np.eye(2), fine, [1.0], 1, kind)
            assert second_opinion.is_labelled({"keys": np.eye(2), "queries": fine}, kind)


def test_a_design_for_stored_keys_over_many_key_sets(rng):
    keys = rng.normal(size=(3, 5, 6)) * np.array([1.0, 100.0, 0.01])[:, None, None]
    made = hw.design(keys[0], hw.Copy(1), error="0.1", precision="int4")
    verdicts = hw.certify(keys, made)
    alone = [hw.certify(part, made).status for part in keys]
    assert list(verdicts.statuses) == alone
    assert alone[0] == "proved"
