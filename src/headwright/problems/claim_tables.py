"""What an answer must do: the table `claim` of a question, its kinds, and what goes with each.

    claim = {kind = "near", average = [0, 1]}                      # or each, exact, impossible: about queries
    claim = {kind = "number", value = "2*log(10)", tolerance = 0.01, unit = "nats"}
    claim = {kind = "choice", options = {a = "It halves.", b = "It doubles."}, right = "b"}

Every complaint names the entry. `claim_needs.py` says what the kinds need of the rest of the question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.goals import Goal, Top
from headwright.problems.key_tables import goal_over
from headwright.reading import formulas
from headwright.reading.goal_tables import GOALS
from headwright.theories.formulas import forms

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
PLAIN = ("number", "choice", "text")  # kinds whose answer is not a formula over names
# The answers by default, and the kinds without keys.
ANSWERS = {
    **{"reads-out": ("M",), "low-rank": ("M",), "layer": ("Q", "K", "V"), "statement": ("statement",)},
    **dict.fromkeys(PLAIN, ("answer",)),
}
WITHOUT_KEYS = ("reads-out", "low-rank", "statement", *PLAIN)
ABOUT_CLAIM = (*GOALS, "confidence", "max_length")
_NOT_PLAIN = ("family", "keys", "orthonormal", "gaussian", "scaled", "names", "symbols", "error")
EVERY_N = 4096  # a key that a question about every n may name
QUERIES = ("near", "each", "exact")
_OPTION = re.compile(r"[A-Za-z0-9_-]{1,30}")
_MOST_OPTIONS = 26


def read_claim(table: Mapping[str, Any]) -> dict[str, Any]:
    """The kind, and what goes with it, as the table has it."""
    given = table.get("claim", {})
    kind = given.get("kind", "near") if isinstance(given, Mapping) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"`claim` must be a table with a kind of {', '.join(KINDS)}; got {given!r}{written(given)}")
    for name in given:
        if name not in ("kind", *KINDS[kind]):
            raise ValueError(f'`claim` of the kind "{kind}" has no entry `{name}`; there are {", ".join(KINDS[kind])}')
    beside = {name: table[name] for name in ABOUT_CLAIM if name in table}
    unused = [name for name in beside if name not in KINDS[kind]]
    unused += [name for name in _NOT_PLAIN if name in table and kind in PLAIN]
    if unused and kind not in QUERIES:
        raise ValueError(f'`{unused[0]}` does not go with a claim of the kind "{kind}"')
    claim = {"kind": kind, **beside, **given}
    if "option" in table and kind != "choice":
        raise ValueError('`option` goes with claim = {kind = "choice"}')
    if kind == "number":
        return {**claim, **_number(claim)}
    if kind == "reads-out":
        return {"share": 1, "value": "v", **claim}
    return {**claim, **_choice(claim, table)} if kind == "choice" else claim


def written(kind: Any) -> str:
    """How a kind is written, for whoever named one elsewhere or misspelt it; empty if it resembles none."""
    named = kind.get("kind") if isinstance(kind, Mapping) else kind
    near = get_close_matches(named.casefold(), KINDS, n=1) if isinstance(named, str) else []
    return f': write claim = {{kind = "{near[0]}"}}' if near else ""


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


def _number(claim: Mapping[str, Any]) -> dict[str, Any]:
    """The value as a formula without names, what an answer may be off by, and its unit."""
    if "value" not in claim or isinstance(claim["value"], bool | list | dict):
        raise ValueError('`value` must be a number or a formula in quotes, such as "2*log(10)"')
    value, unit = claim["value"], claim.get("unit", "")
    text = format(value, "f") if isinstance(value, Decimal) else str(value)
    if not isinstance(unit, str):
        raise TypeError(f"`unit` must be a text, got {unit!r}")
    with balls.precision(512):
        try:
            value = forms.at_point(formulas.parse(text, names=()).root, {})
        except (formulas.FormulaError, formulas.OutOfClass) as error:
            raise ValueError(f"`value` {text}: {error}") from error
        if isinstance(value, tuple) or not (isinstance(value, Fraction) or value.is_finite()):
            got = forms.described(value) if isinstance(value, tuple) else "one that is too large to compute"
            raise ValueError(f"`value` must be a number, got {got}")
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
