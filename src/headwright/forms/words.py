"""Matrix formulas as sums of words: products of letters such as A, A', inv(S'*S), simplified by the rules of the question.

A word is a product of letters, the empty word is I, and a form is Σ coefficient · word. Rules (A'A = I, A'B = 0) shorten words as
long as they can. A matrix S with independent columns adds that S'S has an inverse, G = inv(S'S) with GS'S = S'SG = I, and
pinv(S) = GS'. A difference that shrinks to nothing is zero for all matrices that obey the rules; where something is left,
nothing is said. Only such inverses are formed: inv(S*S') may not exist, and is `OutOfClass`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright.forms import elementary
from headwright.forms.faults import Misfit, OutOfClass
from headwright.forms.fold import Algebra, fold
from headwright.forms.log_forms import LogForm
from headwright.forms.signs import defined
from headwright.forms.trees import Node

Word = tuple[str, ...]
Size = str | None  # the letter of a size such as d; None for I, which takes any

MOST_TERMS = 200
LONGEST_WORD = 60


@final
@dataclass(frozen=True, slots=True)
class MatrixForm:
    """Σ terms[word] · word, with `rows` and `columns` as letters; both None for a multiple of I, which has any size."""

    terms: Mapping[Word, LogForm]
    rows: Size
    columns: Size

    def is_zero(self) -> bool:
        """True only when this is 0 for all matrices that obey the rules it was simplified by."""
        return all(coefficient.is_zero() for coefficient in self.terms.values())

    def described(self) -> str:
        return "the identity matrix" if self.rows is None else f"a {self.rows}×{self.columns} matrix"

    def transposed(self) -> MatrixForm:
        return MatrixForm({_turned(word): c for word, c in self.terms.items()}, self.columns, self.rows)

    def scaled(self, factor: LogForm) -> MatrixForm:
        return MatrixForm({word: c * factor for word, c in self.terms.items()}, self.rows, self.columns)

    def added(self, other: MatrixForm) -> MatrixForm:
        size = (other.rows, other.columns) if self.rows is None else (self.rows, self.columns)
        fitting = {(None, None), size} if size[0] == size[1] else {size}
        if not {(self.rows, self.columns), (other.rows, other.columns)} <= fitting:
            raise Misfit(f"One cannot add {self.described()} and {other.described()}.")
        return MatrixForm(_summed([*self.terms.items(), *other.terms.items()]), *size)


@final
@dataclass(frozen=True, slots=True)
class Rules:
    """The matrices of a question and what is known of them.

    `shapes` {"A": ("d", "m")}; `identities` and `zeros` are products that are I or 0, such as "A'*A", and hold transposed too;
    the matrices in `independent` have independent columns.

    >>> spans = Rules({"A": ("d", "m"), "B": ("d", "p")}, identities=("A'*A",), zeros=("A'*B",), independent=("A", "B"))
    >>> A, B = spans.letter("A"), spans.letter("B")
    >>> spans.multiplied(spans.multiplied(A, A.transposed()), B).is_zero()
    True
    """

    shapes: Mapping[str, tuple[str, str]]
    identities: Collection[str] = ()
    zeros: Collection[str] = ()
    independent: Collection[str] = ()

    def letter(self, name: str) -> MatrixForm:
        """One of the matrices, as a form."""
        return MatrixForm({(name,): LogForm.number(1)}, *self.shapes[name])

    def multiplied(self, a: MatrixForm, b: MatrixForm) -> MatrixForm:
        """a · b, simplified."""
        if a.columns != b.rows and None not in (a.columns, b.rows):
            raise Misfit(f"One cannot multiply {a.described()} by {b.described()}.")
        if len(a.terms) * len(b.terms) > MOST_TERMS:
            raise OutOfClass(f"this product has more than {MOST_TERMS} terms")
        found = [(self._short(v + w), c * d) for v, c in a.terms.items() for w, d in b.terms.items()]
        kept = _summed((word, c) for word, c in found if word is not None)
        return MatrixForm(kept, b.rows if a.rows is None else a.rows, a.columns if b.columns is None else b.columns)

    def inverse(self, a: MatrixForm) -> MatrixForm:
        """a^-1 for c·I and c·S'S, S with independent columns."""
        if a.rows != a.columns:
            raise Misfit(f"Only a square matrix has an inverse, this is {a.described()}.")
        ((word, coefficient),) = a.terms.items() if len(a.terms) == 1 else ((("", ""), LogForm.number(0)),)
        letter = self._inverses().get(word)
        if letter is None and word != ():
            raise OutOfClass("this inverse may not exist for all matrices of the question")
        return MatrixForm({() if letter is None else (letter,): _settled(LogForm.number(1) / coefficient)}, a.rows, a.columns)

    def pseudo_inverse(self, a: MatrixForm) -> MatrixForm:
        """(a'a)^-1 a' for c·S, S with independent columns; for its transpose the transpose."""
        if len(a.terms) == 1:
            for tall, turn in ((a, False), (a.transposed(), True)):
                if next(iter(tall.terms)) in {(name,) for name in self.independent}:
                    found = self.multiplied(self.inverse(self.multiplied(tall.transposed(), tall)), tall.transposed())
                    return found.transposed() if turn else found
        raise OutOfClass("this pseudo-inverse has no normal form")

    def _inverses(self) -> dict[Word, str]:
        """{(S', S): the letter for inv(S'S)}."""
        return {(f"{name}'", name): f"inv({name}'*{name})" for name in self.independent}

    def _short(self, word: Word) -> Word | None:
        """The word with every rule applied as long as one applies, each making it shorter; None for zero."""
        zeros = {rule for text in self.zeros for rule in _both(text)}
        gone = {rule for text in self.identities for rule in _both(text)}
        gone |= {rule for pair, letter in self._inverses().items() for rule in ((*pair, letter), (letter, *pair))}
        if len(word) > LONGEST_WORD:
            raise OutOfClass(f"a product of more than {LONGEST_WORD} matrices")
        while True:
            if any(_place(word, rule) is not None for rule in zeros):
                return None
            found = next(((place, rule) for rule in gone if (place := _place(word, rule)) is not None), None)
            if found is None:
                return word
            word = word[: found[0]] + word[found[0] + len(found[1]) :]


