"""Statements about single weights and the output they make (B.3a, C.1.1, D.a, E.1a, E.1b) and the three tokens (B.3e-i)."""

from headwright.problems.statement import listed

DISTRIBUTION = listed(
    sum_to_one_is_enough="The weights sum to 1, and any n numbers that sum to 1 form a categorical distribution.",
    one_weight_is_one="Exactly one weight is 1 and all others are 0: softmax chooses the key with the largest score.",
    non_negative_and_sum_to_one="The weights are non-negative and they sum to 1.",
    each_at_most_one="Every weight lies between 0 and 1, and any n such numbers form a categorical distribution.",
    scores_are_probabilities="The scores k_j·q are themselves non-negative and sum to 1; softmax only sharpens them.",
    quotients_of_exponentials="α_j = exp(k_j·q)/Σ exp(k_i·q): positive numbers divided by their sum are positive and add up "
    "to 1, whatever the keys and the query.",
)

DOMINANCE = listed(
    large_key_takes_mass="It is enough that the key k_j is large compared with the other keys: its dot product with the query "
    "is then large and takes the mass.",
    dot_product_large_relative="k_j·q must be large relative to every other k_i·q: far above each of them.",
    largest_score_suffices="It is enough that k_j·q is the largest of the scores, by however little: softmax then gives k_j at "
    "least 99 % of the weight.",
    quotient_of_scores="It is enough that k_j·q is a hundred times every other k_i·q: it is the quotient of the dot products "
    "that counts.",
    lead_over_every_score="α_j >= 1 - error whenever k_j·q exceeds every other k_i·q by ln((n-1)/odds(error)), and only if it "
    "exceeds each of them by at least ln(1/odds(error)).",
    orthogonal_to_every_key="The query must be orthogonal to every key: k_j then wins because nothing else attracts it.",
    longest_key_necessary="No weight but that of the longest key can dominate, whatever the query.",
)

OUTPUT = listed(
    exactly_that_value="c = v_j exactly, as soon as α_j is at least 0.99.",
    mean_of_all_values="c is the mean of all the values, whatever the weights.",
    nearly_that_value="c ≈ v_j: c is off by at most the weight that is left, times the diameter of the values.",
    nearly_that_key="c ≈ k_j: attention gives back the key that wins, whatever the values are.",
    whatever_the_values="c is within 0.01 of v_j as soon as α_j >= 0.99, however large the other values are.",
    that_value_and_a_mean="c = α_j v_j + (1 - α_j)·(a mean of the other values), which is nearly v_j because 1 - α_j is small.",
)

MEANING = listed(
    hard_choice="The head makes a hard choice: the weights of all other keys are then exactly zero.",
    aligned_query_dominates="When the query is closely aligned with a key k_j, the value v_j dominates the output.",
    nearest_key_wins="The head finds the nearest neighbour: the key at the least distance from the query gets almost all "
    "of the weight.",
    looks_one_entry_up="The head looks one entry up: where k_j·q leads every other score by far, the output is v_j up to the "
    "small remaining weight, so attention can copy one value.",
    only_averages="The head can only average: no query lets a single value through with a weight above 0.9.",
    any_key_of_any_set="Every key of every set of distinct keys can be looked up like that, if only the query is right.",
)

THREE_TOKENS = listed(
    mean_of_three_tokens="c_2 is the mean of the three tokens for every β, because x_2 is orthogonal to the other two.",
    adding_u_d_works="c_2 ≈ x_2 for large β; but yes, with u_d added x_2 attends to x_1, and c_2 ≈ u_b.",
    follows_x_2="c_2 ≈ x_2 for large β, with the weight e^(β²)/(e^(β²) + 2). No: c_2 follows x_2; for x_2 = u_a + u_d the "
    "weights of the three tokens are e^(β²), e^(2β²) and 1 over their sum.",
    small_norm_works="Yes, if β is small: all tokens then weigh about the same and c_2 ≈ u_b, within β/4.",
    keeps_a_third="c_2 ≈ x_2 once e^(β²) >= 2/odds(error). No: whatever multiples of u_c and u_d are added, x_2 keeps at "
    "least a third of the weight, and c_2 stays β/3 or more away from u_b, for every β.",
    weight_with_beta="c_2 ≈ x_2 for large β, with the weight e^β/(e^β + 2): the norm β is the score. No, nothing that is added "
    "makes c_2 ≈ u_b.",
)
