"""Reading formulas: what is allowed means what Python means by it, and everything else is an error that a student understands."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from headwright.reading.formulas import Formula, FormulaError, evaluate, parse, readings
from headwright.reading.formulas.symbols import Symbols
from headwright.reading.formulas.tokens import LONGEST_TEXT

NAMES = ("k_1", "k_2", "n", "eps", "beta", "mu_a", "A", "T")


def number(text):
    return evaluate(parse(text, names=()), {})


def random_text(rng, depth):
    """An expression that both grammars read, with Python's own spelling."""
    if depth == 0:
        return rng.choice(["1", "2", "3", "0.5", "1.25", "7", "1e1"])
    kind = rng.choice(["+", "-", "*", "/", "()", "neg", "**", "neg**"])
    left = random_text(rng, depth - 1)
    if kind == "()":
        return f"({left})"
    if kind == "neg":
        return f"-{left}"
    if kind == "**":
        return f"({left})**{rng.choice(['2', '-1', '3'])}"
    if kind == "neg**":
        return f"-({left})**2"
    return f"{left}{rng.choice(['', ' '])}{kind}{random_text(rng, depth - 1)}"


def test_arithmetic_means_what_python_means():
    rng = random.Random(3)
    compared = 0
    for _ in range(400):
        text = random_text(rng, rng.randint(1, 5))
        try:
            expected = eval(text)  # the test's own text, made of digits and operators
        except (ZeroDivisionError, OverflowError):
            continue
        if isinstance(expected, complex):
            continue
        assert number(text) == pytest.approx(float(expected), rel=1e-9, abs=1e-300), text
        compared += 1
    assert compared > 300


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-2^2", -4),
        ("2^3^2", 512),
        ("2**-1", 0.5),
        ("--3", 3),
        ("2*--3", 6),
        ("2---3", -1),
        ("[-1, 2]'*[-3, -4]", -5),
        ("[[1, 2, 3]]*[[1], [2], [4]]", 17),
        ("5÷2", 2.5),
        ("¾", 0.75),
        ("max(1, 2) - min(1, 2)", 1),
        ("2*-3", -6),
        ("6/2/3", 1),
        ("2-3-4", -5),
        ("1e3", 1000),
        (".5 + 2.", 2.5),
        ("3²", 9),
        ("2·3×4", 24),
        ("5−2", 3),
        ("e^0 + log(e) + ln(1)", 2),
        ("min(3, 1, 2) + max(1, 2)", 3),
        ("abs(-3) + sqrt(16)", 7),
    ],
)
def test_values(text, value):
    assert number(text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ε*β", "eps*beta"),
        ("μ_a", "mu_a"),
        ("k₁ + k₂", "k_1+k_2"),
        ("A'", "A.T"),
        ("Aᵀ*A", "A'@A"),
        ("A''", "A"),
        ("ln(n)", "log(n)"),
        ("n^2", "n**2"),
    ],
)
def test_two_spellings_of_one_formula(one, other):
    def shape(node):
        """The tree without its places."""
        if isinstance(node, tuple):
            return tuple(shape(part) for part in node)
        fields = getattr(node, "__dataclass_fields__", None)
        if fields is None:
            return node
        return type(node).__name__, *(shape(getattr(node, name)) for name in fields if name != "at")

    assert shape(parse(one, names=NAMES).root) == shape(parse(other, names=NAMES).root)


def test_numbers_are_exact():
    assert parse("0.1", names=()).root.value == Fraction(1, 10)
    assert parse("1E-3", names=()).root.value == Fraction(1, 1000)
    assert parse("[1e-3, 2]", names=()).root.rows[0] == (Fraction(1, 1000),)


def test_a_formula_knows_the_names_it_uses():
    formula = parse("2*log(n)*k_1 + pi*0*I", names=NAMES)
    assert formula.used == {"n", "k_1"}
    assert str(formula) == "2*log(n)*k_1 + pi*0*I"


def test_a_name_of_the_question_comes_before_a_constant():
    assert evaluate(parse("e*pi", names=["e", "pi"]), {"e": 2, "pi": 3}) == 6


