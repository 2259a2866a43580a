"""Block: one transformer block in the caller's own array library, with the same formulas as torch's own layers.

    s = x + p                                                           positions, if any
    a = Σ_h O_h · softmax(τ (Q_h s + b_Q)(K_h s + b_K)ᵀ) (V_h s + b_V) + b_O      heads and output map
    y = s + a                                                           without `residual`: y = a
    z = y + W₂ g(W₁ y + b₁) + b₂                                        feed-forward, row by row

Rows of x are tokens, and maps act on them from the left (q = Q @ x). With norms, LayerNorm comes before each of the two steps
(`norm_first`) or after each sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, final

import array_api_compat
import numpy as np

from headwright.kernel import exact_inputs
from headwright.theories.order.block_parts import BlockParts
from headwright.words import torch_layers
from headwright.words.array_libraries import need_finite
from headwright.words.attention import attend
from headwright.words.block_steps import Steps

_FLOATS = ("float64", "float32", "float16", "bfloat16")


@final
@dataclass(frozen=True, eq=False, repr=False)
class Block(BlockParts):
    """Heads (h, r, d) with everything around them; a map or bias of one head may leave out the first axis.

    `positions` is a table (L, d) of which the first n rows are added to the n tokens, or "sinusoidal". `scale` is 1 unless
    given; transformers use 1/√r. The two rows of `norm_scale` and `norm_shift` belong to attention and feed-forward. NumPy
    parameters work with inputs of any library, and everything is computed in the number type of the input.

    >>> block = Block(9 * np.eye(2), np.eye(2), np.eye(2), np.eye(2), residual=False)
    >>> block(np.eye(2)).round(3).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def _held(self, value: Any, name: str) -> Any:
        """The array to hold: NumPy arrays and lists as read-only copies, arrays of other libraries as they are, for gradients.

        Copies hold exactly the given numbers, and keep float32 and float16.
        """
        if array_api_compat.is_torch_array(value):
            exact_inputs.check_torch(value, name)
        elif array_api_compat.is_numpy_array(value) or not array_api_compat.is_array_api_obj(value):
            read = exact_inputs.read(value, name, 3)
            value = np.array(read, dtype=read.dtype.type if read.dtype.type in (np.float32, np.float16) else np.float64)
            value.flags.writeable = False
        if str(value.dtype).split(".")[-1] not in _FLOATS:
            raise TypeError(
                f"`{name}` must hold real floating-point numbers ({', '.join(_FLOATS)}), got dtype {value.dtype}"
            )
        need_finite(value, name)
        return value

    def __call__(self, x: Any) -> Any:
        """x (..., n, d) to (..., n, d)."""
        run = Steps.start(self, x)
        seen, attended = run.attended()
        y = run.add(seen, attended, 0)
        if self.inner is not None:
            y = run.add(y, run.forward(run.normed(y, 1) if self.norm_first else y), 1)
        return run.xp.astype(y, run.kind, copy=False)

    def attention(self, x: Any) -> Any:
        """The weights of each head on x (..., n, d): (..., h, n, n), one row for each asking token."""
        run = Steps.start(self, x)
        queries, keys, _ = run.projected(run.placed())
        weights = attend(queries, keys, scale=self.scale, mask=run.mask()).weights
        return run.xp.astype(weights, run.kind, copy=False)

    def projections(self, x: Any) -> tuple[Any, Any, Any]:
        """Queries (..., h, n, r), keys (..., h, n, r), values (..., h, n, v): the inputs that `certify` needs, at `scale`."""
        run = Steps.start(self, x)
        return run.projected(run.placed())

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
