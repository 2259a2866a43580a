"""The playground as a widget of notebooks: the traits that the page and Python share, and the answers to what the page asks.

The page sets `asked`, and the library answers in `answer` with the very text that it was asked about. A page shows a badge only
while that text is the text of what it shows, so an answer that comes late is never taken for the state on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import anywidget
import traitlets

from headwright.playground.answers import answer_to
from headwright.playground.arguments import changed
from headwright.playground.module import module_text, style_text
from headwright.playground.scene import Scene, SceneError
from headwright.playground.scene_faults import FIRST
from headwright.playground.state import State
from headwright.words.design import Design


class Playground(anywidget.AnyWidget):  # type: ignore[misc]  # anywidget comes with the extra `play`
    """A playground to drag keys in. `state` is what it shows, and setting it moves the picture."""

    _esm = module_text()
    _css = style_text()
    asked = traitlets.Any({}).tag(sync=True)
    answer = traitlets.Dict().tag(sync=True)
    walks = traitlets.List().tag(sync=True)
    opens = traitlets.Dict().tag(sync=True)

    def __init__(self, scene: Scene | None = None, **traits: Any) -> None:
        """A widget that opens with this scene, or with what `asked` in the traits holds."""
        self._scene = Scene.of(FIRST) if scene is None else scene
        asked = traits.pop("asked", None) or {"number": 1, "text": self._scene.text, "question": None}
        self._adopt(asked)
        opens = traits.pop("opens", {"host": "notebook", "step": None})
        # The style takes its width from outside, so in a row of widgets it would have none of its own.
        traits.setdefault("layout", {"width": "100%"})
        super().__init__(asked=asked, answer=answer_to(asked), opens=opens, **traits)
        self.observe(self._hear, names="asked")

    @property
    def state(self) -> State:
        """What the playground shows, with `keys`, `goal`, `noise`, `design` and the rest.

        Set it to a State, or to a mapping with some of its entries. What is wrong raises an error and changes nothing.
        """
        return State(self._scene)

    @state.setter
    def state(self, given: State | Mapping[str, Any]) -> None:
        if isinstance(given, State):
            scene = given.scene
        elif isinstance(given, Mapping):
            scene = changed(self._scene, _with_design(given))
        else:
            raise TypeError(
                f"`state` must be a State or a mapping such as {{'error': 0.05}}, got {type(given).__name__}"
            )
        before = self.asked if isinstance(self.asked, dict) else {}
        number = before.get("number")
        following = int(number) + 1 if isinstance(number, int | float) else 1
        self.asked = {"number": following, "text": scene.text, "question": before.get("question")}

    def __repr__(self) -> str:
        return f"Playground: {str(self.state).removeprefix('State: ')}"

    def _hear(self, change: Any) -> None:
        """Answer what was asked, by the page or by Python."""
        self._adopt(change["new"])
        self.answer = answer_to(change["new"])

    def _adopt(self, asked: Any) -> None:
        """Take the scene that was asked about. One that cannot be read leaves the last good one, and the answer says why."""
        text = asked.get("text") if isinstance(asked, dict) else None
        if isinstance(text, str) and text != self._scene.text:
            with suppress(SceneError):
                self._scene = Scene.read(text)


def _with_design(given: Mapping[str, Any]) -> dict[str, Any]:
    """The entries, with a Design under `design` taken as the goal and queries to show."""
    own = dict(given)
    if "design" in own:
        found = own.pop("design")
        if not isinstance(found, Design):
            raise TypeError(f"`design` must be a Design, got {type(found).__name__}")
        if "goal" in own:
            raise ValueError("`goal` does not go with `design`, which has its own")
        own["goal"] = found
    return own
