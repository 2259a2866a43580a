"""The list of the trusted base is that of the sources, and the base does not grow by accident."""

import json
from pathlib import Path

import pytest

from evidence.partial import LIBRARY
from evidence.trusted_base import imported, lines_of

WRITTEN = json.loads((Path(__file__).parents[2] / "evidence" / "trusted_base.json").read_text("utf-8"))["result"]
AGAIN = "run `make evidence NAMES=trusted_base` if that is meant"
# What designs, computes, draws or searches: no proof needs it.
OUTSIDE = {
    "array_libraries.py",
    "attention.py",
    "block.py",
    "block_steps.py",
    "head.py",
    "layer.py",
    "optional.py",
    "torch_layers.py",
}


def test_the_list_is_that_of_the_sources():
    found = lines_of(LIBRARY)
    assert found.keys() == WRITTEN["files"].keys(), AGAIN
    assert not found.keys() & OUTSIDE


def test_the_base_does_not_grow_by_accident():
    assert sum(lines_of(LIBRARY).values()) <= WRITTEN["lines"] == sum(WRITTEN["files"].values()), AGAIN


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from headwright import inputs", {"inputs.py"}),
        ("from . import claim\nfrom .. import goals", {"proofs/__init__.py", "proofs/claim.py", "goals.py"}),
        ("def f():\n    from headwright.balls.ball import Ball", {"balls/__init__.py", "balls/ball.py"}),
        ("import headwright.forms.trees as t", {"forms/__init__.py", "forms/trees.py"}),
        ("import numpy\nfrom fractions import Fraction", set()),
    ],
)
def test_imports_are_followed_wherever_they_stand(source, found):
    assert set(imported(LIBRARY, "proofs/leak.py", source)) == found
