"""The second opinion on claims about sets of keys scored above the rest: Fractions, integers, and SciPy's nnls as a searcher.

A witness of impossibility or of a least norm is added up again, loop by loop. When it shows nothing, a query is searched for in
floating point and judged in Fractions: one that does what the claim denies makes it false.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from scipy.optimize import nnls

from tests import second_opinion_image as images
from tests.brackets import rationals, root
from tests.second_opinion_words import parts_of

PRECISIONS = (64, 256, 1024, 4096)


def top_gap(arrays, fields):
    members, others = _sides(arrays, fields)
    return _compared([(i, j) for i in members for j in others], arrays, fields)


def _compared(pairs, arrays, fields):
    """Whether s_i - s_j - δ_i - δ_j > 0, or >= gap, for every pair: moves between two rationals, or known."""
    least = Fraction(fields.get("gap", 0))
    scores = _scores(_rows(arrays), images.queries(arrays)[0], Fraction(fields["scale"]))
    for p in PRECISIONS:
        shifts = _shifts(arrays, fields, p)
        found = set()
        for low, high, apart in {
            (shifts[i][0] + shifts[j][0], shifts[i][1] + shifts[j][1], scores[i] - scores[j]) for i, j in pairs
        }:
            if apart - high > least or ("gap" in fields and apart - high == least):
                found.add("true")
            elif apart - low < least or (low == high and apart - low == least and "gap" not in fields):
                return "false"
            else:
                found.add("unknown")
        if found == {"true"}:
            return "true"
    return "unknown"


def _shifts(arrays, fields, p):
    """How far every score may move: between two rationals."""
    (n, d), query = np.shape(arrays["keys"]), images.queries(arrays)[0]
    if "radius" not in fields:
        return [(0, 0)] * n
    reach = Fraction(fields["scale"]) * Fraction(fields["radius"])
    rows = [rationals(row) for row in np.asarray(arrays.get("profile", np.ones((1, 1))))]
    found = []
    for row in rows:
        parts = [own * c for own, c in zip(row * d if len(row) == 1 else row, query, strict=True)]
        box = fields["norm"] == "box"
        found.append((reach * sum(map(abs, parts)),) * 2 if box else root(reach**2 * sum(c * c for c in parts), p))
    return found * n if len(found) == 1 else found


def breaks(verdict):
    """Whether the stored pair of a Refuted is a member and an outsider whose scores are not as far apart as claimed."""
    claim = verdict.record
    _, arrays, fields = parts_of(claim)
    members, others = _sides(arrays, fields)
    i, j = verdict.counterexample["pair"]
    found = i in members and j in others and _compared([(i, j)], arrays, fields) == "false"
    if "keys" in verdict.counterexample:
        fixed = {name: value for name, value in fields.items() if name not in ("radius", "norm")}
        there = {**arrays, "keys": np.asarray(verdict.counterexample["keys"])}
        found = found and _compared([(i, j)], there, fixed) == "false"
    return found


def hulls_meet(arrays, fields):
    members, _ = _sides(arrays, fields)
    weights = {j: int(text, 16) for j, text in zip(fields["indices"], fields["weights"], strict=True)}
    assert len(weights) == len(fields["indices"])
    rows, d = _rows(arrays), len(arrays["keys"][0])
    signed = {j: weight if j in members else -weight for j, weight in weights.items()}
    inside = sum(weight for j, weight in weights.items() if j in members)
    balanced = sum(signed.values()) == 0 and inside > 0 and min(weights.values()) > 0
    ahead = [sum(weight * rows[j][c] for j, weight in signed.items()) for c in range(d)]
    value = images.common_value(arrays, ahead)
    if balanced and value is not None:
        if "gap" in fields and Fraction(fields["scale"]) * value < Fraction(fields["gap"]) * inside:
            return "true"
        if "gap" not in fields and value <= 0:
            return "true"
    return "unknown" if _margin(arrays, fields) is None else "false"


def gap_norm(arrays, fields):
    members, others = _sides(arrays, fields)
    rows, witness = _rows(arrays), rationals(arrays["witness"])
    least = Fraction(fields["norm"]) * Fraction(fields["scale"]) / Fraction(fields["gap"])
    means = []
    for side in (members, others):
        whole = sum(witness[j] for j in side)
        means.append([sum(witness[j] * rows[j][c] for j in side) / whole for c in range(len(rows[0]))])
    # q·x >= g/τ with x the difference of the means: (g/τ - x·b⊥)² >= ‖Px‖² (norm² - ‖b⊥‖²), or the norm is below ‖b⊥‖
    length, along, square = images.split(arrays, [a - b for a, b in zip(*means, strict=True)])
    norm, left = Fraction(fields["norm"]), Fraction(fields["gap"]) / Fraction(fields["scale"]) - along
    if norm**2 <= square or (left >= 0 and length * (norm**2 - square) <= left**2):
        return "true"
    found = _margin(arrays, fields)
    return "unknown" if found is None or found >= least**2 else "false"


def _margin(arrays, fields):
    """‖q‖² of a query that scores the set above the rest by 1 at scale 1, in Fractions; None when none was found.

    With an image none is looked for.
    """
    if "matrix" in arrays:
        return None
    members, others = _sides(arrays, fields)
    keys = np.asarray(arrays["keys"], dtype=np.float64)
    keys = keys / (np.abs(keys).max() or 1.0)
    pairs = (keys[sorted(members)][:, None] - keys[sorted(others)][None]).reshape(-1, keys.shape[1])
    size = float(np.linalg.norm(pairs, axis=1).max()) or 1.0
    try:
        weights, _ = nnls(np.vstack([pairs.T, np.full(len(pairs), size)]), np.append(np.zeros(keys.shape[1]), size))
    except RuntimeError:
        return None
    query = rationals(weights @ pairs)
    scores = _scores(_rows(arrays), query, Fraction(1))
    apart = min(scores[i] for i in members) - max(scores[j] for j in others)
    return sum(c * c for c in query) / apart**2 if apart > 0 else None


def _sides(arrays, fields):
    members = set(fields["top"]["indices"])
    others = set(range(len(arrays["keys"]))) - members
    assert members
    assert others
    assert len(members) + len(others) == len(arrays["keys"])
    return members, others


def _rows(arrays):
    return [rationals(key) for key in np.asarray(arrays["keys"])]


def _scores(rows, query, scale):
    return [scale * sum(a * b for a, b in zip(row, query, strict=True)) for row in rows]


JUDGES = {"top-gap": top_gap, "hulls-meet": hulls_meet, "gap-norm": gap_norm}


def work(kind, arrays, fields):
    """In rough units of 10 microseconds, as in `second_opinion`."""
    n, d = np.shape(arrays["keys"])
    m = len(fields["top"]["indices"])
    searched = 0 if kind == "top-gap" else m * (n - m) * d / 2
    return n * d / 2 + searched + images.work(arrays)


def bound_claim(verdict):
    """The claim that the verdict's bound makes; for a Refuted, one that must be false. None where there is none."""
    claim = verdict.record
    if verdict.bound is None or verdict.bound <= 0 or not np.isfinite(verdict.bound):
        return None
    if claim.kind == "gap-norm":
        return replace(claim, least=Fraction(verdict.bound))
    more = 1 if verdict.status == "proved" else 1 + Fraction(1, 2**60)
    return replace(claim, gap=Fraction(verdict.bound) * more)
