"""Rows of ALiBi's biases: the closed form against the table itself, and what is stored."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright._save import save
from headwright.balls import Waves
from headwright.proofs import BiasRows, RowsApart, TableRows, WaveRows, verify


@pytest.mark.parametrize("heads", [1, 3, 8])
@pytest.mark.parametrize("length", [2, 3, 4, 9])
def test_the_closed_form_is_the_distance(length, heads):
    table = np.asarray(hw.position.alibi(length, heads))
    rows = BiasRows(length, heads)
    for i in range(length):
        for j in range(i + 1, length):
            square = Fraction(float(((table[i] - table[j]) ** 2).sum()))
            assert rows.compare(i, j, square * Fraction(999_999, 1_000_000)) == 1
            assert rows.compare(i, j, square * Fraction(1_000_001, 1_000_000)) == -1
    nearest = min(float(((table[i] - table[j]) ** 2).sum()) for j in range(length) for i in range(j)) ** 0.5
    below, above = Fraction(nearest * (1 - 1e-9)), Fraction(nearest * (1 + 1e-9))
    assert RowsApart(rows, below, (0, 1), above).prove().status == "proved"
    assert RowsApart(rows, above).prove().status == "refuted"
    assert RowsApart(rows, None, (0, 1), below).prove().status == "refuted"


@pytest.mark.parametrize("dtype", [None, "float16", "bfloat16"])
def test_rows_differ_as_stored(dtype, tmp_path):
    verdict = RowsApart(BiasRows(12, 3, dtype), Fraction(0)).prove()
    assert verdict.status == "proved"
    save(tmp_path / "claim", verdict)
    assert verify(tmp_path / "claim").claim == verdict.claim


def test_how_far_stored_rows_are_apart_is_not_said():
    assert RowsApart(BiasRows(12, 3, "float16"), Fraction(1, 100)).prove().status == "undecided"
    assert RowsApart(BiasRows(12, 3, "float16"), None, (0, 1), Fraction(100)).prove().status == "undecided"


def test_what_the_type_cannot_hold_is_refused():
    with pytest.raises(ValueError, match="float16"):
        BiasRows(10**6, 8, "float16")
    with pytest.raises(ValueError, match="`heads`"):
        BiasRows(5, 0)


WAVES = WaveRows("sinusoidal", Waves(50, 4, Fraction(10000)))


def test_for_all_integers(tmp_path):
    plain, apart = (RowsApart(WAVES, Fraction(d), everywhere=True) for d in (0, Fraction(1, 100)))
    for claim in (plain, apart):
        verdict = claim.prove()
        assert verdict.status == "proved"
        assert verdict.scope.startswith("all integer positions")
        save(tmp_path / "claim", verdict)
        assert verify(tmp_path / "claim").scope == verdict.scope
    assert replace(apart, distance=Fraction(2)).prove().status == "refuted"
    assert RowsApart(WAVES, Fraction(1, 100)).prove().scope == "this instance"


@pytest.mark.parametrize("rows", [TableRows(np.eye(2)), BiasRows(5, 2)])
def test_only_exact_waves_differ_everywhere(rows):
    with pytest.raises(ValueError, match="`everywhere`"):
        RowsApart(rows, Fraction(0), everywhere=True)
    with pytest.raises(ValueError, match="`everywhere`"):
        RowsApart(WAVES, None, (0, 1), Fraction(1), everywhere=True)
