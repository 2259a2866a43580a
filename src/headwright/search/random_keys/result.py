"""Outcome: what weights and error do when keys vary, every number with how it was obtained and what it may be off."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.frozen import FrozenMap, computed_once
from headwright.kernel.goals import Goal
from headwright.kernel.shown import Shown
from headwright.search.random_keys.law import Law, Moments, Numbers
from headwright.words.bounded import CONFIDENCE, Bounded

_CERTAIN = Bounded.proven(Fraction(1), Fraction(1), how="total variation is never above 1")
_NAMES = ("mean", "sd", "head_mean", "output_mean", "output_cov")


@final
class Outcome(Shown):
    """The law of the mixed weights of a design over keys, and of their total variation from a goal.

    `mean`, `sd` (n,), `head_mean` (h, n), `output_mean` (v,), `output_cov` (v, v) are arrays, `uncertainty` maps their names to
    half-widths; `error_mean`, `probability(error)` and `quantile(p)` are Bounded, with bounds of their own. `proved` says which
    kind all of them are.

    >>> import numpy as np, headwright as hw
    >>> keys = hw.ScaledKeys(np.eye(2), {0: {1: "1/2", 3: "1/2"}})
    >>> law = hw.outcome(keys, [2.0, 0.0], hw.Copy(0))
    >>> law.proved, law.mean.round(3), law.probability("0.1")
    (True, array([0.939, 0.061]), 0.5 (exact))
    """

    goal: Goal | None
    _law: Law
    _keys: str
    _heads: str
    _moments: Moments

    def __init__(self, law: Law, keys: str, heads: str, goal: Goal | None) -> None:
        moments = law.moments()
        if law.proved:
            _need_finite(moments)
        self.__dict__.update(_law=law, _keys=keys, _heads=heads, goal=goal, _moments=moments)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Outcome is frozen; make a new one")

    @property
    def method(self) -> str:
        """How the law was obtained, in words."""
        return self._law.method

    @property
    def proved(self) -> bool:
        """Whether every number is proved; otherwise they are estimates."""
        return self._law.proved

    @property
    def samples(self) -> int | None:
        """The number of samples behind an estimate; None where nothing was sampled."""
        return self._law.samples

    @property
    def seed(self) -> int | None:
        """The random seed of the samples; None where nothing was sampled."""
        return self._law.seed

    @property
    def mean(self) -> np.ndarray:
        """The mean weight of every key."""
        return self._moments.mean.value

    @property
    def sd(self) -> np.ndarray:
        """The standard deviation of every weight."""
        return self._moments.sd.value

    @property
    def head_mean(self) -> np.ndarray:
        """The mean weights of every head by itself."""
        return self._moments.head_mean.value

    @property
    def output_mean(self) -> np.ndarray | None:
        """The mean output (v,); None where no values were given."""
        numbers = self._moments.output_mean
        return None if numbers is None else numbers.value

    @property
    def output_cov(self) -> np.ndarray | None:
        """The covariance (v, v) of the output; None where no values were given."""
        numbers = self._moments.output_cov
        return None if numbers is None else numbers.value

    @property
    def uncertainty(self) -> Mapping[str, Any]:
        """The half-width of each number, by name: proved bounds, or intervals at 95 %."""
        parts: dict[str, Numbers | None] = {name: getattr(self._moments, name) for name in _NAMES}
        widths: dict[str, Any] = {name: part.half for name, part in parts.items() if part is not None}
        if self.goal is not None:
            widths["error_mean"] = self.error_mean.half_width
        return FrozenMap(widths)

    @computed_once
    def error_mean(self) -> Bounded:
        """The mean total variation from the goal."""
        self._need_goal()
        return self._law.error_mean()

    def probability(self, error: float | str | Fraction) -> Bounded:
        """P(total variation from the goal <= error)."""
        exact = self._asked(error)
        return _CERTAIN if exact >= 1 else self._law.probability(exact)

    def bounds(self, error: float | str | Fraction) -> Bounded:
        """Proved bounds on `probability(error)`, also where that is estimated: there they may be wide and take seconds."""
        exact = self._asked(error)
        return _CERTAIN if exact >= 1 else self._law.bounds(exact)

    def _asked(self, error: float | str | Fraction) -> Fraction:
        self._need_goal()
        exact = inputs.rational(error, name="error")
        if exact < 0:
            raise ValueError(f"`error` must not be negative, got {inputs.show(exact)}")
        return exact

    def quantile(self, p: float | str | Fraction) -> Bounded:
        """The least error e with P(total variation <= e) >= p."""
        self._need_goal()
        exact = inputs.rational(p, name="p")
        if not 0 < exact < 1:
            raise ValueError(f"`p` must lie strictly between 0 and 1, got {inputs.show(exact)}")
        return self._law.quantile(exact)

    def _need_goal(self) -> None:
        if self.goal is None:
            raise ValueError("`goal` is needed for figures of the error: pass one to `outcome`")

    def table(self) -> dict[str, list[Any]]:
        """One row per key: index, mean weight and sd with their half-widths, the goal's share where there is one."""
        columns: dict[str, list[Any]] = {
            "key": list(range(len(self.mean))),
            "mean": self.mean.tolist(),
            "mean ±": self.uncertainty["mean"].tolist(),
            "sd": self.sd.tolist(),
            "sd ±": self.uncertainty["sd"].tolist(),
        }
        if self.goal is not None:
            columns["goal"] = self.goal.weights(len(self.mean)).tolist()
        return columns

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        widths = {name: np.asarray(half).tolist() for name, half in self.uncertainty.items()}
        return {
            "kind": self.kind,
            "method": self.method,
            "samples": self.samples,
            "seed": self.seed,
            "goal": None if self.goal is None else self.goal.to_dict(),
            "mean": self.mean.tolist(),
            "sd": self.sd.tolist(),
            "head_mean": self.head_mean.tolist(),
            "error_mean": None if self.goal is None else self.error_mean.to_dict(),
            "output_mean": None if self.output_mean is None else self.output_mean.tolist(),
            "output_cov": None if self.output_cov is None else self.output_cov.tolist(),
            "uncertainty": widths,
        }

    @property
    def kind(self) -> str:
        """Whether the numbers are proved or estimated, in words."""
        return "proved" if self.proved else f"estimated at {100 * CONFIDENCE:g} %"

    def summary(self) -> str:
        """The law in one line."""
        seed = "" if self.seed is None else f" (seed {self.seed})"
        return f"{self._heads}; {self._keys}\n  {self.kind}: {self.method}{seed}"

    def __repr__(self) -> str:
        lines = [f"Outcome: {self.summary()}"]
        if self.goal is not None:
            lines.append(f"  mean error for {self.goal}: {self.error_mean!r}")
        return "\n".join([*lines, spread_bars(self.mean, self.sd, self.goal, proved=self.proved)])


