"""Exceptions that carry an answer: why a design was refused, with what was found out on the way."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

from headwright.shown import Shown

if TYPE_CHECKING:
    from headwright._design import Design
    from headwright.verdict import Verdict


class AssumptionFailed(Shown, ValueError):  # noqa: N818 - it is an answer, not a fault
    """A closed form's assumption does not hold for these keys: `.assumption`, the offending `.pair`, its `.value`."""

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
    """Why it cannot be done: exact weights on the keys `indices` that no query can tell from the wanted key or keys."""

    indices: tuple[int, ...]
    weights: tuple[Fraction, ...]


class Unreachable(Shown, Exception):  # noqa: N818 - it is an answer, not a fault
    """No query does it, proved: `.verdict` (a Proved claim of impossibility), `.witness`, `.reason`.

    `.best_error` is a proved figure that no query falls below, where one is known; for Copy it is the exact infimum, rounded
    down. `.best_verdict` is its proof, which may rest on more weights than the short `.witness`.
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


class NotFound(Shown, Exception):  # noqa: N818 - it is an answer, not a fault
    """A search found no design; this says nothing of existence. `.best` is the nearest found, `.reason` why it ended.

    `.proved_bound` is what is proved of every query: a norm it needs at least (Copy, Top), or an error it does not go below
    (Average, Blend); None where nothing is. For keys that vary, `.probability` is what the best design found reaches.
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
