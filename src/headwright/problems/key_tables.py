"""The keys, the goal and the names in a question's table.

Keys are of every size, rows, orthonormal ones or a file, fixed or varying by a law:

keys = "orthonormal"                       # for every n; or "separated"
orthonormal = 6                            # or keys = [[1.0, 0.0], …], or keys = "keys.npy" (or .csv)
gaussian = {isotropic = 0.01, along = {0 = 0.5}, factors = {1 = [0.1, 0.0]}}
scaled = {0 = {"0.5" = "1/2", "1.5" = "1/2"}}

The goal is exactly one of those in `goal_tables.py`, with keys that exist. A name stands for a key, a number or an array in a
formula; the symbols are n, eps, t, T, s and beta.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.frozen import FrozenMap
from headwright.kernel.goals import Goal, Top
from headwright.reading import toml_files
from headwright.reading.array_files import read_array
from headwright.reading.goal_tables import key_number, numbers, read_goal
from headwright.theories.formulas.families.family import LARGE
from headwright.words.key_models import GaussianKeys, KeyModel
from headwright.words.scaled_keys import ScaledKeys

KINDS = ("orthonormal", "separated")  # keys for every n
_MOST_KEYS = 4096
_MOST_BYTES = 64 * 2**20
_NOISE = ("isotropic", "along", "factors")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
_SYMBOLS = ("n", "eps", *LARGE)
# What else a name may stand for in a question about every size: see `Family._named`.
_OF_FAMILIES = ({"axis", "length"}, {"columns"}, {"columns", "tenths"}, {"tokens"}, {"matrix"}, {"at_most"})
_COLUMNS = {"orthonormal": "orthonormal", "independent": "slanted", "slanted": "slanted"}
_TENTHS = 3


def read_keys(table: Mapping[str, Any], folder: Path) -> str | tuple[str, ...] | np.ndarray:
    """One of `KINDS`, formulas by rows, or an array (n, d); files are looked for in `folder`."""
    if ("keys" in table) == ("orthonormal" in table):
        got = "both" if "keys" in table else "neither"
        raise ValueError(f"`keys` must be given as rows or a file, or `orthonormal` as a number; got {got}")
    if "orthonormal" in table:
        return _orthonormal(table["orthonormal"])
    given = table["keys"]
    if isinstance(given, list) and given and all(isinstance(row, str) for row in given):
        return tuple(given)
    return given if given in KINDS else _keys(given, folder)


def law_of(keys: np.ndarray, law: Mapping[str, Any]) -> KeyModel:
    """The key model around these keys: `law` has an entry "gaussian" or "scaled"."""
    return _gaussian(keys, law["gaussian"]) if "gaussian" in law else _scaled(keys, law["scaled"])


def read_law(table: Mapping[str, Any]) -> dict[str, Any]:
    """How the keys vary: the entry "gaussian" or "scaled", or nothing."""
    law = {name: table[name] for name in ("gaussian", "scaled") if name in table}
    if len(law) == 2:
        raise ValueError("`gaussian` and `scaled` are two laws: give one of them")
    return law


def _orthonormal(n: Any) -> np.ndarray:
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= _MOST_KEYS:
        raise TypeError(f"`orthonormal` must be a whole number from 1 to {_MOST_KEYS}, got {n!r}")
    return inputs.float64(np.eye(n), name="keys", ndim=2)


def _keys(given: Any, folder: Path) -> np.ndarray:
    if not isinstance(given, str):
        return inputs.float64(numbers(given, "keys"), name="keys", ndim=2)
    path = folder / given
    if path.suffix.lower() not in (".npy", ".csv"):
        raise ValueError(f"`keys` must be a file of type .npy or .csv, got {path.name!r}")
    if path.is_file() and path.stat().st_size > _MOST_BYTES:
        raise ValueError(f"`keys` {path.name} is larger than 64 MiB")
    return read_array(path, argument="keys", ndim=2, called=path.name)


def _gaussian(keys: np.ndarray, given: Any) -> GaussianKeys:
    if not isinstance(given, Mapping) or not given or set(given) - set(_NOISE):
        raise TypeError(f"`gaussian` must be a table with some of {', '.join(_NOISE)}, such as {{along = {{1 = 0.5}}}}")
    try:
        return GaussianKeys(
            keys,
            isotropic=numbers(given.get("isotropic", 0), "isotropic"),
            along={key: numbers(v, "along") for key, v in _by_key(given, "along").items()},
            factors={key: numbers(v, "factors") for key, v in _by_key(given, "factors").items()},
        )
    except (ValueError, TypeError) as error:
        raise type(error)(f"`gaussian`: {error}") from error


def _scaled(keys: np.ndarray, given: Any) -> ScaledKeys:
    laws = _by_key({"scaled": given}, "scaled")
    try:
        return ScaledKeys(keys, {key: _law(law) for key, law in laws.items()})
    except (ValueError, TypeError) as error:
        raise type(error)(f"`scaled`: {error}") from error


def _law(law: Any) -> dict[str, str]:
    if not isinstance(law, Mapping):
        raise TypeError(f'every key must have a law such as {{"0.5" = 0.5, "1.5" = 0.5}}, got {law!r}')
    return {factor: str(probability) for factor, probability in law.items()}


def _by_key(table: Mapping[str, Any], entry: str) -> dict[int, Any]:
    given = table.get(entry, {})
    if not isinstance(given, Mapping):
        raise TypeError(f"`{entry}` must be a table by keys, such as {{1 = …}}, got {given!r}")
    return {key_number(key, f"`{entry}`"): value for key, value in given.items()}


def goal_over(table: Mapping[str, Any], n: int, *, varying: bool) -> Goal | Top:
    """The one goal in the table, over n keys, which may vary."""
    goal = read_goal(table, n)
    if isinstance(goal, Top) and (varying or "error" in table):
        raise ValueError("`top` asks for a score gap: it goes with fixed keys and without `error`")
    return goal


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
        raise TypeError("`names` must be a table such as {u = {key = 1}, t = 9.0}")
    for name in given:
        if not is_name(name):
            raise ValueError(f"`names` must be letters, digits and _, beginning with a letter; got {name!r}")
    return FrozenMap({name: _named(value, f"names.{name}", keys) for name, value in given.items()})


def _named(value: Any, where: str, keys: Any) -> Any:
    looks = f"`{where}` must be {{key = 1}}, a number or an array"
    if isinstance(value, str):
        raise TypeError(f"{looks}, got a text")
    if not isinstance(value, dict):
        return toml_files.taken(numbers(value, where), name=where)
    if not isinstance(keys, np.ndarray) and set(value) in _OF_FAMILIES:
        return _columns(value, where) if "columns" in value else value
    index = value.get("key")
    if set(value) != {"key"} or isinstance(index, bool) or not isinstance(index, int):
        raise TypeError(looks)
    if not isinstance(keys, np.ndarray | str):
        raise ValueError(f"`{where}` names a key, but the question has no `keys`")
    return value


def _columns(value: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The columns of a matrix: orthonormal, or of length 1 and merely independent, so many for every ten dimensions."""
    tenths = value.get("tenths", _TENTHS)
    if not isinstance(value["columns"], str) or value["columns"] not in _COLUMNS:
        raise ValueError(f'`{where}.columns` must be "orthonormal" or "independent", got {value["columns"]!r}')
    if isinstance(tenths, bool) or not isinstance(tenths, int) or not 1 <= tenths <= 5:
        raise TypeError(f"`{where}.tenths` must be a whole number from 1 to 5, got {tenths!r}")
    return {"columns": _COLUMNS[value["columns"]], "tenths": tenths}


def is_name(value: Any) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None
