"""Credit: in which way an answer is right or wrong, beyond its verdict. Each way rests on a claim that is proved here.

The verdict is about every n and every ε. A teacher also wants to know whether a refuted answer is right for all sizes that
occur, right in the limit, or right but for its length.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from headwright.problems.answers.policies import CREDITS
from headwright.problems.problem import Problem
from headwright.verdict import Verdict

RIGHT = ("proved", "argued")  # a true statement earns its points, whether a claim proves it or a written argument does


@final
@dataclass(frozen=True, slots=True)
class Credit:
    """`kind` is one of `CREDITS`, `word` what the grade says, `note` a sentence about what was proved besides the verdict."""

    kind: str
    word: str
    note: str = ""


def credit_of(problem: Problem, answer: Mapping[str, Any], verdict: Verdict) -> Credit | None:
    """The credit of an answer that was judged; None where a person must decide."""
    if verdict.status in RIGHT:
        return Credit("right", CREDITS["right"])
    return Credit("wrong", CREDITS["wrong"]) if verdict.status == "refuted" else None
