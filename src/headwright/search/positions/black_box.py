"""A function called safely: on copies of x with its rows permuted, without gradients, its result checked and read as float64.

Calls can be compared only when equal calls agree. `NotComparable` says why they cannot: dropout, state, numbers that are not
finite.

The ε by which a result may be rounded is that of its own type, or of a coarser one that all its numbers fit. A function may
compute in float32 and hand out float64. Then each of its numbers is a float32, which numbers computed in float64 are not, but
for a few: integers, and numbers on a coarse grid, 2^-8 of the largest or wider, which sums of short numbers meet. Integers say
nothing about the type, and a grid nothing about half types, whose allowance would hide everything.
"""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self, final

import array_api_compat
import numpy as np

from headwright.kernel import inputs
from headwright.words.array_libraries import is_concrete, namespace

_ROUNDING = 64  # times ε √(n + d): sums of n + d terms in another order differ by less, through some layers
_ANY = tuple(range(64))  # as many dimensions as NumPy has
_GRID_BITS = 8  # those of bfloat16, the shortest
_SINGLE_BITS = 24  # of a float32
_BFLOAT16 = 2.0**-7  # NumPy does not know it


class NotComparable(Exception):  # noqa: N818 - a state of knowledge, not a fault
    """Calls of the function cannot be compared; `next_step` says what could help."""

    def __init__(self, reason: str, next_step: str) -> None:
        super().__init__(reason)
        self.next_step = next_step


@final
@dataclass(frozen=True, eq=False)
class Result:
    """What one call returned, as finite float64 (..., n, v), and ε of its own number type (0 for integers).

    Where the type is wider than its numbers need, ε is that of the coarser type `held`, which holds them all.
    """

    values: np.ndarray
    unit: float
    held: str | None = None

    @property
    def size(self) -> float:
        """The largest absolute value."""
        return float(np.abs(self.values).max())


@final
@dataclass(frozen=True, eq=False)
class Move:
    """A permutation, its defect max |f(Px) - P f(x)|, and f(Px)."""

    order: tuple[int, ...]
    defect: float
    result: Result


@final
@dataclass(frozen=True, eq=False)
class Called:
    """`function` and the x it is called on, of its own library; `seen` is x in float64."""

    function: Callable[[Any], Any]
    x: Any
    seen: np.ndarray

    @classmethod
    def of(cls, function: Callable[[Any], Any], x: Any) -> Self:
        """x checked, and for a torch module given NumPy numbers, made a tensor of the module's own type and device."""
        if not array_api_compat.is_array_api_obj(x):
            x = np.asarray(inputs.float64(x, name="x", ndim=_ANY))
        if not is_concrete(x):
            raise TypeError("`x` must hold numbers that can be looked at now, got a traced array")
        if x.ndim < 2 or x.shape[-2] < 2:
            raise ValueError(f"`x` must have shape (..., n, d) with at least n = 2 rows, got {tuple(x.shape)}")
        if array_api_compat.is_numpy_array(x) and _is_module(function):
            x = _tensor(function, x)
        return cls(function, x, inputs.float64(x, name="x", ndim=x.ndim))

    @property
    def rows(self) -> int:
        return int(self.x.shape[-2])

    @property
    def training(self) -> bool:
        """Whether it is a torch module in train mode, where dropout drops."""
        return _is_module(self.function) and bool(self.function.training)  # type: ignore[attr-defined]

    def result(self, order: Sequence[int] | None = None) -> Result:
        """f(x), or f(Px) with row order[r] of x in row r."""
        xp = namespace(self.x)
        places = xp.asarray(list(order or range(self.rows)), device=array_api_compat.device(self.x))
        copy = xp.take(self.x, places, axis=-2)
        torch = sys.modules.get("torch")
        try:
            with torch.no_grad() if torch else contextlib.nullcontext():
                returned = self.function(copy)
        except Exception as error:
            how = "" if order is None else " with its rows permuted"
            raise ValueError(
                f"`function` raised {type(error).__name__} on x of shape {tuple(self.x.shape)}{how}: {error}"
            ) from error
        return self._checked(returned)

    def settled(self, times: int, order: Sequence[int] | None = None) -> Result:
        """The result that `times` equal calls agree on, to the last bit."""
        first, *others = (self.result(order) for _ in range(times))
        for other in others:
            self.same(first, other)
        return first

    def same(self, one: Result, other: Result) -> None:
        """NotComparable unless two results of equal calls are equal."""
        apart = _apart(other.values, one.values)
        if apart.any():
            why = "the module is in train mode, where dropout drops; " if self.training else ""
            raise NotComparable(
                f"two equal calls differ by {apart.max():.3g}: {why}the function is random or keeps something between calls, so "
                "that no difference can be put down to the order of the rows",
                "call `eval()` on the module first"
                if self.training
                else "fix its random numbers at every call, and let it keep nothing between calls",
            )

    def farthest(self, orders: Sequence[tuple[int, ...]], plain: Result) -> Move:
        """The permutation with the largest defect; `plain` is f(x)."""
        return max((self._move(order, plain) for order in orders), key=lambda move: move.defect)

    def _move(self, order: tuple[int, ...], plain: Result) -> Move:
        result = self.result(order)
        apart = _apart(result.values, np.take(plain.values, order, axis=-2))
        return Move(order, float(apart.max()), result)

    def allowance(self, plain: Result) -> float:
        """64 ε √(n + d) · max(|x|, |f(x)|)."""
        if plain.unit == 0:
            return 0.0
        n, d = self.seen.shape[-2:]
        size = max(float(np.abs(self.seen).max()), plain.size)
        return _ROUNDING * max(plain.unit, unit(self.x)) * math.sqrt(n + d) * size

    def assumption(self, plain: Result) -> str:
        """Where the allowance comes from, in words."""
        if plain.unit == 0:
            return "since f(x) holds integers"
        basis = "which is an assumption: 64 ε √(n + d) times the largest of |x| and |f(x)|"
        if plain.held is None or plain.unit <= unit(self.x):
            return basis
        return f"{basis}, ε that of {plain.held}, which holds every number of f(x) exactly"

    def _checked(self, returned: Any) -> Result:
        if not array_api_compat.is_array_api_obj(returned):
            raise TypeError(f"`function` must return an array, got {type(returned).__name__}{_instead(returned)}")
        if returned.ndim < 2 or returned.shape[-2] != self.rows or math.prod(returned.shape) == 0:
            raise ValueError(
                f"`function` must return one row per row of x, shape (..., {self.rows}, v), got {tuple(returned.shape)}"
            )
        try:
            values = inputs.float64(returned, name="function", ndim=returned.ndim, finite=False)
        except (TypeError, ValueError) as error:
            raise TypeError(f"`function` must return real numbers, got dtype {returned.dtype}: {error}") from error
        if not np.isfinite(values).all():
            raise NotComparable(
                "the function returns numbers that are not finite", "give it an x on which it is finite"
            )
        own, held = unit(returned), held_in(values)
        return Result(values, own) if held is None or held[1] <= own or own == 0 else Result(values, held[1], held[0])


