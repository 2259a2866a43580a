"""Reading a formula: a grammar of our own with a whitelist of names, so that a user's text is never run as code.

    sum     := ["+" | "-"] product (("+" | "-") product)*
    product := signed (("*" | "/" | "@") signed)*
    signed  := ("+" | "-")* power
    power   := item ["^" signed]                    so -2^2 is -4, 2^3^2 is 2^9, and 2^-1 is 1/2
    item    := (number | name | function "(" sum ("," sum)* ")" | "(" sum ")" | array) ("'")*

`**` is `^`; `.T`, `^T` and `^⊤` are `'`. Multiplication is written out.
Brackets and exponents are nested at most 60 deep, whatever the text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import final

from headwright.forms import FormulaError
from headwright.forms.trees import (
    CONSTANTS,
    FUNCTIONS,
    MOST_DEPTH,
    Array,
    Call,
    Constant,
    Name,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Transposed,
    parts,
)
from headwright.formulas.error_pictures import marked
from headwright.formulas.formula import Formula
from headwright.formulas.near_names import indexed, no_value, same_name, unknown_function, unknown_name
from headwright.formulas.tokens import Token, tokens

_OWN = {"svd_part"}  # functions known only to questions that list them
_SPELLINGS = {"ln": "log"}
_STARTS = {"number", "name", "(", "["}


def parse(
    text: str,
    *,
    names: Collection[str],
    functions: Collection[str] = (),
    hints: Mapping[str, str] | None = None,
) -> Formula:
    """Read a text as a formula over the names of its question; FormulaError if it is not one.

    `functions` are those that only some questions have, such as svd_part.
    `hints` maps names that the question does not have, but writers may expect, to what the error should say.
    The constants pi, e and I (the identity matrix) are always known, unless the question uses that name for something else.

    >>> parse("2*log(n/eps)*k_1", names=["k_1", "n", "eps"]).used == {"k_1", "n", "eps"}
    True
    >>> parse("2 log(n)", names=["n"])
    Traceback (most recent call last):
    headwright.forms.faults.FormulaError: Write the multiplication out: 2*log
        2 log(n)
          ^
    """
    known = frozenset(names)
    allowed = {name: count for name, count in FUNCTIONS.items() if name not in _OWN or name in functions}
    reader = _Reader(text, tokens(text), known, allowed, hints or {})
    formula = Formula(text, reader.whole(), known)
    _need_shallow(formula)
    return formula


@final
class _Reader:
    """Walks the tokens once, from left to right."""

    def __init__(
        self,
        text: str,
        words: list[Token],
        names: frozenset[str],
        allowed: Mapping[str, tuple[int, int]],
        hints: Mapping[str, str],
    ) -> None:
        self.text, self.words, self.names, self.allowed, self.hints = text, words, names, allowed, hints
        self.next = 0
        self.depth = 0

    def whole(self) -> Node:
        node = self.sum()
        token = self.look()
        if token.kind == ")":
            raise self.wrong(token, "This bracket closes nothing: a ( is missing before it.")
        if token.kind != "end":
            raise self.wrong(token, _STRAY.get(token.kind, f"{token.text} cannot stand here."))
        return node

    def sum(self) -> Node:
        self.deeper()
        at, sign = self.look().at, 1
        if self.look().kind in ("+", "-"):
            sign = -1 if self.take().kind == "-" else 1
        terms = [(sign, self.product())]
        while self.look().kind in ("+", "-"):
            sign = -1 if self.take().kind == "-" else 1
            terms.append((sign, self.product()))
        self.depth -= 1
        return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else Sum(tuple(terms), at=at)

    def product(self) -> Node:
        at = self.look().at
        factors = [(1, self.signed())]
        while True:
            token = self.look()
            if token.kind in _STARTS:
                before = self.words[self.next - 1].text
                raise self.wrong(token, f"Write the multiplication out: {before}*{token.text}")
            if token.kind not in ("*", "/", "@"):
                break
            self.take()
            factors.append((-1 if token.kind == "/" else 1, self.signed()))
        return factors[0][1] if len(factors) == 1 else Product(tuple(factors), at=at)

    def signed(self) -> Node:
        at, sign = self.look().at, 1
        while self.look().kind in ("+", "-"):
            sign *= -1 if self.take().kind == "-" else 1
        node = self.power()
        return node if sign == 1 else Sum(((-1, node),), at=at)

    def power(self) -> Node:
        base = self.item()
        if self.look().kind != "^":
            return base
        at = self.take().at
        turned = self.look().kind == "name" and self.look().text == "T" and "T" not in self.names
        if turned or self.look().text in ("⊤", "ᵀ"):
            self.take()
            return Transposed(base, at=base.at)
        self.deeper()
        exponent = self.signed()
        self.depth -= 1
        return Power(base, exponent, at=at)

    def item(self) -> Node:
        node = self.atom()
        turns = 0
        while self.look().kind == "'":
            self.take()
            turns += 1
        return Transposed(node, at=node.at) if turns % 2 else node

    def atom(self) -> Node:
        token = self.take()
        match token.kind:
            case "number":
                return Number(token.number, at=token.at)
            case "name":
                return self.named(token)
            case "(":
                node = self.sum()
                self.close(token, ")")
                return node
            case "[":
                return self.array(token)
        raise self.wrong(token, self.missing(token))

    def named(self, token: Token) -> Node:
        called = self.look().kind == "("
        if token.text in self.names:
            return Name(token.text, at=token.at)
        if token.text in CONSTANTS and not called:
            return Constant(token.text, at=token.at)
        small = token.text.lower()
        name = _SPELLINGS.get(small, small)  # capitals do not matter in a function: Log, LN
        if not called:
            meant = None if name in self.allowed else same_name(token.text, self.names)
            if meant is None:
                raise self.wrong(token, self.unknown(token, name in self.allowed))
            return Name(meant, at=token.at)
        if name not in self.allowed:
            raise self.wrong(token, unknown_function(token.text, self.allowed, self.names))
        return self.call(token, name)

    def unknown(self, token: Token, is_function: bool) -> str:
        """The message about a name that the question does not have: its hint first, then k[1] written for k_1."""
        if token.text in self.hints:
            return self.hints[token.text]
        following = self.words[self.next : self.next + 3]
        if [word.kind for word in following] == ["[", "number", "]"]:
            return indexed(token.text, following[1].text, self.names)
        return unknown_name(token.text, self.names, is_function, turned=self.look().kind == "'")

    def call(self, token: Token, name: str) -> Node:
        opening = self.take()
        arguments = [self.sum()]
        while self.look().kind == ",":
            self.take()
            arguments.append(self.sum())
        self.close(opening, ")")
        least, most = self.allowed[name]
        if not least <= len(arguments) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            raise self.wrong(
                token, f"{token.text} takes {wanted} argument{'s' * (most > 1)}, but here it has {len(arguments)}."
            )
        return Call(name, tuple(arguments), at=token.at)

    def array(self, opening: Token) -> Node:
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
        return Array(tuple(rows), at=opening.at)

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

    def close(self, opening: Token, kind: str) -> None:
        token = self.look()
        if token.kind == kind:
            self.take()
            return
        if token.kind == "end":
            raise self.wrong(opening, f"This bracket {opening.kind} is never closed.")
        raise self.wrong(token, _STRAY.get(token.kind, f"{token.text} cannot stand here: a {kind} was expected."))

    def missing(self, token: Token) -> str:
        place = self.words.index(token)
        return no_value(token.kind, token.text, self.words[place - 1].text if place else "")

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise self.wrong(self.look(), f"Brackets and powers are nested more than {MOST_DEPTH} deep.")

    def look(self) -> Token:
        return self.words[self.next]

    def take(self) -> Token:
        token = self.words[self.next]
        self.next = min(self.next + 1, len(self.words) - 1)
        return token

    def wrong(self, token: Token, message: str) -> FormulaError:
        return marked(message, self.text, token.at)


_STRAY = {
    ",": "A comma separates the arguments of a function or the numbers of an array; decimals are written with a point.",
    "]": "This bracket ] closes nothing.",
    ")": "This bracket ) closes nothing here.",
}


def _need_shallow(formula: Formula) -> None:
    """FormulaError for a tree that is too deep for recursion, found without recursion."""
    level, depth = [formula.root], 0
    while level:
        depth += 1
        if depth > MOST_DEPTH:
            raise formula.wrong(level[0], f"This part is nested more than {MOST_DEPTH} deep.")
        level = [part for node in level for part in parts(node)]
