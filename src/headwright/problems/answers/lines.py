"""An answer written in lines, in Markdown, plain text or TOML with mistakes: lines `q = …`, and the explanation around them.

    q = 2 ln(n/ε) k_1            q: …            - q = …            $q = …$            several lines of $$ … $$ or ``` … ```

What stands below a header and is not such a line is the explanation. Where it is not clear what the answer says, all of it goes
to a person: this reader never guesses which formula was meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, final

from headwright import toml_files
from headwright.formulas import says_none
from headwright.problems.answers.fixed_symbols import fixes_a_symbol, taken_back
from headwright.problems.answers.headers import Section
from headwright.problems.answers.line_forms import unfolded
from headwright.problems.answers.names import (
    Role,
    asked_names,
    has_words,
    in_symbols,
    is_expression,
    is_prose,
    role_of,
    spelt,
    takes_none,
)
from headwright.problems.answers.values import bare, raw_strings, value_of, without_reason
from headwright.problems.problem import Problem

_BULLET = re.compile(r"(?:>\s?)*\s*(?:[-*+•]\s+|\d{1,2}[.)]\s+)?")
_LEAD = re.compile(
    r"\W{0,3}(?:(?:(?:final )?answer|solution|result)\W{0,3}:|(?:take|let|choose|set|use|so|thus|hence)\b,?)\W{0,3}?\s+",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    r"(?:\$\$?|\\\(|\\\[|`|\*\*|__)?\s*(?P<name>[^\s=:≔<>≤≥+/|,;#()\[\]]{1,60}(?:\s[^\s=:≔<>≤≥+/|,;#]{1,20})?|\\?\w{1,20}\^\{?\(\d\)\}?)"
    r"\s*(?P<sign>:=|≔|&=|=(?!=)|:)\s*(?P<value>.*)",
    re.DOTALL,
)
_SIGN = r"```\w*|~~~\w*|\$\$|\\\[|\\\]|\\(?:begin|end)\{[a-zA-Z]+\*?\}"  # begins or ends a block
_BLOCK = re.compile(rf"\s*+(?:(?:{_SIGN})\s*+(?:[.,;]\s*+)?)++")  # without going back: a line of $$ $$ $$ … x is long
_UNFINISHED = re.compile(r"(?:[-+*/^=·×⋅−(\[{,\\]|\\cdot|\\times)\s*$")
_CONTINUES = re.compile(r"\s*(?:[/^·×⋅=)\]}≫]|[+*](?=\S)|\\cdot|\\times|[-−](?=\S))")
_SIGN_OR_BULLET = re.compile(r"\s*[-+*−]\s+")
_AFTER_MATHS = re.compile(
    r"(\$\$[^$]+\$\$|\$[^$]+\$|\\\(.{1,2000}?\\\))(?:\s*[.,;:]\s*|\s+(?=\())(.*)|(\$[^$]+\$)\s*", re.DOTALL
)
_FACTOR = re.compile(r"[\s()\d.+*/^·−-]*")  # (-1) below a formula may belong to it
_CONDITION = re.compile(r"[=<>≤≥≫≪→∞]|\\(?:gg|ll|to|infty|rightarrow|geq?|leq?)|large|infinity|->")
_WHERE = re.compile(r"\s*\(?(?:with|where|for|as|when)\b|\s*,", re.IGNORECASE)
_RELATION = re.compile(r"[=<>≤≥]")
_RULE = re.compile(r"\s*[-=_*](?:\s*[-=_*]){2,}\s*")
_OPEN, _CLOSE = "([{", ")]}"
_MOST_LINES = 2_000  # of one answer: reading a line takes some fifty microseconds


@final
@dataclass(slots=True)
class Written:
    """What the lines below one header say: entries with their lines, the free text, and why a person must read it, if so."""

    entries: dict[str, Any] = field(default_factory=dict)
    at: dict[str, int] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    roles: set[Role] = field(default_factory=set)
    complaint: str = ""
    doubt: bool = False

    def add(self, role: Role, name: str, value: Any, line: int) -> None:
        self.roles.add(role)
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
        return Written(complaint=f"the answer has more than {_MOST_LINES:,} lines")
    for piece in pieces:
        try:
            _read(piece, problem, elsewhere, found)
        except (ValueError, TypeError) as error:
            found.complaint = found.complaint or str(error)
    everything = "\n".join(text for piece in pieces for _, text in piece.lines if text.strip())
    if not found.entries and not found.complaint and not found.doubt:
        _lone_answer(found, problem)
    both = {Role.ASKED, Role.MISSPELT} <= found.roles  # a header of another question may be missing
    values = found.entries.values()
    unread = [*(piece.title for piece in pieces), *(note for piece in pieces for note in piece.comments())]
    changed = taken_back([*found.words, *unread]) or fixes_a_symbol([*found.words, *unread], values, problem)
    if found.doubt or both or changed or any(is_prose(value, problem) for value in values):
        return Written(words=[everything], doubt=True)
    return found


def _read(piece: Section, problem: Problem, elsewhere: Collection[str], found: Written) -> None:
    if piece.table:
        for name, value in _inline_table(piece.table, line=piece.line).items():
            found.add(role_of(name, problem)[0], name, value, piece.line)
    lines = piece.lines if not _entry(piece.title, problem, elsewhere) else [(piece.line, piece.title), *piece.lines]
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
        quoted = text.lstrip().startswith(">")
        entry = _entry(text, problem, elsewhere, quoted=quoted)
        if entry is None:
            if waiting and text.strip() and (block or is_expression(text, problem) or _is_none(text, problem)):
                value, place = _gathered(lines, place, bare(text), block, ends, problem)
                found.add(Role.ASKED, waiting, value_of(value, line=number), number)
                waiting = ""
            elif text.strip() and not quoted and not _RULE.fullmatch(text):
                waiting = ""
                found.words.append(text.strip())
                unsure = in_symbols(text, problem) and (has_words(text) or bool(_SIGN_OR_BULLET.match(text)))
                unsure = unsure or _changes(text, problem)
                found.doubt = found.doubt or (unsure and bool(found.entries))  # it may belong to the formula above
            continue
        role, name, value = entry
        if role is Role.SYMBOL:
            found.doubt = True
            continue
        waiting = name if not value.strip() else ""
        if waiting:
            continue
        value, place = _gathered(lines, place, value, block, ends, problem)
        value, behind = _formula_and_words(value, problem)
        if behind:
            found.words.append(behind)
        found.add(role, name, value_of(value, line=number), number)


def _changes(text: str, problem: Problem) -> bool:
    """Whether a line below a formula may change it: `q += k_1`, `q → q/2`, `(-1)`."""
    name = "|".join(map(re.escape, asked_names(problem)))
    factor = _FACTOR.fullmatch(text) is not None and any(map(str.isdigit, text)) and not _BULLET.fullmatch(text)
    return factor or re.search(rf"(?:^|[^\w])(?:{name})\s*(?:[-+*/]=|->|→|←|<-|↦|\\(?:to|gets)\b)", text) is not None


def _deeper(block: int, text: str) -> int:
    """How deep inside of blocks the lines below this one are: $$ and ``` begin and end with the same sign."""
    for sign in re.findall(_SIGN, text):
        same = sign[0] in "`~$"
        closes = sign.startswith((r"\]", r"\end")) or (same and block % 2 == 1)
        block = max(block - (1 if same else 2), 0) if closes else block + (1 if same else 2)
    return block


