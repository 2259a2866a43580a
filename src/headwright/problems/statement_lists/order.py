"""Statements about the order of tokens and about position codes (A.2a, A.2b, C.1.3)."""

from headwright.problems.statement import listed

ROWS = listed(
    scores_stay="The scores do not change when the rows of X are permuted, A' = A; hence Z' = P Z.",
    any_feed_forward="A' = P A Pᵀ and softmax(P A Pᵀ) = P softmax(A) Pᵀ, so Z' = P Z, for a feed-forward network of any kind, "
    "also one that mixes the rows.",
    rows_alone="Permuting the rows of X permutes the rows of the weights, softmax(A') = P softmax(A), so O' = P O and Z' "
    "= P Z.",
    conjugated_scores="The linear maps commute with P, so A' = P A Pᵀ; softmax(P A Pᵀ) = P softmax(A) Pᵀ; Pᵀ cancels against "
    "V' = P V, and the feed-forward network acts row by row: Z' = P Z.",
    nothing_changes="Z' = Z: attention sums over all tokens, and a sum does not depend on the order.",
    index_by_index="Row i of X' is row π(i) of X, so score (i, j) of X' is score (π(i), π(j)) of X; the sums over j are "
    "the same sums in another order, hence row i of Z' is row π(i) of Z.",
    positions_too="Z' = P Z holds as well when a position code is added to each row of X before the linear maps.",
)

COLUMNS = listed(
    columns_alone="Q(XΠ) = Q(X)Π, so only the columns of the scores are permuted, S(XΠ) = S(X)Π; softmax keeps that, hence "
    "attention(XΠ) = attention(X)Π.",
    nothing_changes="attention(XΠ) = attention(X): attention sums over all tokens, and a sum does not depend on the order.",
    conjugated_columns="Q, K and V of XΠ are QΠ, KΠ and VΠ, so S(XΠ) = Πᵀ S Π; softmax by columns gives Πᵀ softmax(S) Π; VΠ "
    "times that is V softmax(S) Π = attention(X)Π.",
    scores_unchanged="Q(XΠ) = Q(X)Π; the score matrix does not change, S(XΠ) = S(X); the softmax gives Softmax(S)Π; hence "
    "attention(XΠ) = attention(X)Π.",
    causal_too="S(XΠ) = Πᵀ S Π, hence attention(XΠ) = attention(X)Π, also with a causal mask.",
)

CODES = listed(
    entries_are_bounded="There are infinitely many positions and all entries lie between -1 and 1, so two rows must agree: the "
    "claim is true only for short sequences.",
    repeat_after_longest_period="Position codes repeat after the longest period, 2π·base^(1-2/d) positions, rounded: the claim "
    "is true only below it.",
    sine_alone="sin t = sin t' for integers t ≠ t' would need t - t' or t + t' to be a multiple of π other than 0, which no "
    "integer is: the first column alone tells all positions t >= 0 apart.",
    any_frequencies="(sin ωt, cos ωt) differs between two positions for every frequency ω > 0, because a point on the circle "
    "determines its angle.",
    first_pair_differs="The pair (sin t, cos t) alone differs between two positions: they agree only when t - t' is a "
    "multiple of 2π, and π is irrational.",
    shift_710_agrees="The pair (sin t, cos t) is the same for t and t + 710, so that more than one pair is needed.",
)
