"""headwright problems: one question explained, with its picture; all of them as a report."""

import json

import pytest

import headwright as hw


def test_one_question_is_explained(call):
    code, out, _ = call("problems A.1d")
    assert code == 0
    for part in (
        "to show",
        "setting",
        "q1 and q2, over u, k_2, n, eps, t",
        "Published answer",
        "Ours: Proved",
        "Published: Refuted",
    ):
        assert part in out


def test_an_essay_question_lists_its_statements_without_verdicts(call):
    code, out, _ = call("problems A.2a")
    assert code == 0
    assert "conjugated-scores" in out
    assert "index-by-index" in out


def test_the_report_is_written(answer, tmp_path):
    code, told = answer("problems --report sheets")
    assert (code, told["status"]) == (0, "done")
    assert (tmp_path / told["report"]).stat().st_size > 50_000
    assert len(json.loads((tmp_path / told["data"]).read_text("utf-8"))["questions"]) == len(hw.problems.CATALOGUE)


@pytest.mark.needs("matplotlib")
@pytest.mark.parametrize(("question", "file"), [("A.1d", "a.svg"), ("A.1a", "b.png"), ("D.b-i", "c.svg")])
def test_a_picture_is_drawn(answer, tmp_path, question, file):
    code, told = answer(f"problems {question} --picture {file}")
    assert (code, told["picture"]) == (0, file)
    assert (tmp_path / file).stat().st_size > 5000


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("problems --picture a.svg", "`--picture`"),
        ("problems A.1a --report here", "`--report`"),
        ("problems A.1a --picture a.pdf", "`--picture`"),
        ("problems A.1a --picture absent/a.svg", "`--picture`"),
        ("tour --out data.json", "`--out`"),
    ],
)
def test_wrong_calls(call, line, said):
    code, _, err = call(line)
    assert code == 2
    assert said in err
