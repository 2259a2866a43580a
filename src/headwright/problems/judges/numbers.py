"""An answer that is one number, or a formula without names: is it near enough to the value that the question asks for?

The claim is (value - answer)² <= tolerance², an inequality without symbols, judged exactly or in balls. A number in a file means
the decimal that is written, and a float its shortest decimal.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from headwright.kernel import balls
from headwright.kernel.verdict import Proved, Undecided, Verdict
from headwright.problems.claim_tables import allowed
from headwright.problems.family import Family
from headwright.problems.problem import AnswerError, Problem
from headwright.reading import formulas
from headwright.reading.formulas import OutOfClass
from headwright.theories.formulas import forms
from headwright.theories.formulas.forms.trees import Node, Number, Product, Sum
from headwright.theories.formulas.inequality import Inequality

_BITS = 512
_MOST_SHOWN = 60


def judge_number(problem: Problem, given: Mapping[str, Any], _: Family) -> Verdict:
    """Proved or Refuted: the number is within the tolerance of the value."""
    ((name, formula),) = given.items()
    shown = f"Your answer {_shown(name, formula)}"
    verdict = Inequality(_near(problem.claim, formula.root), ">=", {}).prove()
    if isinstance(verdict, Undecided):
        return verdict.explained(f"{shown} is so close to the edge of what is allowed that it could not be decided")
    return verdict.explained(f"{shown} is {'' if isinstance(verdict, Proved) else 'not '}{allowed(problem.claim)}")


def _near(claim: Mapping[str, Any], answer: Node) -> Node:
    """tolerance² - (value - answer)², which must not be negative."""
    value = formulas.parse(claim["value"], names=()).root
    off = Sum(((1, value), (-1, answer)))
    square = Product(((1, off), (1, off)))
    if "tolerance" in claim:
        return Sum(((1, Number(claim["tolerance"] ** 2)), (-1, square)))
    return Sum(((1, Product(((1, Number(claim["relative"] ** 2)), (1, value), (1, value)))), (-1, square)))


def _shown(name: str, formula: formulas.Formula) -> str:
    """The answer for a sentence, a formula with its value; FormulaError or AnswerError where it is not a number."""
    text = " ".join(formula.text.split())[:_MOST_SHOWN]
    with formula.marked(), balls.precision(_BITS):
        try:
            value = forms.at_point(formula.root, {})
        except OutOfClass as beyond:
            raise formula.wrong(formula.root, f"This cannot be computed: {beyond}.") from None
        if isinstance(value, tuple):
            raise AnswerError(f"`{name}` must be a number, got {forms.described(value)}")
        if isinstance(value, Fraction):
            return text
        if not value.is_finite():
            raise AnswerError(f"`{name}` must be a number of ordinary size, but this one is too large to compute")
        near = float(value.mid())
        return f"{text} ≈ {near:.6g}" if math.isfinite(near) else text


def without_unit(text: str, unit: str) -> str:
    """The number alone: the unit may stand after it, in LaTeX too.

    >>> without_unit("4.6 nats", "nats"), without_unit("$4.6 \\\\text{ nats}$", "nats"), without_unit("4.6", "nats")
    ('4.6', '4.6', '4.6')
    >>> without_unit("5 MW", "mW"), without_unit("138e", "e")  # another unit, and Euler's number
    ('5 MW', '138e')
    """
    if not unit:
        return text
    word = re.escape(unit)
    bare = text.strip().strip("$").strip()
    spaced = r"(?:\\[,;: ]|~|\s)" + ("+" if unit.isalpha() and len(unit) == 1 else "*")
    case = re.IGNORECASE if unit.islower() and len(unit) > 2 else 0  # nats and Nats are one unit, mW and MW are not
    found = re.fullmatch(
        rf"(.*?)(?:{spaced}{word}|(?:\\[,;: ]|~|\s)*\\(?:text|mathrm|textrm|rm)\{{\s*{word}\s*\}})\.?",
        bare,
        re.S | case,
    )
    return found[1] if found and found[1].strip() else text
