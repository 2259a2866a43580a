"""Polynomials in named symbols with exact rational coefficients, of bounded size: what rational functions are made of.

They are python-flint's `fmpq_mpoly`, in the ring of a sorted tuple of names. Sizes are checked before anything is built: a
product of more than `MOST_TERMS` terms, of a degree above `MOST_DEGREE` or with coefficients beyond `MOST_BITS` bits raises
`TooLarge`, so that a formula of a few characters cannot cause hours of work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from headwright.kernel import budget
from headwright.kernel.balls.ball import Ball, exact

MOST_TERMS = 250
MOST_DEGREE = 130
MOST_BITS = 20_000

Polynomial = Any  # flint.fmpq_mpoly, which has no type stubs


class OutOfClass(Exception):  # noqa: N818 - a limit of ours, not a fault of the caller
    """The formula is valid, but this arithmetic cannot represent its value; `str()` says which part is the problem."""


class TooLarge(OutOfClass):
    """A polynomial would have too many terms, too high a degree or too long coefficients."""


def ring(names: Iterable[str]) -> Any:
    """The ring of polynomials in these symbols; each name once."""
    from flint import Ordering, fmpq_mpoly_ctx

    return fmpq_mpoly_ctx.get(tuple(names), Ordering.lex)


def rational(value: int | Fraction) -> Any:
    """flint's own rational."""
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


def moved(polynomial: Polynomial, ring: Any) -> Polynomial:
    """The same polynomial in another ring, which has every symbol that occurs."""
    old, new = polynomial.context().names(), ring.names()
    if old == new:
        return polynomial
    places = [old.index(name) if name in old else None for name in new]
    return ring.from_dict({tuple(0 if p is None else e[p] for p in places): c for e, c in polynomial.terms()})


def need_small(*, terms: int = 0, degree: int = 0, bits: int = 0) -> None:
    """TooLarge if one of these passes its limit."""
    if terms > MOST_TERMS or degree > MOST_DEGREE or bits > MOST_BITS:
        most = f"{MOST_TERMS} terms, degree {MOST_DEGREE} or coefficients of {MOST_BITS} bits"
        raise TooLarge(f"the formula is too long to be expanded: more than {most}")


def degree(polynomial: Polynomial) -> int:
    """The total degree, 0 for a constant."""
    return max(0, int(polynomial.total_degree()))


def bits(polynomial: Polynomial) -> int:
    """The length of the longest numerator or denominator."""
    return max((int(c.height_bits()) for c in polynomial.coeffs()), default=0)


def cost(polynomial: Polynomial) -> int:
    """What a greatest common divisor with it costs, in the units of a budget; factoring it costs a hundred times that.

    TooLarge where the polynomial passes a limit.
    """
    terms, total, longest = len(polynomial), degree(polynomial), bits(polynomial)
    need_small(terms=terms, degree=total, bits=longest)
    return 5_000 + 100 * terms * (1 + total) * (1 + longest // 64)


def product(a: Polynomial, b: Polynomial) -> Polynomial:
    """a·b for two polynomials of one ring; TooLarge if the product passes a limit."""
    lengths = bits(a), bits(b)
    need_small(degree=degree(a) + degree(b), bits=sum(lengths))
    budget.spend(1000 + len(a) * len(b) * budget.product(*lengths))
    multiplied = a * b
    need_small(terms=len(multiplied))
    return multiplied


def power(base: Polynomial, exponent: int) -> Polynomial:
    """base^exponent, one checked multiplication at a time, so that an intermediate power that is too large is refused too."""
    need_small(degree=degree(base) * exponent, bits=(bits(base) - 1) * exponent)
    raised = base.context().constant(1)
    for _ in range(exponent if len(base) > 1 else 0):
        raised = product(raised, base)
    return raised if len(base) > 1 else base**exponent


def composed(
    polynomial: Polynomial, parts: list[tuple[Polynomial, Polynomial]], degrees: list[int], ring: Any
) -> Polynomial:
    """Σ c Π a_i^e_i b_i^(degree_i - e_i): the polynomial at a_i/b_i, times Π b_i^degree_i."""
    known: dict[tuple[int, int], Polynomial] = {}  # a_i^e b_i^(degree_i - e), by i and e
    summed = ring.constant(0)
    for exponents, coefficient in polynomial.terms():
        term = ring.constant(coefficient)
        for i, exponent in enumerate(map(int, exponents)):
            if (i, exponent) not in known:
                top, bottom = parts[i]
                known[i, exponent] = product(power(top, exponent), power(bottom, degrees[i] - exponent))
            term = product(term, known[i, exponent])
        summed = summed + term
        need_small(terms=len(summed))
    return summed


def value(polynomial: Polynomial, values: Mapping[str, Ball]) -> Ball:
    """A ball around the polynomial's values where every symbol lies in its ball; at the precision in force."""
    powers = [[exact(1), values[name]] for name in polynomial.context().names()]
    summed = exact(0)
    for exponents, coefficient in polynomial.terms():
        term = exact(Fraction(int(coefficient.p), int(coefficient.q)))
        for known, exponent in zip(powers, map(int, exponents), strict=True):
            while len(known) <= exponent:  # by multiplication: flint's own power is not finite for a ball around 0
                known.append(known[-1] * known[1])
            term = term * known[exponent]
        summed = summed + term
    return summed
