"""One head under a key of noisy length: it picks a or b by the toss of a coin (B.3c-ii, C.2.1b, D.c-ii, E.1f).

The other noise has vanished: k_a = c·u_a with c ~ N(1, ½), all other keys at their means. Under q = t(u_a + u_b) the weights
are as e^{tc} on a, e^t on b and 1 elsewhere, so α_a/α_b = e^{t(c-1)}. Under q = -t Σ u_j over the others a and b both score
0, whatever c.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from headwright import balls
from headwright.attention import attend
from headwright.geometry.polynomial_signs import nonnegative
from headwright.goals import Average, Copy
from headwright.judging import certify
from headwright.keys import GaussianKeys
from headwright.noise import Outcome, heads_of, outcome
from headwright.problems.problem import Problem
from headwright.problems.showing import ERROR, ODDS, N, Showing, argued
from headwright.proofs import WeightVariance
from headwright.verdict import Proved, Refuted, Verdict

GOAL = Average(0, 1)
T = 10**4
CONFIDENCE = Fraction(99, 100)
SURE = "0.999999999"  # of a query that does not feel the noise at all
_LONGER, _SHORTER = 1.5, 0.5


def noisy(key: int = 0, *, isotropic: float = 0.0) -> GaussianKeys:
    """Orthonormal means; the length of one key has variance ½."""
    return GaussianKeys(np.eye(N), isotropic=isotropic, along={key: 0.5})


def with_length(c: float) -> np.ndarray:
    """One sample of the keys: k_a = c·u_a."""
    keys = np.eye(N)
    keys[0] *= c
    return keys


def textbook(t: float) -> np.ndarray:
    """q = t(u_a + u_b)."""
    return np.asarray(t * np.eye(N)[:2].sum(axis=0))


def blind() -> np.ndarray:
    """q = -t Σ u_j over all keys but a and b, just long enough for the error."""
    return np.asarray(-math.log((N - 2) / (2 * ODDS)) * (1 + 1e-12) * np.eye(N)[2:].sum(axis=0))


def leaning(problem: Problem) -> Showing:
    """B.3c-ii: which way the output leans."""
    theirs = argued(
        "c leans to v_a (α_a > α_b) when k_a is stretched by a factor above 1, and to v_b (α_a < α_b) when by one below 1",
        argument="noisy_length.md#which-way-the-output-leans",
        scope="all n >= 2, T > 1 and all samples, once the isotropic noise has vanished (a factor of exactly 1 has "
        "probability 0)",
        reason="α_a/α_b = T^(c-1) for k_a = c·u_a. It is the factor that counts, not the length: for c < -1 (probability "
        f"{_mass_below(-2 * math.sqrt(2)):.4f}) the key is long, points backwards, and c leans to v_b. At variance 1e-6 "
        "the isotropic noise turns the lean around with probability below 0.001, whatever T.",
        inequalities=[_turned_around(Fraction(1, 10**6)) < Fraction(1, 1000)],
        instances=[
            *(_leans(c, to=0) for c in (1 + 1e-9, _LONGER, 3.0)),
            *(_leans(c, to=1) for c in (1 - 1e-9, _SHORTER, 0.0, -1.5)),
        ],
    )
    return Showing(problem, _in_numbers(), _coin_toss(), theirs, *_samples())


def spreading(problem: Problem) -> Showing:
    """C.2.1b: does the variance of c grow?"""
    laws = {beta: outcome(noisy(), textbook(beta), GOAL) for beta in (math.log(T), 50.0, 200.0)}
    least = [law.sd[0] - law.uncertainty["sd"][0] for law in laws.values()]
    theirs = argued(
        "the weight of a changes from sample to sample, and the variance of c grows",
        argument="noisy_length.md#the-weight-varies",
        scope="all n >= 2 and β > 0, once the isotropic noise has vanished, for all values but those with v_a = (e^β v_b "
        "+ Σ others)/(e^β + n - 2)",
        reason="α_a = e^(βc)/(e^(βc) + e^β + n - 2) rises strictly with the factor c, so it varies, where it did not vary "
        f"at all without the noisy length. Its standard deviation is {least[0]:.4f} at β = ln 10⁴, {least[1]:.4f} at 50, "
        f"{least[2]:.4f} at 200, and tends to ½, that of a coin toss.",
        inequalities=[0.43 < least[0] < least[1] < least[2] < 0.5, all(law.proved for law in laws.values())],
        instances=[
            certify(with_length(_SHORTER), textbook(math.log(T)), of=0, at_most="0.02"),
            certify(with_length(_LONGER), textbook(math.log(T)), of=0, at_least="0.98"),
            varies(textbook(math.log(T)), at_least="0.185"),
        ],
    )
    text = (
        "it is a coin toss between v_a and v_b. A query that does not look along μ_a cannot feel its length: push the "
        f"others down instead, q = -t Σ μ_j over j ≠ a, b with t = ln((n-2)/(2·odds)) = {math.log((N - 2) / (2 * ODDS)):.4g}"
    )
    weights = attend(blind(), np.eye(N)).weights
    shown = _samples()
    also = ((shown[2], shown[0]), *shown[3])
    return Showing(
        problem, text, _withstands(), theirs, weights, GOAL, "weights of our query, whatever the length of k_a", also
    )


def over_samples(problem: Problem) -> Showing:
    """D.c-ii: what c looks like, and its variance."""
    law = outcome(noisy(), textbook(math.log(T)), GOAL, values=np.eye(N)[:, :2])
    assert law.output_cov is not None
    text = (
        f"{_in_numbers()}. Mean and standard deviation of the weights: {law.mean[0]:.4f} ± {law.sd[0]:.4f} on a, "
        f"{law.mean[1]:.4f} ± {law.sd[1]:.4f} on b. Hence Var c ≈ {law.output_cov[0, 0]:.4f}·v_a v_aᵀ + "
        f"{law.output_cov[1, 1]:.4f}·v_b v_bᵀ - {-law.output_cov[0, 1]:.4f}·(v_a v_bᵀ + v_b v_aᵀ), which tends to ¼(v_a - "
        "v_b)(v_a - v_b)ᵀ as T grows"
    )
    return Showing(problem, text, _coin_toss(law), None, *_samples())


def any_key(problem: Problem) -> Showing:
    """E.1f: the noisy key may be one of the two, or another."""
    query = textbook(math.log(T))
    law = outcome(noisy(), query, GOAL)
    verdict = argued(
        "if x is i or j, the output tends to v_i or v_j by a coin toss as the query grows; if x is another key, nothing "
        "changes; and q = -t Σ μ_l over l ≠ i, j averages whichever of i and j is noisy",
        argument="noisy_length.md#one-noisy-key-of-many",
        scope="all n >= 3, once the isotropic noise has vanished",
        reason="the score of k_x = c·μ_x is c·(μ_x·q): it varies for x = i, j and is 0 for any other x. At t = ln 10⁴ the "
        f"weight of x = i is {law.mean[0]:.4f} ± {law.sd[0]:.4f}, and the output is within 0.01 of the mean with "
        f"probability {law.probability(ERROR):.4f} only.",
        inequalities=[law.proved, law.probability(ERROR).high < 0.005],
        instances=[
            *_picks(),
            certify(noisy(5), query, GOAL, error=ERROR, confidence=SURE),
            *(certify(noisy(key), blind(), GOAL, error=ERROR, confidence=SURE) for key in (0, 1)),
        ],
    )
    text = (
        "x = i (or j): the output jumps between v_i and v_j; x another key: the query does not see its length. Cure for x "
        f"= i, j: q = -t Σ μ_l over l ≠ i, j, t = {math.log((N - 2) / (2 * ODDS)):.4g} for n = {N}"
    )
    return Showing(problem, text, verdict, None, *_samples())


def _samples() -> tuple[np.ndarray, Average, str, tuple[tuple[str, np.ndarray], ...]]:
    """Weights of the textbook head on a sample with a long and on one with a short k_a, as a Showing takes them."""
    long, short = (attend(textbook(math.log(T)), with_length(c)).weights for c in (_LONGER, _SHORTER))
    said = "weights of the textbook's head when k_a is {} times as long (key 0 is a)"
    return long, GOAL, said.format(_LONGER), ((said.format(_SHORTER), short),)


def _picks() -> list[Verdict]:
    """Proved: with these probabilities the textbook's head is within the error of v_a, and of v_b."""
    asked = {math.log(T): ("0.2401", "0.2363"), 200.0: ("0.48", "0.48")}
    return [
        certify(noisy(), textbook(t), Copy(key), error=ERROR, confidence=asked[t][key]) for t in asked for key in (0, 1)
    ]


