"""Wrong families are never Proved: neither by `check`, nor by the prover where no member is looked at first."""

import re

import mpmath
import numpy as np
import pytest

from headwright import problems
from headwright.problems.judges import layers, query_every_size, query_limits, query_search
from tests.false_families import FAMILIES, FAR
from tests.members_by_hand import QUESTIONS, number, weights

DIGITS = 1300
CLEAR = mpmath.mpf(10) ** -60  # relative to the error: a failure that rounding cannot bring about


def value(text, values=None):
    """A number of the table: "1/7", "10^-14", or a path in x."""
    return number(plain(text), values or {})


def plain(text):
    """A negative exponent in a form that Python's ** reads."""
    return re.sub(r"\^-(\d+)", r"^(0-\1)", text)


def ways(row):
    """The members at which the row fails: one, or one for every x of FAR."""
    far = "x" in "".join(row.at.values()).replace("exp", "")
    return [member(row, {"x": value(x)}) for x in FAR] if far else [member(row, {})]


def member(row, far):
    """(n, the values of all symbols, the error)."""
    values = {name: value(text, far) for name, text in row.at.items()}
    m, error = len(QUESTIONS[row.id].names), None
    if "eps" in values and row.fails != "limit":
        error = values["eps"] / (m + values["eps"])
    else:
        error = value(row.error or (row.miss if row.fails == "limit" else "1/100"))
    return int(values["n"]), {"eps": m * error / (1 - error), **values}, error


def coefficients(row, values):
    names = QUESTIONS[row.id].names
    return [
        [number(plain(text), {**values, **{x: mpmath.mpf(x == name) for x in names}}) for name in names]
        for text in row.answer.values()
    ]


def missing(row, n, values, error):
    """How much more than the error the weights miss, relative to it; the worst length counts."""
    question = QUESTIONS[row.id]
    found = weights(question, [plain(text) for text in row.answer.values()], values, n)
    m = len(question.names)
    if question.each:
        return max((1 / (m + values["eps"]) - weight) / error for row in found for weight in row)
    return max((sum(max(mpmath.mpf(1) / m - weight, 0) for weight in row) - error) / error for row in found)


def fails_at(row, n, values, error):
    if row.fails == "undefined":
        with pytest.raises((ValueError, ZeroDivisionError)):
            coefficients(row, values)
        return True
    if row.fails == "same":
        pairs = zip(*coefficients(row, values), strict=True)
        return all(abs(one - other) < mpmath.mpf(10) ** (100 - DIGITS) for one, other in pairs)
    if row.fails == "long":
        (query,) = coefficients(row, values)
        allowed = value(QUESTIONS[row.id].longest) * mpmath.log(n / values["eps"])
        return mpmath.sqrt(sum(part**2 for part in query)) / allowed - 1 > CLEAR
    if row.fails == "edge":
        return abs(missing(row, n, values, error)) < mpmath.mpf(10) ** (50 - DIGITS)
    return missing(row, n, values, error) > CLEAR


def matrix_formula(text, values):
    """A formula of matrices: A' is the transpose, inv and pinv those of mpmath's matrices."""
    size = next(part.rows for part in values.values() if isinstance(part, mpmath.matrix))
    known = {
        **{"inv": lambda x: x**-1, "pinv": lambda x: (x.T * x) ** -1 * x.T, "I": mpmath.eye(size)},
        **{"sqrt": mpmath.sqrt, "log": real_log, "abs": abs, "min": min, "number_": mpmath.mpf, **values},
    }
    text = plain(text).replace("'", ".T").replace("^", "**")
    text = re.sub(r"\*\*\(0-(\d+)\)", r"**-\1", re.sub(r"(?<![\w.*-])(\d+)(?!\w)", r"number_('\1')", text))
    return eval(text, {"__builtins__": {}}, known)


def real_log(x):
    if x <= 0:
        raise ValueError(x)
    return mpmath.log(x)


def bases(d, first, second):
    """Columns of norm 1, those of one matrix slanted, the two spans orthogonal; and orthonormal ones of the same spans."""
    seeds = mpmath.matrix([[mpmath.mpf((3 * i * i + 5 * j + i * j + 2) % 11 - 5) for j in range(d)] for i in range(d)])
    for i in range(d):
        seeds[i, i] += 12
    basis = mpmath.qr(seeds)[0]
    flat = [basis[:, :first], basis[:, first : first + second]]
    return flat, [slanted(part) for part in flat]


