"""Soundness bugs planted one at a time in a copy of the sources; the tests of the trusted base must catch each.

A bug is one replaced piece of text, which must stand exactly once in its file, so that the table cannot silently fall behind
the sources. The result names, for each bug, the first test that failed. Bugs of the prover of families (`prover_bugs.py`) run the
prover's own tests only, which take less than a minute. A test that fails without any bug too has caught nothing, and is named.
A bug whose tests met a bound on time or memory has no result: it is named with the reason, and a later run plants it again.
"""

# ruff: noqa: E501 - one row per bug reads better than one word per line

from __future__ import annotations

import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from evidence.call_bugs import CALL_ROWS
from evidence.fork_server import Copy, Outcome
from evidence.partial import Partial
from evidence.program_bugs import PROGRAM_ROWS
from evidence.prover_bugs import ROWS
from evidence.walk_bugs import WALK_ROWS

CLAIM = "30 or more planted soundness bugs, each caught by the tests"
ROOT = Path(__file__).parents[1]
# The trusted base, and the reader of formulas: bugs are planted there, and their tests must catch them.
PARTS = ("kernel/**/*.py", "theories/**/*.py", "reading/formulas/*.py", "search/least_norm/*.py")
TESTS = (
    "tests/balls",
    "tests/proofs",
    "tests/judging",
    "tests/test_inputs.py",
    "tests/test_frozen.py",
    "tests/test_verdict.py",
    "tests/test_key_models.py",
    "tests/test_stored.py",
    "tests/test_program.py",
    "tests/test_saved_designs.py",
    "tests/test_semidefinite.py",
    "tests/test_goals.py",
    "tests/test_budget.py",
    "tests/test_toml_files.py",
    "tests/evidence/test_soundness_subset.py",
)
PROVER = (
    "theories/formulas/",
    "reading/formulas/",
    "kernel/balls/ball_matrices.py",
)
STOPPED = "pytest itself stopped"
HINTED, ALL = 300, 3600  # seconds for a few tests that are likely to fail, and for all
OF_THE_PROVER = {row[0] for row in ROWS}
PROVER_TESTS = ("tests/prover", "tests/formulas", "tests/balls/test_rational_functions.py")

TESTED_WITH = {
    "grammar": "grammar readings",
    **dict.fromkeys(["marks", "products", "part_readings", "kinds", "symbols", "read"], "readings"),
    "cursor": "grammar",
    "plain_text": "notations",
    "tokens": "grammar readings notations",
    "conditions": "trailing_conditions",
    "words": "none",
    "score_noise": "gaussian_probability",
    "score_box": "with_probability",
    **dict.fromkeys(("within_error", "withstands", "weight_bound", "heads", "claim"), "claims"),
    "block_identities": "block_equivariant",
    "key_laws": "key_models",
    "exact_inputs": "inputs",
    **dict.fromkeys(("program_steps", "program_meaning", "program_text"), "program needs_later"),
    "pickling": "inputs",
    "gap_norm": "top_gap",
    "bounded_polynomials": "rational_functions",
    "result": "outcome",
    "row_sets": "rows_apart",
    "gibbs": "out_of_reach goals_contradict",
    "gibbs_sums": "gibbs_sums no_shorter no_smaller_error",
    "claim": "parts",
    "serves_family": "serves_family false_families serves_eventually members",
    **dict.fromkeys(("members", "weights"), "members serves_keys"),
    "at_numbers": "serves_keys low_rank_formula layer_outputs",
    **dict.fromkeys(("family", "regions"), "members serves_family false_families"),
    "exponentials": "exponentials members",
    "limits": "serves_eventually",
    "scalars": "points",
    "fold": "points spans words log_forms",
    "elementary": "log_forms spans growth",
    "matrix_forms": "spans words log_forms",
    **dict.fromkeys(("ranges", "signs"), "inequality signs log_forms"),
    "ball_matrices": "points",
    **dict.fromkeys(
        ("program_walk", "program_scores", "program_heads", "program_units", "program_steps", "program_values"),
        "runs_program",
    ),
    **dict.fromkeys(("design", "design_record", "save"), "design saved_designs"),
}


class Bug(NamedTuple):
    name: str
    file: str
    right: str
    wrong: str


