"""outcome: the law of weights and error over keys that vary, by the best of three ways that the keys allow."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from headwright.kernel import inputs
from headwright.kernel.goals import Goal
from headwright.kernel.heads import Heads
from headwright.kernel.image import Image
from headwright.search.random_keys.finite import MOST_EXACT, ExactFinite
from headwright.search.random_keys.law import Law, proved_probability
from headwright.search.random_keys.many_combinations import ManyFinite
from headwright.search.random_keys.one_gaussian import OneGaussian
from headwright.search.random_keys.result import Outcome
from headwright.search.random_keys.sampled import Sampled
from headwright.theories.random_keys.score_noise import score_noise
from headwright.words.batches import rows_of, shares_of, wants_each
from headwright.words.bounded import Bounded
from headwright.words.design import Design
from headwright.words.key_models import GaussianKeys, KeyModel, count
from headwright.words.scaled_keys import ScaledKeys
from headwright.words.stored import stored

_CLOSE = Fraction(1, 10**6)  # bounds this close count as the probability: a search compares many, and shows six digits


def outcome(
    keys: ArrayLike | KeyModel,
    design: Design | ArrayLike,
    goal: Goal | None = None,
    *,
    values: Any = None,
    samples: int | None = None,
    seed: int | None = None,
    scale: Any = None,
    mix: Any = None,
    each: bool = False,
) -> Outcome:
    """The law of the weights that `design` gives over `keys`, and of their error for `goal` (a Design's own unless given).

    Finite laws are enumerated and noise that is one Gaussian is integrated: these numbers are proved. All else is estimated from
    `samples` scrambled Sobol points (65536 unless given) drawn with `seed`. With `values` (n, v), mean and covariance of
    the output too. `design` is a Design or raw queries, as in `certify`. With `each=True` the result is a list with one Outcome
    per query. A plain array of keys does not vary.

    >>> import numpy as np
    >>> from headwright.kernel.goals import Copy
    >>> law = outcome(GaussianKeys(np.eye(3), along={0: 0.25}), [5.0, 0.0, 0.0], Copy(0))
    >>> law.probability(0.1)
    0.80062374674962 (proved, ±4e-14)
    """
    # An Outcome computes on demand: its own copy stays as it is when a library writes to the arrays of the caller's model.
    model = copy.deepcopy(keys) if isinstance(keys, KeyModel) else ScaledKeys(keys, {})
    if wants_each(each, design, mix):
        options = {"values": values, "samples": samples, "seed": seed, "scale": scale}
        return [outcome(keys, row, goal, **options) for row in rows_of(design)]  # type: ignore[return-value]  # a list
    heads = heads_of(model.centre, design, scale, mix)
    if heads.image is not None:
        raise ValueError("`design` has queries Wx + b with more digits than `outcome` reads: pass its `.queries`")
    if heads.precision is not None and isinstance(keys, KeyModel):
        raise ValueError("`precision` does not go with keys that vary")
    if goal is None and isinstance(design, Design) and isinstance(design.goal, Goal):
        goal = design.goal
    if goal is not None:
        if not isinstance(goal, Goal):
            raise TypeError(f"`goal` must be Copy, Average or Blend, got {type(goal).__name__}")
        goal.check(heads.n)
    law = _law(model, heads, goal, _values(values, heads.n), samples, seed)
    return Outcome(law, model.describe(), heads.describe(), goal)


def heads_of(keys: Any, design: Any, scale: Any = None, mix: Any = None) -> Heads:
    """The heads of a Design, or of raw queries (d,) or (h, d) at `scale` 1 unless given and mixed by `mix`, over `keys`.

    A Design with a `precision` has the keys stored in that kind.
    """
    array = inputs.float64(keys, name="keys", ndim=2)
    if isinstance(design, Design):
        if scale is not None or mix is not None:
            raise ValueError("`scale` and `mix` belong to the Design: pass one or the other")
        if design.precision is not None:
            array = stored(array, design.precision).values
        exact_scale = inputs.rational(design.scale, name="scale")
        if design.within is not None and design.coordinates is not None:
            image = Image(*design.within)
            return Heads(array, design.coordinates, design.mix, exact_scale, design.precision, image)
        return Heads(array, design.queries, design.mix, exact_scale, design.precision)
    queries = np.atleast_2d(inputs.float64(design, name="queries", ndim=(1, 2)))
    return Heads(
        array, queries, shares_of(mix, len(queries)), inputs.rational(1 if scale is None else scale, name="scale")
    )


def probability_met(model: KeyModel, heads: Heads, goal: Goal, error: Fraction, *, samples: int, seed: int) -> Bounded:
    """P(total variation from `goal` <= error): proved to a millionth where the law allows it, else estimated from `samples`."""
    law = _law(model, heads, goal, None, samples, seed)
    if law.proved:
        return proved_probability(model, heads, goal, error, width=_CLOSE)
    return law.probability(error)


def _law(
    model: KeyModel, heads: Heads, goal: Goal | None, values: np.ndarray | None, samples: int | None, seed: int | None
) -> Law:
    asked = None if samples is None else count(samples)
    drawn = None if seed is None else inputs.count(seed, name="seed")
    if model.n == 1:
        return ExactFinite(ScaledKeys(heads.keys, {}), heads, goal, values)
    if isinstance(model, ScaledKeys):
        way = ExactFinite if model.combinations <= MOST_EXACT else ManyFinite
        return way(model, heads, goal, values)
    if not isinstance(model, GaussianKeys):
        raise TypeError(f"`keys` must be GaussianKeys, ScaledKeys or an array, got {type(model).__name__}")
    noise = score_noise(model, heads)
    if noise.key is None:
        return ExactFinite(ScaledKeys(heads.keys, {}), heads, goal, values)
    if noise.is_one_gaussian:
        return OneGaussian(model, heads, noise, goal, values)
    return Sampled(model, heads, goal, values, samples=asked, seed=drawn)


def _values(values: Any, n: int) -> np.ndarray | None:
    if values is None:
        return None
    array = inputs.float64(values, name="values", ndim=2)
    if len(array) != n:
        raise ValueError(f"`values` must have one row per key ({n}), got shape {array.shape}")
    return array
