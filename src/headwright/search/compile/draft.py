"""Draft: the weights of a model while they are being found, in coordinates of the basis, and the same as they are stored."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, final

import numpy as np

from headwright.theories.programs.runs_program import ARRAYS

_ONTO = ("output", "outer")  # these maps write to the stream; all other maps read it


@final
class Draft:
    """Arrays by name ("0.query", …) over w coordinates; `stored` gives them over the D of the stream, rounded to the type."""

    def __init__(self, dtype: str, basis: np.ndarray | None) -> None:
        self.dtype, self.basis = dtype, basis
        self.inverse = None if basis is None else np.linalg.pinv(basis)
        self.arrays: dict[str, np.ndarray] = {}

    def number(self, value: Any) -> Any:
        """The nearest number of the type."""
        return np.asarray(value, dtype=np.float64) if self.dtype != "float32" else np.float32(value).astype(np.float64)

    def stored(self, name: str) -> np.ndarray:
        """One array as it is stored."""
        own, kind = self.arrays[name], name.rpartition(".")[2]
        if self.basis is None or self.inverse is None or (kind.endswith("bias") and kind != "outer_bias"):
            return np.asarray(self.number(own))
        if kind in ("tokens", "positions"):
            return np.asarray(self.number(own @ self.basis.T))
        if kind == "outer_bias":
            return np.asarray(self.number(self.basis @ own))
        return np.asarray(self.number(self.basis @ own if kind in _ONTO else own @ self.inverse))

    def block(self, number: int) -> Any:
        """The arrays of one block as they are stored, with the names of a Block."""
        held = {name: self.stored(f"{number}.{name}") if f"{number}.{name}" in self.arrays else None for name in ARRAYS}
        return SimpleNamespace(**held)