def in_words(root: Node, rules: Rules, given: Mapping[str, MatrixForm] | None = None) -> MatrixForm:
    """A matrix formula without scalar symbols as a simplified sum of words; `given` are names with forms of their own.

    >>> from headwright.forms.trees import Call, Name, Number, Product, Sum, Transposed
    >>> rules = Rules({"S": ("d", "m")}, independent=("S",))
    >>> projector = in_words(Product(((1, Name("S")), (1, Call("pinv", (Name("S"),))))), rules)
    >>> in_words(Sum(((1, Product(((1, Name("M")), (1, Name("S"))))), (-1, Name("S")))), rules, {"M": projector}).is_zero()
    True
    """
    found = fold(root, _Words(rules, given or {}))
    if isinstance(found, LogForm):
        raise OutOfClass("this is a number, not a matrix")
    return found


_Value = LogForm | MatrixForm


@final
class _Words(Algebra[_Value]):
    def __init__(self, rules: Rules, given: Mapping[str, MatrixForm]) -> None:
        self.rules, self.given = rules, given

    def number(self, value: Fraction) -> _Value:
        return LogForm.number(value)

    def constant(self, name: str) -> _Value:
        return _eye() if name == "I" else elementary.constant(name)

    def named(self, name: str) -> _Value:
        if name in self.given:
            return self.given[name]
        if name not in self.rules.shapes:
            raise OutOfClass(f"{name} is not one of the matrices")
        return self.rules.letter(name)

    def array(self, rows: tuple[tuple[Fraction, ...], ...]) -> _Value:
        raise OutOfClass("an array of numbers is judged at one point only")

    def added(self, a: _Value, b: _Value) -> _Value:
        if isinstance(a, LogForm) and isinstance(b, LogForm):
            return a + b
        if isinstance(a, LogForm) or isinstance(b, LogForm):
            raise Misfit("One cannot add a number and a matrix; a multiple of the identity is written 2*I.")
        return a.added(b)

    def multiplied(self, a: _Value, b: _Value) -> _Value:
        if isinstance(a, LogForm):
            return a * b if isinstance(b, LogForm) else b.scaled(a)
        return a.scaled(b) if isinstance(b, LogForm) else self.rules.multiplied(a, b)

    def reciprocal(self, a: _Value) -> _Value:
        if not isinstance(a, LogForm):
            raise Misfit(f"One cannot divide by {a.described()}; inv(...) is the inverse of a matrix.")
        return _settled(LogForm.number(1) / a)

    def raised(self, base: _Value, exponent: _Value) -> _Value:
        if not isinstance(exponent, LogForm):
            raise Misfit(f"The exponent must be a number, it is {exponent.described()}.")
        if isinstance(base, LogForm):
            return _settled(elementary.power(base, exponent, {}))
        if base.rows != base.columns:
            raise Misfit(f"This is {base.described()}, which has no powers. A transpose is written A'.")
        times = exponent.value()
        if times == -1:
            return self.rules.inverse(base)
        if times is None or times not in range(9):
            raise OutOfClass("a matrix to this power is judged at one point only")
        found = MatrixForm(_eye().terms, base.rows, base.columns)
        for _ in range(int(times)):
            found = self.rules.multiplied(found, base)
        return found

    def transposed(self, a: _Value) -> _Value:
        return a if isinstance(a, LogForm) else a.transposed()

    def called(self, function: str, arguments: list[_Value]) -> _Value:
        first = arguments[0]
        if not isinstance(first, LogForm) and function in ("inv", "pinv"):
            return self.rules.inverse(first) if function == "inv" else self.rules.pseudo_inverse(first)
        numbers = [argument for argument in arguments if isinstance(argument, LogForm)]
        if len(numbers) < len(arguments):
            raise OutOfClass(f"{function} of a matrix is judged at one point only")
        return _settled(elementary.applied(function, numbers, {}))


def _settled(form: LogForm) -> LogForm:
    """A number that is certainly defined: words that cancel forget their coefficients, which have no symbols, and with them this."""
    if not defined(form, {}):
        raise OutOfClass(f"{form} is not seen to be defined")
    return form


def _eye() -> MatrixForm:
    return MatrixForm({(): LogForm.number(1)}, None, None)


def _both(text: str) -> tuple[Word, Word]:
    word = tuple(text.replace(" ", "").split("*"))
    return word, _turned(word)


def _turned(word: Word) -> Word:
    """The word of the transposed product. inv(S'S) is symmetric."""
    return tuple(
        letter if letter.startswith("inv") else letter[:-1] if letter.endswith("'") else letter + "'"
        for letter in reversed(word)
    )


def _place(word: Word, part: Word) -> int | None:
    return next((i for i in range(len(word) - len(part) + 1) if word[i : i + len(part)] == part), None)


def _summed(terms: Iterable[tuple[Word, LogForm]]) -> dict[Word, LogForm]:
    found: dict[Word, LogForm] = {}
    for word, coefficient in terms:
        found[word] = found[word] + coefficient if word in found else coefficient
    return {word: coefficient for word, coefficient in found.items() if not coefficient.is_zero()}
