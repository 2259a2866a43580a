"""Verdicts: three answers, none of them a truth value, that show themselves everywhere."""

import dataclasses
import json
import pickle
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.frozen import FrozenMap
from headwright.kernel.verdict import Verdict
from tests.every_claim import CLAIMS
from tests.toy_claim import proved, refuted

PROVED = proved("a <= b", bound=0.25, reason="b - a = 1", method="by hand", scope="all, by induction")
REFUTED = refuted("x & y < 1", counterexample={"x": 3, "y": np.arange(4.0)}, holds_when="x < 1", bound=0.5)
UNDECIDED = hw.Undecided("P = NP", reason="nobody knows", next_step="wait", evidence={"years": 54})
every_verdict = pytest.mark.parametrize("verdict", [PROVED, REFUTED, UNDECIDED], ids=lambda v: v.status)


@every_verdict
def test_no_truth_value(verdict):
    for ask in (bool, lambda v: not v, lambda v: v and 1, lambda v: 1 if v else 0, lambda v: all([v])):
        with pytest.raises(TypeError, match=r"`\.status`.*`\.expect\(\)`"):
            ask(verdict)


def test_expect_returns_the_proved():
    assert PROVED.expect() is PROVED


@pytest.mark.parametrize("verdict", [REFUTED, UNDECIDED], ids=lambda v: v.status)
def test_expect_raises_with_the_verdict(verdict):
    with pytest.raises(hw.NotProved) as caught:
        verdict.expect()
    assert caught.value.verdict is verdict
    assert str(caught.value) == repr(verdict)
    assert pickle.loads(pickle.dumps(caught.value)).verdict.claim == verdict.claim


