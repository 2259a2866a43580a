"""Polynomials with exact rational coefficients: an equation proved at every point.

If all coefficients of two polynomials agree, the polynomials are equal at every real point, whatever the variables stand for.
"""

from __future__ import annotations

from typing import Any

Polynomial = Any  # flint.fmpq_mpoly, which has no type stubs
Coefficient = Any  # flint.fmpq


def free_variables(count: int) -> list[Polynomial]:
    """`count` variables of one ring over the rationals, to be added, multiplied and compared with `==`, all exactly.

    >>> x, y = free_variables(2)
    >>> (x + y) * (x - y) == x * x - y * y, x * y == x
    (True, False)
    """
    from flint import Ordering, fmpq_mpoly_ctx

    return list(fmpq_mpoly_ctx.get(("x", count), Ordering.lex).gens())


def coefficient(value: float) -> Coefficient:
    """The rational that a float is, exactly, as a factor or summand of polynomials.

    >>> coefficient(0.1) * 10 == 1, coefficient(0.75)
    (False, 3/4)
    """
    from flint import fmpq

    return fmpq(*value.as_integer_ratio())
