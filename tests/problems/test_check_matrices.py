"""Matrices from outside: read-outs by algebra, for bases of every size, and matrices of low rank in exact arithmetic."""

import numpy as np
import pytest

import headwright as hw
from headwright.problems import check
from tests.facts import says

RIGHT = {
    "D.b-i": ["I - B*B'", "A*inv(A'*A)*A'", "A*pinv(A)", "A*A' + 3*A*A'*B*B'", "(A*A')^2", "A*A'*(I - B*B')", "A*A.T"],
    "E.1d": [
        *["2*S*pinv(S)", "2*(I - T*inv(T'*T)*T')", "S*inv(S'*S)*S'*2", "2*pinv(S')*S'", "2*I - 2*T*pinv(T)"],
        "2*S*inv(S'*S)*S'*(I - T*T')",
    ],
}
WRONG = {
    "D.b-i": ["2*A*A'", "A*A' + B*B'", "I", "B*B'", "A*A'/2", "I - A*A'", "0*A*A'"],
    "E.1d": ["2*S*S'", "S*inv(S'*S)*S'", "2*I", "2*T*pinv(T)", "I - T*pinv(T)", "2*(I - T*T')"],
}


def bases(problem_id, rng):
    """Random bases as the question has them, of random sizes."""
    d, m, p = 9, int(rng.integers(1, 4)), int(rng.integers(1, 5))
    turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
    a, b = turn[:, :m], turn[:, m : m + p]
    if problem_id == "E.1d":
        a, b = a @ rng.standard_normal((m, m)), b @ rng.standard_normal((p, p))
        a, b = a / np.linalg.norm(a, axis=0), b / np.linalg.norm(b, axis=0)
    return a, b


def by_hand(problem_id, text, a, b):
    """The formula in plain NumPy, and how far it is from what is asked."""
    first, second = ("A", "B") if problem_id == "D.b-i" else ("S", "T")
    code = (
        text.replace("*", "@")
        .replace("^", "**")
        .replace("'", ".T")
        .replace("2@", "2*")
        .replace("3@", "3*")
        .replace("0@", "0*")
    )
    code = code.replace("@2", "*2").replace("(A@A.T)**2", "(A@A.T)@(A@A.T)")
    known = {first: a, second: b, "I": np.eye(len(a)), "inv": np.linalg.inv, "pinv": np.linalg.pinv}
    m = eval(code, {"__builtins__": {}}, known)
    if problem_id == "D.b-i":
        return max(np.abs(m @ a - a).max(), np.abs(m @ b).max())
    return max(np.abs(a.T @ m - 2 * a.T).max(), np.abs(b.T @ m).max())


@pytest.mark.parametrize(("problem_id", "text"), [(name, text) for name, texts in RIGHT.items() for text in texts])
def test_right_matrices_in_other_forms(problem_id, text, rng):
    verdict = check(problem_id, {"M": text})
    assert verdict.status == "proved", verdict
    for _ in range(20):
        assert by_hand(problem_id, text, *bases(problem_id, rng)) < 1e-6


@pytest.mark.parametrize(("problem_id", "text"), [(name, text) for name, texts in WRONG.items() for text in texts])
def test_wrong_matrices_fail_on_a_column(problem_id, text, rng):
    verdict = check(problem_id, {"M": text})
    assert verdict.status == "refuted", verdict
    assert verdict.reason
    assert verdict.record.prove().status == "refuted"
    assert by_hand(problem_id, text, *bases(problem_id, rng)) > 1e-3


def test_a_right_matrix_for_orthonormal_columns_alone_says_so():
    """Both sides of the condition: it holds with orthonormal columns, and not with slanted ones."""
    assert check("E.1d", {"M": "2*S*S'"}).holds_when
    assert check("E.1d", {"M": "2*(I - T*T')"}).holds_when
    assert check("E.1d", {"M": "2*I"}).holds_when is None
    rng = np.random.default_rng(5)
    a, b = bases("D.b-i", rng)
    assert by_hand("E.1d", "2*S*S'", a, b) < 1e-12
    slanted = np.array([[1.0, 0.6], [0.0, 0.8], [0.0, 0.0]])
    assert by_hand("E.1d", "2*S*S'", slanted, np.eye(3)[:, 2:]) > 0.1


