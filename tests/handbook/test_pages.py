"""Every block of code of the handbook runs and prints what its page says."""

import shutil
from pathlib import Path

import pytest

from handbook import outputs
from headwright.cli import main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def written(page):
    return (DOCS / page).read_text("utf-8")


CODE = [page for page in PAGES if outputs.BLOCK.search(written(page))]


@pytest.fixture(autouse=True)
def beside_examples(tmp_path, monkeypatch):
    """An empty folder that has examples/, as the repository does."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize("page", CODE)
def test_page_prints_what_it_says(page):
    assert outputs.differences(written(page)) == []


def test_most_pages_have_code():
    assert len(CODE) >= 30
    assert all(page in CODE for page in PAGES if page.startswith(("tutorials/", "questions/")) and "index" not in page)


def test_the_layer_file_that_is_shown_is_a_layer(tmp_path):
    shown = dict(outputs.BLOCK.findall(written("layer_files.md")))["toml"]
    (tmp_path / "layer.toml").write_text(shown, "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["layer", "layer.toml", "--json"])
    assert ended.value.code == 0


def test_a_page_that_shows_something_else_is_noticed():
    assert outputs.differences("```python\n>>> 1 + 1\n3\n\n```\n") == ["1 + 1\n\n2\n"]
    assert outputs.differences("```console\n$ headwright --version\nsomething else\n```\n")
    assert outputs.differences("```python\nraise ValueError\n```\n")


def test_what_was_printed_can_be_written_into_a_page():
    page = "```python\n>>> 6 * 7\n\n```\n"
    assert outputs.filled(page) == "```python\n>>> 6 * 7\n42\n\n```\n"
    assert outputs.filled(outputs.filled(page)) == outputs.filled(page)