def _need_finite(moments: Moments) -> None:
    """ValueError where a number or its half-width leaves float64: it could not be called proved."""
    for name in _NAMES:
        part: Numbers | None = getattr(moments, name)
        if part is not None and not (np.isfinite(part.value).all() and np.isfinite(part.half).all()):
            what = "values" if name.startswith("output") else "design"
            raise ValueError(
                f"`{what}` must be small enough for float64 to hold `{name}`: divide by a power of two first"
            )


def spread_bars(
    mean: np.ndarray, sd: np.ndarray, goal: Goal | None, *, proved: bool = True, most: int = 10, width: int = 40
) -> str:
    """Mean weights as bars and one deviation to either side of them as a line; goal keys marked.

    >>> print(spread_bars(np.array([0.5, 0.5]), np.array([0.25, 0.0]), None, width=16))
      key 0  0.5000 ± 0.2500  ████├───┼───┤
      key 1  0.5000 ± 0.0000  ████████
    """
    wanted = set(goal.indices) if goal else set()
    order = sorted(range(len(mean)), key=lambda j: (j not in wanted, -mean[j], j))[:most]
    digits, about = len(str(max(order))), "" if proved else "≈ "
    lines = []
    for j in order:
        mark = "*" if j in wanted else " "
        lines.append(
            f"{mark} key {j:>{digits}}  {about}{mean[j]:.4f} ± {sd[j]:.4f}  {_bar(mean[j], sd[j], width)}".rstrip()
        )
    if len(mean) > most:
        lines.append(f"  {len(mean) - most} other keys together {about}{float(np.delete(mean, order).sum()):.4g}")
    return "\n".join(lines)


def _bar(mean: float, sd: float, width: int) -> str:
    middle = round(width * mean)
    low, high = max(0, round(width * (mean - sd))), min(width, round(width * (mean + sd)))
    if high - low < 2:
        return "█" * middle
    bar = ["█"] * low + ["─"] * (high - low + 1)
    bar[low], bar[high] = "├", "┤"
    if low < middle < high:
        bar[middle] = "┼"
    return "".join(bar)
