"""The limit of one row of a layer as β grows: which tokens keep weight, what their values tend to, and whether that is wanted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import final

from headwright import balls, forms
from headwright.forms import FormulaError, LogForm, Range
from headwright.proofs.families.family import NO_FORM
from headwright.proofs.families.limits import Limit, tends

RANGES = {"beta": Range(1)}
_BITS = 256
Whole = tuple[tuple[int, ...], ...]


@final
class Row:
    """One row of the layer: the scores of its tokens and their values, as forms in β."""

    def __init__(
        self, tokens: Whole, wanted: tuple[int, ...], maps: Mapping[str, list[list[LogForm]]], row: int
    ) -> None:
        self.row, self.wanted = row, wanted
        square = LogForm.symbol("beta") * LogForm.symbol("beta")
        asked = _applied(maps["Q"], tokens[row])
        keys = [_applied(maps["K"], token) for token in tokens]
        self.scores = [_sum([x * y for x, y in zip(asked, key, strict=True)]) * square for key in keys]
        self.values = [_applied(maps["V"], token) for token in tokens]

    def leaders(self) -> dict[int, LogForm] | None:
        """{token: limit of its score less that of the first leader} for the tokens that keep weight; None where not found."""
        limits = [[_tends(a - b) for b in self.scores] for a in self.scores]
        if any(limit is None for line in limits for limit in line):
            return None
        ahead = [j for j, line in enumerate(limits) if -math.inf not in [x for x in line if isinstance(x, float)]]
        found = {j: limits[j][ahead[0]] for j in ahead} if ahead else {}
        kept = {j: limit for j, limit in found.items() if isinstance(limit, LogForm)}
        return kept if kept and len(kept) == len(found) else None

    def limit(self) -> list[LogForm] | None:
        """The output's limit in units of u, None where it is not found or a value outgrows the loss of its weight."""
        leaders = self.leaders()
        if leaders is None or not self._others_lost(leaders):
            return None
        weights = {j: forms.exp(gap, RANGES) for j, gap in leaders.items()}
        whole = _sum(list(weights.values()))
        found = []
        for i in range(len(self.wanted)):
            parts = [(_tends(self.values[j][i]), weight) for j, weight in weights.items()]
            if not all(isinstance(value, LogForm) for value, _ in parts):
                return None
            found.append(_sum([value * weight for value, weight in parts if isinstance(value, LogForm)]) / whole)
        return found

    def grows(self) -> bool:
        """True only when the output certainly leaves every bound: one token takes all weight, and its value does."""
        leaders = self.leaders()
        if leaders is None or len(leaders) > 1 or not self._others_lost(leaders):
            return False
        return any(isinstance(_tends(value), float) for value in self.values[min(leaders)])

    def _others_lost(self, leaders: Mapping[int, LogForm]) -> bool:
        return all(self._lost(j, min(leaders)) for j in range(len(self.scores)) if j not in leaders)

    def _lost(self, token: int, leader: int) -> bool:
        """True only when weight times value of this token tends to 0."""
        lead = self.scores[leader] - self.scores[token]
        for value in self.values[token]:
            if isinstance(_tends(value), LogForm):
                continue
            size = value if forms.eventual_sign(value, "beta", RANGES) == 1 else -value
            if _tends(lead - forms.log(size)) != math.inf:
                return False
        return True

    def tends_to_wanted(self) -> bool:
        try:
            found = self.limit()
        except (FormulaError, *NO_FORM):
            return False
        return found is not None and all((form - w).is_zero() for form, w in zip(found, self.wanted, strict=True))

    def stays_off(self, error: Fraction) -> bool:
        """True only when the limit of the output misses the error, or leaves every bound."""
        try:
            limit = self.limit()
            if limit is None:
                return self.grows()
        except (FormulaError, *NO_FORM):
            return False
        with balls.precision(_BITS):
            gaps = [form.enclosure({}, bits=_BITS) - w for form, w in zip(limit, self.wanted, strict=True)]
            return any(bool(abs(gap) > balls.exact(error)) for gap in gaps)

    def off(self, beta: Fraction) -> balls.Ball | None:
        """A ball around the distance of the output from the wanted one, over β; None where it is not finite."""
        with balls.precision(_BITS):
            scores = [form.enclosure({"beta": beta}, bits=_BITS) for form in self.scores]
            values = [[form.enclosure({"beta": beta}, bits=_BITS) for form in value] for value in self.values]
            found = balls.total([x * x for x in output_less(scores, values, self.wanted)]).sqrt()
        return found if found.is_finite() else None


def output_less(scores: list[balls.Ball], values: list[list[balls.Ball]], wanted: tuple[int, ...]) -> list[balls.Ball]:
    """Σ_j α_j v_j - wanted, entry by entry."""
    top = max(scores, key=lambda score: float(score.mid()))
    powers = [(score - top).exp() for score in scores]
    whole = balls.total(powers)
    mean = [balls.total([p * v[i] for p, v in zip(powers, values, strict=True)]) / whole for i in range(len(wanted))]
    return [x - w for x, w in zip(mean, wanted, strict=True)]


def _applied(matrix: list[list[LogForm]], token: tuple[int, ...]) -> list[LogForm]:
    return [_sum([entry * x for entry, x in zip(row, token, strict=True)]) for row in matrix]


def _sum(parts: list[LogForm]) -> LogForm:
    total = LogForm.number(0)
    for part in parts:
        total = total + part
    return total


def _tends(form: LogForm) -> Limit:
    return tends(form, ["beta"], RANGES)
