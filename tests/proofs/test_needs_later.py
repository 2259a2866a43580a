"""Programs that need later tokens: the witness proves it if and only if the two outputs differ, whoever runs the program."""

import itertools
from fractions import Fraction

import pytest

import headwright as hw
from headwright.theories.programs.needs_later import NeedsLater
from headwright.words.program import Program
from tests.second_opinion import judge


def claim(program, output, position, first, second):
    return NeedsLater(program.written(), output.number, position, first, second)


def histogram():
    p = Program("ab", length=6)
    return p, p.count(p.tokens.matches(p.tokens))


def test_two_words_that_differ_later():
    p, output = histogram()
    verdict = claim(p, output, 1, "ab", "abbbb").prove()
    assert (verdict.status, verdict.bound) == ("proved", 1.5)
    assert verdict.record.values() == (1, 4)
    assert verdict.record.first == ("a", "b")


def test_the_error_is_half_of_the_difference():
    p = Program("ab", length=3)
    mean = p.mean(None, p.map({"a": 0, "b": 1}, p.tokens))
    verdict = claim(p, mean, 0, "a", "aab").prove()
    assert verdict.status == "proved"
    assert Fraction(verdict.bound) <= Fraction(1, 6) < Fraction(verdict.bound) + Fraction(1, 2**50)


def test_texts_have_no_bound():
    p = Program("ab", length=3)
    verdict = claim(p, p.last(None, p.tokens), 0, "ab", "aba").prove()
    assert (verdict.status, verdict.bound) == ("proved", None)


def test_equal_outputs_decide_nothing():
    p, output = histogram()
    assert claim(p, output, 1, "abbb", "abbb").prove().status == "undecided"
    assert claim(p, output, 0, "abb", "ab").prove().status == "undecided"


def test_a_difference_elsewhere_decides_nothing():
    p, output = histogram()
    assert claim(p, output, 0, "abb", "abbb").prove().status == "undecided"  # position 1 differs, and 0 is asked for


def test_a_causal_program_needs_nothing_later():
    p = Program("ab", length=4, causal=True)
    output = p.count(p.tokens.matches(p.tokens))
    for first, second in itertools.product(map("".join, itertools.product("ab", repeat=4)), repeat=2):
        if first[:2] == second[:2]:
            assert claim(p, output, 1, first, second).prove().status == "undecided"


@pytest.mark.parametrize("first", ["abb", "a"])
def test_undefined_words_decide_nothing(first):
    p = Program("ab", length=4)
    output = p.pick(None, p.tokens)  # 'ab' has none
    verdict = claim(p, output, 0, first, "ab").prove()
    assert verdict.status == "undecided"
    assert "undefined" in verdict.reason


def test_what_is_not_needed_may_be_undefined():
    p = Program("ab", length=4)
    p.pick(None, p.tokens)
    output = p.count(p.tokens.among("b"))
    assert claim(p, output, 0, "ab", "a").prove().status == "proved"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"position": 2}, "position"),
        ({"position": -1}, "position"),
        ({"position": True}, "position"),
        ({"first": ""}, "first"),
        ({"first": "abbbbbb"}, "first"),
        ({"second": "az"}, "second"),
        ({"second": ["a", 3]}, "second"),
        ({"second": 3}, "second"),
        ({"second": "bb"}, "second"),
        ({"output": 3}, "output"),
        ({"output": -1}, "output"),
        ({"program": histogram()[0]}, "program"),
    ],
)
def test_bad_claims_are_refused(given, named):
    p, output = histogram()
    good = {"program": p.written(), "output": output.number, "position": 0, "first": "ab", "second": "aa"}
    with pytest.raises((ValueError, TypeError), match=f"`{named}`"):
        NeedsLater(**{**good, **given})


def test_words_of_several_letters():
    p = Program(["one", "two"], length=4)
    verdict = claim(p, p.count(), 0, ["one"], ["one", "two"]).prove()
    assert verdict.status == "proved"
    assert verdict.record.second == ("one", "two")


def test_a_saved_claim_is_proved_again(tmp_path):
    p, output = histogram()
    path = tmp_path / "claim.safetensors"
    hw.save(path, claim(p, output, 0, "ab", "aa").prove())
    again = hw.verify(path)
    assert (again.status, judge(path)) == ("proved", "true")
    assert again.record.program == p.written()


def test_a_budget_ends_the_run(tmp_path):
    p = Program("ab", length=100)
    path = tmp_path / "claim.safetensors"
    hw.save(path, claim(p, p.count(), 0, "a" * 99, "a" * 100).prove())
    assert hw.verify(path, budget=5e6).status == "undecided"
    assert hw.verify(path).status == "proved"
