"""A machine that runs stored models in a number type, with every sum in a random order: what the walk must enclose."""

import itertools
from fractions import Fraction
from typing import NamedTuple

import mpmath
import numpy as np

from headwright.theories.programs.meaning import Undefined, meaning

EXACT = "exact"


class Worst(NamedTuple):
    """float64 with errors as large as the rounding model allows for this unit roundoff, each with a random sign."""

    unit: float


WORST = Worst(2.0**-24)


def every_word(program, longest=None):
    for size in range(1, (longest or program.length) + 1):
        yield from itertools.product(program.vocabulary, repeat=size)


def _dot(rows, maps, bias, kind, rng):
    """rows (n, k) times the transpose of maps (m, k), plus a bias, each sum in one random order."""
    if kind == EXACT:
        made = [
            [
                mpmath.fsum(a * b for a, b in zip(row, own, strict=True)) + shift
                for own, shift in zip(maps, bias, strict=True)
            ]
            for row in rows
        ]
        return np.array(made, dtype=object).reshape(len(rows), len(maps))
    if isinstance(kind, Worst):
        count = np.count_nonzero(maps, axis=1) + (np.asarray(bias) != 0)
        exact = (count == 0) | ((count == 1) & ((np.abs(np.frexp(maps)[0]) == 0.5) | (maps == 0)).all(axis=1))
        gamma = np.where(exact, 0.0, count * kind.unit / (1 - count * kind.unit))
        size = np.abs(rows) @ np.abs(maps).T + np.abs(bias)
        return rows @ maps.T + bias + _signs(size.shape, rng) * gamma * size
    with np.errstate(all="ignore"):
        terms = [rows[:, k][:, None] * maps[:, k][None, :] for k in range(maps.shape[1])]
        terms.append(np.broadcast_to(bias, (len(rows), len(maps))))
        total = np.zeros((len(rows), len(maps)), dtype=kind)
        for k in rng.permutation(len(terms)):
            total = total + terms[k]
    return total


def _weights(scores, kind, rng):
    if kind == EXACT:
        made = []
        for row in scores:
            top = max(row)
            powers = [mpmath.exp(s - top) for s in row]
            made.append([p / mpmath.fsum(powers) for p in powers])
        return np.array(made, dtype=object)
    if isinstance(kind, Worst):
        away = scores - scores.max(axis=1, keepdims=True)
        powers = np.exp(away * (1 + kind.unit * _signs(away.shape, rng))) * (
            1 + 8 * kind.unit * _signs(away.shape, rng)
        )
        n = scores.shape[1]
        total = powers.sum(axis=1, keepdims=True) * (1 + (n - 1) * kind.unit * _signs((len(powers), 1), rng))
        return powers / total * (1 + kind.unit * _signs(powers.shape, rng))
    with np.errstate(all="ignore"):
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        total = np.zeros((len(powers), 1), dtype=kind)
        for k in rng.permutation(powers.shape[1]):
            total = total + powers[:, k : k + 1]
        return powers / total


def _signs(shape, rng):
    """Errors that push in one direction add up; so one sign for all, or one for each."""
    return rng.choice([-1.0, 1.0], size=shape) if rng.integers(2) else rng.choice([-1.0, 1.0], size=shape[-1])


def _added(x, y, kind, rng):
    return (
        x + y
        if not isinstance(kind, Worst)
        else (x + y) * (1 + kind.unit * _signs(x.shape, rng) * ((x != 0) & (y != 0)))
    )


def _numbers(array, kind):
    if isinstance(kind, Worst):
        return array
    if kind != EXACT:
        return array.astype(kind)
    return np.array([mpmath.mpf(float(x)) for x in array.ravel()], dtype=object).reshape(array.shape)


def stream(claim, word, kind, rng=None):
    """The residual stream after the last block, (1 + n, D)."""
    w = {name: _numbers(array, kind) for name, array in claim.weights.items()}
    program = claim.program
    x = w["tokens"][[0, *(1 + program.vocabulary.index(token) for token in word)]]
    if "positions" in w:
        x = _added(x, w["positions"][: len(x)], kind, rng)

    def zeros(size):
        return _numbers(np.zeros(size), kind)

    number = 0
    while f"{number}.query" in w:
        own = {name.partition(".")[2]: array for name, array in w.items() if name.startswith(f"{number}.")}
        heads, out = [], []
        for h in range(len(own["query"])):
            q, k, v = (
                _dot(x, own[name][h], own.get(f"{name}_bias", zeros(own[name].shape[:2]))[h], kind, rng)
                for name in ("query", "key", "value")
            )
            made = np.empty((len(x), v.shape[1]), dtype=v.dtype)
            for i in range(len(x)):
                seen = slice(0, i + 1 if program.causal else len(x))
                weights = _weights(_dot(q[i : i + 1], k[seen], zeros(k[seen].shape[0]), kind, rng), kind, rng)
                made[i] = _dot(weights, v[seen].T, zeros(v.shape[1]), kind, rng)[0]
            heads.append(made)
            out.append(own["output"][h])
        made = _dot(np.concatenate(heads, axis=1), np.concatenate(out, axis=1), zeros(x.shape[1]), kind, rng)
        x = _added(x, made, kind, rng)
        if "inner" in own:
            f = len(own["inner"])
            hidden = _dot(x, own["inner"], own.get("inner_bias", zeros(f)), kind, rng)
            hidden = np.where(hidden > 0, hidden, np.zeros_like(hidden))
            x = _added(x, _dot(hidden, own["outer"], own.get("outer_bias", zeros(x.shape[1])), kind, rng), kind, rng)
        number += 1
    return x


def outputs(claim, word, kind, rng=None):
    """What the unembedding gives at each position, (n, m)."""
    maps, bias = (
        claim.weights["unembedding"],
        claim.weights.get("unembedding_bias", np.zeros(len(claim.weights["unembedding"]))),
    )
    return read(stream(claim, word, kind, rng), maps, bias, kind, rng)[1:]


def read(x, maps, bias, kind, rng=None):
    return _dot(x, _numbers(maps, kind), _numbers(bias, kind), kind, rng)


def wanted(claim, word):
    """The codes of what the program says, as (n, m) rationals; Undefined where it says nothing."""
    values = meaning(claim.program, word, claim.output)
    labels, m = claim.program.values[claim.output].labels, len(claim.weights["unembedding"])
    if labels is None or (m == 1 and all(isinstance(label, int) for label in labels)):
        return [[Fraction(value)] for value in values]
    codes = claim.weights.get("codes", np.eye(len(labels)))
    return [[Fraction(float(x)) for x in codes[labels.index(value)]] for value in values]


@mpmath.workdps(50)
def seen_error(claim, words, kind, rng=None):
    """The largest distance from a code on these words; infinite if an output is not a number."""
    worst = mpmath.mpf(0)
    for word in words:
        try:
            codes = wanted(claim, word)
        except Undefined:
            continue
        for row, code in zip(outputs(claim, word, kind, rng), codes, strict=True):
            for got, right in zip(row, code, strict=True):
                if kind != EXACT and not np.isfinite(got):
                    return mpmath.inf
                worst = max(
                    worst,
                    abs(
                        mpmath.mpf(got if kind == EXACT else float(got))
                        - mpmath.mpf(right.numerator) / right.denominator
                    ),
                )
    return worst
