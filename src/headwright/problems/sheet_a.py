"""Sheet A: what attention can express, positions, singular values; 100 points, with published answers."""

from headwright.problems.problem import Problem
from headwright.problems.statement_lists import noise, order, spectrum

PROBLEMS: tuple[Problem, ...] = (
    Problem(
        id="A.1a",
        sheet="A",
        points=10,
        question=(
            "The keys k_1, ..., k_n have norm 1, and k_1 is at distance at least 1 from every other key. For ε in (0, "
            "1), find a query q of length at most 2 ln(n/ε) whose attention weight on k_1 is α_1 ≥ 1/(1+ε)."
        ),
        published="q = 2 ln(n/ε) k_1.",
        theme="copying",
        answers=("q",),
        names=("k_1", "n", "eps"),
        must_show="For all n ≥ 2, all ε in (0, 1) and all such keys: ‖q‖ ≤ 2 ln(n/ε) and α_1 ≥ 1/(1+ε).",
        published_answer={"q": "2*log(n/eps)*k_1"},
    ),
    Problem(
        id="A.1b",
        sheet="A",
        points=10,
        question=(
            "The keys k_1, ..., k_n are orthonormal. Find a query q of length at most 2√2 ln(n/ε) that gives each of "
            "k_1 and k_2 a weight of at least 1/(2+ε)."
        ),
        published="q = ln(n/ε) (k_1 + k_2).",
        theme="averaging",
        answers=("q",),
        names=("k_1", "k_2", "n", "eps"),
        must_show="For all n ≥ 2 and ε in (0, 1): ‖q‖ ≤ 2√2 ln(n/ε), α_1 ≥ 1/(2+ε) and α_2 ≥ 1/(2+ε).",
        published_answer={"q": "log(n/eps)*(k_1 + k_2)"},
    ),
    Problem(
        id="A.1c",
        sheet="A",
        points=10,
        question=(
            "The keys are orthogonal and of norm 1, except that k_1 = c·u with ‖u‖ = 1, where c is 1/2 or 3/2, each "
            "with probability 1/2. Describe the weights α_1 and α_2 under the query q = ln(n/ε) (u + k_2)."
        ),
        published=(
            "α_1/α_2 = (n/ε)^(1/2) or (n/ε)^(-1/2), according to c. So the output does not average v_1 and v_2: it is "
            "one of the two, picked at random."
        ),
        theme="varying keys",
        answers=("statement",),
        names=(),
        must_show=(
            "What α_1, α_2 and their ratio are for c = 1/2 and for c = 3/2, and whether the output is then an average, "
            "one of the two values, or neither."
        ),
        published_answer={"statement": "ratio-and-pick"},
        statements=noise.RANDOM_LENGTH,
    ),
    Problem(
        id="A.1d",
        sheet="A",
        points=10,
        question=(
            "The keys are those of A.1c: orthogonal and of norm 1, except that k_1 = c·u with ‖u‖ = 1 and c equal to "
            "1/2 or 3/2 with probability 1/2 each. Find the queries of two heads whose mean output is close to (v_1 + "
            "v_2)/2."
        ),
        published=(
            "q_1 = t u and q_2 = t k_2, with the t = ln(n/ε) of A.1c. Because t is large, head 1 has α_1 ≈ 1 even when "
            "c = 1/2; the mean of the two outputs is therefore close to (v_1 + v_2)/2."
        ),
        theme="varying keys",
        answers=("q1", "q2"),
        names=("u", "k_2", "n", "eps", "t"),
        must_show=(
            "For c = 1/2 and for c = 3/2: the mean of the two heads' weights is within the error of one half on k_1 "
            "and on k_2."
        ),
        published_answer={"q1": "log(n/eps)*u", "q2": "log(n/eps)*k_2"},
    ),
    Problem(
        id="A.2a",
        sheet="A",
        points=25,
        question=(
            "The rows of X are tokens. Linear maps turn X into Q, K and V, attention turns those into O, and a "
            "feed-forward network applied to each row turns O into Z. Show that permuting the rows of X permutes the "
            "rows of Z alike."
        ),
        published=(
            "Let P be the permutation matrix and A the score matrix. The linear maps commute with P, so A' = P A Pᵀ; "
            "softmax(P A Pᵀ) = P softmax(A) Pᵀ; hence Z' = P Z."
        ),
        theme="position",
        answers=("statement",),
        names=(),
        must_show=(
            "For every permutation matrix P and every X: the output for P X is P times the output for X. Each step "
            "must hold, not the conclusion alone."
        ),
        published_answer={"statement": "conjugated-scores"},
        statements=order.ROWS,
    ),
    Problem(
        id="A.2b",
        sheet="A",
        points=5,
        question="Show that sinusoidal position encodings give different rows to different positions t.",
        published="The pair (sin t, cos t) alone already differs between two positions, because 2π is irrational.",
        theme="position",
        answers=("statement",),
        names=(),
        must_show="For all integers t ≠ t', however far apart: the rows differ in at least one entry.",
        published_answer={"statement": "first-pair-differs"},
        statements=order.CODES,
    ),
    Problem(
        id="A.3a",
        sheet="A",
        points=12,
        question=(
            "A is an n×d matrix, n ≥ d, with singular values σ_1 ≥ ... ≥ σ_d. Show that the squares σ_i² add up to "
            "‖A‖_F², the squared Frobenius norm."
        ),
        published="Both sides are the trace of AᵀA.",
        theme="singular values",
        answers=("statement",),
        names=(),
        must_show=(
            "For every real n×d matrix: the squares of the singular values and the squares of the entries have the "
            "same sum."
        ),
        published_answer={"statement": "trace-identity"},
        statements=spectrum.ENERGY,
    ),
    Problem(
        id="A.3b",
        sheet="A",
        points=6,
        question="For the singular values σ_1 ≥ ... ≥ σ_d of an n×d matrix A, n ≥ d, show that σ_k² ≤ ‖A‖_F²/k.",
        published="Each of the k largest terms of the sum Σ σ_i² = ‖A‖_F² is at least σ_k².",
        theme="singular values",
        answers=("statement",),
        names=(),
        must_show="For every real n×d matrix and every k from 1 to d: σ_k² ≤ ‖A‖_F²/k.",
        published_answer={"statement": "k-largest-terms"},
        statements=spectrum.TAIL,
    ),
    Problem(
        id="A.3c",
        sheet="A",
        points=12,
        question=(
            "For an n×d matrix A, n ≥ d, find a matrix M of rank k-1 whose distance from A in the spectral norm is ‖A "
            "- M‖₂ ≤ ‖A‖_F/√k."
        ),
        published="The singular value decomposition of A, cut off after its k-1 largest singular values.",
        theme="singular values",
        answers=("M",),
        names=("A", "k"),
        must_show="M has rank at most k-1 and ‖A - M‖₂ ≤ ‖A‖_F/√k, for every real matrix A and every k from 1 to d.",
        published_answer={"M": "svd_part(A, k - 1)"},
        functions=("svd_part(A, r): A with its r largest singular values kept, the others set to 0",),
    ),
)
