"""Claim: replacing keys moves the attention of every query up to a norm by at most an error.

The queries are not given: the claim is about all of a ball. `worst_move` bounds the total variation for all of them
at once. That bound is not tight, so a failed proof refutes nothing. A refutation is a query: `tried` holds one for each key
set, and a query of the ball that moves further than the error refutes the claim, by the exact scores of `AttentionKept`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.claim import Claim, at_least, at_most
from headwright.kernel.verdict import Refuted, Verdict
from headwright.kernel.within_error import checked_error
from headwright.theories.matrices.matrix_norms import exact_squared_norm
from headwright.theories.stored_keys.attention_kept import AttentionKept
from headwright.theories.stored_keys.worst_moves import worst_move

_HOW = "the diameter and the spread of the keys' moves"
_WHAT = "total variation"


@final
@dataclass(frozen=True, eq=False)
class KeptOnBall(Claim):
    """With `stored` (g, n, d) for `keys` (g, n, d), the weights of any query of norm `max_norm` or less move by at most `error`.

    With `causal` this holds over the first t keys too, for every t. `tried` (g, d) are queries that may refute it, with
    `causal` over any first keys.

    >>> keys = np.eye(2)[None]
    >>> KeptOnBall(keys, 0.9 * keys, "0.05", 1, "1/2").prove().status
    'proved'
    >>> KeptOnBall(keys, 0.5 * keys, "0.05", 1, 2, tried=[[1.4, -1.4]]).prove().status
    'refuted'
    """

    keys: np.ndarray
    stored: np.ndarray
    error: Fraction
    scale: Fraction
    max_norm: Fraction
    causal: bool = False
    tried: np.ndarray | None = None
    kind: ClassVar[str] = "kept-on-ball"

    def __post_init__(self) -> None:
        self.settle(keys="gnd", stored="gnd", tried="gd")
        checked_error(self.error)
        for name in ("scale", "max_norm"):
            if getattr(self, name) <= 0:
                raise ValueError(f"`{name}` must be positive, got {inputs.show(getattr(self, name))}")

    def sentence(self) -> str:
        sets, n, d = self.keys.shape
        over = f"{n} keys of {d} numbers" + (f" in each of {sets} sets" if sets > 1 else "")
        first = ", or over the first t of them for any t," if self.causal else ""
        at = "" if self.scale == 1 else f" at scale {inputs.show(self.scale)}"
        return (
            f"storing {over} moves the weights of every query of norm at most {inputs.show(self.max_norm)}{at}{first} by at most "
            f"{inputs.show(self.error)} in total variation"
        )

    def scope(self) -> str:
        return f"all queries of norm at most {inputs.show(self.max_norm)}"

    def best(self) -> Fraction | None:
        """The least bound that can be proved for all key sets; None if float64 overflows."""
        reach = self.scale * self.max_norm
        with balls.precision(balls.FLOAT_BITS):
            bounds = [
                worst_move(keys, stored, reach, whole=not self.causal)
                for keys, stored in zip(self.keys, self.stored, strict=True)
            ]
        return None if None in bounds else max(bound for bound in bounds if bound is not None)

    def judge(self) -> Verdict:
        bound = self.best()
        if bound is not None and bound <= self.error:
            return self.proved(**at_most(_WHAT, bound), method=_HOW)
        for place, query in enumerate([] if self.tried is None else self.tried):
            if exact_squared_norm(query[None]) > self.max_norm**2:
                continue
            own = slice(place, place + 1)
            m = self.keys.shape[1] if self.causal else 1  # the same query m times; row i of n sees i + 1 keys
            rows = np.repeat(query[None], m, axis=0)[None]
            verdict = AttentionKept(self.keys[own], self.stored[own], rows, self.error, self.scale, self.causal).prove()
            if isinstance(verdict, Refuted):
                low = self.error if verdict.bound is None else max(self.error, Fraction(verdict.bound))
                point = {"set": place, "query": query}
                row = verdict.counterexample["row"]
                if self.causal and isinstance(row, int):
                    point["keys"] = row + 1
                return self.refuted(**at_least(_WHAT, low), counterexample=point, method="exact scores of one query")
        known = "float64 overflows" if bound is None else f"the bound proved is {balls.decimal_above(bound)}"
        return self.undecided(known, "ask for a larger error or a smaller norm, or store the keys in more bits")
