"""Errors about a formula that show the place: the text around it, with a mark below."""

from __future__ import annotations

from headwright.theories.formulas.forms import FormulaError

_WIDTH = 72  # characters of the text that are shown around the place


def marked(message: str, text: str, position: int) -> FormulaError:
    """The error to raise about this place in a text, counted from 0.

    >>> print(marked("There is nothing after *.", "2*", 1))
    There is nothing after *.
        2*
         ^
    """
    return FormulaError(message, position=position, picture=_picture(text, position))


def within(fault: FormulaError, text: str) -> FormulaError:
    """The same error with a mark in its text, which the tree does not hold."""
    return fault if fault.position is None or fault.picture else marked(fault.message, text, fault.position)


def _picture(text: str, position: int) -> str:
    """The line around the place, and a caret below it. What cannot be printed safely is shown as a question mark."""
    start = max(0, min(position - _WIDTH // 2, len(text) - _WIDTH))
    shown = "".join(c if c.isprintable() and ord(c) < 0x2FFF else "?" for c in text[start : start + _WIDTH])
    before, after = ("…" if start else ""), ("…" if start + _WIDTH < len(text) else "")
    return f"    {before}{shown}{after}\n    {' ' * (len(before) + position - start)}^"
