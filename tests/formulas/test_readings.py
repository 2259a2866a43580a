"""Every reading that the rules of notation leave, and no other: none is chosen for the writer."""

import pytest

from headwright.reading.formulas import FormulaError, Symbols, parse, readings, says_none

NUMBERS = dict.fromkeys(["n", "eps", "t", "T", "s", "beta", "x"], "number")
QUERY = Symbols({**NUMBERS, **dict.fromkeys(["k_1", "k_2", "k_a"], "column")}, answer="q", kind="column")
NUMBER = Symbols(NUMBERS)
BASES = Symbols({"S": "matrix", "T": "matrix"}, kind="matrix")
A_ALONE = Symbols({"A": "matrix", "u": "column", "n": "number"})
JOINED = Symbols(dict.fromkeys(["t", "k", "t_k", "n"], "number"))


def ways(text, symbols):
    return {formula.root for formula in readings(text, symbols)}


def check(text, symbols, *meant):
    """The readings of the text are exactly these, each of which has one."""
    wanted = set()
    for one in meant:
        (root,) = ways(one, symbols)
        wanted.add(root)
    assert len(wanted) == len(meant)
    assert ways(text, symbols) == wanted


def refused(text, symbols):
    with pytest.raises(FormulaError) as caught:
        readings(text, symbols)
    return caught.value


def test_raised_t_is_a_transpose_on_a_vector_or_matrix_and_a_power_on_a_number():
    check("S^T*S", BASES, "S'*S")
    check("S^{T}T", BASES, "S'*T")
    check("n^T*k_1", QUERY, "n^(T)*k_1")
    check("k_1^T*k_2*k_a", QUERY, "k_1'*k_2*k_a")
    check("A^T*A", A_ALONE, "A'*A")
    refused("n^T*u", A_ALONE)  # a number has no transpose, and the question has no T
    check("A^T*A", Symbols({"A": "matrix", "T": "number"}), "A'*A")
    unknown = Symbols({"X": "unknown", "T": "number"})
    check("X^T", unknown, "X'", "X^(T)")


@pytest.mark.parametrize("mark", ["^\\top", "^⊤", "'", "ᵀ", "^{\\top}", "^{⊤}", ".T", "′", "^\\intercal", "^{'}"])
def test_these_marks_are_always_a_transpose(mark):
    check(f"S{mark}*T", BASES, "S.T*T")
    check(f"k_1{mark}*k_2*k_a", QUERY, "k_1.T*k_2*k_a")


@pytest.mark.parametrize("mark", ["^+", "^†", "^{+}", "^{\\dagger}", "⁺"])
def test_plus_and_dagger_are_the_pseudo_inverse(mark):
    check(f"2*S*S{mark}", BASES, "2*S*pinv(S)")
    check(f"2*S{mark}*S", BASES, "2*pinv(S)*S")
    refused(f"n{mark}", NUMBER)
    check("n^+2", NUMBER, "n^2")


def test_minus_one_is_the_inverse_of_a_matrix():
    check("(S'*S)^{-1}", BASES, "inv(S'*S)")
    check("(S'*S)^-1", BASES, "inv(S'*S)")
    check("(S'*S)⁻¹", BASES, "inv(S'*S)")
    check("(S'*S)^{-T}", BASES, "inv(S'*S)'")
    check("n^{-1}", NUMBER, "n^(-1)")


def test_a_transpose_after_a_power_is_of_the_power():
    check("S^2'", BASES, "(S^2)'")


def test_names_keep_their_case():
    check("t*k_1", QUERY, "t k_1")
    assert not ways("t*k_1", QUERY) & ways("T*k_1", QUERY)
    refused("Eps*k_1", QUERY)
    refused("K_1", QUERY)


def test_letters_that_touch_are_a_product_of_names_the_longest_first():
    check("2tk_a", QUERY, "2*t*k_a")
    check("nTk_1", QUERY, "n*T*k_1")
    check("betak_a", QUERY, "beta*k_a")
    check("epsn", NUMBER, "eps*n")
    check("nlog(n)", NUMBER, "n*log(n)")
    check("logn", NUMBER, "log(n)")
    check("ln2", NUMBER, "log(2)")
    check("abc", Symbols(dict.fromkeys(["a", "b", "ab", "c"], "number")), "ab*c")


