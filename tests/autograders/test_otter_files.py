"""The folder for otter-grader; and otter-grader itself, which grades notebooks by it."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import headwright as hw
from headwright.autograders.assignment_files import write_files
from headwright.autograders.otter_files import generate_command, otter_files, steps
from headwright.problems.grading.assignments import Item
from headwright.problems.grading.policies import POLICIES

SOURCES = Path(hw.__file__).parents[1]


def test_the_folder(homework):
    files = otter_files(homework)
    assert {name for name in files if name.startswith("tests/")} == {"tests/q1.py", "tests/q2.py", "tests/q3.py"}
    for name in ("assignment.toml", "questions/mine.toml", "questions/keys.csv"):
        assert f"headwright_files/{name}" in files
    first, *pinned = files["requirements.txt"].decode().split()
    assert first.startswith("/autograder/source/files/headwright_files/headwright-")
    assert f"headwright_files/{Path(first).name}" in files
    assert all("==" in line for line in pinned)


def test_the_notebook_asks_and_gives_nothing_away(homework):
    cells = json.loads(otter_files(homework)["answers.ipynb"])["cells"]
    assert [cell["source"].split("\n")[0] for cell in cells if cell["cell_type"] == "code"] == [
        'answer_A_1a_q = r""  # your formula between the quotes',
        'answer_D_b_ii_q = r""  # your formula between the quotes',
        'answer_X_1_q = r""  # your formula between the quotes',
    ]
    text = "\n".join(cell["source"] for cell in cells)
    assert hw.problems.CATALOGUE["A.1a"].question.strip() in text
    assert hw.problems.CATALOGUE["A.1a"].published not in text
    assert "k_1 = [1.0, 0.0]" in text  # the keys of a teacher's question
    assert "(7.5 points)" in text
    assert len({cell["id"] for cell in cells}) == len(cells)


@pytest.mark.parametrize("points", [0, 1, 7.5, 10, 0.1, 3.33])
@pytest.mark.parametrize("shares", [{}, {"wrong": "1/3"}, {"wrong": "1/4", "too-short": "2/3"}, {"right": "1/2"}])
def test_the_cases_add_up_to_the_points_of_every_share(points, shares):
    item = Item(hw.problems.CATALOGUE["A.1a"], points, POLICIES["strict"].changed(shares))
    cases = steps(item)
    assert cases[-1][0] == 1
    assert sum(worth for _, worth in cases) == pytest.approx(points)
    for credit in item.policy.shares:
        result = hw.problems.grade_answer("A.1a", {}).counted(points, item.policy)
        result = replace(result, credit=credit, share=item.policy.share(credit))
        earned = sum(worth for share, worth in cases if result.share >= share)
        assert earned == pytest.approx(result.points)
    assert all(isinstance(share, Fraction) for share, _ in cases)


def test_free_text_has_no_test_and_is_named(homework_with_text):
    files = otter_files(homework_with_text)
    assert {name for name in files if name.startswith("tests/")} == {"tests/q1.py", "tests/q2.py", "tests/q3.py"}
    assert b"T.1 (3 points)" in files["README.md"]
    last = json.loads(files["answers.ipynb"])["cells"][-1]
    assert (last["id"], last["cell_type"]) == ("answer_T_1", "markdown")
    assert b"Because it is so" not in files["answers.ipynb"]


def test_two_ids_that_are_one_name_are_refused(homework):
    mine = homework.parent / "questions" / "mine.toml"
    text = mine.read_text("utf-8")
    mine.write_text(f"{text}\n{text.replace('X.1', 'X-1')}", "utf-8")
    homework.write_text(homework.read_text("utf-8") + '\n[[question]]\nid = "X-1"\n', "utf-8")
    with pytest.raises(ValueError, match=r"`id` X-1 and `id` X\.1"):
        otter_files(homework)


@pytest.mark.needs("otter", "ipykernel")
def test_otter_grades_notebooks(tmp_path, homework, filled, monkeypatch):
    from otter.api import grade_submission

    folder = tmp_path / "otter"
    write_files(folder, otter_files(homework))
    monkeypatch.setenv("PYTHONPATH", str(SOURCES))  # for the notebook's own process, where headwright is not installed
    subprocess.run(generate_command(sys.executable), cwd=folder, env=dict(os.environ), check=True, capture_output=True)
    template = (folder / "answers.ipynb").read_text("utf-8")
    a, d, x = "answer_A_1a_q", "answer_D_b_ii_q", "answer_X_1_q"
    right = {a: 'r"2*log(n/eps)*k_1"', d: 'r"t*(k_a + k_b)"', x: "[9.0, 0.0]"}
    for values, points in (
        (right, {"q1": 7.5, "q2": 10, "q3": 4}),
        ({}, {"q1": 0, "q2": 0, "q3": 0}),
        ({**right, d: 'r"t*k_a"', x: 'r"k_2"'}, {"q1": 7.5, "q2": 2.5, "q3": 0}),  # a quarter for a wrong q2
        ({**right, a: 'r"2*log(n/eps*k_1"', d: "undefined + 1"}, {"q1": 0, "q2": 0, "q3": 4}),  # cannot be read
        ({a: "1 +", x: 'r"9*k_1"'}, {"q1": 0, "q2": 0, "q3": 4}),  # not Python
    ):
        (tmp_path / "handed_in.ipynb").write_text(filled(template, values), "utf-8")
        results = grade_submission(str(tmp_path / "handed_in.ipynb"), str(folder / "autograder.zip"), quiet=True)
        assert {name: each.score for name, each in results.results.items()} == pytest.approx(points), values
        assert results.possible == 21.5
