"""A new question of each kind is one entry in one file: read, shown, judged, graded and saved like those of the sheets."""

import shutil
from pathlib import Path

import pytest

import headwright as hw
from headwright.problems import catalogue

EXAMPLE = Path(__file__).parents[2] / "examples" / "new_questions.toml"
RIGHT = {
    "Y.query": {"q": "3*log(n/eps)*(k_1+k_2)/2"},
    "Y.heads": {"q1": "2*log(2*n/eps)*u", "q2": "log(2*n/eps)*k_2"},
    "Y.matrix": {"M": "2*A*inv(A'*A)*A'"},
    "Y.statement": {"statement": "depends-on-the-query"},
    "Y.impossible": {"q": "none"},
}
WRONG = {
    "Y.query": {"q": "log(n/eps)*k_1"},
    "Y.heads": {"q1": "t*(u + k_2)", "q2": "t*k_2"},
    "Y.matrix": {"M": "A*A'"},
    "Y.statement": {"statement": "always-the-most"},
    "Y.impossible": {"q": "3*k_2"},
}


@pytest.fixture(scope="module")
def problems():
    return hw.problems.load(EXAMPLE)


def test_the_example_has_a_question_of_each_kind(problems):
    assert list(problems) == list(RIGHT) == list(WRONG)


@pytest.mark.parametrize("name", RIGHT)
def test_answers_are_judged(problems, name):
    assert hw.problems.check(problems[name], RIGHT[name]).status == "proved"
    assert problems[name].check(WRONG[name]).status == "refuted"


def test_none_is_wrong_where_there_is_a_query(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        EXAMPLE.read_text("utf-8").split("[[question]]")[-1].replace("copy = 1", "copy = 0").split("solution")[0]
    )
    (problem,) = hw.problems.load(path).values()
    assert problem.check({"q": "none"}).status == "refuted"
    assert problem.check({"q": [-9.0]}).status == "proved"


def test_they_are_graded_and_a_graded_answer_can_be_saved(problems, tmp_path):
    answers = "\n".join(
        f'["{name}"]\n' + "\n".join(f'{key} = "{text}"' for key, text in answer.items())
        for name, answer in RIGHT.items()
    )
    path = tmp_path / "answers.toml"
    path.write_text(answers)
    graded = hw.problems.grade(path, problems=problems)
    assert {result.id: result.status for result in graded.results.values()} == dict.fromkeys(RIGHT, "proved")
    for result in graded.results.values():
        hw.save(tmp_path / result.id, result.verdict)
        assert hw.verify(tmp_path / result.id).status == "proved"


def test_an_entry_added_to_a_sheet_is_all_it_takes(tmp_path):
    folder = tmp_path / "sheets"
    shutil.copytree(catalogue.FOLDER, folder)
    entries = EXAMPLE.read_text("utf-8").replace('id = "Y.', 'id = "A.new-')
    with (folder / "a.toml").open("a", encoding="utf-8") as sheet:
        sheet.write("\n" + entries)
    read = catalogue.Sheets(folder)
    added = {name: problem for name, problem in read.problems.items() if name not in hw.problems.CATALOGUE}
    assert list(added) == [name.replace("Y.", "A.new-") for name in RIGHT]
    assert {problem.sheet for problem in added.values()} == {"A"}
    for name, answer in RIGHT.items():
        assert added[name.replace("Y.", "A.new-")].check(answer).status == "proved"


@pytest.mark.parametrize(("top", "status"), [(1, "proved"), (2, "refuted")])
def test_none_for_a_score_gap(tmp_path, top, status):
    """Key 1 is the mean of the others, so that no query scores it above both; key 2 lies at the end of their line."""
    claim = f'claim = {{kind = "impossible", top = [{top}]}}'
    file = tmp_path / "x.toml"
    file.write_text(f'id = "X.1"\ntext = "?"\nkeys = [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]\n{claim}\n', "utf-8")
    assert hw.problems.load(file)["X.1"].check({"q": "none"}).status == status


BASE = 'id = "X.1"\ntext = "?"\nsymbols = ["n", "eps"]\nnames = { a = { key = 0 }, b = { key = 1 } }\n'
EVERY = BASE + 'family = { keys = "orthonormal" }\n'
AVERAGE = 'claim = { kind = "near", average = [0, 1] }\n'
GIVEN = 'id = "X.1"\ntext = "?"\nkeys = [[2.0, 0.0], [0.0, 1.0]]\n'


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        (EVERY + 'claim = { kind = "near", blend = { 0 = 0.9, 1 = 0.1 } }\n', "`claim`"),
        (EVERY + 'claim = { kind = "near", copy = 0 }\n', "`names`"),
        (EVERY.replace("a = { key = 0 }, b = { key = 1 }", "a = { key = 1 }, b = { key = 0 }") + AVERAGE, "`names`"),
        (EVERY.replace('" }', '", gaussian = { along = { 0 = 0.5 } } }') + AVERAGE, "`gaussian`"),
        (EVERY.replace('" }', '", gaussian = { isotropic = 0.5 } }') + AVERAGE, "`vanishing`"),
        (EVERY.replace('" }', '", scaled = { 1 = { "1/2" = 1 } } }') + AVERAGE, "`scaled`"),
        (EVERY + AVERAGE + "max_length = 3\n", "`max_length`"),
        (EVERY + 'claim = { kind = "impossible", copy = 0 }\n', "impossible"),
        (GIVEN + 'claim = { kind = "each", average = [0, 1] }\n', "`keys`"),
        (GIVEN + 'claim = { kind = "exact", average = [0, 1] }\n', "`keys`"),
        (GIVEN + 'claim = { kind = "near", average = [0, 1], different = true }\nheads = 2\n', "`different`"),
        (GIVEN + 'claim = { kind = "impossible", average = [0, 1] }\nheads = 2\n', "impossible"),
        (GIVEN + 'claim = { kind = "impossible", copy = 0 }\ngaussian = { isotropic = 1 }\n', "impossible"),
    ],
)
def test_what_no_judge_would_look_at_is_refused(tmp_path, text, entry):
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=entry):
        hw.problems.load(path)


def test_an_error_of_its_own_restricts_the_family(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(EVERY + AVERAGE + "error = 0.4\n", "utf-8")
    (problem,) = hw.problems.load(path).values()
    assert problem.check({"q": "log(n)*(a + b)"}).status == "proved"
    path.write_text(EVERY + AVERAGE, "utf-8")
    (problem,) = hw.problems.load(path).values()
    assert problem.check({"q": "log(n)*(a + b)"}).status == "refuted"


def test_a_query_that_is_too_long_does_not_refute_none(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(GIVEN + 'max_length = 1\nclaim = { kind = "impossible", copy = 0 }\n', "utf-8")
    (problem,) = hw.problems.load(path).values()
    assert problem.check({"q": "none"}).status == "undecided"
