"""Probabilities over finite laws: every combination, by brute force in 50 digits; what is too near stays open."""

import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np

import headwright as hw
from tests.proofs.enclosing import TENTH, claim, enclosed


def brute_force(model, queries, goal, error):
    """Every combination with mpmath in 50 digits."""
    with mpmath.workdps(50):
        total = Fraction(0)
        for chosen in product(*(law.items() for law in model.laws.values())):
            factors = dict(zip(model.laws, (c for c, _ in chosen), strict=True))
            weights = [mpmath.mpf(0)] * model.n
            for query in np.atleast_2d(queries):
                exps = []
                for j, key in enumerate(model.centre):
                    c = factors.get(j, Fraction(1))
                    dot = sum(mpmath.mpf(float(a)) * mpmath.mpf(float(b)) for a, b in zip(key, query, strict=True))
                    exps.append(mpmath.exp(dot * c.numerator / c.denominator))
                whole = sum(exps)
                weights = [w + x / whole / len(np.atleast_2d(queries)) for w, x in zip(weights, exps, strict=True)]
            shares = dict(zip(goal.indices, goal.shares, strict=True))
            wanted = [
                mpmath.mpf(shares.get(j, Fraction(0)).numerator) / shares.get(j, Fraction(1)).denominator
                for j in range(model.n)
            ]
            variation = sum(abs(w - v) for w, v in zip(weights, wanted, strict=True)) / 2
            if variation <= mpmath.mpf(error.numerator) / error.denominator:
                total += math.prod((p for _, p in chosen), start=Fraction(1))
        return total


def test_finite_laws_are_exact(rng):
    seen = set()
    for case in range(25):
        n, h = 3 + case % 3, 1 + case % 2
        keys, queries = rng.standard_normal((n, 3)), 2 * rng.standard_normal((h, 3))
        laws = {0: {"1/3": "1/6", "-2": "1/2", "5/4": "1/3"}, n - 1: {1: "0.9", "3/2": "0.1"}}
        model = hw.ScaledKeys(keys, laws)
        goal = [hw.Copy(0), hw.Average(0, 1), hw.Blend({1: "0.3", n - 1: "0.7"})][case % 3]
        error = Fraction(int(rng.integers(1, 9)), 10)
        found = enclosed(model, queries, goal, error)
        expected = brute_force(model, queries, goal, error)
        assert found.low == found.high == expected
        seen.add(expected)
    assert len(seen) > 4


def test_many_combinations_are_screened_and_agree_with_the_exact_way(rng, monkeypatch):
    from headwright.theories.random_keys import finite_probability

    keys, queries = rng.standard_normal((9, 4)), rng.standard_normal((2, 4))
    model = hw.ScaledKeys(keys, {j: {"1/2": "1/3", 1: "1/3", "7/5": "1/3"} for j in range(6)})
    for goal, error in ((hw.Average(0, 7), "0.6"), (hw.Copy(8), "0.8"), (hw.Blend({1: 1, 2: 3}), "0.55")):
        exact = enclosed(model, queries, goal, Fraction(error))
        assert exact.low == exact.high
        with monkeypatch.context() as patched:
            patched.setattr(finite_probability, "_MOST_EXACT", 10)
            screened = enclosed(model, queries, goal, Fraction(error))
        assert screened.low <= exact.low <= screened.high
        assert screened.high - screened.low < Fraction(1, 10**12)
        assert "screened" in screened.method


def test_combinations_too_near_for_the_screen_go_to_the_balls(monkeypatch):
    """The error is one combination's total variation, 10^-30 up or down: nearer than float64 can tell, still settled."""
    from headwright.theories.random_keys import finite_probability

    monkeypatch.setattr(finite_probability, "_MOST_EXACT", 0)
    model = hw.ScaledKeys(np.eye(3), {0: {1: "1/2", 2: "1/2"}, 1: {1: "1/4", 3: "3/4"}})
    query = np.array([2.0, 0.5, 0.0])
    for a, b in product((1, 2), (1, 3)):
        with mpmath.workdps(50):
            e = [mpmath.exp(2 * a), mpmath.exp(b / mpmath.mpf(2)), mpmath.mpf(1)]
            near = Fraction(int((1 - e[0] / sum(e)) * 2**160), 2**160)
        for error in (near - Fraction(1, 10**30), near + Fraction(1, 10**30)):
            found = enclosed(model, query, hw.Copy(0), error, width=Fraction(1, 10**9))
            assert found.low <= brute_force(model, query, hw.Copy(0), error) <= found.high


