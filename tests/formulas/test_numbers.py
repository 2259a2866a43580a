"""Formulas at a point: NumPy's values, shapes that are checked, and a reason for whatever has no value."""

import numpy as np
import pytest

from headwright.reading.formulas import FormulaError, evaluate, parse

NAMES = ("u", "v", "w", "A", "B", "S", "n", "eps", "x")


@pytest.fixture
def values(rng):
    d, m = 5, 3
    return {
        "u": rng.standard_normal(d),
        "v": rng.standard_normal(d),
        "w": rng.standard_normal(m),
        "A": rng.standard_normal((d, m)),
        "B": rng.standard_normal((m, 4)),
        "S": rng.standard_normal((d, d)),
        "n": 7,
        "eps": 0.25,
        "x": np.float32(1.5),
    }


CASES = [
    ("2*log(n/eps)*u", lambda p: 2 * np.log(p["n"] / p["eps"]) * p["u"]),
    ("u'*v", lambda p: p["u"] @ p["v"]),
    ("u*v'", lambda p: np.outer(p["u"], p["v"])),
    ("u*v'*u", lambda p: p["u"] * (p["v"] @ p["u"])),
    ("dot(u, v)*w", lambda p: (p["u"] @ p["v"]) * p["w"]),
    ("A*w", lambda p: p["A"] @ p["w"]),
    ("A@B", lambda p: p["A"] @ p["B"]),
    ("u'*A", lambda p: (p["u"] @ p["A"])[None, :]),
    ("A'*u", lambda p: p["A"].T @ p["u"]),
    ("A.T @ u - w/2", lambda p: p["A"].T @ p["u"] - p["w"] / 2),
    ("inv(A'*A)*A'", lambda p: np.linalg.solve(p["A"].T @ p["A"], p["A"].T)),
    ("pinv(A)", lambda p: np.linalg.pinv(p["A"])),
    ("I - A*pinv(A)", lambda p: np.eye(5) - p["A"] @ np.linalg.pinv(p["A"])),
    ("2*I*u + I/2*u", lambda p: 2.5 * p["u"]),
    ("(I + I)*(I*3)*u", lambda p: 6 * p["u"]),
    ("S^3", lambda p: p["S"] @ p["S"] @ p["S"]),
    ("S^-2", lambda p: np.linalg.inv(p["S"]) @ np.linalg.inv(p["S"])),
    ("S^0 + I^3", lambda p: 2 * np.eye(5)),
    ("u/norm(u)", lambda p: p["u"] / np.linalg.norm(p["u"])),
    ("norm(u')", lambda p: np.linalg.norm(p["u"])),
    ("norm(-3) + x", lambda p: 4.5),
    ("[1, -2, 3]*n", lambda p: np.array([7, -14, 21])),
    ("[[1, 2], [3, 4], [5, 6]]'*w", lambda p: np.array([[1, 3, 5], [2, 4, 6]]) @ p["w"]),
    ("n'", lambda p: 7),
    ("inv(n) + pinv(eps)", lambda p: 1 / 7 + 4),
    ("inv(2*I)*u", lambda p: p["u"] / 2),
    ("min(n, eps)*max(n, eps)^2", lambda p: 0.25 * 49),
    ("exp(x) + pi + e", lambda p: np.exp(1.5) + np.pi + np.e),
]


@pytest.mark.parametrize(("text", "oracle"), CASES, ids=[text for text, _ in CASES])
def test_the_value_is_numpys(text, oracle, values):
    found, expected = evaluate(parse(text, names=NAMES), values), oracle(values)
    assert np.shape(found) == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


REFUSED = [
    ("u + 1", 4, "5"),
    ("1 - u", 4, None),
    ("u + w", 4, "3"),
    ("u + u'", 4, "5"),
    ("A + S", 4, "5×3"),
    ("A + I", 4, None),
    ("I + 1", 4, None),
    ("I + u", 4, None),
    ("u*v", 2, "a' * b"),
    ("A*u", 2, "5×3"),
    ("n/u", 2, None),
    ("u/0", 2, None),
    ("1/0", 2, None),
    ("2/0*u", 2, None),
    ("0^-1", 1, None),
    ("(-8)^(1/3)", 4, None),
    ("2^u", 1, None),
    ("u^2", 1, "a' * a"),
    ("S^0.5", 1, None),
    ("S^1000", 1, None),
    ("log(0)", 0, "log"),
    ("log(-1)", 0, "log"),
    ("sqrt(-1)", 0, "sqrt"),
    ("log(u)", 0, None),
    ("max(n, A)", 0, None),
    ("norm(A)", 0, None),
    ("norm(I)", 0, None),
    ("dot(u, w)", 0, None),
    ("dot(n, u)", 0, None),
    ("inv(A)", 0, None),
    ("inv(u*u')", 0, None),
    ("inv(0*I)", 0, None),
    ("exp(1000)", 0, None),
    ("9**9**9**9", 1, None),
    ("2^(1/3)*1e170 + 1 - 2^(1/3)*1e170", 0, None),
    ("1e300*1e300", 0, None),
    ("1e300*u*1e300", 0, None),
    ("I*1e300*1e300", 0, None),
    ("I", 0, "I"),
]


@pytest.mark.parametrize(("text", "position", "fact"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_has_no_value_is_refused_at_its_place(text, position, fact, values):
    with pytest.raises(FormulaError) as caught:
        evaluate(parse(text, names=NAMES), values)
    assert caught.value.position == position
    assert fact is None or fact in caught.value.message


def test_the_size_of_a_lone_identity_can_be_told():
    np.testing.assert_array_equal(evaluate(parse("2*I", names=()), {}, size=3), 2 * np.eye(3))


def test_large_products_are_refused():
    long = {"u": np.ones(1000)}
    assert evaluate(parse("u'*u", names=["u"]), long) == 1000
    with pytest.raises(FormulaError, match="40,000"):
        evaluate(parse("u*u'", names=["u"]), long)


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        [1.0, float("inf")],
        np.zeros((2, 2, 2)),
        "text",
        True,
        1j,
        [],
    ],
)
def test_values_are_checked(value):
    with pytest.raises(ValueError, match="`values`"):
        evaluate(parse("n", names=["n"]), {"n": value})


def test_every_name_must_have_a_value():
    with pytest.raises(ValueError, match=r"`values`.*\bn\b"):
        evaluate(parse("n", names=["n"]), {})
    assert evaluate(parse("n", names=["n", "other"]), {"n": 2}) == 2


def test_the_result_does_not_alias_the_values():
    given = np.arange(3.0)
    evaluate(parse("u", names=["u"]), {"u": given})[0] = 9
    assert given[0] == 0
