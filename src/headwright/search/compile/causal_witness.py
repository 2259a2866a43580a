"""A search for two words that are equal up to a position where a program's outputs differ. The claim `NeedsLater` judges them.

Short words are tried first, all of them, so that the words found are as short as can be. Then come pairs of longer words: a word
of one kind (constant, alternating, sorted, random) beside the same word with its end cut off, changed or drawn again.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.verdict import Proved
from headwright.theories.programs.meaning import Undefined, Value, meaning
from headwright.theories.programs.needs_later import NeedsLater
from headwright.theories.programs.steps import WrittenProgram

Word = tuple[str, ...]
_SHORT = 2000  # short words tried, all of one length or none
_PAIRS = 400  # pairs of longer words tried, at each of three lengths
_MOST_WORK = 10**7  # conditions on keys, at about half a microsecond each: some seconds
_MOST_TOKENS = 6  # tokens of which constant and alternating words are made


def causal_witness(program: WrittenProgram, output: int, *, error: Any = 0, seed: Any = 0) -> Proved | None:
    """The proof that no causal transformer computes the register within `error`, from two words found; None if none were found.

    >>> import headwright as hw
    >>> p = hw.Program("ab", length=9)
    >>> length = p.length()
    >>> found = causal_witness(p.written(), length.number)
    >>> found.record.first, found.record.second, found.record.position
    (('a',), ('a', 'a'), 0)
    """
    allowed = inputs.rational(error, name="error")
    if allowed < 0:
        raise ValueError(f"`error` must not be negative, got {inputs.show(allowed)}")
    search = _Search(program, output, allowed, np.random.default_rng(inputs.count(seed, name="seed")))
    found = search.among_short_words() or search.among_pairs()
    verdict = None if found is None else NeedsLater(program, output, *found).prove()
    return verdict if isinstance(verdict, Proved) else None


class _Search:
    """A search with a bound on its work. Words on which the program is undefined are passed over."""

    def __init__(self, program: WrittenProgram, output: int, allowed: Fraction, rng: np.random.Generator) -> None:
        self.program, self.output, self.allowed, self.rng = program, output, allowed, rng
        self.left = _MOST_WORK
        self.steps = len(program.needed(output))
        self.numbers = program.values[output].labels is None

    def run(self, word: Word) -> list[Value] | None:
        """The output on a word, or None if it is undefined or the work is used up."""
        self.left -= self.steps * len(word) ** 2
        if self.left < 0:
            return None
        try:
            return meaning(self.program, word, self.output)
        except Undefined:
            return None

    def apart(self, one: Value, other: Value) -> bool:
        """Whether no number is within the allowed error of both values. Two labels always count as different."""
        if isinstance(one, str) or isinstance(other, str) or not self.numbers:
            return one != other
        return abs(Fraction(one) - Fraction(other)) > 2 * self.allowed

    def among_short_words(self) -> tuple[int, Word, Word] | None:
        """A position and two words, from all words up to a length."""
        seen: dict[
            Word, list[tuple[Value, Word]]
        ] = {}  # by what stands up to a position: the outputs there that differ
        tried = 0
        for length in range(1, self.program.length + 1):
            tried += len(self.program.vocabulary) ** length
            if tried > _SHORT:
                return None
            for word in itertools.product(self.program.vocabulary, repeat=length):
                values = self.run(word)
                for position, value in enumerate(values or ()):
                    known = seen.setdefault(word[: position + 1], [])
                    for other, first in known:
                        if self.apart(value, other):
                            return position, first, word
                    if all(value != other for other, _ in known):
                        known.append((value, word))
        return None

    def among_pairs(self) -> tuple[int, Word, Word] | None:
        """A position and two words, from pairs of longer words."""
        lengths = sorted({min(length, self.program.length) for length in (8, 32, self.program.length)})
        for length in lengths:
            share = self.left // 2 if length < lengths[-1] else 0  # keep half of the work for longer words
            for word, others in itertools.islice(self._pairs(length), _PAIRS):
                if self.left <= share:
                    break
                values = self.run(word)
                for other in others if values else ():
                    common = _common(word, other)
                    for position, (a, b) in enumerate(
                        zip((values or ())[:common], self.run(other) or (), strict=False)
                    ):
                        if self.apart(a, b):
                            return position, word, other
        return None

    def _pairs(self, length: int) -> Iterator[tuple[Word, list[Word]]]:
        """Words of a length, each with others that begin alike."""
        tokens = self.program.vocabulary[:_MOST_TOKENS]
        regular = [(token,) * length for token in tokens]
        regular += [
            tuple(itertools.islice(itertools.cycle(pair), length)) for pair in itertools.permutations(tokens, 2)
        ]
        regular += [tuple(sorted(self._drawn(length), key=self.program.vocabulary.index)) for _ in range(2)]
        for word in itertools.chain(regular, iter(lambda: self._drawn(length), None)):
            cut = int(self.rng.integers(1, length)) if length > 1 else 1
            end = self._drawn(1)
            yield (
                word,
                [
                    word[: max(1, length - 1)],
                    word[:cut],
                    word[:-1] + end,
                    word[:1] + (length - 1) * end,
                    word[:cut] + self._drawn(length - cut),
                ],
            )

    def _drawn(self, length: int) -> Word:
        """Random tokens, few of them or all."""
        size = len(self.program.vocabulary)
        few = self.rng.permutation(size)[: int(self.rng.integers(1, size + 1))]
        return tuple(self.program.vocabulary[k] for k in self.rng.choice(few, length).tolist())


def _common(one: Word, other: Word) -> int:
    """How many tokens two words share from their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))
