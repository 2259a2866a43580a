"""The verdicts on layers and read-outs, recomputed without the library's proofs: mpmath, Fractions, loops over β."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

import headwright as hw
from tests.facts import says

with mpmath.workdps(60):
    ERROR = mpf(1) / 100
BETAS = ["0", "0.1", "0.5", "1", "1.7", "2.1", "2.3", "2.5", "5", "20"]


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(50):
        yield


def dot(x, y):
    return mp.fsum(a * b for a, b in zip(x, y, strict=True))


def add(*vectors):
    return [mp.fsum(parts) for parts in zip(*vectors, strict=True)]


def times(factor, vector):
    return [factor * entry for entry in vector]


def vectors(beta, dimension=6):
    """u_a, u_b, u_c, u_d of norm β: orthogonal, but not along the axes."""
    with mpmath.workdps(50):
        turn = mp.qr(mp.matrix(np.random.default_rng(3).normal(size=(dimension, dimension)).tolist()))[0]
        return [[beta * turn[row, column] for row in range(dimension)] for column in range(4)]


def attention(query, keys, values):
    powers = [mp.exp(dot(query, key)) for key in keys]
    weights = [power / mp.fsum(powers) for power in powers]
    return weights, add(*(times(weight, value) for weight, value in zip(weights, values, strict=True)))


def length(vector):
    return mp.sqrt(dot(vector, vector))


def example(beta, s=0, t=0):
    """The three tokens with s u_c + t u_d added to x_2: weights and output of token 2 under Q = K = V = I, and u_b."""
    a, b, c, d = vectors(mpf(beta))
    x = [add(d, b), add(a, times(s, c), times(t, d)), add(c, b)]
    return *attention(x[1], x, x), x[1], b


def threshold(reached, low="1", high="4"):
    """The least β in between at which `reached` is true, to 30 digits; it is false below and true above."""
    low, high = mpf(low), mpf(high)
    assert not reached(low)
    assert reached(high)
    while high - low > mpf(10) ** -30:
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


@pytest.mark.parametrize("beta", BETAS)
def test_every_stated_weight_of_b_3e_i(beta):
    y = mp.exp(mpf(beta) ** 2)
    for (s, t), parts in {(0, 0): (1, y, 1), (0, 1): (y, y**2, 1), (1, 0): (1, y**2, y)}.items():
        weights, *_ = example(beta, s, t)
        for weight, part in zip(weights, parts, strict=True):
            assert abs(weight - part / mp.fsum(parts)) < mpf(10) ** -40


@pytest.mark.parametrize("beta", BETAS[1:])
def test_nothing_added_makes_c_2_u_b(beta):
    for s in (-3, -1, 0, mpf("0.5"), 1, 2):
        for t in (-2, 0, mpf("0.5"), 1, 7):
            weights, output, _, u_b = example(beta, s, t)
            assert weights[1] >= mpf(1) / 3
            assert length(add(output, times(-1, u_b))) >= mpf(beta) / 3


def test_the_thresholds_of_b_3e_i_are_sharp():
    alone = threshold(lambda beta: 1 - example(beta)[0][1] <= ERROR)
    added = threshold(lambda beta: 1 - example(beta, t=1)[0][1] <= ERROR)
    other = threshold(lambda beta: 1 - example(beta, s=1)[0][1] <= ERROR)

    def near(beta):
        _, output, x_2, _ = example(beta)
        return length(add(output, times(-1, x_2))) <= ERROR * length(x_2)

    verdict = hw.problems.published("B.3e-i")
    assert says(verdict.reason, above(alone), above(added), above(threshold(near)))
    assert abs(added - other) < mpf(10) ** -25
    assert abs(alone - mp.sqrt(mp.log(198))) < mpf(10) ** -25
    assert above(alone) in hw.problems.run("B.3e-i").ours.reason


def above(number):
    return str(mp.ceil(number * 10000) / 10000)[:6]


@pytest.mark.parametrize("error", ["0.9", "0.3", "1e-3", "1e-12"])
def test_the_claimed_thresholds_suffice_for_other_errors(error):
    odds = mpf(error) / (1 - mpf(error))
    alone, added = mp.sqrt(mp.log(max(1, 2 / odds))), mp.sqrt(mp.log(1 + 1 / odds))
    for more in ("0", "0.01", "1", "5"):
        slack = mpf(error) * (1 + mpf(10) ** -30)
        assert 1 - example(alone + mpf(more))[0][1] <= slack
        assert 1 - example(added + mpf(more), t=1)[0][1] <= slack


def published_layer(beta):
    """Outputs of tokens 1 and 2 under the published maps, as products of matrices, and the weights."""
    a, b, c, d = (mp.matrix(u) for u in vectors(mpf(beta)))
    square = mpf(beta) ** 2
    value_map = (b * b.T - c * c.T) / square
    query_map = (c * d.T + d * a.T) / square
    x = [d + b, a, c + b]
    values = [list(value_map * token) for token in x]
    return [attention(list(query_map * x[row]), [list(token) for token in x], values) for row in (0, 1)], b, c


@pytest.mark.parametrize("beta", BETAS[3:])
def test_the_published_maps_of_b_3e_ii(beta):
    ((first, c_1), (second, c_2)), b, c = published_layer(beta)
    y = mp.exp(mpf(beta) ** 2)
    tiny = mpf(10) ** -40 * (1 + mpf(beta))
    for weights, target in ((first, 2), (second, 0)):
        assert abs(weights[target] - y / (y + 2)) < tiny
        assert (1 - weights[target] <= ERROR) == (mpf(beta) >= mpf("2.29963"))
    assert length(add(c_2, list((b + c) / (y + 2) - b))) < tiny
    assert length(add(c_1, list((b - 2 * c) / (y + 2) - (b - c)))) < tiny
    if mpf(beta) >= mpf("2.4"):
        assert length(add(c_2, list(-b))) <= ERROR * mpf(beta)
        assert length(add(c_1, list(c - b))) <= ERROR * mpf(beta)


def our_layer(beta, error):
    """The tokens (3, 4) in coordinates along u_a … u_d, and the layer of least norm for the task of B.3e-ii."""
    x = beta * np.array([[0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0]])
    outputs = {0: [0.0, beta, -beta, 0.0], 1: [0.0, beta, 0.0, 0.0]}
    return x, hw.design_layer(x, {0: hw.Copy(2), 1: hw.Copy(0)}, outputs, error=error)


@pytest.mark.parametrize("beta", [0.25, 1.0, 3.0, 20.0])
def test_our_layer_scaled_to_other_tokens(beta):
    """The layer for β = 1 with Q/β², on tokens of another β: the same weights, outputs near what is wanted."""
    unit, layer = our_layer(1.0, "0.01")
    x = beta * unit
    scores = (x @ layer.Q.T / beta**2) @ (x @ layer.K.T).T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    assert weights[0, 2] > 0.99 - 1e-9
    assert weights[1, 0] > 0.99 - 1e-9
    wanted = beta * np.array([[0, 1, -1, 0], [0, 1, 0, 0]])
    assert np.abs(weights[:2] @ x @ layer.V.T - wanted).max() < 0.011 * beta


def test_our_layer_is_not_longer_at_the_published_error():
    """Their QᵀK is Q itself, of norm √2."""
    for beta in (1.5, 2.5, 4.0):
        _, layer = our_layer(beta, 2 / (np.exp(beta**2) + 2))
        assert layer.verdict.status == "proved"
        assert layer.norm <= np.sqrt(2)
    assert says(hw.problems.run("B.3e-ii").construction, "0.9424", "1.414")


# Read-outs: exact rationals, a Cayley transform making orthonormal columns that are not rounded


def rational_turn(d, seed):
    """An orthogonal matrix of Fractions: (I - K)(I + K)⁻¹ for a skew K of small integers."""
    rng = np.random.default_rng(seed)
    lower = np.tril(rng.integers(-2, 3, size=(d, d)), -1)
    skew = (lower - lower.T).tolist()
    plus = [[Fraction(int(i == j) + skew[i][j]) for j in range(d)] for i in range(d)]
    minus = [[Fraction(int(i == j) - skew[i][j]) for j in range(d)] for i in range(d)]
    return product(minus, inverse(plus))


def product(left, right):
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*right, strict=True)] for row in left
    ]


def transposed(matrix):
    return [list(column) for column in zip(*matrix, strict=True)]


def inverse(matrix):
    """Gauss and Jordan."""
    d = len(matrix)
    rows = [list(row) + [Fraction(int(i == j)) for j in range(d)] for i, row in enumerate(matrix)]
    for place in range(d):
        pivot = next(i for i in range(place, d) if rows[i][place] != 0)
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [entry / rows[place][place] for entry in rows[place]]
        for i in range(d):
            if i != place:
                rows[i] = [a - rows[i][place] * b for a, b in zip(rows[i], rows[place], strict=True)]
    return [row[d:] for row in rows]


@pytest.mark.parametrize("seed", range(4))
def test_both_read_outs_are_exact_in_fractions(seed):
    d, m = 6, 2
    turn = rational_turn(d, seed)
    a, b = [row[:m] for row in turn], [row[m : m + 3] for row in turn]
    assert product(transposed(a), a) == [[1, 0], [0, 1]]
    projector = product(a, transposed(a))
    assert product(projector, a) == a
    assert product(projector, b) == [[0] * 3] * d
    slanted = product(a, [[Fraction(1), Fraction(3, 5)], [Fraction(0), Fraction(4, 5)]])  # unit columns, not orthogonal
    gram = inverse(product(transposed(slanted), slanted))
    matrix = [[2 * entry for entry in row] for row in product(product(slanted, gram), transposed(slanted))]
    half = [[entry / 2 for entry in row] for row in transposed(slanted)]  # rows c = v_i/2
    assert product(half, matrix) == transposed(slanted)
    assert product(transposed(b), matrix) == [[0] * d] * 3
    doubled = [[2 * entry for entry in row] for row in product(slanted, transposed(slanted))]
    assert product(half, doubled) != transposed(slanted)


def test_norm_one_is_not_enough():
    text = hw.problems.run("E.1d").construction
    s = np.array([[1.0, 0.6, 0.0], [0.0, 0.8, 0.28], [0.0, 0.0, 0.96]])
    off = np.linalg.norm(s @ s.T @ s - s, axis=0).max()
    assert says(text, f"{off:.2g}")
    assert says(hw.problems.run("E.1d").ours.reason, 1)
