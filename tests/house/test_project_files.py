"""What a stranger looks for beside the code: one version, extras that are used, a workflow that runs what `.ci/run` runs."""

import re
import tomllib
from pathlib import Path

import pytest

import headwright as hw

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def text(name):
    return (ROOT / name).read_text("utf-8")


def test_the_version_is_written_in_one_place_and_cited_as_it_is():
    assert "version" in PROJECT["project"]["dynamic"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/headwright/__init__.py"
    assert re.search(r"^version: (.+)$", text("CITATION.cff"), re.MULTILINE)[1] == hw.__version__


@pytest.mark.parametrize(("extra", "module"), [("plots", "matplotlib"), ("torch", "torch"), ("play", "anywidget")])
def test_an_extra_is_used(extra, module):
    assert extra in PROJECT["project"]["optional-dependencies"]
    sources = (path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    assert any(re.search(rf'need\("{module}\b', source) for source in sources)


def test_there_is_no_other_extra_for_users():
    for_developers = {"test", "test-all", "dev", "docs"}
    assert PROJECT["project"]["optional-dependencies"].keys() - for_developers == {"play", "plots", "torch"}


def test_tools_have_one_version():
    pinned = set(re.findall(r"^([\w-]+)==", text("constraints.txt"), re.MULTILINE))
    assert set(PROJECT["project"]["optional-dependencies"]["dev"]) <= pinned


def test_the_workflow_runs_what_the_project_runs():
    workflow = text(".github/workflows/tests.yml")
    assert "bash .ci/run" in workflow
    assert "make test PYTHON=python" in workflow
    for version in ("3.11", "3.12", "3.13", "3.14"):
        assert f'"{version}"' in workflow


def test_a_wrong_verdict_is_the_first_thing_one_can_report():
    first, *_ = sorted(path.name for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))
    assert first == "1-wrong-verdict.yml"
