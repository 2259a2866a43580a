"""Rows that are apart: what is proved of waves and tables is true, and each pair that is named breaks the claim."""

import json
import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from headwright import balls
from headwright._save import save
from headwright.balls import Waves
from headwright.position import sinusoidal
from headwright.proofs import RowsApart, TableRows, WaveRows, load, row_sets, verify
from tests.facts import says
from tests.second_opinion import judge

HAIR = Fraction(1, 10**12)
TYPES = ("float32", "float16", "bfloat16")


def waves(length, dim, base=10000, code="sinusoidal"):
    return WaveRows(code, Waves(length, dim, Fraction(base)))


def nearest(length, dim, base=10000):
    """(shift, distance to 55 digits) by a loop over all shifts."""
    with mpmath.workdps(60):
        omega = [mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / dim) for i in range(dim // 2)]
        found = min((mpmath.sqrt(sum(4 * mpmath.sin(w * s / 2) ** 2 for w in omega)), s) for s in range(1, length))
        return found[1], Fraction(int(found[0] * 10**57), 10**57)


@pytest.mark.parametrize(
    ("length", "dim", "base"), [(30, 2, 10000), (45, 6, 10000), (60, 4, 3), (25, 4, 1), (50, 4, 0.25), (2, 8, 7)]
)
def test_waves_on_both_sides_of_the_truth(length, dim, base):
    rows = waves(length, dim, base)
    shift, distance = nearest(length, dim, base)
    for less in (HAIR, Fraction(1, 10**50), Fraction(1, 2)):
        verdict = RowsApart(rows, distance * (1 - less)).prove()
        assert verdict.status == "proved"
        assert verdict.bound <= distance * (1 - less) < verdict.bound * (1 + 1e-15)
    for more in (HAIR, Fraction(1, 10**50), Fraction(3)):
        verdict = RowsApart(rows, distance * (1 + more)).prove()
        assert verdict.status == "refuted"
        if more < 1:
            assert verdict.counterexample == {"pair": (0, shift)}
    assert RowsApart(rows, Fraction(0)).prove().status == "proved"


def test_a_claim_about_the_nearest_pair():
    rows, (shift, distance) = waves(50, 6), nearest(50, 6)
    claim = RowsApart(rows, distance * (1 - HAIR), (3, 3 + shift), distance * (1 + HAIR))
    verdict = claim.prove()
    assert verdict.status == "proved"
    assert says(verdict.claim, 50, "sinusoidal", 6, 10000, "0.396088…", 3, 3 + shift)
    assert verdict.claim.count("0.396088…") == 2
    assert replace(claim, within=distance * (1 - HAIR)).prove().status == "refuted"
    wrong = replace(claim, pair=(0, 1)).prove()
    assert wrong.status == "refuted"
    assert wrong.counterexample == {"pair": (0, 1)}
    assert says(wrong.reason, 0, 1)
    alone = replace(claim, distance=None)
    assert alone.prove().status == "proved"
    assert alone.prove().method != verdict.method
    assert replace(alone, within=Fraction(0)).prove().status == "refuted"


def test_a_million_positions_are_apart_in_two_dimensions():
    verdict = RowsApart(waves(10**6, 2), Fraction("2.9006993e-6")).prove()
    assert verdict.status == "proved"
    assert RowsApart(waves(10**6, 2), Fraction("2.900701e-6")).prove().counterexample == {"pair": (0, 312_689)}


@pytest.mark.parametrize(("dtype", "pair"), [("float16", (2, 712)), ("bfloat16", (1, 711))])
def test_the_first_coincidence(dtype, pair):
    table = np.asarray(sinusoidal(1000, 2))
    rows = TableRows(table, dtype)
    verdict = RowsApart(rows, Fraction(0)).prove()
    assert verdict.status == "refuted"
    assert verdict.counterexample == {"pair": pair}
    assert says(verdict.reason, *pair)
    assert says(verdict.claim, dtype)
    assert RowsApart(TableRows(table[: pair[1]], dtype), Fraction(0)).prove().status == "proved"
    equal = RowsApart(rows, None, pair, Fraction(0))
    assert equal.prove().status == "proved"
    assert says(equal.sentence(), *pair, 1000)


def table_cases(rng):
    yield rng.normal(size=(20, 3)), None
    yield rng.normal(size=(15, 4)) * 1e-200, None
    yield 1e9 + rng.normal(size=(12, 2)), None
    yield rng.integers(-2, 3, size=(6, 5)).astype(float), None
    yield rng.normal(size=(20, 3)), "float16"
    yield rng.normal(size=(20, 3)), "bfloat16"


@pytest.mark.parametrize("which", range(6))
def test_tables_on_both_sides_of_the_truth(rng, which):
    table, dtype = list(table_cases(rng))[which]
    rows = TableRows(table, dtype)
    exact = [[Fraction(x) for x in row] for row in rows.stored.tolist()]
    squares = {
        (i, j): sum((a - b) ** 2 for a, b in zip(exact[i], exact[j], strict=True))
        for j in range(len(exact))
        for i in range(j)
    }
    pair = min(squares, key=squares.get)
    with mpmath.workdps(60):
        root = Fraction(mpmath.nstr(mpmath.sqrt(mpmath.mpf(squares[pair].numerator) / squares[pair].denominator), 50))
    assert RowsApart(rows, root * (1 - Fraction(1, 10**40))).prove().status == "proved"
    verdict = RowsApart(rows, root * (1 + Fraction(1, 10**40))).prove()
    assert verdict.status == "refuted"
    assert squares[verdict.counterexample["pair"]] == squares[pair]
    assert RowsApart(rows, Fraction(0)).prove().status == "proved"
    assert RowsApart(rows, None, pair, root * (1 + Fraction(1, 10**40))).prove().status == "proved"
    assert RowsApart(rows, None, pair, root * (1 - Fraction(1, 10**40))).prove().status == "refuted"


def test_a_distance_that_is_met_exactly():
    """3-4-5: no two nearer than 5 is true, and is decided in rationals."""
    table = np.array([[0.0, 0.0], [3.0, 4.0], [10.0, 10.0], [0.1, 100.0]])
    assert RowsApart(TableRows(table), Fraction(5)).prove().status == "proved"
    assert RowsApart(TableRows(table), Fraction(5) + Fraction(1, 10**50)).prove().status == "refuted"
    assert RowsApart(TableRows(table), Fraction(5), (0, 1), Fraction(5)).prove().status == "proved"


def test_equal_rows_of_a_table():
    table = np.array([[1.0, 0.0], [2.0, 0.0], [1.0, -0.0], [2.0, 0.0]])
    verdict = RowsApart(TableRows(table), Fraction(0)).prove()
    assert verdict.status == "refuted"
    assert verdict.counterexample == {"pair": (0, 2)}  # -0.0 is 0
    near = np.array([[1.0, 0.0], [1.0 + 2.0**-20, 0.0]])
    assert RowsApart(TableRows(near), Fraction(0)).prove().status == "proved"
    assert RowsApart(TableRows(near, "float16"), Fraction(0)).prove().status == "refuted"
    assert says(TableRows(near[:1]).words(), 1, 2)
    assert says(TableRows(near[:, :1], "float16").words(), 2, 1, "float16")


def test_what_costs_too_much_is_undecided(monkeypatch):
    monkeypatch.setattr(row_sets, "_MOST_SHIFTS", 1000)
    long = waves(2**31, 2)
    assert says(RowsApart(long, Fraction(1, 10**5)).prove().reason, 2147483648)
    assert RowsApart(long, Fraction(1, 10)).prove().counterexample == {"pair": (0, 44)}
    monkeypatch.setattr(row_sets, "_MOST_PRODUCTS", 26)
    assert says(RowsApart(TableRows(np.eye(3)), Fraction(1)).prove().reason, 3)
    assert RowsApart(TableRows(np.eye(3)[:2]), Fraction(1)).prove().status == "proved"


def simplex(n):
    """Rows all at the same distance, up to rounding: float64 tells none of them apart."""
    return np.linalg.qr(np.random.default_rng(n).normal(size=(n, n)))[0]


def test_many_pairs_at_nearly_the_same_distance():
    """All 44850 pairs are decided in integers; in Fractions, one by one, this would take a quarter of an hour."""
    table = simplex(300)
    whole = [[int(Fraction(x) * 2**200) for x in row] for row in table.tolist()]
    least = min(
        (sum((a - b) ** 2 for a, b in zip(whole[i], whole[j], strict=True)), j, i) for j in range(40) for i in range(j)
    )
    rows = TableRows(table[:40])
    with mpmath.workdps(60):
        root = Fraction(mpmath.nstr(mpmath.sqrt(mpmath.mpf(least[0])), 50)) / 2**200
    hair = Fraction(1, 10**30)
    assert RowsApart(rows, root * (1 - hair)).prove().status == "proved"
    assert RowsApart(rows, root * (1 + hair)).prove().counterexample == {"pair": (least[2], least[1])}
    verdict = RowsApart(TableRows(table), Fraction(1414213562373094, 10**15)).prove()
    assert verdict.status == "proved"
    assert says(verdict.method, "float64", 44850)


def test_pairs_in_integers_are_bounded(monkeypatch):
    monkeypatch.setattr(row_sets, "_MOST_WORDS", 100)
    verdict = RowsApart(TableRows(simplex(9)), Fraction(3, 2)).prove()
    assert verdict.status == "undecided"
    assert says(verdict.reason, "float64")
    whole = TableRows(np.array([[0.0], [1.0], [2.0], [3.0]]))
    assert RowsApart(whole, Fraction(1)).prove().status == "proved"  # float64 is exact here


def test_shifts_in_balls_are_bounded(monkeypatch):
    """Shift after shift is proved apart, until there were too many."""
    monkeypatch.setattr(balls, "all_near_shifts", lambda waves, limit: iter(range(1, waves.length)))
    rows = waves(30, 4)
    assert RowsApart(rows, Fraction(1, 1000)).prove().status == "proved"
    monkeypatch.setattr(row_sets, "_MOST_SINES", 20)
    verdict = RowsApart(rows, Fraction(1, 1000)).prove()
    assert verdict.status == "undecided"
    assert says(verdict.reason, 11)


def test_one_row_alone():
    one = RowsApart(TableRows(np.array([[1.0, 2.0]])), Fraction(0)).prove()
    assert says(one.claim, 1, 2)
    assert says(RowsApart(waves(1, 2), Fraction(1, 2)).prove().claim, "0.5", 1)


def test_precision_that_does_not_tell(monkeypatch):
    """Balls that may not have even 128 bits decide nothing."""
    rows, (shift, distance) = waves(50, 6), nearest(50, 6)
    monkeypatch.setattr("headwright.balls.ball._MOST_BITS", 64)
    verdict = RowsApart(rows, distance * (1 - HAIR / 10**6)).prove()
    assert verdict.status == "undecided"
    assert verdict.next_step
    verdict = RowsApart(rows, None, (0, shift), distance * (1 + HAIR)).prove()
    assert verdict.status == "undecided"
    assert verdict.next_step


CLAIMS = [
    RowsApart(waves(20, 4), Fraction(1, 10)),
    RowsApart(waves(20, 4, 0.1, "rotary"), Fraction(0)),
    RowsApart(waves(20, 4), Fraction(1, 10), (2, 5), Fraction(4)),
    RowsApart(TableRows(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])), Fraction(5)),
    RowsApart(TableRows(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "bfloat16"), None, (0, 1), Fraction(6)),
]


