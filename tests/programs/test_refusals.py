"""Refusals of programs: what carries a proof, and what speaks of this program or of this search only."""

import copy
import pickle

import numpy as np
import pytest

import headwright as hw
from headwright.search.compile.refusals import (
    longest_proved,
    refuse_causal,
    refuse_feature,
    refuse_layers,
    refuse_rank,
    refuse_type,
)
from tests.facts import says


def program(length=9, **options):
    p = hw.Program("ab", length=length, **options)
    return p, p.map({"a": 0, "b": 1}, p.tokens)


def refused(kind, function, *given, **options):
    with pytest.raises(kind) as caught:
        function(*given, **options)
    return caught.value


def test_a_program_that_needs_later_tokens():
    p, number = program()
    refusal = refused(hw.Unreachable, refuse_causal, p, p.mean(None, number), error="0.25")
    record = refusal.verdict.record
    assert refusal.verdict.status == "proved"
    assert refusal.verdict.bound > 0.25
    assert says(refusal.reason, "".join(record.first), "".join(record.second), record.position)
    assert record.prove().status == "proved"
    assert "causal" in refusal._repr_html_()


def test_a_program_without_two_words():
    p, number = program()
    refusal = refused(hw.NotFound, refuse_causal, p, p.mean(p.before(), number))
    assert says(refusal.reason, "`causal=True`", "mean#3")


