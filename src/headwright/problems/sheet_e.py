"""Sheet E: a third assignment, theory and programming; 80 points (marks 3, 4, 5 at 30, 50, 70), questions only."""

from headwright.problems.problem import Problem
from headwright.problems.statement_lists import learning, noise, weights

PROBLEMS: tuple[Problem, ...] = (
    Problem(
        id="E.1a",
        sheet="E",
        points=5,
        question="Why do the attention weights form a categorical distribution?",
        published=None,
        theme="copying",
        answers=("statement",),
        names=(),
        must_show="That the weights meet the definition of a distribution over n outcomes, for every query and all keys.",
        statements=weights.DISTRIBUTION,
    ),
    Problem(
        id="E.1b",
        sheet="E",
        points=5,
        question=(
            "Which conditions must the query q and the keys k_1, ..., k_n necessarily meet if one weight α_i dominates "
            "all others?"
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
        id="E.1c",
        sheet="E",
        points=10,
        question=(
            "The keys k_1, ..., k_n are orthonormal. Find a query q whose output equals (v_i + v_j)/2 for given i ≠ j. "
            'The answer is a query, or the word "none" if you hold that there is no such query.'
        ),
        published=None,
        theme="averaging",
        answers=("q",),
        names=("k_i", "k_j", "n", "eps", "t", "T", "s", "beta"),
        must_show=(
            "Either a query whose weights are one half on k_i and on k_j exactly, so that every other weight is 0; or "
            "that there is none."
        ),
    ),
    Problem(
        id="E.1d",
        sheet="E",
        points=10,
        question=(
            "The output is the row vector c = (v_i + v_j)/2, where v_i lies in the span of the vectors that are the "
            "columns of S and v_j in the span of the columns of T. All columns have norm 1 and the two spans are "
            "orthogonal, but columns of the same matrix need not be orthogonal. Find a matrix M with cM = v_i."
        ),
        published=None,
        theme="layers",
        answers=("M",),
        names=("S", "T"),
        must_show=(
            "cM = v_i for all values in the two spans: SᵀM = 2Sᵀ and TᵀM = 0 for all unit columns whose spans are "
            "orthogonal."
        ),
    ),
    Problem(
        id="E.1e",
        sheet="E",
        points=10,
        question=(
            "The keys are Gaussian with orthonormal means μ_1, ..., μ_n and covariances Σ_i = εI, ε ≪ 1. Find a query "
            "q with output c ≈ (v_i + v_j)/2."
        ),
        published=None,
        theme="varying keys",
        answers=("q",),
        # No eps: in this question ε is the variance of the keys, not a tolerance.
        names=("mu_i", "mu_j", "n", "t", "T", "s", "beta"),
        must_show=(
            "Once the noise has vanished, for every n and every error there is a threshold beyond which the weights "
            "are within the error of one half on k_i and on k_j."
        ),
    ),
    Problem(
        id="E.1f",
        sheet="E",
        points=10,
        question=(
            "The keys are those of E.1e, except that one of them, k_x, has the covariance Σ_x = εI + ½ μ_x μ_xᵀ. How "
            "does the output of the query of E.1e behave over samples?"
        ),
        published=None,
        theme="varying keys",
        answers=("statement",),
        names=(),
        must_show=(
            "How the weights, and with them the output, depend on the length that k_x happens to have: for x = i or j, "
            "and for x another key."
        ),
        statements=noise.NOISY_KEY_X,
    ),
    Problem(
        id="E.2a",
        sheet="E",
        points=30,
        question=(
            "Program attention and multi-head attention, build from them a transformer block with positions, and train "
            "it on a task of your own making that shows that learned heads do copy and average. The lab's own text is "
            "not known; this is our reading of it."
        ),
        published=None,
        theme="learning",
        answers=("statement",),
        names=(),
        must_show=(
            "That heads of a block that was trained, not built, put their weight where the task needs it, on sequences "
            "they never saw."
        ),
        statements=learning.TRAINED,
    ),
)
