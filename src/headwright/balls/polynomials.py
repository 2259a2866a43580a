"""Polynomials with exact rational coefficients: an inequality, or an equation, proved for every member of a family.

Two polynomials are equal just when all their coefficients are; then they are equal at every real point, whatever the variables
stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Polynomial = Any  # flint.fmpq_mpoly, which has no type stubs
Coefficient = Any  # flint.fmpq


def nonnegative(build: Callable[..., Polynomial], **least: int) -> bool:
    """True only when build(x, y, …) >= 0 for all real x, y, … at or above the values in `least`.

    The polynomial is expanded in the distances x - least_x; when no coefficient is negative, neither is its value. This is a
    sufficient test: False says nothing.

    >>> nonnegative(lambda n, e: n * e - (n - 1) * e, n=1, e=0)
    True
    >>> nonnegative(lambda n, e: (n - 1) * e - n * e, n=1, e=0)
    False
    """
    from flint import Ordering, fmpq_mpoly_ctx

    ring = fmpq_mpoly_ctx.get(tuple(least), Ordering.lex)
    shifted = [generator + low for generator, low in zip(ring.gens(), least.values(), strict=True)]
    return all(coefficient >= 0 for coefficient in (build(*shifted) + ring.constant(0)).coeffs())


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
