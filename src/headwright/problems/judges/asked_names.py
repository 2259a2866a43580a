"""The names of an answer as its question spells them: q_1 and q1 are one name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def as_asked(answer: Mapping[str, Any], asked: Collection[str]) -> dict[str, Any]:
    """The answer under the asked names; a name that is none of them, nor another spelling of one, stays as it is.

    >>> as_asked({"q_1": "k_1", "q2": "k_2", "M": "I"}, ["q1", "q2"])
    {'q1': 'k_1', 'q2': 'k_2', 'M': 'I'}
    >>> as_asked({"q_1": "k_1", "q1": "k_2"}, ["q1"])  # two answers in one place: neither is dropped
    {'q_1': 'k_1', 'q1': 'k_2'}
    """
    found = {name: _spelled(name, asked) for name in answer}
    spelled = list(found.values())
    return {name if spelled.count(found[name]) > 1 else found[name]: value for name, value in answer.items()}


def _spelled(name: str, asked: Collection[str]) -> str:
    if name in asked:
        return name
    same = [known for known in asked if known.replace("_", "") == name.replace("_", "")]
    return same[0] if len(same) == 1 else name