def test_a_combination_with_an_exact_tie_is_settled():
    """Two equal keys share the weight exactly in one combination: total variation 1/2 against error 1/2."""
    model = hw.ScaledKeys([[1.0], [1.0]], {0: {1: "1/2", 2: "1/2"}})
    found = enclosed(model, [3.0], hw.Copy(0), Fraction(1, 2))
    assert (found.low, found.high) == (1, 1)
    assert enclosed(model, [3.0], hw.Copy(0), Fraction(1, 2) - Fraction(1, 10**50)).high == Fraction(1, 2)


def test_a_tie_between_heads_stays_open():
    """Two opposite heads over two keys: α_0 = ½(σ(s) + σ(-s)) = ½ exactly, which balls cannot see."""
    model = hw.ScaledKeys([[1.0], [-1.0]], {0: {1: 1}})
    found = enclosed(model, [[1.5], [-1.5]], hw.Copy(0), Fraction(1, 2))
    assert (found.low, found.high) == (0, 1)


def test_a_combination_judged_alone_is_judged_with_its_factors(rng, monkeypatch):
    """Four bits settle nothing, so every combination goes the slow way."""
    from headwright.theories.random_keys import finite_probability

    monkeypatch.setattr(finite_probability, "_BITS", (4, 256))
    model = hw.ScaledKeys(
        rng.standard_normal((4, 3)), {0: {"1/3": "1/6", "-2": "1/2", 3: "1/3"}, 3: {0: "1/3", 2: "2/3"}}
    )
    for queries in (rng.standard_normal((1, 3)), 2 * rng.standard_normal((2, 3))):
        for error in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
            found = enclosed(model, queries, hw.Average(0, 3), error)
            assert found.low == found.high == brute_force(model, queries, hw.Average(0, 3), error)


def test_the_figure_of_a_verdict_is_on_the_safe_side():
    """P = 1/3 exactly, which no float holds."""
    model = hw.ScaledKeys(np.eye(2), {0: {10: "1/3", 0: "2/3"}})
    proved = claim(model, [3.0, 0.0], hw.Copy(0), confidence="0.3").prove()
    refuted = claim(model, [3.0, 0.0], hw.Copy(0), confidence="0.4").prove()
    assert Fraction(proved.bound) < Fraction(1, 3) < Fraction(refuted.bound)
    assert refuted.bound - proved.bound < 1e-16
    assert Fraction(proved.bound_text.split()[-1]) <= Fraction(1, 3) <= Fraction(refuted.bound_text.split()[-1])


def test_probabilities_below_the_range_of_floats_are_not_lost_by_the_screen():
    """P = 10^-330 by the exact way; more than 4096 combinations are screened in float64, where it underflows."""
    tiny = Fraction(1, 10**330)
    laws = {0: {1: 1 - tiny, 2: tiny}, **{j: {1: "1/2", "0.99": "1/2"} for j in range(1, 13)}}
    model = hw.ScaledKeys(np.eye(14), laws)
    found = enclosed(model, 5 * np.eye(14)[0], hw.Copy(0), Fraction(1, 100), width=Fraction(1, 10**300))
    assert found.low <= tiny <= found.high
    assert claim(model, 5 * np.eye(14)[0], hw.Copy(0), error="1/100", confidence=tiny / 10).prove().status != "refuted"


def test_a_confidence_of_four_hundred_nines_is_answered():
    model = hw.GaussianKeys(np.eye(3), isotropic=1e-4)
    verdict = claim(model, 20 * np.eye(3)[0], hw.Copy(0), confidence=1 - Fraction(1, 10**400)).prove()
    assert verdict.status in ("proved", "undecided")


def test_too_many_ties_stay_open(monkeypatch):
    from headwright.theories.random_keys import finite_probability

    monkeypatch.setattr(finite_probability, "_MOST_ALONE", 0)
    model = hw.ScaledKeys([[1.0], [1.0]], {0: {1: "1/2", 2: "1/2"}})
    found = enclosed(model, [3.0], hw.Copy(0), Fraction(1, 2))
    assert (found.low, found.high) == (Fraction(1, 2), 1)


def test_scores_beyond_the_range_of_floats_are_left_to_the_balls(monkeypatch):
    from headwright.theories.random_keys import finite_probability

    monkeypatch.setattr(finite_probability, "_MOST_EXACT", 0)
    model = hw.ScaledKeys(np.eye(2), {0: {1: "1/2", "-1": "1/4", 0: "1/4"}, 1: {-2: "1/2", 1: "1/2"}})
    for goal in (hw.Copy(0), hw.Copy(1)):
        found = enclosed(model, [900.0, 900.0], goal, TENTH)
        expected = brute_force(model, np.array([900.0, 900.0]), goal, TENTH)
        assert found.low <= expected <= found.high
        assert found.high - found.low < Fraction(1, 10**12)
