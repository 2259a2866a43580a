"""Proved bounds on P(total variation <= error) for Gaussian keys: a Gaussian z in cells, all other noise in a box.

`ScoreBox` judges each cell of z: good (the error is met wherever the scores lie), bad (met nowhere), or to be cut in two. The
scores leave the box with a probability of at most `escape`, the sum over heads and keys of P(|N(0,1)| > reach) or, for the
outsiders' sums, what their moments allow. Then

    Σ P(good cells) - escape  <=  P(error met)  <=  1 - Σ P(bad cells) + escape.

With one Gaussian nothing escapes, and refining the cells makes the bounds as tight as required.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise, product, takewhile
from typing import final

from headwright.kernel import balls
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.theories.random_keys.laws import GaussianLaw
from headwright.theories.random_keys.normal import mass_between, mass_beyond
from headwright.theories.random_keys.score_box import Room, ScoreBox
from headwright.theories.random_keys.score_noise import ScoreNoise, pair_noise, score_noise
from headwright.theories.random_keys.target_boxes import boxed

_ENDS = (-40.0, -12.0, -8.0, -6.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 40.0)
_LIKELY = (-1.5, -0.5, 0.0, 0.5, 1.5)
_MOST_BITS = 512
_AS_NARROW_AS_CELLS = Fraction(1, 2**40)  # ends of cells are float64 numbers: more digits give no more
_MOST_CELLS = 6_000
_MOST_CELLS_IN_FLOAT64 = 1_000  # where keys fall below the range of float64 no number of cells helps
_MOST_CELLS_WITH_BOX = 600
_MOST_PARTS_WITH_BOXES = 600_000  # parts of heads, in the cells of all boxes: some seconds
_A_LITTLE_LESS = 0.99
_ESCAPES = (Fraction(1, 4), Fraction(1, 16), Fraction(1, 256))  # parts of the room that the asked probability leaves


@final
@dataclass(frozen=True)
class Enclosure:
    """low <= probability <= high, both proved."""

    low: Fraction
    high: Fraction
    method: str


Enough = Callable[[Fraction, Fraction], bool]


def gaussian_enclosures(
    model: GaussianLaw, heads: Heads, goal: Goal, error: Fraction, room: Fraction, enough: Enough
) -> Iterator[Enclosure]:
    """Bounds on the probability, ever tighter and more expensive. A `room` of 1 - confidence is what a box may let escape."""
    ways = [score_noise(model, heads, prefer=goal.indices)]
    pair = pair_noise(model, heads, goal.indices) if len(heads.queries) == 1 else None
    ways += [] if pair is None else [pair]
    for noise in ways:
        if noise.is_one_gaussian:
            return _by_cells_alone(heads, goal, noise, error, enough)
    return chain(_in_boxes(model, heads, goal, error), _with_room(heads, goal, ways, error, room, enough))


def _in_boxes(model: GaussianLaw, heads: Heads, goal: Goal, error: Fraction) -> Iterator[Enclosure]:
    for low, high in boxed(model, heads, goal, error):
        yield Enclosure(low, high, "a proved bound: targets in boxes, the law of the outsiders' sums on a grid")


def _by_cells_alone(
    heads: Heads, goal: Goal, noise: ScoreNoise, error: Fraction, enough: Enough
) -> Iterator[Enclosure]:
    with balls.precision(balls.FLOAT_BITS):
        nothing = Room(balls.exact(0), None, balls.exact(0))
    for tier in takewhile(lambda tier: tier.bits <= _MOST_BITS, heads.climb()):
        with balls.precision(max(tier.bits, 128)):
            most = _MOST_CELLS if tier.bits >= 128 else _MOST_CELLS_IN_FLOAT64
            low, high = _cells(ScoreBox(heads, goal, noise, tier, nothing), tier, error, enough, most)
        yield Enclosure(low, high, f"a rigorous integral over one Gaussian ({tier.method})")
        if high - low <= _AS_NARROW_AS_CELLS:
            return


def _with_room(
    heads: Heads, goal: Goal, ways: list[ScoreNoise], error: Fraction, room: Fraction, enough: Enough
) -> Iterator[Enclosure]:
    looked = 0
    for tier in takewhile(lambda tier: tier.bits <= 128, heads.climb()):  # more digits do not make a box tighter
        for part, by_sum, noise in product(_ESCAPES, (False, True), ways):
            if looked >= _MOST_PARTS_WITH_BOXES:
                return
            with balls.precision(128):
                box = ScoreBox(heads, goal, noise, tier, _room_for(noise, goal, room * part, by_sum))
                left = _MOST_PARTS_WITH_BOXES - looked
                low, high = _cells(box, tier, error, enough, _MOST_CELLS_WITH_BOX, left)
            looked += box.looked
            kept = "one Gaussian in cells, the others" if box.moves else "all noise"
            how = "by moments of the outsiders' sum" if by_sum else "in a box by the union bound"
            yield Enclosure(low, high, f"a proved bound: {kept} {how} ({tier.method})")


def _room_for(noise: ScoreNoise, goal: Goal, escape: Fraction, by_sum: bool) -> Room:
    """A Room with about this `escape`; its own figure is proved. `by_sum` leaves half of it to the outsiders' sums."""
    followed = {*goal.indices, noise.key}
    count = sum(len([j for j in left if j in followed or not by_sum]) for left in noise.left_over)
    count += 1 if by_sum and noise.common else 0  # the noise that the outsiders share is bounded separately
    share = escape / 2 if by_sum else escape
    beyond = balls.exact(share / len(noise.left_over)) if by_sum else None
    lost = balls.exact(share) if by_sum else balls.exact(0)
    if count == 0:
        return Room(balls.exact(0), beyond, lost)
    logarithm = math.log(share.numerator) - math.log(share.denominator) - math.log(count)  # of integers of any size
    reach = balls.exact(math.sqrt(max(0.0, -2 * logarithm)))  # P(|N| > r) <= e^{-r²/2}
    while 2 * count * mass_beyond(reach * _A_LITTLE_LESS) <= balls.exact(
        share
    ):  # from this safe side to what is needed
        reach = reach * _A_LITTLE_LESS
    return Room(reach, beyond, lost + 2 * count * mass_beyond(reach))


