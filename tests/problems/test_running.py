"""Every question that runs: its verdicts, and the numbers behind them recomputed independently in high precision."""

import mpmath
import pytest

import headwright as hw

RUNNING = [
    *[
        "A.1a",
        "A.1b",
        "A.1c",
        "A.1d",
        "A.2a",
        "A.2b",
        "A.3a",
        "A.3b",
        "A.3c",
        "B.3a",
        "B.3b",
        "B.3c-i",
        "B.3c-ii",
        "B.3d-i",
        "B.3d-ii",
    ],
    *[
        "B.3e-i",
        "B.3e-ii",
        "C.1.1a",
        "C.1.1b",
        "C.1.1c",
        "C.1.1d",
        "C.1.2a",
        "C.1.3",
        "C.2.1a",
        "C.2.1b",
        "C.2.2a",
        "C.2.2b",
    ],
    *["D.a-i", "D.a-ii", "D.a-iii", "D.a-iv", "D.b-i", "D.b-ii", "D.c-i", "D.c-ii", "D.d-i", "D.d-ii"],
    *["E.1a", "E.1b", "E.1c", "E.1d", "E.1e", "E.1f", "E.2a"],
]
ARGUED = {
    *("A.1c", "A.2a", "B.3c-ii", "B.3e-i", "B.3e-ii", "C.1.1a", "C.1.1c", "C.1.3", "C.2.1b"),
    *("D.a-i", "D.a-iii", "D.a-iv", "D.c-ii", "D.d-ii", "E.1a", "E.1f"),
}
WITHOUT_WEIGHTS = ("A.2b", "A.3a", "A.3b", "A.3c")  # no attention there
PUBLISHED = {
    "A.1a": "proved",
    "A.1b": "proved",
    "A.1c": "refuted",
    "A.1d": "refuted",
    "A.2a": "argued",
    "A.2b": "proved",
    "A.3a": "argued",
    "A.3b": "argued",
    "A.3c": "proved",
    "B.3a": "proved",
    "B.3b": "proved",
    "B.3c-i": "proved",
    "B.3c-ii": "argued",
    "B.3d-i": "proved",
    "B.3d-ii": "refuted",
    "B.3e-i": "argued",
    "B.3e-ii": "proved",
    "C.1.1a": "argued",
    "C.1.1b": "refuted",
    "C.1.1c": "argued",
    "C.1.1d": "refuted",
    "C.1.2a": "proved",
    "C.1.3": "refuted",
    "C.2.1a": "refuted",
    "C.2.1b": "argued",
    "C.2.2a": "refuted",
    "C.2.2b": "refuted",
}


def test_just_these_questions_run():
    assert hw.problems.runs() == RUNNING
    assert list(hw.problems.CATALOGUE) == RUNNING


@pytest.mark.parametrize("problem_id", RUNNING)
def test_our_construction_is_proved(problem_id):
    showing = hw.problems.run(problem_id)
    status = "argued" if problem_id in ARGUED else "proved"
    assert showing.ours.status == status
    assert showing.construction
    assert (showing.weights is None) == (problem_id in WITHOUT_WEIGHTS)
    assert showing.weights is None or abs(showing.weights.sum() - 1) < 1e-12
    assert (showing.published is None) == (showing.problem.published is None)
    assert showing.to_dict()["ours"]["status"] == status


@pytest.mark.parametrize(("problem_id", "status"), PUBLISHED.items())
def test_published_answers(problem_id, status):
    verdict = hw.problems.published(problem_id)
    assert verdict.status == status
    assert verdict.reason
    if status == "refuted":
        assert verdict.counterexample
        assert "It would hold under this condition, " in verdict.reason or "What is true instead: " in verdict.reason
        assert verdict.record.prove().status == "refuted"  # the point re-checks


def test_when_copying_by_size_or_angle_holds():
    for problem_id in ("C.1.1b", "C.1.1d"):
        assert "ln((n-1)/odds" in hw.problems.published(problem_id).reason


def test_a_sheet_without_answers_has_none_to_judge():
    assert hw.problems.published("D.b-i") is None


@pytest.mark.parametrize("n", [2, 3, 10, 1000])
@pytest.mark.parametrize("epsilon", ["0.999", "0.5", "0.001", "1e-40"])
def test_families_of_sheet_a_at_many_members(n, epsilon):
    """The two family verdicts of sheet A, at their extremal members, in 60 digits."""
    with mpmath.workdps(60):
        eps = mpmath.mpf(epsilon)
        t = 2 * mpmath.log(n / eps)
        trailing = mpmath.exp(t * mpmath.mpf("0.5") - t)  # k_1·k_i = 1/2, the closest allowed
        assert 1 / (1 + (n - 1) * trailing) >= 1 / (1 + eps)
        x = n / eps
        assert x / (2 * x + n - 2) >= 1 / (2 + eps)
        assert mpmath.sqrt(2) * mpmath.log(n / eps) <= 2 * mpmath.sqrt(2) * mpmath.log(n / eps)


def test_threshold_of_the_large_factor_is_sharp():
    """T = 396 for n = 10, error 0.01, as the verdict on B.3b says: holds there and not below."""
    assert "396" in hw.problems.published("B.3b").reason

    def variation(T):
        return mpmath.mpf(8) / (2 * T + 8)

    assert variation(396) <= mpmath.mpf("0.01")
    assert variation(mpmath.mpf("395.99")) > mpmath.mpf("0.01")


def test_counterexamples_in_high_precision():
    with mpmath.workdps(50):
        large_key = 1 / (mpmath.exp(10) + 9)  # scores: 0 on the long key, 10 on one, 0 on eight
        aligned = mpmath.e / (mpmath.e + 9)
    assert f"α_j = {float(large_key):.4g}" in hw.problems.published("C.1.1b").reason
    assert f"α_0 = {float(aligned):.4g}" in hw.problems.published("C.1.1d").reason