def _coin_toss(law: Outcome | None = None) -> Verdict:
    averaged = certify(noisy(), textbook(math.log(T)), GOAL, error=ERROR, confidence="0.0049")
    return argued(
        "c is a coin toss: within 0.01 of v_a with probability at least 0.2401 and of v_b with 0.2363 at T = 10⁴, 0.48 "
        "each at T = e^200, tending to ½ each; within 0.01 of (v_a + v_b)/2 with probability below 0.0049 at T = 10⁴",
        argument="noisy_length.md#the-limit-is-a-coin-toss",
        scope=f"n = {N}, once the isotropic noise has vanished; the limit for every n",
        reason="c is within the error of v_a when t(c - 1), the lead of a over b, exceeds about ln(1/odds), and of v_b "
        "when it falls below minus that; both are events of one Gaussian and fill the line as t grows.",
        inequalities=[isinstance(averaged, Refuted), law is None or law.proved],
        instances=_picks(),
    )


def _withstands() -> Verdict:
    return argued(
        "q = -t Σ μ_j over j ≠ a, b with t = ln((n-2)/(2·odds)) is within the error of (v_a + v_b)/2, whatever the length of k_a",
        argument="noisy_length.md#a-head-that-does-not-look-along-the-noise",
        scope="all n >= 3, errors in (0, 1) and laws of the length, once the isotropic noise has vanished",
        reason="a and b both score 0 and the others -t, so the error is (n-2)/(2e^t + n-2): that of the textbook's query "
        f"without noise. The price is length, t√(n-2) = {np.linalg.norm(blind()):.4g} against "
        f"{math.log((N - 2) / (2 * ODDS)) * math.sqrt(2):.4g}.",
        inequalities=[nonnegative(lambda n, p, y: ((n - 2) * p + 2 * y + n - 2) - (n - 2) * (1 + p), n=2, p=0, y=0)],
        instances=[
            certify(noisy(), blind(), GOAL, error=ERROR, confidence=SURE),
            *(certify(with_length(c), blind(), GOAL, error=ERROR) for c in (-4.0, 0.0, 1.0, 30.0)),
        ],
    )


