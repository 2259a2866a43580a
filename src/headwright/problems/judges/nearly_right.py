"""Queries that are refuted and yet nearly right: for all sizes that occur, in the limit, or but for their length.

Every function here searches, and says yes only where a claim is proved or a part of a family holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Proved
from headwright.kernel.within_error import WithinError
from headwright.problems.family import Family
from headwright.problems.judges import query_every_size
from headwright.problems.judges.float_weights import FloatWeights
from headwright.problems.judges.query_every_size import proof_at, up_to
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.family import EVERYWHERE, LARGE, NO_FORM, Queries, QueryFamily
from headwright.theories.formulas.families.members import Member, judged
from headwright.theories.formulas.families.regions import Part, covered
from headwright.theories.formulas.families.serves_family import ServesFamily, holds
from headwright.theories.formulas.families.serves_keys import ServesKeys
from headwright.theories.formulas.forms.trees import Array, Name, Node, Number, Product
from headwright.theories.formulas.inequality import Inequality
from headwright.theories.random_keys.with_probability import WithProbability

_MULTIPLES = (4, 16, 64, 1024)  # a query is too short where one of these makes it long enough
_GREAT, _NEAR = 1e6, 0.01  # a multiple this large that is not this near the goal, in floats, is not worth a proof
_FEWEST = Member(2, Fraction(9, 10))  # few keys and a large ε, where the least length is allowed
_LIMIT = (Part(2, 2, None), Part(3, None, None))


def most_keys(claim: ServesFamily, least: int, smallest: Fraction) -> int | None:
    """A number of keys, `least` or more, up to which the queries serve all members with ε >= `smallest`; None if none is proved.

    Scores that do not depend on n serve fewer keys at least as well, because more keys only take weight from the targets. Scores
    that do not depend on ε serve a larger tolerance at least as well. Neither is true of a length that is limited.
    """
    queries = claim.queries
    if claim.n is not None or "n" in queries.used or queries.large or queries.family.limit is not None:
        return None
    if claim.epsilon is None and "eps" in queries.used:
        return least if proof_at(queries, least) is not None else None
    epsilon = smallest if claim.epsilon is None else claim.epsilon
    if not holds(queries, Part(2, least, epsilon)):
        return None
    known = [int(last) for low, last in covered(claim.parts) if low == 2 and least <= last < math.inf]
    most = known[0] if known and epsilon == claim.epsilon else up_to(queries, epsilon)
    return most if most is not None and holds(queries, Part(2, most, epsilon)) else least


def serves_all(queries: Queries, epsilon: Fraction | None) -> bool:
    """Whether the queries are proved to serve every member; with large symbols, from a threshold on."""
    if not queries.large:
        return query_every_size.serves_all(queries, epsilon)
    return isinstance(ServesFamily(queries, None, None, _LIMIT).prove(), Proved)


def right_direction(queries: Queries) -> bool:
    """Whether a large multiple of the queries, the same for all heads, is proved to tend to the goal, at every n and ε."""
    family = queries.family
    if family.targets == 1:
        return family.heads == 1 and _leads(family, queries.trees[0])
    free = next((name for name in LARGE if name not in queries.used), None)
    if free is None or not has_form(queries) or not _seems_right(queries):
        return False
    trees = tuple(Product(((1, Name(free)), (1, tree))) for tree in queries.trees)
    return serves_all(Queries(replace(family, each=False, limit=None), trees), None)


def _seems_right(queries: Queries) -> bool:
    """Whether a very large multiple is near the goal at one member, in floats: for any other a proof is not worth trying."""
    floats = FloatWeights(queries.family, queries.coefficients({}))
    values = {"n": 10.0, "eps": 0.5, **dict.fromkeys(queries.large, _GREAT)}
    weights = floats.worst(floats.log_others(10), values, factor=_GREAT)
    return weights is None or floats.off(weights) < _NEAR


def _leads(family: QueryFamily, tree: Node) -> bool:
    """Whether the query is a positive multiple of the one target: then every other key falls behind as it grows.

    In one dimension the target is the number 1, and the query is its own multiple of it.
    """
    multiple = forms.with_numbers(tree, {family.basis[0]: Fraction(1)})
    ranges = {name: EVERYWHERE[name] for name in sorted(forms.names_in(multiple))}
    return isinstance(Inequality(multiple, ">", ranges).prove(), Proved)


def without_limit(queries: Queries) -> Queries:
    """The same queries where any length is allowed."""
    return replace(queries, family=replace(queries.family, limit=None))


def long_somewhere(queries: Queries) -> bool:
    """Whether the allowed length is certainly exceeded for some n and ε: it is least for few keys and a large ε."""
    found = judged(queries, _FEWEST) if queries.family.limit is not None else None
    return found is not None and found.meets is False and "length" in found.fault


def has_numbers(claim: ServesKeys) -> bool:
    """Whether queries are given as numbers: at these keys they are all that was answered, a formula is meant for every n."""
    own = {name for tree in claim.trees for name in forms.names_in(tree)} - {*claim.family.basis, "n", "eps"}
    return bool(own) or any(isinstance(node, Array) for tree in claim.trees for node in forms.below(tree))


def of_any_length(claim: ServesKeys) -> ServesKeys:
    return replace(claim, family=replace(claim.family, limit=None))


def at_setting(queries: Queries, family: Family) -> ServesKeys:
    """The claim about queries given as numbers, at the setting of the family."""
    setting = family.setting()
    vectors = {name: np.asarray(setting.names[name]) for name in queries.family.basis}
    return ServesKeys(queries.family, queries.trees, setting.centre, vectors, setting.epsilon)


def long_enough(claim: Claim) -> bool:
    """Whether some multiple of the queries at given keys is proved to do what is asked there."""
    return any(isinstance(longer.prove(), Proved) for longer in _longer(claim))


def _longer(claim: Claim) -> Iterator[Claim]:
    for factor in _MULTIPLES:
        if isinstance(claim, ServesKeys):
            trees = tuple(Product(((1, Number(Fraction(factor))), (1, tree))) for tree in claim.trees)
            yield replace(of_any_length(claim), trees=trees)
        elif isinstance(claim, WithinError | WithProbability):
            yield replace(claim, heads=replace(claim.heads, queries=factor * claim.heads.queries))


def has_form(queries: Queries) -> bool:
    """Whether the formulas can be brought to the normal form that proofs for all sizes need."""
    try:
        queries.coefficients({})
    except (forms.FormulaError, *NO_FORM):
        return False
    return True
