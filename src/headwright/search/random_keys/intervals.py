"""Intervals at 95 % from independent replicates: Student's over their averages, Clopper and Pearson's where counts are few."""

from __future__ import annotations

import math

import numpy as np

from headwright.words.bounded import CONFIDENCE

_TAIL = (1 - CONFIDENCE) / 2
_SAFETY = 1.06  # replicate averages are only nearly Gaussian
_FEW = 10  # hits, or misses, per replicate below which an average is not nearly Gaussian


def over_replicates(
    averages: np.ndarray, samples: int, *, span: float | np.ndarray = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """(average, half-width) over the first axis of replicate averages of numbers that range over `span`.

    However well the replicates agree, a part of the mass of at most -ln(0.025)/samples, the rule of three at 97.5 %, may lie
    where none of the `samples` points did, with values anywhere in the span: that much is added.
    """
    from scipy.stats import t

    count = len(averages)
    value = averages.mean(axis=0)
    spread = averages.std(axis=0, ddof=1) / math.sqrt(count)
    unseen = -span * math.log(_TAIL) / samples
    return value, unseen + _SAFETY * t.ppf(1 - _TAIL, count - 1) * spread


def probabilities(counts: np.ndarray, each: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(low, value, high) of the probabilities behind counts (replicates, edges), out of `each` points a replicate."""
    total, whole = counts.sum(axis=0), len(counts) * each
    value, half = over_replicates(counts / each, whole)
    low, high = np.maximum(value - half, 0), np.minimum(value + half, 1)
    few = (np.minimum(total, whole - total) < _FEW * len(counts)) | (counts == counts[0]).all(axis=0)
    low[few], high[few] = clopper_pearson(total[few], whole, _TAIL)
    return np.minimum(low, value), value, np.maximum(high, value)


def clopper_pearson(hits: np.ndarray, trials: int, tail: float) -> tuple[np.ndarray, np.ndarray]:
    """The interval of Clopper and Pearson, `tail` left out on either side."""
    from scipy.stats import beta

    with np.errstate(invalid="ignore"):
        low = np.where(hits > 0, beta.ppf(tail, hits, trials - hits + 1), 0.0)
        high = np.where(hits < trials, beta.ppf(1 - tail, hits + 1, trials - hits), 1.0)
    return low, high
