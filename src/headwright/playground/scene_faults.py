"""What is wrong with a scene, in one sentence.

`fault_of` mirrors `faultOf` of `module/scene.js`: the same rules in the same order, with the same sentences, so that the page and
the library refuse the same scenes. `tests/browser/test_play_scenes.py` runs both over one list.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

# Enough for a sentence of tokens, and few enough to draw and compute within a frame or two.
MOST_KEYS = 400
MOST_NUMBERS = 100_000
LONGEST_LABEL = 40
LONGEST_TEXT = 4_000_000  # 100,000 numbers of 25 characters fit, with labels
_SHARE = re.compile(r"[0-9]{1,20}(/[1-9][0-9]{0,19})?")
_KEY_NAME = re.compile(r"0|[1-9][0-9]{0,5}")
_COLOUR = re.compile(r"#[0-9a-f]{6}")

FIRST: dict[str, Any] = {
    "keys": [[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]],
    "labels": None,
    "values": None,
    "goal": {"goal": "copy", "indices": [3], "shares": ["1"]},
    "error": 0.01,
    "scale": 1,
    "max_norm": None,
    "heads": 1,
    "queries": None,
    "noise": None,
    "steady": False,
    "radius": 0,
    "layer": None,
    "row": 0,
}


def fault_of(scene: Any) -> str | None:
    """What is wrong with a scene whose numbers are floats, in one sentence, or None."""
    if not isinstance(scene, dict):
        return "The state must be a table of named entries."
    for name in scene:
        if name not in FIRST:
            return f'The state has an unknown entry, "{name[:LONGEST_LABEL]}".'
    keys, labels, values = scene["keys"], scene["labels"], scene["values"]
    if wrong := _fault_of_keys(keys):
        return wrong
    n, width = len(keys), len(keys[0])
    if labels is not None and not _each(
        labels, n, lambda text: isinstance(text, str) and _units(text) <= LONGEST_LABEL
    ):
        return f"The labels must be one text of at most {LONGEST_LABEL} characters for each key."
    if values is not None and not _each(values, n, is_colour):
        return "The values must be one colour such as #0072b2 for each key."
    layer = scene["layer"]
    for own in [scene["goal"], *(layer if isinstance(layer, list) else [])]:
        if own is not None and (wrong := fault_of_goal(own, n)):
            return wrong
    if not _finite(scene["error"]) or not 0 < scene["error"] < 1:
        return "The error must lie between 0 and 1."
    if not _positive(scene["scale"]):
        return "The scale must be a positive number."
    if scene["max_norm"] is not None and not _positive(scene["max_norm"]):
        return "The norm budget must be a positive number."
    if not _whole(scene["heads"]) or not 1 <= scene["heads"] <= n:
        return "The number of heads must be 1, or the number of targets."
    queries = scene["queries"]
    if queries is not None and not (_vectors(queries, width) and len(queries) <= n):
        return f"The queries must be vectors of {width} finite numbers."
    if wrong := _fault_of_noise(scene["noise"], n):
        return wrong
    if not isinstance(scene["steady"], bool):
        return "The entry steady must be true or false."
    if not _finite(scene["radius"]) or scene["radius"] < 0:
        return "The radius must be 0 or more."
    if layer is not None and not (isinstance(layer, list) and len(layer) == n):
        return "A layer must have a goal, or none, for each token."
    if not _whole(scene["row"]) or not 0 <= scene["row"] < n:
        return "The row must be one of the tokens."
    return None


def _fault_of_keys(keys: Any) -> str | None:
    if not isinstance(keys, list) or not keys:
        return "The keys must be a list of points."
    if len(keys) > MOST_KEYS:
        return f"The playground shows at most {MOST_KEYS} keys, but {len(keys):,} came."
    width = len(keys[0]) if isinstance(keys[0], list) else 0
    if width < 1:
        return "Each key must be a list of numbers."
    if len(keys) * width > MOST_NUMBERS:
        return f"The keys may hold at most {MOST_NUMBERS:,} numbers."
    for i, key in enumerate(keys):
        if not isinstance(key, list) or len(key) != width:
            return f"Every key must have {width} coordinates, as key 0 has, but key {i} does not."
        for c, x in enumerate(key):
            if not _finite(x):
                return f"The keys must be finite numbers, but entry [{i}, {c}] is not."
    return None


def fault_of_goal(goal: Any, n: int) -> str | None:
    """What is wrong with a goal over n keys, in one sentence, or None."""
    names = goal.get("indices") if isinstance(goal, dict) else None
    if not isinstance(names, list) or not names or not all(_whole(i) and i >= 0 for i in names):
        return "The goal must name at least one key."
    if len(set(names)) < len(names):
        return "The goal must name each key once."
    if max(names) >= n:
        return f"The goal names key {_written(max(names))}, but there are only {n} keys."
    kind, shares = goal.get("goal"), goal.get("shares")
    if kind not in ("copy", "average", "blend", "top"):
        return "The goal must be copy, average, blend or top."
    if kind == "top":
        return "A top goal must leave out at least one key." if len(names) == n else None
    if not _each(shares, len(names), _is_share):
        return 'The goal must have a positive share, such as "1/2", for each key that it names.'
    if kind == "copy" and len(names) != 1:
        return "A copy goal must name one key."
    exact = [Fraction(share) for share in shares]
    if sum(exact) != 1:
        return "The shares of the goal must add up to 1."
    return "The shares of an average must be equal." if kind == "average" and len(set(exact)) > 1 else None


def _fault_of_noise(noise: Any, n: int) -> str | None:
    if noise is None:
        return None
    given: dict[str, Any] = noise if isinstance(noise, dict) else {}
    along, spread = given.get("along"), given.get("isotropic", -1.0)
    if not isinstance(along, dict) or not _finite(spread) or spread < 0 or len(noise) != 2:
        return "The noise must have a variance in every direction, 0 or more, and variances along keys."
    for j, variance in along.items():
        if not _KEY_NAME.fullmatch(j) or int(j) >= n or not _positive(variance):
            return "The noise along a key must be a positive variance for a key that is there."
    return None


def _finite(value: Any) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _positive(value: Any) -> bool:
    return _finite(value) and value > 0


def _whole(value: Any) -> bool:
    return _finite(value) and value == int(value)


def _written(number: float) -> str:
    """A whole number as JavaScript writes it, for keys that a goal names."""
    return str(int(number)) if number < 1e21 else re.sub(r"e\+0*", "e+", repr(number)).replace(".0e", "e")


def _each(values: Any, n: int, good: Any) -> bool:
    return isinstance(values, list) and len(values) == n and all(map(good, values))


def is_colour(text: Any) -> bool:
    """Whether this is a colour such as #0072b2."""
    return isinstance(text, str) and _COLOUR.fullmatch(text) is not None


def _is_share(text: Any) -> bool:
    return isinstance(text, str) and _SHARE.fullmatch(text) is not None and int(text.partition("/")[0]) > 0


def _vectors(rows: Any, width: int) -> bool:
    return isinstance(rows, list) and len(rows) > 0 and all(_each(row, width, _finite) for row in rows)


def _units(text: str) -> int:
    """The length of a text as JavaScript counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
