"""Formulas over the span of some named vectors: every value is a combination of them, with forms as coefficients.

The named vectors are orthogonal and of one length: b_i'b_j is `gram` for i = j and 0 otherwise. Then a number is c, a column
Σ c_i b_i, a row Σ c_j b_j', a matrix Σ c_ij b_i b_j' + c·I, and products of these are of these kinds again. One class holds
all four.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from headwright.formulas.faults import Misfit
from headwright.formulas.log_forms import LogForm

Index = str | None
Place = tuple[Index, Index]  # (row, column): a name of the basis, or None on the side that has one entry


@final
@dataclass(frozen=True, slots=True)
class SpanForm:
    """Σ entries[i, j] b_i b_j' + identity·I. `tall` and `wide` say whether it has d rows and d columns, or one.

    A number has its entry at (None, None), a column at (i, None), a row at (None, j). `identity` is for matrices, None elsewhere.
    """

    entries: Mapping[Place, LogForm]
    tall: bool
    wide: bool
    identity: LogForm | None = None

    @property
    def is_number(self) -> bool:
        return not self.tall and not self.wide

    def number(self) -> LogForm:
        """The number that this is."""
        if not self.is_number:
            raise Misfit(f"Here a number is needed, this is {self.described()}.")
        return self.entries.get((None, None), LogForm.number(0))

    def described(self) -> str:
        if self.tall:
            return "a matrix" if self.wide else "a vector"
        return "a row vector" if self.wide else "a number"

    def transposed(self) -> SpanForm:
        turned = {(j, i): c for (i, j), c in self.entries.items()}
        return SpanForm(turned, self.wide, self.tall, self.identity)

    def added(self, other: SpanForm) -> SpanForm:
        if (self.tall, self.wide) != (other.tall, other.wide):
            raise Misfit(f"One cannot add {self.described()} and {other.described()}.")
        entries = dict(self.entries)
        for place, coefficient in other.entries.items():
            entries[place] = entries[place] + coefficient if place in entries else coefficient
        return SpanForm(entries, self.tall, self.wide, _plus(self.identity, other.identity))

    def scaled(self, factor: LogForm) -> SpanForm:
        identity = None if self.identity is None else self.identity * factor
        return SpanForm({p: c * factor for p, c in self.entries.items()}, self.tall, self.wide, identity)

    def multiplied(self, other: SpanForm, gram: LogForm) -> SpanForm:
        """self · other, where b_i'b_i = gram."""
        if self.is_number:
            return other.scaled(self.number())
        if other.is_number:
            return self.scaled(other.number())
        if self.wide != other.tall:
            hint = " An inner product is a' * b, an outer product a * b'." if self.tall and other.tall else ""
            raise Misfit(f"One cannot multiply {self.described()} by {other.described()}.{hint}")
        entries: dict[Place, LogForm] = {}
        for (i, j), a in self.entries.items():
            for (k, m), b in other.entries.items():
                if j == k or a.conditions or b.conditions:  # what vanishes still has to be defined
                    term = a * b * (0 if j != k else 1 if j is None else gram)
                    entries[i, m] = entries[i, m] + term if (i, m) in entries else term
        found = SpanForm(entries, self.tall, other.wide, _times(self.identity, other.identity))
        for identity, rest in ((self.identity, other), (other.identity, self)):
            if identity is not None:
                found = found.added(SpanForm(rest.entries, self.tall, other.wide).scaled(identity))
        return found


def number(form: LogForm) -> SpanForm:
    """A number as a value of this kind."""
    return SpanForm({(None, None): form}, False, False)


def column(name: str) -> SpanForm:
    """The vector of the basis with this name."""
    return SpanForm({(name, None): LogForm.number(1)}, True, False)


def eye() -> SpanForm:
    """I, on the span and beyond it."""
    return SpanForm({}, True, True, LogForm.number(1))


def _plus(a: LogForm | None, b: LogForm | None) -> LogForm | None:
    return b if a is None else a if b is None else a + b


def _times(a: LogForm | None, b: LogForm | None) -> LogForm | None:
    return None if a is None or b is None else a * b
