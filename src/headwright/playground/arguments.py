"""Python values as a scene: what `play` and `.state` take, checked one by one with errors that name the argument."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.frozen import FrozenMap
from headwright.kernel.goals import Goal, Top
from headwright.playground.scene import Scene, SceneError
from headwright.playground.scene_faults import LONGEST_LABEL, MOST_KEYS, MOST_NUMBERS, is_colour
from headwright.words.design import Design
from headwright.words.key_models import GaussianKeys, KeyModel

NAMES = ("keys", "goal", "error", "scale", "max_norm", "heads", "queries", "noise", "radius", "labels", "values")
OTHER_NAMES = ("steady", "layer", "row")  # of a state, beside the arguments of `play`


def changed(scene: Scene, given: Mapping[str, Any]) -> Scene:
    """The scene with these entries replaced; a ValueError or TypeError names the entry that is wrong.

    >>> changed(Scene.of({}), {"error": 2})
    Traceback (most recent call last):
    ValueError: `error` must lie between 0 and 1, got 2.0
    """
    new: dict[str, Any] = {}
    for name in given:
        if name not in (*NAMES, *OTHER_NAMES):
            raise ValueError(f"`{name}` is no entry of the state: there are {', '.join((*NAMES, *OTHER_NAMES))}")
    own = dict(given)
    if "keys" in own:
        new["keys"] = _keys(own)
    keys = new.get("keys", scene.keys)
    n, d = keys.shape
    if "goal" in own:
        new |= _goal(own, n, d)
    if "queries" in own:
        new["queries"] = _queries(own["queries"], n, d)
    if "noise" in own:
        new |= _noise(own["noise"], keys)
    for name, check in _NUMBERS.items():
        if name in own:
            new[name] = check(own[name], name)
    for name, check in (("labels", _labels), ("values", _values), ("layer", _layer)):
        if name in own:
            new[name] = check(own[name], n)
    if "steady" in own:
        if not isinstance(own["steady"], bool | np.bool_):
            raise TypeError(f"`steady` must be True or False, got {own['steady']!r}")
        new["steady"] = bool(own["steady"])
    whole = {**_entries(scene), **new}
    _fit(whole, n, d)
    new |= _row_of_layer(whole, new)
    try:
        return scene.with_other(**new)
    except SceneError as wrong:  # what no single entry shows
        raise ValueError(str(wrong)) from None


def _keys(own: dict[str, Any]) -> np.ndarray:
    """The keys; those of GaussianKeys are their mean, and their variances become the noise."""
    given = own["keys"]
    if isinstance(given, KeyModel):
        if not isinstance(given, GaussianKeys):
            raise TypeError(f"`keys` must be an array or GaussianKeys for the playground, got {type(given).__name__}")
        if own.get("noise") is not None:
            raise ValueError("`noise` does not go with GaussianKeys, which have their own")
        own["noise"], given = given, given.mean
    keys = inputs.float64(given, name="keys", ndim=2)
    if len(keys) > MOST_KEYS:
        raise ValueError(
            f"`keys` must be at most {MOST_KEYS} for the playground to draw, got {len(keys):,}: pass some of them, such as "
            f"keys[:{MOST_KEYS}]"
        )
    if keys.size > MOST_NUMBERS:
        raise ValueError(f"`keys` must hold at most {MOST_NUMBERS:,} numbers for the playground, got {keys.size:,}")
    return keys


def _goal(own: dict[str, Any], n: int, d: int) -> dict[str, Any]:
    """The goal, or of a Design its goal, queries, scale and error, each unless given beside it."""
    given = own["goal"]
    if given is None or isinstance(given, Goal | Top):
        if given is not None:
            given.check(n)
        return {"goal": given}
    if not isinstance(given, Design):
        raise TypeError(f"`goal` must be a goal such as Copy(3), a Design or None, got {type(given).__name__}")
    given.goal.check(n)
    if given.precision is not None:
        raise ValueError("`goal` is a Design for keys stored in few bits: pass its goal, and the keys as stored")
    if (given.mix != given.mix[0]).any():
        raise ValueError(
            f"`goal` is a Design whose {len(given.mix)} heads are mixed unequally: pass its goal, and heads={len(given.mix)}"
        )
    if own.get("queries") is not None:
        raise ValueError("`queries` does not go with a Design, which has its own")
    new: dict[str, Any] = {"goal": given.goal, "queries": _queries(given.queries, n, d), "scale": given.scale}
    if isinstance(given.goal, Goal) and given.max_norm is None:
        new["error"] = _share(given.asked, "error")
    return {name: value for name, value in new.items() if name == "goal" or own.get(name) is None}


def _queries(given: Any, n: int, d: int) -> np.ndarray | None:
    if given is None:
        return None
    queries = np.atleast_2d(inputs.float64(given, name="queries", ndim=(1, 2)))
    if queries.shape[1] != d:
        raise ValueError(f"`queries` must have {d} coordinates, as the keys have, got shape {queries.shape}")
    if len(queries) > n:
        raise ValueError(f"`queries` must be at most as many as the keys ({n}), got {len(queries)}")
    return queries


def _noise(given: Any, keys: np.ndarray) -> dict[str, Any]:
    """The variances in every direction and along keys, of GaussianKeys, of one number or of a table with these names."""
    isotropic: Any = 0.0
    along: Any = {}
    if isinstance(given, GaussianKeys):
        if given.mean.shape != keys.shape or (given.mean != keys).any():
            raise ValueError(
                "`noise` must be GaussianKeys around the keys of the playground, but its mean differs from them"
            )
        if given.factors or given.cov is not None or (given.isotropic != given.isotropic[0]).any():
            raise ValueError(
                "`noise` must have one variance in every direction and variances along keys; the playground shows no `factors`, "
                "`cov` or variances that differ from key to key"
            )
        isotropic, along = given.isotropic[0], {j: v for j, v in enumerate(given.along.tolist()) if v}
    elif isinstance(given, Mapping):
        if odd := set(given) - {"isotropic", "along"}:
            raise ValueError(f"`noise` must have the entries isotropic and along, got {sorted(map(str, odd))[0]!r}")
        isotropic, along = given.get("isotropic", 0.0), given.get("along") or {}
    elif isinstance(given, KeyModel):
        raise TypeError(f"`noise` must be GaussianKeys, a variance or None, got {type(given).__name__}")
    elif given is not None:
        isotropic = given
    if not isinstance(along, Mapping):
        raise TypeError(f"`noise` must map keys to variances in its entry along, got {type(along).__name__}")
    variances = {}
    for j, variance in along.items():
        key = inputs.index(int(j) if isinstance(j, str) and j.isdecimal() else j, name="noise along key")
        if key >= len(keys):
            raise ValueError(f"`noise` names key {key}, but there are only {len(keys)} keys")
        variances[key] = _positive(variance, f"noise along key {key}")
        if not keys[key].any():
            raise ValueError(f"`noise` along key {key} has no direction, because that key is zero")
    return {"isotropic": _not_negative(isotropic, "noise"), "along": FrozenMap(variances)}


def _labels(given: Any, n: int) -> tuple[str, ...] | None:
    texts = _one_each(given, n, "labels")
    for i, text in enumerate(texts or ()):
        if not isinstance(text, str):
            raise TypeError(f"`labels` must be texts, got {type(text).__name__} for key {i}")
        if len(text.encode("utf-16-le", "surrogatepass")) > 2 * LONGEST_LABEL:
            raise ValueError(f"`labels` must have at most {LONGEST_LABEL} characters each, got {len(text)} for key {i}")
    return texts


def _values(given: Any, n: int) -> tuple[str, ...] | None:
    colours = _one_each(given, n, "values")
    if colours is None:
        return None
    plain = tuple(colour.lower() if isinstance(colour, str) else colour for colour in colours)
    for i, colour in enumerate(plain):
        if not is_colour(colour):
            raise ValueError(f"`values` must be colours such as '#0072b2', got {str(colours[i])[:40]!r} for key {i}")
    return plain


def _layer(given: Any, n: int) -> tuple[Goal | Top | None, ...] | None:
    goals = _one_each(given, n, "layer")
    for row, goal in enumerate(goals or ()):
        if goal is not None and not isinstance(goal, Goal | Top):
            raise TypeError(f"`layer` must hold goals or None, got {type(goal).__name__} for row {row}")
        if goal is not None:
            goal.check(n)
    return goals


def _row_of_layer(whole: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """What keeps the goal shown that of its row: a layer or a row brings its goal, and a goal alone goes into the layer."""
    layer, row = whole["layer"], whole["row"]
    if layer is None or whole["goal"] == layer[row]:
        return {}
    if "goal" not in new:
        return {"goal": layer[row]}
    if "layer" in new:
        raise ValueError(f"`goal` must be that of row {row} of the layer, {layer[row]!r}, got {whole['goal']!r}")
    return {"layer": (*layer[:row], whole["goal"], *layer[row + 1 :])}


def _one_each(given: Any, n: int, name: str) -> tuple[Any, ...] | None:
    if given is None:
        return None
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise TypeError(f"`{name}` must be a list with one entry per key, got {type(given).__name__}")
    entries = tuple(given)
    if len(entries) != n:
        raise ValueError(f"`{name}` must have one entry per key ({n}), got {len(entries)}")
    return entries


def _number(given: Any, name: str) -> float:
    exact = inputs.rational(given, name=name)
    try:
        return float(exact)
    except OverflowError:
        raise ValueError(f"`{name}` must be a number that float64 holds, got {inputs.show(exact)}") from None


def _share(given: Any, name: str) -> float:
    number = _number(given, name)
    if not 0 < number < 1:
        raise ValueError(f"`{name}` must lie between 0 and 1, got {number!r}")
    return number


def _positive(given: Any, name: str) -> float:
    number = _number(given, name)
    if number <= 0:
        raise ValueError(f"`{name}` must be positive, got {number!r}")
    return number


def _not_negative(given: Any, name: str) -> float:
    number = _number(given, name)
    if number < 0:
        raise ValueError(f"`{name}` must be 0 or more, got {number!r}")
    return number


_NUMBERS: dict[str, Any] = {
    "error": _share,
    "scale": _positive,
    "max_norm": lambda given, name: None if given is None else _positive(given, name),
    "radius": lambda given, name: 0.0 if given is None else _not_negative(given, name),
    "heads": lambda given, name: inputs.count(given, name=name, least=1),
    "row": lambda given, name: inputs.index(given, name=name),
}


def _entries(scene: Scene) -> dict[str, Any]:
    return {name: getattr(scene, name) for name in (*NAMES, *OTHER_NAMES, "along") if name != "noise"}


def _fit(whole: dict[str, Any], n: int, d: int) -> None:
    """What must fit together: entries that stay, beside keys or a goal that changed."""
    goal, heads, queries = whole["goal"], whole["heads"], whole["queries"]
    if goal is not None:
        goal.check(n)
    targets = 1 if goal is None or isinstance(goal, Top) else len(goal.indices)
    if heads not in (1, targets):
        raise ValueError(f"`heads` must be 1 or the number of targets ({targets}), got {heads}")
    if queries is not None and queries.shape[1] != d:
        raise ValueError(f"`queries` must have {d} coordinates, as the keys have, got shape {queries.shape}")
    for name in ("labels", "values", "layer"):
        if whole[name] is not None and len(whole[name]) != n:
            raise ValueError(f"`{name}` must have one entry per key ({n}), got {len(whole[name])}")
    for j in whole["along"]:
        if j >= n:
            raise ValueError(f"`noise` names key {j}, but there are only {n} keys")
    if whole["row"] >= n:
        raise ValueError(f"`row` must be one of the {n} tokens, got {whole['row']}")
