"""The archive for Gradescope, taken apart; and its two scripts where things are missing."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from zipfile import ZipFile

import pytest

from headwright.problems.gradescope.gradescope_files import gradescope_zip
from headwright.problems.gradescope.wheels import wheel
from tests.problems.test_grading import assert_gradescope

OLD = 'test "$1" = --version && echo Python 3.10.12'  # what python3 does in an old image
BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(BASH is None, reason="the scripts run in bash, as on Gradescope")


@pytest.fixture
def archive(homework):
    return ZipFile(io.BytesIO(gradescope_zip(homework)))


@pytest.fixture
def root(tmp_path, archive):
    """Gradescope's folders, with the archive unpacked as it unpacks it."""
    root = tmp_path / "autograder"
    (root / "submission").mkdir(parents=True)
    for entry in archive.infolist():
        path = archive.extract(entry, root / "source")
        os.chmod(path, entry.external_attr >> 16)
    return root


def test_what_is_in_it(archive, homework):
    name, content = wheel()
    assert set(archive.namelist()) == {
        *("setup.sh", "run_autograder", "constraints.txt", name),
        *("assignment/assignment.toml", "assignment/questions/mine.toml", "assignment/questions/keys.csv"),
    }
    assert archive.read(name) == content
    assert archive.read("assignment/assignment.toml") == homework.read_bytes()
    executable = [entry.filename for entry in archive.infolist() if entry.external_attr >> 16 & 0o111]
    assert executable == ["setup.sh", "run_autograder"]
    for script in executable:
        assert archive.read(script).startswith(b"#!/usr/bin/env bash\n")
        assert b"\r" not in archive.read(script)


def test_nothing_names_this_machine_or_an_index(archive, homework):
    for name in ("setup.sh", "run_autograder", "constraints.txt"):
        text = archive.read(name).decode()
        assert str(homework.parent) not in text
        assert not re.search(r"://|--index|--find-links|-i ", text), name


def test_versions_are_exact(archive):
    tried, *lines = archive.read("constraints.txt").decode().splitlines()
    assert tried == "# Tried with Python {}.{}".format(*sys.version_info)
    assert lines
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][\w.]*", line) for line in lines)


def test_visibility(homework):
    archive = ZipFile(io.BytesIO(gradescope_zip(homework, visibility="after_published")))
    assert "--visibility after_published" in archive.read("run_autograder").decode()
    with pytest.raises(ValueError, match="`visibility`"):
        gradescope_zip(homework, visibility="never")


def run(script, root, **environment):
    environment = {**os.environ, "AUTOGRADER_ROOT": str(root), **environment}
    return subprocess.run([BASH, str(script)], env=environment, cwd=root, capture_output=True, text=True)


@needs_bash
def test_without_an_environment_there_are_results_all_the_same(root):
    done = run(root / "source" / "run_autograder", root)
    assert done.returncode == 0
    told = json.loads((root / "results" / "results.json").read_text("utf-8"))
    assert_gradescope(told)
    assert told["score"] == 0
    assert [test["visibility"] for test in told["tests"]] == ["hidden"]  # the reason, for the instructor


@needs_bash
def test_a_judge_that_dies_leaves_results(root):
    judge = root / "source" / "environment" / "bin" / "python"
    judge.parent.mkdir(parents=True)
    judge.write_text("#!/bin/sh\nkill -9 $$\n", "utf-8")
    judge.chmod(0o755)
    done = run(root / "source" / "run_autograder", root)
    assert done.returncode == 0
    assert "exit code 137" in done.stdout
    assert json.loads((root / "results" / "results.json").read_text("utf-8"))["score"] == 0


def image(folder, commands):
    """A folder with these commands alone, by their text in sh."""
    (folder / "bin").mkdir()
    for name, text in commands.items():
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        (folder / "bin" / name).chmod(0o755)
    return str(folder / "bin")


@needs_bash
def test_an_old_python_is_named(root, tmp_path):
    """The commands of an image whose only Python is too old, and that cannot install another."""
    commands = image(tmp_path, {"python3": OLD, "id": "echo 1000"})
    done = run(root / "source" / "setup.sh", root, PATH=commands)
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr
    assert "Python 3.10.12" in done.stderr


@needs_bash
def test_a_newer_python_is_installed_where_that_is_possible(root, tmp_path):
    """apt-get has no 3.12 and brings 3.11, which has no venv; the script says what is missing now."""
    brought = tmp_path / "brought"
    brought.write_text('#!/bin/sh\ncase "$*" in *"import sys;"*) exit 0;; *) exit 1;; esac\n', "utf-8")
    brought.chmod(0o755)
    apt = f"""echo "$@" >> "{tmp_path}/asked"
case "$*" in
  *3.12*) exit 100;;
  *3.11*) /bin/cp "{brought}" "{tmp_path}/bin/python3.11";;
esac"""
    commands = image(tmp_path, {"python3": OLD, "id": "echo 0", "apt-get": apt})
    done = run(root / "source" / "setup.sh", root, PATH=commands)
    assert done.returncode == 1
    assert "python3.11 could not make an environment" in done.stderr
    asked = (tmp_path / "asked").read_text("utf-8").splitlines()
    assert asked[:3] == ["update", "install -y python3.12 python3.12-venv", "install -y python3.11 python3.11-venv"]
