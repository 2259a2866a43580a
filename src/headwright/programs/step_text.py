"""One step of a program as text: a small grammar, read without `eval`.

    step       sum, or two sums with <=, >=, < or > between them
    sum        terms with +, - between them; * and / by numbers; brackets
    term       a number, tokens, indices, the name of another step, or one of
               count(keys)     mean(step where keys)     pick(step where keys, default = label)
               length()        sign(sum)                 last(step where keys, default = label)
    keys       conditions joined by &
    condition  step matches my step     step below my step     step below label     step among [label, label]
               at(sum)                  before()
    label      'text', a whole number, true or false

A condition speaks of a key on its left and, after `my`, of the position that asks. `where keys` may be left out: then every key
is selected, as it is by `count()`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, NamedTuple, final

from headwright.program import Program
from headwright.program_registers import Expression, Register, Selector
from headwright.program_steps import Label

_PIECE = re.compile(
    r"(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<word>[^\W\d]\w*)|(?P<label>'[^']*'|\"[^\"]*\")|(?P<mark><=|>=|==|[-+*/<>&()\[\],=])"
)
_COMPARE = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}
_STEPS = ("count", "mean", "pick", "last", "length", "sign")
_CONDITIONS = ("at", "before")
_JOINTS = ("matches", "below", "among", "my", "where", "default", "true", "false", "and")
RESERVED = frozenset({*_STEPS, *_CONDITIONS, *_JOINTS, "map"})
_DEEPEST = 32  # each level takes some six of the thousand calls that Python nests, and people write far fewer

Operand = Fraction | Register | Expression


class _Piece(NamedTuple):
    kind: str  # "number", "word", "label", "mark" or "end"
    text: str
    at: int


def words(text: str) -> set[str]:
    """The words of a text that may be names of steps.

    >>> sorted(words("count(tokens below 'c') <= total"))
    ['tokens', 'total']
    """
    return {match["word"] for match in _PIECE.finditer(text) if match["word"]} - RESERVED


def read_step(text: str, program: Program, known: Mapping[str, Register]) -> Register:
    """Add the step to the program; ValueError or TypeError, which quotes the text, if it cannot be read.

    >>> p = Program("abcd", length=10)
    >>> flag = read_step("count(tokens below my tokens) <= indices", p, {"tokens": p.tokens, "indices": p.indices})
    >>> p.run("dab", flag)
    [False, True, True]
    """
    return _Reader(text, program, known).whole()


@final
class _Reader:
    """Reads one text from left to right; each method reads one part of the grammar and leaves the rest."""

    def __init__(self, text: str, program: Program, known: Mapping[str, Register]) -> None:
        self.text, self.program, self.known = text, program, known
        self.pieces = list(self._split())
        self.place = self.depth = 0

    def _split(self) -> Iterator[_Piece]:
        at = 0
        while at < len(self.text):
            if self.text[at].isspace():
                at += 1
                continue
            match = _PIECE.match(self.text, at)
            if match is None:
                raise ValueError(f"{self.text[at]!r} has no meaning here{self._after(at)}")
            yield _Piece(str(match.lastgroup), match[0], at)
            at = match.end()
        yield _Piece("end", "", at)

    def whole(self) -> Register:
        made = self.step("a step")
        if self.next.kind != "end":
            raise self.expected("the end")
        return made

    @property
    def next(self) -> _Piece:
        return self.pieces[self.place]

    def _after(self, at: int) -> str:
        before = self.text[:at].rstrip()
        return f" after {'…' if len(before) > 30 else ''}{before[-30:]!r}" if before else " at the beginning"

    def expected(self, what: str) -> ValueError:
        found = f"{self.next.text!r}" if self.next.text else "nothing"
        return ValueError(f"expected {what}{self._after(self.next.at)}, but found {found}")

    def take(self, text: str) -> bool:
        """Whether the next piece is this mark or word, which is then read."""
        if self.next.text != text or self.next.kind not in ("mark", "word"):
            return False
        self.place += 1
        return True

    def need(self, text: str, what: str = "") -> None:
        if not self.take(text):
            raise self.expected(what or repr(text))

    def step(self, what: str) -> Register:
        """A register; ValueError for a sum, which no register holds."""
        made = self.value()
        if not isinstance(made, Register):
            raise ValueError(
                f"{what} must be a name, a step such as count(…), or a comparison. A sum can only stand in sign(…), in "
                "at(…) and in comparisons"
            )
        return made

    def value(self) -> Operand:
        left = self.sum()
        compare: Any = _COMPARE.get(self.next.text)
        if compare is not None:
            self.place += 1
            right = self.sum()
            if isinstance(left, Fraction) and isinstance(right, Fraction):
                raise ValueError("a comparison must have a step on one side at least")
            if self.next.text in _COMPARE:
                raise self.expected("one comparison only")
            left = compare(left, right)
        elif self.next.text in ("=", "=="):
            raise ValueError(
                "steps are compared by <=, >=, < and >. For equality, ask whether sign(a - b) is 0 by a map"
            )
        return left

    def sum(self) -> Operand:
        total = self.product()
        while self.next.text in ("+", "-") and self.next.kind == "mark":
            sign = 1 if self.take("+") else self.take("-") and -1
            total = total + sign * self.product()
        return total

    def product(self) -> Operand:
        total = self.factor()
        while self.next.text in ("*", "/") and self.next.kind == "mark":
            times = self.take("*") or not self.take("/")
            other = self.factor()
            if isinstance(total, Fraction) and times:
                total, other = other, total
            if not isinstance(other, Fraction):
                raise ValueError("steps can only be multiplied and divided by numbers")
            if not times and not other:
                raise ValueError("a number must not be divided by 0")
            total = total * (other if times else 1 / other)
        return total

    def factor(self) -> Operand:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError(f"steps and brackets may be nested {_DEEPEST} deep at most")
        made = self._factor()
        self.depth -= 1
        return made

    def _factor(self) -> Operand:
        if self.take("-"):
            return -self.factor()
        if self.take("("):
            made = self.value()
            self.need(")")
            return made
        if self.next.kind == "number":
            return self._number()
        if self.next.kind == "word" and self.next.text in _STEPS:
            return self.call()
        if self.next.kind == "word" and self.next.text in _CONDITIONS:
            raise ValueError(f"{self.next.text}(…) is a condition on keys: it stands after `where`, or in count(…)")
        if self.next.kind == "word" and self.next.text not in RESERVED:
            return self.name()
        raise self.expected("a number, a name or a step such as count(…)")

    def name(self) -> Register:
        word = self.next.text
        if word not in self.known:
            near = get_close_matches(word, self.known, n=1)
            raise ValueError(
                f"there is no step {word!r}"
                + (f". Did you mean {near[0]!r}?" if near else f"; there are {', '.join(self.known)}")
            )
        self.place += 1
        return self.known[word]

    def call(self) -> Register:
        kind, p = self.next.text, self.program
        self.place += 1
        self.need("(")
        if kind == "length":
            made = p.length()
        elif kind == "sign":
            of = self.sum()
            if isinstance(of, Fraction):
                raise ValueError("sign(…) must take a sum with a step in it")
            made = p.sign(of)
        elif kind == "count":
            made = p.count(None if self.next.text == ")" else self.keys())
        else:
            of = self.step(f"what {kind}(…) takes")
            keys = self.keys() if self.take("where") else None
            if kind == "mean":
                made = p.mean(keys, of)
            else:
                default = None
                if self.take(","):
                    self.need("default")
                    self.need("=")
                    default = self.label()
                made = (p.pick if kind == "pick" else p.last)(keys, of, default)
        self.need(")")
        return made

    def keys(self) -> Selector:
        made = self.condition()
        while self.take("&"):
            made = made & self.condition()
        if self.next.text == "and":
            raise self.expected("& between two conditions")
        return made

    def condition(self) -> Selector:
        if self.take("before"):
            self.need("(")
            self.need(")")
            return self.program.before()
        if self.take("at"):
            self.need("(")
            index = self.sum()
            self.need(")")
            return self.program.at(index)  # type: ignore[arg-type]
        key = self.sum()
        if not isinstance(key, Register):
            raise ValueError("a condition must begin with a step, at(…) or before()")
        if self.take("among"):
            return key.among(self._labels())
        if self.take("matches"):
            self.need("my", "`my` and a step: what this key must equal at the position that asks")
            return key.matches(self._mine())
        self.need("below", "matches, below or among")
        if self.take("my"):
            return key.below(self._mine())
        if self.next.kind == "word" and self.next.text in self.known:
            raise self.expected("`my` and a step, or a label in quotes")
        return key.below(self.label())

    def _mine(self) -> Register:
        made = self.factor()
        if not isinstance(made, Register):
            raise ValueError("`my` must be followed by a step")
        return made

    def _labels(self) -> list[Label]:
        if not self.take("["):
            return [self.label()]
        labels = [self.label()]
        while self.take(","):
            labels.append(self.label())
        self.need("]")
        return labels

    def label(self) -> Label:
        piece = self.next
        if piece.kind == "label":
            self.place += 1
            return piece.text[1:-1]
        if self.take("true") or self.take("false"):
            return piece.text == "true"
        negative = self.take("-")
        if self.next.kind != "number":
            raise self.expected("a label: a text in quotes, a whole number, true or false")
        number = self._number()
        if number.denominator != 1:
            raise ValueError(f"a label must be a whole number or a text, got {number}")
        return -int(number) if negative else int(number)

    def _number(self) -> Fraction:
        digits = self.next.text
        if len(digits) > 300:  # no float64 is as large
            raise ValueError(f"a number may have 300 digits at most, got {len(digits)}")
        self.place += 1
        return Fraction(digits)