@pytest.mark.parametrize("claim", CLAIMS, ids=range(len(CLAIMS)))
def test_a_file_is_proved_again(tmp_path, claim):
    verdict = claim.prove()
    assert verdict.status == "proved"
    assert judge(claim) == "true"
    save(tmp_path / "claim", verdict)
    assert verify(tmp_path / "claim").status == "proved"
    assert judge(tmp_path / "claim") == "true"
    again = load(tmp_path / "claim")
    assert again.fields() == claim.fields()
    assert again.sentence() == claim.sentence()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"distance": "-1"}, "`distance`"),
        ({"pair": [0, 1]}, "`pair`"),
        ({"within": "1"}, "`pair`"),
        ({"pair": [1, 1], "within": "1"}, "`pair`"),
        ({"pair": [1, 20], "within": "1"}, "`pair`"),
        ({"pair": [1, 2], "within": "-1"}, "`within`"),
        ({"pair": [1, 2, 3], "within": "1"}, "too many values"),
        ({"rows": {"code": "linear", "length": 20, "dim": 4, "base": "3"}}, "`code`"),
        ({"rows": {"dtype": "float64"}}, "`dtype`"),
        ({"rows": {"dtype": "float16", "code": "rotary", "length": 20, "dim": 4, "base": "3"}}, "`rows`"),
        ({"rows": {"code": "rotary", "length": 20, "dim": 5, "base": "3"}}, "`dim`"),
        ({"rows": {"code": "rotary", "length": 20, "dim": 4, "base": "0"}}, "`base`"),
        ({"rows": {"code": "rotary", "length": 20, "dim": 4}}, "`rows`"),
        ({"rows": {"length": 20}}, "`rows`"),
        ({"rows": {"code": "alibi", "length": 20, "heads": 4}}, "`rows`"),
    ],
)
def test_parts_that_are_no_claim(change, why):
    fields = {**json.loads(json.dumps(CLAIMS[0].fields())), **change}
    with pytest.raises(ValueError, match=why):
        RowsApart.from_parts({"table": np.eye(3)}, fields)


