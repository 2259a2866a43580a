"""Vectors and matrices over a basis: coefficients that rebuild what NumPy computes, and faults with their place."""

import random
from fractions import Fraction

import numpy as np
import pytest

from headwright.reading.formulas import evaluate, parse
from headwright.theories.formulas.families.family import EVERYWHERE
from headwright.theories.formulas.forms import FormulaError, LogForm, OutOfClass, matrix_on, vector_on
from tests.prover.reading import form as scalar

BASIS = ("k_1", "k_2", "k_3")
NAMES = (*BASIS, "n", "eps", "t", "beta")
SCALARS = {"n": Fraction(7), "eps": Fraction(1, 8), "t": Fraction(3), "beta": Fraction(5, 2)}


def number(form):
    return float(form.enclosure({name: SCALARS[name] for name in form.symbols}))


def vectors(gram=1.0):
    return {name: np.sqrt(gram) * row for name, row in zip(BASIS, np.eye(5), strict=False)}


WORKED = [
    ("2*log(n/eps)*k_1", {"k_1": "2*log(n/eps)"}),
    ("log(n/eps)*(k_1+k_2)", {"k_1": "log(n/eps)", "k_2": "log(n/eps)"}),
    ("k_1*log(n)-k_1*log(eps)", {"k_1": "log(n/eps)"}),
    ("2*log(n/eps)*k_1/norm(k_1)", {"k_1": "2*log(n/eps)"}),
    ("(k_1+k_2)*t/2", {"k_1": "t/2", "k_2": "t/2"}),
    ("sqrt(2)*log(n)*(k_1+k_2)/norm(k_1+k_2)", {"k_1": "log(n)", "k_2": "log(n)"}),
    ("(beta^2 + 1)*k_3 - 0*k_1", {"k_3": "beta^2+1"}),
    ("k_1*(k_1'*k_1) + k_2*(k_1'*k_2)", {"k_1": "1"}),
    ("(k_1*k_2')*k_2*t", {"k_1": "t"}),
    ("(I - k_1*k_1')*(k_1 + k_2)", {"k_2": "1"}),
    ("dot(k_1, k_1 + k_2)*k_3", {"k_3": "1"}),
    ("(k_1*k_1' + 2*I)^2*k_1", {"k_1": "9"}),
    ("norm((3*k_1 + 4*k_2)')*k_1", {"k_1": "5"}),
    ("0*k_2", {}),
    ("k_1''", {"k_1": "1"}),
    ("inv(2*I)*k_1 + (t*I)^-2*k_2", {"k_1": "1/2", "k_2": "1/t^2"}),
    ("pinv(2*k_1)*k_1*k_2 + k_3*(k_1'*pinv((k_1+k_2)'))", {"k_2": "1/2", "k_3": "1/2"}),
    ("log((1 - 2)*exp(t)*(1 - 2))*k_1", {"k_1": "t"}),
    ("log((log(2) - 50)*exp(sqrt(2))*(log(2) - 50))*k_1", {"k_1": "2*log(50 - log(2)) + sqrt(2)"}),
    ("log(n^t*sqrt(exp(n)/eps))*k_1 + 0*exp(t)*k_2", {"k_1": "t*log(n) + n/2 - log(eps)/2"}),
    ("inv(2)*k_1 + pinv(4)*k_2", {"k_1": "1/2", "k_2": "1/4"}),
]


@pytest.mark.parametrize(("text", "expected"), WORKED, ids=[text for text, _ in WORKED])
def test_coefficients(text, expected):
    found = vector_on(parse(text, names=NAMES).root, BASIS, EVERYWHERE)
    assert list(found) == list(BASIS)
    for name, form in found.items():
        assert (form - scalar(expected.get(name, "0"))).is_zero()


def random_text(rng, kind, depth):
    """A text of the kind number, vector or matrix."""
    if depth == 0:
        return rng.choice(
            {"number": ["2", "t", "log(n)", "beta", "eps"], "vector": list(BASIS), "matrix": ["I", "k_1*k_2'"]}[kind]
        )
    a = random_text(rng, kind, depth - 1)
    if kind == "number":
        v, w = (random_text(rng, "vector", depth - 1) for _ in range(2))
        return rng.choice([f"({a} + 1)", f"({a}*t)", f"(({v})'*({w}))", f"dot({v}, {w})"])
    b, c = random_text(rng, kind, depth - 1), random_text(rng, "number", depth - 1)
    if kind == "vector":
        return rng.choice(
            [f"({a} - {b})", f"{c}*{a}", f"({random_text(rng, 'matrix', depth - 1)})*({a})", f"({a})/(1 + ({c})^2)"]
        )
    v, w = (random_text(rng, "vector", depth - 1) for _ in range(2))
    return rng.choice([f"({a} + {b})", f"({a})*({b})", f"({v})*({w})'", f"({a})'", f"{c}*({a})"])


@pytest.mark.parametrize("gram", [1, Fraction(25, 4)])
def test_forms_rebuild_what_numpy_computes(gram):
    rng = random.Random(2)
    here = {**SCALARS, **vectors(float(gram))}
    floats = {name: np.asarray(x, dtype=float) for name, x in here.items()}
    for _ in range(120):
        kind = rng.choice(["vector", "matrix"] if gram == 1 else ["matrix"])
        formula = parse(random_text(rng, kind, rng.randint(1, 3)), names=NAMES)
        expected = evaluate(formula, floats, size=5)
        if kind == "vector":
            parts = vector_on(formula.root, BASIS, EVERYWHERE)
            rebuilt = sum(number(c) * floats[name] for name, c in parts.items())
        else:
            pairs, identity = matrix_on(formula.root, BASIS, LogForm.number(gram), EVERYWHERE)
            rebuilt = number(identity) * np.eye(5) + sum(
                number(c) * np.outer(floats[i], floats[j]) for (i, j), c in pairs.items()
            )
        np.testing.assert_allclose(rebuilt, expected, rtol=1e-9, atol=1e-9 * (1 + np.abs(expected).max()))


