"""The tokens of a formula: numbers, names, operators and brackets, each with its place in the text.

Only the tokens listed here are possible. Everything else is an error that names the character and says what to write instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright.forms import FormulaError
from headwright.formulas.error_pictures import marked

LONGEST_TEXT = 2_000
MOST_TOKENS = 500
MOST_DIGITS = 40
LARGEST_EXPONENT = 300

_NUMBER = re.compile(r"(?:[0-9]+(?:\.(?!T\b)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[A-Za-z_µ\u0370-\u03ff](?:_\{[A-Za-z0-9]{1,8}\}|[A-Za-z0-9_µ\u0370-\u03ff₀-₉ₐᵢⱼ])*")
_OF_A_MODULE = re.compile(r"(?:np|numpy|math|torch|jnp|cmath)\.(?:linalg\.)?([A-Za-z]\w{0,30})")
_PARTS = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3), "⅕": (1, 5), "⅛": (1, 8)}
_OPERATORS = ("**", "+", "-", "*", "/", "@", "^", "'", "(", ")", "[", "]", ",")
_SAME = {
    **dict.fromkeys("·⋅×∗", "*"),
    **dict.fromkeys("−–", "-"),
    **dict.fromkeys("’′ᵀ⊤", "'"),
    "÷": "/",
    **{c: f"^{i}" for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}
_GREEK = {"ε": "eps", "ϵ": "eps", "β": "beta", "μ": "mu", "µ": "mu", "π": "pi"}
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₐᵢⱼ", "0123456789aij")
_INSTEAD = {
    **dict.fromkeys('"`“”‘„', "A formula cannot contain text in quotation marks."),
    **dict.fromkeys("<>≤≥≠", "A formula is one value and cannot contain a comparison."),
    "=": "Write only what stands on the right of the = sign.",
    ".": "A dot belongs in a decimal such as 0.5 or in .T for a transpose; a formula cannot use attributes.",
    **dict.fromkeys("{}", "Use round brackets ( ) for grouping, [ ] for arrays of numbers."),
    **dict.fromkeys(";:", "A formula is one expression, without statements or ranges: leave out ; and :"),
    "\\": "LaTeX is not read here: write log(n), k_1, beta without backslashes.",
    "$": "LaTeX is not read here: leave the $ signs out.",
    "√": "Write sqrt(...) for a root.",
    "‖": "Write norm(...) for a length.",
    "|": "Write abs(...) for a number and norm(...) for a vector.",
    "∞": "Write a large symbol of the question, such as t; infinity is not a number.",
}


@final
@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is "number", "name", "end" or an operator. `text` is a name as the question spells it, or what was written."""

    kind: str
    at: int
    text: str
    number: Fraction = Fraction(0)


def tokens(text: str) -> list[Token]:
    """The tokens of a text, followed by one of kind "end"; FormulaError if it contains anything else."""
    if not isinstance(text, str):
        raise TypeError(f"`text` must be a string, got {type(text).__name__}")
    if len(text) > LONGEST_TEXT:
        raise FormulaError(f"The formula has {len(text):,} characters; at most {LONGEST_TEXT:,} are allowed.")
    words: list[Token] = []
    at = 0
    while at < len(text):
        if text[at] in " \t\r\n\u00a0":
            at += 1
            continue
        here, length = _next(text, at)
        words += here
        at += length
        if len(words) > MOST_TOKENS:
            raise marked(f"The formula has more than {MOST_TOKENS} parts.", text, at - 1)
    if not words:
        raise FormulaError("The formula is empty.")
    return [*words, Token("end", len(text), "")]


def _next(text: str, at: int) -> tuple[list[Token], int]:
    """What stands at this place, and how many characters it takes."""
    if match := _NUMBER.match(text, at):
        return [Token("number", at, match[0], _decimal(text, at, match[0]))], len(match[0])
    if text.startswith(".T", at) and not (text[at + 2 : at + 3].isalnum() or text[at + 2 : at + 3] == "_"):
        return [Token("'", at, ".T")], 2
    if match := _OF_A_MODULE.match(text, at):
        raise marked(f"Functions have no module prefix here: write {match[1]}(...).", text, at)
    if text[at] in _PARTS:
        return [Token("number", at, text[at], Fraction(*_PARTS[text[at]]))], 1
    if match := _NAME.match(text, at):
        return [Token("name", at, _plain(match[0]))], len(match[0])
    same = _SAME.get(text[at])
    if same is not None:
        raised = [Token("number", at, text[at], Fraction(same[1:]))] if len(same) > 1 else []
        return [Token(same[0], at, text[at]), *raised], 1
    for operator in _OPERATORS:
        if text.startswith(operator, at):
            return [Token("^" if operator == "**" else operator, at, operator)], len(operator)
    raise marked(_unknown(text[at]), text, at)


def _decimal(text: str, at: int, digits: str) -> Fraction:
    mantissa, _, exponent = digits.lower().partition("e")
    if len(mantissa) > MOST_DIGITS:
        raise marked(f"This number has more than {MOST_DIGITS} digits.", text, at)
    if exponent and (len(exponent) > 5 or abs(int(exponent)) > LARGEST_EXPONENT):
        raise marked(f"A number must lie between 1e-{LARGEST_EXPONENT} and 1e{LARGEST_EXPONENT}.", text, at)
    return Fraction(digits)


def _plain(name: str) -> str:
    """Greek letters and subscripts as the question spells them: μ_a is mu_a, k₁ and k_{1} are k_1."""
    name = name.replace("{", "").replace("}", "")
    for letter, spelled in _GREEK.items():
        name = name.replace(letter, spelled)
    lowered = name.translate(_SUBSCRIPTS)
    if lowered == name:
        return name
    first = next(i for i, (a, b) in enumerate(zip(name, lowered, strict=True)) if a != b)
    return lowered if lowered[first - 1] == "_" else f"{lowered[:first]}_{lowered[first:]}"


def _unknown(character: str) -> str:
    said = _INSTEAD.get(character)
    if said is not None:
        return said
    if not character.isprintable():
        return f"The formula contains an invisible character (U+{ord(character):04X}); delete it."
    return f"The character {character} has no meaning in a formula."
