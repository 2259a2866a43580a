"""How far rows move: bounds around exact values, at every size of the scores, and around the worst that rounding may do."""

from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

from headwright.theories.stored_keys import compared_rows
from headwright.theories.stored_keys.compared_rows import Sums, bounds, moved_rows

DIGITS = 60


def exact_moves(keys, stored, queries, scale=1, causal=False, values=None, stored_values=None):
    """(total variation, norm of the output's change, winners before, winners after) of every query, from exact scores."""
    rows = []
    fractions = [[[Fraction(x) for x in row] for row in part.tolist()] for part in (keys, stored)]
    with mpmath.workdps(DIGITS):
        for i, query in enumerate(queries.tolist()):
            seen = len(keys) - len(queries) + i + 1 if causal else len(keys)
            weights, winners = [], []
            for part in fractions:
                scores = [scale * sum(x * Fraction(q) for x, q in zip(row, query, strict=True)) for row in part[:seen]]
                top = max(scores)
                powers = [mpmath.exp(mpmath.mpf((s - top).numerator) / (s - top).denominator) for s in scores]
                weights.append([p / mpmath.fsum(powers) for p in powers])
                winners.append({j for j, s in enumerate(scores) if s == top})
            variation = mpmath.fsum(abs(a - b) for a, b in zip(*weights, strict=True)) / 2
            change = mpmath.mpf(0)
            if values is not None:
                new = values if stored_values is None else stored_values
                outputs = [
                    [mpmath.fsum(w * v for w, v in zip(row, column, strict=True)) for column in part[:seen].T.tolist()]
                    for row, part in zip(weights, (values, new), strict=True)
                ]
                change = mpmath.sqrt(mpmath.fsum((a - b) ** 2 for a, b in zip(*outputs, strict=True)))
            rows.append((variation, change, *winners))
    return rows


def check(moved, exact, tight=None):
    """Every bound holds, and what is said of the winners; the bounds are `tight` of the largest total variation apart."""
    with mpmath.workdps(DIGITS):
        off = mpmath.mpf(10) ** (10 - DIGITS)
        for i, (variation, change, before, after) in enumerate(exact):
            assert moved.low[i] <= variation + off
            assert variation <= moved.high[i] + off
            assert not moved.kept[i] or before == after
            assert not moved.changed[i] or not before & after
            if moved.output_low is not None:
                assert moved.output_low[i] <= change + off * (1 + change)
                assert change <= moved.output_high[i] + off * (1 + change)
        if tight is not None:
            assert float((moved.high - moved.low).max()) <= tight * float(max(row[0] for row in exact))


@pytest.mark.parametrize("size", [1e-6, 0.1, 1.0, 8.0])
@pytest.mark.parametrize("move", [1e-12, 1e-3, 0.3, 5.0])
@pytest.mark.parametrize("causal", [False, True])
def test_bounds_hold_and_are_tight(rng, size, move, causal):
    keys, queries = rng.standard_normal((9, 4)), size * rng.standard_normal((6, 4))
    stored, values = keys + move * rng.standard_normal((9, 4)), rng.standard_normal((9, 3))
    others = values + 0.1 * rng.standard_normal((9, 3))
    for new in (None, others):
        moved = moved_rows(keys, stored, queries, Fraction(1), causal=causal, values=values, stored_values=new)
        check(moved, exact_moves(keys, stored, queries, 1, causal, values, new), tight=1e-8)
        assert (moved.kept | moved.changed).all()


def test_many_blocks_and_chunks_are_as_one(rng, monkeypatch):
    keys, queries, values = rng.standard_normal((40, 3)), rng.standard_normal((40, 3)), rng.standard_normal((40, 2))
    stored = keys + 0.2 * rng.standard_normal((40, 3))
    whole = moved_rows(keys, stored, queries, Fraction(1), causal=True, values=values)
    monkeypatch.setattr(compared_rows, "_BLOCK", 300)
    monkeypatch.setattr(compared_rows, "_CHUNK", 100)
    parts = moved_rows(keys, stored, queries, Fraction(1), causal=True, values=values)
    for one, other in zip(whole, parts, strict=True):
        assert np.allclose(one, other, rtol=1e-9, atol=1e-10)
    check(parts, exact_moves(keys, stored, queries, 1, True, values), tight=1e-8)


