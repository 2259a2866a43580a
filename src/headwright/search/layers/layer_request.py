"""A checked call of `design_layer`: tokens, one goal per named row, wanted outputs, and what each head must do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.goals import Copy, Goal
from headwright.kernel.within_error import checked_error
from headwright.search.layers.joint_problem import RowGoal
from headwright.search.least_norm.closed_form import log_ratio, odds


@final
@dataclass(frozen=True, eq=False)
class LayerRequest:
    """What was asked, checked. `targets` holds one goal per head for every row; `rank` is None, a number, or "smallest"."""

    tokens: np.ndarray
    goals: dict[int, Goal]
    outputs: dict[int, np.ndarray]
    asked: float | str | Fraction
    error: Fraction
    rank: int | str | None
    heads: int
    causal: bool

    @property
    def rows(self) -> list[int]:
        return list(self.goals)

    def seen(self, row: int) -> int:
        """How many tokens, from the first, the row attends to."""
        return row + 1 if self.causal else len(self.tokens)

    def target(self, row: int, head: int) -> Goal:
        """The head's part of the row's goal: all of it for one head, else one of its members to copy."""
        goal = self.goals[row]
        return goal if self.heads == 1 else Copy(goal.indices[head % len(goal.indices)])

    def row_goals(self, head: int, hair: float) -> list[RowGoal]:
        """The constraints of all rows on one head, leaks aimed below the asked one by `hair`."""
        wanted = []
        for row in self.rows:
            goal = self.target(row, head)
            ratios = [log_ratio(share / goal.shares[0]) for share in goal.shares[1:]]
            outside = [j for j in range(self.seen(row)) if j not in goal.indices]
            leak = log_ratio(odds(self.error) / goal.shares[0]) - hair
            wanted.append(RowGoal(np.array(goal.indices), np.array(ratios), np.array(outside, dtype=int), leak))
        return wanted

    def least_weights(self, *, split: bool, hair: float = 0.0) -> tuple[list[tuple[int, int]], list[RowGoal]]:
        """For one head, without ratios: the (row, target) pairs, and that each target of share w keeps w - e of its weight.

        That is lse_{j≠i}(s_j - s_i) <= ln((1 - w + e)/(w - e)). With e the error, every layer that does it obeys them; with the
        error `split` among a goal's targets, every layer that obeys them does it.
        """
        places, wanted = [], []
        for row, goal in self.goals.items():
            error = self.error / len(goal.indices) if split else self.error
            for i, share in zip(goal.indices, goal.shares, strict=True):
                others = np.array([j for j in range(self.seen(row)) if j != i], dtype=int)
                if share > error and len(others):
                    places.append((row, i))
                    level = log_ratio((1 - share + error) / (share - error)) - hair
                    wanted.append(RowGoal(np.array([i]), np.zeros(0), others, level))
        return places, wanted


def checked_layer(
    tokens: Any, goals: Any, outputs: Any, error: Any, rank: Any, heads: Any, causal: Any
) -> LayerRequest:
    """The request, or an error that names the argument."""
    x = inputs.float64(tokens, name="tokens", ndim=2)
    count = inputs.count(heads, name="heads", least=1)
    if not isinstance(causal, bool | np.bool_):
        raise TypeError(f"`causal` must be True or False, got {causal!r}")
    wanted = _goals(goals, len(x), bool(causal), count)
    exact = checked_error(inputs.rational(error, name="error"))
    return LayerRequest(
        x, wanted, _outputs(outputs, wanted), error, exact, _rank(rank, x.shape[1]), count, bool(causal)
    )


def _goals(goals: Any, n: int, causal: bool, heads: int) -> dict[int, Goal]:
    if not isinstance(goals, Mapping) or not goals:
        raise TypeError(f"`goals` must map rows to goals, such as {{0: Copy(2)}}, got {goals!r}")
    checked: dict[int, Goal] = {}
    for row, goal in goals.items():
        r = inputs.index(row, name="row in `goals`")
        if r >= n:
            raise ValueError(f"`goals` names row {r}, but there are only {n} tokens (0 to {n - 1})")
        if not isinstance(goal, Goal):
            raise TypeError(f"`goals[{r}]` must be Copy, Average or Blend, got {type(goal).__name__}")
        goal.check(n)
        if causal and max(goal.indices) > r:
            raise ValueError(
                f"`goals[{r}]` {goal} names token {max(goal.indices)}, which a causal row {r} does not see"
            )
        if heads > 1 and len(goal.indices) > 1 and set(goal.shares) != {Fraction(1, heads)}:
            raise ValueError(
                f"`goals[{r}]` {goal} cannot be split over {heads} heads mixed equally: "
                f"it must be a Copy, or an Average of {heads}"
            )
        checked[r] = goal
    return checked


def _outputs(outputs: Any, goals: dict[int, Goal]) -> dict[int, np.ndarray]:
    if outputs is None:
        return {}
    if not isinstance(outputs, Mapping) or not outputs:
        raise TypeError(f"`outputs` must map rows to vectors, got {outputs!r}")
    checked: dict[int, np.ndarray] = {}
    for row, vector in outputs.items():
        r = inputs.index(row, name="row in `outputs`")
        if r not in goals:
            raise ValueError(f"`outputs` names row {r}, which has no goal")
        checked[r] = inputs.float64(vector, name=f"outputs[{r}]", ndim=1)
        if np.abs(checked[r]).max() > 1e150:
            raise ValueError(f"`outputs[{r}]` must stay below 1e150, so that distances fit into float64")
    lengths = {len(vector) for vector in checked.values()}
    if len(lengths) > 1:
        raise ValueError(f"`outputs` must have one length, got {', '.join(map(str, sorted(lengths)))}")
    return checked


def _rank(rank: Any, d: int) -> int | str | None:
    if rank is None or (isinstance(rank, str) and rank == "smallest"):
        return rank
    if isinstance(rank, str):
        raise ValueError(f"`rank` must be None, a number from 1 to {d}, or 'smallest', got {rank!r}")
    number = inputs.count(rank, name="rank", least=1)
    if number > d:
        raise ValueError(f"`rank` must be None, a number from 1 to {d}, or 'smallest', got {number}")
    return number
