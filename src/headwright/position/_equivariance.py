"""Does a function follow the order of its rows? f(Px) = P f(x), P a permutation of the rows of x.

Attention without mask and positions does, and so does a whole block around it (docs/theory/order.md). A function that can only
be called is tried on permutations, one after the other: its defect is max |f(Px) - P f(x)|. That refutes, or says what was
seen; it never proves. In floating point Px is added up in another order than x, so that a defect of the size of rounding is no
refutation. What rounding a function may show nobody can know from outside: unless the caller says it, the allowance

    64 ε √(n + d) · max(|x|, |f(x)|),     ε of the coarser of the types of x and f(x); 0 where f(x) holds integers

is assumed, and the verdict says so; the type of f(x) is the coarsest that holds its numbers (`black_box.py`). A `Block` of
ours is opened instead: it is proved or refuted in exact arithmetic.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from headwright import inputs
from headwright.block import Block
from headwright.position.black_box import Called, NotComparable
from headwright.position.block_orders import may_see_order, verdict_on
from headwright.proofs import RecordedOrder
from headwright.verdict import Refuted, Undecided, Verdict

_AGAIN = 3  # equal calls that must agree, before the permutations and after them
_SCOPE = "this x, as computed"
_METHOD = "calls with the rows of x permuted"
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
    where there are at most `trials` of them, else the reversal, shifts, swaps of neighbours and random ones. Refuted means a
    defect above the rounding `allowance` (assumed, unless given); Undecided carries what was seen, or says why calls cannot be
    compared. A `Block` is Proved for all inputs of this shape where it commutes and is small, and Refuted, in exact arithmetic,
    where it does not.

    >>> x = np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 0.5]])
    >>> equivariance(lambda x: x - x.mean(axis=0), x).status, equivariance(lambda x: x.cumsum(axis=0), x).status
    ('undecided', 'refuted')
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
    exact = verdict_on(function, first, orders, seed=drawn)
    return exact if not isinstance(exact, Undecided) else _beside(exact, called, orders, given)


def permutations(n: int, *, trials: int, seed: int) -> list[tuple[int, ...]]:
    """Up to `trials` different permutations of n rows, none of them the identity: all, or the telling ones and random ones."""
    rows = tuple(range(n))
    if n < 9 and math.factorial(n) - 1 <= trials:
        return list(itertools.permutations(rows))[1:]
    known = [rows[::-1], (*rows[1:], 0), (n - 1, *rows[:-1])]
    swaps = np.unique(np.linspace(0, n - 2, max(1, min(n - 1, trials // 2))).astype(int)).tolist()
    known += [(*rows[:i], i + 1, i, *rows[i + 2 :]) for i in swaps]
    rng = np.random.default_rng(seed)
    known += [tuple(rng.permutation(n).tolist()) for _ in range(trials)]
    return [order for order in dict.fromkeys(known) if order != rows][:trials]


def _tried(called: Called, orders: list[tuple[int, ...]], allowance: float | None) -> Verdict:
    """The function as a black box: the largest defect over the permutations, unless equal calls differ."""
    claim = f"the function gives permuted rows permuted results, f(Px) = P f(x), at this x of {called.rows} rows, up to rounding"
    try:
        plain = called.settled(_AGAIN)
        worst = called.farthest(orders, plain)
        for order, before in ((None, plain), (worst.order, worst.result)):
            called.same(before, called.settled(_AGAIN, order))
    except NotComparable as reason:
        return Undecided(claim, scope=_SCOPE, reason=str(reason), method=_METHOD, next_step=reason.next_step)
    allowed = called.allowance(plain) if allowance is None else allowance
    seen = {"permutations tried": len(orders), "largest defect": worst.defect, "allowance": allowed}
    words = f"the rounding allowance {allowed:.3g}, {called.assumption(plain) if allowance is None else 'which the caller gave'}"
    if worst.defect > allowed:
        recorded = RecordedOrder(called.seen, plain.values, worst.result.values, worst.order, Fraction(allowed)).prove()
        return recorded.explained(f"of {len(orders)} permutations tried, this one has a defect that exceeds {words}")
    step = "look inside it: a `Block` of headwright with the same weights can be proved"
    if allowed >= plain.size > 0:
        words += "; that is no less than f(x) itself, so that nothing of the size of f(x) can be refuted here"
        step = "compute in a finer number type, or say by `allowance` what rounding may do"
    return Undecided(
        claim,
        scope=_SCOPE,
        reason=f"no defect exceeds {words}; a function that can only be called is never proved",
        method=_METHOD,
        next_step=step,
        evidence=seen,
    )


def _beside(exact: Undecided, called: Called, orders: list[tuple[int, ...]], allowance: float | None) -> Verdict:
    """What calls of a block showed, where exact arithmetic could not decide.

    A block without mask and positions commutes by the theorem: a defect above the allowance is then a wrong allowance.
    """
    assert isinstance(called.function, Block), "asked before"
    sees = may_see_order(called.function)
    try:
        with np.errstate(all="ignore"):
            tried = _tried(called, orders, allowance)
    except ValueError as error:  # weights too large for floats: calls show nothing
        said, seen = str(error), None
    else:
        said = tried.reason
        seen = (
            tried.counterexample
            if isinstance(tried, Refuted)
            else tried.evidence
            if isinstance(tried, Undecided)
            else None
        )
        if sees and isinstance(tried, Refuted):
            return tried.explained(f"{exact.reason}; called as it is: {said}")
    reason = f"{exact.reason}; called as it is: {said}"
    if sees:
        return replace(exact, reason=reason, evidence=seen)
    return replace(exact, reason=reason + _BY_THEOREM, next_step="ask for a smaller shape", evidence=seen)
