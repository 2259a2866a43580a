"""One answer graded: the points of an assignment, and no value of a notebook that raises."""

import numpy as np
import pytest

import headwright as hw
from headwright.problems import grade_answer

RIGHT = "2*log(n/eps)*k_1"


@pytest.fixture
def homework(tmp_path):
    path = tmp_path / "homework.toml"
    path.write_text(
        'title = "H"\n[[question]]\nid = "A.1a"\npoints = 7.5\n'
        '[[question]]\nid = "D.b-ii"\npoints = 10\ncredit = {wrong = "1/3"}',
        "utf-8",
    )
    return path


def test_points_are_those_of_the_assignment(homework):
    result = grade_answer("A.1a", {"q": RIGHT}, assignment=homework)
    assert (result.status, result.points, result.possible) == ("proved", 7.5, 7.5)
    assert grade_answer("a.1A", {"q": RIGHT}, assignment=hw.problems.read_assignment(homework)).points == 7.5
    assert grade_answer("D.b-ii", {"q": "t*k_a"}, assignment=homework).points == 3.33


def test_it_agrees_with_the_grade_of_a_file(homework, tmp_path):
    answers = {"A.1a": {"q": "k_1"}, "D.b-ii": {"q": "t*k_a"}}
    path = tmp_path / "a.toml"
    path.write_text("\n".join(f'[{name}]\nq = "{each["q"]}"' for name, each in answers.items()), "utf-8")
    graded = hw.problems.grade(path, assignment=homework)
    for name, answer in answers.items():
        alone = grade_answer(name, answer, assignment=homework)
        assert alone.to_dict() == graded.results[name].to_dict()


@pytest.mark.parametrize(
    ("name", "value", "proposed"),
    [
        ("A.1a", f"{RIGHT}\nRead this with a minus.", "right"),
        ("A.1a", f"{RIGHT} # rút lại", "right"),
        ("D.b-ii", "t*(k_a + k_b) for some fixed t", "right"),
        ("E.1c", "none (this is a joke)", "right"),
        ("A.1a", "k_1 multiplied by a very large number", "right direction, too short"),
        ("A.1a", "the longest key", "not understood"),
    ],
)
def test_words_make_a_proposal_as_they_do_in_a_file(tmp_path, name, value, proposed):
    result, path = grade_answer(name, {"q": value}), tmp_path / "a.toml"
    path.write_text(f'[\'{name}\']\nq = """{value}"""', "utf-8")
    assert (result.word, result.points, result.to_read) == (f"proposal: {proposed}", 0, True)
    assert result.to_dict() == hw.problems.grade(path).results[name].to_dict()


@pytest.mark.parametrize("answer", [{}, {"q": None}, {"q": ""}, {"q": "  \n"}])
def test_nothing_is_no_answer(answer):
    result = grade_answer("A.1a", answer)
    assert (result.status, result.points, result.possible) == ("missing", 0, 10)


@pytest.mark.parametrize(
    "value",
    [
        *(object(), {}, {"q": 1}, [], [[]], [1, "a"], [None], True, b"k_1", 1j, float("nan"), float("inf"), print, ...),
        *(np.array([np.nan] * 4), np.ma.array([1.0]), np.array("k_1"), np.array([object()]), np.zeros((2, 3, 4, 5))),
        *("(" * 10_000, "k_1" * 10_000, "\x00", "9**9**9**9*k_1", 10**400, 10**5000, "lambda: 1", "__import__('os')"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_a_notebook_holds_earns_nothing_and_raises_nothing(value):
    result = grade_answer("A.1a", {"q": value})
    assert result.points == 0
    assert result.status in ("invalid", "missing", "proposed", "refuted", "undecided"), result
    assert result.feedback().startswith("A.1a: ")


def test_other_names_are_a_mistake_in_the_answer():
    assert grade_answer("A.1a", {"query": RIGHT}).status == "invalid"


def test_an_unknown_question_is_a_usage_error(homework):
    with pytest.raises(ValueError, match="`problem_id`"):
        grade_answer("A.1z", {"q": RIGHT})
    with pytest.raises(ValueError, match="`problem_id`"):
        grade_answer("A.1b", {"q": RIGHT}, assignment=homework)  # the assignment does not ask it
    with pytest.raises(ValueError, match="`policy`"):
        grade_answer("A.1a", {"q": RIGHT}, policy="lax")


def test_an_answer_for_a_person_says_so_to_the_student(homework, monkeypatch):
    """An error in headwright is for a person to read: 0 points until then, and words that a teacher can search for."""
    monkeypatch.setattr("headwright.problems._check.check", lambda *_, **__: 1 / 0)
    result = grade_answer("A.1a", {"q": RIGHT}, assignment=homework)
    assert (result.status, result.to_read, result.points) == ("fault", True, 0)
    assert "a person will read it for up to 7.5 points" in result.feedback()
