"""The noise of scores, exactly: which Gaussian moves which key's score, in every head at once.

A Gaussian key has the scores τ k_j·q_h ~ N(τ μ_j·q_h, C_j) jointly over the heads, with rational covariances

    C_j[g, h] = τ²( a_j q_g·q_h + v_j (μ̂_j·q_g)(μ̂_j·q_h) + (U_jᵀq_g)·(U_jᵀq_h) ).

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

from headwright import balls, budget
from headwright.key_laws import GaussianLaw
from headwright.proofs.heads import Heads

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
    squared = heads.scale**2
    _count(heads, 4 * len(heads.keys) * len(heads.queries) + 2 * len(heads.queries) ** 2)
    gram = _products(heads.queries, heads.queries)
    covariances = {j: _covariance(model, heads, j, gram) for j in _special(model)}
    variances = {j: [row[h] for h, row in enumerate(c)] for j, c in covariances.items()}
    for j in np.flatnonzero(model.isotropic).tolist():
        if j not in variances:
            spread = Fraction(model.isotropic[j]) * squared
            variances[j] = [spread * gram[h][h] for h in range(len(gram))]
    felt = {j: sum(each, Fraction(0)) for j, each in variances.items()}
    felt = {j: size for j, size in felt.items() if size}
    if not felt:
        return ScoreNoise(None, (Fraction(0),) * len(gram), Fraction(1), ({},) * len(gram))
    key = max(felt, key=lambda j: (felt[j] * (4 if j in prefer else 1), -j))
    whole = covariances.get(key) or [[Fraction(model.isotropic[key]) * squared * x for x in row] for row in gram]
    rises, root = _kept(model, heads, key, whole)
    left_over: tuple[dict[int, Fraction], ...] = tuple({} for _ in gram)
    for j in felt:
        for h, variance in enumerate(variances[j]):
            left = variance - rises[h] ** 2 * root if j == key else variance
            if left:
                left_over[h][j] = left
    return ScoreNoise(key, rises, root, left_over)


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


def _kept(model: GaussianLaw, heads: Heads, key: int, whole: Matrix) -> tuple[tuple[Fraction, ...], Fraction]:
    """rise and root of one Gaussian in the noise of `key`: all of it when its covariance has rank one, else one of its parts.

    A part may be split off because the parts (along, each factor column, the isotropic one in the direction of one query) are
    independent of what remains. With a negative variance along the mean the isotropic part cannot be split, and stays left over.
    """
    first = max(range(len(whole)), key=lambda h: whole[h][h])
    if all(
        whole[g][h] * whole[first][first] == whole[g][first] * whole[h][first]
        for g in range(len(whole))
        for h in range(g + 1)
    ):
        return tuple(row[first] for row in whole), 1 / whole[first][first]
    parts: list[tuple[tuple[Fraction, ...], Fraction]] = []
    if model.along[key] > 0:
        rises, squared_norm = _along(model, heads, key)
        parts.append((rises, Fraction(model.along[key]) / squared_norm))
    for column in model.factors.get(key, np.empty((heads.queries.shape[1], 0))).T:
        parts.append((tuple(heads.scale * x for (x,) in _products(heads.queries, column[None])), Fraction(1)))
    if model.isotropic[key] > 0 and model.along[key] >= 0:
        gram = _products(heads.queries, heads.queries)
        rises = tuple(heads.scale * row[first] for row in gram)
        parts.append((rises, Fraction(model.isotropic[key]) / gram[first][first]))
    if not parts:
        return (Fraction(0),) * len(whole), Fraction(1)
    return max(parts, key=lambda part: sum((rise**2 for rise in part[0]), Fraction(0)) * part[1])


def _covariance(model: GaussianLaw, heads: Heads, j: int, gram: Matrix) -> Matrix:
    _count(heads, len(gram) ** 2 * (3 + model.factors[j].shape[1] if j in model.factors else 3))
    total = [[Fraction(model.isotropic[j]) * x for x in row] for row in gram]
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
    """Keys with noise other than isotropic noise."""
    return sorted({*np.flatnonzero(model.along).tolist(), *model.factors})


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