def _instead(returned: Any) -> str:
    """What to return in place of something that is not an array."""
    if isinstance(returned, tuple):
        return ": of several results, return one"
    return ": make an array of it" if isinstance(returned, list) else ""


def _apart(values: np.ndarray, expected: np.ndarray) -> np.ndarray:
    if values.shape != expected.shape:
        raise ValueError(
            f"`function` must return the same shape for every order of the rows, got {expected.shape} and {values.shape}"
        )
    with np.errstate(over="ignore"):
        return np.asarray(np.abs(values - expected))


def _is_module(function: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(function, torch.nn.Module)


def _tensor(module: Any, x: np.ndarray) -> Any:
    """NumPy numbers as the module's own: of its first floating-point parameter's type and device, integers as they are."""
    own = next((p for p in module.parameters() if p.is_floating_point()), None)
    made = sys.modules["torch"].tensor(np.array(x))
    return made if own is None or not made.is_floating_point() else made.to(device=own.device, dtype=own.dtype)


def unit(array: Any) -> float:
    """ε of the array's number type; 0 for integers."""
    name = str(array.dtype).rpartition(".")[2]
    if "float" not in name:
        return 0.0
    rough = _BFLOAT16 if name == "bfloat16" else 0.25 if "float8" in name else None
    return float(np.finfo(name).eps) if rough is None else rough


def held_in(values: np.ndarray) -> tuple[str, float] | None:
    """The coarsest type that holds all of these finite float64 exactly, and its ε; None for float64 itself, and for integers.

    >>> held_in(np.array([1 / 3, 5.0])), held_in(np.array([np.float32(1 / 3), 5.0], dtype=float))
    (None, ('float32', 1.1920928955078125e-07))
    """
    with np.errstate(over="ignore", under="ignore"):
        single, half = values.astype(np.float32), values.astype(np.float16)
        largest = np.frexp(np.abs(values).max())[1]
        whole = largest <= _SINGLE_BITS and (values == np.rint(values)).all()  # beyond, every float32 is an integer
        if whole or (single != values).any():
            return None
        steps = np.ldexp(values, _GRID_BITS - largest)
    if (steps != np.rint(steps)).any():
        if not (np.ascontiguousarray(single).view(np.uint32) & 0xFFFF).any():  # bfloat16 is the upper half of float32
            return "bfloat16", _BFLOAT16
        if (half == values).all():
            return "float16", float(np.finfo(np.float16).eps)
    return "float32", float(np.finfo(np.float32).eps)
