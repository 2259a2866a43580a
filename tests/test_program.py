"""Programs: what every step and selector means, on words of any kind, and clear errors for what is not a program."""

import copy
import itertools
import json
import pickle
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.theories.programs.meaning import Undefined
from headwright.theories.programs.steps import Atom, Step, Sum, WrittenProgram
from headwright.theories.programs.text import read, written
from tests.second_opinion_refusals import run as run_again


def program(length=6, **options):
    return hw.Program("abc", length=length, **options)


def number(p):
    return p.map({"a": 0, "b": 1, "c": 5}, p.tokens)


# name: (whether it is causal, the register, a word, its values)
MEANINGS = {
    "tokens": (False, lambda p: p.tokens, "acb", ["a", "c", "b"]),
    "indices": (False, lambda p: p.indices, "acb", [0, 1, 2]),
    "count all": (False, lambda p: p.count(), "acb", [3, 3, 3]),
    "count all, causal": (True, lambda p: p.count(), "acb", [1, 2, 3]),
    "count equal": (False, lambda p: p.count(p.tokens.matches(p.tokens)), "abaa", [3, 1, 3, 3]),
    "count equal, causal": (True, lambda p: p.count(p.tokens.matches(p.tokens)), "abaa", [1, 1, 2, 3]),
    "count below": (False, lambda p: p.count(p.tokens.below(p.tokens)), "bac", [1, 0, 2]),
    "count below a token": (False, lambda p: p.count(p.tokens.below("b")), "bac", [1, 1, 1]),
    "count below a number": (False, lambda p: p.count(p.indices.below(2)), "bac", [2, 2, 2]),
    "count below a half": (False, lambda p: p.count(p.indices.below(0.5)), "bac", [1, 1, 1]),
    "count among": (False, lambda p: p.count(p.tokens.among("ac")), "bac", [2, 2, 2]),
    "count among none": (False, lambda p: p.count(p.tokens.among([])), "bac", [0, 0, 0]),
    "count before": (False, lambda p: p.count(p.before()), "bac", [1, 2, 3]),
    "count at": (False, lambda p: p.count(p.at(p.indices + 1)), "bac", [1, 1, 0]),
    "count at a half of an even number": (False, lambda p: p.count(p.at(2 * p.indices)), "bac", [1, 1, 0]),
    "two selectors": (False, lambda p: p.count(p.before() & p.tokens.matches(p.tokens)), "abaa", [1, 1, 2, 3]),
    "three selectors": (
        False,
        lambda p: p.count(p.before() & p.tokens.among("ab") & p.indices.below(2)),
        "cbaa",
        [0, 1, 1, 1],
    ),
    "mean": (False, lambda p: p.mean(None, number(p)), "abc", [2, 2, 2]),
    "mean of a prefix": (False, lambda p: p.mean(p.before(), number(p)), "bac", [1, Fraction(1, 2), 2]),
    "mean of means": (False, lambda p: p.mean(None, p.mean(p.before(), number(p))), "ba", [Fraction(3, 4)] * 2),
    "pick": (False, lambda p: p.pick(p.at(p.length() - 1 - p.indices), p.tokens), "abcc", ["c", "c", "b", "a"]),
    "pick of equal values": (False, lambda p: p.pick(p.tokens.matches(p.tokens), p.tokens), "aba", ["a", "b", "a"]),
    "pick by default": (False, lambda p: p.pick(p.at(p.indices - 1), p.tokens, default="none"), "ab", ["none", "a"]),
    "pick of a mean": (False, lambda p: p.pick(p.at(0), p.mean(p.before(), number(p))), "ba", [1, 1]),
    "last": (False, lambda p: p.last(p.tokens.matches(p.tokens), p.indices), "abab", [2, 3, 2, 3]),
    "last, causal": (True, lambda p: p.last(p.tokens.matches(p.tokens), p.indices), "abab", [0, 1, 2, 3]),
    "last by default": (False, lambda p: p.last(p.tokens.among("c"), p.indices, default=-1), "ab", [-1, -1]),
    "length": (False, lambda p: p.length(), "abab", [4, 4, 4, 4]),
    "at most": (False, lambda p: p.indices <= 1, "abc", [1, 1, 0]),
    "at least": (False, lambda p: p.indices >= 1, "abc", [0, 1, 1]),
    "less": (False, lambda p: p.indices < 1, "abc", [1, 0, 0]),
    "more": (False, lambda p: p.indices > 1, "abc", [0, 0, 1]),
    "compared with a register": (False, lambda p: p.indices <= number(p), "abc", [1, 1, 1]),
    "a number in front": (False, lambda p: 1 - p.indices <= 0, "abc", [0, 1, 1]),
    "a mean compared": (False, lambda p: p.mean(p.before(), number(p)) >= "1/2", "aba", [0, 1, 0]),
    "sign": (False, lambda p: p.sign(p.indices - 1), "abc", [-1, 0, 1]),
    "sign of a sum": (False, lambda p: p.sign(-p.indices + number(p) * 2 - Fraction(1, 2)), "abc", [-1, 1, 1]),
    "a factor of 0": (False, lambda p: p.sign(0 * p.indices + p.indices), "ab", [0, 1]),
    "map": (False, lambda p: p.map(str.upper, p.tokens), "abc", ["A", "B", "C"]),
    "map of two": (False, lambda p: p.map(lambda t, i: f"{t}{i % 2}", p.tokens, p.indices), "aab", ["a0", "a1", "b0"]),
    "map by a table of pairs": (
        False,
        lambda p: p.map({(t, i): i for t in "abc" for i in range(6)}, p.tokens, p.indices),
        "ba",
        [0, 1],
    ),
    "map to truth": (False, lambda p: p.map(lambda token: token == "a", p.tokens), "ab", [1, 0]),
    "map to NumPy's numbers": (False, lambda p: p.map(lambda i: np.int64(i) ** 2, p.indices), "abc", [0, 1, 4]),
    "a map of a map": (False, lambda p: p.map(lambda x, c: x * c, number(p), p.count()), "bc", [2, 10]),
}


