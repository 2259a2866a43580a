"""learn_query: one query trained towards a goal over fixed keys, and how its direction comes near the designed one.

The loss is the cross-entropy of the goal w against the weights α = softmax(Kq). Its gradient is Kᵀ(α - w) = Σ_j α_j (k_j - k̄),
k̄ = Σ_j w_j k_j. The second form has no cancellation for Copy, where k_i - k̄ = 0 exactly. Nothing holds the query short, so its
norm grows without end while its direction settles: on that of the least-norm query for ever smaller errors, the maximum-margin
query (Soudry and others, 2018; for attention Tarzanagh and others, 2023). Plain steps shrink with the loss, and the direction
would take exponentially many of them; each step here has the same length, q ← q - rate · gradient/‖gradient‖.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from headwright import arrays
from headwright._design import Design
from headwright.attention import attend
from headwright.constructions import design
from headwright.goals import Goal

# Errors at which a design stands for the limit, the maximum-margin direction. Several targets must tie, and float64 holds their
# tie to a relative 1e-16 of a score only, so that much smaller errors cannot be certified for them.
_NEAR_THE_LIMIT = "1e-60"
_NEAR_WITH_TIES = "1e-9"


@final
@dataclass(frozen=True, eq=False)
class QueryPath:
    """The query after each step, queries (steps, d), the designed one, and the cosine (steps,) between the two."""

    queries: np.ndarray
    designed: Design
    cosines: np.ndarray
    errors: np.ndarray  # total variation from the goal after each step, in floating point

    @property
    def norms(self) -> np.ndarray:
        lengths: np.ndarray = np.linalg.norm(self.queries, axis=1)
        return lengths


def learn_query(
    keys: Any, goal: Goal, *, steps: int = 2000, rate: float = 0.05, error: float | str | None = None
) -> QueryPath:
    """Train a query from 0 for `steps` steps (fewer when the gradient vanishes in float64) and compare it with `design`.

    `error` is the one to design for; by default it is so small that the design has the direction of the limit.

    >>> from headwright.goals import Copy
    >>> path = learn_query(np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]]), Copy(0), steps=500)
    >>> bool(path.cosines[-1] > 0.99)
    True
    """
    held = arrays.float64(keys, name="keys", ndim=2)
    arrays.count(steps, name="steps", least=1)
    if not rate > 0:
        raise ValueError(f"`rate` must be positive, got {rate!r}")
    if error is None:
        error = _NEAR_THE_LIMIT if len(goal.indices) == 1 else _NEAR_WITH_TIES
    designed = design(held, goal, error=error)
    wanted = goal.weights(len(held))
    centred = held - wanted @ held
    query, queries, errors = np.zeros(held.shape[1]), [], []
    for _ in range(steps):
        slope = attend(query, held).weights @ centred
        size = float(np.linalg.norm(slope))
        if size == 0:
            break
        query = query - rate * slope / size
        queries.append(query)
        errors.append(float(np.abs(attend(query, held).weights - wanted).sum() / 2))
    path = np.array(queries)
    cosines = path @ designed.query / (np.linalg.norm(path, axis=1) * designed.norm)
    return QueryPath(path, designed, cosines, np.array(errors))
