"""A claim's parts in a certificate, by the types of its fields: arrays as they are, everything else as JSON.

`arrays` and `fields` write them, `from_parts` reads them. A field that may be None is left out where it is None, except a label
(`str | None`). A field whose type is itself made of parts (`Heads`, `Region`, a key model) adds its own to those around it.
Whoever reads a file compares what the claim writes with what was read (`certificate.claim_of`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Self, cast

import numpy as np

from headwright import arrays
from headwright.block_parts import BlockParts
from headwright.frozen import sealed
from headwright.goals import Goal, Top, goal_from_dict, top_from_dict
from headwright.key_laws import LAWS, GaussianLaw, KeyLaw

LongIntegers = tuple[int, ...]  # which travel as hexadecimal text: Python bounds the decimal digits it reads


class Parts:
    """A frozen dataclass that is written and read part by part."""

    def __init_subclass__(cls) -> None:
        _NESTED[cls.__name__] = cls

    def settle(self, sizes: Mapping[str, int] | None = None, /, **shapes: str) -> None:
        """For `__post_init__`: the named arrays made float64 of these shapes, and all fields read-only.

        A shape is a letter for each dimension: arrays of shapes "nd" and "n" have as many rows as entries. `sizes` has the
        letters that are known.
        """
        known: dict[str | int, int] = dict((sizes or {}).items())
        for name, shape in shapes.items():
            if getattr(self, name) is not None:
                array = arrays.float64(getattr(self, name), name=name, ndim=len(shape))
                arrays.match(array, name, shape, known)
                object.__setattr__(self, name, array)
        for part in dataclasses.fields(cast(Any, self)):
            object.__setattr__(self, part.name, sealed(getattr(self, part.name)))

    def arrays(self) -> dict[str, np.ndarray]:
        found: dict[str, np.ndarray] = {}
        for name, kind, _ in _parts(type(self)):
            value = getattr(self, name)
            if kind == _ARRAY and value is not None:
                found[name] = value
            elif kind in _NESTED and value is not None:
                found |= value.arrays()
        return found

    def fields(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, kind, optional in _parts(type(self)):
            value = getattr(self, name)
            if kind == _ARRAY or (optional and value is None):
                continue
            found |= value.fields() if kind in _NESTED else {name: _JSON[kind].write(value)}
        return found

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        """What these parts describe; ValueError, TypeError or KeyError when they describe none."""
        found: dict[str, Any] = {}
        for name, kind, optional in _parts(cls):
            if kind in _NESTED:
                own = _NESTED[kind]
                absent = optional and not any(part.name in fields for part in dataclasses.fields(own))
                found[name] = None if absent else own.from_parts(stored, fields)
            elif kind == _ARRAY:
                found[name] = stored.get(name) if optional else stored[name]
            else:
                found[name] = None if optional and fields.get(name) is None else _JSON[kind].read(fields[name], name)
        return cast(Self, cast(Any, cls)(**found))


def _parts(kind: type) -> Iterator[tuple[str, str, bool]]:
    """(name, type in words, whether it may be left out) of every field."""
    for part in dataclasses.fields(cast(Any, kind)):
        said = str(part.type)
        whole = said in _JSON
        yield part.name, said if whole else said.removesuffix(" | None"), not whole and said.endswith(" | None")


def _truth(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"`{name}` must be true or false, got {value!r}")
    return value


def _goals_by_row(written: Any, name: str) -> dict[int, Goal]:
    """Goals by row: every row once, as a plain number."""
    if not isinstance(written, dict):
        raise ValueError(f"`{name}` must map rows to goals")
    goals = {int(row): goal_from_dict(goal) for row, goal in written.items()}
    if [str(row) for row in goals] != list(written):
        raise ValueError(f"`{name}` must name each row once, as a plain number")
    return goals


class _AnyLaw:
    """The law of keys that the parts name."""

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> KeyLaw:
        if fields["law"] not in LAWS:
            raise ValueError(f"unknown law of keys {fields['law']!r}")
        return LAWS[fields["law"]].from_parts(stored, fields)


class Codec(NamedTuple):
    """How a value is written as JSON, and read with the name of its field."""

    write: Callable[[Any], Any]
    read: Callable[[Any, str], Any]


_ARRAY = "np.ndarray"
_AS_IT_IS = Codec(lambda value: value, lambda value, name: value)
_JSON: dict[str, Codec] = {
    "Fraction": Codec(str, lambda text, name: arrays.rational(text, name=name)),
    "Goal": Codec(Goal.to_dict, lambda said, name: goal_from_dict(said)),
    "LongIntegers": Codec(lambda xs: [format(x, "x") for x in xs], lambda xs, name: tuple(int(x, 16) for x in xs)),
    "Mapping[int, Goal]": Codec(lambda goals: {str(row): goal.to_dict() for row, goal in goals.items()}, _goals_by_row),
    "Top": Codec(Top.to_dict, lambda said, name: top_from_dict(said)),
    "bool": Codec(bool, _truth),
    "int": Codec(int, lambda number, name: arrays.index(number, name=name)),
    "str": _AS_IT_IS,
    "str | None": _AS_IT_IS,
    "tuple[int, ...]": Codec(list, lambda xs, name: tuple(arrays.index(x, name=name) for x in xs)),
}
_NESTED: dict[str, Any] = {"KeyLaw": _AnyLaw, "GaussianLaw": GaussianLaw, "BlockParts": BlockParts}


def written_as(kind: str, write: Callable[[Any], Any], read: Callable[[Any, str], Any]) -> None:
    """Fields of a type of one's own, by its name in annotations."""
    _JSON[kind] = Codec(write, read)