@pytest.mark.parametrize("name", MEANINGS)
def test_what_steps_mean(name):
    causal, make, word, values = MEANINGS[name]
    p = program(causal=causal)
    output = make(p)
    assert p.run(word, output) == values
    assert run_again(p.to_dict(), list(word), output.number) == values


@pytest.mark.parametrize("name", MEANINGS)
def test_every_program_comes_back_from_json(name):
    causal, make, _, _ = MEANINGS[name]
    p = program(causal=causal)
    make(p)
    again = read(json.loads(json.dumps(p.to_dict())))
    assert again == p.written()
    assert written(again) == p.to_dict()


@pytest.mark.parametrize("name", MEANINGS)
def test_values_lie_where_the_register_says(name):
    causal, make, _, _ = MEANINGS[name]
    p = program(length=3, causal=causal) if "pairs" not in name else program()
    output = make(p)
    known = p.written().values[output.number]
    for word in itertools.chain.from_iterable(itertools.product("abc", repeat=size) for size in (1, 2, 3)):
        try:
            values = p.run(word, output)
        except Undefined:
            continue
        for value in values:
            assert known.labels is None or value in known.labels
            assert not known.numeric or known.low <= value <= known.high


def test_tokens_of_several_letters():
    p = hw.Program(["one", "two"], length=3)
    assert p.run(["two", "one"], p.count(p.tokens.below(p.tokens))) == [1, 0]
    turned = hw.Program(["two", "one"], length=3)  # "below" means the order of the vocabulary
    assert turned.run(["two", "one"], turned.count(turned.tokens.below(turned.tokens))) == [0, 1]
    assert turned.run(["two", "one"], turned.count(turned.tokens.below("one"))) == [1, 1]
    with pytest.raises(TypeError, match="`word`"):
        p.run("one", p.tokens)


def test_matching_the_index_is_the_step_at():
    p, q = program(), program()
    one, other = p.count(p.indices.matches(number(p))), q.count(q.at(number(q)))
    assert p.written() == q.written()
    assert p.run("abc", one) == q.run("abc", other) == [1, 1, 0]


