"""Other spellings of a name or sign: accepted where they can mean one thing only, else told what to write."""

import re
from fractions import Fraction

import numpy as np
import pytest

from headwright.formulas import FormulaError, evaluate, parse

NAMES = ["k_1", "k_2", "mu_a", "n", "eps", "t", "A", "B"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("k1", "k_1"),
        ("k_{1} - k_{2}", "k_1 - k_2"),
        ("epsilon", "eps"),
        ("mua + μa", "mu_a + mu_a"),
        ("½*k_1", "(1/2)*k_1"),
        ("n^¾ + ⅓", "n^(3/4) + 1/3"),
        ("LN(n) + Log(n)", "log(n) + log(n)"),
        ("MAX(n, t)", "max(n, t)"),
        ("A*A^⊤", "A*A'"),
        ("A^ᵀ*A", "A'*A"),
    ],
)
def test_a_spelling_that_can_mean_one_thing_is_that_thing(written, meant):
    values = {"k_1": [1.0, 2.0], "k_2": [5.0, 7.0], "mu_a": [3.0, 0.5], "n": 9.0, "eps": 0.25, "t": 4.0}
    values |= {"A": [[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]], "B": [[1.0], [2.0]]}
    one, other = (parse(text, names=NAMES) for text in (written, meant))
    assert one.used == other.used
    np.testing.assert_array_equal(evaluate(one, values), evaluate(other, values))


def test_one_half_is_exact():
    assert parse("½", names=[]).root.value == Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AA'", r"A\*A'$"),
        ("AAᵀ", r"A\*A'$"),
        ("tk_1", r"t\*k_1$"),
        ("nlog(n)", r"n\*log\(\.\.\.\)"),
        ("$k_1$", r"\$"),
        ("k[1]", r"k_1.*k\[1\]"),
        ("m[7]", "m"),
        ("np.log(n)*k_1", r"log\(\.\.\.\)"),
        ("np.linalg.norm(k_1)", r"norm\(\.\.\.\)"),
        ("k_{1", r"\( \)"),
        ("N", r"\bn\b"),
        ("a", r"\ba\b"),
        ("A^'", "'"),
    ],
)
def test_what_is_meant_otherwise_is_told(text, said):
    with pytest.raises(FormulaError) as caught:
        parse(text, names=NAMES)
    assert re.search(said, caught.value.message)


def test_a_spelling_that_could_be_a_product_is_no_name():
    """tk may be t_k or t*k: nobody decides that for the writer."""
    with pytest.raises(FormulaError, match=r"t\*k"):
        parse("tk", names=["t_k", "t", "k"])
    with pytest.raises(FormulaError, match="k12"):
        parse("k12", names=["k_12", "k_1_2"])
    assert parse("k12", names=["k_12"]).used == {"k_12"}


def test_hints_speak_of_names_that_a_question_does_not_have():
    with pytest.raises(FormulaError, match=r"\bu\b"):
        parse("t*k_1", names=["u", "t"], hints={"k_1": "k_1 is c times u: use u"})
    assert parse("k_1", names=["k_1"], hints={"k_1": "never said"}).used == {"k_1"}


@pytest.mark.parametrize("text", ["A" * 1999, "A" * 1999 + "x", "AB" * 999 + "(n)"])
def test_long_names_are_refused_like_short_ones(text):
    with pytest.raises(FormulaError):
        parse(text, names=["A", "AA", "B", "AB", "n"])
