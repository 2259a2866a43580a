"""Whether a block commutes with one permutation π of its rows, for every real x: polynomial identities with free exponentials.

The entries of x are variables. Scores are polynomials in them with the block's own numbers as exact coefficients. With
x'_r = x_π(r), these identities are checked:

    s'_rj = s_π(r)π(j)                       so that x' has the exponentials of x, E'_rj = E_π(r)π(j), variables of their own;
    num'_r · den_π(r) = num_π(r) · den'_r    for each head, num_r = O_h Σ_j E_rj v_j and den_r = Σ_j E_rj > 0;
    x'_r + p_r = x_π(r) + p_π(r)             where there is a residual path.

Then row r after attention on x' is row π(r) after attention on x. LayerNorm and feed-forward act row by row on equal rows, so
the outputs are equal. If a head's scores are not those of the permuted rows, the exponentials of x' become further variables:
the head may still give the same output, as a head with output map 0 does. With the norm first, heads see the normed rows. If
x'_r + p_r = x_π(r) + p_π(r), these are permuted too, and the variables stand for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, final

from headwright.theories.order.block_parts import BlockParts
from headwright.theories.order.block_rows import BlockRows, Row
from headwright.theories.order.polynomials import coefficient, free_variables


def commutes(block: BlockParts, order: Sequence[int]) -> bool:
    """True only if f(x_π) = f(x)_π for every real x, with π(r) = order[r]. False says nothing.

    `block` holds float64 arrays, and exactly as many positions as there are rows in `order`.
    """
    steps = BlockRows(block, coefficient)
    free = _Free.of(len(order), block.query.shape[-1])
    moved = [free.x[k] for k in order]
    before, after = steps.placed(free.x), steps.placed(moved)
    normed = block.norm_first and block.norm_scale is not None
    if (block.residual or normed) and any(after[r] != before[k] for r, k in enumerate(order)):
        return False
    if normed:
        before, after = free.x, moved
    return all(_head_commutes(steps, head, order, before, after, free) for head in range(len(block.query)))


@final
@dataclass(frozen=True, eq=False)
class _Free:
    """The variables: rows x (n, d), the exponentials of one row of one head on x (n), and others for x' (n).

    No identity contains exponentials of two rows or of two heads, so the same variables can be reused for all of them.
    """

    x: list[Row]
    powers: Row
    others: Row

    @classmethod
    def of(cls, n: int, d: int) -> Self:
        variables = free_variables(n * (d + 2))
        x: list[Row] = [variables[start : start + d] for start in range(0, n * d, d)]
        return cls(x, variables[n * d : n * d + n], variables[n * d + n :])


def _head_commutes(
    steps: BlockRows, head: int, order: Sequence[int], before: Sequence[Row], after: Sequence[Row], free: _Free
) -> bool:
    """Whether one head gives row r of `after` what it gives row π(r) of `before`."""
    n = len(order)
    old, new = (steps.scores(head, rows) for rows in (before, after))
    values, new_values = (steps.projected(head, "value", rows) for rows in (before, after))
    alike = all(new[r][j] == old[order[r]][order[j]] for r in range(n) for j in range(n))
    new_powers = [free.powers[k] for k in order] if alike else free.others
    for r, k in enumerate(order):
        given, whole = _over(steps.seen(r, n), steps, head, new_powers, new_values)
        wanted, old_whole = _over(steps.seen(k, n), steps, head, free.powers, values)
        if any(a * old_whole != b * whole for a, b in zip(given, wanted, strict=True)):
            return False
    return True


def _over(seen: range, steps: BlockRows, head: int, powers: Row, values: Sequence[Row]) -> tuple[Row, Any]:
    """The head's numerators and denominator over the rows that are seen."""
    return steps.gathered(head, [powers[j] for j in seen], [values[j] for j in seen])
