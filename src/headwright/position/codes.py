"""Positions: the code of each place in a sequence, as rows of a table that is made only where it is looked at.

- **sinusoidal**: Φ_{t,2i} = sin(tω_i), Φ_{t,2i+1} = cos(tω_i), ω_i = base^(-2i/dim).
- **rotary**: position t turns the i-th pair of coordinates by the angle tω_i. As a vector that rotation is (cos tω_i, sin
  tω_i), column 2i and 2i+1: the sinusoid with each pair the other way round, and so with the same distances.
- **ALiBi**: position t adds the bias -m_h·|t - j| to its score with position j in head h, slopes m_h = 2^(-8h/heads), h =
  1 … heads. The row of position t is all its biases, head after head: dim = heads·length. (The slopes are the geometric
  sequence for every number of heads; some programs mix two such sequences where `heads` is not a power of two. Their biases
  can be given to `learned`.) No claim speaks of these rows: `np.asarray` makes a table of them, which can be judged as such.
- **learned**: any table of finite numbers.

Sines and cosines come in pairs, so an odd `dim` is refused: which half of the last pair to leave out is a convention no
two programs need share.

Rows are float64: tω_i is rounded there, and so row t is off by about t·1e-16. Without a `dtype`, `nearest_pair`,
`coincidence` and `distinct` do not look at these rows but at the exact reals. With one they round the float64 rows.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright import exact_inputs, inputs
from headwright.block_parts import sinusoidal_table
from headwright.shown import Shown

_LONGEST = 2**32
_LEAST_BASE, _LARGEST_BASE = Fraction(1e-300), Fraction(1e300)


@exact_inputs.own
@final
@dataclass(frozen=True, eq=False, repr=False)
class Positions(Shown):
    """`length` rows of `dim` numbers, made when asked for: np.asarray(p), len(p), p[3], p[5:9], p[:, 0] work, and `rows`.

    `kind` is "sinusoidal", "rotary", "alibi" or "learned"; `base` belongs to the first two, `heads` to the third, the
    table `given` to the last.

    >>> codes = sinusoidal(1000, 4)
    >>> len(codes), codes.shape, codes[0].tolist()
    (1000, (1000, 4), [0.0, 1.0, 0.0, 1.0])
    """

    kind: str
    length: int
    dim: int
    base: float | None = None
    heads: int | None = None
    given: np.ndarray | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """(length, dim)."""
        return self.length, self.dim

    @property
    def dtype(self) -> np.dtype[Any]:
        """float64, the type of the rows that are made."""
        return np.dtype(np.float64)

    @property
    def ndim(self) -> int:
        """2, as for any table."""
        return 2

    def rows(self, start: int, stop: int) -> np.ndarray:
        """Rows start … stop-1 as float64, (stop - start, dim); nothing else is made."""
        first, last = inputs.index(start, name="start"), inputs.index(stop, name="stop")
        if not first <= last <= self.length:
            raise ValueError(
                f"`start` and `stop` must satisfy 0 <= start <= stop <= {self.length}, got {start} and {stop}"
            )
        if self.given is not None:
            return np.array(self.given[first:last])
        if self.heads is not None:
            apart = np.abs(np.arange(first, last)[:, None, None] - np.arange(self.length))
            return np.asarray(-slopes(self.heads)[:, None] * apart + 0.0).reshape(last - first, self.dim)
        assert self.base is not None, "a code of waves has a base"
        made = sinusoidal_table(last - first, self.dim, base=self.base, start=first)
        if self.kind == "rotary":
            made = made.reshape(-1, self.dim // 2, 2)[:, :, ::-1].reshape(-1, self.dim)
        return np.ascontiguousarray(made)

    def __len__(self) -> int:
        return self.length

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("`copy` must not be False: the rows are made when asked for")
        return self.rows(0, self.length).astype(np.float64 if dtype is None else dtype, copy=False)

    def __getitem__(self, place: Any) -> Any:
        """As an array's: only the rows that are asked for are made."""
        wanted, *columns = place if isinstance(place, tuple) and place else (place,)
        if isinstance(wanted, slice):
            chosen = range(*wanted.indices(self.length))
            if not chosen:
                return np.empty((0, self.dim))[:, *columns]
            low, high = min(chosen[0], chosen[-1]), max(chosen[0], chosen[-1])
            made = self.rows(low, high + 1)[:: abs(chosen.step)]
            return (made if chosen.step > 0 else made[::-1])[:, *columns]
        try:
            t = operator.index(wanted)
        except TypeError:
            return np.asarray(self)[place]  # lists, masks, ellipses
        t = t + self.length if t < 0 else t
        if not 0 <= t < self.length:
            raise IndexError(f"row {wanted} of {self.length}")
        row = self.rows(t, t + 1)[0]
        return row[*columns] if columns else row

    def summary(self) -> str:
        """The code in one line."""
        parts = {"base": self.base, "heads": self.heads}
        more = "".join(f", {name} {value:.15g}" for name, value in parts.items() if value is not None)
        return f"{self.kind} positions, {self.length} rows of dimension {self.dim}{more}"

    def to_dict(self) -> dict[str, Any]:
        """What describes the code; the rows of a learned one too."""
        named = {name: getattr(self, name) for name in ("kind", "length", "dim", "base", "heads")}
        named["table"] = None if self.given is None else self.given.tolist()
        return {name: value for name, value in named.items() if value is not None}

    def table(self, most: int = 10) -> dict[str, list[float]]:
        """The first rows, one column per coordinate."""
        made = self.rows(0, min(most, self.length))
        return {f"column {k}": made[:, k].tolist() for k in range(self.dim)}

    def __repr__(self) -> str:
        return f"Positions: {self.summary()}"


