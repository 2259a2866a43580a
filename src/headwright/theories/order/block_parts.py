"""BlockParts: the checked numbers and settings of one transformer block, which `words/block.py` runs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, Literal, Self

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.frozen import Frozen
from headwright.kernel.record import made_of_parts

# Each array and its shape: h heads of width r, values of width v, tokens of width d, f hidden units, up to L positions.
_SHAPES = {
    "query": ("h", "r", "d"),
    "key": ("h", "r", "d"),
    "value": ("h", "v", "d"),
    "output": ("h", "d", "v"),
    "query_bias": ("h", "r"),
    "key_bias": ("h", "r"),
    "value_bias": ("h", "v"),
    "output_bias": ("d",),
    "inner": ("f", "d"),
    "inner_bias": ("f",),
    "outer": ("d", "f"),
    "outer_bias": ("d",),
    "norm_scale": (2, "d"),
    "norm_shift": (2, "d"),
    "positions": ("L", "d"),
}
# Each of these arrays needs the other.
_TOGETHER = (
    *(("inner", "outer"), ("outer", "inner"), ("inner_bias", "inner"), ("outer_bias", "inner")),
    *(("norm_scale", "norm_shift"), ("norm_shift", "norm_scale")),
)


@dataclass(frozen=True, eq=False, repr=False)
class BlockParts(Frozen):
    """The arrays of `_SHAPES`, here in float64, and settings; a map or bias of one head may leave out the first axis."""

    query: Any
    key: Any
    value: Any
    output: Any
    _: KW_ONLY
    query_bias: Any = None
    key_bias: Any = None
    value_bias: Any = None
    output_bias: Any = None
    inner: Any = None
    inner_bias: Any = None
    outer: Any = None
    outer_bias: Any = None
    norm_scale: Any = None
    norm_shift: Any = None
    positions: Any = None
    activation: Literal["relu", "gelu"] = "relu"
    norm_first: bool = False
    norm_eps: float = 1e-5
    residual: bool = True
    causal: bool = False
    scale: float = 1.0

    def __post_init__(self) -> None:
        sizes: dict[str | int, int] = {}
        for name, shape in _SHAPES.items():
            array = getattr(self, name)
            if array is not None and not (name == "positions" and isinstance(array, str)):
                array = self._held(array, name)
                if "h" in shape and array.ndim == len(shape) - 1:
                    array = array[None]
                inputs.match(array, name, shape, sizes)
                object.__setattr__(self, name, array)
        _check_settings(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_parts, (self.arrays(), self.fields())

    def _held(self, value: Any, name: str) -> Any:
        """The array to hold for what was given."""
        return inputs.float64(value, name=name, ndim=(1, 2, 3))

    def arrays(self) -> dict[str, Any]:
        """The parameters that are not None, by name."""
        held = {name: getattr(self, name) for name in _SHAPES}
        return {name: array for name, array in held.items() if array is not None and not isinstance(array, str)}

    def fields(self) -> dict[str, Any]:
        """Everything else, as plain values."""
        plain = {part.name: getattr(self, part.name) for part in fields(self) if part.name not in _SHAPES}
        return {**plain, **({"positions": self.positions} if isinstance(self.positions, str) else {})}

    @classmethod
    def from_parts(cls, stored: Mapping[str, Any], settings: Mapping[str, Any]) -> Self:
        """The block of `arrays()` and `fields()`; other names in `stored` and `settings` are ignored."""
        names = [part.name for part in fields(cls) if part.name in stored or part.name in settings]
        return cls(**{name: stored[name] if name in stored else settings[name] for name in names})


def sinusoidal_table(length: int, dim: int, *, base: float = 10000.0, start: int = 0) -> np.ndarray:
    """Position codes (length, dim) of t = start, start+1, …: sin(tω_i), cos(tω_i) in columns 2i, 2i+1, ω_i = base^(-2i/dim).

    >>> sinusoidal_table(2, 4).round(3).tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.841, 0.54, 0.01, 1.0]]
    """
    if dim % 2:
        raise ValueError(f"`dim` must be even for sinusoidal positions, got {dim}")
    angles = np.arange(start, start + length)[:, None] * base ** (-np.arange(0, dim, 2) / dim)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, dim)


def _check_settings(block: BlockParts) -> None:
    for name in ("query", "key", "value", "output"):
        if getattr(block, name) is None:
            raise TypeError(f"`{name}` must be an array, got None")
    for name, other in _TOGETHER:
        if getattr(block, name) is not None and getattr(block, other) is None:
            raise ValueError(f"`{name}` needs `{other}`, which is missing")
    if isinstance(block.positions, str) and block.positions != "sinusoidal":
        raise ValueError(f"`positions` must be a table or 'sinusoidal', got {block.positions!r}")
    if isinstance(block.positions, str) and block.query.shape[-1] % 2:
        raise ValueError(
            f"`positions` must be a table unless d is even, got 'sinusoidal' with d = {block.query.shape[-1]}"
        )
    if block.activation not in ("relu", "gelu"):
        raise ValueError(f"`activation` must be 'relu' or 'gelu', got {block.activation!r}")
    for name in ("scale", "norm_eps"):
        number = getattr(block, name)
        if isinstance(number, bool) or not isinstance(number, int | float | np.integer | np.floating):
            raise TypeError(f"`{name}` must be a number, got {number!r}")
        if not 0 < number <= sys.float_info.max:
            raise ValueError(f"`{name}` must be positive and finite, got {number!r}")
        object.__setattr__(block, name, inputs.held(number, name=name))
    for name in ("norm_first", "residual", "causal"):
        if not isinstance(getattr(block, name), bool):
            raise TypeError(f"`{name}` must be True or False, got {getattr(block, name)!r}")


made_of_parts("BlockParts", BlockParts)
