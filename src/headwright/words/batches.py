"""Batches: many key sets at once, (..., n, d), and what belongs to each of them, one for all or nested lists like the batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.goals import Goal, Top
from headwright.words.design import Design

# How many axes keys may have: six are enough for layers, samples, heads and one to spare.
BATCH_AXES = tuple(range(2, 7))
Value = TypeVar("Value")


def key_sets(keys: Any) -> np.ndarray:
    """The keys (n, d), or a batch of them (..., n, d), as float64.

    >>> key_sets(np.zeros((5, 4, 3))).shape
    (5, 4, 3)
    """
    return inputs.float64(keys, name="keys", ndim=BATCH_AXES)


def shares_of(mix: Any, rows: int) -> Any:
    """The mixing weights of `rows` raw queries that are heads of one output; ValueError where nothing says that they are.

    >>> shares_of("equal", 2), shares_of(None, 1), shares_of([0.25, 0.75], 2)
    (array([1., 1.]), array([1.]), [0.25, 0.75])
    """
    if mix is None and rows > 1:
        raise ValueError(
            f'`queries` has {rows} rows, and nothing says what they are: pass `mix="equal"`, or weights as `mix`, if they are '
            "heads of one output, and `each=True` if each is a query of its own"
        )
    if isinstance(mix, str) and mix != "equal":
        raise ValueError(f'`mix` must be "equal" or one weight per head, got {mix!r}')
    return np.ones(rows) if mix is None or isinstance(mix, str) else mix


def wants_each(each: Any, design: Any, mix: Any) -> bool:
    """Whether the rows of raw queries are separate queries; an error where they cannot be."""
    if not isinstance(each, bool | np.bool_):
        raise TypeError(f"`each` must be True or False, got {each!r}")
    if each and mix is not None:
        raise ValueError("`mix` does not go with `each`: separate queries are not mixed")
    if each and isinstance(design, Design):
        raise ValueError("`each` goes with raw queries: the queries of a Design are heads of one output")
    return bool(each)


def rows_of(queries: Any) -> np.ndarray:
    """Raw queries (m, d) as m separate ones, (m, 1, d)."""
    return inputs.float64(queries, name="queries", ndim=2)[:, None]


def beside(queries: Any, keys: np.ndarray, *, each: bool = False) -> np.ndarray:
    """Raw queries for keys (..., n, d) as (..., h, d), where the axes before the last two are those of the batch, or 1.

    In the last axis of the batch, the queries may have several times as many heads as the keys: head h reads key head h // group.
    With `each`, queries (..., m, d) are separate, and m is one more axis of the batch.

    >>> [beside(np.ones(shape), np.ones((5, 4, 3))).shape for shape in [(3,), (5, 3), (10, 3), (5, 2, 3), (1, 2, 3)]]
    [(1, 1, 3), (5, 1, 3), (10, 1, 3), (5, 2, 3), (1, 2, 3)]
    >>> beside(np.ones((5, 2, 3)), np.ones((5, 4, 3)), each=True).shape, beside(np.eye(3), np.ones((4, 3)), each=True).shape
    ((5, 2, 1, 3), (3, 1, 3))
    """
    array = inputs.float64(queries, name="queries", ndim=(1, *BATCH_AXES))
    batch, d = keys.shape[:-2], keys.shape[-1]
    if each and array.ndim != keys.ndim:
        said = "".join(f"{size}, " for size in batch)
        raise ValueError(
            f"`queries` must have shape ({said}m, {d}) with `each=True`: m queries for each key set, "
            f"got {tuple(np.shape(array))}"
        )
    if array.ndim == 1:
        array = array.reshape(*(1 for _ in batch), 1, -1)
    elif array.ndim == keys.ndim - 1:
        array = array[..., None, :]
    fits = array.ndim == keys.ndim and array.shape[-1] == d
    own = array.shape[:-2]
    if fits and batch and own[-1] % batch[-1] == 0:
        batch = (*batch[:-1], own[-1])
    if not fits or any(one not in (1, all_) for one, all_ in zip(own, batch, strict=True)):
        said = ", ".join(map(str, keys.shape[:-2]))
        raise ValueError(
            f"`queries` must have shape ({d},), ({said}, {d}) or ({said}, h, {d}) beside keys {keys.shape}, where the last "
            f"axis of the batch may be a multiple, and 1 means one for all, got {tuple(np.shape(array))}"
        )
    return array[..., None, :] if each else array


def one_per_set(given: Any, batch: Sequence[int], name: str = "goal") -> list[Any]:
    """What is given for the key sets, flat: one goal or Design for all, or nested lists with the shape of the batch.

    >>> from headwright.kernel.goals import Copy
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
