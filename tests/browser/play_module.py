"""What the tests of the playground's module share: its exports in an empty page, scenes, and random states."""

import json

import numpy as np

import headwright as hw
from headwright.playground.module import module_text
from headwright.playground.scene_faults import FIRST

LOAD = "async (text) => { window.own = await import(URL.createObjectURL(new Blob([text], {type: 'text/javascript'}))) }"
ERRORS = (0.4, 0.1, 0.01, 1e-6)


class Module:
    """The exports of the module, called with JSON and answering with it."""

    def __init__(self, browser):
        self.page = browser.new_page()
        self.page.set_content("<title>module</title>")
        self.page.evaluate(LOAD, module_text())

    def each(self, name, arguments):
        """The function `name` of the module on every list of arguments."""
        code = "([name, text]) => JSON.stringify(JSON.parse(text).map((some) => own[name](...some)))"
        return json.loads(self.page.evaluate(code, [name, json.dumps(list(arguments))]))

    def compute(self, scenes):
        return self.each("compute", ([one] for one in scenes))


def as_dict(goal):
    return {"goal": "top", "indices": list(goal.indices)} if isinstance(goal, hw.Top) else goal.to_dict()


def scene(keys, goal, error=0.01, **more):
    keys = np.asarray(keys, dtype=float).tolist()
    return {**FIRST, "keys": keys, "goal": goal and as_dict(goal), "error": error, **more}


def designed(one, goal, **more):
    """What the library designs for a scene, or its refusal."""
    if one["max_norm"] is not None:
        more["max_norm"] = one["max_norm"]
    elif not isinstance(goal, hw.Top):
        more["error"] = str(one["error"])
    if one["heads"] != 1:
        more["heads"] = one["heads"]
    return hw.design(np.array(one["keys"]), goal, scale=one["scale"], throw=False, **more)


def apart(query, other):
    """How far two queries are apart, of the second one's norm or of 1."""
    query, other = np.array(query), np.array(other)
    return float(np.linalg.norm(query - other)) / max(1.0, float(np.linalg.norm(other)))


def some_keys(rng, n, d):
    """Keys of one of five kinds: plain, on a grid, nearly equal, far from the origin, nearly in line."""
    keys = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-3, 3)
    kind = rng.integers(5)
    if kind == 1:
        keys = rng.integers(-4, 5, size=(n, d)).astype(float)
    if kind == 2 and n > 1:
        keys[1] = keys[0] + 1e-5 * np.abs(keys).max() * rng.normal(size=d)
    if kind == 3:
        keys = keys + 10 * np.abs(keys).max() * rng.normal(size=d)
    if kind == 4:
        keys[:, 1:] *= 1e-3
    return keys


def some_goal(rng, keys, kinds=("copy", "average", "blend", "top")):
    """A goal on some keys: any, or those that lie farthest in some direction, which more often can be reached."""
    n, kind = len(keys), rng.choice(kinds)
    far = rng.integers(4) > 0
    order = np.argsort(-keys @ rng.normal(size=keys.shape[1])) if far else rng.permutation(n)
    named = order[: int(rng.integers(1, min(n, 3 if far else 4)))].tolist() if n > 2 else order[:1].tolist()
    if kind == "copy" or n < 3:
        return hw.Copy(named[0])
    if kind == "blend":
        return hw.Blend({i: str(int(rng.integers(1, 20))) for i in named})
    return hw.Average(named) if kind == "average" else hw.Top(named)
