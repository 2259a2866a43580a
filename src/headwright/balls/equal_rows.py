"""The first two equal rows of a table: the smallest j with an equal row before it, and that row.

Rows are compared by a 64-bit hash first: equal rows have equal hashes, so rows with different hashes differ. Rows with equal
hashes are compared number by number.
"""

from __future__ import annotations

import numpy as np

from headwright import budget

_FACTORS = np.random.default_rng(20_260).integers(2**63, size=2**12, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


def first_equal(table: np.ndarray) -> tuple[int, int] | None:
    """(i, j), i < j, with equal rows and the smallest j, then the smallest i; None when all rows differ.

    `table` is float64 without negative zeros.

    >>> first_equal(np.array([[1.0], [2.0], [3.0], [2.0], [1.0]]))
    (1, 3)
    """
    seen = np.empty(0, dtype=np.uint64)
    while len(seen) < len(table):
        until = min(max(1024, 2 * len(seen)), len(table))  # more at a time, since each look sorts all hashes
        budget.spend(200 * until)
        seen = np.concatenate([seen, _hashes(table[len(seen) : until])])
        pair = _first_of(table, seen)
        if pair is not None:
            return pair
    return None


def _hashes(rows: np.ndarray) -> np.ndarray:
    budget.spend(5 * rows.size)
    bits = np.ascontiguousarray(rows).view(np.uint64)
    mixed = np.zeros(len(bits), dtype=np.uint64)
    for k in range(bits.shape[1]):
        mixed = (mixed ^ bits[:, k]) * _FACTORS[k % len(_FACTORS)]
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _first_of(table: np.ndarray, hashes: np.ndarray) -> tuple[int, int] | None:
    """The first equal pair among rows of equal hash."""
    order = np.argsort(hashes, kind="stable")
    equal = hashes[order][1:] == hashes[order][:-1]
    groups: dict[int, list[int]] = {}
    for k in np.flatnonzero(equal).tolist():
        groups.setdefault(int(hashes[order[k]]), [int(order[k])]).append(int(order[k + 1]))
    later = sorted((j, members[0], members) for members in groups.values() for j in members[1:])
    for j, _, members in later:
        row = table[j]
        for i in members:
            budget.spend(2000 + 2 * row.size)  # few, unless somebody constructed rows with equal hashes
            if i < j and np.array_equal(table[i], row):
                return i, j
    return None
