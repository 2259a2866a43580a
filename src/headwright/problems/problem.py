"""One question of a problem sheet, ours or a teacher's: what is asked, of which keys, and how an answer is judged. Data only.

`problem_files.py` reads it from TOML; `judges/` says what the kinds of claim mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from headwright.kernel.frozen import sealed
from headwright.kernel.shown import Shown
from headwright.kernel.verdict import Verdict
from headwright.problems.family import Family, Setting
from headwright.reading import formulas
from headwright.theories.formulas.forms import FormulaError

MATRICES = ("reads-out", "low-rank", "layer")  # kinds of claim about matrices
VECTORS = ("near", "each", "exact", "impossible")  # and about vectors


class AnswerError(ValueError):
    """What is wrong with an answer itself, for the one who gave it; a formula's own mistakes are a `FormulaError`.

    >>> import headwright as hw
    >>> try:
    ...     hw.problems.check("A.1a", {"answer": "k_1"})
    ... except hw.problems.AnswerError:
    ...     print("this question asks for q")
    this question asks for q
    """


class AnswerTypeError(AnswerError, TypeError):
    """The same, where a value has the wrong type."""


@contextmanager
def about_the_answer() -> Iterator[None]:
    """Whatever is refused inside is wrong with the answer, and neither with the call nor with the judge."""
    try:
        yield
    except (AnswerError, FormulaError):
        raise
    except TypeError as error:
        raise AnswerTypeError(str(error)) from error
    except ValueError as error:
        raise AnswerError(str(error)) from error


@final
@dataclass(frozen=True, slots=True)
class Statement:
    """One possible answer to an essay question: `id` is what an answer names, `text` what is then claimed.

    Whether it is true is written nowhere: `entry` says which facts make it stand or fall, and these are proved.
    """

    id: str
    text: str
    entry: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "entry", sealed(self.entry))

    def to_dict(self) -> dict[str, str]:
        return {"id": self.id, "text": self.text}


@final
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Problem(Shown):
    """One question, as a frozen value.

    - `id`: the sheet's letter and the question's number, such as "A.1a"; `sheet` is the letter alone.
    - `points`: what the question is worth; None where its sheet gives no points.
    - `question`: what is asked, complete in itself.
    - `published`: the sheet's own answer, which may be wrong; None where the sheet has questions only.
    - `theme`: "copying", "averaging", "varying keys", "layers", "position", "singular values" or "learning".
    - `answers`: the names that an answer must define, such as ("q1", "q2"); ("statement",) for an essay question.
    - `also`: other names for what is asked, such as the sheet's own: {"B": "M"}.
    - `names`: the symbols that a formula in the answer may use.
    - `must_show`: what an answer must show, in one or two sentences.
    - `published_answer`: the published answer as data, in the form that `check` takes; None where the sheet gives none.
    - `functions`: what a formula may call besides the usual functions, each with what it gives.
    - `statements`: of an essay question, what may be answered: true sentences and common mistakes.
    - `family`: the keys, and what the names stand for; `claim`: what an answer must do, its "kind" first.
    - `ours`: our own answer, as its file gives it.

    >>> import headwright as hw
    >>> problem = hw.problems.CATALOGUE["A.1a"]
    >>> problem.sheet, problem.points, problem.answers
    ('A', 10, ('q',))
    """

    id: str
    sheet: str
    points: int | float | None
    question: str
    published: str | None
    theme: str
    answers: tuple[str, ...]
    family: Family
    claim: Mapping[str, Any]
    must_show: str = ""
    title: str = ""
    published_answer: Mapping[str, Any] | None = None
    statements: tuple[Statement, ...] = ()
    functions: tuple[str, ...] = ()
    hints: Mapping[str, str] = field(default_factory=dict)
    also: Mapping[str, str] = field(default_factory=dict)
    ours: Mapping[str, Any] = field(default_factory=dict)
    published_entry: Mapping[str, Any] = field(default_factory=dict)
    # Handed in by the catalogue, so that a question knows nothing of its judges.
    judge: Callable[..., Verdict] | None = None

    def _repr_html_(self) -> str:
        from headwright.problems.reports.cards import problem_card

        return problem_card(self)

    def __post_init__(self) -> None:
        for name in ("claim", "published_answer", "hints", "also", "ours", "published_entry"):
            object.__setattr__(self, name, sealed(getattr(self, name)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and self.to_dict() == other.to_dict() and self.claim == other.claim

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def kind(self) -> str:
        """The kind of claim that an answer makes."""
        return str(self.claim["kind"])

    @property
    def names(self) -> tuple[str, ...]:
        """The symbols that a formula in an answer may use."""
        return () if self.kind in ("statement", "choice", "text") else self.family.names

    @property
    def symbols(self) -> formulas.Symbols:
        """The symbols of a formula in an answer: what each name is, and which of them stand for large numbers."""
        functions = [said.partition("(")[0] for said in self.functions]
        kind = "matrix" if self.kind in MATRICES else "column" if self.kind in VECTORS else "unknown"
        return formulas.Symbols(self.family.kinds, functions, self.hints, self.family.large, kind=kind)

    @property
    def error(self) -> Fraction | None:
        """The error of a question about given keys; None where it is the answer's to bound."""
        return self.family.error

    def __str__(self) -> str:
        return f"{self._heading()}: {self.question}"

    def __repr__(self) -> str:
        return f"<Problem {self.id}>"

    def check(self, answer: Mapping[str, Any], *, error: Any = None, n: int | None = None) -> Verdict:
        """What `hw.problems.check` says of an answer to this question."""
        if self.judge is None:
            raise ValueError(f"question {self.id} was not read from a file: nothing says who judges it")
        return self.judge(self, answer, error=error, n=n)

    def setting(self, n: int | None = None) -> Setting:
        """The question as objects of the library, with n keys: what arrays and numbers in an answer are judged on."""
        return self.family.restricted(n).setting()

    def to_dict(self) -> dict[str, object]:
        """What is asked and published, under its own names, in types that JSON has: the tuples become lists."""
        return {
            **{name: getattr(self, name) for name in ("id", "sheet", "points", "question", "published", "theme")},
            "answers": list(self.answers),
            "names": list(self.names),
            "must_show": self.must_show,
            "published_answer": None if self.published_answer is None else dict(self.published_answer),
            "statements": [statement.to_dict() for statement in self.statements],
            "functions": list(self.functions),
        }

    def asked(self) -> dict[str, object]:
        """The same without the published answer, for those who are to answer."""
        return {name: value for name, value in self.to_dict().items() if not name.startswith("published")}

    def _heading(self) -> str:
        return self.id if self.points is None else f"{self.id} ({self.points} points)"