def sinusoidal(length: int, dim: int, base: float = 10000.0) -> Positions:
    """Sines and cosines of tω_i, ω_i = base^(-2i/dim), in columns 2i and 2i+1, t = 0 … length-1; `dim` is even.

    >>> p = sinusoidal(1_000_000, 4)
    >>> p, p[710].round(3).tolist()
    (Positions: sinusoidal positions, 1000000 rows of dimension 4, base 10000, [0.0, 1.0, 0.729, 0.685])
    """
    return _waves("sinusoidal", length, dim, base)


def rotary(length: int, dim: int, base: float = 10000.0) -> Positions:
    """The rotations by tω_i as vectors: cos(tω_i), sin(tω_i) in columns 2i and 2i+1; `dim` is even.

    >>> rotary(3, 2)[1].round(3).tolist()
    [0.54, 0.841]
    """
    return _waves("rotary", length, dim, base)


def alibi(length: int, heads: int) -> Positions:
    """Linear biases: row t holds -m_h·|t - j| for all positions j, head after head, m_h = 2^(-8h/heads), h = 1 … heads.

    >>> alibi(3, 2)[1].tolist()
    [-0.0625, 0.0, -0.0625, -0.00390625, 0.0, -0.00390625]
    """
    rows, count = _size(length, name="length"), _size(heads, name="heads")
    return Positions("alibi", rows, rows * count, heads=count)


def learned(table: Any) -> Positions:
    """The rows of a table (length, dim) of finite numbers: NumPy, torch, JAX, or nested lists.

    >>> learned([[0.5, 1.0], [0.25, -1.0]])
    Positions: learned positions, 2 rows of dimension 2
    """
    made = inputs.float64(table, name="table", ndim=2)
    return Positions("learned", len(made), made.shape[1], given=made)


def slopes(heads: int) -> np.ndarray:
    """m_h = 2^(-8h/heads), h = 1 … heads."""
    return np.exp2(-8.0 * np.arange(1, heads + 1) / heads)


def _waves(kind: str, length: int, dim: int, base: float) -> Positions:
    rows, columns = _size(length, name="length"), _size(dim, name="dim")
    if columns % 2:
        raise ValueError(f"`dim` must be even: each frequency has a sine and a cosine, got {columns}")
    if not _LEAST_BASE <= inputs.rational(base, name="base") <= _LARGEST_BASE:
        raise ValueError(f"`base` must lie between 1e-300 and 1e300, got {base!r}")
    return Positions(kind, rows, columns, base=inputs.held(base, name="base"))


def _size(value: Any, *, name: str) -> int:
    negative = isinstance(value, int | np.integer) and value < 0
    number = int(value) if negative else inputs.index(value, name=name)
    if not 1 <= number <= _LONGEST:
        raise ValueError(f"`{name}` must lie in 1 … 2^32, got {number}")
    return number
