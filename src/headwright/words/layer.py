"""Layer: the maps Q, K, V of one attention layer, the tokens and goals that it was designed for, and what is proved about it.

Token x_r has query Q x_r, key K x_r and value V x_r. The scores are (Q x_r)·(K x_j), the weights their softmax over j, and the
output is Σ_j α_rj V x_j. With several heads, weights and outputs are averaged over the heads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, final

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.frozen import Frozen, FrozenMap, computed_once, lending
from headwright.kernel.goals import Goal
from headwright.kernel.shown import Shown
from headwright.kernel.verdict import Verdict
from headwright.words.optional import need, torch_type
from headwright.words.pickling import remade


@final
@lending("Q", "K", "V", "tokens", "outputs")
@dataclass(frozen=True, eq=False, repr=False)
class Layer(Frozen, Shown):
    """Q, K (r, d) and V (v, d), with several heads (h, r, d) and (h, v, d); `tokens` (n, d) are those it was designed for.

    `goals` and `outputs` are by row, and `asked` is the error. `tolerance` bounds the distance of an output from the wanted one,
    and `residual` is the least-squares residual of V (wanted mean) = wanted output.

    >>> import numpy as np, headwright as hw
    >>> layer = hw.design_layer(np.eye(3), {0: hw.Copy(2)})
    >>> layer.rank, layer.weights(np.eye(3))[0].round(2), layer.verdict.status
    (1, array([0.  , 0.  , 0.99]), 'proved')
    """

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    tokens: np.ndarray
    goals: Mapping[int, Goal]
    outputs: Mapping[int, np.ndarray]
    asked: float | str | Fraction
    tolerance: float = 0.0
    residual: float = 0.0
    causal: bool = False
    method: str = ""
    prove: Callable[[Layer], Verdict] | None = field(default=None)

    def __post_init__(self) -> None:
        for name in ("Q", "K", "V"):
            object.__setattr__(self, name, inputs.float64(getattr(self, name), name=name, ndim=(2, 3)))
        object.__setattr__(self, "tokens", inputs.float64(self.tokens, name="tokens", ndim=2))
        goals, outputs = (_by_row(getattr(self, name), name) for name in ("goals", "outputs"))
        for row, goal in goals.items():
            if not isinstance(goal, Goal):
                raise TypeError(f"`goals[{row}]` must be a goal such as Copy(0), got {goal!r}")
        for row, vector in outputs.items():
            outputs[row] = inputs.float64(vector, name=f"outputs[{row}]", ndim=1)
        object.__setattr__(self, "goals", FrozenMap(goals))
        object.__setattr__(self, "outputs", FrozenMap(outputs))
        inputs.rational(self.asked, name="asked")
        for name in ("tolerance", "residual"):
            object.__setattr__(self, name, inputs.held(getattr(self, name), name=name))
        if self.Q.shape != self.K.shape or self.Q.shape[-1] != self.tokens.shape[-1]:
            raise ValueError(f"`Q` and `K` must have the same shape, (r, {self.tokens.shape[-1]}) in every head")
        if (self._stacked(self.V) != self._stacked(self.V)[0]).any():
            raise ValueError("`V` must be the same in every head: the heads' weights are mixed before the values")

    def __reduce__(self) -> tuple[Any, ...]:
        return remade(self)

    @property
    def heads(self) -> int:
        """The number of heads."""
        return 1 if self.Q.ndim == 2 else len(self.Q)

    @property
    def rank(self) -> int:
        """The number of rows of Q and K."""
        return int(self.Q.shape[-2])

    @property
    def norm(self) -> float:
        """The Frobenius norm of QᵀK, over all heads together."""
        products = np.swapaxes(self._stacked(self.Q), 1, 2) @ self._stacked(self.K)
        return float(np.linalg.norm(products))

    def weights(self, tokens: Any = None) -> np.ndarray:
        """Attention (n, n) of every token to every token, mixed over the heads; over the layer's own tokens unless given."""
        x = self._checked(tokens)
        total = np.zeros((len(x), len(x)))
        for query_map, key_map in zip(self._stacked(self.Q), self._stacked(self.K), strict=True):
            scores = (x @ query_map.T) @ (x @ key_map.T).T
            if self.causal:
                scores = np.where(np.tri(len(x), dtype=bool), scores, -np.inf)
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            total += powers / powers.sum(axis=1, keepdims=True)
        return total / self.heads

    def output(self, tokens: Any = None) -> np.ndarray:
        """Outputs (n, v)."""
        x = self._checked(tokens)
        return np.asarray(self.weights(x) @ (x @ self._stacked(self.V)[0].T))

    @computed_once
    def verdict(self) -> Verdict | None:
        """Whether every row with a goal meets it and yields its output, proved row by row; None without a prover."""
        return None if self.prove is None else self.prove(self)

    def claimed(self, tokens: Any = None, error: Fraction | None = None) -> dict[str, Any]:
        """The arguments of `proofs.LayerRows` for this layer, over its own tokens or others."""
        wanted = tuple(self.outputs)
        return {
            "tokens": self.tokens if tokens is None else tokens,
            "Q": self._stacked(self.Q),
            "K": self._stacked(self.K),
            "V": self._stacked(self.V)[0],
            "goals": self.goals,
            "error": inputs.rational(self.asked, name="error") if error is None else error,
            "wanted": wanted,
            "outputs": np.array([self.outputs[row] for row in wanted]) if wanted else None,
            "tolerance": inputs.rational(self.tolerance, name="tolerance"),
            "causal": self.causal,
        }

    def to_torch(self, *, dtype: Any = None) -> Any:
        """A torch module that computes `output` from tokens (..., n, d), in float32 unless another dtype is given."""
        kind = torch_type(dtype, "float32")
        return _torch_module(need("torch", extra="torch"), self, kind)

    def export(self, path: str | os.PathLike[str]) -> None:
        """Write Q, K (h, r, d) and V (v, d) as float64 to a safetensors file; goals, error, causal and heads are its metadata.

        These are the numbers in the layer's certificate, so whoever runs them runs the layer that was proved.
        """
        from safetensors.numpy import save_file

        maps = {"Q": self._stacked(self.Q), "K": self._stacked(self.K), "V": self._stacked(self.V)[0]}
        said = {
            "goals": {str(row): goal.to_dict() for row, goal in self.goals.items()},
            "error": str(self.asked),
            "tolerance": self.tolerance,
            "causal": self.causal,
            "heads": self.heads,
            "scores": "(Q x_r)·(K x_j) at scale 1, heads mixed equally, outputs Σ_j weight_rj V x_j",
            "claim": None if self.verdict is None else self.verdict.claim,
        }
        if Path(path).is_dir() or not Path(path).parent.is_dir():
            raise FileNotFoundError(f"`path` must name a file in a folder that exists, got {path}")
        stored = {name: np.ascontiguousarray(array) for name, array in maps.items()}
        save_file(stored, path, metadata={"headwright-layer": json.dumps(said, sort_keys=True)})

    def table(self) -> dict[str, list[Any]]:
        """One row per goal: row, goal, error reached in float64."""
        reached = self.weights()
        errors = []
        for row, goal in self.goals.items():
            errors.append(
                float(np.maximum(reached[row] - goal.weights(len(reached)), 0).sum())
            )  # keeps small errors' digits
        return {"row": list(self.goals), "goal": [str(goal) for goal in self.goals.values()], "error": errors}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "Q": self.Q.tolist(),
            "K": self.K.tolist(),
            "V": self.V.tolist(),
            "goals": {str(row): goal.to_dict() for row, goal in self.goals.items()},
            "outputs": {str(row): y.tolist() for row, y in self.outputs.items()},
            "asked": str(self.asked),
            "norm": self.norm,
            "rank": self.rank,
            "heads": self.heads,
            "causal": self.causal,
            "tolerance": self.tolerance,
            "residual": self.residual,
            "method": self.method,
            "verdict": None if self.verdict is None else self.verdict.to_dict(),
        }

    def summary(self) -> str:
        """The layer in one line."""
        heads = "1 head" if self.heads == 1 else f"{self.heads} heads"
        kind = "causal, " if self.causal else ""
        status = "not proved" if self.verdict is None else self.verdict.status
        return (
            f"{counted(len(self.goals), 'goal')} over {counted(len(self.tokens), 'token')} by {heads} of rank {self.rank} "
            f"({kind}{self.method}): "
            f"‖QᵀK‖ {self.norm:.6g}, every row within {self.asked}: {status}"
        )

    def __repr__(self) -> str:
        table = self.table()
        shown = list(zip(table["row"], table["goal"], table["error"], strict=True))
        lines = [f"  row {row}  {goal}  error {error:.4g}" for row, goal, error in shown[:10]]
        more = [f"  … {len(shown)} rows with goals"] if len(shown) > 10 else []
        return "\n".join([f"Layer: {self.summary()}", *lines, *more])

    def _stacked(self, maps: np.ndarray) -> np.ndarray:
        return maps if maps.ndim == 3 else maps[None]

    def _checked(self, tokens: Any) -> np.ndarray:
        if tokens is None:
            return self.tokens
        x = inputs.float64(tokens, name="tokens", ndim=2)
        if x.shape[1] != self.tokens.shape[1]:
            raise ValueError(f"`tokens` must have dimension d = {self.tokens.shape[1]}, got shape {x.shape}")
        return x


