"""What every claim is: numbers and words that can be proved, saved and proved again."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from headwright import balls
from headwright.proofs.parts import Parts
from headwright.verdict import Counterexample, Proved, Refuted, Undecided, Verdict, under_proof

_OURS = "headwright.proofs."
KINDS: dict[str, type[Claim]] = {}  # every kind that a certificate may hold


class Claim(Parts, ABC):
    """One statement about exact numbers. `kind` names it in certificate files."""

    kind: ClassVar[str]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" in vars(cls) and cls.__module__.startswith(_OURS):  # nobody else's claim is read from a file
            assert cls.kind not in KINDS, cls.kind
            KINDS[cls.kind] = cls

    def stated(self) -> dict[str, Any]:
        """The claim but for its arrays, as plain values."""
        return {"kind": self.kind, **self.fields()}

    @abstractmethod
    def sentence(self) -> str:
        """The claim in words."""

    def scope(self) -> str:
        """What the claim is about: one instance, unless it says otherwise."""
        return "this instance"

    @final
    def prove(self) -> Verdict:
        """Proved, Refuted or Undecided, from the claim's own numbers alone. Nothing else makes a Proved or a Refuted."""
        # What `judge` computes depends on no caller's precision, and on no other thread.
        with balls.precision(balls.FLOAT_BITS), under_proof(self):
            return self.judge()

    @abstractmethod
    def judge(self) -> Verdict:
        """What `prove` returns. Call `prove`: a verdict that is made outside of it is refused."""

    def __reduce__(self) -> tuple[Any, ...]:
        """A claim is pickled and copied as a certificate holds it, and checked anew by its constructor."""
        return _from_parts, (type(self), self.arrays(), json.dumps(self.fields()))

    def proved(self, **facts: Any) -> Proved:
        """The claim is proved, for its own scope unless another is given."""
        return Proved(self.sentence(), record=self, **{"scope": self.scope(), **facts})

    def refuted(self, *, counterexample: Counterexample, **facts: Any) -> Refuted:
        """The claim is refuted by that point, for its own scope unless another is given."""
        stated = {"scope": self.scope(), **facts}
        return Refuted(self.sentence(), record=self, counterexample=counterexample, **stated)

    def undecided(self, reason: str, next_step: str) -> Undecided:
        return Undecided(self.sentence(), scope=self.scope(), reason=reason, next_step=next_step, record=self)


def _from_parts(kind: type[Claim], stored: dict[str, np.ndarray], fields: str) -> Claim:
    return kind.from_parts(stored, json.loads(fields))


def at_most(what: str, number: Fraction, digits: int = 6) -> dict[str, Any]:
    """What a verdict says of a figure that is at most `number`: its bound and the text, both rounded up."""
    return {"bound": balls.finite_above(number), "bound_text": f"{what} at most {balls.decimal_above(number, digits)}"}


def at_least(what: str, number: Fraction, digits: int = 6) -> dict[str, Any]:
    """The same of a figure that is at least `number`, both rounded down."""
    return {"bound": balls.finite_below(number), "bound_text": f"{what} at least {balls.decimal_below(number, digits)}"}


OUT_OF_PRECISION = "the highest precision tried could not tell the two sides apart"
ASK_FURTHER_AWAY = "ask for an error or bound a little further from the true value"
