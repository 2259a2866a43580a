"""What a student entered, as text for people: pages and tables show it beside the judgement."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from headwright.problems.answers.safe_text import plain
from headwright.problems.problem import Problem

_LONGEST = 600  # characters of one entry: a longer formula is cut, and the file has all of it
_MOST_NUMBERS = 48


def as_given(answer: Mapping[str, Any]) -> str:
    """The entries of an answer, a line for each.

    >>> as_given({"q1": "t*u_a", "q2": "t*u_b"}).splitlines()
    ['q1 = t*u_a', 'q2 = t*u_b']
    """
    return "\n".join(f"{plain(name, longest=60)} = {_shown(value)}" for name, value in answer.items())


def _shown(value: Any) -> str:
    try:
        return _text(value)
    except (TypeError, ValueError):  # what a notebook may hold and a file does not: arrays of objects, endless integers
        return f"a value of the type {type(value).__name__}"


def chosen_statement(question: Problem, given: str) -> str:
    """The text of the statement that an answer names; empty where it names none.

    >>> from headwright.problems import CATALOGUE
    >>> chosen_statement(CATALOGUE["D.a-i"], "statement = each at most one")[:40]
    'Every weight lies between 0 and 1, and a'
    """
    named = given.partition(" = ")[2].strip().replace(" ", "-").replace("_", "-")
    return next((statement.text for statement in question.statements if statement.id == named), "")


def _text(value: Any) -> str:
    if isinstance(value, str):
        flat = " ".join(value.split())
        return plain(flat) if len(flat) <= _LONGEST else f"{plain(flat, longest=_LONGEST)} ({_digest(flat.encode())})"
    if isinstance(value, np.ndarray):
        if value.size > _MOST_NUMBERS:
            return f"an array of shape {' × '.join(map(str, value.shape))} ({_digest(value.tobytes())})"
        return _row(value)
    return str(value)


def _row(row: Any) -> str:
    return f"[{', '.join(_row(part) if np.ndim(part) else f'{part:.17g}' for part in row)}]"


def _digest(content: bytes) -> str:
    """What is not shown counts all the same: two answers look alike only where they are alike."""
    return f"digest {hashlib.sha256(content).hexdigest()[:12]}"
