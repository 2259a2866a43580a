"""Only a claim's `prove()` makes Proved or Refuted: the constructors refuse, and no file outside of the trusted base tries."""

import ast
import copy
import dataclasses
import pickle
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.verdict import under_proof
from tests.house.test_layers import TRUSTED
from tests.toy_claim import Toy, proved, refuted

PACKAGE = Path(__file__).parents[2] / "src" / "headwright"
MADE = {"Proved", "Refuted"}


def makers(source):
    """The lines on which a source makes a Proved or Refuted, opens a proof, or makes a copy with other fields."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in MADE or name == "under_proof":
                yield node.lineno, name


def test_no_file_outside_the_claims_makes_one():
    found = [
        f"{path.relative_to(PACKAGE)}:{line} {name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in TRUSTED
        for line, name in makers(path.read_text("utf-8"))
    ]
    assert found == []


def test_only_the_base_of_claims_opens_a_proof():
    opened = [
        str(path.relative_to(PACKAGE))
        for path in sorted(path for folder in TRUSTED for path in (PACKAGE / folder).rglob("*.py"))
        for _, name in makers(path.read_text("utf-8"))
        if name == "under_proof"
    ]
    assert opened == ["kernel/claim.py"]


def test_no_claim_replaces_prove():
    from headwright.claims import Claim  # and with it all kinds
    from headwright.kernel.claim import KINDS

    plain = {
        kind for kind, claim in KINDS.items() if "prove" not in claim.__dict__ or hasattr(claim.prove, "__wrapped__")
    }
    assert plain == set(KINDS)  # the second opinion wraps `prove` in tests, and nothing else does
    assert "prove" in Claim.__dict__


@pytest.mark.parametrize("made", [hw.Proved, partial(hw.Refuted, counterexample={})])
def test_the_constructor_refuses(made):
    with pytest.raises(TypeError, match="prove"):
        made("1 = 1")
    with pytest.raises(TypeError, match="prove"):
        made("1 = 1", record=Toy(made, "1 = 1"))


@pytest.mark.parametrize("made", [hw.Proved, partial(hw.Refuted, counterexample={})])
def test_another_claim_under_proof_does_not_help(made):
    outer, inner = Toy(made, "outer"), Toy(made, "inner")
    with under_proof(outer), pytest.raises(TypeError, match="prove"):
        made("inner", record=inner)
    with under_proof(outer):
        with under_proof(inner):
            made("inner", record=inner)
            with pytest.raises(TypeError, match="prove"):
                made("outer", record=outer)
        made("outer", record=outer)
    with pytest.raises(TypeError, match="prove"):
        made("outer", record=outer)


def test_a_proof_in_one_thread_opens_nothing_in_another():
    from concurrent.futures import ThreadPoolExecutor

    claim = Toy(hw.Proved, "1 = 1")
    with under_proof(claim), ThreadPoolExecutor(1) as pool:
        made = pool.submit(hw.Proved, "1 = 1", record=claim)
        with pytest.raises(TypeError, match="prove"):
            made.result()


@pytest.mark.parametrize("verdict", [proved(bound=0.5), refuted(counterexample={"x": np.zeros(2)})])
def test_a_verdict_cannot_be_changed_by_replacing(verdict):
    with pytest.raises(TypeError, match="prove"):
        dataclasses.replace(verdict, claim="P = NP")
    told = verdict.explained("because")
    assert (told.reason, told.claim, told.status, told.record) == (
        "because",
        verdict.claim,
        verdict.status,
        verdict.record,
    )


def test_copies_and_pickles_stay_what_they_were():
    verdict = hw.certify(np.eye(3), 9 * np.eye(3)[1], hw.Copy(1))
    for other in (copy.copy(verdict), copy.deepcopy(verdict), pickle.loads(pickle.dumps(verdict))):
        assert (other.status, other.claim, other.bound, other.scope) == (
            "proved",
            verdict.claim,
            verdict.bound,
            verdict.scope,
        )
        assert other.record.prove().status == "proved"
