"""The tokens of a formula: numbers, names, operators and brackets, each with its place in the text.

Two spellings leave the tokens themselves open: 2e-3 is a number or 2·e − 3, and tk is t_k or t·k where the question has all
three names. Whoever writes a spelling twice means the same both times, so there is one choice for each of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import final

from headwright.reading.formulas.error_pictures import marked
from headwright.reading.formulas.plain_text import FRACTION, JOINT, LONGEST_TEXT, ROOT, PlainText
from headwright.reading.formulas.symbols import Piece, Symbols
from headwright.reading.formulas.words import CONDITION_WORDS
from headwright.theories.formulas.forms import FormulaError

__all__ = ["LONGEST_TEXT", "MOST_READINGS", "Token", "token_lists", "too_many"]

MOST_TOKENS = 500
MOST_DIGITS = 40
LARGEST_EXPONENT = 300
MOST_READINGS = 16

_NUMBER = re.compile(r"(?:[0-9]+(?:\.(?!T\b)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SMALL = re.compile(r"([0-9.]+)e([+-])([0-9]+)")  # a number such as 2e-3, or 2·e − 3
_LETTER = "A-Za-z\u0370-\u03ff"
_WORD = re.compile(rf"[{_LETTER}_](?:_\{{[A-Za-z0-9]{{1,8}}\}}|[{_LETTER}0-9_])*")
_BASE = re.compile(r"(log|ln|lg)_(?:\{([^{}]{0,9})\}|([A-Za-z0-9]{1,9}))", re.IGNORECASE)
_TWO = re.compile(r"_(?:\{2\}|2(?![0-9]))")
_OF_A_MODULE = re.compile(r"(?:np|numpy|math|torch|jnp|cmath)\.(?:linalg\.)?([A-Za-z]\w{0,30})")
_PARTS = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3), "⅕": (1, 5), "⅛": (1, 8)}
_RELATIONS = {
    **{sign: sign for sign in ("≫", "≪", "→", "≥", "≤", ">", "<", "∈", "=")},
    **{">>>": "≫", ">>": "≫", "<<": "≪", "-->": "→", "->": "→", ">=": "≥", "<=": "≤", ":=": "=", "==": "="},
}
_SIGNS = sorted(
    [
        *_RELATIONS,
        *(
            "**",
            "+",
            "-",
            "*",
            "·",
            "×",
            "/",
            "@",
            "^",
            "'",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            ",",
            ";",
            "|",
            "‖",
            "⟨",
            "⟩",
        ),
        *("⊤", "†", "√", "∞", "∅", "ℝ", "⊗", FRACTION, ROOT),
    ],
    key=len,
    reverse=True,
)
_BY_FIRST = {sign[0]: [one for one in _SIGNS if one[0] == sign[0]] for sign in _SIGNS}
_INSTEAD = {
    **dict.fromkeys('"`“”‘„', "A formula cannot contain text in quotation marks."),
    "≠": "A formula is one value and cannot contain a comparison.",
    ".": "A dot belongs in a decimal such as 0.5 or in .T for a transpose; a formula cannot use attributes.",
    ":": "A formula is one expression, without statements or ranges: leave out the colon.",
    "_": "This subscript belongs to no name.",
    "…": "Write the formula out, without dots.",
}


@final
@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is "number", "name", "constant", "function", "word", "relation", "end" or a sign; `text` is what it means.

    `tight`: nothing stands between it and the token before. `end` is the place after it.
    """

    kind: str
    at: int
    text: str
    end: int = 0
    tight: bool = False
    number: Fraction = Fraction(0)


Choice = tuple[str, list[list[Token]]]  # a spelling, and the tokens that it may stand for


def token_lists(text: str, symbols: Symbols) -> list[list[Token]]:
    """The tokens of a text, followed by one of kind "end", in every way that is open; FormulaError for anything else."""
    return _Lexer(PlainText(text), symbols).lists()


def too_many(text: str, at: int) -> FormulaError:
    """The error about a formula with too many readings."""
    return marked(
        f"This can be read in more than {MOST_READINGS} ways. Put brackets around what belongs together.", text, at
    )