BUGS = (
    # kernel/balls/ball.py: ways in and out of balls
    Bug("nearest instead of outward float", "kernel/balls/ball.py", "else math.nextafter(nearest, math.inf)", "else nearest"),
    Bug("decimal rounded inward", "kernel/balls/ball.py", "math.ceil(value / unit)", "math.floor(value / unit)"),
    Bug("decimal rounded to nearest", "kernel/balls/ball.py", "math.ceil(value / unit)", "round(value / unit)"),
    Bug("upper end is the midpoint", "kernel/balls/ball.py", "_endpoint(ball.upper(), above=True)", "_endpoint(ball.mid(), above=True)"),
    Bug("lower end is the midpoint", "kernel/balls/ball.py", "_endpoint(ball.lower(), above=False)", "_endpoint(ball.mid(), above=False)"),
    Bug("tiny upper end becomes zero", "kernel/balls/ball.py", "return _TINY if above else Fraction(0)", "return Fraction(0)"),
    Bug("rational through a float", "kernel/balls/ball.py", "return arb(value.numerator) / value.denominator", "return arb(float(value))"),
    Bug("dropped radius", "kernel/balls/ball.py", "[arb(mid, rad) for", "[arb(mid) for"),
    # theories/formulas/: what an attack with independent checkers found
    Bug("conditions of a factor of 0 forgotten", "theories/formulas/forms/matrix_forms.py", "where = LogForm.number(0).within(*coefficients.values(), *(part.where for part in parts))", "where = LogForm.number(0).within(*coefficients.values())"),
    Bug("conditions of M^0 forgotten", "theories/formulas/forms/fold.py", "return do.added(do.constant(\"I\"), do.multiplied(do.number(Fraction(0)), base))", "return do.constant(\"I\")"),
    Bug("dot of two rows is a matrix", "theories/formulas/forms/fold.py", "if shape is None or shape[1] != 1 or shapes[1] != shape:", "if shape is None or shapes[1] != shape:"),
    Bug("inverse of a coefficient that may be 0", "theories/formulas/forms/matrix_forms.py", "LogForm.number(1) / a.coefficient(*word))], a.shape)", "LogForm(LogForm.number(1).function / a.coefficient(*word).function, a.coefficient(*word).atoms))], a.shape)"),
    Bug("no power of a negative form", "theories/formulas/forms/elementary.py", "if value is None and sign(base, ranges) != 1:", "if value is None and sign(base, ranges) == 7:"),
    Bug("no absolute value of 0", "theories/formulas/forms/elementary.py", "return (form * turn).needing(NONNEGATIVE), turn", "return (form * turn).needing(POSITIVE), turn"),
    Bug("no third root of 0", "theories/formulas/forms/elementary.py", "and value > 0 and base.is_zero():", "and value < 0 and base.is_zero():"),
    Bug("no pseudo-inverse of a singular matrix", "theories/formulas/forms/fold.py", "with suppress(Misfit, OutOfClass, ZeroDivisionError):", "with suppress(OutOfClass):"),
    Bug("no power of a negative ball", "theories/formulas/forms/scalars.py", "if not isinstance(exponent, Fraction) and not ball(base) > 0:", "if exponent is None:"),
    Bug("same queries by the signs for eps < 1", "theories/formulas/families/serves_family.py", "first, second = self.queries.coefficients(fixed)", "first, second = self.queries.coefficients({})"),
    Bug("two heads among leaning keys", "theories/formulas/families/family.py", "if self.leaning and self.heads != 1:", "if self.leaning and self.heads == 7:"),
    Bug("a number of keys cut down to a whole one", "theories/formulas/families/regions.py", "if value.denominator > 1:", "if value.denominator < 1:"),
    Bug("root of the least n rounded up", "theories/formulas/families/regions.py", "if middle**power <= scaled else", "if middle**power <= 2 * scaled else"),
    Bug("large symbols below 0", "theories/formulas/families/serves_family.py", "all(x > 0 for x in large.values())", "all(x != 0 for x in large.values())"),
    # kernel/balls/scores.py: scores with their rounding
    Bug("radius without the dimension", "kernel/balls/scores.py", "(d + 4) * 2.0**-52 * size", "2.0**-54 * size"),
    Bug("radius of the signed sum", "kernel/balls/scores.py", "= rows @ np.abs(q)", "= np.abs(keys[some] @ q)"),
    Bug("underflow forgotten", "kernel/balls/scores.py", "2.0**-52 * size + flushed", "2.0**-52 * size"),
    Bug("overflow not noticed", "kernel/balls/scores.py", "if not (np.isfinite(midpoints).all() and np.isfinite(radii).all()):", "if False:"),
    Bug("exact scores lose bits", "kernel/balls/scores.py", ".astype(np.int64).astype(object)", ".astype(np.float32).astype(np.int64).astype(object)"),
    Bug("exact scores of a zero entry", "kernel/balls/scores.py", "exponents[mantissas != 0].min(initial=0)", "exponents[mantissas != 0].max(initial=0)"),
    # kernel/balls/tiers.py: exponentials
    Bug("scale forgotten in the first tier", "kernel/balls/tiers.py", "x = scale * (midpoints - midpoints.max())", "x = midpoints - midpoints.max()"),
    Bug("rounding of the differences forgotten", "kernel/balls/tiers.py", " + np.abs(x) * 2.0**-50", ""),
    # kernel/balls/float_exp.py and tables.py: exponentials in float64
    Bug("a term of the series left out", "kernel/balls/float_exp.py", "for i in range(14))", "for i in range(9))"),
    Bug("radius of the score forgotten", "kernel/balls/float_exp.py", "(2.0**-45 + 1.25 * radius)", "(2.0**-45 + 0 * radius)"),
    Bug("rounding of the exponential forgotten", "kernel/balls/float_exp.py", "(2.0**-45 + 1.25 * radius)", "(1.25 * radius)"),
    Bug("the low part of ln 2 forgotten", "kernel/balls/float_exp.py", "- k * LN2_LOW", "- 0 * LN2_LOW"),
    Bug("tiny exponentials called zero", "kernel/balls/float_exp.py", "np.where(inside, radii, _BELOW)", "np.where(inside, radii, 0.0)"),
    Bug("too wide a radius accepted", "kernel/balls/float_exp.py", "(radius <= WIDEST).all()", "(radius <= 1e9).all()"),
    Bug("radii of a sum forgotten", "kernel/balls/tables.py", "spread * (1 + 2.0**-50) + abs(middle)", "0 * spread + abs(middle)"),
    Bug("rounding of a sum forgotten", "kernel/balls/tables.py", " + abs(middle) * 2.0**-52", ""),
    Bug("last key of a sum forgotten", "kernel/balls/tables.py", "for j, ball in enumerate(self._members)", "for j, ball in enumerate(self._members[:-1])"),
    Bug("left-out keys counted", "kernel/balls/tables.py", "kept[list(without)] = False", "kept[list(without)] = True"),
    Bug("scale forgotten in the exact tiers", "kernel/balls/tiers.py", "exact(scale * Fraction(2) ** exponent)", "exact(Fraction(2) ** exponent)"),
    Bug("midpoint instead of exponential's ball", "kernel/balls/tiers.py", "(exact(numerator - largest) * factor).exp()", "(exact(numerator - largest) * factor).exp().mid()"),
    # kernel/heads.py: several heads
    Bug("a head's mix forgotten", "kernel/heads.py", "balls.exact(int(shares[h] * common))", "balls.exact(1)"),
    Bug("mix not normalised", "kernel/heads.py", "return [part / whole for part in parts]", "return parts"),
    Bug("a head divided by the wrong sum", "kernel/heads.py", "if g != h:", "if g == h:"),
    # kernel/within_error.py
    Bug("not refuted counts as proved", "kernel/within_error.py", "if excess <= 0:", "if not excess > 0:"),
    Bug("not proved counts as refuted", "kernel/within_error.py", "if excess > 0:", "if not excess <= 0:"),
    Bug("< for <=", "kernel/within_error.py", "if excess <= 0:", "if excess < 0:"),
    Bug("surplus and deficit cancel", "kernel/within_error.py", "- part * outside).max(0)", "- part * outside)"),
    Bug("leak counted without the common denominator", "kernel/within_error.py", "above = common * outside", "above = outside"),
    # kernel/claim.py and what writes numbers: two records never share what is said
    Bug("digest of the shape alone", "kernel/claim.py", ".encode() + np.ascontiguousarray(array).tobytes()", ".encode()"),
    Bug("digest of a few entries", "kernel/claim.py", "np.ascontiguousarray(array).tobytes()", "np.ascontiguousarray(array.flat[:3]).tobytes()"),
    Bug("digest without the shape", "kernel/claim.py", "{array.dtype.str} {array.shape} ", "{array.dtype.str} "),
    Bug("arrays beyond the first few have no digest", "kernel/claim.py", "for name, x in parts[_MOST_NAMED - 2 :])", "for name, x in parts[_MOST_NAMED - 2 : _MOST_NAMED])"),
    Bug("tables have no digest", "kernel/claim.py", "for name, table in tables if table]", "for name, table in tables if not table]"),
    Bug("values that no sentence has are left out", "kernel/claim.py", "for name in self.unsaid if name in said)", "for name in self.unsaid if name not in said)"),
    Bug("a number cut without a mark", "kernel/inputs.py", 'else "…"\n', 'else ""\n'),
    Bug("a float cut without a mark", "kernel/inputs.py", '.strip("-0")) <= digits:', '.strip("-0")) <= 99:\n            text = f"{nearest:.{digits}g}"'),
    Bug("a variance to six digits", "theories/random_keys/laws.py", 'return inputs.show(Fraction(float(number))).removesuffix(".0")', 'return f"{number:g}"'),
    Bug("probabilities of factors left out", "theories/random_keys/laws.py", '{inputs.show(c)} (probability {inputs.show(p)})', '{inputs.show(c)}'),
    Bug("proved bound rounded down", "kernel/claim.py", "balls.finite_above(number)", "balls.finite_below(number)"),
    Bug("refuted bound rounded up", "kernel/claim.py", "balls.finite_below(number)", "balls.finite_above(number)"),
    Bug("the lower end for the upper", "kernel/balls/ball.py", "    end = upper(ball)\n", "    end = lower(ball)\n"),
    Bug("the upper end for the lower", "kernel/balls/ball.py", "    end = lower(ball)\n", "    end = upper(ball)\n"),
    Bug("any error accepted", "kernel/within_error.py", "if not 0 < error < 1:", "if False:"),
    # kernel/withstands.py and region.py: keys that move
    Bug("scores move half as far", "kernel/region.py", "(-2 * self.moves[0]).exp()", "(-1 * self.moves[0]).exp()"),
    Bug("smallest instead of largest members", "kernel/withstands.py", "key=lambda i: wide[i][0].upper(), reverse=True)", "key=lambda i: wide[i][0].upper(), reverse=False)"),
    Bug("one harmless vertex is enough", "kernel/withstands.py", "if not value <= error:", "if value > error and up == 0:"),
    Bug("drift of the weights halved", "kernel/withstands.py", "(m / 2).tanh()", "(m / 4).tanh()"),
    Bug("best instead of worst subset", "kernel/withstands.py", "for value, _ in self._subset_values(tier, heads):\n            worst = worst.max(value)", "for value, _ in self._subset_values(tier, heads):\n            worst = worst.min(value)"),
    Bug("only the outsiders move up", "kernel/withstands.py", "if first_bits | bits == everything:", "if first_bits | bits:"),
    Bug("box measured by the largest entry", "kernel/region.py", "return balls.exact(budget.summed(parts))", "return balls.exact(max(parts))"),
    Bug("ball without the square root", "kernel/region.py", "for c in parts)).sqrt()", "for c in parts))"),
    Bug("tolerance in the counterexample check", "kernel/region.py", "return bool((size <= limit).all())", "return bool((size <= limit * (1 + 1e-9)).all())"),
    Bug("moved keys never checked", "kernel/region.py", "if self.holds(keys, inside):", "if True:"),
    # kernel/weight_bound.py
    Bug("raised and lowered scores swapped", "kernel/weight_bound.py", "end = ends[0] if raised[where[0]] else ends[1]", "end = ends[1] if raised[where[0]] else ends[0]"),
    Bug("at least without its minus sign", "kernel/weight_bound.py", "else (-self.values, -self.bound)", "else (-self.values, self.bound)"),
    Bug("undecided functional counts as proved", "kernel/weight_bound.py", "if worst <= 0:", "if not worst > 0:"),
    Bug("extreme taken without proof", "kernel/weight_bound.py", "if excess(ends, y, candidate) <= 0:", "if True:"),
    # kernel/top_gap.py, hulls_meet.py and gap_norm.py: sets scored above the rest
    Bug("a gap below zero squared", "kernel/top_gap.py", "if not roots or sign(a) in (0, roots):", "if not roots:"),
    Bug("a tie counts as above", "kernel/top_gap.py", "return left > 0 or (left == 0 and self.gap is not None)", "return left >= 0"),
    Bug("only one of two keys moves", "kernel/top_gap.py", "closest.apart - (self.gap or 0), -closest.down, -closest.up)", "closest.apart - (self.gap or 0), -closest.down, Fraction(0))"),
    Bug("scale forgotten in the gap", "kernel/top_gap.py", "self.heads.scale * Fraction(2) ** exponent", "Fraction(2) ** exponent"),
    Bug("contenders without their radius", "kernel/top_gap.py", "others[high[others] >= low[others].max()]", "others[[enclosed[0][others].argmax()]]"),
    Bug("unequal weights on the two hulls", "kernel/hulls_meet.py", "if inside == 0 or 2 * inside != sum(self.weights):", "if inside == 0:"),
    Bug("no weights make a point", "kernel/hulls_meet.py", "if inside == 0 or 2 * inside", "if 2 * inside"),
    Bug("two points taken for one", "kernel/hulls_meet.py", "if not balls.sums_to_zero(", "if len(signed) < 2 and not balls.sums_to_zero("),
    Bug("negative weights on a hull", "kernel/hulls_meet.py", "not isinstance(w, int) or w <= 0", "not isinstance(w, int)"),
    Bug("scale forgotten in the least norm", "kernel/gap_norm.py", "(self.scale * self.least) ** 2", "self.least**2"),
    Bug("a witness outside the hull", "kernel/gap_norm.py", "(self.witness < 0).any() or", ""),
    Bug("hull weights not normalised", "kernel/gap_norm.py", "Fraction(2) ** exponent / whole", "Fraction(2) ** exponent"),
    Bug("least norm rounded up", "search/top/design_top.py", "balls.float_below(found or", "balls.float_above(found or"),
    # theories/matrices/reads_out.py and spans_meet.py: read-outs
    Bug("share forgotten in a read-out", "theories/matrices/reads_out.py", "_Whole.of(self.matrix, columns).times(self.share)", "_Whole.of(self.matrix, columns)"),
    Bug("share forgotten beside the basis", "theories/matrices/reads_out.py", "_Whole.of(self.matrix).times(self.share)", "_Whole.of(self.matrix)"),
    Bug("best instead of worst column", "theories/matrices/reads_out.py", "worst, place = max(self._columns()", "worst, place = min(self._columns()"),
    Bug("the other span forgotten", "theories/matrices/reads_out.py", "            if columns is None:\n", "            if side != 'basis':\n"),
    Bug("the other span kept", "theories/matrices/reads_out.py", 'columns if side == "basis" else np.zeros_like(columns)', "columns"),
    Bug("the complement taken on trust", "theories/matrices/reads_out.py", "if self._beside() > self.bound**2:", "if False:"),
    Bug("an error measured against itself", "theories/matrices/reads_out.py", "yield error / (size or 1)", "yield error / (error + size or 1)"),
    Bug("read-out bound rounded down", "theories/matrices/reads_out.py", "Fraction(balls.float_above(root))", "Fraction(balls.float_below(root))"),
    Bug("a common vector of zero", "theories/matrices/spans_meet.py", "if balls.sums_to_zero(self.basis.T, self.in_basis):", "if False:"),
    Bug("two vectors taken for one", "theories/matrices/spans_meet.py", "if not balls.sums_to_zero(columns,", "if len(columns) < 2 and not balls.sums_to_zero(columns,"),
    Bug("a common vector up to its sign", "theories/matrices/spans_meet.py", "*(-number for number in self.in_against)", "*self.in_against"),
    Bug("a relation lost", "search/least_norm/null_space.py", "for c in range(nullity)]", "for c in range(nullity - 1)]"),
    # kernel/balls/scores.py, theories/matrices/layer_rows.py: whole layers
    Bug("exponents of a product not added", "kernel/balls/scores.py", "total, exponent = whole @ total, exponent + own", "total = whole @ total"),
    Bug("causal rows see everything", "theories/matrices/layer_rows.py", "seen = self.tokens[: row + 1] if self.causal else self.tokens", "seen = self.tokens"),
    Bug("another token asks", "theories/matrices/layer_rows.py", "key_map.T, query_map, self.tokens[row])", "key_map.T, query_map, self.tokens[-1])"),
    Bug("queries and keys of a layer swapped", "theories/matrices/layer_rows.py", "balls.exact_product(seen, key_map.T, query_map, self", "balls.exact_product(seen, query_map.T, key_map, self"),
    Bug("a layer's output not looked at", "theories/matrices/layer_rows.py", "if excess <= 0 and far <= 0:", "if excess <= 0:"),
    Bug("an undecided row counts as proved", "theories/matrices/layer_rows.py", "if excess <= 0 and far <= 0:", "if not excess > 0 and not far > 0:"),
    Bug("tolerance not squared", "theories/matrices/layer_rows.py", "off - balls.exact(self.tolerance) ** 2", "off - balls.exact(self.tolerance)"),
    Bug("output of unnormalised weights", "theories/matrices/layer_rows.py", "(mean / whole - balls.exact(y)) ** 2", "(mean - balls.exact(y)) ** 2"),
    Bug("another row's wanted output", "theories/matrices/layer_rows.py", "self.outputs[self.wanted.index(row)]", "self.outputs[0]"),
    Bug("only the last row counts", "theories/matrices/layer_rows.py", "max(largest, variation), max(furthest, off)", "variation, off"),
    Bug("a layer's heads mixed unequally", "theories/matrices/layer_rows.py", "mixed([Fraction(1, len(rows))] * len(rows), rows)", "mixed([Fraction(h + 1) for h in range(len(rows))], rows)"),
    Bug("goals beyond a causal row", "theories/matrices/layer_rows.py", "goal.check(row + 1 if self.causal else n)", "goal.check(n)"),
    Bug("two outputs for one row", "theories/matrices/layer_rows.py", "if len(set(self.wanted)) < len(self.wanted):", "if False:"),
    Bug("outputs without a goal", "theories/matrices/layer_rows.py", "if not set(self.wanted) <= set(self.goals):", "if False:"),
    # theories/matrices/outputs_contradict.py, goals_contradict.py: why there is no layer
    Bug("means need not cancel", "theories/matrices/outputs_contradict.py", "if any(_combined(means, self.witness)):", "if False:"),
    Bug("means cancel in the first coordinate", "theories/matrices/outputs_contradict.py", "if any(_combined(means, self.witness)):", "if any(_combined(means, self.witness)[:1]):"),
    Bug("outputs need not differ", "theories/matrices/outputs_contradict.py", "if not any(_combined(wanted, self.witness)):", "if False:"),
    Bug("means of equal shares", "theories/matrices/outputs_contradict.py", "return _combined(rows, goal.shares)", "return _combined(rows, (Fraction(1, len(rows)),) * len(rows))"),
    Bug("products need not cancel", "kernel/goals_contradict.py", "return not (whole.T @ (coefficients @ whole)).any()", "return True"),
    Bug("an empty relation", "kernel/gibbs.py", "if not lists or not self.cancels(lists):", "if not self.cancels(lists):"),
    Bug("a target without its own token", "kernel/goals_contradict.py", "coefficients[r, i] -= number", "coefficients[r, i] -= 0"),
    Bug("products cancel on the diagonal", "kernel/goals_contradict.py", "return not (whole.T @ (coefficients @ whole)).any()", "return not np.diag(whole.T @ (coefficients @ whole)).any()"),
    Bug("the asking tokens forgotten", "kernel/goals_contradict.py", "return not (whole.T @ (coefficients @ whole)).any()", "return not (coefficients.sum(axis=0) @ whole).any()"),
    Bug("an undecided contradiction counts as proved", "kernel/gibbs.py", "if gain > 0:", "if not gain <= 0:"),
    Bug("a contradiction without the error", "kernel/gibbs.py", "(1 - shares[place] + error) / (shares[place] - error)", "(1 - shares[place]) / shares[place]"),
    Bug("an error above a target's share", "kernel/gibbs.py", "if shares[place] <= self.error]", "if False]"),
    Bug("the level of a contradiction unweighted", "kernel/gibbs.py", "entropy - weight * levels[place]", "entropy - levels[place]"),
    Bug("a token counted twice in a contradiction", "kernel/gibbs.py", "if (*place, j) in counted:", "if False:"),
    Bug("negative weights in a contradiction", "kernel/gibbs.py", "if number <= 0:", "if False:"),
    Bug("unseen tokens in a contradiction", "kernel/goals_contradict.py", "return place[0] + 1 if self.causal else len(self.tokens)", "return len(self.tokens)"),
    Bug("a target that the goal does not name", "kernel/gibbs.py", "if place not in shares or ", "if "),
    # kernel/balls/linear.py: exact relations
    Bug("cancellation in the first coordinate alone", "kernel/balls/linear.py", "return not total.any()", "return not total[:1].any()"),
    Bug("weights with a long denominator forgotten", "kernel/balls/linear.py", "total = total + common // denominator * (", "total = total + (denominator == 1) * ("),
    Bug("cancellation with a tolerance", "kernel/balls/linear.py", "return not total.any()", "return bool((np.abs(total) <= 2**20).all())"),
    Bug("correction not checked", "search/least_norm/relations.py", " and sums_to_zero(whole, weights, fixed=start):", ":"),
    Bug("negative weights returned", "search/least_norm/relations.py", "min(weights, default=Fraction(0)) >= 0 and ", ""),
    Bug("differences rounded", "search/least_norm/relations.py", "return whole[np.searchsorted(named, above)] - whole[np.searchsorted(named, below)], exponent", "return integers(keys[above] - keys[below], exponent)[0], exponent"),
    # kernel/out_of_reach.py
    Bug("cancellation never checked", "kernel/gibbs.py", "if not lists or not self.cancels(lists):", "if not lists:"),
    Bug("the target's own key forgotten", "kernel/out_of_reach.py", "coefficients[i] = coefficients.get(i, 0) - sum(row.values())", "coefficients[i] = -sum(row.values())"),
    Bug("a target paired with itself", "kernel/gibbs.py", " or j == place[-1]:", ":"),
    Bug("entropy of unscaled weights", "kernel/gibbs.py", "= weight, weight * weight.log() - ", "= weight, -"),
    Bug("bound kept where it was not refuted", "kernel/out_of_reach.py", "if gibbs.excess(parts, shares, middle, lift) > 0:", "if not gibbs.excess(parts, shares, middle, lift) <= -1:"),
    Bug("equal weights assumed", "kernel/out_of_reach.py", "if len(set(row.values())) == 1 and not lift:", "if not lift:"),
    # kernel/no_shorter.py: the shortest query
    Bug("bound rounded up", "search/least_norm/shortest.py", "balls.float_below(low)", "balls.float_above(high)"),
    Bug("entropy without its sign", "kernel/gibbs_sums.py", "- balls.total([u * u.log() for u in terms])", "+ balls.total([u * u.log() for u in terms])"),
    Bug("first target's key forgotten", "kernel/gibbs_sums.py", "* unit - whole * balls.exact(k)", "* unit - 0 * whole * balls.exact(k)"),
    Bug("scale forgotten in a norm", "kernel/no_shorter.py", "(balls.exact(self.scale) * sums.length)", "sums.length"),
    # kernel/certificate.py: files
    Bug("digest not compared", "kernel/certificate.py", 'if metadata["digest"] != digest(', 'if metadata["digest"] is None and digest('),
    Bug("digest without the numbers", "kernel/certificate.py", "whole.update(np.ascontiguousarray(array).data)", "pass"),
    Bug("unused parts accepted", "kernel/certificate.py", "    if extra:\n", "    if False:\n"),
    # the ground
    Bug("flushed subnormals not noticed", "kernel/exact_inputs.py", "if smallest == 0 or", "if False and"),
    Bug("counts below the least pass", "kernel/inputs.py", "if number < least:", "if number < 0:"),
    Bug("NaN accepted", "kernel/inputs.py", "if finite and not np.isfinite(result).all():", "if False:"),
    Bug("large integers rounded", "kernel/exact_inputs.py", "> _EXACT_INTEGERS:", "> 2**63:"),
    Bug("large negative integers rounded", "kernel/exact_inputs.py", "if max(-least, largest) >", "if largest >"),
    Bug("integers beside floats rounded", "kernel/exact_inputs.py", "if type(entry) in WHOLE_SCALARS] if kinds & WHOLE_SCALARS else []", "if type(entry) is int] if kinds & WHOLE_SCALARS else []"),
    Bug("integers of an array not looked at", "kernel/exact_inputs.py", "_check_whole(int(array.min(initial=0)), int(array.max(initial=0)), name)", "pass"),
    Bug("whatever has an __array__ is taken", "kernel/exact_inputs.py", "if kind in _ARRAYS or kind in _small_types():", "if hasattr(value, '__array__') and not hasattr(value, 'resolve_neg'):"),
    Bug("subclasses of arrays taken", "kernel/exact_inputs.py", "if kind in _ARRAYS or kind in _small_types():", "if isinstance(value, np.ndarray) or kind in _ARRAYS or kind in _small_types():"),
    Bug("sequences of any kind taken", "kernel/exact_inputs.py", "if kind in _NESTED:", "if hasattr(kind, '__len__') and hasattr(kind, 'append') or isinstance(value, list | tuple):"),
    Bug("subclasses of floats taken", "kernel/exact_inputs.py", "return kind in FLOAT_SCALARS or", "return issubclass(kind, float) or"),
    Bug("subclasses of integers taken", "kernel/exact_inputs.py", "or kind in WHOLE_SCALARS or kind in (bool, np.bool_)", "or kind in WHOLE_SCALARS or issubclass(kind, int) or kind is np.bool_"),
    Bug("wide floats taken", "kernel/exact_inputs.py", '_NARROW_CODES = "bBhHiIlLqQ", "ef"', '_NARROW_CODES = "bBhHiIlLqQ", "efg"'),
    Bug("any dtype taken", "kernel/exact_inputs.py", "if kind not in _NARROW and array.dtype.type not in _small_types():", "if array.dtype.kind in 'OSUcmM':"),
    Bug("rows of unlike length taken", "kernel/exact_inputs.py", "if len(lengths) > 1:", "if len(lengths) > 2:"),
    Bug("lists without a bottom", "kernel/exact_inputs.py", "if len(shape) == deepest:", "if len(shape) == 40:"),
    Bug("narrow arrays read where subnormals are flushed", "kernel/exact_inputs.py", "    need_gradual_underflow()\n    return array\n", "    return array\n"),
    Bug("narrow scalars read where subnormals are flushed", "kernel/exact_inputs.py", "if kinds & _NARROW_SCALARS:", "if False:"),
    Bug("quantised tensors read", "kernel/exact_inputs.py", '("quantised", tensor.is_quantized)', '("quantised", False)'),
    Bug("nested tensors read", "kernel/exact_inputs.py", '("nested", tensor.is_nested)', '("nested", False)'),
    Bug("sparse tensors read", "kernel/exact_inputs.py", "tensor.layout is not torch.strided)", "False)"),
    Bug("tensors without numbers read", "kernel/exact_inputs.py", "tensor.device.type not in _TORCH_DEVICES)", "False)"),
    Bug("tensors of any type read", "kernel/exact_inputs.py", 'kind not in _TORCH_PLAIN | _FLOAT8 | {"bfloat16"})', "False)"),
    Bug("negated tensors read as they lie", "kernel/exact_inputs.py", "tensor.detach().cpu().resolve_neg()", "tensor.detach().cpu()"),
    Bug("an opened array taken for settled", "kernel/inputs.py", "value.dtype != np.float64 or value.flags.writeable:", "value.dtype != np.float64:"),
    Bug("a recast array taken for settled", "kernel/inputs.py", "value.dtype != np.float64 or value.flags.writeable:", "value.flags.writeable:"),
    Bug("subclasses of floats spelled out", "kernel/inputs.py", "if kind in exact_inputs.FLOAT_SCALARS:", "if isinstance(value, float):"),
    Bug("wide floats spelled out", "kernel/inputs.py", "if kind in exact_inputs.FLOAT_SCALARS:", "if kind in exact_inputs.FLOAT_SCALARS or isinstance(value, np.floating):"),
    Bug("subclasses of integers spelled out", "kernel/inputs.py", "if kind in exact_inputs.WHOLE_SCALARS:", "if isinstance(value, int):"),
    Bug("subclasses of strings spelled out", "kernel/inputs.py", "if kind in (str, np.str_):", "if isinstance(value, str):"),
    Bug("a rational held as the nearest float", "kernel/inputs.py", "if nearest != number:", "if nearest in (math.inf, -math.inf):"),
    Bug("a rational beyond float64 held as infinite", "kernel/inputs.py", "if nearest != number:", "if math.isfinite(nearest) and nearest != number:"),
    Bug("whole numbers of a file rounded", "words/array_libraries.py", "return int(plain) if", "return float(plain) if"),
    Bug("a boolean tensor for an index", "kernel/inputs.py", ' or "bool" in str(getattr(value, "dtype", ""))', ""),
    Bug("copies without the constructor", "words/pickling.py", "    return kind(**parts)\n", "    made = object.__new__(kind)\n    made.__dict__.update(parts)\n    return made\n"),
    Bug("a float read as its decimal", "kernel/inputs.py", "Fraction(*value.as_integer_ratio())", "Fraction(repr(float(value)))"),
    Bug("shares in a file not compared", "kernel/goals.py", "if [str(s) for s in goal.shares] != [str(s) for s in shares] or", "if"),
    # theories/random_keys/normal.py
    Bug("two tails for one", "theories/random_keys/normal.py", "(bound / exact(2).sqrt()).erfc() / 2", "(bound / exact(2).sqrt()).erfc()"),
    Bug("variance one half", "theories/random_keys/normal.py", "(bound / exact(2).sqrt()).erfc()", "bound.erfc()"),
    Bug("the far tail added", "theories/random_keys/normal.py", "mass_beyond(exact(low)) - mass_beyond(exact(high))", "mass_beyond(exact(low)) + mass_beyond(exact(high))"),
    # theories/random_keys/laws.py
    Bug("variance along a key rounded", "theories/random_keys/laws.py", 'inputs.held(variance, name=f"along[{i}]")', 'float(inputs.rational(variance, name=f"along[{i}]"))'),
    Bug("spelled probabilities may miss one", "theories/random_keys/laws.py", "(_NEARLY_ONE if rounded else 0)", "_NEARLY_ONE"),
    # words/design.py, words/layer.py, words/block.py: what designs are made of
    Bug("a design's arrays rounded", "words/design.py", "inputs.float64(getattr(self, name), name=name, ndim=ndim)", "np.array(getattr(self, name), dtype=np.float64)"),
    Bug("a design's scale rounded", "words/design.py", 'inputs.held(self.scale, name="scale")', 'float(inputs.rational(self.scale, name="scale"))'),
    Bug("a design's copies can be written to", "words/design.py", "        return remade(self)\n", "        return object.__reduce_ex__(self, 2)\n"),
    Bug("a layer's maps rounded", "words/layer.py", "inputs.float64(getattr(self, name), name=name, ndim=(2, 3))", "np.array(getattr(self, name), dtype=np.float64)"),
    Bug("a layer's tokens rounded", "words/layer.py", 'inputs.float64(self.tokens, name="tokens", ndim=2))', "np.array(self.tokens, dtype=np.float64))"),
    Bug("a layer's outputs rounded", "words/layer.py", 'inputs.float64(vector, name=f"outputs[{row}]", ndim=1)', "np.array(vector, dtype=np.float64)"),
    Bug("a layer's tolerance rounded", "words/layer.py", "inputs.held(getattr(self, name), name=name)", "float(inputs.rational(getattr(self, name), name=name))"),
    Bug("a layer's goals can be replaced", "words/layer.py", "FrozenMap(goals)", "goals"),
    Bug("a layer's outputs can be replaced", "words/layer.py", "FrozenMap(outputs)", "outputs"),
    Bug("a layer's copies can be written to", "words/layer.py", "        return remade(self)\n", "        parts = {name: dict(part) if isinstance(part, MappingProxyType) else part for name, part in vars(self).items()}\n        return object.__new__, (Layer,), parts\n"),
    Bug("a block's arrays rounded", "words/block.py", "read = exact_inputs.read(value, name, 3)", "read = np.array(value, dtype=np.float64)"),
    Bug("a block's wide floats rounded", "words/block.py", "read = exact_inputs.read(value, name, 3)", "read = exact_inputs.read(value, name, 3) if not hasattr(value, 'dtype') else np.asarray(value)"),
    Bug("a block's arrays can be written to", "words/block.py", "        value.flags.writeable = False\n", ""),
    Bug("a block's settings rounded", "theories/order/block_parts.py", "inputs.held(number, name=name)", "float(number)"),
    Bug("negative variance accepted", "theories/random_keys/laws.py", "(spread < 0) | (spread + lengths < 0)", "spread < 0"),
    Bug("probabilities may sum to anything", "theories/random_keys/laws.py", "if abs(whole - 1) > (_NEARLY_ONE if rounded else 0):", "if False:"),
    Bug("probabilities not normalised", "theories/random_keys/laws.py", "return {c: p / whole for c, p in exact.items()}", "return dict(exact)"),
    # theories/random_keys/score_noise.py
    Bug("scale not squared", "theories/random_keys/score_noise.py", "return [[heads.scale**2 * x for x in row] for row in total]", "return [[heads.scale * x for x in row] for row in total]"),
    Bug("variance along the mean, not its unit", "theories/random_keys/score_noise.py", "/ squared_norm / heads.scale**2", "/ heads.scale**2"),
    Bug("rest of the kept key forgotten", "theories/random_keys/score_noise.py", "left = covariance[h][h] - rises[h] ** 2 * root if j == key else covariance[h][h]", "left = Fraction(0) if j == key else covariance[h][h]"),
    Bug("all left-over noise forgotten", "theories/random_keys/score_noise.py", "            if left:", "            if False:"),
    Bug("isotropic keys forgotten", "theories/random_keys/score_noise.py", "if j not in covariances:", "if False:"),
    Bug("partner moves the same way", "theories/random_keys/score_noise.py", "(b, (-variances[b] / both,))", "(b, (variances[b] / both,))"),
    Bug("what the pair shares forgotten", "theories/random_keys/score_noise.py", "variances.get(j, Fraction(0)) + common for j", "variances.get(j, Fraction(0)) for j"),
    Bug("only one noise of the difference", "theories/random_keys/score_noise.py", "both = variances[a] + variances[b]", "both = variances[a]"),
    # theories/random_keys/score_box.py
    Bug("a falling key's ends not swapped", "theories/random_keys/score_box.py", "(low, high) if self._rising else (high, low)", "(low, high)"),
    Bug("box open upward only", "theories/random_keys/score_box.py", "(middle / stretch, middle * stretch)", "(middle, middle * stretch)"),
    Bug("not bad counts as good", "theories/random_keys/score_box.py", "if most <= error:", "if not least > error:"),
    Bug("not good counts as bad", "theories/random_keys/score_box.py", "return (False if least > error else None), tuple(counting)", "return (False if not most <= error else None), tuple(counting)"),
    Bug("outsiders on the wrong side", "theories/random_keys/score_box.py", "(inside if with_outside else beside).append(self._outside)", "beside.append(self._outside)"),
    Bug("moving outsider on the wrong side", "theories/random_keys/score_box.py", "key in chosen if key in members else with_outside for", "key in chosen for"),
    Bug("extremes not opposed", "theories/random_keys/score_box.py", "inside[1] / (inside[1] + beside[0])", "inside[1] / (inside[1] + beside[1])"),
    Bug("outsiders' variances do not add up", "theories/random_keys/score_box.py", "(balls.total(squares) ** 2 - balls.total([x**2 for x in squares]))", "0"),
    Bug("kurtosis in excess of the Gaussian's", "theories/random_keys/score_box.py", "3 * w**2 - 3)", "3 * w**2 - 6)"),
    Bug("one root too many", "theories/random_keys/score_box.py", "(moment.max(0) / beyond).sqrt().sqrt()", "(moment.max(0) / beyond).sqrt().sqrt().sqrt()"),
    Bug("leak alone looked at", "theories/random_keys/score_box.py", "for size in range(len(shares)):", "for size in range(1):"),
    Bug("shared noise of the outsiders' sum forgotten", "theories/random_keys/score_box.py", "(low / together, high * together)", "(low, high)"),
    Bug("parts that may count left out", "theories/random_keys/score_box.py", "if above <= (error if self._by_subsets else 0):", "if below <= (error if self._by_subsets else 0):"),
    Bug("parts of a sum left out below the error", "theories/random_keys/score_box.py", "if above <= (error if self._by_subsets else 0):", "if above <= error:"),
    Bug("a target beside itself", "theories/random_keys/score_box.py", "_added([before[k], behind[k + 1]])", "_added([before[k], behind[k]])"),
    Bug("targets before another left out", "theories/random_keys/score_box.py", "_added([before[k], behind[k + 1]])", "_added([before[0], behind[k + 1]])"),
    Bug("a moving target among the still ones", "theories/random_keys/score_box.py", "still = [_added([] if i in self._moving else [self.ends(i)]) for i in members]", "still = [_added([self.ends(i)]) for i in members]"),
    Bug("a moving target counted twice", "theories/random_keys/score_box.py", "return _Sides(_added([] if i in moving else [self.ends(i)]), self._besides[i], on_this_side)", "return _Sides(_added([self.ends(i)]), self._besides[i], on_this_side)"),
    # theories/random_keys/gaussian_probability.py
    Bug("escape not taken off", "theories/random_keys/gaussian_probability.py", "balls.lower(good - escape)", "balls.lower(good)"),
    Bug("escape not added", "theories/random_keys/gaussian_probability.py", "balls.upper(1 - bad + escape)", "balls.upper(1 - bad)"),
    Bug("one tail of a score's noise", "theories/random_keys/gaussian_probability.py", "lost + 2 * count * mass_beyond(reach)", "lost + count * balls.mass_beyond(reach)"),
    Bug("outsiders not counted in the union", "theories/random_keys/gaussian_probability.py", "if j in followed or not by_sum]", "if j in followed]"),
    Bug("the sums' escape forgotten", "theories/random_keys/gaussian_probability.py", "lost = balls.exact(share) if by_sum else balls.exact(0)", "lost = balls.exact(0)"),
    Bug("every head's sum with the whole share", "theories/random_keys/gaussian_probability.py", "balls.exact(share / len(noise.left_over))", "balls.exact(share)"),
    Bug("parts that count in another cell", "theories/random_keys/gaussian_probability.py", "_, low, high, counting = heapq.heappop(waiting)", "_, low, high, _ = heapq.heappop(waiting); counting = left"),
    Bug("unsettled cells count as good", "theories/random_keys/gaussian_probability.py", "if met is True:", "if met is not False:"),
    Bug("unsettled cells count as bad", "theories/random_keys/gaussian_probability.py", "elif met is False:", "elif met is not True:"),
    # theories/random_keys/finite_probability.py
    Bug("unsettled combinations count as met", "theories/random_keys/finite_probability.py", "if excess <= 0:", "if not excess > 0:"),
    Bug("unsettled combinations forgotten", "theories/random_keys/finite_probability.py", "(met + undecided) * (1 + slack)", "met * (1 + slack)"),
    Bug("screen without a margin", "theories/random_keys/finite_probability.py", "near = ~(np.abs(variation - float(error)) > margin)", "near = np.isnan(variation)"),
    Bug("underflow in the screen", "theories/random_keys/finite_probability.py", "whole[whole < 2.0**-900] = np.nan", "whole[whole == 0] = 1.0"),
    Bug("a combination alone without its factors", "theories/random_keys/finite_probability.py", "(f[c],) for f, c", "(f[0],) for f, c"),
    # theories/random_keys/with_probability.py
    Bug("upper bound proves", "theories/random_keys/with_probability.py", "if low >= self.confidence:", "if high >= self.confidence:"),
    Bug("lower bound refutes", "theories/random_keys/with_probability.py", "if high < self.confidence:", "if low < self.confidence:"),
    Bug("the upper bound of a probability stated", "theories/random_keys/with_probability.py", 'at_least("probability", low, 10)', 'at_least("probability", high, 10)'),
    Bug("the lower bound of a probability stated", "theories/random_keys/with_probability.py", 'at_most("probability", high, 10)', 'at_most("probability", low, 10)'),
    Bug("keys other than the model's", "theories/random_keys/with_probability.py", "(self.heads.keys != self.model.centre).any()", "False"),
    Bug("any confidence accepted", "theories/random_keys/with_probability.py", "if not 0 < confidence < 1:", "if False:"),
    # theories/order/block_rows.py, block_identities.py, block_equivariant.py, theories/order/polynomials.py: blocks and permutations
    Bug("a mask that hides nothing", "theories/order/block_rows.py", "range(r + 1) if self.block.causal else range(n)", "range(n)"),
    Bug("a block's positions forgotten", "theories/order/block_rows.py", "return list(x) if table is None else", "return list(x) if True else"),
    Bug("a block's scale forgotten", "theories/order/block_rows.py", "scale * self._dot(query, key)", "self._dot(query, key)"),
    Bug("queries and keys of a block swapped", "theories/order/block_rows.py", '(self.projected(head, name, u) for name in ("query", "key"))', '(self.projected(head, name, u) for name in ("key", "query"))'),
    Bug("biases of a head forgotten", "theories/order/block_rows.py", "None if bias is None else bias[head]", "None"),
    Bug("weights of a block not normalised", "theories/order/block_rows.py", "[part / whole for part in parts]", "parts"),
    Bug("heads overwrite each other", "theories/order/block_rows.py", "outputs[r] = _added(outputs[r], ", "outputs[r] = _added(nothing, "),
    Bug("a residual path that is not there", "theories/order/block_rows.py", "_added(before, change) if self.block.residual else change", "_added(before, change)"),
    Bug("norms after the sums as well", "theories/order/block_rows.py", "return y if self.block.norm_first else self.normed(y, step)", "return self.normed(y, step)"),
    Bug("one norm's scale for both", "theories/order/block_rows.py", "(self.own[name][step] for name in", "(self.own[name][0] for name in"),
    Bug("the norm's epsilon forgotten", "theories/order/block_rows.py", " + self.number(float(self.block.norm_eps))).sqrt()", ").sqrt()"),
    Bug("relu for gelu", "theories/order/block_rows.py", 'relu = self.block.activation == "relu"', "relu = True"),
    Bug("the wrong tail in gelu", "theories/order/block_rows.py", "mass_beyond(-h)", "balls.mass_beyond(h)"),
    Bug("only the first head commutes", "theories/order/block_identities.py", "for head in range(len(block.query)))", "for head in range(1))"),
    Bug("positions on the residual path forgotten", "theories/order/block_identities.py", "if (block.residual or normed) and any(", "if normed and any("),
    Bug("positions under a norm forgotten", "theories/order/block_identities.py", "if (block.residual or normed) and any(", "if block.residual and any("),
    Bug("one equal position is enough", "theories/order/block_identities.py", "and any(after[r] != before[k]", "and all(after[r] != before[k]"),
    Bug("scores taken for permuted", "theories/order/block_identities.py", "alike = all(new[r][j]", "alike = True or all(new[r][j]"),
    Bug("scores compared on the diagonal", "theories/order/block_identities.py", "for r in range(n) for j in range(n))", "for r in range(n) for j in (r,))"),
    Bug("one equal entry is enough", "theories/order/block_identities.py", "if any(a * old_whole != b * whole", "if all(a * old_whole != b * whole"),
    Bug("values of the permuted rows forgotten", "theories/order/block_identities.py", "head, new_powers, new_values)", "head, new_powers, [values[k] for k in order])"),
    Bug("a swap for all permutations", "theories/order/block_equivariant.py", "return [(1, 0, *range(2, n)), (*range(1, n), 0)]", "return [(1, 0, *range(2, n))]"),
    Bug("one generator is enough", "theories/order/block_equivariant.py", "if small and all(commutes(", "if small and any(commutes("),
    Bug("too large counts as proved", "theories/order/block_equivariant.py", "if small and all(commutes(", "if not small or all(commutes("),
    Bug("no difference counts as one", "theories/order/block_equivariant.py", "apart > best:", "apart >= best:"),
    Bug("a possible difference counts as one", "theories/order/block_equivariant.py", "balls.lower(abs(moved[r][c] - plain[k][c]))", "balls.upper(abs(moved[r][c] - plain[k][c]))"),
    Bug("outputs compared row by row", "theories/order/block_equivariant.py", "balls.lower(abs(moved[r][c] - plain[k][c]))", "balls.lower(abs(moved[r][c] - plain[r][c]))"),
    Bug("the difference stretched", "theories/order/block_equivariant.py", 'at_least("the two differ there by", best)', 'at_least("the two differ there by", best * 1001 / 1000)'),
    Bug("the last positions for the first", "theories/order/block_equivariant.py", 'held["positions"][:n]', 'held["positions"][-n:]'),
    Bug("a permutation that repeats a row", "theories/order/block_equivariant.py", "if sorted(order) != list(range(n)):", "if len(order) != n:"),
    Bug("a coefficient rounded", "theories/order/polynomials.py", "fmpq(*value.as_integer_ratio())", "fmpq(round(value * 2**30), 2**30)"),
    Bug("one variable for all", "theories/order/polynomials.py", "return list(fmpq_mpoly_ctx.get((\"x\", count), Ordering.lex).gens())", "return [fmpq_mpoly_ctx.get((\"x\", count), Ordering.lex).gens()[0]] * count"),
    # theories/matrices/matrix_norms.py: residuals from float64 products
    Bug("rounding of a residual forgotten", "theories/matrices/matrix_norms.py", "return _root(computed)[1] + rounding + flushed", "return _root(computed)[1] + flushed"),
    Bug("underflow of a residual forgotten", "theories/matrices/matrix_norms.py", "return _root(computed)[1] + rounding + flushed", "return _root(computed)[1] + rounding"),
    Bug("the residual that was computed forgotten", "theories/matrices/matrix_norms.py", "return _root(computed)[1] + rounding + flushed", "return rounding + flushed"),
    Bug("pieces counted, not what is in them", "theories/matrices/matrix_norms.py", "steps = min(m, _PIECE) + -(-m // _PIECE) + 4", "steps = -(-m // _PIECE) + 4"),
    Bug("sums between pieces counted as exact", "theories/matrices/matrix_norms.py", "steps = min(m, _PIECE) + -(-m // _PIECE) + 4", "steps = min(m, _PIECE) + 4"),
    Bug("the last piece of a product left out", "theories/matrices/matrix_norms.py", "for at in range(0, left.shape[1], _PIECE):", "for at in range(0, left.shape[1] - _PIECE + 1, _PIECE):"),
    Bug("size of the product forgotten in its radius", "theories/matrices/matrix_norms.py", "* (a + x * y)", "* a"),
    Bug("an overflow taken for nothing", "theories/matrices/matrix_norms.py", "        if square is None:\n            return None\n        total += square[1]", "        total += square[1] if square else 0"),
    Bug("only the last rows measured", "theories/matrices/matrix_norms.py", "total += square[1]", "total = square[1]"),
    Bug("the second basis taken for orthonormal", "theories/matrices/matrix_norms.py", "_root((1 + alpha) * (1 + beta))[1]", "_root(1 + alpha)[1]"),
    Bug("the first basis taken for orthonormal", "theories/matrices/matrix_norms.py", "max(1 - alpha, Fraction(0)) * max(1 - beta, Fraction(0))", "max(1 - beta, Fraction(0))"),
    Bug("two negative defects multiplied", "theories/matrices/matrix_norms.py", "max(1 - alpha, Fraction(0)) * max(1 - beta, Fraction(0))", "(1 - alpha) * (1 - beta)"),
    Bug("integers of squares from one block", "theories/matrices/matrix_norms.py", "for rows in _blocks(matrix))", "for rows in _blocks(matrix)[:1])"),
    Bug("rounding of a sum of squares forgotten", "theories/matrices/matrix_norms.py", "unit * added * (1 + hair) / (1 - gamma)", "unit * added / (1 - gamma)"),
    Bug("rounding inside rows forgotten", "theories/matrices/matrix_norms.py", "unit * added * (1 + hair) / (1 - gamma)", "unit * added * (1 + hair)"),
    Bug("lower end of a sum of squares not lowered", "theories/matrices/matrix_norms.py", "unit * added * (1 - hair) / (1 + gamma)", "unit * added"),
    # theories/matrices/singular_values.py and low_rank.py
    Bug("what a decomposition misses forgotten above", "theories/matrices/singular_values.py", "unit * (factors[1] * size + off)", "unit * factors[1] * size"),
    Bug("what a decomposition misses forgotten below", "theories/matrices/singular_values.py", "max(factors[0] * size - off, Fraction(0))", "factors[0] * size"),
    Bug("bases taken for orthonormal above", "theories/matrices/singular_values.py", "unit * (factors[1] * size + off)", "unit * (size + off)"),
    Bug("bases taken for orthonormal below", "theories/matrices/singular_values.py", "max(factors[0] * size - off, Fraction(0))", "max(size - off, Fraction(0))"),
    Bug("an interval too low accepted", "theories/matrices/singular_values.py", "if any(low > least or high < most", "if any(low > least"),
    Bug("an interval too high accepted", "theories/matrices/singular_values.py", "if any(low > least or high < most", "if any(high < most"),
    Bug("one good interval is enough", "theories/matrices/singular_values.py", "if any(low > least or high < most", "if all(low > least or high < most"),
    Bug("not proved counts as refuted for an interval", "theories/matrices/singular_values.py", "if low > most or high < least:", "if low > least or high < most:"),
    Bug("claimed low end rounded up", "search/spectrum/_singular_values.py", "[balls.float_below(bound) for bound in bounds[0]]", "[balls.float_above(bound) for bound in bounds[0]]"),
    Bug("singular values in any order", "theories/matrices/singular_values.py", " or (np.diff(values) > 0).any()", ""),
    Bug("negative singular values", "theories/matrices/singular_values.py", "(values < 0).any() or ", ""),
    Bug("scale of the matrix forgotten", "theories/matrices/singular_values.py", "unit = [Fraction(value) for value in values.tolist()], Fraction(2) ** exponent", "unit = [Fraction(value) for value in values.tolist()], Fraction(1)"),
    Bug("the singular value before the next", "theories/matrices/low_rank.py", "Fraction(float(values[self.rank])) if len(values) > self.rank", "Fraction(float(values[self.rank - 1])) if len(values) > self.rank - 1"),
    Bug("any error of a product accepted", "theories/matrices/low_rank.py", "if bounds[0] > self.error or bounds[1] < self.best:", "if bounds[1] < self.best:"),
    Bug("any best distance accepted", "theories/matrices/low_rank.py", "if bounds[0] > self.error or bounds[1] < self.best:", "if bounds[0] > self.error:"),
    Bug("a poor product counts as refuted", "theories/matrices/low_rank.py", "if bounds[1] > self.error:", "if bounds[0] > self.error:"),
    Bug("a small bound counts as refuted", "theories/matrices/low_rank.py", "if bounds[0] < self.best:", "if bounds[1] < self.best:"),
    Bug("the zero matrix met by any product", "theories/matrices/low_rank.py", "return (sizes[0] or Fraction(0)) * (sizes[1] or Fraction(0)), Fraction(0)", "return Fraction(0), Fraction(0)"),
    Bug("the rest of a product forgotten", "theories/matrices/low_rank.py", "unit * (factors[1] * following + rest)", "unit * factors[1] * following"),
    Bug("the next singular value forgotten", "theories/matrices/low_rank.py", "unit * (factors[1] * following + rest)", "unit * rest"),
    Bug("what the basis misses forgotten", "theories/matrices/low_rank.py", "max(factors[0] * following - missed, Fraction(0))", "factors[0] * following"),
    Bug("bases taken for orthonormal in the best distance", "theories/matrices/low_rank.py", "max(factors[0] * following - missed", "max(following - missed"),
    Bug("bases taken for orthonormal in the error", "theories/matrices/low_rank.py", "unit * (factors[1] * following + rest)", "unit * (following + rest)"),
    # theories/positions/waves.py: sines of integer times
    Bug("a term of the sine's series left out", "theories/positions/waves.py", "for k in range(11))", "for k in range(8))"),
    Bug("the rounding of the step forgotten", "theories/positions/waves.py", "times.astype(np.float64) * (self.error * 2.0**-93)", "0.0"),
    Bug("the rounding of the sine forgotten", "theories/positions/waves.py", "radii = sine * 2.0**-46 +", "radii = 0 * sine +"),
    Bug("every frequency that of the one before", "theories/positions/waves.py", "now = now * step", "now = now * 1"),
    Bug("no carry into the upper half of the angle", "theories/positions/waves.py", " + (low >> np.uint64(32))", ""),
    Bug("the lower half of the angle forgotten", "theories/positions/waves.py", " + (low & np.uint64(_LOW)).astype(np.float64) * 2.0**-95", ""),
    Bug("the angle's error of the midpoint alone", "theories/positions/waves.py", "math.ceil(high - units)", "0"),
    Bug("distances by whole angles", "theories/positions/waves.py", "exact(1).atan() / 8", "exact(1).atan() / 4"),
    Bug("large frequencies at low precision", "theories/positions/waves.py", "32 + self.dim.bit_length() + max(0, (1 / self.base).__ceil__().bit_length())", "0"),
    # theories/positions/near_shifts.py
    Bug("shifts given up by their upper end", "theories/positions/near_shifts.py", "~(low * (1 - slack) > limit)", "~(high > limit)"),
    Bug("sums of shifts without their rounding", "theories/positions/near_shifts.py", "slack = (waves.dim + 8) * 2.0**-53", "slack = -(2.0**-42)"),
    Bug("radii of the sines forgotten", "theories/positions/near_shifts.py", "np.maximum(middle - radius, 0) ** 2", "(middle + radius) ** 2"),
    Bug("the last shifts of a chunk forgotten", "theories/positions/near_shifts.py", "stop=min(start + CHUNK, waves.length)", "stop=min(start + CHUNK - 1, waves.length)"),
    Bug("the last shift forgotten", "theories/positions/near_shifts.py", "for start in range(1, waves.length, CHUNK)", "for start in range(1, waves.length - 1, CHUNK)"),
    # theories/positions/near_pairs.py
    Bug("pairs without a radius", "theories/positions/near_pairs.py", "square -= radius", "square -= 0.0"),
    Bug("differences without their rounding", "theories/positions/near_pairs.py", "slack, lost = (d + 8) * 2.0**-53, (d + 8) * 2.0**-1000", "slack, lost = 0.0, 0.0"),
    Bug("pairs within a block forgotten", "theories/positions/near_pairs.py", "for a in starts if a <= b)", "for a in starts if a < b)"),
    Bug("pairs across blocks forgotten", "theories/positions/near_pairs.py", "for a in starts if a <= b)", "for a in starts if a == b)"),
    Bug("integers that overflow taken for exact", "theories/positions/near_pairs.py", "if 4 * table.shape[1] * largest**2 > 2**53:", "if False:"),
    Bug("signs of whole multiples forgotten", "theories/positions/near_pairs.py", "np.sign(table) * whole", "whole"),
    Bug("limit in the wrong unit", "theories/positions/near_pairs.py", "square / self.unit**2", "square / self.unit"),
    Bug("pairs beyond the limit by their upper end", "theories/positions/near_pairs.py", "kept = ~(self.low > limit)", "kept = ~(self.high > limit)"),
    # theories/positions/exact_squares.py
    Bug("inner products once", "theories/positions/exact_squares.py", "y_square - 2 * inner", "y_square - inner"),
    Bug("only the first columns multiplied", "theories/positions/exact_squares.py", "product += fmpz_mat(", "product = fmpz_mat("),
    Bug("only the last columns squared", "theories/positions/exact_squares.py", "x_square, y_square = x_square + (x * x).sum(axis=1), y_square + (y * y).sum(axis=1)", "x_square, y_square = (x * x).sum(axis=1), (y * y).sum(axis=1)"),
    Bug("pairs taken for those of another order", "theories/positions/exact_squares.py", "[i_place, j_place]", "[np.sort(i_place), j_place]"),
    Bug("differences not squared", "theories/positions/exact_squares.py", "(difference * difference).sum(axis=1)", "abs(difference).sum(axis=1)"),
    Bug("an integer for its neighbour", "theories/positions/exact_squares.py", "(square > below) - (square < above)", "(square > above) - (square < above)"),
    Bug("met taken for beyond", "theories/positions/exact_squares.py", "(square > below) - (square < above)", "(square >= below) - (square < above)"),
    Bug("a unit not squared", "theories/positions/exact_squares.py", "[0]) * both.unit**2", "[0]) * both.unit"),
    # theories/positions/equal_rows.py
    Bug("equal hashes taken for equal rows", "theories/positions/equal_rows.py", "if i < j and np.array_equal(table[i], row):", "if i < j:"),
    Bug("only neighbours of equal hash compared", "theories/positions/equal_rows.py", "for i in members:", "for i in members[:1]:"),
    Bug("any equal pair for the first", "theories/positions/equal_rows.py", "later = sorted(", "later = list("),
    # theories/positions/row_sets.py
    Bug("shifts beyond the budget not looked at", "theories/positions/row_sets.py", "        self.allow_shifts()\n", ""),
    Bug("a difference of squares of unknown sign", "kernel/balls/ball.py", "if over > 0:", "if not over < 0:"),
    Bug("the place of the second row for the shift", "theories/positions/row_sets.py", "self.waves.square(j - i, bits) - balls.exact(square)", "self.waves.square(j, bits) - balls.exact(square)"),
    Bug("a table as given, not as stored", "theories/positions/row_sets.py", "self.table if self.dtype is None else round_to(self.table, self.dtype)", "self.table"),
    Bug("negative zeros differ", "theories/positions/row_sets.py", "round_to(self.table, self.dtype)) + 0.0", "round_to(self.table, self.dtype)) * 1.0"),
    Bug("pairs beyond the budget pass", "theories/positions/row_sets.py", "if cost > _MOST_WORDS:", "if False:"),
    Bug("shifts in balls beyond the budget pass", "theories/positions/row_sets.py", "raise TooLarge(f\"more than {tried} shifts whose distance is close to the claimed one\")", "return"),
    Bug("pairs of a table at the limit in the wrong unit", "theories/positions/row_sets.py", "distance**2 / unit**2", "distance**2 / unit"),
    Bug("only the first block of a table", "theories/positions/row_sets.py", "for block in points.blocks:", "for block in points.blocks[:1]:"),
    # theories/positions/rows_apart.py
    Bug("nearer pairs pass", "theories/positions/rows_apart.py", "if side < 0 or side == self.distance == 0:", "if side == self.distance == 0:"),
    Bug("equal rows pass", "theories/positions/rows_apart.py", "if side < 0 or side == self.distance == 0:", "if side < 0:"),
    Bug("a distance that is met refutes", "theories/positions/rows_apart.py", "if side < 0 or side == self.distance == 0:", "if side <= 0:"),
    Bug("no sign passes", "theories/positions/rows_apart.py", "return self.undecided(OUT_OF_PRECISION, \"claim a slightly smaller distance\")", "continue"),
    Bug("no sign of the pair passes", "theories/positions/rows_apart.py", "return self.undecided(OUT_OF_PRECISION, \"claim a slightly larger bound for the pair\")", "return None"),
    Bug("distance compared with its square", "theories/positions/rows_apart.py", "self.rows.sides(self.distance)", "self.rows.sides(self.distance**2)"),
    Bug("the pair's bound not squared", "theories/positions/rows_apart.py", "self.rows.compare(*self.pair, self.within**2)", "self.rows.compare(*self.pair, self.within)"),
    Bug("the pair not looked at", "theories/positions/rows_apart.py", "if missed is not None:", "if False:"),
    Bug("a larger distance stated", "theories/positions/rows_apart.py", 'at_least("every distance", self.distance)', 'at_least("every distance", self.distance * 1001 / 1000)'),
    Bug("distances written rounded up", "theories/positions/rows_apart.py", "far = f\"are nearer than {inputs.show(self.distance, 6)}\"", "far = f\"are nearer than {inputs.show(self.distance * 1001 / 1000, 6)}\""),
    # theories/formulas/rational_functions.py, theories/formulas/bounded_polynomials.py: formulas of many symbols, and their signs
    Bug("sum without a common denominator", "theories/formulas/rational_functions.py", "poly.product(a, d) + poly.product(c, b), poly.product(b, d)", "poly.product(a, d) + poly.product(c, b), b"),
    Bug("quotient not turned over", "theories/formulas/rational_functions.py", "return RationalFunction(poly.product(a, d), poly.product(b, c))", "return RationalFunction(poly.product(a, c), poly.product(b, d))"),
    Bug("negative power not turned over", "theories/formulas/rational_functions.py", "if exponent >= 0 else (self._bottom, self._top)", "if True else (self._bottom, self._top)"),
    Bug("a symbol without a range passes", "theories/formulas/rational_functions.py", "if any(name not in least for name in self.names):", "if False:"),
    Bug("small negative coefficients pass", "theories/formulas/rational_functions.py", "if any(c < 0 for part in parts for c in part.values()):", "if any(c < -1 for part in parts for c in part.values()):"),
    Bug("only the numerator has a sign", "theories/formulas/rational_functions.py", "if any(c < 0 for part in parts for c in part.values()):", "if any(c < 0 for part in parts[:1] for c in part.values()):"),
    Bug("nonnegative passes for positive", "theories/formulas/rational_functions.py", "return above is None or all(any(_certain(e, moved.names, above) for e in part) for part in parts)", "return True"),
    Bug("a symbol at its end counts as above", "theories/formulas/rational_functions.py", "return all(power == 0 or name in above for power, name", "return all(power == 0 or True for power, name"),
    Bug("the region is not moved to the origin", "theories/formulas/rational_functions.py", "moved = self.substituted(shift)", "moved = self"),
    Bug("denominator dropped at a point", "theories/formulas/rational_functions.py", "return poly.value(self._top, values) / poly.value(self._bottom, values)", "return poly.value(self._top, values)"),
    Bug("factors below the line taken above", "theories/formulas/rational_functions.py", "[(p, -int(e)) for p, e in below]", "[(p, int(e)) for p, e in below]"),
    Bug("a square replaced twice", "theories/formulas/rational_functions.py", "square ** (exponent // 2)", "square ** exponent"),
    Bug("equal numerators are enough", "theories/formulas/rational_functions.py", "self._top == other._top and self._bottom == other._bottom", "self._top == other._top"),
    Bug("substitution without the denominators", "theories/formulas/bounded_polynomials.py", "power(bottom, degrees[i] - exponent)", "power(bottom, 0)"),
    Bug("a coefficient's denominator forgotten", "theories/formulas/bounded_polynomials.py", "exact(Fraction(int(coefficient.p), int(coefficient.q)))", "exact(int(coefficient.p))"),
    Bug("every power is the first", "theories/formulas/bounded_polynomials.py", "for _ in range(exponent if len(base) > 1 else 0):", "for _ in range(1 if len(base) > 1 else 0):"),
    # threads: one lock, one precision
    Bug("threads compute side by side", "kernel/balls/ball.py", "    with _ONE_AT_A_TIME:\n", "    if True:\n"),
    Bug("precision left as it was set", "kernel/balls/ball.py", "            ctx.prec = before", "            pass"),
    Bug("a child inherits a held lock", "kernel/balls/ball.py", 'if hasattr(os, "register_at_fork"):', "if False:"),
    Bug("a proof at its caller's precision", "kernel/claim.py", "with balls.precision(balls.FLOAT_BITS), under_proof(self) as outermost:", "with under_proof(self) as outermost:"),
    Bug("a witness's bound at the precision at rest", "search/least_norm/shortest.py", "        with balls.precision(balls.FLOAT_BITS):\n            low, high", "        if True:\n            low, high"),
    Bug("figures of finite laws at the precision at rest", "search/random_keys/finite.py", "    with balls.precision(balls.FLOAT_BITS):\n        low, high", "    if True:\n        low, high"),
    Bug("an answer judged among other threads", "problems/judges/_judge.py", "with balls.precision(balls.FLOAT_BITS):", "if True:"),
    # whose keys
    Bug("any numbers pass for stored ones", "kernel/number_types.py", "    if len(moved):\n", "    if False:\n"),
    Bug("the sentence forgets whose keys", "kernel/number_types.py", 'return "" if precision is None else f" as stored in {precision}{scales}"', 'return ""'),
    Bug("heads over unrounded keys carry the label", "kernel/heads.py", 'need_stored(self.keys, self.precision, name="keys")', "pass"),
    *(
        Bug(f"a false label is taken in {name}", f"kernel/{name}.py", 'need_stored(self.keys, self.precision, name="keys")', "pass")
        for name in ("out_of_reach", "gap_norm", "hulls_meet")
    ),
    Bug("optimality says nothing of its keys", "kernel/no_shorter.py", "keys{as_stored(self.precision)}{at}", "keys{at}"),
    Bug("unreachability says nothing of its keys", "kernel/out_of_reach.py", "keys{as_stored(self.precision)} {asked}", "keys {asked}"),
    Bug("the gap's norm says nothing of its keys", "kernel/gap_norm.py", "keys{as_stored(self.precision)} that", "keys that"),
    Bug("meeting hulls say nothing of their keys", "kernel/hulls_meet.py", "whose = as_stored(self.precision)", 'whose = ""'),
    Bug("a saved label is dropped", "kernel/record.py", "None if optional and name not in fields else", "None if optional else"),
    Bug("optimality is stated for the user's keys", "search/least_norm/shortest.py", "witness, request.precision, request.image)\n    return draft", "witness, None, request.image)\n    return draft"),
    Bug("unreachability is stated for the user's keys", "search/least_norm/inexact_ratios.py", "request.error, request.precision)", "request.error)"),
    Bug("a closed end of an older file is open", "kernel/older_formats.py", '"<=" if closed else "<": high', '"<": high'),
    # what a certificate says
    Bug("unknown fields inside a field", "kernel/certificate.py", "    extra += _differing(fields, json.loads(text_of(claim)))", '    extra += sorted(set(fields) - set(claim.fields()) - {"kind"})'),
    Bug("a name that stands twice", "kernel/certificate.py", "    if len(named) < len(pairs):", "    if False:"),
    Bug("unknown metadata", "kernel/certificate.py", "    if unknown:\n", "    if False:\n"),
    Bug("an array read in another shape", "kernel/certificate.py", "if name not in used or not np.array_equal(used[name], stored[name])", "if name not in used"),
    Bug("a verdict is saved without another proof", "words/files.py", "    if not isinstance(verdict, Undecided):\n", "    if False:\n"),
    Bug("a claim saved as one of another class", "words/files.py", "if KINDS.get(record.kind) is not type(record):", "if record.kind not in KINDS:"),
    Bug("a verdict on changed numbers is saved", "words/files.py", "    if verdict.changed:\n", "    if False:\n"),
    Bug("a design that contradicts its claim is made", "words/design_record.py", "if left := differing(design, made):", "if left := []:"),
    Bug("a claim of another kind about a changed design", "words/design_record.py", "if any(one is not other for one, other in kinds):", "if False:"),
    Bug("mean weights of other queries", "words/design_record.py", "        raise ValueError(\"`weights` are the mean", "        return {\"prove\": own.prove}\n        raise ValueError(\"`weights` are the mean"),
    Bug("weights of other queries", "words/design_record.py", "if design.weights.shape == weights.shape and np.abs(design.weights - weights).max() < _ROUNDING:", "if True:"),
    Bug("a query longer than the norm of a design", "words/design_record.py", "if most is not None and not meets(design.queries, design.coordinates, design.within, most):", "if False:"),
    Bug("parts of a result replaced alone", "words/pickling.py", "if named and not parts:", "if False:"),
    Bug("an answer that was raised is changed", "kernel/frozen.py", 'if name in vars(self) and not name.startswith("__"):', "if False:"),
    Bug("changed numbers pass for those that were proved", "kernel/verdict.py", "and numbers_of(self.record) != proved", "and False"),
    Bug("the numbers of a proof are not kept", "kernel/claim.py", "if numbers is not None and verdict.record is self:", "if False:"),
    Bug("a design shows the verdict of another", "words/design.py", "if known is not None and (own := own_claim(self, known.record)) is not known.record:", "if False:"),
    Bug("a design shows what is the best for another", "words/design.py", "return verdict if verdict is None or says_best(verdict.record, self) else None", "return verdict"),
    Bug("memory that a value relies on is handed out", "kernel/frozen.py", "else _copied(vars(instance)[self._name])", "else vars(instance)[self._name]"),
    Bug("a restored verdict passes for one made here", "kernel/verdict.py", 'verdict.__setstate__({**state, "_restored": True})', "verdict.__setstate__(state)"),
    Bug("a copy of a restored verdict passes for one made here", "kernel/verdict.py", "same.__dict__.update(self.__dict__)", 'same.__dict__.update({k: v for k, v in self.__dict__.items() if k != "_restored"})'),
    # verdicts stay true
    Bug("unpickled arrays can be written to", "kernel/frozen.py", "vars(self)[name] = sealed(value)", "vars(self)[name] = value"),
    Bug("writeable arrays are left open", "kernel/frozen.py", "        if _is_open(value):", "        if False:"),
    Bug("a closed view of an open array passes", "kernel/frozen.py", "        array = array.base\n    return array is not None", "        array = None\n    return array is not None"),
    Bug("the array of the caller is closed, not copied", "kernel/frozen.py", "            value = value.copy()\n", ""),
    Bug("arrays inside lists are left open", "kernel/frozen.py", "return tuple(map(sealed, value))", "return value"),
    Bug("mappings are left open", "kernel/frozen.py", "return value if isinstance(value, FrozenMap) else FrozenMap(value)", "return value"),
    Bug("a frozen map keeps the caller's own", "kernel/frozen.py", "{name: sealed(value) for name, value in given.items()}", "given"),
    Bug("an unpickled claim is not made anew", "kernel/claim.py", "return _from_parts, (type(self), self.arrays(), json.dumps(self.fields()))", "return object.__reduce_ex__(self, 2)"),
    Bug("a counterexample can be changed", "kernel/verdict.py", 'object.__setattr__(self, "counterexample", sealed(vars(self)["counterexample"]))', "pass"),
    Bug("evidence can be changed", "kernel/verdict.py", 'object.__setattr__(self, "evidence", sealed(vars(self)["evidence"]))', "pass"),
    Bug("factors of a model can be changed", "theories/random_keys/laws.py", "factors = FrozenMap({i: held[i] for i in sorted(held)})", "factors = {i: held[i] for i in sorted(held)}"),
    Bug("laws of a model can be changed", "theories/random_keys/laws.py", "laws=FrozenMap(held)", "laws=held"),
    Bug("a claim changes with the caller's goals", "kernel/record.py", "object.__setattr__(self, part.name, exact)", "pass"),
    # kernel/record.py and claim.py: what is written, read and said of every claim
    Bug("a truth that is none", "kernel/record.py", "if not isinstance(value, bool):", "if False:"),
    Bug("a row of goals named twice", "kernel/record.py", "if len(items) < len(known):", "if False:"),
    Bug("arrays of a mapping taken as they come", "kernel/record.py", "value = {own: inputs.float64(array, name=own, ndim=len(shape)) for own, array in value.items()}", "value = {own: np.asarray(array) for own, array in value.items()}"),
    Bug("arrays of a mapping that other fields name", "kernel/record.py", 'for own, array in stored.items() if own.startswith(f"{name}.")', "for own, array in stored.items()"),
    Bug("arrays taken as they come", "kernel/record.py", "value = inputs.float64(value, name=name, ndim=len(shape))", "value = np.asarray(value)"),
    Bug("arrays of any shape", "kernel/record.py", "                inputs.match(value, name, shape, known)\n", ""),
    Bug("a region left out of a saved claim", "kernel/record.py", "absent = optional and not any(", "absent = optional or not any("),
    Bug("a scope of its own ignored", "kernel/claim.py", 'return Proved(self.sentence(), record=self, **{"scope": self.scope(), **facts})', 'return Proved(self.sentence(), record=self, **{**facts, "scope": self.scope()})'),
    Bug("a stranger's claim read from a file", "kernel/claim.py", "and kernel.HOMES.get(cls.kind) == cls.__module__:", "and True:"),
    Bug("a law of keys taken for another", "theories/random_keys/laws.py", 'if fields["law"] != cls.law:', "if False:"),
    # no figure without end is proved
    Bug("a bound without end is stated", "kernel/verdict.py", "if bound is not None and not math.isfinite(bound):", "if False:"),
    Bug("a proved figure without end", "words/bounded.py", "if proved and not (math.isfinite(low) and math.isfinite(high)):", "if False:"),
    Bug("proved ends rounded inward", "words/bounded.py", "bottom, top = balls.float_below(low), balls.float_above(high)", "bottom, top = balls.float_above(low), balls.float_below(high)"),
    Bug("what lies between asked of rounded ends", "words/bounded.py", "low, high = self.ends or (self.low, self.high)", "low, high = self.low, self.high"),
    Bug("an outcome without end is proved", "search/random_keys/result.py", "        if law.proved:\n            _need_finite(moments)\n", ""),
    Bug("an end beyond float64 is a bound", "kernel/balls/ball.py", "    bound = float_above(value)\n    return bound if math.isfinite(bound) else None", "    return float_above(value)"),
    # counted work: what is no longer counted is missed by the claim after the colon
    Bug("uncounted in arrays: a law of long chances", "kernel/inputs.py", "budget.spend(1000 + 3 * budget.product(4 * len(value), 4 * len(value)))", "pass"),
    Bug("uncounted in ball: entropies", "kernel/balls/ball.py", "budget.spend(budget.ball(ctx.prec))", "pass"),
    Bug("uncounted in ball: first tier", "kernel/balls/ball.py", "budget.spend(200 * len(midpoints))", "pass"),
    Bug("uncounted in ball (2): entropies", "kernel/balls/ball.py", "budget.spend(len(terms) * unit_cost())", "pass"),
    Bug("uncounted in bounded_polynomials: a polynomial", "theories/formulas/bounded_polynomials.py", "budget.spend(1000 + len(a) * len(b) * budget.product(*lengths))", "pass"),
    Bug("uncounted in equal_rows: hashes", "theories/positions/equal_rows.py", "budget.spend(200 * until)", "pass"),
    Bug("uncounted in equal_rows: long rows", "theories/positions/equal_rows.py", "budget.spend(5 * rows.size)", "pass"),
    Bug("uncounted in equal_rows: collisions", "theories/positions/equal_rows.py", "budget.spend(2000 + 2 * row.size)", "pass"),
    Bug("uncounted in exact_squares: near long rows", "theories/positions/exact_squares.py", "budget.spend(4 * self.cost(i, j) * self._words + 500 * len(i))", "pass"),
    Bug("uncounted in integrals: an integral", "theories/random_keys/integrals.py", "budget.spend(2 * (1 + len(lines)) * function_cost())", "pass"),
    Bug("uncounted in linear: an exact system", "kernel/balls/linear.py", "budget.spend(whole.size * budget.product(*long))", "pass"),
    Bug("uncounted in linear (2): an exact system", "kernel/balls/linear.py", "budget.spend(len(groups) * whole.shape[1] * budget.product(common.bit_length(), sum(long)))", "pass"),
    Bug("uncounted in linear (3): an exact system", "kernel/balls/linear.py", "budget.hold((whole.size + len(groups)) * (40 + sum(long) // 8) + whole.shape[1] * common.bit_length() // 8)", "pass"),
    Bug("uncounted in matrix_norms: low rank", "theories/matrices/matrix_norms.py", "budget.spend(n * k * (m // 8 + 10))", "pass"),
    Bug("uncounted in matrix_norms (2): low rank", "theories/matrices/matrix_norms.py", "budget.spend(10 * matrix.size + 100 * len(matrix))", "pass"),
    Bug("uncounted in near_pairs: near long rows", "theories/positions/near_pairs.py", "budget.spend(200 * table.size)", "pass"),
    Bug("uncounted in near_pairs (2): near long rows", "theories/positions/near_pairs.py", "budget.hold(24 * table.size)", "pass"),
    Bug("uncounted in near_pairs: pairs", "theories/positions/near_pairs.py", "budget.spend(len(self._squares[first]) * len(self._squares[second]) * (self._table.shape[1] // 2 + 20))", "pass"),
    Bug("uncounted in near_pairs (3): near long rows", "theories/positions/near_pairs.py", "budget.spend(len(i) * (5 * d + 20))", "pass"),
    Bug("uncounted in near_shifts: shifts", "theories/positions/near_shifts.py", "budget.spend(100 * len(shifts))", "pass"),
    Bug("uncounted in normal: cells", "theories/random_keys/normal.py", "budget.spend(8 * function_cost())", "pass"),
    Bug("uncounted in scores: long keys", "kernel/balls/scores.py", "budget.spend(3 * n * d)", "pass"),
    Bug("uncounted in scores: a long query", "kernel/balls/scores.py", "budget.spend(keys.size * budget.product(*long))", "pass"),
    Bug("uncounted in scores (2): a long query", "kernel/balls/scores.py", "budget.hold((min(_ROWS, len(keys)) * keys.shape[1] + len(keys)) * (40 + sum(long) // 8))", "pass"),
    Bug("uncounted in scores: layer", "kernel/balls/scores.py", "budget.spend(len(factor) * total.size * budget.product(wide, long))", "pass"),
    Bug("uncounted in scores (2): layer", "kernel/balls/scores.py", "budget.hold((factor.size + len(factor) * total.size // len(total)) * (40 + long // 8))", "pass"),
    Bug("uncounted in scores (3): a long query", "kernel/balls/scores.py", "budget.spend(x.size * (200 + longest_bits(x, lowest) // 4))", "pass"),
    Bug("uncounted in tables: first tier", "kernel/balls/tables.py", "budget.spend(100 * len(midpoints))", "pass"),
    Bug("uncounted in tiers: first tier", "kernel/balls/tiers.py", "budget.spend(len(queries) * len(keys) * (3 * keys.shape[1] + 60))", "pass"),
    Bug("uncounted in tiers (2): first tier", "kernel/balls/tiers.py", "budget.hold(16 * len(queries) * len(keys))", "pass"),
    Bug("uncounted in tiers: ties", "kernel/balls/tiers.py", "budget.hold(len(numerators) * (64 + bits // 8))", "pass"),
    Bug("uncounted in tiers: mixed heads", "kernel/balls/tiers.py", "budget.spend(len(numerators) * budget.function(bits))", "pass"),
    Bug("uncounted in waves: frequencies", "theories/positions/waves.py", "budget.spend(2 * self.columns * budget.function(bits + self._magnitude))", "pass"),
    Bug("uncounted in waves: half steps", "theories/positions/waves.py", "budget.spend(40 * self.columns * budget.function(_BITS + self._magnitude))", "pass"),
    Bug("uncounted in goals: a sum of long shares", "kernel/goals.py", "total = budget.summed(exact)", "total = sum(exact)"),
    Bug("uncounted in goals (2): a sum of long shares", "kernel/goals.py", "budget.spend(len(exact) * budget.product(budget.bits(total), max(map(budget.bits, exact))))", "pass"),
    Bug("uncounted in block_equivariant: identities", "theories/order/block_equivariant.py", "budget.spend(variables * variables + self.terms() * (1000 + each + budget.product(4 * long, 4 * long)))", "pass"),
    Bug("uncounted in block_equivariant (2): identities", "theories/order/block_equivariant.py", "budget.hold((self.width + 2) ** 2 * self.tokens**2 * each)", "pass"),
    Bug("uncounted in block_equivariant: hidden units", "theories/order/block_equivariant.py", "budget.spend(4 * self.products() * balls.unit_cost() + 2 * exponentials * balls.function_cost())", "pass"),
    Bug("uncounted in finite_probability: all doubtful", "theories/random_keys/finite_probability.py", "met = budget.added(met, law.probability(combination))", "met += law.probability(combination)"),
    Bug("uncounted in finite_probability (2): all doubtful", "theories/random_keys/finite_probability.py", "budget.spend(1000 + 3 * budget.product(budget.bits(chance), budget.bits(p[c])))", "pass"),
    Bug("uncounted in finite_probability: doubtful", "theories/random_keys/finite_probability.py", "budget.spend(numbers * (3000 + 3 * budget.product(long, long) + balls.function_cost()))", "pass"),
    Bug("uncounted in finite_probability (2): doubtful", "theories/random_keys/finite_probability.py", "budget.hold(numbers * (200 + long // 8))", "pass"),
    Bug("uncounted in finite_probability (3): all doubtful", "theories/random_keys/finite_probability.py", "budget.hold(8 * _CHUNK * (4 * targets + len(shape)))", "pass"),
    Bug("uncounted in finite_probability: many heads screened", "theories/random_keys/finite_probability.py", "budget.spend(len(probability) * len(self._shares) * (10 * targets + 10 * len(shape) + 50))", "pass"),
    Bug("uncounted in finite_probability (4): all doubtful", "theories/random_keys/finite_probability.py", "budget.hold(int(near.sum()) * (100 + 8 * len(shape)))", "pass"),
    Bug("uncounted in finite_probability (5): all doubtful", "theories/random_keys/finite_probability.py", "budget.spend(len(self._given) * (2000 + 50 * len(self._place) + len(combination) * balls.unit_cost()))", "pass"),
    Bug("uncounted in gap_norm: gap norm", "kernel/gap_norm.py", "return budget.summed((a - b) ** 2 for a, b in self.points())", "return sum((a - b) ** 2 for a, b in self.points())"),
    Bug("uncounted in gap_norm: weights of a hull", "kernel/gap_norm.py", "whole = budget.summed(Fraction(weight) for weight in weights.tolist())", "whole = sum(Fraction(weight) for weight in weights.tolist())"),
    Bug("uncounted in gap_norm (2): gap norm", "kernel/gap_norm.py", "budget.spend(len(numerators) * 9 * budget.product(6400, 2200))", "pass"),
    Bug("uncounted in goals_contradict: shares of a row", "kernel/goals_contradict.py", "budget.spend(1000 * sum(len(goal.indices) for goal in self.goals.values()))", "pass"),
    Bug("uncounted in goals_contradict: long contradiction", "kernel/goals_contradict.py", "budget.hold(8 * len(self.tokens) ** 2)", "pass"),
    Bug("uncounted in goals_contradict (2): long contradiction", "kernel/goals_contradict.py", "budget.spend((len(self.tokens) + whole.shape[1]) * whole.size * budget.product(longer + long, long))", "pass"),
    Bug("uncounted in heads: all doubtful", "kernel/heads.py", "whole = budget.summed(parts)", "whole = sum(parts)"),
    Bug("uncounted in heads: wide mix", "kernel/heads.py", "budget.spend(len(parts) * budget.product(budget.bits(whole), 2200))", "pass"),
    Bug("uncounted in heads: first tier", "kernel/heads.py", "budget.spend(len(shares) * (len(shares) + 2 * len(exponentials[0])) * balls.unit_cost())", "pass"),
    Bug("uncounted in hulls_meet: long weights", "kernel/hulls_meet.py", "budget.spend(len(self.weights) * (200 + max(map(int.bit_length, self.weights), default=0)))", "pass"),
    Bug("uncounted in layer_rows: layer", "theories/matrices/layer_rows.py", "budget.spend(values.size * 3 * balls.unit_cost())", "pass"),
    Bug("uncounted in out_of_reach: many targets of a query", "kernel/out_of_reach.py", "budget.spend(1000 * len(self.goal.indices))", "pass"),
    Bug("uncounted in gibbs: many targets of a query", "kernel/gibbs.py", "budget.spend(len(parts) * balls.function_cost())", "pass"),
    Bug("uncounted in gibbs: entropies", "kernel/gibbs.py", "budget.spend(len(row) * (balls.function_cost() + whole.bit_length()))", "pass"),
    Bug("uncounted in outputs_contradict: relations", "theories/matrices/outputs_contradict.py", "budget.summed(_times(u, x) for u, x in zip(weights, column, strict=True)) for column in zip(*rows, strict=True)", "sum(_times(u, x) for u, x in zip(weights, column, strict=True)) for column in zip(*rows, strict=True)"),
    Bug("uncounted in outputs_contradict (2): relations", "theories/matrices/outputs_contradict.py", "budget.spend(3 * budget.product(budget.bits(u), budget.bits(x)))", "pass"),
    Bug("uncounted in reads_out: read-out", "theories/matrices/reads_out.py", "budget.spend(self.numerators.size * 2 * budget.product(10_000, sum(long)))", "pass"),
    Bug("uncounted in reads_out (2): read-out", "theories/matrices/reads_out.py", "budget.hold(self.numerators.size * (100 + sum(long) // 4))", "pass"),
    Bug("uncounted in reads_out (3): read-out", "theories/matrices/reads_out.py", "budget.spend(whole.numerators.size * budget.product(long, long))", "pass"),
    Bug("uncounted in reads_out (4): read-out", "theories/matrices/reads_out.py", "budget.spend(3 * whole.numerators.shape[1] * budget.product(2 * long, 2 * budget.bits(whole.unit)))", "pass"),
    Bug("uncounted in reads_out (5): read-out", "theories/matrices/reads_out.py", "budget.hold(whole.numerators.size * (40 + long // 4))", "pass"),
    Bug("uncounted in region: moved", "kernel/region.py", "return balls.exact(budget.summed(parts))", "return balls.exact(sum(parts))"),
    Bug("uncounted in region: a long query", "kernel/region.py", "return balls.exact(budget.summed(c * c for c in parts)).sqrt()", "return balls.exact(sum(c * c for c in parts)).sqrt()"),
    Bug("uncounted in row_sets: near pairs", "theories/positions/row_sets.py", "budget.spend(1000 * len(near.i))", "pass"),
    Bug("uncounted in score_box: covariances", "theories/random_keys/score_box.py", "budget.spend(len(members) * (2500 + 4 * balls.unit_cost()))", "pass"),
    Bug("uncounted in score_noise: cells", "theories/random_keys/score_noise.py", "budget.spend(operations * (2000 + 2 * budget.product(long, long)))", "pass"),
    Bug("uncounted in score_noise: covariances", "theories/random_keys/score_noise.py", "budget.spend(len(numerators) * (2000 + budget.product(2200, 2200)))", "pass"),
    Bug("uncounted in singular_values: singular values", "theories/matrices/singular_values.py", "budget.spend(40_000 * len(values))", "pass"),
    Bug("uncounted in weight_bound: long bound", "kernel/weight_bound.py", "budget.spend(len(distinct) * (len(y) + 5000 + 3 * budget.product(common.bit_length(), 2200)))", "pass"),
    Bug("uncounted in weight_bound: rounds", "kernel/weight_bound.py", "budget.spend(4 * len(y) * balls.unit_cost())", "pass"),
    Bug("uncounted in within_error: combinations", "kernel/within_error.py", "budget.spend(len(inside) * (8 * balls.unit_cost() + common.bit_length()))", "pass"),
    Bug("uncounted in withstands: members", "kernel/withstands.py", "budget.spend(1000 + (8 * len(base) + 4) * balls.unit_cost())", "pass"),
    Bug("uncounted in withstands (2): members", "kernel/withstands.py", "budget.spend(2000 + 2 * len(sums) * balls.unit_cost())", "pass"),
    Bug("uncounted in withstands (3): members", "kernel/withstands.py", "budget.hold(200 + 200 * len(sums) + len(members) // 8)", "pass"),
    Bug("uncounted in key_laws: a law of long chances", "theories/random_keys/laws.py", "whole = budget.summed(exact.values())", "whole = sum(exact.values())"),
    Bug("uncounted in gibbs (9): long witness", "kernel/gibbs.py", "budget.whole_numbers([number for *_, number in self.witness])", "(lambda c: [int(n * c) for *_, n in self.witness])(__import__('math').lcm(*(n.denominator for *_, n in self.witness)))"),
    Bug("uncounted in within_error (9): long shares", "kernel/within_error.py", "budget.whole_numbers(goal.shares)", "(lambda c: [int(w * c) for w in goal.shares])(__import__('math').lcm(*(w.denominator for w in goal.shares)))"),
    Bug("uncounted in score_box: sums beside targets", "theories/random_keys/score_box.py", "budget.spend(len(members) * (5000 + 8 * balls.unit_cost()))", "pass"),
    Bug("uncounted in score_box (9): cells", "theories/random_keys/score_box.py", "len(among) * len(self._shares) * 20 * balls.unit_cost()", "0"),
    # kernel/budget.py, reading/toml_files.py, and what certificate.py and kernel/goals.py make of them
    Bug("a budget that never ends", "kernel/budget.py", "if purse.spent > purse.amount:", "if False:"),
    Bug("what is spent is forgotten", "kernel/budget.py", "purse.spent += units", "purse.spent = units"),
    Bug("bytes are free", "kernel/budget.py", "spend(_A_BYTE * size)", "pass"),
    Bug("a budget that stays in force", "kernel/budget.py", "_IN_FORCE.reset(mark)", "pass"),
    Bug("long numbers cost as little as short ones", "kernel/budget.py", "return 100 + a * b // 1000", "return 100"),
    Bug("reading without a budget", "kernel/certificate.py", "hold(3 * size)  # mapped", "pass  # mapped"),
    Bug("the text of a claim is free", "kernel/certificate.py", "_A_BYTE * min(", "0 * min("),
    Bug("unpacking for the price of reading", "kernel/certificate.py", "hold(_UNPACKED * size)", "hold(3 * size)"),
    Bug("names inside are free", "kernel/certificate.py", "spend(_A_BYTE_OF_NAMES * len(header))", "pass"),
    Bug("a budget that is not put in force", "kernel/certificate.py", "with within(budget):", "if within(budget):"),
    Bug("the proof's end at the budget is not caught", "kernel/certificate.py", "said = str(over)", "raise"),
    Bug("arrays of any type are read", "kernel/certificate.py", 'if kind != "F64"', "if False"),
    Bug("another index called repeated", "kernel/goals.py", "Counter(numbers).most_common(1)[0][0]", "numbers[0]"),
    Bug("names of any length reach the parser", "reading/toml_files.py", "if _longest_name(text) > _MOST_DOTS:", "if False:"),
    Bug("dots in quotes hide a name", "reading/toml_files.py", '(?:"{3,5}|', '(?:"""|'),
    Bug("bytes of TOML are free", "reading/toml_files.py", "spend(_A_BYTE * len(content))", "pass"),
    # kernel/combined.py: claims made of claims
    Bug("a refuted part is passed over", "kernel/combined.py", "            if isinstance(verdict, Refuted):\n                return self.refuted(", "            if False:\n                return self.refuted("),
    Bug("undecided parts count as proved", "kernel/combined.py", "if not all(isinstance(verdict, Proved) for verdict in verdicts):", "if not verdicts:"),
    Bug("an undecided part refutes", "kernel/combined.py", "            if isinstance(verdict, Refuted):\n                return self.refuted(", "            if not isinstance(verdict, Proved):\n                return self.refuted("),
    Bug("a contrary that agrees", "kernel/combined.py", "        if isinstance(verdict, Refuted):\n            return self.proved(reason", "        if isinstance(verdict, Proved):\n            return self.proved(reason"),
    Bug("the contrary of what is undecided", "kernel/combined.py", "        if isinstance(verdict, Refuted):\n            return self.proved(reason", "        if not isinstance(verdict, Proved):\n            return self.proved(reason"),
    Bug("a contrary in the words of its claim", "kernel/combined.py", 'return f"it is false that {inner.sentence()}"', "return inner.sentence()"),
    Bug("holds_when without its proof", "kernel/combined.py", "not isinstance(verdict := self.where.prove(), Proved)", "not isinstance(verdict := self.where.prove(), Verdict)"),
    Bug("holds_when in the words of what is refuted", "kernel/combined.py", "it says no more than this: {verdict.claim}", "it says no more than this: {self.claim.sentence()}"),
    Bug("holds_when about nothing", "kernel/combined.py", "filter(None, (verdict.scope, self.where.about()))", "filter(None, (verdict.scope,))"),
    Bug("holds_when without its scope", "kernel/combined.py", "filter(None, (verdict.scope, self.where.about()))", "filter(None, (self.where.about(),))"),
    Bug("what may be said instead is not counted", "kernel/combined.py", "else both) if each is not None]", "else both[:1]) if each is not None]"),
    Bug("what may be said instead is proved, not what is refuted", "kernel/combined.py", "        verdict = self.claim.prove()\n        if isinstance(verdict, Refuted):", "        verdict = (self.where or self.claim).prove()\n        if isinstance(verdict, Refuted):"),
    Bug("what may be said instead is lost in a file", "kernel/combined.py", 'for part in ("claim", "where") if part in fields}', 'for part in ("claim",)}'),
    Bug("parts share the arrays of the first", "kernel/combined.py", "parts[int(place)][rest] = array", "parts[0][rest] = array"),
    Bug("arrays of no part are left over", "kernel/combined.py", "int(place) >= len(given)", "False"),
    Bug("claims nested without end", "kernel/combined.py", "if depth > _DEEPEST:", "if depth > 10**6:"),
    Bug("claims without number", "kernel/combined.py", "    if count > _MOST:", "    if count > 10**9:"),
    Bug("no claim at all holds", "kernel/combined.py", "        if not self.claims:", "        if False:"),
    Bug("cases that are not told apart", "kernel/combined.py", "named = cases if len(cases) > 1 else {}", "named: dict[Any, str] = {}"),
    # theories/random_keys/weight_variance.py: how much weights vary
    Bug("heads taken as independent", "theories/random_keys/weight_variance.py", "(1 if g == h else 2) * factors", "(1 if g == h else 0) * factors"),
    Bug("covariances counted once", "theories/random_keys/weight_variance.py", "(1 if g == h else 2) * factors", "factors"),
    Bug("the second moment for the variance", "theories/random_keys/weight_variance.py", " - means[g] * means[h]", ""),
    Bug("the moving key left out of the functional", "theories/random_keys/weight_variance.py", "(kept / others - balls.exact(float(values[noise.key])))", "(kept / others)"),
    Bug("variance of several Gaussians from one", "theories/random_keys/weight_variance.py", "if not noise.is_one_gaussian:", "if False:"),
    Bug("variance compared the other way", "theories/random_keys/weight_variance.py", "(over <= 0, over > 0) if self.side", "(over >= 0, over < 0) if self.side"),
    Bug("the other end of a variance stated", "theories/random_keys/weight_variance.py", "balls.upper_end(spread, most=self.bound)", "balls.lower(spread)"),
    Bug("shares of heads forgotten in the variance", "theories/random_keys/weight_variance.py", "balls.exact(share) * (kept", "balls.exact(1) * (kept"),
    # theories/formulas/lead_decides.py: how far a score must lead
    Bug("what is enough is not compared", "theories/formulas/lead_decides.py", "(_value(self.enough, m, w) - m * w,", "(_value(self.enough, m, w),"),
    Bug("what is needed is not compared", "theories/formulas/lead_decides.py", "w - _value(self.needed, m, w))", "_value(self.needed, m, w))"),
    Bug("two keys for all", "theories/formulas/lead_decides.py", "(_value(self.enough, m, w) - m * w,", "(_value(self.enough, m, w) - w,"),
    Bug("leads from three keys on", "theories/formulas/lead_decides.py", '{"m": 1, "w": 0}', '{"m": 2, "w": 0}'),
    Bug("leads for small errors alone", "theories/formulas/lead_decides.py", '{"m": 1, "w": 0}', '{"m": 1, "w": 1}'),
    Bug("negative terms of a lead", "theories/formulas/lead_decides.py", "if factor <= 0:", "if False:"),
    # theories/matrices/singular_squares.py: sums of squares
    Bug("a sum above its bound", "theories/matrices/singular_squares.py", "if self.low <= least and most <= self.high:", "if self.low <= least:"),
    Bug("a sum below its bound", "theories/matrices/singular_squares.py", "if self.low <= least and most <= self.high:", "if most <= self.high:"),
    Bug("an enclosed sum taken for exact", "theories/matrices/singular_squares.py", "if self.low <= least and most <= self.high:", "if self.low <= most and least <= self.high:"),
    Bug("a refuted sum that may be met", "theories/matrices/singular_squares.py", "if most < self.low or self.high < least:", "if least < self.low or self.high < most:"),
    Bug("the tail without its k", "theories/matrices/singular_squares.py", "total[1] > self.k * self.bound**2", "total[1] > self.k**2 * self.bound**2"),
    # theories/positions/rows_apart.py: waves at all integers
    Bug("any rows differ everywhere", "theories/positions/rows_apart.py", "if self.everywhere and (self.distance is None or not isinstance(self.rows, WaveRows)):", "if self.everywhere and self.distance is None:"),
    Bug("everywhere stands for the distance too", "theories/positions/rows_apart.py", "if self.distance is None or (self.everywhere and not self.distance):", "if self.distance is None or self.everywhere:"),
    Bug("every two rows apart at all integers", "theories/positions/rows_apart.py", '        if not self.everywhere:\n            return "this instance"', '        if False:\n            return "this instance"'),
    *(Bug(*row) for row in (*CALL_ROWS, *PROGRAM_ROWS, *WALK_ROWS, *ROWS)),
)  # fmt: skip


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """Plant each bug, run the tests until one fails; `caught` maps bug to test.

    The tests that caught a bug are then run on the sources as they are: one that fails there too has caught nothing.
    """
    bugs = BUGS[:limit]
    fit_the_sources(bugs)
    hints = recorded()
    with Partial(store, __file__, parts=PARTS) as partial, ExitStack() as stack:
        nurseries: SimpleQueue[Nursery] = SimpleQueue()
        for _ in range(os.cpu_count() or 1):
            nurseries.put(stack.enter_context(Nursery()))
        pool = stack.enter_context(ThreadPoolExecutor(nurseries.qsize()))

        no_result: dict[str, str] = {}

        def caught_by(bug: Bug) -> str | None:
            nursery = nurseries.get()
            try:
                return nursery.first_failure(bug, hints.get(bug.name), kin_tests(bug, hints))
            except TimeoutError as error:
                no_result[bug.name] = str(error)
                return None
            finally:
                nurseries.put(nursery)

        todo = [bug for bug in bugs if _case(bug) not in partial]
        for bug, caught in zip(todo, pool.map(caught_by, todo), strict=True):
            if bug.name not in no_result:
                partial.add(_case(bug), {"file": bug.file, "caught_by": caught})
        rows = {bug.name: partial[_case(bug)] for bug in bugs if _case(bug) in partial}
        named = sorted({name for row in rows.values() if (name := row["caught_by"]) and not name.startswith(STOPPED)})

        def blind_among(tests: Sequence[str]) -> list[str]:
            nursery = nurseries.get()
            try:
                return nursery.failures(tests)
            finally:
                nurseries.put(nursery)

        some = [named[start : start + 100] for start in range(0, len(named), 100)]
        blind = [test for failed in pool.map(blind_among, some) for test in failed]
    missed = [name for name, row in rows.items() if row["caught_by"] is None]
    return {
        "holds": not missed and not blind and not no_result and (limit is not None or len(rows) >= 30),
        "bugs": len(rows),
        "missed": missed,
        "no_result": no_result,
        "fail_without_a_bug": blind,
        "rows": rows,
    }


