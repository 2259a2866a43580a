"""Where each answer of a file begins: `## A.1a`, `A.1a:`, `A.1a)`, `Question A.1a`, `[A.1a]`, `**A.1a**`, in any case of letters.

A line that looks like the header of a question, but names none, ends the formulas of the answer above it. It is kept beside them,
with all below it, and so is a comment `<!-- … -->`, or a mark in a header that means nothing to us: a person reads these.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import final

from headwright.problems.catalogue import close_ids
from headwright.problems.problem import Problem

_LONGEST = 300  # characters of a line that may be a header
_LONGEST_BARE = 40
_MOST_LOOKS = 100  # lines of a file that are compared with all ids: to look for close names takes time
_WORDS = r"(?:question|problem|exercise|task|answer(?:\s+to)?|solution(?:\s+to)?|ex\.)(?![A-Za-z])"
_BEGINNING = re.compile(
    r"(?P<hashes>#{0,6})\s*(?:\d{1,2}[.)]\s+)?(?:\\(?:sub){0,2}(?:section|paragraph)\*?\{)?(?P<marks>[\[({*_=\"'`~+•\\\s-]{0,20})"
    rf"(?P<word>{_WORDS}[\s:.#(]{{0,5}})?[\[(*_\"'`]{{0,5}}(?P<token>[^\W_][\w.-]{{0,60}}(?:\((?:[ivx]{{1,4}}|[a-z])\))?)",
    re.IGNORECASE,
)
_END = re.compile(r"[\s*_\])}\"'`~]*(?P<equals>=*\s*$)?")
_SEPARATOR = re.compile(
    r"\s*(?:\([\d.,]{1,6}\s*(?:points?|pts?\.?|marks?|p)\)\s*[:.]?|[:.|–—]+|-+\s)\s*", re.IGNORECASE
)
_ENTRY = re.compile(r"[$`*]{0,2}\\?\w[\w{}]{0,12}[$`*]{0,2}\s*:?=")
_USUAL = re.compile(r"(?:[\w\s#*_\[\](){}\"'`.:,;|–—=+•\\-]|(?<=\w)~(?=\w))*")  # marks of a header; not ~A.1a~
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)  # of Markdown
_SHEET = re.compile(r"[#*=\s]*(?:(?:problem )?sheet|part|section|homework)\s+(?:[a-z]|\d{1,2})[.:*=\s]*", re.IGNORECASE)
_ONLY_A_NAME = re.compile(r"[\W_]*[^\W_][\w.\"'()\s-]*[\W_]*")


@final
class Ids:
    """The questions by their ids: as they are written, in any case, and by letters and digits alone where that is clear.

    >>> ids = Ids({"D.b-ii": None, "A.1a": None})
    >>> ids.find("d.B-II"), ids.find("D.b(ii)"), ids.find("A1a"), ids.find("A.1")
    ('D.b-ii', 'D.b-ii', 'A.1a', None)
    """

    def __init__(self, questions: Mapping[str, Problem]) -> None:
        self.questions = questions
        self._folded: dict[str, list[str]] = {}
        self._bare: dict[str, list[str]] = {}
        for known in questions:
            self._folded.setdefault(known.casefold(), []).append(known)
            self._bare.setdefault(_letters(known), []).append(known)

    def find(self, name: str) -> str | None:
        if name in self.questions:
            return name
        if len(name) > _LONGEST_BARE * 5:
            return None
        alike = self._folded.get(name.casefold()) or self._bare.get(_letters(name)) or ()
        return alike[0] if len(alike) == 1 else None

    def close(self, name: str) -> list[str]:
        return close_ids(name, self.questions)


def _letters(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


@final
@dataclass(slots=True)
class Section:
    """The lines below one header. Where it names no question, `id` is None, and `doubtful` says whether it may have meant one."""

    id: str | None
    called: str = ""
    line: int = 0
    level: int = 0  # of a heading in Markdown; 0 for any other header
    doubtful: bool = False
    lines: list[tuple[int, str]] = field(default_factory=list)
    title: str = ""  # what stands in the heading behind the id
    table: str = ""  # TOML's short form, A.1a = {q = "…"}
    header: str = ""  # the line itself
    beside: list[str] = field(default_factory=list)  # what belongs to the answer and is never read as a formula


def sections(text: str, ids: Ids, *, comments: bool) -> list[Section]:
    """The file cut at its headers; the first piece is what stands before them. With `comments`, # begins a comment.

    >>> cut = sections("Ada\\n## A.1a\\nq = k_1", Ids({"A.1a": None}), comments=False)
    >>> [(piece.id, piece.line, piece.lines) for piece in cut]
    [(None, 0, [(1, 'Ada')]), ('A.1a', 2, [(3, 'q = k_1')])]
    """
    found = [Section(None)]
    looks = iter(range(_MOST_LOOKS))
    hidden: list[tuple[int, int, str]] = []  # comments: place, line and text
    if not comments and "<!--" in text:

        def kept(comment: re.Match[str]) -> str:
            after, line = hidden[-1][:2] if hidden else (0, 1)
            hidden.append((comment.start(), line + text.count("\n", after, comment.start()), comment[0]))
            return "\n" * comment[0].count("\n")

        text = _COMMENT.sub(kept, text)
    for number, line in enumerate(text.split("\n"), start=1):
        header = _header(line, number, ids, comments, looks) if len(line) <= _LONGEST or "[" in line[:3] else None
        if header is not None and header.id is None and not header.doubtful and 0 < found[-1].level < header.level:
            header = None  # a heading within an answer, such as ### Proof
        if header is None:
            found[-1].lines.append((number, line))
        else:
            header.header = line.strip()
            found.append(header)
            shown = line.strip().removesuffix(header.title or (header.lines[0][1] if header.lines else header.table))
            if header.id is not None and not _USUAL.fullmatch(shown):
                header.beside.append(line.strip())
    for _, number, comment in hidden:
        found[bisect_right(found, number, key=lambda piece: piece.line) - 1].beside.append(comment)
    answer = None
    for piece in found:
        if piece.id is not None:
            answer = piece
        elif answer is not None and not (_SHEET.fullmatch(piece.header) and not any(x.strip() for _, x in piece.lines)):
            answer.beside += [piece.header, *(line for _, line in piece.lines if line.strip()), *piece.beside]
    return found


def _header(line: str, number: int, ids: Ids, comments: bool, looks: Iterator[int]) -> Section | None:
    """The section that the line begins, or None."""
    line = line.strip()
    if not line or line[0] == ">" or (comments and line[0] == "#"):
        return None
    if len(line) <= _LONGEST_BARE and _ONLY_A_NAME.fullmatch(line) and (known := ids.find(_letters(line))):
        return Section(known, line, number, _level(line))  # nothing but an id and signs around it
    begins = _BEGINNING.match(line)
    if begins is None:
        return Section(None, line, number, _level(line)) if _level(line) else None
    token = begins["token"].rstrip(".-_")
    tail = line[begins.start("token") + len(token) :]
    ends = _END.match(tail)
    assert ends is not None  # it matches the empty text
    closed, after = ends[0], tail[ends.end() :]
    separator = _SEPARATOR.match(after)
    level = _level(line)
    known = ids.find(token)
    if after.startswith("=") and not level:
        return _assigned(token, known, after[1:].strip(), number, ids)
    if known is not None:
        closes = set(closed) & ({")", "]", "}", "*", "_"} - ({")"} if "(" in begins["marks"] else set()))
        if level or not after or separator or closes or _ENTRY.match(after) or (after[0] == "#" and comments):
            rest = after[separator.end() :].lstrip("*_)] ") if separator else after
            return Section(
                known, token, number, level, lines=[] if level else [(number, rest)], title=rest if level else ""
            )
        return None
    bracketed = "[" in begins["marks"] and ("]" in closed or not after) and (not after or after[0] == "#")
    worded = bool(begins["word"]) and any(map(str.isdigit, token)) and (not after or separator is not None)
    alike = (not after or separator is not None) and _looks_like_an_id(token, ids, looks)
    if alike or worded or (bracketed and _ONLY_A_NAME.fullmatch(line.split("#")[0][:_LONGEST])):
        return Section(None, token, number, level, doubtful=True)
    return Section(None, line, number, level) if level else None


def _assigned(token: str, known: str | None, value: str, number: int, ids: Ids) -> Section | None:
    """`A.1a = {q = "…"}`, `A.1a = …` or `A.1a.q = …`, all on one line."""
    if known is not None:
        table = value if value.startswith("{") else ""
        return Section(known, token, number, lines=[] if table else [(number, value)], table=table)
    above, dot, name = token.rpartition(".")
    if dot and (known := ids.find(above)) is not None:
        return Section(known, above, number, lines=[(number, f"{name} = {value}")])
    return None


def _level(line: str) -> int:
    return len(line) - len(line.lstrip("#")) if line.startswith("#") else 0


def _looks_like_an_id(token: str, ids: Ids, looks: Iterator[int]) -> bool:
    """Whether a short name with a dot or a hyphen resembles an id."""
    short = 3 <= len(token) <= 14 and ("." in token or "-" in token) and not token.replace(".", "").isdigit()
    return short and next(looks, None) is not None and bool(ids.close(token))
