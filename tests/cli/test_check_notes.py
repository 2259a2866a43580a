"""Files with nothing to grade in them: each has a row, or a results.json, that says what is wrong."""

import csv
import json

import pytest

from tests.facts import says


def rows_of(path):
    with path.open(newline="") as file:
        return {row["file"]: row for row in csv.DictReader(file)}


def test_notes_say_why_a_row_is_empty(call, tmp_path):
    (tmp_path / "none.toml").write_text("")
    (tmp_path / "stray.toml").write_text('[z.7]\nq = "k_1"\n')
    (tmp_path / "good.toml").write_text('[a.1A]\nq = "2*log(n/eps)*k_1"\n')
    assert call("check none.toml stray.toml good.toml --csv g.csv")[0] == 0
    rows = rows_of(tmp_path / "g.csv")
    assert rows["none.toml"]["notes"]
    assert "'z.7'" in rows["stray.toml"]["notes"]
    assert (rows["good.toml"]["notes"], rows["good.toml"]["A.1a"]) == ("", "right")


def test_a_dangling_link_is_named_as_it_was_typed(call, tmp_path):
    (tmp_path / "good.toml").write_text('[A.1a]\nq = "k_1"\n')
    (tmp_path / "link.toml").symlink_to(tmp_path / "gone.toml")
    assert call("check good.toml link.toml --csv g.csv")[0] == 0
    told = rows_of(tmp_path / "g.csv")["link.toml"]["unreadable"]
    assert "link.toml" in told
    assert str(tmp_path) not in told


def test_an_empty_folder_is_named(call, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "good.toml").write_text('[A.1a]\nq = "k_1"\n')
    code, _, err = call("check good.toml empty")
    assert code == 0
    assert says(err, "empty")


@pytest.mark.parametrize(("line", "said"), [("gone.toml", "gone.toml"), ("*.toml", "*.toml"), ("sub", "sub")])
def test_gradescope_gets_a_result_where_nothing_was_handed_in(call, tmp_path, line, said):
    from tests.problems.test_grading import assert_gradescope

    (tmp_path / "sub").mkdir()
    assert call(f"check {line} --format gradescope --output r.json")[0] == 0
    told = json.loads((tmp_path / "r.json").read_text())
    assert_gradescope(told)
    assert (told["score"], told["tests"]) == (0, [])
    assert said in told["output"]
    assert str(tmp_path) not in told["output"]


def test_gradescope_without_answers_and_with_two_files(call, tmp_path):
    (tmp_path / "none.toml").write_text("")
    told = json.loads(call("check none.toml --format gradescope")[1])
    assert (told["score"], told["tests"]) == (0, [])
    code, out, err = call("check none.toml other.toml --format gradescope")
    assert (code, out) == (2, "")
    assert says(err, "`--format gradescope`", 2)
