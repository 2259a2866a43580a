"""An answer is judged in every reading of its text: one verdict if they agree, Undecided with both if not."""

import numpy as np
import pytest

from headwright.problems import CATALOGUE, check, grade_answer
from headwright.problems.judges.readings import TWO_READINGS
from headwright.problems.problem import AnswerError
from headwright.reading.formulas import FormulaError


def test_the_reading_is_shown_back():
    verdict = check("A.1b", {"q": r"$2\ln(n/\epsilon)(k_1+k_2)$"})
    assert verdict.status == "proved"
    assert verdict.reading == "2·ln(n/ε)·(k_1 + k_2)"
    assert verdict.lines()["read as"] == verdict.to_dict()["read_as"] == verdict.reading
    two = check("A.1d", {"q1": "t u", "q2": "tk_2"})
    assert two.reading == "q1 = t·u, q2 = t·k_2"


def test_an_array_has_no_reading():
    verdict = check("B.3b", {"q": 9 * (np.eye(10)[0] + np.eye(10)[1])})
    assert verdict.reading == ""
    assert "read as" not in verdict.lines()


def test_readings_that_disagree_are_undecided_and_both_shown():
    verdict = check("A.1a", {"q": "2 log n/eps k_1"})
    assert (verdict.status, verdict.method) == ("undecided", TWO_READINGS)
    for shown in ("2·ln(n/ε)·k_1", "2·ln(n)/ε·k_1"):
        assert shown in verdict.reading
        assert shown in verdict.reason
    alone = [check("A.1a", {"q": text}).status for text in ("2*log(n/eps)*k_1", "2*log(n)/eps*k_1")]
    assert alone == ["proved", "refuted"]


def test_readings_that_agree_have_their_verdict():
    right = check("D.b-ii", {"q": "t/2n (k_a + k_b)"})  # t/2·n or t/(2n): both grow with t
    wrong = check("A.1a", {"q": "eps/2n k_1"})
    assert (right.status, wrong.status) == ("proved", "refuted")
    for verdict in (right, wrong):
        assert " or " in verdict.reading


def test_every_combination_of_readings_is_judged():
    both = {"q1": "2 log 2 (n - 1)/eps u", "q2": "2*log(2*(n - 1)/eps)*k_2"}
    verdict = check("A.1d", both)
    assert verdict.method == TWO_READINGS
    assert verdict.reading.count("q2 = ") > 1
    many = {name: "log n t s T beta eps u_a" for name in ("q1", "q2")}
    with pytest.raises(AnswerError):
        check("B.3d-i", many)


def test_many_readings_are_judged_until_two_differ(monkeypatch):
    from headwright.problems.judges import _judge

    judged, judge = [], _judge.JUDGES["each"]
    monkeypatch.setitem(_judge.JUDGES, "each", lambda *given: judged.append(given) or judge(*given))
    verdict = check("A.1a", {"q": "2 log n/eps k_1 + 0 log n n n k_1"})
    assert verdict.method == TWO_READINGS
    assert 2 <= len(judged) < 6  # of six readings


def test_a_reading_without_a_value_agrees_with_no_other():
    assert check("B.3b", {"q": "t/log(n) (k_a + k_b)"}).status == "proved"
    verdict = check("B.3b", {"q": "t/log 1 n (k_a + k_b)"})  # log(1) is 0
    assert (verdict.status, verdict.method) == ("undecided", TWO_READINGS)
    with pytest.raises(FormulaError):
        check("B.3b", {"q": "t/0n (k_a + k_b)"})  # no reading has a value


def test_a_condition_that_narrows_the_claim_is_said_to_do_so():
    plain, narrow = check("B.3b", {"q": "t(k_a+k_b), t ≫ 0"}), check("B.3b", {"q": "t(k_a+k_b) for n ≥ 3"})
    assert plain.status == narrow.status == "proved"
    assert "n ≥ 3" in narrow.reason
    assert "≫" not in plain.reason
    with pytest.raises(FormulaError):
        check("A.1a", {"q": "2*log(n/eps)*k_1, t ≫ 0"})  # A.1a has no t


def test_a_condition_does_not_save_an_answer():
    """Wrong at n = 2 alone, and judged for all n."""
    assert check("A.1a", {"q": "2*log(n/eps)*k_1*(n-3)/(n-3) for n ≥ 4"}).status == "refuted"


def test_the_length_of_vectors_that_grow_is_a_large_symbol():
    assert "beta" in CATALOGUE["B.3e-ii"].symbols.large
    assert CATALOGUE["B.3b"].symbols.large
    assert not CATALOGUE["A.1a"].symbols.large


@pytest.mark.parametrize(
    ("name", "kind"), [("A.1a", {"k_1": "column", "n": "number"}), ("E.1d", {"S": "matrix", "T": "matrix"})]
)
def test_symbols_know_what_they_are(name, kind):
    assert kind.items() <= CATALOGUE[name].symbols.names.items()


@pytest.mark.parametrize("text", ["No such q exists.", '"none"', r"q = \emptyset"])
def test_words_for_none(text):
    verdict = check("E.1c", {"q": text})
    assert (verdict.status, verdict.reading) == ("proved", "none")


def test_none_is_no_answer_where_a_query_is_asked_for():
    with pytest.raises(FormulaError):
        check("A.1a", {"q": "none"})


def test_a_credit_that_belongs_to_one_reading_is_left_to_a_person():
    """Both readings of ln 4^10 are refuted for all n, and each holds up to a number of keys of its own."""
    result = grade_answer("D.b-ii", {"q": "ln 4^10 (k_a + k_b)"})
    assert (result.status, result.points, result.to_read) == ("readings", 0, True)
    assert grade_answer("D.b-ii", {"q": "(ln(4^10))(k_a + k_b)"}).status == "refuted"
