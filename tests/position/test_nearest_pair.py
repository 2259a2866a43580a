"""The nearest pair: by brute force in Fractions and mpmath, for every kind of code, exact and as stored."""

from fractions import Fraction
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest

from evidence import coincidences as brute_force
from headwright import balls
from headwright.position import alibi, coincidence, distinct, learned, nearest_pair, nearest_search, rotary, sinusoidal
from headwright.proofs import row_sets
from tests.facts import says
from tests.second_opinion_apart import TYPES, _stored, rows


def brute(table):
    """(pair, squared distance) by a loop over all pairs of rationals: the first in order of j, then i, of the least."""
    best = None
    for j in range(len(table)):
        for i in range(j):
            square = sum((a - b) ** 2 for a, b in zip(table[i], table[j], strict=True))
            if best is None or square < best[1]:
                best = ((i, j), square)
    return best


def exact(table):
    return [[Fraction(x) for x in row] for row in np.asarray(table, dtype=np.float64).tolist()]


def check(near, table):
    pair, square = brute(table)
    assert near.pair == pair
    assert near.shift == pair[1] - pair[0]
    assert Fraction(near.distance.low) ** 2 <= square <= Fraction(near.distance.high) ** 2
    assert near.distance.low <= near.distance <= near.distance.high <= np.nextafter(near.distance.low, 9e300)
    assert near.verdict.status == "proved"


@pytest.mark.parametrize(("dim", "base"), [(2, 10000.0), (4, 10000.0), (6, 2.0), (8, 0.5), (10, 1e9)])
def test_waves(dim, base):
    for length in (2, 3, 46, 90):
        near = nearest_pair(sinusoidal(length, dim, base))
        integers, unit, _ = rows({}, {"length": length, "dim": dim, "base": str(Fraction(base)), "dtype": None})
        distances = {
            s: mpmath.sqrt(sum((a - b) ** 2 for a, b in zip(integers[0], integers[s], strict=True)))
            * unit.numerator
            / unit.denominator
            for s in range(1, length)
        }
        least = min(distances, key=distances.get)
        assert near.pair == (0, least)
        assert near.distance.low <= distances[least] * (1 + mpmath.mpf(2) ** -52)
        assert near.distance.high >= distances[least] * (1 - mpmath.mpf(2) ** -52)
        assert near.distance.high <= np.nextafter(near.distance.low, 9)
        assert near.verdict.status == "proved"
        turned = nearest_pair(rotary(length, dim, base))
        assert (turned.pair, turned.distance.low, turned.distance.high) == (
            near.pair,
            near.distance.low,
            near.distance.high,
        )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("dim", "base"), [(2, 10000.0), (4, 3.0), (6, 10000.0), (4, 1.0)])
def test_stored_waves(dtype, dim, base):
    table = [[_stored(x, dtype) for x in row] for row in exact(sinusoidal(60, dim, base))]
    check(nearest_pair(sinusoidal(60, dim, base), dtype=dtype), table)
    assert coincidence(sinusoidal(60, dim, base), dtype=dtype) is None
    assert (
        nearest_pair(rotary(60, dim, base), dtype=dtype).distance
        == nearest_pair(sinusoidal(60, dim, base), dtype=dtype).distance
    )


def test_stored_waves_are_those_that_are_rounded_from_the_exact_reals():
    """700 rows, two columns of bfloat16: no float64 number lies on the wrong side of a midpoint."""
    stored = brute_force.rounded(brute_force.fixed_rows(700, 2, 10_000), 8, -133)
    pair, square = brute_force.brute_pair(stored)
    near = nearest_pair(sinusoidal(700, 2), dtype="bfloat16")
    assert near.pair == pair
    assert Fraction(near.distance.low) ** 2 <= square <= Fraction(near.distance.high) ** 2
    assert near.verdict.status == "proved"


