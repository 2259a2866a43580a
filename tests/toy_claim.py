"""A claim that comes out as a test wants it, since only a claim's `prove()` makes Proved and Refuted."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Proved, Refuted


@dataclass(frozen=True, eq=False)
class Toy(Claim):
    made: type
    words: str
    rest: dict[str, Any] = field(default_factory=dict)
    kind: ClassVar[str] = "toy"

    def sentence(self):
        return self.words

    def judge(self):
        return self.made(self.words, record=self, **self.rest)

    def arrays(self):
        return {}

    def fields(self):
        return {"words": self.words}

    @classmethod
    def from_parts(cls, stored, fields):
        return cls(Proved, fields["words"])


def proved(words="1 = 1", **rest):
    return Toy(Proved, words, rest).prove()


def refuted(words="1 = 2", **rest):
    return Toy(Refuted, words, {"counterexample": {}, **rest}).prove()
