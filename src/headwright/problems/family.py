"""Family: the keys that a question is about, for every size or for one; and Setting, one member of it, as arrays.

Orthonormal vectors are the standard basis in the order in which their question names them (k_a is row 0, k_b row 1), so that
an array means what its author expects. For m targets the sheets' ε is m·odds(error), odds(e) = e/(1-e): then "each of the
targets has at least 1/(m+ε)" and "the total variation is at most the error" ask the same of exact ratios. Symbols that are to be
large (t, T, s, β) have no value in a setting.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.frozen import FrozenMap, sealed
from headwright.kernel.goals import Goal, Top
from headwright.problems.key_tables import law_of
from headwright.reading import formulas
from headwright.theories.formulas.families.family import LARGE
from headwright.words.key_models import KeyModel

N = 10  # the member at which numbers are judged and shown, unless another is asked for
ERROR = Fraction(1, 100)  # what "≈" means, unless another error is asked for
ODDS = ERROR / (1 - ERROR)
LARGEST = 10**12  # the largest n that a family may be restricted to
LARGEST_N = 2000  # keys are held as an array (n, n)
Names = dict[str, np.ndarray | float]


@final
@dataclass(frozen=True, eq=False, repr=False)
class Setting:
    """One member of a family: what an array or a number in an answer is judged on.

    - `keys` (n, d) or `model`, whichever the question has, with the `goal` of its heads; `heads` is how many are asked for;
    - `error` the total variation allowed, `epsilon` the ε that stands for it;
    - `names` the value of every name that a formula may use, large symbols left out; `basis` those that are vectors;
    - `count_from` the number of the first key in messages.

    >>> import headwright as hw
    >>> setting = hw.problems.CATALOGUE["A.1b"].setting(3)
    >>> setting.n, setting.goal, setting.keys.tolist()
    (3, Average(0, 1), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    """

    n: int
    error: Fraction
    keys: np.ndarray | None = None
    model: KeyModel | None = None
    goal: Goal | Top | None = None
    heads: int = 0
    names: Mapping[str, np.ndarray | float] = field(default_factory=lambda: FrozenMap({}))
    basis: tuple[str, ...] = ()
    count_from: int = 0

    def __repr__(self) -> str:
        goal = "" if self.goal is None else f", {self.goal}"
        return f"<Setting: n = {self.n}{goal}, error {inputs.show(self.error)}>"

    @property
    def epsilon(self) -> Fraction:
        """m·odds(error) for m targets (1 where there is no goal), exactly."""
        return epsilon_of(self.goal, self.error)

    @property
    def centre(self) -> np.ndarray:
        """The keys, or the means of keys that vary."""
        centre = self.keys if self.model is None else self.model.centre
        assert centre is not None, "a question without keys is asked for them"
        return np.asarray(centre)


def epsilon_of(goal: Goal | Top | None, error: Fraction) -> Fraction:
    return epsilon_for(error, len(goal.indices) if isinstance(goal, Goal) else 1)


def epsilon_for(error: Fraction, targets: int) -> Fraction:
    """m·odds(error) for m targets."""
    return targets * error / (1 - error)


@final
@dataclass(frozen=True, eq=False)
class Family:
    """The keys of a question for every n >= 2, or for one.

    `keys` is one of `key_tables.KINDS`, an array (n, d), formulas row by row, or None. `law` describes how they vary, as a
    question's file does; with `vanishing`, the noise goes to zero before large symbols grow. `given` says what each name stands
    for, `symbols` are n, eps and the large ones. `n` and `error` restrict it to single members. `near` is the error that "≈"
    stands for where nothing else says it. Messages count keys from `count_from` on; everything else counts from 0.

    >>> import headwright as hw
    >>> family = hw.problems.CATALOGUE["A.1b"].family
    >>> family.keys, family.goal, family.fixed
    ('orthonormal', Average(0, 1), False)
    """

    keys: str | tuple[str, ...] | np.ndarray | None = None
    law: Mapping[str, Any] = field(default_factory=dict)
    vanishing: bool = False
    goal: Goal | Top | None = None
    heads: int = 0
    given: Mapping[str, Any] = field(default_factory=dict)
    symbols: tuple[str, ...] = ()
    n: int | None = None
    error: Fraction | None = None
    near: Fraction = ERROR
    count_from: int = 0

    def __post_init__(self) -> None:
        for name in ("keys", "law", "given"):
            object.__setattr__(self, name, sealed(getattr(self, name)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names that a formula may use."""
        return (*self.given, *self.symbols)

    @property
    def basis(self) -> tuple[str, ...]:
        """The names that are vectors of the family."""
        return tuple(
            name for name, what in self.given.items() if isinstance(what, Mapping) and {"key", "axis"} & set(what)
        )

    @property
    def kinds(self) -> dict[str, str]:
        """What each name is: a number, a column, a matrix."""
        symbols = [name for name in self.symbols if not (self.fixed and name in LARGE)]
        return {**{name: _kind(what) for name, what in self.given.items()}, **dict.fromkeys(symbols, "number")}

    @property
    def large(self) -> tuple[str, ...]:
        """The names that stand for large numbers: symbols, and the length of vectors that are to grow."""
        lengths = [what["length"] for what in self.given.values() if isinstance(what, Mapping) and "length" in what]
        return (*(name for name in self.symbols if name in LARGE), *dict.fromkeys(lengths))

    @property
    def fixed(self) -> bool:
        """Whether the keys are these and no others."""
        return isinstance(self.keys, np.ndarray)

    @property
    def epsilon(self) -> Fraction | None:
        """The ε that stands for the error, where one is fixed."""
        return None if self.error is None else epsilon_of(self.goal, self.error)

    def restricted(self, n: int | None = None, error: Fraction | None = None) -> Family:
        """The members with this n and this error alone."""
        if n is not None and inputs.count(n, name="n", least=2) > LARGEST:
            raise ValueError(f"`n` must lie between 2 and {LARGEST}, got {n}")
        if error is not None and not 0 < error < 1:
            raise ValueError(f"`error` must lie strictly between 0 and 1, got {inputs.show(error)}")
        return replace(self, n=self.n if n is None else n, error=self.error if error is None else error)

    def setting(self) -> Setting:
        """The member at which numbers are judged: n = 10 and the error of "≈" unless the family is restricted."""
        n, error = self.n or N, self.near if self.error is None else self.error
        if n > LARGEST_N and not self.fixed:
            raise ValueError(f"`n` must lie between 2 and {LARGEST_N} in a setting, got {n}")
        names = self._names(n, error)
        keys = self._keys(n, names)
        model = law_of(keys, self.law) if self.law and keys is not None else None
        n = n if keys is None else len(keys)
        fixed = None if model is not None else sealed(keys)
        return Setting(n, error, fixed, model, self.goal, self.heads, FrozenMap(names), self.basis, self.count_from)

    def _keys(self, n: int, names: Names) -> np.ndarray | None:
        if isinstance(self.keys, tuple):
            return np.array([formulas.evaluate(formulas.parse(row, names=self.basis), names) for row in self.keys])
        if isinstance(self.keys, str):
            return separated(n) if self.keys == "separated" else np.eye(n)
        return self.keys

    def _names(self, n: int, error: Fraction) -> Names:
        values: Names = {}
        columns = 0
        for name, what in self.given.items():
            if isinstance(what, Mapping) and "columns" in what:
                count = max(1, what["tenths"] * n // 10)
                values[name] = _columns(what["columns"], n, columns, count)
                columns += count
            else:
                values[name] = self._named(what, n)
        numbers = {"n": float(n), "eps": float(epsilon_of(self.goal, error))}
        return values | {name: numbers[name] for name in self.symbols if name in numbers}

    def _named(self, what: Any, n: int) -> np.ndarray | float:
        match what:
            case {"key": index} if isinstance(self.keys, np.ndarray):
                return np.array(self.keys[index])
            case {"key": index}:
                return np.asarray(np.eye(n)[index])
            case {"axis": index, "length": length}:
                return np.asarray(float(self.given[length]) * np.eye(len(self.basis))[index])
            case {"tokens": order}:
                rows: np.ndarray = (np.arange(4 * n).reshape(n, 4) * 7 % 11 - 5) / 4
                return rows if order == "rows" else rows.T.copy()
            case {"at_most": largest}:
                return float(min(largest, n))
            case {"matrix": "integers"}:
                return _integers(n)
            case _:
                return what if isinstance(what, np.ndarray) else float(what)


def _kind(what: Any) -> str:
    """What a given name is, by what stands for it."""
    if isinstance(what, Mapping):
        return "column" if {"key", "axis"} & set(what) else "number" if "at_most" in what else "matrix"
    return {0: "number", 1: "column"}.get(np.ndim(what), "matrix" if 1 not in np.shape(what) else "unknown")


def separated(n: int) -> np.ndarray:
    """Unit keys (n, n) at distance 1 from key 0: k_0·k_j = 1/2 exactly."""
    keys = math.sqrt(3) / 2 * np.eye(n)
    keys[:, 0] = 0.5
    keys[0] = np.eye(n)[0]
    return keys


def _columns(kind: str, d: int, start: int, count: int) -> np.ndarray:
    """Columns (d, count) of norm 1 along the axes from `start` on: axes, or each after the first leaning on the one before it."""
    columns = np.eye(d)[:, start : start + count].copy()
    if kind == "slanted":
        cosine = 0.8 if start else 0.6  # two bases lean differently, each with exact squares: 0.36 + 0.64
        for j in range(1, count):
            columns[start + j - 1, j], columns[start + j, j] = cosine, 1.4 - cosine
    return columns


def _integers(n: int) -> np.ndarray:
    """A matrix (n, d) of small integers, of rank d, d at most 6."""
    i, j = np.arange(n)[:, None], np.arange(min(n, 6))[None, :]
    return np.asarray((3 * i * i + 5 * i * j + 2 * j) % 13 - 6 + np.where(i == j, 8.0, 0.0))
