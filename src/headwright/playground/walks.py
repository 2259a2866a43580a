"""The guided walk: twelve steps and an ending, read from walks.toml and made ready for the page.

The texts are ours, and `typeset` escapes them, so the page may insert what `steps` returns as HTML.
"""

from __future__ import annotations

import copy
from functools import cache
from importlib.resources import files
from math import hypot
from typing import Any

from headwright.problems.reports.typesetting import typeset
from headwright.reading import toml_files

# Words of a question, in the order in which the page shows them; the rest of a question is for the judge.
_WORDS = ("words", "hint", "right")
# What the keyboard does where hands have one thing to do.
_BY_KEYBOARD = {
    "turn": "Arrow keys move a tip too (Shift: farther, Alt: finer). An arrow with // is longer than drawn.",
    "move": "Arrow keys move a key too (Shift: farther, Alt: finer).",
    "press": "Enter presses a key too.",
    "remove": "Delete removes a key too.",
}
# A projection is framed to this part of the longest key.
_FAR = 0.85


@cache
def _stored() -> dict[str, Any]:
    content = (files("headwright.playground") / "walks.toml").read_bytes()
    return toml_files.parse(content, called="walks.toml")


def stored() -> list[dict[str, Any]]:
    """The steps as the file has them, with the solutions that only tests look at.

    >>> len(stored()), stored()[0]["name"]
    (12, 'copy')
    """
    return copy.deepcopy(_stored()["steps"])


def names() -> list[str]:
    """What an address may end in: `#step=copy`.

    >>> names()[:3]
    ['copy', 'average', 'coin-toss']
    """
    return [step["name"] for step in _stored()["steps"]]


def steps() -> list[dict[str, Any]]:
    """The steps for the page and the ending: texts as HTML, formulas as MathML, no solutions.

    >>> steps()[2]["title"], "solution" in steps()[2], steps()[-1]["name"]
    ('The coin toss', False, 'end')
    """
    ending = _stored()["ending"]
    return copy.deepcopy([*(_shown(step) for step in _stored()["steps"]), ending | _texts(ending)])


def frame(step: dict[str, Any]) -> list[list[float]]:
    """Two corners of what the drawing shows: all keys and tips of queries, at the start and in the solution.

    Keys of more than two dimensions are seen in a projection, in which none is farther from the origin than it is long. Few are
    as far, and those lie in the margin of the drawing.

    >>> frame({"scene": {"keys": [[1, 2]], "queries": [[3, 1]]}, "solution": {"queries": [[-2, 0]]}})
    [[-2, 0], [3, 2]]
    """
    scene, solved = step["scene"], step["scene"] | step["solution"]
    points = [point for own in (scene, solved) for name in ("keys", "queries") for point in own.get(name, [])]
    if len(points[0]) > 2:
        far = _FAR * max(hypot(*key) for key in points)
        return [[-far, -far], [far, far]]
    columns = list(zip([0, 0], *points, strict=True))
    return [[min(column) for column in columns], [max(column) for column in columns]]


def _hands(step: dict[str, Any]) -> dict[str, list[int]]:
    """What a hand may do in the drawing of a step, each with the keys or heads that it may do it to."""
    scene, question = step["scene"], step["question"]
    free, every = question["free"], list(range(len(scene["keys"])))
    may_go = [i for i in every if i not in question["goal"]["indices"]] if question.get("removable") else []
    return {
        "move": question.get("movable", []),
        "remove": may_go,
        "press": every if "goal" in free else [],
        "turn": list(range(len(scene["queries"]))) if "queries" in free else [],
    }


def _texts(page: dict[str, Any]) -> dict[str, Any]:
    return {"lead": typeset(page["lead"]), "text": [typeset(paragraph) for paragraph in page["text"]]}


def _shown(step: dict[str, Any]) -> dict[str, Any]:
    question, hands = step["question"], _hands(step)
    return {
        **{name: step[name] for name in ("name", "title", "scene")},
        **_texts(step),
        "question": question | {name: typeset(question[name]) for name in _WORDS},
        "compare": step.get("compare"),
        "guide": {"frame": frame(step), "hint": " ".join(_BY_KEYBOARD[own] for own in hands if hands[own]), **hands},
    }
