"""Settings: every question as objects of the library, at one size n and one error.

Orthonormal vectors are the standard basis in the order in which their question lists them (k_a is row 0, k_b row 1), so that a
stranger's array means what he thinks it means. For m targets the sheets' ε is m·odds(error), odds(e) = e/(1-e): then "each of the
targets has at least 1/(m+ε)" and "the total variation is at most the error" ask the same of exact ratios. Symbols that are to be
large (t, T, s, β) have no value in a setting, but for β in the three-token example, where it is the length of the vectors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any, final

import numpy as np

from headwright import arrays
from headwright.goals import Average, Copy, Goal
from headwright.keys import GaussianKeys, KeyModel
from headwright.problems.showing import ERROR, N
from headwright.problems.token_example import tokens
from headwright.scaled_keys import ScaledKeys

VARIANCE = 1e-6  # "vanishing" noise, in numbers
LENGTHS = (Fraction(1, 2), Fraction(3, 2))  # of k_1 in A.1c and A.1d, each with probability 1/2
BETA = 2.5  # β² = 25/4 is exact, and large enough for error 0.01
LARGE = ("t", "T", "s", "beta")
LARGEST_N = 2000  # keys are held as an array (n, n)
_TRUNCATED_AT = 3  # the k of A.3
Names = dict[str, np.ndarray | float]


@final
@dataclass(frozen=True, eq=False, repr=False)
class Setting:
    """One question at one size: what an array or a number in an answer is judged on.

    - `keys` (n, d) or `model`, whichever the question has, with the `goal` of its heads; `heads` is how many are asked for;
    - `error` the total variation allowed, `epsilon` the ε that stands for it;
    - `names` the value of every name that a formula may use, large symbols left out; `basis` those that are vectors.
    """

    problem_id: str
    n: int
    error: Fraction
    keys: np.ndarray | None = None
    model: KeyModel | None = None
    goal: Goal | None = None
    heads: int = 0
    names: Mapping[str, np.ndarray | float] = field(default_factory=lambda: MappingProxyType({}))
    basis: tuple[str, ...] = ()

    def __repr__(self) -> str:
        goal = "" if self.goal is None else f", {self.goal}"
        return f"<Setting of {self.problem_id}: n = {self.n}{goal}, error {arrays.show(self.error)}>"

    @property
    def epsilon(self) -> Fraction:
        """m·odds(error) for m targets (1 where there is no goal), exactly."""
        targets = 1 if self.goal is None else len(self.goal.indices)
        return targets * self.error / (1 - self.error)


def setting_of(problem_id: str, n: int = N, *, error: Any = ERROR) -> Setting:
    """The setting of a question; n is the number of keys, or of dimensions where the question has no keys.

    >>> made = setting_of("A.1d", 4)
    >>> made
    <Setting of A.1d: n = 4, Average(0, 1), error 1/100>
    >>> made.heads, made.goal, made.basis, made.names["k_2"].tolist(), made.epsilon
    (2, Average(0, 1), ('u', 'k_2'), [0.0, 1.0, 0.0, 0.0], Fraction(2, 99))
    """
    number = arrays.count(n, name="n", least=2)
    if number > LARGEST_N:
        raise ValueError(f"`n` must lie between 2 and {LARGEST_N} in a setting, got {number}")
    allowed = arrays.rational(error, name="error")
    if not 0 < allowed < 1:
        raise ValueError(f"`error` must lie strictly between 0 and 1, got {arrays.show(allowed)}")
    return _MAKERS[problem_id](problem_id, number, allowed)


def separated(n: int) -> np.ndarray:
    """Unit keys (n, n) at distance 1 from key 0, the nearest that A.1a allows: k_0·k_j = 1/2 exactly."""
    keys = math.sqrt(3) / 2 * np.eye(n)
    keys[:, 0] = 0.5
    keys[0] = np.eye(n)[0]
    return keys


def _closed(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def _made(problem_id: str, n: int, error: Fraction, basis: tuple[str, ...], **what: Any) -> Setting:
    """A setting with keys or a key model, its first vectors named; `n` and `eps` are names as well."""
    bare = Setting(problem_id, n, error, basis=basis, **what)
    vectors = {name: _closed(np.eye(n)[j]) for j, name in enumerate(basis)}
    numbers = {"n": float(n), "eps": float(bare.epsilon)} if basis else {}
    if problem_id.startswith("E.1") and "mu_i" in basis:
        del numbers["eps"]  # there ε is a variance
    if bare.keys is not None:
        _closed(bare.keys)
    return Setting(problem_id, n, error, basis=basis, names=MappingProxyType({**vectors, **numbers}), **what)


def _copying(problem_id: str, n: int, error: Fraction, *, basis: tuple[str, ...] = ()) -> Setting:
    keys = separated(n) if problem_id == "A.1a" else np.eye(n)
    return _made(problem_id, n, error, basis, keys=keys, goal=Copy(0), heads=1)


def _averaging(problem_id: str, n: int, error: Fraction, *, basis: tuple[str, ...]) -> Setting:
    return _made(problem_id, n, error, basis, keys=np.eye(n), goal=Average(0, 1), heads=1)


def _random_length(problem_id: str, n: int, error: Fraction, *, basis: tuple[str, ...], heads: int) -> Setting:
    model = ScaledKeys(np.eye(n), {0: dict.fromkeys(LENGTHS, Fraction(1, 2))})
    return _made(problem_id, n, error, basis, model=model, goal=Average(0, 1), heads=heads)


def _gaussian(
    problem_id: str, n: int, error: Fraction, *, basis: tuple[str, ...], heads: int, noisy: bool = False
) -> Setting:
    model = GaussianKeys(np.eye(n), isotropic=VARIANCE, along={0: 0.5} if noisy else None)
    return _made(problem_id, n, error, basis, model=model, goal=Average(0, 1), heads=heads)


def _three_tokens(problem_id: str, n: int, error: Fraction) -> Setting:
    """Always three tokens in four dimensions."""
    vectors = {f"u_{letter}": _closed(BETA * np.eye(4)[j]) for j, letter in enumerate("abcd")}
    names: Names = {**vectors, "beta": BETA}
    return Setting(
        problem_id, 3, error, keys=_closed(tokens(BETA)), names=MappingProxyType(names), basis=tuple(vectors)
    )


def _span_of_sum(problem_id: str, n: int, error: Fraction) -> Setting:
    """D.b-i: orthonormal columns, 3 and 4 of them in 10 dimensions."""
    first, second = max(1, 3 * n // 10), max(1, 4 * n // 10)
    axes = np.eye(n)
    names = {"A": _closed(axes[:, :first].copy()), "B": _closed(axes[:, first : first + second].copy())}
    return Setting(problem_id, n, error, names=MappingProxyType(names))


def _span_of_mean(problem_id: str, n: int, error: Fraction) -> Setting:
    """E.1d: columns of norm 1 that slant, 3 and 2 of them in 10 dimensions, the spans orthogonal."""
    first, second = max(1, 3 * n // 10), max(1, n // 5)
    names = {"S": _closed(_slanted(n, 0, first, 0.6)), "T": _closed(_slanted(n, first, second, 0.8))}
    return Setting(problem_id, n, error, names=MappingProxyType(names))


def _slanted(d: int, start: int, count: int, cosine: float) -> np.ndarray:
    """Columns (d, count) of norm 1: the first an axis, each further one leaning on the axis before its own."""
    columns = np.zeros((d, count))
    columns[start, 0] = 1.0
    for j in range(1, count):
        columns[start + j - 1, j], columns[start + j, j] = cosine, 1.4 - cosine  # 0.6 and 0.8, in either order
    return columns


def _tokens(problem_id: str, n: int, error: Fraction) -> Setting:
    """A.2a and C.1.3: n tokens in four dimensions, rows there and columns here."""
    rows = (np.arange(4 * n).reshape(n, 4) * 7 % 11 - 5) / 4
    names = {"X": _closed(rows if problem_id == "A.2a" else rows.T.copy())}
    return Setting(problem_id, n, error, names=MappingProxyType(names))


def _singular(problem_id: str, n: int, error: Fraction) -> Setting:
    """A (n, d) of small integers, of rank d; d is at most 6 and k at most 3."""
    d = min(n, 6)
    i, j = np.arange(n)[:, None], np.arange(d)[None, :]
    matrix = (3 * i * i + 5 * i * j + 2 * j) % 13 - 6 + np.where(i == j, 8.0, 0.0)
    names: Names = {"A": _closed(matrix), "k": float(min(_TRUNCATED_AT, d))}
    return Setting(problem_id, n, error, names=MappingProxyType(names))


def _bare(problem_id: str, n: int, error: Fraction) -> Setting:
    return Setting(problem_id, n, error)


Maker = Callable[[str, int, Fraction], Setting]
_PAIRS = {"k": ("k_a", "k_b"), "u": ("u_a", "u_b"), "mu": ("mu_a", "mu_b"), "mu_ij": ("mu_i", "mu_j")}
_MAKERS: dict[str, Maker] = {
    **dict.fromkeys(["B.3a", "C.1.1a", "C.1.1b", "C.1.1c", "C.1.1d", "D.a-i", "D.a-ii", "D.a-iii", "D.a-iv"], _copying),
    **dict.fromkeys(["E.1a", "E.1b"], _copying),
    "A.1a": partial(_copying, basis=("k_1",)),
    "A.1b": partial(_averaging, basis=("k_1", "k_2")),
    **dict.fromkeys(["B.3b", "C.1.2a", "D.b-ii"], partial(_averaging, basis=_PAIRS["k"])),
    "E.1c": partial(_averaging, basis=("k_i", "k_j")),
    "A.1c": partial(_random_length, basis=("u", "k_2"), heads=1),
    "A.1d": partial(_random_length, basis=("u", "k_2"), heads=2),
    "B.3c-i": partial(_gaussian, basis=_PAIRS["u"], heads=1),
    "B.3c-ii": partial(_gaussian, basis=_PAIRS["u"], heads=1, noisy=True),
    "B.3d-i": partial(_gaussian, basis=_PAIRS["u"], heads=2),
    "B.3d-ii": partial(_gaussian, basis=_PAIRS["u"], heads=2, noisy=True),
    **dict.fromkeys(["C.2.1a", "D.c-i"], partial(_gaussian, basis=_PAIRS["mu"], heads=1)),
    **dict.fromkeys(["C.2.1b", "D.c-ii"], partial(_gaussian, basis=_PAIRS["mu"], heads=1, noisy=True)),
    **dict.fromkeys(["C.2.2a", "D.d-i"], partial(_gaussian, basis=_PAIRS["mu"], heads=2)),
    **dict.fromkeys(["C.2.2b", "D.d-ii"], partial(_gaussian, basis=_PAIRS["mu"], heads=2, noisy=True)),
    "E.1e": partial(_gaussian, basis=_PAIRS["mu_ij"], heads=1),
    "E.1f": partial(_gaussian, basis=_PAIRS["mu_ij"], heads=1, noisy=True),
    **dict.fromkeys(["B.3e-i", "B.3e-ii"], _three_tokens),
    "D.b-i": _span_of_sum,
    "E.1d": _span_of_mean,
    **dict.fromkeys(["A.2a", "C.1.3"], _tokens),
    **dict.fromkeys(["A.3a", "A.3b", "A.3c"], _singular),
    **dict.fromkeys(["A.2b", "E.2a"], _bare),
}