@final
class _Lexer:
    def __init__(self, source: PlainText, symbols: Symbols) -> None:
        self.source, self.symbols, self.words = source, symbols, symbols.vocabulary
        self.parts: list[Token | Choice] = []
        self.last = -1  # the place in the plain text after the last token
        self.count = 0
        plain, at = source.plain.rstrip().removesuffix(".").rstrip(), 0
        self.plain = plain
        while at < len(plain):
            if plain[at] in (" ", JOINT):
                at += 1
                continue
            at = self.next(at)
            if self.count > MOST_TOKENS:
                raise marked(f"The formula has more than {MOST_TOKENS} parts.", source.text, self.place(at - 1))
        if not self.parts:
            raise FormulaError("The formula is empty.")

    def lists(self) -> list[list[Token]]:
        end = Token("end", len(self.source.text), "", len(self.source.text))
        open_ones: dict[str, int] = {part[0]: len(part[1]) for part in self.parts if isinstance(part, tuple)}
        if 2 ** len(open_ones) > MOST_READINGS:
            raise too_many(self.source.text, 0)
        lists = []
        for taken in product(*(range(count) for count in open_ones.values())):
            chosen, tokens = dict(zip(open_ones, taken, strict=True)), list[Token]()
            for part in self.parts:
                tokens += part[1][chosen[part[0]]] if isinstance(part, tuple) else [part]
            lists.append([*tokens, end])
        return lists

    def place(self, at: int) -> int:
        return self.source.places[at] if at < len(self.source.places) else len(self.source.text)

    def token(self, kind: str, at: int, end: int, text: str, number: Fraction = Fraction(0)) -> Token:
        here, last = self.place(at), self.place(end - 1) + 1
        token = Token(kind, here, text, max(here + 1, last), at == self.last, number)
        self.last = end
        self.count += 1
        return token

    def next(self, at: int) -> int:
        """Read what stands at this place; the place after it."""
        plain, text = self.plain, self.source.text
        if match := _NUMBER.match(plain, at):
            return self.digits(at, match[0])
        if (match := _TWO.match(plain, at)) and self.parts and getattr(self.parts[-1], "kind", "") in ("|", "‖"):
            return match.end()  # ‖u‖_2 is ‖u‖
        if plain.startswith(".T", at) and not (plain[at + 2 : at + 3].isalnum() or plain[at + 2 : at + 3] == "_"):
            self.parts.append(self.token("'", at, at + 2, ".T"))
            return at + 2
        if match := _OF_A_MODULE.match(plain, at):
            raise marked(f"Functions have no module prefix here: write {match[1]}(...).", text, self.place(at))
        if plain[at] in _PARTS:
            self.parts.append(self.token("number", at, at + 1, plain[at], Fraction(*_PARTS[plain[at]])))
            return at + 1
        if match := _BASE.match(plain, at):
            if (match[2] or match[3]) != "e":
                base = match[2] or match[3]
                said = f"log is the natural logarithm here; write log(x)/log({base}) for another base."
                raise marked(said, text, self.place(at))
            self.parts.append(self.token("function", at, match.end(), "log"))
            return match.end()
        if match := _WORD.match(plain, at):
            return self.word(at, match[0])
        for sign in _BY_FIRST.get(plain[at], ()):
            if plain.startswith(sign, at):
                related = sign in _RELATIONS
                kind = "relation" if related else "^" if sign == "**" else sign
                self.parts.append(self.token(kind, at, at + len(sign), _RELATIONS[sign] if related else sign))
                return at + len(sign)
        raise marked(_unknown(plain[at]), text, self.place(at))

    def digits(self, at: int, digits: str) -> int:
        end, before = at + len(digits), self.last
        number = self.token("number", at, end, digits, _decimal(self.source.text, self.place(at), digits))
        small = _SMALL.fullmatch(digits)
        if small is None or "e" in self.symbols.names:
            self.parts.append(number)
            return end
        self.last, middle = before, at + len(small[1])
        spelled = [
            self.token("number", at, middle, small[1], Fraction(small[1])),
            self.token("constant", middle, middle + 1, "e"),
            self.token(small[2], middle + 1, middle + 2, small[2]),
            self.token("number", middle + 2, end, small[3], Fraction(small[3])),
        ]
        self.parts.append(("2e-3", [[number], spelled]))
        return end

    def word(self, at: int, written: str) -> int:
        """The names that a run of letters is made of; a token of the kind "word" if it is none."""
        end = at + len(written)
        word, places, closed = _closed(written, at)
        power = self.plain[end : end + 1] == "^"
        after_power = any(isinstance(part, Token) and part.kind in ("^", "{") for part in self.parts[-1:])
        if after_power and word.startswith("T") and word not in self.words.every:
            self.parts.append(self.token("word", at, at + 1, "T"))  # the transpose in A^TA; the grammar looks at it
            return at + 1
        if word not in self.words.every and word.casefold() in CONDITION_WORDS:
            self.parts.append(self.token("word", at, end, word))
            return end
        readings = self.words.readings(word, closed, power)
        if not readings:
            self.parts.append(self.token("word", at, end, word))
            return end
        before, made = self.last, []
        for reading in readings:
            self.last = before
            made.append(self.pieces(reading, places))
        self.last = end
        if len(made) > 1:
            self.parts.append((word, made))
        else:
            self.parts += made[0]
        return end

    def pieces(self, reading: Sequence[Piece], places: Sequence[int]) -> list[Token]:
        tokens: list[Token] = []
        for kind, text, start, stop in reading:
            number = _decimal(self.source.text, self.place(places[start]), text) if kind == "number" else Fraction(0)
            token = self.token(kind, places[start], places[stop - 1] + 1, text, number)
            tokens.append(replace(token, tight=True) if tokens else token)
        return tokens


def _closed(written: str, at: int) -> tuple[str, list[int], list[int]]:
    """A word without the braces of its subscripts, the place of each letter, and where a subscript in braces ends."""
    kept = [i for i, character in enumerate(written) if character not in "{}"]
    closed = [bisect_right(kept, i) for i, character in enumerate(written) if character == "}"]
    return "".join(written[i] for i in kept), [at + i for i in kept], closed


def _decimal(text: str, at: int, digits: str) -> Fraction:
    mantissa, _, exponent = digits.lower().partition("e")
    if len(mantissa) > MOST_DIGITS:
        raise marked(f"This number has more than {MOST_DIGITS} digits.", text, at)
    if exponent and (len(exponent) > 5 or abs(int(exponent)) > LARGEST_EXPONENT):
        raise marked(f"A number must lie between 1e-{LARGEST_EXPONENT} and 1e{LARGEST_EXPONENT}.", text, at)
    return Fraction(digits)


def _unknown(character: str) -> str:
    said = _INSTEAD.get(character)
    if said is not None:
        return said
    if not character.isprintable():
        return f"The formula contains an invisible character (U+{ord(character):04X}); delete it."
    return f"The character {character} has no meaning in a formula."
