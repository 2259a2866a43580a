"""Rational functions in named symbols with exact rational coefficients: enough to hold a formula and to prove its sign.

A function is held as numerator/denominator without a common factor, with leading coefficient 1 in the denominator, in the ring
of the symbols that occur. Two functions are equal if and only if these representations are. Signs over an orthant come from
coefficients: a polynomial without negative coefficients is non-negative for x, y, … >= 0, and so is a fraction of two such
polynomials where its denominator is not zero. The test is sufficient but not necessary: if it fails, nothing is known.

Sizes are bounded (`bounded_polynomials.py`): whatever grows beyond the bounds raises `TooLarge`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, final

from headwright.kernel import budget
from headwright.kernel.balls.ball import Ball
from headwright.theories.formulas import bounded_polynomials as poly
from headwright.theories.formulas.bounded_polynomials import Polynomial

Number = int | Fraction


@final
class RationalFunction:
    """An element of Q(x, y, …); make one with `constant` or `symbol`, then calculate.

    >>> n, eps = RationalFunction.symbol("n"), RationalFunction.symbol("eps")
    >>> (n * n - 1) / (eps * (n - 1))
    (n + 1)/eps
    >>> (n / eps - n).nonnegative({"n": 0}), ((n - 1) / (n + 1)).nonnegative({"n": 1})
    (False, True)
    """

    __slots__ = ("_bottom", "_top")

    def __init__(self, top: Polynomial, bottom: Polynomial) -> None:
        """top/bottom, polynomials of one ring, brought to the form that equality relies on."""
        if bottom.is_zero():
            raise ZeroDivisionError("a rational function with denominator 0")
        budget.spend(poly.cost(top) + poly.cost(bottom))
        common = top.gcd(bottom)
        top, bottom = top / common, bottom / common
        leading = bottom.leading_coefficient()
        top, bottom = top / leading, bottom / leading
        names = top.context().names()
        used = [i for i, (a, b) in enumerate(zip(top.degrees(), bottom.degrees(), strict=True)) if a > 0 or b > 0]
        if len(used) < len(names):
            ring = poly.ring([names[i] for i in used])
            top, bottom = poly.moved(top, ring), poly.moved(bottom, ring)
        self._top, self._bottom = top, bottom

    @staticmethod
    def constant(value: Number) -> RationalFunction:
        """The function that is `value` everywhere."""
        ring = poly.ring(())
        return RationalFunction(ring.constant(poly.rational(value)), ring.constant(1))

    @staticmethod
    def symbol(name: str) -> RationalFunction:
        """The function x, for the symbol x of that name."""
        ring = poly.ring([name])
        return RationalFunction(ring.gens()[0], ring.constant(1))

    @property
    def names(self) -> tuple[str, ...]:
        """The symbols that occur, sorted."""
        return tuple(self._top.context().names())

    @property
    def numerator(self) -> RationalFunction:
        return RationalFunction(self._top, self._top.context().constant(1))

    @property
    def denominator(self) -> RationalFunction:
        return RationalFunction(self._bottom, self._top.context().constant(1))

    def value(self) -> Fraction | None:
        """The rational number that this is, or None if a symbol occurs."""
        if self.names:
            return None
        return _fraction(self._top) / _fraction(self._bottom)

    def is_zero(self) -> bool:
        return bool(self._top.is_zero())

    def __add__(self, other: RationalFunction | Number) -> RationalFunction:
        a, b, c, d = _together(self, other)
        return RationalFunction(poly.product(a, d) + poly.product(c, b), poly.product(b, d))

    def __sub__(self, other: RationalFunction | Number) -> RationalFunction:
        return self + -other

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self._top, self._bottom)

    def __mul__(self, other: RationalFunction | Number) -> RationalFunction:
        a, b, c, d = _together(self, other)
        return RationalFunction(poly.product(a, c), poly.product(b, d))

    def __truediv__(self, other: RationalFunction | Number) -> RationalFunction:
        a, b, c, d = _together(self, other)
        return RationalFunction(poly.product(a, d), poly.product(b, c))

    def __pow__(self, exponent: int) -> RationalFunction:
        top, bottom = (self._top, self._bottom) if exponent >= 0 else (self._bottom, self._top)
        return RationalFunction(poly.power(top, abs(exponent)), poly.power(bottom, abs(exponent)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RationalFunction):
            return NotImplemented
        return self.names == other.names and self._top == other._top and self._bottom == other._bottom

    def __hash__(self) -> int:
        return hash((self.names, str(self._top), str(self._bottom)))

    def __repr__(self) -> str:
        if self._bottom == 1:
            return str(self._top)
        top, bottom = (f"({part})" if len(part) > 1 else str(part) for part in (self._top, self._bottom))
        return f"{top}/{bottom}" if "*" not in bottom or bottom[0] == "(" else f"{top}/({bottom})"

    def substituted(self, values: Mapping[str, RationalFunction]) -> RationalFunction:
        """This function with symbols replaced, all at once; ZeroDivisionError if the denominator becomes 0."""
        if not any(name in values for name in self.names):
            return self
        parts = [values.get(name, RationalFunction.symbol(name)) for name in self.names]
        ring = poly.ring(sorted({name for part in parts for name in part.names}))
        pairs = [(poly.moved(part._top, ring), poly.moved(part._bottom, ring)) for part in parts]
        degrees = [int(max(pair)) for pair in zip(self._top.degrees(), self._bottom.degrees(), strict=True)]
        return RationalFunction(
            poly.composed(self._top, pairs, degrees, ring), poly.composed(self._bottom, pairs, degrees, ring)
        )

    def degree(self, name: str) -> int:
        """The highest power of the symbol in the numerator or the denominator."""
        if name not in self.names:
            return 0
        place = self.names.index(name)
        return max(int(self._top.degrees()[place]), int(self._bottom.degrees()[place]))

    def coefficients(self, names: Iterable[str]) -> dict[tuple[int, ...], RationalFunction]:
        """A polynomial as one in the symbols `names`: {exponents: coefficient in the other symbols}, the zeros left out.

        >>> x, y = RationalFunction.symbol("x"), RationalFunction.symbol("y")
        >>> (x * y + x * 2 - y).coefficients(["x"])
        {(1,): y + 2, (0,): -y}
        """
        if not self._bottom.is_constant():
            raise ValueError(f"only a polynomial has coefficients, got {self}")
        wanted = list(names)
        places = [self.names.index(name) if name in self.names else None for name in wanted]
        groups: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
        for exponents, coefficient in self._top.terms():
            key = tuple(0 if place is None else int(exponents[place]) for place in places)
            rest = tuple(0 if i in places else int(power) for i, power in enumerate(exponents))
            groups.setdefault(key, {})[rest] = coefficient
        ring = self._top.context()
        return {key: RationalFunction(ring.from_dict(terms), ring.constant(1)) for key, terms in groups.items()}

    def squares_replaced(self, name: str, square: RationalFunction) -> RationalFunction:
        """This function with name² = `square`, so that `name` occurs at most to the first power above and below.

        ZeroDivisionError if the denominator becomes 0.
        """
        return _squares_replaced(self.numerator, name, square) / _squares_replaced(self.denominator, name, square)

    def factors(self) -> tuple[Fraction, list[tuple[RationalFunction, int]]]:
        """(c, [(p, e), …]) with this = c · Π p^e, the p irreducible over Q, with integer coefficients; e < 0 below the line.

        >>> RationalFunction.symbol("n").__pow__(-2).factors()
        (Fraction(1, 1), [(n, -2)])
        """
        if self.is_zero():
            return Fraction(0), []
        one = self._top.context().constant(1)
        budget.spend(100 * (poly.cost(self._top) + poly.cost(self._bottom)))
        constant, above = self._top.factor()
        divisor, below = self._bottom.factor()
        powers = [(p, int(e)) for p, e in above] + [(p, -int(e)) for p, e in below]
        scale = constant / divisor
        return Fraction(int(scale.p), int(scale.q)), [(RationalFunction(p, one), e) for p, e in powers]

    def nonnegative(self, least: Mapping[str, Number]) -> bool:
        """True only when this is >= 0 wherever it is defined and every symbol x is real and >= least[x].

        A symbol that `least` does not name may be anything, so it may not occur.
        """
        return self._sign_seen(least, None)

    def positive(self, least: Mapping[str, Number], *, above: Iterable[str] = ()) -> bool:
        """True only when this is defined and > 0 for all real symbols x >= least[x], those in `above` being > least[x].

        >>> x = RationalFunction.symbol("x")
        >>> x.positive({"x": 0}), x.positive({"x": 0}, above=["x"]), (x - 1).positive({"x": 1}, above=["x"])
        (False, True, True)
        """
        return self._sign_seen(least, frozenset(above))

    def _sign_seen(self, least: Mapping[str, Number], above: frozenset[str] | None) -> bool:
        if any(name not in least for name in self.names):
            return False
        shift = {x: RationalFunction.symbol(x) + least[x] for x in self.names if least[x] != 0}
        moved = self.substituted(shift)
        parts = [
            dict(moved._top.terms()),
            dict(moved._bottom.terms()),
        ]  # the denominator leads with 1, so equal signs are positive
        if any(c < 0 for part in parts for c in part.values()):
            return False
        # Some term must consist only of symbols that are certainly positive. Its coefficient is positive.
        return above is None or all(any(_certain(e, moved.names, above) for e in part) for part in parts)

    def at(self, values: Mapping[str, Ball]) -> Ball:
        """A ball around the value where every symbol is in its ball; not finite where the denominator may be 0."""
        return poly.value(self._top, values) / poly.value(self._bottom, values)


def _fraction(constant: Polynomial) -> Fraction:
    """The value of a polynomial that has no symbols; the zero polynomial has no terms."""
    return next((Fraction(int(c.p), int(c.q)) for _, c in constant.terms()), Fraction(0))


def _together(
    a: RationalFunction, b: RationalFunction | Number
) -> tuple[Polynomial, Polynomial, Polynomial, Polynomial]:
    """Numerators and denominators of both, in one ring."""
    if not isinstance(b, RationalFunction):
        b = RationalFunction.constant(b)
    ring = poly.ring(sorted({*a.names, *b.names}))
    return poly.moved(a._top, ring), poly.moved(a._bottom, ring), poly.moved(b._top, ring), poly.moved(b._bottom, ring)


def _squares_replaced(polynomial: RationalFunction, name: str, square: RationalFunction) -> RationalFunction:
    root, reduced = RationalFunction.symbol(name), RationalFunction.constant(0)
    for (exponent,), coefficient in polynomial.coefficients([name]).items():
        reduced = reduced + coefficient * square ** (exponent // 2) * root ** (exponent % 2)
    return reduced


def _certain(exponents: Iterable[int], names: Iterable[str], above: frozenset[str]) -> bool:
    return all(power == 0 or name in above for power, name in zip(exponents, names, strict=True))
