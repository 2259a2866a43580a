"""The answer that there is none: in many words, and never by accident."""

import pytest

from headwright.reading.formulas import says_none

NONE = [
    *("none", " None ", "None.", "no such q exists", "There is none.", "impossible", "It is impossible.", "∅", "No"),
    *("No such query exists", "there exists no such q", "q does not exist", "doesn’t exist", "it cannot be done"),
    *(r"\emptyset", r"$\varnothing$", "q = none", "None, because every weight is positive", "impossible for n ≥ 3"),
    *("Not possible (softmax is positive).", "no query can do this", '"none"', "there does not exist such a q"),
]


@pytest.mark.parametrize("text", NONE)
def test_words_for_none(text):
    assert says_none(text)


@pytest.mark.parametrize(
    "text",
    [
        *("not impossible", "none of these", "possible", "no problem: t*(k_i+k_j)", "k_i", "n", "it is not impossible"),
        *("no n", "", "none " * 400, "impossible to miss", "there is a query", "not none", "nothing else"),
    ],
)
def test_other_words_do_not_say_none(text):
    assert not says_none(text)