def varies(queries: np.ndarray, *, at_least: str | None = None, at_most: str | None = None) -> Verdict:
    """The claim that the variance of the weight of a is at least, or at most, this, over the noisy keys."""
    side, bound = ("at least", at_least) if at_least is not None else ("at most", at_most)
    model = noisy()
    return WeightVariance(model, heads_of(model.centre, queries), np.eye(N)[0], side, Fraction(bound or 0)).prove()


def _leans(c: float, *, to: int) -> Verdict:
    """In the sample with factor c, the key `to` outweighs the other of the two."""
    lead = np.eye(N)[to] - np.eye(N)[1 - to]
    return certify(with_length(c), textbook(math.log(T)), of=lead, at_least="1e-10")


def _turned_around(variance: Fraction) -> Fraction:
    """P(sign(X + Y) ≠ sign X) = arctan(σ_Y/σ_X)/π, rounded up, for X = c - 1 of variance ½ + α and Y, the rest, of "
    "variance 3α."""
    with balls.precision(128):
        angle = (balls.exact(3 * variance / (Fraction(1, 2) + variance))).sqrt().atan()
        found = balls.upper(angle / (4 * balls.exact(1).atan()))
    return Fraction(1) if found is None else found


def _mass_below(x: float) -> float:
    with balls.precision(64):
        return float(balls.mass_beyond(balls.exact(-x)))


def _in_numbers() -> str:
    """What the textbook's head does at T = 10⁴, in words."""
    bounds = [verdict.bound or 0.0 for verdict in _picks()[:2] if isinstance(verdict, Proved)]
    return (
        f"α_a/α_b = T^(c-1), c ~ N(1, ½): a coin toss. At T = 10⁴, n = {N}, c is within 0.01 of v_a with probability "
        f"{bounds[0]:.4f}, of v_b with {bounds[1]:.4f}, in between otherwise, and hardly ever at the mean"
    )


RUNS = {"B.3c-ii": leaning, "C.2.1b": spreading, "D.c-ii": over_samples, "E.1f": any_key}