def test_shifts_that_low_precision_cannot_tell_apart(monkeypatch):
    """Balls too wide at first: all shifts stay, and precision grows until one is left."""
    code, asked = balls.Waves(1000, 2, Fraction(10000)), []

    class Wide:
        def square(self, shift, bits):
            asked.append(bits)
            return code.square(shift, bits) + balls.around([0.0], [1.0 if bits < 1000 else 0.0])[0]

    monkeypatch.setattr(nearest_search, "_likely_shifts", lambda waves: [44, 710, 333, 377])
    assert nearest_search.nearest_shift(SimpleNamespace(waves=Wide(), allow_shifts=lambda: None))[0] == 710
    assert asked == [256] * 4 + [512] * 4 + [1024] * 4


def test_a_hundred_thousand_and_a_million_in_two_dimensions():
    near = nearest_pair(sinusoidal(100_000, 2))
    with mpmath.workdps(40):
        true = 2 * abs(mpmath.sin(355))
        assert mpmath.mpf(near.distance.low) <= true <= mpmath.mpf(near.distance.high)
    assert near.pair == (0, 710)
    assert near.verdict.status == "proved"
    verdict = distinct(sinusoidal(10**6, 2))
    assert verdict.status == "proved"
    assert verdict.bound == pytest.approx(2.900699389335162e-06, rel=1e-15)
    assert says(verdict.scope, 1, 1000000)
    assert nearest_pair(sinusoidal(10**6, 2)).pair == (0, 312_689)


def test_a_million_positions_of_128_dimensions():
    near = nearest_pair(sinusoidal(10**6, 128))
    assert near.pair == (0, 1)
    assert near.verdict.status == "proved"


def table_cases(rng):
    yield rng.normal(size=(40, 3))
    yield 1e7 + rng.normal(size=(40, 2))
    yield rng.normal(size=(30, 4)) * 1e200
    yield rng.integers(0, 4, size=(30, 4)).astype(float)  # many ties, some rows equal
    yield rng.permutation([[i, j, k] for i in range(4) for j in range(4) for k in range(3)]).astype(float) * 0.1
    yield np.eye(9)
    yield np.concatenate([np.zeros((1, 3)), 5e-324 * np.eye(3), np.ones((2, 3)) * [[1], [2]]])
    yield np.array([[0.0, 1.0], [1.0, -0.0], [-0.0, 1.0]])
    base = rng.normal(size=(10, 3))
    yield np.concatenate([base, base + 1e-9, np.nextafter(base, 9)])


@pytest.mark.parametrize("which", range(9))
def test_tables(rng, which):
    table = list(table_cases(rng))[which]
    for given in (table, learned(table)):
        check(nearest_pair(given), exact(table))


@pytest.mark.parametrize("dtype", TYPES)
def test_stored_tables(rng, dtype):
    for table in (rng.normal(size=(40, 3)), rng.uniform(1, 1.02, size=(30, 2))):
        stored = [[_stored(x, dtype) for x in row] for row in exact(table)]
        check(nearest_pair(table, dtype=dtype), stored)
        pair, square = brute(stored)
        assert coincidence(table, dtype=dtype) == (pair if square == 0 else None)
        verdict = distinct(table, dtype=dtype)
        assert verdict.status == ("refuted" if square == 0 else "proved")


