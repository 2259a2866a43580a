"""The value of one line of an answer file: quotes, numbers, arrays and the signs that begin and end mathematics.

A formula is handed on as it was written. LaTeX is full of backslashes, and TOML would read `\\beta` as a backspace and `eta`. So
a text in double quotes is unescaped only if every backslash in it is one that no formula needs: `\\\\`, `\\"`, `\\u03b2`, or a
backslash at the end of a line. Otherwise every backslash stands for itself.
"""

from __future__ import annotations

import re
from typing import Any

from headwright.reading import toml_files

UNREADABLE = "\ufffd"  # what stands for a byte that is not text
_ESCAPES = re.compile(r'\\(?:[\\"]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[ \t]*\n)')
_ARRAY = re.compile(r"[\[\]\d\s.,+\-eE_]*")
_NUMBER = re.compile(r"[+-]?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?")
_COMMENT = re.compile(r"(?:^|\s)(?=#)")
_LAST = re.compile(r"(?<!\.)[.,;]$")  # 2. is 2, and ... is not the end of a sentence
_CLOSING = {'"': '"', "'": "'", "“": "”", "”": "”", "„": "“”", "‘": "’", "’": "’", "«": "»", "`": "`"}
# A formula may hold the sign that quotes it, which is a transpose there: the last one closes. A comment follows.
_QUOTED = {
    sign: re.compile(rf"({sign}.*[{closing}])\s*(?:#[^{closing}]*)?", re.DOTALL) for sign, closing in _CLOSING.items()
} | {
    '"': re.compile(r'("(?:[^"\\]|\\.)*+")\s*(?:#.*)?', re.DOTALL),
    '"""': re.compile(r'("""(?:.*)""")\s*(?:#[^"]*)?', re.DOTALL),
    "'''": re.compile(r"('''(?:.*)''')\s*(?:#[^']*)?", re.DOTALL),
}
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


def without_comment(text: str) -> tuple[str, str]:
    """Without ` # …` at the end, and that comment. A # without a space before it stays, so that no formula is cut short unseen.

    >>> without_comment('"2*k_1"  # mine'), without_comment("k_1#2")
    (('"2*k_1"', '# mine'), ('k_1#2', ''))
    """
    text = text.strip()
    quote = text[:3] if text[:3] in ('"""', "'''") else text[:1]
    if quote not in _QUOTED:
        found = _COMMENT.search(text)
    elif (quoted := _QUOTED[quote].fullmatch(text)) is not None:
        return text[: quoted.end(1)], text[quoted.end(1) :].strip()
    else:
        found = _COMMENT.search(text, len(quote))
    return (text[: found.start()].rstrip(), text[found.end() :].strip()) if found else (text, "")


def value_of(text: str, *, line: int) -> Any:
    """A text, a number or a list of numbers from what stands after `q =`; ValueError naming the line where quotes do not match.

    >>> value_of('"2*k_1"', line=3), value_of("2*k_1", line=3), value_of("[1, 2.5]", line=3)
    ('2*k_1', '2*k_1', [1, 2.5])
    >>> value_of(r"$\\beta (k_a + k_b)$", line=3), value_of('"k_1', line=3), value_of("“k_1”", line=3)
    ('\\\\beta (k_a + k_b)', 'k_1', 'k_1')
    """
    text = text.strip()
    if text[:1] in _CLOSING:
        text = _unquoted(text, line)
    else:
        if text.startswith("[") and _ARRAY.fullmatch(text):
            return _toml(text, line)
        if _NUMBER.fullmatch(text):
            return _toml(text.lstrip("+"), line)
        if text.endswith('"') and text.count('"') == 1:  # the opening quote is missing; ' would be a transpose
            text = text[:-1].strip()
    if UNREADABLE in text:
        raise ValueError(f"line {line} holds a character that cannot be read: save the file as text in UTF-8")
    return bare(text)


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
    closed = _QUOTED[quote].fullmatch(text) is not None
    inner = text[len(quote) : -len(quote)] if closed else text[len(quote) :]
    if quote[0] in inner and not closed and len(quote) == 1:
        raise ValueError(
            f"the quotes in line {line} do not match: write the formula without quotes, or inside one pair"
        )
    if quote[0] == '"' and all_escapes(inner):
        inner = _ESCAPES.sub(_unescaped, inner)
    return inner.strip()


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
