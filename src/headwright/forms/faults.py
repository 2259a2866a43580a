"""What can be wrong with a formula, in words and with a mark under the place; and formulas beyond our normal form.

A `FormulaError` is about the formula: its text cannot be read, or what it asks for does not exist. `OutOfClass` is about us: the
formula is fine, but the arithmetic at hand has no value for it that a proof could start from.
"""

from __future__ import annotations

from typing import Any, final

_WIDTH = 72  # characters of the text that are shown around the place


@final
class FormulaError(ValueError):
    """A formula that cannot be read or has no value. `.message` says why; `.position` is the place in `.text`, from 0.

    >>> print(FormulaError("There is nothing after *.", text="2*", position=1))
    There is nothing after *.
        2*
         ^
    """

    def __init__(self, message: str, *, text: str = "", position: int | None = None) -> None:
        self.message, self.text, self.position = message, text, position
        super().__init__(f"{message}\n{_marked(text, position)}" if text and position is not None else message)

    def within(self, text: str) -> FormulaError:
        """The same error with the text it is about, which a tree does not know."""
        return FormulaError(self.message, text=self.text or text, position=self.position)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.message, self.text, self.position)


@final
class OutOfClass(Exception):  # noqa: N818 - a limit of ours, not a fault of the formula
    """The formula is valid but this arithmetic has no value for it; `str()` says for which part."""


@final
class Misfit(Exception):  # noqa: N818 - a message on its way to whoever knows the place in the formula
    """Values do not fit together, or a function has no value there; becomes a FormulaError with the place."""


def _rebuilt(message: str, text: str, position: int | None) -> FormulaError:
    return FormulaError(message, text=text, position=position)


def _marked(text: str, position: int) -> str:
    """The line around the place, and a caret below it. What cannot be printed safely is shown as a question mark."""
    start = max(0, min(position - _WIDTH // 2, len(text) - _WIDTH))
    shown = "".join(c if c.isprintable() and ord(c) < 0x2FFF else "?" for c in text[start : start + _WIDTH])
    before, after = ("…" if start else ""), ("…" if start + _WIDTH < len(text) else "")
    return f"    {before}{shown}{after}\n    {' ' * (len(before) + position - start)}^"
