"""Which positions coincide: never in exact waves, soon in narrow types, and each verdict says why."""

import numpy as np
import pytest

import headwright as hw
from headwright.position import alibi, coincidence, distinct, learned, nearest_pair, rotary, sinusoidal


@pytest.mark.parametrize(
    ("dtype", "pair"), [("float32", None), ("float16", (2, 712)), ("bfloat16", (1, 711)), (np.float16, (2, 712))]
)
def test_two_dimensions(dtype, pair):
    for code in (sinusoidal(4096, 2), rotary(4096, 2)):
        assert coincidence(code, dtype=dtype) == pair
        verdict = distinct(code, dtype=dtype)
        assert verdict.status == ("proved" if pair is None else "refuted")
        assert pair is None or verdict.counterexample == {"pair": pair}


def test_the_first_pair_by_numpy():
    """float16 of accurate float64 rows: the first equal rows by a dictionary."""
    table = np.asarray(sinusoidal(3000, 4, base=16.0)).astype(np.float16)
    seen = {}
    for j, row in enumerate(table + np.float16(0)):
        if row.tobytes() in seen:
            break
        seen[row.tobytes()] = j
    assert coincidence(sinusoidal(3000, 4, base=16.0), dtype="float16") == (seen[row.tobytes()], j) == (2, 2842)


def test_exact_waves_never_coincide(tmp_path):
    assert coincidence(sinusoidal(10**6, 2), dtype=None) is None
    for code in (sinusoidal(3000, 6), rotary(3000, 6, base=0.3), sinusoidal(1, 2)):
        verdict = distinct(code)
        assert verdict.status == "proved"
        assert "irrationality of π" in verdict.scope
        assert verdict.record.everywhere
        assert (verdict.bound is not None) == (len(code) > 1)
        hw.save(tmp_path / "apart", verdict)
        assert hw.verify(tmp_path / "apart").status == "proved"


def test_tables(rng):
    table = rng.integers(0, 3, size=(20, 2)).astype(float)
    seen, first = {}, None
    for j, row in enumerate(table.tolist()):
        if tuple(row) in seen:
            first = (seen[tuple(row)], j)
            break
        seen[tuple(row)] = j
    assert coincidence(learned(table), dtype=None) == coincidence(table, dtype="float16") == first
    assert distinct(table).counterexample == {"pair": first}
    assert distinct(table[: first[1]]).status == "proved"


@pytest.mark.parametrize("ask", [coincidence, distinct])
@pytest.mark.parametrize("dtype", [None, "float16"])
def test_alibi_is_refused_but_as_a_table(ask, dtype):
    rows = alibi(70, 8)
    with pytest.raises(ValueError, match=r"`table_or_positions`.*ALiBi.*np\.asarray\(rows\)"):
        ask(rows, dtype=dtype)
    found = ask(np.asarray(rows), dtype=dtype)
    assert found is None if ask is coincidence else found.status == "proved"


def test_the_theorem_needs_no_search():
    """More rows than any search looks at: irrational is irrational."""
    verdict = distinct(rotary(2**32, 2))
    assert verdict.status == "proved"
    assert verdict.scope == "all integer positions, by the irrationality of π (ω_0 = 1)"
    assert verdict.record.everywhere


@pytest.mark.parametrize("ask", [coincidence, distinct, nearest_pair])
def test_a_table_of_rounded_rows_is_limited(ask):
    with pytest.raises(ValueError, match=r"`table_or_positions` has 4097 rows of 256 numbers.* at most 2\^20 numbers"):
        ask(sinusoidal(4097, 256), dtype="float16")
    assert ask(sinusoidal(128, 8192), dtype="float16") is None or ask is not coincidence
