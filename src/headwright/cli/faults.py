"""From exceptions to exit codes and one clear line, in one table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import typer

from headwright.words.refusals import AssumptionFailed, NotFound, Unreachable

# Typer's own complaint about options. Its module has moved between versions; its place above BadParameter has not.
_MISUSE: type[Exception] = typer.BadParameter.__mro__[1]

# The first that fits counts. AssumptionFailed and BadCertificate are ValueErrors; missing files are OSErrors.
_TABLE: tuple[tuple[type[Exception] | tuple[type[Exception], ...], int, str], ...] = (
    (AssumptionFailed, 1, "assumption failed"),
    (Unreachable, 1, "unreachable"),
    (NotFound, 3, "not found"),
    ((ValueError, TypeError, OSError, ImportError, MemoryError), 2, "error"),
)

# Names of the library that are options of another name.
_OTHER_NAMES = {
    "factors": "factor",
    "queries": "query",
    "Top": "top",
    "within[1]": "within_offset",
}

# How bad a code is among those of several files: a doubt is better than a refutation, a damaged file is worse.
_SEVERITY = (0, 3, 1, 2, 4)
VERDICT_CODES = {"proved": 0, "refuted": 1, "undecided": 3, "argued": 3}


@final
@dataclass(frozen=True)
class Fault:
    """Why a command gave no result: its exit `code`, a word for it, and the message."""

    code: int
    status: str
    message: str

    def to_dict(self) -> dict[str, str]:
        return {"status": self.status, "message": self.message}

    def naming(self, options: Mapping[str, str]) -> Fault:
        """The fault with arguments of the library named as `options` of the command line; each stands in backticks.

        >>> Fault(2, "error", "`at_least` needs `of`").naming({"at_least": "--at-least"})
        Fault(code=2, status='error', message='`--at-least` needs `of`')
        >>> Fault(2, "error", "`budget=1e9` is enough, or `each=True`").naming({"budget": "--budget", "each": "--each"}).message
        '`--budget=1e9` is enough, or `--each`'
        """

        def option(match: re.Match[str]) -> str:
            name = match[1]
            return f"`{options.get(name) or options.get(_OTHER_NAMES.get(name, name), name)}"

        named = re.sub(r"`(\w+(?:\[1\])?)(?=`|=)", option, self.message)
        return replace(self, message=re.sub(r"(`--[\w-]+)=True`", r"\1`", named))


def fault_of(error: Exception) -> Fault:
    """The fault an exception stands for.

    >>> fault_of(ValueError("`error` must be positive, got 0"))
    Fault(code=2, status='error', message='`error` must be positive, got 0')
    >>> fault_of(ZeroDivisionError("division by zero")).code
    4
    """
    if isinstance(error, _MISUSE):
        return Fault(2, "error", _misuse(error))
    for kinds, code, status in _TABLE:
        if isinstance(error, kinds):
            return Fault(code, status, _one_line(str(error)) or type(error).__name__)
    said = _one_line(f"{type(error).__name__}: {error}")
    hint = "HEADWRIGHT_TRACEBACK=1 shows where it arose"
    return Fault(4, "error", f"internal error in headwright, not in your call ({said}); {hint}")


def worst(codes: list[int]) -> int:
    """The exit code for several answers.

    >>> worst([0, 3, 1]), worst([3, 2, 0]), worst([])
    (1, 2, 0)
    """
    return max(codes, key=_SEVERITY.index, default=0)


def _misuse(error: Any) -> str:
    command = error.ctx.command_path if error.ctx else "headwright"
    return f"{_one_line(error.format_message()).rstrip('.')}; see `{command} --help`"


def _one_line(text: str) -> str:
    return " ".join(text.split())
