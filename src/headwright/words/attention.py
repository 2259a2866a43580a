"""attend: standard softmax attention in the caller's own array library, numerically stable and differentiable."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import ModuleType
from typing import Any, final

import array_api_compat
import numpy as np

from headwright.words.array_libraries import is_concrete, namespace, need_finite
from headwright.words.design import Design

_HALF = ("float16", "bfloat16")


@final
@dataclass(frozen=True, eq=False)
class Attention:
    """What `attend` gives: scores (..., m, n), weights (..., m, n), output (..., m, v), which is None without values.

    >>> import numpy as np
    >>> found = attend(np.array([2.0, 0.0]), np.eye(2), np.array([[1.0], [3.0]]))
    >>> found.scores, found.weights.round(3), found.output.round(3)
    (array([2., 0.]), array([0.881, 0.119]), array([1.238]))
    """

    scores: Any
    weights: Any
    output: Any


def attend(query: Any, keys: Any, values: Any = None, *, scale: float | None = None, mask: Any = None) -> Attention:
    """weights = softmax(scale · query·keysᵀ), output = weights · values.

    query (d,) or (..., m, d); keys (..., n, d); values (..., n, v); mask broadcasts to (..., m, n), True = may attend. Where
    queries have a multiple of the keys' heads (axis -3), head h reads key head h // group.
    A Design as query uses its own scale, and mixes the weights and outputs of its heads over every key set. Its scores stay
    separate for each head (..., h, n). float16 and bfloat16 inputs are computed in float32, and their scores stay float32.

    >>> import numpy as np
    >>> attend(np.array([2.0, 0.0]), np.eye(2)).weights.round(3)
    array([0.881, 0.119])
    """
    if isinstance(query, Design):
        return _attend_design(query, keys, values, scale, mask)
    xp = namespace(query, keys, values, mask)
    query, keys = _checked(xp, query, "query"), _checked(xp, keys, "keys")
    values = None if values is None else _checked(xp, values, "values")
    single = query.ndim == 1
    _check_shapes(query, keys, values)
    kind, compute = _types(xp, query, keys, values)
    q, k = (xp.astype(part, compute) for part in (query, keys))
    factor = 1.0 if scale is None else _positive(scale)
    group = 1 if single else _group(q, k, values)
    scores = _scores(xp, q[None, :] if single else q, k, factor, group)
    weights = _softmax(xp, scores, mask)
    output = None if values is None else xp.astype(_product(xp, weights, xp.astype(values, compute), group), kind)
    weights = xp.astype(weights, kind)
    if single:
        scores, weights = scores[..., 0, :], weights[..., 0, :]
        output = None if output is None else output[..., 0, :]
    return Attention(scores, weights, output)


def _group(query: Any, keys: Any, values: Any) -> int:
    """How many heads of queries read each head of keys: 1 unless there are several times as many, and several of keys."""
    if min(query.ndim, keys.ndim) < 3 or query.shape[-3] == 1 or keys.shape[-3] in (1, query.shape[-3]):
        return 1
    group = int(query.shape[-3]) // int(keys.shape[-3])
    if group * keys.shape[-3] != query.shape[-3]:
        raise ValueError(
            f"`query` must have as many heads (axis -3) as `keys`, or a multiple, got {query.shape[-3]} and {keys.shape[-3]}"
        )
    if values is not None and values.ndim > 2 and values.shape[-3] not in (1, keys.shape[-3]):
        raise ValueError(f"`values` must have the heads of `keys` ({keys.shape[-3]}, axis -3), got {values.shape[-3]}")
    return group


def _scores(xp: ModuleType, q: Any, k: Any, factor: float, group: int) -> Any:
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            scores = factor * _product(xp, q, xp.matrix_transpose(k), group)
    except (ValueError, RuntimeError, TypeError) as error:
        raise ValueError(f"`query` {tuple(q.shape)} and `keys` {tuple(k.shape)} do not broadcast") from error
    if is_concrete(scores) and not bool(xp.all(xp.isfinite(scores))):
        raise ValueError(f"`query`, `keys` and `scale` give scores beyond the range of {scores.dtype}")
    return scores


def _product(xp: ModuleType, left: Any, right: Any, group: int) -> Any:
    """left @ right, where head h of `left` meets head h // group of `right`."""
    if group == 1 or right.ndim == 2:
        return xp.matmul(left, right)
    *batch, heads, m, inner = left.shape
    apart = xp.reshape(left, (*batch, heads // group, group, m, inner))
    product = xp.matmul(apart, xp.expand_dims(right, axis=-3))
    return xp.reshape(product, (*product.shape[:-4], heads, *product.shape[-2:]))


def _attend_design(design: Design, keys: Any, values: Any, scale: float | None, mask: Any) -> Attention:
    if scale is not None:
        raise ValueError("`scale` must not be given with a Design, which has its own")
    xp = namespace(keys, values, mask)
    keys = _checked(xp, keys, "keys")
    if design.queries.shape[-1] != keys.shape[-1]:
        raise ValueError(
            f"`query` and `keys` must share their last dimension, got {design.queries.shape} and {tuple(keys.shape)}"
        )
    kind, compute = _types(xp, keys, keys, values)
    device = array_api_compat.device(keys)
    queries = xp.asarray(design.queries.tolist(), dtype=compute, device=device)
    each = attend(queries, xp.astype(keys, compute), values, scale=design.scale, mask=mask)
    mix = xp.asarray((design.mix / design.mix.sum()).tolist(), dtype=compute, device=device)
    weights = xp.matmul(mix, xp.astype(each.weights, compute))
    output = None if each.output is None else xp.astype(xp.matmul(mix, xp.astype(each.output, compute)), kind)
    return Attention(each.scores, xp.astype(weights, kind), output)


def _checked(xp: ModuleType, value: Any, name: str) -> Any:
    """`value` as a non-empty, finite, real array of library xp; integers become the default float."""
    if isinstance(value, Design):
        raise TypeError(f"`{name}` must be an array, got a Design, whose queries are `.queries`")
    if not array_api_compat.is_array_api_obj(value):
        try:
            value = np.asarray(value)
        except ValueError as error:
            raise ValueError(f"`{name}` must be a rectangular array of numbers: {error}") from error
        if value.dtype.kind in "fiub":
            value = xp.asarray(value)
    half = _name(value.dtype) in _HALF
    if array_api_compat.is_numpy_array(value) and value.dtype.kind not in "fiub" and not half:
        raise TypeError(f"`{name}` must hold real numbers, got dtype {value.dtype}")
    if value.ndim < (1 if name == "query" else 2):
        raise ValueError(f"`{name}` must have shape (..., n, d), got {tuple(value.shape)}")
    if math.prod(value.shape) == 0:
        raise ValueError(f"`{name}` must not be empty, got shape {tuple(value.shape)}")
    if not half and xp.isdtype(value.dtype, ("integral", "bool")):
        value = xp.astype(value, xp.asarray(0.0).dtype)
    if not half and xp.isdtype(value.dtype, "complex floating"):
        raise TypeError(f"`{name}` must hold real numbers, got dtype {value.dtype}")
    need_finite(value, name)
    return value


def _name(dtype: Any) -> str:
    return str(dtype).split(".")[-1]


def _check_shapes(query: Any, keys: Any, values: Any) -> None:
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError(
            f"`query` and `keys` must share their last dimension, got {tuple(query.shape)} and {tuple(keys.shape)}"
        )
    if values is not None and values.shape[-2] != keys.shape[-2]:
        raise ValueError(
            f"`values` must have one row per key, got {tuple(values.shape)} beside keys {tuple(keys.shape)}"
        )


def _types(xp: ModuleType, query: Any, keys: Any, values: Any) -> tuple[Any, Any]:
    """(type of the results, type of the computation)."""
    parts = [query, keys] if values is None else [query, keys, values]
    kind = xp.result_type(*(part.dtype for part in parts if hasattr(part, "dtype")))
    return kind, xp.float32 if _name(kind) in _HALF else kind


def _softmax(xp: ModuleType, scores: Any, mask: Any) -> Any:
    if mask is not None:
        mask = xp.asarray(mask)
        if not xp.isdtype(mask.dtype, "bool"):
            raise TypeError(f"`mask` must be boolean (True = may attend), got dtype {mask.dtype}")
        try:
            mask = xp.broadcast_to(mask, scores.shape)
        except (ValueError, RuntimeError, TypeError):
            raise ValueError(
                f"`mask` of shape {tuple(mask.shape)} does not broadcast to {tuple(scores.shape)}"
            ) from None
        rows = xp.any(mask, axis=-1)
        if is_concrete(rows) and not bool(xp.all(rows)):
            first = int(xp.argmin(xp.reshape(xp.astype(rows, xp.int32), (-1,))))
            place = [int(k) for k in np.unravel_index(first, rows.shape)]
            raise ValueError(f"`mask` must leave something to attend to in every row, but row {place} has nothing")
        scores = xp.where(mask, scores, -xp.inf)
    shifted = scores - xp.max(scores, axis=-1, keepdims=True)
    powers = xp.exp(shifted)
    return powers / xp.sum(powers, axis=-1, keepdims=True)


def _positive(scale: float) -> float:
    if isinstance(scale, str | bool) or not isinstance(scale, int | float | np.integer | np.floating):
        raise TypeError(f"`scale` must be a number, got {scale!r}")
    if not (math.isfinite(scale) and scale > 0):
        raise ValueError(f"`scale` must be positive and finite, got {scale!r}")
    return float(scale)
