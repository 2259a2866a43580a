"""The value of one line of an answer file: quotes, numbers, arrays and the signs that begin and end mathematics.

A formula is handed on as it was written. LaTeX is full of backslashes, and TOML would read `\\beta` as a backspace and `eta`. So
a text in double quotes is unescaped only if every backslash in it is one that no formula needs: `\\\\`, `\\"`, `\\u03b2`, or a
backslash at the end of a line. Otherwise every backslash stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from headwright import toml_files

UNREADABLE = "\ufffd"  # what stands for a byte that is not text
_ESCAPES = re.compile(r'\\(?:[\\"]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[ \t]*\n)')
_ARRAY = re.compile(r"[\[\]\d\s.,+\-eE_]*")
_NUMBER = re.compile(r"[+-]?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?")
_COMMENT = re.compile(r"(?:^|\s)#")
_LAST = re.compile(r"(?<!\.)[.,;]$")  # 2. is 2, and ... is not the end of a sentence
_CLOSING = {'"': '"', "'": "'", "“": "”", "”": "”", "„": "“”", "‘": "’", "’": "’", "«": "»", "`": "`"}
_REASON = re.compile(
    r"(?:(?<=[\s$,;.)])\(?(?:\\text\{\s*)?(?:since|because)|[,;.]\$?\s*(?:\\text\{\s*)?(?:which|so|hence|thus|therefore))\b",
    re.IGNORECASE,
)
_MATHS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("`", "`"), ("**", "**"), ("__", "__"))


def raw_strings(text: str) -> str:
    """TOML in which the backslashes of formulas stand for themselves; line numbers stay.

    >>> print(raw_strings('q = "\\\\beta"  # "\\\\b"'), raw_strings('q = "\\\\\\\\beta"'))
    q = "\\\\beta"  # "\\b" q = "\\\\beta"
    """
    return toml_files.OPAQUE.sub(lambda found: _raw(found[0]), text)


def _raw(string: str) -> str:
    if string[0] != '"' or "\\" not in string or all_escapes(string):
        return string
    quotes = 3 if string.startswith('"""') else 1
    inner, end = string[quotes:], ""
    if inner.endswith('"'):  # an unclosed string is left to the parser, which refuses it
        inner, end = inner.rstrip('"'), inner[len(inner.rstrip('"')) :]
    return string[:quotes] + inner.replace("\\", "\\\\").replace('\\\\"', '\\\\\\"') + end


def all_escapes(text: str) -> bool:
    """Whether every backslash belongs to an escape that no formula needs.

    >>> all_escapes('a \\\\\\\\ b'), all_escapes("\\\\beta"), all_escapes("\\\\u03b2")
    (True, False, True)
    """
    return "\\" not in _ESCAPES.sub("", text)


def value_of(text: str, *, line: int) -> Any:
    """A text, a number or a list of numbers from what stands after `q =`; ValueError naming the line where quotes do not match.

    >>> value_of('"2*k_1"  # mine', line=3), value_of("2*k_1", line=3), value_of("[1, 2.5]", line=3)
    ('2*k_1', '2*k_1', [1, 2.5])
    >>> value_of(r"$\\beta (k_a + k_b)$", line=3), value_of('"k_1', line=3), value_of("“k_1”", line=3)
    ('\\\\beta (k_a + k_b)', 'k_1', 'k_1')
    """
    text = text.strip()
    if text[:1] in _CLOSING:
        text = _unquoted(text, line)
    else:
        text = _without_comment(text)
        if text.startswith("[") and _ARRAY.fullmatch(text):
            return _toml(text, line)
        if _NUMBER.fullmatch(text):
            return _toml(text.lstrip("+"), line)
        if text.endswith('"') and text.count('"') == 1:  # the opening quote is missing; ' would be a transpose
            text = text[:-1].strip()
    if UNREADABLE in text:
        raise ValueError(f"line {line} holds a character that cannot be read: save the file as text in UTF-8")
    return bare(text)


def without_reason(text: str, asked: Collection[str]) -> tuple[str, str]:
    """A formula and the reason behind it. A reason that defines what is asked for again stays, so that nothing is guessed.

    >>> without_reason("$t k_1$ because $k_1$ leads", ["q"]), without_reason("k_1, so q = 2 k_1", ["q"])
    (('$t k_1$', 'because $k_1$ leads'), ('k_1, so q = 2 k_1', ''))
    """
    found = _REASON.search(text)
    if found is None or any(
        re.search(rf"(?<![\w^\\]){re.escape(name)}\s*:?=", text[found.start() :]) for name in asked
    ):
        return text, ""
    formula = text[: found.start()].rstrip(" \t\n,;")
    sign = "$$" if formula.startswith("$$") else "$"
    if formula.count(sign) % 2:
        formula += sign
    return (formula, text[found.start() :].lstrip(" \t\n,;.")) if formula.strip("$ ") else (text, "")


def bare(text: str) -> str:
    """Without the signs that begin and end mathematics, where both are there and enclose all of it.

    >>> bare("$$ k_1 $$"), bare("$t k_1$ with $t$ large"), bare("**k_1**"), bare("\\\\(k_1\\\\)")
    ('k_1', 't k_1 with t large', 'k_1', 'k_1')
    """
    text = _LAST.sub("", text.strip())
    for opening, closing in _MATHS:
        inner = text[len(opening) : len(text) - len(closing)]
        if len(text) > len(opening) and text.startswith(opening) and text.endswith(closing) and opening not in inner:
            return bare(inner)
    if text.count("$") >= 2 and text.startswith("$"):  # a formula, and a condition behind it
        return " ".join(text.replace("$", " ").split())
    return text


def _unquoted(text: str, line: int) -> str:
    """What stands between the quotes; where the closing one is missing, up to the end of the line."""
    quote = text[:3] if text[:3] in ('"""', "'''") else text[0]
    closing = quote if len(quote) == 3 else f"[{_CLOSING[quote]}]"
    if quote == '"':
        found = re.fullmatch(r'"((?:[^"\\]|\\.)*+)"\s*(?:#.*)?', text, re.DOTALL)
    else:  # a formula may hold the same sign, which is a transpose: the last one closes
        found = re.fullmatch(f"{quote}(.*){closing}\\s*(?:#[^{_CLOSING[quote[0]]}]*)?", text, re.DOTALL)
    inner = found[1] if found else _without_comment(text[len(quote) :])
    if quote[0] in inner and not found and len(quote) == 1:
        raise ValueError(
            f"the quotes in line {line} do not match: write the formula without quotes, or inside one pair"
        )
    if quote[0] == '"' and all_escapes(inner):
        inner = _ESCAPES.sub(_unescaped, inner)
    return inner.strip()


def _without_comment(text: str) -> str:
    """Without ` # …` at the end. A # without a space before it stays, so that a formula is never cut short unseen."""
    found = _COMMENT.search(text)
    return text[: found.start()] if found else text


def _unescaped(found: re.Match[str]) -> str:
    escape = found[0]
    if escape[1] in "uU":
        number = int(escape[2:], 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else UNREADABLE
    return escape[1] if escape[1] in '\\"' else ""


def _toml(text: str, line: int) -> Any:
    try:
        return toml_files.parse(f"x = {text}".encode(), called=f"the number in line {line}")["x"]
    except ValueError as error:
        if _NUMBER.fullmatch(text):
            return text  # 007, say: a formula's number, though not TOML's
        raise ValueError(str(error)) from None
