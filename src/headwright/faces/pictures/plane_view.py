"""One varying key seen in a plane: coordinates along its mean and across it, its draws there, and a frame around all.

A key k ~ N(μ, Σ) has the component μ̂·k ~ N(‖μ‖, μ̂ᵀΣμ̂) along its mean: 95 % of its draws lie within 1.96 standard deviations
of ‖μ‖ there. A key of finite law has the few points c·‖k‖.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from headwright.words.key_models import GaussianKeys, generator_of
from headwright.words.scaled_keys import ScaledKeys

_NINETY_FIVE = 1.959963984540054  # standard deviations to either side that hold 95 % of a Gaussian
_BELOW, _ABOVE = 0.12, 0.05  # room for the range below the draws, and for a label above, as parts of the frame's width
_WIDEST, _TALLEST = 2.25, 1.4  # width of a frame, as a multiple of its height


@final
@dataclass(frozen=True, eq=False)
class View:
    """What is seen: the key's draws or points (m, 2), the ends of its range, its mean, the other keys' means (n - 1, 2)."""

    drawn: np.ndarray
    ends: tuple[float, float]
    words: str
    mean: float
    rest: list[int]
    places: np.ndarray

    @property
    def is_flat(self) -> bool:
        """Whether all draws lie on the mean's own line."""
        return bool(np.abs(self.drawn[:, 1]).max() <= 1e-6 * np.ptp(self.drawn[:, 0]))

    @property
    def shown(self) -> np.ndarray:
        """Every point drawn (m, 2), the line from the origin to the mean among them."""
        return np.vstack([self.drawn, np.outer(np.linspace(0, 1, 50), [self.mean, 0.0]), self.places])


@final
@dataclass(frozen=True)
class Frame:
    """Limits with one unit on both axes."""

    left: float
    bottom: float
    width: float
    height: float


def unit(row: np.ndarray) -> np.ndarray:
    scaled = row / (np.abs(row).max() or 1.0)
    return np.asarray(scaled / (np.linalg.norm(scaled) or 1.0))


def farthest(centre: np.ndarray, key: int) -> int:
    """The key whose mean deviates most from the direction of this one's; the key itself where it is the only one."""
    along = unit(centre[key])
    left = centre - np.outer(centre @ along, along)
    return int(np.argmax(np.linalg.norm(left, axis=1).round(12)))


def plane_of(centre: np.ndarray, key: int, beside: int) -> np.ndarray:
    """Two rows (2, d): the unit mean, and the unit vector across it towards `beside` (any, where that lies along the mean)."""
    along = unit(centre[key])
    left = centre[beside] - (centre[beside] @ along) * along
    if np.linalg.norm(left) <= 1e-9 * np.linalg.norm(centre[beside]):
        left = np.eye(len(along))[int(np.argmin(np.abs(along)))]
        left = left - (left @ along) * along
    return np.stack([along, unit(left)])


def seen(model: GaussianKeys | ScaledKeys, key: int, plane: np.ndarray, samples: int, seed: int | None) -> View:
    """The key in the plane (2, d) of its mean: `samples` draws, or all points of a finite law."""
    length = float(np.linalg.norm(model.centre[key]))
    rest = [j for j in range(model.n) if j != key]
    mean, places = float(model.mean[key] @ plane[0]), model.mean[rest] @ plane.T
    if isinstance(model, ScaledKeys):
        points = np.array([[float(c) * length, 0.0] for c in model.laws[key]])
        ends = float(points[:, 0].min()), float(points[:, 0].max())
        return View(points, ends, "all draws", mean, rest, places)
    covariance = model.isotropic[key] * (plane @ plane.T) + np.diag([model.along[key], 0.0])
    if (factor := model.directions().get(key)) is not None:
        covariance = covariance + plane @ factor @ factor.T @ plane.T
    values, vectors = np.linalg.eigh(covariance)  # a Gaussian in the plane again
    root = vectors * np.sqrt(np.maximum(values, 0))
    drawn = generator_of(seed).standard_normal((samples, 2)) @ root.T + [length, 0]
    spread = _NINETY_FIVE * math.sqrt(max(0.0, float(covariance[0, 0])))
    return View(drawn, (length - spread, length + spread), "95 % of draws", mean, rest, places)


def frame_around(view: View) -> Frame:
    """Limits that hold everything shown and, below it, the range; not too tall and not too flat."""
    xs, ys = np.append(view.shown[:, 0], view.ends), view.shown[:, 1]
    wide, tall = 1.15 * float(np.ptp(xs)), 1.1 * float(np.ptp(ys))
    # A frame of this width has height tall + (_BELOW + _ABOVE)·width; one as tall as allowed bounds the width from below.
    width = max(wide, tall / (1 / _TALLEST - _BELOW - _ABOVE))
    height = max(tall + (_BELOW + _ABOVE) * width, width / _WIDEST)
    spare = height - tall - (_BELOW + _ABOVE) * width
    middle = float(xs.min() + xs.max()) / 2
    return Frame(middle - width / 2, float(ys.min()) - _BELOW * width - spare / 2 - 0.05 * tall, width, height)
