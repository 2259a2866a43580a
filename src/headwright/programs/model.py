"""Model: a program compiled to a transformer, with the verdict that it computes the program on every word."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright.block import Block
from headwright.frozen import computed_once
from headwright.program import Program
from headwright.program_meaning import Value, meaning
from headwright.program_registers import Register
from headwright.proofs.runs_program import RunsProgram, codes_of
from headwright.verdict import Verdict


@final
class Model:
    """A transformer that computes the register `output` of `program`.

    `model(word)` runs it. `.blocks` are its blocks (the first one adds the positions), `.embedding` (V + 1, D) has a row for the
    beginning-of-word token and one for each token, `.unembedding` reads the output. `.verdict` is the proof for every word.

    >>> import headwright as hw
    >>> p = hw.Program("abcd", length=10)
    >>> model = hw.compile(p, p.count(p.tokens.matches(p.tokens)))
    >>> model("abacad"), model.verdict.status
    ([3, 1, 3, 1, 3, 1], 'proved')
    """

    def __init__(self, program: Program, output: Register, verdict: Verdict) -> None:
        assert isinstance(verdict.record, RunsProgram)
        self.program, self.output, self.verdict = program, output, verdict
        self.claim = verdict.record

    @computed_once
    def blocks(self) -> tuple[Block, ...]:
        """The blocks, with weights in float64 that the stated type holds exactly."""
        made = []
        for number, parts in enumerate(self.claim.blocks):
            table: dict[str, Any] = (
                {"positions": self.claim.weights["positions"]}
                if number == 0 and "positions" in self.claim.weights
                else {}
            )
            made.append(Block(**(parts.arrays() | table), causal=parts.causal))
        return tuple(made)

    @property
    def embedding(self) -> np.ndarray:
        """One row for the beginning of a word, then one for each token."""
        return self.claim.weights["tokens"]

    @property
    def unembedding(self) -> np.ndarray:
        """Rows that read the output from the stream: one for a number, one for each label otherwise."""
        return self.claim.weights["unembedding"]

    @property
    def parameters(self) -> int:
        """How many numbers the model stores, zeros included."""
        return sum(array.size for name, array in self.claim.weights.items() if name not in ("codes", "basis"))

    def stream(self, word: Sequence[str]) -> np.ndarray:
        """The residual stream after the last block: (1 + n, D), with the beginning of the word in row 0."""
        known = self.claim.program.vocabulary
        rows = [0, *(1 + known.index(token) for token in self.checked(word))]
        kind = np.float32 if self.claim.dtype == "float32" else np.float64
        x: Any = self.embedding[rows].astype(kind)
        for block in self.blocks:
            x = block(x)
        return np.asarray(x)

    def checked(self, word: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a word on which the program is defined; ValueError or Undefined otherwise."""
        tokens = self.program.word(word)
        meaning(self.claim.program, tokens, self.claim.output)
        return tokens

    def codes(self, word: Sequence[str]) -> np.ndarray:
        """What the unembedding gives at each position: (n, m)."""
        stream = self.stream(word)
        bias = self.claim.weights.get("unembedding_bias")
        out = stream @ self.unembedding.astype(stream.dtype).T
        return np.asarray((out if bias is None else out + bias.astype(stream.dtype))[1:])

    def __call__(self, word: Sequence[str]) -> list[Any]:
        """The output at each position: the label with the nearest code, or a number."""
        made = self.codes(word)
        labels = self.claim.program.values[self.claim.output].labels
        if labels is None:
            return [float(number) for number in made[:, 0]]
        codes = codes_of(labels, self.claim.weights)
        if codes.shape[1] == 1:
            return [labels[int(np.argmin(np.abs(codes[:, 0] - own[0])))] for own in made]
        return [labels[int(np.argmin(np.abs(codes - own).max(axis=1)))] for own in made]

    def error(self, word: Sequence[str]) -> float:
        """How far the unembedding is from the codes of what the program says, at the worst position of a word."""
        wanted: list[Value] = meaning(self.claim.program, self.program.word(word), self.claim.output)
        labels = self.claim.program.values[self.claim.output].labels
        made = self.codes(word).astype(np.float64)
        if labels is None:
            exact = np.array([[float(Fraction(value))] for value in wanted if not isinstance(value, str)])
        else:
            codes = codes_of(labels, self.claim.weights)
            exact = np.array([codes[labels.index(value)] for value in wanted if not isinstance(value, Fraction)])
        return float(np.abs(made - exact).max())

    def __repr__(self) -> str:
        own = self.claim
        return (
            f"Model: {len(own.blocks)} block(s), width {self.embedding.shape[1]}, {self.parameters:,} parameters, words up to "
            f"{own.program.length} tokens, {own.dtype}: {self.verdict.status}"
        )