@pytest.mark.parametrize("text", ["k_12", "k_{12}", "k₁₂", "k12", "k_1_2", "k_at", "k_aa", "t2", "k_1n2"])
def test_a_subscript_is_never_split(text):
    refused(text, QUERY)


def test_letters_after_a_subscript_that_has_ended():
    check("k_1t", QUERY, "k_1*t")
    check("k_{a}t", QUERY, "k_a*t")
    check("k_1k_2'k_a", QUERY, "k_1*k_2'*k_a")
    check("$k_at$", QUERY, "k_a*t")


def test_a_missing_underscore_has_two_readings_only_where_both_are_names():
    check("tk", JOINED, "t_k", "t*k")
    check("tk + tk", JOINED, "t_k + t_k", "t*k + t*k")
    check("tk", Symbols({"t": "number", "k": "number"}), "t*k")
    check("tk", Symbols({"t_k": "number", "t": "number"}), "t_k")
    refused("k12", Symbols(dict.fromkeys(["k_12", "k_1_2"], "number")))


def test_a_name_before_a_bracket_is_a_factor():
    check("t(k_1 + k_2)", QUERY, "t*(k_1 + k_2)")
    check("(n)(t)(k_1)", QUERY, "n*t*k_1")
    assert refused("f(n)", QUERY).position == 0
    assert refused("n*g(n)", QUERY).position == 2


def test_e_and_the_identity_are_constants_unless_the_question_has_the_name():
    check("e^x", NUMBER, "exp(x)")
    check("I*u", A_ALONE, "(I)*u")
    own = Symbols({"e": "number", "I": "number"})
    assert parse("e*I", names=["e", "I"]).used == {"e", "I"}
    check("2e-3", own, "0.002")


def test_e_after_a_number():
    check("2e3", NUMBER, "2000")
    check("2e-3", NUMBER, "0.002", "2*e - 3")
    check("2e-3 + 1e-1", NUMBER, "0.002 + 0.1", "2*e - 3 + 1*e - 1")  # one way of writing in one text
    check("2e-3*k_1", QUERY, "0.002*k_1")  # 2*e - 3*k_1 does not fit
    check("2E-3", NUMBER, "0.002")
    check("2e^x", NUMBER, "2*e^(x)")
    check("2eps", NUMBER, "2*eps")


def test_a_function_without_brackets_takes_the_next_factor_or_more():
    check("log n/eps", NUMBER, "log(n)/eps", "log(n/eps)")
    check("log n^2", NUMBER, "log(n^2)", "(log(n))^2")
    check("log n t x", NUMBER, "log(n)*t*x", "log(n*t)*x", "log(n*t*x)")
    check("log n*t", NUMBER, "log(n)*t", "log(n*t)")
    check("2 log n/eps k_1", QUERY, "2*log(n)/eps*k_1", "2*log(n/eps)*k_1")
    check("log n/eps t", NUMBER, "log(n)/eps*t", "log(n)/(eps*t)", "log(n/eps)*t", "log(n/eps*t)", "log(n/(eps*t))")
    check("1/log n t", NUMBER, "1/log(n)*t", "1/(log(n)*t)", "1/log(n*t)")
    check("log n + t", NUMBER, "log(n) + t")
    check("\\log n", NUMBER, "log(n)")
    check("exp 2t", NUMBER, "exp(2)*t", "exp(2*t)")
    check("log log n", NUMBER, "log(log(n))")
    check("\\ln\\frac{n}{\\epsilon}", NUMBER, "log(n/eps)")
    check("t ln n k_1", QUERY, "t*log(n)*k_1")
    refused("log -n", NUMBER)
    refused("inv n", NUMBER)


