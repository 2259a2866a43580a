"""A question's setting in one line: the keys or key model, the goal, the heads, the error, and what the names stand for."""

from __future__ import annotations

import numpy as np

from headwright.problems import Problem
from headwright.problems.family import Setting

_WITHOUT_NUMBERS = {
    "A.2b": "All integer positions and every even dimension at once.",
    "E.2a": "Blocks that were trained, stored with the library, and drawn sequences that none of them saw.",
}


def setting_in_words(problem: Problem) -> str:
    """The setting at which arrays and numbers are judged."""
    setting = problem.setting()
    parts = [_keys(setting), _goal(setting), _names(setting)]
    said = "; ".join(part for part in parts if part)
    return f"{said}." if said else _WITHOUT_NUMBERS.get(problem.id, "The whole family at once.")


def _keys(setting: Setting) -> str:
    if setting.model is not None:
        return str(setting.model).partition(": ")[2].rstrip(".")
    if setting.keys is None:
        return ""
    n, d = setting.keys.shape
    if n == d and np.array_equal(setting.keys, np.eye(n)):
        return f"{n} orthonormal keys, the standard basis"
    unit = np.allclose(np.linalg.norm(setting.keys, axis=1), 1.0)
    if unit and np.all(setting.keys[1:] @ setting.keys[0] == 0.5):
        return f"{n} unit keys, all others at distance exactly 1 from the first, the nearest that is allowed"
    return f"{n} {'tokens' if setting.goal is None else 'keys'} in dimension {d}"


def _goal(setting: Setting) -> str:
    if setting.goal is None:
        return ""
    heads = {1: "one head", 2: "two heads"}.get(setting.heads, f"{setting.heads} heads")
    return f"goal {setting.goal}, {heads}, error {float(setting.error):g} (ε = {setting.epsilon})"


def _names(setting: Setting) -> str:
    """Vectors as coordinates, matrices by their shape, numbers as they are; n and ε are told already."""
    told = []
    for name, value in setting.names.items():
        if isinstance(value, np.ndarray):
            told.append(
                f"{name} = {_along(value)}" if value.ndim == 1 else f"{name} is {value.shape[0]}×{value.shape[1]}"
            )
        elif name not in ("n", "eps"):
            told.append(f"{name} = {value:g}")
    return ", ".join(told)


def _along(vector: np.ndarray) -> str:
    """A multiple of an axis as such, any other vector by its coordinates."""
    if np.count_nonzero(vector) != 1:
        return np.array2string(vector, precision=4, separator=", ")
    axis = int(np.argmax(vector != 0))
    return f"e_{axis}" if vector[axis] == 1 else f"{vector[axis]:g} e_{axis}"
