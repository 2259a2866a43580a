"""Every question that runs: its verdicts, and the numbers behind them recomputed independently in high precision."""

import mpmath
import pytest

import headwright as hw

RUNNING = [
    "A.1a",
    "A.1b",
    "B.3a",
    "B.3b",
    "C.1.1a",
    "C.1.1b",
    "C.1.1c",
    "C.1.1d",
    "C.1.2a",
    "D.a-i",
    "D.a-ii",
    "D.a-iii",
    "D.a-iv",
    "D.b-ii",
    "E.1a",
    "E.1b",
    "E.1c",
]
PUBLISHED = {
    "A.1a": "proved",
    "A.1b": "proved",
    "B.3a": "proved",
    "B.3b": "proved",
    "C.1.1a": "proved",
    "C.1.1b": "refuted",
    "C.1.1c": "proved",
    "C.1.1d": "refuted",
    "C.1.2a": "proved",
}


def test_just_these_questions_run():
    assert hw.problems.runs() == RUNNING
    assert [p.id for p in hw.problems.CATALOGUE.values() if p.waits_for is None] == RUNNING


@pytest.mark.parametrize("problem_id", RUNNING)
def test_our_construction_is_proved(problem_id):
    showing = hw.problems.run(problem_id)
    assert showing.ours.status == "proved"
    assert showing.construction
    assert abs(showing.weights.sum() - 1) < 1e-12
    assert (showing.published is None) == (showing.problem.published is None)
    assert showing.to_dict()["ours"]["status"] == "proved"


@pytest.mark.parametrize(("problem_id", "status"), PUBLISHED.items())
def test_published_answers(problem_id, status):
    verdict = hw.problems.published(problem_id)
    assert verdict.status == status
    assert verdict.reason
    if status == "refuted":
        assert verdict.counterexample
        assert "ln((n-1)/odds" in verdict.holds_when
        assert verdict.record.prove().status == "refuted"  # the point re-checks


def test_a_waiting_question_says_what_it_waits_for():
    with pytest.raises(ValueError, match=r"`problem_id` A\.1c does not run yet: it waits for laws of varying keys"):
        hw.problems.run("A.1c")
    verdict = hw.problems.published("A.1c")
    assert verdict.status == "undecided"
    assert "waits for laws of varying keys" in verdict.reason
    assert hw.problems.published("D.c-i") is None


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
    assert f"{float(large_key):.3g}" == hw.problems.published("C.1.1b").counterexample["α_j"]
    assert f"{float(aligned):.4g}" == hw.problems.published("C.1.1d").counterexample["α_0"]


def test_a_family_with_a_false_inequality_is_not_proved():
    from headwright.problems.showing import for_all

    good = hw.problems.run("A.1a").ours
    made = {"scope": "all", "reason": "because", "instances": [good]}
    assert for_all("c", inequalities=[True], **made).status == "proved"
    assert for_all("c", inequalities=[True, False], **made).status == "undecided"
    bad = hw.problems.published("C.1.1d")
    assert for_all("c", scope="all", reason="r", inequalities=[True], instances=[good, bad]).status == "undecided"
