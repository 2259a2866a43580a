"""Keys in sentences: by the question's names, or by their numbers, counted as the question counts them."""

from __future__ import annotations

import re

import numpy as np

from headwright.problems.family import Setting

_KEY = re.compile(r"\bkey ([0-9]{1,9})\b")
_KEYS = re.compile(r"\b(?:the )?keys ([0-9]{1,9}(?:, [0-9]{1,9})*)\b")
_MOST_ROWS = 12


def keys_in_words(setting: Setting) -> str:
    """The keys as rows where they are few, else how many there are."""
    if setting.model is not None:
        return named(str(setting.model).partition(": ")[2] or str(setting.model), setting)
    n, d = setting.centre.shape
    rows = "\n".join(
        f"{key_name(setting, i)} = {[float(f'{x:.6g}') for x in key]}"
        for i, key in enumerate(setting.centre[:_MOST_ROWS])
    )
    return rows if n <= _MOST_ROWS and d <= _MOST_ROWS else f"{n} keys in dimension {d}"


def key_name(setting: Setting, index: int) -> str:
    """What the question calls this key, such as k_2; "key 1", in the question's count, where it has no name for it alone."""
    centre, number = setting.centre, f"key {index + setting.count_from}"
    if not 0 <= index < len(centre):
        return number
    names = [name for name, value in setting.names.items() if np.array_equal(value, centre[index])]
    alike = [i for i, key in enumerate(centre) if np.array_equal(key, centre[index])]
    if len(alike) == 1 or len(names) == len(alike):  # equal keys take their names in order
        return names[alike.index(index)] if names else number
    return number


def named(text: str, setting: Setting) -> str:
    """The text with the question's names for its keys."""

    def several(found: re.Match[str]) -> str:
        return ", ".join(key_name(setting, int(i)) for i in found[1].split(", "))

    return _KEYS.sub(several, _KEY.sub(lambda key: key_name(setting, int(key[1])), text))
