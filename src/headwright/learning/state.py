"""The state of a training run, whole: parameters, Adam's two moments, the step, the losses; and its file.

Batches are drawn from (seed, step), so the state needs no generator, and a run that was stopped goes on as if it had not been.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, final

import numpy as np

_FORMAT = "headwright training 1"
_KINDS = ("parameter", "first", "second")


@final
@dataclass(frozen=True, eq=False)
class State:
    """After `step` steps: arrays by name, of the parameters and of Adam's first and second moments; the loss of every step."""

    step: int
    parameters: Mapping[str, np.ndarray]
    first: Mapping[str, np.ndarray]
    second: Mapping[str, np.ndarray]
    losses: np.ndarray

    @classmethod
    def begin(cls, parameters: Mapping[str, np.ndarray]) -> Self:
        single = {name: array.astype(np.float32) for name, array in parameters.items()}
        zeros = {name: np.zeros_like(array) for name, array in single.items()}
        return cls(0, single, zeros, zeros, np.zeros(0, dtype=np.float32))

    def save(self, path: Path, told: Mapping[str, Any]) -> None:
        """Write it, whole or not at all; `told` says which run this is."""
        from safetensors.numpy import save

        parts = zip(_KINDS, (self.parameters, self.first, self.second), strict=True)
        stored = {f"{kind}.{name}": np.ascontiguousarray(a) for kind, part in parts for name, a in part.items()}
        metadata = {"format": _FORMAT, "step": str(self.step), "told": json.dumps(told, sort_keys=True)}
        draft = path.with_suffix(".draft")
        draft.write_bytes(save({**stored, "losses": self.losses}, metadata=metadata))
        draft.replace(path)

    @classmethod
    def load(cls, path: Path, told: Mapping[str, Any]) -> Self | None:
        """The state in the file; None where there is no file, it cannot be read, or it belongs to another run."""
        from safetensors import SafetensorError, safe_open

        if not path.is_file():
            return None
        try:
            with safe_open(path, framework="numpy") as file:
                metadata = dict(file.metadata() or {})
                stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        except (SafetensorError, ValueError, OSError):
            return None
        if metadata.get("format") != _FORMAT or metadata.get("told") != json.dumps(told, sort_keys=True):
            return None
        parameters, first, second = (
            {name.removeprefix(f"{kind}."): array for name, array in stored.items() if name.startswith(f"{kind}.")}
            for kind in _KINDS
        )
        return cls(int(metadata["step"]), parameters, first, second, stored["losses"])
