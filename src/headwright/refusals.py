"""Exceptions that carry an answer: why a design was refused, with what was found out on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headwright.head import Design


class AssumptionFailed(ValueError):  # noqa: N818 - it is an answer, not a fault
    """A closed form's assumption does not hold for these keys: `.assumption`, the offending `.pair`, its `.value`."""

    def __init__(self, assumption: str, pair: tuple[int, int], value: float, found: str) -> None:
        super().__init__(f"the closed form assumes {assumption}, but {found}")
        self.assumption = assumption
        self.pair = pair
        self.value = value
        self.found = found

    def __reduce__(self) -> tuple[Any, ...]:
        return AssumptionFailed, (self.assumption, self.pair, self.value, self.found)


class NotFound(Exception):  # noqa: N818 - it is an answer, not a fault
    """A search found no design; this says nothing of existence. `.best` is the nearest found, `.reason` why it ended."""

    def __init__(self, reason: str, *, best: Design | None = None, proved_bound: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.best = best
        self.proved_bound = proved_bound

    def __reduce__(self) -> tuple[Any, ...]:
        return _not_found, (self.reason, self.best, self.proved_bound)


def _not_found(reason: str, best: Design | None, proved_bound: float | None) -> NotFound:
    return NotFound(reason, best=best, proved_bound=proved_bound)
