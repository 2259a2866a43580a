"""What a class did: how each question went, how totals are spread, and wrong answers grouped by what is wrong with them.

No name of a student and of a file occurs here, so that the statistics can be shown to the class.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import mean, median
from typing import Any

from headwright.problems.grading.assignments import Assignment, Item
from headwright.problems.grading.given_answers import chosen_statement
from headwright.problems.grading.grades import Grade
from headwright.problems.grading.policies import CREDITS
from headwright.problems.grading.results import Number, Result
from headwright.problems.problem import Problem

OUTCOMES = {  # of an answer, in the order in which a bar shows them
    "right": "full points",
    "part": "part of the points",
    "wrong": "no points",
    "waits": "waits for a person",
    "missing": "no answer",
}
_MOST_BINS = 12
_STEPS = [
    step * 10**power for power in range(8) for step in (1, 2, 5)
]  # points that a bar of the distribution stands for
_MOST_GROUPS = 12
_NUMBER = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?(?:\s*[·×]\s*10)?(?:\^[−-]?\d+|\^\([^)]*\))?(?:/\d+)?")
_QUOTED = re.compile(r"`[^`]*`|“[^”]*”|'[^']*'|\"[^\"]*\"")


def statistics_of(assignment: Assignment, grades: Sequence[Grade]) -> dict[str, Any]:
    """The statistics as plain values for JSON."""
    read = [graded for graded in grades if graded.unreadable is None]
    return {
        "title": assignment.title,
        "files": len(grades),
        "unreadable": len(grades) - len(read),
        "possible": assignment.possible,
        "totals": _totals([graded.points for graded in read], assignment.possible),
        "questions": [
            _question(item, [graded.results[name] for graded in read]) for name, item in assignment.items.items()
        ],
        "to_read": sum(result.to_read for graded in read for result in graded.results.values()),
        "provisional": any(graded.provisional for graded in read),  # the totals, and what is computed from them
    }


def outcome_of(result: Result) -> str:
    """Which of `OUTCOMES` a result is."""
    if result.to_read:
        return "waits"
    if result.status == "missing" and result.awarded is None:
        return "missing"
    possible = 1 if result.possible is None else result.possible
    if result.points >= possible and (possible or result.share == 1):
        return "right"
    return "part" if result.points else "wrong"


def _totals(points: list[Number], possible: Number) -> dict[str, Any]:
    if not points:
        return {"mean": None, "median": None, "least": None, "most": None, "bins": []}
    width = next(step for step in _STEPS if step * _MOST_BINS >= possible)
    count = max(round(possible / width), 1)  # the last bar reaches up to what is possible
    bins = Counter(min(int(total / width), count - 1) for total in points)
    return {
        "mean": round(mean(points), 2),
        "median": median(points),
        "least": min(points),
        "most": max(points),
        "bins": [
            {"from": k * width, "to": (k + 1) * width if k + 1 < count else possible, "files": bins[k]}
            for k in range(count)
        ],
    }


def _question(item: Item, results: list[Result]) -> dict[str, Any]:
    kinds = list(map(outcome_of, results))
    outcomes = Counter(kinds)
    possible = 1 if item.points is None else item.points
    earned = mean(result.points for result in results) if results else None
    return {
        "id": item.question.id,
        "title": item.question.title,
        "possible": possible,
        "mean": None if earned is None else round(earned, 2),
        "share_right": round(outcomes["right"] / len(results), 4) if results else None,
        "outcomes": {outcome: outcomes[outcome] for outcome in OUTCOMES},
        "groups": _groups(
            item.question,
            (r for r, kind in zip(results, kinds, strict=True) if kind in ("part", "wrong") and r.awarded is None),
        ),
        "waiting": _groups(item.question, (result for result in results if result.to_read)),
    }


def _groups(question: Problem, results: Iterable[Result]) -> list[dict[str, Any]]:
    """What went wrong, most frequent first: the kind of credit, and within it the message without its numbers."""
    found: dict[tuple[str, str, str], list[Result]] = defaultdict(list)
    for result in results:
        found[result.credit or result.status, _word(result), skeleton(result.message)].append(result)
    groups = [_group(question, word, together) for (_, word, _), together in found.items()]
    groups.sort(key=lambda group: -group["files"])
    rest = groups[_MOST_GROUPS:]
    if rest:
        counts = {name: sum(group[name] for group in rest) for name in ("files", "different")}
        groups[_MOST_GROUPS:] = [{"word": "other", **counts, "example": None, "message": ""}]
    return groups


def _word(result: Result) -> str:
    """The word without what differs from answer to answer, such as the size up to which one holds."""
    return CREDITS.get(result.credit, result.word)


def _group(question: Problem, word: str, results: list[Result]) -> dict[str, Any]:
    """One group: its size, and its most frequent answer with the message that this got."""
    written: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        written[same(result.reading or result.given)].append(result)
    most = max(written.values(), key=len)
    example = most[0]
    return {
        "word": word,
        "files": len(results),
        "different": len(written),
        "example": {
            "reading": example.reading,
            "given": example.given,
            "statement": chosen_statement(question, example.given),
            "files": len(most),
        },
        "message": example.message,
    }


def skeleton(message: str) -> str:
    """The message without numbers and quotations, and without the lines that point into a formula.

    >>> skeleton("At n = 10 your query gives 0.332 on k_1.") == skeleton("At n = 7 your query gives 1.5e-3 on k_1.")
    True
    >>> skeleton("`foo` is unknown.\\n    2*foo\\n      ^")
    '`…` is unknown.'
    """
    first = message.partition("\n")[0]
    return re.sub(r"(?<![\w_])" + _NUMBER.pattern, "#", _QUOTED.sub("`…`", first))


def same(text: str) -> str:
    """What is the same for all spellings of an answer: its reading without blanks.

    >>> same("q = 2·k_1 ") == same("q=2·k_1")
    True
    """
    return "".join(text.split())
