"""compare: how far the attention of given queries moves when keys, and values, are replaced."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import inputs
from headwright.search.compress.comparison import Comparison
from headwright.theories.stored_keys.attention_kept import AttentionKept

_AXES = (2, 3, 4, 5, 6)


def compare(
    keys: Any,
    stored: Any,
    queries: Any,
    *,
    values: Any = None,
    stored_values: Any = None,
    scale: Any = None,
    causal: bool = False,
) -> Comparison:
    """How far attention moves when `stored` replaces `keys`, for each query, with proved bounds.

    Every row of `queries` is a query of its own, with weights of its own that may move: nothing is mixed, so there is no `mix`.

    Shapes: keys and stored (..., n, d), values (..., n, v), queries (..., m, d), or (..., d) for one query per key set. Keys
    may have fewer heads than queries: with keys (..., G, n, d) and queries (..., H, m, d), H a multiple of G, head h reads
    key head h // (H / G). With `causal`, query i sees keys up to n - m + i. By default `scale` is 1, and the values stay as
    they are. The scores of all keys and queries are never held at once.

    >>> import headwright as hw
    >>> keys = np.eye(3)
    >>> c = hw.compare(keys, keys.round() * 0.99, 4 * keys)
    >>> c.worst.value < 0.003, c.winner_kept.tolist(), c.claim("0.01").status
    (True, [True, True, True], 'proved')
    """
    if not isinstance(causal, bool | np.bool_):
        raise TypeError(f"`causal` must be True or False, got {causal!r}")
    if stored_values is not None and values is None:
        raise ValueError("`stored_values` needs `values`, which they replace")
    arrays = {"keys": inputs.float64(keys, name="keys", ndim=_AXES)}
    shape = arrays["keys"].shape
    for name, given in (("stored", stored), ("values", values), ("stored_values", stored_values)):
        if given is not None or name == "stored":
            arrays[name] = inputs.float64(given, name=name, ndim=len(shape))
            if arrays[name].shape[:-1] != shape[:-1] or (name == "stored" and arrays[name].shape != shape):
                raise ValueError(f"`{name}` must match keys of shape {shape}, got shape {arrays[name].shape}")
    asked = inputs.float64(queries, name="queries", ndim=(len(shape) - 1, len(shape)))
    single = asked.ndim < len(shape)
    heads = asked.shape[:-1] if single else asked.shape[:-2]
    _need_heads(heads, shape, asked.shape)
    arrays["queries"] = asked[..., None, :] if single else asked
    for name in arrays:  # one after the other, so that only one of them is held twice
        arrays[name] = _with_three_axes(arrays[name], name)
    claim = AttentionKept(
        arrays["keys"],
        arrays["stored"],
        arrays["queries"],
        Fraction(1, 2),  # any error, since the bounds do not depend on it
        inputs.rational(1 if scale is None else scale, name="scale"),
        bool(causal),
    )
    return Comparison.of(claim, arrays.get("values"), arrays.get("stored_values"), asked.shape[:-1])


def _with_three_axes(array: np.ndarray, name: str) -> np.ndarray:
    """The array with all batch axes in one, as a claim takes it without another copy."""
    if array.ndim == 3:
        return array
    return inputs.float64(array.reshape(-1, *array.shape[-2:]), name=name, ndim=3)


def _need_heads(heads: tuple[int, ...], keys: tuple[int, ...], queries: tuple[int, ...]) -> None:
    """ValueError unless the query heads are as many as the key sets, or a multiple of them in the last batch axis."""
    batch = keys[:-2]
    fits = len(batch) == len(heads) and batch[:-1] == heads[:-1] and not (batch and heads[-1] % batch[-1])
    if not fits:
        raise ValueError(
            f"`queries` must have the batch axes {batch} of the keys, the last one times a group size, "
            f"got queries of shape {queries} beside keys of shape {keys}"
        )
    if queries[-1] != keys[-1]:
        raise ValueError(f"`queries` must have {keys[-1]} numbers each, as keys have, got shape {queries}")
