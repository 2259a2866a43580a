"""Options that several commands share are declared once: a group is a dataclass, and each of its fields is an option."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter
from typing import Any, get_type_hints


def grouped(command: Callable[..., int]) -> Callable[..., int]:
    """The command as typer reads it: each parameter that is a group of options gives way to the options of the group."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}

    @wraps(command)
    def called(**given: Any) -> int:
        made = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        return command(**made, **given)

    def options() -> Iterator[Parameter]:
        for name, own in inspect.signature(command).parameters.items():
            if name in groups:
                yield from _fields(groups[name])
            else:
                yield Parameter(name, Parameter.KEYWORD_ONLY, default=own.default, annotation=hints[name])

    signature = inspect.Signature(list(options()), return_annotation=int)
    called.__signature__ = signature  # type: ignore[attr-defined]
    called.__annotations__ = {name: option.annotation for name, option in signature.parameters.items()}
    return called


def _fields(group: Any) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        default = Parameter.empty if field.default is MISSING else field.default
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name])
