"""The trusted base is listed as the folders are, it does not grow by accident, and a verdict names what it rests on."""

import json
from pathlib import Path

import numpy as np
import pytest

import headwright as hw
from evidence.partial import LIBRARY
from evidence.trusted_base import lines_of
from headwright.faces.trust import imported
from headwright.theories.random_keys.laws import GaussianLaw, ScaledLaw
from tests.every_claim import CLAIMS

WRITTEN = json.loads((Path(__file__).parents[2] / "evidence" / "trusted_base.json").read_text("utf-8"))["result"]
AGAIN = "run `make evidence NAMES=trusted_base` if that is meant"


def test_the_list_is_that_of_the_folders():
    assert lines_of(LIBRARY).keys() == WRITTEN["files"].keys(), AGAIN


def test_the_base_does_not_grow_by_accident():
    assert sum(lines_of(LIBRARY).values()) <= WRITTEN["lines"] == sum(WRITTEN["files"].values()), AGAIN


@pytest.mark.parametrize("kind", sorted(CLAIMS))
def test_a_verdict_rests_on_a_part_of_the_base(kind):
    """On its own file, the arithmetic and the record, and on no claim that it does not use."""
    verdict = CLAIMS[kind].prove()
    files, base = verdict.trust(), lines_of(LIBRARY)
    assert files.items() <= base.items()
    own = type(verdict.record).__module__.removeprefix("headwright.").replace(".", "/") + ".py"
    assert {own, "kernel/claim.py", "kernel/record.py", "kernel/verdict.py"} <= files.keys()
    assert sum(files.values()) < 0.75 * sum(base.values())
    assert kind == "runs-program" or "theories/programs/runs_program.py" not in files


def test_a_verdict_without_a_record_rests_on_nothing():
    assert hw.Undecided("P = NP").trust() == {}


@pytest.mark.parametrize(("model", "law"), [(hw.GaussianKeys, GaussianLaw), (hw.ScaledKeys, ScaledLaw)])
def test_a_key_model_changes_nothing_of_its_law(model, law):
    """Claims hold key models, and rest on their laws alone."""
    added = {name for base in model.__mro__[: model.__mro__.index(law)] for name in vars(base)}
    abstract = {name for name, part in vars(law).items() if getattr(part, "__isabstractmethod__", False)}
    assert not {
        name for name in added & vars(law).keys() - abstract if not name.startswith("__") and name != "_abc_impl"
    }


def test_parts_of_a_claim_count():
    """Of a claim made of claims, and of keys that vary."""
    inner = hw.claims.SingularTail(np.eye(2), 1, "3/2")
    files = hw.claims.AllOf((inner,)).prove().trust()
    assert "theories/matrices/singular_squares.py" in files


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from headwright.kernel import inputs", {"kernel/__init__.py", "kernel/inputs.py"}),
        ("from . import claim\nfrom .goals import Copy", {"kernel/__init__.py", "kernel/claim.py", "kernel/goals.py"}),
        (
            "def f():\n    from headwright.kernel.balls.ball import Ball",
            {"kernel/__init__.py", "kernel/balls/__init__.py", "kernel/balls/ball.py"},
        ),
        ("import headwright.kernel.goals as g", {"kernel/__init__.py", "kernel/goals.py"}),
        ("import numpy\nfrom fractions import Fraction", set()),
    ],
)
def test_imports_are_followed_wherever_they_stand(source, found):
    assert set(imported("kernel/leak.py", source)) == found
