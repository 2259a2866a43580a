"""Building blocks of frozen values: read-only arrays and mappings, and properties that are computed once.

A verdict must stay true, so the numbers it is about must not change. NumPy makes arrays writeable again when they are unpickled
or copied; `Frozen` makes them read-only when a value is restored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, final, overload

import numpy as np

K = TypeVar("K")
V = TypeVar("V")


class Immutable:
    """A base for values whose attributes only the constructor sets."""

    __slots__ = ()

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one")


class SetOnce:
    """A base for exceptions that carry an answer. An exception cannot be frozen, since raising it sets a traceback."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in vars(self) and not name.startswith("__"):
            raise AttributeError(f"`{name}` of {type(self).__name__} is part of an answer and stays as it is")
        super().__setattr__(name, value)


@final
class FrozenMap(Immutable, Mapping[K, V]):
    """A mapping that holds its own copies and cannot be changed; unlike MappingProxyType it can be pickled and copied.

    >>> FrozenMap({"n": 3})
    {'n': 3}
    >>> FrozenMap({"n": 3}) == {"n": 3}
    True
    """

    __slots__ = ("_held",)
    _held: dict[K, V]

    def __init__(self, given: Mapping[K, V]) -> None:
        self._set(_held={name: sealed(value) for name, value in given.items()})

    def __getitem__(self, name: K) -> V:
        return self._held[name]

    def __iter__(self) -> Iterator[K]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenMap, (dict(self._held),)

    def __repr__(self) -> str:
        return repr(self._held)


def sealed(value: Any) -> Any:
    """`value` with every array in it read-only, every mapping frozen and every list a tuple, at every depth.

    An array that other code could still write to is copied first: one that is writeable, or a view of one that is.
    """
    if isinstance(value, np.ndarray):
        if _is_open(value):
            value = value.copy()
            value.flags.writeable = False
        return value
    if isinstance(value, Mapping):
        return value if isinstance(value, FrozenMap) else FrozenMap(value)
    if type(value) in (tuple, list):
        return tuple(map(sealed, value))
    return value


def _is_open(array: Any) -> bool:
    """Whether the array, or one that it is a view of, can be written to."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return True
        array = array.base
    return array is not None  # the memory belongs to another object, which may write to it


class Frozen:
    """A base for frozen dataclasses: what pickle or `copy` restores is sealed like what the constructor made."""

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        for name, value in state.items():
            vars(self)[name] = sealed(value)


def lending(*names: str) -> Callable[[type[V]], type[V]]:
    """Decorator of a frozen dataclass: whoever reads one of these attributes receives copies of its arrays.

    That an array is read-only keeps NumPy from writing to it, and nothing else: `torch.from_numpy` writes to its memory all the
    same. So memory that a value relies on is not handed out. Code of the class itself reads `vars(self)` where a copy costs much.
    """

    def decorate(kind: type[V]) -> type[V]:
        for name in names:
            setattr(kind, name, _Lent(name))
        return kind

    return decorate


class _Lent:
    """An attribute that is read as a copy. It has a `__set__`, so that it is asked before the instance's own dictionary."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else _copied(vars(instance)[self._name])

    def __set__(self, instance: object, value: Any) -> None:
        vars(instance)[self._name] = value


def _copied(value: Any) -> Any:
    """A sealed value with copies of its arrays, which are read-only too."""
    if isinstance(value, np.ndarray):
        return sealed(value.copy())
    if isinstance(value, FrozenMap):
        return FrozenMap({name: _copied(part) for name, part in value.items()})
    return tuple(map(_copied, value)) if type(value) is tuple else value


@final
class computed_once(Generic[V]):  # noqa: N801 - used as a decorator, like `functools.cached_property`
    """A property computed when it is first asked for.

    Unlike `functools.cached_property` before Python 3.12 it holds no lock. With a lock, a thread that waits for its turn to prove
    could block the thread that is proving and needs the same property.
    """

    def __init__(self, compute: Callable[[Any], V]) -> None:
        self._compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> computed_once[V]: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> V: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> computed_once[V] | V:
        if instance is None:
            return self
        value: V = instance.__dict__.setdefault(self._name, self._compute(instance))  # the first value stays
        return value
