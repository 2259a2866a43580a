"""Does a Block's output follow the order of its rows? Proved for every input by identities, or refuted at one input, exactly.

`BlockEquivariant` proves the one and checks the other; here the witness is searched for, in floating point: among a few inputs of
small numbers, and the caller's own, the input and the permutation that move the output most. Where the weights are so large that
scores leave the range of floats, smaller inputs are added, and what floats cannot tell is left to the exact check.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from headwright.block import Block
from headwright.proofs import BlockEquivariant
from headwright.verdict import Undecided, Verdict

# Eighths up to 8: where weights are large, attention is sharp at large inputs, and then differences hide.
_SIZES = (0.125, 0.125, 0.015625, 1.0, 1.0, 0.125)
_LARGE = 2.0**-10  # inputs are shrunk when scores of moderate size need smaller ones than this
_TRIED = 3  # witnesses handed over, the most promising first


def verdict_on(block: Block, x: np.ndarray, orders: Sequence[tuple[int, ...]], *, seed: int) -> Verdict:
    """Proved or Refuted in exact arithmetic where that can be; `x` (n, d) is one input to try, `orders` are the permutations."""
    _fit(block, x)
    claim = BlockEquivariant(block, len(x))
    verdict = claim.prove()
    if not isinstance(verdict, Undecided) or not may_see_order(block):
        return verdict
    settled = Block.from_parts(claim.block.arrays(), claim.block.fields())
    moves = sorted(_moves(settled, x, orders, seed), key=lambda move: -move[0])
    for _, tried, order in moves[:_TRIED]:
        judged = replace(claim, input=tried, permutation=order).prove()
        if not isinstance(judged, Undecided):
            return judged
    return verdict


def _fit(block: Block, x: np.ndarray) -> None:
    """ValueError when the block cannot take x."""
    (n, d), own = x.shape, block.query.shape[-1]
    if d != own:
        raise ValueError(f"`x` must have shape (..., n, {own}) for this block, got rows of width {d}")
    if block.positions is not None and not isinstance(block.positions, str) and len(block.positions) < n:
        raise ValueError(f"`x` has {n} tokens, but `positions` only {len(block.positions)} rows")


def may_see_order(block: Block) -> bool:
    """Whether the block has a mask or positions; without, it commutes with permutations (the theorem of docs/theory/order.md)."""
    return block.causal or block.positions is not None


def _moves(
    block: Block, x: np.ndarray, orders: Sequence[tuple[int, ...]], seed: int
) -> Iterator[tuple[float, np.ndarray, tuple[int, ...]]]:
    """How far f(Px) is from P f(x), for each input its best permutation."""
    rng = np.random.default_rng(seed)
    inputs = [x, *(size * rng.integers(-8, 9, size=x.shape) for size in _SIZES)]
    if (small := _moderate(block)) < _LARGE:
        inputs[1:1] = [
            small * tried for tried in inputs[1:3]
        ]  # before the others: where nothing is known, they are the likelier
    for tried in inputs:
        sizes = _defects(block, tried, orders)
        best = int(sizes.argmax())
        yield float(sizes[best]), tried, orders[best]


def _defects(block: Block, x: np.ndarray, orders: Sequence[tuple[int, ...]]) -> np.ndarray:
    """max |f(Px) - P f(x)| for each permutation; 0 where floats do not know it."""
    try:
        with np.errstate(all="ignore"):
            plain = block(x)
            sizes = [np.abs(block(x[list(order)]) - plain[list(order)]).max() for order in orders]
    except ValueError:  # scores beyond the range of floats
        return np.zeros(len(orders))
    return np.asarray(np.nan_to_num(np.array(sizes), nan=0.0))


def _moderate(block: Block) -> float:
    """The power of two to shrink inputs by for scores of the size of 1; 1 where they are no larger."""
    parts = (float(np.abs(block.query).max()), float(np.abs(block.key).max()), float(block.scale))
    exponent = sum(math.frexp(part)[1] for part in parts)
    return math.ldexp(1.0, -max(exponent, 0) // 2)
