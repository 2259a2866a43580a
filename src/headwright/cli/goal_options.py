"""The goal on the command line: exactly one of `--copy 3`, `--average 3,7`, `--blend 3=0.7,7=0.3`, `--top 3,7`."""

from __future__ import annotations

from typing import Annotated

import typer

from headwright.goals import Average, Blend, Copy, Goal, Top

_PANEL = "Goal (exactly one)"
CopyOption = Annotated[
    str | None, typer.Option("--copy", metavar="3", help="All attention on this key (0-based).", rich_help_panel=_PANEL)
]
AverageOption = Annotated[
    str | None,
    typer.Option("--average", metavar="3,7", help="The same attention on each of these keys.", rich_help_panel=_PANEL),
]
BlendOption = Annotated[
    str | None,
    typer.Option("--blend", metavar="3=0.7,7=0.3", help="These shares of attention.", rich_help_panel=_PANEL),
]
TopOption = Annotated[
    str | None,
    typer.Option("--top", metavar="3,7", help="These keys scored above all others.", rich_help_panel=_PANEL),
]

_CHOICES = "`--copy 3`, `--average 3,7`, `--blend 3=0.7,7=0.3` and `--top 3,7`"
DEFAULT_ERROR = "0.01"


def goal_of(copy: str | None, average: str | None, blend: str | None, top: str | None) -> Goal | Top | None:
    """The goal that was asked for, None where none was; ValueError for more than one.

    >>> goal_of(None, None, "3=0.7,7=0.3", None)
    Blend({3: '7/10', 7: '3/10'})
    """
    options = {"--copy": copy, "--average": average, "--blend": blend, "--top": top}
    given = [option for option, text in options.items() if text is not None]
    if len(given) > 1:
        raise ValueError(f"`goal` must be exactly one of {_CHOICES}, got {' and '.join(given)}")
    if copy is not None:
        return Copy(index_of(copy, "--copy"))
    if average is not None:
        return Average(*(index_of(part, "--average") for part in average.split(",")))
    if blend is not None:
        return _blend(blend)
    if top is not None:
        return Top(*(index_of(part, "--top") for part in top.split(",")))
    return None


def required_goal(copy: str | None, average: str | None, blend: str | None, top: str | None) -> Goal | Top:
    """The goal that was asked for; ValueError unless there is exactly one.

    >>> required_goal("3", None, None, None)
    Copy(3)
    """
    goal = goal_of(copy, average, blend, top)
    if goal is None:
        raise ValueError(f"`goal` must be exactly one of {_CHOICES}, got none")
    return goal


def error_for(goal: Goal | Top, error: str | None) -> str | None:
    """The error as given, or the default; for Top, which has none, None, and ValueError where one is given.

    >>> error_for(Copy(3), None), error_for(Top(3), None)
    ('0.01', None)
    """
    if isinstance(goal, Top):
        if error is not None:
            raise ValueError("`--error` does not go with `--top`, which asks for a score gap")
        return None
    return DEFAULT_ERROR if error is None else error


def _blend(text: str) -> Blend:
    shares: dict[int, str] = {}  # as strings: 0.7 means 7/10, not the float beside it
    for part in text.split(","):
        key, equals, share = part.partition("=")
        if not equals:
            raise ValueError(f"`--blend` must look like 3=0.7,7=0.3, got {part.strip()!r} where a key=share belongs")
        index = index_of(key, "--blend")
        if index in shares:
            raise ValueError(f"`--blend` names key {index} more than once")
        shares[index] = share.strip()
    return Blend(shares)


def index_of(text: str, option: str) -> int:
    """The key a text names, or ValueError naming the option.

    >>> index_of(" 3", "--copy")
    3
    """
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal()):
        raise ValueError(f"`{option}` must name keys by non-negative integers (0-based), got {digits!r}")
    if len(digits) > 18:
        raise ValueError(f"`{option}` names a key beyond any file: {digits[:18]}…")
    return int(digits)