REFUSED = [
    # text, the place, words of the message
    ("", None, None),
    (" \n\t", None, None),
    ("k_9", 0, " k_"),
    ("N", 0, " n"),
    ("EPS", 0, " eps"),
    ("K_2", 0, " k_2"),
    ("foo", 0, None),
    ("log", 0, "log(...)"),
    ("log()", 4, None),
    ("log(n", 3, None),
    ("(n", 0, None),
    ("[1, 2", 0, None),
    ("n)", 1, None),
    ("n]", 1, None),
    ("(n]", 2, None),
    ("(n 2)", 3, None),
    ("log(n, 2)", 0, "log"),
    ("min(1)", 0, "8"),
    ("lg(n)", 0, "log"),
    ("log10(n)", 0, "log"),
    ("softmax(n)", 0, None),
    ("1 +", 3, "+"),
    ("*2", 0, None),
    ("2*/3", 2, "/"),
    ("n,2", 2, None),
    ("n 2", 2, None),
    ("2 3", 2, None),
    ("2½", 1, None),
    ("n2", 0, "n2"),
    ("\\frac{n}", 8, None),
    ("\\foo n", 0, "foo"),
    ("\\begin{matrix}n\\end{matrix}", 0, None),
    ("\\sqrt[3]{n}", 0, "1/3"),
    ("n\\", 1, None),
    ("{n", 0, None),
    ("n}", 1, None),
    ("|n", 0, None),
    ("||n| + |n||", 3, "abs"),
    ("√", 0, None),
    ("log^n 2", 4, None),
    ("log^{-1} n", 4, None),
    ("n!", 1, None),
    ("A^*", 2, None),
    ("n ...", 2, None),
    ("n …", 2, None),
    ("0,5*n", 1, "0.5"),
    ("q = n", 2, "="),
    ("n == 2", 2, "="),
    ("n < 2", 0, None),
    ("'abc'", 0, "'"),
    ('"abc"', 0, None),
    ("n; n", 3, None),
    ("[n, 2]", 1, None),
    ("[[1, 2], 3]", 9, None),
    ("[[1, 2], [3]]", 0, None),
    ("[]", 1, None),
    ("__import__('os')", 0, "__import__"),
    ("().__class__", 2, None),
    ("2*()", 3, None),
    ("(n).__class__", 3, None),
    ("n.real", 1, None),
    ("import os", 0, None),
    ("lambda: 0", 6, None),
    ("1e999", 0, "1e300"),
    ("1e-99999999999", 0, "1e300"),
    ("9" * 41, 0, "40"),
    ("\x00", 0, "U+0000"),
    ("n\u202e", 1, "U+202E"),
    ("n😀", 1, None),
    ("nan", 0, None),
    ("inf", 0, None),
    ("∞", 0, None),
    ("x" * 300, 0, None),
]


@pytest.mark.parametrize(("text", "position", "fact"), REFUSED, ids=[ascii(row[0][:20]) for row in REFUSED])
def test_what_is_wrong_is_said_and_marked(text, position, fact):
    with pytest.raises(FormulaError) as caught:
        parse(text, names=NAMES)
    fault = caught.value
    assert fault.position == position
    assert fact is None or fact in fault.message
    if position is not None:
        shown, mark = str(fault).splitlines()[-2:]
        place = mark.index("^")
        assert mark.strip() == "^"
        if position < len(text) and text[position].isascii() and text[position].isprintable():
            assert shown[place] == text[position]


@pytest.mark.parametrize(
    "text",
    [
        "x" * 10**6,
        "(" * 10**4 + "n" + ")" * 10**4,
        "(" * 200 + "n" + ")" * 200,
        "log(" * 100 + "n" + ")" * 100,
        "-(" * 100 + "n" + ")" * 100,
        "n^" * 200 + "n",
        "1+2*(" * 40 + "n" + ")" * 40,
        "[" * 400,
        "n+" * 300 + "n",
        "1e300" * 200,
    ],
    ids=lambda text: text[:4] + str(len(text)),
)
def test_size_and_depth_are_bounded(text):
    with pytest.raises(FormulaError):
        parse(text, names=NAMES)


def test_long_but_shallow_formulas_are_read():
    assert number("-" * 300 + "1") == 1
    assert number("+".join(["1"] * 240)) == 240
    assert number("(" * 59 + "2" + ")" * 59) == 2
    assert evaluate(parse("A" + "'" * 301, names=["A"]), {"A": [[1.0, 2.0]]}).tolist() == [1.0, 2.0]


