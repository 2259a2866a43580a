"""Order, positions, singular values (A.2, A.3, C.1.3): verdicts come from checks, their numbers are recomputed elsewhere."""

import ast
import doctest
import re
from itertools import permutations
from pathlib import Path

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.kernel.verdict import Undecided
from headwright.problems.judges import matrix_facts
from headwright.problems.judges.entries import fact, verdict_on
from headwright.problems.judges.matrix_facts import matrix_of
from tests.facts import says

OPEN = Undecided("c", reason="planted", next_step="none")


def entry_of(problem_id, statement=None):
    """What judges our answer, or a statement of the question."""
    problem = hw.problems.find(problem_id)
    return problem.ours if statement is None else next(s.entry for s in problem.statements if s.id == statement)


def status_of(problem_id, statement=None):
    """Judged anew, whatever was judged before."""
    return verdict_on(entry_of(problem_id, statement), "said").status


# --- order


@pytest.mark.parametrize("problem_id", ["A.2a", "C.1.3"])
def test_equivariance_is_proved_for_small_blocks(problem_id):
    showing = hw.problems.run(problem_id)
    assert showing.ours.status == "argued"
    kinds = [instance.record.kind for instance in showing.ours.instances]
    assert kinds.count("block-equivariant") == 2
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
        ast.literal_eval(re.search(rf"[ ;]{re.escape(name)}(?::| =) (\[\[.+?\]\])", found.reason)[1])
        for name in ("X", "S(X)/ln 2", "S(XΠ)/ln 2")
    )

    def scores(matrix):  # columns are tokens, Q = K = I up to the factor ln 2
        n = len(matrix[0])
        return [[sum(row[i] * row[j] for row in matrix) for j in range(n)] for i in range(n)]

    swapped = [row[::-1] for row in x]
    assert scores(x) == before
    assert scores(swapped) == after
    assert before != after
    assert after == [[before[a][b] for b in (1, 0)] for a in (1, 0)]  # ΠᵀSΠ
    assert "ΠᵀS(X)Π" in found.reason
    assert "conclusion is true" in found.reason
    assert "holds always" in found.reason


def test_the_conclusion_holds_though_the_step_does_not(rng):
    block = hw.Block(*rng.normal(size=(3, 2, 2)), np.eye(2), residual=False)
    x = rng.normal(size=(3, 2))
    for p in permutations(range(3)):
        np.testing.assert_allclose(block(x[list(p)]), block(x)[list(p)], rtol=1e-12)


ORDER = [
    ("A.2a", None),
    ("A.2a", "conjugated-scores"),
    ("A.2a", "index-by-index"),
    ("A.2a", "positions-too"),
    ("C.1.3", None),
    ("C.1.3", "conjugated-columns"),
    ("C.1.3", "scores-unchanged"),
    ("C.1.3", "causal-too"),
]


@pytest.mark.parametrize(("problem_id", "statement"), ORDER)
def test_order_verdicts_rest_on_the_claim_about_blocks(problem_id, statement, monkeypatch):
    assert status_of(problem_id, statement) in ("argued", "refuted")
    monkeypatch.setattr(matrix_facts, "equivariance", lambda block, x: OPEN)
    assert status_of(problem_id, statement) == "undecided"


def test_a_block_that_sees_the_order_does_not_pass():
    """Both blocks of A.2a commute, and neither does with a mask or positions."""
    entry = entry_of("A.2a")
    for table in entry["instances"]:
        assert fact(table).status == "proved"
        for more in ({"causal": True}, {"positions": [[0, 0], [1, 0], [0, 1]]}):
            assert fact({**table, "equivariant": {**table["equivariant"], **more}}).status == "refuted"
    swapped = {**entry, "instances": entry["besides"], "besides": entry["instances"]}
    assert verdict_on(swapped, "said").status == "argued"
    for name in ("instances", "besides"):
        wrong = [{**table, "not": not table.get("not", False)} for table in entry[name]]
        assert verdict_on({**entry, name: wrong}, "said").status == "undecided"


def test_the_softmax_of_other_terms_is_another_one():
    """What the step about softmax rests on is not true of anything: a sum without one of its terms is another sum."""
    (table,) = [table for table in entry_of("C.1.3")["instances"] if "holds" in table]
    assert fact(table).status == "proved"
    for wrong in ("b/(b + c) = b/(a + b + c)", "a/(b + c + a) = b/(a + b + c)"):
        assert fact({**table, "holds": wrong}).status != "proved"