@pytest.mark.parametrize("move", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_refusals_travel(move):
    p, number = program()
    refusal = refused(hw.Unreachable, refuse_causal, p, p.mean(None, number))
    moved = move(refusal)
    assert moved.reason == refusal.reason
    assert moved.verdict.record.first == refusal.verdict.record.first


SELECTORS = {
    "before": (lambda p: p.before(), True),
    "before and my token": (lambda p: p.before() & p.tokens.matches(p.tokens), True),
    "before and a token": (lambda p: p.before() & p.tokens.among("a"), True),
    "before, and tokens that exclude each other": (
        lambda p: p.before() & p.tokens.among("a") & p.tokens.among("b"),
        False,
    ),
    "before and at": (lambda p: p.before() & p.at(3), False),
    "before and below": (lambda p: p.before() & p.tokens.below(p.tokens), False),
    "all": (lambda p: None, False),
    "at": (lambda p: p.at(p.indices - 1), False),
}


@pytest.mark.parametrize("step", ["mean", "count"])
@pytest.mark.parametrize("name", SELECTORS)
def test_prefixes_without_a_mask_need_a_rank(name, step):
    select, needs = SELECTORS[name]
    p, number = program()
    output = p.count(select(p)) if step == "count" else p.mean(select(p), number)
    assert refuse_rank(p, output, 8) is None
    if not needs:
        assert refuse_rank(p, output, 1) is None
        return
    refusal = refused(hw.NotFound, refuse_rank, p, output, 7)
    assert says(
        refusal.reason, f"{step}#{output.number}", "exactly equal", 8, "`rank` is 7", "no proof", "`causal=True`"
    )


@pytest.mark.parametrize("step", ["pick", "last"])
def test_what_needs_no_equal_scores_needs_no_rank(step):
    p, number = program()
    assert refuse_rank(p, getattr(p, step)(p.before(), number, default=0), 1) is None


def test_a_mask_needs_no_rank():
    p, number = program(causal=True)
    assert refuse_rank(p, p.mean(p.before(), number), 0) is None


def test_a_prefix_that_the_output_does_not_need():
    p, number = program()
    p.mean(p.before(), number)
    assert refuse_rank(p, p.mean(None, number), 1) is None


def test_a_prefix_that_the_output_needs_through_another_step():
    p, number = program()
    output = p.mean(p.before(), number) >= "1/2"
    assert says(refused(hw.NotFound, refuse_rank, p, output, 1).reason, "mean#3")


def test_compile_refuses_too_small_a_rank():
    p, number = program()
    output = p.mean(p.before(), number)
    assert says(refused(hw.NotFound, hw.compile, p, output, rank=7).reason, "mean#3", 8, "`rank` is 7")


def test_nearly_equal_scores_need_less():
    """Rank 1 comes near: the refusal is about exact equality, and says so."""
    n, beta, c = 12, np.log(30_000), 0.001
    place = np.arange(n)
    weights = np.exp(-c * np.outer(np.exp(-beta * place), np.exp(beta * place)))
    weights /= weights.sum(axis=1, keepdims=True)
    assert np.abs(weights - np.tri(n) / (place[:, None] + 1)).sum(axis=1).max() < 0.002


def test_a_bad_rank():
    p, number = program()
    with pytest.raises(ValueError, match="`rank`"):
        refuse_rank(p, number, -1)


def test_too_few_layers():
    assert refuse_layers(["count#2"], 1) is None
    assert refuse_layers([], 0) is None
    refusal = refused(hw.NotFound, refuse_layers, ["length#2", "pick#3", "map#4"], 2)
    assert says(refusal.reason, 3, "length#2, pick#3, map#4", "`layers`", "Another program")
    with pytest.raises(ValueError, match="`layers`"):
        refuse_layers(["count#2"], -1)


def test_a_type_that_is_too_narrow():
    tried = []

    def proves(dtype, length):
        tried.append((dtype, length))
        return dtype == "float64" or length <= 123

    refusal = refused(hw.NotFound, refuse_type, "count#2", "float32", 400, proves, bound=0.61, needed=0.5)
    assert says(refusal.reason, "count#2", "float32", "float64", 400, 123, 0.61, 0.5)
    assert len(tried) <= 11


def test_no_type_and_no_length():
    refusal = refused(hw.NotFound, refuse_type, "pick#3", "float64", 2, lambda *_: False, bound=9.0, needed=0.5)
    assert says(refusal.reason, "pick#3", "float64", "no length")
    assert "real" not in refusal.reason


@pytest.mark.parametrize("longest", [0, 1, 2, 57, 98, 99])
def test_bisection_finds_the_longest(longest):
    assert longest_proved(100, lambda size: size <= longest) == longest


def places(p):
    return p.map(lambda i: i, p.indices)


def counted(p):
    return p.count(p.tokens.among("a"))


# What cannot be compiled, what the refusal names, and what it says to write instead.
FEATURES = {
    "count at": (
        lambda p: p.count(p.at(p.indices - 1)),
        ("counts", "`at`", "above 1"),
        lambda p: p.count(places(p).matches(p.map(lambda i: i - 1, p.indices))),
    ),
    "count by a computed index": (
        lambda p: p.count(p.indices.matches(counted(p))),
        ("counts", "`at`"),
        lambda p: p.count(places(p).matches(counted(p))),
    ),
    "a computed index with a default": (
        lambda p: p.pick(p.at(counted(p)), p.tokens, default="?"),
        ("default", "computed", "`at`"),
        lambda p: p.pick(places(p).matches(counted(p)), p.tokens, default="?"),
    ),
    "two conditions and a default": (
        lambda p: p.pick(p.at(p.indices - 1) & p.tokens.among("a"), p.tokens, default="?"),
        ("default", "another condition"),
        lambda p: p.pick(
            places(p).matches(p.map(lambda i: i - 1, p.indices)) & p.tokens.among("a"), p.tokens, default="?"
        ),
    ),
    "the last key of an index": (
        lambda p: p.last(p.at(p.indices - 1), p.tokens, default="?"),
        ("default", "last"),
        lambda p: p.last(places(p).matches(p.map(lambda i: i - 1, p.indices)), p.tokens, default="?"),
    ),
    "no key": (
        lambda p: p.count(p.tokens.matches(p.map(lambda token: "z", p.tokens))),
        ("no key", "`matches`", "lambda token: 0"),
        lambda p: p.map(lambda token: 0, p.tokens),
    ),
    "an index that no word has": (
        lambda p: p.pick(p.at(p.indices + 4), p.tokens, default="?"),
        ("no key", "`at`", "lambda token: '?'"),
        lambda p: p.map(lambda token: "?", p.tokens),
    ),
    "nothing to average": (
        lambda p: p.mean(p.tokens.matches(p.map(lambda token: "z", p.tokens)), p.indices),
        ("no key", "undefined"),
        None,
    ),
    "a comparison that always holds": (
        lambda p: counted(p) + 1 > 0,
        ("every word", "lambda token: 1"),
        lambda p: p.map(lambda token: 1, p.tokens),
    ),
    "what reads such a comparison": (
        lambda p: p.last((counted(p) > 9).matches(p.indices) & p.tokens.among("a"), p.tokens, default="?"),
        ("depends on compare#3", "every word"),
        None,
    ),
    "a sign": (
        lambda p: p.sign(counted(p) - 9),
        ("every word", "lambda token: -1"),
        lambda p: p.map(lambda token: -1, p.tokens),
    ),
    "a sign that is never -1": (
        lambda p: p.sign(counted(p)),
        ("-1 in no word", "`p.map(lambda more: int(more), s > 0)`"),
        lambda p: p.map(lambda more: int(more), counted(p) > 0),
    ),
    "a sign that is never 0": (
        lambda p: p.sign(2 * counted(p) - 3),
        ("0 in no word", "`p.map(lambda more: 2 * int(more) - 1, s > 0)`"),
        lambda p: p.map(lambda more: 2 * int(more) - 1, 2 * counted(p) - 3 > 0),
    ),
    "a sign that is never 1": (
        lambda p: p.sign(counted(p) - 4),
        ("1 in no word", "`p.map(lambda none: int(none) - 1, s >= 0)`"),
        lambda p: p.map(lambda none: int(none) - 1, counted(p) - 4 >= 0),
    ),
}


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_that_cannot_be_compiled_is_named_and_no_shorter_length_is_tried(name, monkeypatch):
    make, said, instead = FEATURES[name]
    monkeypatch.setattr("headwright.search.compile.refusals.longest_proved", lambda *_: pytest.fail("a search"))
    p = hw.Program("ab", length=4)
    refusal = refused(hw.NotFound, hw.compile, p, make(p))
    assert says(refusal.reason, "cannot be compiled at", *said)
    if instead is not None:
        p, same = hw.Program("ab", length=4), hw.Program("ab", length=4)
        wanted, output = make(p), instead(same)
        model = hw.compile(same, output)
        assert model.verdict.status == "proved"
        assert all(model(word) == p.run(word, wanted) for word in ("a", "ba", "abb", "bbba"))


def test_a_feature_at_length_1():
    p = hw.Program("ab", length=1)
    assert says(
        refused(hw.NotFound, hw.compile, p, p.count(p.at(0))).reason, "cannot be compiled at this length: it counts"
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda p: p.count(p.tokens.matches(p.tokens)),
        lambda p: p.pick(p.at(0) & p.before(), p.tokens, default="?"),
        lambda p: p.pick(p.at(p.indices - 2), p.tokens, default="?"),
        lambda p: counted(p) > 3,
        lambda p: p.sign(counted(p) - 1),
        lambda p: p.tokens,
    ],
)
def test_a_step_that_may_be_proved_for_shorter_words_is_left_to_the_search(make):
    p = hw.Program("ab", length=4)
    assert refuse_feature(p, make(p).number, lambda *_: True) is None
