"""All of several claims, and the contrary of one: truth tables, sentences made of parts, files, and bounds on nesting."""

import copy
import json

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

import headwright as hw
from headwright.kernel.certificate import BadCertificate, load, verify
from headwright.kernel.combined import AllOf, Contrary
from headwright.kernel.within_error import WithinError
from headwright.theories.positions.row_sets import TableRows
from headwright.theories.positions.rows_apart import RowsApart
from headwright.words.files import save
from tests import second_opinion
from tests.certificate_files import signed

KEYS = np.eye(3)


def bound(side, number):
    return hw.certify(KEYS, 5 * KEYS[0], of=0, **{side: number}).record


HOLDS, ALSO = bound("at_least", "0.9"), bound("at_most", "0.999")
FAILS = bound("at_most", "0.9")


class TooHard(type(HOLDS)):  # a claim that cannot be decided
    def judge(self):
        return self.undecided("too hard", "wait")


UNKNOWN = TooHard(HOLDS.heads, HOLDS.values, HOLDS.side, HOLDS.bound)


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        ([HOLDS], "proved"),
        ([HOLDS, ALSO], "proved"),
        ([HOLDS, FAILS], "refuted"),
        ([FAILS, HOLDS], "refuted"),
        ([UNKNOWN, FAILS], "refuted"),
        ([UNKNOWN, HOLDS], "undecided"),
        ([HOLDS, UNKNOWN], "undecided"),
        ([HOLDS, Contrary(FAILS)], "proved"),
        ([HOLDS, Contrary(ALSO)], "refuted"),
    ],
)
def test_all_of(claims, status):
    verdict = AllOf(tuple(claims)).prove()
    assert verdict.status == status
    contrary = {"proved": "refuted", "refuted": "proved", "undecided": "undecided"}[status]
    assert Contrary(verdict.record).prove().status == contrary
    if status == "refuted":
        assert claims[verdict.counterexample["claim"]].prove().status == "refuted"


def test_a_contrary_twice_is_the_claim_itself():
    twice = Contrary(Contrary(FAILS))
    assert twice.sentence() == FAILS.sentence()
    assert twice.prove().status == "refuted"
    assert Contrary(Contrary(HOLDS)).prove().status == "proved"


def test_one_instance_refutes_in_general():
    verdict = Contrary(AllOf((HOLDS, ALSO))).prove()
    assert (verdict.status, verdict.scope) == ("refuted", "the claim in general")
    assert set(verdict.counterexample) == {f"claims.{i}.{name}" for i in (0, 1) for name in HOLDS.arrays()}
    assert AllOf((HOLDS,)).prove().scope == "this instance"


OTHER = hw.certify(2 * KEYS, 5 * KEYS[0], of=0, at_least="0.99").record


def test_what_may_be_said_instead_is_proved_and_in_its_own_words():
    plain = Contrary(HOLDS).prove()
    for where, named in ((OTHER, True), (AllOf((OTHER, ALSO)), True), (FAILS, False), (UNKNOWN, False)):
        verdict = Contrary(HOLDS, where).prove()
        assert (verdict.status, verdict.claim, verdict.scope) == ("refuted", plain.claim, plain.scope)
        assert set(verdict.counterexample) == set(plain.counterexample)
        said = f"it says no more than this: {where.sentence()} [this instance; {where.about()}]"
        assert verdict.holds_when == (said if named else None)
        assert verdict.record.about() != plain.record.about()
    assert plain.holds_when is None
    assert Contrary(FAILS, OTHER).prove().status == "proved"
    assert Contrary(UNKNOWN, OTHER).prove().status == "undecided"


@pytest.mark.parametrize(
    ("where", "words", "breaks"), [(OTHER, OTHER, None), (FAILS, FAILS, False), (OTHER, ALSO, False)]
)
def test_the_second_opinion_judges_what_may_be_said_instead(where, words, breaks):
    told = copy.copy(Contrary(HOLDS, where).prove())
    object.__setattr__(told, "holds_when", f"it says no more than this: {words.sentence()}")
    assert second_opinion.check_counterexample(told) is breaks


def test_sentences_are_made_of_the_parts():
    both = AllOf((HOLDS, FAILS))
    for claim in (both, Contrary(both)):
        assert HOLDS.sentence() in claim.sentence()
        assert FAILS.sentence() in claim.sentence()
    assert Contrary(both).sentence() != both.sentence()
    assert Contrary(HOLDS).sentence() != HOLDS.sentence()


def test_sentences_tell_one_case_from_another():
    other = hw.certify(2 * KEYS, 5 * KEYS[0], of=0, at_least="0.99").record
    assert "in case" not in AllOf((HOLDS, ALSO)).sentence()
    told = AllOf((HOLDS, other, ALSO)).sentence()
    assert (told.count("in case 1"), told.count("in case 2")) == (2, 1)


def test_many_claims_are_counted():
    told = AllOf((HOLDS,) * 50).sentence()
    assert told.count(HOLDS.sentence()) == 3
    assert "47 more" in told


def nested(depth):
    claim = HOLDS
    for _ in range(depth):
        claim = Contrary(claim)
    return claim


