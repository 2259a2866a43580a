"""The base of all claims: numbers and words that can be proved, saved and proved again."""

from __future__ import annotations

import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, ClassVar, final

import numpy as np

from headwright import kernel
from headwright.kernel import balls
from headwright.kernel.record import Parts
from headwright.kernel.verdict import Counterexample, Proved, Refuted, Undecided, Verdict, numbers_of, under_proof

KINDS: dict[str, type[Claim]] = {}  # those of `kernel.HOMES` whose modules are loaded
# Lists and tables that sentences write out. Every other one is named by its digest, so that none is forgotten.
_SPELLED = re.compile("basis|enough|goal|lengths|maps|needed|pair|ranges|rows|tokens|top|trees?")
_MOST_NAMED = 8  # arrays; of more, the rest share one digest


class Claim(Parts, ABC):
    """One statement about exact numbers, judged by `prove()`. `kind` names it in certificate files.

    >>> import headwright as hw
    >>> issubclass(hw.claims.WithinError, hw.claims.Claim), hw.claims.WithinError.kind
    (True, 'within-error')
    """

    kind: ClassVar[str]
    takes_image: ClassVar[bool] = False  # whether the claim speaks of W x + b where its heads have an image
    packed: ClassVar[bool] = False  # whether a certificate file holds the claim's arrays compressed
    unsaid: ClassVar[tuple[str, ...]] = ()  # single values that neither sentence nor scope has: `about` has them

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" in vars(cls) and kernel.HOMES.get(cls.kind) == cls.__module__:  # no other class is read from files
            assert cls.kind not in KINDS, cls.kind
            KINDS[cls.kind] = cls

    def settle(self, sizes: Mapping[str, int] | None = None, /, **shapes: str) -> None:
        """The same as for other parts. A claim that reads the stored queries themselves refuses coordinates in an image."""
        super().settle(sizes, **shapes)
        if not self.takes_image and getattr(getattr(self, "heads", None), "image", None) is not None:
            raise ValueError(f"`heads` must hold plain queries for a claim of kind {self.kind!r}, got queries Wx + b")

    def stated(self) -> dict[str, Any]:
        """The claim without its arrays, as plain values."""
        return {"kind": self.kind, **self.fields()}

    @abstractmethod
    def sentence(self) -> str:
        """The claim in words."""

    def scope(self) -> str:
        """What the claim covers: one instance, unless a subclass says otherwise."""
        return "this instance"

    @final
    def about(self) -> str:
        """What sentence and scope do not write out, by name: arrays by shape and digest, tables by digest, single values.

        Records of one kind that differ anywhere differ here or in sentence or scope, except where "…" marks a number as cut.

        >>> import headwright as hw
        >>> hw.certify([[1.0, 0.0], [0.0, 1.0]], [9.0, 0.0], hw.Copy(0), error="0.1").record.about()
        'keys 2×2 #4486f554, queries 1×2 #003ca3a8, mix 1 #423bb237'
        """
        said, arrays = self.fields(), self.arrays()
        parts = [(f"{name} {'×'.join(map(str, x.shape))}", _bytes_of(x)) for name, x in arrays.items()]
        if len(parts) > _MOST_NAMED:
            rest = b"".join(hashlib.sha256(f"{name} ".encode() + x).digest() for name, x in parts[_MOST_NAMED - 2 :])
            parts = [*parts[: _MOST_NAMED - 2], (f"… {len(parts) - _MOST_NAMED + 2} more arrays", rest)]
        tables = (
            (name, said[name]) for name in said if not _SPELLED.fullmatch(name) and isinstance(said[name], list | dict)
        )
        parts += [(name, json.dumps(table, sort_keys=True).encode()) for name, table in tables if table]
        named = [f"{name} #{hashlib.sha256(content).hexdigest()[:8]}" for name, content in parts]
        return ", ".join([*named, *(f"{name} {said[name]}" for name in self.unsaid if name in said)])

    @final
    def prove(self) -> Verdict:
        """Proved, Refuted or Undecided, from the claim's own numbers alone. Nothing else makes a Proved or a Refuted."""
        # The result of `judge` must not depend on the caller's precision or on another thread.
        with balls.precision(balls.FLOAT_BITS), under_proof(self) as outermost:
            numbers = numbers_of(self) if outermost else None
            verdict = self.judge()
            if numbers is not None and verdict.record is self:
                vars(verdict)["_numbers"] = numbers
            return verdict

    @abstractmethod
    def judge(self) -> Verdict:
        """Compute what `prove` returns. Call `prove` instead: a Proved or Refuted made outside of it raises TypeError."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy a claim as a certificate stores it, so that its constructor checks it again."""
        return _from_parts, (type(self), self.arrays(), json.dumps(self.fields()))

    def proved(self, **facts: Any) -> Proved:
        """The verdict Proved, with the claim's own scope unless `facts` give another."""
        return Proved(self.sentence(), record=self, **{"scope": self.scope(), **facts})

    def refuted(self, *, counterexample: Counterexample, **facts: Any) -> Refuted:
        """The verdict Refuted by this point, with the claim's own scope unless `facts` give another."""
        stated = {"scope": self.scope(), **facts}
        return Refuted(self.sentence(), record=self, counterexample=counterexample, **stated)

    def undecided(self, reason: str, next_step: str) -> Undecided:
        """The verdict that this claim is neither proved nor refuted, with the reason."""
        return Undecided(self.sentence(), scope=self.scope(), reason=reason, next_step=next_step, record=self)


def class_of(kind: object) -> type[Claim]:
    """The claims of this kind, whose module is imported where it is not yet there; ValueError if there is no such kind."""
    if not isinstance(kind, str) or kind not in kernel.HOMES:
        raise ValueError(f"unknown kind of claim {kind!r}")
    import_module(kernel.HOMES[kind])
    return KINDS[kind]


def _bytes_of(array: np.ndarray) -> bytes:
    """An array's type, shape and numbers, for its digest."""
    return f"{array.dtype.str} {array.shape} ".encode() + np.ascontiguousarray(array).tobytes()


def _from_parts(kind: type[Claim], stored: dict[str, np.ndarray], fields: str) -> Claim:
    return kind.from_parts(stored, json.loads(fields))


def at_most(what: str, number: Fraction, digits: int = 6) -> dict[str, Any]:
    """What a verdict states about a figure that is at most `number`: bound and text, both rounded up."""
    return {"bound": balls.finite_above(number), "bound_text": f"{what} at most {balls.decimal_above(number, digits)}"}


def at_least(what: str, number: Fraction, digits: int = 6) -> dict[str, Any]:
    """The same for a figure that is at least `number`, both rounded down."""
    return {"bound": balls.finite_below(number), "bound_text": f"{what} at least {balls.decimal_below(number, digits)}"}


OUT_OF_PRECISION = "the highest precision tried could not separate the two sides"
ASK_FURTHER_AWAY = "ask for an error or bound a little further from the true value"
