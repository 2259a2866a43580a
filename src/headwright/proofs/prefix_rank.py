"""Claim: a head of small rank cannot give each position exactly equal scores on all keys up to itself, and another on the next.

Position q of N scores the keys by S[q, k] = Q_q · K_k, with vectors of r entries (biases and a scale included). Suppose that

    S[q, 0] = S[q, 1] = … = S[q, q]  ≠  S[q, q + 1]        for every q with a next position, q = 0 … N - 2.

Then T[q, k] = S[q, k] - S[q, 0] = Q_q · (K_k - K_0) for k = 1 … N - 1 is 0 where k <= q and not 0 where k = q + 1: a triangular
(N-1) × (N-1) matrix without a 0 on its diagonal, of rank N - 1. As a product over r entries its rank is at most r, so r >= N - 1.

From r = N - 1 on there is such a head: Q_q = e_q, and K_k = -(e_0 + … + e_{k-1}).

What is excluded is exact equality, the exact ratios of a prefix mean without a mask. Scores that are only nearly equal are not
excluded: S[q, k] = -c·exp(β(k - q)) has rank 1, and in real arithmetic it comes as close to prefix means as one likes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from headwright import budget, inputs
from headwright.proofs.claim import Claim
from headwright.verdict import Verdict


@final
@dataclass(frozen=True, eq=False)
class PrefixRank(Claim):
    """No head of rank `rank` gives each of `length` positions equal scores up to itself, and a different one on the next key.

    >>> PrefixRank(rank=5, length=7).prove().status, PrefixRank(rank=6, length=7).prove().status
    ('proved', 'refuted')
    """

    rank: int
    length: int
    kind: ClassVar[str] = "prefix-rank"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rank", inputs.count(self.rank, name="rank"))
        object.__setattr__(self, "length", inputs.count(self.length, name="length", least=1))
        self.settle()

    def sentence(self) -> str:
        return (
            f"without a mask, no attention head of rank {self.rank} gives each of {self.length} positions exactly equal scores "
            "on the keys up to itself and a different score on the key after it"
        )

    def scope(self) -> str:
        return f"all heads of rank {self.rank}, all streams of {self.length} positions, in real arithmetic"

    def judge(self) -> Verdict:
        if self.rank < self.length - 1:
            return self.proved(
                reason="the differences to each position's first score form a triangular matrix without a 0 on its diagonal. "
                f"Its rank is {self.length - 1}, but the head's scores have rank {self.rank} at most. Scores that are nearly "
                "equal are not excluded",
                method="the rank of a triangular matrix",
            )
        queries, keys = self.head()
        if not _serves(queries, keys):
            return self.undecided("the head of the counterexample does not serve", "claim a smaller rank")
        return self.refuted(
            counterexample={"queries": queries, "keys": keys},
            method="the scores of one head, in whole numbers",
        )

    def head(self) -> tuple[np.ndarray, np.ndarray]:
        """Queries and keys, one row for each position, of a head that serves if the rank suffices."""
        budget.hold(48 * self.length * (self.rank + self.length))  # two arrays, their copies, and the scores
        queries, keys = (np.zeros((self.length, self.rank)) for _ in range(2))
        steps = min(self.rank, self.length - 1)
        queries[:steps, :steps] = np.eye(steps)
        keys[:, :steps] = -np.tri(self.length, steps, -1)
        return queries, keys


def _serves(queries: np.ndarray, keys: np.ndarray) -> bool:
    """Whether the scores are equal up to each position and different after it; the entries are whole numbers of small size."""
    budget.spend(queries.shape[1] * len(queries) * len(keys))
    scores = queries.astype(np.int64) @ keys.astype(np.int64).T
    rows = range(len(scores))
    return all((scores[q, : q + 1] == scores[q, 0]).all() for q in rows) and all(
        scores[q, q + 1] != scores[q, 0] for q in rows[:-1]
    )
