"""Facts about weights over given keys, and inequalities: how tables such as these become claims.

    { query = "7*u_3", weight = 3, at_least = "0.99" }                       # the weight of key 3
    { queries = ["t*u_0", "t*u_1"], near = { average = [0, 1] }, keys = … }  # within the error of a goal; `confidence`
    { query = …, variance_of = 0, at_least = "0.185", keys = … }             # how much a weight varies
    { holds = "(n - 1)^2 >= 0", where = { n = ">= 2" } }                     # an inequality for all its symbols
    { unreachable = { copy = 1 }, keys = [["-1"], ["0"], ["1"]] }            # no query at all
    { designed_layer = { 0 = { copy = 2 } }, outputs = { 0 = "u_1" }, … }    # the layer that `design_layer` finds for its rows

What is not said is the usual instance: ten orthonormal keys, error 0.01. Formulas may use u_0 … (the axes), `ones` (their sum),
k_0 … (the keys, or their means), and the names `n`, `error` and `odds` of that instance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel.claim import Claim
from headwright.kernel.goals import Goal
from headwright.kernel.verdict import Undecided, Verdict
from headwright.kernel.weight_bound import WeightBound
from headwright.kernel.within_error import WithinError
from headwright.problems.family import ERROR, ODDS, N, separated
from headwright.problems.key_tables import law_of
from headwright.reading import formulas
from headwright.reading.goal_tables import goal_from
from headwright.search.certify import certify
from headwright.search.design import design
from headwright.search.layers.design_layer import design_layer
from headwright.search.random_keys.outcome import heads_of
from headwright.theories.formulas.forms import Range
from headwright.theories.formulas.forms.trees import Sum
from headwright.theories.formulas.inequality import Inequality
from headwright.theories.formulas.lead_decides import LEADS
from headwright.theories.random_keys.weight_variance import WeightVariance
from headwright.theories.random_keys.with_probability import WithProbability
from headwright.words.key_models import GaussianKeys, KeyModel
from headwright.words.layer import Layer
from headwright.words.refusals import Unreachable

Table = Mapping[str, Any]
USUAL = {"n": float(N), "error": float(ERROR), "odds": float(ODDS)}
_RELATION = re.compile(r"(.*?)(>=|<=|!=|>|<|=)(.*)", re.DOTALL)
_RANGE = re.compile(r"(>=|>) *(\S+)|in \((\S+), *(\S+)\)")


def keys_of(table: Table) -> np.ndarray | KeyModel:
    """The keys (n, d) of a fact, or the law by which they vary."""
    given = table.get("keys", {})
    if given == "separated":
        return separated(N)
    if isinstance(given, tuple | list):
        return rows_of(given, table["dimension"]) if isinstance(given[0], str) else np.array(list(map(_row, given)))
    keys = np.eye(given.get("orthonormal", N), given.get("dimension"))
    for index, row in given.get("replaced", {}).items():
        keys[int(index)] = _vector(row, _axes(keys.shape[1]))
    law = {name: given[name] for name in ("gaussian", "scaled") if name in given}
    return law_of(keys, law) if law else keys


def queries_of(table: Table) -> np.ndarray:
    """The query (d,) or the queries (h, d) of a fact."""
    keys = keys_of(table)
    centre = keys.centre if isinstance(keys, KeyModel) else keys
    names = {**_axes(centre.shape[1]), **{f"k_{i}": key for i, key in enumerate(centre)}}
    if "query" in table:
        return _vector(table["query"], names)
    return np.array([_vector(query, names) for query in table["queries"]])


def goal_of(table: Table) -> Goal:
    """A goal such as { average = [0, 1] }."""
    ((kind, given),) = table.items()
    goal = goal_from(kind, given)
    assert isinstance(goal, Goal), "a fact about weights has a goal that gives shares"
    return goal


def layer_of(table: Table) -> Layer:
    """The layer that `design_layer` finds for the tokens `keys`, a goal for each row of it, and their outputs."""
    tokens, goals = np.asarray(keys_of(table)), table["designed_layer"]
    outputs = rows_of(tuple(table["outputs"].values()), tokens.shape[1])
    return design_layer(
        tokens,
        {int(row): goal_of(goal) for row, goal in goals.items()},
        dict(zip(map(int, table["outputs"]), outputs, strict=True)),
        error=_error(table),
    )


def rows_of(formulas_of_rows: Sequence[str], d: int) -> np.ndarray:
    """Vectors (m, d), each a formula such as "u_3 + u_1"."""
    return np.array([_vector(row, _axes(d)) for row in formulas_of_rows])


def _axes(d: int) -> dict[str, Any]:
    return {f"u_{i}": axis for i, axis in enumerate(np.eye(d))} | {"ones": np.ones(d)} | USUAL


def _vector(formula: str, names: Table) -> np.ndarray:
    return np.asarray(formulas.evaluate(formulas.parse(formula, names=tuple(names)), names))


def _row(row: Sequence[Any]) -> np.ndarray:
    return np.array([float(Fraction(str(x))) for x in row])


def _error(table: Table) -> Fraction:
    return Fraction(str(table.get("error", ERROR)))


def _weight(table: Table) -> Claim:
    heads = heads_of(keys_of(table), queries_of(table), str(table.get("scale", 1)), "equal")
    of = table["weight"]
    if isinstance(of, str):
        values = _vector(of, _axes(heads.n))
    else:
        values = _row(of) if isinstance(of, tuple | list) else np.eye(heads.n)[of]
    return WeightBound(heads, values, *_side(table))


def _near(table: Table) -> Claim:
    keys, queries, goal = keys_of(table), queries_of(table), goal_of(table["near"])
    if not isinstance(keys, KeyModel):
        return WithinError(heads_of(keys, queries, mix="equal"), goal, _error(table))
    confidence = Fraction(str(table["confidence"]))
    return WithProbability(keys, heads_of(keys.centre, queries, mix="equal"), goal, _error(table), confidence)


def _variance(table: Table) -> Claim:
    model = keys_of(table)
    if not isinstance(model, GaussianKeys):
        raise ValueError("`variance_of` goes with Gaussian keys")
    heads = heads_of(model.centre, queries_of(table), mix="equal")
    return WeightVariance(model, heads, np.eye(heads.n)[table["variance_of"]], *_side(table))


def _side(table: Table) -> tuple[str, Fraction]:
    """What a fact says of a number: that it is "at least" or "at most" another."""
    side = "at_least" if "at_least" in table else "at_most"
    return side.replace("_", " "), Fraction(str(table[side]))


def _holds(table: Table) -> Claim:
    """left >= right becomes left - right >= 0; < and <= are turned around."""
    sides = _RELATION.fullmatch(table["holds"])
    if sides is None:
        raise ValueError(f"`holds` must be an inequality such as n^2 >= 4, got {table['holds']!r}")
    ranges = {name: _range(said) for name, said in table.get("where", {}).items()}
    left, right = (formulas.parse(side, names=tuple(ranges)).root for side in (sides[1], sides[3]))
    if sides[2] in ("<", "<="):
        left, right = right, left
    relation = sides[2].replace("<", ">")
    return Inequality(Sum(((1, left), (-1, right))), relation, ranges)


def _range(said: str) -> Range:
    ends = _RANGE.fullmatch(said)
    if ends is None:
        raise ValueError(f"`where` must be a range such as >= 2, > 0 or in (0, 1); got {said!r}")
    if ends[1]:
        return Range(Fraction(ends[2]), closed=ends[1] == ">=")
    return Range(Fraction(ends[3]), Fraction(ends[4]))


def _unreachable(table: Table) -> Verdict:
    goal = goal_of(table["unreachable"])
    refusal = design(keys_of(table), goal, error=_error(table), throw=False)
    if isinstance(refusal, Unreachable):
        return refusal.verdict
    return Undecided(f"no query serves {goal}", reason="a query was found, or none was and nothing is proved")


def _designed(table: Table) -> Verdict:
    """The query that `design` finds, certified."""
    keys = keys_of(table)
    designed = design(keys, goal_of(table["designed"]), error=_error(table), method=table.get("method", "least-norm"))
    return certify(keys, designed)


KINDS: dict[str, Callable[[Table], Claim | Verdict]] = {
    "weight": _weight,
    "near": _near,
    "variance_of": _variance,
    "holds": _holds,
    "unreachable": _unreachable,
    "designed": _designed,
    "designed_layer": lambda table: certify(keys_of(table), layer_of(table)),
    "leads": lambda table: LEADS,  # when a lead in score decides, for all n, keys and queries
}
