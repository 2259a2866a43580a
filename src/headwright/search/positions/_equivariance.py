"""Is a function permutation-equivariant? f(Px) = P f(x) for every permutation P of the rows of x.

Attention without mask and positions does, and so does a whole block around it (docs/theory/order.md). A function that can only
be called is tried on permutations, one after the other: its defect is max |f(Px) - P f(x)|. The report of these trials is an
Undecided: calls neither prove nor refute anything. In floating point Px is added up in another order than x, so that a defect of
the size of rounding says nothing. What rounding a function may show nobody can know from outside: unless the caller says it, the
allowance

    64 ε √(n + d) · max(|x|, |f(x)|),     ε of the coarser of the types of x and f(x); 0 where f(x) holds integers

is assumed, and the report says so; the type of f(x) is the coarsest that holds its numbers (`black_box.py`).

A `Block` of ours is opened instead. `BlockEquivariant` proves for every input, by identities, that it commutes, or checks exactly
that it does not at one input. The search for that input is in floating point: among a few inputs of small numbers, and the
caller's own, it looks for the input and the permutation that move the output most. Where the weights are so large that scores
leave the range of floats, smaller inputs are added, and what floats cannot tell is left to the exact check.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.verdict import Undecided, Verdict
from headwright.search.positions.black_box import Called, NotComparable
from headwright.theories.order.block_equivariant import BlockEquivariant
from headwright.words.block import Block

_AGAIN = 3  # equal calls that must agree, before the permutations and after them
_SCOPE = "this x, as computed"
_METHOD = "calls with the rows of x permuted"
# Eighths up to 8: where weights are large, attention is sharp at large inputs, and then differences hide.
_SIZES = (0.125, 0.125, 0.015625, 1.0, 1.0, 0.125)
_LARGE = 2.0**-10  # inputs are shrunk when scores of moderate size need smaller ones than this
_TRIED = 3  # witnesses handed over, the most promising first
_BY_THEOREM = "; a block without mask and positions commutes with permutations, by the theorem of docs/theory/order.md"


def equivariance(
    function: Callable[[Any], Any],
    x: Any,
    *,
    allowance: float | None = None,
    seed: int = 0,
    trials: int = 120,
) -> Verdict:
    """Whether f(Px) = P f(x) for the permutations P of the rows of x (..., n, d), f(x) having shape (..., n, v).

    `function` is a callable or a torch module, in the mode it is in; it is called on copies of x. All permutations are tried
    where there are at most `trials` of them, else the reversal, shifts, swaps of neighbours and random ones. The verdict is
    Undecided. Its `evidence` has the largest defect, its permutation and the rounding `allowance` (assumed, unless given), and
    its `reason` says whether the defect exceeds that, or why calls cannot be compared. A `Block` is Proved for all inputs of
    this shape where it commutes and is small, and Refuted, in exact arithmetic, where it does not.

    >>> x = np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 0.5]])
    >>> summed = equivariance(lambda x: x.cumsum(axis=0), x)
    >>> summed.status, summed.evidence["largest defect"], summed.evidence["permutation"]
    ('undecided', 3.0, array([0, 2, 1]))
    >>> equivariance(Block(np.eye(2), np.eye(2), np.eye(2), np.eye(2)), x).status
    'proved'
    """
    if not callable(function):
        raise TypeError(f"`function` must be callable, got {type(function).__name__}")
    given = None if allowance is None else inputs.held(allowance, name="allowance")
    if given is not None and given < 0:
        raise ValueError(f"`allowance` must not be negative, got {allowance!r}")
    count, drawn = inputs.count(trials, name="trials", least=1), inputs.count(seed, name="seed")
    called = Called.of(function, x)
    orders = permutations(called.rows, trials=count, seed=drawn)
    if not isinstance(function, Block):
        return _tried(called, orders, given)
    first = called.seen.reshape(-1, *called.seen.shape[-2:])[0]
    exact = _block_verdict(function, first, orders, seed=drawn)
    return exact if not isinstance(exact, Undecided) else _beside(exact, called, orders, given)


def permutations(n: int, *, trials: int, seed: int) -> list[tuple[int, ...]]:
    """Up to `trials` different permutations of n rows, none of them the identity: all, or a few likely ones and random ones."""
    rows = tuple(range(n))
    if n < 9 and math.factorial(n) - 1 <= trials:
        return list(itertools.permutations(rows))[1:]
    known = [rows[::-1], (*rows[1:], 0), (n - 1, *rows[:-1])]
    swaps = np.unique(np.linspace(0, n - 2, max(1, min(n - 1, trials // 2))).astype(int)).tolist()
    known += [(*rows[:i], i + 1, i, *rows[i + 2 :]) for i in swaps]
    rng = np.random.default_rng(seed)
    known += [tuple(rng.permutation(n).tolist()) for _ in range(trials)]
    return [order for order in dict.fromkeys(known) if order != rows][:trials]


def _tried(called: Called, orders: list[tuple[int, ...]], allowance: float | None) -> Undecided:
    """The report on a black box: the largest defect over the permutations, unless equal calls differ."""
    claim = f"the function gives permuted rows permuted results, f(Px) = P f(x), at this x of {called.rows} rows, up to rounding"
    try:
        plain = called.settled(_AGAIN)
        worst = called.farthest(orders, plain)
        for order, before in ((None, plain), (worst.order, worst.result)):
            called.same(before, called.settled(_AGAIN, order))
    except NotComparable as reason:
        return Undecided(claim, scope=_SCOPE, reason=str(reason), method=_METHOD, next_step=reason.next_step)
    allowed = called.allowance(plain) if allowance is None else allowance
    seen = {
        "permutations tried": len(orders),
        "largest defect": worst.defect,
        "permutation": np.array(worst.order),
        "allowance": allowed,
    }
    words = f"the rounding allowance {allowed:.3g}, {called.assumption(plain) if allowance is None else 'which the caller gave'}"
    found = "the largest defect exceeds" if worst.defect > allowed else "no defect exceeds"
    step = "look inside it: a `Block` of headwright with the same weights can be proved or refuted"
    if worst.defect <= allowed >= plain.size > 0:
        words += "; that is no less than f(x) itself, so that no defect of the size of f(x) can be seen here"
        step = "compute in a finer number type, or say by `allowance` what rounding may do"
    return Undecided(
        claim,
        scope=_SCOPE,
        reason=f"{found} {words}; a function that can only be called is neither proved nor refuted",
        method=_METHOD,
        next_step=step,
        evidence=seen,
    )


def _beside(exact: Undecided, called: Called, orders: list[tuple[int, ...]], allowance: float | None) -> Verdict:
    """What calls of a block showed, where exact arithmetic could not decide.

    A block without mask and positions commutes by the theorem: a defect above the allowance is then a wrong allowance.
    """
    assert isinstance(called.function, Block), "asked before"
    try:
        with np.errstate(all="ignore"):
            tried = _tried(called, orders, allowance)
        said, seen = tried.reason, tried.evidence
    except ValueError as error:  # weights too large for floats: calls show nothing
        said, seen = str(error), None
    reason = f"{exact.reason}; called as it is: {said}"
    if _may_see_order(called.function):
        return replace(exact, reason=reason, evidence=seen)
    return replace(exact, reason=reason + _BY_THEOREM, next_step="ask for a smaller shape", evidence=seen)


def _block_verdict(block: Block, x: np.ndarray, orders: Sequence[tuple[int, ...]], *, seed: int) -> Verdict:
    """Proved or Refuted in exact arithmetic where that can be; `x` (n, d) is one input to try, `orders` are the permutations."""
    _fit(block, x)
    claim = BlockEquivariant(block, len(x))
    verdict = claim.prove()
    if not isinstance(verdict, Undecided) or not _may_see_order(block):
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


def _may_see_order(block: Block) -> bool:
    """Whether the block has a mask or positions; without, it commutes with permutations (the theorem of docs/theory/order.md)."""
    return block.causal or block.positions is not None


def _moves(
    block: Block, x: np.ndarray, orders: Sequence[tuple[int, ...]], seed: int
) -> Iterator[tuple[float, np.ndarray, tuple[int, ...]]]:
    """How far f(Px) is from P f(x), for each input its best permutation."""
    rng = np.random.default_rng(seed)
    tries = [x, *(size * rng.integers(-8, 9, size=x.shape) for size in _SIZES)]
    if (small := _moderate(block)) < _LARGE:
        tries[1:1] = [small * tried for tried in tries[1:3]]  # first, as the likelier where nothing is known
    for tried in tries:
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
