"""A query formula at one setting, in balls: what float64 made of it is believed only where the exact value is next to it.

Sums that cancel leave float64 with numbers of no meaning, (x + 10^17) - 10^17 for one, so that a query evaluated there may be
another than the one that was written. Here the same formula is walked with balls; what a ball cannot take is not believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from headwright import balls
from headwright.formulas import Formula
from headwright.formulas.trees import Call, Name, Node, Number, Power, Product, Sum
from headwright.problems.settings import Setting

_BITS = 512
_MOST_POWER = 64
_CLOSE = Fraction(1, 10**8)  # of the error: a hundredth of the room that a refutation leaves
_Vector = dict[str, balls.Ball]
_Value = balls.Ball | _Vector


class _Beyond(Exception):  # noqa: N818 - a limit of ours
    """The walk met a part that has no ball."""


def believed(formulas: Sequence[Formula], queries: np.ndarray, basis: Sequence[str], setting: Setting) -> bool:
    """True only when every number of the float64 queries (h, n) is within 10^-8 of the error from what the formula says.

    Basis vector i is the unit vector e_i of the setting, so that its coefficient is entry i; all others are 0.
    """
    with balls.precision(_BITS):
        return all(_near(formula, query, basis, setting) for formula, query in zip(formulas, queries, strict=True))


def _near(formula: Formula, query: np.ndarray, basis: Sequence[str], setting: Setting) -> bool:
    scalars = {"n": Fraction(setting.n), "eps": setting.epsilon}
    try:
        exact = _walked(formula.root, basis, scalars)
    except _Beyond:
        return False
    if not isinstance(exact, dict):
        return False
    room = balls.exact(_CLOSE * setting.error)
    wanted = [exact.get(name, balls.exact(0)) for name in basis] + [balls.exact(0)] * (len(query) - len(basis))
    return all(bool(abs(ball - balls.exact(entry)) < room) for ball, entry in zip(wanted, query.tolist(), strict=True))


def _walked(node: Node, basis: Sequence[str], scalars: Mapping[str, Fraction]) -> _Value:
    match node:
        case Number(_, value):
            return balls.exact(value)
        case Name(_, name) if name in basis:
            return {name: balls.exact(1)}
        case Name(_, name) if name in scalars:
            return balls.exact(scalars[name])
        case Sum(_, terms):
            return _sum([(sign, _walked(term, basis, scalars)) for sign, term in terms])
        case Product(_, factors):
            return _product([(way, _walked(factor, basis, scalars)) for way, factor in factors])
        case Power(_, base, exponent):
            return _power(_number(_walked(base, basis, scalars)), _number(_walked(exponent, basis, scalars)), exponent)
        case Call(_, function, arguments):
            return _called(function, [_number(_walked(argument, basis, scalars)) for argument in arguments])
    raise _Beyond


def _number(value: _Value) -> balls.Ball:
    if isinstance(value, dict):
        raise _Beyond
    return value


def _sum(terms: list[tuple[int, _Value]]) -> _Value:
    if all(not isinstance(term, dict) for _, term in terms):
        return balls.total([sign * _number(term) for sign, term in terms])
    found: _Vector = {}
    for sign, term in terms:
        if not isinstance(term, dict):
            raise _Beyond
        for name, ball in term.items():
            found[name] = found.get(name, balls.exact(0)) + sign * ball
    return found


def _product(factors: list[tuple[int, _Value]]) -> _Value:
    vectors = [value for way, value in factors if isinstance(value, dict) and way == 1]
    size = balls.exact(1)
    for way, value in factors:
        if not isinstance(value, dict):
            size = size * value if way == 1 else size / value
    if len(vectors) != sum(isinstance(value, dict) for _, value in factors) or len(vectors) > 1:
        raise _Beyond
    return {name: size * ball for name, ball in vectors[0].items()} if vectors else size


def _power(base: balls.Ball, exponent: balls.Ball, written: Node) -> balls.Ball:
    if isinstance(written, Number) and written.value.denominator == 1 and 0 <= written.value <= _MOST_POWER:
        found = balls.exact(1)
        for _ in range(int(written.value)):
            found = found * base
        return found
    if not base > 0:
        raise _Beyond
    return (base.log() * exponent).exp()


def _called(function: str, arguments: list[balls.Ball]) -> balls.Ball:
    match function, arguments:
        case (("log" | "ln"), [x]) if x > 0:
            return x.log()
        case "exp", [x]:
            return x.exp()
        case "sqrt", [x] if x >= 0:
            return x.sqrt()
        case "abs", [x]:
            return abs(x)
    raise _Beyond