def test_rotary_rows_are_named_as_such():
    assert says(CLAIMS[1].sentence(), "rotary", 20, 4)


@pytest.mark.parametrize("dtype", TYPES)
def test_every_near_stored_pair_is_named(dtype):
    """Wherever it is: the pairs below a distance are among those named, and no others but a hair."""
    rows = TableRows(np.asarray(sinusoidal(100, 4, 3.0)), dtype)
    table = rows.stored
    far = {(i, j): float(np.linalg.norm(table[i] - table[j])) for j in range(100) for i in range(j)}
    for distance in (0.05, 0.2, 0.7, 3.0):
        named = [(i, j) for i, j, side in rows.sides(Fraction(distance)) if side < 0]
        assert len(named) == len(set(named))
        assert set(named) == {pair for pair, d in far.items() if d < distance}


@pytest.mark.parametrize("dtype", TYPES)
def test_a_stored_pair_nearer_by_less_than_float64_can_tell(dtype):
    rows = TableRows(np.asarray(sinusoidal(40, 6, 50.0)), dtype)
    for pair in ((3, 4), (7, 20), (0, 39)):
        square = balls.square_between(rows.stored[pair[0]], rows.stored[pair[1]])
        above = Fraction(math.isqrt(int(square * 4**100)) + 1, 2**100)
        below = Fraction(math.isqrt(int(square * 4**100)) - 1, 2**100)
        assert (*pair, -1) in rows.sides(above)
        assert (*pair, -1) not in rows.sides(below)


@pytest.mark.parametrize("pair", [(3, 9), (5, 1080), (1050, 1090)])
def test_a_near_pair_in_any_block_of_a_table(rng, pair):
    table = rng.normal(size=(1100, 6))
    table[pair[1]] = table[pair[0]] + 1e-9
    assert RowsApart(TableRows(table), Fraction(1, 10**6)).prove().counterexample == {"pair": pair}
    assert RowsApart(TableRows(table), Fraction(1, 10**9)).prove().status == "proved"


WAVES = waves(50, 4)


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


def test_only_exact_waves_differ_everywhere():
    with pytest.raises(ValueError, match="`everywhere`"):
        RowsApart(TableRows(np.eye(2)), Fraction(0), everywhere=True)
    with pytest.raises(ValueError, match="`everywhere`"):
        RowsApart(WAVES, None, (0, 1), Fraction(1), everywhere=True)
