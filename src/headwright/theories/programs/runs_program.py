"""Claim: a stored transformer computes a program, for every word up to its length, in the stated arithmetic.

For every word of 1 to N tokens on which the program is defined, every position, and every execution within the rounding model
(`rounding.py`), the unembedding gives the code of the program's output, or its number, within `error`. Codes lie more than
twice the proved error apart, so the nearest code decodes the program's output. One walk over the parts of the layout proves
it, by induction: what a part writes lies in the box of the label that the program gives, whatever the word.

The file holds the program, the layout (which columns, head or units serve which register) and all weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from headwright.kernel import budget, inputs
from headwright.kernel.claim import Claim, at_most
from headwright.kernel.frozen import computed_once
from headwright.kernel.record import written_as
from headwright.kernel.verdict import Verdict
from headwright.theories.order.block_parts import BlockParts
from headwright.theories.programs.boxes import above
from headwright.theories.programs.heads import write_head
from headwright.theories.programs.rounding import ROUNDING, TYPES, held
from headwright.theories.programs.steps import ATTENDING, FIRST, Sum, WrittenProgram
from headwright.theories.programs.units import write_units
from headwright.theories.programs.walk import Place, Unproved, Walk, Written

TABLES = ("tokens", "positions", "unembedding", "unembedding_bias", "codes", "basis")
# The arrays of a block: seven of its heads, then those of its hidden units.
ARRAYS = (
    "query",
    "key",
    "value",
    "output",
    "query_bias",
    "key_bias",
    "value_bias",
    "inner",
    "inner_bias",
    "outer",
    "outer_bias",
)


def _part_to_json(part: Place) -> dict[str, Any]:
    made = {"register": part.register, "columns": list(part.columns), "block": part.block}
    if part.head is not None:
        made |= {"head": part.head, "rows": list(part.rows)}
    return made | ({} if part.units is None else {"units": list(part.units)})


def _part_from_json(said: Any, name: str) -> Place:
    lists = {
        own: tuple(inputs.index(k, name=own) for k in said[own]) for own in ("columns", "rows", "units") if own in said
    }
    block = -1 if said["block"] == -1 else inputs.index(said["block"], name="block")
    head = inputs.index(said["head"], name="head") if "head" in said else None
    units = lists.get("units")
    if units is not None and len(units) != 2:
        raise ValueError("`units` must be a first and a last unit")
    register = inputs.index(said["register"], name="register")
    return Place(
        register, lists["columns"], block, head, None if units is None else (units[0], units[1]), lists.get("rows", ())
    )


written_as("Place", _part_to_json, _part_from_json)


@final
@dataclass(frozen=True, eq=False)
class RunsProgram(Claim):
    """The weights compute register `output` of the program within `error`, in "real", "float64" or "float32" arithmetic.

    >>> import headwright as hw
    >>> p = hw.Program("ab", length=3)
    >>> hw.compile(p, p.count(p.tokens.matches(p.tokens))).verdict.record.prove().status
    'proved'
    """

    program: WrittenProgram
    output: int
    dtype: str
    error: Fraction
    layout: tuple[Place, ...]
    weights: Mapping[str, np.ndarray]
    kind: ClassVar[str] = "runs-program"
    unsaid: ClassVar[tuple[str, ...]] = ("output",)
    packed: ClassVar[bool] = True

    def __post_init__(self) -> None:
        weights = {name: inputs.float64(array, name=name, ndim=(1, 2, 3)) for name, array in self.weights.items()}
        object.__setattr__(self, "weights", weights)
        self.settle()
        if self.dtype not in TYPES:
            raise ValueError(f"`dtype` must be one of {', '.join(TYPES)}, got {self.dtype!r}")
        if not self.error > 0:
            raise ValueError(f"`error` must be positive, got {inputs.show(self.error)}")
        self.program.needed(self.output)
        assert len(self.blocks) >= 0  # building them checks their shapes
        self._check_tables()

    def _check_tables(self) -> None:
        unknown = [name for name in self.weights if name not in TABLES and not self._in_block(name)]
        if unknown:
            raise ValueError(f"`weights` has {unknown[0]!r}, which belongs to no table or block")
        for name in ("tokens", "unembedding"):
            if name not in self.weights:
                raise ValueError(f"`weights` must hold {name}")
        width = self.weights["tokens"].shape[-1]
        sizes: dict[str | int, int] = {"V": len(self.program.vocabulary) + 1, "N": self.program.length + 1, "D": width}
        shapes = {
            "tokens": ("V", "D"), "positions": ("N", "D"), "unembedding": ("m", "D"), "unembedding_bias": ("m",),
            "codes": ("L", "m"), "basis": ("D", "w"),
        }  # fmt: skip
        for name in TABLES:
            if name in self.weights:
                inputs.match(self.weights[name], name, shapes[name], sizes)
        for block in self.blocks:
            inputs.match(block.query[0], "query", ("r", "D"), {"D": width})
        for part in self.layout:
            if part.block >= len(self.blocks) or not 0 <= part.register < len(self.program.values):
                raise ValueError("`layout` names a block or a register that does not exist")

    def _in_block(self, name: str) -> bool:
        number, _, own = name.partition(".")
        return own in ARRAYS and number.isdecimal() and str(int(number)) == number and int(number) < len(self.blocks)

    @computed_once
    def blocks(self) -> tuple[BlockParts, ...]:
        """The blocks, in order."""
        made: list[BlockParts] = []
        while f"{len(made)}.query" in self.weights:
            own: dict[str, Any] = {
                name: self.weights[f"{len(made)}.{name}"] for name in ARRAYS if f"{len(made)}.{name}" in self.weights
            }
            made.append(BlockParts(**own, causal=self.program.causal))
        return tuple(made)

    def sentence(self) -> str:
        where = {"real": "real arithmetic"}.get(self.dtype, f"{self.dtype}, for every order of summation")
        return (
            f"for every word of up to {self.program.length} tokens on which the program is defined, the transformer gives the "
            f"program's output within {inputs.show(self.error)}, in {where}"
        )

    def scope(self) -> str:
        return f"all words of up to {self.program.length} tokens from a vocabulary of {len(self.program.vocabulary)}"

    def judge(self) -> Verdict:
        inputs.need_gradual_underflow()
        try:
            bound = self.proved_error()
        except Unproved as reason:
            return self.undecided(str(reason), "compile the program again")
        if not bound <= self.error:
            return self.undecided(
                f"the proved error is {float(bound):.3g}", "ask for a larger error, or compile the program again"
            )
        what = "error of the output, against its code,"
        return self.proved(
            **at_most(what, bound, 4), method="one walk over the layout, in boxes, for all words at once"
        )

    def proved_error(self) -> Fraction:
        """A bound on the error of the output that holds for every word; Unproved if there is none."""
        with np.errstate(all="ignore"):
            walk = self.walked()
            error = output_error(walk, self)
        if not np.isfinite(error):
            raise Unproved("the error of the output has no bound")
        return Fraction(error)

    def walked(self) -> Walk:
        """The walk to its end."""
        strange = [
            name
            for name, array in self.weights.items()
            if name != "basis" and name != "codes" and not held(array, self.dtype)
        ]
        if strange:
            raise Unproved(f"{self.dtype} does not hold the numbers of {strange[0]}")
        # On a word for which the output is defined, a register that it does not need may be undefined, and hold anything.
        needed = self.program.needed(self.output)
        spare = [part.register for part in self.layout if part.block >= 0 and part.register not in needed]
        if spare:
            raise Unproved(f"register {spare[0]} is written, but the output does not need it")
        walk = begin(self.program, self.layout, self.weights, self.dtype)
        for number, block in enumerate(self.blocks):
            budget.spend(4 * sum(array.size for array in block.arrays().values()))
            for heads in (True, False):
                walk.write(*block_writes(walk, block, number, heads=heads))
        return walk


def begin(program: WrittenProgram, layout: tuple[Place, ...], weights: Mapping[str, np.ndarray], dtype: str) -> Walk:
    """A walk that has read the tables."""
    walk = Walk(program, layout, ROUNDING[dtype], weights.get("basis"), weights["tokens"].shape[1])
    walk.embed(weights["tokens"], weights.get("positions"))
    return walk


def block_writes(
    walk: Walk, block: BlockParts, number: int, *, heads: bool
) -> tuple[dict[Place, Written], np.ndarray | None]:
    """What the heads, or the hidden units, of one block write, and the bias that comes with it."""
    parts = [part for part in walk.parts if part.block == number and (part.head is not None) == heads]
    if heads:
        used = [part.head for part in parts if part.head is not None]
        # An idle head must be 0 throughout: scores that overflow would make 0 times its output not a number.
        arrays = [own for own in (getattr(block, name) for name in ARRAYS[:7]) if own is not None]
        idle = [head for head in range(len(block.query)) if head not in used and any(own[head].any() for own in arrays)]
        if idle or len(set(used)) < len(used) or not all(0 <= head < len(block.query) for head in used):
            raise Unproved(f"a head of block {number} serves no register, or more than one")
    elif block.inner is not None:
        served = np.zeros(block.inner.shape[0], dtype=int)
        for part in parts:
            if part.units is None or not 0 <= part.units[0] < part.units[1] <= len(served):
                raise Unproved(f"register {part.register} names units that do not exist")
            served[slice(*part.units)] += 1
        arrays = [own for own in (block.inner, block.inner_bias, block.outer.T) if own is not None]
        if (served > 1).any() or any(own[served == 0].any() for own in arrays):
            raise Unproved(f"a hidden unit of block {number} serves no register, or more than one")
    elif parts:
        raise Unproved(f"block {number} has no hidden units")
    made: dict[Place, Written] = {}
    for part in parts:
        made[part] = one_part(walk, block, part)
    return made, None if heads else block.outer_bias


def one_part(walk: Walk, block: BlockParts, part: Place) -> Written:
    """What one part writes, given what the walk has seen."""
    if part.register < FIRST:
        raise Unproved("tokens and indices can only have the codes of the tables")
    step = walk.program.step(part.register)
    first = part.register not in walk.held
    if (part.head is not None) != (first and step.kind in ATTENDING):
        raise Unproved(f"register {part.register} is written by the wrong half of a block")
    if part.head is not None:
        return write_head(walk, block, part, step)
    return write_units(walk, block, part, step if first else None)


def output_error(walk: Walk, claim: RunsProgram) -> float:
    """A bound on the distance of the unembedded output from its code, or from its number; Unproved if codes could be confused."""
    maps, bias = claim.weights["unembedding"], claim.weights.get("unembedding_bias")
    reading = walk.read(maps, bias, [claim.output])
    values = walk.program.values[claim.output]
    if values.labels is None:
        if len(maps) != 1:
            raise Unproved("the unembedding of a mean must have one row")
        slope, offset = walk.line(reading, Sum(((claim.output, Fraction(1)),)))
        largest = above(float(values.largest))
        return float(above(np.abs(slope[0] - 1) * largest, offset.size[0]))
    codes = codes_of(values.labels, claim.weights)
    if codes.shape != (len(values.labels), len(maps)):
        raise Unproved("the unembedding does not have a row for each entry of a code")
    error = float((reading.parts[claim.output] + reading.base).distance(codes).max())
    if not 2 * error < nearest(codes):
        raise Unproved(f"outputs may be {error:.3g} away from their codes, too far to tell the codes apart")
    return error


def codes_of(labels: tuple[Any, ...], weights: Mapping[str, np.ndarray]) -> np.ndarray:
    """What the unembedding should give for each label: the number itself, stored codes, or one row of the identity."""
    rows = len(weights["unembedding"])
    if rows == 1 and all(isinstance(label, int) for label in labels):
        return np.array([[float(label)] for label in labels])
    if "codes" in weights:
        return weights["codes"]
    if rows != len(labels):
        raise Unproved("the unembedding does not have a row for each label")
    return np.eye(rows)


def nearest(codes: np.ndarray) -> float:
    """A lower bound on the largest difference in one entry, for any two codes."""
    if codes.shape[1] == 1:
        return float(np.diff(np.sort(codes[:, 0])).min(initial=np.inf)) * (1 - 2.0**-50)
    if np.array_equal(codes, np.eye(len(codes))):
        return 1.0
    budget.spend(4 * len(codes) * codes.size)
    least = np.inf
    for k in range(1, len(codes)):
        least = min(least, float(np.abs(codes[k:] - codes[:-k]).max(axis=1).min()))
    return least * (1 - 2.0**-50)
