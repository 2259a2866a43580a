"""Sheet D: the assignment on attention itself; questions only, no points."""

from headwright.problems.problem import Problem
from headwright.problems.statement_lists import noise, weights

PROBLEMS: tuple[Problem, ...] = (
    Problem(
        id="D.a-i",
        sheet="D",
        points=None,
        question="Why is the vector α of attention weights a categorical distribution over the keys?",
        published=None,
        theme="copying",
        answers=("statement",),
        names=(),
        must_show="That the weights meet the definition of a distribution over n outcomes, for every query and all keys.",
        statements=weights.DISTRIBUTION,
    ),
    Problem(
        id="D.a-ii",
        sheet="D",
        points=None,
        question=(
            "Under which condition on the query and the keys is one weight far larger than all others together, α_j ≫ "
            "Σ_{i≠j} α_i?"
        ),
        published=None,
        theme="copying",
        answers=("statement",),
        names=(),
        must_show=(
            "A condition on the scores that makes one weight at least 0.99, and that such a weight needs, up to "
            "constants."
        ),
        statements=weights.DOMINANCE,
    ),
    Problem(
        id="D.a-iii",
        sheet="D",
        points=None,
        question="What is the output c when the weight α_j is far larger than all others together?",
        published=None,
        theme="copying",
        answers=("statement",),
        names=(),
        must_show=(
            "How far the output can be from one of the values, and from which one, when the other weights sum to at "
            "most 0.01."
        ),
        statements=weights.OUTPUT,
    ),
    Problem(
        id="D.a-iv",
        sheet="D",
        points=None,
        question="What does the case of one dominating weight α_j mean, in words, for what attention does?",
        published=None,
        theme="copying",
        answers=("statement",),
        names=(),
        must_show=(
            "What attention can do with one value in that case, as a claim about the output that holds for all keys "
            "and values."
        ),
        statements=weights.MEANING,
    ),
    Problem(
        id="D.b-i",
        sheet="D",
        points=None,
        question=(
            "The value v_a lies in the span of the orthonormal vectors a_1, ..., a_m, the value v_b in the span of the "
            "orthonormal vectors b_1, ..., b_p, and the two spans are orthogonal. With these vectors as the columns of "
            "A and B, find a matrix M such that M(v_a + v_b) = v_a for all such values."
        ),
        published=None,
        theme="layers",
        answers=("M",),
        names=("A", "B"),
        must_show=(
            "M(v_a + v_b) = v_a for all values in the two spans: M A = A and M B = 0, whatever A and B are, since AᵀA "
            "= I, BᵀB = I and AᵀB = 0."
        ),
    ),
    Problem(
        id="D.b-ii",
        sheet="D",
        points=None,
        question=(
            "The keys k_1, ..., k_n are orthonormal. Find a query q with output c ≈ (v_a + v_b)/2. The softmax never "
            "averages exactly, but a large multiple comes close; the idea extends to any subset of the keys."
        ),
        published=None,
        theme="averaging",
        answers=("q",),
        names=("k_a", "k_b", "n", "eps", "t", "T", "s", "beta"),
        must_show=(
            "For every n and every error there is a threshold beyond which the weights are within the error of one "
            "half on k_a and on k_b."
        ),
    ),
    Problem(
        id="D.c-i",
        sheet="D",
        points=None,
        question=(
            "The keys are random, k_i ~ N(μ_i, αI), with known orthonormal means μ_i and vanishing variance α. Find a "
            "query q with output c ≈ (v_a + v_b)/2."
        ),
        published=None,
        theme="varying keys",
        answers=("q",),
        names=("mu_a", "mu_b", "n", "eps", "t", "T", "s", "beta"),
        must_show=(
            "Once the noise has vanished, for every n and every error there is a threshold beyond which the weights "
            "are within the error of one half on k_a and on k_b."
        ),
    ),
    Problem(
        id="D.c-ii",
        sheet="D",
        points=None,
        question=(
            "The keys are those of D.c-i, except that k_a has the covariance Σ_a = αI + ½ μ_a μ_aᵀ. What does the "
            "output c of the query of D.c-i look like over samples, and what is its variance? Draw the range of k_a."
        ),
        published=None,
        theme="varying keys",
        answers=("statement",),
        names=(),
        must_show=(
            "How the weights of the two keys, and with them the output, depend on the length that k_a happens to have, "
            "and with which probabilities. What that makes of the variance of c."
        ),
        statements=noise.NOISY_LENGTH,
    ),
    Problem(
        id="D.d-i",
        sheet="D",
        points=None,
        question=(
            "The keys are k_i ~ N(μ_i, αI) with orthonormal means μ_i and vanishing α. Find two different queries q_1 "
            "and q_2, one for each of two heads, whose mean output is c ≈ (v_a + v_b)/2."
        ),
        published=None,
        theme="varying keys",
        answers=("q1", "q2"),
        names=("mu_a", "mu_b", "n", "eps", "t", "T", "s", "beta"),
        must_show=(
            "Once the noise has vanished, for every n and every error there is a threshold beyond which the mean "
            "weights of the heads are within the error of one half on k_a and on k_b. The two queries differ."
        ),
    ),
    Problem(
        id="D.d-ii",
        sheet="D",
        points=None,
        question=(
            "Take the two heads of D.d-i when k_a has the covariance Σ_a = αI + ½ μ_a μ_aᵀ. What does their mean "
            "output c look like over samples, in terms of the variances of c_1 and c_2? Cases with k_a·q < 0 may be "
            "ignored."
        ),
        published=None,
        theme="varying keys",
        answers=("statement",),
        names=(),
        must_show=(
            "How the mean output varies, given the variances of c_1 and c_2, and what remains of it when samples with "
            "k_a·q < 0 are ignored."
        ),
        statements=noise.TWO_HEADS_IN_VARIANCES,
    ),
)
