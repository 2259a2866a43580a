"""A folder for otter-grader: a test for each question, the notebook that students fill in, and what grading needs.

Otter's tests pass or fail. So that an answer earns a part of the points, a question's test has a case for each share that its
policy knows, worth the difference to the share below.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from headwright.autograders import notebooks
from headwright.autograders.assignment_files import FILE, assignment_files
from headwright.autograders.wheels import pins, wheel
from headwright.problems import Assignment
from headwright.problems.grading.assignments import Item
from headwright.problems.grading.results import Number

FOLDER = "headwright_files"  # beside the notebook while it is graded
NOTEBOOK = "answers.ipynb"
_TEST = '''\
"""Question {id}, {points}: made by headwright from the assignment."""

from fractions import Fraction
from pathlib import Path

import headwright as hw
from otter.test_files import test_case

OK_FORMAT = False

name = {name!r}
points = {worth!r}
_answers = {names!r}
_assignment = Path({assignment!r}).resolve()


def _result(env):
    answer = {{name: env.get(variable) for name, variable in _answers.items()}}
    return hw.problems.grade_answer({id!r}, answer, assignment=_assignment)
{cases}'''
_CASE = """

@test_case(name={name!r})
def test_{number}(env):
    result = _result(env)
    assert result.share >= Fraction("{share}"), result.feedback()
"""
_README = """\
# {title}: grading with otter-grader

- `{notebook}` is for your students. Hand it out as it is.
- `autograder.zip` is for you: upload it to Gradescope, or grade here with `otter grade -n {name} -a autograder.zip submissions`
  (in containers) or `otter run -a autograder.zip {notebook}` (one notebook, without a container).
- `tests/`, `requirements.txt` and `{folder}/` are what `autograder.zip` is made of. To make it again, in this folder:

      otter generate -t tests -r requirements.txt -o autograder.zip {folder}

Outside a container install headwright first: `pip install {folder}/{wheel}`.

Notebooks are programs, and otter-grader runs them: use its containers for the work of people you do not know.
{by_hand}"""
_BY_HAND = """
A person must read these answers, for which there is no test: {questions}.
"""


def otter_files(assignment: Path | str) -> dict[str, bytes]:
    """The files of the folder by their names."""
    read, files = assignment_files(assignment)
    name, content = wheel()
    names = notebooks.variables(read)
    judged = [(id, item) for id, item in read.items.items() if item.question.kind != notebooks.TEXT]
    digits = len(str(len(judged)))
    tests = {
        f"tests/q{number:0{digits}}.py": _test(f"q{number:0{digits}}", item, names[id])
        for number, (id, item) in enumerate(judged, 1)
    }
    # Otter copies support files to this place in its container, and looks for no others.
    inside = f"/autograder/source/files/{FOLDER}/{name}"
    return {
        "README.md": _readme(read, name).encode(),
        NOTEBOOK: _notebook(read, names),
        "requirements.txt": "\n".join([inside, *pins(), ""]).encode(),
        f"{FOLDER}/{name}": content,
        **{f"{FOLDER}/{inner}": held for inner, held in files.items()},
        **{inner: text.encode() for inner, text in tests.items()},
    }


def generate_command(python: str) -> list[str]:
    """The command that makes autograder.zip in the folder, for a Python that has otter-grader."""
    options = ["-t", "tests", "-r", "requirements.txt", "-o", "autograder.zip", "--no-environment", "--no-config"]
    return [python, "-P", "-m", "otter", "generate", *options, FOLDER]


def steps(item: Item) -> list[tuple[Fraction, Number]]:
    """(share, points): the shares of its points that an answer can earn, each with what it adds to the one below.

    >>> from headwright.problems import CATALOGUE
    >>> from headwright.problems.grading.policies import POLICIES
    >>> half = POLICIES["strict"].changed({"too-short": "1/2"})
    >>> [(str(share), worth) for share, worth in steps(Item(CATALOGUE["A.1a"], 7.5, half))]
    [('1/2', 3.75), ('1', 3.75)]
    """
    shares = sorted({Fraction(1), *item.policy.shares.values()} - {Fraction(0)})
    points = [round(Fraction(str(item.points)) * share, 2) for share in shares]
    added = [float(here - below) for here, below in zip(points, [Fraction(0), *points], strict=False)]
    return [(share, int(worth) if worth == int(worth) else worth) for share, worth in zip(shares, added, strict=True)]


def _test(name: str, item: Item, names: dict[str, str]) -> str:
    ways = steps(item)
    cases = "".join(
        _CASE.format(name=_called(item, share), number=number, share=share) for number, (share, _) in enumerate(ways, 1)
    )
    return _TEST.format(
        id=item.question.id,
        points=notebooks.points_in_words(item),
        name=name,
        worth=[worth for _, worth in ways],
        names=names,
        assignment=f"{FOLDER}/{FILE}",
        cases=cases,
    )


def _called(item: Item, share: Fraction) -> str:
    return item.question.id if share == 1 else f"{item.question.id}, partial credit"


def _notebook(assignment: Assignment, names: dict[str, dict[str, str]]) -> bytes:
    cells = [notebooks.introduction(assignment)]
    for id, item in assignment.items.items():
        cells.append(notebooks.question_cell(item))
        stem = notebooks.stem_of(id)
        if item.question.kind == notebooks.TEXT:
            cells.append(notebooks.cell(f"answer_{stem}", "*Write your answer here.*"))
        else:
            lines = notebooks.answer_lines(item.question, names[id].values())
            cells.append(notebooks.cell(f"answer_{stem}", lines, code=True))
    return notebooks.notebook(cells)


def _readme(assignment: Assignment, wheel_name: str) -> str:
    read = [f"{i.question.id} ({notebooks.points_in_words(i)})" for i in assignment.items.values() if _by_hand(i)]
    return _README.format(
        title=assignment.title,
        notebook=NOTEBOOK,
        name=notebooks.stem_of(assignment.title).strip("_") or "homework",
        folder=FOLDER,
        wheel=wheel_name,
        by_hand=_BY_HAND.format(questions=", ".join(read)) if read else "",
    )


def _by_hand(item: Item) -> bool:
    return item.question.kind == notebooks.TEXT
