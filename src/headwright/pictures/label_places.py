"""Labels beside points: each where it covers neither a point nor another label, or nowhere.

A greedy choice: each label in turn takes the best free place of three. Sizes are estimated
from the number of letters, in units of the picture's width, so that no picture has to be drawn to place them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_LETTER = 0.0135  # width of a letter, as part of the picture's width
_LINE = 0.030  # height of a line of text
_MARK = 0.012  # half the width of a marker
_MOST_COVERED = 2  # points of the soft kind under one label
_SIDES = {  # direction of the label from its point: horizontal and vertical alignment
    (1, 0): ("left", "center"),
    (-1, 0): ("right", "center"),
    (0, 1): ("center", "bottom"),
}


def label_points(
    axes: Any, labels: Sequence[tuple[str, np.ndarray]], marks: np.ndarray, *, soft: np.ndarray, width: float
) -> None:
    """Write each (text, place) beside its place, clear of all `marks` (m, 2) and over at most two of `soft` (k, 2).

    `width` is the picture's, in data units.
    """
    taken, avoided = ([_box(mark / width, (0, 0), "") for mark in points] for points in (marks, soft))
    for text, place in labels:
        boxes = {side: _box(np.asarray(place) / width, side, text) for side in _SIDES}
        free = [side for side in _SIDES if not any(_meet(boxes[side], other) for other in taken)]
        covered = {side: sum(_meet(boxes[side], other) for other in avoided) for side in free}
        if covered and min(covered.values()) <= _MOST_COVERED:
            side = min(covered, key=covered.__getitem__)
            across, up = _SIDES[side]
            offset = (9 * side[0], 9 * side[1])
            axes.annotate(text, place, xytext=offset, textcoords="offset points", ha=across, va=up, zorder=6)
            taken.append(boxes[side])


def _box(place: np.ndarray, side: tuple[int, int], text: str) -> tuple[float, float, float, float]:
    """(left, right, bottom, top) of a label beside a point, or of the marker itself for side (0, 0)."""
    if side == (0, 0):
        return place[0] - _MARK, place[0] + _MARK, place[1] - _MARK, place[1] + _MARK
    wide, gap = _LETTER * len(text), 1.3 * _MARK
    x = place[0] + side[0] * (gap + wide / 2)
    y = place[1] + side[1] * (gap + _LINE / 2)
    return x - wide / 2, x + wide / 2, y - _LINE / 2, y + _LINE / 2


def _meet(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]
