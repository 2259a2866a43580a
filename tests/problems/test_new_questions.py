"""A new question of each kind is one entry in one file: read, shown, judged, graded and saved like those of the sheets."""

import shutil
from pathlib import Path

import pytest

import headwright as hw
from headwright.problems import catalogue
from headwright.problems.claim_tables import KINDS

EXAMPLE = Path(__file__).parents[2] / "examples" / "new_questions.toml"
RIGHT = {
    "Y.given": {"q": "3*k_1 + 3*k_2 - k_3 - k_4"},
    "Y.query": {"q": "3*log(n/eps)*(k_3+k_7)/2"},
    "Y.heads": {"q1": "2*log(2*n/eps)*u", "q2": "log(2*n/eps)*k_2"},
    "Y.exact": {"q": "impossible"},
    "Y.impossible": {"q": "none"},
    "Y.matrix": {"P": "2*U*pinv(U)"},
    "Y.low-rank": {"M": "svd_part(A, k-1)"},
    "Y.layer": {"Q": "u*v' + v*u'", "K": "I", "V": "I"},
    "Y.number": {"answer": "9.19"},
    "Y.choice": {"answer": "(B)"},
    "Y.statement": {"statement": "depends-on-the-query"},
    "Y.text": {"answer": "Because exponentials grow."},
}
WRONG = {
    "Y.given": {"q": "k_1 + k_2"},
    "Y.query": {"q": "log(n/eps)*k_3"},
    "Y.heads": {"q1": "t*(u + k_2)", "q2": "t*k_2"},
    "Y.exact": {"q": "t*(k_1 + k_2)"},
    "Y.impossible": {"q": "3*k_2"},
    "Y.matrix": {"P": "U*U'"},
    "Y.low-rank": {"M": "svd_part(A, k)"},
    "Y.layer": {"Q": "I", "K": "I", "V": "I"},
    "Y.number": {"answer": 9.21},
    "Y.choice": {"answer": "a"},
    "Y.statement": {"statement": "always-the-most"},
}
BY_KEY, READ = ("Y.choice",), ("Y.text",)  # no verdict decides these


@pytest.fixture(scope="module")
def problems():
    return hw.problems.load(EXAMPLE)


def test_the_example_has_a_question_of_each_kind(problems):
    assert list(problems) == list(RIGHT) == [*WRONG, *READ]
    assert {problem.kind for problem in problems.values()} == set(KINDS)


@pytest.mark.parametrize("name", RIGHT)
def test_answers_are_judged(problems, name):
    undecided = name in BY_KEY + READ
    assert hw.problems.check(problems[name], RIGHT[name]).status == ("undecided" if undecided else "proved")
    if name not in READ:
        assert problems[name].check(WRONG[name]).status == ("undecided" if undecided else "refuted")


def test_a_new_file_of_questions_is_the_example():
    assert catalogue.OWN_QUESTIONS.read_text("utf-8") == EXAMPLE.read_text("utf-8")


