"""Every block of code of the handbook runs and prints what its page says."""

import shutil
from pathlib import Path

import pytest

from handbook import outputs

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


def test_a_page_that_shows_something_else_is_noticed():
    assert outputs.differences("```python\n>>> 1 + 1\n3\n\n```\n") == ["1 + 1\n\n2\n"]
    assert outputs.differences("```console\n$ headwright --version\nsomething else\n```\n")
    assert outputs.differences("```python\nraise ValueError\n```\n")


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("[0.0004433059679779075, 2.5]", "[0.00044330596797790753, 2.5]", True),
        ("[0.0004433059679779075, 2.5]", "[0.00044330596797790753, 2.6]", False),
        ("0.0004433059679779075", "0.0004433159679779075", False),
        ("norm 1.912656553, bound 1.91265655326", "norm 1.912656554, bound 1.91265655324", True),
        ("1234567.5", "1234569.5", False),
        ("0.5 (proved, ±9e-11)", "0.5 (proved, ±1e-10)", True),
        ("0.5 (proved, ±9e-11)", "0.5 (proved, ±1e-8)", False),
        ("0.4999", "0.5001", False),
        ("7 keys of 2048", "8 keys of 2048", False),
        (
            "* key  3  0.49  █\n* key 12  0.49  █\n  key 1  0.02",
            "* key 12  0.49  █\n* key  3  0.49  █\n  key 1  0.02",
            True,
        ),
        (
            "* key  3  0.49  █\n* key 12  0.49  █\n  key 1  0.02",
            "* key 12  0.49  █\n* key  4  0.49  █\n  key 1  0.02",
            False,
        ),
        ("  key 5  0.02\n  9 other keys together 0.1", "  key 6  0.02\n  9 other keys together 0.1", True),
        ("  key 5  0.02\n", "  key 6  0.02\n", False),
        ("  key 5  0.02\n  9 other keys together 0.1", "  key 6  0.03\n  9 other keys together 0.1", False),
    ],
)
def test_what_rounding_decides_is_no_difference(shown, printed, same):
    assert outputs.agree(f"{shown}\n", f"{printed}\n") is same


def test_what_was_printed_can_be_written_into_a_page():
    page = "```python\n>>> 6 * 7\n\n```\n"
    assert outputs.filled(page) == "```python\n>>> 6 * 7\n42\n\n```\n"
    assert outputs.filled(outputs.filled(page)) == outputs.filled(page)
