"""The noise of scores, exactly: which Gaussian moves which key's score, in every head at once.

A Gaussian key has the scores τ k_j·q_h ~ N(τ μ_j·q_h, C_j) jointly over the heads, with rational covariances

    C_j[g, h] = τ²( a_j q_g·q_h + v_j (μ̂_j·q_g)(μ̂_j·q_h) + (U_jᵀq_g)·(U_jᵀq_h) + q_g·cov_j q_h ).

One Gaussian z is kept: it moves the score of key j₀ by b_h z in head h, with b_h = rise_h·√root for rational rise and root. All
other noise is left over, as variances by head and key. If nothing is left over, the whole law is that of one Gaussian.
For one head the difference of two targets' scores can be kept instead (`pair_noise`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from headwright.kernel import balls, budget
from headwright.kernel.heads import Heads
from headwright.theories.random_keys.laws import GaussianLaw

Matrix = list[list[Fraction]]


@final
@dataclass(frozen=True)
class ScoreNoise:
    """`key` moves by rises[h]·√root·z in head h; `left_over[h]` maps keys to the variance of what else moves their score.

    `partner` is a second key that the same z moves, with its rises; `common` the part of every left-over variance that belongs
    to one Gaussian shared by all of them.
    """

    key: int | None
    rises: tuple[Fraction, ...]
    root: Fraction
    left_over: tuple[dict[int, Fraction], ...]
    partner: tuple[int, tuple[Fraction, ...]] | None = None
    common: Fraction = Fraction(0)

    @property
    def is_one_gaussian(self) -> bool:
        return not any(self.left_over)


def score_noise(model: GaussianLaw, heads: Heads, *, prefer: Collection[int] = ()) -> ScoreNoise:
    """The noise of all scores, with the Gaussian of the largest variance kept apart; keys in `prefer` count four times."""
    covariances = score_covariances(model, heads)
    count = len(heads.queries)
    felt = {j: sum((c[h][h] for h in range(count)), Fraction(0)) for j, c in covariances.items()}
    if not felt:
        return ScoreNoise(None, (Fraction(0),) * count, Fraction(1), ({},) * count)
    key = max(felt, key=lambda j: (felt[j] * (4 if j in prefer else 1), -j))
    whole = covariances[key]
    rises, root = _split_off(whole, max(range(count), key=lambda h: whole[h][h]))
    left_over: tuple[dict[int, Fraction], ...] = tuple({} for _ in range(count))
    for j, covariance in covariances.items():
        for h in range(count):
            left = covariance[h][h] - rises[h] ** 2 * root if j == key else covariance[h][h]
            if left:
                left_over[h][j] = left
    return ScoreNoise(key, rises, root, left_over)


def score_covariances(model: GaussianLaw, heads: Heads) -> dict[int, Matrix]:
    """C_j of the keys whose scores vary."""
    squared = heads.scale**2
    _count(heads, 4 * len(heads.keys) * len(heads.queries) + 2 * len(heads.queries) ** 2)
    gram = _products(heads.queries, heads.queries)
    shared = model.cov if model.cov is not None and model.cov.ndim == 2 else None
    common = None if shared is None else _felt(heads, shared)
    covariances = {j: _covariance(model, heads, j, gram, common) for j in _special(model)}
    by_level: dict[float, Matrix] = {}  # keys of one level share their matrix
    for j in np.flatnonzero((model.isotropic != 0) | (common is not None)).tolist():
        level = float(model.isotropic[j])
        if j not in covariances:
            if level not in by_level:
                _count(heads, len(gram) ** 2)
                whole = _plus(gram, common, Fraction(level))
                by_level[level] = [[squared * x for x in row] for row in whole]
            covariances[j] = by_level[level]
    return {j: c for j, c in sorted(covariances.items()) if any(c[h][h] for h in range(len(gram)))}


def own_gaussians(covariance: Matrix) -> list[tuple[tuple[Fraction, ...], Fraction]]:
    """(rises, root) of independent Gaussians that make up this noise: the h-th moves no head before the h-th.

    These are the columns of the factorisation C = LDLᵀ, exactly. Heads without noise of their own give none.
    """
    count, parts = len(covariance), []
    for h in range(count):
        if covariance[h][h]:
            rises, root = _split_off(covariance, h)
            parts.append((rises, root))
            covariance = [[covariance[f][g] - rises[f] * rises[g] * root for g in range(count)] for f in range(count)]
    return parts


def pair_noise(model: GaussianLaw, heads: Heads, members: Collection[int]) -> ScoreNoise | None:
    """For one head: the difference of two targets' scores kept as one Gaussian; None if no two of `members` vary.

    Softmax sees differences of scores only. Of two independent noises with variances V_a, V_b keep D = N_a - N_b; what remains,
    M = (V_b N_a + V_a N_b)/(V_a + V_b), is independent of D and moves both alike: N_a = M + V_a D/(V_a + V_b) and
    N_b = M - V_b D/(V_a + V_b). Relative to M, the two scores move only with D, and every other score with M and its own noise.
    """
    (variances,) = _variances(model, heads)
    varying = sorted((i for i in members if i in variances), key=lambda i: (-variances[i], i))
    if len(varying) < 2:
        return None
    a, b = varying[:2]
    both = variances[a] + variances[b]
    common = variances[a] * variances[b] / both
    left_over = {j: variances.get(j, Fraction(0)) + common for j in range(heads.n) if j not in (a, b)}
    return ScoreNoise(a, (variances[a] / both,), both, (left_over,), (b, (-variances[b] / both,)), common)


def _variances(model: GaussianLaw, heads: Heads) -> list[dict[int, Fraction]]:
    """For every head, the variance of each key's score, where it has one."""
    noise = score_noise(model, heads)
    variances = [dict(left) for left in noise.left_over]
    for h, each in enumerate(variances):
        if noise.key is not None and noise.rises[h]:
            each[noise.key] = each.get(noise.key, Fraction(0)) + noise.rises[h] ** 2 * noise.root
    return variances


