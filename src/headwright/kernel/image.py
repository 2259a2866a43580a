"""Image: the queries q = W x + b that a head can form, such as those of a model's own W_Q, in exact arithmetic.

The stored numbers are W, b and the coordinates x. A query is the exact vector W x + b, which float64 does not hold in general.

**Lengths.** Let P be the orthogonal projector on the span of W's columns, and b⊥ = b - Pb. Every query of the image has
q - b⊥ = Pq and ‖q‖² = ‖Pq‖² + ‖b⊥‖², so for every vector v

    -v·q  =  -Pv·Pq - v·b⊥  <=  ‖Pv‖ sqrt(‖q‖² - ‖b⊥‖²) - v·b⊥.                                                    (1)

P is made in balls from columns that span the image (`span`). They span it if they are independent, which the solution in balls
shows, and if the rank of W, an exact integer, is their number. Without `span`, P = I and b⊥ = 0: then (1) holds for every vector.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from headwright.kernel import balls, budget
from headwright.kernel.frozen import computed_once
from headwright.kernel.record import Parts


@final
@dataclass(frozen=True, eq=False)
class Image(Parts):
    """The queries W x + b, for `matrix` W (d, r) and `offset` b (d,), which is 0 unless given.

    `span` names columns of W that span all of them, for claims about every query of the image.

    >>> Image([[2.0, 0.0], [0.0, 1.0]], [0.5, 0.0]).at(np.array([3.0, 4.0])).tolist()
    [Fraction(13, 2), Fraction(4, 1)]
    """

    matrix: np.ndarray
    offset: np.ndarray | None = None
    span: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        self.settle(matrix="dr", offset="d")
        if not self.matrix.any():
            raise ValueError("`matrix` must not be zero: its image would be a single query")
        columns = self.matrix.shape[1]
        if self.span is not None and not (
            self.span and len(set(self.span)) == len(self.span) and all(0 <= c < columns for c in self.span)
        ):
            raise ValueError(f"`span` must name distinct columns of the {columns}, got {self.span}")

    @property
    def d(self) -> int:
        """The length of a query."""
        return len(self.matrix)

    @property
    def plain(self) -> Image:
        """The same image without `span`, for claims about given queries."""
        return self if self.span is None else Image(self.matrix, self.offset)

    def at(self, x: np.ndarray) -> balls.Dyadics:
        """The query W x + b, exactly."""
        if self.offset is None:
            return balls.exact_product(self.matrix, x)
        return balls.exact_product(np.column_stack([self.matrix, self.offset]), np.append(x, 1.0))

    def value(self, keys: np.ndarray, weights: Sequence[int]) -> Fraction | None:
        """Σ weights_j k_j·q if it is the same for all queries q of the image, exactly; None if it is not."""
        whole = balls.Dyadics(np.array(weights, dtype=object), 0)
        v = _product(keys.T, whole)
        if _product(self.matrix.T, v).numerators.any():
            return None
        return Fraction(0) if self.offset is None else _product(self.offset[None], v).tolist()[0]

    def describe(self) -> str:
        """The image in words, for the sentence of a claim."""
        d, r = self.matrix.shape
        moved, offset = ("", "") if self.offset is None else (" + b", ", offset b")
        return f"Wx{moved} (matrix W of shape {d} × {r}{offset})"

    def among(self) -> str:
        """The same after the word "query"."""
        return f" of the form {self.describe()}"

    @computed_once
    def _spans(self) -> bool:
        """Whether the columns of `span`, if independent, span the image."""
        named = len(self.span or ())
        return named == self.matrix.shape[1] or named == balls.rank(self.matrix)

    def reach(self, v: Sequence[balls.Ball]) -> tuple[balls.Ball, balls.Ball, balls.Ball] | None:
        """Balls (‖Pv‖, v·b⊥, ‖b⊥‖²) of (1); None if the columns of `span` are not shown to span the image."""
        if self.span is None:
            return balls.total([x * x for x in v]).sqrt(), balls.exact(0), balls.exact(0)
        if not self._spans:
            return None
        columns = [[balls.exact(x) for x in column] for column in self.matrix.T[list(self.span)].tolist()]
        offset = [balls.exact(x) for x in ([0.0] * self.d if self.offset is None else self.offset.tolist())]
        budget.spend(6 * self.d * balls.unit_cost())
        shadows = balls.projections(columns, [list(v), offset])
        if shadows is None:
            return None
        length = balls.total([x * x for x in shadows[0]]).sqrt()
        apart = [x - y for x, y in zip(offset, shadows[1], strict=True)]
        return length, balls.total([x * y for x, y in zip(v, apart, strict=True)]), balls.total([x * x for x in apart])

    def distances(self) -> Iterator[tuple[int, str, balls.Ball]]:
        """(bits, method, ball of ‖b⊥‖), ever tighter: a norm that every query of the image has at least."""
        for bits in (128, 1024):
            with balls.precision(bits):
                found = self.reach([balls.exact(0)] * self.d)
                length = balls.exact(0) if found is None else found[2].sqrt()
            yield bits, f"the distance of the image from 0, in balls of {bits} bits", length

    def pull(self, v: Sequence[balls.Ball], norm: Fraction) -> balls.Ball | None:
        """A number that -v·q does not exceed for queries q of the image of this norm at most, by (1); None if there are none.

        The norm that is left for Pq is rounded up. If nothing is shown, the number is not finite.
        """
        found = self.reach(v)
        if found is None:
            return balls.exact(1) / 0
        length, apart, square = found
        room = balls.exact(norm * norm) - square
        if room < 0:
            return None
        most = balls.upper(room)
        return balls.exact(1) / 0 if most is None else length * balls.exact(most).sqrt() - apart

    def least_norm(self, v: Sequence[balls.Ball], left: balls.Ball) -> balls.Ball:
        """A norm that every query of the image with -v·q >= left has at least, by (1); 0 if nothing is shown."""
        found = self.reach(v)
        if found is None:
            return balls.exact(0)
        length, apart, square = found
        needed = (left + apart).max(0) / length
        return (square + needed * needed).sqrt()


def _product(rows: np.ndarray, v: balls.Dyadics) -> balls.Dyadics:
    numerators, exponent = balls.exact_scores(rows, v)
    return balls.Dyadics(np.array(numerators, dtype=object), exponent)
