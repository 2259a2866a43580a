"""What an answer must do: the table `claim` of a question, its kinds, and what goes with each.

    claim = {kind = "near", average = [0, 1]}                      # or each, exact, impossible: about queries
    claim = {kind = "number", value = "2*log(10)", tolerance = 0.01, unit = "nats"}
    claim = {kind = "choice", options = {a = "It halves.", b = "It doubles."}, right = "b"}

Every complaint names the entry. A claim that no judge would look at is refused when its file is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from headwright import balls, forms, formulas, inputs
from headwright.goal_tables import GOALS
from headwright.goals import Average, Copy, Goal, Top
from headwright.problems.key_tables import goal_over
from headwright.proofs.families import LARGE

KINDS = {
    "near": (*GOALS, "confidence", "max_length", "different"),
    "each": (*GOALS, "limit"),
    "exact": GOALS,
    "impossible": (*GOALS, "max_length"),
    "reads-out": ("first", "second", "share", "rows", "value"),
    "low-rank": ("of", "rank", "factors"),
    "layer": ("outputs",),
    "statement": (*GOALS, "heads"),
    "number": ("value", "tolerance", "relative", "unit"),
    "choice": ("options", "right"),
    "text": (),
}
# The answers by default, and the kinds without keys.
ANSWERS = {
    **{"reads-out": ("M",), "low-rank": ("M",), "layer": ("Q", "K", "V"), "statement": ("statement",)},
    **dict.fromkeys(("number", "choice", "text"), ("answer",)),
}
WITHOUT_KEYS = ("reads-out", "low-rank", "statement", "number", "choice", "text")
ABOUT_CLAIM = (*GOALS, "confidence", "max_length")
EVERY_N = 4096  # a key that a question about every n may name
_QUERIES = ("near", "each", "exact")
_OPTION = re.compile(r"[A-Za-z0-9_-]{1,30}")
_MOST_OPTIONS = 26


def read_claim(table: Mapping[str, Any]) -> dict[str, Any]:
    """The kind, and what goes with it, as the table has it."""
    given = table.get("claim", {})
    kind = given.get("kind", "near") if isinstance(given, Mapping) else None
    if kind not in KINDS:
        raise ValueError(f"`claim` must be a table with a kind of {', '.join(KINDS)}; got {given!r}")
    for name in given:
        if name not in ("kind", *KINDS[kind]):
            raise ValueError(f'`claim` of the kind "{kind}" has no entry `{name}`; there are {", ".join(KINDS[kind])}')
    claim = {"kind": kind, **{name: table[name] for name in ABOUT_CLAIM if name in table}, **given}
    if "option" in table and kind != "choice":
        raise ValueError('`option` goes with claim = {kind = "choice"}')
    if kind == "number":
        return {**claim, **_number(claim)}
    if kind == "reads-out":
        return {"share": 1, "value": "v", **claim}
    return {**claim, **_choice(claim, table)} if kind == "choice" else claim


def read_goal_of(claim: Mapping[str, Any], keys: Any, n: int, *, varying: bool, error: bool) -> Goal | Top | None:
    """The goal of a claim about queries over n keys; None for all others."""
    if keys is None or isinstance(keys, tuple) or (claim["kind"] == "statement" and not set(GOALS) & set(claim)):
        return None
    return goal_over({**claim, **({"error": True} if error else {})}, n, varying=varying)


def said_to_students(claim: Mapping[str, Any]) -> str:
    """What a question must say besides its text: the options of a choice, the unit and the tolerance of a number."""
    if claim["kind"] == "choice":
        options = "\n".join(f"{name}) {text.strip()}" for name, text in claim["options"].items())
        return f"{options}\n\n{'Name one.' if len(claim['right']) == 1 else 'Name all that are right.'}"
    if claim["kind"] == "number":
        unit = f" in {claim['unit']}" if claim["unit"] else ""
        return f"Answer with a number{unit}, {allowed(claim)}."
    return ""


def judged_for_every_n(named: Sequence[str]) -> str:
    """What a question about every n says where its keys are not the first: for which n it is judged, and arrays."""
    names = " and ".join(named)
    axes = "is the first axis" if len(named) == 1 else "are the first two axes, in this order"
    return f"This is judged for every n ≥ 2, with {names} among the n keys. In an array of numbers {names} {axes}."


def allowed(claim: Mapping[str, Any]) -> str:
    """How near a number must be, in words."""
    if "relative" in claim:
        return f"within {float(100 * claim['relative']):g} % of the exact value"
    unit = f" {claim['unit']}" if claim["unit"] else ""
    off = claim["tolerance"]
    return f"within {float(off):g}{unit} of the exact value" if off else "the exact value"


def bounds(claim: Mapping[str, Any], keys: Any, law: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of a claim as rationals."""
    read: dict[str, Any] = {
        name: inputs.rational(claim[name], name=name) for name in ("limit", "share", "max_length") if name in claim
    }
    for name, number in read.items():
        if number <= 0:
            raise ValueError(f"`{name}` must be positive, got {inputs.show(number)}")
    if "confidence" in claim and not law:
        raise ValueError("`confidence` goes with keys that vary: give `gaussian` or `scaled`")
    if law and isinstance(keys, np.ndarray):
        read["confidence"] = share_in(claim, "confidence", default=Fraction(99, 100))
    return read


