"""Single stored numbers changed, one at a time: is the claim still accepted, and if so, does it still hold?

A change is relative by 1/1000, a factor of 2, a sign, zero, one more, or a number drawn at random, in any array of any program at
10 and 50 tokens, rounded to the type. What either checker accepts is run on hundreds of words, in NumPy and in random orders, and
its error must stay within the error that was proved for the changed weights.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from evidence.compiled_programs import wanted
from evidence.partial import Partial
from evidence.program_cases import CASES, PARTS, attacking_words, model
from evidence.program_runs import ByHand, in_numpy, kind_of, seen_errors
from headwright.theories.programs.runs_program import RunsProgram
from headwright.theories.programs.walk import Unproved
from tests.second_opinion_words import parts_of

CLAIM = (
    "of at least 3,000 single stored numbers changed, none is accepted by either checker with an error beyond the one that it "
    "proves"
)
LENGTHS, TYPES, CHANGES = (10, 50), ("float64", "float32"), 3300
WAYS = ("relative", "twice", "sign", "zero", "one more", "drawn")
SECOND = "tests.second_opinion_programs"


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """With `limit`, that many changes at the shorter length."""
    lengths = LENGTHS if limit is None else LENGTHS[:1]
    kinds = [(name, n, dtype) for name in CASES for n in lengths for dtype in TYPES]
    cases = [(*kinds[number % len(kinds)], number) for number in range(CHANGES)[:limit]]
    cases.sort(key=lambda case: case[:3])  # each model is compiled once
    with Partial(store, __file__, parts=PARTS) as partial:
        for case in cases:
            if str(case) not in partial:
                partial.add(str(case), examine(*case))
        rows = {str(case): partial[str(case)] for case in cases}
    false = [name for name, row in rows.items() if row["false"]]
    return {
        "holds": not false,
        "changes": len(rows),
        "first": dict(Counter(row["first"] for row in rows.values())),
        "second": dict(Counter(str(row["second"]) for row in rows.values())),
        "accepted_by_program": dict(Counter(row["program"] for row in rows.values() if row["first"] == "accepted")),
        "words_tried": sum(row["words"] for row in rows.values()),
        "false": false,
    }


def examine(name: str, n: int, dtype: str, number: int) -> dict[str, Any]:
    """Change one number of one model, and judge what comes of it."""
    rng = np.random.default_rng(number)
    claim = compiled(name, n, dtype)
    array, place, way, value = changed(claim, rng)
    other = with_number(claim, array, place, value)
    first, second = proved(other), second_opinion(other)
    limits = [own for own in (first, second) if isinstance(own, Fraction)]
    seen, words = worst(name, other, rng) if limits else (0.0, 0)
    return {
        "program": name,
        "changed": f"{array}{list(place)}",
        "by": way,
        "first": "refused" if first is None else "accepted",
        "second": "accepted" if isinstance(second, Fraction) else second,
        "proved": [float(limit) for limit in limits],
        "seen": seen,
        "words": words,
        "false": not all(seen <= limit for limit in limits),
    }


@cache
def compiled(name: str, n: int, dtype: str) -> RunsProgram:
    claim: RunsProgram = model(name, n, dtype).claim
    return claim


def changed(claim: RunsProgram, rng: np.random.Generator) -> tuple[str, tuple[int, ...], str, float]:
    """An entry of a random array, more often one that is not 0, and another number for it."""
    names = sorted(claim.weights)
    while True:
        name = names[int(rng.integers(len(names)))]
        array = claim.weights[name]
        filled = np.argwhere(array != 0)
        if len(filled) and rng.uniform() < 0.7:
            place = tuple(filled[int(rng.integers(len(filled)))].tolist())
        else:
            place = tuple(int(rng.integers(size)) for size in array.shape)
        old = float(array[place])
        way = WAYS[int(rng.integers(len(WAYS)))]
        new = {
            "relative": old * (1 + 1e-3),
            "twice": 2 * old,
            "sign": -old,
            "zero": 0.0,
            "one more": old + 1,
            "drawn": float(rng.normal() * 10.0 ** rng.uniform(-6, 2)),
        }[way]
        new = float(np.array(new, dtype=kind_of(claim)))
        if new != old:
            return name, place, way, new


def with_number(claim: RunsProgram, name: str, place: tuple[int, ...], value: float) -> RunsProgram:
    array = np.array(claim.weights[name])
    array[place] = value
    return RunsProgram(
        claim.program, claim.output, claim.dtype, claim.error, claim.layout, {**claim.weights, name: array}
    )


def proved(claim: RunsProgram) -> Fraction | None:
    """The error that the claim proves, if it accepts the weights."""
    if claim.prove().status != "proved":
        return None
    try:
        return claim.proved_error()
    except Unproved:
        return None


def second_opinion(claim: RunsProgram) -> Fraction | str | None:
    """The error that the independent checker proves, or "refused"; None where the tests have no such checker."""
    if find_spec(SECOND) is None:
        return None
    checker = import_module(SECOND)
    try:
        error: Fraction = checker.proved_error(*parts_of(claim)[1:])
    except checker.Unknown:
        return "refused"
    return error if error <= claim.error else "refused"


def worst(name: str, claim: RunsProgram, rng: np.random.Generator) -> tuple[float, int]:
    """The largest error on hundreds of words, and how many there were."""
    machine, seen, number = ByHand(rng, "one by one"), 0.0, 0
    for words in attacking_words(name, claim.program.length, rng, 1.0):
        codes = wanted(name, claim, words)
        runs = [(in_numpy(claim, words), codes), (machine(claim, words[:1]), codes[:1])]
        seen = max(seen, *(float(np.nan_to_num(seen_errors(*own), nan=np.inf).max()) for own in runs))
        number += len(words)
    return seen, number
