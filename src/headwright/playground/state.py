"""State: what a playground shows, as a frozen Python value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, final

import numpy as np

from headwright.kernel.frozen import Immutable, computed_once
from headwright.kernel.goals import Goal, Top
from headwright.playground.arguments import NAMES, OTHER_NAMES
from headwright.playground.designed import Designed, designed
from headwright.playground.scene import Scene
from headwright.words.key_models import GaussianKeys


@final
class State(Immutable):
    """Keys, goal, noise and everything else that a playground shows. Each entry is an attribute, and `state["keys"]` works too.

    `design` is what the library designs for the state, and is made when it is first asked for.

    >>> state = State(Scene.of({"keys": [[0, 1], [3, 0]], "goal": {"goal": "copy", "indices": [1], "shares": ["1"]}}))
    >>> state.goal, state["error"], state.keys.shape, state.design.verdict.status
    (Copy(1), 0.01, (2, 2), 'proved')
    """

    _scene: Scene

    def __init__(self, scene: Scene) -> None:
        self._set(_scene=scene)

    @property
    def keys(self) -> np.ndarray:
        """The keys (n, d)."""
        return self._scene.keys

    @property
    def goal(self) -> Goal | Top | None:
        """The goal; None if none is chosen."""
        return self._scene.goal

    @property
    def noise(self) -> GaussianKeys | None:
        """The keys as they vary; None without noise."""
        return self._scene.model

    @property
    def error(self) -> float:
        """The total variation asked for."""
        return self._scene.error

    @property
    def scale(self) -> float:
        """The factor of all scores."""
        return self._scene.scale

    @property
    def max_norm(self) -> float | None:
        """The norm budget; None for the shortest query."""
        return self._scene.max_norm

    @property
    def heads(self) -> int:
        """The number of heads that are designed."""
        return self._scene.heads

    @property
    def queries(self) -> np.ndarray | None:
        """Queries (h, d) that were given by hand; None where they are designed."""
        return self._scene.queries

    @property
    def radius(self) -> float:
        """How far every key may move by design."""
        return self._scene.radius

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The names of the keys."""
        return self._scene.labels

    @property
    def values(self) -> tuple[str, ...] | None:
        """The colours of the values; None for the palette."""
        return self._scene.values

    @property
    def steady(self) -> bool:
        """Whether the designed query must not feel the noise along keys."""
        return self._scene.steady

    @property
    def layer(self) -> tuple[Goal | Top | None, ...] | None:
        """One goal or None for each token; None where one query is designed."""
        return self._scene.layer

    @property
    def row(self) -> int:
        """The row of the layer that is shown."""
        return self._scene.row

    @computed_once
    def design(self) -> Designed | None:
        """What the library designs: a Design, a Layer or a refusal. None without a goal, or with queries of your own."""
        return designed(self._scene)

    @property
    def scene(self) -> Scene:
        """The same as the page holds it."""
        return self._scene

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(f"{name!r} is no entry of the state: there are {', '.join(self)}")
        return getattr(self, name)

    def __iter__(self) -> Iterator[str]:
        """The names of the entries."""
        return iter((*NAMES, *OTHER_NAMES, "design"))

    def __contains__(self, name: object) -> bool:
        return name in (*NAMES, *OTHER_NAMES, "design")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._scene.to_dict() == other._scene.to_dict()

    def __hash__(self) -> int:
        return hash((self._scene.keys.tobytes(), repr(self.goal)))

    def __repr__(self) -> str:
        n, d = self.keys.shape
        goal = "no goal" if self.goal is None else repr(self.goal)
        return f"State: {n} keys of dimension {d}, {goal}, error {self.error:g}"
