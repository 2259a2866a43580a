"""Shown: values that have a card in notebooks. No proof imports what draws it: `headwright/__init__.py` hands that in."""

from collections.abc import Callable

drawing: list[Callable[[object], str]] = []


class Shown:
    """A base for values with a card. Jupyter and marimo both look for `_repr_html_`, and show the `repr` where it is None."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return drawing[0](self) if drawing else None
