"""Untrusted TOML: the only place that calls `tomllib`, with the work counted before it begins.

The parser's time grows with the square of the number of parts in a dotted name, and each byte of text may cost fifty bytes of
memory. So names are counted first, in one pass over the text without its strings and comments, and every byte is charged.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from headwright.kernel import inputs
from headwright.kernel.budget import DEFAULT, OverBudget, spend, within

MOST_BYTES = 256 * 2**10
_DEEPEST_LIST = 3  # several heads' matrices: (h, r, d)
_LARGEST = 2**1000  # as a float64 it is still finite
_A_BYTE = 500  # units: what an empty table of two bytes costs in time and memory
_MOST_DOTS = 16
# Strings and comments. Each pattern matches wherever it begins, closed or not, and never goes back: the scan is linear. A string
# over several lines may end in up to two quotes of its own.
OPAQUE = re.compile(
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
    """Allow at most `amount` units inside the block; beyond that, ValueError about `what`."""
    with within(amount):
        try:
            yield
        except OverBudget as over:
            raise ValueError(f"reading {what} takes {over}") from over


def parse(content: bytes, *, called: str, parse_float: Callable[[str], Any] = float, hint: str = "") -> dict[str, Any]:
    """The tables of a TOML text; ValueError otherwise. `called` names the text at the start of the message, `hint` may end it.

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
    """The most dots between two characters that cannot occur in a name: an upper bound on the dots of any dotted name.

    >>> _longest_name('a . "x.y" .\\tb = "1.2.3.4"  # 1.2.3.4'), _longest_name("a = [1.5, 2.5]")
    (2, 1)
    """
    bare = OPAQUE.sub("s", text)
    return max(piece.count(".") for piece in _BETWEEN_NAMES.split(bare))


def read_bounded(path: Path) -> bytes:
    """The content of a file of at most `MOST_BYTES`; FileNotFoundError or ValueError otherwise."""
    if not path.is_file():
        raise FileNotFoundError(f"`path` {path} is not a file")
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"the file must be at most {MOST_BYTES // 1024} kB, which is enough for any answers")
    return content


def taken(value: Any, *, name: str) -> Any:
    """A formula as it is, a number as float or int, a list as a float64 array; ValueError or TypeError otherwise."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | list):
        kinds = {bool: "true or false", dict: "a table"}
        raise TypeError(
            f"`{name}` must be a formula in quotes, a number or an array, got {kinds.get(type(value), 'a date')}"
        )
    if isinstance(value, list):
        _check_list(value, name)
        return inputs.float64(value, name=name, ndim=(1, 2, 3))
    if abs(value) > _LARGEST or not math.isfinite(value):
        raise ValueError(f"`{name}` must be a finite number of ordinary size")
    return value


def _check_list(value: list[Any], name: str) -> None:
    """TypeError or ValueError unless the list holds only numbers, nested at most three deep."""
    level, depth = value, 1
    while any(isinstance(part, list) for part in level):
        level, depth = [inner for part in level if isinstance(part, list) for inner in part], depth + 1
        if depth > _DEEPEST_LIST:
            raise ValueError(f"`{name}` must be an array of at most {_DEEPEST_LIST} dimensions")
    for part in level:
        if isinstance(part, bool) or not isinstance(part, int | float):
            raise TypeError(f"`{name}` must be an array of numbers only; put a formula in quotes as a whole")
        if abs(part) > _LARGEST:
            raise ValueError(f"`{name}` must hold numbers of ordinary size")
