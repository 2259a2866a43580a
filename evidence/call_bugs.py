"""Planted bugs of the rules behind radius, budget, subspace, comparison, storage and Gaussian claims.

A table for `planted_bugs.py`, which plants them, one section for each kind of claim.
"""

# ruff: noqa: E501 - one row per bug reads better than one word per line

RADIUS: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

BUDGET: tuple[tuple[str, str, str, str], ...] = (
    # proofs/no_smaller_error.py
    ("the norm allowed forgotten", "proofs/no_smaller_error.py", "sums.entropy - balls.exact(self.scale * self.max_norm) * sums.length", "sums.entropy - balls.exact(self.scale) * sums.length"),
    ("the scale of an error within a norm forgotten", "proofs/no_smaller_error.py", "balls.exact(self.scale * self.max_norm) * sums.length", "balls.exact(self.max_norm) * sums.length"),
    ("the pull of a query on the bound added", "proofs/no_smaller_error.py", "sums.entropy - balls.exact(self.scale * self.max_norm)", "sums.entropy + balls.exact(self.scale * self.max_norm)"),
    ("the pull of a query on the bound forgotten", "proofs/no_smaller_error.py", "sums.entropy - balls.exact(self.scale * self.max_norm) * sums.length", "sums.entropy"),
    ("ratio terms of an error within a norm added", "proofs/no_smaller_error.py", "gained = gained - balls.exact(float(self.witness[a]))", "gained = gained + balls.exact(float(self.witness[a]))"),
    ("ratio terms of an error within a norm forgotten", "proofs/no_smaller_error.py", "for a, share in zip(self.goal.indices[1:], self.goal.shares[1:], strict=True):", "for a, share in ():"),
    ("ratio of the wrong share within a norm", "proofs/no_smaller_error.py", "log(share / self.goal.shares[0])", "log(share / self.goal.shares[-1])"),
    ("entropy not divided by the weight", "proofs/no_smaller_error.py", "(-gained / sums.weight).exp()", "(-gained).exp()"),
    ("log-odds of the wrong sign", "proofs/no_smaller_error.py", "(-gained / sums.weight).exp()", "(gained / sums.weight).exp()"),
    ("share of the first target forgotten in a leak", "proofs/no_smaller_error.py", ".exp() / balls.exact(self.goal.shares[0])", ".exp()"),
    ("share of the first target on the wrong side of a leak", "proofs/no_smaller_error.py", ".exp() / balls.exact(self.goal.shares[0])", ".exp() * balls.exact(self.goal.shares[0])"),
    ("odds taken for a leak", "proofs/no_smaller_error.py", "1 / (1 + (-gained / sums.weight).exp()", "1 / ((-gained / sums.weight).exp()"),
    ("a witness of ratios shows with equality", "proofs/no_smaller_error.py", "balls.exact(1 if gained > 0 else 0)", "balls.exact(1 if gained >= 0 else 0)"),
    ("a witness of ratios shows what is not certain", "proofs/no_smaller_error.py", "balls.exact(1 if gained > 0 else 0)", "balls.exact(0 if gained <= 0 else 1)"),
    ("weights outside count as ratios alone", "proofs/no_smaller_error.py", "if self._outside().any():", "if False:"),
    ("any error passes for proved", "proofs/no_smaller_error.py", "if bound >= balls.exact(self.error):", "if True:"),
    ("an error a ball may reach passes for proved", "proofs/no_smaller_error.py", "if bound >= balls.exact(self.error):", "if not bound < balls.exact(self.error):"),
    ("an error of 1 holds by nature", "proofs/no_smaller_error.py", "if self.error == 0:", "if self.error in (0, 1):"),
    ("a small error holds by nature", "proofs/no_smaller_error.py", "if self.error == 0:", "if self.error < Fraction(1, 2):"),
    ("negative weights of a witness within a norm", "proofs/no_smaller_error.py", "if (self._outside() < 0).any():", "if False:"),
    ("weights on the support count as outside", "proofs/no_smaller_error.py", "outside[list(self.goal.indices)] = 0.0", "outside[self.goal.indices[0]] = 0.0"),
    ("an error beyond 1 is claimed", "proofs/no_smaller_error.py", "if not 0 <= self.error <= 1:", "if not 0 <= self.error:"),
    ("a norm that is not positive", "proofs/no_smaller_error.py", '("max_norm", self.max_norm), ("scale", self.scale)', '("scale", self.scale),'),
    ("a scale that is not positive within a norm", "proofs/no_smaller_error.py", '("max_norm", self.max_norm), ("scale", self.scale)', '("max_norm", self.max_norm),'),
    ("keys that are not of their label within a norm", "proofs/no_smaller_error.py", 'need_stored(self.keys, self.precision, name="keys")', "pass"),
    ("an error within a norm is stated of another", "proofs/no_smaller_error.py", 'else at_least("error", self.error, 12)', 'else at_least("error", 2 * self.error, 12)'),
    ("sums of another claim kept", "proofs/no_smaller_error.py", 'vars(other)["_first"] = self._first', 'vars(other)["_first"] = self._first and self._first._replace(length=0 * self._first.length)'),
)  # fmt: skip

