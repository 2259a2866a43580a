"""Facts in a question's file: small claims, each read from one table and judged; and the figures in its texts.

What tables there are: `weight_facts.py` for keys and weights, `matrix_facts.py` for tokens, positions and matrices.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from headwright import formulas
from headwright.noise import outcome
from headwright.problems.family import ERROR
from headwright.problems.judges import matrix_facts, weight_facts
from headwright.problems.judges.weight_facts import USUAL, Table, goal_of, keys_of, layer_of, queries_of
from headwright.proofs import Claim, Contrary
from headwright.verdict import Undecided, Verdict

KINDS: dict[str, Callable[[Table], Verdict]] = {**weight_facts.KINDS, **matrix_facts.KINDS}
_IN_TEXT = re.compile(r"\{([^{}]+)\}")


def fact(table: Table) -> Verdict:
    """The verdict on one fact, or with `not = true` on its contrary; its kind is the entry that no other kind has."""
    kinds = [name for name in KINDS if name in table]
    if len(kinds) != 1:
        raise ValueError(f"a fact must have exactly one of {', '.join(KINDS)}; got {table!r}")
    verdict = KINDS[kinds[0]](table)
    turned = table.get("not", False) and not isinstance(verdict, Undecided)
    return Contrary(record_of(verdict)).prove() if turned else verdict


def record_of(verdict: Verdict) -> Claim:
    """The claim that was judged; TypeError for a verdict that has none."""
    if not isinstance(verdict.record, Claim):
        raise TypeError(f"a fact must be a claim, but this one is none: {verdict.claim}")
    return verdict.record


def text(said: str, figures: Table) -> str:
    """The text with every {formula} as a number of four digits, and every {name} of `figures` as that figure.

    >>> text("t = ln((n-2)/(2·odds)) = {log((n - 2)/(2*odds))}", {})
    't = ln((n-2)/(2·odds)) = 5.981'
    """

    def shown(braces: re.Match[str]) -> str:
        name = braces[1]
        if name in figures:
            return f"{figure(figures[name]):.4f}"
        return f"{float(formulas.evaluate(formulas.parse(name, names=tuple(USUAL)), USUAL)):.4g}"

    return _IN_TEXT.sub(shown, said)


def figure(table: Table) -> float:
    """A figure of the weights' law: { mean_of = 0, … }, { sd_of = 0, … } or { probability_of = { average = [0, 1] }, … }.

    Of a designed layer, { designed_layer = … }, it is the Frobenius norm of QᵀK.
    """
    if "designed_layer" in table:
        return layer_of(table).norm
    goal = goal_of(table.get("probability_of", {"average": [0, 1]}))
    law = outcome(keys_of(table), queries_of(table), goal)
    if not law.proved:
        raise ValueError(f"a figure must be one that `outcome` proves, and this one is an estimate: {table!r}")
    if "mean_of" in table:
        return float(law.mean[table["mean_of"]])
    if "sd_of" in table:
        return float(law.sd[table["sd_of"]])
    return float(law.probability(ERROR))
