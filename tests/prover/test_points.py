"""Formulas at one point: exact where they can be, enclosures that hold mpmath's value, and no value where there is none."""

import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from headwright.kernel import balls
from headwright.reading.formulas import parse
from headwright.theories.formulas import forms
from headwright.theories.formulas.forms import FormulaError, OutOfClass, at_point

ZERO = "(sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3))"  # which balls cannot tell from 0
VALUES = {
    "x": Fraction(3, 2),
    "y": Fraction(-2),
    "u": ((Fraction(1),), (Fraction(2),)),
    "v": ((Fraction(3),), (Fraction(-1),)),
    "A": ((Fraction(2), Fraction(1)), (Fraction(1), Fraction(1))),
    "B": ((Fraction(1), Fraction(2), Fraction(3)), (Fraction(0), Fraction(1), Fraction(4))),
}


def value(text, size=None, bits=200):
    with balls.precision(bits):
        return at_point(parse(text, names=VALUES, functions=["svd_part"]).root, VALUES, size=size)


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("x*y-1/x", "-11/3"),
        ("x^-2", "4/9"),
        ("y^3", "-8"),
        ("y^-3", "-1/8"),
        ("0^0", "1"),
        ("x^0", "1"),
        ("0^2.5", "0"),
        ("sqrt(9/4)", "3/2"),
        ("abs(y)", "2"),
        ("norm(y)", "2"),
        ("max(x, y, 1)", "3/2"),
        ("min(x, y, 1)", "-2"),
        ("log(1)", "0"),
        ("exp(0)", "1"),
        ("u'*v", "1"),
        ("dot(u, v)", "1"),
        ("norm([3, 4])", "5"),
        ("u'*A*v", "9"),
        ("v'*A*u", "9"),
        ("u'*inv(A)*v", "-6"),
        ("u'*A^-1*v", "-6"),
        ("u'*A^2*v", "26"),
        ("u'*(A-I)*v", "8"),
        ("u'*(I+A)*v", "10"),
        ("u'*(2*I*3)*v", "6"),
        ("u'*I^5*v", "1"),
        ("u'*(2*I)^-1*v", "1/2"),
        ("u'*inv(2*I)*v", "1/2"),
        ("u'*(B*B')*v", "78"),
        ("[1, 2, 3]'*B'*u", "42"),
        ("x'", "3/2"),
        ("4e16+5-4e16", "5"),
        ("[[7]]", "7"),
        ("u'*(B*pinv(B))*v", "1"),
        ("u'*(pinv(B')*B')'*v", "1"),
    ],
)
def test_exact_values(text, exact):
    found = value(text)
    wanted = value(exact)
    assert isinstance(found, Fraction)
    assert found == wanted


def test_matrices():
    assert value("A*B") == ((2, 5, 10), (1, 3, 7))
    assert value("B'") == ((1, 0), (2, 1), (3, 4))
    assert value("u*v'") == ((3, -1), (6, -2))
    assert value("A+2*I") == ((4, 1), (1, 3))
    assert value("2*I", size=2) == ((2, 0), (0, 2))
    assert value("A^0") == ((1, 0), (0, 1))
    assert value("inv(A)") == ((1, -1), (-1, 2))
    assert value("[[1, 2], [3, 4]]-A") == ((-1, 1), (2, 3))


@pytest.mark.parametrize(
    "text",
    [
        "x+u", "1+I", "I-x", "u+v'", "A+B", "B+I", "u*v", "B*A", "u*B", "1/u", "u/A", "1/I", "u^2", "B^2", "2^u", "A^0.5",
        "log(0)", "log(y)", "log(-pi)", "sqrt(y)", "sqrt(-pi)", "1/0", "x/(y+2)", "0^-1", "0^-2.5", "0^-100", "y^0.5",
        "(-pi)^0.5", "inv([[1, 2], [2, 4]])", "inv(B)", "inv(0)", "inv(0*I)", "log(u)", "exp(A)", "max(x, u)", "sqrt(A)",
        "dot(u, x)", "dot(u, u')", "dot(u, [1, 2, 3])", "dot(u', v')", "norm(A)", "norm(I)", "svd_part(A, 3)",
        "svd_part(A, -1)", "svd_part(A, 0.5)", "svd_part(x, 1)", "abs(u)",
    ],
)  # fmt: skip
def test_what_has_no_value_is_an_error(text):
    with pytest.raises(FormulaError):
        value(text, size=2)


