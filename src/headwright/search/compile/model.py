"""Model: a program compiled to a transformer, with the verdict that it computes the program on every word."""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, final

import numpy as np

from headwright.kernel.frozen import Immutable, computed_once, sealed
from headwright.kernel.shown import Shown, drawing
from headwright.kernel.verdict import Verdict
from headwright.search.compile.steps_proved import ProvedStep, proved_steps
from headwright.search.compile.torch_model import torch_model
from headwright.search.compile.words import step_in_words
from headwright.theories.programs.meaning import Value, meaning
from headwright.theories.programs.runs_program import RunsProgram, codes_of
from headwright.theories.programs.steps import WrittenProgram
from headwright.theories.programs.walk import Place, Unproved
from headwright.words.block import Block
from headwright.words.layer import counted
from headwright.words.optional import torch_type
from headwright.words.program import Program
from headwright.words.program_registers import Register

_COLUMNS = ("block", "kind", "head", "register", "step", "columns", "rank", "units", "gap", "slope", "leak", "error")
_MOST_LINES = 12  # steps that a terminal shows


@final
class Model(Immutable, Shown):
    """A transformer that computes the register `output` of `program`, made by `hw.compile`.

    `model(word)` runs it. A beginning-of-word token (BOS) stands in front of every word. `.embedding` has a row for it and one
    for each token, `.blocks` are the blocks, of which the first adds the positions, and `.unembedding` reads the output from
    the residual stream. `.verdict` is the proof for every word, and `.table()` has what is proved of each step.

    >>> import headwright as hw
    >>> p = hw.Program("abcd", length=10)
    >>> model = hw.compile(p, p.count(p.tokens.matches(p.tokens)))
    >>> model("abacad"), model.verdict.status
    ([3, 1, 3, 1, 3, 1], 'proved')
    >>> model
    Model: count#2 of words of up to 10 tokens, 1 block, width 7, 279 parameters, float64: proved, error at most 0.2465
      tables    tokens
      block 0   count#2 = count keys whose token is my token (head 0, rank 5)
                count#2 as a number (9 units)
    """

    program: Program
    output: Register
    verdict: Verdict
    claim: RunsProgram

    def __init__(self, program: Program, output: Register, verdict: Verdict) -> None:
        assert isinstance(verdict.record, RunsProgram)
        self._set(program=program, output=output, verdict=verdict, claim=verdict.record)

    @classmethod
    def of(cls, claim: RunsProgram) -> Model:
        """The model that a claim holds, such as one that `hw.load` has read from a file. The claim is proved again.

        >>> import headwright as hw
        >>> p = hw.Program("ab", length=3)
        >>> hw.Model.of(hw.compile(p, p.pick(p.at(0), p.tokens)).claim)("bba")
        ['b', 'b', 'b']
        """
        if not isinstance(claim, RunsProgram):
            raise TypeError(
                f"`claim` must be the claim that a model runs a program (RunsProgram), got {type(claim).__name__}"
            )
        program = Program.of(claim.program)
        return cls(program, Register(program, claim.output), claim.prove())

    @property
    def layout(self) -> tuple[Place, ...]:
        """Which columns, head or hidden units serve which register."""
        return self.claim.layout

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks, with weights in float64 that the stated type holds exactly."""
        return tuple(map(copy.copy, self._blocks))  # others may write to their memory

    @computed_once
    def _blocks(self) -> tuple[Block, ...]:
        made = []
        for number, parts in enumerate(self.claim.blocks):
            names = ["positions"] if number == 0 and "positions" in self.claim.weights else []
            table = {name: self.claim.weights[name] for name in names}
            made.append(Block(**(parts.arrays() | table), causal=parts.causal))
        return tuple(made)

    @property
    def embedding(self) -> np.ndarray:
        """One row for the beginning of a word, then one for each token: (V + 1, D)."""
        return sealed(self.claim.weights["tokens"].copy())  # type: ignore[no-any-return]

    @property
    def unembedding(self) -> np.ndarray:
        """Rows that read the output from the stream: one for a number, one for each label otherwise."""
        return sealed(self.claim.weights["unembedding"].copy())  # type: ignore[no-any-return]

    @property
    def parameters(self) -> int:
        """How many numbers the model stores, zeros included."""
        return sum(array.size for name, array in self.claim.weights.items() if name not in ("codes", "basis"))

    def checked(self, word: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a word on which the program is defined; ValueError or Undefined otherwise."""
        tokens = self.program.word(word)
        meaning(self._written, tokens, self.claim.output)
        return tokens

    def streams(self, word: Sequence[str]) -> list[np.ndarray]:
        """The residual stream before the first block and after each: (1 + n, D), with the beginning of the word in row 0."""
        known = self._written.vocabulary
        rows = [0, *(1 + known.index(token) for token in self.checked(word))]
        kind = np.float32 if self.claim.dtype == "float32" else np.float64
        made: list[Any] = [self.embedding[rows].astype(kind)]
        for block in self._blocks:
            made.append(np.asarray(block(made[-1])))
        return made

    def codes(self, word: Sequence[str]) -> np.ndarray:
        """What the unembedding gives at each position: (n, m)."""
        stream = self.streams(word)[-1]
        bias = self.claim.weights.get("unembedding_bias")
        out = stream @ self.unembedding.astype(stream.dtype).T
        return np.asarray((out if bias is None else out + bias.astype(stream.dtype))[1:])

    def __call__(self, word: Sequence[str]) -> list[Any]:
        """The output at each position: the label with the nearest code, or a number."""
        made, labels = self.codes(word), self._labels
        if labels is None:
            return [float(number) for number in made[:, 0]]
        codes = codes_of(labels, self.claim.weights)
        if codes.shape[1] == 1:
            return [labels[int(np.argmin(np.abs(codes[:, 0] - own[0])))] for own in made]
        return [labels[int(np.argmin(np.abs(codes - own).max(axis=1)))] for own in made]

    def error(self, word: Sequence[str]) -> float:
        """How far the unembedding is from the codes of what the program says, at the worst position of a word."""
        wanted: list[Value] = meaning(self._written, self.program.word(word), self.claim.output)
        made, labels = self.codes(word).astype(np.float64), self._labels
        if labels is None:
            exact = np.array([[float(Fraction(value))] for value in wanted if not isinstance(value, str)])
        else:
            codes = codes_of(labels, self.claim.weights)
            exact = np.array([codes[labels.index(value)] for value in wanted if not isinstance(value, Fraction)])
        return float(np.abs(made - exact).max())

    def attention(self, word: Sequence[str]) -> dict[str, np.ndarray]:
        """The weights of each head on a word, by the register that it writes: (1 + n, 1 + n), rows ask, BOS comes first."""
        streams, made = self.streams(word), {}
        every = [np.asarray(block.attention(x)) for block, x in zip(self._blocks, streams, strict=False)]
        for place in self.layout:
            if place.head is not None:
                made[self.program.name(place.register)] = every[place.block][place.head]
        return made

    def to_torch(self, *, dtype: Any = None) -> Any:
        """One torch module, unembedding included: token numbers (..., n) in, codes (..., n, m) out. It needs the extra `torch`.

        `module.ids(word)` gives the numbers of a word, and `module.decode(codes)` the values. The dtype is that of the model
        unless another is given. The proof is about the model's own type, without TF32 and without fused attention.
        """
        return torch_model(
            self.claim, torch_type(dtype, "float32" if self.claim.dtype == "float32" else "float64")
        ).eval()

    @computed_once
    def steps(self) -> tuple[ProvedStep, ...]:
        """What is proved of each place of the layout; empty if the model is not proved."""
        try:
            return tuple(proved_steps(self.claim))
        except Unproved:
            return ()

    def step(self, place: Place, *, again: bool = False) -> str:
        """What a place does, in words."""
        if again:
            return f"{self.program.name(place.register)} {'as a number' if len(place.columns) == 1 else 'without the leak'}"
        return step_in_words(self._written, place.register, self.program.name)

    def table(self) -> dict[str, list[Any]]:
        """One row per place of the layout: what it does and writes, its size, and what is proved of it for every word.

        `gap` is the least difference between the scores of selected and other keys, `leak` bounds the weight outside the
        selected keys, `slope` is the largest entry of the row that hidden units share, and `error` bounds the distance of the
        columns from their code.
        """
        rows = []
        for own in self.steps:
            place = own.place
            kind = "table" if place.block < 0 else "units" if place.head is None else "head"
            units = None if place.units is None else place.units[1] - place.units[0]
            rows.append(
                (None if place.block < 0 else place.block, kind, place.head, self.program.name(place.register),
                 self.step(place, again=own.again), place.columns, own.rank, units, own.gap, own.slope, own.leak, own.error)
            )  # fmt: skip
        return {name: [row[k] for row in rows] for k, name in enumerate(_COLUMNS)}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: sizes, verdict and table. `hw.save` writes the weights."""
        return {
            "output": self.program.name(self.claim.output),
            "vocabulary": list(self._written.vocabulary),
            "length": self._written.length,
            "causal": self._written.causal,
            "dtype": self.claim.dtype,
            "asked": str(self.claim.error),
            "blocks": len(self._blocks),
            "heads": sum(place.head is not None for place in self.layout),
            "width": int(self.embedding.shape[1]),
            "parameters": self.parameters,
            "table": self.table() | {"columns": [list(columns) for columns in self.table()["columns"]]},
            "verdict": self.verdict.to_dict(),
        }

    def draw(self, path: str | os.PathLike[str]) -> Path:
        """Draw heads, hidden units and registers, layer by layer, as .svg or .png. It needs the extra `plots`."""
        return Path(str(drawing["model"](path, self)))

    def draw_attention(self, path: str | os.PathLike[str], word: Sequence[str]) -> Path:
        """Draw the attention of each head on a word, as .svg or .png. It needs the extra `plots`."""
        return Path(str(drawing["attention of a model"](path, self, word)))

    def summary(self) -> str:
        """The model in one line."""
        own, bound = self._written, getattr(self.verdict, "bound", None)
        proved = "" if bound is None else f", error at most {_rounded_up(bound)}"
        kind = "real arithmetic" if self.claim.dtype == "real" else self.claim.dtype
        return (
            f"{self.program.name(self.claim.output)} of words of up to {counted(own.length, 'token')}, "
            f"{counted(len(self._blocks), 'block')}, width {self.embedding.shape[1]}, {self.parameters:,} parameters"
            f"{', causal' if own.causal else ''}, {kind}: {self.verdict.status}{proved}"
        )

    def __repr__(self) -> str:
        tables = [self.program.name(own.place.register) for own in self.steps if own.place.block < 0]
        lines, before = [f"  tables    {', '.join(tables)}"] if tables else [], ""
        for own in self.steps[len(tables) :]:
            place, group = own.place, f"block {own.place.block}"
            words = self.step(place, again=own.again)
            size = f"head {place.head}, rank {own.rank}"
            if place.units is not None:
                size = counted(place.units[1] - place.units[0], "unit")
            name = "" if own.again else f"{self.program.name(place.register)} = "
            lines.append(f"  {'' if group == before else group:9} {name}{words} ({size})")
            before = group
        more = [f"  … {len(lines)} lines, all in .table()"] if len(lines) > _MOST_LINES else []
        return "\n".join([f"Model: {self.summary()}", *lines[:_MOST_LINES], *more])

    @property
    def _written(self) -> WrittenProgram:
        return self.claim.program

    @property
    def _labels(self) -> tuple[Any, ...] | None:
        return self._written.values[self.claim.output].labels


def _rounded_up(bound: float) -> str:
    return f"{float(Context(prec=4, rounding=ROUND_CEILING).create_decimal(Decimal(bound))):.4g}"
