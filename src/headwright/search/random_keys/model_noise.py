"""A key model in the coordinates that matter: keys, directions in which they move, and what moves them in every direction.

The search runs in the span of the keys' differences and the directions of their noise: what a query has outside it changes no
score, or adds noise. Units are such that the longest of these vectors has norm 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from headwright.words.key_models import GaussianKeys, KeyModel
from headwright.words.scaled_keys import ScaledKeys


@final
@dataclass(frozen=True, eq=False)
class Noise:
    """A model in the span (r) of what matters: q = basis @ y / size has the scores of y over `keys` (n, r).

    Key owner[k] moves along directions[k] (by a standard Gaussian, or by its factor minus 1), besides `spread` (n,) in every
    direction, less `shrunk` (n, r) along one of them.
    """

    basis: np.ndarray
    size: float
    keys: np.ndarray
    owner: np.ndarray
    directions: np.ndarray
    spread: np.ndarray
    shrunk: np.ndarray

    def queries(self, Y: np.ndarray) -> np.ndarray:
        return np.asarray(Y @ self.basis.T / self.size)

    @property
    def moving(self) -> list[int]:
        return sorted({*self.owner.tolist(), *np.flatnonzero(self.spread).tolist()})

    def of(self, j: int) -> np.ndarray:
        """The directions of key j (k, r)."""
        return np.asarray(self.directions[self.owner == j])

    def covariance(self, among: list[int]) -> np.ndarray:
        """Σ_j Σ_j over the keys named (r, r)."""
        total = self.spread[among].sum() * np.eye(self.keys.shape[1]) - self.shrunk[among].T @ self.shrunk[among]
        chosen = self.directions[np.isin(self.owner, among)]
        return np.asarray(total + chosen.T @ chosen)


def noise_of(model: KeyModel, origin: int) -> Noise:
    """The model's noise in coordinates relative to key `origin`."""
    owner, directions, shrunk = _directions(model)
    rows = np.concatenate([model.centre - model.centre[origin], directions])
    largest = float(np.abs(rows).max()) or 1.0
    size = largest * (float(np.linalg.norm(rows / largest, axis=1).max()) or 1.0)  # no overflow, no underflow
    _, values, right = np.linalg.svd(rows / size, full_matrices=False)
    # directions of rounding are left out; 1e-300 where all keys are equal and nothing moves
    basis = right[values > 1e-13 * max(values.max(initial=0.0), 1e-300)].T
    if not basis.shape[1]:
        basis = np.eye(model.d)[:, :1]
    flat = (rows / size) @ basis
    spread = model.isotropic / size / size if isinstance(model, GaussianKeys) else np.zeros(model.n)
    return Noise(basis, size, flat[: model.n], owner, flat[model.n :], spread, (shrunk / size) @ basis)


def _directions(model: KeyModel) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    owner: list[int] = []
    rows: list[np.ndarray] = []
    shrunk = np.zeros((model.n, model.d))
    if isinstance(model, GaussianKeys):
        for j in np.flatnonzero(model.along).tolist():
            if model.along[j] > 0:
                owner.append(j)
                rows.append(np.sqrt(model.along[j]) * model.unit_mean(j))
            else:
                shrunk[j] = np.sqrt(-model.along[j]) * model.unit_mean(j)
        for j, factor in model.directions().items():
            owner += [j] * factor.shape[1]
            rows += list(factor.T)
    elif isinstance(model, ScaledKeys):
        owner = list(model.varying)
        rows = [model.centre[j] for j in owner]
    kept = [k for k, row in enumerate(rows) if row.any()]
    stacked = np.array([rows[k] for k in kept]).reshape(len(kept), model.d)
    return np.array([owner[k] for k in kept], dtype=np.intp), stacked, shrunk
