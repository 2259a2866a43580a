"""An answer written in lines, in Markdown, plain text or TOML with mistakes: lines `q = …`, and the explanation around them.

    q = 2 ln(n/ε) k_1            q: …            - q = …            $q = …$            several lines of $$ … $$ or ``` … ```

Nothing that stands below a header is dropped. It is a formula, a condition on one, known to say nothing (a rule, a fence, the
question itself as the template has it, `Answer:`), or else the student's words: with any of these a person reads the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, final

from headwright.problems.answers.headers import Section
from headwright.problems.answers.line_forms import ENVIRONMENT, unfolded
from headwright.problems.answers.names import (
    Role,
    in_symbols,
    is_expression,
    is_prose,
    role_of,
    spelt,
    takes_none,
    with_condition,
)
from headwright.problems.answers.templates import said_by
from headwright.problems.answers.values import bare, raw_strings, value_of, without_comment
from headwright.problems.problem import Problem
from headwright.reading import toml_files
from headwright.reading.formulas import says_none

_BULLET = re.compile(r"(?:>\s?)*\s*(?:[-*+•]\s+|\d{1,2}[.)]\s+)?")
_MARKS = r"[\s*_$\"'(]{0,3}"
_LABEL = rf"(?:(?:my |the )?(?:final )?(?:answer|solution|result){_MARKS}:)"
_LEAD = re.compile(
    rf"{_MARKS}(?:{_LABEL}|(?:take|let|choose|set|use|so|thus|hence)\b,?){_MARKS}?\s+",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(rf"[#\s]*{_MARKS}(?:{_LABEL}?{_MARKS}|(?:final )?answer{_MARKS}|and|where)", re.IGNORECASE)
_ENTRY = re.compile(
    r"(?:\$\$?|\\\(|\\\[|`|\*\*|__)?\s*(?P<name>[^\s=:≔<>≤≥+/|,;#()\[\]]{1,60}(?:\s[^\s=:≔<>≤≥+/|,;#]{1,20})?|\\?\w{1,20}\^\{?\(\d\)\}?)"
    r"\s*(?P<sign>:=|≔|&=|=(?!=)|:)\s*(?P<value>.*)",
    re.DOTALL,
)
_SIGN = rf"(?:```|~~~)(?:(?:math|latex|tex|text|toml|python)\b)?|\$\$|\\\[|\\\]|{ENVIRONMENT}"  # begins or ends a block
_BLOCK = re.compile(
    rf"[>\s]*+(?:(?:{_SIGN})\s*+(?:[.,;]\s*+)?)++"
)  # without going back: a line of $$ $$ $$ … x is long
_UNFINISHED = re.compile(r"(?:[-+*/^=·×⋅−(\[{,\\]|\\cdot|\\times)\s*$")
_CONTINUES = re.compile(r"\s*(?:[/^·×⋅=)\]}≫]|[+*](?=\S)|\\cdot|\\times|[-−](?=\S))")
_SIGN_OR_BULLET = re.compile(r"\s*[-+*−]\s+")
_WHERE = re.compile(r"\s*\(?(?:with|where|for|as|when)\b|\s*,", re.IGNORECASE)
_RELATION = re.compile(r"[=<>≤≥]")
_POINTS = re.compile(r"\([\d.,]{1,6}\s*(?:points?|pts?\.?|marks?|p)\)\s*$")  # behind the title of a question
_RULE = re.compile(r"\s*[-=_*](?:\s*[-=_*]){2,}\s*")
_OPEN, _CLOSE = "([{", ")]}"
_MOST_CONDITIONS = 20  # lines that are tried as a condition on a formula
_MOST_LINES = 2_000  # of one answer: reading a line takes some fifty microseconds


@final
@dataclass(slots=True)
class Written:
    """What the lines below one header say: entries with their lines, the student's words, and what is wrong with it, if so."""

    entries: dict[str, Any] = field(default_factory=dict)
    at: dict[str, int] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    misspelt: dict[str, str] = field(default_factory=dict)  # names with the lines that give them
    complaint: str = ""

    def add(self, name: str, value: Any, line: int) -> None:
        if name not in self.entries:
            self.entries[name], self.at[name] = value, line
        elif not _same(self.entries[name], value):
            self.complaint = self.complaint or (
                f"`{name}` is given twice, in lines {self.at[name]} and {line}: keep one, "
                "or repair the header of the question between them"
            )


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other