@every_verdict
def test_frozen(verdict):
    for field in dataclasses.fields(verdict):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(verdict, field.name, None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        verdict.status = "proved"


def test_only_the_four_kinds_can_be_made():
    with pytest.raises(TypeError, match="abstract"):
        Verdict("anything")
    assert [v.status for v in (PROVED, REFUTED, UNDECIDED)] == ["proved", "refuted", "undecided"]
    assert {cls.__name__ for cls in Verdict.__subclasses__()} == {"Proved", "Refuted", "Undecided", "Argued"}


def test_defaults():
    bare = proved("1 = 1")
    assert (bare.scope, bare.reason, bare.method, bare.record.words, bare.bound) == (
        "this instance",
        "",
        "",
        "1 = 1",
        None,
    )
    assert refuted("1 = 2").holds_when is None
    assert repr(bare) == "Proved: 1 = 1\n  scope:       this instance"
    with pytest.raises(TypeError):
        hw.Proved("1 = 1", "this instance")  # all but the claim is keyword-only


def test_verdicts_are_equal_only_to_themselves():
    assert PROVED == PROVED
    assert proved("1 = 1") != proved("1 = 1")
    assert len({proved("1 = 1"), proved("1 = 1")}) == 2


@pytest.mark.parametrize(
    ("verdict", "lines"),
    [
        (PROVED, ["Proved: a <= b", "bound: 0.25", "because: b - a = 1", "how: by hand", "scope: all, by induction"]),
        (
            REFUTED,
            [
                "Refuted: x & y < 1",
                "bound: 0.5",
                "fails at: x = 3; y = [0., 1., 2., 3.]",
                "holds when: x < 1",
                "scope: this instance",
            ],
        ),
        (
            UNDECIDED,
            ["Undecided: P = NP", "seen: years 54", "next step: wait", "because: nobody knows", "scope: this instance"],
        ),
    ],
    ids=["proved", "refuted", "undecided"],
)
def test_repr_says_everything_line_by_line(verdict, lines):
    shown = [" ".join(line.split()) for line in repr(verdict).splitlines()]
    assert shown == lines
    assert str(verdict) == repr(verdict)


def test_the_text_of_a_bound_goes_before_its_float():
    shown = repr(proved("a", bound=1e-300, bound_text="at most 1e-300"))
    assert "at most 1e-300" in shown
    assert shown.count("1e-300") == 1


def test_a_large_counterexample_is_named_by_its_shape():
    assert "(5, 3)" in repr(refuted("a", counterexample={"keys": np.zeros((5, 3))}))


@pytest.mark.parametrize("make", [proved, refuted, hw.Undecided])
def test_html_is_escaped(make):
    shown = make("<b>&", reason="<script>alert('x')</script>", scope="<i>")._repr_html_()
    assert "&lt;b&gt;&amp;" in shown
    assert "&lt;script&gt;" in shown
    assert "&lt;i&gt;" in shown
    assert "<script" not in shown
    assert "<i>" not in shown


def test_html_escapes_what_each_kind_adds():
    assert "x &lt; 1" in REFUTED._repr_html_()
    bad = "<script>"
    kinds = [
        proved("a", bound_text=bad),
        refuted("a", counterexample={bad: bad}),
        hw.Undecided("a", next_step=bad, evidence={bad: bad}),
    ]
    for verdict in kinds:
        assert "&lt;script&gt;" in verdict._repr_html_()
        assert bad not in verdict._repr_html_()


@every_verdict
def test_to_dict_is_json(verdict):
    found = json.loads(json.dumps(verdict.to_dict()))
    assert found == verdict.to_dict()
    assert (found["status"], found["claim"], found["scope"]) == (verdict.status, verdict.claim, verdict.scope)


def test_to_dict_has_what_each_kind_adds():
    assert PROVED.to_dict()["bound"] == "0.25"
    assert REFUTED.to_dict()["fails_at"].startswith("x = 3; y = ")
    assert REFUTED.to_dict()["holds_when"] == "x < 1"
    assert UNDECIDED.to_dict()["next_step"] == "wait"
    assert "because" not in REFUTED.to_dict()  # nothing empty is written


@every_verdict
def test_table_has_two_columns_of_one_length(verdict):
    table = verdict.table()
    assert list(table) == ["part", "text"]
    assert len(table["part"]) == len(table["text"])
    rows = dict(zip(table["part"], table["text"], strict=True))
    told = verdict.to_dict()
    assert told.pop("bound_value") == getattr(verdict, "bound", None)
    assert {name.replace(" ", "_"): text for name, text in rows.items()} == told


@pytest.mark.parametrize("bound", [float("nan"), float("inf"), -float("inf"), np.float64("nan"), np.inf])
@pytest.mark.parametrize("make", [proved, refuted])
def test_a_bound_is_finite(make, bound):
    with pytest.raises(ValueError, match="`bound`"):
        make("a <= b", bound=bound)


@pytest.mark.parametrize(("kind", "name"), [("reads-out", "bound"), ("low-rank", "error")])
def test_a_bound_beyond_float64_is_told_in_words_alone(kind, name):
    verdict = dataclasses.replace(CLAIMS[kind], **{name: Fraction(10) ** 400}).prove()
    assert verdict.status == "proved"
    assert verdict.bound is None
    assert "1e400" in verdict.bound_text


@pytest.mark.parametrize(("gap", "status"), [("1e390", "proved"), ("1e410", "refuted")])
def test_a_gap_beyond_float64_is_bounded_by_what_float64_holds(gap, status):
    verdict = hw.certify([[1e200], [0.0]], [1e200], hw.Top(0), gap=gap)
    assert verdict.status == status
    assert verdict.bound is None or np.isfinite(verdict.bound)


def test_what_a_verdict_holds_is_closed():
    point = np.arange(3.0)
    found = refuted("x < 1", counterexample={"x": point, "inner": [{"y": point[1:]}]})
    seen = {"defects": [point]}
    undecided = hw.Undecided("x < 1", evidence=seen)
    point[:] = 7
    seen.clear()
    assert found.counterexample["x"].tolist() == [0, 1, 2]
    assert found.counterexample["inner"][0]["y"].tolist() == [1, 2]
    assert undecided.evidence["defects"][0].tolist() == [0, 1, 2]
    for held in (found.counterexample, found.counterexample["inner"][0], undecided.evidence):
        with pytest.raises(TypeError):
            held["x"] = 1
    with pytest.raises(ValueError, match="read-only"):
        found.counterexample["x"][0] = 5


def is_a_part(value):
    """Whether a counterexample may hold this value, by the type `Counterexample`."""
    if isinstance(value, FrozenMap):
        return all(isinstance(name, str) and is_a_part(part) for name, part in value.items())
    if type(value) is tuple:
        return all(type(entry) in (int, float) for entry in value)
    return type(value) in (int, float, str, Fraction, np.ndarray)


def test_counterexamples_hold_what_their_type_says():
    points = [verdict.counterexample for claim in CLAIMS.values() if isinstance(verdict := claim.prove(), hw.Refuted)]
    assert len(points) >= 5
    for point in points:
        assert isinstance(point, FrozenMap)
        assert is_a_part(point), point
