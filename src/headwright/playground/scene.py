"""Scene: the whole state of a playground as a frozen value, read from strangers' text within limits.

What a scene may hold is in `scene_faults.py`. Its JSON is the state of the page, and the text after `#scene=` in an address.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, NoReturn, Self, final

import numpy as np

from headwright.kernel.frozen import Frozen, FrozenMap, sealed
from headwright.kernel.goals import Average, Blend, Copy, Goal, Top
from headwright.playground.scene_faults import FIRST, LONGEST_TEXT, fault_of
from headwright.words.key_models import GaussianKeys


class SceneError(ValueError):
    """A text or table that is no scene; the message is one sentence for the reader."""


@final
@dataclass(frozen=True, eq=False)
class Scene(Frozen):
    """Keys (n, d), a goal or None, and everything else that a playground shows. `text` is the JSON that it was read from.

    >>> scene = Scene.read('{"keys": [[0, 1], [2, 0]], "goal": {"goal": "copy", "indices": [1], "shares": ["1"]}}')
    >>> scene.goal, scene.error, scene.keys.tolist()
    (Copy(1), 0.01, [[0.0, 1.0], [2.0, 0.0]])
    """

    keys: np.ndarray
    labels: tuple[str, ...] | None
    values: tuple[str, ...] | None
    goal: Goal | Top | None
    error: float
    scale: float
    max_norm: float | None
    heads: int
    queries: np.ndarray | None
    isotropic: float
    along: FrozenMap[int, float]
    steady: bool
    radius: float
    layer: tuple[Goal | Top | None, ...] | None
    row: int
    text: str

    @classmethod
    def read(cls, text: str) -> Self:
        """The scene that a text spells, with what is missing filled in; SceneError says what is wrong."""
        if len(text) > LONGEST_TEXT:
            raise SceneError("The state is too long to be read.")
        try:
            # As in JavaScript, every number is a float64.
            data = json.loads(text, parse_int=float, parse_float=float, parse_constant=_no_number)
        except (ValueError, RecursionError):
            raise SceneError("The state is not valid JSON.") from None
        return cls._of(data, text)

    @classmethod
    def of(cls, data: dict[str, Any]) -> Self:
        """The scene of a table with the names of `FIRST`, those that are missing filled in."""
        whole = {**FIRST, "goal": None, **data}
        return cls.read(json.dumps(_short(whole), separators=(",", ":")))

    @classmethod
    def _of(cls, data: Any, text: str) -> Self:
        whole = {**_floats(FIRST), "goal": None, **data} if isinstance(data, dict) else data
        if wrong := fault_of(whole):
            raise SceneError(wrong)
        noise = whole["noise"] or {"isotropic": 0.0, "along": {}}
        layer, queries = whole["layer"], whole["queries"]
        return cls(
            keys=sealed(np.array(whole["keys"], dtype=np.float64)),
            labels=_tuple(whole["labels"]),
            values=_tuple(whole["values"]),
            goal=goal_of(whole["goal"]),
            error=whole["error"],
            scale=whole["scale"],
            max_norm=whole["max_norm"],
            heads=int(whole["heads"]),
            queries=None if queries is None else sealed(np.array(queries, dtype=np.float64)),
            isotropic=noise["isotropic"],
            along=FrozenMap({int(j): variance for j, variance in noise["along"].items()}),
            steady=whole["steady"],
            radius=whole["radius"],
            layer=None if layer is None else tuple(map(goal_of, layer)),
            row=int(whole["row"]),
            text=text,
        )

    def with_other(self, **changes: Any) -> Self:
        """The same scene with other entries, given as they are held here; its text is written anew."""
        return type(self).of(replace(self, **changes).to_dict())

    @property
    def model(self) -> GaussianKeys | None:
        """The keys as they vary; None where there is no noise."""
        if not self.isotropic and not self.along:
            return None
        return GaussianKeys(self.keys, isotropic=self.isotropic, along=dict(self.along))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, by the names that `of` reads."""
        noise = {"isotropic": self.isotropic, "along": {str(j): variance for j, variance in self.along.items()}}
        return {
            "keys": self.keys.tolist(),
            "labels": None if self.labels is None else list(self.labels),
            "values": None if self.values is None else list(self.values),
            "goal": None if self.goal is None else self.goal.to_dict(),
            "error": self.error,
            "scale": self.scale,
            "max_norm": self.max_norm,
            "heads": self.heads,
            "queries": None if self.queries is None else self.queries.tolist(),
            "noise": noise if self.isotropic or self.along else None,
            "steady": self.steady,
            "radius": self.radius,
            "layer": None if self.layer is None else [None if own is None else own.to_dict() for own in self.layer],
            "row": self.row,
        }


def goal_of(data: dict[str, Any] | None) -> Goal | Top | None:
    """The goal that a scene's entry means, once `fault_of_goal` has let it pass."""
    if data is None:
        return None
    indices = [int(i) for i in data["indices"]]
    if data["goal"] == "top":
        return Top(indices)
    if data["goal"] == "copy":
        return Copy(indices[0])
    if data["goal"] == "average":
        return Average(indices)
    return Blend(dict(zip(indices, data["shares"], strict=True)))


def _tuple(values: list[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)


def _floats(value: Any) -> Any:
    return json.loads(json.dumps(value), parse_int=float)


def _short(value: Any) -> Any:
    """The same data, in which a whole number has no decimal point: people read it in the address of a page."""
    if isinstance(value, dict):
        return {name: _short(own) for name, own in value.items()}
    if isinstance(value, list | tuple):
        return [_short(own) for own in value]
    is_whole = type(value) is float and value.is_integer() and abs(value) < 1e15
    return int(value) if is_whole else value


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)