SUBSPACE: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

COMPARISON: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

STORAGE: tuple[tuple[str, str, str, str], ...] = (
    ("any column passes for stored codes", "number_types.py", "fits[tried] = (nearest * scale[tried] == array[:, tried]).all(axis=0)", "fits[tried] = True"),
    ("one stored number vouches for its column", "number_types.py", "== array[:, tried]).all(axis=0)", "== array[:, tried]).any(axis=0)"),
    ("any scale passes for a float16 one", "number_types.py", "(_nearest(scale, half) == scale)", "(scale == scale)"),
    ("a scale beyond float16", "number_types.py", " & (scale < 2.0**half.highest))", ")"),
    ("codes of one bit more", "number_types.py", "np.arange(1.0 - 2 ** (bits - 1), 2 ** (bits - 1))", "np.arange(1.0 - 2**bits, 2**bits)"),
    ("the least code has no opposite", "number_types.py", "np.arange(1.0 - 2 ** (bits - 1), 2 ** (bits - 1))", "np.arange(-(2.0 ** (bits - 1)), 2 ** (bits - 1))"),
    ("a level of nf4 moved", "number_types.py", "0.33791524171829224", "0.33791524171829235"),
    ("e4m3 up to 480", "number_types.py", "_Type(4, -9, 9, 448.0)", "_Type(4, -9, 9, 480.0)"),
    ("e4m3 with smaller numbers than it has", "number_types.py", "_Type(4, -9, 9, 448.0)", "_Type(4, -10, 9, 448.0)"),
    ("e5m2 with a bit more", "number_types.py", "_Type(3, -16, 16, 57344.0)", "_Type(4, -16, 16, 57344.0)"),
    ("e5m2 beyond its largest number", "number_types.py", "_Type(3, -16, 16, 57344.0)", "_Type(3, -16, 16, 65536.0)"),
    ("queries in float64 carry the label of a number type", "proofs/heads.py", "if self.precision in PRECISIONS:\n", "if False:\n"),
    ("the sentence calls queries stored that are not", "proofs/heads.py", '"keys and queries" if self.precision in PRECISIONS else "keys"', '"keys and queries"'),
    ("the middle between two codes is missed", "_stored.py", "split > above", "split > above + scales"),
    ("ties to the odd code", "_stored.py", "(split == above) & ~even", "(split == above) & even"),
    ("scales that are not float16", "_stored.py", 'return round_to(wanted, "float16"), ', "return wanted, "),
)  # fmt: skip

GAUSSIAN: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

