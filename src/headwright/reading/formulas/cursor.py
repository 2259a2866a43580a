"""A cursor over the tokens of a formula: what comes next, brackets that must close, and arrays of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from headwright.reading.formulas import near_names
from headwright.reading.formulas.error_pictures import marked
from headwright.reading.formulas.tokens import Token
from headwright.theories.formulas.forms import FormulaError
from headwright.theories.formulas.forms.trees import MOST_DEPTH

CLOSING = {"(": ")", "[": "]", "{": "}"}
_STRAY = {
    ",": "A comma separates the arguments of a function or the numbers of an array; decimals are written with a point.",
    "]": "This bracket ] closes nothing.",
    ")": "This bracket ) closes nothing here.",
    "}": "This brace } closes nothing.",
    "relation": "A formula is one value and cannot contain a comparison.",
    "∞": "Write a large symbol of the question, such as t; infinity is not a number.",
    "|": "Bars inside bars cannot be told apart: write abs(...) or norm(...).",
    "‖": "Bars inside bars cannot be told apart: write abs(...) or norm(...).",
}


def stray(token: Token, wanted: str = "") -> str:
    """The message about a token that cannot stand where it does."""
    expected = f": a {wanted} was expected" if wanted else ""
    return _STRAY.get(token.kind, f"{token.text} cannot stand here{expected}.")


class Cursor:
    """Walks the tokens once, from left to right."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text, self.tokens = text, tokens
        self.next = self.depth = 0

    def look(self) -> Token:
        return self.tokens[self.next]

    def take(self) -> Token:
        token = self.tokens[self.next]
        self.next = min(self.next + 1, len(self.tokens) - 1)
        return token

    def wrong(self, token: Token, message: str) -> FormulaError:
        return marked(message, self.text, token.at)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise self.wrong(self.look(), f"Brackets and powers are nested more than {MOST_DEPTH} deep.")

    def close(self, opening: Token, kind: str) -> None:
        token = self.look()
        if token.kind == kind:
            self.take()
            return
        if token.kind == "end":
            raise self.wrong(opening, f"This bracket {opening.kind} is never closed.")
        raise self.wrong(token, stray(token, kind))

    def missing(self, token: Token) -> str:
        place = self.tokens.index(token)
        return near_names.no_value(token.kind, token.text, self.tokens[place - 1].text if place else "")

    def array_follows(self) -> bool:
        """Whether the bracket [ before the cursor opens an array: a comma stands in it, or one number alone."""
        inside, depth = list[str](), 1
        for token in self.tokens[self.next :]:
            depth += (token.kind == "[") - (token.kind == "]")
            if not depth or token.kind == "end":
                break
            inside.append(token.kind)
        return "," in inside or (set(inside) <= {"number", "+", "-", "[", "]"} and inside.count("number") < 2)

    def array(self, opening: Token) -> tuple[tuple[Fraction, ...], ...]:
        nested = self.look().kind == "["
        rows: list[tuple[Fraction, ...]] = []
        while nested:
            inner = self.take()
            if inner.kind != "[":
                raise self.wrong(inner, "A row [ ... ] of the array must begin here.")
            rows.append(self.row(inner))
            if self.look().kind != ",":
                break
            self.take()
        if nested:
            self.close(opening, "]")
        else:
            rows = [(number,) for number in self.row(opening)]
        if len({len(row) for row in rows}) > 1:
            raise self.wrong(opening, "The rows of this array differ in length.")
        return tuple(rows)

    def row(self, opening: Token) -> tuple[Fraction, ...]:
        numbers = [self.entry()]
        while self.look().kind == ",":
            self.take()
            numbers.append(self.entry())
        self.close(opening, "]")
        return tuple(numbers)

    def entry(self) -> Fraction:
        sign = 1
        while self.look().kind in ("+", "-"):
            sign *= -1 if self.take().kind == "-" else 1
        token = self.take()
        if token.kind != "number":
            raise self.wrong(token, "An array in brackets [ ] holds plain numbers, separated by commas.")
        return sign * token.number
