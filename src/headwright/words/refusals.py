"""The exceptions that carry an answer: why a design was refused, with what is known instead.

Their sentences are written where they are raised, for fixed keys in `search/least_norm/impossibility.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

from headwright.kernel.frozen import SetOnce
from headwright.kernel.shown import Shown

if TYPE_CHECKING:
    from headwright.kernel.verdict import Verdict
    from headwright.words.design import Design


class AssumptionFailed(SetOnce, Shown, ValueError):  # noqa: N818 - it is an answer, not a fault
    """An assumption of the closed form fails for these keys: `.assumption`, the offending `.pair`, its `.value`.

    >>> import headwright as hw
    >>> try:
    ...     hw.design([[1.0, 0.0], [0.6, 0.8]], hw.Average(0, 1), method="closed-form")
    ... except AssumptionFailed as failed:
    ...     print(failed.pair, round(failed.value, 2))
    (0, 1) 0.6
    """

    def __init__(self, assumption: str, pair: tuple[int, int], value: float, found: str) -> None:
        super().__init__(f"the closed form assumes {assumption}, but {found}")
        self.assumption = assumption
        self.pair = pair
        self.value = value
        self.found = found

    def __reduce__(self) -> tuple[Any, ...]:
        return AssumptionFailed, (self.assumption, self.pair, self.value, self.found)


@final
@dataclass(frozen=True)
class Witness:
    """Why it is impossible: exact weights on the keys `indices` whose mean no query can separate from the wanted keys.

    >>> import headwright as hw
    >>> witness = hw.design([[0], [1], [4]], hw.Copy(1), throw=False).witness
    >>> witness.indices, [str(weight) for weight in witness.weights]
    ((0, 2), ['3/4', '1/4'])
    """

    indices: tuple[int, ...]
    weights: tuple[Fraction, ...]


class Unreachable(SetOnce, Shown, Exception):  # noqa: N818 - it is an answer, not a fault
    """No query meets the goal, with proof: `.verdict` (a Proved claim of impossibility), `.witness`, `.reason`.

    `.best_error` is a proved error that no query goes below, if one is known. For Copy it is the exact infimum, rounded down.
    `.best_verdict` is its proof, which may use more weights than the short `.witness`.

    >>> import headwright as hw
    >>> refusal = hw.design([[0], [1], [2]], hw.Copy(1), throw=False)
    >>> refusal.verdict.status, refusal.witness.indices, refusal.best_error
    ('proved', (0, 2), 0.6666666666666666)
    """

    def __init__(
        self,
        reason: str,
        *,
        verdict: Verdict,
        witness: Witness | None = None,
        best_error: float | None = None,
        best_verdict: Verdict | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.verdict = verdict
        self.witness = witness
        self.best_error = best_error
        self.best_verdict = best_verdict

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.verdict, self.witness, self.best_error, self.best_verdict)
        return _unreachable, (self.reason, parts)


def _unreachable(reason: str, parts: tuple[Any, ...]) -> Unreachable:
    verdict, witness, best_error, best_verdict = parts
    return Unreachable(reason, verdict=verdict, witness=witness, best_error=best_error, best_verdict=best_verdict)


class NotFound(SetOnce, Shown, Exception):  # noqa: N818 - it is an answer, not a fault
    """The search found no design, although one may exist. `.best` is the nearest found, `.reason` says why the search ended.

    `.proved_bound` holds for every query: a norm that it needs at least (Copy, Top), or an error that it does not go below
    (Average, Blend); None if nothing is proved. For keys that vary, `.probability` is that of the best design found.

    >>> refusal = NotFound("the search ended", proved_bound=3.0)
    >>> refusal.reason, refusal.best, refusal.proved_bound
    ('the search ended', None, 3.0)
    """

    def __init__(
        self,
        reason: str,
        *,
        best: Design | None = None,
        proved_bound: float | None = None,
        probability: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.best = best
        self.proved_bound = proved_bound
        self.probability = probability

    def __reduce__(self) -> tuple[Any, ...]:
        return _not_found, (self.reason, self.best, self.proved_bound, self.probability)


def _not_found(reason: str, best: Design | None, proved_bound: float | None, probability: float | None) -> NotFound:
    return NotFound(reason, best=best, proved_bound=proved_bound, probability=probability)
