"""Planted bugs of the rules behind radius, budget, subspace, comparison, storage and Gaussian claims.

A table for `planted_bugs.py`, which plants them, one section for each kind of claim.
"""

# ruff: noqa: E501 - one row per bug reads better than one word per line

RADIUS: tuple[tuple[str, str, str, str], ...] = (
    ("a profile of another size accepted", "proofs/region.py", "own not in (1, size)", "False"),
    ("a negative profile accepted", "proofs/region.py", "((self.profile < 0).any() or not self.profile.any())", "not self.profile.any()"),
    ("a profile of zeros accepted", "proofs/region.py", "((self.profile < 0).any() or not self.profile.any())", "(self.profile < 0).any()"),
    ("keys that move differently taken as alike", "proofs/region.py", "return self.profile is None or len(self.profile) == 1", "return True"),
    ("profile per key forgotten in a score", "proofs/region.py", "return [balls.exact(own) * one for own in", "return [one for own in"),
    ("profile per channel forgotten in a score", "proofs/region.py", "return [Fraction(own) * c for own, c in zip(across, parts, strict=True)]", "return parts"),
    ("profile per key forgotten in a gap", "proofs/region.py", "return [Fraction(own) ** 2 * square for own in", "return [square for own in"),
    ("profile per key not squared in a gap", "proofs/region.py", "Fraction(own) ** 2 * square", "Fraction(own) * square"),
    ("power of two forgotten in an ellipsoid", "proofs/region.py", "unit = unit * balls.exact(Fraction(2) ** power)", "pass"),
    ("query not brought to the profile's unit", "proofs/region.py", "along = np.ldexp(query, -powers[1])", "along = query"),
    ("ellipsoid summed without its squares", "proofs/region.py", "(products * products).sum(axis=1)", "np.abs(products).sum(axis=1) ** 2 / d"),
    ("ellipsoid without its radius", "proofs/region.py", "return sizes, (d + 8) * 2.0**-52 * sizes + 2.0**-490, sum(powers)", "return sizes, 0 * sizes, sum(powers)"),
    ("exact ellipsoid by sums of profiles", "proofs/region.py", "((rows * rows) @ (q * q)).tolist()", "((rows @ abs(q)) ** 2).tolist()"),
    ("exact ellipsoid in the wrong unit", "proofs/region.py", "return numerators, Fraction(4) ** (lowest + q_exponent)", "return numerators, Fraction(2) ** (lowest + q_exponent)"),
    ("exact box without the size of the query", "proofs/region.py", "balls.exact_scores(self.profile, np.abs(query))", "balls.exact_scores(self.profile, query)"),
    ("box in float64 without the size of the query", "proofs/region.py", "balls.float_scores(self.profile, np.abs(query))", "balls.float_scores(self.profile, query)"),
    ("squared moves of a box not squared", "proofs/region.py", "return [unit * (unit_of_sums * total) ** 2 for total in sums]", "return [unit * unit_of_sums * total for total in sums]"),
    ("counterexample measured without its profile", "proofs/region.py", "limit = np.nextafter(limit * self.profile, 0.0)", "pass"),
    ("counterexample in an ellipsoid measured by its largest part", "proofs/region.py", "(parts * parts).sum(axis=1).max()", "(parts * parts).max()"),
    ("a key that stays may move in a counterexample", "proofs/region.py", "parts = np.where(size > 0, np.nextafter(size / limit, np.inf), 0.0)", "parts = np.where((size > 0) & (limit > 0), np.nextafter(size / limit, np.inf), 0.0)"),
    ("raised keys not raised", "proofs/region.py", "return e * self._factors[j], e / self._factors[j]", "return e, e / self._factors[j]"),
    ("lowered keys not lowered", "proofs/region.py", "return e * self._factors[j], e / self._factors[j]", "return e * self._factors[j], e"),
    ("outsiders not raised", "proofs/region.py", "return balls.total([e * factor for", "return balls.total([e for"),
    ("the first move for the widest", "proofs/region.py", "most = most.max(move)", "pass"),
    ("members in a fixed order though they move differently", "proofs/withstands.py", "return self.region.alike or len(self.heads.queries) > 1 or", "return True or"),
    ("the least g of a group", "proofs/withstands.py", "key=lambda i: g[i].upper(), reverse=True)[:count]", "key=lambda i: g[i].upper())[:count]"),
    ("members worth what they are raised to", "proofs/withstands.py", "g = [up + c * (down - up) for up, down in ends]", "g = [down for up, down in ends]"),
    ("the chosen vertex taken for the bound", "proofs/withstands.py", "yield reached.union(bound) - wanted", "yield reached - wanted"),
    ("a bound below zero over the smaller sum", "proofs/withstands.py", "bound = c + over / (lowest if over.upper() > 0 else highest)", "bound = c + over / (highest if over.upper() > 0 else lowest)"),
    ("the chosen g by their midpoints", "proofs/withstands.py", "most = balls.total([g[i].upper() for i in chosen])", "most = balls.total([g[i].mid() for i in chosen])"),
    ("lowered members forgotten", "proofs/withstands.py", "lowest = [low + head.ends(key)[1] for low, head in zip(lowest, heads, strict=True)]", "pass"),
    ("contenders of a gap without their moves", "proofs/top_gap.py", "if self.region is not None and not self.region.alike:", "if False:"),
    ("a member that falls less than another", "proofs/top_gap.py", "if root_sign(ahead, squares[k], -squares[best]) > 0:", "if ahead > 0:"),
    ("the last square root forgotten", "proofs/top_gap.py", "sign(rest) * sign(rest * rest - abs(cross))", "sign(rest)"),
    ("a difference of roots by the wrong sign", "proofs/top_gap.py", "roots = sign(p + q) if p * q < 0 else sign(p) or sign(q)", "roots = sign(p) or sign(q)"),
    ("stored keys of a gap not checked", "proofs/top_gap.py", "if keys is None or not isinstance(TopGap(self.heads.replace_keys(keys), self.top, self.gap).prove(), Refuted):", "if keys is None:"),
    ("moves of the wanted key forgotten", "proofs/none_withstands.py", "reach = [t * (s + whole * balls.exact(p)) for s, p in", "reach = [t * (s + whole * balls.exact(0)) for s, p in"),
    ("what moves take off counted twice", "proofs/none_withstands.py", "over = [abs(x) - w for x, w in", "over = [abs(x) - 2 * w for x, w in"),
    ("length of a ball counted twice off", "proofs/none_withstands.py", "return (size - reach[0]).max(0), bool(size <= reach[0])", "return (size - 2 * reach[0]).max(0), bool(size <= 2 * reach[0])"),
    ("a point outside the ellipsoid", "proofs/none_withstands.py", "shrunk = 1 / size.upper().max(1)", "shrunk = 2 / size.upper().max(1)"),
    ("nothing left though something is", "proofs/none_withstands.py", "all(x <= 0 for x in over)", "any(x <= 0 for x in over)"),
    ("inside the ellipsoid by one axis", "proofs/none_withstands.py", "if all(w > 0 or x == 0 for x, w in pairs) and", "if"),
    ("a left side below zero", "proofs/none_withstands.py", "if not bound.left > 0:", "if False:"),
    ("a short length for none at all", "proofs/none_withstands.py", "                    if bound.short:\n", "                    if True:\n"),
    ("scale forgotten in a norm that withstands", "proofs/none_withstands.py", "balls.exact(self.scale * self.least) * bound.length", "balls.exact(self.least) * bound.length"),
    ("entropy with the wrong sign", "proofs/none_withstands.py", "left = whole * (whole.log() - odds) - logs", "left = whole * (whole.log() - odds) + logs"),
    ("any goal taken for a copy", "proofs/none_withstands.py", "if len(self.goal.indices) != 1:", "if False:"),
    ("a negative witness accepted", "proofs/none_withstands.py", "if (self._used() < 0).any() or not self._used().any():", "if not self._used().any():"),
    ("uncounted in region: a profile per key", "proofs/region.py", "budget.spend(2 * len(self.profile) * balls.unit_cost())", "pass"),
    ("uncounted in region: a profile per channel", "proofs/region.py", "budget.spend(len(parts) * budget.product(2200, 2200))", "pass"),
    ("uncounted in region: an entry's ball", "proofs/region.py", "budget.spend(len(self.profile) * balls.unit_cost())", "pass"),
    ("uncounted in region: factors", "proofs/region.py", "budget.spend(len(self.moves) * balls.function_cost())", "pass"),
    ("uncounted in region: raised", "proofs/region.py", "budget.spend(len(self._factors) * balls.unit_cost())", "pass"),
    ("uncounted in region: both ends", "proofs/region.py", "budget.spend(2 * len(row) * balls.unit_cost())", "pass"),
    ("uncounted in region: gap of keys", "proofs/region.py", "budget.spend(len(rows) * 4 * budget.product(budget.bits(square), 2200))", "pass"),
    ("uncounted in region: gap of entries", "proofs/region.py", "budget.spend(len(rows) * 6 * budget.product(4400, 4400))", "pass"),
    ("uncounted in region: exact ellipsoids", "proofs/region.py", "budget.spend(self.profile.size * budget.product(4400, 4400))", "pass"),
    ("uncounted in withstands: sorted members", "proofs/withstands.py", "budget.spend(5000 + 12 * len(ends) * (100 + balls.unit_cost()))", "pass"),
    ("uncounted in top_gap: comparisons", "proofs/top_gap.py", "budget.spend(len(rows) * 12 * budget.product(4400, 4400))", "pass"),
    ("uncounted in none_withstands: logarithms", "proofs/none_withstands.py", "budget.spend(len(u) * (balls.function_cost() + 4 * balls.unit_cost()))", "pass"),
    ("uncounted in none_withstands: multipliers", "proofs/none_withstands.py", "budget.spend(6 * len(v) * balls.unit_cost())", "pass"),
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
)  # fmt: skip

TIERS: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

CALL_ROWS = RADIUS + BUDGET + SUBSPACE + COMPARISON + STORAGE + GAUSSIAN + TIERS
