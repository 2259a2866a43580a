"""Words of matrices: zero exactly where random matrices that obey the rules say so, and inverses only where they exist."""

import numpy as np
import pytest

from headwright.reading.formulas import evaluate, parse
from headwright.theories.formulas.forms import FormulaError, OutOfClass, Rules, in_words

ORTHONORMAL = Rules(
    {"A": ("d", "m"), "B": ("d", "p")}, identities=("A'*A", "B'*B"), zeros=("A'*B",), independent=("A", "B")
)
SLANTED = Rules({"S": ("d", "m"), "T": ("d", "p")}, zeros=("S'*T",), independent=("S", "T"))


def forms(text, rules):
    return in_words(parse(text, names=[*rules.shapes]).root, rules)


def is_zero(text, rules, M):
    return in_words(parse(text, names=[*rules.shapes, "M"]).root, rules, {"M": M}).is_zero()


ZERO = "(sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3))"  # no normal form knows it

RIGHT = [
    "A*A'",
    "I - B*B'",
    "A*inv(A'*A)*A'",
    "A*pinv(A)",
    "(A*A')^2",
    "A*A^T",
    "(I + A*A')*A*A'/2",
    "A*(A'*A)^-1*A'",
    "pinv(A')*A'",
    "(I - B*B')^3",
]
WRONG = ["A*A' + B*B'", "I", "2*A*A'", "B*B'", "A*A' - B*B'", "0*I", "I - 2*B*B'", "A*A'/2"]


@pytest.mark.parametrize("text", RIGHT)
def test_projectors_are_seen(text):
    M = forms(text, ORTHONORMAL)
    assert is_zero("M*A - A", ORTHONORMAL, M)
    assert is_zero("M*B", ORTHONORMAL, M)


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_projector_is_not(text):
    M = forms(text, ORTHONORMAL)
    assert not (is_zero("M*A - A", ORTHONORMAL, M) and is_zero("M*B", ORTHONORMAL, M))


SLANTED_RIGHT = [
    "2*S*inv(S'*S)*S'",
    "S*inv(S'*S)*S'*2",
    "2*S*pinv(S)",
    "2*(I - T*inv(T'*T)*T')",
    "2*pinv(S')*S'",
    "4*S*inv(2*S'*S)*S'",
    "2*(I - T*pinv(T))*S*pinv(S)",
]
SLANTED_WRONG = ["2*S*S'", "S*pinv(S)", "2*I", "2*T*pinv(T)", "2*S*pinv(S) + T*pinv(T)"]


@pytest.mark.parametrize(("text", "right"), [*((t, True) for t in SLANTED_RIGHT), *((t, False) for t in SLANTED_WRONG)])
def test_slanted_bases(text, right):
    M = forms(text, SLANTED)
    assert (is_zero("S'*M - 2*S'", SLANTED, M) and is_zero("T'*M", SLANTED, M)) is right


def slanted(rng):
    """S (7, 3) and T (7, 2) with independent columns that are not orthogonal, their spans orthogonal."""
    frame = np.linalg.qr(rng.standard_normal((7, 7)))[0]
    return {"S": frame[:, :3] @ rng.standard_normal((3, 3)), "T": frame[:, 3:5] @ rng.standard_normal((2, 2))}


def test_words_have_the_values_of_their_formulas(rng):
    """A form that is zero is zero for matrices; and simplified forms have the value of the formula."""
    texts = [
        *SLANTED_RIGHT,
        *SLANTED_WRONG,
        "S*pinv(S)*S*S'",
        "(S*S' + T*T')^2",
        "(S'*S)*inv(S'*S)*S'*3",
        "pinv(S)*S*pinv(S)",
        "S' - S'*S*pinv(S)",
    ]
    for text in texts:
        values = slanted(rng)
        G = {f"inv({x}'*{x})": np.linalg.inv(values[x].T @ values[x]) for x in "ST"}
        letters = {**values, **{f"{x}'": values[x].T for x in "ST"}, **G}
        form = forms(text, SLANTED)
        sizes = {"d": 7, "m": 3, "p": 2, None: 7}
        rows, columns = (sizes[letter] for letter in form.shape)
        rebuilt = np.zeros((rows, columns))
        for word, coefficient in form.terms.items():
            product = np.eye(rows)
            for letter in word:
                product = product @ letters[letter]
            rebuilt = rebuilt + float(coefficient.enclosure({})) * product
        np.testing.assert_allclose(rebuilt, evaluate(parse(text, names="ST"), values, size=7), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize(
    "text",
    [
        "inv(S*S')",
        "inv(I + S*S')",
        "pinv(S*S')",
        "pinv(S + S)*0 + inv(S*S')",
        "(S*S')^0.5",
        "(S*S')^20",
        "norm(S)",
        "[[1]]",
        "2/log(1 + 0)*I*0 + inv(S*S')",
        "2*3",
    ],
)
def test_out_of_class(text):
    with pytest.raises((OutOfClass, FormulaError)):
        forms(text, SLANTED)


def test_pseudo_inverse_of_a_multiple():
    assert forms("pinv(2*S) - pinv(S)/2", SLANTED).is_zero()
    assert not forms("pinv(2*S) - pinv(S)*2", SLANTED).is_zero()


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("S + T", "d×p"),
        ("S + I", None),
        ("S*T", "d×m"),
        ("S + 1", "2*I"),
        ("1 + S", "2*I"),
        ("S*S'*(1 + I)", "2*I"),
        ("inv(S)", None),
        ("inv(S'*T)", None),
        ("S^2", None),
        ("2^S", None),
        ("1/S", "d×m"),
        ("S/0", None),
        ("inv(0*I)", None),
    ],
)
def test_faults(text, fact):
    with pytest.raises(FormulaError) as caught:
        forms(text, SLANTED)
    assert fact is None or fact in caught.value.message


def test_shapes_are_told():
    assert forms("S'", SLANTED).shape == ("m", "d")
    assert forms("S'*S", SLANTED).shape == ("m", "m")
    assert forms("I - S*S'", SLANTED).shape == forms("(2*I)*S*S'*(I/3)", SLANTED).shape == ("d", "d")
    assert forms("I/3", SLANTED).shape == forms("3*I*I", SLANTED).shape == (None, None)


def test_scalars_may_be_formulas_but_must_be_defined():
    found = forms("sqrt(4)*log(e)*S*pinv(S)*5/5", SLANTED)
    assert is_zero("S'*M - 2*S'", SLANTED, found)
    for text in (f"0/{ZERO}*S + 2*S", f"S + inv({ZERO}*I)*S - inv({ZERO}*I)*S", f"S + log({ZERO})*S - log({ZERO})*S"):
        with pytest.raises(OutOfClass):
            forms(text, SLANTED)


def test_names_that_are_no_matrices():
    with pytest.raises(OutOfClass):
        in_words(parse("x*S", names=["x", "S"]).root, SLANTED)
