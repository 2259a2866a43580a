"""A query given as numbers, judged at its question's setting by the same proofs as everything else.

Numbers from outside are rounded, and an answer computed from a formula that just reaches a limit may lie a rounding beyond it.
So the error, the wanted weights and the length are relaxed by one part in 10^12, and the scope says so. Where keys have vanishing
noise the error is tightened by as much instead: weights are continuous in the keys, so an error met with room to spare is met
with probability tending to 1.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from headwright import arrays, balls
from headwright.attention import attend
from headwright.judging import certify
from headwright.problems.judges.questions import Ask
from headwright.problems.settings import Setting
from headwright.proofs import WithProbability, heads_of
from headwright.verdict import Proved, Refuted, Undecided, Verdict

ROUNDING = Fraction(1, 10**12)
_CONFIDENCE = Fraction(99, 100)
_BITS = 128


def judge_numbers(ask: Ask, queries: np.ndarray, setting: Setting, *, slack: Fraction = ROUNDING) -> Verdict:
    """The verdict on queries (h, d) at the setting, each limit relaxed by the part `slack` of itself."""
    claim = said(ask, setting.n)
    scope = scope_of(setting)
    if ask.exact:
        return _exactly(ask, queries, setting, claim)
    if ask.different and (queries[0] == queries[1]).all():
        return Refuted(
            claim,
            scope=scope,
            counterexample={"q1 = q2": queries[0]},
            reason="The two queries are equal, number for number. The question asks for two different ones.",
            method="comparison of all entries",
        )
    too_long = longer(ask, queries, setting, claim, slack)
    if too_long is not None:
        return too_long
    found = _weights_judged(ask, queries, setting, slack)
    shown = described(ask, queries, setting)
    worst = next((v for kind in (Refuted, Undecided) for v in found if isinstance(v, kind)), found[0])
    if isinstance(worst, Proved):
        return Proved(
            claim,
            scope=scope,
            reason=f"{shown} {noise(ask, queries, setting)}".strip(),
            method=f"{worst.method}; at the keys' means" if ask.vanishing else worst.method,
            bound=worst.bound,
            bound_text=worst.bound_text,
            record=worst.record,
        )
    if isinstance(worst, Refuted):
        return Refuted(
            claim,
            scope=scope,
            counterexample=worst.counterexample,
            reason=shown,
            method=worst.method,
            bound=worst.bound,
            bound_text=worst.bound_text,
            record=worst.record,
        )
    return Undecided(claim, scope=scope, reason=worst.reason, next_step="choose an answer with more room to spare")


def said(ask: Ask, n: int | None) -> str:
    """The claim that an answer makes, in words; n is None where it is made for all."""
    where = "for every n >= 2" if n is None else f"n = {n}"
    who = "the query gives" if len(ask.answers) == 1 else "the two heads have mean weights of"
    if ask.exact:
        return f"the query gives exactly {ask.wanted()}, {where}"
    about = "" if ask.each else " to within the error"
    noise = ", with probability tending to 1 as the noise vanishes" if ask.vanishing else ""
    return f"{who} {ask.wanted()}{about}{noise}, {where}"


def scope_of(setting: Setting) -> str:
    keys = setting.keys if setting.keys is not None else setting.model
    kind = "the keys" if isinstance(keys, np.ndarray) else "the key model"
    return (
        f"{kind} of setting({setting.n}), error {arrays.show(setting.error)} (eps = {arrays.show(setting.epsilon)}), "
        "up to rounding (one part in 10^12)"
    )


def key_sets(ask: Ask, setting: Setting) -> list[tuple[str, np.ndarray]]:
    """The keys that must all be served: one set for each length of the first key, or the means."""
    if setting.keys is not None:
        return [("", setting.keys)]
    assert setting.model is not None
    found = []
    for length in ask.lengths:
        keys = np.array(setting.model.centre)
        keys[0] *= float(length)
        found.append((f"c = {length}" if len(ask.lengths) > 1 else "", keys))
    return found


def _weights_judged(ask: Ask, queries: np.ndarray, setting: Setting, slack: Fraction) -> list[Verdict]:
    found: list[Verdict] = []
    room = 1 - ROUNDING if ask.vanishing and slack == ROUNDING else 1 + slack
    for _, keys in key_sets(ask, setting):
        if ask.each:
            least = 1 / (ask.targets + setting.epsilon * (1 + slack))  # of what may leak, not of the weight near 1
            found += [certify(keys, queries, of=i, at_least=least) for i in range(ask.targets)]
        else:
            error = min(setting.error * room, (1 + setting.error) / 2)  # stays below 1
            found.append(certify(keys, queries, setting.goal, error=error))
    return found


def longer(ask: Ask, queries: np.ndarray, setting: Setting, claim: str, slack: Fraction) -> Verdict | None:
    """Refuted when the query is certainly longer than its question allows, Undecided when that is open, None when it is not."""
    if ask.limit is None:
        return None
    square = sum((Fraction(x) ** 2 for x in queries[0].tolist()), Fraction(0))
    with balls.precision(_BITS):
        allowed = (
            (1 + balls.exact(slack)) ** 2 * balls.exact(ask.limit) * balls.exact(setting.n / setting.epsilon).log() ** 2
        )
        if balls.exact(square) <= allowed:
            return None
        if balls.exact(square) > allowed:
            root = balls.exact(ask.limit).sqrt() * balls.exact(setting.n / setting.epsilon).log()
            return Refuted(
                claim,
                scope=scope_of(setting),
                counterexample={"q": queries[0]},
                reason=f"The query has length {float(balls.exact(square).sqrt().mid()):.6g}. At n = {setting.n} and eps = "
                f"{arrays.show(setting.epsilon)} the question allows {float(root.mid()):.6g}.",
                method="the squared length as an exact rational, the logarithm in a ball",
            )
    return Undecided(claim, reason="the length is too close to its limit to be told apart", next_step="a shorter query")


def described(ask: Ask, queries: np.ndarray, setting: Setting) -> str:
    """Two sentences: the weights that this answer has, and those that are needed."""
    parts = []
    for label, keys in key_sets(ask, setting):
        with np.errstate(all="ignore"):
            weights = attend(queries, keys).weights.mean(axis=0)
        on = ", ".join(f"{weights[j]:.4g} on {name}" for j, name in enumerate(ask.basis[: ask.targets]))
        rest = weights[ask.targets :].sum()
        parts.append(f"{on} and {rest:.3g} on all others together" + (f" when {label}" if label else ""))
    mean = "Its weights are" if len(queries) == 1 else "The mean weights of the two heads are"
    if ask.each:
        least = float(1 / (ask.targets + setting.epsilon))
        need = f"Needed: at least {least:.6g} on {'each target' if ask.targets == 2 else ask.basis[0]}."
    else:
        need = f"Needed: a total variation of at most {arrays.show(setting.error)} from one half each."
    return f"{mean} {'; '.join(parts)}. {need}"


def noise(ask: Ask, queries: np.ndarray, setting: Setting) -> str:
    """What is proved of the probability at the setting's own variance, in words; "" where that is not decided.

    The claim is about vanishing noise, so that a probability below 0.99 is no fault of the answer: the words say so.
    """
    if not ask.vanishing or setting.model is None or setting.goal is None:
        return ""
    heads = heads_of(setting.model.centre, queries)
    verdict = WithProbability(setting.model, heads, setting.goal, setting.error, _CONFIDENCE).prove()
    if isinstance(verdict, Proved | Refuted):
        return f"The claim is about noise that vanishes; for comparison, at variance 1e-6 itself: {verdict.bound_text}."
    return ""


def _exactly(ask: Ask, queries: np.ndarray, setting: Setting, claim: str) -> Verdict:
    """E.1c: with a third key no query will do; with two, equal scores will."""
    assert setting.keys is not None
    first, second = ask.basis
    if setting.n > 2:
        with np.errstate(all="ignore"):
            weights = attend(queries[0], setting.keys).weights
        return Refuted(
            claim,
            scope=f"{setting.n} orthonormal keys",
            counterexample={"values": "1 on the third key, 0 on all others", "n": setting.n, "q": queries[0]},
            reason=f"Its weights are {weights[0]:.4g} on {first}, {weights[1]:.4g} on {second} and {weights[2]:.4g} on the third "
            "key. The question asks for an output equal to (v_i + v_j)/2, and with these values it is not.",
            method="exp > 0",
        )
    found = [certify(setting.keys, queries, of=0, at_least="1/2"), certify(setting.keys, queries, of=0, at_most="1/2")]
    reason = described(ask, queries, setting).split(" Needed")[0] + " Needed: exactly one half each."
    if all(isinstance(v, Proved) for v in found):
        return Proved(claim, scope="2 orthonormal keys", reason=reason, method=found[0].method, record=found[0].record)
    wrong = next((v for v in found if isinstance(v, Refuted)), None)
    if wrong is None:
        return Undecided(claim, reason=found[0].reason or found[1].reason, next_step="equal scores")
    return Refuted(
        claim,
        scope="2 orthonormal keys",
        counterexample=wrong.counterexample,
        reason=reason,
        method=wrong.method,
        record=wrong.record,
    )
