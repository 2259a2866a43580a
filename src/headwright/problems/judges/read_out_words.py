"""Read-outs by algebra: M A = A and M B = 0 for all bases, shown by rewriting words in the matrices.

What is used of the bases is what the question says: AᵀA = I and BᵀB = I where their columns are orthonormal, AᵀB = 0, and
independent columns. Where both differences M A - A and M B shrink to nothing, the claim holds for every size; where something is
left, nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from headwright import formulas
from headwright.formulas import Formula, FormulaError, OutOfClass
from headwright.problems.settings import Setting
from headwright.proofs import ReadsOut

_BOUND = Fraction(1, 10**9)


@final
@dataclass(frozen=True)
class ReadOut:
    """A question that wants a read-out: the two bases, the share of their sum that is given, and whether vectors are rows.

    `wanted` is the claim and `value` what is to come out, in the question's own letters.
    """

    first: str
    second: str
    share: Fraction
    rows: bool
    orthonormal: bool
    wanted: str
    value: str

    def sentence(self) -> str:
        return f"{self.wanted} for all values in the spans of {self.first} and {self.second}"

    def at(self, matrix: np.ndarray, setting: Setting) -> ReadsOut:
        """The claim at a setting, to within 10^-9, in the form for columns."""
        first, second = np.asarray(setting.names[self.first]), np.asarray(setting.names[self.second])
        return ReadsOut(matrix.T if self.rows else matrix, first, second, self.share, _BOUND)

    def products(self) -> tuple[str, str]:
        """What must be zero, as formulas in M and the bases."""
        a, b = self.first, self.second
        if self.rows:
            return f"{a}'*M - {1 / self.share}*{a}'", f"{b}'*M"
        return f"M*{a} - {1 / self.share}*{a}", f"M*{b}"


READ_OUTS = {
    "D.b-i": ReadOut("A", "B", Fraction(1), False, True, "M(v_a + v_b) = v_a", "v_a"),
    "E.1d": ReadOut("S", "T", Fraction(1, 2), True, False, "cM = v_i for c = (v_i + v_j)/2", "v_i"),
}


def holds_for_all(ask: ReadOut, formula: Formula, *, orthonormal: bool) -> bool:
    """True only when the formula reads out, whatever the bases; `orthonormal`: those with orthonormal columns."""
    a, b = ask.first, ask.second
    algebra = formulas.Algebra(
        {a: ("d", "m"), b: ("d", "p")},
        identities=(f"{a}'*{a}", f"{b}'*{b}") if orthonormal else (),
        zeros=(f"{a}'*{b}",),
        independent=(a, b),
    )
    try:
        matrix = formulas.matrix_words(formula, algebra=algebra)
        products = [formulas.parse(text, names=[a, b, "M"]) for text in ask.products()]
        return all(
            formulas.matrix_words(product, algebra=algebra, given={"M": matrix}).is_zero() for product in products
        )
    except (FormulaError, OutOfClass):
        return False
