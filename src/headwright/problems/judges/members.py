"""Which members of a family an answer is judged on: all, or those with one n or one error."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright.problems.settings import Setting, setting_of
from headwright.problems.showing import ERROR, N


@final
@dataclass(frozen=True)
class Members:
    """`n` and `error` where the caller fixed them, else None: every n >= 2, every ε in (0, 1)."""

    n: int | None = None
    error: Fraction | None = None

    def setting(self, problem_id: str) -> Setting:
        """The setting at which numbers are judged."""
        return setting_of(
            problem_id, N if self.n is None else self.n, error=ERROR if self.error is None else self.error
        )

    def epsilon(self, targets: int) -> Fraction | None:
        """The ε that stands for the error, where one is fixed."""
        return None if self.error is None else targets * self.error / (1 - self.error)
