"""Top: every named key scored above every other key. No distribution, so no shares and no total variation.

What is asked of a query is its smallest score gap, min over the named minus max over the others; the ratios of the weights
are free.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from headwright.goals import distinct


@final
@dataclass(frozen=True, init=False, repr=False, eq=False)
class Top:
    """The keys `indices` scored above all others, in any order among themselves.

    >>> Top(3, 7) == Top(7, 3)
    True
    """

    indices: tuple[int, ...]

    def __init__(self, *indices: int) -> None:
        object.__setattr__(self, "indices", distinct(indices))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Top) and set(self.indices) == set(other.indices)

    def __hash__(self) -> int:
        return hash(("Top", frozenset(self.indices)))

    def __repr__(self) -> str:
        if len(self.indices) > 12:
            return f"Top({', '.join(map(str, self.indices[:6]))}, … {len(self.indices)} keys)"
        return f"Top({', '.join(map(str, self.indices))})"

    def check(self, n: int) -> None:
        """Every index lies inside the n keys and at least one key is left out, or ValueError."""
        if max(self.indices) >= n:
            raise ValueError(f"`goal` {self} names key {max(self.indices)}, but there are only {n} keys (0 to {n - 1})")
        if len(self.indices) == n:
            raise ValueError(f"`goal` {self} names all {n} keys: none is left to be scored below them")

    def members(self, n: int) -> np.ndarray:
        """Which of the n keys are named (n,), as booleans."""
        self.check(n)
        named = np.zeros(n, dtype=bool)
        named[list(self.indices)] = True
        return named

    def to_dict(self) -> dict[str, Any]:
        """JSON form; `top_from_dict` reads it back."""
        return {"goal": "top", "indices": list(self.indices)}


def top_from_dict(data: Mapping[str, Any]) -> Top:
    """The Top a `to_dict` described.

    >>> top_from_dict(Top(0, 4).to_dict())
    Top(0, 4)
    """
    if data.get("goal") != "top" or not isinstance(data.get("indices"), list):
        raise ValueError("`goal` must be top, with the list `indices`")
    if set(data) != {"goal", "indices"}:
        raise ValueError(f"`goal` top has indices alone, got {', '.join(sorted(map(str, data)))}")
    return Top(*data["indices"])
