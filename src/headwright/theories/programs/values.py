"""Values: what a register of a program can hold, and checks that the parts of a program share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, NamedTuple

Label = str | int  # True and False are the numbers 1 and 0
_FEW = 8  # labels that a sentence lists


class Values(NamedTuple):
    """What a register can hold: one of `labels`, or (None) a number. If all are numbers, they lie between `low` and `high`.

    `pieces` are the counts, each at most N, whose product makes a number whole; None if no such counts are known.
    """

    labels: tuple[Label, ...] | None
    low: Fraction | None
    high: Fraction | None
    pieces: frozenset[Any] | None = frozenset()

    @property
    def numeric(self) -> bool:
        return self.low is not None

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The bounds of a register of numbers."""
        assert self.low is not None
        assert self.high is not None
        return self.low, self.high

    @property
    def largest(self) -> Fraction:
        """A bound on the absolute value of a register of numbers."""
        return max(abs(end) for end in self.ends)

    def said(self) -> str:
        """The values in words."""
        if self.labels is None:
            return f"numbers from {self.low} to {self.high}"
        if len(self.labels) > _FEW and self.numeric:
            return f"whole numbers {self.low} to {self.high}"
        more = f" and {len(self.labels) - _FEW} more" if len(self.labels) > _FEW else ""
        return f"{', '.join(map(str, self.labels[:_FEW]))}{more}"


def labelled(labels: tuple[Label, ...]) -> Values:
    """What a register with these labels can hold."""
    numbers = [label for label in labels if isinstance(label, int)]
    if len(numbers) < len(labels):
        return Values(labels, None, None)
    return Values(labels, Fraction(min(numbers)), Fraction(max(numbers)))


def need_label(label: Any, said: str) -> None:
    """An error that begins with these words unless the value can be a label."""
    if type(label) not in (str, int, bool):
        raise TypeError(f"{said} text or a whole number, got {label!r}")
    if type(label) is int and abs(label) > 2**53:  # float64 holds every whole number up to here
        raise ValueError(f"{said} a whole number up to 2^53, got {label}")


def need_fields(own: Any, empty: Any, known: Mapping[str, tuple[str, ...]], what: str) -> None:
    """ValueError if a field has a value that its kind does not use, so that no two readers can differ about it, or lacks one."""
    if own.kind not in known:
        raise ValueError(f"{what} must be one of {', '.join(known)}, got {own.kind!r}")
    for field in fields(own):
        given, used = getattr(own, field.name) != getattr(empty, field.name), field.name in known[own.kind]
        if field.name != "kind" and (
            given > used or (used and getattr(own, field.name) is None and field.name != "default")
        ):
            raise ValueError(f"{what} of kind {own.kind!r} must {'have' if used else 'not have'} `{field.name}`")
