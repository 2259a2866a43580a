"""What a student reads: names as the question has them, formulas in their own case, and nothing twice."""

import re

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.verdict import Undecided
from headwright.problems import check, load
from headwright.problems.grading import grade
from headwright.problems.grading._grade import judged
from headwright.problems.grading.messages import PERSON, begun, message_of, sentence
from headwright.problems.judges.key_words import key_name
from headwright.problems.reports.typesetting import sentence as set_sentence
from headwright.reading.formulas import FormulaError
from tests.facts import says


@pytest.mark.parametrize(
    "text", ["σ_1 is large", "sin t is odd", "k_1 leads", "n = 3", "beta = 2", "log n grows", "q1 is"]
)
def test_a_formula_keeps_its_letters(text):
    assert begun(text) == text
    assert sentence(text) == f"{text}."
    assert not re.sub("<[^>]*>", "", set_sentence(text))[0].isupper()


@pytest.mark.parametrize("text", ["the sum", "a person", "your weights are 1", "as asked", "it's so", "no"])
def test_a_word_gets_its_capital(text):
    assert begun(text) == text[0].upper() + text[1:]


def test_a_person_is_asked_once():
    assert message_of(Undecided("x", reason=f"free text: {PERSON}")).lower().count(PERSON) == 1
    told = message_of(check("B.3a", {"statement": "Because softmax is sharp."}))
    assert told.lower().count(PERSON) == 1


def test_the_function_of_a_question_is_the_one_it_names():
    problem = hw.problems.find("A.3c")
    assert [re.match(r"\w+", text)[0] for text in problem.functions] == ["svd_part"]
    assert check("A.3c", {"M": "svd_part(A, k - 1)"}).status == "proved"
    with pytest.raises(FormulaError) as caught:
        check("A.3c", {"M": "svdpart(A)"})
    assert "trunc" not in caught.value.message
    assert all(not other.functions for other in hw.problems.CATALOGUE.values() if other is not problem)


def test_answer_names_with_and_without_the_line():
    spelled = check("B.3d-i", {"q_1": "t*u_a", "q_2": "t*u_b"})
    assert spelled.status == check("B.3d-i", {"q1": "t*u_a", "q2": "t*u_b"}).status == "proved"
    with pytest.raises(ValueError, match=r"q2.*q_1"):
        check("B.3d-i", {"q1": "t*u_a", "q_1": "t*u_a", "q2": "t*u_b"})


def test_hints_of_single_questions():
    with pytest.raises(FormulaError, match="c·u"):
        check("A.1d", {"q1": "t*k_1", "q2": "t*k_2"})
    with pytest.raises(FormulaError, match="none"):
        check("E.1c", {"q": "not with any query"})


@pytest.mark.parametrize(
    "words", ["none", "Impossible.", "there is no such query", "does not exist", "It is impossible"]
)
def test_none_in_other_words(words):
    assert check("E.1c", {"q": words}).status == "proved"


@pytest.mark.parametrize("spelled", ["each_at_most_one", "each at most one", " Each-At-Most-One ", "each  at-most_one"])
def test_statement_ids_in_other_spellings(spelled):
    assert check("C.1.1a", {"statement": spelled}).status == "refuted"


def test_coordinates_are_told_from_the_vector_in_rows_too():
    for problem_id, formula in (("D.b-i", "A'"), ("E.1d", "S'"), ("E.1d", "S")):
        verdict = check(problem_id, {"M": formula})
        assert verdict.status == "refuted"
        assert verdict.reason
    with pytest.raises(ValueError, match="`M`"):
        check("E.1d", {"M": np.ones((2, 7))})


def test_a_claim_about_all_n_reads_as_one():
    assert says(check("A.1a", {"q": "2*log(n/eps)*k_1"}).claim, 2)
    assert check("A.1a", {"q": "2*log(n/eps)*k_1"}, n=7).scope.startswith("n = 7 ")


