"""The names in a question's table: what each stands for in a formula, and the symbols n, eps, t, T, s and beta."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from headwright import toml_files
from headwright.frozen import FrozenMap
from headwright.goal_tables import numbers
from headwright.problems.family import LARGE

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
_SYMBOLS = ("n", "eps", *LARGE)
# What else a name may stand for where the question speaks of every size: see `Family._named`.
_OF_FAMILIES = ({"axis", "length"}, {"columns", "tenths"}, {"tokens"}, {"matrix"}, {"at_most"})


def read_symbols(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or any(name not in _SYMBOLS for name in given):
        raise ValueError(f"`symbols` must be a list of {', '.join(_SYMBOLS)}, got {given!r}")
    return tuple(given)


def read_names(given: Any, keys: Any) -> Mapping[str, Any]:
    """What the names stand for; without `names`, k_1 … k_n are the keys that are given and n is their number."""
    if given is None:
        if not isinstance(keys, np.ndarray):
            return FrozenMap({})
        return FrozenMap({**{f"k_{i + 1}": {"key": i} for i in range(len(keys))}, "n": float(len(keys))})
    if not isinstance(given, Mapping) or not given:
        raise TypeError("`names` must be a table such as {k_1 = {key = 0}, t = 9.0}")
    for name in given:
        if not is_name(name):
            raise ValueError(f"`names` must be letters, digits and _, beginning with a letter; got {name!r}")
    return FrozenMap({name: _named(value, f"names.{name}", keys) for name, value in given.items()})


def _named(value: Any, where: str, keys: Any) -> Any:
    looks = f"`{where}` must be {{key = 0}}, a number or an array"
    if isinstance(value, str):
        raise TypeError(f"{looks}, got a text")
    if not isinstance(value, dict):
        return toml_files.taken(numbers(value, where), name=where)
    if not isinstance(keys, np.ndarray) and set(value) in _OF_FAMILIES:
        return value
    index = value.get("key")
    if set(value) != {"key"} or isinstance(index, bool) or not isinstance(index, int):
        raise TypeError(looks)
    if not 0 <= index < least_size(keys):
        raise ValueError(
            f"`{where}` names key {index}, but there are only {least_size(keys)} keys (0 to {least_size(keys) - 1})"
        )
    return value


def is_name(value: Any) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def least_size(keys: Any) -> int:
    """How many keys there are; of a family, as many as its smallest member has."""
    return len(keys) if isinstance(keys, np.ndarray) else 2
