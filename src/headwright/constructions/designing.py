"""design: keys and a goal in, a Design out that certifies at the asked error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from headwright import arrays
from headwright.attention import attend
from headwright.constructions.closed_form import closed_form
from headwright.goals import Copy, Goal
from headwright.head import Design
from headwright.proofs import Heads, WithinError
from headwright.refusals import NotFound
from headwright.verdict import Proved

METHODS = ("closed-form",)
# A closed form meets its error exactly, on paper; float64 keys and queries miss by a few roundings. The query is
# lengthened by the first of these parts that lets the design certify.
_HAIRS = tuple(Fraction(1, 2**k) for k in range(44, 11, -4))


def design(
    keys: Any,
    goal: Goal,
    *,
    error: float | str | Fraction = 0.01,
    scale: float = 1.0,
    heads: int = 1,
    method: str = "closed-form",
) -> Design:
    """A Design whose weights over `keys` (n, d) are within total variation `error` of `goal`, proved.

    `heads` is 1, or the number of targets: then one Copy head per target, mixed by the goal's shares.

    >>> import numpy as np, headwright as hw
    >>> hw.design(np.eye(6), hw.Average(1, 4), error=0.05).norm.__round__(4)
    5.1443
    """
    if not isinstance(goal, Goal):
        raise TypeError(f"`goal` must be a goal such as Copy(3) or Average(3, 7), got {type(goal).__name__}")
    if method not in METHODS:
        raise ValueError(f"`method` must be one of {', '.join(map(repr, METHODS))}, got {method!r}")
    array = arrays.float64(keys, name="keys", ndim=2)
    goal.check(len(array))
    exact_error = arrays.rational(error, name="error")
    exact_scale = Fraction(float(arrays.rational(scale, name="scale")))  # a Design holds its scale as a float
    targets = _targets(goal, heads)
    bare = WithinError(  # checks error and scale before any work
        Heads(array, np.zeros((len(targets), array.shape[1])), _mix(goal, targets), exact_scale), goal, exact_error
    )
    with np.errstate(over="ignore", under="ignore"):
        queries = np.stack([closed_form(array, target, exact_error) for target in targets]) / float(exact_scale)
    if not np.isfinite(queries).all():
        raise NotFound(f"float64 cannot hold it: at scale {scale} the query overflows")
    for claim in _lengthened(bare, queries):
        if isinstance(claim.prove(), Proved):
            return _design(claim, asked=error, method=method)
    raise NotFound(
        f"the {method} query for {goal} does not certify at error {error}: "
        "the keys' own rounding costs more than the error allows"
    )


def _targets(goal: Goal, heads: int) -> list[Goal]:
    if heads == 1 and not isinstance(heads, bool):
        return [goal]
    if heads != len(goal.indices):
        raise ValueError(
            f"`heads` must be 1 or the number of targets ({len(goal.indices)}) for fixed keys, got {heads!r}"
        )
    return [Copy(i) for i in goal.indices]


def _mix(goal: Goal, targets: list[Goal]) -> np.ndarray:
    return np.ones(1) if len(targets) == 1 else np.array([float(share) for share in goal.shares])


def _lengthened(bare: WithinError, queries: np.ndarray) -> Iterator[WithinError]:
    """Claims for the queries made longer by a hair, then by more; the zero query needs none."""
    hairs = _HAIRS if queries.any() else (Fraction(0),)
    for hair in hairs:
        longer = Heads(bare.heads.keys, queries * float(1 + hair), bare.heads.mix, bare.heads.scale)
        yield WithinError(longer, bare.goal, bare.error)


def _design(claim: WithinError, *, asked: float | str | Fraction, method: str) -> Design:
    heads = claim.heads
    bare = Design(
        heads.queries,
        heads.mix,
        float(heads.scale),
        claim.goal,
        asked,
        weights=np.zeros(heads.n),
        method=method,
        prove_error=claim.prove,
    )
    return replace(bare, weights=attend(bare, heads.keys).weights)
