"""E.1c, which asks for equality: with a third key no query will do, with two keys equal scores will, and "none" is an answer.

A softmax weight is positive. A third key therefore has some, and where its value differs from what the mean of the two others
says, so does the output: c = (v_i + v_j)/2 for all values needs n = 2 and α_i = α_j.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from headwright.formulas import FormulaError, LogForm
from headwright.problems.judges.members import Members
from headwright.problems.judges.numbers import said
from headwright.problems.judges.scores import NO_FORM, Scores
from headwright.problems.judges.weights import Head, mean_weights
from headwright.verdict import Proved, Refuted, Undecided, Verdict

_BITS = 128


def judge_none(given: Members) -> Verdict:
    """The answer "none": right from three keys on, wrong for two."""
    claim = "no query has an output equal to (v_i + v_j)/2"
    if given.n == 2:
        return Refuted(
            claim,
            scope="n = 2",
            counterexample={"n": 2, "q": np.zeros(2)},
            reason="With two keys there is no third to take a part of the attention. So nothing keeps the output from the mean.",
            method="equal scores have equal weights",
        )
    scope = "all n >= 3, keys and finite queries, by exp > 0" if given.n is None else f"n = {given.n}, by exp > 0"
    return Proved(
        claim,
        scope=scope,
        reason="Softmax gives every key a positive weight, a third key too. Values that differ there change the output, so it "
        "equals (v_i + v_j)/2 for some values only.",
        method="exp > 0",
    )


def judge_exact(scores: Scores, given: Members) -> Verdict:
    """The verdict on a query given as a formula."""
    first, second = scores.ask.basis
    claim = said(scores.ask, given.n)
    alike = _alike_for_two(scores)
    if given.n == 2:
        if alike:
            return Proved(
                claim,
                scope="n = 2",
                reason=f"{first} and {second} have the same score. There is no third key.",
                method="equal forms",
            )
        return _unequal(scores, claim)
    n = 3 if given.n is None else given.n
    return Refuted(
        claim,
        scope="the claim for all n >= 2" if given.n is None else f"n = {n}",
        counterexample={"n": str(n), "values": "1 on the third key, 0 on all others"},
        holds_when="n = 2" if alike and given.n is None else None,
        reason=f"{_seen(scores, n)}The question asks for an output equal to (v_i + v_j)/2, and with these values it is not.",
        method="exp > 0",
    )


def _seen(scores: Scores, n: int) -> str:
    """One sentence with the weights of this answer at n keys; "" where they cannot be computed."""
    first, second = scores.ask.basis
    try:
        (query,) = scores.queries({"n": Fraction(n)})
    except (FormulaError, *NO_FORM):
        return ""
    point = _point(*query.values())
    head = Head((query[first], query[second], LogForm.number(0)), LogForm.number(0))  # every further key scores 0
    weights = mean_weights([head], n, point, bits=_BITS)
    if weights is None:
        return ""
    a, b, third = (f"{x:.4g}" if (x := float(weight.mid())) else "less than 1e-300" for weight in weights)
    where = "".join(f", {name} = {value}" for name, value in point.items())
    return f"At n = {n}{where} its weights are {a} on {first}, {b} on {second} and {third} on a third key. "


def _point(*forms: LogForm) -> dict[str, Fraction]:
    """The symbols that still occur, at values they may have."""
    names = sorted({name for form in forms for name in form.symbols})
    return {name: Fraction(3, 2) if name != "eps" else Fraction(1, 2) for name in names}


def _alike_for_two(scores: Scores) -> bool:
    """True only when both keys certainly score alike for n = 2; FormulaError for a formula that is wrong for every n."""
    first, second = scores.ask.basis
    try:
        scores.queries({})
        (query,) = scores.queries({"n": Fraction(2)})
        return (query[first] - query[second]).is_zero()
    except NO_FORM:
        return False
    except FormulaError:
        if "n" in scores.used and scores.queries({}):
            return False  # it has no value at n = 2 alone
        raise


def _unequal(scores: Scores, claim: str) -> Verdict:
    first, second = scores.ask.basis
    try:
        (query,) = scores.queries({"n": Fraction(2)})
    except FormulaError as fault:
        return Refuted(
            claim,
            scope="n = 2",
            counterexample={"n": "2", "fault": fault.message},
            reason=f"At n = 2 the formula has no value: {fault.message} The claim is for that member.",
            method="the formula at n = 2",
        )
    except NO_FORM as beyond:
        return Undecided(
            claim, scope="n = 2", reason=f"The formula is beyond proof: {beyond}.", next_step="simpler factors"
        )
    gap = query[first] - query[second]
    point = _point(gap)
    ball = gap.enclosure(point)
    if not gap.is_zero() and (ball > 0 or ball < 0):
        where = ", ".join(f"{name} = {value}" for name, value in point.items())
        return Refuted(
            claim,
            scope="n = 2",
            counterexample={"n": "2", **{name: str(value) for name, value in point.items()}},
            reason=f"The scores of {first} and {second} differ by {float(ball.mid()):.4g}{' at ' + where if where else ''}. "
            "Exactly one half each needs equal scores.",
            method="the difference of the scores, in a ball",
        )
    return Undecided(claim, scope="n = 2", reason="the scores may or may not be equal", next_step="a simpler formula")
