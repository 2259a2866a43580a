"""headwright problems --template, ids in any case, and answer files in Markdown and plain text on the command line."""

import json
from pathlib import Path

import pytest

import headwright as hw
from headwright.problems.answers.answer_files import read_answers

OWN = Path(__file__).parents[2] / "examples" / "own_problem.toml"
MARKDOWN = "## a.1A\nq = 2*log(n/eps)*k_1\n"


def test_a_template_is_written_filled_in_and_graded(call, tmp_path):
    code, out, err = call("problems a.1A d --template -o answers.md")
    assert (code, err) == (0, "")
    assert "answers.md" in out
    path = tmp_path / "answers.md"
    blank = read_answers(path, ids=hw.problems.CATALOGUE)
    assert (blank.answers, blank.complaints, blank.explanations) == ({}, {}, {})
    text = path.read_text("utf-8")
    assert text.index("## A.1a") < text.index("## D.a-i") < text.index("## D.d-ii")
    path.write_text(text.replace("\nq =\n", "\nq = 2*log(n/eps)*k_1\n", 1).replace("Student:", "Student: Ada"), "utf-8")
    told = json.loads(call("check answers.md --json")[1])["grades"][0]
    assert told["student"] == "Ada"
    assert [(name, r["status"]) for name, r in told["results"].items() if r["status"] != "missing"] == [
        ("A.1a", "proved")
    ]


def test_a_template_of_ones_own_questions(call, answer, tmp_path):
    problems = hw.problems.load(OWN)
    code, out, _ = call(f"problems --template --problems {OWN}")
    assert code == 0
    (tmp_path / "own.txt").write_text(out, "utf-8")
    file = read_answers(tmp_path / "own.txt", ids=problems)
    assert (file.answers, file.complaints, file.explanations) == ({}, {}, {})
    assert [name for name in problems if f"## {name}" in out] == list(problems)
    code, told = answer(f"problems x.1 --template --problems {OWN}")
    assert (code, told["questions"], "## X.1" in told["template"]) == (0, ["X.1"], True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("problems --template", "--template"),
        ("problems Z --template", "'Z'"),
        ("problems A.1 --template", "A.1a"),
        ("problems A.1a A.1b", "`ID`"),
        ("problems A.1a -o x.md", "--template"),
        ("problems D --template --report x", "--report"),
    ],
)
def test_wrong_calls(call, line, said):
    code, _, err = call(line)
    assert code == 2
    assert said in err


@pytest.mark.parametrize("line", ["problems d.B-II --question", "problems D.B-ii --question --json"])
def test_ids_in_any_case(call, line):
    code, out, _ = call(line)
    assert code == 0
    assert "D.b-ii" in out


def test_ids_in_any_case_in_python():
    assert hw.problems.check("a.1A", {"q": "2*log(n/eps)*k_1"}).status == "proved"
    assert hw.problems.run("a.1A").problem.id == "A.1a"
    assert hw.problems.published("A.1A").status == "proved"


def test_a_folder_of_three_forms(call, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for name, text in {
        "a.md": MARKDOWN,
        "b.txt": MARKDOWN,
        "c.TOML": '[A.1a]\nq = "k_1"\n',
        ".d.md": "x",
        "e.csv": "x",
    }.items():
        (folder / name).write_text(text, "utf-8")
    code, out, err = call("check in --json")
    assert (code, err) == (0, "")
    grades = json.loads(out)["grades"]
    assert [(Path(g["path"]).name, g["results"]["A.1a"]["status"]) for g in grades] == [
        ("a.md", "proved"),
        ("b.txt", "proved"),
        ("c.TOML", "refuted"),
    ]


def test_one_name_in_two_forms_is_said(call, tmp_path):
    for name in ("ada.md", "ada.txt", "bo.md"):
        (tmp_path / name).write_text(MARKDOWN, "utf-8")
    code, out, err = call("check . --json")
    assert code == 0
    assert len(json.loads(out)["grades"]) == 3
    assert "ada.md" in err
    assert "ada.txt" in err
    assert "bo.md" not in err


def test_the_names_of_the_sheet():
    assert hw.problems.check("A.3c", {"B": "svd_part(A, k-1)"}).status == "proved"
    with pytest.raises(hw.problems.AnswerError, match="`B`"):
        hw.problems.check("A.3c", {"B": "svd_part(A, k-1)", "M": "0*A"})
