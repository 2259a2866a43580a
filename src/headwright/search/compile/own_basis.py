"""Your own basis of the residual stream: checks, and a refusal if its columns depend on each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from headwright.kernel import inputs
from headwright.search.least_norm.null_space import null_vectors
from headwright.search.readout.readout import readout

_DOUBTFUL = 2.0**-40  # a least singular value, against the largest, from which on the exact numbers are asked


def checked_basis(basis: Any, needed: int) -> np.ndarray | None:
    """The first `needed` columns (D, w) in float64, or an error that names `basis`; Unreachable if they are dependent.

    >>> checked_basis([[1, 1], [0, 1], [0, 0]], 2).shape
    (3, 2)
    """
    if basis is None:
        return None
    given = inputs.float64(basis, name="basis", ndim=2)
    if given.shape[1] < needed:
        raise ValueError(f"`basis` must have {needed} columns for this program, got {given.shape[1]}")
    columns = np.ascontiguousarray(given[:, :needed])
    sizes = np.abs(columns).max(axis=0)
    values = np.linalg.svd(columns / np.where(sizes > 0, sizes, 1.0), compute_uv=False)
    if needed > len(columns) or values[-1] <= _DOUBTFUL * values[0]:
        for relation in null_vectors(columns)[:1]:
            j = max(range(needed), key=lambda k: abs(relation[k]))
            if not columns[:, j].any():
                raise ValueError(f"`basis` must have independent columns, but column {j} is zero")
            readout(columns[:, [j]], against=np.delete(columns, j, axis=1))  # raises Unreachable with the common vector
    return columns
