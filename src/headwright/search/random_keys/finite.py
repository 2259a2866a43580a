"""The outcome over a finite law of keys, by enumeration: every combination of factors is one set of keys, and has its weights.

Combinations, their exponentials and their total variation are those of the proof (`finite_probability`); what is added
here are moments. With exponentials e and sums Z_h a combination has u_h = R_h/Z_h and β_k = Σ_h π_h e_hk/Z_h (`linear_image`),
and moments are sums with rational probabilities, here in balls of 128 bits and more. A key with one factor only stays. Keys that
do not vary are the law with one combination.
"""

from __future__ import annotations

from fractions import Fraction
from typing import final

import numpy as np

from headwright.kernel import balls
from headwright.kernel.frozen import computed_once
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.search.random_keys.law import Law, Moments, proved_probability
from headwright.search.random_keys.linear_image import NEGLIGIBLE, Balls, ImageMoments, LinearImage, fine_enough
from headwright.theories.random_keys.finite_probability import Combination, FiniteLaw, FiniteTable
from headwright.words.bounded import Bounded
from headwright.words.scaled_keys import ScaledKeys

MOST_EXACT = 2**12  # combinations judged in balls; beyond, in float64 with a proved radius
_BITS = (128, 256, 512)  # the first that leaves every number its last digit of float64 is enough
_DIGITS = 64  # bits of a total variation that count as known: float64 and a little more


@final
class WeightTable:
    """Exponentials at the present precision: their `sums` (h) over the keys that stay, and move[h][k][c] of the moving ones."""

    def __init__(self, law: FiniteLaw) -> None:
        self.places = [place for place, size in enumerate(law.shape) if size > 1]
        self.moving = tuple(law.keys[place] for place in self.places)
        self.shares = [balls.exact(share) for share in law.heads.shares]
        self._stay, self.move = [], []
        for stay, scaled in law.exponentials():
            for place, j in enumerate(law.keys):
                if j not in self.moving:
                    stay[j] = scaled[place][0]
            self._stay.append(stay)
            self.move.append([scaled[place] for place in self.places])
        self.sums = [balls.total(row) for row in self._stay]

    def image(self) -> LinearImage:
        """r_hj = e_hj / R_h; where no key stays, none is looked at."""
        alone = len(self.moving) == len(self._stay[0])
        ratios = [row if alone else [e / whole for e in row] for row, whole in zip(self._stay, self.sums, strict=True)]
        return LinearImage(self.shares, ratios, self.moving)

    def weights(self, combination: Combination) -> tuple[Balls, list[Balls]]:
        """(u_h, w_hk) of one combination."""
        u, w = [], []
        for whole, choices in zip(self.sums, self.move, strict=True):
            moved = [row[combination[place]] for row, place in zip(choices, self.places, strict=True)]
            inverse = 1 / (whole + balls.total(moved))
            u.append(whole * inverse)
            w.append([e * inverse for e in moved])
        return u, w


class FiniteOutcome(Law):
    """A finite law under given heads. Its probabilities are the proof's own."""

    proved = True
    numbers: str  # that the weights are made in

    def __init__(self, model: ScaledKeys, heads: Heads, goal: Goal | None, values: np.ndarray | None) -> None:
        self._model, self._goal, self._values = model, goal, values
        self._law = FiniteLaw(model, heads)
        every = f"all {model.combinations} combinations of factors, in {self.numbers}"
        self.method = "the keys do not vary: weights in balls" if model.combinations == 1 else every

    def probability(self, error: Fraction) -> Bounded:
        assert self._goal is not None
        return proved_probability(self._model, self._law.heads, self._goal, error, width=Fraction(0))


@final
class ExactFinite(FiniteOutcome):
    """Up to some thousand combinations, each in balls."""

    numbers = "balls"

    def moments(self) -> Moments:
        for bits in _BITS:
            with balls.precision(bits):
                moments = self._moments()
            if fine_enough(moments):
                break
        return moments

    def _moments(self) -> Moments:
        table = WeightTable(self._law)
        chances = [balls.exact(self._law.probability(combination)) for combination in self._law.combinations()]
        cases = [table.weights(combination) for combination in self._law.combinations()]

        def mean_of(numbers: Balls) -> balls.Ball:
            return balls.total([p * x for p, x in zip(chances, numbers, strict=True)])

        columns = list(zip(*([*u, *_mixed(table.shares, w)] for u, w in cases), strict=True))
        mean = [mean_of([*column]) for column in columns]
        apart = [[x - m for x in column] for column, m in zip(columns, mean, strict=True)]
        cov = [[balls.exact(0)] * len(mean) for _ in mean]
        if len(cases) > 1:
            for i in range(len(mean)):
                for k in range(i + 1):
                    cov[i][k] = cov[k][i] = mean_of([a * b for a, b in zip(apart[i], apart[k], strict=True)])
        head_means = [
            [mean_of([w[h][k] for _, w in cases]) for k in range(len(table.moving))] for h in range(len(table.shares))
        ]
        return table.image().moments(ImageMoments(mean, cov, head_means), self._values)

    @computed_once
    def _variations(self) -> list[tuple[balls.Ball, Fraction]]:
        """(total variation, probability) of every combination, the smallest first."""
        assert self._goal is not None
        for bits in _BITS:
            with balls.precision(bits):
                table = FiniteTable(self._law, self._goal)
                variations = [a / b for a, b in map(table.variation, self._law.combinations())]
                fine = all(x.rel_accuracy_bits() >= _DIGITS or x.upper() < NEGLIGIBLE for x in variations)
            if fine:
                break
        chances = map(self._law.probability, self._law.combinations())
        return sorted(zip(variations, chances, strict=True), key=lambda pair: _ends(pair[0]))

    def error_mean(self) -> Bounded:
        with balls.precision(_BITS[-1]):
            return Bounded.of_ball(balls.total([balls.exact(p) * x for x, p in self._variations]), how=self.method)

    def quantile(self, p: Fraction) -> Bounded:
        """Where the summed probability reaches p; combinations whose balls overlap are not separated, and need not be."""
        summed, low, high = Fraction(0), Fraction(0), Fraction(0)
        for ball, chance in self._variations:
            bottom, top = _ends(ball)
            if bottom > high and summed >= p:
                break
            low, high = (bottom if bottom > high else low), max(high, top)
            summed += chance
        return Bounded.proven(max(low, Fraction(0)), min(high, Fraction(1)), how=self.method)


def _mixed(shares: Balls, w: list[Balls]) -> Balls:
    return [balls.total([share * row[k] for share, row in zip(shares, w, strict=True)]) for k in range(len(w[0]))]


def _ends(ball: balls.Ball) -> tuple[Fraction, Fraction]:
    with balls.precision(balls.FLOAT_BITS):
        low, high = balls.lower(ball), balls.upper(ball)
    return Fraction(0) if low is None else max(low, Fraction(0)), Fraction(1) if high is None else min(
        high, Fraction(1)
    )
