"""Errors about formulas, and formulas beyond our normal form.

A `FormulaError` is about the formula: its text cannot be read, or its value does not exist. `OutOfClass` is a limit of ours: the
formula is valid, but the arithmetic in use has no value for it that a proof could start from.
"""

from __future__ import annotations

from typing import final

from headwright.theories.formulas.bounded_polynomials import OutOfClass

__all__ = ["FormulaError", "Misfit", "OutOfClass"]


@final
class FormulaError(ValueError):
    """A formula that cannot be read or has no value: `.message` says why, `.position` is the place in its text, from 0.

    `.picture` shows that place, if the text is known.
    """

    def __init__(self, message: str, *, position: int | None = None, picture: str = "") -> None:
        self.message, self.position, self.picture = message, position, picture
        super().__init__(f"{message}\n{picture}" if picture else message)


@final
class Misfit(Exception):  # noqa: N818 - `fold` knows the place in the formula, and adds it
    """Values do not fit together, or a function has no value; `fold` turns it into a FormulaError with the place."""