def _by_row(given: Any, name: str) -> dict[int, Any]:
    if not isinstance(given, Mapping):
        raise TypeError(f"`{name}` must map rows to values, got {type(given).__name__}")
    return {inputs.index(row, name=f"row in `{name}`"): value for row, value in given.items()}


def counted(number: int, word: str) -> str:
    """ "1 goal", "2 goals"."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def _torch_module(torch: Any, layer: Layer, dtype: Any) -> Any:
    """The layer as torch.nn.Module with parameters Q, K (h, r, d) and V (v, d)."""

    class AttentionLayer(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            for name, maps in (
                ("Q", layer._stacked(layer.Q)),
                ("K", layer._stacked(layer.K)),
                ("V", layer._stacked(layer.V)[0]),
            ):
                setattr(self, name, torch.nn.Parameter(torch.tensor(np.array(maps), dtype=dtype)))
            self.causal = layer.causal

        def forward(self, tokens: Any) -> Any:
            asks, keys = (tokens.unsqueeze(-3) @ maps.transpose(-1, -2) for maps in (self.Q, self.K))
            scores = asks @ keys.transpose(-1, -2)
            if self.causal:
                seen = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
                scores = scores.masked_fill(~seen, float("-inf"))
            return scores.softmax(dim=-1).mean(dim=-3) @ (tokens @ self.V.transpose(-1, -2))

    return AttentionLayer()
