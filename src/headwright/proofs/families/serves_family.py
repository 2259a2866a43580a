"""Claim: queries given by formulas do what their family asks, at every member.

**Witness.** For a proof, parts that cover all members (`regions.py`). In each part, one head whose targets score alike needs
f - r >= ln((n-m)/ε), one inequality between forms; anything else needs rational bounds on the weights (`weights.py`), which turn
the claim into inequalities between rational functions whose coefficients decide. Both are sufficient tests. A single n with one
tolerance may be judged in balls instead. For a refutation, a member that certainly fails, and parts in which the claim holds
after all. Where the formulas do not depend on n and no length is asked for, more keys only take weight from the targets, so that
an n that is met decides for all smaller ones (`up_to`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self, final

import numpy as np

from headwright import arrays, forms
from headwright.forms import FormulaError, LogForm
from headwright.proofs.claim import Claim
from headwright.proofs.families.family import NO_FORM, Head, Queries, QueryFamily, heads_of, leans_at_worst
from headwright.proofs.families.members import Finding, Member, judged, spelled, whole
from headwright.proofs.families.regions import Part, covered, runs
from headwright.proofs.families.weights import inequalities
from headwright.verdict import Proved, Refuted, Verdict

_MOST_PARTS = 80


@final
@dataclass(frozen=True, eq=False)
class ServesFamily(Claim):
    """`queries` serve every member with `n` keys (None: all n >= 2) and tolerance `epsilon` (None: all of (0, 1)).

    `parts` show it. Or `member` shows that they do not; then they still serve the members of `parts`, and all n up to `up_to`.
    `outside` are numbers of keys at which they do not, so that the condition can be said to leave nothing out.
    """

    queries: Queries
    n: int | None
    epsilon: Fraction | None
    parts: tuple[Part, ...] = ()
    member: Member | None = None
    up_to: int | None = None
    outside: tuple[Member, ...] = ()
    kind: ClassVar[str] = "serves-family"

    def __post_init__(self) -> None:
        self.settle()
        if self.queries.large:
            raise ValueError("`queries` must not have large symbols: that is a claim about limits")
        if self.n is not None and (type(self.n) is not int or self.n < 2):
            raise ValueError("`n` must be a whole number of at least 2, or None")
        if self.epsilon is not None and not self.epsilon > 0:
            raise ValueError("`epsilon` must be positive, or None")
        if max(len(self.parts), len(self.outside)) > _MOST_PARTS or any(p.epsilon != self.epsilon for p in self.parts):
            raise ValueError(f"`parts` must be at most {_MOST_PARTS}, and have the tolerance of the claim")
        for member in (*([] if self.member is None else [self.member]), *self.outside):
            if self.n not in (None, member.n) or member.further or not self._has(member.epsilon):
                raise ValueError("`member` must belong to the family")

    def _has(self, epsilon: Fraction) -> bool:
        return 0 < epsilon < 1 if self.epsilon is None else epsilon == self.epsilon

    def sentence(self) -> str:
        return f"{claimed(self.queries.family, self.n)}: {self.queries.spelled()}"

    def scope(self) -> str:
        sizes = "all n >= 2" if self.n is None else f"n = {self.n}"
        if self.epsilon is None:
            return f"{sizes} and eps in (0, 1)"
        return f"{sizes}, error {arrays.show(self.queries.family.error(self.epsilon))}"

    def judge(self) -> Verdict:
        if any(part.low - len(self.parts) > 2 for part in self.parts) and self.member is None and self.n is None:
            return self.undecided("the parts given leave members out", "look for other parts")
        if self.member is not None:
            finding = judged(self.queries, self.member)
            if finding.meets is False:
                return self._refuted(finding)
            return self.undecided("the member given does not certainly fail", "look at other members")
        if self._alike():
            return Refuted(
                self.sentence(),
                scope=f"the claim for {self.scope()}",
                counterexample={"q1 - q2": "0"},
                method="the difference of the normal forms is zero",
                record=self,
            )
        singles, low = covered(self.parts)
        wanted = {self.n} if self.n is not None else set() if low is None else set(range(2, low))
        if (
            (self.n is None and low is None)
            or not wanted <= singles
            or not all(self._holds(part) for part in self.parts)
        ):
            return self.undecided("the parts given do not show it for all members", "look for other parts")
        return Proved(
            self.sentence(),
            scope=self.scope(),
            method="inequalities between rational functions, by their coefficients",
            record=self,
        )

    def _refuted(self, finding: Finding) -> Refuted:
        return Refuted(
            self.sentence(),
            scope=f"the claim for {self.scope()}",
            counterexample=example(self.queries, finding),
            holds_when=self._condition(),
            method="the weights of that member, in balls",
            record=self,
        )

    def _alike(self) -> bool:
        """Whether two queries that must differ are certainly the same."""
        if not self.queries.family.different:
            return False
        fixed = (
            {} if self.epsilon is None else {"eps": self.epsilon}
        )  # a sign taken for eps < 1 says nothing of eps = 2
        try:
            first, second = self.queries.coefficients(fixed)
            return all((first[name] - second[name]).is_zero() for name in first)
        except (FormulaError, *NO_FORM):
            return False

    def _condition(self) -> str | None:
        """The members named by `parts` and `up_to`, in words, where all of these are proved."""
        if self.n is not None or not all(self._holds(part) for part in self.parts):
            return None
        singles, low = covered(self.parts)
        first = max((n for n in singles if runs(2, n, singles)), default=1)
        beyond = self.up_to is not None and self._met_up_to(self.up_to)
        first = max(first, self.up_to or 1) if beyond else first
        if low is not None and low - 1 in singles and low - 1 > first:
            low = min(n for n in singles if n < low and runs(n, low, singles))
        words = [*_named(first), *([] if low is None else [f"n >= {low}"])]
        if not words:
            return None
        fails = {member.n for member in self.outside if judged(self.queries, member).meets is False}
        ends = {first + 1, *([] if low is None else [low - 1])} - {1}
        sharp = len(fails) == len(self.outside) and (ends <= fails or (low is not None and first + 1 >= low))
        return f"{'' if sharp else 'at least for '}{' or '.join(words)}"

    def _met_up_to(self, n: int) -> bool:
        """Whether all members with 2 to n keys are met, for formulas that do not depend on n and no limit on the length."""
        family = self.queries.family
        if self.epsilon is None or "n" in self.queries.used or family.limit is not None:
            return False
        try:
            apart = not family.different or differ(self.queries.coefficients({"eps": self.epsilon}), {})
        except (FormulaError, *NO_FORM):
            return False
        return apart and judged(self.queries, Member(n, self.epsilon)).meets is True

    def _holds(self, part: Part) -> bool:
        return holds(self.queries, part)

    def arrays(self) -> dict[str, np.ndarray]:
        return {}

    def fields(self) -> dict[str, Any]:
        return {
            "family": self.queries.family.to_dict(),
            "queries": [forms.to_lists(tree) for tree in self.queries.trees],
            "n": None if self.n is None else str(self.n),
            "epsilon": None if self.epsilon is None else str(self.epsilon),
            "parts": [part.to_dict() for part in self.parts],
            "member": None if self.member is None else self.member.to_dict(),
            "up_to": None if self.up_to is None else spelled(Fraction(self.up_to)),
            "outside": [member.to_dict() for member in self.outside],
        }

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        epsilon = None if fields["epsilon"] is None else arrays.rational(fields["epsilon"], name="epsilon")
        up_to = None if fields["up_to"] is None else Member.from_dict({"n": fields["up_to"], "eps": "1"}).n
        member = None if fields["member"] is None else Member.from_dict(fields["member"])
        return cls(
            queries_from(fields),
            None if fields["n"] is None else whole(fields["n"], name="n"),
            epsilon,
            tuple(Part.from_dict(part, epsilon) for part in fields["parts"]),
            member,
            up_to,
            tuple(Member.from_dict(one) for one in fields["outside"]),
        )


def queries_from(fields: Mapping[str, Any]) -> Queries:
    trees = tuple(forms.from_lists(tree) for tree in fields["queries"])
    return Queries(QueryFamily.from_dict(fields["family"]), trees)


def claimed(family: QueryFamily, n: int | None) -> str:
    """What is claimed of queries, in words; n is None where it is claimed for all."""
    where = "for every n >= 2" if n is None else f"n = {n}"
    who = "the query gives" if family.heads == 1 else "the two heads have mean weights of"
    about = "" if family.each else " to within the error"
    noise = ", with probability tending to 1 as the noise vanishes" if family.vanishing else ""
    return f"{who} {family.wanted()}{about}{noise}, {where}, {family.keys()}{family.demands()}"


def example(queries: Queries, finding: Finding) -> dict[str, str]:
    """The member that fails, with its weights, as a counterexample is stored."""
    family, member = queries.family, finding.member
    named = {"eps": str(member.epsilon)} if family.each or "eps" in queries.used else {}
    found = {"n": spelled(Fraction(member.n)), **named, **{name: spelled(x) for name, x in member.further.items()}}
    if not family.each:
        found["error"] = str(family.error(member.epsilon))
    if len(family.lengths) > 1 and not finding.fault:
        found["c"] = str(finding.length)
    if finding.fault:
        return {**found, "fault": finding.fault}
    return {**found, **{f"weight of {name}": f"{w:.6g}" for name, w in zip(family.basis, finding.weights, strict=True)}}


def _named(most: int) -> list[str]:
    """The condition that n is at most this, in words."""
    return [] if most < 2 else ["n = 2"] if most == 2 else [f"n <= {spelled(Fraction(most), longest=15)}"]


def holds(queries: Queries, part: Part) -> bool:
    """True only when every member of the part is served."""
    family = queries.family
    try:
        forms_of = queries.coefficients(part.fixed())
    except (FormulaError, *NO_FORM):
        return False
    ranges = part.ranges()
    if not all(forms.defined(form, ranges) for query in forms_of for form in query.values()):
        return False
    if family.different and not differ(forms_of, ranges):
        return False
    if part.single and part.epsilon is not None and judged(queries, Member(part.low, part.epsilon)).meets:
        return True
    if family.limit is not None and not _short_enough(family, forms_of[0], part):
        return False
    if not leans_at_worst(family, forms_of[0], part.epsilon, ranges):
        return False
    return all(_serves(family, heads_of(family, forms_of, length), part) for length in family.lengths)


def differ(queries: Sequence[dict[str, LogForm]], ranges: forms.Ranges) -> bool:
    """True only when two queries are certainly different at every member: one coefficient is always larger in one of them."""
    first, second = queries
    return any(forms.sign(first[name] - second[name], ranges) in (1, -1) for name in first)


def _short_enough(family: QueryFamily, query: dict[str, LogForm], part: Part) -> bool:
    """Each of m coefficients is at most √(limit/m)·ln(n/ε) in size, the root rounded down."""
    assert family.limit is not None
    most = forms.log(part.symbol("n") / part.symbol("eps")) * math.isqrt(int(family.limit / family.targets))
    ranges = part.ranges()
    return all(forms.nonnegative(most - f, ranges) and forms.nonnegative(most + f, ranges) for f in query.values())


def _serves(family: QueryFamily, heads: Sequence[Head], part: Part) -> bool:
    alike = len(heads) == 1 and all((form - heads[0].targets[0]).is_zero() for form in heads[0].targets)
    if alike and _ahead(family, heads[0], part):
        return True
    try:
        test = part.positive if family.vanishing else part.nonnegative
        return all(test(function) for function in inequalities(family, heads, part))
    except NO_FORM:
        return False


def _ahead(family: QueryFamily, head: Head, part: Part) -> bool:
    """f - r >= ln((n-m)/ε), where all targets score f: if and only if then the others take little enough."""
    if part.single and part.low == family.targets:
        return True
    if part.low <= family.targets:
        return False
    needed = forms.log((part.symbol("n") - family.targets) / part.symbol("eps"))
    lead = head.targets[0] - head.rest - needed
    ranges = part.ranges()
    return forms.sign(lead, ranges) == 1 if family.vanishing else forms.nonnegative(lead, ranges)
