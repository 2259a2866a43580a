"""Claim: no query, of any length and at any scale, brings the weights within an error of the goal.

Total variation at most e leaves every target i at least w_i - e of weight. When e < w_i, with s_j = k_j·q this says

    lse_{j≠i} (s_j - s_i) <= c_i = ln((1 - w_i + e) / (w_i - e)).                            (lse: log-sum-exp)

By Gibbs' inequality lse(x) >= H(p) + p·x for every distribution p, H its entropy. Take rationals N_ij > 0 for some targets i and
some keys j ≠ i, λ_i = Σ_j N_ij, p_i = N_i· / λ_i, and add these inequalities with weights λ_i: when

    Σ_ij N_ij (k_j - k_i) = 0   exactly,   and   Σ_i λ_i (H(p_i) - c_i) > 0,

the scores drop out, and no query meets all of them. The rationals are the witness. The first condition is checked in
integers, the second in balls. For Copy, p_i holds the convex weights of a key inside the hull of the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from headwright import arrays, balls, budget
from headwright.goals import Goal
from headwright.number_types import as_stored, need_stored
from headwright.proofs.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim
from headwright.proofs.parts import written_as
from headwright.proofs.within_error import checked_error
from headwright.verdict import Proved, Verdict

_BITS = (64, 128, 256, 512, 1024)
_HALVINGS = 60
_NUMBER = re.compile(r"([0-9a-f]+)(?:/([0-9a-f]+))?")  # base 16: Python reads it at any length, in linear time


Pairs = tuple[tuple[int, int, Fraction], ...]  # a target, another key, a positive number


@final
@dataclass(frozen=True, eq=False)
class OutOfReach(Claim):
    """Total variation of the weights of any one query from `goal` > `error`; `witness` holds triples (i, j, N_ij)."""

    keys: np.ndarray
    goal: Goal
    error: Fraction
    witness: Pairs
    precision: str | None = None  # the number type that the keys are stored in, where it is narrower than float64
    kind: ClassVar[str] = "out-of-reach"

    def __post_init__(self) -> None:
        self.settle(keys="nd")
        need_stored(self.keys, self.precision, name="keys")
        self.goal.check(len(self.keys))
        checked_error(self.error)
        targets = set(self.goal.indices)
        seen: set[tuple[int, int]] = set()
        for i, j, number in self.witness:
            if i not in targets or not 0 <= j < len(self.keys) or i == j:
                raise ValueError(f"`witness` must pair a target with another key, got {i} with {j}")
            if (i, j) in seen:  # a key counted as two would gain entropy from nothing
                raise ValueError(f"`witness` holds the pair {i}, {j} more than once")
            if number <= 0:
                raise ValueError(f"`witness` must hold positive numbers, got {arrays.show(number)} for {i}, {j}")
            seen.add((i, j))

    def sentence(self) -> str:
        asked = f"within total variation {arrays.show(self.error)} of {self.goal}"
        return f"no query brings the weights over {len(self.keys)} keys{as_stored(self.precision)} {asked}"

    def judge(self) -> Verdict:
        rows = self._rows()
        share = self._shares()
        slack = [i for i in rows if share[i] <= self.error]
        if slack:
            reason = f"key {slack[0]} may lose all of its share {arrays.show(share[slack[0]])} within the error"
            return self.undecided(reason, "ask for an error below the share of every target in the witness")
        if not rows or not self._cancels(rows):
            return self.undecided(
                "the witness does not cancel: Σ N_ij (k_j - k_i) is not exactly 0", "find another witness"
            )
        whole = sum(number for row in rows.values() for number in row.values())
        for bits in _BITS:
            with balls.precision(bits):
                parts = {i: _part(row, whole) for i, row in rows.items()}
                if self._excess(parts, self.error) > 0:
                    return self._proved(self._refuted_up_to(rows, parts), bits)
                if self._excess(parts, self.error) <= 0:
                    return self.undecided("the witness proves only smaller errors out of reach", ASK_FURTHER_AWAY)
        return self.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)

    def _shares(self) -> dict[int, Fraction]:
        return dict(zip(self.goal.indices, self.goal.shares, strict=True))

    def _rows(self) -> dict[int, dict[int, int]]:
        """N_ij by target and key, times their common denominator."""
        rows: dict[int, dict[int, int]] = {}
        whole = budget.whole_numbers([number for _, _, number in self.witness])
        for (i, j, _), number in zip(self.witness, whole, strict=True):
            rows.setdefault(i, {})[j] = number
        return rows

    def _cancels(self, rows: dict[int, dict[int, int]]) -> bool:
        """Whether Σ_ij N_ij (k_j - k_i) = 0, each key taken with its coefficient Σ_i N_ij - λ_j."""
        coefficients: dict[int, int] = {}
        for i, row in rows.items():
            for j, number in row.items():
                coefficients[j] = coefficients.get(j, 0) + number
            coefficients[i] = coefficients.get(i, 0) - sum(row.values())
        return balls.sums_to_zero(self.keys[list(coefficients)], list(coefficients.values()))

    def _excess(self, parts: dict[int, tuple[balls.Ball, balls.Ball]], error: Fraction) -> balls.Ball:
        """Σ_i λ_i (H(p_i) - c_i) at this error, for λ of sum 1."""
        share = self._shares()
        budget.spend(1000 * len(share) + len(parts) * balls.function_cost())
        bounds = {i: balls.exact((1 - share[i] + error) / (share[i] - error)).log() for i in parts}
        return balls.total([gain - weight * bounds[i] for i, (weight, gain) in parts.items()])

    def _refuted_up_to(
        self, rows: dict[int, dict[int, int]], parts: dict[int, tuple[balls.Ball, balls.Ball]]
    ) -> Fraction:
        """An error that no query falls below, by the same witness.

        For one target, H > c_i is e < w_i - 1/(1 + e^H), and e^H is the number of keys when their weights are equal. For several
        targets, halving: every error kept has been refuted.
        """
        share = self._shares()
        if len(rows) == 1:
            ((i, row),) = rows.items()
            if len(set(row.values())) == 1:
                return share[i] - Fraction(1, 1 + len(row))
            least = balls.lower(balls.exact(share[i]) - 1 / (1 + parts[i][1].exp()))
            return self.error if least is None else max(least, self.error)
        low, high = self.error, min(share[i] for i in rows)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if self._excess(parts, middle) > 0:
                low = middle
            else:
                high = middle
        return low

    def _proved(self, least: Fraction, bits: int) -> Proved:
        return self.proved(
            bound=balls.float_below(least),
            bound_text=f"every query errs by at least {balls.decimal_below(least)}",
            reason=f"{len(self.witness)} weights on differences of keys that cancel exactly, and Gibbs' inequality",
            method=f"cancellation in integers, entropies in balls of {bits} bits",
        )


def _part(row: dict[int, int], whole: int) -> tuple[balls.Ball, balls.Ball]:
    """Balls (λ, λ H(p)) of one target, all numbers divided by `whole`: λ H(p) = λ ln λ - Σ_j N_j ln N_j."""
    unit = balls.exact(whole)
    budget.spend(len(row) * (balls.function_cost() + whole.bit_length()))
    weight = balls.exact(sum(row.values())) / unit
    terms = [balls.exact(number) / unit for number in row.values()]
    return weight, weight * weight.log() - balls.total([term * term.log() for term in terms])


def _written(number: Fraction) -> str:
    return f"{number.numerator:x}" + (f"/{number.denominator:x}" if number.denominator > 1 else "")


def _read(text: Any) -> Fraction:
    found = _NUMBER.fullmatch(text) if isinstance(text, str) else None
    if found is None or (found[2] is not None and not int(found[2], 16)):
        raise ValueError(f"`witness` must hold fractions in base 16 such as '1f/2', got {str(text)[:60]!r}")
    budget.spend(3 * budget.product(4 * len(found[1]), 4 * len(found[2] or "1")))
    return Fraction(int(found[1], 16), int(found[2] or "1", 16))


def _pairs(given: Any, name: str) -> Pairs:
    return tuple((arrays.index(i, name=name), arrays.index(j, name=name), _read(number)) for i, j, number in given)


written_as("Pairs", lambda pairs: [[i, j, _written(number)] for i, j, number in pairs], _pairs)
