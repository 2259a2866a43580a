"""A course folder for nbgrader: an assignment whose cells for answers are followed by hidden tests that give points.

nbgrader takes the number in the last line of a test as its points, and gives all of them where a test ends without an error and
without a number. Free text has cells that a person grades.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from headwright.autograders import notebooks
from headwright.autograders.assignment_files import FILE, assignment_files
from headwright.autograders.wheels import constraints, wheel
from headwright.problems import Assignment
from headwright.problems.grading.assignments import Item

FOLDER = "headwright_files"  # in the course folder, where students' notebooks are graded but never released
_TEST = """\
# {id}: {points}
### BEGIN HIDDEN TESTS
def _headwright_points():  # a function, so that no variable of the notebook changes
    from pathlib import Path
    import headwright as hw

    place = Path("{folder}", "{name}", "{file}")
    found = [folder / place for folder in Path.cwd().resolve().parents if (folder / place).is_file()]
    assert found, f"the course folder must hold {{place}}"
    answer = {{name: globals().get(variable) for name, variable in {names!r}.items()}}
    result = hw.problems.grade_answer({id!r}, answer, assignment=found[0])
    print(result.feedback())
    return float(result.points)


_headwright_points()
### END HIDDEN TESTS"""
_SOLUTION = "\n### BEGIN SOLUTION\n### END SOLUTION"  # nbgrader empties a cell for answers that has no such region
_CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = {name!r}
# What stands where an answer is to be written. By default nbgrader would put an error below the lines to fill in.
c.ClearSolutions.text_stub = "Write your answer here."
c.ClearSolutions.code_stub = {{"python": "# You may compute with Python here, and set the answer above to the result."}}
"""
_README = """\
# {title}: grading with nbgrader

This is a course folder. Outside it, install headwright where nbgrader runs:

    pip install -c {folder}/constraints.txt {folder}/{wheel}

Then, in this folder:

    nbgrader generate_assignment {name}     # release/{name}/ is what you hand out
    nbgrader autograde {name}               # submitted/STUDENT/{name}/{name}.ipynb is what comes back
    nbgrader generate_feedback {name}
    nbgrader export

To use a course of your own, copy `source/{name}` and `{folder}` into its folder.

A formula that a person must read has 0 points and says so in the output of its test. To find these notebooks:

    grep -l "a person will read it" autograded/*/{name}/*.ipynb

Give the points in nbgrader's form grader, which also shows the answers in free text.

Notebooks are programs, and nbgrader runs them with your rights: grade the work of people you do not know in a container.
"""


def nbgrader_files(assignment: Path | str) -> dict[str, bytes]:
    """The files of the course folder by their names."""
    read, files = assignment_files(assignment)
    name = assignment_name(read.title)
    wheel_name, content = wheel()
    told = {"title": read.title, "name": name, "folder": FOLDER, "wheel": wheel_name}
    return {
        "README.md": _README.format(**told).encode(),
        "nbgrader_config.py": _CONFIG.format(**told).encode(),
        f"source/{name}/{name}.ipynb": _notebook(read, name),
        f"{FOLDER}/{wheel_name}": content,
        f"{FOLDER}/constraints.txt": constraints(),
        **{f"{FOLDER}/{name}/{inner}": held for inner, held in files.items()},
    }


def assignment_name(title: str) -> str:
    """A name that nbgrader takes, which allows neither + nor spaces.

    >>> assignment_name("Homework 3: averages")
    'Homework_3_averages'
    """
    return re.sub(r"[^A-Za-z0-9-]+", "_", title).strip("_")[:60] or "homework"


def _notebook(assignment: Assignment, name: str) -> bytes:
    cells = [_locked(notebooks.introduction(assignment))]
    names = notebooks.variables(assignment)
    for id, item in assignment.items.items():
        cells += [_locked(notebooks.question_cell(item)), *_answer_cells(item, names[id], name)]
    return notebooks.notebook(cells)


def _answer_cells(item: Item, names: dict[str, str], name: str) -> list[dict[str, Any]]:
    stem = notebooks.stem_of(item.question.id)
    if item.question.kind == notebooks.TEXT:
        told = _about(f"answer_{stem}", "markdown", grade=True, solution=True, points=item.points)
        return [notebooks.cell(f"answer_{stem}", "Write your answer here.", nbgrader=told)]
    lines = notebooks.answer_lines(item.question, names.values()) + _SOLUTION
    points = notebooks.points_in_words(item)
    test = _TEST.format(id=item.question.id, points=points, folder=FOLDER, name=name, file=FILE, names=names)
    told = _about(f"test_{stem}", "code", grade=True, locked=True, points=item.points)
    return [
        notebooks.cell(f"answer_{stem}", lines, code=True, nbgrader=_about(f"answer_{stem}", "code", solution=True)),
        notebooks.cell(f"test_{stem}", test, code=True, nbgrader=told),
    ]


def _locked(cell: dict[str, Any]) -> dict[str, Any]:
    """A cell that students cannot change."""
    return {**cell, "metadata": {"nbgrader": _about(cell["id"], cell["cell_type"], locked=True)}}


def _about(name: str, kind: str, **told: Any) -> dict[str, Any]:
    flags = {"grade": False, "solution": False, "locked": False, "task": False}
    return {"schema_version": 3, "grade_id": name, "cell_type": kind, **flags, **told}