OTHER_STYLE = re.compile(r"<=|>=|\b(?:eps|beta|mu)\b|\d[eE][+-]?\d|(?:^|[\s(,])-\d|(?<![\d.])\d{6}|0\.0*[1-9]\d{4}")
SAID = [
    *[("A.1a", {"q": text}) for text in ("2*log(n)*k_1", "10*log(n/eps)*k_1", "2*log(n/eps)*k_1", "log(n-20)*k_1")],
    *[("A.1b", {"q": text}) for text in ("log(n/eps)*k_1", "exp(exp(n))*(k_1+k_2)", "sqrt(log(n))*(k_1+k_2)")],
    *[("B.3b", {"q": text}) for text in ("100*(k_a+k_b)", "beta*(k_a+k_b)", "beta*k_a", "log(10^9)*(k_a+k_b)")],
    *[("D.b-ii", {"q": text}) for text in ("2*log(n/eps)*(k_a+k_b)", "log(T)*k_a", "(t-10^9)*(k_a+k_b)")],
    *[("D.d-i", {"q1": 9 * np.eye(10)[0], "q2": x * np.eye(10)[1]}) for x in (9, 1e-9)],
    *[("E.1c", {"q": text}) for text in ("100*(k_i+k_j)", "eps*k_i", "t*(k_i+k_j)")],
    *[("A.3c", {"M": text}) for text in ("svd_part(A, k)", "A", "svd_part(A, k - 1)")],
    *[("E.1d", {"M": text}) for text in ("2*S*S'", "S'", "2*I")],
    *[
        (name, {"statement": one.id})
        for name in ("A.2b", "D.a-iii", "E.1a")
        for one in hw.problems.find(name).statements
    ],
]


@pytest.mark.parametrize(("problem_id", "given"), SAID, ids=str)
def test_numbers_and_symbols_have_one_style(problem_id, given):
    message = judged(hw.problems.find(problem_id), given).message
    found = OTHER_STYLE.search(message.replace("0.00006028", "").replace("1000000", ""))  # figures of the statements
    assert found is None, (found[0], message)


def test_a_number_is_told_from_the_limit_it_misses():
    close = judged(hw.problems.find("A.1a"), {"q": "(2*log((n-1)/eps) - 1e-5)*k_1"}).message
    weight, required = re.findall(r"0\.\d+", close)[:2]
    assert float(weight) < float(required)


BASE = 'id = "X.1"\nquestion = "?"\n'


def own(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(BASE + text, "utf-8")
    return load(path)["X.1"]


def test_own_questions_speak_of_keys_by_their_names(tmp_path):
    problem = own(tmp_path, "orthonormal = 4\naverage = [1, 2]\nnames = {m_a = {key = 1}, t = 2.0}")
    told = problem.check({"q": "t*m_a"}).reason
    assert "m_a" in told
    assert says(told, 2)  # the question has no name for it
    gap = own(tmp_path, "orthonormal = 4\ntop = [1, 2]").check({"q": "k_2"}).reason
    assert "k_3" in gap
    assert "key 2" not in gap


def test_equal_keys_take_their_names_in_order_or_none(tmp_path):
    keys = "keys = [[1, 0], [1, 0], [0, 1]]\ncopy = 2\n"
    assert [key_name(own(tmp_path, keys).setting(), i) for i in range(3)] == ["k_1", "k_2", "k_3"]
    assert says(key_name(own(tmp_path, keys).setting(), 3), 3)
    named = own(tmp_path, keys + "names = {u = {key = 1}}")
    assert all(says(key_name(named.setting(), i), i) for i in range(3))


def test_own_answers_take_both_spellings(tmp_path):
    problem = own(tmp_path, "orthonormal = 4\naverage = [0, 1]\nheads = 2")
    assert problem.check({"q_1": "30*k_1", "q_2": "30*k_2"}).status == "proved"
    with pytest.raises(TypeError, match="`answer`"):
        problem.check([1])


@pytest.mark.parametrize("text", ["", 'student = "Ada"\n', "# nothing\n"])
def test_a_file_without_answers_says_so(tmp_path, text):
    path = tmp_path / "a.toml"
    path.write_text(text)
    assert len(grade(path).complaints) == 1
    assert not grade(path).answered


def test_ids_in_any_case(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text('[a.1A]\nq = "2*log(n/eps)*k1"\n["d.B-I"]\nM = "A*A\'"\n')
    assert {result.id: result.status for result in grade(path).answered} == {"A.1a": "proved", "D.b-i": "proved"}


def test_ids_that_differ_in_case_alone_are_one(tmp_path):
    text = "".join(f'[[problem]]\nid = "{i}"\nquestion = "?"\northonormal = 3\ncopy = 0\n' for i in ("X.a", "X.A"))
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(ValueError, match=r"(?s)problem 2.*`id` X\.A.*problem 1.*X\.a"):
        load(tmp_path / "mine.toml")