def _case(bug: Bug) -> str:
    """The bug's name, and a mark of its text: a bug that was changed, here or in `prover_bugs.py`, is planted again."""
    return f"{bug.name} #{zlib.crc32(repr(bug).encode()):08x}"


def fit_the_sources(bugs: Sequence[Bug]) -> None:
    """ValueError that names every bug whose text does not stand in its file once: before a run, not in the middle of it."""
    texts = {file: (ROOT / "src" / "headwright" / file).read_text("utf-8") for file in {bug.file for bug in bugs}}
    gone = [f"{bug.name!r} ({bug.file})" for bug in bugs if texts[bug.file].count(bug.right) != 1]
    if gone:
        raise ValueError(f"the text of these bugs does not stand in the sources once: {'; '.join(gone)}")


def recorded() -> dict[str, str]:
    """The test that caught each bug in the recorded run: tried first, it finds most bugs at once.

    `hints` of the file are tests of bugs that no full run has planted yet. They are tried and never counted.
    """
    file = Path(__file__).with_suffix(".json")
    if not file.exists():
        return {}
    record = json.loads(file.read_text("utf-8"))
    caught = {name: row["caught_by"] or STOPPED for name, row in record["result"]["rows"].items()}
    return {**record.get("hints", {}), **{name: test for name, test in caught.items() if not test.startswith(STOPPED)}}


