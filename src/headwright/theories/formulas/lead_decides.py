"""Claim: how far a key's score must lead for its weight to be at least 1 - error, for every number of keys and every error.

With x_j = exp(score_j - score_i) the weight of key i is 1/(1 + Σ x_j), which is at least 1 - error if and only if
Σ x_j <= odds = error/(1 - error). Leads of ln P over all m = n - 1 other keys allow a sum of m/P, and a lead below ln R over one
of them makes the sum exceed 1/R, possibly by very little. With w = 1/odds the claim is therefore that P >= m·w and R <= w for
all whole m >= 1 and all real w > 0. These are signs of polynomials.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar, final

from headwright.kernel import inputs
from headwright.kernel.claim import Claim
from headwright.kernel.record import written_as
from headwright.kernel.verdict import Counterexample, Verdict
from headwright.theories.formulas.rational_functions import RationalFunction

Terms = tuple[tuple[Fraction, int, int], ...]  # (c, i, j): c·(n-1)^i/odds^j
_MOST_TERMS = 16
_MOST_POWER = 8
_TRIED = tuple(product((1, 2, 3, 9, 1000), map(Fraction, ("1/1000000", "1/99", "1", "3/2", "99", "1000000"))))


@final
@dataclass(frozen=True, eq=False)
class LeadDecides(Claim):
    """A lead of ln(`enough`) over every other score suffices, and a lead below ln(`needed`) over any of them never does.

    >>> LEADS.prove().status
    'proved'
    """

    enough: Terms
    needed: Terms
    kind: ClassVar[str] = "lead-decides"

    def __post_init__(self) -> None:
        self.settle()
        for name in ("enough", "needed"):
            terms = getattr(self, name)
            if not 1 <= len(terms) <= _MOST_TERMS:
                raise ValueError(f"`{name}` must have 1 to {_MOST_TERMS} terms, got {len(terms)}")
            for factor, i, j in terms:
                if factor <= 0:
                    raise ValueError(f"`{name}` must have positive coefficients, got {inputs.show(factor)}")
                if not (0 <= i <= _MOST_POWER and 0 <= j <= _MOST_POWER):
                    raise ValueError(f"`{name}` must have powers from 0 to {_MOST_POWER}, got {i} and {j}")

    def sentence(self) -> str:
        return (
            "with odds = error/(1-error), for every n >= 2 and every error in (0, 1): a key whose score leads every other by at "
            f"least ln({_words(self.enough)}) has a weight of at least 1 - error, and a key whose lead over some other is less "
            f"than ln({_words(self.needed)}) has a smaller one"
        )

    def judge(self) -> Verdict:
        m, w = RationalFunction.symbol("m"), RationalFunction.symbol("w")
        spare = (_value(self.enough, m, w) - m * w, w - _value(self.needed, m, w))
        if all(part.nonnegative({"m": 1, "w": 0}) for part in spare):
            return self.proved(
                scope="all n >= 2, errors in (0, 1), keys and queries, by monotonicity in each score",
                method="signs of the coefficients of two polynomials in n - 2 and 1/odds",
            )
        for others, inverse in _TRIED:
            short = _value(self.enough, others, inverse) < others * inverse
            if short or _value(self.needed, others, inverse) > inverse:
                point: Counterexample = {"n": others + 1, "odds": 1 / inverse, "fails": "enough" if short else "needed"}
                return self.refuted(counterexample=point, method="exact rationals at one point")
        return self.undecided(
            "the signs of the coefficients leave it open", "claim a larger sufficient or a smaller necessary lead"
        )


# The true statement: leads of ln((n-1)/odds) suffice, and leads below ln(1/odds) do not.
LEADS = LeadDecides(enough=((Fraction(1), 1, 1),), needed=((Fraction(1), 0, 1),))


def _value(terms: Terms, m: Any, w: Any) -> Any:
    total = m * 0
    for factor, i, j in terms:
        total = total + m**i * w**j * factor
    return total


def _words(terms: Terms) -> str:
    return " + ".join(_term(*term) for term in terms)


def _term(factor: Fraction, i: int, j: int) -> str:
    above = [inputs.show(factor)] if factor != 1 or not i else []
    if i:
        above.append("(n-1)" if i == 1 else f"(n-1)^{i}")
    return "·".join(above) + ("" if not j else "/odds" if j == 1 else f"/odds^{j}")


def _terms(given: Any, name: str) -> Terms:
    if not isinstance(given, list) or len(given) > _MOST_TERMS:
        raise ValueError(f"the terms of a lead must be a list of at most {_MOST_TERMS}")
    return tuple(
        (inputs.rational(c, name="coefficient"), inputs.count(i, name="power"), inputs.count(j, name="power"))
        for c, i, j in given
    )


written_as("Terms", lambda terms: [[str(c), i, j] for c, i, j in terms], _terms)