def test_a_power_on_a_function():
    check("\\log^2 n", NUMBER, "(log(n))^2")
    check("ln²(n)", NUMBER, "(log(n))^2")
    check("log^2 n t", NUMBER, "(log(n))^2*t", "(log(n*t))^2")
    check("ln(n/eps)^2", NUMBER, "(log(n/eps))^2", "log((n/eps)^2)")
    check("exp(t)^2", NUMBER, "(exp(t))^2", "exp(t^2)")
    check("sqrt(n)^2", NUMBER, "(sqrt(n))^2")
    check("log(n)**2", NUMBER, "(log(n))^2")  # as Python means it


def test_factors_after_a_slash():
    check("eps/2n", NUMBER, "eps/(2*n)", "eps/2*n")
    check("eps/2 n t", NUMBER, "eps/(2*n*t)", "eps/(2*n)*t", "eps/2*n*t")
    check("1/2k_1", QUERY, "(1/2)*k_1")
    check("n/eps k_1", QUERY, "n/eps*k_1")
    check("eps/2*n", NUMBER, "(eps/2)*n")
    check("\\frac{eps}{2}n", NUMBER, "(eps/2)*n")
    check("½n", NUMBER, "(1/2)*n")
    check("n/t/x", NUMBER, "(n/t)/x")


def test_what_touches_an_exponent():
    check("e^2t", NUMBER, "exp(2)*t", "exp(2*t)")
    check("$e^2t$", NUMBER, "exp(2)*t")
    check("e^2 t", NUMBER, "exp(2)*t")
    check("e^{2}t", NUMBER, "exp(2)*t")
    check("e^(2)t", NUMBER, "exp(2)*t")
    check("e²t", NUMBER, "exp(2)*t")
    check("e^-2t", NUMBER, "exp(-2)*t", "exp(-2*t)")
    check("n^2k_1", QUERY, "n^2*k_1")
    check("n^Tt", NUMBER, "n^(T)*t", "n^(T*t)")
    check("n^2log(n)", NUMBER, "n^2*log(n)", "n^(2*log(n))")
    check("2^3^2", NUMBER, "2^(3^2)")
    check("log n^2t", NUMBER, "log(n^2)*t", "log(n^2*t)", "log(n^(2*t))", "(log(n))^2*t", "(log(n))^(2*t)")
    for text in ("e^n^2t", "ln(n)^2t", "2*-n^2t"):  # brackets are asked for
        refused(text, NUMBER)


def test_what_touches_a_root():
    check("√2t", NUMBER, "sqrt(2)*t", "sqrt(2*t)")
    check("√2 t", NUMBER, "sqrt(2)*t")
    check("\\sqrt2t", NUMBER, "sqrt(2)*t")
    check("√n/2", NUMBER, "sqrt(n)/2")


def test_bars():
    check("|x|", NUMBER, "abs(x)")
    check("|k_1|k_2", QUERY, "norm(k_1)*k_2")
    check("|n||t|", NUMBER, "abs(n)*abs(t)")
    for nested in ("||n| - t|", "|n - |t||", "|(|n|)|"):
        refused(nested, NUMBER)
    refused("‖S‖", BASES)


def test_dots_and_crosses_between_vectors():
    check("k_1·k_2*k_a", QUERY, "dot(k_1, k_2)*k_a")
    check("2k_1·k_2*k_a", QUERY, "2*dot(k_1, k_2)*k_a")
    check("t·k_1", QUERY, "t*k_1")
    check("A*u·u*u", A_ALONE, "dot(A*u, u)*u", "A*dot(u, u)*u")
    assert "×" in refused("k_1 × k_2", QUERY).message
    check("t × k_1", QUERY, "t*k_1")
    refused("k_1 k_2", QUERY)
    refused("k_1*k_2", QUERY)


@pytest.mark.parametrize(
    "text", ["log(k_1)", "n/k_1", "k_1*k_2", "2^k_1", "k_1^2", "1 + k_1", "exp(k_1)*k_2", "k_1 + k_2'"]
)
def test_what_does_not_fit_together_is_refused_with_its_place(text):
    assert refused(text, QUERY).position is not None


