"""Statements about the order of tokens: A.2a (rows) and C.1.3 (columns).

With tokens of whole numbers, Q = ln(2)·I and K = V = I every exponential 2^{x_i·x_j} is a whole number or its inverse, so that
attention is computed exactly, in rationals: what differs here differs, and what agrees agrees to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

from headwright.problems.judges.statement_verdicts import falls, stands
from headwright.verdict import Verdict

Rows = list[list[Fraction]]
_TOKENS = [[Fraction(number) for number in row] for row in ((1, 0), (0, 2), (-1, 1), (2, -1))]
_PAIR = _TOKENS[:2]  # x_1 = (1, 0), x_2 = (0, 2), for examples
_WHERE = {"tokens": "(1, 0), (0, 2), swapped", "maps": "Q = ln(2)·I, K = V = I"}


def scores(x: Rows) -> Rows:
    """In units of ln 2."""
    return [[sum((a * b for a, b in zip(row, other, strict=True)), Fraction(0)) for other in x] for row in x]


def weights(x: Rows, *, causal: bool = False) -> Rows:
    found = []
    for i, row in enumerate(scores(x)):
        powers = [Fraction(2) ** int(s) if j <= i or not causal else Fraction(0) for j, s in enumerate(row)]
        found.append([power / sum(powers) for power in powers])
    return found


def attended(x: Rows, *, causal: bool = False) -> Rows:
    """Weights times values, the values being the tokens."""
    alpha = weights(x, causal=causal)
    return [
        [sum((w * v[k] for w, v in zip(row, x, strict=True)), Fraction(0)) for k in range(len(x[0]))] for row in alpha
    ]


def through_rows(x: Rows) -> Rows:
    """Attention, then max(0, 2·o - 1) entry by entry, a feed-forward network that acts row by row."""
    return [[max(Fraction(0), 2 * o - 1) for o in row] for row in attended(x)]


def permuted(x: Rows, order: Sequence[int]) -> Rows:
    return [x[i] for i in order]


def conjugated(a: Rows, order: Sequence[int]) -> Rows:
    """P A Pᵀ: entry (i, j) is the entry (π(i), π(j)) of A."""
    return [[a[i][j] for j in order] for i in order]


def _all_orders(whole: Callable[[Rows], Rows]) -> list[bool]:
    """For each of the 24 orders of four tokens: scores and weights are conjugated, and outputs permuted alike."""
    found = []
    for order in permutations(range(len(_TOKENS))):
        x = permuted(_TOKENS, order)
        found.append(scores(x) == conjugated(scores(_TOKENS), order))
        found.append(weights(x) == conjugated(weights(_TOKENS), order))
        found.append(whole(x) == permuted(whole(_TOKENS), order))
    return found


def conjugated_scores(text: str) -> Verdict:
    return stands(
        text,
        scope="all n, X, linear maps, permutations and row-wise feed-forward networks, by algebra",
        reason="entry (i, j) of the new scores is entry (π(i), π(j)) of the old ones; exponentials go entry by entry, and "
        "a row's sum is the same sum in another order, so weights move like scores. Row i of the new output is then Σ_j "
        "α_π(i)π(j) v_π(j), the sum over all tokens that is row π(i) of the old one.",
        checks=_all_orders(through_rows),
    )


def conjugated_columns(text: str) -> Verdict:
    return stands(
        text,
        scope="all n, X, linear maps and permutations, by algebra",
        reason="Πᵀ S Π permutes rows and columns of the scores alike; the softmax of a column divides by the same sum in "
        "another order; and ΠΠᵀ = I cancels between values and weights. Checked exactly on the 24 orders of four tokens.",
        checks=_all_orders(attended),
    )


def _swap(text: str, what: str, wrong: Rows, true: Rows, told: str) -> Verdict:
    """False because `what` would have to be `wrong` after the swap and is `true`."""
    return falls(
        text,
        example={**_WHERE, what: f"{_told(true)}, not {_told(wrong)}"},
        reason=told,
        checks=[wrong != true],
    )


def _told(rows: Rows) -> str:
    return "[" + ", ".join("[" + ", ".join(str(number) for number in row) + "]" for row in rows) + "]"


_SWAPPED = _PAIR[::-1]


def scores_stay(text: str) -> Verdict:
    told = "the step that the scores stay is false: x_1·x_1 = 1 and x_2·x_2 = 4 trade places when the two tokens do."
    return _swap(text, "scores over ln 2", scores(_PAIR), scores(_SWAPPED), told)


def rows_alone(text: str) -> Verdict:
    told = (
        "the step about the weights is false: not the queries alone are permuted but the keys too. With two tokens "
        "swapped, row 1 of the weights is 16/17, 1/17, where the statement has 1/17, 16/17."
    )
    return _swap(text, "weights", weights(_PAIR)[::-1], weights(_SWAPPED), told)


def columns_alone(text: str) -> Verdict:
    told = (
        "the step about the scores is false: the keys are permuted as well as the queries. Swapping two tokens moves "
        "x_1·x_1 = 1 from the upper left to the lower right, where swapping columns alone would move it to the upper "
        "right."
    )
    return _swap(text, "scores over ln 2", [row[::-1] for row in scores(_PAIR)], scores(_SWAPPED), told)


def nothing_changes(text: str) -> Verdict:
    told = (
        "each token's own query decides its output, so the outputs move with the tokens: with the two tokens swapped the "
        "first output is 1/17·(1, 0) + 16/17·(0, 2), before it was 2/3·(1, 0) + 1/3·(0, 2)."
    )
    return _swap(text, "outputs", attended(_PAIR), attended(_SWAPPED), told)


def any_feed_forward(text: str) -> Verdict:
    def running(x: Rows) -> Rows:
        first, second = attended(x)
        return [first, [a + b for a, b in zip(first, second, strict=True)]]

    wrong, true = running(_PAIR)[::-1], running(_SWAPPED)
    told = (
        "a network that adds to each row the rows above it is a counterexample: after swapping two tokens the first row "
        f"of Z' is {_told(true[:1])}, while the second row of Z was {_told(wrong[:1])}, having the other token's output "
        "added."
    )
    return _swap(text, "Z'", wrong, true, told)


def positions_too(text: str) -> Verdict:
    def coded(x: Rows) -> Rows:
        return attended([[row[0] + place, *row[1:]] for place, row in enumerate(x)])

    told = (
        "position codes stay where they are when the tokens move: with 0 and 1 added to the first coordinates, swapping "
        "the two tokens changes the numbers in the outputs, not only their places."
    )
    return _swap(text, "outputs", coded(_PAIR)[::-1], coded(_SWAPPED), told)


def causal_too(text: str) -> Verdict:
    told = (
        "a causal mask stays where it is when the tokens move: the first token sees itself alone, so x_2 comes out "
        "unchanged when it stands first, but mixed with x_1 when it stands second."
    )
    wrong, true = attended(_PAIR, causal=True)[::-1], attended(_SWAPPED, causal=True)
    return _swap(text, "outputs", wrong, true, told)


def scores_unchanged(text: str) -> Verdict:
    told = (
        "the step S(XΠ) = S(X) is false: x_1·x_1 = 1 and x_2·x_2 = 4 trade places when the two tokens do. The conclusion "
        "is true, but it does not follow from an unchanged score matrix, whose softmax would have no reason to become "
        "Softmax(S)Π."
    )
    return _swap(text, "scores over ln 2", scores(_PAIR), scores(_SWAPPED), told)


CHECKS = {
    "scores-stay": scores_stay,
    "any-feed-forward": any_feed_forward,
    "rows-alone": rows_alone,
    "conjugated-scores": conjugated_scores,
    "nothing-changes": nothing_changes,
    "index-by-index": conjugated_scores,
    "positions-too": positions_too,
    "columns-alone": columns_alone,
    "conjugated-columns": conjugated_columns,
    "scores-unchanged": scores_unchanged,
    "causal-too": causal_too,
}