def _entry(
    text: str, problem: Problem, elsewhere: Collection[str], *, quoted: bool = False
) -> tuple[Role, str, str] | None:
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
    if role is Role.FREE or (role is not Role.ASKED and (match["sign"] == ":" or quoted or is_prose(value, problem))):
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


def _formula_and_words(value: str, problem: Problem) -> tuple[str, str]:
    """`$…$` and the explanation behind it. What may belong to the formula stays with it: a condition, an operator, symbols."""
    if problem.names and not says_none(value):
        formula, reason = without_reason(value, asked_names(problem))
        if reason:
            return formula, reason
    found = _AFTER_MATHS.fullmatch(value)
    if (
        found is None
        or found[2] is None
        or _CONDITION.search(found[2])
        or _CONTINUES.match(found[2])
        or _SIGN_OR_BULLET.match(found[2])
    ):
        return value, ""
    if in_symbols(found[2], problem) and has_words(found[2]):
        return value, ""
    return found[1], found[2] if has_words(found[2]) else ""


def _lone_answer(found: Written, problem: Problem) -> None:
    """Where one thing is asked for, and nothing is written but a formula over the question's own names, that is the answer.

    So is the id of one of its statements, and a number where the question asks for one.
    """
    none = [words for words in found.words if _is_none(words[_matched(_LEAD, words) :], problem)]
    if len(none) == 1 and not any(is_expression(words, problem) for words in found.words):
        found.entries = dict.fromkeys(problem.answers, value_of(none[0][_matched(_LEAD, none[0]) :], line=0))
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
