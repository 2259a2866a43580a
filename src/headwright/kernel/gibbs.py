"""The common part of two claims of impossibility: inequalities that no scores satisfy together, by Gibbs' inequality.

A total variation of at most e leaves every target a weight of at least w - e, where w is its share. If e < w, with scores s_j,

    lse_{j≠i} (s_j - s_i) <= c = ln((1 - w + e) / (w - e)).                            (lse: log-sum-exp)

By Gibbs' inequality lse(x) >= H(p) + p·x for every distribution p with entropy H(p). Take rationals N_j > 0 for some of these
inequalities and some keys j ≠ i of each, λ = Σ_j N_j, p = N / λ, and add the inequalities with weights λ. If

    Σ N_j (s_j - s_i) = 0   exactly, whatever the query,   and   Σ λ (H(p) - c) > 0,

the scores cancel, and no query satisfies all of them. The rationals are the witness. The first condition is checked in integers,
the second in balls. If queries have a fixed part, the first sum need not be 0, only the same for every query; it is then added to
the second.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from fractions import Fraction
from functools import partial
from typing import Any

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim
from headwright.kernel.verdict import Verdict

_BITS = (64, 128, 256, 512, 1024)
_NUMBER = re.compile(r"0x([0-9a-f]+)(?:/0x([0-9a-f]+))?")  # base 16: Python reads it at any length, in linear time

Place = tuple[int, ...]  # one inequality: its target, perhaps after the row that it belongs to
Lists = dict[Place, dict[int, int]]  # N_j by inequality and key, times a common denominator
Shares = dict[Place, Fraction]
Parts = dict[Place, tuple[balls.Ball, balls.Ball]]  # λ and λ H(p) by inequality


class ByGibbs(Claim):
    """No query meets `error`; the entries of `witness` are an inequality, another key, and a positive rational."""

    error: Fraction
    witness: tuple[Any, ...]

    @abstractmethod
    def shares(self) -> Shares:
        """The share w of every target."""

    @abstractmethod
    def seen(self, place: Place) -> int:
        """How many keys the inequality is about."""

    @abstractmethod
    def cancels(self, lists: Lists) -> bool:
        """Whether the weighted differences of scores add up to the same number for every query, exactly."""

    def lift(self, lists: Lists) -> Fraction:
        """What they add up to for every query, over Σ λ: 0 where queries have no fixed part."""
        return Fraction(0)

    def facts(self, lists: Lists, parts: Parts, shares: Shares) -> dict[str, Any]:
        """Further fields of the verdict Proved."""
        return {}

    def check_witness(self) -> None:
        """ValueError unless the witness fits the claim."""
        shares = self.shares()
        counted: set[Place] = set()
        for *at, number in self.witness:
            place, j = tuple(at[:-1]), at[-1]
            if place not in shares or not 0 <= j < self.seen(place) or j == place[-1]:
                raise ValueError(f"`witness` must pair a target with another key that is seen, got {at}")
            if (*place, j) in counted:  # counting a key twice would gain entropy from nothing
                raise ValueError(f"`witness` holds {at} more than once")
            if number <= 0:
                raise ValueError(f"`witness` must hold positive numbers, got {inputs.show(number)} for {at}")
            counted.add((*place, j))

    def judge(self) -> Verdict:
        lists, shares = self._lists(), self.shares()
        slack = [place for place in lists if shares[place] <= self.error]
        if slack:
            return self.undecided(
                f"the error allows target {slack[0][-1]} to lose its whole share, {inputs.show(shares[slack[0]])}",
                "ask for an error below the share of every target in the witness",
            )
        if not lists or not self.cancels(lists):
            return self.undecided(
                "the weighted differences of the witness do not add up to exactly 0", "find another witness"
            )
        lift = self.lift(lists)
        for bits in _BITS:
            with balls.precision(bits):
                parts = _parts(lists)
                gain = excess(parts, shares, self.error, lift)
                if gain > 0:
                    return self.proved(
                        reason=f"{len(self.witness)} weights on differences that cancel exactly, and Gibbs' inequality",
                        method=f"cancellation in integers, entropies in balls of {bits} bits",
                        **self.facts(lists, parts, shares),
                    )
                if gain <= 0:
                    return self.undecided("the witness proves only smaller errors impossible", ASK_FURTHER_AWAY)
        return self.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)

    def _lists(self) -> Lists:
        lists: Lists = {}
        whole = budget.whole_numbers([number for *_, number in self.witness])
        for (*place, j, _), number in zip(self.witness, whole, strict=True):
            lists.setdefault(tuple(place), {})[j] = number
        return lists


def excess(parts: Parts, shares: Shares, error: Fraction, lift: Fraction) -> balls.Ball:
    """Σ λ (H(p) - c) + lift at this error, for λ of sum 1."""
    budget.spend(len(parts) * balls.function_cost())
    levels = {place: balls.exact((1 - shares[place] + error) / (shares[place] - error)).log() for place in parts}
    gains = [entropy - weight * levels[place] for place, (weight, entropy) in parts.items()]
    return balls.total(gains) + balls.exact(lift)


def _parts(lists: Lists) -> Parts:
    """Balls (λ, λ H(p)) of every inequality, λ of sum 1: λ H(p) = λ ln λ - Σ_j N_j ln N_j."""
    whole = sum(number for row in lists.values() for number in row.values())
    unit, parts = balls.exact(whole), {}
    for place, row in lists.items():
        budget.spend(len(row) * (balls.function_cost() + whole.bit_length()))
        weight = balls.exact(sum(row.values())) / unit
        terms = [balls.exact(number) / unit for number in row.values()]
        parts[place] = weight, weight * weight.log() - balls.total([term * term.log() for term in terms])
    return parts


def written(number: Fraction) -> str:
    """A rational in base 16, as certificates store a witness."""
    sign = "-" if number < 0 else ""
    return f"{sign}{abs(number.numerator):#x}" + (f"/{number.denominator:#x}" if number.denominator > 1 else "")


def read(text: Any) -> Fraction:
    """What `written` wrote, if it is not negative."""
    match = _NUMBER.fullmatch(text) if isinstance(text, str) else None
    if match is None or (match[2] is not None and not int(match[2], 16)):
        raise ValueError(f"`witness` must hold fractions in base 16 such as '0x1f/0x2', got {str(text)[:60]!r}")
    budget.spend(3 * budget.product(4 * len(match[1]), 4 * len(match[2] or "1")))
    return Fraction(int(match[1], 16), int(match[2] or "1", 16))


def write_entries(entries: tuple[Any, ...]) -> list[Any]:
    return [[*place, written(number)] for *place, number in entries]


def read_entries(places: int, given: Any, name: str) -> tuple[Any, ...]:
    """Entries of `places` indices and a number each."""
    index = partial(inputs.index, name=name)
    entries = tuple((*map(index, place), read(number)) for *place, number in given)
    if any(len(entry) != places + 1 for entry in entries):
        raise ValueError(f"`{name}` must hold {places} indices and a number in every entry")
    return entries
