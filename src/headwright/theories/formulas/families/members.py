"""Single members of a family: their weights in balls, and whether they meet what is asked.

Every comparison is certain, so a member that fails is a counterexample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, final

from headwright.kernel import balls
from headwright.kernel.record import Parts
from headwright.theories.formulas.families.family import NO_FORM, Queries, QueryFamily, heads_of
from headwright.theories.formulas.families.regions import Count, Large, spelled
from headwright.theories.formulas.families.weights import mean_weights, room
from headwright.theories.formulas.forms import FormulaError, LogForm

_BITS = (128, 512)
_STEEPEST = 4


@final
@dataclass(frozen=True)
class Member(Parts, apart=True):
    """One member: n, the tolerance ε, and values of further symbols.

    Large symbols lie on the path x = X^path[x]. Then the tolerance stands for the error that is missed, and the ε of the formulas
    is a further symbol.
    """

    n: Count
    epsilon: Fraction
    further: Mapping[str, Large] = field(default_factory=dict)
    path: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.settle()
        if type(self.n) is not int or self.n < 2 or not self.epsilon > 0:
            raise ValueError("a member must have a whole n >= 2 and eps > 0")
        if not all(type(power) is int and 1 <= power <= _STEEPEST for power in self.path.values()):
            raise ValueError(f"`path` must have a power from 1 to {_STEEPEST} for each large symbol")

    def values(self) -> dict[str, Fraction]:
        return {"n": Fraction(self.n), "eps": self.epsilon, **self.further}


@final
@dataclass(frozen=True)
class Finding:
    """What is known about one member. `meets` is None if no comparison is certain. `weights` are the targets' in the worst case.

    `length` is that of the first key in the worst case. `fault` says why the member fails if it fails without weights.
    """

    meets: bool | None
    member: Member
    weights: tuple[float, ...] = ()
    length: Fraction = Fraction(1)
    fault: str = ""

    def example(self, queries: Queries) -> dict[str, str]:
        """The member with its weights, in the form of a counterexample."""
        family, member = queries.family, self.member
        named = {"eps": str(member.epsilon)} if family.each or "eps" in queries.used else {}
        point = {"n": spelled(member.n), **named, **{name: spelled(x) for name, x in member.further.items()}}
        if not family.each:
            point["error"] = str(family.error(member.epsilon))
        if self.fault:
            return {**point, "fault": self.fault}
        length = {"c": str(self.length)} if len(family.lengths) > 1 else {}
        weights = {f"weight of {name}": f"{w:.6g}" for name, w in zip(family.basis, self.weights, strict=True)}
        return {**point, **length, **weights}


def judged(queries: Queries, member: Member) -> Finding:
    """Whether this member meets the family's question, with its numbers written into the formulas themselves."""
    try:
        return looked_at(queries.family, queries.coefficients(member.values()), member)
    except FormulaError as fault:
        return Finding(False, member, fault=f"the formula has no value there: {fault.message}")
    except NO_FORM:
        return Finding(None, member)


def looked_at(family: QueryFamily, queries: Sequence[dict[str, LogForm]], member: Member) -> Finding:
    """The same for queries that may still contain the member's symbols, which is faster for many members."""
    undefined = _undefined(queries, member)
    if undefined:
        return Finding(False, member, fault=undefined)
    for bits in _BITS:
        with balls.precision(bits):
            finding = _in_balls(family, queries, member, bits)
        if finding.meets is not None:
            break
    return finding


def _in_balls(family: QueryFamily, queries: Sequence[dict[str, LogForm]], member: Member, bits: int) -> Finding:
    own = queries[0].values() if family.limit is not None else ()
    long = too_long(family, [form.enclosure(member.values(), bits=bits) for form in own], member.n, member.epsilon)
    if isinstance(long, str):
        return Finding(False, member, fault=f"the query has length {long}")
    findings = [_at_length(family, queries, member, length, bits) for length in family.lengths]
    worst = next((one for state in (False, None) for one in findings if one.meets is state), findings[0])
    return replace(worst, meets=None) if worst.meets and long is None else worst


def _at_length(
    family: QueryFamily, queries: Sequence[dict[str, LogForm]], member: Member, length: Fraction, bits: int
) -> Finding:
    weights = mean_weights(heads_of(family, queries, length), member.n, member.values(), bits=bits)
    if weights is None:
        return Finding(None, member, length=length)
    spare = room(family, weights, member.epsilon)
    meets = False if any(part < 0 for part in spare) else True if all(part > 0 for part in spare) else None
    return Finding(meets, member, tuple(float(weight.mid()) for weight in weights), length)


def _undefined(queries: Sequence[dict[str, LogForm]], member: Member) -> str:
    """Why the formula certainly has no value at this member; "" if it may have one."""
    for form in (form for query in queries for form in query.values()):
        for condition in form.conditions:
            value = LogForm(condition.function, form.atoms).enclosure(member.values())
            if condition.kind == "positive" and value <= 0:
                return f"there is a logarithm of {condition.function}, which is {float(value.mid()):.3g} there"
            if condition.kind == "nonzero" and value == 0:
                return f"there is a division by {condition.function}, which is 0 there"
            if condition.kind == "nonnegative" and value < 0:
                return f"there is a root of {condition.function}, which is {float(value.mid()):.3g} there"
    return ""


def too_long(
    family: QueryFamily, query: Sequence[balls.Ball], n: int, epsilon: Fraction, slack: Fraction = Fraction(0)
) -> str | Literal[False] | None:
    """The lengths in words if the query is certainly too long; False if it certainly is not; None if that is open."""
    if family.limit is None:
        return False
    square = balls.total([part * part for part in query])
    allowed = balls.exact(family.limit * (1 + slack) ** 2) * balls.exact(n / epsilon).log() ** 2
    if square > allowed:
        return f"{float(square.sqrt().mid()):.6g}, where {float(allowed.sqrt().mid()):.6g} is allowed"
    return False if square <= allowed else None
