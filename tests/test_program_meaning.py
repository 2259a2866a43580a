"""What programs mean, by two interpreters that share no code, on random programs and words."""

import itertools

import numpy as np
import pytest

from headwright.theories.programs.meaning import Undefined, meaning
from headwright.theories.programs.text import read, written
from tests import second_opinion_meaning as second

TOKENS = ["a", "b", "c"]


def random_program(rng, steps=5):
    """A random program as plain values: steps that cannot be read are drawn again."""
    said = {"vocabulary": TOKENS, "length": 4, "causal": bool(rng.integers(2)), "steps": []}
    while len(said["steps"]) < steps:
        plan = second.Plan(said)
        step = random_step(rng, plan)
        tried = {**said, "steps": [*said["steps"], step]}
        try:
            read(tried)
        except ValueError:
            continue
        said = tried
    return said


def random_step(rng, plan):
    labelled = [r for r, labels in enumerate(plan.labels) if labels is not None]
    numeric = [r for r, ends in enumerate(plan.ends) if ends is not None]
    kind = str(rng.choice(["count", "mean", "pick", "last", "length", "compare", "sign", "map"]))
    if kind == "length":
        return {"kind": kind}
    if kind in ("compare", "sign"):
        step = {"kind": kind, "sum": random_sum(rng, numeric)}
        return step | ({"strict": bool(rng.integers(2))} if kind == "compare" else {})
    if kind == "map":
        of = [int(r) for r in rng.choice(labelled, size=rng.integers(1, 3))]
        entries = [["x", "y"], [False, True], [-3, 0, 2], ["a", 1, True, 0]][rng.integers(4)]
        size = int(np.prod([len(plan.labels[r]) for r in of]))
        return {"kind": kind, "of": of, "table": [entries[rng.integers(len(entries))] for _ in range(size)]}
    step = {"kind": kind, "select": [random_atom(rng, plan, labelled, numeric) for _ in range(rng.integers(0, 3))]}
    if kind == "count":
        return step
    step["of"] = [int(rng.integers(len(plan.labels)))]
    default = [None, "a", 0, "z", True][rng.integers(5)]
    return step | ({} if kind == "mean" or default is None else {"default": default})


def random_sum(rng, numeric, factors=("1", "-1", "2", "1/3", "-5/2"), constants=("0", "1", "-1/2", "-2")):
    chosen = rng.choice(numeric, size=min(len(numeric), rng.integers(1, 4)), replace=False)
    return [str(rng.choice(constants)), *([int(r), str(rng.choice(factors))] for r in chosen)]


def random_atom(rng, plan, labelled, numeric):
    kind = str(rng.choice(["matches", "below", "among", "at", "before"]))
    if kind == "before":
        return {"kind": kind}
    if kind == "at":
        whole = [r for r in numeric if r in labelled]
        return {"kind": kind, "index": random_sum(rng, whole, ("1", "-1", "2"), ("0", "1", "-1"))}
    key = int(rng.choice(labelled))
    if kind == "among":
        return {"kind": kind, "key": key, "chosen": [label for label in plan.labels[key] if rng.integers(2)]}
    same = [r for r in labelled if set(plan.labels[r]) & set(plan.labels[key])]
    return {"kind": kind, "key": key, "mine": int(rng.choice(same))}


def first_answer(program, word, output):
    try:
        return meaning(program, word, output)
    except Undefined as none:
        return none.register, none.position


def second_answer(said, word, output):
    try:
        return second.run(second.Plan(said), word, output)
    except second.NoValue as none:
        return none.register, none.position


@pytest.mark.parametrize("number", range(60))
def test_two_interpreters_agree(rng, number):
    said = random_program(rng)
    program, plan = read(said), second.Plan(said)
    assert written(program) == said
    assert [own and list(own) for own in (values.labels for values in program.values)] == plan.labels
    output = len(plan.labels) - 1
    for n in range(1, 5):
        for word in itertools.product(TOKENS, repeat=n):
            if n == 4 and rng.integers(4):
                continue
            assert first_answer(program, word, output) == second_answer(said, word, output), (said, word)


def test_random_programs_take_every_step_and_are_often_defined(rng):
    kinds, defined = set(), 0
    for _ in range(40):
        said = random_program(rng)
        kinds |= {step["kind"] for step in said["steps"]}
        kinds |= {atom["kind"] for step in said["steps"] for atom in step.get("select", ())}
        defined += isinstance(second_answer(said, ["a", "b", "a"], 6), list)
    assert kinds >= {"count", "mean", "pick", "last", "length", "compare", "sign", "map"}
    assert kinds >= {"matches", "below", "among", "at", "before"}
    assert defined >= 10
