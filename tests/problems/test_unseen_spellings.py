"""Two lists of a hundred answers each, written by people who saw only the questions, before the reader was run on them."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from headwright.formulas import FormulaError, readings
from headwright.problems import CATALOGUE, AnswerError, check
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
            found = [same_for_all(one.root) for one in readings(text, problem.symbols.with_answer(name))]
            meant = canonical(line["means"][name]) in found
            words.add("wrongly read" if not meant else "read" if len(found) == 1 else "two readings")
    except (FormulaError, AnswerError):
        return "not read"
    return next(word for word in ("wrongly read", "two readings", "read") if word in words)


@pytest.mark.parametrize("name", LISTS)
def test_nearly_all_are_read_and_none_wrongly(name):
    lines = tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))["spelling"]
    found = {line["question"] + " " + str(line["typed"]): outcome(line) for line in lines}
    counts = Counter(found.values())
    assert len(lines) == 100
    assert not [typed for typed, word in found.items() if word == "wrongly read"]
    assert counts["read"] + counts["two readings"] >= 95, [typed for typed, word in found.items() if word == "not read"]


@pytest.mark.parametrize("name", LISTS)
def test_a_right_answer_is_never_called_wrong_nor_a_wrong_one_right(name):
    lines = tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))["spelling"]
    for line in lines:
        if outcome(line) in ("read", "two readings"):
            status = check(line["question"], line["typed"]).status
            assert status != ("refuted" if line["right"] else "proved") or line.get("ambiguous"), line
