"""Copies of frozen values: pickled and copied through their constructors, so that the result is checked and frozen."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType
from typing import Any, Self


class Whole:
    """A base for dataclasses that a function fills with what it found: figures and verdicts that belong together.

    `dataclasses.replace` would keep a verdict beside other figures. It names every part in its call, and is refused by that.
    """

    def __new__(cls, *parts: Any, **named: Any) -> Self:
        if named and not parts:
            raise TypeError(
                f"no part of a {cls.__name__} can be replaced, because its figures and verdicts belong together: "
                "call the function that made it again"
            )
        return super().__new__(cls)


def remade(value: Any) -> tuple[Any, ...]:
    """What `__reduce__` of a frozen dataclass returns, so that copies and pickles are checked and frozen by its constructor.

    NumPy's own copies would be writeable. Cached properties are kept.
    """
    named = [part.name for part in dataclasses.fields(value)]
    parts = {name: getattr(value, name) for name in named}
    plain = {name: dict(part) if isinstance(part, MappingProxyType) else part for name, part in parts.items()}
    return _remake, (type(value), plain), {name: part for name, part in vars(value).items() if name not in named}


def _remake(kind: Any, parts: dict[str, Any]) -> Any:
    return kind(**parts)
