"""The grammar of formulas: tokens in, every reading that the rules leave out of it. A user's text is never run as code.

    sum     := ["+" | "-"] product (("+" | "-") product)*
    product := factor (("*" | "·" | "×" | "@" | "/" | nothing) factor)*      `products.py` has its readings
    factor  := ("+" | "-")* item, or a function without brackets: log n, log^2 n, √2
    item    := atom ("'" | "^" exponent)*       so -2^2 is -4, 2^3^2 is 2^9, 2^-1 is 1/2, and X^T a transpose
    atom    := number | name | function "(" sum ("," sum)* ")" | "(" sum ")" | "|" sum "|" | "⟨" sum "," sum "⟩" | array

Brackets and exponents are nested at most 60 deep, whatever the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import final

from headwright.reading.formulas import kinds, near_names
from headwright.reading.formulas.cursor import CLOSING, stray
from headwright.reading.formulas.kinds import COLUMN, MATRIX, NUMBER, ROW, UNKNOWN
from headwright.reading.formulas.marks import MarkReader
from headwright.reading.formulas.part_readings import (
    Reading,
    Readings,
    TooMany,
    call_of,
    kept,
    made,
    negated,
    powers,
    quotient,
)
from headwright.reading.formulas.plain_text import FRACTION, ROOT
from headwright.reading.formulas.products import Exponent, Item, read_product
from headwright.reading.formulas.symbols import BARE, Symbols
from headwright.reading.formulas.tokens import MOST_READINGS, Token, too_many
from headwright.theories.formulas.forms.trees import Array, Constant, Name, Number, Sum

_ATOMS = {"number", "name", "constant", "function", "word", "(", "[", "{", "|", "‖", "⟨", "√", FRACTION, ROOT}
_JOINTS = {"*", "·", "×", "⊗", "@", "/"}
_MOST_BARE = 20  # functions without brackets in a row


def read_tokens(text: str, tokens: Sequence[Token], symbols: Symbols) -> Readings:
    """Every reading of these tokens, all of which must belong to one formula; FormulaError if there is none."""
    reader = _Reader(text, tokens, symbols)
    try:
        return reader.whole()
    except TooMany:
        raise too_many(text, tokens[0].at) from None


def _multiplies(number: Token, item: Item) -> bool:
    """Whether a number after a factor can only multiply it: n 2 may be meant as n^2, but a vector has no powers.

    Where nothing stands between them, as in u'1, the number is a slip.
    """
    vector = bool(item.readings) and all(reading.kind in (kinds.COLUMN, kinds.ROW) for reading in item.readings)
    return vector and not number.tight


@final
class _Reader(MarkReader):
    """Walks the tokens once, from left to right."""

    def __init__(self, text: str, tokens: Sequence[Token], symbols: Symbols) -> None:
        super().__init__(text, tokens, symbols)
        self.allowed, self.bars = symbols.allowed, False

    def whole(self) -> Readings:
        readings = self.sum()
        token = self.look()
        if token.kind == ")":
            raise self.wrong(token, "This bracket closes nothing: a ( is missing before it.")
        if token.kind != "end":
            raise self.wrong(token, stray(token))
        return readings

    def sum(self) -> Readings:
        self.deeper()
        at, signs, terms = self.look().at, list[int](), list[Readings]()
        while not terms or self.look().kind in ("+", "-"):
            signs.append(-1 if self.look().kind == "-" else 1)
            if self.look().kind in ("+", "-"):
                self.take()
            terms.append(self.product())
        self.depth -= 1
        if signs == [1]:
            return terms[0]
        found = []
        for chosen in product(*terms):
            node = Sum(tuple((sign, term.node) for sign, term in zip(signs, chosen, strict=True)), at=at)
            found.append(made(node, chosen[-1].node.at, lambda x=chosen: kinds.added([y.kind for y in x]), *chosen))  # type: ignore[misc]
            if len(found) > MOST_READINGS**2:
                raise TooMany
        return kept(found)

    def product(self) -> Readings:
        items = [self.factor("")]
        while True:
            token = self.look()
            if token.kind in _JOINTS:
                if items[-1].function:
                    raise self.wrong(token, f"{token.text} cannot stand right after {items[-1].function}.")
                items.append(self.factor(self.take().kind))
            elif token.kind in _ATOMS and not (self.bars and token.kind in "|‖"):
                if token.kind == "number" and not items[-1].function and not _multiplies(token, items[-1]):
                    raise self.wrong(token, "A number cannot follow directly: write * for a product or ^ for a power.")
                if token.tight and self.tokens[self.next - 1].kind == "name" and self.is_index():
                    raise self.wrong(token, "A formula cannot take entries out of a name with [ ].")
                items.append(self.factor(""))
            elif items[-1].function:
                raise self.wrong(self.tokens[self.next - 1], near_names.without_argument(items[-1].function))
            else:
                return read_product(items)

    def factor(self, joint: str) -> Item:
        token = self.look()
        at, sign = token.at, 1
        while self.look().kind in ("+", "-"):
            sign *= -1 if self.take().kind == "-" else 1
        bare = self.function_alone(joint) if self.look().kind in ("function", "√") else None
        if bare is not None and bare.function:
            if sign == -1:
                raise self.wrong(token, "Put brackets around a minus sign and the function after it.")
            return bare
        item = bare or self.postfixed(self.atom())
        item.at, item.joint, item.tight = at, joint, token.tight
        if sign == -1:
            return Item(at, joint, tuple(negated(reading, at) for reading in self.closed(item).readings))
        return item

    def function_alone(self, joint: str) -> Item:
        """A function: of what stands in brackets, or a function without brackets, whose argument `products.py` finds."""
        token = self.take()
        name, power = ("sqrt", ()) if token.kind == "√" else (token.text, self.head_power())
        if self.look().kind in CLOSING:
            arguments = self.arguments(token, name)
            calls = kept([call_of(name, chosen, token.at) for chosen in product(*arguments)])
            if power:
                return Item(token.at, joint, powers(calls, power, token.at))
            python, item = self.look().text == "**", self.postfixed(calls)
            if item.split is not None and not python and len(arguments) == 1 and name in ("log", "exp"):
                _, exponent, at = item.split  # ln(x)^2 may be ln(x^2)
                inner = [call_of(name, [one], token.at) for one in powers(arguments[0], exponent, at)]
                item.readings, item.split = kept([*self.closed(item).readings, *inner]), None
            return item
        if name not in BARE:
            raise self.wrong(token, near_names.without_argument(token.text))
        before = [one.kind for one in self.tokens[max(0, self.next - _MOST_BARE) : self.next]]
        if len(before) == _MOST_BARE and set(before) <= {"function", "√"}:
            raise self.wrong(token, f"More than {_MOST_BARE} functions stand in a row. Use brackets.")
        return Item(token.at, joint, function=name, power=power, narrow=token.kind == "√", tight=token.tight)

    def head_power(self) -> Readings:
        """The exponent in log^2 n."""
        if self.look().kind != "^":
            return ()
        self.take()
        token = self.look()
        braced = token.kind == "{"
        if braced:
            self.take()
        number = self.take()
        if number.kind != "number" or (braced and self.take().kind != "}"):
            raise self.wrong(token, "Only a number can stand here, as in log^2 n. Put the power behind the brackets.")
        return (Reading(Number(number.number, at=number.at), NUMBER),)

    def arguments(self, token: Token, name: str) -> list[Readings]:
        opening = self.take()
        arguments = [self.sum()]
        while self.look().kind == ",":
            self.take()
            arguments.append(self.sum())
        self.close(opening, CLOSING[opening.kind])
        least, most = self.allowed[name]
        if not least <= len(arguments) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            had = f"but here it has {len(arguments)}"
            raise self.wrong(token, f"{token.text} takes {wanted} argument{'s' * (most > 1)}, {had}.")
        return arguments

    def postfixed(self, readings: Readings) -> Item:
        """An atom with its transposes and powers."""
        item = Item(0, "", readings)
        while self.look().kind in ("'", "⊤", "†", "^"):
            token = self.take()
            mark = {"'": "⊤", "⊤": "⊤", "†": "+"}.get(token.kind) or self.mark(item.readings)
            if mark:
                item = Item(0, "", kept([one for x in item.readings for one in self.marked(mark, x, token)]))
            else:
                item = self.power(item.readings, token)
        return item

    def power(self, base: Readings, token: Token) -> Item:
        """A power; what touches an exponent without brackets may belong to it."""
        self.deeper()
        start, sign = self.look(), 1
        while self.look().kind in ("+", "-"):
            sign *= -1 if self.take().kind == "-" else 1
        plain = self.look().kind in ("number", "name", "constant", "word")
        core = self.atom()
        if self.look().kind == "^":
            core = self.closed(self.power(core, self.take())).readings
        self.depth -= 1
        exponent = core if sign == 1 else tuple(negated(one, start.at) for one in core)
        item = Item(0, "", powers(base, exponent, token.at), split=(base, exponent, token.at))
        item.open = Exponent(base, sign, core, token.at) if plain else None
        return item

    def closed(self, item: Item) -> Item:
        """The item, if nothing touches its exponent: there would be readings that nobody follows."""
        token = self.look()
        if item.open is not None and token.tight and token.kind in ("name", "constant", "function"):
            raise self.wrong(token, "This can be read in too many ways. Put brackets around the exponent.")
        return item

    def atom(self) -> Readings:
        token = self.take()
        match token.kind:
            case "number":
                return (Reading(Number(token.number, at=token.at), NUMBER),)
            case "name":
                return (Reading(Name(token.text, at=token.at), self.symbols.names[token.text]),)
            case "constant":
                return (Reading(Constant(token.text, at=token.at), MATRIX if token.text == "I" else NUMBER),)
            case "word" if token.text == "T" and "T" in self.symbols.names:
                return (Reading(Name("T", at=token.at), self.symbols.names["T"]),)
            case "word":
                raise self.wrong(token, self.unknown(token))
            case "√" if self.look().kind in _ATOMS - {"√"} - set(CLOSING):
                return kept([call_of("sqrt", [x], token.at) for x in self.atom()])
            case "function" | "√":
                self.next -= 1
                item = self.function_alone("")
                if item.function:
                    raise self.wrong(token, f"Put brackets around the argument of {token.text}.")
                return item.readings
            case "[" if self.array_follows():
                rows = self.array(token)
                kind = COLUMN if len(rows[0]) == 1 < len(rows) else ROW if len(rows) == 1 < len(rows[0]) else MATRIX
                return (Reading(Array(rows, at=token.at), UNKNOWN if len(rows) == len(rows[0]) == 1 else kind),)
            case "(" | "{" | "[":
                inner = self.sum()
                self.close(token, CLOSING[token.kind])
                return inner
            case "|" | "‖":
                return self.length(token)
            case "⟨":
                first = self.sum()
                self.close(token, ",")
                pairs = product(first, self.sum())
                self.close(token, "⟩")
                return kept([call_of("dot", pair, token.at) for pair in pairs])
            case _ if token.kind == FRACTION:
                above, below = self.group(), self.group()
                return kept([quotient(x, y, token.at) for x in above for y in below])
            case _ if token.kind == ROOT:
                return kept([call_of("sqrt", [x], token.at) for x in self.group()])
        raise self.wrong(token, self.missing(token))

    def group(self) -> Readings:
        """The argument of a LaTeX command."""
        opening = self.take()
        if opening.kind != "{":
            raise self.wrong(opening, "The argument of this command must stand in braces.")
        readings = self.sum()
        self.close(opening, "}")
        return readings

    def length(self, token: Token) -> Readings:
        """|x| of a number or vector, ‖u‖ and ||u|| of a vector."""
        if self.bars:
            raise self.wrong(token, "Bars inside bars cannot be told apart: write abs(...) or norm(...).")
        double = token.kind == "|" and self.look().kind == "|" and self.look().tight
        if double:
            self.take()
        self.bars = True
        readings = self.sum()
        self.bars = False
        last = self.look()
        self.close(token, token.kind)
        if double and self.take().kind != "|":
            raise self.wrong(last, stray(last))
        return kept([call_of("abs" if x.kind == NUMBER else "norm", [x], token.at) for x in readings])

    def is_index(self) -> bool:
        """Whether a number in [ ] follows, as in k_1[0]."""
        return [one.kind for one in self.tokens[self.next : self.next + 3]] == ["[", "number", "]"]

    def unknown(self, token: Token) -> str:
        """The message about a word that the question does not have as a name."""
        name, names, before = token.text, self.symbols.names, self.tokens[max(self.next - 2, 0)]
        if self.is_index():
            return near_names.indexed(name, self.tokens[self.next + 1].text, names)
        if before.kind == "number" and token.tight and name.startswith(("e_", "E_", "_")):
            return near_names.half_number(before.text, name)
        if self.look().kind == "(" and name not in self.symbols.hints and not near_names.is_symbol(name):
            return near_names.unknown_function(name, self.allowed)
        return near_names.unknown_name(name, names, self.symbols.hints, self.symbols.large)