def written(pieces: Collection[Section], problem: Problem, elsewhere: Collection[str] = ()) -> Written:
    """The answer in all sections of one question; `elsewhere` are the names that other questions ask for.

    >>> from headwright.problems import find
    >>> lines = [(2, "- q = 2 ln(n/ε) k_1"), (3, "The others trail.")]
    >>> found = written([Section("A.1a", "A.1a", 1, lines=lines)], find("A.1a"))
    >>> found.entries, found.words
    ({'q': '2 ln(n/ε) k_1'}, ['The others trail.'])
    """
    found = Written()
    if sum(len(piece.lines) for piece in pieces) > _MOST_LINES:
        everything = [text for piece in pieces for _, text in piece.lines]
        return Written(words=everything, complaint=f"the answer has more than {_MOST_LINES:,} lines")
    for piece in pieces:
        try:
            _read(piece, problem, elsewhere, found)
        except (ValueError, TypeError) as error:
            found.complaint = found.complaint or str(error)
            found.words += [text.strip() for _, text in piece.lines if text.strip() and text.strip() not in found.words]
    if not found.entries and not found.complaint:
        _lone_answer(found, problem)
    if found.misspelt.keys() < found.entries.keys():  # a header of another question may be missing
        found.words += [text for text in found.misspelt.values() if text not in found.words]
        for name in found.misspelt:
            del found.entries[name]
    for line in found.words[:_MOST_CONDITIONS]:
        for name, value in found.entries.items():
            both = (
                with_condition(value, line[_matched(_BULLET, line) :], name, problem)
                if isinstance(value, str)
                else None
            )
            if both is not None:
                found.entries[name] = both
                found.words.remove(line)
                break
    return found


def _read(piece: Section, problem: Problem, elsewhere: Collection[str], found: Written) -> None:
    if piece.table:
        text, comment = without_comment(piece.table)
        found.words += [comment] if comment else []
        for name, value in _inline_table(text, line=piece.line).items():
            found.add(name, value, piece.line)
    titled = _entry(piece.title, problem, elsewhere) is not None
    if piece.title and not titled and not _says_nothing(piece.title, problem):
        found.words.append(piece.title)
    lines = [(piece.line, piece.title), *piece.lines] if titled else piece.lines
    lines = unfolded(lines, problem)

    def ends(text: str) -> bool:
        return _entry(text, problem, elsewhere) is not None

    block, waiting, place = 0, "", 0  # how deep inside of $$, \\[ or ```; a name whose value is to follow
    while place < len(lines):
        number, text = lines[place]
        place += 1
        if _BLOCK.fullmatch(text):
            block = _deeper(block, text)
            continue
        if not text.strip() or _RULE.fullmatch(text) or _says_nothing(text, problem):
            continue
        entry = _entry(text, problem, elsewhere)
        role, name, value = entry or (Role.ASKED, waiting, text[_matched(_BULLET, text) :])
        value, comment = without_comment(value) if entry else (bare(value), "")
        if entry and role is not Role.SYMBOL:
            waiting = ""
            found.words += [comment] if comment else []
            if not value:
                waiting = name
                continue
        elif entry or not waiting or not (block or is_expression(value, problem) or _is_none(value, problem)):
            waiting = ""
            found.words.append(text.strip())
            continue
        waiting = ""
        value, place = _gathered(lines, place, value, block, ends, problem)
        value, comment = without_comment(value)
        found.words += [comment] if comment else []
        if role is Role.MISSPELT:
            found.misspelt[name] = text.strip()
        found.add(name, value_of(value, line=number), number)
    found.words += piece.beside


def _says_nothing(text: str, problem: Problem) -> bool:
    """Whether a line is the question itself, as the template has it, or announces an answer."""
    text = " ".join(_POINTS.sub("", text).split()).lstrip("> ")
    return not text or _SAYS_NOTHING.fullmatch(text) is not None or text in said_by(problem)


def _deeper(block: int, text: str) -> int:
    """How deep inside of blocks the lines below this one are: $$ and ``` begin and end with the same sign."""
    for sign in re.findall(_SIGN, text):
        same = sign[0] in "`~$"
        closes = sign.startswith((r"\]", r"\end")) or (same and block % 2 == 1)
        block = max(block - (1 if same else 2), 0) if closes else block + (1 if same else 2)
    return block


