"""Texts made to take long, to nest deep or to have many readings: each is read or refused after few steps."""

import sys

import pytest
from hypothesis import given, settings, strategies as st

from headwright.reading.formulas import FormulaError, Symbols, readings, says_none
from headwright.reading.formulas.tokens import MOST_READINGS

NAMES = {**dict.fromkeys(["n", "t", "s", "T", "eps", "t_k", "k"], "unknown"), "A": "matrix", "u": "column"}
SYMBOLS = Symbols(NAMES, large=("t", "s"), answer="q")
MOST_CALLS = 400_000  # of functions, for one text: a usual formula takes about a thousand

HOSTILE = [
    "log n " * 150,
    "log " * 400 + "n",
    "√" * 480 + "n",
    "1/n n" * 80,
    "n/" * 240 + "n",
    "n^2t" * 100,
    "n^" * 240 + "n",
    "log n/eps t + " * 40 + "n",
    "(log n t)" * 60,
    "(" * 55 + "log n t" + ")" * 55,
    "(log n t + " * 50 + "n" + ")" * 50,
    "tk" * 240,
    "tk + " * 90 + "n",
    "2e-3" * 100,
    "2e-3 + " * 90 + "1",
    "n" * 480,
    "A" * 1999 + "x",
    "nt" * 900 + "(",
    "\\frac" * 390,
    "\\sqrt" * 390,
    "\\mathbf{" * 240,
    "{" * 1999,
    "^" * 1999,
    "_{" * 900,
    "|" * 499,
    "|n|" * 160,
    "‖u‖" * 160,
    "⟨u," * 160,
    "u·u·" * 120 + "u",
    "A u·" * 120 + "u",
    "[" * 499,
    "[1," * 240,
    "n" + "'" * 490,
    "A" + "^T" * 240,
    "A" + "^{-1}" * 120,
    "n, t ≫ " * 120,
    "n (t large) " * 100,
    "n for " * 200,
    "n" + ", t ≫ 0" * 150,
    "q = " * 400 + "n",
    "ln(n)^2" * 70,
    "ln(" * 59 + "n" + ")^2" * 59,
    "exp(exp(n)^2)^2" * 30,
    "x" * 2000,
    "$" * 2000,
    "\\" * 2000,
    "²" * 2000,
    "n²" * 240,
    "there is no " * 160,
    "no such " * 250,
    "none " * 400,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: f"{text[:12]!a}{len(text)}")
def test_the_work_for_one_text_is_bounded(text):
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        says_none(text)
        try:
            found = readings(text, SYMBOLS)
        except FormulaError:
            found = ()
    finally:
        sys.setprofile(None)
    assert calls < MOST_CALLS
    assert len(found) <= MOST_READINGS


def test_too_many_readings_are_refused():
    with pytest.raises(FormulaError, match=str(MOST_READINGS)):
        readings("log n t s T " * 3, SYMBOLS)


PIECES = [
    *NAMES,
    *"+-*/^@'()[]{},.;|‖⟨⟩√·×0123456789 $",
    *(
        "log",
        "ln ",
        "exp",
        "sqrt",
        "inv(",
        "e",
        "I",
        "2e-3",
        "ε",
        "²",
        "⁻¹",
        "ᵀ",
        "₁",
        "=",
        "≫",
        "→",
        "∞",
        "large",
        "for",
    ),
    *(
        "\\frac",
        "\\ln",
        "\\left(",
        "\\right)",
        "\\epsilon",
        "^{",
        "_{",
        "\\mathbf{",
        "\\top",
        "\\text{",
        "\\",
        "none",
        "\x00",
    ),
]


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=30).map("".join)))
def test_any_text_is_read_or_refused(text):
    says_none(text)
    try:
        found = readings(text, SYMBOLS)
    except FormulaError:
        return
    assert 1 <= len(found) <= MOST_READINGS
    for formula in found:
        assert formula.used <= set(NAMES)
        assert formula.shown
