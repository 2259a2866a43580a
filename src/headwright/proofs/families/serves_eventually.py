"""Claim: queries with large symbols average two targets, to within every error from a threshold on, at every fixed n and ε.

A query serves every error from some value of its large symbols on if and only if the limit of its weights is one half on each
target, however the symbols grow (`limits.py`). **Witness** of a refutation: a member, a way for the symbols to grow, and values
on that way at which the weights miss an error that the limit misses too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self, final

import numpy as np

from headwright import arrays, balls, forms
from headwright.forms import FormulaError, LogForm, Range
from headwright.proofs.claim import Claim
from headwright.proofs.families.family import NO_FORM, Queries
from headwright.proofs.families.limits import defined_far_out, limiting_weights, tends, tends_to_goal
from headwright.proofs.families.members import Finding, Member, judged, number, spelled, whole
from headwright.proofs.families.serves_family import claimed, example, queries_from
from headwright.verdict import Proved, Refuted, Verdict

_BITS = 128
_MOST_MEMBERS = 16


@final
@dataclass(frozen=True)
class FarMember:
    """A member with values of its large symbols, on the way x = X^path[x]; its tolerance stands for the error that is missed."""

    member: Member
    path: Mapping[str, int]

    def epsilon(self) -> Fraction:
        """The ε of the formulas."""
        return self.member.values()["eps"]

    def to_dict(self) -> dict[str, Any]:
        symbols = {name: spelled(x) for name, x in self.member.further.items()}
        return {
            "n": str(self.member.n),
            "tolerance": str(self.member.epsilon),
            "symbols": symbols,
            "path": dict(self.path),
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        path = stored["path"]
        if not all(type(power) is int and 1 <= power <= 4 for power in path.values()):
            raise ValueError("`path` must have a power from 1 to 4 for each large symbol")
        own = Member.from_dict({"n": stored["n"], "eps": stored["tolerance"]})
        return cls(Member(own.n, own.epsilon, {name: number(x) for name, x in stored["symbols"].items()}), path)


@final
@dataclass(frozen=True, eq=False)
class ServesEventually(Claim):
    """`queries` serve every error from a threshold on, at `n` keys (None: all n >= 2) and `epsilon` (None: all of (0, 1)).

    Or `member` shows that they do not. Then `two` says that they do for n = 2, and `low` from how many keys on; `outside` are
    members of other sizes at which they do not, so that the condition can be said to leave nothing out.
    """

    queries: Queries
    n: int | None
    epsilon: Fraction | None
    member: FarMember | None = None
    two: bool = False
    low: int | None = None
    outside: tuple[FarMember, ...] = ()
    kind: ClassVar[str] = "serves-eventually"

    def __post_init__(self) -> None:
        self.settle()
        family = self.queries.family
        if not self.queries.large or family.targets != 2 or family.each or family.limit is not None:
            raise ValueError("`queries` must have a large symbol, two targets and no limit on their length")
        for count in (self.n, self.low):
            if count is not None and (type(count) is not int or count < 2):
                raise ValueError("`n` and `low` must be whole numbers of at least 2, or None")
        if self.epsilon is not None and not self.epsilon > 0:
            raise ValueError("`epsilon` must be positive, or None")
        if type(self.two) is not bool or len(self.outside) > _MOST_MEMBERS:
            raise ValueError(f"`two` must be a boolean and `outside` at most {_MOST_MEMBERS} members")
        for far in (*([] if self.member is None else [self.member]), *self.outside):
            symbols = {name: x for name, x in far.member.further.items() if name != "eps"}
            known = set(symbols) == set(far.path) == {*self.queries.large} and all(x > 0 for x in symbols.values())
            inside = 0 < far.epsilon() < 1 if self.epsilon is None else far.epsilon() == self.epsilon
            if not known or self.n not in (None, far.member.n) or ("eps" in self.queries.used and not inside):
                raise ValueError("`member` must belong to the family, with a way to grow for each large symbol")

    def sentence(self) -> str:
        names = " and ".join(self.queries.large)
        once = f"once {names} {'is' if len(self.queries.large) == 1 else 'are'} large enough"
        return f"{claimed(self.queries.family, self.n)}, {once}: {self.queries.spelled()}"

    def scope(self) -> str:
        sizes = "all n >= 2" if self.n is None else f"n = {self.n}"
        if self.epsilon is not None:
            sizes += f", error {arrays.show(self.queries.family.error(self.epsilon))}"
        elif "eps" in self.queries.used:
            sizes += " and eps in (0, 1)"
        return f"{sizes}, every error"

    def judge(self) -> Verdict:
        if self.member is not None:
            finding = self._missed(self.member)
            if finding is not None:
                return Refuted(
                    self.sentence(),
                    scope=f"the claim for {self.scope()}",
                    counterexample=example(self.queries, finding),
                    holds_when=self._condition(),
                    method="the limit of the weights, and the weights of that member, in balls",
                    record=self,
                )
        elif self._alike():
            return Refuted(
                self.sentence(),
                scope=f"the claim for {self.scope()}",
                counterexample={"q1 - q2": "0"},
                method="the difference of the normal forms is zero",
                record=self,
            )
        elif all(self._proved(*case) for case in ([(2, True), (3, False)] if self.n is None else [(self.n, True)])):
            return Proved(
                self.sentence(),
                scope=f"{self.scope()}, from a threshold on",
                method="limits of the differences of the scores",
                record=self,
            )
        return self.undecided("the limit was not found, or no member at which it is wrong", "look at other members")

    def right_at(self, n: int) -> bool:
        """Whether the limit is right at this n."""
        return self._proved(n, True)

    def right_from(self, low: int) -> bool:
        """Whether the limit is right at every n from `low` on."""
        return self._proved(low, False)

    def _alike(self) -> bool:
        if not self.queries.family.different:
            return False
        fixed = {} if self.epsilon is None else {"eps": self.epsilon}
        try:
            first, second = self.queries.coefficients(fixed)
            return all((first[name] - second[name]).is_zero() for name in first)
        except (FormulaError, *NO_FORM):
            return False

    def _condition(self) -> str | None:
        """The n at which the limit is right, in words, where that is proved."""
        if self.n is not None:
            return None
        low = self.low if self.low is not None and self._proved(self.low, False) else None
        words = [*(["n = 2"] if self.two and self._proved(2, True) else []), *([] if low is None else [f"n >= {low}"])]
        if not words:
            return None
        fails = {far.member.n for far in self.outside if self._missed(far) is not None}
        two = words[0] == "n = 2"
        ends = ({3} if two and low != 3 else set()) | (
            {low - 1} if low is not None and not (two and low == 3) else set()
        )
        sharp = ends <= fails and len(fails) == len(self.outside)
        return f"{'' if sharp else 'at least for '}{' or '.join(words)}"

    def _proved(self, low: int, single: bool) -> bool:
        """The limit at every member with `low` keys, or with `low` or more."""
        family, large = self.queries.family, self.queries.large
        fixed = {} if self.epsilon is None else {"eps": self.epsilon}
        ranges: dict[str, Range] = {name: Range(0) for name in large}
        if single:
            fixed["n"] = Fraction(low)
        else:
            ranges["n"] = Range(low, closed=True)
        if self.epsilon is None:
            ranges["eps"] = Range(0, 1)
        try:
            queries = self.queries.coefficients(fixed)
        except (FormulaError, *NO_FORM):  # it has no value at this n, or no form
            return False
        if not defined_far_out([form for query in queries for form in query.values()], large, ranges):
            return False
        if family.different and not _differ(queries, large, ranges):
            return False
        return tends_to_goal(family, queries, large, ranges, alone=single and low == family.targets)

    def _missed(self, far: FarMember) -> Finding | None:
        """What is known of a member whose weights miss the error, as their limit does; None where that is not certain."""
        member, family = far.member, self.queries.family
        try:
            queries = self.queries.coefficients({"n": Fraction(member.n), "eps": far.epsilon()})
            limits = [limiting_weights(family, queries, member.n, length, far.path) for length in family.lengths]
        except (FormulaError, *NO_FORM):
            return None
        error = family.error(member.epsilon)
        if not any(weights is not None and _off(weights, error) for weights in limits):
            return None
        finding = judged(self.queries, member)
        return finding if finding.meets is False else None

    def arrays(self) -> dict[str, np.ndarray]:
        return {}

    def fields(self) -> dict[str, Any]:
        return {
            "family": self.queries.family.to_dict(),
            "queries": [forms.to_lists(tree) for tree in self.queries.trees],
            "n": None if self.n is None else str(self.n),
            "epsilon": None if self.epsilon is None else str(self.epsilon),
            "member": None if self.member is None else self.member.to_dict(),
            "two": self.two,
            "low": self.low,
            "outside": [far.to_dict() for far in self.outside],
        }

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        return cls(
            queries_from(fields),
            None if fields["n"] is None else whole(fields["n"], name="n"),
            None if fields["epsilon"] is None else arrays.rational(fields["epsilon"], name="epsilon"),
            None if fields["member"] is None else FarMember.from_dict(fields["member"]),
            fields["two"],
            fields["low"],
            tuple(FarMember.from_dict(far) for far in fields["outside"]),
        )


def _differ(queries: list[dict[str, LogForm]], large: tuple[str, ...], ranges: forms.Ranges) -> bool:
    """True only when the two queries are certainly different once the large symbols are large enough."""
    for name in queries[0]:
        gap = queries[0][name] - queries[1][name]
        found = tends(gap, large, ranges)
        if isinstance(found, float) or forms.sign(gap, ranges) in (1, -1):
            return True
        if found is not None and forms.sign(found, ranges) in (1, -1):
            return True
    return False


def _off(weights: list[balls.Ball], error: Fraction) -> bool:
    """Whether a weight is certainly further from one half than the error: then the total variation is, too."""
    with balls.precision(_BITS):
        return any(bool(abs(weight - balls.exact(Fraction(1, 2))) > balls.exact(error)) for weight in weights)