def share_in(table: Mapping[str, Any], entry: str, *, default: Fraction) -> Fraction:
    """A number strictly between 0 and 1."""
    number = inputs.rational(table[entry], name=entry) if entry in table else default
    if not 0 < number < 1:
        raise ValueError(f"`{entry}` must lie strictly between 0 and 1, got {inputs.show(number)}")
    return number


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
    scaled = [int(key) for key in law.get("scaled", ()) if key.isdecimal()]
    order = sorted(goal.indices, key=lambda i: i not in scaled)
    named = {name: what["key"] for name, what in names.items() if isinstance(what, Mapping) and "key" in what}
    if sorted(named.values()) != sorted(goal.indices):
        raise ValueError(
            "`names` for every n must name each key of the goal once, and no other key: a formula may use the keys that "
            f"it is about, n and eps; got {', '.join(named) or 'no names of keys'}"
        )
    place = {key: order.index(key) for key in order}
    keys = {name: {"key": place[key]} for name, key in sorted(named.items(), key=lambda item: place[item[1]])}
    others = {name: what for name, what in names.items() if name not in named}
    if scaled:
        law = {**law, "scaled": {str(place.get(int(key), key)): one for key, one in law["scaled"].items()}}
    return (Copy(0) if len(order) == 1 else Average(0, 1)), {**keys, **others}, law


def need_judge(claim: Mapping[str, Any], family: Any, answers: tuple[str, ...]) -> None:
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
    if family.fixed or kind not in _QUERIES:
        return
    if "max_length" in claim or "confidence" in claim:
        raise ValueError("`max_length` and `confidence` go with given keys; for every n there is `limit`")
    gaussian, scaled = law.get("gaussian"), law.get("scaled")
    if (gaussian is not None and set(gaussian) != {"isotropic"}) or family.vanishing != (gaussian is not None):
        raise ValueError("`gaussian` for every n must be isotropic and `vanishing`")
    if scaled is not None and set(scaled) != {"0"}:
        raise ValueError("`scaled` for every n must be about one key, which the goal names")
    if law and (kind == "exact" or family.keys == "separated"):
        raise ValueError(f"`{next(iter(law))}` does not go with this kind of claim for every n")
    large = [name for name in family.symbols if name in LARGE]
    if large and (kind == "each" or len(family.basis) < 2):
        raise ValueError(f"`symbols` may have {large[0]} only where two keys are averaged: limits are proved for these")
    if kind == "exact" and len(family.basis) < 2:
        raise ValueError('`claim` of the kind "exact" must average two keys')


def _need_bases(claim: Mapping[str, Any], names: Mapping[str, Any], answers: tuple[str, ...]) -> None:
    for entry in ("first", "second"):
        what = names.get(claim.get(entry, ""))
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


def _need_tokens(claim: Mapping[str, Any], family: Any, answers: tuple[str, ...]) -> None:
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
    if not isinstance(outputs, Mapping) or not outputs or not all(isinstance(text, str) for text in outputs.values()):
        raise ValueError(f'`outputs` must be formulas by tokens, such as {{1 = "u - v"}}; got {outputs!r}')
    if set(answers) != {"Q", "K", "V"}:
        raise ValueError(f"`answers` of a layer must be Q, K and V, got {', '.join(answers)}")
    axes = dict(zip(vectors, np.eye(len(vectors)), strict=True))
    for entry, texts in (("keys", family.keys), ("outputs", outputs.values())):
        for text in texts:
            value = formulas.evaluate(formulas.parse(text, names=tuple(axes)), axes)
            if np.shape(value) != (len(axes),) or not np.array_equal(value, np.round(value)):
                raise ValueError(f"`{entry}` must be sums of whole multiples of {', '.join(axes)}, got {text}")


