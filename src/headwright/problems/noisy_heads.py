"""Two heads under a key of noisy length: they help, but not with samples that turn k_a around (B.3d-ii, C.2.2b, D.d-ii).

The other noise has vanished: k_a = c·u_a with c ~ N(1, ½). Head ln(s)u_a gives a the weight s^c/(s^c + n-1), head ln(T)u_b
does not feel c. For c <= 0 the first leaves a at most 1/n, so the two never do better than P(c > 0) = Φ(√2). A head -t Σ u_j
over all j ≠ a copies a whatever c is.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from headwright import balls
from headwright.attention import attend
from headwright.geometry.polynomial_signs import nonnegative
from headwright.goals import Copy
from headwright.judging import certify
from headwright.noise import Outcome, outcome
from headwright.problems.noisy_length import CONFIDENCE, GOAL, SURE, T, noisy, textbook, varies, with_length
from headwright.problems.problem import Problem
from headwright.problems.showing import ERROR, N, Showing, argued, refuted_by
from headwright.verdict import Verdict

_LN_S = 200.0  # a large s in the limit of which little is left to gain
_VARIANCE = 1e-6
_LEAST_LN_S = 143  # with the leave to ignore c < 0, from here on


def pair(ln_s: float) -> np.ndarray:
    """q_1 = ln(s)u_a, q_2 = ln(T)u_b."""
    return np.array([ln_s, math.log(T)])[:, None] * np.eye(N)[:2]


def blind_pair() -> np.ndarray:
    """q_1 = -t Σ u_j over j ≠ a, q_2 = t u_b with t = ln 1000: neither has a component along u_a."""
    t = math.log(1000)
    return np.array([-t * np.eye(N)[1:].sum(axis=0), t * np.eye(N)[1]])


def still_average(problem: Problem) -> Showing:
    """B.3d-ii: does c ≈ (v_a + v_b)/2 still hold?"""
    backwards = attend(pair(_LN_S), with_length(-0.5)).weights.mean(axis=0)
    reached = outcome(noisy(), pair(math.log(T)), GOAL).probability(ERROR)
    theirs = refuted_by(
        "with the noisy k_a, c ≈ (v_a + v_b)/2 still holds under q_1 = ln(s)u_a, q_2 = ln(T)u_b",
        [],
        points=[certify(noisy(), pair(_LN_S), GOAL, error=ERROR, confidence=CONFIDENCE)],
        example={
            "samples": f"c <= 0, probability {float(1 - positive()[1]):.5f}",
            "weights at c = -1/2, s = e^200, T = 10⁴": f"{backwards[0]:.1e} on a, {backwards[1]:.4f} on b",
        },
        reason=f"the probability of an error of at most 0.01 never exceeds P(c > 0) = Φ(√2) = {float(positive()[0]):.5f}, "
        "whatever s > 1 and T >= n: for c <= 0 the key points away from q_1 and head 1 loses v_a. At s = T = 10⁴ and n = "
        f"10 it is {reached:.4f}.",
        condition="samples with k_a·q < 0 are ignored: given c > 0 the probability tends to 1 as s grows, if T > "
        f"(n-1)/odds(2·error); it is at least 0.99 from ln s = {_LEAST_LN_S} on (n = {N}, error {float(ERROR)}, T = 10⁴)",
        # for c <= 0 and T >= n: ½ - ½(1/n + 1/(2n-1)) >= 1/12, far more than the error; times 12n(2n-1)
        also=[
            nonnegative(lambda n: 6 * n * (2 * n - 1) - 6 * (2 * n - 1) - 6 * n - n * (2 * n - 1), n=2),
            Fraction(1, 12) > ERROR,
            positive()[1] < CONFIDENCE,
        ],
        instances=[_with_leave(_LEAST_LN_S), certify(with_length(0.1), pair(_LN_S), GOAL, error=ERROR)],
    )
    return Showing(
        problem,
        _cure(),
        _cured(),
        theirs,
        attend(blind_pair(), np.eye(N)).weights.mean(axis=0),
        GOAL,
        "mean weights of our two heads at the means",
        (("mean weights of the published heads when k_a points backwards, c = -1/2", backwards),),
    )


def cancelling(problem: Problem) -> Showing:
    """C.2.2b: do the fluctuations of β(μ_a + μ_b) and β(μ_a - μ_b) cancel?"""
    heads = math.log(T) * np.array([np.eye(N)[0] + np.eye(N)[1], np.eye(N)[0] - np.eye(N)[1]])
    also = tuple(
        (f"mean weights of the published heads when c = {c:g}", attend(heads, with_length(c)).weights.mean(axis=0))
        for c in (-0.5, 0.5, 1.5)
    )
    weights = attend(blind_pair(), np.eye(N)).weights.mean(axis=0)
    said = "mean weights of our two heads, whatever the length of k_a"
    return Showing(problem, _cure(), _cured(), _nothing_cancels(heads), weights, GOAL, said, also)


def _nothing_cancels(heads: np.ndarray) -> Verdict:
    mean, first, second = (outcome(noisy(), queries, GOAL) for queries in (heads, heads[0], heads[1]))
    low, high = first.sd[0] - first.uncertainty["sd"][0], mean.sd[0] + mean.uncertainty["sd"][0]
    far, far_second = (outcome(noisy(), 200.0 / math.log(T) * queries, GOAL) for queries in (heads, heads[1]))
    return refuted_by(
        "both outputs vary, their fluctuations partly cancel, so the mean varies less than a single head does",
        [varies(heads, at_least="0.1"), varies(heads[1], at_most="0.1")],
        example={
            "n": str(N),
            "β": "ln 10⁴",
            "sd of α_a": f"{mean.sd[0]:.4f} in the mean, {first.sd[0]:.4f} in head 1, {second.sd[0]:.4f} in head 2",
        },
        reason="nothing cancels: α_a rises with the length c in both heads, and two increasing functions of one number "
        "have a positive covariance, at every β > 0 and n. At β = ln 10⁴, and at 200 as well, the mean varies less than "
        f"head 1 but more than head 2, which is steady while c > 0 (orthonormal values: Var c = {_total(mean, 0):.4f} "
        f"against {_total(second, 0):.4f}).",
        condition=f"only compared with head 1 by itself: {mean.sd[0]:.4f} against {first.sd[0]:.4f}",
        also=[
            low > high,
            _total(mean, -1) > _total(second, 1),
            _total(far, -1) > _total(far_second, 1) and far.sd[0] - far_second.sd[0] > 0.01,
            all(law.proved for law in (mean, first, second, far, far_second)),
        ],
        instances=[
            certify(with_length(0.5), heads[0], of=0, at_most="0.02"),
            certify(with_length(1.5), heads[0], of=0, at_least="0.98"),
            certify(with_length(-0.5), heads[1], of=0, at_most="0.01"),
            certify(with_length(0.5), heads[1], of=0, at_least="0.92"),
        ],
    )


def in_variances(problem: Problem) -> Showing:
    """D.d-ii: the mean output in terms of the variances of c_1 and c_2."""
    law, single = outcome(noisy(), pair(math.log(T)), GOAL), outcome(noisy(), textbook(math.log(T)), GOAL)
    head = outcome(noisy(), pair(math.log(T))[0], Copy(0))
    far = outcome(noisy(), pair(_LN_S), GOAL)
    verdict = argued(
        "c_2 does not vary, so Var c = ¼ Var c_1; c_1 is v_a but for samples with k_a·q_1 small or negative. Given "
        "k_a·q_1 > 0, c tends to (v_a + v_b)/2 as s grows; over all samples the probability stays below Φ(√2) < 0.92136",
        argument="noisy_length.md#a-quarter-of-the-variance",
        scope="all n >= 2, once the isotropic noise has vanished",
        reason=f"q_2 has no component along μ_a. At s = T = 10⁴, n = {N}, the weight of a is {law.mean[0]:.4f} ± "
        f"{law.sd[0]:.4f}, half the {head.sd[0]:.4f} of head 1, where one head β(μ_a + μ_b) has {single.sd[0]:.4f}. "
        f"Ignoring c < 0, an error of at most 0.01 has probability 0.99 from ln s = {_LEAST_LN_S} on.",
        inequalities=[
            law.proved and single.proved and head.proved and far.proved,
            abs(2 * law.sd[0] - head.sd[0]) <= 2 * law.uncertainty["sd"][0] + head.uncertainty["sd"][0],
            3 * head.sd[0] > 2 * single.sd[0] > 5 * law.sd[0],
            Fraction(far.probability(ERROR).high) < positive()[1] < Fraction(92136, 100000),
        ],
        instances=[
            certify(noisy(), pair(_LN_S)[1], Copy(1), error=ERROR, confidence=SURE),
            _with_leave(_LEAST_LN_S),
            _cured(),
        ],
    )
    long, short = (attend(pair(math.log(T)), with_length(c)).weights.mean(axis=0) for c in (1.5, 0.5))
    text = (
        f"weight of a over samples: {law.mean[0]:.4f} ± {law.sd[0]:.4f} with two heads, {single.mean[0]:.4f} ± "
        f"{single.sd[0]:.4f} with one (s = T = 10⁴, n = {N}). Two heads help, samples with c < 0 stay lost. Better: {_cure()}"
    )
    return Showing(
        problem,
        text,
        verdict,
        None,
        long,
        GOAL,
        "mean weights of the two heads when k_a is 1.5 times as long",
        (("mean weights of the two heads when k_a is 0.5 times as long", short),),
    )


def _total(law: Outcome, side: int) -> float:
    """The variance of the output for orthonormal values, Σ Var α_j, at one end of what is proved."""
    return float(np.sum((law.sd + side * law.uncertainty["sd"]) ** 2)) * (1 + side * 1e-12)


def positive() -> tuple[Fraction, Fraction]:
    """P(c > 0) = Φ(√2), from below and from above."""
    with balls.precision(128):
        mass = 1 - balls.mass_beyond(balls.exact(2).sqrt())
        low, high = balls.lower(mass), balls.upper(mass)
    assert low is not None
    assert high is not None
    return low, high


def _with_leave(ln_s: float) -> Verdict:
    """P(error met) >= 0.99·P(c > 0). As no sample with c <= 0 meets it, this is P(error met | c > 0) >= 0.99."""
    return certify(noisy(), pair(ln_s), GOAL, error=ERROR, confidence=CONFIDENCE * positive()[1])


def _cured() -> Verdict:
    """Proved at variance 1e-6 in every direction besides the noisy length."""
    return certify(noisy(isotropic=_VARIANCE), blind_pair(), GOAL, error=ERROR, confidence=CONFIDENCE)


def _cure() -> str:
    return (
        "two heads without a component along μ_a: q_1 = -t Σ μ_j over j ≠ a copies a by pushing all others down, q_2 = t "
        f"μ_b copies b, t = ln 1000 = {math.log(1000):.4g}"
    )


RUNS = {"B.3d-ii": still_average, "C.2.2b": cancelling, "D.d-ii": in_variances}
