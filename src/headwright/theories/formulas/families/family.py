"""A family of attention problems, and queries for it given by formulas.

A member is a number of keys n >= 2 and a tolerance ε in (0, 1). The named vectors of the basis are keys (or means of keys), so a
query is given by its coefficient on each of them. The score of a named key is its coefficient, times its length for a first key
whose length varies, and the score of every other key is 0. If the others may lean towards the first key (unit keys with k_1·k_i
at most `leaning`), each scores at worst that part of k_1's score, for a coefficient >= 0. A negative coefficient fails in either
case if ε < 1. For larger ε no claim is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright.kernel.frozen import computed_once
from headwright.kernel.record import Parts
from headwright.theories.formulas import forms
from headwright.theories.formulas.bounded_polynomials import TooLarge
from headwright.theories.formulas.forms import LogForm, Misfit, Node, OutOfClass, Range

LARGE = ("t", "T", "s", "beta")  # symbols that stand for large positive numbers
# What arithmetic with forms raises if it has no result.
NO_FORM = (OutOfClass, TooLarge, Misfit, ZeroDivisionError)
_MOST_ATOMS = 16
_MOST_DEGREE = 30
_MOST_BITS = 20_000  # of a number that is written into a formula: its logarithm takes it apart into primes
_MOST_LENGTHS = 8


@final
@dataclass(frozen=True)
class QueryFamily(Parts):
    """What is asked of one query, or of two whose weights are averaged.

    - `basis`: the m targets, one or two, which share the attention. The tolerance bounds what the other keys may have.
    - `each`: every target must have at least 1/(m+ε) of it. Otherwise all weights must be within the error ε/(m+ε).
    - `limit`: the squared length of a query is at most this times ln(n/ε)².
    - `leaning`: the inner product of the first key with every unnamed key. `lengths`: the lengths that the first key may have.
    - `vanishing`: the keys have noise, so the error must be met strictly. Weights are continuous in the keys, so an error met
      strictly at the means is met with probability tending to 1 as the noise vanishes.
    - `different`: the two queries must not be the same.
    """

    basis: tuple[str, ...]
    heads: int = 1
    each: bool = False
    limit: Fraction | None = None
    leaning: Fraction = Fraction(0)
    lengths: tuple[Fraction, ...] = (Fraction(1),)
    vanishing: bool = False
    different: bool = False

    def __post_init__(self) -> None:
        names = {forms.plain_name(name) for name in self.basis}
        if not 1 <= len(self.basis) <= 2 or len(names) < len(self.basis) or names & {"n", "eps", *LARGE}:
            raise ValueError(f"`basis` must be one or two names of vectors, got {self.basis}")
        if self.heads not in (1, 2) or (self.different and self.heads == 1):
            raise ValueError("`heads` must be 1 or 2, and 2 where the queries must be `different`")
        if self.leaning and (len(self.basis) > 1 or not 0 < self.leaning < 1 or self.lengths != (Fraction(1),)):
            raise ValueError("`leaning` must lie between 0 and 1, and is for one key of length 1")
        if self.leaning and self.heads != 1:
            raise ValueError("`leaning` must be 0 for two heads: the worst case of their mean is not known")
        if self.limit is not None and (self.heads != 1 or self.limit <= 0):
            raise ValueError("`limit` must be positive, and is for one query")
        if not 1 <= len(self.lengths) <= _MOST_LENGTHS:
            raise ValueError(f"`lengths` must have between 1 and {_MOST_LENGTHS} numbers")

    @property
    def targets(self) -> int:
        return len(self.basis)

    def keys(self) -> str:
        """Which keys a member has, in words."""
        if not self.leaning:
            return "over orthonormal keys"
        return f"over unit keys with {self.basis[0]}·k at most {self.leaning} for every other k"

    def claimed(self, where: str) -> str:
        """What is claimed of queries, in words. Together with `keys`, different families have different descriptions."""
        names, one = " and ".join(self.basis), self.targets == 1
        share = f"all of it on {names}" if one else f"one half on each of {names}"
        least = f"at least 1/({self.targets}+eps) on {'' if one else 'each of '}{names}"
        parts = [least if self.each else f"{share} to within the error"]
        if self.vanishing:
            parts.append("with probability tending to 1 as the noise vanishes")
        parts.append(where)
        if self.lengths != (Fraction(1),):
            parts.append(f"{self.basis[0]} times {' or '.join(map(str, self.lengths))}")
        if self.limit is not None:
            parts.append(f"a squared length of at most {self.limit} ln(n/eps)^2")
        if self.different:
            parts.append("two different queries")
        who = "the query gives" if self.heads == 1 else "the two heads have mean weights of"
        return f"{who} {', '.join(parts)}"

    def spelled(self, trees: Sequence[Node]) -> str:
        names = ("q",) if self.heads == 1 else ("q1", "q2")
        return ", ".join(f"{name} = {forms.spelled(tree)}" for name, tree in zip(names, trees, strict=True))

    def error(self, epsilon: Fraction) -> Fraction:
        """The total variation that a tolerance stands for."""
        return epsilon / (self.targets + epsilon)


@final
@dataclass(frozen=True, eq=False)
class Queries(Parts):
    """Formulas for the queries of a family; `coefficients` brings them to forms, with numbers for some of their symbols."""

    family: QueryFamily
    trees: tuple[Node, ...]

    def __post_init__(self) -> None:
        if len(self.trees) != self.family.heads:
            raise ValueError(f"`queries` must be {self.family.heads}, one for each head, got {len(self.trees)}")
        unknown = self.used - {*self.family.basis, "n", "eps", *LARGE}
        if unknown:
            raise ValueError(f"`queries` must use the names of the family, got {', '.join(sorted(unknown))}")

    @computed_once
    def used(self) -> frozenset[str]:
        return frozenset().union(*(forms.names_in(tree) for tree in self.trees))

    @property
    def large(self) -> tuple[str, ...]:
        """The large symbols that occur."""
        return tuple(name for name in LARGE if name in self.used)

    @computed_once
    def _known(self) -> dict[tuple[tuple[str, Fraction], ...], list[dict[str, LogForm]]]:
        return {}

    def coefficients(self, fixed: Mapping[str, Fraction]) -> list[dict[str, LogForm]]:
        """The coefficients of each query with numbers in place of some symbols; FormulaError, or one of NO_FORM.

        The numbers are put into the formula before it is brought to a form, so that ln(n-2) at n = 2 is an error of that member
        alone, not of the family.
        """
        key = tuple(sorted((name, value) for name, value in fixed.items() if name in self.used))
        if any(max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS for _, value in key):
            raise OutOfClass(f"a number of more than {_MOST_BITS} bits")
        if key not in self._known:
            self._known[key] = [self._one(forms.with_numbers(tree, dict(key))) for tree in self.trees]
        return self._known[key]

    def _one(self, tree: Node) -> dict[str, LogForm]:
        forms.need_degree(tree, _MOST_DEGREE)
        coefficients = forms.vector_on(tree, self.family.basis, EVERYWHERE)
        if any(len(form.atoms) > _MOST_ATOMS for form in coefficients.values()):
            raise OutOfClass(f"more than {_MOST_ATOMS} different logarithms")
        return coefficients

    def spelled(self) -> str:
        return self.family.spelled(self.trees)


# Every member of every family. A sign that is taken from here when a form is made becomes one of the form's conditions.
EVERYWHERE = {"n": Range(2, closed=True), "eps": Range(0, 1), **{name: Range(0) for name in LARGE}}


@final
@dataclass(frozen=True)
class Head:
    """Scores of the targets and of every other key."""

    targets: tuple[LogForm, ...]
    rest: LogForm

    @computed_once
    def gaps(self) -> tuple[tuple[LogForm, ...], ...]:
        """For every target: how far the other targets are ahead of it, and last how far the other keys are."""
        return tuple(
            tuple(form - own for j, form in enumerate((*self.targets, self.rest)) if j != i)
            for i, own in enumerate(self.targets)
        )


def heads_of(family: QueryFamily, queries: Sequence[Mapping[str, LogForm]], length: Fraction) -> list[Head]:
    """The heads of queries given by their coefficients, when the first key has this length."""
    heads = []
    for query in queries:
        first, *others = (query[name] for name in family.basis)
        heads.append(Head((first * length, *others), first * family.leaning))
    return heads
