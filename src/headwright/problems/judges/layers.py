"""B.3e-ii: maps Q, K, V as formulas in u_a … u_d, judged as β, the length of these vectors, grows; arrays at β = 5/2.

In units of the u the tokens are the rows of X = (b + d, a, b + c), every map is a 4×4 matrix of forms in β, and row r scores
s_rj = β² x_rᵀQᵀK x_j. As β grows the tokens that no other leaves behind without bound keep the weight; the claim holds just when
Σ_j α_rj V x_j tends to the wanted output, with u as the unit. A token that loses its weight must lose it faster than V x_j may
grow.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from headwright import arrays, balls, formulas
from headwright.formulas import Formula, FormulaError, LogForm, Range
from headwright.problems.judges.layer_numbers import CLAIM, OUTPUTS, WANTED, judge_layer_numbers
from headwright.problems.judges.limits import Limit, defined_far_out, tends
from headwright.problems.judges.members import Members
from headwright.problems.judges.scores import NO_FORM, need_small
from headwright.problems.problem import Problem
from headwright.problems.settings import Setting
from headwright.problems.showing import ERROR
from headwright.problems.token_example import tokens
from headwright.verdict import Proved, Refuted, Undecided, Verdict

_BASIS = ("u_a", "u_b", "u_c", "u_d")
_RANGES = {"beta": Range(1)}
_TOKENS = tokens(1.0).astype(int).tolist()
_BITS = 256
_FAR = tuple(Fraction(10) ** k for k in (1, 2, 3, 6))
Matrix = list[list[LogForm]]


def judge_layer(problem: Problem, given: Mapping[str, str | np.ndarray], members: Members) -> Verdict:
    """The verdict on {"Q": …, "K": …, "V": …}."""
    read = {name: formulas.parse(text, names=problem.names) for name, text in given.items() if isinstance(text, str)}
    setting = members.setting(problem.id)
    numbers = {name: _array(name, read.get(name, given[name]), setting) for name in given}
    if len(read) < len(given):
        return judge_layer_numbers(numbers, setting)
    try:
        maps = {name: _matrix(formula) for name, formula in read.items()}
        return _judge_forms(maps, ERROR if members.error is None else members.error)
    except NO_FORM as beyond:
        found = judge_layer_numbers(numbers, setting)
        return Undecided(
            CLAIM,
            scope="all large β",
            reason=f"The formulas are beyond what can be proved for all large β: {beyond}.",
            next_step="use sums of products u_i*u_j' with factors in beta",
            evidence={f"β = {setting.names['beta']}": found.status},
        )


def _array(name: str, value: Any, setting: Setting) -> np.ndarray:
    if isinstance(value, Formula):
        value = formulas.evaluate(value, setting.names, size=4)
    found = np.asarray(value, dtype=np.float64)
    if found.ndim != 2:
        kind = "a number" if found.ndim == 0 else "a vector"
        raise ValueError(f"`{name}` must be a matrix, such as a sum of products u_i*u_j', got {kind}")
    return found


def _matrix(formula: Formula) -> Matrix:
    """The map on the span, in the orthonormal vectors u/β: β²·c_ij for c_ij u_i u_jᵀ, and c on the diagonal for c·I."""
    need_small(formula.root)
    square = LogForm.symbol("beta") * LogForm.symbol("beta")
    entries, identity = formulas.outer_form(formula, basis=_BASIS, gram=square, region=_RANGES)
    return [[entries[i, j] * square + (identity if i == j else 0) for j in _BASIS] for i in _BASIS]


def _judge_forms(maps: dict[str, Matrix], error: Fraction) -> Verdict:
    forms = [form for matrix in maps.values() for row in matrix for form in row]
    rows = {row: _Row(maps, row) for row in WANTED}
    scope = "all orthogonal u_a, u_b, u_c, u_d of one length β, every error, from a value of β on"
    if defined_far_out(forms, ["beta"], _RANGES) and all(row.tends_to_wanted() for row in rows.values()):
        return Proved(
            CLAIM,
            scope=scope,
            reason=f"As β grows, both outputs tend to the wanted ones, measured in β. {_threshold(rows, error)}",
            method="limits of the differences of the scores",
        )
    for number, row in rows.items():
        found = _wrong(row)
        if found is not None:
            beta, off, where = found
            return Refuted(
                CLAIM,
                scope=scope,
                counterexample={"β": str(beta), "output": OUTPUTS[number], "off by": f"{off:.4g}·β"},
                reason=f"At β = {beta} the output {OUTPUTS[number]} is {where}, off by {off:.4g}·β. A larger β brings it no "
                "nearer.",
                method="the limit of the output, and the output there in balls",
            )
    return Undecided(CLAIM, scope=scope, reason="the limit of the outputs was not found", next_step="simpler factors")


class _Row:
    """One row of the layer: the scores of its tokens and their values, as forms in β."""

    def __init__(self, maps: dict[str, Matrix], row: int) -> None:
        self.wanted = WANTED[row]
        square = LogForm.symbol("beta") * LogForm.symbol("beta")
        asked = _applied(maps["Q"], _TOKENS[row])
        keys = [_applied(maps["K"], token) for token in _TOKENS]
        self.scores = [_dot(asked, key) * square for key in keys]
        self.values = [_applied(maps["V"], token) for token in _TOKENS]

    def leaders(self) -> dict[int, LogForm] | None:
        """{token: limit of its score less that of the first leader} for the tokens that keep weight; None where not found."""
        limits = [[_tends(a - b) for b in self.scores] for a in self.scores]
        if any(limit is None for line in limits for limit in line):
            return None
        ahead = [j for j, line in enumerate(limits) if -math.inf not in [x for x in line if isinstance(x, float)]]
        found = {j: limits[j][ahead[0]] for j in ahead} if ahead else {}
        return {j: limit for j, limit in found.items() if isinstance(limit, LogForm)} or None

    def limit(self) -> list[LogForm] | None:
        """The output's limit in units of u, None where it is not found or a value outgrows the loss of its weight."""
        leaders = self.leaders()
        if leaders is None or not all(self._lost(j, min(leaders)) for j in range(3) if j not in leaders):
            return None
        weights = {j: formulas.exp(gap) for j, gap in leaders.items()}
        whole = _sum(list(weights.values()))
        found = []
        for i in range(4):
            parts = [(_tends(self.values[j][i]), weight) for j, weight in weights.items()]
            if not all(isinstance(value, LogForm) for value, _ in parts):
                return None
            found.append(_sum([value * weight for value, weight in parts if isinstance(value, LogForm)]) / whole)
        return found

    def grows(self) -> bool:
        """True only when the output certainly leaves every bound: one token takes all weight, and its value does."""
        leaders = self.leaders()
        if (
            leaders is None
            or len(leaders) > 1
            or not all(self._lost(j, min(leaders)) for j in range(3) if j not in leaders)
        ):
            return False
        return any(isinstance(_tends(value), float) for value in self.values[min(leaders)])

    def _lost(self, token: int, leader: int) -> bool:
        """True only when weight times value of this token tends to 0."""
        lead = self.scores[leader] - self.scores[token]
        for value in self.values[token]:
            if isinstance(_tends(value), LogForm):
                continue
            size = value if formulas.eventual_sign(value, "beta", _RANGES) == 1 else -value
            if _tends(lead - formulas.log(size)) != math.inf:
                return False
        return True

    def tends_to_wanted(self) -> bool:
        try:
            found = self.limit()
        except (FormulaError, *NO_FORM):
            return False
        return found is not None and all((form - w).is_zero() for form, w in zip(found, self.wanted, strict=True))

    def at(self, beta: Fraction) -> list[balls.Ball] | None:
        """Balls around the output at one β, in units of u."""
        values = {"beta": beta}
        scores = [form.enclosure(values, bits=_BITS) for form in self.scores]
        with balls.precision(_BITS):
            powers = [(score - max(scores, key=lambda s: float(s.mid()))).exp() for score in scores]
            whole = balls.total(powers)
        found = []
        for i in range(4):
            parts = [self.values[j][i].enclosure(values, bits=_BITS) for j in range(3)]
            with balls.precision(_BITS):
                found.append(balls.total([p * v for p, v in zip(powers, parts, strict=True)]) / whole)
        return found if all(ball.is_finite() for ball in found) else None

    def off(self, beta: Fraction) -> balls.Ball | None:
        """A ball around the distance of the output from the wanted one, over β."""
        found = self.at(beta)
        if found is None:
            return None
        with balls.precision(_BITS):
            return balls.total([(ball - w) ** 2 for ball, w in zip(found, self.wanted, strict=True)]).sqrt()