def test_a_decimal_comma_names_the_point():
    assert "0.5" in refused("0,5*k_1", QUERY).message
    assert refused("0,5*k_1", QUERY).position == 1


def test_parse_wants_one_reading():
    assert parse("2 t(n + 1)", names=["t", "n"]).shown == "2·t·(n + 1)"
    with pytest.raises(FormulaError) as caught:
        parse("log n/eps", names=["n", "eps"])
    assert "ln(n)/ε" in caught.value.message
    assert "ln(n/ε)" in caught.value.message


def test_the_answers_own_name_in_front():
    for text in ("q = k_1", "q=k_1", "\\vec q = k_1", "\\mathbf{q} = k_1", "q := k_1", "Let q = k_1"):
        check(text, QUERY, "k_1")
    first = QUERY.with_answer("q1")
    for text in ("q1 = k_1", "q_1 = k_1", "q₁ = k_1", "\\vec{q}_1 = k_1", "k_1"):
        check(text, first, "k_1")
    for text, place in (("q_2 = k_1", 4), ("t = k_1", 2), ("k_1 = k_2", 4), ("q + q = k_1", 6)):
        assert refused(text, first).position == place
    refused("q = k_1 = k_2", QUERY)


def test_only_readings_of_the_wanted_kind_count():
    """t k·k may be a number; the question asks for a vector."""
    free = Symbols(QUERY.names)
    check("e^2t", free, "exp(2)*t", "exp(2*t)")
    check("log n/eps", NUMBER, "log(n)/eps", "log(n/eps)")
    assert len(readings("2e-3", QUERY)) == 2  # neither is a vector: left to the judge


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("t(k_a+k_b), 0 < t < 1", "large"),
        ("t(k_a+k_b), 1 > t > 0", "large"),
        ("t(k_a+k_b), t small relative to n", "large"),
        ("t(k_a+k_b) with n much larger than t", "large"),
        ("1{0}t(k_a+k_b)", "Braces"),
        ("n^1/2 t k_a", "exponent"),
        ("t'(k_a+k_b)", "transpose"),
        ("5'''t k_a", "transpose"),
        ("√√√t k_a", "brackets"),
        ("t(k_a+k_b)2", "number"),
        ("k_a[0]", "entries"),
    ],
)
def test_what_may_be_meant_otherwise_is_an_error(text, part):
    names = {**dict.fromkeys(["n", "t"], "number"), "k_a": "column", "k_b": "column"}
    with pytest.raises(FormulaError, match=part):
        readings(text, Symbols(names, large=("t",), answer="q", kind="column"))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (r"(t - \(n + t\)) k_a", "(t - (n + t))*k_a"),
        (r"2 \[k_a + k_b\]", "2*(k_a + k_b)"),
        (r"\(q = t k_a\) with \(t\) large", "t*k_a"),
        (r"\(t k_a\), \(t \gg 0\)", "t*k_a"),
        (r"\[ q = t k_a \]", "t*k_a"),
        ("t k_a 2", "t*k_a*2"),
    ],
)
def test_escaped_brackets_are_brackets_unless_they_mark_a_formula(text, same):
    names = {**dict.fromkeys(["n", "t"], "number"), "k_a": "column", "k_b": "column"}
    symbols = Symbols(names, large=("t",), answer="q", kind="column")
    assert [one.root for one in readings(text, symbols)] == [one.root for one in readings(same, symbols)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "no, it is possible",
            "none, except t(k_i+k_j)",
            "no: t(k_i+k_j)",
            "impossible - false",
            "None. Wrong! q = 5 k_i",
        ),
        *(
            "no answer",
            "none, because t(k_i+k_j) works",
            "no (t(k_i+k_j) does it)",
            "no solution, sorry",
            "none unless n = 3 or so",
        ),
    ],
)
def test_none_that_is_taken_back_is_not_none(text):
    assert not says_none(text)


@pytest.mark.parametrize(
    "text", ["none, because softmax is positive", "no such q exists", "None.", "it is impossible since n > 2"]
)
def test_none_with_a_reason(text):
    assert says_none(text)
