"""Order, positions, singular values (A.2, A.3, C.1.3): verdicts come from checks, their numbers are recomputed elsewhere."""

import ast
import doctest
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.problems import order, positions, singular
from headwright.verdict import Undecided
from tests.facts import says

OPEN = Undecided("c", reason="planted", next_step="none")


# --- order


@pytest.mark.parametrize("problem_id", ["A.2a", "C.1.3"])
def test_equivariance_is_proved_for_small_blocks(problem_id):
    showing = hw.problems.run(problem_id)
    assert showing.ours.status == "argued"
    assert [instance.record.kind for instance in showing.ours.instances] == ["block-equivariant"] * 2
    assert "all numbers of tokens" in showing.ours.scope
    (_, moved), before = showing.also[0], showing.weights
    np.testing.assert_allclose(sorted(moved), sorted(before), rtol=1e-14)
    assert moved.tolist() != before.tolist()


def test_the_identities_of_the_sheet_in_40_digits(rng):
    """softmax(PAPᵀ) = P softmax(A) Pᵀ for every permutation of 3, at random scores."""
    with mpmath.workdps(40):
        scores = [[mpmath.mpf(float(x)) for x in row] for row in rng.normal(size=(3, 3))]

        def softmax(rows):
            powers = [[mpmath.exp(x) for x in row] for row in rows]
            return [[x / mpmath.fsum(row) for x in row] for row in powers]

        plain = softmax(scores)
        for p in permutations(range(3)):
            moved = softmax([[scores[a][b] for b in p] for a in p])
            assert all(abs(moved[i][j] - plain[p[i]][p[j]]) < mpmath.mpf(10) ** -38 for i in range(3) for j in range(3))


def test_the_false_step_fails_in_integers():
    found = hw.problems.published("C.1.3")
    assert found.status == "refuted"
    x, before, after = (
        ast.literal_eval(re.search(rf"[ ,]{re.escape(name)}: (\[\[.+?\]\])", found.reason)[1])
        for name in ("X", "S(X)", "S(XΠ)")
    )

    def scores(matrix):  # columns are tokens, Q = K = I
        n = len(matrix[0])
        return [[sum(row[i] * row[j] for row in matrix) for j in range(n)] for i in range(n)]

    swapped = [[row[1], row[0], row[2]] for row in x]
    assert scores(x) == before
    assert scores(swapped) == after
    assert before != after
    assert after == [[before[a][b] for b in (1, 0, 2)] for a in (1, 0, 2)]  # ΠᵀSΠ
    assert f"entry (0, 0): {before[0][0]} for X, {after[0][0]} for XΠ" in found.reason
    assert "ΠᵀS(X)Π" in found.reason
    assert "conclusion is true" in found.reason
    assert "holds always" in found.reason


def test_the_conclusion_holds_though_the_step_does_not(rng):
    block = hw.Block(*rng.normal(size=(3, 2, 2)), np.eye(2), residual=False)
    x = rng.normal(size=(3, 2))
    for p in permutations(range(3)):
        np.testing.assert_allclose(block(x[list(p)]), block(x)[list(p)], rtol=1e-12)


def test_order_verdicts_rest_on_their_checks(monkeypatch):
    for name, value in (("_softmax_identity", [False]), ("_linear_steps", [True, False])):
        with monkeypatch.context() as planted:
            planted.setattr(order, name, lambda value=value: value)
            assert hw.problems.published("A.2a").status == "undecided"
            assert hw.problems.published("C.1.3").status == "undecided"
    with monkeypatch.context() as planted:
        planted.setattr(order, "equivariance", lambda block, x: OPEN)
        for problem_id in ("A.2a", "C.1.3"):
            assert hw.problems.run(problem_id).ours.status == "undecided"
            assert hw.problems.published(problem_id).status == "undecided"
    with monkeypatch.context() as planted:  # nothing is refuted where the tokens are equal: the step holds there
        planted.setattr(order, "_TOKENS", np.ones((3, 2), dtype=int))
        assert hw.problems.published("C.1.3").status == "undecided"


