"""Plain text, Unicode and LaTeX are three spellings of one formula. An error about any other says how to go on."""

import re
from fractions import Fraction

import pytest

from headwright.reading.formulas import FormulaError, Symbols, parse, readings

NUMBERS = dict.fromkeys(["n", "eps", "t", "T", "s", "beta"], "number")
VECTORS = dict.fromkeys(["k_1", "k_2", "k_a", "k_b", "mu_a"], "column")
QUERY = Symbols({**NUMBERS, **VECTORS}, large=("t", "T", "s", "beta"), answer="q", kind="column")
READ_OUT = Symbols({"S": "matrix", "T": "matrix"}, answer="M", kind="matrix")
LAYER = Symbols({**dict.fromkeys(["u_a", "u_b"], "column"), "beta": "number"}, answer="Q", kind="matrix")
LOW_RANK = Symbols({"A": "matrix", "k": "number"}, functions=("svd_part",), answer="M", kind="matrix")


def only(text, symbols):
    (formula,) = readings(text, symbols)
    return formula.root


SAME = {
    "2*log(n/eps)*(k_1 + k_2)": (
        "2 ln(n/ε)(k₁ + k₂)",
        "2·ln(n/ϵ)·(k1 + k2)",
        r"$2\ln(n/\epsilon)(k_1+k_2)$",
        r"2\ln\left(\frac{n}{\varepsilon}\right)(k_{1}+k_{2})",
        r"\[ 2 \, \log \bigl( \tfrac n\epsilon \bigr) \cdot \left( \mathbf{k}_1 + \mathbf{k}_2 \right) \]",
        r"\(2\ln\frac{n}{\epsilon}\,(\vec k_1 + \vec{k}_2)\)",
        r"q = 2\,\mathrm{ln}(n/\epsilon)\,(\boldsymbol{k}_1+\boldsymbol{k_2})",
        "2⋅LN(n÷epsilon)×(k_1+k_2)",
        "2 Log[n/varepsilon] [k_1 + k_2]",
        "2ln{n/ε}{k_1 + k_2}",
        "q := 2 ln(n ⁄ ε)(k₁+k₂).",
        "2\u2009ln(n/ε)\u00a0(k_1+k_2)",
        "2*log(n/eps)*(k\\_1 + k\\_2)",
        "2 𝑙𝑛(𝑛/𝜖)(𝑘₁+𝐤₂)",
        "2ln〖n/ɛ〗（k₁＋k₂）",
        "2 ln(n/ε)(k⃗₁ + k⃗₂)",
        "The query is q = 2 ln(n/ε)(k_1 + k_2)",
    ),
    "beta*(k_a + k_b)": ("β(k_a+k_b)", r"\beta(k_a+k_b)", "β (kₐ + kb)", r"\beta\{k_a+k_b\}", "β·[k_a + k_b]"),
    "2*t*k_a": ("2tk_a", "2t k_a", "2 t ka", r"2t\mathbf{k}_a", "2 * t × k_a", r"2 t \times k_{a}"),
    "1/2*t*k_a": ("½tk_a", r"\tfrac12 t k_a", r"\frac{1}{2}tk_a", "0.5 t k_a", "(1/2) t k_a", r"\dfrac 1 2 t k_a"),
    "-t*mu_a": (
        "−tμ_a",
        r"-t\mu_a",
        "- t·μₐ",
        "-tmua",
        r"-t\mu_{\text{a}}",
        r"-t\mu_\mathrm{a}",
        r"-t\boldsymbol{\mu}_{a}",
    ),
    "t^2*k_a": ("t²k_a", "t**2 k_a", "t^{2}k_a", r"$t^2k_a$"),
    "n^(-1)*k_a": ("n⁻¹k_a", "n^{-1} k_a", "n**-1*k_a"),
    "n^(1/2)*k_a": ("n^½ k_a", "n^{1/2}k_a", r"n^\frac12 k_a"),
    "sqrt(2)*t*k_a": ("√2 t k_a", r"\sqrt2 t k_a", r"\sqrt{2}\,tk_a", "√(2)tk_a", "√2·t·k_a"),
    "exp(t)*k_a": (
        "e^t k_a",
        "e^{t}k_a",
        r"\exp(t) k_a",
        r"\mathrm{e}^{t}k_a",
        "eᵗk_a",
        r"\exp\{t\}\,k_a",
        "exp(t)k_a",
    ),
    "pi*k_a": ("π k_a", r"\pi k_a"),
    "norm(k_a)*k_b": (
        "‖k_a‖k_b",
        r"\|k_a\|k_b",
        "||k_a|| k_b",
        "|k_a|k_b",
        "‖k_a‖₂k_b",
        r"\|k_a\|_2\,k_b",
        r"\left\Vert k_a\right\Vert k_b",
    ),
    "abs(n - 3)*k_b": ("|n-3|k_b", r"\left|n-3\right|k_b", r"\lvert n-3\rvert\,k_b"),
    "dot(k_a, k_b)*k_1": ("k_a·k_b k_1", "⟨k_a, k_b⟩k_1", r"(k_a\cdot k_b)k_1", r"\langle k_a,k_b\rangle\,k_1"),
    "k_a'*k_b*k_1": ("k_a^T k_b k_1", "k_aᵀk_bk_1", r"k_a^\top k_b k_1", "k_a.T @ k_b k_1", "k_a^{T}·k_b·k_1"),
    "[3, 4]*n": ("[3,4]n", "[3, 4] n"),
}
MATRICES = {
    "2*S*inv(S'*S)*S'": (
        "2S(SᵀS)⁻¹Sᵀ",
        "2 S (S^T S)^{-1} S^T",
        r"2S(S^\top S)^{-1}S^\top",
        "2S(S'S)^-1S'",
        r"2 S \left(S^{\mathrm{T}} S\right)^{-1} S^{\mathsf T}",
        "M = 2*S@(S.T@S)**-1@S.T",
        "2S(S^TS)^{-1}S^T",
    ),
    "2*S*pinv(S)": ("2SS^+", "2SS⁺", "2 S S^{+}", r"2SS^\dagger", "2SS^†", "2SS†", r"2 S S^{\dagger}"),
    "2*(I - T*inv(T'*T)*T')": ("2(I − T(TᵀT)⁻¹Tᵀ)", r"2\bigl(I - T(T^\top T)^{-1}T^\top\bigr)", "2(I-T(T^TT)^{-1}T^T)"),
    "I - T*T'": ("I_d − TTᵀ", r"\mathbf{I} - TT^\top", r"\mathbb{I}-TT^T", "I_n - T T⊤"),
    "S*T'": (r"ST^\mathrm{T}", r"ST^\text{T}", "ST^T", "S T^T", r"ST^{\top}", "S Tᵀ"),
}
OUTER = {
    "u_a*u_b'": (
        "u_a u_b^T",
        "u_au_b^T",
        r"u_au_b^\top",
        "u_a·u_bᵀ",
        r"u_{a}u_{b}^{\top}",
        "Q = u_a u_b'",
        "u_a⊗u_b",
        r"u_a\otimes u_b",
    )
}
CUT = {"svd_part(A, k - 1)": (r"\operatorname{svd\_part}(A, k-1)", r"\text{svd_part}(A,k−1)", "M = svd_part(A,k-1)")}
TABLE = [
    (symbols, meant, written)
    for symbols, table in ((QUERY, SAME), (READ_OUT, MATRICES), (LAYER, OUTER), (LOW_RANK, CUT))
    for meant, spellings in table.items()
    for written in spellings
]


