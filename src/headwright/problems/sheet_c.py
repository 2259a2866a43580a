"""Sheet C: published answers to a second assignment on attention; no points."""

from headwright.problems.problem import Problem
from headwright.problems.statement_lists import noise, order, weights

PROBLEMS: tuple[Problem, ...] = (
    Problem(
        id="C.1.1a",
        sheet="C",
        points=None,
        question="Why can the attention weights α_1, ..., α_n be read as a categorical distribution?",
        published="They are non-negative and they sum to 1.",
        theme="copying",
        answers=("statement",),
        names=(),
        must_show="That the weights meet the definition of a distribution over n outcomes, for every query and all keys.",
        published_answer={"statement": "non-negative-and-sum-to-one"},
        statements=weights.DISTRIBUTION,
    ),
    Problem(
        id="C.1.1b",
        sheet="C",
        points=None,
        question="For which queries and keys do the attention weights put almost all of their mass on one key k_j?",
        published=(
            "When the key k_j is large compared with the other keys: its dot product with the query is then large and "
            "takes the mass."
        ),
        theme="copying",
        answers=("statement",),
        names=(),
        must_show=(
            "A condition on the scores that makes one weight at least 0.99, and that such a weight needs, up to "
            "constants."
        ),
        published_answer={"statement": "large-key-takes-mass"},
        statements=weights.DOMINANCE,
    ),
    Problem(
        id="C.1.1c",
        sheet="C",
        points=None,
        question="What is the output c when almost all of the attention weight lies on one key k_j?",
        published="c ≈ v_j.",
        theme="copying",
        answers=("statement",),
        names=(),
        must_show=(
            "How far the output can be from one of the values, and from which one, when the other weights sum to at "
            "most 0.01."
        ),
        published_answer={"statement": "nearly-that-value"},
        statements=weights.OUTPUT,
    ),
    Problem(
        id="C.1.1d",
        sheet="C",
        points=None,
        question="What does it mean, in words, that attention can put almost all of its weight on one key k_j?",
        published="When the query is closely aligned with a key k_j, the value v_j dominates the output.",
        theme="copying",
        answers=("statement",),
        names=(),
        must_show=(
            "What attention can do with one value in that case, as a claim about the output that holds for all keys "
            "and values."
        ),
        published_answer={"statement": "aligned-query-dominates"},
        statements=weights.MEANING,
    ),
    Problem(
        id="C.1.2a",
        sheet="C",
        points=None,
        question=(
            "The keys k_1, ..., k_n are orthonormal. Find a query q whose output is close to the mean (v_a + v_b)/2 of "
            "two given values; it may contain a large number β."
        ),
        published="q = β (k_a + k_b) with β ≫ 0; then α_a = α_b = e^β/(n - 2 + 2e^β) ≈ 1/2.",
        theme="averaging",
        answers=("q",),
        names=("k_a", "k_b", "n", "beta", "eps", "t", "T", "s"),
        must_show=(
            "For every n and every error there is a threshold beyond which the weights are within the error of one "
            "half on k_a and on k_b."
        ),
        published_answer={"q": "beta*(k_a + k_b)"},
    ),
    Problem(
        id="C.1.3",
        sheet="C",
        points=None,
        question=(
            "The columns of X are tokens, and Π is a permutation matrix. Show that self-attention is equivariant: for "
            "the permuted tokens XΠ its output is the output for X, permuted alike."
        ),
        published=(
            "Permute the tokens to XΠ. Then Q(XΠ) = Q(X)Π; the score matrix does not change, S(XΠ) = S(X); the softmax "
            "gives Softmax(S)Π; hence attention(XΠ) = attention(X)Π."
        ),
        theme="position",
        answers=("statement",),
        names=(),
        must_show=(
            "For every permutation matrix Π and every X: attention(XΠ) = attention(X)Π. Each step must hold, not the "
            "conclusion alone."
        ),
        published_answer={"statement": "scores-unchanged"},
        statements=order.COLUMNS,
    ),
    Problem(
        id="C.2.1a",
        sheet="C",
        points=None,
        question=(
            "The keys are Gaussian with orthonormal means μ_i and isotropic noise of vanishing variance. Find a query "
            "q with output c ≈ (v_a + v_b)/2; it may contain a large number β."
        ),
        published=(
            "q = β (μ_a + μ_b) with β ≫ 0. The weights are then written with e^(β/√d_k), although the scores they come "
            "from have no factor 1/√d_k."
        ),
        theme="varying keys",
        answers=("q",),
        names=("mu_a", "mu_b", "n", "beta", "eps", "t", "T", "s"),
        must_show=(
            "Once the noise has vanished, for every n and every error there is a threshold beyond which the weights "
            "are within the error of one half on k_a and on k_b."
        ),
        published_answer={"q": "beta*(mu_a + mu_b)"},
    ),
    Problem(
        id="C.2.1b",
        sheet="C",
        points=None,
        question=(
            "The keys are those of C.2.1a, except that the length of k_a is noisy: its covariance has the extra term ½ "
            "μ_a μ_aᵀ. How does the output c of the query of C.2.1a behave over samples?"
        ),
        published="The weight of a changes from sample to sample, and the variance of c grows.",
        theme="varying keys",
        answers=("statement",),
        names=(),
        must_show=(
            "How the weights of the two keys, and with them the output, depend on the length that k_a happens to have, "
            "and with which probabilities."
        ),
        published_answer={"statement": "weight-varies"},
        statements=noise.NOISY_LENGTH,
    ),
    Problem(
        id="C.2.2a",
        sheet="C",
        points=None,
        question=(
            "The keys are those of C.2.1a: Gaussian, with orthonormal means μ_i and vanishing isotropic noise. Find "
            "two different queries q_1 and q_2, one for each of two heads, whose mean output is c ≈ (v_a + v_b)/2."
        ),
        published=(
            "q_1 = β (μ_a + μ_b) and q_2 = β (μ_a - μ_b) with β ≫ 0; each of the two heads gives ≈ (v_a + v_b)/2."
        ),
        theme="varying keys",
        answers=("q1", "q2"),
        names=("mu_a", "mu_b", "n", "beta", "eps", "t", "T", "s"),
        must_show=(
            "Once the noise has vanished, for every n and every error there is a threshold beyond which the mean "
            "weights of the heads are within the error of one half on k_a and on k_b. The two queries differ."
        ),
        published_answer={"q1": "beta*(mu_a + mu_b)", "q2": "beta*(mu_a - mu_b)"},
    ),
    Problem(
        id="C.2.2b",
        sheet="C",
        points=None,
        question=(
            "Take the two heads of C.2.2a when the length of k_a is noisy as in C.2.1b. How do the outputs of the "
            "heads and their mean behave over samples?"
        ),
        published=(
            "Both outputs vary. Their fluctuations partly cancel, so the mean varies less than a single head does."
        ),
        theme="varying keys",
        answers=("statement",),
        names=(),
        must_show="How the weight of a varies in each head and in their mean, compared with one another.",
        published_answer={"statement": "fluctuations-cancel"},
        statements=noise.SUM_AND_DIFFERENCE,
    ),
)
