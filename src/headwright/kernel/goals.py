"""Goals: what attention should do with the keys, as frozen values.

A goal is a distribution over the keys with finite support: `Copy(i)` puts all weight on one key, `Average(i, j, ...)` puts equal
weight on each, and `Blend({i: w, ...})` takes any positive shares. `Top(i, j, ...)` is not a distribution: it asks that every
named key score above every other. `Average` and `Top` also take a list of indices, and `Blend` one share per key. Shares are
exact rationals, normalised exactly. Whether the indices lie inside the n keys is checked when the goal is used with keys
(`Goal.check`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from headwright.kernel import budget, exact_inputs, inputs
from headwright.kernel.frozen import Immutable
from headwright.kernel.record import written_as
from headwright.kernel.shown import Shown


class Goal(Immutable, Shown, ABC):
    """A wanted distribution of attention: `indices` (the support) and `shares` (exact, positive, sum 1)."""

    __slots__ = ("indices", "shares")
    indices: tuple[int, ...]
    shares: tuple[Fraction, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Goal) and type(self) is type(other) and self._value() == other._value()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._value()))

    def _value(self) -> frozenset[tuple[int, Fraction]]:
        return frozenset(zip(self.indices, self.shares, strict=True))  # the order of the indices means nothing

    @abstractmethod
    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]:
        return goal_from_dict, (self.to_dict(),)

    def check(self, n: int) -> None:
        """Every index lies inside the n keys, or ValueError."""
        _check_inside(self, n)

    def weights(self, n: int) -> np.ndarray:
        """The wanted weights (n,), rounded to float64."""
        self.check(n)
        wanted = np.zeros(n)
        wanted[list(self.indices)] = [float(share) for share in self.shares]
        return wanted

    def to_dict(self) -> dict[str, Any]:
        """JSON form; `goal_from_dict` reads it back exactly."""
        return {
            "goal": type(self).__name__.lower(),
            "indices": list(self.indices),
            "shares": [str(s) for s in self.shares],
        }


def _check_inside(goal: Goal | Top, n: int) -> None:
    if max(goal.indices) >= n:
        raise ValueError(f"`goal` {goal} names key {max(goal.indices)}, but there are only {n} keys (0 to {n - 1})")


def _listed(goal: Goal | Top) -> str:
    """The kind of goal and its keys, the first few of many."""
    many = len(goal.indices) > 12
    named = [*map(str, goal.indices[:6]), f"… {len(goal.indices)} keys"] if many else map(str, goal.indices)
    return f"{type(goal).__name__}({', '.join(named)})"


def _named(indices: tuple[Any, ...]) -> tuple[Any, ...]:
    """The indices of a goal, which may be given one by one or as one list, range or array."""
    if len(indices) != 1 or isinstance(indices[0], str | Mapping):
        return indices
    dimensions = getattr(indices[0], "ndim", 1 if isinstance(indices[0], Sequence) else 0)
    if dimensions == 0:
        return indices
    if dimensions > 1:
        raise ValueError(f"`goal` indices must be a list of key numbers, got an array of {dimensions} dimensions")
    numbers = tuple(indices[0])
    if any(_is_truth(number) for number in numbers):
        raise TypeError("`goal` indices must be key numbers, got a boolean mask: name its keys by np.flatnonzero(mask)")
    return numbers


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool) or "bool" in str(getattr(value, "dtype", ""))


def _distinct(indices: tuple[Any, ...]) -> tuple[int, ...]:
    """The key indices as integers, at least one, non-negative and distinct; otherwise an error that names the goal."""
    numbers = tuple(inputs.index(i, name="goal index") for i in indices)
    if not numbers:
        raise ValueError("`goal` needs at least one index")
    if len(set(numbers)) < len(numbers):
        twice = Counter(numbers).most_common(1)[0][0]
        raise ValueError(f"`goal` indices must be distinct, got {twice} more than once")
    return numbers


@final
class Copy(Goal):
    """All attention on key i.

    >>> Copy(3)
    Copy(3)
    """

    __slots__ = ()

    def __init__(self, i: int) -> None:
        self._set(indices=_distinct((i,)), shares=(Fraction(1),))

    @property
    def index(self) -> int:
        """The key that is copied."""
        return self.indices[0]

    def __repr__(self) -> str:
        return f"Copy({self.index})"


@final
class Average(Goal):
    """The same attention on each of the named keys, none elsewhere. The keys may also be given as one list or array.

    >>> Average(3, 7).shares
    (Fraction(1, 2), Fraction(1, 2))
    >>> Average([3, 7]) == Average(3, 7)
    True
    """

    __slots__ = ()

    def __init__(self, *indices: int | Iterable[int]) -> None:
        numbers = _distinct(_named(indices))
        self._set(indices=numbers, shares=(Fraction(1, len(numbers)),) * len(numbers))

    def __repr__(self) -> str:
        return _listed(self)


@final
class Blend(Goal):
    """Positive shares of attention, normalised exactly; a float share means its binary value, "0.7" the rational.

    `shares` maps keys to shares, or is a vector (n,) with one share per key, whose zeros are left out.

    >>> Blend({3: "0.7", 7: "0.3"}).shares
    (Fraction(7, 10), Fraction(3, 10))
    >>> Blend([0.75, 0.0, 0.25])
    Blend({0: '3/4', 2: '1/4'})
    """

    __slots__ = ("_keys",)
    _keys: int | None  # how many keys a vector of shares was given for

    def __init__(self, shares: Mapping[int, float | str | Fraction] | ArrayLike) -> None:
        self._set(_keys=None)
        if not isinstance(shares, Mapping):
            vector = _vector(shares)
            self._set(_keys=len(vector))
            shares = {i: share for i, share in enumerate(vector) if share != 0}
            if not shares:
                raise ValueError("`shares` must hold at least one positive share, got only zeros")
        numbers = _distinct(tuple(shares))
        exact = tuple(inputs.rational(w, name=f"share of key {i}") for i, w in shares.items())
        for i, w in zip(numbers, exact, strict=True):
            if w <= 0:
                raise ValueError(f"`share of key {i}` must be positive, got {inputs.show(w)}")
        total = budget.summed(exact)
        budget.spend(len(exact) * budget.product(budget.bits(total), max(map(budget.bits, exact))))
        self._set(indices=numbers, shares=tuple(w / total for w in exact))

    def __reduce__(self) -> tuple[Any, ...]:
        if self._keys is None:
            return super().__reduce__()
        held = dict(zip(self.indices, self.shares, strict=True))
        return Blend, ([held.get(i, Fraction(0)) for i in range(self._keys)],)

    def check(self, n: int) -> None:
        """Every index lies inside the n keys, and a vector of shares has n of them, or ValueError."""
        if self._keys not in (None, n):
            raise ValueError(f"`goal` {self} was given {self._keys} shares, one per key, but there are {n} keys")
        super().check(n)

    def __repr__(self) -> str:
        pairs = [f"{i}: {_short(w)}" for i, w in zip(self.indices, self.shares, strict=True)]
        if len(pairs) > 8:
            pairs = [*pairs[:4], f"… {len(self.indices)} keys"]
        return f"Blend({{{', '.join(pairs)}}})"


def _vector(shares: Any) -> list[Any]:
    """One share per key, each a number or a text that spells one."""
    if type(shares) in (list, tuple):
        return [inputs.rational(share, name=f"share of key {i}") for i, share in enumerate(shares)]
    if _is_truth(shares):
        raise TypeError("`shares` must be numbers, got a boolean mask: use Average(np.flatnonzero(mask))")
    if not hasattr(shares, "__array__"):
        raise TypeError(
            f"`shares` must map key index to share, or hold one share per key, got {exact_inputs.type_name(type(shares))}"
        )
    return [Fraction(share) for share in inputs.float64(shares, name="shares", ndim=1).tolist()]


def _short(share: Fraction) -> str:
    return f"'{share}'" if share.denominator < 10_000 else f"{float(share):.6g}…"


def goal_from_dict(data: Mapping[str, Any]) -> Goal:
    """The goal that a `to_dict` described; its shares must agree with the goal.

    >>> goal_from_dict(Blend({0: 2, 4: 1}).to_dict())
    Blend({0: '2/3', 4: '1/3'})
    """
    kind, indices, shares = data.get("goal"), data.get("indices"), data.get("shares")
    if not isinstance(indices, list) or not isinstance(shares, list) or len(indices) != len(shares) or not indices:
        raise ValueError("`goal` needs the lists `indices` and `shares`, of the same length")
    goal: Goal
    if kind == "copy":
        goal = Copy(indices[0])
    elif kind == "average":
        goal = Average(*_distinct(tuple(indices)))
    elif kind == "blend":
        goal = Blend(dict(zip(_distinct(tuple(indices)), map(str, shares), strict=True)))
    else:
        raise ValueError(f"`goal` must be copy, average or blend, got {kind!r}")
    if [str(s) for s in goal.shares] != [str(s) for s in shares] or list(goal.indices) != indices:
        raise ValueError(f"`goal` {goal} does not have the shares written beside it")
    return goal


@final
@dataclass(frozen=True, init=False, repr=False, eq=False)
class Top(Shown):
    """The keys `indices` scored above all others, in any order among themselves; the ratios of the weights are free.

    A query is judged by its smallest score gap: the least score of a named key minus the largest score of any other.

    >>> Top(3, 7) == Top([7, 3])
    True
    """

    indices: tuple[int, ...]

    def __init__(self, *indices: int | Iterable[int]) -> None:
        object.__setattr__(self, "indices", _distinct(_named(indices)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Top) and set(self.indices) == set(other.indices)

    def __hash__(self) -> int:
        return hash(("Top", frozenset(self.indices)))

    def __repr__(self) -> str:
        return _listed(self)

    def check(self, n: int) -> None:
        """Every index lies inside the n keys and at least one key is left out, or ValueError."""
        _check_inside(self, n)
        if len(self.indices) == n:
            raise ValueError(f"`goal` {self} names all {n} keys: no key is left to score below them")

    def members(self, n: int) -> np.ndarray:
        """Which of the n keys are named (n,), as booleans."""
        self.check(n)
        named = np.zeros(n, dtype=bool)
        named[list(self.indices)] = True
        return named

    def to_dict(self) -> dict[str, Any]:
        """JSON form; `top_from_dict` reads it back."""
        return {"goal": "top", "indices": list(self.indices)}


def top_from_dict(data: Mapping[str, Any]) -> Top:
    """The Top that a `to_dict` described.

    >>> top_from_dict(Top(0, 4).to_dict())
    Top(0, 4)
    """
    if data.get("goal") != "top" or not isinstance(data.get("indices"), list):
        raise ValueError("`goal` must be top, with the list `indices`")
    if set(data) != {"goal", "indices"}:
        raise ValueError(f"`goal` top must have only goal and indices, got {', '.join(sorted(map(str, data)))}")
    return Top(*_distinct(tuple(data["indices"])))


written_as("Goal", Goal.to_dict, lambda said, name: goal_from_dict(said))
written_as("Top", Top.to_dict, lambda said, name: top_from_dict(said))
