"""Claim: the weights stay within an error of the goal however each key moves within a region.

Total variation is the largest α(T) - w(T) over sets T of keys, and a set that contains every outsider attains it. If
scores fill a box of half-widths δ_j (see `region`), α(T) is largest when T's scores are at their highest and the others at their
lowest:

    max α(T) = A / (A + B),   A = Σ_{j∈T} a_j,  B = Σ_{j∉T} b_j,   a_j = e_j exp(δ_j),  b_j = e_j exp(-δ_j).

So for one head the worst total variation is exactly a maximum over the subsets of the goal's support, and the vertex is
the counterexample. Among keys with equal shares that move alike only the largest exponentials matter, so an Average of m
keys needs m+1 subsets and a Blend at most 2^m.

If keys with equal shares move differently, let S be any set with given numbers of them from each group. For every c,

    (1-c)A - cB = Σ_{j∈S} g_j + const,   g_j = (1-c)a_j + c b_j,

is largest for the largest g_j of each group, and α(T) - c is this over A + B, which lies between the sums for the empty
and for the full S. A c near the largest α(T) (Dinkelbach's iteration finds it) makes the bound tight, and any c is sound.

Several heads see the same moved keys, so adding their separate extremes is sound but not exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product
from typing import ClassVar, final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim, at_least, at_most
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.kernel.region import Pushed, Region
from headwright.kernel.verdict import Counterexample, Proved, Refuted, Verdict
from headwright.kernel.within_error import WithinError, checked_error, total_variation

_MOST_SUBSETS = 2**20
_MOST_SORTED = 2**20  # subsets times members, where members are sorted anew for every subset
_ROUNDS = 8  # of Dinkelbach's iteration, which converges quadratically


@final
@dataclass(frozen=True, eq=False)
class Withstands(Claim):
    """For all keys moved within `region`, the weights of `heads` are within total variation `error` of `goal`.

    >>> from headwright.kernel.goals import Copy
    >>> heads = Heads(np.eye(2), [[9.0, 0.0]], [1.0], 1)
    >>> Withstands(heads, Copy(0), "0.01", Region(Fraction(1, 10), "box")).prove().status
    'proved'
    """

    heads: Heads
    goal: Goal
    error: Fraction
    region: Region
    kind: ClassVar[str] = "withstands"
    takes_image: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.settle()
        self.goal.check(self.heads.n)
        self.region.check(self.heads.keys)
        checked_error(self.error)

    def sentence(self) -> str:
        return (
            f"the weights of {self.heads.describe()} are within total variation {inputs.show(self.error)} "
            f"of {self.goal}, {self.region.describe()}"
        )

    @property
    def exact(self) -> bool:
        """Whether the worst case is found exactly rather than bounded."""
        return len(self.heads.queries) == 1 and self._few_subsets()

    def _few_subsets(self) -> bool:
        return self._subset_count() <= self._most_subsets()

    def _most_subsets(self) -> int:
        return _MOST_SUBSETS if self._fixed_order() else min(_MOST_SUBSETS, _MOST_SORTED // len(self.goal.indices))

    def judge(self) -> Verdict:
        return self._prove_exactly() if self.exact else self._prove_by_bound()

    def _prove_exactly(self) -> Verdict:
        for tier in self.heads.climb():
            with balls.precision(tier.bits):
                error = balls.exact(self.error)
                worst, harmless, broken = balls.exact(0), True, None
                for value, up in self._subset_values(tier, self._pushed(tier)):
                    worst = worst.max(value)
                    if not value <= error:
                        harmless = False
                        if value > error and (broken is None or value > broken[0]):
                            broken = value, up
                if harmless:
                    return self._proved(worst, f"{tier.method}; exact: every extreme vertex")
                if broken is not None:
                    least = balls.lower_end(broken[0], least=self.error)
                    return self._refuted_at_vertex(least, broken[1], tier)
        return self.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)

    def _prove_by_bound(self) -> Verdict:
        most: Fraction | None = None
        for tier in self.heads.climb():
            with balls.precision(tier.bits):
                bound = self._bound(tier)
                if bound <= balls.exact(self.error):
                    return self._proved(bound, f"{tier.method}; a sound bound, not exact: {self._why_bound()}")
                most = balls.upper(bound)
                if bound > balls.exact(self.error):
                    break
        for moved in self._candidates():
            judged = WithinError(self.heads.replace_keys(moved), self.goal, self.error).prove()
            if isinstance(judged, Refuted):
                facts = {"bound": judged.bound, "bound_text": judged.bound_text, "method": judged.method}
                return self.refuted(counterexample={"keys": moved}, **facts)
        reached = "" if most is None else f" ({balls.decimal_above(most)})"
        return self.undecided(
            f"the sound bound{reached} exceeds the error, and no moved keys that break the claim were found",
            "ask for a larger error or a smaller radius, or certify each head by itself",
        )

    def _why_bound(self) -> str:
        return "heads taken one by one" if len(self.heads.queries) > 1 else f"more than {self._most_subsets()} subsets"

    def _fixed_order(self) -> bool:
        """Whether the order of the members within a group is known beforehand: that of their exponentials."""
        return self.region.alike or len(self.heads.queries) > 1 or all(len(group) == 1 for group in self._groups())

    def _groups(self) -> list[list[int]]:
        """Positions in the support, grouped by equal shares; with several heads every key is its own group."""
        order = sorted(range(len(self.goal.indices)), key=lambda i: self.goal.shares[i])
        if len(self.heads.queries) > 1:
            return [[i] for i in order]
        return [list(run) for _, run in groupby(order, key=lambda i: self.goal.shares[i])]

    def _subset_count(self) -> int:
        return math.prod(len(group) + 1 for group in self._groups())

    def _pushed(self, tier: balls.Tier) -> list[Pushed]:
        """Each head with its scores at either end of their boxes."""
        return [
            Pushed(row, self.region, query, self.heads.scale, tier.bits)
            for row, query in zip(tier.exponentials, self.heads.points, strict=True)
        ]

    def _subset_values(self, tier: balls.Tier, heads: list[Pushed]) -> Iterator[tuple[balls.Ball, int]]:
        """(ball of Σ_h π_h max α_h(T) - w(T), the support's part of T as bits) for every set T that can be worst.

        Within a group the k largest are chosen by the upper ends u_i of their balls, and each ball is widened to contain its
        u_i. The largest sum of k members is at least that of the chosen ones and at most the sum of their u_i, so the ball of the
        chosen sum contains the largest. The formula uses only A and A + B, which is the sum for no member, plus a - b for each.
        """
        if not self._fixed_order():
            yield from self._sorted_values(heads[0])
            return
        rows = tier.exponentials
        outside = [head.raised_total(without=self.goal.indices) for head in heads]
        wide = [[row[key].union(row[key].upper()) for row in rows] for key in self.goal.indices]
        groups = [sorted(group, key=lambda i: wide[i][0].upper(), reverse=True) for group in self._groups()]
        members, lowest = [], list(outside)
        for i, key in enumerate(self.goal.indices):
            budget.spend(6 * len(heads) * balls.unit_cost())
            ends = [head.ends(key, e) for head, e in zip(heads, wide[i], strict=True)]
            members.append([(up, up - down) for up, down in ends])
            lowest = [low + head.ends(key)[1] for low, head in zip(lowest, heads, strict=True)]
        everything = (1 << len(members)) - 1
        half = len(groups) // 2
        second = self._choices(groups[half:], members)
        shares = [balls.exact(pi) for pi in self.heads.shares]
        for first_sums, first_share, first_bits in self._choices(groups[:half], members):
            base = [(o + up, low + more) for o, low, (up, more) in zip(outside, lowest, first_sums, strict=True)]
            for sums, share, bits in second:
                budget.spend(1000 + (8 * len(base) + 4) * balls.unit_cost())
                if first_bits | bits == everything:  # α(all) - w(all) = 0 never exceeds the error
                    continue
                reached = -first_share - share
                for pi, (up, low), (more, wider) in zip(shares, base, sums, strict=True):
                    reached = reached + pi * ((up + more) / (low + wider))
                yield reached, first_bits | bits

    def _choices(
        self, groups: list[list[int]], members: list[list[tuple[balls.Ball, balls.Ball]]]
    ) -> list[tuple[list[tuple[balls.Ball, balls.Ball]], balls.Ball, int]]:
        """Every way to take the first few of each group: (sums of a and of a - b by head, goal share, bits)."""
        nothing = balls.exact(0)
        taken = [([(nothing, nothing)] * len(self.heads.queries), nothing, 0)]
        for group in groups:
            for sums, share, bits in tuple(taken):
                for i in group:
                    budget.spend(2000 + 2 * len(sums) * balls.unit_cost())
                    budget.hold(200 + 200 * len(sums) + len(members) // 8)  # `bits` has one for every member
                    sums = [(a + up, b + more) for (a, b), (up, more) in zip(sums, members[i], strict=True)]
                    share, bits = share + balls.exact(self.goal.shares[i]), bits | 1 << i
                    taken.append((sums, share, bits))
        return taken

    def _sorted_values(self, head: Pushed) -> Iterator[tuple[balls.Ball, int]]:
        """The same for one head whose keys move differently: the largest g_j of each group, sorted anew for every subset."""
        outside = head.raised_total(without=self.goal.indices)
        ends = [head.ends(key) for key in self.goal.indices]
        budget.spend(3 * len(ends) * balls.unit_cost())
        lowest = outside + balls.total([down for _, down in ends])
        highest = outside + balls.total([up for up, _ in ends])
        groups = self._groups()
        for counts in product(*(range(len(group) + 1) for group in groups)):
            if sum(counts) == len(ends):
                continue
            wanted = balls.exact(
                sum(
                    (count * self.goal.shares[group[0]] for count, group in zip(counts, groups, strict=True)),
                    Fraction(0),
                )
            )
            c = (outside / lowest).mid()
            for _ in range(_ROUNDS):
                budget.spend(5000 + 12 * len(ends) * (100 + balls.unit_cost()))
                budget.hold(100 * len(ends))
                g = [up + c * (down - up) for up, down in ends]
                chosen = []
                for count, group in zip(counts, groups, strict=True):
                    chosen += sorted(group, key=lambda i: g[i].upper(), reverse=True)[:count]
                most = balls.total([g[i].upper() for i in chosen])
                raised = outside + balls.total([ends[i][0] for i in chosen])
                reached = raised / (lowest + balls.total([ends[i][0] - ends[i][1] for i in chosen]))
                over = most + outside - c * lowest  # at least (1-c)A - cB for every set with these counts
                bound = c + over / (lowest if over.upper() > 0 else highest)
                if reached.overlaps(c):
                    break
                c = reached.mid()
            yield reached.union(bound) - wanted, sum(1 << i for i in chosen)

    def _bound(self, tier: balls.Tier) -> balls.Ball:
        """An upper bound of the worst total variation, as a ball."""
        heads = self._pushed(tier)
        # every score of head h moves by at most δ_h, so its weights move by at most tanh(δ_h/2) in total variation
        a, b = total_variation(self.heads.numerators(tier), self.goal)
        moves = [head.widest() for head in heads]
        drift = balls.total([balls.exact(pi) * (m / 2).tanh() for pi, m in zip(self.heads.shares, moves, strict=True)])
        simple = a / b + drift
        if not self._few_subsets():
            return simple
        worst = balls.exact(0)
        for value, _ in self._subset_values(tier, heads):
            worst = worst.max(value)
        return worst.min(simple)

    def _candidates(self) -> Iterator[np.ndarray]:
        """Keys that may break the claim: unmoved; outsiders towards a head (or their mean), the support away from it."""
        yield self.heads.keys
        queries = self.heads.ways
        ways = [*queries, self.heads.mix @ queries] if len(queries) > 1 else list(queries)
        signs = np.ones(self.heads.n)
        signs[list(self.goal.indices)] = -1
        patterns = [signs]
        for i in self.goal.indices[:20]:
            pattern = signs.copy()
            pattern[i] = 1
            patterns.append(pattern)
        for pattern in patterns:
            for way in ways:
                moved = self.region.moved(self.heads.keys, pattern[:, None] * self.region.direction(way))
                if moved is not None:
                    yield moved

    def _proved(self, worst: balls.Ball, method: str) -> Proved:
        bound = max(balls.upper_end(worst, most=self.error), Fraction(0))
        return self.proved(**at_most("worst total variation", bound), method=method)

    def _refuted_at_vertex(self, least: Fraction, up: int, tier: balls.Tier) -> Refuted:
        """The vertex is exact; float64 keys near it are added when they break the claim by themselves."""
        query = self.heads.ways[0]
        signs = np.ones(self.heads.n, dtype=np.int8)
        signs[[key for i, key in enumerate(self.goal.indices) if not up >> i & 1]] = -1
        point: Counterexample = {"vertex": f"key_j + signs_j · {self.region.move()}", "signs": signs}
        stored = self.region.moved(self.heads.keys, signs[:, None] * self.region.direction(query))
        if stored is not None:
            judged = WithinError(self.heads.replace_keys(stored), self.goal, self.error).prove()
            if isinstance(judged, Refuted):
                point = {**point, "keys": stored}
        how = f"{tier.method}; exact: the extreme vertex"
        return self.refuted(**at_least("worst total variation", least), counterexample=point, method=how)
