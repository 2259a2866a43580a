"""Stored: keys as a key cache stores them, with the exact values that its codes and scales stand for.

Each number of a group becomes the nearest of the values scale · level + zero, ties to the even code. Scales and zeros are
float16, and are chosen in float64: absmax over the largest level (symmetric), or the range over the number of steps, with the
smallest number as zero (asymmetric). A float16 number times a level, plus a float16 number, has fewer than 53 bits, so float64
holds every value and every middle between two values exactly, and the choice of a code involves no rounding.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, final, get_args

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import ArrayLike

from headwright.kernel import exact_inputs, inputs
from headwright.kernel.frozen import Frozen, lending, sealed
from headwright.kernel.number_types import KINDS, LEVELS, round_to
from headwright.kernel.shown import Shown
from headwright.words.pickling import Whole

Axis = Literal["channel", "token"]
AXES: tuple[Axis, ...] = get_args(Axis)
_BITS = {"float32": 32, "float16": 16, "bfloat16": 16, "int4": 4, "nf4": 4, "int3": 3}  # of a code; 8 for all others
_MOST_AXES = 32  # as NumPy


@exact_inputs.own
@final
@lending("values", "codes", "scales", "zeros", "factors")
@dataclass(frozen=True, eq=False, repr=False)
class Stored(Whole, Frozen, NDArrayOperatorsMixin, Shown):
    """Keys (..., n, d) as they are stored: every call that takes keys takes this, and NumPy sees the array `values`.

    - `values`: the exact numbers, in float64.
    - `codes`: one integer per number; for nf4 the index of its level. None for the number types (float16, fp8 and so on).
    - `scales`: float16 numbers, one per channel for each `group` keys (..., n / group, d), or one per key for each `group`
      channels (..., n, d / group). None for the number types. `zeros` has the same shape, and is None for symmetric codes.
    - `factors`: for keys of low rank, which `compress` makes, (..., n, r) and (..., r, d), 16 bits for each of their numbers.
    - `bits`: per number, with scales and zeros counted.

    >>> import numpy as np, headwright as hw
    >>> kept = hw.stored([[7.0, 0.5], [-3.2, 0.25]], "int4")
    >>> kept.scales.tolist(), kept.codes.tolist(), np.asarray(kept).tolist()
    ([[1.0, 0.0714111328125]], [[7, 7], [-3, 4]], [[7.0, 0.4998779296875], [-3.0, 0.28564453125]])
    >>> kept.bits
    12.0
    """

    kind: str
    values: np.ndarray
    axis: str | None = None
    group: int | None = None
    codes: np.ndarray | None = None
    scales: np.ndarray | None = None
    zeros: np.ndarray | None = None
    factors: tuple[np.ndarray, np.ndarray] | None = None

    def __post_init__(self) -> None:
        for part in fields(self):
            object.__setattr__(self, part.name, sealed(vars(self)[part.name]))

    @property
    def bits(self) -> float:
        """The bits per number, with scales and zeros counted."""
        if self.factors is not None:  # and 16 bits for the power of two of each factor
            n, rank, d = *self.factors[0].shape[-2:], self.shape[-1]
            return float(16 * (rank * (n + d) + 2) / (n * d))
        per_group = sum(16 for part in (self.scales, self.zeros) if part is not None)
        return _BITS.get(self.kind, 8) + (per_group / self.group if self.group else 0.0)

    @property
    def symmetric(self) -> bool:
        """Whether no zero is stored."""
        return self.zeros is None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the keys."""
        return self._own.shape

    @property
    def ndim(self) -> int:
        """The number of axes of the keys."""
        return self._own.ndim

    @property
    def dtype(self) -> np.dtype[Any]:
        """float64, the type of `values`."""
        return self._own.dtype

    @property
    def _own(self) -> np.ndarray:
        """The values themselves, not a copy."""
        own: np.ndarray = vars(self)["values"]
        return own

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("`copy` is False, but what can be written to is handed out as a copy only")
        return np.array(self._own, dtype=dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [entry._own if isinstance(entry, Stored) else entry for entry in inputs]
        return getattr(ufunc, method)(*plain, **options)

    def __getitem__(self, place: Any) -> Any:
        return sealed(self._own[place].copy())

    def __len__(self) -> int:
        return len(self._own)

    def summary(self) -> str:
        """The kind, its scales and its bits in one line."""
        *batch, n, d = self.shape
        sets = f"{' × '.join(map(str, batch))} × " if batch else ""
        scales = ""
        if self.group:
            one = "channel" if self.axis == "channel" else "key"
            of = ("key" if self.axis == "channel" else "channel") + "s"[: self.group - 1]
            zeros = "" if self.symmetric else " and zero"
            scales = f", one float16 scale{zeros} per {one} for each {self.group} {of}"
        kind = self.kind if self.factors is None else f"factors of rank {self.factors[0].shape[-1]}"
        return f"{sets}{n} keys of {d} channels in {kind}{scales}: {self.bits:.4g} bits per number"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        arrays = {name: getattr(self, name) for name in ("codes", "scales", "zeros")}
        return {
            "kind": self.kind,
            "axis": self.axis,
            "group": self.group,
            "bits": self.bits,
            "values": self._own.tolist(),
            **{name: None if array is None else array.tolist() for name, array in arrays.items()},
            "factors": None if self.factors is None else [part.tolist() for part in self.factors],
        }

    def table(self) -> dict[str, list[float]]:
        """The stored numbers, one column per channel; the keys of a batch follow one another."""
        columns = self._own.reshape(-1, self.shape[-1]).T
        return {f"k_{j}": column.tolist() for j, column in enumerate(columns)}

    def __repr__(self) -> str:
        return f"Stored: {self.summary()}"


def stored(
    keys: ArrayLike,
    kind: str,
    axis: Axis = "channel",
    group: int | None = None,
    symmetric: bool = True,
) -> Stored:
    """`keys` (..., n, d) as a key cache would store them in `kind`, with exact values and the bits per number.

    "int8", "int4", "int3" and "nf4" store a code per number and a float16 scale per group. `axis="channel"` groups `group`
    consecutive keys of one channel, and `axis="token"` groups `group` consecutive channels of one key. Without `group`, a
    group is the whole axis. Symmetric codes of b bits run from −(2^(b−1) − 1) to 2^(b−1) − 1, and the scale is absmax over
    2^(b−1) − 1. With `symmetric=False` they run from 0 to 2^b − 1 between the smallest and the largest number, and the smallest
    is stored in float16 as the zero. "nf4" has the 16 published levels, times absmax.

    "float32", "float16" and "bfloat16" round each number, and refuse one that overflows. "fp8-e4m3" (e4m3fn, largest 448) and
    "fp8-e5m2" (largest 57344) saturate. These five have no scales. All rounding is to nearest, ties to even. A group whose scale
    is too small for float16 is stored as zeros. A scale or zero that is too large for it raises ValueError.

    >>> import numpy as np
    >>> stored(np.eye(4), "nf4", axis="token", group=2)
    Stored: 4 keys of 4 channels in nf4, one float16 scale per key for each 2 channels: 12 bits per number
    """
    array = inputs.float64(keys, name="keys", ndim=tuple(range(_MOST_AXES + 1)))
    if array.ndim < 2:
        raise ValueError(f"`keys` must have shape (..., n, d), got {array.shape}")
    if kind not in KINDS:
        raise ValueError(f"`kind` must be one of {', '.join(map(repr, KINDS))}, got {kind!r}")
    if axis not in AXES:
        raise ValueError(f"`axis` must be 'channel' or 'token', got {axis!r}")
    if not isinstance(symmetric, bool | np.bool_):
        raise TypeError(f"`symmetric` must be True or False, got {symmetric!r}")
    if kind not in LEVELS:
        if group is not None:
            raise ValueError(f"`group` must be None for {kind}, which has no scales, got {group!r}")
        if not symmetric:
            raise ValueError(f"`symmetric` must be True for {kind}, which has no zeros")
        return Stored(kind, _rounded(array, kind))
    if kind == "nf4" and not symmetric:
        raise ValueError("`symmetric` must be True for nf4, whose levels are fixed")
    along, letter = (-2, "n") if axis == "channel" else (-1, "d")
    length = array.shape[along]
    size = length if group is None else inputs.count(group, name="group", least=1)
    if length % size:
        raise ValueError(f"`group` must divide {letter} = {length} for axis={axis!r}, got {size}")
    # Axis `along` is split into groups, and the numbers of a group lie on the axis behind it.
    before, behind = array.shape[:along], array.shape[array.ndim + along + 1 :]
    split = array.reshape(*before, length // size, size, *behind)
    levels = LEVELS[kind] if symmetric else np.arange(len(LEVELS[kind]) + 1.0)  # 0 … 2^b − 1
    scales, zeros = _scales(split, levels, along, symmetric)
    codes = _codes(split, levels, scales, zeros)
    values = (levels[codes] * scales + zeros).reshape(array.shape)
    whole = codes if kind == "nf4" else levels[codes]
    narrow = whole.astype(np.int8 if symmetric and kind != "nf4" else np.uint8).reshape(array.shape)
    per_group = [part.squeeze(along) for part in (scales, zeros)]
    return Stored(kind, values, axis, size, narrow, per_group[0], None if symmetric else per_group[1])


def _rounded(array: np.ndarray, kind: str) -> np.ndarray:
    try:
        return round_to(array, kind)
    except ValueError:
        raise ValueError(f"`keys` cannot be stored in {kind}: {np.abs(array).max():.6g} is too large for it") from None


def _scales(split: np.ndarray, levels: np.ndarray, along: int, symmetric: bool) -> tuple[np.ndarray, np.ndarray]:
    """Scale and zero of each group, as float16 numbers in float64, with an axis of length 1 where the group was."""
    with np.errstate(over="ignore"):  # an infinite range is reported below
        if symmetric:
            wanted, zeros = np.abs(split).max(axis=along, keepdims=True) / levels[-1], np.zeros(())
        else:
            zeros = split.min(axis=along, keepdims=True)
            wanted = (split.max(axis=along, keepdims=True) - zeros) / levels[-1]
    try:
        return round_to(wanted, "float16"), np.broadcast_to(round_to(zeros, "float16"), wanted.shape)
    except ValueError:
        worst = float(np.abs(split).max())
        raise ValueError(
            f"`keys` reach {worst:.6g}, too much for codes with float16 scales and zeros: divide the keys by a number, "
            "and multiply `scale` by it"
        ) from None


def _codes(split: np.ndarray, levels: np.ndarray, scales: np.ndarray, zeros: np.ndarray) -> np.ndarray:
    """The index of the level nearest to each number; of two equally near ones, that of the even code."""
    some = scales > 0
    with np.errstate(over="ignore"):
        place = np.divide(split - zeros, scales, out=np.zeros(split.shape), where=np.broadcast_to(some, split.shape))
    middles = (levels[1:] + levels[:-1]) / 2
    codes: np.ndarray = np.searchsorted(middles, place)
    # The quotient was rounded. The middles below are exact, and so is each comparison with them.
    upper = np.append(middles, np.inf)[codes]
    lower = np.append(-np.inf, middles)[codes]
    even = (codes + int(levels[0])) % 2 == 0 if levels[-1] != 1 else codes % 2 == 0
    with np.errstate(invalid="ignore"):
        above, below = upper * scales + zeros, lower * scales + zeros
    codes += some & ((split > above) | ((split == above) & ~even))
    codes -= some & ((split < below) | ((split == below) & ~even))
    return codes
