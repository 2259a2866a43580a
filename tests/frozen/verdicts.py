"""The frozen verdicts: every answer of the bank, every statement, every question's own and published answer, every nasty file.

`judged()` judges them as the library does today, `expected()` is what `verdicts.json` says, with the listed exceptions applied.
A verdict is frozen as its status, its scope and its condition; an answer that is refused as the error's type.
"""

import hashlib
import json
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from headwright import problems
from tests.answer_bank import NASTY, RIGHT, WRONG

HERE = Path(__file__).parent
VERDICTS, EXCEPTIONS = HERE / "verdicts.json", HERE / "exceptions.toml"
FIELDS = ("status", "scope", "holds_when")
FILES = "files"  # the group of the nasty files; every other group is a question's id
Verdicts = dict[str, dict[str, str | None]]
Rows = dict[str, list[dict[str, str]]]


def groups() -> list[str]:
    """What the tests are split by: the questions and the nasty files."""
    return [*problems.CATALOGUE, FILES]


def group_of(key: str) -> str:
    return key.partition(" | ")[0]


def judged(group: str) -> Verdicts:
    """The verdicts of one group by key, as the library gives them now."""
    if group == FILES:
        return {key: found for content in NASTY for key, found in _of_file(content)}
    return dict(_of_question(group))


def frozen() -> Verdicts:
    return json.loads(VERDICTS.read_text(encoding="utf-8"))


def exceptions() -> Rows:
    """{"verdict": [{key, reason, and the fields that differ}], "reworded": [{field, old, new, reason}]}."""
    listed = tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8"))
    if not set(listed) <= {"verdict", "reworded"}:
        raise ValueError(f"{EXCEPTIONS.name} holds tables that are neither verdict nor reworded")
    return {"verdict": listed.get("verdict", []), "reworded": listed.get("reworded", [])}


def expected(held: Verdicts, listed: Rows) -> Verdicts:
    """`held` with the exceptions applied; ValueError for one that is used by nothing, changes nothing, or has no reason."""
    after = {key: dict(found) for key, found in held.items()}
    for field in ("scope", "holds_when"):
        _reword(after, field, [row for row in listed["reworded"] if row.get("field") == field])
    seen = set()
    if any(row.get("field") not in ("scope", "holds_when") for row in listed["reworded"]):
        raise ValueError("exception for a field that has no words: only scope and holds_when are reworded")
    for row in listed["verdict"]:
        key, new = row.get("key", ""), {name: row[name] or None for name in FIELDS if name in row}
        _check(row, {"key", "reason", "becomes", *FIELDS}, named=key)
        if key not in held or key in seen:
            raise ValueError(f"exception for {key!r}: listed twice or not frozen")
        if not new or any(after[key].get(name) == value for name, value in new.items()):
            raise ValueError(f"exception for {key!r}: a field is as frozen, or none is given")
        after[key].update(new)
        seen.add(key)
        if "becomes" in row:  # a file that was refused as a whole is read now, answer by answer
            if row["becomes"] in after:
                raise ValueError(f"exception for {key!r}: it becomes what is frozen already")
            after[row["becomes"]] = after.pop(key)
    return after


def _reword(after: Verdicts, field: str, rows: list[dict[str, str]]) -> None:
    """A text whose words change and whose meaning stays is listed once; no two texts may become the same."""
    texts = {found[field] for found in after.values()}
    words: dict[str | None, str] = {}
    for row in rows:
        old, new = row.get("old", ""), row.get("new", "")
        _check(row, {"field", "old", "new", "reason"}, named=old)
        if old not in texts or old in words or not new or new in texts or new in words.values():
            raise ValueError(f"exception for {old!r}: not frozen, listed twice, or two texts become one")
        words[old] = new
    for found in after.values():
        found[field] = words.get(found[field], found[field])


def _check(row: dict[str, str], allowed: set[str], *, named: str) -> None:
    if not set(row) <= allowed or not row.get("reason", "").strip():
        raise ValueError(
            f"exception for {named!r}: it needs a reason, and only the entries {', '.join(sorted(allowed))}"
        )


def _of_question(problem_id: str) -> Iterator[tuple[str, dict[str, str | None]]]:
    for answer in [*RIGHT.get(problem_id, []), *WRONG.get(problem_id, [])]:
        told = ", ".join(f"{name} = {text}" for name, text in answer.items())
        yield f"{problem_id} | {told}", _checked(problem_id, answer)
    for statement in problems.find(problem_id).statements:
        yield f"{problem_id} | statement = {statement.id}", _checked(problem_id, {"statement": statement.id})
    if problem_id in problems.runs():
        shown = problems.run(problem_id)
        yield f"{problem_id} | ours", _fields(shown.ours)
        if shown.published is not None:
            yield f"{problem_id} | published", _fields(shown.published)


def _checked(problem_id: str, answer: dict[str, str]) -> dict[str, str | None]:
    try:
        return _fields(problems.check(problem_id, answer))
    except (ValueError, TypeError) as error:
        return _refused(type(error).__name__)


def _of_file(content: bytes) -> Iterator[tuple[str, dict[str, str | None]]]:
    key = f"{FILES} | {content[:60]!r} {hashlib.sha256(content).hexdigest()[:8]}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.toml"
        path.write_bytes(content)
        try:
            graded = problems.grade(path)
        except ValueError as error:
            yield key, _refused(type(error).__name__)
            return
    if graded.complaints:
        yield f"{key} | complaints", _refused(str(len(graded.complaints)))
    for result in graded.answered:
        yield f"{key} | {result.id}", _refused(result.status) if result.verdict is None else _fields(result.verdict)


def _fields(verdict: Any) -> dict[str, str | None]:
    return {name: getattr(verdict, name, None) for name in FIELDS}


def _refused(status: str) -> dict[str, str | None]:
    return {"status": status, "scope": None, "holds_when": None}
