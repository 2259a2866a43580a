"""The search for two words: it finds them where they are short, rare or long, and claims nothing where there are none."""

from fractions import Fraction

import pytest

from headwright.search.compile.causal_witness import causal_witness
from headwright.words.program import Program
from tests.second_opinion import judge


def found(program, output, **options):
    return causal_witness(program.written(), output.number, **options)


def numbers(p):
    return p.map(lambda token: int(token == "a"), p.tokens)


LATER = {
    "count": lambda p: p.count(p.tokens.matches(p.tokens)),
    "length": lambda p: p.length(),
    "reverse": lambda p: p.pick(p.at(p.length() - 1 - p.indices), p.tokens),
    "next": lambda p: p.pick(p.at(p.indices + 1), p.tokens, default="a"),
    "last": lambda p: p.last(None, p.tokens),
    "mean": lambda p: p.mean(None, numbers(p)),
    "most of a full word": lambda p: p.count(p.tokens.among("a")) >= 20,
    "the last place of a full word": lambda p: p.pick(p.at(19), p.tokens, default="none"),
    "a full word of two tokens": lambda p: p.map(
        lambda a, b: a >= 10 and b >= 10, p.count(p.tokens.among("a")), p.count(p.tokens.among("b"))
    ),
}
NEVER = {
    "tokens": lambda p: p.tokens,
    "prefix": lambda p: p.mean(p.before(), numbers(p)),
    "previous": lambda p: p.pick(p.at(p.indices - 1), p.tokens, default="a"),
    "last before": lambda p: p.last(p.before() & p.tokens.matches(p.tokens), p.indices),
    "constant words": lambda p: p.pick(None, p.tokens),
}


@pytest.mark.parametrize("name", LATER)
def test_two_words_are_found_and_proved(name):
    p = Program("abcd", length=20)
    verdict = found(p, LATER[name](p))
    assert verdict.status == "proved"
    assert judge(verdict.record) == "true"


@pytest.mark.parametrize("name", NEVER)
def test_nothing_is_claimed_of_programs_that_need_nothing_later(name):
    p = Program("abcd", length=9)
    assert found(p, NEVER[name](p)) is None


def test_short_words_come_first():
    p = Program("ab", length=50)
    assert {len(word) for word in (lambda r: (r.first, r.second))(found(p, LATER["count"](p)).record)} == {1, 2}


@pytest.mark.parametrize(("error", "known"), [("0.4", True), ("0.474", True), ("0.475", False), ("0.6", False)])
def test_means_must_differ_by_more_than_twice_the_error(error, known):
    p = Program("ab", length=20)  # a word's first token can move the mean from 1 to 1/20
    verdict = found(p, LATER["mean"](p), error=error)
    assert (verdict is not None) == known
    if known:
        assert verdict.bound > Fraction(error)


def test_labels_are_told_apart_whatever_the_error():
    p = Program("ab", length=5)
    assert found(p, LATER["count"](p), error=3).status == "proved"


def test_the_search_is_the_same_each_time():
    records = []
    for _ in range(2):
        p = Program("abcd", length=20)
        records.append(found(p, LATER["a full word of two tokens"](p), seed=3).record)
    assert records[0].fields() == records[1].fields()


def test_one_token_and_one_place():
    p = Program("a", length=1)
    assert found(p, p.count()) is None
    p = Program("a", length=2)
    assert found(p, p.count()).record.second == ("a", "a")


@pytest.mark.parametrize(
    ("options", "named"), [({"error": -1}, "error"), ({"error": "x"}, "error"), ({"seed": -1}, "seed")]
)
def test_bad_options_are_refused(options, named):
    p = Program("ab", length=3)
    with pytest.raises((ValueError, TypeError), match=f"`{named}`"):
        found(p, p.tokens, **options)
