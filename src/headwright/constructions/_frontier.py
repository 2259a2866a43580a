"""frontier: the best probability found of meeting an error, for every query norm allowed and every number of heads asked about.

Within a norm the probability is climbed from robust starts of that length and from the best of the norms beside it, first
upwards, then downwards; more heads start from fewer as well. A curve is the best so far, so it never falls with the norm or
with the heads: a longer allowance can only help.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright import inputs
from headwright._design import Design
from headwright.bounded import Bounded
from headwright.constructions.frontier_result import Curve, Frontier
from headwright.constructions.model_noise import Noise, noise_of
from headwright.constructions.probability_search import Trial, chance_of, climb, miss, sure_of
from headwright.constructions.query_law import QueryLaw
from headwright.constructions.robust_starts import starts
from headwright.constructions.score_nodes import GRID, provable_law, true_law
from headwright.constructions.shortening import shorten
from headwright.constructions.varying_request import checked_goal, head_count
from headwright.goals import Goal
from headwright.key_models import KeyModel
from headwright.progress import with_progress
from headwright.proofs import Heads, WithProbability
from headwright.scaled_keys import ScaledKeys

_POINTS, _SPAN = 13, (0.25, 16.0)  # of the default norms, in least norms of a start
_CLIMBED = 3  # starts climbed from at each norm
_CERTAIN = 1e-9  # a probability short of 1 by less is not climbed from
_NEAR = 1e-3  # of the best probability: what the best length may give away


def frontier(
    keys: KeyModel,
    goal: Goal,
    *,
    error: float | str | Fraction,
    heads: int | Iterable[int] = (1, 2),
    norms: Any = None,
    seed: int | None = None,
) -> Frontier:
    """The best probability found of coming within `error` of `goal`, against the largest query norm allowed, at scale 1.

    `norms` are the norms to look at (where none are given, 13 about the least-norm query's, and the best lengths). Each
    probability is proved for a query that was found where the law allows (one Gaussian, finite laws), else estimated; that no
    query does better is not claimed.

    >>> import numpy as np, headwright as hw
    >>> found = hw.frontier(hw.GaussianKeys(np.eye(4), along={0: 0.5}), hw.Average(0, 1), error=0.1, heads=1, norms=[1, 8])
    >>> found.curves[1][1].round(3).tolist()
    [0.0, 1.0]
    """
    if not isinstance(keys, KeyModel):
        raise TypeError(f"`keys` must be GaussianKeys or ScaledKeys, got {type(keys).__name__}")
    checked_goal(goal, keys)
    counts = sorted({head_count(h) for h in ([heads] if isinstance(heads, int) else heads)})
    if not counts:
        raise ValueError("`heads` must name at least one number of heads")
    asked = inputs.rational(error, name="error")
    Heads(keys.centre, np.zeros((1, keys.d)), np.ones(1), Fraction(1))
    with np.errstate(all="ignore"):
        search = _Search(keys, goal, error, asked, 0 if seed is None else inputs.count(seed, name="seed"))
        return search.frontier(counts, None if norms is None else _checked_norms(norms))


def _checked_norms(norms: Any) -> np.ndarray:
    checked = np.unique(inputs.float64(norms, name="norms", ndim=1))
    if not len(checked) or checked[0] <= 0:
        raise ValueError(f"`norms` must be positive, at least one, got {checked.tolist()}")
    return checked


@final
class _Search:
    """One model and goal; norms inside are in the units of `noise`."""

    def __init__(self, model: KeyModel, goal: Goal, asked: Any, error: Fraction, seed: int) -> None:
        self.model, self.goal, self.asked, self.exact, self.seed = model, goal, asked, error, seed
        self.claim(np.zeros((1, model.d)), np.ones(1))  # checks the error before any work
        self.error = float(error)
        self.textbook = model.centre[list(goal.indices)].sum(axis=0)
        self.noise: Noise = noise_of(model, goal.indices[0], also=self.textbook[None])

    def claim(self, queries: np.ndarray, mix: np.ndarray, confidence: Fraction = Fraction(1, 2)) -> WithProbability:
        heads = Heads(self.model.centre, queries, mix, Fraction(1))
        return WithProbability(self.model, heads, self.goal, self.exact, confidence)

    def law(self, heads: int) -> QueryLaw:
        """The exact law for one Gaussian and finite laws, else Sobol points."""
        one = len(self.noise.owner) <= 1 and not self.noise.spread.any()
        if one or isinstance(self.model, ScaledKeys):
            # 0.5: the room for a box, which these laws do not have
            return provable_law(self.model, self.noise, self.goal, heads, 0.5, cells=2 * GRID)
        return true_law(self.model, self.noise, self.goal, heads, self.seed)

    def chance(self, trial: Trial) -> Bounded:
        return chance_of(self.model, self.noise, self.goal, self.exact, trial, seed=self.seed)

    def frontier(self, counts: list[int], norms: np.ndarray | None) -> Frontier:
        free = norms is None
        if norms is None:
            plain = starts(self.noise, self.goal, self.error, 1, self.seed)
            norms = np.geomspace(*_SPAN, _POINTS) * _least(plain) / self.noise.size
        curves: dict[int, Curve] = {}
        best: dict[int, tuple[float, float]] = {}
        designs: dict[int, Design] = {}
        fewer: list[Trial] = []
        floor, sure = np.zeros(len(norms)), True
        for h in counts:
            law = self.law(h)
            trials = self._along(law, norms * self.noise.size, h, fewer)
            chances = [self.chance(trial) for trial in trials]
            fewer, floor = _best_so_far(trials, chances, [_with_heads(trial, h) for trial in fewer], floor)
            curves[h] = (norms, floor)
            sure = sure and all(chance.proved for chance in chances)
            designs[h], chance = self._best(law, fewer[int(floor.argmax())], floor.max())
            best[h], sure = (designs[h].norm, sure_of(chance)), sure and chance.proved
        if free:
            norms, curves = _with_best(curves, best)
        return Frontier(self.goal, self.asked, curves, best, designs, self._textbook_curve(norms), sure)

    def _along(self, law: QueryLaw, norms: np.ndarray, heads: int, fewer: list[Trial]) -> list[Trial]:
        """The best trial found within each norm (in the units of the search): upwards, then downwards."""
        begun = starts(self.noise, self.goal, self.error, heads, self.seed)
        trials: list[Trial] = []
        for k, norm in with_progress(enumerate(norms), len(norms), f"frontier, heads: {heads}"):
            # 0.3: a blur wide enough to tell starts apart that meet the error at no node
            sized = sorted((_sized(t, norm) for t in begun), key=lambda t: miss(law, t, self.error, 0.3 * self.error))
            beside = [trials[-1], _sized(trials[-1], norm)] if trials else []
            beside += [_with_heads(fewer[k], heads)] if fewer else []
            trials.append(self._climbed(law, [*beside, *sized[:_CLIMBED]], norm))
        for k in range(len(norms) - 2, -1, -1):
            trials[k] = self._climbed(law, [trials[k], _sized(trials[k + 1], norms[k])], norms[k])
        return trials

    def _climbed(self, law: QueryLaw, trials: list[Trial], norm: float) -> Trial:
        """The best of what is climbed to from the trials; the first that cannot be bettered ends it."""

        def worth(trial: Trial) -> tuple[float, float]:
            chance = law.probability(trial.Y, trial.mix, self.error)
            # 0.1: a blur narrow enough to follow the chance, which decides first
            return chance, -miss(law, trial, self.error, 0.1 * self.error)

        climbed: list[Trial] = []
        for trial in trials:
            climbed.append(climb(law, _within_norm(trial, norm), self.error, 1 - _CERTAIN, longest=norm))
            if worth(climbed[-1])[0] >= 1 - _CERTAIN:
                return climbed[-1]
        return max(climbed, key=worth)

    def _best(self, law: QueryLaw, trial: Trial, reached: float) -> tuple[Design, Bounded]:
        """The shortest design found within a thousandth of the best probability, and what it has."""
        below = self.error * (1 - (1e-5 if len(trial.Y) == 1 else 2e-3))  # a hair for the proof
        aim = law.probability(trial.Y, trial.mix, below) - _NEAR
        short = shorten(law, trial, below, aim) if 0 < aim < 1 else trial
        chance = self.chance(short)
        if sure_of(chance) < reached - 2 * _NEAR:
            short, chance = trial, self.chance(trial)
        queries = self.noise.queries(short.Y)
        confidence = Fraction(max(1, int(sure_of(chance) * 10**5) - 1), 10**5)  # a little less than it has
        design = Design(
            queries,
            short.mix,
            1.0,
            self.goal,
            self.asked,
            weights=law.mean_weights(short.Y, short.mix),
            exact_ratios=False,
            method=f"search under noise, from: {short.name}",
            confidence=float(confidence),
            prove=self.claim(queries, short.mix, confidence).prove,
        )
        return design, chance

    def _textbook_curve(self, norms: np.ndarray) -> Curve | None:
        size = float(np.linalg.norm(self.textbook))
        if not size:
            return None
        unit = self.noise.coordinates(self.textbook[None] / size)
        chances = [sure_of(self.chance(Trial(norm * unit, np.ones(1), "textbook"))) for norm in norms]
        return norms, np.array(chances)


def _least(trials: list[Trial]) -> float:
    """The length of the plain least-norm start, or of the shortest."""
    named = [trial.norm for trial in trials if trial.name == "least norm" and trial.norm > 0]
    return min(named or [trial.norm for trial in trials if trial.norm > 0] or [1.0])


def _sized(trial: Trial, norm: float) -> Trial:
    return trial.at(trial.Y * (norm / trial.norm)) if trial.norm > 0 else trial


def _within_norm(trial: Trial, norm: float) -> Trial:
    return _sized(trial, norm) if trial.norm > norm else trial


def _with_heads(trial: Trial, heads: int) -> Trial:
    """The same weights by more heads: the first one repeated."""
    more = heads - len(trial.Y)
    split = np.full(more + 1, trial.mix[0] / (more + 1))
    return Trial(
        np.concatenate([trial.Y, np.repeat(trial.Y[:1], more, axis=0)]),
        np.concatenate([split[:1], trial.mix[1:], split[1:]]),
        trial.name,
    )


def _best_so_far(
    trials: list[Trial], chances: list[Bounded], fewer: list[Trial], floor: np.ndarray
) -> tuple[list[Trial], np.ndarray]:
    """The trials and probabilities, each replaced by one of a smaller norm or of fewer heads where that is better."""
    kept: list[Trial] = []
    values: list[float] = []
    for k, (trial, chance) in enumerate(zip(trials, chances, strict=True)):
        choices = [(sure_of(chance), trial)]
        choices += [(float(floor[k]), fewer[k])] if fewer else []
        choices += [(values[-1], kept[-1])] if kept else []
        value, best = max(choices, key=lambda choice: choice[0])
        kept.append(best)
        values.append(value)
    return kept, np.array(values)


def _with_best(curves: dict[int, Curve], best: dict[int, tuple[float, float]]) -> tuple[np.ndarray, dict[int, Curve]]:
    """The curves with every best length among their norms; elsewhere a curve keeps the value it had reached below."""
    old = next(iter(curves.values()))[0]
    norms = old
    for norm, _ in best.values():
        # a norm within a thousandth of one that is there already would draw the same point twice
        norms = norms if np.isclose(norms, norm, rtol=1e-3, atol=0).any() else np.sort(np.append(norms, norm))
    below = np.searchsorted(old, norms, side="right") - 1
    completed: dict[int, Curve] = {}
    for h, (_, chances) in curves.items():
        values = np.where(below >= 0, chances[below.clip(0)], 0.0)
        for fewer, (norm, chance) in best.items():
            if fewer <= h:
                # the best length is itself among the norms, up to rounding
                values = np.where(norms >= (1 - 1e-9) * norm, np.maximum(values, chance), values)
        completed[h] = (norms, values)
    return norms, completed