def test_none_is_wrong_where_there_is_a_query(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(LINE + 'copy = 0\nerror = 0.1\nclaim = {kind = "impossible"}')
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
    other = {"Y.choice": "key-right", "Y.text": "undecided"}
    assert {name: r.status for name, r in graded.results.items()} == dict.fromkeys(RIGHT, "proved") | other
    assert graded.totals[0].points == sum(problem.points for problem in problems.values() if problem.id not in READ)
    for result in graded.results.values():
        if result.id in other:
            assert result.verdict is None or result.verdict.record is None
            continue
        hw.save(tmp_path / result.id, result.verdict)
        assert hw.verify(tmp_path / result.id).status == "proved"


def test_an_entry_added_to_a_sheet_is_all_it_takes(tmp_path):
    folder = tmp_path / "sheets"
    shutil.copytree(catalogue.FOLDER, folder)
    first, *others = EXAMPLE.read_text("utf-8").replace('id = "Y.', 'id = "A.new-').split("[[question]]\n")
    assert "count_from = 1" in first
    entries = "".join(f"[[question]]\ncount_from = 1\n{entry}" for entry in others)
    with (folder / "a.toml").open("a", encoding="utf-8") as sheet:
        sheet.write("\n" + entries)
    read = catalogue.Sheets(folder)
    added = {name: problem for name, problem in read.problems.items() if name not in hw.problems.CATALOGUE}
    assert list(added) == [name.replace("Y.", "A.new-") for name in RIGHT]
    assert {problem.sheet for problem in added.values()} == {"A"}
    for name, answer in RIGHT.items():
        wanted = "undecided" if name in BY_KEY + READ else "proved"
        assert added[name.replace("Y.", "A.new-")].check(answer).status == wanted


@pytest.mark.parametrize(("top", "status"), [(1, "proved"), (2, "refuted")])
def test_none_for_a_score_gap(tmp_path, top, status):
    """Key 1 is the mean of the others, so that no query scores it above both; key 2 lies at the end of their line."""
    claim = f'claim = {{kind = "impossible", top = [{top}]}}'
    file = tmp_path / "x.toml"
    file.write_text(f'id = "X.1"\ntext = "?"\nkeys = [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]\n{claim}\n', "utf-8")
    assert hw.problems.load(file)["X.1"].check({"q": "none"}).status == status


LINE = 'id = "X.1"\ntext = "?"\nkeys = [[-1.0], [0.0], [1.0]]\n'
BASE = 'id = "X.1"\ntext = "?"\nsymbols = ["n", "eps"]\nnames = { a = { key = 0 }, b = { key = 1 } }\n'
EVERY = BASE + 'family = { keys = "orthonormal" }\n'
AVERAGE = 'claim = { kind = "near", average = [0, 1] }\n'
GIVEN = 'id = "X.1"\ntext = "?"\nkeys = [[2.0, 0.0], [0.0, 1.0]]\n'


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        (EVERY + 'claim = { kind = "near", blend = { 0 = 0.9, 1 = 0.1 } }\n', "`claim`"),
        (EVERY + 'claim = { kind = "near", copy = 0 }\n', "`names`"),
        (EVERY.replace("b = { key = 1 }", "b = { key = 2 }") + AVERAGE, "`names`"),
        (EVERY.replace("b = { key = 1 }", "b = { key = 1 }, c = { key = 2 }") + AVERAGE, "`names`"),
        (EVERY + 'claim = { kind = "near", average = [0, 1, 2] }\n', "`claim`"),
        (EVERY.replace("1 } }", "1 }, c = { key = 4096 } }") + AVERAGE, r"`names\.c`"),
        (EVERY.replace('"eps"]', '"t"]') + 'claim = { kind = "each", average = [0, 1] }\n', "`symbols`"),
        (EVERY + 'claim = { kind = "exact", average = [0, 1] }\nheads = 2\n', "`answers`"),
        (EVERY.replace('" }', '", gaussian = { along = { 0 = 0.5 } } }') + AVERAGE, "`gaussian`"),
        (EVERY.replace('" }', '", gaussian = { isotropic = 0.5 } }') + AVERAGE, "`vanishing`"),
        (EVERY.replace('" }', '", scaled = { 2 = { "1/2" = 1 } } }') + AVERAGE, "`scaled`"),
        (EVERY + AVERAGE + "max_length = 3\n", "`max_length`"),
        (EVERY + 'claim = { kind = "impossible", copy = 0 }\n', "impossible"),
        (GIVEN + 'claim = { kind = "each", average = [0, 1] }\n', "`keys`"),
        (GIVEN + 'claim = { kind = "exact", average = [0, 1] }\n', "`keys`"),
        (GIVEN + 'claim = { kind = "near", average = [0, 1], different = true }\nheads = 2\n', "`different`"),
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


@pytest.mark.parametrize(("goal", "status"), [("copy = 0", "proved"), ("average = [0, 1]", "undecided")])
def test_a_query_that_is_too_long_does_not_refute_none(tmp_path, goal, status):
    """A bound on the length of every query is proved for one target alone."""
    path = tmp_path / "mine.toml"
    claim = f'max_length = 1\nclaim = {{ kind = "impossible", {goal} }}\n'
    path.write_text(f'id = "X.1"\ntext = "?"\northonormal = 3\n{claim}', "utf-8")
    (problem,) = hw.problems.load(path).values()
    assert problem.check({"q": "none"}).status == status
