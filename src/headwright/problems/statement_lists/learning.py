"""Statements about attention that works, and about heads that were trained (E.2a)."""

from headwright.problems.statement import listed

TRAINED = listed(
    one_head_cannot_average="Trained heads copy, but a single trained head cannot average two places: that takes two heads.",
    copy_and_average="Heads trained by gradient descent do copy and average: on held-out sequences a head trained to copy "
    "gives the token asked for at least 0.9 of the weight, and heads trained to average are within 0.1 of one half each, "
    "in at least 99 % of them.",
    needs_no_positions="A trained head finds the place it is asked for without positions too: the values tell the tokens "
    "apart.",
    softmax_over_queries="In a working attention the softmax runs over the queries: for each key the weights of all "
    "queries sum to 1.",
    weight_exactly_one="A head trained to copy gives the token asked for the weight 1 exactly, and all others 0.",
    positions_and_softmax_over_keys="The softmax runs over the keys, so that the weights of each query sum to 1; and a "
    "block whose positions are removed no longer copies the place it is asked for, while with them it does.",
)
