"""A claim's parts in a certificate, by the types of its fields: arrays as they are, everything else as JSON.

`arrays` and `fields` write them, `from_parts` reads them. An optional field is left out if it is None. A field whose type is
itself made of parts (`Heads`, `Region`, a key model) adds its parts to the others, unless its type is declared `apart`: then
they are nested. The arrays of a mapping have the name of its field before their own, as in `given.A`.
Types that are no such parts are registered by whoever defines them (`written_as`, `made_of_parts`): this file knows no claim.
The reader of a file compares what the claim writes with what was read (`certificate.claim_of`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Self, cast

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.frozen import sealed

Whole = int  # an integer of either sign; a plain int counts something and is not negative
LongIntegers = tuple[int, ...]  # stored in base 16, marked by 0x, since Python limits the decimal digits it reads


class Parts:
    """A frozen dataclass that is written and read part by part."""

    def __init_subclass__(cls, *, apart: bool = False) -> None:
        if apart:
            written_as(cls.__name__, lambda value: value.fields(), lambda said, name: cls.from_parts({}, said))
        else:
            _NESTED[cls.__name__] = cls

    def settle(self, sizes: Mapping[str, int] | None = None, /, **shapes: str) -> None:
        """For `__post_init__`: make the named arrays float64 of these shapes, rationals exact, and all fields read-only.

        A shape has a letter for each dimension: an array of shape "nd" has as many rows as one of shape "n" has entries. `sizes`
        gives the letters that are already known.
        """
        known: dict[str | int, int] = dict((sizes or {}).items())
        for name, shape in shapes.items():
            value = getattr(self, name)
            if isinstance(value, Mapping):
                value = {own: inputs.float64(array, name=own, ndim=len(shape)) for own, array in value.items()}
            elif value is not None:
                value = inputs.float64(value, name=name, ndim=len(shape))
                inputs.match(value, name, shape, known)
            object.__setattr__(self, name, value)
        for part in dataclasses.fields(cast(Any, self)):
            value = getattr(self, part.name)
            rational = part.type == "Fraction" or (part.type == "Fraction | None" and value is not None)
            exact = inputs.rational(value, name=part.name) if rational else sealed(value)
            object.__setattr__(self, part.name, exact)

    def arrays(self) -> dict[str, np.ndarray]:
        arrays: dict[str, np.ndarray] = {}
        for name, kind, _ in _parts(type(self)):
            value = getattr(self, name)
            if kind == _ARRAY and value is not None:
                arrays[name] = value
            elif kind == _ARRAYS:
                arrays |= {f"{name}.{own}": array for own, array in value.items()}
            elif kind in _NESTED and value is not None:
                arrays |= value.arrays()
        return arrays

    def fields(self) -> dict[str, Any]:
        written: dict[str, Any] = {}
        for name, kind, optional in _parts(type(self)):
            value = getattr(self, name)
            if kind in (_ARRAY, _ARRAYS) or (optional and value is None):
                continue
            written |= value.fields() if kind in _NESTED else {name: _codec(kind).write(value)}
        return written

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        """What these parts describe; ValueError, TypeError or KeyError if they describe nothing."""
        values: dict[str, Any] = {}
        for name, kind, optional in _parts(cls):
            if kind in _NESTED:
                own = _NESTED[kind]
                absent = optional and not any(part.name in {*fields, *stored} for part in dataclasses.fields(own))
                values[name] = None if absent else own.from_parts(stored, fields)
            elif kind == _ARRAY:
                values[name] = stored.get(name) if optional else stored[name]
            elif kind == _ARRAYS:
                values[name] = {
                    own.removeprefix(f"{name}."): array for own, array in stored.items() if own.startswith(f"{name}.")
                }
            else:
                values[name] = None if optional and name not in fields else _codec(kind).read(fields[name], name)
        return cast(Self, cast(Any, cls)(**values))


def _parts(kind: type) -> Iterator[tuple[str, str, bool]]:
    """(name, type as text, whether it is optional) of every field."""
    for part in dataclasses.fields(cast(Any, kind)):
        said = str(part.type)
        yield part.name, said.removesuffix(" | None"), said.endswith(" | None")


def _truth(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"`{name}` must be true or false, got {value!r}")
    return value


def _whole(value: Any, name: str) -> int:
    if type(value) is not int:
        raise ValueError(f"`{name}` must be a whole number, got {value!r}")
    return value


class Codec(NamedTuple):
    """How a value is written as JSON, and read with the name of its field."""

    write: Callable[[Any], Any]
    read: Callable[[Any, str], Any]


_ARRAY, _ARRAYS = "np.ndarray", "Mapping[str, np.ndarray]"
_AS_IT_IS = Codec(lambda value: value, lambda value, name: value)
_JSON: dict[str, Codec] = {
    "Fraction": Codec(str, lambda text, name: inputs.rational(text, name=name)),
    "Whole": Codec(int, _whole),
    "LongIntegers": Codec(lambda xs: [format(x, "#x") for x in xs], lambda xs, name: tuple(int(x, 16) for x in xs)),
    "bool": Codec(bool, _truth),
    "int": Codec(int, lambda number, name: inputs.index(number, name=name)),
    "str": _AS_IT_IS,
}
_NESTED: dict[str, Any] = {}


def _codec(kind: str) -> Codec:
    """How a field of this type is written: tuples and mappings item by item."""
    assert kind in _JSON or kind.endswith("]"), kind
    if kind in _JSON:
        return _JSON[kind]
    if kind.startswith("tuple["):
        item = _codec(kind.removeprefix("tuple[").removesuffix(", ...]"))
        return Codec(lambda xs: [*map(item.write, xs)], lambda xs, name: tuple(item.read(x, name) for x in xs))
    rows = kind.startswith("Mapping[int, ")
    item = _codec(kind.removeprefix("Mapping[int, " if rows else "Mapping[str, ").removesuffix("]"))

    def by_row(known: Any, name: str) -> dict[int, Any]:
        items = {inputs.index(row, name=name): item.read(x, name) for row, x in known}
        if len(items) < len(known):
            raise ValueError(f"`{name}` must name each row once")
        return items

    def by_name(known: Any, name: str) -> dict[str, Any]:
        if not isinstance(known, dict):
            raise ValueError(f"`{name}` must be a JSON object, got {known!r}")
        return {own: item.read(x, name) for own, x in known.items()}

    if rows:
        return Codec(lambda known: [[row, item.write(x)] for row, x in known.items()], by_row)
    return Codec(lambda known: {own: item.write(x) for own, x in known.items()}, by_name)


def written_as(kind: str, write: Callable[[Any], Any], read: Callable[[Any, str], Any]) -> None:
    """Register how fields of a type are written and read, by the type's name in annotations."""
    assert kind not in _JSON, kind
    _JSON[kind] = Codec(write, read)


def made_of_parts(kind: str, owner: Any) -> None:
    """Register a type of fields that writes its own parts, by `arrays` and `fields`, and is read by `owner.from_parts`."""
    assert kind not in _NESTED, kind
    _NESTED[kind] = owner
