"""A checked call of `design`, the claim its queries must meet, and the Design made of queries that do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple, final

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.frozen import computed_once
from headwright.kernel.goals import Copy, Goal, Top
from headwright.kernel.heads import Heads
from headwright.kernel.image import Image
from headwright.kernel.number_types import KINDS, PRECISIONS
from headwright.kernel.verdict import Proved, Verdict
from headwright.kernel.within_error import WithinError
from headwright.search.least_norm.subspace import Sight, Subspace, subspace
from headwright.theories.matrices.matrix_norms import exact_squared_norm
from headwright.words.batches import BATCH_AXES
from headwright.words.design import Design
from headwright.words.design_record import weights_of
from headwright.words.refusals import NotFound
from headwright.words.stored import stored

DEFAULT_ERROR = 0.01
# Claimed where the error itself is sought: the bound of the proof says how large it is.
ANY_ERROR = 1 - Fraction(1, 2**900)


@final
@dataclass(frozen=True, eq=False)
class Request:
    """What was asked, checked: keys (n, d) as float64 (rounded to `precision` where one is given), goal, error, scale."""

    keys: np.ndarray
    goal: Goal
    asked: float | str | Fraction
    error: Fraction
    scale: Fraction
    targets: tuple[Goal, ...]  # one per head
    precision: str | None = None
    max_norm: Fraction | None = None  # the least error within this norm is asked, and `error` is what was achieved
    space: Subspace | None = None  # the queries to choose from, where not all
    verdicts: dict[bytes, Verdict] = field(default_factory=dict)  # on the claims looked at, by their queries

    @property
    def mix(self) -> np.ndarray:
        return np.ones(1) if len(self.targets) == 1 else np.array([float(share) for share in self.goal.shares])

    def for_target(self, target: Goal) -> Request:
        """The same request for one head with a goal of its own."""
        return replace(self, goal=target, targets=(target,), verdicts={})

    @property
    def image(self) -> Image | None:
        """The image that the queries are chosen from, for claims about all of them."""
        return None if self.space is None else self.space.image

    @property
    def sight(self) -> Sight:
        """The keys as claims about all queries see them."""
        return Sight(self.keys, self.space, self.scale)

    @computed_once
    def seen(self) -> np.ndarray:
        """The keys as the search sees them: (n, d), or (n, k) for queries of a subspace."""
        return self.keys if self.space is None else self.space.seen(self.keys)

    @computed_once
    def lifts(self) -> np.ndarray | None:
        """The part (n,) of every score at scale 1 that no choice of the query changes; None where it is 0."""
        lifts = None if self.space is None else self.space.lifts(self.keys)
        return None if lifts is None else float(self.scale) * lifts

    def stored(self, queries: np.ndarray) -> np.ndarray:
        """Queries (h, d) designed at scale 1, as they will be stored; NotFound when float64 cannot hold them.

        In a subspace what is designed are points z (h, k), and what is stored are coordinates x (h, r).
        """
        with np.errstate(all="ignore"):
            scaled: np.ndarray = queries / float(self.scale)
            if self.space is not None:
                scaled = self.space.coordinates(scaled)
        if not np.isfinite(scaled).all():
            raise NotFound(f"float64 cannot hold it: at scale {float(self.scale)} the query overflows")
        return scaled

    def claim(self, stored: np.ndarray, error: Fraction | None = None) -> WithinError:
        """The claim that these stored queries (h, d) meet the goal, within the asked error or another."""
        return WithinError(self.heads(stored), self.goal, self.error if error is None else error)

    def norm(self, query: np.ndarray) -> float:
        """The norm of one query designed at scale 1, in float64."""
        point = query / float(self.scale)
        return float(np.linalg.norm(point)) if self.space is None else self.space.norm(point)

    def heads(self, stored: np.ndarray) -> Heads:
        """The heads of these stored queries."""
        image = self.image
        return Heads(self.keys, stored, self.mix, self.scale, self.precision, image and image.plain)

    def accepts(self, query: np.ndarray) -> bool:
        """Whether one query (d,), designed at scale 1, is proved to meet the request, before any rounding of its own."""
        if self.precision is not None:
            return replace(self, precision=None, verdicts={}).accepts(query)
        return self.holds(self.stored(query[None]))

    def holds(self, stored: np.ndarray) -> bool:
        """Whether stored queries (h, d) are proved to meet the request; the Design made of them carries that verdict."""
        verdict = self.verdicts[stored.tobytes()] = self.claim(stored).prove()
        return isinstance(verdict, Proved)

    def made(
        self,
        stored: np.ndarray,
        *,
        method: str,
        prove: Callable[[], Verdict] | None = None,
        prove_optimality: Callable[[], Verdict] | None = None,
        exact_ratios: bool = True,
    ) -> Design:
        """The Design of stored queries (h, d)."""
        image = self.image
        queries = stored if image is None else self.heads(stored).rounded
        if not np.isfinite(queries).all():
            raise NotFound("float64 cannot hold it: a query Wx + b is beyond its range")
        made = Design(
            queries,
            self.mix,
            float(self.scale),
            self.goal,
            self.asked,
            weights=weights_of(queries, self.mix, float(self.scale), self.keys),
            exact_ratios=exact_ratios,
            precision=self.precision,
            max_norm=self.max_norm,
            method=method,
            prove=prove or self.claim(stored).prove,
            prove_optimality=prove_optimality,
            coordinates=None if image is None else stored,
            within=None if image is None else (image.matrix, image.offset),
        )
        known = None if prove else self.verdicts.get(stored.tobytes())
        if known is not None:
            vars(made)["verdict"] = known  # it is the one that `prove` would make again
        return made


class TopRequest(NamedTuple):
    """What was asked for a Top, checked: one query with a score gap over keys (n, d), the widest one within `max_norm`."""

    keys: np.ndarray
    goal: Top
    scale: Fraction
    max_norm: Fraction | None
    space: Subspace | None


def checked(
    keys: Any,
    goal: Any,
    error: Any,
    scale: Any,
    heads: Any,
    method: str,
    precision: Any,
    max_norm: Any = None,
    within: Any = None,
) -> Request | TopRequest:
    """The request, or an error that names the argument."""
    if isinstance(goal, Top) and (heads != 1 or precision is not None or method != "least-norm"):
        raise ValueError("`heads`, `precision` and `method` do not go with `Top`, which asks one query for a score gap")
    if not isinstance(goal, Goal | Top):
        raise TypeError(f"`goal` must be a goal such as Copy(3) or Average(3, 7), got {type(goal).__name__}")
    if precision is not None and precision not in KINDS:
        raise ValueError(f"`precision` must be None or one of {', '.join(map(repr, KINDS))}, got {precision!r}")
    array = one_key_set(keys)
    if precision is not None:
        array = stored(array, precision).values
    goal.check(len(array))
    exact_scale = Fraction(inputs.held(scale, name="scale"))  # a Design holds its scale as a float
    if within is not None and precision in PRECISIONS:
        raise ValueError(
            f"`precision` {precision!r} rounds queries, and does not go with `within`, whose queries are Wx + b"
        )
    space = within if within is None or isinstance(within, Subspace) else subspace(within, array.shape[1])
    most = None if max_norm is None else positive_norm(max_norm)
    if isinstance(goal, Top):
        return TopRequest(array, goal, exact_scale, most, space)
    asked = ANY_ERROR if max_norm is not None else DEFAULT_ERROR if error is None else error
    exact_error, targets = inputs.rational(asked, name="error"), _targets(goal, heads)
    request = Request(array, goal, asked, exact_error, exact_scale, targets, precision, most, space)
    length = array.shape[1] if space is None else space.image.matrix.shape[1]
    request.claim(np.zeros((len(request.targets), length)))  # checks error and scale before any work
    return request


def one_key_set(keys: Any) -> np.ndarray:
    """The keys (n, d) as float64; a ValueError that says what to do with many key sets (..., n, d)."""
    array = inputs.float64(keys, name="keys", ndim=(1, *BATCH_AXES))
    if array.ndim != 2:
        more = ". Make one call for each key set of a batch" if array.ndim > 2 else ""
        raise ValueError(f"`keys` must be one key set of shape (n, d), got shape {array.shape}{more}")
    return array


def positive_norm(max_norm: Any) -> Fraction:
    """The norm that queries may have, exactly; ValueError unless it is positive."""
    most = inputs.rational(max_norm, name="max_norm")
    if most <= 0:
        raise ValueError(f"`max_norm` must be positive, got {inputs.show(most)}")
    return most


def shortened(query: np.ndarray, max_norm: Fraction) -> np.ndarray:
    """The query (d,), drawn in by as few roundings as bring its exact norm to `max_norm` or below."""
    with np.errstate(under="ignore"):
        for hair in (0.0, *(2.0**-k for k in range(53, 30, -1))):
            shorter: np.ndarray = query * (1 - hair)
            if exact_squared_norm(shorter[None]) <= max_norm**2:
                return shorter
    raise NotFound("float64 cannot hold it: no query of that norm")


def _targets(goal: Goal, heads: Any) -> tuple[Goal, ...]:
    if heads == 1 and not isinstance(heads, bool):
        return (goal,)
    if heads != len(goal.indices):
        raise ValueError(
            f"`heads` must be 1 or the number of targets ({len(goal.indices)}) for fixed keys, got {heads!r}"
        )
    return tuple(Copy(i) for i in goal.indices)