def test_bounds():
    with pytest.raises(ValueError, match="`claims`"):
        AllOf(())
    with pytest.raises(ValueError, match="nested"):
        nested(6)
    with pytest.raises(ValueError, match="2048 in all"):
        AllOf((AllOf((HOLDS,) * 1024), AllOf((HOLDS,) * 1024)))
    AllOf((HOLDS,) * 2047)
    for claim in (lambda: Contrary(HOLDS, nested(5)), lambda: Contrary(HOLDS, AllOf((HOLDS,) * 2046))):
        with pytest.raises(ValueError, match="`claims` must be"):
            claim()


@pytest.mark.parametrize(
    "claim",
    [
        AllOf((HOLDS, FAILS)),
        Contrary(AllOf((HOLDS, ALSO, Contrary(FAILS)))),
        AllOf((ALSO,) * 12),
        Contrary(RowsApart(TableRows(np.ones((2, 2))), 0)),
        Contrary(HOLDS, OTHER),
        Contrary(OTHER, AllOf((ALSO, HOLDS))),
        Contrary(FAILS, OTHER),
        AllOf((OTHER, Contrary(Contrary(HOLDS, ALSO)))),
    ],
)
def test_files(claim, tmp_path):
    path, verdict = tmp_path / "claim.safetensors", claim.prove()
    save(path, verdict)
    again = verify(path)
    assert (again.status, again.claim, again.scope) == (verdict.status, verdict.claim, verdict.scope)
    assert getattr(again, "holds_when", None) == getattr(verdict, "holds_when", None)
    assert load(path).fields() == claim.fields()


def rewritten(path, change):
    """The file with its claim and arrays changed, under a digest that fits."""
    with safe_open(path, framework="numpy") as file:
        metadata, arrays = dict(file.metadata()), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    fields = json.loads(metadata["claim"])
    change(fields, arrays)
    claim = json.dumps(fields)
    save_file(arrays, path, metadata=signed(claim, arrays))


def deeper(fields, arrays):
    for _ in range(900):
        inner = dict(fields)
        fields.clear()
        fields.update({"kind": "contrary", "claim": inner})


def many(fields, arrays):
    fields["claims"] = fields["claims"] * 3000


@pytest.mark.parametrize(
    "change",
    [
        lambda f, a: f.update(words="and pigs fly"),
        lambda f, a: f["claims"][0].update(words="and pigs fly"),
        lambda f, a: f["claims"][0].update(kind="all"),
        lambda f, a: f.update(claims=[]),
        lambda f, a: f.update(claims={"0": f["claims"][0]}),
        lambda f, a: f["claims"].pop(),
        lambda f, a: f["claims"].append("a claim"),
        lambda f, a: a.update({"claims.0.more": np.ones(1)}),
        lambda f, a: a.update({"more": np.ones(1)}),
        lambda f, a: a.update({"claims.7.keys": np.ones(1)}),
        lambda f, a: a.update({"claims.00.keys": np.ones((1, 1))}),
        lambda f, a: a.update({"claims.0.keys": a["claims.0.keys"].astype(np.float32)}),
        lambda f, a: a.pop("claims.1.keys"),
        deeper,
        many,
    ],
)
def test_files_that_describe_no_claim(change, tmp_path):
    path = tmp_path / "claim.safetensors"
    save(path, AllOf((HOLDS, ALSO)).prove())
    rewritten(path, change)
    with pytest.raises(BadCertificate):
        verify(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda f, a: f.update(where=None),
        lambda f, a: f.pop("where"),
        lambda f, a: f.update(where="pigs fly"),
        lambda f, a: f.update(holds_when="pigs fly"),
        lambda f, a: a.pop("where.keys"),
        lambda f, a: a.update({"1.keys": np.ones((1, 1))}),
    ],
)
def test_files_that_describe_no_contrary(change, tmp_path):
    path = tmp_path / "claim.safetensors"
    save(path, Contrary(HOLDS, OTHER).prove())
    rewritten(path, change)
    with pytest.raises(BadCertificate):
        verify(path)


def test_an_edited_part_is_judged_anew(tmp_path):
    path = tmp_path / "claim.safetensors"
    save(path, AllOf((HOLDS, ALSO)).prove())
    rewritten(path, lambda f, a: f["claims"][1].update(bound="9/10"))
    assert verify(path).status == "refuted"
    save(path, Contrary(HOLDS, ALSO).prove())
    assert verify(path).holds_when is not None
    rewritten(path, lambda f, a: f["where"].update(bound="9/10"))
    assert (verify(path).status, verify(path).holds_when) == ("refuted", None)


def test_parts_keep_their_own_arrays():
    other = WithinError(hw.certify(2 * KEYS, 9 * KEYS[1], hw.Copy(1)).record.heads, hw.Copy(1), HOLDS.bound / 9)
    claim = AllOf((HOLDS, other))
    assert claim.arrays()["claims.0.keys"][0, 0] == 1
    assert claim.arrays()["claims.1.keys"][0, 0] == 2
    assert AllOf.from_parts(claim.arrays(), claim.fields()).prove().status == "proved"
