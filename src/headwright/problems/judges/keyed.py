"""Answers that no proof is about: a choice, which the teacher's key marks, and free text, which a person reads.

A key is data. It may be wrong, and nothing checks it, so a choice never makes a Proved or a Refuted: `check` says Undecided and
what the key says, and a grade counts it as right or wrong by the key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from headwright.kernel.verdict import Undecided, Verdict
from headwright.problems.problem import AnswerError, Problem

_BETWEEN = re.compile(r"\s*[,;&+/\n]\s*|\s+and\s+|\s+")
_MARKS = "()[].:{}\"' "
_LONGEST = 2000


@final
@dataclass(frozen=True, slots=True)
class Keyed:
    """What the key says of a choice: `right` if all right options were chosen and no other; None for words that are not ids.

    `status` is that of a grade.
    """

    chosen: tuple[str, ...]
    right: bool | None

    @property
    def status(self) -> str:
        return {True: "key-right", False: "key-wrong", None: "undecided"}[self.right]

    @property
    def message(self) -> str:
        if self.right is None:
            return "This is more than the id of an option. A person must read this."
        names = ", ".join(self.chosen)
        return f"You chose {names}. By the teacher’s key this is {'right' if self.right else 'wrong'}."


def judge_choice(problem: Problem, given: Mapping[str, Any]) -> Keyed:
    """What the teacher's key says of the chosen ids, in any case and order; AnswerError for one word that is not an option."""
    (text,) = given.values()
    chosen = _chosen(str(text), problem.claim["options"])
    if chosen is None and " " in str(text).strip():
        return Keyed((), None)
    if chosen is None:
        ids = ", ".join(problem.claim["options"])
        raise AnswerError(f"`{problem.answers[0]}` must be one or more of {ids}; got {str(text)[:60]!r}")
    return Keyed(chosen, set(chosen) == set(problem.claim["right"]))


def choice_verdict(problem: Problem, given: Mapping[str, Any]) -> Verdict:
    """Undecided, with what the key says: a key is not a proof."""
    keyed = judge_choice(problem, given)
    return Undecided(
        f"{', '.join(keyed.chosen) or 'the answer'} answers {problem.id}",
        scope=f"question {problem.id}",
        reason=f"{keyed.message} {'' if keyed.right is None else 'A key is not a proof.'}".strip(),
    )


def text_verdict(problem: Problem, given: Mapping[str, Any]) -> Verdict:
    """Undecided: free text is for a person to read."""
    (text,) = given.values()
    shown = str(text).strip()
    return Undecided(
        shown if len(shown) <= 200 else f"{shown[:200]} …",
        scope=f"question {problem.id}",
        reason="this is free text, which no proof can judge",
        next_step="a person reads it",
    )


def _chosen(text: str, options: Mapping[str, str]) -> tuple[str, ...] | None:
    """The options that a text names, in their own order; None where it names anything else."""
    if len(text) > _LONGEST:
        return None
    ids = {name.casefold(): name for name in options}
    words = {_plain(said): name for name, said in options.items()}
    whole = _plain(text)
    if whole in words:  # the text of an option stands for it
        return (words[whole],)
    first, _, rest = text.strip().partition(" ")
    if first.strip(_MARKS).casefold() in ids and words.get(_plain(rest)) == ids[first.strip(_MARKS).casefold()]:
        return (ids[first.strip(_MARKS).casefold()],)
    named = [part.strip(_MARKS).casefold() for part in _BETWEEN.split(text.strip())]
    named = [part for part in named if part]
    if not named or any(part not in ids for part in named):
        return None
    return tuple(name for name in options if name.casefold() in named)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .")
