"""A first file by someone who read no documentation gets what a fair teacher gives, under the policy "practical"."""

import re
from pathlib import Path

import pytest

from headwright.problems import grade

FILE = Path(__file__).with_name("nine_answers.md")
FAIR = {  # the word and the points; questions of sheets without points count 1
    "A.1a": ("right direction, too short", 0),
    "A.1b": ("right", 10),
    "A.1d": ("right", 10),
    "B.3b": ("right", 1),
    "C.1.2a": ("right up to n ≈ 10^41", 1),
    "D.b-i": ("right", 1),
    "D.b-ii": ("right", 1),
    "E.1c": ("right in the limit", 10),
    "E.1e": ("wrong", 0),
}


@pytest.fixture(scope="module")
def graded():
    return grade(FILE, policy="practical")


@pytest.mark.parametrize(("question", "word", "points"), [(name, *fair) for name, fair in FAIR.items()])
def test_the_word_and_the_points_are_a_fair_teachers(graded, question, word, points):
    result = graded.results[question]
    # The number before 10^41 is the judge's to choose: the weights of 100*(k_a+k_b) are right up to n = 5.4·10^41.
    assert re.sub(r"[\d.]+\s?[·×]\s?(?=10\^)", "", result.proposed or result.word) == word
    assert (result.proposed_points or result.points) == points


def test_every_answer_is_read_and_words_beside_one_wait_for_a_person(graded):
    assert set(FAIR) == {result.id for result in graded.answered}
    assert not graded.complaints
    words = {"A.1a", "A.1b", "A.1d", "C.1.2a", "D.b-i", "E.1c"}
    assert {result.id for result in graded.answered if result.to_read} == words
    assert graded.points == sum(points for name, (_, points) in FAIR.items() if name not in words)


def test_strict_grading_gives_the_theorems_points_alone():
    strict = grade(FILE, policy="strict").results
    assert {name for name in FAIR if strict[name].points or strict[name].proposed_points} == {
        name for name, (word, _) in FAIR.items() if word == "right"
    }
