"""What run_autograder does with a submission: one test per question whatever was handed in, and results whatever fails."""

import json

import pytest

import headwright as hw
from headwright.problems.gradescope import on_gradescope
from headwright.problems.gradescope.assignment_files import assignment_files, write_files
from headwright.problems.gradescope.on_gradescope import main
from headwright.problems.grading import Grade, Result
from tests.problems.test_grading import assert_gradescope

QUESTIONS = [("A.1a", 7.5), ("D.b-ii", 10), ("X.1", 4)]


@pytest.fixture
def root(tmp_path, homework):
    root = tmp_path / "autograder"
    (root / "submission").mkdir(parents=True)
    write_files(root / "source" / "assignment", assignment_files(homework)[1])
    return root


@pytest.fixture
def handed_in(root):
    """Hand in files, {name: text}; returns results.json as Gradescope reads it."""

    def handed_in(files, *options):
        write_files(root / "submission", {name: text.encode() for name, text in files.items()})
        assert main([str(root), *options]) == 0
        told = json.loads((root / "results" / "results.json").read_text("utf-8"))
        assert_gradescope(told)
        return told

    return handed_in


def toml(answers):
    return "\n".join(f'["{name}"]\nq = "{formula}"' for name, formula in answers.items())


def test_right_answers(handed_in, right):
    told = handed_in({"Ada Lovelace.TOML": toml(right)})
    assert told["score"] == 21.5
    assert [(test["number"], test["max_score"]) for test in told["tests"]] == QUESTIONS
    assert [test["name"] for test in told["tests"]] == ["A.1a: right", "D.b-ii: right", "X.1: right"]
    assert "Homework 3: 21.5 of 21.5 points" in told["output"]


def test_credit_and_questions_that_were_not_touched(handed_in, wrong):
    told = handed_in({"a.toml": toml({"D.b-ii": wrong["D.b-ii"]})}, "--visibility", "after_due_date")
    assert [test["score"] for test in told["tests"]] == [0, 2.5, 0]
    assert [test["status"] for test in told["tests"]] == ["failed"] * 3
    assert told["tests"][0]["output"] == "No answer was given."
    assert {test["visibility"] for test in told["tests"]} == {told["visibility"], "after_due_date"}


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({}, "nothing"),
        ({"a.toml": "", "b.md": ""}, "a.toml, b.md"),
        ({"a.pdf": "%PDF"}, "a.pdf"),
        ({"inner/a.txt": "", "inner/b.txt": ""}, "inner/a.txt"),
        ({f"{k}.toml": "" for k in range(8)}, "3 more"),
    ],
)
def test_other_than_one_file(handed_in, files, named):
    told = handed_in(files)
    assert told["score"] == 0
    assert named in told["output"]
    assert ".toml" in told["output"]
    assert [(test["number"], test["max_score"]) for test in told["tests"]] == QUESTIONS


def test_what_a_system_adds_is_no_answer(handed_in, root, right):
    (root / "elsewhere.toml").write_text(toml(right), "utf-8")
    (root / "submission" / "link.toml").symlink_to(root / "elsewhere.toml")
    told = handed_in({"a/mine.txt": toml(right), "__MACOSX/a/mine.txt": "", ".hidden.md": "", "a/picture.png": ""})
    assert told["score"] == 21.5


@pytest.mark.parametrize(
    "text", ["", "[A.1a", "\x00\x01", "a." * 10_000, "[" * 100_000, "[A.1a]\nq = \"__import__('os').getcwd()\""]
)
def test_hostile_files(handed_in, root, text):
    told = handed_in({"a.toml": text})
    assert told["score"] == 0
    assert [test["number"] for test in told["tests"]] == [name for name, _ in QUESTIONS]
    assert str(root) not in json.dumps(told)


def test_an_answer_for_a_person_has_a_provisional_score(handed_in, monkeypatch):
    waits = Result("A.1a", "A", "written", possible=7.5)
    graded = Grade("a.toml", None, "", {"A.1a": waits}, title="Homework 3")
    monkeypatch.setattr(hw.problems, "grade_many", lambda paths, **_: iter([graded]))
    told = handed_in({"a.toml": ""})
    (test,) = told["tests"]
    assert (test["score"], "status" in test, "provisional" in test["output"]) == (0, False, True)
    assert test["max_score"] == 7.5
    assert "7.5 points" in test["output"]
    assert told["score"] == 0
    assert "1 for a person to read" in told["output"]


def test_free_text_waits_for_a_person(homework_with_text, handed_in, root):
    write_files(root / "source" / "assignment", assignment_files(homework_with_text)[1])
    told = handed_in({"a.md": "## X.1\nq = 9 k_1\n\n## T.1\nanswer = Because the keys differ.\n"})
    *_, ours, free = told["tests"]
    assert (ours["score"], free["number"], free["max_score"]) == (4, "T.1", 3)
    assert (free["score"], "status" in free) == (0, False)
    assert told["score"] == 4


def test_whatever_fails_there_are_results(handed_in, root, capsys):
    (root / "source" / "assignment" / "assignment.toml").unlink()
    told = handed_in({"a.toml": ""})
    assert told["score"] == 0
    (reason,) = told["tests"]
    assert reason["visibility"] == "hidden"
    assert "assignment.toml" in reason["output"]
    assert "assignment.toml" not in told["output"]
    assert "Traceback" in capsys.readouterr().err


def test_an_internal_error_is_for_the_instructor(handed_in, monkeypatch):
    monkeypatch.setattr(on_gradescope, "results_of", lambda *_, **__: 1 / 0)
    (reason,) = handed_in({"a.toml": ""})["tests"]
    assert reason["output"].startswith("ZeroDivisionError")
