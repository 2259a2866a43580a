"""The walks that ARCHITECTURE.md draws are those that were counted."""

import json
import re
from pathlib import Path

from evidence import walks

ROOT = Path(__file__).parents[2]


def test_the_table_says_what_was_counted():
    counted = json.loads((ROOT / "evidence" / "walks.json").read_text("utf-8"))["result"]["walks"]
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    for name, walk in counted.items():
        row = re.search(rf"^\| {re.escape(name)} \| \d+ \| \d+ \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
        assert row is not None, name
        assert (int(row[1]), int(row[2])) == (len(walk["files"]), walk["depth"]), name


def test_a_walk_names_the_files_it_enters():
    found = walks.walked(walks.WALKS["outcome"])
    assert {"search/random_keys/outcome.py", "theories/random_keys/with_probability.py"} <= set(found["files"])
    assert found["depth"] >= 4
