"""Planted bugs of the rules behind radius, budget, subspace, comparison, storage, Gaussian claims, batches and saved designs.

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
    ("uncounted in no_smaller_error: shares", "proofs/no_smaller_error.py", "budget.spend((2 + len(self.goal.shares)) * balls.function_cost())", "pass"),
    # _save.py: designs within a norm
    ('a saved bound about another norm', "_save.py", 'if max_norm is not None and getattr(claim, "max_norm", getattr(claim, "norm", max_norm)) != max_norm:', 'if False:'),
    ('a saved query longer than its norm', "_save.py", 'if any(exact_squared_norm(query[None]) > most**2 for query in claim.heads.queries):', 'if False:'),
    ('a saved bound of an error in the place of a norm', "_save.py", 'kinds = _SHORTEST if max_norm is None else _WITHIN_A_NORM', 'kinds = _SHORTEST + _WITHIN_A_NORM'),
    ('a saved bound within a norm about other keys', "_save.py", 'tuple(part for part in _SHARED if part not in ("error", "gap"))', '()'),
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
    # all queries of a ball
    ("half of the diameter", "balls/worst_moves.py", "Fraction(longest) * unit / 4", "Fraction(longest) * unit / 8"),
    ("the diameter as float64 computes it", "balls/worst_moves.py", "(math.sqrt(max(largest, 0.0) + 6 * error) + _LOST + 2 * off) * (1 + 4 * _UNIT)", "math.sqrt(max(largest, 0.0))"),
    ("the longest move for the diameter", "balls/worst_moves.py", "squares[part, None] + squares - 2 * products", "squares[part, None] + 0 * products"),
    ("half of the spread", "balls/worst_moves.py", "unit**2).sqrt() / 2", "unit**2).sqrt() / 4"),
    ("the spread of all keys for some of them", "balls/worst_moves.py", "        if whole:\n", "        if True:\n"),
    ("weights bounded over the keys alone", "balls/worst_moves.py", "    for part in (keys, stored):\n        # The", "    for part in (keys,):\n        # The"),
    ("half of the weights", "balls/worst_moves.py", "lower(exact(n).log())", "lower(exact(2 * n).log())"),
    ("weights over the keys beyond the level alone", "balls/worst_moves.py", "sums = level[:, 0] + np.maximum", "sums = np.maximum"),
    ("products of one sign", "balls/worst_moves.py", "(np.abs(products) + error)", "(np.maximum(products, 0.0) + error)"),
    ("factors for the rows alone", "balls/worst_moves.py", "* factors / factors[part, None]", "* float(factors.min()) / factors[part, None]"),
    ("a ball however large the bound", "proofs/kept_on_ball.py", "if bound is not None and bound <= self.error:", "if bound is not None:"),
    ("a query from outside the ball refutes", "proofs/kept_on_ball.py", "balls.exact_squared_norm(query[None]) > self.max_norm**2", "False"),
    ("the key set that moves least", "proofs/kept_on_ball.py", "max(bound for bound in bounds if bound is not None)", "min(bound for bound in bounds if bound is not None)"),
    ("a ball without its scale", "proofs/kept_on_ball.py", "reach = self.scale * self.max_norm", "reach = self.max_norm"),
    ("first keys under the weights of all", "proofs/kept_on_ball.py", "whole=not self.causal", "whole=True"),
    ("any query refutes", "proofs/kept_on_ball.py", "if isinstance(verdict, Refuted):", "if True:"),
    ("a ball of no size", "proofs/kept_on_ball.py", "if getattr(self, name) <= 0:", "if False:"),
    ("uncounted in worst_moves: a ball of queries", "balls/worst_moves.py", "budget.spend(2 * n * n * (d // 8 + 40))", "pass"),
    ("uncounted in worst_moves (2): a ball of queries", "balls/worst_moves.py", "budget.hold(40 * min(n * n, _ENTRIES) + 24 * n * d)", "pass"),
    ("uncounted in number_types: codes", "number_types.py", "budget.spend(40 * array[:, tried].size)", "pass"),
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

BATCHES: tuple[tuple[str, str, str, str], ...] = (
    ("the lower bounds of a batch not looked at", "proofs/variation_of_each.py", "(low >= self.least) & (high <= self.most)", "(high <= self.most)"),
    ("the upper bounds of a batch not looked at", "proofs/variation_of_each.py", "(low >= self.least) & (high <= self.most)", "(low >= self.least)"),
    ("the lower bound of one key set not looked at", "proofs/variation_of_each.py", "if low >= 0 and high <= 0:", "if high <= 0:"),
    ("the upper bound of one key set not looked at", "proofs/variation_of_each.py", "if low >= 0 and high <= 0:", "if low >= 0:"),
    ("only the first open key set looked at", "proofs/variation_of_each.py", "(high <= self.most))).tolist():", "(high <= self.most)))[:1].tolist():"),
    ("another key set than the one that is open", "proofs/variation_of_each.py", "return Heads(self.keys[i], queries,", "return Heads(self.keys[0], queries,"),
    ("one query for all key sets", "proofs/variation_of_each.py", "queries = self.queries[i if len(self.queries) > 1 else 0]", "queries = self.queries[0]"),
    ("one goal for all key sets", "proofs/variation_of_each.py", "return self.goals[i if len(self.goals) > 1 else 0]", "return self.goals[0]"),
    ("the leak between the wrong ends", "proofs/variation_of_each.py", "(sums_out[end] + sums_in[other])", "(sums_out[end] + sums_in[end])"),
    ("the leak without the keys of the goal", "proofs/variation_of_each.py", "(sums_out[end] / (sums_out[end] + sums_in[other]))", "(sums_out[end] / (sums_out[end] + sums_out[other] + sums_in[other]))"),
    ("weights over the wrong end of their sum", "proofs/variation_of_each.py", "whole = sums_out[other] + sums_in[other]", "whole = sums_out[end] + sums_in[end]"),
    ("weights above their share not counted", "proofs/variation_of_each.py", "np.where(several, above, 0.0)", "0.0"),
    ("weights above the share of a single key counted", "proofs/variation_of_each.py", "np.where(several, above, 0.0)", "above"),
    ("heads mixed equally over a batch", "proofs/variation_of_each.py", "shares = np.array([float(share) for share in self.heads(0).shares])", "shares = np.full(h, 1 / h)"),
    ("key sets that float64 cannot hold taken as tied", "proofs/variation_of_each.py", "yield np.where(held, np.clip(variation, 0.0, 1.0), limit)", "yield np.clip(variation, 0.0, 1.0)"),
    ("radius of a batch's scores forgotten", "proofs/variation_of_each.py", "radii = (scale * radii) * (1 + 2.0**-49) + np.abs(x) * 2.0**-50", "radii = np.abs(x) * 2.0**-50"),
    ("rounding of a batch's differences forgotten", "proofs/variation_of_each.py", "(1 + 2.0**-49) + np.abs(x) * 2.0**-50", "(1 + 2.0**-49)"),
    ("radius of a batch's exponentials forgotten", "proofs/variation_of_each.py", "ends = np.maximum(powers - radii, 0.0), powers + radii", "ends = powers, powers"),
    ("the scale forgotten in a batch", "proofs/variation_of_each.py", "x = scale * (middle", "x = (middle"),
    ("the bound of a batch is that of its first key set", "proofs/variation_of_each.py", 'at_most("total variation", Fraction(float(self.most.max())))', 'at_most("total variation", Fraction(float(self.most[0])))'),
    ("the number type of the first key set alone", "proofs/variation_of_each.py", "for i in range(b if self.precision else 1):", "for i in range(1):"),
    ("goals beyond the keys of a batch", "proofs/variation_of_each.py", "            goal.check(n)\n", "            pass\n"),
    ("uncounted in variation_of_each: the batch", "proofs/variation_of_each.py", "budget.spend(b * n * (3 * d * (h + 1) + 100 * h))", "pass"),
    ("uncounted in variation_of_each: its memory", "proofs/variation_of_each.py", "budget.hold(80 * min(b, together) * n * max(d, h))", "pass"),
    ("a design's text left out of the digest", "proofs/certificate.py", "for text in (version, claim, design) if text is not None]", "for text in (version, claim)]"),
    ("arrays of a design without a design", "proofs/certificate.py", "{} if design is None else {name: stored.pop(name)", "{name: stored.pop(name)"),
    ("the error asked of a saved design not compared", "_save.py", 'if inputs.rational(fields["asked"], name="asked") != wanted:', "if False:"),
    ("the confidence of a saved design not compared", "_save.py", "if likely != (None if", "if False and likely != (None if"),
    ("a saved bound about other keys or goals", "_save.py", "if part in mine and not (part in theirs", "if False and not (part in theirs"),
    ("a saved bound about anything", "_save.py", "if claim.kind not in kinds:", "if False:"),
    ("fields beside a claim that it already holds", "_save.py", "if unknown := sorted(said.keys() - set(own)):", "if unknown := []:"),
    ("a design saved with the verdict of another", "_save.py", "if not np.array_equal(value, getattr(design, name)):", "if False:"),
)  # fmt: skip

CALL_ROWS = RADIUS + BUDGET + SUBSPACE + COMPARISON + STORAGE + GAUSSIAN + TIERS + BATCHES