def kin_tests(bug: Bug, hints: Mapping[str, str], most: int = 12) -> list[str]:
    """The tests that caught most other bugs of the file: what a bug with a new name or a new text is likely to fail."""
    kin = {other.name for other in BUGS if other.file == bug.file}
    usual = Counter(test for name, test in hints.items() if name in kin)
    return [test for test, _ in usual.most_common() if _stands(test)][:most]


def _stands(test: str) -> bool:
    """Whether a test's file and function are there; a case that is gone is left to `first_failure`."""
    file, _, name = test.partition("::")
    path = ROOT / file
    return path.is_file() and f"def {name.partition('[')[0]}(" in path.read_text("utf-8")


def first_failure(bug: Bug | None) -> str | None:
    """The first test that fails with this bug planted (None: with the sources as they are), or None when all pass."""
    with Nursery() as nursery:
        return nursery.first_failure(bug)


class Nursery(Copy):
    """One copy of the sources, where a bug is planted and taken out again."""

    def __init__(self, root: Path = ROOT) -> None:
        super().__init__(root)

    def first_failure(self, bug: Bug | None, hint: str | None = None, kin: Sequence[str] = ()) -> str | None:
        """The first test that fails with this bug planted, or None when all pass; `hint` and `kin` are tests that may fail."""
        if bug is None:
            return next(iter(self.failures(TESTS)), None)
        for hinted in ([hint] if hint is not None else [], kin):
            if hinted:
                try:
                    outcome = self._with(bug, hinted, HINTED)
                except TimeoutError:
                    continue  # other tests may fail
                if failed := _first(outcome):  # anything else is no result: a test may be gone
                    return failed
        for tests in filter(None, (likely_tests(bug), near_tests(bug), all_tests(bug))):
            outcome = self._with(bug, tests)
            if failed := _first(outcome):
                return failed
            if outcome.code != 0:
                if (without := self._run(tests)).code not in (0, 1):
                    raise ValueError(f"{', '.join(tests)} cannot be run at all: {_stopped(without)}")
                return _stopped(outcome)
        return None

    def failures(self, tests: Sequence[str]) -> list[str]:
        """Those of the tests that fail on the sources as they are."""
        apart = {True: [name for name in tests if _of_the_prover(name)]}
        apart[False] = [name for name in tests if name not in set(apart[True])]
        failed: list[str] = []
        for part in apart.values():
            if part:
                outcome = self._run(part, stop_at_first=False)
                failed += outcome.failed if outcome.code in (0, 1) else [_stopped(outcome)]
        return failed

    def _with(self, bug: Bug, tests: Sequence[str], seconds: float = ALL) -> Outcome:
        path = self.copy / "src" / "headwright" / bug.file
        right = path.read_bytes()
        plant(bug, self.copy)
        try:
            return self._run(tests, seconds=seconds)
        finally:
            path.write_bytes(right)

    def _run(self, tests: Sequence[str], *, stop_at_first: bool = True, seconds: float = ALL) -> Outcome:
        # The prover's own tests catch its bugs without another's judgement.
        environment = {"HEADWRIGHT_NO_SECOND_OPINION": "1"} if any(map(_of_the_prover, tests)) else {}
        return self.server.run(tests, environment, stop_at_first=stop_at_first, seconds=seconds)


