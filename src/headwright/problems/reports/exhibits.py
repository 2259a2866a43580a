"""Beyond the sheets: the shortest query for keys that no textbook assumption fits, a goal that no query reaches, and the story of
a key that varies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import final

import numpy as np

from headwright.kernel.balls import decimal_below
from headwright.kernel.goals import Average, Copy, Goal
from headwright.kernel.verdict import Verdict
from headwright.problems.family import ERROR, ODDS, N
from headwright.problems.reports.drawings import Drawing, sampled
from headwright.search.certify import certify
from headwright.search.design import design
from headwright.search.random_keys.outcome import outcome
from headwright.words.attention import attend
from headwright.words.key_models import GaussianKeys
from headwright.words.refusals import Unreachable

_GOAL = Average(0, 1)
_AXES = np.eye(N)
_OTHERS = _AXES[2:].sum(axis=0)
_TEXTBOOK = math.log(10**4) * (_AXES[0] + _AXES[1])
_PAIR = math.log(10**4) * _AXES[:2]
_BLIND = -math.log((N - 2) / (2 * ODDS)) * (1 + 1e-12) * _OTHERS  # a hair longer than the error needs
_BLIND_PAIR = math.log(1000) * np.array([-_AXES[1] - _OTHERS, _AXES[1]])
_VARYING, _NOISY = (GaussianKeys(_AXES, isotropic=isotropic, along={0: 0.5}) for isotropic in (0.0, 1e-6))
PICTURES = (
    sampled(
        "The textbook's designs over samples; all keys also have noise of variance 1e-6",
        _NOISY,
        {"one head, t(u_a + u_b)": _TEXTBOOK, "two heads, t u_a and t u_b": _PAIR},
        _GOAL,
    ),
    sampled(
        "Designs blind to the length, on the same samples",
        _NOISY,
        {"one head blind to the length": _BLIND, "two heads blind to the length": _BLIND_PAIR},
        _GOAL,
    ),
)


@final
@dataclass(frozen=True, eq=False)
class Exhibit:
    """One thing shown after the sheets: a title, what is seen, the weights, and the verdicts that prove it."""

    title: str
    text: str
    weights: np.ndarray
    goal: Goal
    verdicts: tuple[Verdict, ...]
    pictures: tuple[Drawing, ...] = ()


def exhibits() -> tuple[Exhibit, ...]:
    return _varying(), _any_keys(), _impossible()


def _varying() -> Exhibit:
    """The story of sheets A to E in one place: one key's length varies, and four designs meet it."""
    keys, sure = _VARYING, partial(certify, goal=_GOAL, error=ERROR, confidence="0.99", mix="equal")
    law = {name: outcome(keys, queries, _GOAL, mix="equal") for name, queries in (("one", _TEXTBOOK), ("two", _PAIR))}
    share = {name: known.probability(ERROR) for name, known in law.items()}
    found = design(keys, _GOAL, error=ERROR, confidence="0.99", seed=0)
    judged = {
        "the keys stay, one head t(u_a + u_b)": certify(_AXES, _TEXTBOOK, _GOAL, error=ERROR),
        "key 0 varies, the same head": sure(keys, _TEXTBOOK),
        "key 0 varies, two heads t u_a and t u_b": sure(keys, _PAIR),
        "key 0 varies, one head -t Σ u_j over the others": sure(keys, _BLIND),
        f"key 0 varies, the head that `design` found, norm {found.norm:.4g}": certify(keys, found),
        "all keys vary, two heads blind to the length of key 0": sure(_NOISY, _BLIND_PAIR),
    }
    return Exhibit(
        "A key that varies: average keys 0 and 1 of ten when key 0 is c times as long, c ~ N(1, ½)",
        "While the keys stay fixed, one long query averages them. Once the length of a key varies, the same query tosses a "
        f"coin: it is within 0.01 of the mean in {share['one']:.1%} of all samples, and the weight of key 0 is "
        f"{law['one'].mean[0]:.2f} ± {law['one'].sd[0]:.2f}. Two heads that copy one key each reach the mean in "
        f"{share['two']:.1%} of all samples, with a weight of {law['two'].mean[0]:.2f} ± {law['two'].sd[0]:.2f}. They fail where "
        "the key is short or points backwards. A query without a component along the varying key does not feel it: one head "
        "that pushes all other keys down averages in every sample, and a pair of such heads also withstands noise of variance "
        "1e-6 on every key. Asked for probability 0.99, `design` finds such a head itself.",
        attend(_BLIND_PAIR, _AXES).weights.mean(axis=0),
        _GOAL,
        tuple(verdict.explained(f"{words}. {verdict.reason}".strip()) for words, verdict in judged.items()),
        PICTURES,
    )


def _any_keys() -> Exhibit:
    """Thirty keys in eight dimensions: neither unit nor orthogonal, more of them than dimensions."""
    keys = np.random.default_rng(2).standard_normal((30, 8))
    goal = Average(3, 7)
    made = design(keys, goal, error=0.01)
    optimal = made.optimality
    return Exhibit(
        "Any keys: average keys 3 and 7 of 30 random keys in 8 dimensions",
        "These keys are neither orthogonal nor of one length, so the textbook's construction does not apply. `design` returns "
        f"a query of norm {made.norm:.4f} within error 0.01. It is proved that no query that gives keys 3 and 7 equal weight "
        f"and meets this error is shorter than {decimal_below(Fraction(made.lower_bound or 0))}.",
        made.weights,
        goal,
        (certify(keys, made), *((optimal,) if optimal is not None else ())),
    )


def _impossible() -> Exhibit:
    """Four corners and a point inside: no query singles it out."""
    keys = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [5.0, 5.0], [2.0, 1.0]])
    goal = Copy(4)
    try:
        design(keys, goal, error=0.01)
    except Unreachable as refusal:
        witness = refusal.witness
        assert witness is not None, "small whole numbers have an exact witness"
        least = decimal_below(Fraction(refusal.best_error or 0), 4)
        parts = " + ".join(f"{weight}·k_{j}" for j, weight in zip(witness.indices, witness.weights, strict=True))
        return Exhibit(
            "Impossible: copy key 4, which lies inside the hull of the others",
            f"k_4 = {parts}, so under every query the score of key 4 is the same mean of the scores of those keys, and it never "
            f"stands out. Every query misses the goal by at least {least}, which is proved. When an "
            "error of 0.78 is allowed, `design` finds a query.",
            design(keys, goal, error=0.78).weights,
            goal,
            (refusal.verdict, *((refusal.best_verdict,) if refusal.best_verdict is not None else ())),
        )
    raise AssertionError("a key inside the hull was copied")