def test_a_table_of_several_blocks(rng):
    table = rng.normal(size=(2500, 2))
    table[2400] = table[17] + 1e-7
    assert nearest_pair(table).pair == (17, 2400)
    table[[100, 2300]] = table[99]
    assert nearest_pair(table).pair == (99, 100)
    assert coincidence(table, dtype=None) == (99, 100)
    whole = np.stack([np.arange(2500) // 50, np.arange(2500) % 50], axis=1).astype(float)[rng.permutation(2500)]
    first = min(
        ((i, j) for i, j in zip(*np.nonzero(np.abs(whole[:, None] - whole).sum(axis=2) == 1), strict=True) if i < j),
        key=lambda pair: pair[::-1],
    )
    assert nearest_pair(whole).pair == first


def test_alibi_as_a_table():
    """No claim speaks of the biases themselves; their float64 numbers are a table like any other."""
    table = np.asarray(alibi(9, 3))
    check(nearest_pair(table), exact(table))
    assert nearest_pair(table, dtype="float16").verdict.status == "proved"


def orthonormal(n):
    return np.linalg.qr(np.random.default_rng(n).normal(size=(n, n)))[0]


def test_rows_all_at_nearly_the_same_distance():
    """Every pair is beyond float64; integers choose. By Fractions alone this would not come back."""
    table = orthonormal(400)
    near = nearest_pair(table)
    whole = np.array([[int(Fraction(x) * 2**120) for x in row] for row in table[:100].tolist()], dtype=object)
    squares = (whole * whole).sum(axis=1)
    square = squares[:, None] + squares - 2 * (whole @ whole.T)
    i, j = np.triu_indices(100, 1)
    first = min(zip(square[i, j].tolist(), j.tolist(), i.tolist(), strict=True))
    assert nearest_pair(table[:100]).pair == (first[2], first[1])
    assert near.verdict.status == "proved"
    check(nearest_pair(table[:20]), exact(table[:20]))


def test_ties_that_only_integers_see(rng):
    """Circulant rows: each distance occurs many times, exactly, and the first pair is named."""
    row = rng.normal(size=24)
    table = np.stack([np.roll(row, k) for k in range(24)])
    check(nearest_pair(table), exact(table))
    check(nearest_pair(table, dtype="bfloat16"), [[_stored(x, "bfloat16") for x in line] for line in exact(table)])


def test_integers_are_bounded(monkeypatch):
    monkeypatch.setattr(row_sets, "_MOST_WORDS", 1000)
    with pytest.raises(ValueError, match="`table_or_positions`"):
        nearest_pair(orthonormal(12))


def test_frequencies_next_to_nothing():
    """ω down to 1e-300."""
    near = nearest_pair(sinusoidal(300, 512, base=9e299), dtype="float32")
    assert near.pair == nearest_pair(np.asarray(sinusoidal(300, 512, base=9e299)).astype(np.float32)).pair
    assert near.verdict.status == "proved"


def test_results_show_themselves():
    near = nearest_pair(sinusoidal(50, 4), dtype="bfloat16")
    assert repr(near).startswith("NearestPair: ")
    assert says(near._repr_html_(), *near.pair, "bfloat16")
    assert near.to_dict()["pair"] == list(near.pair)
    assert near.table()["distance"] == [near.distance]
    assert near.dtype == "bfloat16"


@pytest.mark.parametrize(
    ("call", "fault", "why"),
    [
        (
            lambda: nearest_pair(sinusoidal(1, 2)),
            ValueError,
            r"`table_or_positions`.*\(1, 2\)",
        ),
        (lambda: nearest_pair([[1.0, 2.0]]), ValueError, "`table_or_positions`"),
        (lambda: nearest_pair([1.0, 2.0]), ValueError, "`table_or_positions`"),
        (lambda: nearest_pair([[1.0], [np.inf]]), ValueError, "`table_or_positions`"),
        (
            lambda: nearest_pair(np.eye(3), dtype="float64"),
            ValueError,
            "`dtype`",
        ),
        (lambda: nearest_pair(np.eye(3), dtype=int), ValueError, "`dtype`"),
        (lambda: nearest_pair([[1e6], [2.0]], dtype="float16"), ValueError, "`dtype`.*float16"),
        (lambda: distinct([[1e6], [2.0]], dtype="float16"), ValueError, "`dtype`.*float16"),
        (lambda: nearest_pair(alibi(9, 2)), ValueError, r"`table_or_positions`.*ALiBi.*np\.asarray\(rows\)"),
        (
            lambda: nearest_pair(sinusoidal(2**32, 2)),
            ValueError,
            "`table_or_positions`.*4294967296",
        ),
        (
            lambda: nearest_pair(sinusoidal(10**6, 512), dtype="bfloat16"),
            ValueError,
            "`table_or_positions`.*1000000",
        ),
        (
            lambda: nearest_pair(np.arange(2.0**20)[:, None]),
            ValueError,
            "`table_or_positions`.*1048576",
        ),
        (lambda: nearest_pair(sinusoidal(100, 2**20)), ValueError, "`dim`.*2"),
        (lambda: coincidence(np.eye(3), dtype="half"), ValueError, "`dtype`"),
    ],
)
def test_wrong_calls(call, fault, why):
    with pytest.raises(fault, match=why):
        call()