def _of_the_prover(test: str) -> bool:
    return test.startswith("tests/prover")


def _first(outcome: Outcome) -> str | None:
    """The first test that failed, or the first file that could not be imported."""
    return next(filter(None, outcome.failed), None) if outcome.code in (1, 2) else None


def _stopped(outcome: Outcome) -> str:
    return f"{STOPPED} with code {outcome.code}: {outcome.tail}"


def all_tests(bug: Bug | None) -> Sequence[str]:
    """The tests that a bug has to get past: the prover's own, all others, or both where both use the file."""
    if bug is None or not bug.file.startswith(PROVER):
        return TESTS
    return (
        PROVER_TESTS
        if bug.name in OF_THE_PROVER or not bug.file.startswith("kernel/balls/")
        else (*PROVER_TESTS, *TESTS)
    )


def likely_tests(bug: Bug | None) -> list[str]:
    """The test files of the bug's own module, looked at first: which tests run is the same, the failing one is found sooner."""
    if bug is None:
        return []
    if bug.name.startswith("uncounted"):
        case, counted = bug.name.rpartition(": ")[2], "tests/proofs/test_counted_work.py"
        named = f'"{case}":' in (ROOT / counted).read_text("utf-8")  # a case of its own; otherwise several may count it
        return [f"{counted}::test_costly_steps_are_counted[{case}]" if named else counted]
    stem = Path(bug.file).stem.lstrip("_")  # `words/design.py` is tested by test_design.py
    own = [
        path
        for name in TESTED_WITH.get(stem, stem).split()
        for path in sorted((ROOT / "tests").rglob(f"test_{name}.py"))
    ]
    return [path.relative_to(ROOT).as_posix() for path in own]


