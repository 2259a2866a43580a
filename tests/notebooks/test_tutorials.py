"""The tutorials as notebooks: each runs from top to bottom, and shows what is stored in it."""

import re
import symtable
from collections import Counter

import pytest

from tests.notebooks.tutorials import FOLDER, NAMES, code_cells, read, run, shown

every_notebook = pytest.mark.parametrize("name", NAMES)


@every_notebook
@pytest.mark.needs("nbclient", "ipykernel")
def test_it_runs_and_shows_what_is_stored(name):
    stored = read(name)
    for before, after in zip(code_cells(stored), code_cells(run(stored)), strict=True):
        old, new = shown(before), shown(after)
        assert [kinds_and_words[:2] for kinds_and_words in new] == [kinds_and_words[:2] for kinds_and_words in old]
        for (_, _, numbers), (_, _, again) in zip(old, new, strict=True):
            assert again == pytest.approx(numbers, rel=1e-3, abs=1e-6)


@every_notebook
def test_it_is_stored_with_what_it_shows(name):
    book = read(name)
    cells = code_cells(book)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert not [output for cell in cells for output in cell["outputs"] if output["output_type"] == "error"]
    assert 10 <= len(cells) <= 16
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    html = "".join("".join(o["data"].get("text/html", "")) for c in cells for o in c["outputs"] if "data" in o)
    assert "✓ Proved" in html
    assert "✗ Refuted" in html
    assert "<script" not in html
    assert (FOLDER / f"{name}.ipynb").stat().st_size < 200_000


@every_notebook
def test_its_links_lead_somewhere(name):
    words = "".join("".join(cell["source"]) for cell in read(name)["cells"] if cell["cell_type"] == "markdown")
    for link in re.findall(r"\]\(([^)#:]+)\)", words):
        assert (FOLDER / link).exists(), link


@every_notebook
def test_no_name_is_defined_in_two_cells(name):
    """marimo refuses such a notebook, because it orders cells by the names they define."""
    defined = Counter()
    for cell in code_cells(read(name)):
        symbols = symtable.symtable("".join(cell["source"]), name, "exec").get_symbols()
        defined.update(symbol.get_name() for symbol in symbols if symbol.is_assigned())
    assert [word for word, cells in defined.items() if cells > 1] == []


def test_every_notebook_is_named():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(NAMES)
