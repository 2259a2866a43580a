"""The tables of `make bench` can be read on a terminal of 80 columns."""

import io
import json

import pytest
from rich.console import Console

from benchmarks.__main__ import RESULTS, cell, show

STORED = json.loads(RESULTS.read_text("utf-8"))


def shown(result, width):
    file = io.StringIO()
    show(Console(file=file, markup=False, width=width), "name", result)
    return file.getvalue()


@pytest.mark.parametrize("name", STORED)
def test_nothing_is_cut_off(name):
    text = shown(STORED[name], 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    for row in STORED[name]["rows"]:
        assert all(cell(value) in text for value in row.values())


def test_columns_beyond_the_width_follow_below_with_numbered_rows():
    result = {"claim": "wide", "rows": [{f"column_{i}": f"{row}{i}" * 4 for i in range(12)} for row in "ab"]}
    lines = shown(result, 40).splitlines()
    assert max(map(len, lines)) <= 40
    assert sum(line.startswith("│ 2 ") for line in lines) == sum(line.startswith("┃ row") for line in lines) > 1
    assert "row" not in shown(result, 400)