def near_tests(bug: Bug, most: int = 3) -> list[str]:
    """The test files that name most of what the bug's module defines: looked at before all the others."""
    text = (ROOT / "src" / "headwright" / bug.file).read_text("utf-8")
    defined = re.findall(r"^(?:def|class) (\w+)", text, re.MULTILINE)
    around = re.findall(r"^(?:def|class) (\w+)", text[: text.find(bug.right)], re.MULTILINE)[-1:]
    weights = {**dict.fromkeys(defined, 1), Path(bug.file).stem: 10, **dict.fromkeys(around, 100)}

    def named(path: Path) -> int:
        words = set(re.findall(r"\w+", path.read_text("utf-8")))
        return sum(weight for name, weight in weights.items() if name in words)

    places = [ROOT / name for name in all_tests(bug)]
    files = [file for place in places for file in ([place] if place.is_file() else sorted(place.glob("**/test_*.py")))]
    return [path.relative_to(ROOT).as_posix() for path in sorted(files, key=named, reverse=True)[:most]]


def plant(bug: Bug, root: Path) -> None:
    """Replace the right text by the wrong one; the right text must stand there exactly once."""
    path = root / "src" / "headwright" / bug.file
    text = path.read_text("utf-8")
    if text.count(bug.right) != 1:
        raise ValueError(f"bug {bug.name!r}: its text stands {text.count(bug.right)} times in {bug.file}, not once")
    path.write_text(text.replace(bug.right, bug.wrong), "utf-8")