def test_matching_the_index_with_labels_that_are_no_numbers():
    p = program()
    place = p.last(p.tokens.among("c"), p.indices, default="none")
    assert p.run("ab", p.count(p.indices.matches(place))) == [0, 0]
    assert p.run("ac", p.count(p.indices.matches(place))) == [1, 1]


UNDEFINED = {
    "no key for a mean": (lambda p: p.mean(p.tokens.among("c"), p.indices), "ab", 0, ()),
    "no key for a pick": (lambda p: p.pick(p.at(p.indices - 1), p.tokens), "ab", 0, ()),
    "no key for a last": (lambda p: p.last(p.at(p.indices + 1), p.tokens), "ab", 1, ()),
    "values that differ": (lambda p: p.pick(p.before(), p.tokens), "aab", 2, ("a", "b")),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_where_a_program_is_undefined(name):
    make, word, position, values = UNDEFINED[name]
    p = program()
    output = make(p)
    with pytest.raises(Undefined) as caught:
        p.run(word, output)
    undefined = caught.value
    assert (undefined.position, undefined.values) == (position, values)
    assert (undefined.word, undefined.register) == (tuple(word), output.number)
    moved = pickle.loads(pickle.dumps(undefined))
    assert (str(moved), moved.word, moved.values) == (str(undefined), undefined.word, undefined.values)
    assert isinstance(undefined, ValueError)
    assert run_again(p.to_dict(), list(word), output.number) is None


def test_what_an_output_does_not_need_may_be_undefined():
    p = program()
    p.pick(None, p.tokens)
    assert p.run("ab", p.count()) == [2, 2]


OTHER = program()
BAD = {
    "no vocabulary": (lambda p: hw.Program("", length=3), "vocabulary"),
    "an empty token": (lambda p: hw.Program(["a", ""], length=3), "vocabulary"),
    "a number for a token": (lambda p: hw.Program(["a", 1], length=3), "vocabulary"),
    "a number for a vocabulary": (lambda p: hw.Program(3, length=3), "vocabulary"),
    "a token twice": (lambda p: hw.Program("aba", length=3), "vocabulary"),
    "no length": (lambda p: hw.Program("ab", length=0), "length"),
    "a negative length": (lambda p: hw.Program("ab", length=-2), "length"),
    "a length that is not whole": (lambda p: hw.Program("ab", length=2.5), "length"),
    "a text for a length": (lambda p: hw.Program("ab", length="3"), "length"),
    "a text for causal": (lambda p: hw.Program("ab", length=3, causal="yes"), "causal"),
    "length of a causal program": (lambda p: program(causal=True).length(), "length"),
    "an unknown label": (lambda p: p.tokens.among("az"), "chosen"),
    "a number among tokens": (lambda p: p.tokens.among([1]), "chosen"),
    "a float among numbers": (lambda p: p.indices.among([1.0]), "chosen"),
    "a number for labels": (lambda p: p.indices.among(1), "chosen"),
    "an unknown label to be below": (lambda p: p.tokens.below("z"), "other"),
    "below a label without an order": (lambda p: p.map(str.upper, p.tokens).below("A"), "other"),
    "below with text and numbers": (lambda p: p.tokens.below(p.indices), "below"),
    "below with text that is no token": (lambda p: (lambda x: x.below(x))(p.map(str.upper, p.tokens)), "below"),
    "below a mean": (lambda p: p.tokens.below(p.mean(None, p.indices)), "below"),
    "matching a mean": (lambda p: p.mean(None, p.indices).matches(p.indices), "matches"),
    "at a mean": (lambda p: p.at(p.mean(None, p.indices)), "at"),
    "at a text": (lambda p: p.at(p.tokens), "tokens"),
    "at a half": (lambda p: p.at(p.indices * 0.5), "at"),
    "at a text for a number": (lambda p: p.at("first"), "index"),
    "at nan": (lambda p: p.at(float("nan")), "index"),
    "a register for a selector": (lambda p: p.count(p.tokens), "keys"),
    "a comparison for a selector": (lambda p: p.count(p.indices <= 3), "keys"),
    "a selector of another program": (lambda p: p.count(OTHER.before()), "keys"),
    "selectors of two programs": (lambda p: p.before() & OTHER.before(), "keys"),
    "a selector and a number": (lambda p: p.before() & 3, "&"),
    "selectors joined by and": (lambda p: p.count(p.before() and p.at(0)), "a & b"),
    "a register of another program": (lambda p: p.mean(None, OTHER.indices), "of"),
    "matching another program": (lambda p: p.tokens.matches(OTHER.tokens), "mine"),
    "matching a token": (lambda p: p.tokens.matches("a"), "mine"),
    "adding another program": (lambda p: p.indices + OTHER.indices, "other"),
    "a mean of text": (lambda p: p.mean(None, p.tokens), "of"),
    "a mean of nothing": (lambda p: p.mean(None, None), "of"),
    "a default of a mean": (lambda p: p.pick(None, p.mean(None, p.indices), default=3), "default"),
    "a default that is no label": (lambda p: p.pick(None, p.tokens, default=1.5), "default"),
    "a list for a default": (lambda p: p.last(None, p.tokens, default=["a"]), "default"),
    "arithmetic with text": (lambda p: p.tokens + 1, "tokens"),
    "a register times a register": (lambda p: p.indices * p.indices, "factor"),
    "a text as a factor": (lambda p: p.indices * "x", "factor"),
    "a sign of text": (lambda p: p.sign(p.tokens), "tokens"),
    "a sign of a number": (lambda p: p.sign(3), "sign"),
    "a comparison that cancels": (lambda p: p.indices <= p.indices, "compare"),
    "a comparison of means of means": (lambda p: p.mean(None, p.mean(None, p.indices)) >= 1, "compare"),
    "a chain of comparisons": (lambda p: 0 <= p.indices <= 3, "a <= b"),
    "equality": (lambda p: p.indices == 3, "a == b"),
    "inequality": (lambda p: p.indices != 3, "a == b"),
    "a map of nothing": (lambda p: p.map(lambda: 1), "map"),
    "a map of a mean": (lambda p: p.map(lambda x: 1, p.mean(None, p.indices)), "map"),
    "a map that misses a label": (lambda p: p.map({"a": 1, "b": 2}, p.tokens), "'c'"),
    "a map that misses a pair": (
        lambda p: p.map({(a, b): 1 for a in "abc" for b in "ab"}, p.tokens, p.map(lambda token: token, p.tokens)),
        r"\('a', 'c'\)",
    ),
    "a map to a float": (lambda p: p.map(lambda token: 0.5, p.tokens), "function"),
    "a map to nothing": (lambda p: p.map(lambda token: None, p.tokens), "function"),
    "a map to a huge number": (lambda p: p.map(lambda token: 2**60, p.tokens), "function"),
    "a map that is no map": (lambda p: p.map("abc", p.tokens), "function"),
    "too large a map": (lambda p: p.map(lambda *of: 0, *[p.map(lambda i: i, p.indices) for _ in range(8)]), "map"),
    "an empty word": (lambda p: p.run("", p.tokens), "word"),
    "too long a word": (lambda p: p.run("abcabca", p.tokens), "word"),
    "an unknown token": (lambda p: p.run("abz", p.tokens), "word"),
    "numbers for a word": (lambda p: p.run([0, 1], p.tokens), "word"),
    "a number for a word": (lambda p: p.run(3, p.tokens), "word"),
    "a number for an output": (lambda p: p.run("ab", 0), "output"),
    "an output of another program": (lambda p: p.run("ab", OTHER.tokens), "output"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_named(name):
    make, named = BAD[name]
    with pytest.raises(
        (ValueError, TypeError), match=named if named.startswith(("\\", "'", "a ", "&")) else f"`{named}"
    ):
        make(program())


def test_a_refused_step_is_not_added():
    p = program()
    with pytest.raises(ValueError, match="`of`"):
        p.mean(None, p.tokens)
    assert len(p.written().steps) == 0
    assert p.count().number == 2


def test_a_map_is_asked_once_for_each_combination():
    asked = []
    p = program(length=2)
    p.map(lambda *labels: asked.append(labels) or 0, p.tokens, p.indices)
    assert asked == list(itertools.product("abc", range(2)))


@pytest.mark.parametrize("move", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_programs_and_registers_travel_together(move):
    p = program()
    output = p.count(p.tokens.matches(p.tokens))
    q, again = move((p, output))
    assert q.run("aba", again) == p.run("aba", output)
    assert q.written() == p.written()
    q.length()
    assert len(p.written().steps) == 1
    alone = move(output)
    assert alone.program.run("aba", alone) == [2, 1, 2]
    with pytest.raises(ValueError, match="`output`"):
        p.run("aba", alone)


def test_a_copy_goes_its_own_way():
    p = program()
    p.count()
    q = copy.copy(p)
    q.length()
    assert (len(p.written().steps), len(q.written().steps)) == (1, 2)


def test_what_programs_show():
    p = program()
    output = p.count(p.tokens.matches(p.tokens) & p.before())
    table = p.table()
    assert table["register"] == ["tokens", "indices", f"count#{output.number}"]
    assert table["reads"] == ["", "", "tokens, indices"]
    assert len(table["values"]) == 3
    assert "6" in repr(p)
    assert "count#2" in repr(output)
    assert "2·indices" in repr(2 * p.indices - 1)
    assert "count#2" in p._repr_html_()


@pytest.mark.parametrize(
    "changed",
    [
        {"vocabulary": "ab"},
        {"vocabulary": []},
        {"length": 0},
        {"length": True},
        {"causal": 1},
        {"steps": {}},
        {"steps": [{"kind": "length", "select": []}]},
        {"steps": [{"kind": "sort"}]},
        {"steps": [{"kind": ["count"]}]},
        {"steps": [{"kind": "count"}]},
        {"steps": [{"kind": "count", "select": [{"kind": "matches", "key": 0, "mine": 2}]}]},
        {"steps": [{"kind": "count", "select": [{"kind": "matches", "key": 0, "mine": -1}]}]},
        {"steps": [{"kind": "count", "select": [{"kind": "matches", "key": 0}]}]},
        {"steps": [{"kind": "count", "select": [{"kind": "at", "index": ["1/2"]}]}]},
        {"steps": [{"kind": "count", "select": [{"kind": "at", "index": ["0", [1, "1"], [1, "1"]]}]}]},
        {"steps": [{"kind": "count", "select": [{"kind": "at", "index": ["0", [1, "0"]]}]}]},
        {"steps": [{"kind": "pick", "of": [0], "select": [], "default": 1.5}]},
        {"steps": [{"kind": "pick", "of": [0, 1], "select": [], "default": None}]},
        {"steps": [{"kind": "map", "of": [0], "table": ["x"]}]},
        {"steps": [{"kind": "compare", "sum": ["0", [1, "1"]], "strict": 0}]},
        {"steps": [{"kind": "compare", "sum": ["0"], "strict": False}]},
        {"more": 1},
    ],
)
def test_what_is_no_stored_program_is_refused(changed):
    said = {"vocabulary": ["a", "b"], "length": 3, "causal": False, "steps": []}
    assert read(said) == WrittenProgram(("a", "b"), 3, False, ())
    with pytest.raises((ValueError, TypeError, KeyError)):
        read(said | changed)


def test_stored_programs_that_nobody_writes_are_refused():
    for step in (
        Step("count", select=(Atom("matches", key=0, mine=5),)),
        Step("mean", (0,)),
        Step("map", (0,), table=("x", "y", 1.5)),
        Step("sign", sum=Sum(((0, Fraction(1)),))),
    ):
        with pytest.raises((ValueError, TypeError)):
            WrittenProgram(("a", "b", "c"), 3, False, (step,))
