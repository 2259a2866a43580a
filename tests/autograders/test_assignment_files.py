"""The files that go along with an assignment."""

import pytest

from headwright.problems.gradescope.assignment_files import assignment_files


def test_questions_and_keys_go_along(homework):
    assignment, files = assignment_files(homework)
    assert list(assignment.items) == ["A.1a", "D.b-ii", "X.1"]
    assert set(files) == {"assignment.toml", "questions/mine.toml", "questions/keys.csv"}
    assert files["assignment.toml"] == homework.read_bytes()


@pytest.mark.parametrize("elsewhere", ["../mine.toml", "{folder}/mine.toml", "questions/../../mine.toml"])
def test_what_lies_elsewhere_is_refused(homework, elsewhere):
    folder = homework.parent.parent
    (folder / "mine.toml").write_text('id = "X.1"\ntext = "t"\northonormal = 2\ncopy = 0', "utf-8")
    text = homework.read_text("utf-8").replace("questions/mine.toml", elsewhere.format(folder=folder))
    homework.write_text(text, "utf-8")
    with pytest.raises(ValueError, match="`problems`"):
        assignment_files(homework)


def test_keys_elsewhere_are_refused(homework):
    (homework.parent.parent / "keys.csv").write_text("1,0\n0,1\n", "utf-8")
    mine = homework.parent / "questions" / "mine.toml"
    mine.write_text(mine.read_text("utf-8").replace("keys.csv", "../../keys.csv"), "utf-8")
    with pytest.raises(ValueError, match="`keys`"):
        assignment_files(homework)


def test_a_missing_assignment_and_a_wrong_one(homework, tmp_path):
    with pytest.raises(FileNotFoundError, match="`ASSIGNMENT`"):
        assignment_files(tmp_path / "none.toml")
    homework.write_text('title = "H"\n[[question]]\nid = "A.1z"', "utf-8")
    with pytest.raises(ValueError, match=r"question 1 \(A\.1z\): `id`"):
        assignment_files(homework)
