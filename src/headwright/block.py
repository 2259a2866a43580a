"""Block: one transformer block written out, in the caller's own array library, an exact twin of torch's own layers.

    s = x + p                                                           positions, where there are any
    a = Σ_h O_h · softmax(τ (Q_h s + b_Q)(K_h s + b_K)ᵀ) (V_h s + b_V) + b_O      heads and output map
    y = s + a                                                           without `residual`: y = a
    z = y + W₂ g(W₁ y + b₁) + b₂                                        feed-forward, row by row

Rows of x are tokens, and maps act on them from the left (q = Q @ x). With norms, LayerNorm comes before each of the two steps
(`norm_first`) or after each sum.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, Literal, Self, final

import array_api_compat
import numpy as np

from headwright import arrays, exact_inputs, torch_layers
from headwright.attention import attend
from headwright.block_steps import Steps
from headwright.frozen import Frozen

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
_FLOATS = ("float64", "float32", "float16", "bfloat16")
# What makes no sense without the other.
_TOGETHER = (
    *(("inner", "outer"), ("outer", "inner"), ("inner_bias", "inner"), ("outer_bias", "inner")),
    *(("norm_scale", "norm_shift"), ("norm_shift", "norm_scale")),
)


@final
@dataclass(frozen=True, eq=False, repr=False)
class Block(Frozen):
    """Heads (h, r, d) with everything around them; a map or bias of one head may leave out the first axis.

    `positions` is a table (L, d) of which the first n rows are added to the n tokens, or "sinusoidal". `scale` is 1 unless
    given; transformers use 1/√r. The two rows of `norm_scale` and `norm_shift` belong to attention and feed-forward. NumPy
    parameters serve inputs of any library; all is computed in the number type of the input.

    >>> block = Block(9 * np.eye(2), np.eye(2), np.eye(2), np.eye(2), residual=False)
    >>> block(np.eye(2)).round(3).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

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
        sizes: dict[str, int] = {}
        for name, shape in _SHAPES.items():
            array = getattr(self, name)
            if array is not None and not (name == "positions" and isinstance(array, str)):
                array = _parameter(array, name)
                if "h" in shape and array.ndim == len(shape) - 1:
                    array = array[None]
                _match(array, name, shape, sizes)
                object.__setattr__(self, name, array)
        _check_settings(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return arrays.remade(self)

    def __call__(self, x: Any) -> Any:
        """x (..., n, d) to (..., n, d)."""
        run = Steps.start(self, x)
        seen, attended = run.attended()
        y = run.add(seen, attended, 0)
        if self.inner is not None:
            y = run.add(y, run.forward(run.normed(y, 1) if self.norm_first else y), 1)
        return run.xp.astype(y, run.kind, copy=False)

    def attention(self, x: Any) -> Any:
        """The weights of each head on x (..., n, d): (..., h, n, n), a row of them for each token that asks."""
        run = Steps.start(self, x)
        queries, keys, _ = run.projected(run.placed())
        weights = attend(queries, keys, scale=self.scale, mask=run.mask()).weights
        return run.xp.astype(weights, run.kind, copy=False)

    def projections(self, x: Any) -> tuple[Any, Any, Any]:
        """Queries (..., h, n, r), keys (..., h, n, r), values (..., h, n, v): what `certify` asks for, at `scale`."""
        run = Steps.start(self, x)
        return run.projected(run.placed())

    def arrays(self) -> dict[str, Any]:
        """The parameters that there are, by name."""
        held = {name: getattr(self, name) for name in _SHAPES}
        return {name: array for name, array in held.items() if array is not None and not isinstance(array, str)}

    def fields(self) -> dict[str, Any]:
        """Everything else, as plain values."""
        plain = {part.name: getattr(self, part.name) for part in fields(self) if part.name not in _SHAPES}
        return {**plain, **({"positions": self.positions} if isinstance(self.positions, str) else {})}

    @classmethod
    def from_parts(cls, stored: Mapping[str, Any], settings: Mapping[str, Any]) -> Self:
        """The block of `arrays()` and `fields()`."""
        return cls(**stored, **settings)

    @classmethod
    def from_torch(cls, module: Any) -> Self:
        """The twin of a torch.nn.MultiheadAttention (as self-attention) or TransformerEncoderLayer in eval mode.

        Weights are copied. Whatever its `batch_first`, a Block takes (..., n, d). `replace(block, causal=True)` adds a mask.
        """
        return cls(**torch_layers.parameters(module))

    def __repr__(self) -> str:
        h, r, d = self.query.shape
        hidden = "" if self.inner is None else f", {self.inner.shape[0]} hidden units ({self.activation})"
        parts = [word for word in ("residual", "causal") if getattr(self, word)]
        parts += ["norms"] if self.norm_scale is not None else []
        parts += ["positions"] if self.positions is not None else []
        return (
            f"Block: {h} head(s) of width {r} on tokens of width {d}{hidden}{', ' if parts else ''}{', '.join(parts)}"
        )


def _parameter(value: Any, name: str) -> Any:
    """The array to hold: NumPy ones (and lists) as read-only copies, those of other libraries as they are, for gradients.

    Copies hold exactly the given numbers, float32 and float16 as such.
    """
    if array_api_compat.is_torch_array(value):
        exact_inputs.check_torch(value, name)
    elif array_api_compat.is_numpy_array(value) or not array_api_compat.is_array_api_obj(value):
        read = exact_inputs.read(value, name, 3)
        value = np.array(read, dtype=read.dtype.type if read.dtype.type in (np.float32, np.float16) else np.float64)
        value.flags.writeable = False
    xp = arrays.namespace(value)
    if str(value.dtype).split(".")[-1] not in _FLOATS:
        raise TypeError(
            f"`{name}` must hold real floating-point numbers ({', '.join(_FLOATS)}), got dtype {value.dtype}"
        )
    if arrays.is_concrete(value) and not bool(xp.all(xp.isfinite(value))):
        raise ValueError(f"`{name}` must be finite")
    return value


def _match(array: Any, name: str, shape: tuple[str | int, ...], sizes: dict[str, int]) -> None:
    """`array` has this shape; a letter met before (in `sizes`) stands for the same number, a new one is learned."""
    wanted = [sizes.get(letter, letter) if isinstance(letter, str) else letter for letter in shape]
    found = tuple(array.shape)
    fits = len(found) == len(shape) and all(
        size > 0 and (isinstance(want, str) or size == want) for size, want in zip(found, wanted, strict=True)
    )
    if not fits:
        letters = ", ".join(map(str, shape))
        known = ", ".join(
            f"{letter} = {sizes[letter]}" for letter in shape if isinstance(letter, str) and letter in sizes
        )
        raise ValueError(f"`{name}` must have shape ({letters}){' with ' + known if known else ''}, got {found}")
    sizes.update({letter: size for letter, size in zip(shape, found, strict=True) if isinstance(letter, str)})


def _check_settings(block: Block) -> None:
    for name in ("query", "key", "value", "output"):
        if getattr(block, name) is None:
            raise TypeError(f"`{name}` must be an array, got None")
    for name, other in _TOGETHER:
        if getattr(block, name) is not None and getattr(block, other) is None:
            raise ValueError(f"`{name}` needs `{other}`, which is missing")
    if isinstance(block.positions, str) and block.positions != "sinusoidal":
        raise ValueError(f"`positions` must be a table or 'sinusoidal', got {block.positions!r}")
    if isinstance(block.positions, str) and block.query.shape[-1] % 2:
        raise ValueError(f"`positions` can be sinusoidal for even d only, got d = {block.query.shape[-1]}")
    if block.activation not in ("relu", "gelu"):
        raise ValueError(f"`activation` must be 'relu' or 'gelu', got {block.activation!r}")
    for name in ("scale", "norm_eps"):
        number = getattr(block, name)
        if isinstance(number, bool) or not isinstance(number, int | float | np.integer | np.floating):
            raise TypeError(f"`{name}` must be a number, got {number!r}")
        if not 0 < number <= sys.float_info.max:
            raise ValueError(f"`{name}` must be positive and finite, got {number!r}")
        object.__setattr__(block, name, arrays.held(number, name=name))
    for name in ("norm_first", "residual", "causal"):
        if not isinstance(getattr(block, name), bool):
            raise TypeError(f"`{name}` must be True or False, got {getattr(block, name)!r}")