def _applied(matrix: Matrix, token: list[int]) -> list[LogForm]:
    return [_sum([entry * x for entry, x in zip(row, token, strict=True) if x]) for row in matrix]


def _dot(a: list[LogForm], b: list[LogForm]) -> LogForm:
    return _sum([x * y for x, y in zip(a, b, strict=True)])


def _sum(parts: list[LogForm]) -> LogForm:
    total = LogForm.number(0)
    for part in parts:
        total = total + part
    return total


def _tends(form: LogForm) -> Limit:
    return tends(form, ["beta"], _RANGES)


def _wrong(row: _Row) -> tuple[Fraction, float, str] | None:
    """(β, how far the output is off there, the output in words) where its limit is certainly not the wanted one."""
    try:
        limit = row.limit()
    except (FormulaError, *NO_FORM):
        return None
    least = ERROR if limit is None and row.grows() else Fraction(0)
    if limit is not None:
        with balls.precision(_BITS):
            gaps = [form.enclosure({}, bits=_BITS) - w for form, w in zip(limit, row.wanted, strict=True)]
            known = [low for low in (balls.lower(abs(gap)) for gap in gaps) if low is not None and low > 0]
        least = min(ERROR, max(known, default=Fraction(0)) / 2)
    for beta in _FAR if least else ():
        off, there = row.off(beta), row.at(beta)
        if off is not None and there is not None and off > balls.exact(least):
            words = " + ".join(f"{float(ball.mid()):.3g}·{name}" for ball, name in zip(there, _BASIS, strict=True))
            return beta, float(off.mid()), words
    return None


def _threshold(rows: dict[int, _Row], error: Fraction) -> str:
    """A β at which the error is certainly met, the least that bisection finds."""

    def met(beta: Fraction) -> bool:
        offs = [row.off(beta) for row in rows.values()]
        return all(off is not None and off <= balls.exact(error) for off in offs)

    low, high = Fraction(0), Fraction(1)
    while not met(high):
        low, high = high, 2 * high
        if high > 2**20:
            return ""
    while high - low > Fraction(1, 10**5):
        middle = (low + high) / 2
        low, high = (low, middle) if met(middle) else (middle, high)
    return f"They are within {arrays.show(error)}·β at β = {balls.decimal_above(high, 5)}."