@pytest.mark.parametrize("reach", [20.0, 200.0, 700.0, 3000.0])
def test_scores_far_apart(rng, reach):
    """Weights below every float, and moves of any size and sign; what is not proved is between 0 and 1."""
    keys, queries = reach * rng.standard_normal((12, 2)), rng.standard_normal((20, 2))
    for stored in (keys + rng.standard_normal((12, 2)), keys[::-1].copy(), keys + 1e-3, -keys, keys - reach):
        moved = moved_rows(keys, stored, queries, Fraction(1), values=keys)
        check(moved, exact_moves(keys, stored, queries, 1, False, keys))


def cancelling(rng, n, size, scores=None):
    """Keys and queries whose exact scores are those given, beside terms of `size` that float64 rounds by size · 2^-53."""
    rough, scores = size * rng.standard_normal(n), rng.standard_normal(n) if scores is None else scores
    first, second = rng.integers(2**18, 2**20, (2, 3)) / 2.0**20
    return np.stack([rough, rough, -rough, scores], axis=1), np.stack(
        [first, second, first + second, np.ones(3)], axis=1
    )


@pytest.mark.parametrize("size", [2.0**20, 2.0**32, 2.0**40, 2.0**50])
def test_scores_that_float64_rounds(rng, size):
    for first in [1.0, 0.0] * 10:  # the first key may be far shorter than the others
        keys, queries = cancelling(rng, 6, size)
        keys[0, :3] *= first
        stored = keys + np.array([0.0, 0.0, 0.0, 0.1]) * rng.standard_normal((6, 1))
        check(moved_rows(keys, stored, queries, Fraction(1)), exact_moves(keys, stored, queries))


@pytest.mark.parametrize("size", [2.0**20, 2.0**32, 2.0**40])
def test_moves_that_float64_rounds(rng, size):
    for _ in range(20):
        moves, queries = cancelling(rng, 6, size)
        check(moved_rows(np.zeros((6, 4)), moves, queries, Fraction(1)), exact_moves(np.zeros((6, 4)), moves, queries))


def test_winners_that_float64_cannot_separate_are_left_open(rng):
    """The largest scores differ by less than float64 rounds them, before and after."""
    for _ in range(100):
        steps = 2.0**-26 * rng.integers(0, 3, (2, 3))
        keys, queries = cancelling(rng, 3, 2.0**30, 1 + steps[0])
        stored = keys.copy()
        stored[:, 3] = 1 + steps[1]
        for clear in (2 * keys[:, :3], keys[:, :3]):  # then scores that float64 rounds further, and a clear winner
            stored[:, :3] = clear
            check(moved_rows(keys, stored, queries, Fraction(1)), exact_moves(keys, stored, queries))
            check(moved_rows(stored, keys, queries, Fraction(1)), exact_moves(stored, keys, queries))
            stored[:, 3] = rng.standard_normal(3)


@pytest.mark.parametrize("longest", ["_LONGEST_DOT", "_LONGEST_SUM"])
def test_sums_that_are_too_long_prove_nothing(rng, monkeypatch, longest):
    keys = rng.standard_normal((5, 4))
    monkeypatch.setattr(compared_rows, longest, 3)
    moved = moved_rows(keys, 0.9 * keys, keys, Fraction(1), values=keys)
    assert moved.low.tolist() == [0.0] * 5
    assert moved.high.tolist() == [1.0] * 5
    assert np.isinf(moved.output_high).all()
    assert not np.any([moved.kept, moved.changed])


@pytest.mark.parametrize("far", [900.0, 2000.0, 3000.0, 5000.0])
def test_a_key_that_falls_far_behind(far):
    keys, stored = np.array([[0.0], [0.0], [-0.5]]), np.array([[0.0], [-far], [0.5]])
    queries = np.array([[1.0], [0.7], [-1.0]])
    check(moved_rows(keys, stored, queries, Fraction(1)), exact_moves(keys, stored, queries), tight=1e-8)


def test_what_does_not_move_moves_by_nothing(rng):
    keys, queries = rng.standard_normal((5, 3)), rng.standard_normal((4, 3))
    moved = moved_rows(keys, keys.copy(), queries, Fraction(1), values=keys)
    assert not np.any([moved.high, moved.output_high, moved.changed])
    moved = moved_rows(keys, keys.copy(), queries, Fraction(1), values=keys, stored_values=keys + 1.0)
    assert np.allclose(moved.output_high, 3**0.5)