def test_identities_are_not_true_of_anything():
    """The checks of A.2a see a score matrix that is permuted on one side alone."""
    good = order._linear_steps()
    assert len(good) == 10
    assert all(good)
    assert len(order._softmax_identity()) == 18
    scores = order._scores(order._TOKENS)
    assert (order._permuted(scores, order._SWAP) != scores[list(order._SWAP)]).any()


# --- positions


def test_rows_differ_with_the_theorem_as_scope():
    showing = hw.problems.run("A.2b")
    assert showing.ours.status == "proved"
    assert "π" in showing.ours.scope
    with mpmath.workdps(40):
        distance = 2 * abs(mpmath.sin(mpmath.mpf(312689) / 2))
        assert says(showing.construction, 312689, f"{float(distance):.4g}")
    assert says(showing.construction, 2, 712, "float16", 1, 711, "bfloat16")


@pytest.mark.parametrize("dim", [2, 4, 128, 512])
def test_codes_do_not_repeat_after_the_longest_period(dim):
    found = positions.repeats_after_longest_period(dim=dim)
    assert found.status == "refuted"
    with mpmath.workdps(40):
        shift = int(mpmath.nint(2 * mpmath.pi * mpmath.mpf(10000) ** (mpmath.mpf(dim - 2) / dim)))
        square = mpmath.fsum(
            4 * mpmath.sin(shift * mpmath.mpf(10000) ** (-mpmath.mpf(2 * i) / dim) / 2) ** 2 for i in range(dim // 2)
        )
        assert found.counterexample == {"pair": (0, shift)}
        assert square > 0


def test_position_verdict_rests_on_its_claim(monkeypatch):
    with monkeypatch.context() as planted:
        planted.setattr(positions, "distinct", lambda *given, **more: OPEN)
        assert hw.problems.published("A.2b").status == "undecided"
    with pytest.raises(ValueError, match="`dim`"):
        positions.repeats_after_longest_period(dim=3)


def test_the_theory_page_prints_what_it_says():
    page = Path(__file__).parents[2] / "docs" / "theory" / "positions.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted >= 8
    assert result.failed == 0


# --- singular values


def test_the_four_matrices_in_50_digits():
    with mpmath.workdps(50):
        for a in singular.matrices().values():
            values = mpmath.svd_r(mpmath.matrix(a.tolist()), compute_uv=False)
            total = mpmath.fsum(mpmath.mpf(x) ** 2 for x in a.ravel().tolist())
            exact = singular.squared_norm(a)
            assert abs(mpmath.mpf(exact.numerator) / exact.denominator - total) < 1e-40
            assert abs(mpmath.fsum(v**2 for v in values) - total) < 1e-40 * total
            found = hw.spectrum.singular_values(a)
            for k, value in enumerate(values, 1):
                assert found.low[k - 1] <= value <= found.high[k - 1]
                assert k * value**2 <= total * (1 + mpmath.mpf(10) ** -45)


def test_what_is_told_of_the_random_matrix():
    a = next(iter(singular.matrices().values()))
    values, norm = np.linalg.svd(a, compute_uv=False), np.linalg.norm(a)
    k = np.arange(1, 6)
    assert ", ".join(f"{x:.2f}" for x in k * values**2 / norm**2) in hw.problems.run("A.3b").construction
    text = hw.problems.run("A.3c").construction
    assert ", ".join(f"{x:.3g}" for x in values) in text
    assert ", ".join(f"{x:.3g}" for x in norm / np.sqrt(k)) in text


@pytest.mark.parametrize("problem_id", ["A.3a", "A.3b"])
def test_singular_verdicts_rest_on_their_checks(problem_id, monkeypatch):
    assert hw.problems.published(problem_id).status == "argued"
    with monkeypatch.context() as planted:
        planted.setattr(singular, "squared_norm", lambda a, real=singular.squared_norm: real(a) / 9)
        assert hw.problems.published(problem_id).status == "undecided"
    with monkeypatch.context() as planted:  # an interval that was not proved
        real = hw.spectrum.singular_values
        unsure = lambda a: replace(real(a), verdict=OPEN)  # noqa: E731
        planted.setattr(singular, "singular_values", unsure)
        planted.setattr(
            singular, "energy", lambda a, real=hw.spectrum.energy: replace(real(a), singular_values=unsure(a))
        )
        assert hw.problems.published(problem_id).status == "undecided"