def _split_off(covariance: Matrix, first: int) -> tuple[tuple[Fraction, ...], Fraction]:
    """rise and root of the Gaussian X_first in a noise X of this covariance C.

    X - C[:, first]·X_first/C[first, first] is independent of X_first, since the two are uncorrelated.
    """
    return tuple(row[first] for row in covariance), 1 / covariance[first][first]


def _covariance(model: GaussianLaw, heads: Heads, j: int, gram: Matrix, common: Matrix | None) -> Matrix:
    _count(heads, len(gram) ** 2 * (4 + model.factors[j].shape[1] if j in model.factors else 4))
    own = _felt(heads, model.cov[j]) if model.cov is not None and model.cov.ndim == 3 else common
    total = _plus(gram, own, Fraction(model.isotropic[j]))
    if model.along[j]:
        rises, squared_norm = _along(model, heads, j)
        share = Fraction(model.along[j]) / squared_norm / heads.scale**2
        total = [[x + share * rises[g] * rises[h] for h, x in enumerate(row)] for g, row in enumerate(total)]
    if j in model.factors:
        felt = _products(heads.queries, np.ascontiguousarray(model.factors[j].T))
        total = [
            [x + sum((a * b for a, b in zip(felt[g], felt[h], strict=True)), Fraction(0)) for h, x in enumerate(row)]
            for g, row in enumerate(total)
        ]
    return [[heads.scale**2 * x for x in row] for row in total]


def _along(model: GaussianLaw, heads: Heads, j: int) -> tuple[tuple[Fraction, ...], Fraction]:
    """τ μ_j·q_h for every head, and ‖μ_j‖²."""
    mean = model.centre[j : j + 1]
    ((squared_norm,),) = _products(mean, mean)
    return tuple(heads.scale * x for (x,) in _products(heads.queries, mean)), squared_norm


def _special(model: GaussianLaw) -> list[int]:
    """Keys with noise of their own other than isotropic noise."""
    own = model.cov.any(axis=(1, 2)) if model.cov is not None and model.cov.ndim == 3 else np.zeros(model.n, dtype=bool)
    return sorted({*np.flatnonzero((model.along != 0) | own).tolist(), *model.factors})


def _felt(heads: Heads, cov: np.ndarray) -> Matrix:
    """q_g·cov q_h for all heads g and h, exactly."""
    rows = _products(heads.queries, cov)  # cov is symmetric: its rows are its columns
    _count(heads, len(rows) ** 2 * len(cov))
    queries = [[Fraction(x) for x in query] for query in heads.queries.tolist()]
    return [[sum((a * b for a, b in zip(row, q, strict=True)), Fraction(0)) for q in queries] for row in rows]


def _plus(gram: Matrix, more: Matrix | None, factor: Fraction) -> Matrix:
    """factor·gram + more."""
    return [[factor * x + (more[g][h] if more else 0) for h, x in enumerate(row)] for g, row in enumerate(gram)]


def _count(heads: Heads, operations: int) -> None:
    """Count operations on rationals as long as the scale's square times products of four floats."""
    long = 2 * budget.bits(heads.scale) + 500
    budget.spend(operations * (2000 + 2 * budget.product(long, long)))


def _products(left: np.ndarray, right: np.ndarray) -> Matrix:
    """left @ right.T as exact rationals."""
    columns = []
    for row in right:
        numerators, exponent = balls.exact_scores(left, row)
        budget.spend(len(numerators) * (2000 + budget.product(2200, 2200)))
        columns.append([numerator * Fraction(2) ** exponent for numerator in numerators])
    return [list(row) for row in zip(*columns, strict=True)]