@pytest.mark.parametrize("factor", [1e200, 1e160, 1e-200, 1e-310])
def test_numbers_of_any_size(rng, factor):
    """Where float64 overflows nothing is proved, and nowhere is a bound not a number."""
    keys, queries = factor * rng.standard_normal((5, 3)), rng.standard_normal((4, 3))
    stored = keys * (1 + 0.01 * rng.standard_normal((5, 3)))
    for scale in (Fraction(1), Fraction(1, 10**300), Fraction(10) ** 300, Fraction(1, 10**400), Fraction(10) ** 400):
        moved = moved_rows(keys, stored, queries, scale, values=keys)
        assert not any(np.isnan(part).any() for part in moved)
        check(moved, exact_moves(keys, stored, queries, scale, values=keys))


def test_a_scale_that_float64_holds_poorly(rng):
    keys, queries = 1e22 * rng.standard_normal((5, 3)), 1e300 * rng.standard_normal((4, 3))
    stored, scale = keys[::-1].copy(), Fraction(14, 10**324)
    check(moved_rows(keys, stored, queries, scale), exact_moves(keys, stored, queries, scale))


@pytest.mark.parametrize("size", [1e150, 1e200, 1e308])
def test_values_of_any_size(rng, size):
    keys, queries = rng.standard_normal((5, 3)), rng.standard_normal((4, 3))
    stored, values = keys + 0.1, size * rng.uniform(-1, 1, (5, 2))
    for others in (None, -values, 0.5 * values):
        moved = moved_rows(keys, stored, queries, Fraction(1), values=values, stored_values=others)
        assert not any(np.isnan(part).any() for part in moved)
        check(moved, exact_moves(keys, stored, queries, 1, False, values, others))


def adversaries(rng, eta, move):
    """Terms as computed, and terms as they may be: every weight off by η and every power by r', each way."""
    for light, small in product((1.0, 1e-3), repeat=2):
        for _ in range(4):
            a, g = rng.uniform(0.1, 1, 3) * np.array([1, light, light]), small * rng.uniform(-0.9, 3, 3)
            for base, signs in product((1.0, 0.5, 0.0), product((-1, 1), repeat=6)):
                own = g + 1.0 - base  # moves less than 1, by `base` less than powers
                yield base, a, own, a * (1 + eta * np.array(signs[:3])), own + move * (1 + g) * np.array(signs[3:])


@pytest.mark.parametrize(
    ("eta", "move", "nu"), [(0.02, 0.0, 0.0), (0.0, 0.02, 0.0), (0.0, 0.0, 0.01), (0.01, 0.01, 0.01)]
)
def test_bounds_allow_for_every_error(rng, eta, move, nu):
    """The worst that weights, powers and sums may be off, with errors so large that their second-order parts show."""
    values = rng.standard_normal((3, 2))
    others = values + rng.standard_normal((3, 2))
    for base, a, g, true_a, true_g in adversaries(rng, eta, move):
        total, shift = a.sum() * (1 + nu * rng.choice([-1, 1])), (a * g).sum()
        shift += nu * (a * np.abs(g)).sum() * rng.choice([-1, 1])
        middle = shift / total
        spread = (a * np.abs(g - middle)).sum() * (1 + nu * rng.choice([-1, 1]))
        terms = [np.array([x]) for x in (total, shift, spread, base, eta, move)]
        change = (a * (g - middle)) @ values
        change += nu * (a * np.abs(g - middle)).sum() * np.array([1.0, 0.0])
        facts = [np.array([True])] * 3
        seen = round(nu * 2**53)
        sizes = [float(np.linalg.norm(part, axis=1).max()) for part in (values, others - values)]
        before, after = true_a / true_a.sum(), true_a * (base + true_g) / (true_a * (base + true_g)).sum()
        for new, further in ((values, 0.0), (others, sizes[1])):
            whole = change + (a * (base + g)) @ (new - values)
            found = bounds(Sums(*terms, *facts), seen, (whole[None], sizes[0], further))
            assert found.low[0] <= np.abs(before - after).sum() / 2 <= found.high[0]
            assert found.output_low[0] <= np.linalg.norm(after @ new - before @ values) <= found.output_high[0]
