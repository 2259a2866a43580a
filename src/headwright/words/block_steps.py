"""The steps of a Block on one input: place, project, attend, add, feed forward, each a line or two of array-API calls.

Only the error function of gelu, which the array API lacks, is specific to NumPy, torch or JAX.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Self, final

import array_api_compat
import numpy as np

from headwright.theories.order.block_parts import BlockParts, sinusoidal_table
from headwright.words.array_libraries import namespace, need_finite
from headwright.words.attention import attend

_HALF = ("float16", "bfloat16")


@final
@dataclass(frozen=True, eq=False)
class Steps:
    """One call: the block's parameters (`own`) and the tokens, in one library, number type and device."""

    block: BlockParts
    xp: ModuleType
    x: Any
    own: Mapping[str, Any]
    kind: Any

    @classmethod
    def start(cls, block: BlockParts, x: Any) -> Self:
        own = block.arrays()
        xp = namespace(x, *(p for p in own.values() if not array_api_compat.is_numpy_array(p)))
        x = x if array_api_compat.is_array_api_obj(x) else xp.asarray(x)
        half = str(x.dtype).split(".")[-1] in _HALF
        if not half and xp.isdtype(x.dtype, ("integral", "bool")):
            x = xp.astype(x, xp.asarray(0.0).dtype)
        if not half and not xp.isdtype(x.dtype, "real floating"):
            raise TypeError(f"`x` must hold real numbers, got dtype {x.dtype}")
        d = block.query.shape[-1]
        if x.ndim < 2 or x.shape[-1] != d or math.prod(x.shape) == 0:
            raise ValueError(f"`x` must have shape (..., n, {d}), got {tuple(x.shape)}")
        need_finite(x, "x")
        kind = x.dtype
        compute = xp.float32 if half else kind
        device = array_api_compat.device(x)
        taken = {name: _converted(xp, p, compute, device) for name, p in own.items()}
        return cls(block, xp, xp.astype(x, compute, copy=False), taken, kind)

    def placed(self) -> Any:
        """The tokens with their positions."""
        table, n = self.block.positions, self.x.shape[-2]
        if table is None:
            return self.x
        if isinstance(table, str):
            made = sinusoidal_table(n, self.x.shape[-1])
            return self.x + _converted(self.xp, made, self.x.dtype, array_api_compat.device(self.x))
        if len(table) < n:
            raise ValueError(f"`x` has {n} tokens, but `positions` has only {len(table)} rows")
        return self.x + self.own["positions"][:n, :]

    def projected(self, s: Any) -> tuple[Any, Any, Any]:
        s = self.normed(s, 0) if self.block.norm_first else s
        each = s[..., None, :, :]
        query, key, value = (self.linear(each, name, f"{name}_bias") for name in ("query", "key", "value"))
        return query, key, value

    def linear(self, x: Any, name: str, bias: str) -> Any:
        y = self.xp.matmul(x, self.xp.matrix_transpose(self.own[name]))
        return y + self.own[bias][..., None, :] if bias in self.own else y

    def mask(self) -> Any:
        if not self.block.causal:
            return None
        n, xp = self.x.shape[-2], self.xp
        return xp.tril(xp.ones((n, n), dtype=xp.bool, device=array_api_compat.device(self.x)))

    def attended(self) -> tuple[Any, Any]:
        """The placed tokens, and the output of all heads."""
        s = self.placed()
        queries, keys, values = self.projected(s)
        each = attend(queries, keys, values, scale=self.block.scale, mask=self.mask()).output
        a = self.xp.sum(self.xp.matmul(each, self.xp.matrix_transpose(self.own["output"])), axis=-3)
        return s, a + self.own["output_bias"] if "output_bias" in self.own else a

    def forward(self, y: Any) -> Any:
        hidden = self.linear(y, "inner", "inner_bias")
        g = self.xp.where(hidden > 0, hidden, 0.0 * hidden) if self.block.activation == "relu" else _gelu(hidden)
        return self.linear(g, "outer", "outer_bias")

    def add(self, before: Any, change: Any, step: int) -> Any:
        y = before + change if self.block.residual else change
        return y if self.block.norm_first else self.normed(y, step)

    def normed(self, y: Any, step: int) -> Any:
        if self.block.norm_scale is None:
            return y
        centred = y - self.xp.mean(y, axis=-1, keepdims=True)
        spread = self.xp.sqrt(self.xp.mean(centred * centred, axis=-1, keepdims=True) + self.block.norm_eps)
        return centred / spread * self.own["norm_scale"][step, :] + self.own["norm_shift"][step, :]


def _converted(xp: ModuleType, parameter: Any, kind: Any, device: Any) -> Any:
    """A NumPy parameter converted to the input's library; one already in that library keeps its gradient."""
    if array_api_compat.is_numpy_array(parameter):
        return xp.asarray(np.array(parameter), dtype=kind, device=device)
    return xp.astype(parameter, kind, copy=False)


def _gelu(x: Any) -> Any:
    """x·Φ(x), Φ the normal distribution function, by the library's own error function."""
    scaled = x * math.sqrt(0.5)
    if array_api_compat.is_torch_array(x):
        erf = sys.modules["torch"].erf(scaled)
    elif array_api_compat.is_jax_array(x):
        erf = sys.modules["jax"].lax.erf(scaled)
    elif array_api_compat.is_numpy_array(x):
        erf = np.frompyfunc(math.erf, 1, 1)(scaled).astype(x.dtype)
    else:
        raise TypeError(f"`activation` 'gelu' needs an array of NumPy, torch or JAX, got {type(x).__name__}")
    return x * (0.5 * (1.0 + erf))
