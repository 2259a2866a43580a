"""Claim: a formula is >= 0, > 0, = 0 or not 0, for all values of its symbols in given ranges.

Without symbols the formula is evaluated exactly or in balls, including arrays and matrix functions. With symbols it is brought
to a normal form, which must be defined and have a known sign on the whole of the ranges (`forms/signs.py`). **Witness** of
a refutation: a point in the ranges at which the relation certainly fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls
from headwright.kernel.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim
from headwright.kernel.verdict import Verdict
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.at_numbers import grid
from headwright.theories.formulas.families.family import NO_FORM
from headwright.theories.formulas.forms import FormulaError, Node, OutOfClass, Range

RELATIONS = (">=", ">", "=", "!=")
_BITS = (128, 512, 4096)
_MOST_DEGREE = 30


@final
@dataclass(frozen=True, eq=False)
class Inequality(Claim):
    """`tree` `relation` 0 for all symbols in `ranges`; `given` are arrays (r, c) that it names. `point` is where it fails.

    >>> from headwright.theories.formulas.forms.trees import Name, Number, Sum
    >>> n_less_2 = Sum(((1, Name("n")), (-1, Number(Fraction(2)))))
    >>> Inequality(n_less_2, ">=", {"n": Range(2, closed=True)}).prove().status
    'proved'
    """

    tree: Node
    relation: str
    ranges: Mapping[str, Range]
    given: Mapping[str, np.ndarray] = field(default_factory=dict)
    point: Mapping[str, Fraction] | None = None
    kind: ClassVar[str] = "inequality"

    def __post_init__(self) -> None:
        self.settle(given="rc")
        if self.relation not in RELATIONS:
            raise ValueError(f"`relation` must be one of {', '.join(RELATIONS)}, got {self.relation!r}")
        for name in (*self.ranges, *self.given):
            forms.plain_name(name)
        if forms.names_in(self.tree) != {*self.ranges, *self.given} or {*self.ranges} & {*self.given}:
            raise ValueError("`ranges` and `given` must hold the names of the formula, each once, and no others")
        point = self.point or {}
        if self.point is not None and {*point} != {*self.ranges}:
            raise ValueError("`point` must have a value for every symbol")
        if not all(self.ranges[name].contains(x) for name, x in point.items()):
            raise ValueError("`point` must lie in the ranges")

    def sentence(self) -> str:
        where = ", ".join(known.described(name) for name, known in self.ranges.items())
        return f"{forms.spelled(self.tree)} {self.relation} 0{f' for all {where}' if where else ''}"

    def scope(self) -> str:
        return "all values in the ranges" if self.ranges else "this instance"

    def judge(self) -> Verdict:
        if self.ranges and self.point is None:
            if self._holds_everywhere():
                return self.proved(method="the sign of the normal form, by its coefficients")
            return self.undecided("the sign is not known on the whole of the ranges", "find a point at which it fails")
        for bits in _BITS:
            with balls.precision(bits):
                holds = self._at_point()
            if holds is True and not self.ranges:
                return self.proved(method="exact arithmetic, or balls")
            if holds is False:
                shown = {name: str(x) for name, x in (self.point or {}).items()}
                return self.refuted(counterexample=shown, method="exact arithmetic, or balls")
        return self.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)

    def _holds_everywhere(self) -> bool:
        if self.given:
            return False
        try:
            forms.need_degree(self.tree, _MOST_DEGREE)
            form = forms.number_of(self.tree, self.ranges)
        except (FormulaError, *NO_FORM):
            return False
        if not forms.defined(form, self.ranges):
            return False
        if self.relation == ">=":
            return forms.nonnegative(form, self.ranges)
        if self.relation == "=":
            return form.is_zero()
        return forms.sign(form, self.ranges) in ((1,) if self.relation == ">" else (1, -1))

    def _at_point(self) -> bool | None:
        """Whether the relation holds at the point, or without symbols; None if that is open."""
        try:
            value = forms.at_point(
                self.tree, {**(self.point or {}), **{name: grid(x) for name, x in self.given.items()}}
            )
        except FormulaError:
            return False
        except OutOfClass:
            return None
        if isinstance(value, tuple):
            return False
        if value > 0:
            return self.relation != "="
        if value < 0:
            return self.relation == "!="
        if isinstance(value, Fraction):
            return self.relation in (">=", "=")
        return True if self.relation == ">=" and value >= 0 else None
