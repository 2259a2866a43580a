"""Two lists of a hundred answers each, written by people who saw only the questions, before the reader was run on them."""

import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from headwright.problems import CATALOGUE, AnswerError, check
from headwright.reading.formulas import Formula, FormulaError, evaluate, readings
from tests.problems.test_spellings import NO_QUERY, canonical, same_for_all

LISTS = ("unseen_spellings.toml", "unseen_spellings_second.toml")


def outcome(line):
    """How a line was read: "read", "two readings" (the meant one among them), "not read", or "wrongly read"."""
    problem, words = CATALOGUE[line["question"]], set()
    try:
        for name, text in line["typed"].items():
            if line["means"][name] == NO_QUERY:
                same = check(problem.id, line["typed"]).claim == check(problem.id, line["means"]).claim
                words.add("read" if same else "wrongly read")
                continue
            found = readings(text, problem.symbols.with_answer(name))
            wanted = canonical(line["means"][name])
            meant = wanted in [same_for_all(one.root) for one in found] or alike(problem, wanted, found)
            words.add("wrongly read" if not meant else "read" if len(found) == 1 else "two readings")
    except (FormulaError, AnswerError):
        return "not read"
    return next(word for word in ("wrongly read", "two readings", "read") if word in words)


def alike(problem, wanted, found):
    """Whether a reading has the value that is meant, where the list writes its factors in another order: T/2 for 1/2T."""
    drawn = np.random.default_rng(7)
    names = {
        name: drawn.uniform(1, 2, size=3) if name in problem.family.basis else drawn.uniform(2, 3)
        for name in problem.names
    }
    if not problem.family.basis:
        return False
    values = [evaluate(Formula("", root, frozenset(names)), names) for root in (wanted, *(one.root for one in found))]
    return any(np.allclose(values[0], value, rtol=1e-12) for value in values[1:])


@pytest.mark.parametrize("name", LISTS)
def test_nearly_all_are_read_and_none_wrongly(name):
    lines = tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))["spelling"]
    found = {line["question"] + " " + str(line["typed"]): outcome(line) for line in lines}
    counts = Counter(found.values())
    assert len(lines) == 100
    assert not [typed for typed, word in found.items() if word == "wrongly read"]
    assert counts["read"] + counts["two readings"] >= 95, [typed for typed, word in found.items() if word == "not read"]


@pytest.mark.parametrize("name", LISTS)
def test_what_is_read_is_judged_as_what_is_meant(name):
    lines = tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))["spelling"]
    for line in lines:
        if (read := outcome(line)) in ("read", "two readings"):
            status = check(line["question"], line["typed"]).status
            meant = check(line["question"], line["means"]).status
            assert status == meant or (read == "two readings" and status == "undecided"), line
