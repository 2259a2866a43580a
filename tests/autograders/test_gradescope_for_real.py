"""The archive as Gradescope runs it: unpacked, set up in a fresh environment from PyPI, and run on what students hand in."""

import io
import json
import os
import subprocess
from zipfile import ZipFile

import pytest

from headwright.problems.gradescope.gradescope_files import gradescope_zip
from tests.problems.test_grading import assert_gradescope

MARKDOWN = r"""# Homework 3

## A.1a
q = $2\ln(n/\epsilon)\,k_1$

## D.b-ii
q = \beta(k_a + k_b), \beta \gg 0

The two scores are the same, and larger than all others.

## X.1
\[ q = 9\,k_{1} \]
"""


def environment_of(root):
    """What the scripts may know of the outside: no path to this checkout, no environment of these tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {**kept, "AUTOGRADER_ROOT": str(root), "PATH": os.defpath + os.pathsep + kept["PATH"]}


def run(root, script):
    return subprocess.run([str(script)], env=environment_of(root), cwd=root, capture_output=True, text=True)


def hand_in(root, files):
    for path in (root / "submission").iterdir():
        path.unlink()
    for name, text in files.items():
        (root / "submission" / name).write_text(text, "utf-8")
    (root / "results" / "results.json").unlink(missing_ok=True)
    done = run(root, root / "run_autograder")
    assert done.returncode == 0, done.stderr
    told = json.loads((root / "results" / "results.json").read_text("utf-8"))
    assert_gradescope(told)
    assert [test["number"] for test in told["tests"]] == ["A.1a", "D.b-ii", "X.1"], done.stdout
    return told


@pytest.mark.needs("nbclient")  # of `make test-all`, where PyPI can be reached
def test_from_the_archive_to_results(tmp_path, homework, right, wrong):
    root = tmp_path / "autograder"
    archive = ZipFile(io.BytesIO(gradescope_zip(homework)))
    for entry in archive.infolist():
        os.chmod(archive.extract(entry, root / "source"), entry.external_attr >> 16)
    (root / "submission").mkdir()
    (root / "submission_metadata.json").write_text("{}", "utf-8")
    done = run(root, root / "source" / "setup.sh")
    assert done.returncode == 0, done.stderr
    (root / "source" / "run_autograder").rename(root / "run_autograder")

    python = root / "source" / "environment" / "bin" / "python"
    code = "import headwright, numpy; print(headwright.__file__); print(numpy.__version__)"
    ran = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True)
    where, version = ran.stdout.split()
    assert where.startswith(str(root))
    assert f"numpy=={version}" in (root / "source" / "constraints.txt").read_text("utf-8")

    def toml(answers):
        return "\n".join(f'["{name}"]\nq = "{formula}"' for name, formula in answers.items())

    assert hand_in(root, {"answers.toml": toml(right)})["score"] == 21.5
    assert hand_in(root, {"answers.toml": toml(wrong)})["score"] == 2.5
    assert hand_in(root, {"answers.txt": toml({"X.1": right["X.1"]})})["score"] == 4
    assert hand_in(root, {})["score"] == 0
    assert hand_in(root, {"answers.toml": ""})["score"] == 0
    assert hand_in(root, {"a.toml": toml(right), "b.toml": toml(right)})["score"] == 0
    assert hand_in(root, {"answers.toml": "[" * 100_000})["score"] == 0
    waits = hand_in(root, {"answers.md": MARKDOWN})
    assert (waits["score"], "provisional" in waits["output"]) == (11.5, True)
    # A module of the student's beside the answers is not imported.
    evil = {"headwright.py": "raise SystemExit(1)", "json.py": "raise SystemExit(1)", "answers.toml": toml(right)}
    assert hand_in(root, evil)["score"] == 21.5
