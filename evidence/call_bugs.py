"""Planted bugs of the rules behind radius, budget, subspace, comparison, storage and Gaussian claims.

A table for `planted_bugs.py`, which plants them, one section for each kind of claim.
"""

# ruff: noqa: E501 - one row per bug reads better than one word per line

RADIUS: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

BUDGET: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

SUBSPACE: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

COMPARISON: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

STORAGE: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

GAUSSIAN: tuple[tuple[str, str, str, str], ...] = (
    ("growth's upper bound at the wrong end", "proofs/outsider_sums.py", "return np.asarray(self.high[h][last if self.signs[h] >= 0 else first])", "return np.asarray(self.high[h][first if self.signs[h] >= 0 else last])"),
    ("growth's lower bound at the wrong end", "proofs/outsider_sums.py", "return np.asarray(self.low[h][first if self.signs[h] >= 0 else last])", "return np.asarray(self.low[h][last if self.signs[h] >= 0 else first])"),
    ("falling growths taken for rising ones", "proofs/outsider_sums.py", "self.low[h][first if self.signs[h] >= 0 else last]", "self.low[h][first if self.signs[h] >= -1 else last]"),
    ("sums rounded down in the law from above", "proofs/outsider_sums.py", "return np.searchsorted(grid, moved) if upward else", "return np.searchsorted(grid, moved) - 1 if upward else"),
    ("sums rounded up in the law from below", "proofs/outsider_sums.py", "np.searchsorted(grid, moved, side=\"right\") - 1", "np.searchsorted(grid, moved)"),
    ("a guessed step upward not checked", "proofs/outsider_sums.py", "fits = (value * self._values[count] * _MORE <= self._gaps) & (self._gaps > 0)", "fits = self._gaps > 0"),
    ("a guessed step downward not checked", "proofs/outsider_sums.py", "fits = value * self._values[count + 1] * _LESS >= self._gaps", "fits = self._gaps < np.inf"),
    ("the last head's own Gaussian forgotten", "proofs/outsider_sums.py", "own = None if key.own is None else _Own", "own = None if True else _Own"),
    ("masses of cells counted twice", "proofs/outsider_sums.py", "weights = chances.reshape(-1, together).sum(axis=1)", "weights = 2 * chances.reshape(-1, together).sum(axis=1)"),
    ("still sums taken at the lower end above", "proofs/outsider_sums.py", "up[-1, -1] = down[0, 0] = 1.0", "up[0, 0] = down[0, 0] = 1.0"),
    ("largest rest in a good box", "proofs/target_boxes.py", "_threshold((at_least - _SLACK) / share, d_low * _LESS, n_high * _MORE, -1)", "_threshold((at_least - _SLACK) / share, d_high * _LESS, n_high * _MORE, -1)"),
    ("smallest chosen part in a good box", "proofs/target_boxes.py", "_threshold((at_least - _SLACK) / share, d_low * _LESS, n_high * _MORE, -1)", "_threshold((at_least - _SLACK) / share, d_low * _LESS, n_low * _MORE, -1)"),
    ("smallest rest in a bad box", "proofs/target_boxes.py", "_threshold((at_most + _SLACK) / share, d_high * _MORE, n_low * _LESS, 1)", "_threshold((at_most + _SLACK) / share, d_low * _MORE, n_low * _LESS, 1)"),
    ("first head's sum at its lower end in a good box", "proofs/target_boxes.py", "most = (n_high + sums.first[b]) / (n_high + sums.first[b] + d_low) * _MORE", "most = (n_high + sums.first[a]) / (n_high + sums.first[a] + d_low) * _MORE"),
    ("first head's largest rest in a good box", "proofs/target_boxes.py", "(n_high + sums.first[b] + d_low) * _MORE", "(n_high + sums.first[b] + d_high) * _MORE"),
    ("first head's smallest rest in a bad box", "proofs/target_boxes.py", "(n_low + sums.first[a] + d_high) * _LESS", "(n_low + sums.first[a] + d_low) * _LESS"),
    ("first head's share forgotten", "proofs/target_boxes.py", "at_least, at_most = limit - setting.shares[0] * most, limit - setting.shares[0] * least", "at_least, at_most = limit - most * 0, limit - least * 0"),
    ("overflow taken for a good box", "proofs/target_boxes.py", "np.where(np.isnan(fine), -np.inf, fine)", "fine"),
    ("sets of targets forgotten", "proofs/target_boxes.py", "for size in range(len(goal.shares)):", "for size in range(1):"),
    ("varying outsiders counted among those that stay", "proofs/target_boxes.py", "row.total(without={*goal.indices, *moved})", "row.total(without=set(goal.indices))"),
    ("heads of covariances not put in order", "proofs/target_boxes.py", "own_gaussians([[c[g][h] for h in order] for g in order])", "own_gaussians(c)"),
    ("masses of the other head's law", "proofs/target_boxes.py", "good, bad = self._up[b + 1, below] - self._up[a, below],", "good, bad = self._down[b + 1, below] - self._down[a, below],"),
    ("sums above a threshold good", "proofs/target_boxes.py", "below = np.searchsorted(sums.last, fine, side=\"right\")", "below = np.searchsorted(sums.last, fine, side=\"right\") + 1 - (fine == np.inf)"),
    ("mass of a target's Gaussian forgotten", "proofs/target_boxes.py", "chance *= (self._mass[last] - self._mass[first]) * _UNIT", "chance *= 1.0"),
    ("a Gaussian split off twice", "proofs/score_noise.py", "[covariance[f][g] - rises[f] * rises[g] * root for g in range(count)]", "[covariance[f][g] for g in range(count)]"),
    ("one head's rise for all", "proofs/score_noise.py", "return tuple(row[first] for row in covariance), 1 / covariance[first][first]", "return tuple(covariance[first][first] for row in covariance), 1 / covariance[first][first]"),
    ("a covariance that all keys have forgotten", "proofs/score_noise.py", "common = None if shared is None else _felt(heads, shared)", "common = None"),
    ("a key's own covariance forgotten", "proofs/score_noise.py", "own = _felt(heads, model.cov[j]) if model.cov is not None and model.cov.ndim == 3 else common", "own = common"),
    ("keys with a covariance of their own forgotten", "proofs/score_noise.py", "own = model.cov.any(axis=(1, 2)) if", "own = 0 * model.cov.any(axis=(1, 2)) > 0 if"),
    ("an asymmetric covariance accepted", "key_laws.py", "if (matrix != matrix.T).any():", "if False:"),
    ("any covariance accepted", "key_laws.py", "if matrix.any() and not is_semidefinite(matrix):", "if False:"),
    ("roundings of the factorisation forgotten", "semidefinite.py", "(d + 3) * 2.0**-51 * float(matrix.trace())", "0.0"),
    ("a zero on the diagonal beside other entries", "semidefinite.py", "return not any(map(any, rows))", "return True"),
    ("negative variances after elimination", "semidefinite.py", "if any(row[i] < 0 for i, row in enumerate(rows)):", "if False:"),
    ("uncounted in semidefinite: elimination", "semidefinite.py", "budget.spend(len(rows) ** 2 * (300 + 3 * budget.product(long, long)))", "pass"),
    ("uncounted in target_boxes: boxes", "proofs/target_boxes.py", "budget.spend(len(boxes) * (", "(lambda x: None)(len(boxes) * ("),
    ("uncounted in outsider_sums: steps", "proofs/outsider_sums.py", "budget.spend(len(weights) * (kept.size + len(kept) * size // 7 + 20 * size))", "pass"),
    ("masses of cells rounded up", "balls/normal.py", "max(0.0, float_below(least))", "max(0.0, 1.000001 * float_below(least))"),
    ("bounds of a growth exchanged", "balls/normal.py", "turned = (1 - 2.0**-52) / high, (1 + 2.0**-52) / low", "turned = (1 + 2.0**-52) / low, (1 - 2.0**-52) / high"),
)  # fmt: skip

TIERS: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

CALL_ROWS = RADIUS + BUDGET + SUBSPACE + COMPARISON + STORAGE + GAUSSIAN + TIERS
