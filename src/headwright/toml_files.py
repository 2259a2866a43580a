"""TOML of strangers: the one door to `tomllib`, with the work counted before it begins.

The parser's time grows with the square of the parts of a dotted name, and each byte of a text may cost fifty of memory. So
names are counted first, in one pass over the text without its strings and comments, and every byte is paid for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from headwright.budget import DEFAULT, OverBudget, spend, within

_A_BYTE = 500  # units: what an empty table of two bytes costs in time and memory
_MOST_DOTS = 16
# Strings and comments. Each pattern matches wherever it begins, closed or not, and never goes back: the scan is linear. A string
# over several lines may end in up to two quotes of its own.
_OPAQUE = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z|\\\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL,
)
_BETWEEN_NAMES = re.compile(r"[\n,=\[\]{}]")


@contextmanager
def reading(what: str, amount: Any = DEFAULT) -> Iterator[None]:
    """Inside the block at most `amount` units are spent; what goes beyond is a ValueError about `what`."""
    with within(amount):
        try:
            yield
        except OverBudget as over:
            raise ValueError(f"reading {what} takes {over}") from over


def parse(content: bytes, *, called: str, parse_float: Callable[[str], Any] = float, hint: str = "") -> dict[str, Any]:
    """The tables of a TOML text, or ValueError in words; `called` begins every complaint, `hint` may end it.

    >>> parse(b"a.b = 1", called="the file")
    {'a': {'b': 1}}
    """
    spend(_A_BYTE * len(content))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{called} is not text in UTF-8: byte {error.start} cannot be read") from None
    if _longest_name(text) > _MOST_DOTS:
        raise ValueError(f"{called} has a name of more than {_MOST_DOTS} parts joined by dots")
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        raise ValueError(f"{called} cannot be read as TOML: its brackets are nested too deeply") from None
    except ValueError as error:
        if not isinstance(error, tomllib.TOMLDecodeError):  # an integer of more than 4300 digits
            raise ValueError(f"{called} holds a number that is too long") from None
        said = "".join(letter if letter.isprintable() else "?" for letter in str(error)[:200])
        raise ValueError(f"{called} is not valid TOML: {said}{'; ' if hint else ''}{hint}") from None


def _longest_name(text: str) -> int:
    """The most dots between two marks that no name contains: at least those of the longest dotted name.

    >>> _longest_name('a . "x.y" .\\tb = "1.2.3.4"  # 1.2.3.4'), _longest_name("a = [1.5, 2.5]")
    (2, 1)
    """
    bare = _OPAQUE.sub("s", text)
    return max(piece.count(".") for piece in _BETWEEN_NAMES.split(bare))