def test_nothing_is_refuted_where_the_step_holds():
    """Of equal tokens the scores do not change."""
    entry = entry_of("C.1.3", "scores-unchanged")
    equal = [{**table, "keys": [[1, 1], [1, 1]]} for table in entry["against"]]
    assert verdict_on({**entry, "against": equal}, "said").status == "undecided"


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
    with mpmath.workdps(40):
        shift = int(mpmath.nint(2 * mpmath.pi * mpmath.mpf(10000) ** (mpmath.mpf(dim - 2) / dim)))
        codes = {"sinusoidal": shift + 1, "dimension": dim}
        found = fact({"codes": codes, "pair": (0, shift), "within": "0"})
        assert found.status == "refuted"
        square = mpmath.fsum(
            4 * mpmath.sin(shift * mpmath.mpf(10000) ** (-mpmath.mpf(2 * i) / dim) / 2) ** 2 for i in range(dim // 2)
        )
        assert found.counterexample == {"pair": (0, shift)}
        assert square > 0


@pytest.mark.parametrize("statement", [None, "first-pair-differs", "sine-alone", "entries-are-bounded"])
def test_position_verdicts_rest_on_their_claim(statement, monkeypatch):
    monkeypatch.setattr(matrix_facts, "distinct", lambda *given, **more: OPEN)
    assert status_of("A.2b", statement) == "undecided"


def test_what_is_said_of_codes_must_be_so():
    """A pair that is not that near, a distance that is not kept, a first coincidence that comes later: all seen."""
    entry = entry_of("A.2b")
    for place, more in ((0, {"apart": "2.91e-6"}), (0, {"within": "2.9e-6"}), (1, {"within": "11.7"})):
        assert fact({**entry["besides"][place], **more}).status != fact(entry["besides"][place]).status
    for number, pair in ((713, (1, 711)), (712, (2, 711))):
        codes = {"sinusoidal": number, "dimension": 2, "stored": "float16"}
        assert fact({"codes": codes, "pair": pair, "within": "0"}).status == "refuted"


def test_the_theory_page_prints_what_it_says():
    page = Path(__file__).parents[2] / "docs" / "theory" / "positions.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted >= 8
    assert result.failed == 0


# --- singular values


def matrices():
    """Those that are certified for A.3a and A.3b."""
    return [table["squares"] for table in entry_of("A.3a", "trace-identity")["instances"] if "squares" in table]


def test_the_four_matrices_in_50_digits():
    with mpmath.workdps(50):
        for a in map(matrix_of, matrices()):
            values = mpmath.svd_r(mpmath.matrix(a.tolist()), compute_uv=False)
            total = mpmath.fsum(mpmath.mpf(x) ** 2 for x in a.ravel().tolist())
            assert abs(mpmath.fsum(v**2 for v in values) - total) < 1e-40 * total
            found = hw.spectrum.singular_values(a)
            for k, value in enumerate(values, 1):
                assert found.low[k - 1] <= value <= found.high[k - 1]
                assert k * value**2 <= total * (1 + mpmath.mpf(10) ** -45)


def test_four_kinds_of_spectrum():
    """Like noise, fast falling, of rank 2, and all equal: the same four for both questions."""
    noise, falling, flat, equal = (np.linalg.svd(matrix_of(given), compute_uv=False) for given in matrices())
    assert noise[0] < 3 * noise[-1]
    assert falling[0] > 100 * falling[-1]
    assert (flat > 1e-9).tolist() == [True, True, False, False]
    np.testing.assert_allclose(equal, equal[0])
    assert [table["tail"] for table in entry_of("A.3b", "k-largest-terms")["instances"]] == matrices()


def test_what_is_told_of_the_random_matrix():
    a = matrix_of(matrices()[0])
    values, norm = np.linalg.svd(a, compute_uv=False), np.linalg.norm(a)
    k = np.arange(1, 6)
    assert f"{norm**2:.12g}" in hw.problems.run("A.3a").construction
    assert ", ".join(f"{x:.2f}" for x in k * values**2 / norm**2) in hw.problems.run("A.3b").construction
    text = hw.problems.run("A.3c").construction
    assert ", ".join(f"{x:.3g}" for x in values) in text
    assert ", ".join(f"{x:.3g}" for x in norm / np.sqrt(k)) in text


@pytest.mark.parametrize(
    ("problem_id", "statement"), [("A.3a", "trace-identity"), ("A.3a", "orthogonal-maps"), ("A.3b", "k-largest-terms")]
)
def test_singular_verdicts_rest_on_their_instances(problem_id, statement):
    entry = entry_of(problem_id, statement)
    assert verdict_on(entry, "said").status == "argued"
    for wrong in (
        {"squares": [[3, 0], [0, 4]], "sum": 24},
        {"squares": [[3, 0], [0, 4]], "sum": ["25.001", "26"]},
        {"singular": [[3, 0], [0, 4]], "values": [4, 2]},
        {"singular": [[3, 0], [0, 4]], "values": [4, 3.001], "within": "0.0005"},
        {"tail": [[3, 0], [0, 4]], "not": True},
    ):
        assert verdict_on({**entry, "instances": [*entry["instances"], wrong]}, "said").status == "undecided"
        assert verdict_on({"against": [wrong]}, "said").status == "undecided"
