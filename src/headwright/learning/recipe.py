"""How a block is trained: sizes, steps, and the rate of each step, everything but the seed.

The rate rises linearly over the first WARM_UP steps and then falls along half a cosine to 0:
rate(k) = rate · min(1, (k+1)/WARM_UP) · ½(1 + cos(πk/steps)).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, final

import numpy as np

from headwright.tasks import DIM, LENGTH, WIDTH

WARM_UP = 100
METHOD = (
    f"Adam (0.9, 0.99) on fresh batches, warm-up over {WARM_UP} steps, cosine decay; "
    "rounded to multiples of 2^-12 at the end"
)


@final
@dataclass(frozen=True)
class Recipe:
    """Adam (decay 0.9 and 0.99) on the mean squared error of the asking row, `batch` fresh sequences a step.

    >>> Recipe(heads=1, steps=1000).rate_at(0) == 1e-4
    True
    """

    heads: int = 1
    steps: int = 1500
    batch: int = 64
    rate: float = 0.01
    width: int = 12  # of queries and keys
    hidden: int = 32

    def __post_init__(self) -> None:
        for name in ("heads", "steps", "batch", "width", "hidden"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise ValueError(f"`{name}` must be a positive integer, got {number!r}")
        if not 0 < self.rate < 1:
            raise ValueError(f"`rate` must lie strictly between 0 and 1, got {self.rate!r}")

    def rate_at(self, step: int) -> float:
        return self.rate * min(1, (step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * step / self.steps))

    def start(self, seed: int) -> dict[str, np.ndarray]:
        """The parameters training starts from: biases 0, all else Gaussian with variance one over the last dimension."""
        rng = np.random.default_rng((seed, 0))
        h, r, f = self.heads, self.width, self.hidden
        shapes: dict[str, tuple[int, ...]] = {
            "query": (h, r, DIM),
            "key": (h, r, DIM),
            "value": (h, WIDTH, DIM),
            "output": (h, DIM, WIDTH),
            "query_bias": (h, r),
            "value_bias": (h, WIDTH),
            "output_bias": (DIM,),
            "inner": (f, DIM),
            "inner_bias": (f,),
            "outer": (DIM, f),
            "outer_bias": (DIM,),
            "positions": (LENGTH + 1, DIM),
        }
        return {
            name: np.zeros(shape) if name.endswith("bias") else rng.normal(size=shape) / math.sqrt(shape[-1])
            for name, shape in shapes.items()
        }

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "method": METHOD}
