"""otter-grader itself grades two notebooks by a test that calls `hw.problems.check`: the one of docs/autograders.md."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RIGHT, WRONG = "2*log(n/eps)*k_1", "k_1"


def otter_test():
    """The test file shown in the document."""
    text = (ROOT / "docs" / "autograders.md").read_text("utf-8")
    return re.search(r"```python\n(OK_FORMAT = True\n.*?)```", text, re.DOTALL)[1]


def notebook(path, answer):
    cell = {
        "cell_type": "code",
        "execution_count": None,
        "id": "a",
        "metadata": {},
        "outputs": [],
        "source": f"answer_q = {answer!r}",
    }
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    path.write_text(json.dumps({"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}), "utf-8")
    return path


@pytest.mark.needs("otter", "ipykernel")
def test_otter_grades_by_what_an_answer_does(tmp_path, monkeypatch):
    from otter.api import grade_submission
    from otter.generate import main as generate

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))  # for the notebook's own process
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "q1.py").write_text(otter_test(), "utf-8")
    generate(tests_dir="tests", output_path="autograder.zip", no_environment=True, no_requirements=True)
    for answer, points in ((RIGHT, 10), (WRONG, 0)):
        results = grade_submission(str(notebook(tmp_path / "a.ipynb", answer)), "autograder.zip", quiet=True)
        assert (results.total, results.possible) == (points, 10), answer


def test_the_documents_test_is_a_program_that_tells_right_from_wrong():
    """Without otter: the doctest in the document, run as otter runs it."""
    import doctest

    held = {}
    exec(compile(otter_test(), "q1.py", "exec"), held)
    (case,) = held["test"]["suites"][0]["cases"]
    for answer, failures in ((RIGHT, 0), (WRONG, 1)):
        parsed = doctest.DocTestParser().get_doctest(case["code"], {"answer_q": answer}, "q1", None, 0)
        found = doctest.DocTestRunner(verbose=False).run(parsed, out=lambda text: None)
        assert found.failed == failures