def slanted(part):
    mixed = part * mpmath.matrix(
        [[1 if i == j else mpmath.mpf(1) / 3 for j in range(part.cols)] for i in range(part.cols)]
    )
    lengths = [mpmath.norm(mixed[:, j]) for j in range(mixed.cols)]
    return mpmath.matrix([[mixed[i, j] / lengths[j] for j in range(mixed.cols)] for i in range(mixed.rows)])


def read_out_fails(row):
    flat, slant = bases(*(int(row.at[name]) for name in ("d", "first", "second")))
    if row.id == "D.b-i":
        a, b = flat
        m = matrix_formula(row.answer["M"], {"A": a, "B": b})
        return largest(m * a - a) > CLEAR or largest(m * b) > CLEAR
    s, t = slant
    m = matrix_formula(row.answer["M"], {"S": s, "T": t})
    return largest(s.T * m - 2 * s.T) > CLEAR or largest(t.T * m) > CLEAR


def largest(matrix):
    return max(abs(entry) for entry in matrix)


def layer_fails(row, beta):
    """Tokens x_1 = u_d + u_b, x_2 = u_a, x_3 = u_c + u_b; wanted: u_b - u_c in row 1 and u_b in row 2."""
    a, b, c, d = (beta * mpmath.eye(4)[:, i] for i in range(4))
    tokens, wanted = [d + b, a, c + b], {0: b - c, 1: b}
    values = {"u_a": a, "u_b": b, "u_c": c, "u_d": d, "beta": beta}
    try:
        maps = {name: matrix_formula(text, values) for name, text in row.answer.items()}
    except ValueError:  # no value at this β
        return True
    off = []
    for r, want in wanted.items():
        scores = [((maps["Q"] * tokens[r]).T * (maps["K"] * token))[0] for token in tokens]
        powers = [mpmath.exp(score - max(scores)) for score in scores]
        out = sum((p * (maps["V"] * token) for p, token in zip(powers, tokens, strict=True)), mpmath.zeros(4, 1))
        off.append(mpmath.norm(out / sum(powers) - want) / beta)
    return max(off) > value(row.miss)


def rank_fails(row, rng):
    """At matrices of k or k - 1 equal singular values, of falling ones, and of rank 1, in float64 with room to spare."""
    rows, columns, k = (int(row.at[name]) for name in ("rows", "columns", "k"))
    left, right = (np.linalg.qr(rng.normal(size=(size, columns)))[0] for size in (rows, columns))
    places = np.arange(columns)
    for values in (places < k, places < k - 1, 2.0**-places, places < 1):
        a = left * values @ right.T
        known = {"A": a, "k": k, "svd_part": svd_part}
        m = eval(row.answer["M"].replace("10^-6", "1e-6").replace("^", "**"), {"__builtins__": {}}, known)
        rank = np.linalg.matrix_rank(m, tol=1e-9)
        if rank > k - 1 or np.linalg.norm(a - m, 2) > np.linalg.norm(a) / np.sqrt(k) + 1e-9:
            return True
    return False


def svd_part(a, rank):
    u, s, v = np.linalg.svd(a, full_matrices=False)
    return u[:, : int(rank)] * s[: int(rank)] @ v[: int(rank)]


@pytest.mark.parametrize("row", FAMILIES, ids=str)
def test_the_answer_fails_at_its_member(row, rng):
    if row.fails == "rank":
        assert rank_fails(row, rng)
        return
    with mpmath.workdps(60 if row.fails in ("matrix", "layer") else DIGITS):
        if row.fails == "matrix":
            assert read_out_fails(row)
        elif row.fails == "layer":
            assert all(layer_fails(row, value(beta)) for beta in FAR)
        else:
            assert all(fails_at(row, *way) for way in ways(row))


@pytest.mark.parametrize("row", FAMILIES, ids=str)
def test_a_false_family_is_not_proved(row):
    assert problems.check(row.id, row.answer, n=row.n, error=row.error).status != "proved"


@pytest.mark.parametrize("row", [row for row in FAMILIES if row.fails not in ("matrix", "rank")], ids=str)
def test_a_false_family_is_not_proved_where_no_member_is_looked_at(row, monkeypatch):
    monkeypatch.setattr(query_search.Search, "first_wrong", lambda search, members, every=False: None)
    monkeypatch.setattr(query_every_size, "_outweighed", lambda queries, n: False)
    monkeypatch.setattr(query_limits, "_wrong_member", lambda claim, n=None: None)
    monkeypatch.setattr(layers, "_FAR", ())
    assert problems.check(row.id, row.answer, n=row.n, error=row.error).status != "proved"


def test_there_are_many():
    assert len(FAMILIES) >= 126
    assert len({str(row) for row in FAMILIES}) == len(FAMILIES)
