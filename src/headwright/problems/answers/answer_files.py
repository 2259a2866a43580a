"""An answer file is TOML: a table for each question, and in it a formula, a number or an array under each asked name.

    student = "Ada"                     # may be left out

    ["A.1a"]                            # or [A.1a]
    q = "2*log(n/eps)*k_1"

    ["D.b-i"]
    M = [[1.0, 0.0], [0.0, 0.0]]

The file is a stranger's: its size, the depth of its names and lists and the length of its numbers are bounded before
anything is done with them. What is wrong with the whole file is a ValueError; what is wrong with one question is a
complaint about that question, and the others are judged all the same.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from headwright import toml_files
from headwright.budget import DEFAULT
from headwright.problems.answers.messages import plain
from headwright.problems.catalogue import close_ids

_MOST_COMPLAINTS = 20  # about entries that belong to no question: to look for close names takes time
_LONGEST_ID = 200
_STUDENT = ("student", "name")
_HINT = 'a formula must stand in quotes, such as q = "2*k_1"'


@final
@dataclass(frozen=True, slots=True)
class AnswerFile:
    """What a file answers: {question: {name: formula, number or array}}, and complaints by question or entry."""

    path: str
    student: str | None
    digest: str
    answers: Mapping[str, Mapping[str, Any]]
    complaints: Mapping[str, str]


def read_answers(path: Path | str, *, ids: Collection[str], budget: float = DEFAULT) -> AnswerFile:
    """The answers in the file to the questions `ids`; ValueError where the file as a whole cannot be read within `budget`."""
    content = toml_files.read_bounded(Path(path))
    answers: dict[str, Mapping[str, Any]] = {}
    complaints: dict[str, str] = {}
    with toml_files.reading("the file", budget):
        held = toml_files.parse(content, called="the file", hint=_HINT)
        students = [name for key in _STUDENT if isinstance(name := held.pop(key, None), str)]
        student = plain(students[0], longest=120).replace("\n", " ") if students else None
        _collect(held, "", ids, answers, complaints)
    return AnswerFile(str(path), student, hashlib.sha256(content).hexdigest()[:16], answers, complaints)


def _collect(
    table: Mapping[str, Any],
    above: str,
    ids: Collection[str],
    answers: dict[str, Mapping[str, Any]],
    complaints: dict[str, str],
) -> None:
    """Find the questions in nested tables: TOML reads [A.1a] as a table 1a within a table A. The depth is that of the ids."""
    folded = _folded(ids)
    for key, value in table.items():
        name = f"{above}{key}"
        name = name if name in ids else folded.get(name[:_LONGEST_ID].casefold()) or name
        if name in ids:
            _take(name, value, answers, complaints)
        elif isinstance(value, dict) and any(known.startswith(f"{name}.".casefold()) for known in folded):
            _collect(value, f"{name}.", ids, answers, complaints)
        elif len(complaints) >= _MOST_COMPLAINTS:
            complaints["…"] = "there are more entries that belong to no question"
        else:
            complaints.update([_stray(name, value, ids)])


def _folded(ids: Collection[str]) -> dict[str, str]:
    """The ids by their letters in one case; two that differ in case alone are found by their own spelling only."""
    spellings = Counter(known.casefold() for known in ids)
    return {known.casefold(): known if spellings[known.casefold()] == 1 else "" for known in ids}


def _stray(name: str, value: Any, ids: Collection[str]) -> tuple[str, str]:
    """The complaint about an entry that belongs to no question, under the entry's name."""
    if isinstance(value, dict):
        name = _whole(name, value)
        shown, close = plain(name, longest=60), ", ".join(close_ids(name, ids))
        return shown, f"there is no question {shown!r}" + (f"; did you mean {close}?" if close else "")
    shown = plain(name, longest=60)
    return (
        shown,
        f"`{shown}` belongs to no question: write it below the line of one, such as [{next(iter(ids), 'X.1')}]",
    )


def _take(name: str, value: Any, answers: dict[str, Mapping[str, Any]], complaints: dict[str, str]) -> None:
    if name in answers or name in complaints:
        answers.pop(name, None)
        complaints[name] = f'question {name} is answered twice, once as [{name}] and once as ["{name}"]: keep one'
    elif not isinstance(value, dict):
        complaints[name] = f'`{name}` must be a table: a line [{name}], and below it a line such as q = "…"'
    else:
        try:
            answers[name] = {plain(key, longest=60): toml_files.taken(entry, name=key) for key, entry in value.items()}
        except (ValueError, TypeError) as error:
            complaints[name] = plain(str(error))


def _whole(name: str, table: Mapping[str, Any]) -> str:
    """The name as it was written: [Z.1] arrives as a table 1 within a table Z."""
    while len(table) == 1 and isinstance(inner := next(iter(table.values())), dict):
        name, table = f"{name}.{next(iter(table))}", inner
    return name
