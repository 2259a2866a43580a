"""From exceptions to exit codes and one clear line, in one table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import typer

from headwright.refusals import AssumptionFailed, NotFound, Unreachable

# Typer's own complaint about options. Its module has moved between versions; its place above BadParameter has not.
_MISUSE: type[Exception] = typer.BadParameter.__mro__[1]

# The first that fits counts. AssumptionFailed and BadCertificate are ValueErrors; missing files are OSErrors.
_TABLE: tuple[tuple[type[Exception] | tuple[type[Exception], ...], int, str], ...] = (
    (AssumptionFailed, 1, "assumption failed"),
    (Unreachable, 1, "unreachable"),
    (NotFound, 3, "not found"),
    ((ValueError, TypeError, OSError, ImportError, MemoryError), 2, "error"),
)

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
    return Fault(
        4,
        "error",
        f"a fault of headwright itself, not of your call ({said}); HEADWRIGHT_TRACEBACK=1 shows where it arose",
    )


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
