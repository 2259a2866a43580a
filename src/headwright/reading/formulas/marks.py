"""Marks in the place of an exponent: T and ⊤ for a transpose, + and † for a pseudo-inverse, -T for both inverse and transpose.

X^T is a transpose if X is a vector or matrix, and a power if X and T are numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwright.reading.formulas import near_names
from headwright.reading.formulas.cursor import Cursor
from headwright.reading.formulas.kinds import COLUMN, MATRIX, NUMBER, ROW, UNKNOWN
from headwright.reading.formulas.part_readings import Reading, Readings, call_of, power_of, transposed
from headwright.reading.formulas.symbols import Symbols
from headwright.reading.formulas.tokens import Token
from headwright.theories.formulas.forms.trees import Name


class MarkReader(Cursor):
    """A cursor that reads the marks after ^."""

    def __init__(self, text: str, tokens: Sequence[Token], symbols: Symbols) -> None:
        super().__init__(text, tokens)
        self.symbols = symbols

    def mark(self, base: Readings) -> str:
        """T, ⊤ or + (also for †) after ^, in braces or not, "-⊤" for ^{-T}; "" if an exponent follows."""
        braced = self.look().kind == "{"
        ahead = self.tokens[self.next + braced : self.next + braced + 3]
        minus = len(ahead) > 1 and ahead[0].kind == "-" and (ahead[1].kind == "⊤" or ahead[1].text == "T")
        token, after = (ahead[1], ahead[2:]) if minus else (ahead[0], ahead[1:])
        found = {"+": "+", "†": "+", "⊤": "⊤", "'": "⊤"}.get(token.kind, "T" if token.text == "T" else "")
        if braced and not (after and after[0].kind == "}"):
            return ""
        if found == "+" and not braced and after and after[0].kind == "number" and after[0].tight:
            return ""  # n^+2
        if token.kind == "'" and not braced:
            raise self.wrong(token, near_names.no_value("'", "'", "^"))
        if found == "T" and self.symbols.names.get("T") == NUMBER and all(one.kind == NUMBER for one in base):
            return ""  # a power
        if found:
            self.next += 1 + minus + 2 * braced
        return "-⊤" if minus and found else found

    def marked(self, mark: str, base: Reading, power: Token) -> list[Reading]:
        """What a mark makes of a base, by their kinds."""
        if mark in ("-⊤", "+") and base.kind == NUMBER:
            return [_unfit(base, power, "This stands on a matrix, but here on a number.")]
        known = self.symbols.names.get("T")
        if mark == "-⊤":
            if base.kind == UNKNOWN and known in (NUMBER, UNKNOWN):
                raise self.wrong(power, "This can be read in two ways. Write inv(A)' or A^(-1*T).")
            return [transposed(call_of("inv", [base], power.at))]
        if mark == "+":
            return [call_of("pinv", [base], power.at)]
        if mark == "⊤" or base.kind in (COLUMN, ROW, MATRIX):
            return [transposed(base)]
        if known in (NUMBER, UNKNOWN):
            return [transposed(base), power_of(base, Reading(Name("T", at=power.at + 1), known), power.at)]
        return [transposed(base)]


def _unfit(base: Reading, power: Token, said: str) -> Reading:
    return Reading(base.node, UNKNOWN, base.fault or (power.at, said))
