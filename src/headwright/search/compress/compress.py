"""compress: the fewest bits of a list of kinds that are proved to keep attention within an error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.search.compress.compare import compare
from headwright.search.compress.compression_result import Compression, Tried
from headwright.search.compress.options import options
from headwright.search.compress.strongest_query import strongest_query
from headwright.theories.stored_keys.kept_on_ball import KeptOnBall
from headwright.words.stored import Stored

_AXES = tuple(range(33))  # as NumPy
# What is known of one kind: a proved upper bound of its error, a proved lower one, and how to judge the claim.
_Judged = tuple[float | None, float, Callable[[], Verdict]]


def compress(
    keys: Any,
    queries: Any = None,
    *,
    max_norm: Any = None,
    error: Any,
    kinds: Any = None,
    scale: Any = None,
    causal: bool = False,
) -> Compression:
    """The kind with the fewest bits whose stored keys are proved to move no query's weights by more than `error`.

    The total variation of the weights is at most `error` for each of the `queries` given, or for all queries of norm
    `max_norm` or less: pass one or the other. Keys (..., n, d) of several sets are stored in one kind, which serves them
    all. Queries and `causal` are as in `compare`; with `max_norm`, `causal` means that a query may see any first keys only.

    `kinds` lists names of `stored`, tuples (kind, axis, group, symmetric) of its arguments, and ("rank", r) for the product
    of two factors of 16-bit numbers. By default the common ones are tried. Nothing fits: the result says so, with the same
    table.

    >>> import numpy as np
    >>> keys = np.random.default_rng(0).normal(size=(64, 16))
    >>> small = compress(keys, max_norm=1, error="0.05", kinds=["float16", "fp8-e4m3", ("int8", "token"), "int4"])
    >>> small.kind, small.verdict.status
    ('int8 per token', 'proved')
    """
    if (queries is None) == (max_norm is None):
        raise ValueError("`queries` or `max_norm` must be given, and not both")
    own = inputs.float64(keys, name="keys", ndim=_AXES)
    if own.ndim < 2:
        raise ValueError(f"`keys` must have shape (..., n, d), got {own.shape}")
    asked = inputs.rational(error, name="error")
    factor = inputs.rational(1 if scale is None else scale, name="scale")
    if queries is not None:
        chosen = inputs.float64(queries, name="queries", ndim=(own.ndim - 1, own.ndim))
        judge = _for_queries(own, chosen, asked, factor, causal)
        count = chosen.size // chosen.shape[-1]
        about = "1 query" if count == 1 else f"{count} queries"
    else:
        chosen, most = None, inputs.rational(max_norm, name="max_norm")
        judge = _for_all(own, asked, factor, most, causal)
        about = f"all queries of norm at most {inputs.show(most)}"
    tried: list[tuple[Tried, Stored, Callable[[], Verdict]]] = []
    for option in options(kinds, *own.shape[-2:]):
        try:
            kept = option.of(own, chosen)
        except ValueError:
            if kinds is not None:
                raise
            continue  # of the usual kinds, one whose numbers are too small for these keys is left out
        certified, observed, verdict = judge(kept)
        within = certified is not None and Fraction(certified) <= asked
        if not within and queries is not None and Fraction(observed) <= asked:
            within = isinstance(verdict(), Proved)  # too near the error for float64
        tried.append((Tried(option.label, kept.bits, certified, observed, within), kept, verdict))
    tried.sort(key=lambda row: (row[0].bits, np.inf if row[0].certified is None else row[0].certified))
    rows = tuple(row for row, _, _ in tried)
    for row, kept, verdict in tried:
        if row.within and isinstance(judged := verdict(), Proved):
            return Compression(row.kind, row.bits, kept, judged, asked, about, rows)
    tried.sort(key=lambda row: np.inf if row[0].certified is None else row[0].certified)
    open_rows = (verdict() for row, _, verdict in tried if Fraction(row.observed) <= asked)
    undecided = next((judged for judged in open_rows if not isinstance(judged, Refuted)), None)
    shown = tried[0][2]() if undecided is None else undecided
    return Compression(None, None, None, shown, asked, about, rows)


def _for_queries(
    keys: np.ndarray, queries: np.ndarray, error: Fraction, scale: Fraction, causal: bool
) -> Callable[[Stored], _Judged]:
    compare(keys, keys, queries, scale=scale, causal=causal).claim(error)  # checks every argument before any work

    def judge(kept: Stored) -> _Judged:
        found = compare(keys, kept, queries, scale=scale, causal=causal)
        return found.worst.value.high, found.worst.value.low, lambda: found.claim(error)

    return judge


def _for_all(
    keys: np.ndarray, error: Fraction, scale: Fraction, max_norm: Fraction, causal: bool
) -> Callable[[Stored], _Judged]:
    if not isinstance(causal, bool | np.bool_):
        raise TypeError(f"`causal` must be True or False, got {causal!r}")
    sets = keys.reshape(-1, *keys.shape[-2:])
    bare = KeptOnBall(sets, sets, error, scale, max_norm, bool(causal))  # checks every argument before any work
    norm, factor = balls.float_below(max_norm), float(scale)

    def judge(kept: Stored) -> _Judged:
        values = np.asarray(kept).reshape(sets.shape)
        pairs = zip(sets, values, strict=True)
        found = np.stack([strongest_query(*pair, norm, factor, causal=bool(causal)) for pair in pairs])
        claim = replace(bare, stored=values, tried=found)
        bound = claim.best()
        rows = np.repeat(found[:, None], sets.shape[1] if causal else 1, axis=1)  # row i sees i + 1 keys
        observed = compare(sets, values, rows, scale=scale, causal=causal).worst.value.low
        return None if bound is None else balls.float_above(bound), observed, claim.prove

    return judge
