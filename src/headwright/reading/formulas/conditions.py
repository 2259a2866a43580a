"""What stands around a formula: `q =` in front, and a condition behind it such as `t ≫ 0`, `for t large` or `as β → ∞`.

A condition on a symbol that stands for a large number says what the claim means anyway. A condition on another number, such as
n ≥ 3, narrows the claim: the answer is judged for the whole family all the same, and `Condition.note` says so. Anything else that
stands behind a formula is an error that shows the place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

from headwright.reading.formulas.error_pictures import marked
from headwright.reading.formulas.kinds import NUMBER
from headwright.reading.formulas.symbols import Symbols, shown_name
from headwright.reading.formulas.tokens import Token
from headwright.reading.formulas.words import CONDITION_WORDS
from headwright.theories.formulas.forms import FormulaError

_STARTS = {
    *("for", "with", "where", "as", "when", "if", "given", "provided", "assuming", "taking", "letting", "let", "in"),
    *("while", "such", "that", "and"),
}
_LARGE = {"large", "big", "huge", "infinite", "grows", "grow", "growing", "increases", "increasing"}
_SMALL = {"small", "tiny", "smaller", "less", "negative", "zero"}
_BEFORE_LARGE = {"sufficiently", "arbitrarily", "suitably", "very", "really", "large", "big", "huge"}
_TO = {"to", "approaches"}
_ALL = {"any", "all", "every", "each", "positive", "fixed", "given", "arbitrary"}
_LOOSE = {*_ALL, "some", "constant"} - {"positive"}  # for all t > 0
_INTRODUCED = {
    *("let", "take", "choose", "set", "use", "answer", "then", "so", "thus", "we", "put", "pick", "the", "query", "is"),
    *("hence", "one", "can", "matrix", "choosing", "taking", "with"),
}
_WHOLE = {tuple(said.split()) for said in ("n ≥ 2", "n > 1", "n ≥ 1", "eps > 0", "eps < 1", "eps ∈ (0,1)")}
_MIRRORED = {"≪": "≫", "<": ">", "≤": "≥", ">": "<", "≥": "≤", "≫": "≪"}
_OPEN, _SHUT = "([{⟨", ")]}⟩"


@final
@dataclass(frozen=True)
class Condition:
    """A condition behind a formula: its `text`, the `names` that it is about, and what to say about it, "" for nothing.

    A `loose` one, such as "for any t", may take back that a symbol is large: the formula alone does not say what is meant.
    """

    text: str
    names: tuple[str, ...]
    note: str = ""
    loose: bool = False

    @property
    def narrows(self) -> bool:
        """Whether it leaves out a part of what the question asks for."""
        return bool(self.note)


def after_equals(text: str, tokens: list[Token], answer: str) -> list[Token]:
    """The tokens behind `q =`, where q is the name of the answer; all of them if there is no such beginning."""
    place = next((i for i, token in enumerate(tokens) if token.kind == "relation"), None)
    if place is None or tokens[place].text != "=":
        return tokens
    if any(token.kind in (",", ";") or token.text.casefold() in _STARTS for token in tokens[1:place]):
        return tokens  # a condition that cannot be read: t*k_a with t = 2
    named = [token for token in tokens[:place] if token.text.lower() not in _INTRODUCED]
    if len(named) != 1 or not answer or named[0].text.replace("_", "") != answer.replace("_", ""):
        said = f" The name in front of it can only be {answer}." if answer else ""
        raise marked(f"Write only what follows the = sign.{said}", text, tokens[place].at)
    return tokens[place + 1 :]


def divided(text: str, tokens: list[Token], symbols: Symbols) -> tuple[list[Token], list[Token]]:
    """The tokens of the formula itself, and those of the conditions behind it."""
    cut = _cut(text, tokens, symbols)
    if cut is None:
        return tokens, []
    here, behind = tokens[:cut], tokens[cut:-1]
    _need_separate(text, here, behind, symbols)
    end = here[-1].end if here else tokens[0].at
    return [*here, Token("end", end, "", end)], behind


def conditions(
    text: str, tokens: Sequence[Token], symbols: Symbols, number: Callable[[list[Token]], object]
) -> tuple[Condition, ...]:
    """The conditions that these tokens say; `number` reads what a symbol is compared with."""
    return tuple(_Piece(text, piece, symbols, number).condition() for piece in _pieces(tokens))


def _cut(text: str, tokens: Sequence[Token], symbols: Symbols) -> int | None:
    """The place where the formula ends and its conditions begin."""
    depth = 0
    for i, token in enumerate(tokens):
        if depth == 0:
            if token.kind in (",", ";"):
                _need_no_decimal(text, tokens, i)
                return i
            if token.kind == "word" and token.text.casefold() in _STARTS:
                return i
            if token.kind == "relation":
                return _back(tokens, i, symbols)
            if token.kind == "word" and token.text.casefold() in _BEFORE_LARGE:
                following = [one for one in tokens[i + 1 :] if one.kind != "word"]
                return i if following[0].kind == "name" else _back(tokens, i, symbols)
            if token.kind in ("(", "[") and i and _holds_condition(tokens, i):
                return i
        depth += (token.kind in _OPEN) - (token.kind in _SHUT)
    return None


def _back(tokens: Sequence[Token], place: int, symbols: Symbols) -> int:
    """The name before a relation, or the number: what stands before that belongs to the formula."""
    start = place
    while start and tokens[start - 1].kind == "word" and tokens[start - 1].text.casefold() in CONDITION_WORDS:
        start -= 1
    return start - 1 if start and tokens[start - 1].kind in ("name", "number") else start


def _holds_condition(tokens: Sequence[Token], opening: int) -> bool:
    """Whether the brackets that open here hold a condition, such as (t large), and nothing follows them but others."""
    depth = 0
    for token in tokens[opening:]:
        depth += (token.kind in _OPEN) - (token.kind in _SHUT)
        if depth == 1 and (token.kind == "relation" or token.text.casefold() in _LARGE | {"for", "with", "where"}):
            return True
        if depth == 0:
            return False
    return False


def _need_no_decimal(text: str, tokens: Sequence[Token], comma: int) -> None:
    before, after = tokens[comma - 1] if comma else tokens[comma], tokens[comma + 1]
    if tokens[comma].kind == "," and before.kind == after.kind == "number" and tokens[comma].tight and after.tight:
        raise marked("Decimals are written with a point: 0.5, not 0,5.", text, tokens[comma].at)


def _need_separate(text: str, here: Sequence[Token], behind: Sequence[Token], symbols: Symbols) -> None:
    """FormulaError where a name may belong to the formula or to the condition: k_a t ≫ 0, and t*k_a s, T ≫ n."""
    first, last = behind[0], here[-1] if here else behind[0]
    if here and first.kind == "name" and all(token.text != first.text for token in here):
        raise marked("Put a comma between the formula and its condition.", text, first.at)
    if len(here) > 1 and last.text in symbols.large and not last.tight and first.kind == ",":
        following = [token.kind for token in behind[1:3]]
        if here[-2].kind in ("name", ")", "'") and following == ["name", "relation"]:
            raise marked("Put a comma between the formula and its condition.", text, last.at)


def _pieces(tokens: Sequence[Token]) -> list[list[Token]]:
    """The conditions one by one: separated by commas outside brackets, or by the word and. In s, T ≫ n there is one."""
    pieces, depth = [list[Token]()], 0
    for token in tokens:
        depth += (token.kind in _OPEN) - (token.kind in _SHUT)
        if depth == 0 and (token.kind in (",", ";") or token.text == "and"):
            if _says_something(pieces[-1]):
                pieces.append([])
        else:
            pieces[-1].append(token)
    if len(pieces) > 1:
        named = any(token.kind == "name" for token in pieces[-1])
        related = any(token.kind == "relation" for token in (*pieces[-2], *pieces[-1]))
        if not named or not (related or _says_something(pieces[-1])):  # for t > 0 and large; for large s and T
            pieces[-2:] = [pieces[-2] + pieces[-1]]
    return [piece for piece in pieces if piece]


def _says_something(piece: Sequence[Token]) -> bool:
    """Whether more than names stands in a condition."""
    return any(
        token.kind == "relation" or token.text.casefold() in _LARGE | _TO | _ALL | {"than", "small", "tiny"}
        for token in piece
    )


@final
class _Piece:
    """One condition, as tokens."""

    def __init__(
        self, text: str, tokens: list[Token], symbols: Symbols, number: Callable[[list[Token]], object]
    ) -> None:
        self.text, self.symbols, self.number = text, symbols, number
        self.said = text[tokens[0].at : tokens[-1].end].strip(" ,;.$")
        if "\\" in self.said:
            self.said = " ".join(shown_name(one.text) if one.kind == "name" else one.text for one in tokens)
        if tokens[0].kind in ("(", "[") and tokens[-1].kind in (")", "]"):
            tokens = tokens[1:-1] or tokens
        self.tokens = tokens

    def condition(self) -> Condition:
        for token, after in zip(self.tokens, [*self.tokens[1:], self.tokens[0]], strict=True):
            if token.text.casefold() == "without" and after.text not in ("bound", "limit"):
                raise self.wrong(token, "This condition is not understood.")
        relations = [i for i, token in enumerate(self.tokens) if token.kind == "relation"]
        if not relations:
            return self.in_words()
        if any(self.tokens[i].text == "=" for i in relations):
            said = "Write the value itself into the formula, in place of its name."
            raise self.wrong(self.tokens[relations[0]], said)
        if len(relations) > 2:
            raise self.wrong(self.tokens[relations[2]], "This condition is not understood.")
        sides = [self.tokens[a + 1 : b] for a, b in zip([-1, *relations], [*relations, len(self.tokens)], strict=True)]
        if len(sides) == 3:  # 0 < eps < 1
            if {*self.names(sides[1])} & {*self.symbols.large}:
                raise self.wrong(sides[1][0], f"{shown_name(sides[1][0].text)} stands for a large number here.")
            return self.about(sides[1], ">", sides[0], whole=_plain(sides[0]) == "0" and _plain(sides[2]) == "1")
        sign = self.tokens[relations[0]].text
        left, right = (self.names(side, quiet=True) for side in sides)
        if left and not (
            sign in _MIRRORED and right and right[0] in self.symbols.large and left[0] not in self.symbols.large
        ):
            return self.about(sides[0], sign, sides[1])
        if not right:
            self.names(sides[0])  # says what is wrong with it
        return self.about(sides[1], _MIRRORED.get(sign, "?"), sides[0])

    def in_words(self) -> Condition:
        """for all large t; t much larger than n; t tends to infinity; for all n."""
        words = [token.text.casefold() for token in self.tokens]
        if _SMALL & {*words}:
            return self.made(self.names([token for token in self.tokens if token.kind == "name"][:1]), "other")
        for i, word in enumerate(words):
            if word == "than":
                sign = "≫" if {"much", "far"} & set(words) else ">"
                return self.about(self.tokens[:i], sign, self.tokens[i + 1 :])
            if word in _TO or (word == "with" and "compared" in words[:i]):
                sign = "≫" if {"compared", "relative"} & set(words) else "→"
                return self.about(self.tokens[:i], sign, self.tokens[i + 1 :])
        names = self.names(self.tokens)
        if any(word in _LARGE for word in words):
            return self.made(names, "large")
        if any(word in _ALL for word in words):
            return self.made(names, "all")
        raise self.wrong(self.tokens[0], "This is neither part of the formula nor a condition on a large symbol.")

    def about(self, side: Sequence[Token], sign: str, value: list[Token], *, whole: bool = False) -> Condition:
        names = self.names(side)
        little = _SMALL & {token.text.casefold() for token in (*side, *value)} and {*names} & {*self.symbols.large}
        beside = [token for token in value if token.kind == "name" and token.text in self.symbols.large]
        if beside and not {*names} & {*self.symbols.large}:  # n much larger than t
            raise self.wrong(beside[0], f"{shown_name(beside[0].text)} stands for a large number here.")
        value = [
            token
            for token in value
            if token.kind != "word" or token.text.casefold() not in CONDITION_WORDS - {"infinity", "inf"}
        ]
        value = value[1:] if [token.kind for token in value] == ["+", "∞"] else value
        infinite = len(value) == 1 and value[0].text.casefold() in ("∞", "infinity", "inf")
        small = sign == "→" and not infinite
        if sign == "∈" and value and value[0].text == "ℝ":
            return self.made(names, "all")
        if not infinite and not (sign == "∈" and value and value[0].kind in "([" and len(value) == 5):
            self.number([*value, Token("end", value[-1].end, "")] if value else [Token("end", len(self.text), "")])
        if whole or (len(names) == 1 and (names[0], sign, _plain(value)) in _WHOLE):
            return self.made(names, "all")
        if small or little or sign not in ("≫", "→", ">", "≥"):
            return self.made(names, "other", side[0] if side else None)
        return self.made(names, "large" if sign in ("≫", "→") else "from")

    def names(self, tokens: Sequence[Token], *, quiet: bool = False) -> tuple[str, ...]:
        """The names that a condition is about; everything else must be a word that conditions are made of."""
        names = tuple(token.text for token in tokens if token.kind == "name")
        others = [
            token
            for token in tokens
            if token.kind != "name"
            and not (token.kind == "word" and token.text.casefold() in CONDITION_WORDS)
            and token.kind not in (",", ";")
        ]
        if quiet:
            return () if others else names
        if others or not names:
            place = (others or list(tokens) or self.tokens)[0]
            raise self.wrong(place, "This is neither part of the formula nor a condition on its symbols.")
        return names

    def made(self, names: tuple[str, ...], says: str, place: Token | None = None) -> Condition:
        for name in names:
            if self.symbols.names.get(name) != NUMBER:
                raise self.wrong(place or self.tokens[0], f"A condition on {shown_name(name)} is not understood here.")
        if all(name in self.symbols.large for name in names):
            if says == "other":
                raise self.wrong(place or self.tokens[0], f"{shown_name(names[0])} stands for a large number here.")
            listed = " and ".join(map(shown_name, names))
            note = f"The answer is judged for every {listed} that is large enough. Your condition itself is not judged."
            loose = says == "all" or (says == "from" and any(one.text.casefold() in _LOOSE for one in self.tokens))
            return Condition(self.said, names, "" if says == "large" else note, loose)
        narrowed = (
            f"Your condition “{self.said}” narrows the claim. The answer is judged without it, for the whole family."
        )
        note = "" if says == "all" else narrowed
        return Condition(self.said, names, note, loose=any(name in self.symbols.large for name in names))

    def wrong(self, token: Token, message: str) -> FormulaError:
        return marked(message, self.text, token.at)


def _plain(tokens: Sequence[Token]) -> str:
    return "".join(token.text for token in tokens)
