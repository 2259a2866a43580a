"""The goal on the command line: exactly one of `--copy 3`, `--average 3,7`, `--blend 3=0.7,7=0.3`, `--top 3,7`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, final

import typer

from headwright.kernel.goals import Average, Blend, Copy, Goal, Top

DEFAULT_ERROR = "0.01"  # as text, which means 1/100 exactly
_CHOICES = "`--copy 3`, `--average 3,7`, `--blend 3=0.7,7=0.3` and `--top 3,7`"
_goal = partial(typer.Option, rich_help_panel="Goal (exactly one)")


@dataclass(frozen=True)
class GoalOptions:
    """A goal for the weights or the scores, which may be missing, and the error allowed."""

    copy: Annotated[str | None, _goal(metavar="3", help="All attention on this key (0-based).")] = None
    average: Annotated[str | None, _goal(metavar="3,7", help="The same attention on each of these keys.")] = None
    blend: Annotated[str | None, _goal(metavar="3=0.7,7=0.3", help="These shares of attention.")] = None
    top: Annotated[str | None, _goal(metavar="3,7", help="These keys scored above all others.")] = None
    error: Annotated[
        str | None,
        typer.Option(
            metavar="0.01",
            help="The total variation from the goal that is allowed (default: 0.01). 0.01 means exactly 1/100. Not with --top.",
        ),
    ] = None

    def goal(self) -> Goal | Top | None:
        """The goal that was asked for, None where none was; ValueError for more than one.

        >>> GoalOptions(blend="3=0.7,7=0.3").goal()
        Blend({3: '7/10', 7: '3/10'})
        """
        options = {"--copy": self.copy, "--average": self.average, "--blend": self.blend, "--top": self.top}
        given = [(option, text) for option, text in options.items() if text is not None]
        if len(given) > 1:
            raise ValueError(
                f"`goal` must be exactly one of {_CHOICES}, got {' and '.join(option for option, _ in given)}"
            )
        return _goal_of(*given[0]) if given else None

    def required(self) -> Goal | Top:
        """The goal that was asked for; ValueError unless there is exactly one.

        >>> GoalOptions(copy="3").required()
        Copy(3)
        """
        goal = self.goal()
        if goal is None:
            raise ValueError(f"`goal` must be exactly one of {_CHOICES}, got none")
        return goal

    def asked_error(self) -> str | None:
        """The error as given, by default 1/100; by default none for `--top`, which asks for a score gap instead."""
        if self.top is not None and self.error is not None:
            raise ValueError("`--error` does not go with `--top`, which asks for a score gap")
        return DEFAULT_ERROR if self.error is None and self.top is None else self.error


@final
@dataclass(frozen=True)
class LikelyGoalOptions(GoalOptions):
    """A goal, and how surely it must be met where keys vary."""

    confidence: Annotated[
        str | None,
        typer.Option(metavar="0.95", help="With keys that vary: the probability with which the error must be met."),
    ] = None


def _goal_of(option: str, text: str) -> Goal | Top:
    if option == "--copy":
        return Copy(index_of(text, option))
    if option == "--blend":
        return Blend(dict(pairs_of([text], option, "3=0.7,7=0.3")))  # shares as text: 0.7 means 7/10
    return (Average if option == "--average" else Top)(*(index_of(part, option) for part in text.split(",")))


def index_of(text: str, option: str) -> int:
    """The key a text names, or ValueError naming the option.

    >>> index_of(" 3", "--copy")
    3
    """
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal()):
        raise ValueError(f"`{option}` must name keys by non-negative integers (0-based), got {digits!r}")
    if len(digits) > 18:
        raise ValueError(f"`{option}` must name a key by at most 18 digits, got {digits[:18]}…")
    return int(digits)


def pairs_of(texts: Iterable[str], option: str, example: str, *, commas: bool = True) -> list[tuple[int, str]]:
    """(key, text after its =) for every part; ValueError for a part without =, or a key named twice.

    >>> pairs_of(["0=0.5,3=0.1", "4=1"], "--along", "0=0.5")
    [(0, '0.5'), (3, '0.1'), (4, '1')]
    """
    held: dict[int, str] = {}
    for part in (part for text in texts for part in (text.split(",") if commas else [text])):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"`{option}` must look like {example}, got {part.strip()!r}")
        index = index_of(key, option)
        if index in held:
            raise ValueError(f"`{option}` names key {index} more than once")
        held[index] = value.strip()
    return list(held.items())
