"""The three-token example (B.3e): u_a, u_b, u_c, u_d orthogonal of norm β; x_1 = u_d + u_b, x_2 = u_a, x_3 = u_c + u_b.

All scores are whole multiples of β², whatever the orthogonal vectors are, so that every weight is a quotient of powers of
y = e^{β²}, and a claim for all β is one about polynomials in y >= 1. With w = 1/odds(error), "from a threshold on" means that
y = threshold + z for all z >= 0.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from headwright import balls
from headwright.attention import attend
from headwright.constructions import design_layer
from headwright.geometry.polynomial_signs import nonnegative
from headwright.goals import Copy
from headwright.judging import certify
from headwright.layer import Layer
from headwright.problems.problem import Problem
from headwright.problems.showing import ERROR, ODDS, Showing, argued, checked
from headwright.verdict import Verdict

A, B, C, D = range(4)  # coordinates of u_a, u_b, u_c, u_d
_BETA = 2.5  # the instance: β² = 25/4 is exact
_THRESHOLD = math.sqrt(math.log(2 / ODDS))  # 2/(y + 2) <= error
_THRESHOLD_ADDED = math.sqrt(math.log((1 / ODDS + math.sqrt(1 / ODDS**2 + 4 / ODDS)) / 2))  # (y + 1)/y² <= odds
_THRESHOLD_OUTPUT = math.sqrt(math.log(math.sqrt(10) / ERROR - 2))  # √10/(y + 2) <= error
_FROM, _FROM_ADDED, _FROM_OUTPUT = (
    balls.decimal_above(Fraction(x), 5) for x in (_THRESHOLD, _THRESHOLD_ADDED, _THRESHOLD_OUTPUT)
)


def tokens(beta: float, added: tuple[int, ...] = ()) -> np.ndarray:
    """x_1, x_2, x_3 (3, 4) in coordinates along u_a … u_d; `added` to x_2."""
    x = np.zeros((3, 4))
    x[0, [D, B]] = x[1, [A, *added]] = x[2, [C, B]] = beta
    return x


def b_3e_i(problem: Problem) -> Showing:
    """Q = K = V = I: what is c_2, and can it be made u_b?"""
    ours = argued(
        "c_2 ≈ x_2 just from e^(β²) = 2/odds(error) on; and no multiples of u_c and u_d added to x_2 bring c_2 nearer to u_b "
        "than β/3, for any β",
        argument="three_tokens.md#x_2-keeps-a-third",
        scope="all β >= 0, errors in (0, 1), orthogonal vectors and multiples, by reduction to three inequalities",
        reason="x_2 = u_a scores β² on itself and 0 on the others: the error is 2/(e^(β²) + 2). With s u_c + t u_d added, x_2 "
        "leads x_1 by β²(1 + s² + t² - t) and x_3 by β²(1 + s² + t² - s), both at least ¾β², so its weight is at least 1/3; and "
        f"only x_2 has a part along u_a, which u_b lacks. The threshold is β = {_FROM} for error {float(ERROR)}.",
        inequalities=[
            nonnegative(lambda w, z: (2 * w + z) - 2 * w, w=0, z=0),
            nonnegative(lambda r, v: 3 + 4 * r + v, r=0, v=0),  # 4(1 + s² + t² - t), r = s², v = (2t - 1)²
            nonnegative(lambda y: 3 * y - (y + 2), y=1),
        ],
        instances=[*_sharp((), _THRESHOLD), *_never(0.5), *_never(_BETA)],
    )
    x = tokens(_BETA)
    also = tuple(
        (f"the same with x_2 = u_a + u_{name}", attend(there[1], there).weights)
        for name, there in (("d", tokens(_BETA, (D,))), ("c", tokens(_BETA, (C,))))
    )
    return Showing(
        problem,
        f"x_2 attends to itself: weight e^(β²)/(e^(β²) + 2), within {float(ERROR)} of all from β = {_FROM} on; what is "
        f"added to x_2 lengthens it and comes out again. Here β = {_BETA}",
        ours,
        _published_i(),
        attend(x[1], x).weights,
        Copy(1),
        f"weights of x_2 at β = {_BETA}",
        also,
    )


def _published_i() -> Verdict:
    """Every number of the published answer, for all β, and its two ≈ from thresholds on."""
    return argued(
        "c_2 ≈ x_2 with weight e^(β²)/(e^(β²) + 2); adding u_d or u_c cannot make c_2 ≈ u_b, for c_2 follows x_2: the weights "
        "are e^(β²), e^(2β²), 1 over their sum when x_2 = u_a + u_d",
        argument="three_tokens.md#c_2-follows-x_2",
        scope="all orthogonal vectors of norm β and all errors in (0, 1), β large: from a threshold on, by reduction to "
        "polynomials in y = e^(β²)",
        reason="the scores of x_2 are (0, β², 0), and (β², 2β², 0) with u_d added, (0, 2β², β²) with u_c: these are the stated "
        "weights, for every β. The errors 2/(y + 2) and (y + 1)/(y² + y + 1) are at most the given one from y = 2/odds and, at "
        f"the latest, y = 1 + 1/odds on: for {float(ERROR)} from β = {_FROM} and {_FROM_ADDED}. (As a vector, c_2 is off "
        f"from x_2 = u_a by √10/(y + 2) of its length: {float(ERROR)} from β = {_FROM_OUTPUT} on.) A small β mixes all tokens, "
        "but makes c_2 ≈ u_b no more, since x_2 keeps a third of the weight.",
        inequalities=[
            nonnegative(lambda w, z: (2 * w + z) - 2 * w, w=0, z=0),
            nonnegative(lambda w, z: (1 + w + z) ** 2 - w * (1 + w + z + 1), w=0, z=0),  # y² >= w(y + 1)
            nonnegative(lambda y: 3 * y - (y + 2), y=1),
            nonnegative(lambda y: 3 * y**2 - (y**2 + y + 1), y=1),
        ],
        instances=[
            *_stated((), (1, math.exp(_BETA**2), 1)),
            *_stated((D,), (math.exp(_BETA**2), math.exp(2 * _BETA**2), 1)),
            *_stated((C,), (1, math.exp(2 * _BETA**2), math.exp(_BETA**2))),
            *_sharp((), _THRESHOLD),
            *(verdict for added in ((D,), (C,)) for verdict in _sharp(added, _THRESHOLD_ADDED)),
        ],
    )


def _stated(added: tuple[int, ...], parts: tuple[float, ...]) -> list[Verdict]:
    """The weights of x_2 are these parts over their sum, to a part in 10^12."""
    x, whole = tokens(_BETA, added), sum(parts)
    low, high = ([part / whole * (1 + slack) for part in parts] for slack in (-1e-12, 1e-12))
    return [
        *(certify(x, x[1], of=j, at_least=least) for j, least in enumerate(low)),
        *(certify(x, x[1], of=j, at_most=most) for j, most in enumerate(high)),
    ]


def _sharp(added: tuple[int, ...], threshold: float) -> list[Verdict]:
    """x_2 copies itself just beyond the threshold, and does not just below."""
    beyond, below = tokens(threshold + 1e-6, added), tokens(threshold - 1e-6, added)
    return [certify(beyond, beyond[1], Copy(1), error=ERROR), certify(below, below[1], of=1, at_most=1 - ERROR)]


def _never(beta: float) -> list[Verdict]:
    """Whatever is added, x_2 keeps a third of its own weight; the third inequality at this β."""
    found = (tokens(beta, added) for added in ((), (C,), (D,), (C, D)))
    return [certify(x, x[1], of=1, at_least="1/3") for x in found]


def b_3e_ii(problem: Problem) -> Showing:
    """Maps with c_2 ≈ u_b and c_1 ≈ u_b - u_c."""
    layers = {beta: _designed(beta, ERROR) for beta in (1.0, 2.0, 16.0)}
    as_exact = _designed(_BETA, 2 / (math.exp(_BETA**2) + 2))
    ours = argued(
        f"the layer of least joint norm for β = 1, its Q divided by β², gives c_2 ≈ u_b and c_1 ≈ u_b - u_c at every β > 0, with "
        f"weights within {float(ERROR)}",
        argument="three_tokens.md#one-layer-for-every-beta",
        scope="all β > 0 and orthogonal vectors, by scaling",
        reason="tokens β times as long with QᵀK/β² have the same scores, so the same weights; the outputs V x grow with the "
        "tokens. No threshold in β is needed, only the factor that a large β would bring.",
        inequalities=[],
        instances=[_judged(layer) for layer in (*layers.values(), as_exact)],
    )
    theirs = float(np.linalg.norm(_published_q()))
    return Showing(
        problem,
        f"token 2 copies x_1, token 1 copies x_3, and V reads u_b and u_b - u_c off them; QᵀK of least Frobenius norm, "
        f"{layers[1.0].norm:.4g}/β² for error {float(ERROR)}. At the published answer's own error (β = {_BETA}) it is "
        f"{as_exact.norm:.4g} against {theirs:.4g}",
        ours,
        _published_ii(problem),
        layers[1.0].weights()[1],
        Copy(0),
        "weights of token 2 (key 0 is x_1)",
        (("weights of token 1, which is to copy x_3", layers[1.0].weights()[0]),),
        (Copy(2),),
    )


def _designed(beta: float, error: float | Fraction) -> Layer:
    u = beta * np.eye(4)
    return design_layer(tokens(beta), {0: Copy(2), 1: Copy(0)}, {0: u[B] - u[C], 1: u[B]}, error=error)


def _judged(layer: Layer) -> Verdict:
    assert layer.verdict is not None, "a designed layer carries its proof"
    return layer.verdict


def _published_q() -> np.ndarray:
    """Q = (u_c u_dᵀ + u_d u_aᵀ)/β², which is the same for every β."""
    q = np.zeros((4, 4))
    q[C, D] = q[D, A] = 1.0
    return q


def _published_ii(problem: Problem) -> Verdict:
    return checked(
        problem,
        problem.published_answer,
        "Q x_1 = u_c scores (0, 0, β²) and Q x_2 = u_d scores (β², 0, 0); V x = u_b, 0, u_b - u_c. So c_2 = u_b - (u_b + "
        f"u_c)/(y + 2) and c_1 = (u_b - u_c) + (2u_c - u_b)/(y + 2), y = e^(β²). The error 2/(y + 2) is at most "
        f"{float(ERROR)} from β = {_FROM} on; at β = 1 it is {2 / (math.e + 2):.3g}.",
    )


RUNS = {"B.3e-i": b_3e_i, "B.3e-ii": b_3e_ii}