def _number(claim: Mapping[str, Any]) -> dict[str, Any]:
    """The value as a formula without names, what an answer may be off by, and its unit."""
    if "value" not in claim or isinstance(claim["value"], bool | list | dict):
        raise ValueError('`value` must be a number or a formula in quotes, such as "2*log(10)"')
    text, unit = str(claim["value"]), claim.get("unit", "")
    if not isinstance(unit, str):
        raise TypeError(f"`unit` must be a text, got {unit!r}")
    with balls.precision(512):
        try:
            value = forms.at_point(formulas.parse(text, names=()).root, {})
        except (formulas.FormulaError, formulas.OutOfClass) as error:
            raise ValueError(f"`value` {text}: {error}") from error
        if isinstance(value, tuple) or not (isinstance(value, Fraction) or value.is_finite()):
            raise ValueError(f"`value` must be a number, got {forms.described(value)}")
        sure = value != 0 if isinstance(value, Fraction) else bool(value > 0 or value < 0)
    if ("tolerance" in claim) == ("relative" in claim):
        raise ValueError('`tolerance` must be given, such as 0.01, or `relative`, such as "1%"; one of them')
    if "relative" in claim:
        given = claim["relative"]
        percent = isinstance(given, str) and given.strip().endswith("%")
        off = inputs.rational(given.strip()[:-1].strip() if percent else given, name="relative")
        off = off / 100 if percent else off
        if not 0 < off < 1 or not sure:
            raise ValueError(
                "`relative` must lie strictly between 0 and 1, or 0 % and 100 %, of a `value` that is not 0"
            )
        return {"value": text, "relative": off, "unit": unit.strip()}
    off = inputs.rational(claim["tolerance"], name="tolerance")
    if off < 0 or (off == 0 and not isinstance(value, Fraction)):
        raise ValueError(
            f"`tolerance` must be positive, or 0 where `value` is a whole number or a fraction; got {inputs.show(off)}"
        )
    return {"value": text, "tolerance": off, "unit": unit.strip()}


def _choice(claim: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """The options {id: text} and the ids of the right ones, from the claim or from tables [[question.option]]."""
    options, right = claim.get("options"), claim.get("right")
    if "option" in table:
        tables = table["option"]
        if options is not None or right is not None:
            raise ValueError("`option` tables and `options` in the claim say the same: keep one of them")
        if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
            raise TypeError("`option` must be tables: a line [[question.option]] before the entries of each")
        for one in tables:
            if set(one) - {"right"} != {"id", "text"} or not isinstance(one.get("right", False), bool):
                raise ValueError(f"`option` must have an `id`, a `text` and, if it is right, right = true; got {one!r}")
        if len({one["id"] for one in tables}) < len(tables):
            raise ValueError("`option` must have an `id` of its own in every table")
        options = {one["id"]: one["text"] for one in tables}
        right = [one["id"] for one in tables if one.get("right")]
    if not isinstance(options, Mapping) or not 2 <= len(options) <= _MOST_OPTIONS:
        raise ValueError(f'`options` must be 2 to {_MOST_OPTIONS} texts by their ids, such as {{a = "…", b = "…"}}')
    for name, text in options.items():
        if not isinstance(name, str) or not _OPTION.fullmatch(name) or not isinstance(text, str) or not text.strip():
            raise ValueError(f"`options` must have ids of letters, digits, - and _, each with a text; got {name!r}")
    if len({name.casefold() for name in options}) < len(options):
        raise ValueError("`options` must have ids that differ by more than their case")
    right = [right] if isinstance(right, str) else right
    if not isinstance(right, list) or not right or any(name not in options for name in right):
        raise ValueError(f"`right` must be one or more of the ids {', '.join(options)}, got {right!r}")
    return {"options": dict(options), "right": tuple(name for name in options if name in right)}