def _entry(text: str, problem: Problem, elsewhere: Collection[str]) -> tuple[Role, str, str] | None:
    """Role, name and value of a line `q = …` that is about what the question asks for, or about one of its symbols."""
    text = text[_matched(_BULLET, text) :].strip()
    lead = _matched(_LEAD, text)
    match = _ENTRY.match(text, lead)
    if match is None:
        return None
    role, name = role_of(match["name"], problem, elsewhere)
    value = match["value"].strip()
    value = _without_end(text[match.start() : match.start("name")], value)
    if lead and (role is not Role.ASKED or not in_symbols(bare(value), problem)):
        return None  # a sentence that speaks of q
    if role is Role.FREE or (role is not Role.ASKED and (match["sign"] == ":" or is_prose(value, problem))):
        return None
    if role is Role.MISSPELT and not value:
        return None
    return role, (name if role is Role.ASKED else spelt(name)), value


def _matched(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


def _without_end(opening: str, value: str) -> str:
    """The value of `$q = …$` without the sign that closes what was opened before the name."""
    opening = opening.strip()
    if not opening:
        return value
    if opening in ("**", "__", "`"):
        return value[: -len(opening)] if value.endswith(opening) and value.count(opening) % 2 else value
    return opening + value  # mathematics that began before the name: its end is still to come


def _gathered(
    lines: list[tuple[int, str]], place: int, value: str, block: int, ends: Callable[[str], bool], problem: Problem
) -> tuple[str, int]:
    """The value with the lines that continue it, and the place behind them."""
    for quotes in ('"""', "'''"):
        if value.startswith(quotes) and quotes not in value[3:]:
            last = next((k for k in range(place, len(lines)) if quotes in lines[k][1]), None)
            if last is None:
                return value[3:], place
            return "\n".join([value, *(text for _, text in lines[place : last + 1])]), last + 1
    parts = [value]
    depth = _depth(value)
    while place < len(lines):
        text = lines[place][1]
        if not text.strip() or _BLOCK.fullmatch(text) or _RULE.fullmatch(text) or ends(text):
            break
        goes_on = _CONTINUES.match(text) or (_WHERE.match(text) and in_symbols(_RELATION.sub("", text), problem))
        if not (block or depth > 0 or _UNFINISHED.search(parts[-1][-20:]) or goes_on):
            break  # a line that begins with "- " is an item of a list, or goes on: if it may be either, a person decides
        if value[:1] in ('"', "“") and depth <= 0:
            break  # the text in quotes is over
        parts.append(text.strip())
        depth += _depth(text)
        place += 1
    return " ".join(part.strip().rstrip("\\").replace("&", " ") if block else part.strip() for part in parts), place


def _depth(text: str) -> int:
    return sum(text.count(sign) for sign in _OPEN) - sum(text.count(sign) for sign in _CLOSE)


def _lone_answer(found: Written, problem: Problem) -> None:
    """Where one thing is asked for, and nothing is written but a formula over the question's own names, that is the answer.

    So is the id of one of its statements, and a number where the question asks for one.
    """
    said = {words: words[_matched(_BULLET, words) :] for words in found.words}
    none = [words for words, text in said.items() if _is_none(text[_matched(_LEAD, text) :], problem)]
    if len(none) == 1 and not any(is_expression(words, problem) for words in found.words):
        text = said[none[0]]
        found.entries = dict.fromkeys(problem.answers, value_of(text[_matched(_LEAD, text) :], line=0))
        found.words.remove(none[0])
    if len(problem.answers) > 1 or len(found.words) != 1 or found.entries:
        return
    text = found.words[0][_matched(_BULLET, found.words[0]) :]
    with suppress(ValueError):  # a text that cannot be read is left to a person
        value = value_of(text[_matched(_LEAD, text) :], line=0)
        formula = isinstance(value, str) and is_expression(value, problem)
        number = problem.kind == "number" and isinstance(value, int | float)
        if formula or number or value in [statement.id for statement in problem.statements]:
            found.entries, found.words = {problem.answers[0]: value}, []


def _is_none(value: Any, problem: Problem) -> bool:
    return takes_none(problem) and says_none(value)


def _inline_table(text: str, *, line: int) -> Mapping[str, Any]:
    """The entries of `{q = "…"}`; ValueError naming the line."""
    held = toml_files.parse(f"x = {raw_strings(text)}".encode(), called=f"line {line}")
    if not isinstance(held["x"], dict):
        raise ValueError(f"line {line} must hold a table: a header, and below it a line such as q = …")
    return held["x"]
