"""The goal of a teacher's question: exactly one of copy, average, blend and top, with keys that exist.

copy = 0        average = [0, 1]        blend = {0 = 0.7, 1 = 0.3}        top = [0, 1]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from headwright.goals import Average, Blend, Copy, Goal, Top

GOALS = ("copy", "average", "blend", "top")


def read_goal(table: Mapping[str, Any], n: int, *, varying: bool) -> Goal | Top:
    given = [name for name in GOALS if name in table]
    if len(given) != 1:
        raise ValueError(f"`goal` must be exactly one of {', '.join(GOALS)}, got {' and '.join(given) or 'none'}")
    kind, value = given[0], table[given[0]]
    kinds: dict[str, Callable[[Any], Goal | Top]] = {
        "copy": Copy,
        "average": lambda indices: Average(*indices),
        "top": lambda indices: Top(*indices),
        "blend": lambda shares: Blend({_index(i): _exact(share) for i, share in shares.items()}),
    }
    looks = {"copy": "0", "average": "[0, 1]", "top": "[0, 1]", "blend": "{0 = 0.7, 1 = 0.3}"}
    if not isinstance(value, {"copy": int, "blend": dict}.get(kind, list)):
        raise TypeError(f"`{kind}` must look like {looks[kind]}, got {value!r}")
    try:
        goal = kinds[kind](value)
        goal.check(n)
    except (ValueError, TypeError) as error:
        raise type(error)(f"`{kind}`: {error}") from error
    if isinstance(goal, Top) and (varying or "error" in table):
        raise ValueError("`top` asks for a score gap: it goes with fixed keys and without `error`")
    return goal


def _index(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ValueError(f"keys are named by their numbers from 0 on, got {text!r}")
    return int(text)


def _exact(value: Any) -> str:
    """Decimals as text, so that 0.7 means 7/10."""
    if isinstance(value, bool) or not isinstance(value, Decimal | int | str):
        raise TypeError(f"shares are numbers, got {value!r}")
    return str(value)
