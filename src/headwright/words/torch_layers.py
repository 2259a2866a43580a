"""torch's attention layers converted to the parameters of a Block.

torch stacks the heads: rows h·r to (h+1)·r of a projection belong to head h, and so do these columns of the output map. The
scale is 1/√r. A projection without a bias has none in the Block either.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from headwright.kernel import exact_inputs
from headwright.words.optional import need


def parameters(module: Any) -> dict[str, Any]:
    """The arguments of the Block that computes what `module` does; ValueError for variants that a Block does not support."""
    nn = need("torch", extra="torch").nn
    if isinstance(module, nn.MultiheadAttention):
        return {**_attention(module), "residual": False}
    if isinstance(module, nn.TransformerEncoderLayer):
        return {**_attention(module.self_attn), **_around(module), "activation": _activation(module.activation, nn)}
    raise TypeError(f"`module` must be a MultiheadAttention or TransformerEncoderLayer, got {type(module).__name__}")


def _attention(module: Any) -> dict[str, Any]:
    if module.in_proj_weight is None:
        raise ValueError("`module` must have keys and values of the queries' width (no `kdim`, no `vdim`)")
    if module.bias_k is not None or module.add_zero_attn:
        raise ValueError("`module` must not add keys of its own (`add_bias_kv`, `add_zero_attn`)")
    h, d = module.num_heads, module.embed_dim
    maps = _copied(module.in_proj_weight).reshape(3, h, d // h, d)
    biases = [None] * 3 if module.in_proj_bias is None else list(_copied(module.in_proj_bias).reshape(3, h, d // h))
    return {
        **dict(zip(("query", "key", "value"), maps, strict=True)),
        **dict(zip(("query_bias", "key_bias", "value_bias"), biases, strict=True)),
        "output": _copied(module.out_proj.weight).reshape(d, h, d // h).transpose(1, 0, 2),
        "output_bias": _copied(module.out_proj.bias),
        "scale": 1 / math.sqrt(d // h),
    }


def _around(module: Any) -> dict[str, Any]:
    """Feed-forward and norms of an encoder layer."""
    norms = (module.norm1, module.norm2)
    if any(type(norm).__name__ != "LayerNorm" or norm.weight is None for norm in norms) or norms[0].eps != norms[1].eps:
        raise ValueError("`module` must have two LayerNorms with weights and one `eps`")
    scales = np.stack([_copied(norm.weight) for norm in norms])
    shifts = [np.zeros_like(scales[0]) if norm.bias is None else _copied(norm.bias) for norm in norms]
    return {
        "inner": _copied(module.linear1.weight),
        "inner_bias": _copied(module.linear1.bias),
        "outer": _copied(module.linear2.weight),
        "outer_bias": _copied(module.linear2.bias),
        "norm_scale": scales,
        "norm_shift": np.stack(shifts),
        "norm_first": bool(module.norm_first),
        "norm_eps": float(norms[0].eps),
    }


def _activation(given: Any, nn: Any) -> str:
    if given is nn.functional.relu or isinstance(given, nn.ReLU):
        return "relu"
    if given is nn.functional.gelu or (isinstance(given, nn.GELU) and given.approximate == "none"):
        return "gelu"
    raise ValueError(f"`module` must use relu or gelu (not its approximation), got {given}")


def _copied(tensor: Any) -> Any:
    """The numbers in NumPy, in their own type; bfloat16, which NumPy lacks, in float32, which holds it exactly."""
    return None if tensor is None else np.array(exact_inputs.read(tensor, "module", tensor.ndim))
