"""A formula that has been read: its text, its tree, and the names of the question that it may use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import final

from headwright.reading.formulas.conditions import Condition
from headwright.reading.formulas.error_pictures import marked, within
from headwright.reading.formulas.shown import shown
from headwright.theories.formulas.forms import FormulaError, Node, names_in


@final
@dataclass(frozen=True, slots=True, repr=False)
class Formula:
    """A formula: its `text`, its tree `root`, and the question's `names`, of which it uses those in `used`.

    `conditions` are those that stand behind it, such as t ≫ 0; `shown` is the formula as it was read.
    """

    text: str
    root: Node
    names: frozenset[str]
    conditions: tuple[Condition, ...] = ()

    @property
    def used(self) -> frozenset[str]:
        return names_in(self.root)

    @property
    def shown(self) -> str:
        return shown(self.root)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Formula {self.text}>"

    def wrong(self, node: Node, message: str) -> FormulaError:
        """The error to raise about one part of this formula."""
        return marked(message, self.text, node.at)

    @contextmanager
    def marked(self) -> Iterator[None]:
        """Add this text, with a mark under the place, to errors about the tree that are raised in the block."""
        try:
            yield
        except FormulaError as fault:
            raise within(fault, self.text) from None
