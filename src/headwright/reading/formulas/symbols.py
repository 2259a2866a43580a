"""The symbols of a question: what each name stands for, and all the spellings under which a formula may use it.

This is the one place for names. k_1 may be written k1, k_{1} or k₁, mu_a as μ_a, and eps as ε, epsilon or \\epsilon. Letters that
touch are a product of names, the longest first: tk_a is t·k_a. A subscript is never split, so k_12 is not k_1·2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import final

from headwright.reading.formulas.kinds import UNKNOWN
from headwright.reading.formulas.plain_text import EPSILON, GREEK
from headwright.theories.formulas.forms.trees import FUNCTIONS

_OWN = {"svd_part"}  # functions known only to questions that list them
_SPELLINGS = {"ln": "log"}
_EPSILONS = ("eps", "epsilon", "varepsilon")
BARE = ("log", "exp", "sqrt")  # functions that may stand without brackets: log n
Piece = tuple[
    str, str, int, int
]  # kind (name, constant, function, number), what it is, and from where to where it stands


@final
@dataclass(frozen=True)
class Symbols:
    """What a formula may use: `names` with their kinds, further `functions`, and what the question says of them.

    - `names`: what each name stands for: "number", "column", "row", "matrix", or "unknown";
    - `functions`: those that only some questions have, such as svd_part;
    - `hints`: what to say of names that the question does not have, but writers may expect;
    - `large`: the symbols that stand for large numbers, on which a formula may put a condition such as t ≫ 0;
    - `answer`: the name that may stand in front of the formula, as in q = 2*k_1; `kind`: what the formula should be.

    >>> Symbols({"t": "number", "k_1": "column"}).with_answer("q").answer
    'q'
    """

    names: Mapping[str, str]
    functions: Collection[str] = ()
    hints: Mapping[str, str] = field(default_factory=dict)
    large: Collection[str] = ()
    answer: str = ""
    kind: str = UNKNOWN

    def with_answer(self, name: str) -> Symbols:
        """The same for a formula that may begin with `name =`."""
        return replace(self, answer=name)

    def with_hints(self, hints: Mapping[str, str]) -> Symbols:
        """The same with further hints."""
        return replace(self, hints={**hints, **self.hints})

    @property
    def allowed(self) -> dict[str, tuple[int, int]]:
        """The functions that a formula may call, with how many arguments each takes."""
        return {name: count for name, count in FUNCTIONS.items() if name not in _OWN or name in self.functions}

    @property
    def vocabulary(self) -> Vocabulary:
        """The spellings of all names and functions."""
        return _vocabulary(tuple(self.names), tuple(self.allowed))


@final
class Vocabulary:
    """Spellings and what they mean. `exact` leaves out names whose underscore is missing, such as k1."""

    def __init__(self, names: tuple[str, ...], functions: tuple[str, ...]) -> None:
        self.exact: dict[str, tuple[str, str]] = {name: ("function", name) for name in functions}
        self.exact |= {short: ("function", name) for short, name in _SPELLINGS.items()}
        self.exact |= {"e": ("constant", "e"), "pi": ("constant", "pi"), "π": ("constant", "pi")}
        self.exact |= dict.fromkeys(["I", "I_d", "I_n"], ("constant", "I"))  # its size follows from its place
        own = {spelling: ("name", name) for name in names for spelling in spellings(name)}
        own |= {name: ("name", name) for name in names}
        self.exact |= own
        joined: dict[str, set[str]] = {}
        for spelling, (_, name) in own.items():
            joined.setdefault(spelling.replace("_", ""), set()).add(name)
        short = {spelling: ("name", min(meant)) for spelling, meant in joined.items() if len(meant) == 1}
        self.every: dict[str, tuple[str, str]] = {**short, **self.exact}
        self._euler = "e" not in names
        self._longest = max(map(len, self.every))

    def readings(self, word: str, closed: Collection[int], before_power: bool) -> list[list[Piece]]:
        """The ways to read letters that touch, the usual one first; [] if there is none.

        `closed` are the places right after a subscript in braces. `before_power`: a ^ follows.
        """
        small = word.lower()
        small = _SPELLINGS.get(small, small)
        if word not in self.every and self.every.get(small, ("", ""))[0] == "function" and small != "e":
            return [[("function", small, 0, len(word))]]  # capitals do not matter in a function: Log, LN
        found = [self._pieces(word, closed, before_power, words) for words in (self.every, self.exact)]
        return [pieces for i, pieces in enumerate(found) if pieces and pieces not in found[:i]]

    def _pieces(
        self, word: str, closed: Collection[int], before_power: bool, words: Mapping[str, tuple[str, str]]
    ) -> list[Piece]:
        if word in words:
            return [(*words[word], 0, len(word))]
        best: list[tuple[Piece, int] | None] = [None] * len(word) + [(("", "", 0, 0), 0)]
        for start in reversed(range(len(word))):
            for end in range(min(len(word), start + self._longest), start, -1):
                meant = words.get(word[start:end])
                if meant is None or not self._ends(word, start, end, closed):
                    continue
                if meant == ("constant", "e") and self._euler and not (end == len(word) and before_power):
                    continue
                after = end
                if (
                    meant[0] == "function" and word[end : end + 1].isdigit()
                ):  # ln2 is ln(2), but log2 may be another base
                    after = end + len(word[end:]) - len(word[end:].lstrip("0123456789"))
                    if meant[1] not in BARE or word[start:end] == "log":
                        continue
                if best[after] is not None:
                    best[start] = (*meant, start, end), after
                    break
        return list(_followed(word, best)) if best[0] is not None else []

    def _ends(self, word: str, start: int, end: int, closed: Collection[int]) -> bool:
        """Whether a name may end here: not before a digit, and not inside a subscript."""
        if end == len(word) or end in closed:
            return True
        following = word[end]
        if following == "_":
            return False
        lowered = "_" in word[start:end]
        if following.isdigit():
            return self.every.get(word[start:end], ("", ""))[0] == "function"
        return not lowered or word[end - 1].isdigit() or "_" in word[end : end + self._longest]


def _followed(word: str, best: list[tuple[Piece, int] | None]) -> Iterator[Piece]:
    at = 0
    while at < len(word):
        step = best[at]
        assert step is not None, "the chain of pieces has no gap"
        piece, after = step
        yield piece
        if after > piece[3]:
            yield "number", word[piece[3] : after], piece[3], after
        at = after


@lru_cache(maxsize=256)
def _vocabulary(names: tuple[str, ...], functions: tuple[str, ...]) -> Vocabulary:
    return Vocabulary(names, functions)


def spellings(name: str) -> list[str]:
    """All spellings of a name with its underscore: mu_a and μ_a, eps and ε.

    >>> spellings("mu_a"), spellings("eps")
    (['mu_a', 'μ_a'], ['eps', 'epsilon', 'varepsilon', 'ε'])
    """
    base, underscore, rest = name.partition("_")
    bases = [*_EPSILONS, EPSILON] if base in _EPSILONS else [base, *([GREEK[base]] if base in GREEK else [])]
    return [f"{one}{underscore}{rest}" for one in bases]


def shown_name(name: str) -> str:
    """A name as a reader sees it, with Greek letters.

    >>> shown_name("mu_a"), shown_name("k_1")
    ('μ_a', 'k_1')
    """
    return spellings(name)[-1]
