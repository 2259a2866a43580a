"""The ways to store keys that `compress` tries: a kind of `stored` with its groups, or factors of low rank."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.number_types import KINDS, LEVELS
from headwright.words.stored import AXES, Axis, Stored, stored

_GROUP = 32  # keys or channels to a scale, where that divides their number: what key caches use
_RANKS = (8, 4, 2)  # parts of d
_CODES = 2**15 - 1  # the largest of a factor's 16-bit integers
_RIDGE = 1e-6  # of the queries' mean square: directions that no query has still count a little


class Option(NamedTuple):
    """One way to store keys: arguments of `stored`, or a `rank`."""

    kind: str
    axis: Axis = "channel"
    group: int | None = None
    symmetric: bool = True
    rank: int | None = None

    @property
    def label(self) -> str:
        """The option in a few words.

        >>> Option("int4", "token", 32).label, Option("rank", rank=8).label, Option("bfloat16").label
        ('int4 per token/32', 'rank 8', 'bfloat16')
        """
        if self.rank is not None:
            return f"rank {self.rank}"
        if self.kind not in LEVELS:
            return self.kind
        size = "" if self.group is None else f"/{self.group}"
        return f"{self.kind} per {self.axis}{size}" + ("" if self.symmetric else ", min-max")

    def of(self, keys: np.ndarray, queries: np.ndarray | None) -> Stored:
        """Keys (..., n, d) stored in this way; factors are chosen for the queries (..., m, d) if there are any."""
        if self.rank is None:
            return stored(keys, self.kind, self.axis, self.group, self.symmetric)
        return low_rank(keys, self.rank, queries)


def options(kinds: Any, n: int, d: int) -> list[Option]:
    """The options that `kinds` names; by default a list that suits n keys of d channels."""
    if kinds is None:
        return _usual(n, d)
    if isinstance(kinds, str) or not isinstance(kinds, Iterable):
        raise TypeError(f"`kinds` must be a list such as ['int8', ('int4', 'token', 32), ('rank', 8)], got {kinds!r}")
    found = [_option(entry, n, d) for entry in kinds]
    if not found:
        raise ValueError("`kinds` must name at least one kind, but it is empty")
    return found


def _option(entry: Any, n: int, d: int) -> Option:
    parts = (entry,) if isinstance(entry, str) else tuple(entry) if isinstance(entry, list | tuple) else ()
    if not parts or not isinstance(parts[0], str):
        raise TypeError(f"`kinds` must hold names, or tuples that begin with one, got {entry!r}")
    if parts[0] == "rank":
        if len(parts) != 2:
            raise ValueError(f"`kinds` must name a rank as ('rank', 8), got {entry!r}")
        rank, most = inputs.count(parts[1], name="rank"), min(n, d)
        if not 1 <= rank <= most:
            raise ValueError(f"`kinds` must name ranks from 1 to {most} for {n} keys of {d} channels, got rank {rank}")
        return Option("rank", rank=rank)
    if parts[0] not in KINDS:
        raise ValueError(f"`kinds` must name 'rank' or one of {', '.join(map(repr, KINDS))}, got {parts[0]!r}")
    if len(parts) > 4:
        raise ValueError(f"`kinds` must hold (kind, axis, group, symmetric) at most, got {entry!r}")
    return Option(*parts)


def _usual(n: int, d: int) -> list[Option]:
    found = [Option(kind) for kind in KINDS if kind not in LEVELS and kind != "float32"]
    for kind in LEVELS:
        for axis, length in zip(AXES, (n, d), strict=True):
            groups = [None, _GROUP] if length % _GROUP == 0 and length > _GROUP else [None]
            found += [Option(kind, axis, group) for group in groups]
        if kind != "nf4":
            found.append(Option(kind, "channel", None, False))
    return found + [Option("rank", rank=d // part) for part in _RANKS if 1 <= d // part < n]


def low_rank(keys: np.ndarray, rank: int, queries: np.ndarray | None = None) -> Stored:
    """Keys (..., n, d), less their mean, as a product of two factors of 16-bit integers times powers of two, of this rank.

    The mean does not matter to attention: it adds the same to every score. The products of two integers, and sums of them,
    stay below 2^53, so the values are exact. With queries, the factors are nearest in the scores that these give.
    """
    sets = keys.reshape(-1, *keys.shape[-2:])
    asked = [None] * len(sets) if queries is None else queries.reshape(len(sets), -1, keys.shape[-1])
    pairs = [_factors(part, rank, own) for part, own in zip(sets, asked, strict=True)]
    left, right = (np.stack(part).reshape(*keys.shape[:-2], *part[0].shape) for part in zip(*pairs, strict=True))
    return Stored("rank", left @ right, factors=(left, right))


def _factors(keys: np.ndarray, rank: int, queries: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    centred, d = keys - keys.mean(axis=0), keys.shape[1]
    turn = np.eye(d)
    if queries is not None:
        square = queries.T @ queries / len(queries)
        ridge = _RIDGE * float(np.trace(square)) / d or 1.0
        turn = np.linalg.cholesky(square + ridge * np.eye(d))
    u, sizes, v = np.linalg.svd(centred @ turn, full_matrices=False)
    root = np.sqrt(sizes[:rank])
    return _sixteen_bits(u[:, :rank] * root), _sixteen_bits(np.linalg.solve(turn.T, (v[:rank] * root[:, None]).T).T)


def _sixteen_bits(factor: np.ndarray) -> np.ndarray:
    """The nearest multiples of a power of two, with multipliers of at most 16 bits and a sign."""
    exponent = int(np.frexp(np.abs(factor).max() / _CODES)[1])
    rounded: np.ndarray = np.ldexp(np.rint(np.ldexp(factor, -exponent)), exponent)
    return rounded
