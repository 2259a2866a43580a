"""Goals and numbers as TOML tables write them, in questions. Every error names the entry.

    copy = 0        average = [0, 1]        blend = {0 = 0.7, 1 = 0.3}        top = [0, 1]

Decimals arrive as `Decimal`. A share means the decimal that is written, 0.7 is 7/10; other numbers mean the nearest float64.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from headwright.kernel.goals import Average, Blend, Copy, Goal, Top

GOALS = ("copy", "average", "blend", "top")
_LOOKS = {"copy": "0", "average": "[0, 1]", "top": "[0, 1]", "blend": "{0 = 0.7, 1 = 0.3}"}
_DEEPEST_LIST = 3


def read_goal(table: Mapping[str, Any], n: int) -> Goal | Top:
    """The one goal in the table, over n keys.

    >>> read_goal({"average": [0, 2]}, 3)
    Average(0, 2)
    """
    given = [kind for kind in GOALS if kind in table]
    if len(given) != 1:
        got = " and ".join(given) or "none"
        raise ValueError(f"`goal` must be exactly one of {', '.join(GOALS)}, got {got}")
    kind, value = given[0], table[given[0]]
    if not isinstance(value, {"copy": int, "blend": dict}.get(kind, list)):
        raise TypeError(f"`{kind}` must look like {_LOOKS[kind]}, got {value!r}")
    try:
        goal = goal_from(kind, value)
        goal.check(n)
    except (ValueError, TypeError) as error:
        raise type(error)(f"`{kind}`: {error}") from error
    return goal


def goal_from(kind: str, value: Any) -> Goal | Top:
    """The goal that the entry `kind` = `value` describes."""
    if kind == "copy":
        return Copy(value)
    if kind == "blend":
        return Blend({key_number(key, "it"): _share(share) for key, share in value.items()})
    return (Average if kind == "average" else Top)(*value)


def _share(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, Decimal | int | str):
        raise TypeError(f"shares are numbers, got {value!r}")
    return str(value)


def key_number(name: str, where: str) -> int:
    """The key that an entry is named after; names of entries are text."""
    if not (name.isascii() and name.isdecimal() and len(name) < 10):
        raise ValueError(f"{where} must name keys by their numbers, got {name!r}")
    return int(name)


def numbers(given: Any, where: str, *, depth: int = 0) -> Any:
    """A number, or nested lists of numbers, with the nearest float for a decimal; ValueError or TypeError otherwise."""
    if isinstance(given, list | tuple) and depth < _DEEPEST_LIST:
        return [numbers(part, where, depth=depth + 1) for part in given]
    if isinstance(given, bool) or not isinstance(given, Decimal | int):
        got = "a deeper list" if isinstance(given, list) else repr(given)
        raise TypeError(f"`{where}` must hold numbers, got {got}")
    number = Decimal(given)
    if not number.is_finite() or abs(number) > 2**1000:
        raise ValueError(f"`{where}` must hold finite numbers of ordinary size")
    return float(given) if isinstance(given, Decimal) else given
