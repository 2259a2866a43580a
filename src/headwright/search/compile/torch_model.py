"""A compiled model as one torch module: embedding, positions, blocks with explicit attention, unembedding.

Attention is written out as scores, softmax and weighted sum. The fused kernels of torch rescale partial sums, which lies
outside the rounding model that the proof is about.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headwright.theories.programs.runs_program import RunsProgram, codes_of
from headwright.words.optional import need

_TABLES = ("tokens", "positions", "unembedding", "unembedding_bias")


def torch_model(claim: RunsProgram, dtype: Any) -> Any:
    """The module. Its parameters have the names of the claim's arrays: "tokens", "blocks.0.query", …"""
    torch: Any = need("torch", extra="torch")
    program, labels = claim.program, claim.program.values[claim.output].labels

    def parameter(array: np.ndarray) -> Any:
        return torch.nn.Parameter(torch.tensor(np.array(array), dtype=dtype))

    class CompiledBlock(torch.nn.Module):  # type: ignore[misc]
        def __init__(self, arrays: dict[str, np.ndarray]) -> None:
            super().__init__()
            for name, array in arrays.items():
                self.register_parameter(name, parameter(array))

        def mapped(self, x: Any, name: str) -> Any:
            """x (..., n, D) through a map and its bias."""
            y, bias = x @ getattr(self, name).transpose(-1, -2), getattr(self, f"{name}_bias", None)
            return y if bias is None else y + bias.unsqueeze(-2)

        def forward(self, x: Any) -> Any:
            each = x.unsqueeze(-3)
            query, key, value = (self.mapped(each, name) for name in ("query", "key", "value"))
            scores = query @ key.transpose(-1, -2)
            if program.causal:
                seen = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
                scores = scores.masked_fill(~seen, float("-inf"))
            heads = scores.softmax(dim=-1) @ value
            x = x + (heads @ self.output.transpose(-1, -2)).sum(dim=-3)
            return x + self.mapped(self.mapped(x, "inner").relu(), "outer") if hasattr(self, "inner") else x

    class CompiledModel(torch.nn.Module):  # type: ignore[misc]
        """Token numbers (..., n), 0 for the first token of the vocabulary, to codes (..., n, m) of the output."""

        def __init__(self) -> None:
            super().__init__()
            for name in _TABLES:
                array = claim.weights.get(name)
                self.register_parameter(name, None if array is None else parameter(array))
            self.blocks = torch.nn.ModuleList(CompiledBlock(block.arrays()) for block in claim.blocks)
            codes = None if labels is None else torch.tensor(codes_of(labels, claim.weights), dtype=dtype)
            self.register_buffer("codes", codes)

        def ids(self, word: Any) -> Any:
            """The tokens of a word as numbers (n,), on the device of the parameters."""
            strange = [token for token in word if token not in program.vocabulary]
            if strange:
                raise ValueError(f"`word` must be made of tokens of the vocabulary, got {strange[0]!r}")
            return torch.tensor([program.vocabulary.index(token) for token in word], device=self.tokens.device)

        def forward(self, ids: Any) -> Any:
            n = ids.shape[-1]
            if not 1 <= n <= program.length:
                raise ValueError(f"`ids` must hold words of 1 to {program.length} tokens, got {n}")
            bos = torch.zeros_like(ids[..., :1])  # the beginning-of-word token is row 0 of the table
            x = self.tokens[torch.cat([bos, ids + 1], dim=-1)]
            if self.positions is not None:
                x = x + self.positions[: n + 1]
            for block in self.blocks:
                x = block(x)
            y = x[..., 1:, :] @ self.unembedding.transpose(-1, -2)
            return y if self.unembedding_bias is None else y + self.unembedding_bias

        def decode(self, codes: Any) -> list[Any]:
            """The values at each position of one word from codes (n, m): labels with the nearest code, or numbers."""
            if labels is None:
                return [float(own) for own in codes[:, 0].tolist()]
            away = (codes.unsqueeze(-2) - self.codes).abs().amax(dim=-1)
            return [labels[k] for k in away.argmin(dim=-1).tolist()]

    return CompiledModel()
