"""Positions behave like the arrays they stand for, and refuse what they cannot mean."""

from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.number_types import type_name
from headwright.search.positions import Positions, alibi, learned, rotary, sinusoidal
from headwright.words.block_steps import sinusoidal_table
from tests.facts import says


def by_loop(length, dim, base, first, second):
    table = np.zeros((length, dim))
    for t in range(length):
        for i in range(dim // 2):
            angle = t * base ** (-2 * i / dim)
            table[t, 2 * i], table[t, 2 * i + 1] = first(angle), second(angle)
    return table


def codes(rng):
    return [sinusoidal(7, 6), sinusoidal(9, 4, base=3.5), rotary(7, 6), alibi(5, 4), learned(rng.normal(size=(6, 3)))]


def test_sinusoidal_and_rotary_rows():
    np.testing.assert_allclose(np.asarray(sinusoidal(7, 6, 50.0)), by_loop(7, 6, 50.0, np.sin, np.cos), atol=1e-15)
    np.testing.assert_allclose(np.asarray(rotary(7, 6)), by_loop(7, 6, 10000.0, np.cos, np.sin), atol=1e-15)


def test_one_truth_with_the_block():
    np.testing.assert_array_equal(np.asarray(sinusoidal(11, 8)), sinusoidal_table(11, 8))
    np.testing.assert_array_equal(sinusoidal(11, 8)[3:7], sinusoidal_table(4, 8, start=3))
    x = np.random.default_rng(0).normal(size=(5, 4))
    maps = {name: np.eye(4)[None] for name in ("query", "key", "value", "output")}
    with_table = hw.Block(**maps, positions=sinusoidal(9, 4))(x)
    np.testing.assert_array_equal(with_table, hw.Block(**maps, positions="sinusoidal")(x))


def test_alibi_rows():
    table = np.asarray(alibi(5, 3)).reshape(5, 3, 5)
    for t in range(5):
        for h in range(3):
            for j in range(5):
                assert table[t, h, j] == pytest.approx(-(2.0 ** (-8 * (h + 1) / 3)) * abs(t - j), rel=1e-15)
    assert alibi(5, 3).dim == 15
    assert not np.signbit(table[table == 0]).any()


def test_learned_rows_are_the_numbers_given(rng):
    table = rng.normal(size=(6, 3))
    code = learned(table)
    table[0] = 9
    assert code[0, 0] != 9
    assert (code.kind, code.length, code.dim, code.base) == ("learned", 6, 3, None)


@pytest.mark.needs("torch")
def test_learned_from_torch():
    import torch

    code = learned(torch.tensor([[1.5, 2.0], [0.25, -3.0]], dtype=torch.bfloat16, requires_grad=True))
    np.testing.assert_array_equal(np.asarray(code), [[1.5, 2.0], [0.25, -3.0]])
    assert type_name(torch.bfloat16) == "bfloat16"
    assert type_name(torch.float16) == "float16"


@pytest.mark.needs("jax")
def test_learned_from_jax():
    import jax.numpy as jnp

    np.testing.assert_array_equal(np.asarray(learned(jnp.array([[1.5, 2.0]]))), [[1.5, 2.0]])
    assert type_name(jnp.bfloat16) == "bfloat16"
    assert type_name(jnp.dtype("float32")) == "float32"


@pytest.mark.parametrize("which", range(5))
def test_places_are_those_of_the_whole_array(rng, which):
    code = codes(rng)[which]
    whole = np.asarray(code)
    assert code.shape == whole.shape == (len(code), code.dim)
    assert whole.dtype == code.dtype
    assert code.ndim == 2
    for place in (
        *(
            0,
            3,
            -1,
            np.int64(2),
            slice(None),
            slice(1, 4),
            slice(4, 1),
            slice(None, None, 2),
            slice(None, None, -1),
            slice(5, 0, -2),
        ),
        *(
            (2, 1),
            (slice(1, 4), 2),
            (slice(4, 1), 2),
            (slice(None), slice(0, 2)),
            (-2, slice(1, 3)),
            [0, 2],
            (),
            ...,
            np.array([True, False] * 9)[: len(code)],
        ),
    ):
        np.testing.assert_array_equal(code[place], whole[place], err_msg=str(place))
    assert [row.tolist() for row in code] == whole.tolist()
    np.testing.assert_array_equal(code.rows(2, 2), whole[2:2])
    np.testing.assert_array_equal(np.asarray(code, dtype=np.float32), whole.astype(np.float32))
    with pytest.raises(IndexError):
        code[len(code)]
    with pytest.raises(ValueError, match=r"`start`.*0"):
        code.rows(1, len(code) + 1)
    with pytest.raises(ValueError, match="`copy`"):
        np.asarray(code, copy=False)


def test_a_long_code_is_made_where_it_is_looked_at():
    code = sinusoidal(10**9, 512)
    assert code.shape == (10**9, 512)
    np.testing.assert_allclose(code[999_999_999, :2], [np.sin(999_999_999.0), np.cos(999_999_999.0)])


def test_results_show_themselves(rng):
    for code in codes(rng):
        assert says(repr(code), code.kind, code.length)
        assert code.kind in code._repr_html_()
        assert code.to_dict()["length"] == code.length
        assert len(code.table()) == code.dim
    assert alibi(5, 4).to_dict() == {"kind": "alibi", "length": 5, "dim": 20, "heads": 4}
    assert learned([[1.0]]).to_dict()["table"] == [[1.0]]
    with pytest.raises(AttributeError):
        codes(rng)[0].length = 3


@pytest.mark.parametrize(
    ("call", "fault", "why"),
    [
        (lambda: sinusoidal(0, 4), ValueError, "`length`.*0"),
        (lambda: sinusoidal(-1, 4), ValueError, "`length`.*-1"),
        (lambda: alibi(4, np.int64(-3)), ValueError, "`heads`.*-3"),
        (lambda: sinusoidal(True, 4), TypeError, "`length`.*True"),
        (lambda: sinusoidal(2.0, 4), TypeError, r"`length`.*2\.0"),
        (lambda: sinusoidal(2**33, 4), ValueError, "`length`"),
        (lambda: sinusoidal(5, 3), ValueError, "`dim`.*3"),
        (lambda: sinusoidal(5, 0), ValueError, "`dim`"),
        (lambda: rotary(5, "4"), TypeError, "`dim`"),
        (lambda: rotary(5, 4, base=0), ValueError, "`base`.*0"),
        (lambda: rotary(5, 4, base=-2.0), ValueError, "`base`"),
        (lambda: rotary(5, 4, base=float("inf")), ValueError, "`base`"),
        (lambda: rotary(5, 4, base=np.nextafter(1e300, np.inf)), ValueError, "`base`"),
        (
            lambda: rotary(5, 4, base="0.1"),
            ValueError,
            r"`base`.*1/10",
        ),
        (lambda: rotary(5, 4, base=Fraction(1, 3)), ValueError, r"`base`.*0\.3333333333333333"),
        (lambda: rotary(5, 4, base=True), TypeError, "`base`"),
        (lambda: alibi(5, 0), ValueError, "`heads`"),
        (lambda: alibi(0, 5), ValueError, "`length`"),
        (lambda: learned([[1.0, float("nan")]]), ValueError, r"`table`.*\[0, 1\]"),
        (lambda: learned([1.0, 2.0]), ValueError, "`table`"),
        (lambda: learned(np.zeros((0, 3))), ValueError, "`table`"),
        (lambda: learned([["a"]]), TypeError, "`table`"),
    ],
)
def test_wrong_calls(call, fault, why):
    with pytest.raises(fault, match=why):
        call()


def test_every_base_that_is_said_to_be_taken():
    for base in (1e-300, 1e300, "0.5", 1):
        code = sinusoidal(3, 2, base=base)
        assert code.base == float(base)
        assert hw.position.nearest_pair(code).pair == (0, 1)


def test_every_length_of_one_or_more():
    assert isinstance(sinusoidal(1, 2), Positions)
    np.testing.assert_array_equal(np.asarray(sinusoidal(1, 2)), [[0.0, 1.0]])
