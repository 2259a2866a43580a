"""An answer file is TOML, Markdown or plain text: a header for each question, and below it a value for each asked name.

A value is a formula, a number or an array. Whatever else stands below a header, a comment in TOML too, is the student's words. An
answer that has any is for a person to read.

    student = "Ada"                     # may be left out

    ["A.1a"]                            # or [A.1a]              ## A.1a
    q = "2*log(n/eps)*k_1"              #                        q = 2 ln(n/ε) k_1

    ["D.b-i"]
    M = [[1.0, 0.0], [0.0, 0.0]]

The file is a stranger's: its size, the depth of its names and lists and the length of its numbers are bounded before
anything is done with them. What is wrong with the whole file is a ValueError; what is wrong with one question is a
complaint about that question, and the others are judged all the same.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

from headwright.kernel.budget import DEFAULT, spend
from headwright.problems.answers.headers import Ids, Section, sections
from headwright.problems.answers.lines import written
from headwright.problems.answers.names import Role, asked_names, role_of, sorted_out, spelt
from headwright.problems.answers.safe_text import plain
from headwright.problems.answers.templates import said_by
from headwright.problems.answers.values import UNREADABLE, raw_strings
from headwright.problems.problem import Problem
from headwright.reading import toml_files

_PROSE = (".md", ".markdown", ".txt")
SUFFIXES = (".toml", *_PROSE)
_TABLE = re.compile(r"^[ \t]*\[[ \t]*[\"']?\w", re.MULTILINE)  # where there is one, # begins a comment and no heading
_MOST_COMPLAINTS = 20  # about entries that belong to no question: to look for close names takes time
_MOST_ENTRIES = 100  # of one answer: judges compare all names with one another
_A_BYTE = 1000  # units: what a byte costs that is read line by line
_STUDENT = ("student", "name")
_BEGINS = re.compile(r"\s*(?:#|$|(?:student|name)\s*=)")  # a line before the first answer
_STRAY = re.compile(r"\s*(?:[-*+]\s+)?[`$*]{0,2}(\\?[A-Za-z][\w{}]{0,20})[`$*]{0,2}\s*(=|:)\s*(\S.*)")
_BEGINNINGS = {b"PK\x03\x04": "a Word document or an archive", b"%PDF": "a PDF", b"{\\rtf": "a document in RTF"}


@final
@dataclass(frozen=True, slots=True)
class AnswerFile:
    """What a file answers: {question: {name: formula, number or array}}, and complaints by question or entry.

    `explanations` are the student's words by question: all below its header that is not understood. They are never judged, so a
    question that has any waits for a person.
    """

    path: str
    student: str | None
    digest: str
    answers: Mapping[str, Mapping[str, Any]]
    complaints: Mapping[str, str]
    explanations: Mapping[str, str] = field(default_factory=dict)


def read_answers(path: Path | str, *, ids: Mapping[str, Problem], budget: float = DEFAULT) -> AnswerFile:
    """The answers in the file to the questions `ids`; ValueError where the file as a whole cannot be read within `budget`."""
    path = Path(path)
    content = toml_files.read_bounded(path)
    with toml_files.reading("the file", budget):
        text = _text(content)
        reader = _Reader(ids)
        prose = path.suffix.lower() in _PROSE
        whole = UNREADABLE not in text  # otherwise the line that is damaged must be named
        if prose or not whole or not reader.read_toml(text):
            spend(_A_BYTE * len(content))
            reader.read_lines(text, comments=not prose and _TABLE.search(text) is not None)
    digest = hashlib.sha256(content).hexdigest()[:16]
    return AnswerFile(str(path), reader.student, digest, reader.answers, reader.complaints, reader.explanations)


def _text(content: bytes) -> str:
    """The file as text with \\n at the end of each line. A byte that is not UTF-8 costs the answer it stands in."""
    for beginning, kind in _BEGINNINGS.items():
        if content.startswith(beginning):
            raise ValueError(f"the file is {kind}: export it as plain text, Markdown or TOML")
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    text = content.decode(encoding, errors="replace")
    if text.count("\0") > len(text) // 10 or text.count(UNREADABLE) > len(text) // 4:
        raise ValueError("the file is not text in UTF-8: open it in an editor and save it as text in UTF-8")
    return text.replace("\r\n", "\n") if "\n" in text else text.replace("\r", "\n")


@final
class _Reader:
    """What is found in one file."""

    def __init__(self, questions: Mapping[str, Problem]) -> None:
        self.ids = Ids(questions)
        self.questions = questions
        self.asked = {name for problem in questions.values() for name in asked_names(problem)}
        self.student: str | None = None
        self.answers: dict[str, Mapping[str, Any]] = {}
        self.complaints: dict[str, str] = {}
        self.explanations: dict[str, str] = {}
        self._last = ""  # the question of the table above
        self._beside: dict[str, list[str]] = {}  # what TOML has beside the entries of a question

    def read_toml(self, text: str) -> bool:
        """Read the file as TOML; False where it is not valid, or holds no answer at all and may be meant as Markdown."""
        try:
            held = toml_files.parse(raw_strings(text).encode("utf-8", "replace"), called="the file")
        except ValueError:
            return False
        students = [name for key in _STUDENT if isinstance(name := held.pop(key, None), str)]
        self._name(students)
        self._collect(held, "")
        self._keep_comments(text)
        for name, words in self._beside.items():
            self._explain(name, [self.explanations.get(name, ""), *words])
        if self.answers or self.explanations or not held or any(name in self.questions for name in self.complaints):
            return True
        kept, self.complaints = self.complaints, {}
        self.read_lines(text, comments=False)
        if not self.answers and not self.explanations:
            self.complaints = kept
        return True

    def _keep_comments(self, text: str) -> None:
        """Comments are words of the student's, next to an answer or below it, unless they repeat the question."""
        if "#" not in text:
            return
        spend(_A_BYTE * len(text))
        heads = [(piece.line, piece.id) for piece in sections(text, self.ids, comments=True) if piece.id is not None]
        begun = next((at for at, line in enumerate(text.split("\n"), 1) if not _BEGINS.match(line)), 0)
        line, after = 1, 0
        for found in toml_files.OPAQUE.finditer(text):
            line, after = line + text.count("\n", after, found.start()), found.start()
            said = " ".join(found[0].strip("# \t\r").split())
            if found[0][0] == "#" and said and line >= begun:
                place = bisect_right(heads, line, key=lambda head: head[0])
                for name in [heads[place - 1][1]] if place else self.answers:
                    if said not in said_by(self.questions[name]):
                        self._beside.setdefault(name, []).append(found[0].strip())

    def _name(self, students: Iterable[str]) -> None:
        for name in students:
            self.student = self.student or plain(name, longest=120).replace("\n", " ").strip() or None

    def _collect(self, table: Mapping[str, Any], above: str) -> None:
        """Find the questions in nested tables: TOML reads [A.1a] as a table 1a within a table A. The depth is that of the ids."""
        for key, value in table.items():
            name = f"{above}{key}"
            name = self.ids.find(name) or name
            if name in self.questions:
                self._take(name, value)
                self._last = name
            elif isinstance(value, dict) and any(
                known.casefold().startswith(f"{name}.".casefold()) for known in self.questions
            ):
                self._collect(value, f"{name}.")
            else:
                self._stray(name, value)

    def _take(self, name: str, value: Any) -> None:
        if name in self.answers or name in self.complaints or name in self.explanations:
            self.answers.pop(name, None)
            self.complaints[name] = (
                f'question {name} is answered twice, once as [{name}] and once as ["{name}"]: keep one'
            )
        elif not isinstance(value, dict):
            self.complaints[name] = f'`{name}` must be a table: a line [{name}], and below it a line such as q = "…"'
        else:
            self._keep(name, value, [])

    def _keep(self, name: str, entries: Mapping[str, Any], words: list[str]) -> None:
        """The entries of one question as an answer, free text or a complaint."""
        problem, taken = self.questions[name], dict[str, Any]()
        try:
            for key, entry in entries.items():
                if not isinstance(entry, str) and role_of(key, problem, self.asked)[0] is Role.FREE:
                    taken[plain(key, longest=60)] = _in_words(entry)
                else:
                    taken[plain(key, longest=60)] = _taken(entry, key, problem)
        except (ValueError, TypeError) as error:
            self.complaints[name] = plain(str(error))
            self._explain(name, words)
            return
        answer, more = sorted_out(taken, problem, self.asked)
        if answer is not None and len(answer) > _MOST_ENTRIES:
            asked = " and ".join(self.questions[name].answers)
            self.complaints[name] = (
                f"question {name} asks for {asked}, and the file gives {len(answer)} entries: keep those"
            )
        elif answer is not None:
            self.answers[name] = answer
        self._explain(name, [*words, *more])

    def _explain(self, name: str, words: list[str]) -> None:
        if text := "\n".join(words).strip():
            self.explanations[name] = plain(text, longest=toml_files.MOST_BYTES)

    def _stray(self, name: str, value: Any) -> None:
        """A complaint about an entry that belongs to no question, under the entry's name. The answer above keeps what it says."""
        if self._last:
            self._beside.setdefault(self._last, []).append(f"{name}: {_in_words(value)}")
        if isinstance(value, dict):
            self._no_question(_whole(name, value))
        else:
            shown = plain(name, longest=60)
            first = next(iter(self.questions), "X.1")
            self._complain(
                shown, f"`{shown}` belongs to no question: write it below the line of one, such as [{first}]"
            )

    def _no_question(self, name: str, line: int = 0) -> None:
        shown = plain(name, longest=60)
        if shown in self.complaints or len(self.complaints) >= _MOST_COMPLAINTS:
            self._complain(shown, "")
            return
        close = ", ".join(self.ids.close(name))
        where = f"line {line}: " if line else ""
        self._complain(shown, f"{where}there is no question {shown!r}" + (f"; did you mean {close}?" if close else ""))

    def _complain(self, shown: str, complaint: str) -> None:
        if len(self.complaints) >= _MOST_COMPLAINTS:
            self.complaints["…"] = "there are more entries that belong to no question"
        else:
            self.complaints.setdefault(shown, complaint)

    def read_lines(self, text: str, *, comments: bool) -> None:
        """Read the file line by line: Markdown, plain text, or TOML with mistakes (`comments`)."""
        pieces: dict[str, list[Section]] = {}
        for piece in sections(text, self.ids, comments=comments):
            if piece.id is not None:
                pieces.setdefault(piece.id, []).append(piece)
            else:
                self._outside(piece, first=not pieces)
        for name, found in pieces.items():
            problem = self.questions[name]
            said = written(found, problem, self.asked)
            if said.complaint:
                self.complaints[name] = plain(said.complaint)
                self._explain(name, said.words)
            elif said.entries:
                self._keep(name, said.entries, said.words)
            else:
                self._explain(name, said.words)

    def _outside(self, piece: Section, *, first: bool) -> None:
        """Lines below no question: a title and, before the `first` question, the student's name; or answers without a header."""
        if piece.doubtful:
            self._no_question(piece.called, piece.line)
            return
        for number, line in piece.lines:
            entry = _STRAY.match(line[:500])
            if entry and entry[1].casefold() in _STUDENT and first:
                self._name([entry[3].strip().strip("\"'“”„‘’*`")])
            elif entry and (entry[2] == "=" or piece.line) and spelt(entry[1]) in self.asked:
                below = f", and the heading in line {piece.line} names no question" if piece.line else ""
                shown = plain(entry[1], longest=60)
                self._complain(
                    f"line {number}",
                    f"line {number}: `{shown}` belongs to no question{below}: write a line such as ## A.1a above it",
                )


def _taken(entry: Any, name: str, problem: Problem) -> Any:
    """What stands under a name; several choices are one text."""
    if problem.kind == "choice" and isinstance(entry, list) and all(isinstance(one, str) for one in entry):
        return ", ".join(entry)
    return toml_files.taken(entry, name=name)


def _in_words(entry: Any) -> str:
    """What stands under a name that the question does not ask for, such as `draft = true`."""
    try:
        return str(entry)
    except ValueError:
        return "a number of very many digits"


def _whole(name: str, table: Mapping[str, Any]) -> str:
    """The name as it was written: [Z.1] arrives as a table 1 within a table Z."""
    while len(table) == 1 and isinstance(inner := next(iter(table.values())), dict):
        name, table = f"{name}.{next(iter(table))}", inner
    return name
