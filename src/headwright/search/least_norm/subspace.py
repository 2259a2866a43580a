"""The queries W x + b of an image, as a search sees them: q = U z + b⊥ for free z, with ‖q‖² = ‖z‖² + ‖b⊥‖².

U is an orthonormal basis of the image, and b⊥ the part of b that W does not reach. In the coordinates z the keys are K U, and
every score has a fixed part K b⊥. Nothing here is trusted: the stored coordinates x are judged as they are, by `proofs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.frozen import computed_once
from headwright.kernel.goals import Goal
from headwright.kernel.image import Image
from headwright.kernel.out_of_reach import OutOfReach

_ULPS = 2.0**-49  # of a norm: less than this above ‖b⊥‖ is the rounding of a norm
_ROUNDINGS = 64  # a singular value, or a part of b, this many roundings from 0 is taken for 0


@final
@dataclass(frozen=True, eq=False)
class Subspace:
    """An image with its `basis` U (d, k), None where W reaches all of space, and `apart` b⊥ (d,), None where it is 0."""

    image: Image
    basis: np.ndarray | None
    apart: np.ndarray | None
    inverse: np.ndarray  # (r, k): x = inverse · (z - Uᵀb)

    def seen(self, keys: np.ndarray) -> np.ndarray:
        """The keys (n, k) that scores of z are made with."""
        return keys if self.basis is None else keys @ self.basis

    def lifts(self, keys: np.ndarray) -> np.ndarray | None:
        """The fixed part (n,) of every score; None where it is 0."""
        return None if self.apart is None else keys @ self.apart

    def coordinates(self, points: np.ndarray) -> np.ndarray:
        """Coordinates x (h, r) of the queries that `points` z (h, k) stand for, rounded to float64."""
        if self.image.offset is not None:
            points = points - (self.image.offset if self.basis is None else self.basis.T @ self.image.offset)
        x: np.ndarray = points @ self.inverse.T
        return x

    @property
    def away(self) -> float:
        """‖b⊥‖, the least norm of a query."""
        return 0.0 if self.apart is None else float(np.linalg.norm(self.apart))

    def norm(self, point: np.ndarray) -> float:
        """‖q‖ for one z (k,)."""
        return float(np.hypot(np.linalg.norm(point), self.away))

    def room(self, norm: Fraction) -> Fraction:
        """The largest ‖z‖ of a query of this norm, in float64; 0 if there is none."""
        if self.apart is None:
            return norm
        most = balls.float_below(norm)
        spare = most - self.away
        if 0 <= spare <= _ULPS * most:  # of which the root would be made
            return Fraction(self.away) / 2**60
        return Fraction(float(np.sqrt(max(spare, 0.0) * (most + self.away))))


def subspace(within: Any, d: int) -> Subspace:
    """What `within`, W or (W, b), describes for keys of length d; an error that names `within` otherwise."""
    pair = isinstance(within, tuple | list) and len(within) == 2 and np.ndim(within[0]) == 2
    matrix = inputs.float64(within[0] if pair else within, name="within", ndim=2)
    offset = inputs.float64(within[1], name="within[1]", ndim=1) if pair else None
    inputs.match(matrix, "within", (d, "r"), {})
    if offset is not None:
        inputs.match(offset, "within[1]", (d,), {})
    if not matrix.any():
        raise ValueError("`within` must not be the zero matrix: W of rank 0 leaves no query to choose")
    return _taken_apart(Image(matrix, offset))


def _taken_apart(image: Image) -> Subspace:
    matrix, offset = image.matrix, image.offset
    d, r = matrix.shape
    powers = np.frexp(np.abs(matrix).max(axis=0))[1]
    scaled = np.ldexp(matrix, -powers)  # columns of comparable size: x may weigh each as it likes
    left, sizes, right = np.linalg.svd(scaled, full_matrices=False)
    k = int((sizes > _ROUNDINGS * max(d, r) * 2.0**-52 * sizes[0]).sum())
    basis = None if k == d else left[:, :k]
    inverse = np.ldexp(right[:k].T / sizes[:k] @ (left.T if basis is None else np.eye(k)), -powers[:, None])
    apart = None
    if basis is not None and offset is not None:
        apart = offset - basis @ (basis.T @ offset)
        apart -= basis @ (basis.T @ apart)  # twice: what is left is orthogonal to the basis up to its own rounding
        if np.linalg.norm(apart) <= _ROUNDINGS * d * 2.0**-52 * np.linalg.norm(offset):
            apart = None
    spanned = Image(matrix, offset, _span(scaled, k))
    return Subspace(spanned, basis, apart, inverse)


def _span(matrix: np.ndarray, k: int) -> tuple[int, ...] | None:
    """Columns that span the image, exactly; None where they span all of space, or where no few are known to span the image."""
    d, r = matrix.shape
    if k == d:
        return None
    exact = k if k == r else balls.rank(matrix)
    if exact == r:
        return tuple(range(r))
    return _pivots(matrix, k) if exact == k else None


def _pivots(matrix: np.ndarray, k: int) -> tuple[int, ...]:
    """k independent columns, the one with the largest remainder next."""
    left, order = matrix.copy(), list[int]()
    for _ in range(k):
        order.append(int(np.einsum("ij,ij->j", left, left).argmax()))
        along = left[:, order[-1]] / np.linalg.norm(left[:, order[-1]])
        left -= np.outer(along, along @ left)
        left[:, order] = 0.0
    return tuple(sorted(order))


@final
@dataclass(frozen=True, eq=False)
class Sight:
    """Keys as the queries of a subspace see them, or as all queries do: in float64 for searches, and exactly for witnesses."""

    keys: np.ndarray
    space: Subspace | None = None
    scale: Fraction = Fraction(1)

    @property
    def image(self) -> Image | None:
        """The image that claims are about; None where they are about all queries, since no columns are known to span it."""
        return None if self.space is None or self.space.image.span is None else self.space.image

    @computed_once
    def rows(self) -> np.ndarray:
        """The keys (n, k) of the search."""
        return self.keys if self.space is None or self.image is None else self.space.seen(self.keys)

    @computed_once
    def lifts(self) -> np.ndarray | None:
        """The fixed parts (n,) of the scores."""
        lifts = None if self.space is None or self.image is None else self.space.lifts(self.keys)
        return None if lifts is None else float(self.scale) * lifts

    @computed_once
    def exact(self) -> np.ndarray:
        """What scores are made of, (n, k) integers: the keys times one power of two, or their products with spanning columns."""
        factors = (self.keys,) if self.image is None else (self.keys, self.image.matrix[:, list(self.image.span or ())])
        return balls.exact_product(*factors)[0]

    def equal(self, i: int) -> list[int]:
        """The other keys that no query tells from key i, up to the fixed parts."""
        same = (self.keys == self.keys[i]) if self.image is None else (self.exact == self.exact[i])
        return [j for j in np.flatnonzero(same.all(axis=1)).tolist() if j != i]

    def out_of_reach(self, goal: Goal, error: Fraction, witness: Any, precision: str | None) -> OutOfReach:
        """The claim that no query meets the error."""
        scale = self.scale if self.image is not None and self.image.offset is not None else None
        return OutOfReach(self.keys, goal, error, witness, precision, self.image, scale)
