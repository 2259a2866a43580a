"""The keys and the goal in a question's table. Keys: of every size, rows, orthonormal ones or a file; fixed or varying by a law.

keys = "orthonormal"                       # for every n; or "separated"
orthonormal = 6                            # or keys = [[1.0, 0.0], …], or keys = "keys.npy" (or .csv)
gaussian = {isotropic = 0.01, along = {0 = 0.5}, factors = {1 = [0.1, 0.0]}}
scaled = {0 = {"0.5" = "1/2", "1.5" = "1/2"}}

The goal is exactly one of these, with keys that exist:

copy = 0        average = [0, 1]        blend = {0 = 0.7, 1 = 0.3}        top = [0, 1]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from headwright import budget, inputs
from headwright.array_libraries import typed
from headwright.goals import Average, Blend, Copy, Goal, Top
from headwright.key_models import GaussianKeys, KeyModel
from headwright.scaled_keys import ScaledKeys

KINDS = ("orthonormal", "separated")  # keys for every n
GOALS = ("copy", "average", "blend", "top")
_MOST_KEYS = 4096
_MOST_BYTES = 64 * 2**20
_DEEPEST_LIST = 3
_NOISE = ("isotropic", "along", "factors")


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
    if isinstance(given, str):
        return inputs.float64(_array_in(folder / given), name="keys", ndim=2)
    return inputs.float64(numbers(given, "keys"), name="keys", ndim=2)


def _array_in(path: Path) -> Any:
    """A .npy array (never pickled objects) or the numbers of a .csv, which may begin with one line of words."""
    if path.suffix.lower() not in (".npy", ".csv"):
        raise ValueError(f"`keys` must be a file of type .npy or .csv, got {path.name!r}")
    if not path.is_file():
        raise FileNotFoundError(f"`keys` {path.name} is not a file beside the problem file")
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError(f"`keys` {path.name} is larger than 64 MiB")
    budget.spend(300 * path.stat().st_size)
    try:
        if path.suffix.lower() == ".npy":
            # Mapped: a header promises no more than there is.
            return np.array(np.load(path, mmap_mode="r", allow_pickle=False))
        lines = [line for line in path.read_text("utf-8-sig").splitlines() if line.strip()]
        words = bool(lines) and not any(character.isdigit() for character in lines[0])
        return np.loadtxt(lines[words:], delimiter=",", ndmin=2, dtype=object, converters=typed).tolist()
    except (ValueError, EOFError, OSError) as error:
        raise ValueError(f"`keys` {path.name} cannot be read as an array of numbers: {error}") from error


def numbers(given: Any, where: str, *, depth: int = 0) -> Any:
    """A number, or nested lists of numbers, with the nearest float for a decimal; ValueError or TypeError otherwise."""
    if isinstance(given, list | tuple) and depth < _DEEPEST_LIST:
        return [numbers(part, where, depth=depth + 1) for part in given]
    if isinstance(given, bool) or not isinstance(given, Decimal | int):
        raise TypeError(
            f"`{where}` must hold numbers, got {'a deeper list' if isinstance(given, list) else repr(given)}"
        )
    number = Decimal(given)
    if not number.is_finite() or abs(number) > 2**1000:
        raise ValueError(f"`{where}` must hold finite numbers of ordinary size")
    return float(given) if isinstance(given, Decimal) else given


def _gaussian(keys: np.ndarray, given: Any) -> GaussianKeys:
    if not isinstance(given, Mapping) or not given or set(given) - set(_NOISE):
        raise TypeError(f"`gaussian` must be a table with some of {', '.join(_NOISE)}, such as {{along = {{0 = 0.5}}}}")
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
        raise TypeError(f"`{entry}` must be a table by keys, such as {{0 = …}}, got {given!r}")
    return {_index(key, f"`{entry}`"): value for key, value in given.items()}


def _index(text: str, where: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ValueError(f"{where} must name keys by their numbers from 0 on, got {text!r}")
    return int(text)


def read_goal(table: Mapping[str, Any], n: int, *, varying: bool) -> Goal | Top:
    """The one goal in the table, over n keys, which may vary."""
    given = [name for name in GOALS if name in table]
    if len(given) != 1:
        raise ValueError(f"`goal` must be exactly one of {', '.join(GOALS)}, got {' and '.join(given) or 'none'}")
    kind, value = given[0], table[given[0]]
    looks = {"copy": "0", "average": "[0, 1]", "top": "[0, 1]", "blend": "{0 = 0.7, 1 = 0.3}"}
    if not isinstance(value, {"copy": int, "blend": dict}.get(kind, list)):
        raise TypeError(f"`{kind}` must look like {looks[kind]}, got {value!r}")
    try:
        goal = goal_from(kind, value)
        goal.check(n)
    except (ValueError, TypeError) as error:
        raise type(error)(f"`{kind}`: {error}") from error
    if isinstance(goal, Top) and (varying or "error" in table):
        raise ValueError("`top` asks for a score gap: it goes with fixed keys and without `error`")
    return goal


def goal_from(kind: str, value: Any) -> Goal | Top:
    """The goal that the entry `kind` = `value` describes."""
    kinds: dict[str, Callable[[Any], Goal | Top]] = {
        "copy": Copy,
        "average": lambda indices: Average(*indices),
        "top": lambda indices: Top(*indices),
        "blend": lambda shares: Blend({_index(i, "it"): _exact(share) for i, share in shares.items()}),
    }
    return kinds[kind](value)


def _exact(value: Any) -> str:
    """Decimals as text, so that 0.7 means 7/10."""
    if isinstance(value, bool) or not isinstance(value, Decimal | int | str):
        raise TypeError(f"shares are numbers, got {value!r}")
    return str(value)
