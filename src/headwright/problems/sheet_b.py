"""Sheet B: published answers to an assignment that explores attention; no points."""

from headwright.problems.problem import Problem
from headwright.problems.statement_lists import noise, weights

# The token example of both parts of B.3e.
_THREE_TOKENS = (
    "The vectors u_a, u_b, u_c, u_d are orthogonal, each of norm β, and the tokens are "
    "x_1 = u_d + u_b, x_2 = u_a, x_3 = u_c + u_b. "
)

PROBLEMS: tuple[Problem, ...] = (
    Problem(
        id="B.3a",
        sheet="B",
        points=None,
        question="Under which condition on the query q and the keys k_1, ..., k_n is one attention weight α_i ≈ 1?",
        published="When k_i·q is large relative to every other k_j·q.",
        theme="copying",
        answers=("statement",),
        names=(),
        must_show=(
            "A condition on the scores that makes one weight at least 0.99, and that such a weight needs, up to "
            "constants."
        ),
        published_answer={"statement": "dot-product-large-relative"},
        statements=weights.DOMINANCE,
    ),
    Problem(
        id="B.3b",
        sheet="B",
        points=None,
        question=(
            "The keys k_1, ..., k_n are orthonormal. Find a query q whose output is c ≈ (v_a + v_b)/2 for two given "
            "keys k_a and k_b; it may contain a number T ≫ n."
        ),
        published=(
            "q = ln(T) (k_a + k_b) with T ≫ n. The weights are T/(2T + n - 2) on a and on b, and 1/(2T + n - 2) on "
            "every other key."
        ),
        theme="averaging",
        answers=("q",),
        names=("k_a", "k_b", "n", "T", "eps", "t", "s", "beta"),
        must_show=(
            "For every n and every error there is a threshold beyond which the weights are within the error of one "
            "half on k_a and on k_b."
        ),
        published_answer={"q": "log(T)*(k_a + k_b)"},
    ),
    Problem(
        id="B.3c-i",
        sheet="B",
        points=None,
        question=(
            "The keys are random, k_i ~ N(u_i, αI), with known orthonormal means u_i and vanishing variance α. Find a "
            "query q with output c ≈ (v_a + v_b)/2; it may contain a number T ≫ n."
        ),
        published="q = ln(T) (u_a + u_b) with T ≫ n.",
        theme="varying keys",
        answers=("q",),
        names=("u_a", "u_b", "n", "T", "eps", "t", "s", "beta"),
        must_show=(
            "Once the noise has vanished, for every n and every error there is a threshold beyond which the weights "
            "are within the error of one half on k_a and on k_b."
        ),
        published_answer={"q": "log(T)*(u_a + u_b)"},
    ),
    Problem(
        id="B.3c-ii",
        sheet="B",
        points=None,
        question=(
            "As in B.3c-i, k_i ~ N(u_i, αI) with orthonormal means and vanishing α, except that k_a has the covariance "
            "αI + ½ u_a u_aᵀ, so that its length varies. What becomes of the output c under the query of B.3c-i?"
        ),
        published="c leans towards v_a when the length of k_a is stretched beyond 1, and towards v_b otherwise.",
        theme="varying keys",
        answers=("statement",),
        names=(),
        must_show=(
            "How the weights of the two keys, and with them the output, depend on the length that k_a happens to have, "
            "and with which probabilities."
        ),
        published_answer={"statement": "leans-with-the-length"},
        statements=noise.NOISY_LENGTH,
    ),
    Problem(
        id="B.3d-i",
        sheet="B",
        points=None,
        question=(
            "The keys are k_i ~ N(u_i, αI) with orthonormal means and vanishing α. Find the queries q_1 and q_2 of two "
            "heads whose mean output is c ≈ (v_a + v_b)/2; they may contain numbers s, T ≫ n."
        ),
        published="q_1 = ln(s) u_a and q_2 = ln(T) u_b with s, T ≫ n.",
        theme="varying keys",
        answers=("q1", "q2"),
        names=("u_a", "u_b", "n", "s", "T", "eps", "t", "beta"),
        must_show=(
            "Once the noise has vanished, for every n and every error there is a threshold beyond which the mean "
            "weights of the heads are within the error of one half on k_a and on k_b."
        ),
        published_answer={"q1": "log(s)*u_a", "q2": "log(T)*u_b"},
    ),
    Problem(
        id="B.3d-ii",
        sheet="B",
        points=None,
        question=(
            "Take the two heads of B.3d-i when k_a has the covariance αI + ½ u_a u_aᵀ of B.3c-ii. What becomes of "
            "their mean output c? Samples in which k_a·q is negative count like all others."
        ),
        published="c ≈ (v_a + v_b)/2 still holds.",
        theme="varying keys",
        answers=("statement",),
        names=(),
        must_show=(
            "With which probability the mean of the two outputs is within 0.01 of (v_a + v_b)/2, or how it varies, "
            "over all samples."
        ),
        published_answer={"statement": "still-the-mean-with-two"},
        statements=noise.TWO_NOISY_HEADS,
    ),
    Problem(
        id="B.3e-i",
        sheet="B",
        points=None,
        question=(
            _THREE_TOKENS + "In self-attention with Q = K = V = I, what is the output c_2 of the second token? Can "
            "adding u_d or u_c to x_2 make c_2 ≈ u_b?"
        ),
        published=(
            "c_2 ≈ x_2, which has the weight e^(β²)/(e^(β²) + 2). No: c_2 follows x_2. For x_2 = u_a + u_d the weights "
            "of the three tokens are e^(β²), e^(2β²) and 1, each divided by their sum."
        ),
        theme="layers",
        answers=("statement",),
        names=(),
        must_show=(
            "The weights of the second token for large β, and whether any addition of u_c or u_d brings c_2 near u_b."
        ),
        published_answer={"statement": "follows-x-2"},
        statements=weights.THREE_TOKENS,
    ),
    Problem(
        id="B.3e-ii",
        sheet="B",
        points=None,
        question=(
            _THREE_TOKENS + "Find matrices V, K and Q for which self-attention gives the second token the output c_2 ≈ "
            "u_b and the first token the output c_1 ≈ u_b - u_c."
        ),
        published="V = (u_b u_bᵀ - u_c u_cᵀ)/β², K = I, Q = (u_c u_dᵀ + u_d u_aᵀ)/β².",
        theme="layers",
        answers=("Q", "K", "V"),
        names=("u_a", "u_b", "u_c", "u_d", "beta"),
        must_show=(
            "For every error there is a threshold in β beyond which c_2 and c_1 are within the error, relative to β, "
            "of u_b and u_b - u_c."
        ),
        published_answer={"V": "(u_b*u_b' - u_c*u_c')/beta^2", "K": "I", "Q": "(u_c*u_d' + u_d*u_a')/beta^2"},
    ),
)
