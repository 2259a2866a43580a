"""Design: queries, the goal that they were designed for, and how well they meet it.

A Design holds only numbers. Its proofs (`verdict`, `optimality`) come from callables that its construction passes in, so that
this file imports nothing from a higher layer. Each is called once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any, cast, final

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.frozen import Frozen, computed_once, lending
from headwright.kernel.goals import Copy, Goal, Top
from headwright.kernel.number_types import as_stored
from headwright.kernel.shown import Shown, drawing
from headwright.kernel.verdict import Proved, Verdict
from headwright.words.design_record import own_claim, says_best, settled
from headwright.words.optional import need, torch_type
from headwright.words.pickling import remade
from headwright.words.query_norms import query_norm


@final
@lending("queries", "mix", "weights", "coordinates", "within")
@dataclass(frozen=True, eq=False, repr=False)
class Design(Frozen, Shown):
    """Queries (h, d) at `scale`, mixed by `mix` (h,), designed to bring the weights within `asked` of `goal`.

    For `Top`, `asked` is the score gap. A design within `max_norm` has the least error there is, and `asked` is that error (for
    `Top`, the largest gap). A design `within` an image (W, b) stores `coordinates` x (h, r), and its proofs speak of the exact
    queries W x + b. Its `queries` are these rounded to float64, for use. For keys that vary, `confidence` is the wanted
    probability of meeting `asked`, and `weights` are the mean weights.

    >>> import numpy as np, headwright as hw
    >>> design = hw.design(np.eye(4), hw.Copy(1))
    >>> design.queries.shape, design.goal, design.verdict.status
    ((1, 4), Copy(1), 'proved')
    """

    queries: np.ndarray
    mix: np.ndarray
    scale: float
    goal: Goal | Top
    asked: float | str | Fraction
    weights: np.ndarray
    exact_ratios: bool = True
    precision: str | None = None
    method: str = ""
    prove: Callable[[], Verdict] | None = field(default=None)
    prove_optimality: Callable[[], Verdict] | None = field(default=None)
    confidence: float | str | Fraction | None = None
    max_norm: Fraction | None = None
    coordinates: np.ndarray | None = None
    within: tuple[np.ndarray, np.ndarray | None] | None = None

    def __post_init__(self) -> None:
        for name, ndim in (("queries", 2), ("mix", 1), ("weights", 1)):
            object.__setattr__(self, name, inputs.float64(getattr(self, name), name=name, ndim=ndim))
        if self.within is not None:
            matrix, offset = self.within
            object.__setattr__(self, "coordinates", inputs.float64(self.coordinates, name="coordinates", ndim=2))
            image = (
                inputs.float64(matrix, name="within", ndim=2),
                None if offset is None else inputs.float64(offset, name="within[1]", ndim=1),
            )
            object.__setattr__(self, "within", image)
        object.__setattr__(self, "scale", inputs.held(self.scale, name="scale"))
        for name in ("asked", "confidence", "max_norm"):
            if getattr(self, name) is not None:
                inputs.rational(getattr(self, name), name=name)
        if self.max_norm is not None and self.max_norm <= 0:
            raise ValueError(f"`max_norm` must be positive, got {inputs.show(self.max_norm)}")
        for name, value in settled(self).items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return remade(self)

    @property
    def query(self) -> np.ndarray:
        """The query (d,) of a design with one head."""
        if len(self.queries) != 1:
            raise ValueError(f"this design has {len(self.queries)} heads: use `.queries`")
        one: np.ndarray = self.queries[0]
        return one

    @property
    def norm(self) -> float:
        """The largest query norm, for queries of an image rounded up, but not above a `max_norm` that the exact queries meet."""
        return query_norm(self.queries, self.coordinates, self.within, self.max_norm)

    @property
    def formed(self) -> str:
        """How the queries of an image are formed, in words; empty for any queries."""
        if self.within is None:
            return ""
        matrix, offset = self.within
        return f"Wx{'' if offset is None else ' + b'}, W of shape {matrix.shape[0]} × {matrix.shape[1]}"

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on whether the design does what was asked, proved once; None if no such claim was made.

        It is about the numbers of this very design. One that `dataclasses.replace` made is proved anew.
        """
        known: Verdict | None = vars(self).get("verdict")
        if known is None and self.prove is not None:
            known = vars(self).setdefault("verdict", self.prove())  # the first value stays
        if known is not None and (own := own_claim(self, known.record)) is not known.record:
            known = vars(self)["verdict"] = own.prove()
        return known

    @property
    def _bound(self) -> float | None:
        return self.verdict.bound if isinstance(self.verdict, Proved) else None

    @property
    def error(self) -> float | None:
        """The achieved total variation, proved and rounded up; None if nothing was proved, and for Top.

        For keys that vary, it is the error asked for, rounded up, which is met with `probability`.
        """
        if isinstance(self.goal, Top):
            return None
        if self.confidence is None or self._bound is None:
            return self._bound
        return math.nextafter(float(inputs.rational(self.asked, name="asked")), math.inf)

    @property
    def probability(self) -> float | None:
        """For keys that vary: a proved probability of meeting the error asked for, rounded down; None if nothing was proved."""
        return None if self.confidence is None else self._bound

    @property
    def gap(self) -> float | None:
        """The smallest score gap of a Top, proved and rounded down; None for other goals."""
        return self._bound if isinstance(self.goal, Top) else None

    @computed_once
    def optimality(self) -> Verdict | None:
        """The verdict on whether no query with exact ratios and leak <= asked is shorter; None if no such claim was made.

        For Top it is about queries whose smallest gap is at least `asked`. For a design within `max_norm` it is the verdict on
        whether no query of that norm with exact ratios has a smaller error (for Top, a larger gap). It is None too for a design
        that `dataclasses.replace` made, if the proof is about another goal, error or norm.
        """
        verdict = self.prove_optimality() if self.prove_optimality else None
        return verdict if verdict is None or says_best(verdict.record, self) else None

    @property
    def lower_bound(self) -> float | None:
        """The proved least norm, rounded down; None if not proved, and for a design within `max_norm`."""
        return self._best if self.max_norm is None else None

    @property
    def error_lower_bound(self) -> float | None:
        """For a design within `max_norm`: the proved least error of any query of that norm with exact ratios, rounded down.

        None if not proved, for Top, and for designs that were asked to be short.

        >>> import numpy as np, headwright as hw
        >>> design = hw.design(np.eye(4), hw.Copy(1), max_norm=3)
        >>> round(design.error, 9), round(design.error_lower_bound, 9)
        (0.085842447, 0.085842447)
        """
        return None if self.max_norm is None or isinstance(self.goal, Top) else self._best

    @property
    def gap_upper_bound(self) -> float | None:
        """For a Top within `max_norm`: no query of that norm is proved to have a larger gap, rounded up; otherwise None."""
        if self.max_norm is None or not isinstance(self.goal, Top) or self._best is None:
            return None
        gap = cast(Any, self.optimality).record.gap
        return float(gap) if float(gap) >= gap else math.nextafter(float(gap), math.inf)

    @property
    def _best(self) -> float | None:
        return self.optimality.bound if isinstance(self.optimality, Proved) else None

    def table(self) -> dict[str, list[Any]]:
        """One row per key: index, weight, goal's share (for Top: whether the goal names it)."""
        n = len(self.weights)
        wanted = self.goal.members(n) if isinstance(self.goal, Top) else self.goal.weights(n)
        return {"key": list(range(n)), "weight": self.weights.tolist(), "goal": wanted.tolist()}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "goal": self.goal.to_dict(),
            "asked": str(self.asked),
            "error": self.error,
            "confidence": None if self.confidence is None else str(self.confidence),
            "probability": self.probability,
            "gap": self.gap,
            "norm": self.norm,
            "lower_bound": self.lower_bound,
            "max_norm": None if self.max_norm is None else str(self.max_norm),
            "error_lower_bound": self.error_lower_bound,
            "gap_upper_bound": self.gap_upper_bound,
            "scale": self.scale,
            "mix": self.mix.tolist(),
            "queries": self.queries.tolist(),
            "coordinates": None if self.coordinates is None else self.coordinates.tolist(),
            "exact_ratios": self.exact_ratios,
            "precision": self.precision,
            "method": self.method,
        }

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """The queries (h, d), for `np.asarray(design)`."""
        return np.array(self.queries, dtype=dtype, copy=True if copy is None else copy)

    def to_torch(self, *, dtype: Any = None, device: Any = None) -> Any:
        """The queries (h, d) as a torch tensor, in float64 unless a dtype or its name is given. It needs the extra `torch`."""
        kind = torch_type(dtype, "float64")
        return need("torch", extra="torch").tensor(self.queries, dtype=kind, device=device)

    def plot(self) -> Any:
        """The weights beside the goal, as a matplotlib figure. It needs the extra `plots`."""
        return drawing["design"](self)

    def summary(self) -> str:
        """The design in one line."""
        heads = "1 head" if len(self.queries) == 1 else f"{len(self.queries)} heads"
        heads += f" with queries {self.formed}" if self.formed else ""
        if isinstance(self.goal, Top):
            reached = "gap not proved" if self.gap is None else f"gap at least {_outward(self.gap, ROUND_FLOOR)}"
        else:
            reached = (
                "error not proved" if self.error is None else f"error at most {_outward(self.error, ROUND_CEILING)}"
            )
        if self.confidence is not None:
            sure = "not proved" if self.probability is None else f"at least {_outward(self.probability, ROUND_FLOOR)}"
            reached = f"probability of error at most {self.asked} {sure} (asked {self.confidence})"
            over = f"{self.goal} over {len(self.weights)} varying keys"
            return f"{over} by {heads} ({self.method}): norm {self.norm:.6g}, {reached}"
        if self.max_norm is not None:
            return self._summary_within(heads, reached)
        shortest = ""
        if self.lower_bound is not None:
            among = "none" if isinstance(self.goal, Copy | Top) else "none with exact ratios"
            shortest = f" ({among} is shorter than {_outward(self.lower_bound, ROUND_FLOOR)})"
        return (
            f"{self.goal} over {len(self.weights)} keys{as_stored(self.precision)} by {heads} ({self.method}): "
            f"norm {self.norm:.6g}{shortest}, {reached} (asked {self.asked})"
        )

    def _summary_within(self, heads: str, reached: str) -> str:
        """The line of a design that does the best within a norm."""
        among = "none within it" if isinstance(self.goal, Copy | Top) else "none within it with exact ratios"
        best = ""
        if self.error_lower_bound is not None:
            best = f" ({among} errs less than {_outward(self.error_lower_bound, ROUND_FLOOR)})"
        elif self.gap_upper_bound is not None:
            best = f" ({among} has a gap above {_outward(self.gap_upper_bound, ROUND_CEILING)})"
        return (
            f"{self.goal} over {len(self.weights)} keys{as_stored(self.precision)} by {heads} ({self.method}): "
            f"norm {self.norm:.6g} of at most {inputs.show(cast(Fraction, self.max_norm))}, {reached}{best}"
        )

    def __repr__(self) -> str:
        return f"Design: {self.summary()}\n{weight_bars(self.weights, self.goal)}"


def _outward(x: float, rounding: str) -> str:
    """Six digits on the safe side of a proved figure."""
    return f"{float(Context(prec=6, rounding=rounding).create_decimal(Decimal(x))):.6g}"


def weight_bars(weights: np.ndarray, goal: Goal | Top | None = None, *, most: int = 10, width: int = 30) -> str:
    """The largest weights as bars, with the goal's keys marked; a last line gives the sum of the others.

    >>> print(weight_bars(np.array([0.5, 0.25, 0.25]), width=8))
      key 0  0.5000  ████
      key 1  0.2500  ██
      key 2  0.2500  ██
    """
    wanted = set(goal.indices) if goal else set()
    order = sorted(range(len(weights)), key=lambda j: (-weights[j], j))[:most]
    digits = len(str(max(order)))
    lines = []
    for j in sorted(order, key=lambda j: (j not in wanted, -weights[j], j)):
        mark = "*" if j in wanted else " "
        lines.append(f"{mark} key {j:>{digits}}  {weights[j]:.4f}  {'█' * round(width * float(weights[j]))}".rstrip())
    if len(weights) > most:
        rest = float(np.delete(weights, order).sum())
        lines.append(f"  {len(weights) - most} other keys together {rest:.4g}")
    return "\n".join(lines)
