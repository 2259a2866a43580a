"""The course folder for nbgrader; and nbgrader itself, which releases, grades and exports it."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import headwright as hw
from headwright.autograders.assignment_files import write_files
from headwright.autograders.nbgrader_files import nbgrader_files

SOURCES = Path(hw.__file__).parents[1]
NAME = "Homework_3"


def about(cells):
    return {cell["metadata"]["nbgrader"]["grade_id"]: cell["metadata"]["nbgrader"] for cell in cells}


def test_the_course_folder(homework):
    files = nbgrader_files(homework)
    for name in ("assignment.toml", "questions/mine.toml", "questions/keys.csv"):
        assert f"headwright_files/{NAME}/{name}" in files  # not in source/, which is handed out
    assert [name for name in files if name.startswith("source/")] == [f"source/{NAME}/{NAME}.ipynb"]
    cells = json.loads(files[f"source/{NAME}/{NAME}.ipynb"])["cells"]
    told = about(cells)
    assert len(told) == len(cells)
    assert {name: each["points"] for name, each in told.items() if each["grade"]} == {
        "test_A_1a": 7.5,
        "test_D_b_ii": 10,
        "test_X_1": 4,
    }
    assert [name for name, each in told.items() if each["solution"]] == ["answer_A_1a", "answer_D_b_ii", "answer_X_1"]
    assert all(each["locked"] for each in told.values() if not each["solution"])


def test_free_text_is_graded_by_a_person(homework_with_text):
    text = nbgrader_files(homework_with_text)[f"source/{NAME}/{NAME}.ipynb"]
    told = about(json.loads(text)["cells"])
    answer = told["answer_T_1"]
    assert (answer["cell_type"], answer["grade"], answer["solution"], answer["points"]) == ("markdown", True, True, 3)
    assert "test_T_1" not in told
    assert b"Because it is so" not in text


@pytest.fixture
def nbgrader(tmp_path):
    """Run nbgrader in the course folder, with settings of its own."""
    course = tmp_path / "course"
    own = {name: str(tmp_path / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    # nbgrader calls alembic by name, and gets it where the environment is activated.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **own, "PATH": path, "PYTHONPATH": str(SOURCES)}

    def nbgrader(*arguments):
        command = [sys.executable, "-m", "nbgrader", *arguments]
        done = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    return nbgrader


@pytest.mark.needs("nbgrader", "ipykernel")
def test_nbgrader_releases_grades_and_exports(tmp_path, homework, filled, nbgrader):
    course = tmp_path / "course"
    write_files(course, nbgrader_files(homework))
    nbgrader("generate_assignment", NAME)
    assert [path.name for path in (course / "release" / NAME).iterdir()] == [f"{NAME}.ipynb"]
    template = (course / "release" / NAME / f"{NAME}.ipynb").read_text("utf-8")
    assert "grade_answer" not in template
    assert "raise NotImplementedError" not in template

    a, d, x = "answer_A_1a_q", "answer_D_b_ii_q", "answer_X_1_q"
    right = {a: 'r"2*log(n/eps)*k_1"', d: 'r"t*(k_a + k_b)"', x: "[9.0, 0.0]"}
    students = {
        "right": (right, 21.5),
        "empty": ({}, 0),
        "partly": ({**right, d: 'r"t*k_a"', x: 'r"k_2"'}, 10),  # a quarter of 10 points for a wrong D.b-ii
        "broken": ({**right, a: 'r"2*log(n/eps*k_1"', d: "undefined + 1"}, 4),
        "syntax": ({a: "1 +", x: 'r"9*k_1"'}, 4),
    }
    for student, (values, _) in students.items():
        folder = {f"submitted/{student}/{NAME}/{NAME}.ipynb": filled(template, values).encode()}
        write_files(course, folder)
    nbgrader("autograde", NAME)
    nbgrader("generate_feedback", NAME)
    nbgrader("export")
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in csv.DictReader(file)}
    assert rows == {student: (points, 21.5) for student, (_, points) in students.items()}
    page = (course / "feedback" / "partly" / NAME / f"{NAME}.html").read_text("utf-8")
    assert "D.b-ii: wrong, 2.5 of 10 points" in page


@pytest.mark.needs("nbgrader", "ipykernel")
def test_nbgrader_leaves_free_text_to_a_person(tmp_path, homework_with_text, nbgrader):
    from nbgrader.api import Gradebook

    course = tmp_path / "course"
    write_files(course, nbgrader_files(homework_with_text))
    nbgrader("generate_assignment", NAME)
    template = (course / "release" / NAME / f"{NAME}.ipynb").read_text("utf-8")
    assert "Write your answer here." in template
    written = template.replace("Write your answer here.", "Because the keys are orthogonal.")
    for student, text in {"writes": written, "does-not": template}.items():
        write_files(course, {f"submitted/{student}/{NAME}/{NAME}.ipynb": text.encode()})
    nbgrader("autograde", NAME)
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        waits = {each.student_id: each.needs_manual_grade for each in book.assignment_submissions(NAME)}
        assert waits == {"writes": True, "does-not": False}
        assert book.find_assignment(NAME).max_score == 24.5
