"""Polynomials with exact coefficients that are nowhere negative: the checks beside written arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Polynomial = Any  # flint.fmpq_mpoly, which has no type stubs


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
