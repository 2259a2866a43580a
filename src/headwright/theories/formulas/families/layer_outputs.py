"""Claim: maps Q, K, V given by formulas yield the wanted outputs as β, the length of orthogonal vectors, grows; or at one β.

In units of the vectors u the tokens are rows of whole numbers, every map is a matrix of forms in β, and row r scores
s_rj = β² x_rᵀQᵀK x_j. As β grows, the tokens whose scores no other score exceeds without bound keep the weight, and the claim
holds if and only if Σ_j α_rj V x_j tends to the wanted output, in units of u. A token that loses its weight must lose it faster
than V x_j may grow. At one β, ‖c_r - wanted‖ <= error·β is judged in balls, with the error relaxed by the fraction `slack`.
**Witness** of a refutation for large β: a row, a β at which its output is off, and an error that the output's limit misses too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, final

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.claim import Claim
from headwright.kernel.record import Whole
from headwright.kernel.verdict import Verdict
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.at_numbers import ball_matrix, climbed, matrix_at, softmax
from headwright.theories.formulas.families.family import NO_FORM
from headwright.theories.formulas.families.limits import Limit, defined_far_out, tends
from headwright.theories.formulas.forms import FormulaError, Grid, LogForm, Node, OutOfClass, Range

_BITS = (256, 1024)
_MOST_DEGREE = 30
_MOST = 16
_MAPS = ("Q", "K", "V")
_RANGES = {"beta": Range(1)}


@final
@dataclass(frozen=True, eq=False)
class LayerOutputs(Claim):
    """The layer with `maps`, trees of Q, K, V over the vectors `basis`, gives the rows of `tokens` their `wanted` outputs.

    `tokens` are rows of whole numbers, `wanted` is {row: whole numbers}. With `beta` None the claim is about every error, from
    some β on, and `row` and `far` can refute it. Otherwise it is about this β and `error`. The trees name the arrays `given`.

    >>> import headwright as hw
    >>> hw.problems.published("B.3e-ii").record.kind
    'layer-outputs'
    """

    basis: tuple[str, ...]
    tokens: tuple[tuple[Whole, ...], ...]
    wanted: Mapping[int, tuple[Whole, ...]]
    maps: Mapping[str, Node]
    error: Fraction
    beta: Fraction | None = None
    slack: Fraction = Fraction(0)
    given: Mapping[str, np.ndarray] = field(default_factory=dict)
    row: int | None = None
    far: Fraction | None = None
    kind: ClassVar[str] = "layer-outputs"
    unsaid: ClassVar[tuple[str, ...]] = ("error", "slack", "row", "far")

    def __post_init__(self) -> None:
        self.settle(given="rc")
        d = len(self.basis)
        rows = (*self.tokens, *self.wanted.values())
        if not 1 <= d <= _MOST or not 1 <= len(self.tokens) <= _MOST or any(len(row) != d for row in rows):
            raise ValueError(f"`tokens` and `wanted` must be rows of {d} whole numbers, at most {_MOST} of them")
        if any(type(x) is not int for row in rows for x in row) or not {*self.wanted} <= {*range(len(self.tokens))}:
            raise TypeError("`tokens` and `wanted` must hold whole numbers, and `wanted` rows of the tokens")
        if {*self.maps} != {*_MAPS} or not self.wanted or not self.error > 0 or not 0 <= self.slack < 1:
            raise ValueError("`maps` must be Q, K and V, with an output wanted and a positive `error`")
        if (self.beta is not None and not self.beta > 0) or (self.far is not None and not self.far > 1):
            raise ValueError("`beta` must be positive, and `far` beyond 1")
        shown = self.row is not None
        if shown != (self.far is not None) or self.row not in (None, *self.wanted) or (shown and self.beta):
            raise ValueError("`row` and `far` must be given together, for a claim about large β")
        names = {forms.plain_name(name) for name in self.basis}
        if {"beta", *names} & {*self.given} or (self.given and self.beta is None) or len(names) < d or "beta" in names:
            raise ValueError("`basis` and `given` must have names of their own, and `given` goes with one β")
        if not all(forms.names_in(tree) <= {"beta", *names, *self.given} for tree in self.maps.values()):
            raise ValueError("`maps` must use the names of the basis and beta")

    def sentence(self) -> str:
        outputs = ", ".join(
            f"c_{row + 1} ≈ {self._spelled(whole)}" for row, whole in sorted(self.wanted.items(), reverse=True)
        )
        shown = ", ".join(f"{name} = {forms.spelled(self.maps[name])}" for name in _MAPS)
        tokens = ", ".join(f"x_{i + 1} = {self._spelled(whole)}" for i, whole in enumerate(self.tokens))
        return f"with the tokens {tokens} the outputs are {outputs}: {shown}"

    def _spelled(self, whole: tuple[int, ...]) -> str:
        terms = [
            f"{'-' if x < 0 else '+'} {abs(x) if abs(x) != 1 else ''}{u}"
            for x, u in zip(whole, self.basis, strict=True)
            if x
        ]
        return " ".join(terms).removeprefix("+ ") or "0"

    def scope(self) -> str:
        if self.beta is None:
            return f"all orthogonal {', '.join(self.basis)} of one length β, every error, from a value of β on"
        rounding = f", up to rounding (one part in {1 / self.slack})" if self.slack else ""
        return f"β = {inputs.show(self.beta)}; outputs to within {inputs.show(self.error)}·β in length{rounding}"

    def judge(self) -> Verdict:
        if self.beta is not None:
            return climbed(self, partial(self._judged_at, self.beta), _BITS)
        try:
            maps = {name: self._matrix(self.maps[name]) for name in _MAPS}
        except FormulaError as fault:
            return self.refuted(counterexample={"fault": fault.message}, method="the formula has no value")
        except NO_FORM as beyond:
            why = f"the formulas are beyond what can be proved for all large β: {beyond}"
            return self.undecided(why, "use simpler factors")
        scores, values = _attended(maps, self.tokens, LogForm.symbol("beta") ** 2)
        limits = {row: _limit(scores[row].tolist(), values.tolist()) for row in self.wanted}
        if self.row is not None and self.far is not None:
            return self._missed(self.row, self.far, limits[self.row])
        every = [form for matrix in maps.values() for form in matrix.flat]
        if defined_far_out(every, ["beta"], _RANGES) and all(map(self._is_wanted, self.wanted, limits.values())):
            return self.proved(method="limits of the differences of the scores")
        return self.undecided("the limit of the outputs was not found", "use simpler factors")

    def _is_wanted(self, row: int, limits: list[Limit]) -> bool:
        pairs = list(zip(limits, self.wanted[row], strict=False))
        return bool(pairs) and all(isinstance(x, LogForm) and (x - w).is_zero() for x, w in pairs)

    def _missed(self, row: int, far: Fraction, limits: list[Limit]) -> Verdict:
        unseen = self.undecided("the output may still approach the wanted one", "try another row, or a larger β")
        with balls.precision(_BITS[0]):
            try:
                off, error = self.offs(far)[row].sqrt(), balls.exact(self.error)
            except (FormulaError, OutOfClass):  # it has no value there, which says nothing about larger β
                return unseen
            pairs = zip(limits, self.wanted[row], strict=False)
            gaps = [abs(x.enclosure({}, bits=_BITS[0]) - w) for x, w in pairs if isinstance(x, LogForm)]
            for_good = any(isinstance(x, float) for x in limits) or any(gap > error for gap in gaps)
            return self._off_by(far, row, off) if for_good and off > error else unseen

    def _matrix(self, tree: Node) -> np.ndarray:
        """The map on the span, in the orthonormal vectors u/β: β²·c_ij for c_ij u_i u_jᵀ, and c on the diagonal for c·I."""
        forms.need_degree(tree, _MOST_DEGREE)
        square = LogForm.symbol("beta") ** 2
        entries, identity = forms.matrix_on(tree, self.basis, square, _RANGES)
        rows = [[entries[i, j] * square + (identity if i == j else 0) for j in self.basis] for i in self.basis]
        return np.array(rows, dtype=object)

    def _off_by(self, beta: Fraction, row: int, off: balls.Ball) -> Verdict:
        least = balls.decimal_below(balls.lower(off) or Fraction(0), 4)
        point = {"β": str(beta), "output": f"c_{row + 1}", "off by": f"{least}·β"}
        return self.refuted(counterexample=point, method="the output there in balls")

    def _judged_at(self, beta: Fraction) -> Verdict | None:
        offs = self.offs(beta)
        allowed = balls.exact((self.error * (1 + self.slack)) ** 2)
        for row, square in offs.items():
            if square > allowed:
                return self._off_by(beta, row, square.sqrt())
        if all(square <= allowed for square in offs.values()):
            return self.proved(method="scores and values in balls")
        return None

    def value(self, name: str, beta: Fraction) -> Grid:
        """A map at this β, in orthonormal coordinates, at the precision in force; FormulaError or OutOfClass."""
        d = len(self.basis)
        units = {u: forms.column([beta * (i == j) for i in range(d)]) for j, u in enumerate(self.basis)}
        return matrix_at(self.maps[name], self.given, {**units, "beta": beta}, size=d)

    def offs(self, beta: Fraction) -> dict[int, balls.Ball]:
        """‖c_r - wanted‖²/β² of every row, at the precision in force; FormulaError or OutOfClass."""
        d, maps = len(self.basis), {name: ball_matrix(self.value(name, beta)) for name in _MAPS}
        if maps["V"].shape != (d, d) or maps["Q"].shape != maps["K"].shape or maps["Q"].shape[1] != d:
            raise FormulaError("The maps do not fit the tokens and each other.")
        scores, values = _attended(maps, self.tokens, balls.exact(beta) ** 2)
        outputs = {row: np.array(softmax(scores[row].tolist()), dtype=object) @ values for row in self.wanted}
        less = {row: output - np.array(self.wanted[row], dtype=object) for row, output in outputs.items()}
        return {row: balls.total((x * x).tolist()) for row, x in less.items()}


def _attended(
    maps: Mapping[str, np.ndarray], tokens: Sequence[Sequence[int]], square: Any
) -> tuple[np.ndarray, np.ndarray]:
    """(the scores of every row, the value of every token) for Q, K and V made of forms, or of balls; `square` is β²."""
    queries, keys, values = (maps[name] @ np.array(tokens, dtype=object).T for name in _MAPS)
    return queries.T @ keys * square, values.T


def _limit(scores: Sequence[LogForm], values: Sequence[Sequence[LogForm]]) -> list[Limit]:
    """The limits of the entries of a row's output, in units of u; empty if they are not found."""
    try:
        leaders = _leaders(scores)
        lost = [j for j in range(len(scores)) if j not in leaders]
        if not leaders or not all(_is_lost(scores[min(leaders)] - scores[j], values[j]) for j in lost):
            return []
        weights = [forms.exp(gap, _RANGES) for gap in leaders.values()]
        whole, outputs = sum(weights, LogForm.number(0)), list[Limit]()
        for entries in zip(*(values[j] for j in leaders), strict=True):
            ends = [_tends(entry) for entry in entries]
            parts = [x * weight for x, weight in zip(ends, weights, strict=True) if isinstance(x, LogForm)]
            if len(parts) == len(ends):
                outputs.append(sum(parts, LogForm.number(0)) / whole)
            else:  # a single leader with an unbounded value makes the output unbounded
                outputs.append(ends[0] if len(ends) == 1 else None)
        return outputs
    except (FormulaError, *NO_FORM):
        return []


def _leaders(scores: Sequence[LogForm]) -> dict[int, LogForm]:
    """{token: limit of its score minus that of the first leader} for the tokens that keep weight; {} if not found."""
    limits = [[_tends(a - b) for b in scores] for a in scores]
    if any(limit is None for line in limits for limit in line):
        return {}
    ahead = [j for j, line in enumerate(limits) if -math.inf not in [x for x in line if isinstance(x, float)]]
    leaders = {j: limit for j in ahead if isinstance(limit := limits[j][ahead[0]], LogForm)}
    return leaders if len(leaders) == len(ahead) else {}


def _is_lost(lead: LogForm, values: Sequence[LogForm]) -> bool:
    """True only when the weight of a token that is so far behind tends to 0 faster than its value may grow."""
    for value in values:
        if isinstance(_tends(value), LogForm):
            continue
        size = value if forms.eventual_sign(value, "beta", _RANGES) == 1 else -value
        if _tends(lead - forms.log(size)) != math.inf:
            return False
    return True


def _tends(form: LogForm) -> Limit:
    return tends(form, ["beta"], _RANGES)
