"""The trusted base is listed as the folders are, and it does not grow by accident."""

import json
from pathlib import Path

from evidence.partial import LIBRARY
from evidence.trusted_base import lines_of

WRITTEN = json.loads((Path(__file__).parents[2] / "evidence" / "trusted_base.json").read_text("utf-8"))["result"]
AGAIN = "run `make evidence NAMES=trusted_base` if that is meant"


def test_the_list_is_that_of_the_folders():
    assert lines_of(LIBRARY).keys() == WRITTEN["files"].keys(), AGAIN


def test_the_base_does_not_grow_by_accident():
    assert sum(lines_of(LIBRARY).values()) <= WRITTEN["lines"] == sum(WRITTEN["files"].values()), AGAIN
