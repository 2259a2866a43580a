"""The notebooks of the tutorials: where they are, how they are run, and what of their outputs is kept.

python -m tests.notebooks.tutorials     # runs them all, and writes their outputs into the files
"""

import json
import re
from pathlib import Path

from handbook.outputs import without_digests

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NAMES = ("learner", "teacher", "researcher", "engineer")
SECONDS = 300  # for one cell: far more than any takes, so that a notebook that hangs fails
_KEPT = ("text/plain", "text/html")  # pictures and widgets would need another way
_NUMBER = re.compile(r"(?<![\w.])[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_BAR = re.compile(r"^[* ] key|^  \d+ other keys")


def read(name):
    return json.loads((FOLDER / f"{name}.ipynb").read_text("utf-8"))


def write(name, book):
    (FOLDER / f"{name}.ipynb").write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", "utf-8", newline="\n")


def code_cells(book):
    return [cell for cell in book["cells"] if cell["cell_type"] == "code"]


def run(book):
    """The same notebook, executed from top to bottom in a fresh kernel; an error in a cell is raised here."""
    import nbformat
    from nbclient import NotebookClient

    held = nbformat.reads(json.dumps(book), as_version=4)
    NotebookClient(held, timeout=SECONDS, kernel_name="python3").execute()
    return book | {"cells": [_tidied(cell) for cell in json.loads(nbformat.writes(held))["cells"]]}


def _tidied(cell):
    """A cell without what changes from run to run: times, and what the kernel says about itself."""
    if cell["cell_type"] != "code":
        return cell
    outputs = [_plain(output) for output in cell["outputs"] if output.get("name") != "stderr"]
    return cell | {"metadata": {}, "outputs": outputs}


def _plain(output):
    if "data" not in output:
        return output
    return output | {"data": {kind: output["data"][kind] for kind in _KEPT if kind in output["data"]}}


def shown(cell):
    """What a cell shows: per output its kinds of data, its words, and its numbers.

    Bars of weights are left out. Keys of equal weight come in an order that rounding decides.
    """
    found = []
    for output in cell["outputs"]:
        data = output.get("data", {"text/plain": output.get("text", "")})
        text = "\n".join(line for line in "".join(data["text/plain"]).splitlines() if not _BAR.search(line))
        text = without_digests(text)
        numbers = [float(number) for number in _NUMBER.findall(text)]
        found.append((sorted(data), _NUMBER.sub("#", text), numbers))
    return found


if __name__ == "__main__":
    for tutorial in NAMES:
        write(tutorial, run(read(tutorial)))
        print("stored:", tutorial)
