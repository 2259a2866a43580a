"""Claim: a program needs later tokens, so that no causal transformer computes it. The witness is two words and a position.

Under a causal mask, what a position holds is a function of the tokens up to that position, whatever the weights, the number of
layers and the arithmetic. Two words that are equal up to and including position i therefore have one output there. If the
program is defined on both words, and its values a and b at position i differ, then no causal transformer gives both. Where they
are numbers, each transformer errs by at least |a - b|/2 on one of the two words.

Both words are run by the program's own definition (`meaning.py`), in exact rationals. Means are compared exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from headwright.kernel import inputs
from headwright.kernel.claim import Claim, at_least
from headwright.kernel.verdict import Verdict
from headwright.theories.programs.meaning import Undefined, Value, meaning, need_word, spelled
from headwright.theories.programs.steps import WrittenProgram


@final
@dataclass(frozen=True, eq=False)
class NeedsLater(Claim):
    """Register `output` depends at `position` on later tokens: `first` and `second` are equal up to there, the outputs are not.

    >>> import headwright as hw
    >>> p = hw.Program("ab", length=4)
    >>> histogram = p.count(p.tokens.matches(p.tokens))
    >>> verdict = NeedsLater(p.written(), histogram.number, 0, "ab", "aa").prove()
    >>> verdict.status, verdict.bound
    ('proved', 0.5)
    """

    program: WrittenProgram
    output: int
    position: int
    first: tuple[str, ...]
    second: tuple[str, ...]
    kind: ClassVar[str] = "needs-later"

    def __post_init__(self) -> None:
        if not isinstance(self.program, WrittenProgram):
            raise TypeError(f"`program` must be a written program, got {type(self.program).__name__}")
        for name in ("first", "second"):
            word = getattr(self, name)
            if not isinstance(word, str | tuple | list):
                raise TypeError(f"`{name}` must be a word, got {type(word).__name__}")
            object.__setattr__(self, name, tuple(word))
            need_word(self.program, getattr(self, name), name)
        object.__setattr__(self, "output", inputs.index(self.output, name="output"))
        self.program.needed(self.output)
        position = inputs.index(self.position, name="position")
        object.__setattr__(self, "position", position)
        if position >= min(len(self.first), len(self.second)):
            raise ValueError(f"`position` must lie in both words, got {position}")
        if self.first[: position + 1] != self.second[: position + 1]:
            raise ValueError(f"`first` and `second` must be equal up to position {position}")
        self.settle()

    def sentence(self) -> str:
        return (
            f"no causal transformer computes {self.program.name(self.output)} of the program: its value at position "
            f"{self.position} depends on later tokens"
        )

    def scope(self) -> str:
        return "causal transformers of any size and with any weights"

    def judge(self) -> Verdict:
        try:
            one, other = self.values()
        except Undefined as undefined:
            return self.undecided(str(undefined), "name two words on which the program is defined")
        if one == other:
            return self.undecided(
                f"both words give {_said(one)} at position {self.position}",
                "name two words with different values there, or write the program with causal=True",
            )
        apart = {}
        if not isinstance(one, str) and not isinstance(other, str):
            half = abs(Fraction(one) - Fraction(other)) / 2
            apart = at_least("error of each causal transformer on one of the two words", half)
        return self.proved(
            reason=f"{spelled(self.first)} gives {_said(one)} and {spelled(self.second)} gives {_said(other)} at position "
            f"{self.position}, but the two words are equal up to there, so a causal transformer gives both the same",
            method="the program's definition, run on both words in exact arithmetic",
            **apart,
        )

    def values(self) -> tuple[Value, Value]:
        """The output at the position, for each of the words; Undefined if the program has none on one of them."""
        one, other = (meaning(self.program, word, self.output) for word in (self.first, self.second))
        return one[self.position], other[self.position]


def _said(value: Value) -> str:
    return repr(value) if isinstance(value, str) else inputs.show(Fraction(value))
