"""A second opinion on claims about many key sets or queries: each row is a claim about one, judged by itself."""

from fractions import Fraction

import numpy as np

from tests.brackets import rationals
from tests.second_opinion_words import parts_of

KIND = "variation-of-each"
LESS = 1 - Fraction(1, 2**60)


def alone(arrays, fields):
    """(arrays, fields without an error, least, most) of every row."""
    ends = zip(rationals(arrays["least"]), rationals(arrays["most"]), strict=True)
    keys = [rows for rows in arrays["keys"] for _ in range(len(arrays["least"]) // len(arrays["keys"]))]
    queries, goals = np.asarray(arrays["queries"]), fields["goals"]
    for i, (low, high) in enumerate(ends):
        own = {"keys": keys[i], "queries": queries[i % len(queries)], "mix": arrays["mix"]}
        yield own, {**fields, "kind": "within-error", "goal": goals[i % len(goals)]}, low, high


def judge(arrays, fields, judge_one):
    found = {one for part in alone(arrays, fields) for one in _ends(*part, judge_one)}
    return "false" if "false" in found else "unknown" if "unknown" in found else "true"


def _ends(arrays, fields, low, high, judge_one):
    """What is known of the two bounds of one row."""
    yield "false" if high < 0 else "true" if high >= 1 else judge_one("within-error", arrays, {**fields, "error": high})
    if low <= 0 or low > 1:
        yield "true" if low <= 0 else "false"
    elif judge_one("within-error", arrays, {**fields, "error": low}) == "false":
        yield "true"  # it is above the lower bound
    else:
        below = judge_one("within-error", arrays, {**fields, "error": low * LESS})
        yield "false" if below == "true" else "unknown"  # it may be equal to the lower bound


def breaks(verdict, judge_one):
    """Whether the row that a Refuted names breaks its own bounds."""
    record, i = verdict.record, int(verdict.counterexample[verdict.record.row])
    part = list(alone(*parts_of(record)[1:]))[i]
    same = np.array_equal(part[0]["keys"], verdict.counterexample["keys"])
    return same and "false" in set(_ends(*part, judge_one))


def work(arrays, fields, work_one):
    return 2 * sum(work_one("within-error", own, said) for own, said, _, _ in alone(arrays, fields))


def bound_claim(verdict):
    """The claim that no total variation is above the bound of the verdict."""
    from dataclasses import replace

    b = len(verdict.record.least)
    return None if verdict.bound is None else replace(verdict.record, least=np.zeros(b), most=np.full(b, verdict.bound))
