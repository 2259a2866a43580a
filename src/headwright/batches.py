"""Batches: many key sets at once, (..., n, d), and what belongs to each of them, one for all or nested lists like the batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from headwright import inputs
from headwright._design import Design
from headwright.goals import Goal, Top

# How many axes keys may have: six are enough for layers, samples, heads and one to spare.
BATCH_AXES = tuple(range(2, 7))
Value = TypeVar("Value")


def key_sets(keys: Any) -> np.ndarray:
    """The keys (n, d), or a batch of them (..., n, d), as float64.

    >>> key_sets(np.zeros((5, 4, 3))).shape
    (5, 4, 3)
    """
    return inputs.float64(keys, name="keys", ndim=BATCH_AXES)


def beside(queries: Any, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Raw queries for a batch of keys as (..., h, d), and the keys, whose axes before the last two are then the same or 1.

    Where the queries have several times as many heads as the keys, in the last axis of the batch, the keys are repeated: head h
    reads key head h // group.

    >>> [beside(np.ones(shape), np.ones((5, 4, 3)))[0].shape for shape in [(3,), (5, 3), (5, 2, 3), (1, 2, 3)]]
    [(1, 1, 3), (5, 1, 3), (5, 2, 3), (1, 2, 3)]
    >>> beside(np.ones((10, 3)), np.ones((5, 4, 3)))[1].shape
    (10, 4, 3)
    """
    array = inputs.float64(queries, name="queries", ndim=(1, *BATCH_AXES))
    batch, d = keys.shape[:-2], keys.shape[-1]
    if array.ndim == 1:
        array = array.reshape(*(1 for _ in batch), 1, -1)
    elif array.ndim == keys.ndim - 1:
        array = array[..., None, :]
    if array.ndim == keys.ndim and array.shape[-3] > batch[-1] and array.shape[-3] % batch[-1] == 0:
        keys = np.repeat(keys, array.shape[-3] // batch[-1], axis=-3)
    fits = array.ndim == keys.ndim and array.shape[-1] == d
    if not fits or any(one not in (1, all_) for one, all_ in zip(array.shape, keys.shape[:-2], strict=False)):
        said = ", ".join(map(str, batch))
        raise ValueError(
            f"`queries` must have shape ({d},), ({said}, {d}) or ({said}, h, {d}) beside keys {keys.shape}, where the last "
            f"axis of the batch may be a multiple, and 1 means one for all, got {tuple(np.shape(array))}"
        )
    return array, keys


def one_per_set(given: Any, batch: Sequence[int], name: str = "goal") -> list[Any]:
    """What is given for the key sets, flat: one goal or Design for all, or nested lists with the shape of the batch.

    >>> from headwright.goals import Copy
    >>> one_per_set([[Copy(0)], [Copy(1)]], (2, 1))
    [Copy(0), Copy(1)]
    """
    if given is None or isinstance(given, Goal | Top | Design):
        return [given] * int(np.prod(batch))
    level = [given]
    for size in batch:
        if any(not isinstance(part, list | tuple) or len(part) != size for part in level):
            raise ValueError(
                f"`{name}` must be one for all key sets, or lists of shape {tuple(batch)} with one for each"
            )
        level = [part for parts in level for part in parts]
    return level


def nested(flat: Sequence[Value], batch: Sequence[int]) -> list[Any]:
    """The values of all key sets in lists of lists, with the shape of the batch.

    >>> nested("abcd", (2, 2))
    [['a', 'b'], ['c', 'd']]
    """
    values: list[Any] = list(flat)
    for size in reversed(batch[1:]):
        values = [values[first : first + size] for first in range(0, len(values), size)]
    return values


def places(batch: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The index of every key set, in the order of the flat list."""
    return np.ndindex(*batch)
