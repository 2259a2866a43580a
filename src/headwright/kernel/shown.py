"""Shown: values that have a card in notebooks. No proof imports what draws: `headwright/__init__.py` hands it in, by name."""

from collections.abc import Callable

drawing: dict[str, Callable[..., object]] = {}


class Shown:
    """A base for values with a card. Jupyter and marimo both look for `_repr_html_`, and show the `repr` where it is None."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return str(drawing["card"](self)) if drawing else None