TIERS: tuple[tuple[str, str, str, str], ...] = (
    # balls/scores.py: sums over rows, and queries that are known exactly
    ("depth of a sum without its groups", "balls/scores.py", "depth = min(n, _GROUP) + ", "depth = "),
    ("radius of the signed sum of rows", "balls/scores.py", "_add_groups(np.abs(weights[some]), np.abs(apart, out=apart), sizes[first:])", "_add_groups(weights[some], apart, sizes[first:])"),
    ("rounding of a difference forgotten", "balls/scores.py", "(depth + 8) * 2.0**-53 * size", "(depth - 3) * 2.0**-54 * size"),
    ("underflow of a sum forgotten", "balls/scores.py", "2.0**-53 * size + flushed", "2.0**-53 * size"),
    ("rows of the last group forgotten", "balls/scores.py", "sums[whole] = weights[whole * _GROUP :] @ rows[whole * _GROUP :]", "sums[whole] = 0.0"),
    ("odd row of a sum in pairs forgotten", "balls/scores.py", "rows = added if len(rows) == 2 * half else np.vstack([added, rows[-1:]])", "rows = added"),
    ("origin of a sum forgotten", "balls/scores.py", "np.subtract(keys[some], origin, out=", "np.subtract(keys[some], 0 * origin, out="),
    ("exponent of a rounded query forgotten", "balls/scores.py", "[_nearest(number * unit) for", "[_nearest(number * Fraction(1)) for"),
    ("exponent of an exact query forgotten", "balls/scores.py", "return numerators, k_exponent + q_exponent", "return numerators, k_exponent"),
    # balls/float_log.py: logarithms and entropies in float64
    ("a term of the logarithm left out", "balls/float_log.py", "for i in range(11))", "for i in range(7))"),
    ("the low part of ln 2 forgotten in a logarithm", "balls/float_log.py", "(k * LN2_LOW + 2 * s * power)", "2 * s * power"),
    ("rounding of the logarithms forgotten", "balls/float_log.py", "size * 2.0**-48 + ", "0 * 2.0**-48 + "),
    ("logarithms of both signs cancel in the radius", "balls/float_log.py", "math.fsum(np.abs(terms).tolist())", "abs(math.fsum(terms.tolist()))"),
    ("underflow of an entropy forgotten", "balls/float_log.py", " + len(weights) * 2.0**-1073", ""),
    ("rounding of a total forgotten", "balls/float_log.py", "[size * 2.0**-52]", "[0.0]"),
    ("overflow of an entropy not noticed", "balls/float_log.py", "if not used.max() <= _LARGEST:", "if False:"),
    # proofs/gibbs_sums.py, no_shorter.py: the float64 sums of a witness
    ("weights of the support count as leak", "proofs/gibbs_sums.py", "outside[list(support)] = 0.0", "outside[support[0]] = 0.0"),
    ("only some keys of a witness", "proofs/gibbs_sums.py", "rows = np.flatnonzero(used)\n    if not", "rows = np.flatnonzero(used > used.max() / 2)\n    if not"),
    ("uncounted in scores: sums of rows", "balls/scores.py", "budget.spend(4 * n * d)", "pass"),
    ("uncounted in float_log: logarithms", "balls/float_log.py", "budget.spend(350 * len(weights))", "pass"),
    ("uncounted in gibbs_sums: exact logarithms", "proofs/gibbs_sums.py", "budget.spend(len(weights) * balls.function_cost() + len(used) * balls.unit_cost())", "pass"),
    ("uncounted in gibbs_sums: length", "proofs/gibbs_sums.py", "budget.spend(4 * len(v) * balls.unit_cost())", "pass"),
    ("the sums of another witness", "proofs/no_shorter.py", "return gibbs_sums(self.keys, self.goal.indices, self.witness)", "return gibbs_sums(self.keys, self.goal.indices, np.abs(self.witness))"),
)  # fmt: skip

CALL_ROWS = RADIUS + BUDGET + SUBSPACE + COMPARISON + STORAGE + GAUSSIAN + TIERS