def test_functions_of_the_question():
    formula = parse("svd_part(A, 1)", names=["A"], functions=["svd_part"])
    with pytest.raises(FormulaError, match=r"\b2\b"):
        parse("svd_part(A)", names=["A"], functions=["svd_part"])
    with pytest.raises(FormulaError, match=r"\bsvd_part\b"):
        parse("svd_part(A, 1)", names=["A"])
    np.testing.assert_allclose(evaluate(formula, {"A": [[3.0, 0.0], [0.0, 4.0]]}), [[0.0, 0.0], [0.0, 4.0]], atol=1e-15)


SYMBOLS = Symbols({"t": "number", **dict.fromkeys(("k_a", "k_b", "mu_a", "mu_b", "beta"), "column")}, large=("t",))
UNKNOWN_C = "symbol C does not belong to this question. For large numbers, use t."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ck_a", f"In Ck_a the {UNKNOWN_C}"),
        ("2 + Cka", f"In Cka the {UNKNOWN_C}"),
        ("tCk_b", f"In tCk_b the {UNKNOWN_C}"),
        (r"C\mu_a", f"In Cμ_a the {UNKNOWN_C}"),
        (r"x\mu_a", "In xμ_a the symbol x does"),
        ("C_1k_a", "In C_1k_a the symbol C_1 does"),
        ("tx", "In tx the symbol x does"),
        ("Cbeta", f"In Cbeta the {UNKNOWN_C}"),
        ("tk_c", "The name tk_c does not belong to this question. It has"),
        ("mu_c", "The name mu_c does not belong to this question. It has"),
        ("k_ab", "The name k_ab does not belong to this question. It has"),
        ("Cv_a", "The name Cv_a does not belong to this question. It has"),
        ("v_a", "The name v_a does not belong to this question. Did you mean k_a?"),
        ("a k_a", "The name a does not belong to this question. For large numbers, use t."),
        ("N(k_a + k_b)", "The name N does not belong to this question. For large numbers, use t."),
        ("B k_a", "The name B does not belong to this question. For large numbers, use t."),
        ("K_a", "Did you mean k_a?"),
        ("lambda(k_a + k_b)", "The name lambda does not belong to this question. For large numbers, use t."),
        ("Gamma_1(k_a)", "The name Gamma_1 does not belong to this question. For large numbers, use t."),
        ("x1(k_a)", "The name x1 does not belong"),
        ("lgo(t)", "There is no function lgo. Did you mean log?"),
        ("sin(t) k_a", "There is no function sin. There are"),
        ("inf(k_a)", "such as t; infinity is not a number."),
        ("foo(k_a)", "There is no function foo."),
        ("1e_", "1e_ is not a number: after the e of a power of ten stands a whole number, as in 1e3."),
        ("2.5E_4*k_a", "2.5E_4 is not a number"),
        ("t*3e_(k_a)", "3e_ is not a number"),
        ("1_000(k_a + k_b)", "1_000 is not a number: its digits stand without _, as in 1000."),
        ("t*e_3", "The name e_3 does not belong"),
    ],
)
def test_what_is_said_of_unknown_words(text, said):
    with pytest.raises(FormulaError) as caught:
        readings(text, SYMBOLS)
    assert said in str(caught.value)
    if "Did you mean" not in said:
        assert "Did you mean" not in str(caught.value)


def test_a_text_that_is_no_string():
    with pytest.raises(TypeError, match="`text`"):
        parse(3, names=())


def test_an_error_survives_pickling():
    import pickle

    with pytest.raises(FormulaError) as caught:
        parse("2*", names=())
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.position == 2


PIECES = [
    *NAMES,
    *"+-*/^@'()[],.0123456789 ",
    "log",
    "sqrt",
    "inv",
    "norm(",
    "**",
    ".T",
    "e",
    "I",
    "1e",
    "ε",
    "²",
    "=",
    "_",
    "\x00",
]


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)))
def test_any_text_is_a_formula_or_an_error(text):
    try:
        formula = parse(text, names=NAMES)
    except FormulaError:
        return
    assert isinstance(formula, Formula)
    assert formula.used <= set(NAMES)


def test_the_longest_text_is_read():
    text = "n" + " " * (LONGEST_TEXT - 1)
    assert parse(text, names=["n"]).used == {"n"}
    with pytest.raises(FormulaError, match="2,000"):
        parse(text + " ", names=["n"])