@pytest.mark.parametrize(("symbols", "meant", "written"), TABLE, ids=[row[2] for row in TABLE])
def test_spellings_of_one_formula_are_one_tree(symbols, meant, written):
    assert only(written, symbols) == only(meant, symbols)


@pytest.mark.parametrize(("symbols", "meant", "written"), TABLE, ids=[row[2] for row in TABLE])
def test_what_is_shown_back_reads_as_the_same_tree(symbols, meant, written):
    (formula,) = readings(written, symbols)
    assert only(formula.shown, symbols) == formula.root


def test_what_is_shown_back():
    (formula,) = readings("2*log(n/eps)*(k_1 - k_2)", QUERY)
    assert formula.shown == "2·ln(n/ε)·(k_1 − k_2)"
    assert [one.shown for one in readings("2*S*inv(S'*S)*S'", READ_OUT)] == ["2·S·(Sᵀ·S)⁻¹·Sᵀ"]
    assert [one.shown for one in readings("|n - 3|*mu_a/2", QUERY)] == ["abs(n − 3)·μ_a/2"]


def test_raised_and_lowered_characters_are_never_plain_ones():
    """x² is not x2, and n₂ is not n·2."""
    assert only("n²k_a", QUERY) == only("n^2*k_a", QUERY)
    for text in ("n₂k_a", "n2 k_a", "k_a₁"):
        with pytest.raises(FormulaError):
            readings(text, QUERY)


def test_one_half_is_exact():
    assert parse("½", names=[]).root.value == Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("k[1]", r"k_1.*k\[1\]"),
        ("m[7]", "m"),
        ("np.log(n)*k_1", r"log\(\.\.\.\)"),
        ("np.linalg.norm(k_1)", r"norm\(\.\.\.\)"),
        ("N", r"\bn\b"),
        ("K_2", r"\bk_2\b"),
        ("a", r"\ba\b"),
        ("A^'", "'"),
        ("transpose(A)", "A'"),
        ("softmax(n)", "weights"),
        ("(A'*A)\\ A'", "inv"),
        ("(A'*A)\\(A')", "inv"),
    ],
)
def test_what_is_meant_otherwise_is_told(text, said):
    with pytest.raises(FormulaError) as caught:
        parse(text, names=["k_1", "k_2", "mu_a", "n", "eps", "t", "A", "B"])
    assert re.search(said, caught.value.message)


@pytest.mark.parametrize(
    "text", ["log_2 n", "log₂(n)", "log2(n)", r"\log_{10} n", "log10(n)", "lg(n)", "log(n, 2)", "ld(n)", r"\log_2(n)"]
)
def test_logarithms_to_other_bases_are_an_error(text):
    with pytest.raises(FormulaError):
        readings(text, QUERY)
    assert only("log_e(n) k_1", QUERY) == only("ln(n)*k_1", QUERY)


def test_hints_speak_of_names_that_a_question_does_not_have():
    with pytest.raises(FormulaError, match=r"\bu\b"):
        parse("t*k_1", names=["u", "t"], hints={"k_1": "k_1 is c times u: use u"})
    with pytest.raises(FormulaError, match=r"\bu\b"):
        parse("tk_1", names=["u", "t"], hints={"k_1": "k_1 is c times u: use u"})
    assert parse("k_1", names=["k_1"], hints={"k_1": "never said"}).used == {"k_1"}


def test_a_place_in_latex_is_a_place_in_the_text():
    text = r"2\ln\left(\frac{n}{\epsilon}\right)\mathbf{k}_9"
    with pytest.raises(FormulaError) as caught:
        readings(text, QUERY)
    assert text[caught.value.position :] == "k}_9"
