"""Profiles: how far each key, channel or entry may move, as people give it, made into the Region of a claim."""

from __future__ import annotations

from typing import Any

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.goals import Top
from headwright.kernel.region import NORMS, Region
from headwright.kernel.withstands import Withstands
from headwright.words.design import Design

PER = ("key", "channel", "entry")


def region_of(keys: np.ndarray, radius: Any, norm: Any, per: Any = None, profile: Any = None) -> Region:
    """The Region in which `keys` (n, d) move by at most `radius`, a number or an array, times `profile`.

    >>> region_of(np.zeros((3, 2)), [0.1, 0.2, 0.3], "box").profile.shape
    (3, 1)
    """
    check_norm(norm)
    if profile is None and _is_array(radius):
        return Region(1, norm, profile_of(radius, per, keys, name="radius"))  # type: ignore[arg-type]  # made exact
    if profile is None and per is not None:
        raise ValueError("`per` names the axis of a profile: it does not go with a single number")
    known = None if profile is None else profile_of(profile, per, keys, name="profile")
    return Region(inputs.rational(radius, name="radius"), norm, known)


def own_region(design: Any, keys: np.ndarray | None = None) -> Region | None:
    """The Region that a Design was made for, if it was made for keys that move; ValueError if it does not fit `keys`.

    >>> from headwright.search.design import design
    >>> from headwright.kernel.goals import Copy
    >>> own_region(design(np.eye(3), Copy(0), radius="1/9")).radius
    Fraction(1, 9)
    """
    if not isinstance(design, Design) or isinstance(design.goal, Top) or design.confidence is not None:
        return None
    claim = getattr(design.verdict, "record", None)
    region = claim.region if isinstance(claim, Withstands) else None
    if region is not None and keys is not None:
        try:
            region.check(keys)
        except ValueError as error:
            raise ValueError(
                f"`radius` is needed: the one that this design was made for does not fit, {error}"
            ) from error
    return region


def check_norm(norm: Any) -> None:
    """ValueError unless this is a way to measure moves."""
    if norm not in NORMS:
        raise ValueError(f"`norm` must be 'box' or 'ball', got {norm!r}")


def profile_of(given: Any, per: Any, keys: np.ndarray, *, name: str) -> np.ndarray:
    """Numbers for each key (n,), channel (d,) or entry (n, d), as an array (n, 1), (1, d) or (n, d)."""
    if per is not None and per not in PER:
        raise ValueError(f"`per` must be 'key', 'channel' or 'entry', got {per!r}")
    array = inputs.float64(given, name=name, ndim=(1, 2))
    n, d = keys.shape
    if per is None:
        per = "entry" if array.ndim == 2 else _axis(len(array), n, d, name)
    shape = {"key": (n,), "channel": (d,), "entry": (n, d)}[per]
    if array.shape != shape:
        raise ValueError(f"`{name}` must have shape {shape} for `per={per!r}`, got {array.shape}")
    if (array < 0).any() or not array.any():
        raise ValueError(f"`{name}` must be non-negative and not all zero")
    return array.reshape({"key": (n, 1), "channel": (1, d), "entry": (n, d)}[per])


def _axis(length: int, n: int, d: int, name: str) -> str:
    if length == n == d:
        raise ValueError(f"`per` must say what `{name}` is given for, 'key' or 'channel': there are {n} of each")
    if length not in (n, d):
        raise ValueError(f"`{name}` must have one number per key ({n}), per channel ({d}) or per entry, got {length}")
    return "key" if length == n else "channel"


def _is_array(value: Any) -> bool:
    return isinstance(value, list | tuple) or getattr(value, "ndim", 0) > 0
