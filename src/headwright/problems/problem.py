"""One question of a problem sheet: what is asked, what the sheet answers, and how an answer is written down.

A `Problem` is text and names only. The mathematics that judges an answer lies in other files of this folder.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, final

from headwright.problems.statement import Statement

if TYPE_CHECKING:
    from headwright.problems.settings import Setting


@final
@dataclass(frozen=True, slots=True, repr=False)
class Problem:
    """One question, as a frozen value.

    - `id`: the sheet's letter and the question's number, such as "A.1a"; `sheet` is the letter alone.
    - `points`: what the question is worth; None where its sheet gives no points.
    - `question`: what is asked, complete in itself.
    - `published`: the sheet's own answer, which may be wrong; None where the sheet has questions only.
    - `theme`: "copying", "averaging", "varying keys", "layers", "position", "singular values" or "learning".
    - `answers`: the names that an answer must define, such as ("q1", "q2"); ("statement",) for an essay question.
    - `names`: the symbols that a formula in the answer may use.
    - `must_show`: what an answer must show, in one or two sentences.
    - `published_answer`: the published answer as data, in the form that `check` takes; None where the sheet gives none.
    - `functions`: what a formula may call besides the usual functions, each with what it gives.
    - `statements`: of an essay question, what may be answered: true sentences and common mistakes.

    >>> problem = Problem(
    ...     id="X.1", sheet="X", points=10, question="Which query copies k_1?", published="q = t k_1, t large.",
    ...     theme="copying", answers=("q",), names=("k_1", "t"),
    ... )
    >>> print(problem)
    X.1 (10 points): Which query copies k_1?
    >>> problem
    <Problem X.1>
    """

    id: str
    sheet: str
    points: int | None
    question: str
    published: str | None
    theme: str
    answers: tuple[str, ...]
    names: tuple[str, ...]
    must_show: str = ""
    published_answer: Mapping[str, str] | None = field(default=None, hash=False)
    statements: tuple[Statement, ...] = ()
    functions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self._heading()}: {self.question}"

    def __repr__(self) -> str:
        return f"<Problem {self.id}>"

    def _repr_html_(self) -> str:
        """The question and, where there is one, the published answer, for notebooks."""
        parts = [f"<strong>{escape(self._heading())}</strong>", f"<p>{escape(self.question)}</p>"]
        if self.published is not None:
            parts.append(f"<p><em>Published answer:</em> {escape(self.published)}</p>")
        return f"<div>{''.join(parts)}</div>"

    def setting(self, n: int = 10) -> "Setting":
        """The question as objects of the library, with n keys: what arrays and numbers in an answer are judged on."""
        from headwright.problems.settings import setting_of

        return setting_of(self.id, n)

    def to_dict(self) -> dict[str, object]:
        """Every field under its own name, in types that JSON has: the tuples become lists."""
        return {
            "id": self.id,
            "sheet": self.sheet,
            "points": self.points,
            "question": self.question,
            "published": self.published,
            "theme": self.theme,
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
