"""The guided walk: twelve steps, read from walks.toml and made ready for the page.

The texts are ours, and `typeset` escapes them, so the page may insert what `steps` returns as HTML.
"""

from __future__ import annotations

import copy
from functools import cache
from importlib.resources import files
from typing import Any

from headwright import toml_files
from headwright.reports.typesetting import typeset

# Words of a question, in the order in which the page shows them; the rest of a question is for the judge.
_WORDS = ("words", "hint", "right")


@cache
def _stored() -> tuple[dict[str, Any], ...]:
    content = (files("headwright.playground") / "walks.toml").read_bytes()
    return tuple(toml_files.parse(content, called="walks.toml")["steps"])


def stored() -> list[dict[str, Any]]:
    """The steps as the file has them, with the solutions that only tests look at.

    >>> len(stored()), stored()[0]["name"]
    (12, 'copy')
    """
    return copy.deepcopy(list(_stored()))


def names() -> list[str]:
    """What an address may end in: `#step=copy`.

    >>> names()[:3]
    ['copy', 'average', 'coin-toss']
    """
    return [step["name"] for step in _stored()]


def steps() -> list[dict[str, Any]]:
    """The steps for the page: texts as HTML, formulas as MathML, no solutions.

    >>> steps()[2]["title"], "solution" in steps()[2]
    ('The coin toss', False)
    """
    return copy.deepcopy([_shown(step) for step in _stored()])


def _shown(step: dict[str, Any]) -> dict[str, Any]:
    question = step["question"]
    return {
        "name": step["name"],
        "title": step["title"],
        "text": [typeset(paragraph) for paragraph in step["text"]],
        "scene": step["scene"],
        "question": question | {name: typeset(question[name]) for name in _WORDS},
    }
