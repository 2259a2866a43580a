"""Scores of heads: intervals against rationals, and sums over conditions against every combination of classes."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from headwright.theories.programs.boxes import Boxes
from headwright.theories.programs.scores import Scores, _relative, summary_of
from headwright.theories.programs.walk import Unproved


@pytest.mark.parametrize("rows", [0, 1, 3, 20])
@pytest.mark.parametrize(
    ("q_radius", "k_radius", "gamma"), [(0, 0, 0), (0.5, 0, 0), (0, 0.5, 0), (0, 0, 2.0**-10), (0.5, 0.5, 2.0**-10)]
)
def test_differences_of_scores_enclose(rows, q_radius, k_radius, gamma, rng):
    for size in (1.0, 1e6):
        q = Boxes(rng.normal(size=(2, rows)) * size, q_radius * rng.random((2, rows)))
        k = Boxes(rng.normal(size=(3, rows)), k_radius * rng.random((3, rows)))
        reference = k.middle[[0, 2]]
        box = _relative(q, k, reference, gamma, 0.0)
        for _ in range(20):
            x, y = (own.middle + own.radius * rng.choice([-1.0, 1.0], size=own.middle.shape) for own in (q, k))
            for a, b in itertools.product(range(2), range(3)):
                terms = [
                    Fraction(s) * (Fraction(t) - Fraction(r)) for s, t, r in zip(x[a], y[b], reference[a], strict=True)
                ]
                whole = sum((abs(Fraction(s) * Fraction(t)) for s, t in zip(x[a], y[b], strict=True)), Fraction(0))
                exact = sum(terms, Fraction(0)) + int(rng.choice([-1, 1])) * Fraction(gamma) * whole
                assert Fraction(box.low[a, b]) <= exact <= Fraction(box.high[a, b])


def condition(rng, classes, labels):
    low = rng.normal(size=(classes, labels))
    holds = rng.random((classes, labels)) < 0.5
    holds[0, 0] = True
    bos = np.sort(rng.normal(size=(2, classes)), axis=0)
    return Scores(low, low + rng.random(low.shape), holds, bos, 0.0, 1.0)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_sums_over_conditions_hold_for_every_combination(count, rng):
    for _ in range(10):
        conditions = [condition(rng, 2, 3) for _ in range(count)]
        found = summary_of(conditions)
        cells = [[(a, b) for a in range(2) for b in range(3)] for _ in conditions]
        for chosen in itertools.product(*cells):
            low = sum(own.low[cell] for own, cell in zip(conditions, chosen, strict=True))
            high = sum(own.high[cell] for own, cell in zip(conditions, chosen, strict=True))
            assert high <= found.any + 1e-12
            if all(own.holds[cell] for own, cell in zip(conditions, chosen, strict=True)):
                assert found.low - 1e-12 <= low
                assert high <= found.high + 1e-12
            else:
                assert high <= found.fails + 1e-12
            assert found.bos_low <= sum(own.bos[0, a] for own, (a, _) in zip(conditions, chosen, strict=True)) + 1e-12
            assert found.bos_high >= sum(own.bos[1, a] for own, (a, _) in zip(conditions, chosen, strict=True)) - 1e-12


def test_a_condition_that_never_holds_is_unproved(rng):
    never = condition(rng, 2, 3)._replace(holds=np.zeros((2, 3), dtype=bool))
    with pytest.raises(Unproved):
        summary_of([condition(rng, 2, 3), never])
