"""What a kind of claim needs of the rest of a question. A question that no judge would look at is refused when it is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from headwright.kernel.goals import Average, Copy, Goal
from headwright.problems.claim_tables import QUERIES
from headwright.problems.family import Family
from headwright.reading import formulas
from headwright.theories.formulas.families.family import LARGE


def first_places(
    goal: Any, names: Mapping[str, Any], law: Mapping[str, Any]
) -> tuple[Goal, Mapping[str, Any], Mapping[str, Any]]:
    """A goal for every n with the keys it names put first: orthonormal keys have no order, so names are only names.

    The key of random length comes before the other.
    """
    if not isinstance(goal, Copy | Average) or len(goal.indices) > 2:
        raise ValueError(
            "`claim` for every n must copy one key or average two, which is what proofs for every n are about; any "
            "goal is judged at given keys"
        )
    scaled = law.get("scaled", {})
    if not isinstance(scaled, Mapping) or (
        scaled and (len(scaled) > 1 or not set(scaled) <= set(map(str, goal.indices)))
    ):
        raise ValueError("`scaled` for every n must be about one key, which the goal names")
    order = sorted(goal.indices, key=lambda i: str(i) not in scaled)
    named = {name: what["key"] for name, what in names.items() if isinstance(what, Mapping) and "key" in what}
    if sorted(named.values()) != sorted(goal.indices) or len(named) < len(names):
        raise ValueError(
            "`names` for every n must name each key of the goal once, and nothing else: a formula may use the keys that it is "
            f"about and the `symbols`; got {', '.join(names) or 'no names'}"
        )
    place = {key: order.index(key) for key in order}
    keys = {name: {"key": place[key]} for name, key in sorted(named.items(), key=lambda item: place[item[1]])}
    if scaled:
        law = {**law, "scaled": {"0": next(iter(scaled.values()))}}
    return (Copy(0) if len(order) == 1 else Average(0, 1)), keys, law


def need_judge(claim: Mapping[str, Any], family: Family, answers: tuple[str, ...]) -> None:
    """ValueError where a question says something that no judge would look at: it must not be asked."""
    kind, law = claim["kind"], family.law
    if kind == "reads-out":
        return _need_bases(claim, family.given, answers)
    if kind == "low-rank":
        return _need_truncation(claim, family.given, answers)
    if kind == "layer":
        return _need_tokens(claim, family, answers)
    if len(answers) > 1 and kind in ("exact", "number", "choice", "text"):
        raise ValueError(f'`answers` of a claim of the kind "{kind}" must be one name, got {", ".join(answers)}')
    if family.fixed and kind not in ("near", "impossible", "statement"):
        raise ValueError(f'`claim` of the kind "{kind}" is about every n: `keys` must be "orthonormal" or "separated"')
    if family.fixed and claim.get("different"):
        raise ValueError("`different` is for questions about every n")
    if kind == "impossible" and (not family.fixed or law):
        raise ValueError(
            '`claim` of the kind "impossible" is about given keys that do not vary; for every n there is the kind "exact"'
        )
    if family.fixed or kind not in QUERIES:
        return
    if not isinstance(family.keys, str):
        raise ValueError('`keys` as formulas are the tokens of a claim of the kind "layer"')
    if "max_length" in claim or "confidence" in claim:
        raise ValueError("`max_length` and `confidence` go with given keys; for every n there is `limit`")
    gaussian = law.get("gaussian")
    if (gaussian is not None and set(gaussian) != {"isotropic"}) or family.vanishing != (gaussian is not None):
        raise ValueError("`gaussian` for every n must be isotropic and `vanishing`")
    if law and (kind == "exact" or family.keys == "separated"):
        raise ValueError(f"`{next(iter(law))}` does not go with this kind of claim for every n")
    large = [name for name in family.symbols if name in LARGE]
    if large and (kind == "each" or len(family.basis) < 2):
        raise ValueError(f"`symbols` may have {large[0]} only where two keys are averaged: limits are proved for these")
    if kind == "exact" and len(family.basis) < 2:
        raise ValueError('`claim` of the kind "exact" must average two keys')


def _need_bases(claim: Mapping[str, Any], names: Mapping[str, Any], answers: tuple[str, ...]) -> None:
    for entry in ("first", "second"):
        what = names.get(claim[entry]) if isinstance(claim.get(entry), str) else None
        if not isinstance(what, Mapping) or "columns" not in what or claim[entry] == "M":
            raise ValueError(
                f'`{entry}` must be a name other than M from `names`, such as A = {{columns = "orthonormal"}}; got '
                f"{claim.get(entry)!r}"
            )
    kinds = {names[claim[entry]]["columns"] for entry in ("first", "second")}
    if claim["first"] == claim["second"] or len(kinds) > 1:
        raise ValueError("`first` and `second` must be two names, both orthonormal or both independent")
    if len(answers) > 1:
        raise ValueError(f"`answers` of a read-out must be one matrix, got {', '.join(answers)}")


def _need_truncation(claim: Mapping[str, Any], names: Mapping[str, Any], answers: tuple[str, ...]) -> None:
    """The claim about low rank has its names: M of rank k - 1 near A, or a product of L and R."""
    for entry, value in {"of": "A", "rank": "k - 1", "factors": ["L", "R"]}.items():
        got = claim.get(entry, value)
        if (list(got) if isinstance(got, tuple) else got) != value:
            raise ValueError(f"`{entry}` of a claim about low rank must be {value!r}, got {got!r}")
    if set(names) != {"A", "k"} or answers != ("M",):
        raise ValueError("`names` of a claim about low rank must be A, a matrix, and k, and `answers` M")
    if names["A"] != {"matrix": "integers"} and np.ndim(names["A"]) != 2:
        raise ValueError('`names.A` must be {matrix = "integers"} or an array of rows')
    most = names["k"].get("at_most") if isinstance(names["k"], Mapping) else names["k"]
    if isinstance(most, bool | str | np.ndarray | None) or not isinstance(most, int | float) or most < 1 or most % 1:
        raise ValueError("`names.k` must be {at_most = 3}, or a whole number from 1 on")


def _need_tokens(claim: Mapping[str, Any], family: Family, answers: tuple[str, ...]) -> None:
    """Tokens and outputs are whole multiples of vectors of one length, as `LayerOutputs` has them."""
    vectors = {name: what for name, what in family.given.items() if isinstance(what, Mapping)}
    if not isinstance(family.keys, tuple) or [what.get("axis") for what in vectors.values()] != [*range(len(vectors))]:
        raise ValueError(
            '`keys` of a claim of the kind "layer" must be tokens as formulas, over vectors that `names` has in the order of '
            'their axes: u = {axis = 0, length = "beta"}, v = {axis = 1, length = "beta"}, beta = 2.5'
        )
    beta = family.given.get("beta")
    if isinstance(beta, Mapping | np.ndarray | None) or any(what.get("length") != "beta" for what in vectors.values()):
        raise ValueError("`names` must have beta, a number, as the `length` of every vector")
    outputs = claim.get("outputs")
    if (
        not isinstance(outputs, Mapping)
        or not outputs
        or not all(name.isdecimal() and isinstance(text, str) for name, text in outputs.items())
    ):
        raise ValueError(f'`outputs` must be formulas by tokens, such as {{1 = "u - v"}}; got {outputs!r}')
    if set(answers) != {"Q", "K", "V"}:
        raise ValueError(f"`answers` of a layer must be Q, K and V, got {', '.join(answers)}")
    axes = dict(zip(vectors, np.eye(len(vectors)), strict=True))
    for entry, texts in (("keys", family.keys), ("outputs", outputs.values())):
        for text in texts:
            try:
                value = formulas.evaluate(formulas.parse(text, names=tuple(axes)), axes)
            except formulas.FormulaError as fault:
                raise ValueError(f"`{entry}` {text}: {fault}") from fault
            if np.shape(value) != (len(axes),) or not np.array_equal(value, np.round(value)):
                raise ValueError(f"`{entry}` must be sums of whole multiples of {', '.join(axes)}, got {text}")


def judged_for_every_n(named: Sequence[str]) -> str:
    """What a question about every n says where its keys are not the first: for which n it is judged, and arrays."""
    names = " and ".join(named)
    axes = "is the first axis" if len(named) == 1 else "are the first two axes, in this order"
    return f"This is judged for every n ≥ 2, with {names} among the n keys. In an array of numbers {names} {axes}."
