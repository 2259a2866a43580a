"""Formulas for all values of their names: sums of words with forms as coefficients, simplified by rules about the letters.

A word is a product of letters such as A, A', inv(S'*S). The empty word is I, or 1 among numbers. Rules give the value of a part
of a word: A'A = I, A'B = 0, and b_i'b_i = gram and b_i'b_j = 0 for orthogonal vectors of equal length. For a matrix S with
independent columns, S'S has an inverse G = inv(S'S) with GS'S = S'SG = I, and pinv(S) = GS'. A difference that reduces to no
words is zero whatever the names stand for. If words remain, nothing is known. Only these inverses are formed: inv(S*S') may not
exist and is `OutOfClass`. Other names are scalar symbols, whose ranges decide the signs of roots.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright.theories.formulas.forms import elementary
from headwright.theories.formulas.forms.faults import FormulaError, OutOfClass
from headwright.theories.formulas.forms.fold import ANY, Algebra, Shape, fold, shape_in_words
from headwright.theories.formulas.forms.log_forms import LogForm
from headwright.theories.formulas.forms.ranges import Ranges
from headwright.theories.formulas.forms.signs import defined
from headwright.theories.formulas.forms.trees import Node, names_in

Word = tuple[str, ...]

MOST_TERMS = 5_000
LONGEST_WORD = 60
_NUMBER: Shape = (1, 1)


@final
@dataclass(frozen=True, slots=True)
class MatrixForm:
    """Σ terms[word] · word, of this shape: letters for sizes, 1 for the columns of a vector.

    `where` is 0 with the conditions of everything that the form was made of: terms that cancelled must be defined too.
    """

    terms: Mapping[Word, LogForm]
    shape: Shape
    where: LogForm

    def is_zero(self) -> bool:
        """True only if this is 0 for all matrices that obey the rules."""
        return not self.terms  # `_summed` keeps no term that is 0

    def coefficient(self, *word: str) -> LogForm:
        """The coefficient of a word, defined where the whole form is."""
        return self.terms.get(word, LogForm.number(0)).within(self.where)


@final
@dataclass(frozen=True, slots=True)
class Rules:
    """The matrices of a question and what is known about them.

    `shapes` {"A": ("d", "m")}; `identities` and `zeros` are products that are I or 0, such as "A'*A", and hold transposed too;
    the matrices in `independent` have independent columns.
    """

    shapes: Mapping[str, Shape]
    identities: Collection[str] = ()
    zeros: Collection[str] = ()
    independent: Collection[str] = ()


def in_words(root: Node, rules: Rules, given: Mapping[str, MatrixForm] | None = None) -> MatrixForm:
    """A matrix formula without scalar symbols as a simplified sum of words; `given` are names with forms of their own.

    >>> from headwright.theories.formulas.forms.trees import Call, Name, Number, Product, Sum, Transposed
    >>> rules = Rules({"S": ("d", "m")}, independent=("S",))
    >>> projector = in_words(Product(((1, Name("S")), (1, Call("pinv", (Name("S"),))))), rules)
    >>> in_words(Sum(((1, Product(((1, Name("M")), (1, Name("S"))))), (-1, Name("S")))), rules, {"M": projector}).is_zero()
    True
    """
    given = {**{name: _letter(name, shape) for name, shape in rules.shapes.items()}, **(given or {})}
    if not names_in(root) <= given.keys():
        raise OutOfClass(f"{', '.join(sorted(names_in(root) - given.keys()))} is not one of the matrices")
    worth = {}
    for value, products in ((LogForm.number(1), rules.identities), (LogForm.number(0), rules.zeros)):
        for product in products:
            word = tuple(product.replace(" ", "").split("*"))
            worth[word] = worth[_turned(word)] = value
    form = _settled(fold(root, _Forms(given, worth, rules.independent, {})))
    if form.shape == _NUMBER:
        raise OutOfClass("this is a number, not a matrix")
    if not defined(form.where, {}):
        raise OutOfClass("a number in this formula may be undefined")
    return form


def vector_on(root: Node, basis: Collection[str], ranges: Ranges) -> dict[str, LogForm]:
    """The coefficients of a vector on orthonormal vectors, one for every name; each has the conditions of all.

    >>> from headwright.theories.formulas.forms.trees import Name
    >>> vector_on(Name("k_1"), ["k_1", "k_2"], {})
    {'k_1': 1, 'k_2': 0}
    """
    form = _on(root, basis, LogForm.number(1), ranges, "a vector", [("d", 1)])
    return {name: form.coefficient(name) for name in basis}


def matrix_on(
    root: Node, basis: Collection[str], gram: LogForm, ranges: Ranges
) -> tuple[dict[tuple[str, str], LogForm], LogForm]:
    """({(i, j): coefficient of b_i b_j'}, coefficient of I) of a matrix, b_i'b_i = gram; for every pair of names."""
    form = _on(root, basis, gram, ranges, "a matrix", [("d", "d"), ANY])
    return {(i, j): form.coefficient(i, f"{j}'") for i in basis for j in basis}, form.coefficient()


def number_of(root: Node, ranges: Ranges) -> LogForm:
    """A formula without vectors, as a form."""
    return _on(root, (), LogForm.number(1), ranges, "a number", [_NUMBER]).coefficient()


def _on(
    root: Node, basis: Collection[str], gram: LogForm, ranges: Ranges, wanted: str, shapes: list[Shape]
) -> MatrixForm:
    worth: dict[Word, LogForm] = {(f"{i}'", j): gram if i == j else LogForm.number(0) for i in basis for j in basis}
    forms = _Forms({name: _letter(name, ("d", 1)) for name in basis}, worth, (), ranges)
    form = fold(root, forms)
    if form.shape not in shapes:
        raise FormulaError(
            f"The answer must be {wanted}, but this is {shape_in_words(forms.shape(form))}.", position=root.at
        )
    return _settled(form)


def _settled(matrix: MatrixForm) -> MatrixForm:
    """OutOfClass if an exponential remains, since signs and limits cannot be found with one."""
    for form in (matrix.where, *matrix.terms.values()):
        for name in form.reached & form.atoms.keys():
            if form.atoms[name].kind == "exp":
                raise OutOfClass(f"{name} is not a rational function")
    return matrix


@final
class _Forms(Algebra[MatrixForm]):
    most_power = 8

    def __init__(
        self,
        given: Mapping[str, MatrixForm],
        worth: Mapping[Word, LogForm],
        independent: Collection[str],
        ranges: Ranges,
    ) -> None:
        self.given, self.ranges = given, ranges
        self.inverses: dict[Word, str] = {(f"{name}'", name): f"inv({name}'*{name})" for name in independent}
        units = [unit for pair, letter in self.inverses.items() for unit in ((*pair, letter), (letter, *pair))]
        self.worth = {**worth, **dict.fromkeys(units, LogForm.number(1))}

    def shape(self, a: MatrixForm) -> Shape | None:
        return None if a.shape == _NUMBER else a.shape

    def rational(self, a: MatrixForm) -> Fraction | None:
        return a.coefficient().value()

    def number(self, value: Fraction) -> MatrixForm:
        return _number(LogForm.number(value))

    def constant(self, name: str) -> MatrixForm:
        return _summed([((), LogForm.number(1))], ANY) if name == "I" else _number(elementary.constant(name))

    def named(self, name: str) -> MatrixForm:
        return self.given[name] if name in self.given else _number(LogForm.symbol(name))

    def added(self, a: MatrixForm, b: MatrixForm) -> MatrixForm:
        if (a.shape == ANY) != (b.shape == ANY) and ("d" not in a.shape + b.shape or len(self.given) < 2):
            # S'S is a number if S has one column, and uu' if there is one dimension; a number plus c·I has no value.
            raise OutOfClass("this has no value if the matrix has a single column")
        return _summed([*a.terms.items(), *b.terms.items()], b.shape if a.shape == ANY else a.shape, a, b)

    def multiplied(self, a: MatrixForm, b: MatrixForm) -> MatrixForm:
        if len(a.terms) * len(b.terms) > MOST_TERMS:
            raise OutOfClass(f"this product has more than {MOST_TERMS} terms")
        products = [(*self._shortened(v + w), c, d) for v, c in a.terms.items() for w, d in b.terms.items()]
        terms = [(word, c * d * worth) for word, worth, c, d in products if not worth.is_zero()]
        return _summed(terms, _shape_of_product(a.shape, b.shape), a, b)

    def _shortened(self, word: Word) -> tuple[Word, LogForm]:
        """(the word after removing every part that has a value, the product of these values)."""
        if len(word) > LONGEST_WORD:
            raise OutOfClass(f"a product of more than {LONGEST_WORD} matrices")
        for i, j in ((i, i + length) for i in range(len(word)) for length in (2, 3)):
            if word[i:j] in self.worth:
                rest, worth = self._shortened(word[:i] + word[j:])
                return rest, worth * self.worth[word[i:j]]
        return word, LogForm.number(1)

    def transposed(self, a: MatrixForm) -> MatrixForm:
        return MatrixForm({_turned(word): c for word, c in a.terms.items()}, (a.shape[1], a.shape[0]), a.where)

    def inverse(self, a: MatrixForm) -> MatrixForm:
        """Of a number, c·I and c·S'S, S with independent columns."""
        if not a.terms:
            raise ZeroDivisionError
        word, *others = a.terms
        if others or (word and word not in self.inverses):
            raise OutOfClass("this inverse may not exist for all matrices of the question")
        return _summed([((self.inverses[word],) if word else (), LogForm.number(1) / a.coefficient(*word))], a.shape)

    def raised(self, base: MatrixForm, exponent: MatrixForm) -> MatrixForm:
        return _number(elementary.power(base.coefficient(), exponent.coefficient(), self.ranges))

    def applied(self, function: str, numbers: list[MatrixForm]) -> MatrixForm:
        return _number(elementary.OF_FORMS[function]([x.coefficient() for x in numbers], self.ranges))


def _letter(name: str, shape: Shape) -> MatrixForm:
    return MatrixForm({(name,): LogForm.number(1)}, shape, LogForm.number(0))


def _number(form: LogForm) -> MatrixForm:
    return _summed([((), form)], _NUMBER)


def _shape_of_product(p: Shape, q: Shape) -> Shape:
    for free in (_NUMBER, ANY):
        if free in (p, q):
            return q if p == free else p
    return p[0], q[1]


def _summed(terms: Iterable[tuple[Word, LogForm]], shape: Shape, *parts: MatrixForm) -> MatrixForm:
    """Σ coefficient · word, defined where all of them and the parts are."""
    coefficients: dict[Word, LogForm] = {}
    for word, coefficient in terms:
        coefficients[word] = coefficients[word] + coefficient if word in coefficients else coefficient
    where = LogForm.number(0).within(*coefficients.values(), *(part.where for part in parts))
    return MatrixForm({word: c for word, c in coefficients.items() if not c.is_zero()}, shape, where)


def _turned(word: Word) -> Word:
    """The word of the transposed product. inv(S'S) is symmetric."""
    return tuple(
        letter if letter.startswith("inv(") else letter[:-1] if letter.endswith("'") else letter + "'"
        for letter in reversed(word)
    )
