"""Weights and total variation from their definitions in mpmath, for comparison: exact floats in, fifty digits out."""

from itertools import product

import mpmath

DIGITS = 50


def mp_weights(keys, queries, mix=None, scale=1):
    """Mixed weights over keys given as rows of mpf."""
    shares = [mpmath.mpf(1)] * len(queries) if mix is None else [mpmath.mpf(x) for x in mix]
    whole = mpmath.fsum(shares)
    weights = [mpmath.mpf(0)] * len(keys)
    for share, query in zip(shares, queries, strict=True):
        scores = [scale * mpmath.fdot(key, [mpmath.mpf(float(x)) for x in query]) for key in keys]
        top = max(scores)
        powers = [mpmath.exp(s - top) for s in scores]
        total = mpmath.fsum(powers)
        weights = [w + share / whole * p / total for w, p in zip(weights, powers, strict=True)]
    return weights


def rows(array):
    return [[mpmath.mpf(float(x)) for x in row] for row in array]


def mp_variation(weights, goal):
    wanted = {i: mpmath.mpf(s.numerator) / s.denominator for i, s in zip(goal.indices, goal.shares, strict=True)}
    return mpmath.fsum(abs(w - wanted.get(j, 0)) for j, w in enumerate(weights)) / 2


def mp_moments(chances, vectors):
    """(means, standard deviations) of vectors with probabilities."""
    means = [mpmath.fsum(p * v[j] for p, v in zip(chances, vectors, strict=True)) for j in range(len(vectors[0]))]
    variances = [
        mpmath.fsum(p * (v[j] - m) ** 2 for p, v in zip(chances, vectors, strict=True)) for j, m in enumerate(means)
    ]
    return means, [mpmath.sqrt(v) for v in variances]


def enumerated(model, queries, mix=None, scale=1):
    """(probabilities, weights) of every combination of a ScaledKeys."""
    chances, vectors = [], []
    laws = [list(law.items()) for law in model.laws.values()]
    for chosen in product(*laws):
        keys, chance = rows(model.centre), mpmath.mpf(1)
        for j, (factor, probability) in zip(model.laws, chosen, strict=True):
            keys[j] = [x * factor.numerator / factor.denominator for x in keys[j]]
            chance *= mpmath.mpf(probability.numerator) / probability.denominator
        chances.append(chance)
        vectors.append(mp_weights(keys, queries, mix, scale))
    return chances, vectors


def close(value, half, true):
    """Whether `true` lies within `half` of `value`, exactly."""
    return abs(mpmath.mpf(float(value)) - true) <= mpmath.mpf(float(half))
