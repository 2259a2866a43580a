"""A layer asked for in TOML: tokens, what each row attends to, and what it yields.

    error = 0.01                    # total variation allowed in every row; a decimal is exact: 1/100
    rank = "smallest"               # or a number; left out: any
    heads = 1
    causal = false
    tokens = [[1.0, 0.0], [0.0, 1.0], [3.0, 1.0]]      # or a file beside this one: tokens = "x.npy", array = "name"

    [rows.0]
    copy = 2                        # or: average = [0, 1], or: blend = {0 = 0.7, 2 = 0.3}
    output = [1.0, 0.0]             # may be left out

Every complaint names the entry. Numbers of tokens and outputs mean the nearest float64.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, final

import numpy as np

from headwright import inputs, toml_files
from headwright.array_files import read_array
from headwright.budget import DEFAULT
from headwright.cli.goal_options import DEFAULT_ERROR
from headwright.goal_tables import key_number, numbers, read_goal
from headwright.goals import Goal
from headwright.toml_files import reading

_ENTRIES = ("error", "rank", "heads", "causal", "tokens", "array", "rows")
_GOALS = ("copy", "average", "blend")
_MOST_BYTES = 64 * 2**20  # larger tokens belong into a file of numbers


@final
@dataclass(frozen=True, eq=False)
class LayerFile:
    """What the file asks of `design_layer`, by the names of its arguments."""

    tokens: np.ndarray
    goals: dict[int, Goal]
    outputs: dict[int, np.ndarray] | None
    error: Any
    rank: Any
    heads: Any
    causal: Any


def read_layer(path: Path, *, budget: float = DEFAULT) -> LayerFile:
    """The request in the file; ValueError or TypeError naming the entry that is wrong, or the budget that was not enough."""
    if not path.is_file():
        raise FileNotFoundError(f"`FILE` {path} is not a file")
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError(
            f"`FILE` {path} is larger than 64 MiB: put the tokens into a .npy file, and its name into `tokens`"
        )
    with reading(f"`FILE` {path}", budget):
        return _read(path)


def _read(path: Path) -> LayerFile:
    held = toml_files.parse(path.read_bytes(), called=f"`FILE` {path}", parse_float=Decimal)
    _known(held, _ENTRIES, "")
    tokens = _tokens(held, path.parent)
    goals, outputs = _rows(held.get("rows"), len(tokens))
    asked = held.get("error", DEFAULT_ERROR)
    if not isinstance(asked, Decimal | int | str) or isinstance(asked, bool):
        raise TypeError(f"`error` must be a number such as 0.01, got {asked!r}")
    options = held.get("rank"), held.get("heads", 1), held.get("causal", False)
    return LayerFile(tokens, goals, outputs or None, str(asked), *options)


def _known(held: Mapping[str, Any], names: tuple[str, ...], where: str) -> None:
    for name in held:
        if name not in names:
            raise ValueError(f"`{where}{name}` is not an entry of a layer file; there are {', '.join(names)}")


def _tokens(held: Mapping[str, Any], folder: Path) -> np.ndarray:
    given, name = held.get("tokens"), held.get("array")
    if isinstance(given, str):
        return read_array(folder / given, argument="tokens", ndim=2, name=name, chosen_by="array")
    if name is not None:
        raise ValueError("`array` names an array of a file, so `tokens` must be the name of a file")
    if given is None:
        raise ValueError('`tokens` must be given: rows of numbers, or the name of a file such as "x.npy"')
    return inputs.float64(numbers(given, "tokens"), name="tokens", ndim=2)


def _rows(rows: Any, count: int) -> tuple[dict[int, Goal], dict[int, np.ndarray]]:
    if not isinstance(rows, dict) or not rows:
        raise ValueError("`rows` must have a table for every row with a goal, such as [rows.0] with copy = 2")
    goals: dict[int, Goal] = {}
    outputs: dict[int, np.ndarray] = {}
    for name, row in rows.items():
        where = f"rows.{name}"
        r = key_number(name, f"`{where}`")
        if r >= count:
            raise ValueError(f"`{where}` names token {r}, but there are only {count} tokens (0 to {count - 1})")
        if not isinstance(row, dict):
            raise TypeError(f"`{where}` must be a table with one of {', '.join(_GOALS)}, got {row!r}")
        _known(row, (*_GOALS, "output"), f"{where}.")
        if r in goals:
            raise ValueError(f"`{where}` names row {r} a second time")
        goal = read_goal(row, count, of=where, kinds=_GOALS)
        assert isinstance(goal, Goal), "no row asks for `top`"
        goals[r] = goal
        if "output" in row:
            outputs[r] = inputs.float64(numbers(row["output"], f"{where}.output"), name=f"{where}.output", ndim=1)
    return goals, outputs
