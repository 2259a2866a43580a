"""Lines brought into the form that the reader knows, one formula `q = …` to a line: several formulas in one, boxes, open $$."""

from __future__ import annotations

import re
from itertools import pairwise

from headwright.problems.answers.names import asked_names, spelt
from headwright.problems.problem import Problem

_LONGEST = 2000  # characters of a line that is taken apart: to look for separators takes time
_OPENING = re.compile(r"(\s*(?:\$\$|\\[\[\]]))(?=\s*\S)(?!.*(?:\$\$|\\\]))(.*)")
_ENDING = re.compile(r"(?!\s*(?:\$\$|\\\[))(.*\S.*?)((?:\$\$|\\\])\s*[.,;]?\s*)$")
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*\{")
_SEPARATOR = r"(?:[,;&$\s.]|\\\\|\\q?quad(?![A-Za-z])|\\[()\[\]]|(?<![A-Za-z])and(?![A-Za-z])|\\text\{\s*and\s*\})"
_NAMED = re.compile(
    r"(?P<name>(?:\*\*|\\(?:vec|mathbf|boldsymbol|bm)\s*)?\{?[A-Za-z]\}?(?:_?\{?\d\}?|[₀-₉]|\^\{?\(\d\)\}?)?(?:\*\*)?\$?)"
    r"\s*(?:&?:?=(?!=)|≔)"
)
_APART = re.compile(rf"(?:[,;&$]|\\\\|\\q?quad|\\[)\]]|\band|and\s*\}}){_SEPARATOR}*$")
ENVIRONMENT = r"\\(?:begin|end)\{(?:align|aligned|equation|gather|gathered|split|math|displaymath|center)\*?\}"
_LEFT_OVER = re.compile(rf"\$+|\\[()\[\]]|{ENVIRONMENT}")


def unfolded(lines: list[tuple[int, str]], problem: Problem) -> list[tuple[int, str]]:
    """The lines with their numbers, each with one formula at most.

    >>> from headwright.problems import find
    >>> unfolded([(3, "$q_1 = t k_2$ and $q_2 = t u$"), (4, r"\\boxed{q = 2}")], find("A.1d"))
    [(3, 'q_1 = t k_2'), (3, 'q_2 = t u'), (4, 'q = 2')]
    """
    return [
        (number, part)
        for number, text in lines
        for line in (_without_open_end(_without_box(text)) if len(text) <= _LONGEST else [text])
        for part in (_several(line, problem) if len(text) <= _LONGEST else [line])
    ]


def _without_open_end(text: str) -> list[str]:
    """`$$q = …` and `… $$` with the sign on a line of its own, where its partner is on another line."""
    alone = text.count("$$") + text.count("\\[") + text.count("\\]") == 1 and "```" not in text
    found = alone and (_OPENING.fullmatch(text) or _ENDING.fullmatch(text))
    return [found[1], found[2]] if found else [text]


def _without_box(text: str) -> str:
    """\\boxed{q = …} and q = \\boxed{…} without the box, where nothing but signs stands behind it."""
    found = _BOXED.search(text)
    if found is None:
        return text
    depth, end = 1, found.end()
    while end < len(text) and depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    before, inside, behind = text[: found.start()], text[found.end() : end - 1], text[end:]
    clear = re.fullmatch(r"[\s$*>\\\[(-]*|.*=\s*", before) and re.fullmatch(r"[\s$.,;*\\\])]*", behind)
    return before + inside + behind if clear and not depth else text


def _several(text: str, problem: Problem) -> list[str]:
    """The line cut before each asked name that a sign = follows and a separator precedes; no name twice."""
    asked = asked_names(problem)
    if len(asked) < 2 or text.count("=") + text.count("≔") < 2:
        return [text]
    cuts: dict[str, int] = {}
    for found in _NAMED.finditer(text):
        name, before = asked.get(spelt(found["name"])), text[: found.start()]
        if name is None or (before and (before[-1].isalnum() or before[-1] in "_^\\")):
            continue
        if name in cuts:
            return [text]
        before = _LEFT_OVER.sub("$", before)
        flat = all(before.count(a) == before.count(b) for a, b in ("()", "[]", "{}"))
        if not cuts or (flat and _APART.search(before)):
            cuts[name] = found.start()
    if len(cuts) < 2:
        return [text]
    if text.strip().startswith("**") and text.strip().endswith("**"):
        text = text.rstrip().removesuffix("**")  # the first formula keeps its sign, which the reader knows
    places = [0, *list(cuts.values())[1:], len(text)]
    parts = [_LEFT_OVER.sub(" ", text[a:b]) for a, b in pairwise(places)]
    return [re.sub(rf"{_SEPARATOR}+$", "", part).lstrip() for part in parts]
