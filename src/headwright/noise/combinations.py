"""Scores under every combination of a finite law's factors: exact rationals once, then exponentials at any precision.

A key with one factor only stays, with its scores scaled; the keys with two factors or more move.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import final

from headwright import balls
from headwright.goals import Goal
from headwright.inputs import need_gradual_underflow
from headwright.proofs import Heads
from headwright.scaled_keys import ScaledKeys

Balls = list[balls.Ball]
Combination = tuple[int, ...]  # for every moving key, which of its factors


@final
class EnumeratedScores:
    """moving keys, how many factors each has (`shape`), and the exact scores of all keys under all factors."""

    def __init__(self, model: ScaledKeys, heads: Heads) -> None:
        need_gradual_underflow()
        self.heads = heads
        self.moving = tuple(j for j, law in model.laws.items() if len(law) > 1)
        self.shape = tuple(len(model.laws[j]) for j in self.moving)
        self.count = math.prod(self.shape)
        self.chances = [list(model.laws[j].values()) for j in self.moving]
        self._factors = [list(model.laws[j]) for j in self.moving]
        self._lone = {j: next(iter(law)) for j, law in model.laws.items() if len(law) == 1}
        self._scores = [balls.exact_scores(heads.keys, query) for query in heads.queries]

    def probability(self, combination: Combination) -> Fraction:
        return math.prod((p[c] for p, c in zip(self.chances, combination, strict=True)), start=Fraction(1))

    def table(self) -> ScoreTable:
        """Exponentials at the present precision, those of a head relative to its largest score of all."""
        stay, move = [], []
        for numerators, exponent in self._scores:
            unit = balls.exact(self.heads.scale * Fraction(2) ** exponent)
            moved = [[_whole(c * numerators[j]) for c in f] for j, f in zip(self.moving, self._factors, strict=True)]
            own = [_whole(self._lone[j] * x) if j in self._lone else x for j, x in enumerate(numerators)]
            kept = {x for j, x in enumerate(own) if j not in self.moving}
            every = kept | {x for row in moved for x in row}
            top = max(every)
            known = {x: (balls.exact(x - top) * unit).exp() for x in every}
            stay.append([balls.exact(0) if j in self.moving else known[x] for j, x in enumerate(own)])
            move.append([[known[x] for x in row] for row in moved])
        return ScoreTable(self, stay, move)


def _whole(score: Fraction) -> Fraction | int:
    """An integer where it is one: quicker to work with."""
    return score.numerator if score.denominator == 1 else score


@final
class ScoreTable:
    """stay[h][j]: exponentials of the keys that stay (0 for the others); move[h][k][c]: of moving key k under factor c."""

    def __init__(self, scores: EnumeratedScores, stay: list[Balls], move: list[list[Balls]]) -> None:
        self._scores, self.stay, self.move = scores, stay, move
        self.shares = [balls.exact(share) for share in scores.heads.shares]
        self.sums = [balls.total(row) for row in stay]
        self._outside: list[balls.Ball] | None = None

    def ratios(self) -> list[Balls]:
        """r_hj = e_hj / R_h (0 for the moving keys, and where none stays)."""
        lone = len(self._scores.moving) == len(self.stay[0])
        return [row if lone else [e / whole for e in row] for row, whole in zip(self.stay, self.sums, strict=True)]

    def weights(self, combination: Combination) -> tuple[Balls, list[Balls]]:
        """(u_h, w_hk) of one combination."""
        u, w = [], []
        for whole, choices in zip(self.sums, self.move, strict=True):
            moved = [row[c] for row, c in zip(choices, combination, strict=True)]
            inverse = 1 / (whole + balls.total(moved))
            u.append(whole * inverse)
            w.append([e * inverse for e in moved])
        return u, w

    def variation(self, goal: Goal, u: Balls, w: list[Balls]) -> balls.Ball:
        """Total variation: the weight outside the goal and what its own keys have too much."""
        outside, inside = self.goal_parts(goal)
        places = {k: place for place, k in enumerate(self._scores.moving)}
        strays = [place for k, place in places.items() if k not in goal.indices]
        parts = [
            share * (out * x + balls.total([row[place] for place in strays]))
            for share, out, x, row in zip(self.shares, outside, u, w, strict=True)
        ]
        if len(goal.indices) > 1:  # [α - 1]₊ = 0
            for i, wanted, own in zip(goal.indices, goal.shares, inside, strict=True):
                heads = range(len(u))
                weight = [self.shares[h] * (w[h][places[i]] if i in places else own[h] * u[h]) for h in heads]
                parts.append((balls.total(weight) - balls.exact(wanted)).max(0))
        return balls.total(parts)

    def goal_parts(self, goal: Goal) -> tuple[Balls, list[Balls]]:
        """Of u_h, the part outside the goal, and the part r_hi of each goal key (0 for moving ones)."""
        if self._outside is None:
            ratios, members = self.ratios(), set(goal.indices)
            self._outside = [balls.total([r for j, r in enumerate(row) if j not in members]) for row in ratios]
            self._inside = [[row[i] for row in ratios] for i in goal.indices]
        return self._outside, self._inside