def _cells(
    box: ScoreBox, tier: balls.Tier, error: Fraction, enough: Enough, most: int, most_parts: float = math.inf
) -> tuple[Fraction, Fraction]:
    """Cut cells, the likeliest first, until the bounds are `enough`, no cell can be cut, or `most` cells were examined."""
    limit, escape = balls.exact(error), box.escape
    if not box.moves:
        met = box.verdict(0.0, 0.0, limit)
        return _bounds(balls.exact(int(met is True)), balls.exact(int(met is False)), escape)
    good, bad = balls.exact(0), balls.exact(0)
    if escape > 0 and all(box.verdict(z, z, limit) is None for z in _LIKELY):
        return _bounds(good, bad, escape)  # the box is too wide to settle even single points
    narrowest = 2.0**-34 if tier.bits < 128 else 2.0**-52
    waiting: list[tuple[float, float, float, tuple[int, ...]]] = []
    fresh = list(pairwise(_ENDS))
    looked, counting = 0, box.parts
    while True:
        for low, high in fresh:
            looked += 1
            mass = mass_between(low, high)
            met, left = box.judged(low, high, limit, counting)
            if met is True:
                good = good + mass
            elif met is False:
                bad = bad + mass
            elif high - low > narrowest * max(1.0, abs(low)):
                heapq.heappush(waiting, (-float(mass), low, high, left))
        bounds = _bounds(good, bad, escape)
        if not waiting or looked >= most or box.looked >= most_parts or enough(*bounds):
            return bounds
        _, low, high, counting = heapq.heappop(waiting)
        middle = (low + high) / 2
        fresh = [(low, middle), (middle, high)]


def _bounds(good: balls.Ball, bad: balls.Ball, escape: balls.Ball) -> tuple[Fraction, Fraction]:
    low, high = balls.lower(good - escape), balls.upper(1 - bad + escape)
    return (
        Fraction(0) if low is None else min(Fraction(1), max(Fraction(0), low)),
        Fraction(1) if high is None else max(Fraction(0), min(Fraction(1), high)),
    )
