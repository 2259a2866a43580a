"""The weights of queries in floats: quick to search with, and believed by nothing. Whatever is found is judged in balls."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from headwright.theories.formulas.families.family import QueryFamily
from headwright.theories.formulas.families.members import Member
from headwright.theories.formulas.forms import LogForm
from headwright.theories.formulas.rational_functions import RationalFunction

Values = Mapping[str, float]
_CLEAR = 1e-6  # a member with so much of its tolerance to spare needs no look in balls
_SECANTS = 40
_LARGEST = 700.0  # e^700 is a float
_KINDS: Mapping[str, Callable[[float], float]] = {"ln": lambda x: math.log(abs(x)), "sqrt": math.sqrt, "exp": math.exp}
_CONSTANTS = {"pi": math.pi, "e": math.e}


class FloatWeights:
    """Queries given by their coefficients, as functions of the symbols that these still contain."""

    def __init__(self, family: QueryFamily, queries: Sequence[Mapping[str, LogForm]]) -> None:
        self.family = family
        self._queries = [[_Form(query[name]) for name in family.basis] for query in queries]

    def worst(self, log_others: float, values: Values, *, factor: float = 1.0) -> list[float] | None:
        """The targets' mean weights for the length of the first key that serves them worst; None where one has no value.

        There are e^log_others other keys, which may be more than a float can count. `factor` multiplies all queries.
        """
        try:
            queries = [[factor * form(values) for form in query] for query in self._queries]
            every = [self._weights(queries, log_others, float(length)) for length in self.family.lengths]
        except (ArithmeticError, ValueError):
            return None
        return max(every, key=self.off)

    def _weights(self, queries: Sequence[Sequence[float]], log_others: float, length: float) -> list[float]:
        leaning = float(self.family.leaning)
        heads = [[first * length, *others, first * leaning] for first, *others in queries]
        shares = [[_share(head, t, log_others) for t in range(len(head) - 1)] for head in heads]
        return [sum(column) / len(shares) for column in zip(*shares, strict=True)]

    def off(self, weights: Sequence[float]) -> float:
        """The total variation from equal shares."""
        return sum(max(0.0, 1 / len(weights) - weight) for weight in weights)

    def clearly_meets(self, member: Member) -> bool:
        """Whether this member meets what is asked with room to spare; False says nothing."""
        try:
            values = {name: float(x) for name, x in member.values().items()}
            return self._short(values) and self.room(self.log_others(member.n), values) > _CLEAR
        except (ArithmeticError, ValueError):
            return False

    def log_others(self, n: int) -> float:
        return math.log(n - self.family.targets) if n > self.family.targets else -math.inf

    def room(self, log_others: float, values: Values) -> float:
        """How much of the tolerance is left over, as a part of it; negative where it is missed, or where there is no value."""
        weights = self.worst(log_others, values)
        if weights is None:
            return -math.inf
        m, epsilon = len(weights), values["eps"]
        if self.family.each:
            return (min(weights) - 1 / (m + epsilon)) / epsilon
        return 1 - self.off(weights) * (m + epsilon) / epsilon

    def _short(self, values: Values) -> bool:
        if self.family.limit is None:
            return True
        allowed = float(self.family.limit) * math.log(values["n"] / values["eps"]) ** 2
        return sum(form(values) ** 2 for form in self._queries[0]) < (1 - _CLEAR) * allowed


def _share(scores: Sequence[float], target: int, log_others: float) -> float:
    """The weight of one target; the last score is that of every other key."""
    *targets, rest = (score - scores[target] for score in scores)
    return 1 / (sum(map(_power, targets)) + _power(rest + log_others))


def _power(x: float) -> float:
    if math.isnan(x):
        raise ValueError("a score without a value")
    return math.exp(min(x, _LARGEST))


def boundary(met: Callable[[float], bool], low: float, high: float, close: float) -> float:
    """A place between `low`, where it is not met, and `high`, where it is, from which on it is: close to it, and met there."""
    while high - low > close * high:
        middle = (low + high) / 2
        low, high = (low, middle) if met(middle) else (middle, high)
    return high


def crossing(falling: Callable[[float], float], low: float, high: float, close: float) -> float:
    """Where a function that is positive at `low` and not at `high` falls to 0, or a little beyond: by secants (Illinois)."""
    at_low, at_high, kept = falling(low), falling(high), 0
    for _ in range(_SECANTS):
        if high - low <= close * high or at_high == 0:
            break
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        value = falling(middle)
        if value > 0:  # an end that is kept twice counts half, so that it moves, too
            low, at_low, at_high, kept = middle, value, at_high / 2 if kept > 0 else at_high, 1
        else:
            high, at_high, at_low, kept = middle, value, at_low / 2 if kept < 0 else at_low, -1
    return high


class _Form:
    """A form as a function of floats; ArithmeticError or ValueError where it has no value."""

    def __init__(self, form: LogForm) -> None:
        self._atoms = {name: (atom.kind, _Function(atom.of)) for name, atom in form.atoms.items()}
        self._function = _Function(form.function)
        self._conditions = [(_Function(one.function), one.kind == "nonzero") for one in form.conditions]

    def __call__(self, values: Values) -> float:
        known = dict(values)
        if any(
            ((x := self._at(function, known)) < 0 and not signed) or x == 0 for function, signed in self._conditions
        ):
            raise ValueError("the form has no value there")
        return self._at(self._function, known)

    def _at(self, function: _Function, known: dict[str, float]) -> float:
        for name in function.names:
            if name not in known:
                kind, of = self._atoms[name]
                known[name] = _CONSTANTS[kind] if kind in _CONSTANTS else _KINDS[kind](self._at(of, known))
        return function.at(known)


class _Function:
    """A rational function in floats."""

    def __init__(self, function: RationalFunction) -> None:
        self.names = function.names
        self._parts = [self._terms(part) for part in (function.numerator, function.denominator)]

    def _terms(self, polynomial: RationalFunction) -> list[tuple[float, list[tuple[str, int]]]]:
        return [
            (_float(value), [(name, k) for name, k in zip(self.names, powers, strict=True) if k])
            for powers, coefficient in polynomial.coefficients(self.names).items()
            if (value := coefficient.value()) is not None
        ]

    def at(self, known: Values) -> float:
        top, bottom = (
            sum(value * math.prod(known[name] ** k for name, k in powers) for value, powers in terms)
            for terms in self._parts
        )
        return top / bottom


def _float(value: Fraction) -> float:
    """The nearest float, infinite where there is none: what floats cannot tell, balls decide."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
