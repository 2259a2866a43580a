"""Statements about keys of varying length, under one head and under two (A.1c, B.3c-ii, B.3d-ii, C.2, D.c-ii, D.d-ii, E.1f)."""

from headwright.problems.statement import listed

RANDOM_LENGTH = listed(
    still_half_each="α_1 and α_2 are within 0.01 of one half for both values of c, because q treats u and k_2 alike.",
    ratio_n_over_eps="α_1/α_2 is n/ε for c = 3/2 and ε/n for c = 1/2.",
    never_an_average="α_1/α_2 = (n/ε)^(c-1), so one of the two weights is always more than √2 times the other: in no sample is "
    "the output the average, and it is v_1 or v_2 alone only when n/ε is large enough.",
    ratio_and_pick="α_1/α_2 = (n/ε)^(1/2) or (n/ε)^(-1/2), and the output is one of v_1 and v_2, picked at random.",
    second_key_wins="α_2 > α_1 for both values of c, because only the length of k_2 is certain.",
    ratio_and_threshold="α_1/α_2 = (n/ε)^(c-1): never an average, and a pick of v_1 or v_2 to within the error just when "
    "y + n - 2 <= odds(error)·y² with y = (n/ε)^(1/2).",
)

_VARIES = "The weight of a changes from sample to sample, and the variance of c grows."
_LEANS = "c leans towards v_a when k_a is stretched by a factor above 1, and towards v_b otherwise."

NOISY_LENGTH = listed(
    still_the_mean="c ≈ (v_a + v_b)/2 in almost every sample still, because k_a has the right mean.",
    weight_varies=_VARIES,
    small_variance="The mean of c over samples is close to (v_a + v_b)/2, so c has a small variance: the weight of a has a "
    "standard deviation below 0.1, however large the query.",
    coin_toss="c is a coin toss: as the query grows, c comes within 0.01 of v_a with probability tending to ½ and of v_b "
    "likewise, and is hardly ever near their mean.",
    always_towards_a="c leans towards v_a in every sample, because noise can only lengthen k_a.",
    leans_with_the_length=_LEANS,
    larger_factor_cures="A larger factor in the query makes c ≈ (v_a + v_b)/2 again, with probability at least 0.99.",
)

NOISY_KEY_X = listed(
    any_noisy_key_spoils="Whichever key is noisy, the output is within 0.01 of (v_i + v_j)/2 in less than half of the samples, "
    "because every key stands in the sum of the softmax.",
    coin_toss_unless_another="If x is i or j, the output tends to v_i or v_j by a coin toss as the query grows; if x is "
    "another key, the output does not change, because the query is orthogonal to μ_x.",
    still_the_mean="The output is ≈ (v_i + v_j)/2 in almost every sample, whichever key x is, because k_x has the right mean.",
    larger_factor_cures="If x is i or j, the output varies; a larger factor in the query makes it ≈ (v_i + v_j)/2 again, with "
    "probability at least 0.99.",
    leans_unless_another="If x is i (or j), the output leans to v_x when k_x is stretched by a factor above 1 and to the other "
    "value when by one below 1; if x is another key, the output stays ≈ (v_i + v_j)/2.",
)

TWO_NOISY_HEADS = listed(
    variances_double="Two heads feel the noise twice: the weight of a varies more than under the one head of B.3c-i.",
    lost_when_backwards="c ≈ (v_a + v_b)/2 needs k_a·q_1 > 0: where k_a points backwards head 1 loses v_a, so that over all "
    "samples the probability stays below Φ(√2) < 0.922, whatever s > 1 and T >= n.",
    coin_toss_remains="c jumps between v_a and v_b: it is within 0.01 of v_a with probability at least 0.2.",
    still_the_mean_with_two="c ≈ (v_a + v_b)/2 still holds.",
    quarter_of_the_variance="c_2 does not feel the noise, so that Var c = ¼ Var c_1: c varies less than under one head, but in "
    "about 8 % of the samples k_a points backwards and v_a is lost.",
    heads_cancel="c does not vary at all: what head 1 gains when k_a is long, head 2 loses.",
)

TWO_HEADS_IN_VARIANCES = listed(
    coin_toss_remains="c jumps between v_a and v_b as under one head: it is within 0.01 of v_a with probability at least 0.2.",
    average_given_positive="c_2 does not feel the noise, so that Var c = ¼ Var c_1; ignoring samples with k_a·q_1 < 0, "
    "c_1 tends to v_a and c to (v_a + v_b)/2 as the queries grow.",
    variances_double="Both c_1 and c_2 feel the noise, so that the weight of a varies more than under the one head of D.c-i.",
    heads_cancel="Var c = 0: c_1 and c_2 vary, but opposite to each other.",
    quarter_of_the_variance="Var c = ¼ Var c_1, because c_2 does not vary: less than under one head; large queries leave "
    "c_1 away from v_a only where k_a·q_1 is small or negative.",
    no_leave_needed="Var c_1 is close to 0 and c ≈ (v_a + v_b)/2 with probability at least 0.99 when the queries are "
    "large, also if samples with k_a·q_1 < 0 count.",
)

SUM_AND_DIFFERENCE = listed(
    independent_heads="The heads are independent, so that Var c = ¼(Var c_1 + Var c_2).",
    between_the_heads="For large β the mean varies less than the head β(μ_a + μ_b) does but more than the head β(μ_a - "
    "μ_b) does: both weights of a rise with the length of k_a.",
    fluctuations_cancel="Both outputs vary. Their fluctuations partly cancel, so the mean varies less than a single head does.",
    mean_does_not_vary="The mean does not vary: one head looks along the sum and the other along the difference.",
    nothing_cancels="Nothing cancels: the weight of a rises with the length of k_a in both heads, so that their fluctuations "
    "have a positive covariance.",
    difference_averages="The head β(μ_a - μ_b) gives ≈ (v_a + v_b)/2 whatever the length of k_a; only the other head varies.",
)
