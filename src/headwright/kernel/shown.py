"""Shown: values that have a card in notebooks. `headwright/__init__.py` hands in what draws, so that no proof imports it."""

from collections.abc import Callable

drawing: dict[str, Callable[..., object]] = {}


class Shown:
    """A base for values with a card. Jupyter and marimo both look for `_repr_html_`, and show the `repr` where it is None."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return str(drawing["card"](self)) if drawing else None
