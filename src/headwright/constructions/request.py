"""A checked call of `design`, the claim its queries must meet, and the Design made of queries that do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright import balls, inputs
from headwright._design import Design
from headwright._stored import stored
from headwright.attention import attend
from headwright.goals import Copy, Goal
from headwright.number_types import KINDS
from headwright.proofs import Heads, WithinError
from headwright.refusal_types import NotFound
from headwright.verdict import Proved, Verdict

DEFAULT_ERROR = 0.01
ANY_ERROR = 1 - Fraction(
    1, 2**900
)  # claimed where the error itself is sought: the bound of the proof says how large it is


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
    verdicts: dict[bytes, Verdict] = field(default_factory=dict)  # on the claims looked at, by their queries

    @property
    def mix(self) -> np.ndarray:
        return np.ones(1) if len(self.targets) == 1 else np.array([float(share) for share in self.goal.shares])

    def for_target(self, target: Goal) -> Request:
        """The same request for one head with a goal of its own."""
        return replace(self, goal=target, targets=(target,), verdicts={})

    def stored(self, queries: np.ndarray) -> np.ndarray:
        """Queries (h, d) designed at scale 1, as they will be stored; NotFound when float64 cannot hold them."""
        with np.errstate(over="ignore", under="ignore"):
            scaled: np.ndarray = queries / float(self.scale)
        if not np.isfinite(scaled).all():
            raise NotFound(f"float64 cannot hold it: at scale {float(self.scale)} the query overflows")
        return scaled

    def claim(self, stored: np.ndarray, error: Fraction | None = None) -> WithinError:
        """The claim that these stored queries (h, d) meet the goal, within the asked error or another."""
        heads = Heads(self.keys, stored, self.mix, self.scale, self.precision)
        return WithinError(heads, self.goal, self.error if error is None else error)

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
        made = Design(
            stored,
            self.mix,
            float(self.scale),
            self.goal,
            self.asked,
            weights=self._weights(stored),
            exact_ratios=exact_ratios,
            precision=self.precision,
            max_norm=self.max_norm,
            method=method,
            prove=prove or self.claim(stored).prove,
            prove_optimality=prove_optimality,
        )
        return made.judged(None if prove else self.verdicts.get(stored.tobytes()))

    def _weights(self, stored: np.ndarray) -> np.ndarray:
        """What `attend` gives, without its copies of the keys."""
        scores = float(self.scale) * (stored @ self.keys.T)
        if not np.isfinite(scores).all():
            attend(stored, self.keys, scale=float(self.scale))  # raises an error that says so
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights: np.ndarray = (self.mix / self.mix.sum()) @ (powers / powers.sum(axis=1, keepdims=True))
        return weights


def checked(keys: Any, goal: Any, error: Any, scale: Any, heads: Any, precision: Any, max_norm: Any = None) -> Request:
    """The request, or an error that names the argument."""
    if not isinstance(goal, Goal):
        raise TypeError(f"`goal` must be a goal such as Copy(3) or Average(3, 7), got {type(goal).__name__}")
    if precision is not None and precision not in KINDS:
        raise ValueError(f"`precision` must be None or one of {', '.join(map(repr, KINDS))}, got {precision!r}")
    array = inputs.float64(keys, name="keys", ndim=2)
    if precision is not None:
        array = stored(array, precision).values
    goal.check(len(array))
    exact_scale = Fraction(inputs.held(scale, name="scale"))  # a Design holds its scale as a float
    most = None if max_norm is None else positive_norm(max_norm)
    asked = ANY_ERROR if max_norm is not None else DEFAULT_ERROR if error is None else error
    exact_error, targets = inputs.rational(asked, name="error"), _targets(goal, heads)
    request = Request(array, goal, asked, exact_error, exact_scale, targets, precision, most)
    request.claim(np.zeros((len(request.targets), array.shape[1])))  # checks error and scale before any work
    return request


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
            if balls.exact_squared_norm(shorter[None]) <= max_norm**2:
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
