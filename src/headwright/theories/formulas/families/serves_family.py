"""Claim: queries given by formulas do what their family asks, at every member.

With large symbols this means that they average two targets to within every error from a threshold on, at every fixed n and ε.
**Witness** of a proof: parts that cover all members (`regions.py`). In each part, one head with equal scores on its targets needs
f - r >= ln((n-m)/ε), one inequality between forms. Anything else needs rational bounds on the weights (`weights.py`), which turn
the claim into inequalities between rational functions, decided by their coefficients. Both tests are sufficient. A single n with
one tolerance may be judged in balls instead. If the formulas do not depend on n and no length is limited, more keys only take
weight from the targets, so the largest n decides for all smaller ones. Large symbols need limits instead (`limits.py`).
**Witness** of a refutation: a member that certainly fails, and parts in which the claim holds after all. With large symbols the
member gives them values on a path along which they grow. There the weights miss an error that their limit misses too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from headwright.kernel import inputs
from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Verdict
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.family import NO_FORM, Head, Queries, QueryFamily, heads_of
from headwright.theories.formulas.families.limits import defined_far_out, differ, missed, tends_to_goal
from headwright.theories.formulas.families.members import Finding, Member, judged
from headwright.theories.formulas.families.regions import Count, Part, covered, spelled
from headwright.theories.formulas.families.weights import inequalities
from headwright.theories.formulas.forms import FormulaError, LogForm, Range

_MOST_PARTS = 80


@final
@dataclass(frozen=True, eq=False)
class ServesFamily(Claim):
    """`queries` serve every member with `n` keys (None: all n >= 2) and tolerance `epsilon` (None: all of (0, 1)).

    `parts` prove it. Or `member` refutes it, and the queries still serve the members of `parts`. `outside` are members that they
    do not serve, which shows that the stated condition is sharp.

    >>> import headwright as hw
    >>> hw.problems.check("A.1a", {"q": "2*log(n/eps)*k_1"}).record.kind
    'serves-family'
    """

    queries: Queries
    n: Count | None
    epsilon: Fraction | None
    parts: tuple[Part, ...] = ()
    member: Member | None = None
    outside: tuple[Member, ...] = ()
    kind: ClassVar[str] = "serves-family"

    def __post_init__(self) -> None:
        self.settle()
        family = self.queries.family
        if self.queries.large and (family.targets != 2 or family.each or family.limit is not None):
            raise ValueError("`queries` with a large symbol must have two targets and no limit on their length")
        if self.n is not None and (type(self.n) is not int or self.n < 2):
            raise ValueError("`n` must be a whole number of at least 2, or None")
        if self.epsilon is not None and not self.epsilon > 0:
            raise ValueError("`epsilon` must be positive, or None")
        if family.leaning and self.epsilon is not None and self.epsilon >= 1:
            raise ValueError("`epsilon` must be below 1 for keys that lean: the worst case is not known beyond")
        if max(len(self.parts), len(self.outside)) > _MOST_PARTS or any(p.epsilon != self.epsilon for p in self.parts):
            raise ValueError(f"`parts` must be at most {_MOST_PARTS}, and have the tolerance of the claim")
        for member in (*([] if self.member is None else [self.member]), *self.outside):
            if self.n not in (None, member.n) or not self._has(member):
                raise ValueError("`member` must belong to the family, with a way to grow for each large symbol")

    def _has(self, member: Member) -> bool:
        """Whether this is a member, of any size."""
        large = {name: x for name, x in member.further.items() if name != "eps" or not self.queries.large}
        if not set(large) == set(member.path) == {*self.queries.large} or not all(x > 0 for x in large.values()):
            return False
        if self.queries.large and "eps" not in self.queries.used:
            return True
        epsilon = member.values()["eps"]
        return 0 < epsilon < 1 if self.epsilon is None else epsilon == self.epsilon

    def sentence(self) -> str:
        where = "for every n >= 2" if self.n is None else f"n = {spelled(self.n)}"
        large = self.queries.large
        once = f", once {' and '.join(large)} {'is' if len(large) == 1 else 'are'} large enough" if large else ""
        family = self.queries.family
        return f"{family.claimed(f'{where}, {family.keys()}')}{once}: {self.queries.spelled()}"

    def scope(self) -> str:
        sizes = "all n >= 2" if self.n is None else f"n = {spelled(self.n)}"
        if self.epsilon is not None:
            sizes += f", error {inputs.show(self.queries.family.error(self.epsilon))}"
        elif "eps" in self.queries.used or not self.queries.large:
            sizes += " and eps in (0, 1)"
        return f"{sizes}, every error" if self.queries.large else sizes

    def judge(self) -> Verdict:
        if self.member is not None:
            finding = self._failing(self.member)
            if finding is None:
                return self.undecided("the given member does not certainly fail", "try other members")
            return self.refuted(
                scope=f"the claim for {self.scope()}",
                counterexample=finding.example(self.queries),
                holds_when=self._condition(),
                method="the weights of that member, in balls" + (", and their limit" if self.queries.large else ""),
            )
        if self._alike():
            return self.refuted(
                scope=f"the claim for {self.scope()}",
                counterexample={"q1 - q2": "0"},
                method="the difference of the normal forms is zero",
            )
        first, last = (2, math.inf) if self.n is None else (self.n, self.n)
        shown = any(low <= first and last <= high for low, high in covered(self.parts))
        if not shown or not all(holds(self.queries, part) for part in self.parts):
            return self.undecided("the given parts do not prove it for all members", "find other parts")
        if self.queries.large:
            scope, method = f"{self.scope()}, from a threshold on", "limits of the differences of the scores"
            return self.proved(scope=scope, method=method)
        return self.proved(method="inequalities between rational functions, by their coefficients")

    def _failing(self, member: Member) -> Finding | None:
        """The finding on a member that certainly fails (with large symbols, also in the limit); None for any other."""
        if self.queries.large:
            return missed(self.queries, member)
        finding = judged(self.queries, member)
        return finding if finding.meets is False else None

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
        """The first n and the last that the parts cover, in words, where all of these hold."""
        if self.n is not None or not all(holds(self.queries, part) for part in self.parts):
            return None
        runs = covered(self.parts)
        first = next((last for low, last in runs if low == 2 and last < math.inf), 1)
        low = next((low for low, last in runs if last == math.inf), None)
        words = [] if first == 1 else ["n = 2"] if first == 2 else [f"n <= {spelled(Fraction(first), longest=15)}"]
        words += [] if low is None else [f"n >= {low}"]
        if not words:
            return None
        fails = {member.n for member in self.outside if self._failing(member) is not None}
        ends = {first + 1, *([] if low is None else [low - 1])} - {1}
        sharp = len(fails) == len(self.outside) and ends <= fails
        return f"{'' if sharp else 'at least for '}{' or '.join(words)}"


def holds(queries: Queries, part: Part) -> bool:
    """True only when every member of the part is served: from some value of the large symbols on, where there are any."""
    family, large = queries.family, queries.large
    ranges = {**part.ranges(), **{name: Range(0) for name in large}}
    try:
        forms_of = queries.coefficients(part.fixed())
    except (FormulaError, *NO_FORM):  # it has no value at this n, or no form
        return False
    if not defined_far_out([form for query in forms_of for form in query.values()], large, ranges):
        return False
    if family.different and not differ(forms_of, large, ranges):
        return False
    if large:
        return tends_to_goal(family, forms_of, large, ranges, alone=part.single and part.low == family.targets)
    if _last_met(queries, part):
        return True
    if family.limit is not None and not _short_enough(family, forms_of[0], part):
        return False
    return all(_serves(family, heads_of(family, forms_of, length), part) for length in family.lengths)


def _last_met(queries: Queries, part: Part) -> bool:
    """Whether the last member is served and decides for all: it is the only one, or what serves it serves fewer keys too."""
    if part.high is None or part.epsilon is None:
        return False
    fewer = "n" not in queries.used and queries.family.limit is None
    return (part.single or fewer) and judged(queries, Member(part.high, part.epsilon)).meets is True


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
    """f - r >= ln((n-m)/ε), where all targets score f: if and only if the other keys take little enough weight."""
    if part.single and part.low == family.targets:
        return True
    if part.low <= family.targets:
        return False
    needed = forms.log((part.symbol("n") - family.targets) / part.symbol("eps"))
    lead = head.targets[0] - head.rest - needed
    ranges = part.ranges()
    return forms.sign(lead, ranges) == 1 if family.vanishing else forms.nonnegative(lead, ranges)