@pytest.mark.parametrize(
    "text",
    [
        f"1/{ZERO}", f"log({ZERO})", f"sqrt({ZERO})", f"{ZERO}^-1", f"{ZERO}^0.5", f"2^(1/{ZERO})", f"inv({ZERO}*A)",
        f"pinv({ZERO}*A)", f"inv({ZERO}*I)", f"(-2)^exp({ZERO})", f"svd_part(A, 1+{ZERO})", f"A^(1+{ZERO})", "I",
        "pinv([[1, 2], [2, 4]])", "pinv(0)", "svd_part([[1, 0], [0, 1]], 1)", f"(x-1.5)^{ZERO}", "A^65",
        f"{ZERO}^(-3)", f"0^{ZERO}",
    ],
)  # fmt: skip
def test_what_a_ball_cannot_decide_is_not_decided(text):
    with pytest.raises(OutOfClass):
        value(text)


def test_names_without_a_value():
    with pytest.raises(OutOfClass):
        at_point(parse("z", names=["z"]).root, {})


def test_random_numbers_are_exact_or_enclosed():
    """Cancelling terms of very different size, against fractions and 80 digits of mpmath."""
    rng = random.Random(3)
    known = {
        "log": mpmath.log,
        "sqrt": mpmath.sqrt,
        "exp": mpmath.exp,
        "abs": abs,
        "max": max,
        "min": min,
        "m": mpmath.mpf,
    }

    def text(depth):
        if depth == 0:
            return rng.choice(["m(3)", "m(7)", "m(1)/m(3)", "m(10)^20", "m(1)/m(8)"])
        left = text(depth - 1)
        kind = rng.choice(["+", "-", "*", "/", "log", "sqrt", "exp", "abs", "max", "min", "^"])
        if kind in ("log", "sqrt", "abs"):
            return f"{kind}({left})"
        if kind == "exp":
            return f"exp(-abs({left})/m(10)^20)"
        if kind == "^":
            return f"({left})^{rng.choice(['2', '3', '(-1)', '(-2)'])}"
        if kind in ("max", "min"):
            return f"{kind}({left}, {text(depth - 1)})"
        return f"({left}{kind}{text(depth - 1)})"

    seen = exact = 0
    for _ in range(400):
        one = text(rng.randint(1, 4))
        try:
            found = value(one.replace("m(", "("), bits=256)
        except (FormulaError, OutOfClass):
            continue
        with mpmath.workdps(400):
            wanted = eval(one.replace("^", "**"), {"__builtins__": {}}, known)
        assert mpmath.im(wanted) == 0
        with balls.precision(256), mpmath.workdps(120):
            low, high = (found, found) if isinstance(found, Fraction) else (balls.lower(found), balls.upper(found))
            hair = mpmath.mpf(10) ** -110 * (1 + abs(wanted))
            assert mpmath.mpf(low.numerator) / low.denominator - hair <= wanted
            assert wanted <= mpmath.mpf(high.numerator) / high.denominator + hair
            seen, exact = seen + 1, exact + isinstance(found, Fraction)
    assert seen > 200
    assert exact > 60


