"""headwright assignment: what it asks, the file to fill in, and a folder graded."""

import json

import pytest

from tests.facts import says

HOMEWORK = (
    'title = "Homework 3"\n[[question]]\nid = "A.1a"\npoints = 7.5\n[[question]]\nid = "E.1c"\npolicy = "strict"\n'
)
RIGHT = 'student = "Ada"\nA.1a = {q = "2*log(n/eps)*k_1"}\n'


@pytest.fixture
def homework(tmp_path):
    (tmp_path / "homework.toml").write_text(HOMEWORK, "utf-8")
    (tmp_path / "answers").mkdir()
    return tmp_path


def test_check_says_what_is_asked(call, answer, homework):
    code, out, err = call("assignment check homework.toml")
    assert (code, err) == (0, "")
    assert says(out, "Homework 3", "A.1a", 7.5, "practical", "E.1c", 10, "strict", 17.5, 2)
    code, held = answer("assignment check homework.toml")
    assert (code, held["possible"], [each["id"] for each in held["questions"]]) == (0, 17.5, ["A.1a", "E.1c"])


@pytest.mark.parametrize(
    ("change", "parts"),
    [(("A.1a", "A.1z"), ["A.1z", "A.1a"]), (("7.5", "-7.5"), ["`points`"]), (("strict", "strikt"), ["`policy`", "strikt"]),
     (("E.1c", "a.1A"), ["twice"])],
)  # fmt: skip
def test_a_wrong_entry_is_named(call, homework, change, parts):
    (homework / "homework.toml").write_text(HOMEWORK.replace(*change), "utf-8")
    for command in ("check homework.toml", "template homework.toml", "grade homework.toml answers -o marks"):
        code, out, err = call(f"assignment {command}")
        assert (code, out) == (2, "")
        for part in ("homework.toml", *parts):
            assert part in err
    assert not (homework / "marks").exists()


def test_the_assignment_to_start_from_loads(call, answer, homework):
    for arguments in ("", "--new"):
        code, out, _ = call(f"assignment template {arguments}")
        assert code == 0
        (homework / "mine.toml").write_text(out, "utf-8")
        code, held = answer("assignment check mine.toml")
        assert (code, len(held["questions"])) == (0, out.count("\n[[question]]"))
    assert call("assignment template --new homework.toml")[0] == 2


def test_the_file_to_fill_in_has_every_question(call, homework):
    code, out, _ = call("assignment template homework.toml")
    assert code == 0
    assert out.index("A.1a") < out.index("E.1c")
    assert call("assignment template homework.toml -o answers.md")[0] == 0
    assert (homework / "answers.md").read_text("utf-8") == out
    code, _, err = call("assignment template homework.toml -o answers.md")  # a file that exists is not written over
    assert code == 2
    assert "answers.md" in err


def test_a_folder_is_graded(call, answer, homework):
    (homework / "answers" / "ada.toml").write_text(RIGHT, "utf-8")
    (homework / "answers" / "notes.pdf").write_text("", "utf-8")
    code, out, err = call("assignment grade homework.toml answers -o marks --jobs 1")
    assert (code, err) == (0, "")
    assert says(out, "Homework 3", "marks/grades.csv", "notes.pdf")
    assert sorted(path.name for path in (homework / "marks").iterdir()) == [
        *("class.html", "class.json", "feedback", "grades.csv", "results.jsonl", "to_read.csv")
    ]
    assert json.loads((homework / "marks" / "class.json").read_text("utf-8"))["questions"][0]["share_right"] == 1
    code, held = answer("assignment grade homework.toml answers -o marks --jobs 1")
    assert (code, held["table"]["total"], held["ignored"]) == (0, [7.5], ["notes.pdf"])


@pytest.mark.parametrize(
    "line",
    [
        "grade homework.toml answers -o marks",
        "grade homework.toml nowhere -o marks",
        "grade nothing.toml answers -o marks",
    ],
)
def test_what_cannot_be_graded_is_refused(call, homework, line):
    code, out, err = call(f"assignment {line}")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
