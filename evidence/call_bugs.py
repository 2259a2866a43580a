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
    ("compared rows: scores without their radius", "balls/compared_rows.py", "eta, tail = (seen + 8) * _UNIT, sums.rho + 2.0**-41,", "eta, tail = (seen + 8) * _UNIT, 2.0**-41,"),
    ("compared rows: moves without their radius", "balls/compared_rows.py", "1.01 * move + (0.0 if near else 2.0**-41)", "0.0 * move + (0.0 if near else 2.0**-41)"),
    ("compared rows: sums without their rounding", "balls/compared_rows.py", "    nu, eta, tail = (seen + 8) * _UNIT,", "    nu, eta, tail = 8 * _UNIT,"),
    ("compared rows: the radius of a dot product, one norm forgotten", "balls/compared_rows.py", "(d + 12) * _UNIT * sizes * largest +", "(d + 12) * _UNIT * sizes +"),
    ("compared rows: the radius of the first key instead of the largest", "balls/compared_rows.py", "norms_above(rows).max()", "norms_above(rows)[0]"),
    ("compared rows: the denominators without any error", "balls/compared_rows.py", "off_below = ((eta + 2 * nu) * (total + weight) + (1 + eta) * moves) * _MORE + tail", "off_below = 0 * spread"),
    ("compared rows: the spread without the moves' error", "balls/compared_rows.py", "2 * (1 + eta) * moves + nu", "nu"),
    ("compared rows: the spread without the weights' error", "balls/compared_rows.py", "off = (2 * eta * spread +", "off = ("),
    ("compared rows: the mean's rounding", "balls/compared_rows.py", "nu * (weight + 2 * middle)) * _MORE", "0 * middle) * _MORE"),
    ("compared rows: moves of lighter keys alone", "balls/compared_rows.py", "sums.move * (total + weight)", "sums.move * weight"),
    ("compared rows: half a variation", "balls/compared_rows.py", "(spread + off) / (2 * least)", "(spread + off) / (4 * least)"),
    ("compared rows: a whole variation below", "balls/compared_rows.py", "- off) / (2 * most)", "- off) / most"),
    ("compared rows: overflow taken for a result", "balls/compared_rows.py", "    sound = sums.sound & (least > 0)", "    sound = least > 0"),
    ("compared rows: a causal query sees one key more", "balls/compared_rows.py", "first = n - m + start + 1 if causal else n", "first = n - m + start + 2 if causal else n"),
    ("compared rows: a causal block ends one key early", "balls/compared_rows.py", "seen = n - m + stop if causal else n", "seen = n - m + stop - 1 if causal else n"),
    ("compared rows: hidden keys keep their weight", "balls/compared_rows.py", "    exp2(s, *spare)\n    s[:, last:][hidden] = 0.0\n", "    exp2(s, *spare)\n"),
    ("compared rows: hidden keys may win", "balls/compared_rows.py", "s[:, last:][hidden], g[:, last:][hidden] = -np.inf, 0.0", "g[:, last:][hidden] = 0.0"),
    ("compared rows: far scores wrap around", "balls/compared_rows.py", "    if not farthest <= -_LOWEST:", "    if farthest < 0:"),
    ("compared rows: far moves wrap around", "balls/compared_rows.py", "        if not (most <= -_LOWEST and least >= _LOWEST):", "        if most < least:"),
    ("compared rows: keys of no weight may win", "balls/compared_rows.py", "        if most > _HIGHEST:", "        if most < 0:"),
    ("compared rows: large moves taken for small ones", "balls/compared_rows.py", "_NEAR = 0.25", "_NEAR = 25.0"),
    ("compared rows: a winner by less than rounding", "balls/compared_rows.py", "alone = s.max(axis=1) < -3 * rho", "alone = s.max(axis=1) < 0 * rho"),
    ("compared rows: a new winner by less than rounding", "balls/compared_rows.py", "spare.max(axis=1), 3 * (rho + move)", "spare.max(axis=1), 0 * (rho + move)"),
    ("compared rows: an overtaken winner is kept", "balls/compared_rows.py", "usable & (own - others > sure)", "usable & (others - own < 50)"),
    ("compared rows: a winner that leads is changed", "balls/compared_rows.py", "usable & (others - own > sure)", "usable & (own - others > sure)"),
    ("compared rows: outputs without the error of the weights", "balls/compared_rows.py", "slack = ((off + nu * spread) * size +", "slack = ((nu * spread) * size +"),
    ("compared rows: changed values without their error", "balls/compared_rows.py", "(off_below + 2 * nu * (total + weight)) * other", "0.0 * other"),
    ("compared rows: changed values forgotten", "balls/compared_rows.py", "return change + s @ other[:seen],", "return change,"),
    ("compared rows: changed values under the old weights", "balls/compared_rows.py", "    s *= (1 + sums.shift / sums.total)[:, None]\n    s += g\n", ""),
    ("compared rows: equal keys, whatever the values", "balls/compared_rows.py", "if not moves.any() and (other is None or not other.any()):", "if not moves.any():"),
    ("compared rows: a scale beyond the floats", "balls/compared_rows.py", "if Fraction(2) ** -500 < factor < Fraction(2) ** 500 else math.inf", "if factor < Fraction(2) ** 500 else math.inf"),
    ("compared rows: infinite outputs left as they are", "balls/compared_rows.py", "    usable = sound & np.isfinite(above)\n", "    usable = sound\n"),
    ("powers: the integer part forgotten", "balls/powers.py", "    result += bits\n", ""),
    ("powers: four squarings of five", "balls/powers.py", "    for _ in range(4):", "    for _ in range(3):"),
    ("powers: a polynomial one degree short", "balls/powers.py", "_POWER[4:0:-1]", "_POWER[3:0:-1]"),
    ("powers: too few terms for small moves", "balls/powers.py", "> 2.0**-43:", "> 2.0**-30:"),
    ("attention kept: the first query of a head alone", "proofs/attention_kept.py", "            within = high <= line\n", "            within = high <= max(line, float(high[-1]))\n"),
    ("attention kept: the first head alone", "proofs/attention_kept.py", "for head in range(len(self.queries)):", "for head in range(1):"),
    ("attention kept: every head reads the first key set", "proofs/attention_kept.py", "return head // (len(self.queries) // len(self.keys))", "return 0"),
    ("attention kept: the error rounded up", "proofs/attention_kept.py", "line = balls.float_below(self.error)", "line = 1.001 * balls.float_below(self.error)"),
    ("attention kept: an open query is let through", "proofs/attention_kept.py", "                failing = head, row\n", "                pass\n"),
    ("attention kept: a refuted query is let through", "proofs/attention_kept.py", "            elif judged[0]:", "            elif judged[1] >= 0:"),
    ("attention kept: exactly, a causal query sees one key more", "proofs/attention_kept.py", "seen = n - m + row + 1 if self.causal else n", "seen = min(n - m + row + 2, n) if self.causal else n"),
    ("attention kept: exactly, outputs compared with the error itself", "proofs/attention_kept.py", "error = self.error if self.values is None else self.error**2", "error = self.error"),
    ("attention kept: exactly, half of the variation's half", "proofs/attention_kept.py", "zip(e, f, strict=True)]), 2 * a * b", "zip(e, f, strict=True)]), 4 * a * b"),
    ("attention kept: exactly, moves without their size", "proofs/attention_kept.py", "abs(x * b - y * a)", "(x * b - y * a)"),
    ("attention kept: exactly, the old values for the new", "proofs/attention_kept.py", "new = old if self.stored_values is None else self.stored_values[own, :seen]", "new = old"),
    ("attention kept: exactly, weights not normalised", "proofs/attention_kept.py", "before, after = [x * b for x in e], [y * a for y in f]", "before, after = list(e), list(f)"),
    ("attention kept: more queries than keys", "proofs/attention_kept.py", "if self.causal and m > n:", "if self.causal and m > 9 * n:"),
    ("attention kept: a group that does not divide", "proofs/attention_kept.py", "        if heads % sets:", "        if heads < sets:"),
)  # fmt: skip

STORAGE: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

GAUSSIAN: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

TIERS: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

CALL_ROWS = RADIUS + BUDGET + SUBSPACE + COMPARISON + STORAGE + GAUSSIAN + TIERS