@pytest.mark.parametrize(
    ("text", "by_mpmath"),
    [
        ("2^(1/3)", lambda: mpmath.cbrt(2)),
        ("x^pi", lambda: mpmath.mpf("1.5") ** mpmath.pi),
        ("(-pi)^3", lambda: -(mpmath.pi**3)),
        ("(-pi)^-2", lambda: mpmath.pi**-2),
        ("pi^-3", lambda: mpmath.pi**-3),
        ("(-1.5)^101", lambda: mpmath.mpf("-1.5") ** 101),
        ("(-pi)^101", lambda: -(mpmath.pi**101)),
        ("(-pi)^100", lambda: mpmath.pi**100),
        ("0.5^100", lambda: mpmath.mpf(2) ** -100),
        ("2^5000/2^4999", lambda: mpmath.mpf(2)),
        ("max(pi, 3) - min(pi, 3)", lambda: mpmath.pi - 3),
        ("max(3, e, pi)", lambda: +mpmath.pi),
        ("min(3, e, pi)", lambda: +mpmath.e),
        ("abs(e - pi)", lambda: mpmath.pi - mpmath.e),
        ("norm([1, 2])", lambda: mpmath.sqrt(5)),
        ("sqrt(8/9)", lambda: mpmath.sqrt(8) / 3),
        ("sqrt(2/9)", lambda: mpmath.sqrt(2) / 3),
        ("sqrt(4/3)", lambda: 2 / mpmath.sqrt(3)),
        ("log(x) + exp(y)", lambda: mpmath.log(1.5) + mpmath.exp(-2)),
        ("u'*inv(pi*A)*v", lambda: -6 / mpmath.pi),
        ("u'*(pi*A)^2*v", lambda: 26 * mpmath.pi**2),
        ("u'*(pi*I+A)*v", lambda: 9 + mpmath.pi),
    ],
)
def test_enclosures(text, by_mpmath):
    found = value(text)
    with mpmath.workdps(80), balls.precision(300):
        low, high = (found, found) if isinstance(found, Fraction) else (balls.lower(found), balls.upper(found))
        wanted = by_mpmath()
        hair = mpmath.mpf(10) ** -70 * abs(wanted)
        assert mpmath.mpf(low.numerator) / low.denominator - hair <= wanted
        assert wanted <= mpmath.mpf(high.numerator) / high.denominator + hair
        assert high - low < Fraction(1, 10**40) * max(1, int(abs(wanted)))


@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (3, 3)])
def test_truncations_are_numpys(rng, shape):
    matrix = rng.standard_normal(shape)
    values = {"A": tuple(tuple(Fraction(x) for x in row) for row in matrix.tolist())}
    left, sizes, right = np.linalg.svd(matrix, full_matrices=False)
    for rank in range(4):
        with balls.precision(200):
            found = at_point(parse(f"svd_part(A, {rank})", names="A", functions=["svd_part"]).root, values)
            floats = np.array([[float(forms.ball(x).mid()) for x in row] for row in found])
        np.testing.assert_allclose(floats, left[:, :rank] * sizes[:rank] @ right[:rank], atol=1e-12)


def test_inverses_are_exact_or_enclosed(rng):
    for _ in range(5):
        rows = [[Fraction(int(x)) for x in row] for row in rng.integers(-5, 6, (4, 4))]
        exact = balls.rational_inverse(rows)
        determinant = round(float(np.linalg.det(np.array(rows, dtype=float))))
        assert (exact is None) == (determinant == 0)
        if exact is None:
            continue
        product = [
            [sum(a * b for a, b in zip(row, col, strict=True)) for col in zip(*exact, strict=True)] for row in rows
        ]
        assert product == [[int(i == j) for j in range(4)] for i in range(4)]
        with balls.precision(200):
            found = balls.ball_inverse([[balls.exact(x) for x in row] for row in rows])
            assert all(
                balls.lower(x) <= y <= balls.upper(x)
                for p, q in zip(found, exact, strict=True)
                for x, y in zip(p, q, strict=True)
            )
    with balls.precision(200):
        near = balls.exact(0).union(balls.exact(Fraction(1, 10**9)))
        assert balls.ball_inverse([[near, balls.exact(0)], [balls.exact(0), balls.exact(1)]]) is None
        same = [[balls.exact(int(i == j)) for j in range(3)] for i in range(3)]
        assert balls.leading_projector(same, 1) is None
        assert balls.leading_projector(same, 3) is not None


@pytest.mark.parametrize("text", ["I/2 + A", "I*2 + A", "2*I + A", "A + I/beta", "(I*3)*(I/4) + A", "I*A/2 + I*0"])
def test_a_multiple_of_the_identity_stays_one_on_either_side(text):
    values = {"A": ((Fraction(1), Fraction(2)), (Fraction(3), Fraction(5))), "beta": Fraction(7)}
    found = at_point(parse(text, names=["A", "beta"]).root, values)
    scale = {
        "I/2": (Fraction(1, 2), 1),
        "I*2": (2, 1),
        "2*I": (2, 1),
        "A + ": (Fraction(1, 7), 1),
        "(I*3": (Fraction(3, 4), 1),
    }
    eye, times = next((pair for start, pair in scale.items() if text.startswith(start)), (0, Fraction(1, 2)))
    assert found == tuple(
        tuple(times * x + eye * (i == j) for j, x in enumerate(row)) for i, row in enumerate(values["A"])
    )