@pytest.mark.parametrize("problem_id", ["D.b-i", "E.1d"])
def test_arrays_are_judged_at_the_setting(problem_id):
    names = hw.problems.CATALOGUE[problem_id].setting().names
    (a, b), share = list(names.values()), 1 if problem_id == "D.b-i" else "1/2"
    for made in (hw.readout(a, against=b, share=share), hw.readout(a, share=share)):
        assert check(problem_id, {"M": made.matrix.T if problem_id == "E.1d" else made.matrix}).status == "proved"
    rest = hw.readout(a, against=b, share=share).matrix + np.eye(10)[9:].T @ np.eye(10)[3:4] * 0
    assert check(problem_id, {"M": rest.tolist()}).status == "proved"
    off = np.array(rest)
    off[0, 0] += 1e-6
    assert check(problem_id, {"M": off}).status == "refuted"
    assert check(problem_id, {"M": np.zeros((10, 10))}).status == "refuted"


@pytest.mark.parametrize(
    ("problem_id", "text"), [("D.b-i", "A'"), ("D.b-i", "pinv(A)"), ("E.1d", "2*S"), ("E.1d", "pinv(S')")]
)
def test_coordinates_are_not_the_vector(problem_id, text):
    verdict = check(problem_id, {"M": text})
    assert verdict.status == "refuted"
    assert verdict.reason
    assert says(verdict.reason, 3)


@pytest.mark.parametrize(
    ("problem_id", "matrix", "why"),
    [
        ("D.b-i", "A*B'", "10×3"),
        ("D.b-i", "2", "`M`"),
        ("D.b-i", np.eye(9), "`M`.*10"),
        ("D.b-i", np.eye(10)[0], "`M`"),
        ("D.b-i", np.full((10, 10), np.inf), "`M`"),
        ("D.b-i", "A*C'", "C"),
        ("E.1d", "2*inv(S*S')", "singular"),
        ("A.3c", np.eye(10), r"`M`.*\(10, 6\)"),
    ],
)
def test_matrices_that_are_none(problem_id, matrix, why):
    with pytest.raises(ValueError, match=why):
        check(problem_id, {"M": matrix})


def setting_a():
    names = hw.problems.CATALOGUE["A.3c"].setting().names
    return np.array(names["A"]), int(names["k"])


def test_low_rank_as_numbers_and_as_factors():
    a, k = setting_a()
    u, s, v = np.linalg.svd(a, full_matrices=False)
    left, right = u[:, : k - 1] * s[: k - 1], v[: k - 1]
    limit = np.linalg.norm(a) / np.sqrt(k)
    for given in (
        {"M": left @ right},
        {"L": left, "R": right},
        {"M": 0.9 * left @ right},
        {"L": 0.9 * left, "R": right},
    ):
        product = given["M"] if "M" in given else given["L"] @ given["R"]
        assert np.linalg.norm(a - product, 2) < limit
        assert check("A.3c", given).status == "proved"
    assert check("A.3c", {"M": a}).status == "refuted"  # of rank 6
    assert check("A.3c", {"M": (u[:, :k] * s[:k]) @ v[:k]}).status == "refuted"
    worse = check("A.3c", {"L": -left, "R": right})
    assert worse.status == "refuted"
    x = worse.counterexample["x"]
    assert np.linalg.norm((a + left @ right) @ x) > limit * np.linalg.norm(x)


def test_low_rank_as_a_formula():
    for text in ("svd_part(A, k-1)", "svd_part(A, 2*k - k - 1)"):
        assert check("A.3c", {"M": text}).status == "proved"
    for text in ("svd_part(A, k)", "A", "0*A", "svd_part(A, k-2)", "A/2", "-svd_part(A, k-1)"):
        assert check("A.3c", {"M": text}).status == "refuted"
    assert check("A.3c", {"M": "0.4*svd_part(A, k-1)"}).status == "refuted"  # at rank 1
    assert check("A.3c", {"M": "0.9*svd_part(A, k-1)"}).status == "undecided"  # right for k <= 100
    with pytest.raises(ValueError, match="svd_part"):
        check("A.3c", {"M": "svd_part(A, 1/2)"})