def test_the_layer_of_the_sheet():
    names = ("u_a", "u_b", "u_c", "u_d", "beta")
    beta = LogForm.symbol("beta")
    root = parse("(u_b*u_b' - u_c*u_c')/beta^2", names=names).root
    pairs, identity = matrix_on(root, names[:4], beta * beta, EVERYWHERE)
    assert identity.is_zero()
    assert (pairs["u_b", "u_b"] * beta**2 - 1).is_zero()
    assert (pairs["u_c", "u_c"] * beta**2 + 1).is_zero()
    assert all(form.is_zero() for pair, form in pairs.items() if pair not in (("u_b", "u_b"), ("u_c", "u_c")))
    pairs, _ = matrix_on(parse("u_a*u_a'/norm(u_a)", names=names).root, names[:4], beta * beta, EVERYWHERE)
    assert (pairs["u_a", "u_a"] * beta - 1).is_zero()


@pytest.mark.parametrize(
    ("text", "position", "fact"),
    [
        ("k_1 + 1", 6, None),
        ("k_1 + k_2'", 6, None),
        ("k_1*k_2", 4, "a' * b"),
        ("n/k_1", 2, None),
        ("k_1/(n - n)", 5, None),
        ("k_1^2", 3, None),
        ("2^k_1*k_1", 1, None),
        ("log(k_1)*k_1", 0, None),
        ("sqrt(k_1)*k_1", 0, None),
        ("log(0)*k_1", 0, "0"),
        ("dot(k_1', k_1')*k_1", 0, None),
        ("dot(k_1, k_1')*k_1", 0, None),
        ("k_1'*k_2", 0, None),
        ("k_1'", 0, None),
        ("I", 0, None),
        ("n", 0, None),
    ],
)
def test_faults_are_marked(text, position, fact):
    with pytest.raises(FormulaError) as caught:
        vector_on(parse(text, names=NAMES).root, BASIS, EVERYWHERE)
    assert caught.value.position == position
    assert fact is None or fact in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "exp(t)*k_1",
        "[1, 0, 0]",
        "(I + k_1*k_1')^-1*k_1",
        "norm(k_1*k_1')*k_1",
        "log(t + exp(t))*k_1",
        "sqrt(exp(t))*k_1",
        "k_1/exp(t)",
        "max(exp(t), 0)*k_1",
        "n^eps*k_1",
    ],
)
def test_out_of_class(text):
    with pytest.raises((OutOfClass, FormulaError)) as caught:
        vector_on(parse(text, names=NAMES).root, BASIS, EVERYWHERE)
    assert caught.type is (FormulaError if text.startswith("norm") else OutOfClass)


def test_what_vanishes_must_still_be_defined():
    for text in (
        "k_1 + 0*k_2/(n - 3)",
        "k_1 + ((k_1/(n - 3))'*k_2)*k_1",
        "k_1*(n - 3)/(n - 3)",
        "k_1 + (k_1*k_1'*k_2)/(n - 3)",
        "k_1 + log(n - 3)*0*dot(k_1, k_2)*k_1 + 0/(n - 3)*(k_1'*k_2)*k_1",
        "k_1 + k_2/(n - 3) - k_2/(n - 3)",
    ):
        found = vector_on(parse(text, names=NAMES).root, BASIS, EVERYWHERE)
        for form in found.values():
            assert form.enclosure({"n": 4}).is_finite()
            assert not form.enclosure({"n": 3}).is_finite()


def test_nested_logarithms_are_walked_once():
    text = "log(exp(t + " * 18 + "t" + "))" * 18
    assert (scalar(text) - LogForm.symbol("t") * 19).is_zero()
    deep = "log((2 + " * 14 + "t" + ")^t)" * 14
    with pytest.raises(OutOfClass):
        scalar(deep)


def test_every_entry_of_a_matrix_has_the_conditions_of_all():
    root = parse("k_1*k_1' + k_2*k_2'/(n - 3) + I", names=NAMES).root
    pairs, identity = matrix_on(root, BASIS, LogForm.number(1), EVERYWHERE)
    for form in (*pairs.values(), identity):
        assert form.enclosure({"n": 4}).is_finite()
        assert not form.enclosure({"n": 3}).is_finite()
    root = parse("(k_1*k_1'/(n - 3))^0", names=NAMES).root
    assert not matrix_on(root, BASIS, LogForm.number(1), EVERYWHERE)[1].enclosure({"n": 3}).is_finite()


def test_exponentials_inside_logarithms_leave_their_conditions():
    found = scalar("log((n - 3)*exp(t)/exp(beta)**n)")
    assert (found - scalar("log(n - 3) + t - beta*n")).is_zero()
    assert {*found.symbols} == {"n", "t", "beta"}
    assert not any(atom.kind == "exp" for atom in map(found.atoms.get, found.reached) if atom)
    assert found.enclosure({"n": 4, "t": 1, "beta": 2}).contains(-7)
    for below in (3, 2):
        assert not found.enclosure({"n": below, "t": 1, "beta": 2}).is_finite()
    assert not scalar("log((1 - 2)*exp(t))").enclosure({"t": 1}).is_finite()
