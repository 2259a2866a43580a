"""Plain English: no text of the project has one of the turns that CONTRIBUTING.md lists."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = "CONTRIBUTING.md"  # quotes the turns in order to forbid them
READ = (".md", ".py", ".toml", ".html", ".css", ".yml", ".ipynb")


def forbidden():
    """The turns in the first column of the guide's table."""
    table = (ROOT / GUIDE).read_text("utf-8").partition("| not | but |\n|---|---|\n")[2].partition("\n\n")[0]
    return [turn.strip() for row in table.splitlines() for turn in row.split("|")[1].split(",")]


def turns_in(text, turns):
    """(line, turn) for each turn in the text, whatever its case; a turn may run over the end of a line."""
    spread = [r"\s+".join(map(re.escape, turn.split())) for turn in turns]
    pattern = re.compile(rf"\b({'|'.join(spread)})\b", re.IGNORECASE)
    return [(text.count("\n", 0, match.start()) + 1, match[1]) for match in pattern.finditer(text)]


def texts():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    if not any(listed):  # a copy without its history
        listed = [
            path.relative_to(ROOT).as_posix() for top in ("src", "tests", "docs") for path in (ROOT / top).rglob("*")
        ]
    return [ROOT / name for name in listed if name.endswith(READ) and name not in (GUIDE, "CHANGELOG.md")]


def test_no_text_has_a_forbidden_turn():
    turns = forbidden()
    hits = [
        f"{path.relative_to(ROOT).as_posix()}:{line}: {turn}"
        for path in texts()
        if path != Path(__file__)
        for line, turn in turns_in(path.read_text("utf-8"), turns)
    ]
    assert hits == []


@pytest.mark.parametrize(
    "text", ["It holds just when n > 2.", "It is\ntold twice.", "# JUST WHEN", "the file is no TOML"]
)
def test_a_turn_is_found(text):
    assert turns_in(text, forbidden())


@pytest.mark.parametrize("text", ["adjusted", "It has told_us.", "a justified claim"])
def test_other_words_are_left_alone(text):
    assert not turns_in(text, forbidden())
