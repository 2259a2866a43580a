"""Argued: the verdict that rests on a written argument. Proofs neither produce one nor rely on one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from headwright.kernel.verdict import Proved, Verdict


@final
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Argued(Verdict):
    """A written argument supports the claim, but no claim proves it. It never counts as proved.

    `argument` says where the text is. `instances` are verdicts on single cases of the claim, each of them proved.

    >>> Argued("every weight is positive", argument="docs/theory/weights.md#positive").status
    'argued'
    """

    argument: str
    instances: tuple[Verdict, ...] = ()
    status: ClassVar[str] = "argued"

    def __post_init__(self) -> None:
        unproved = [verdict for verdict in self.instances if not isinstance(verdict, Proved)]
        if unproved:
            raise ValueError(f"`instances` must be proved, but one is {unproved[0].status}: {unproved[0].claim}")

    def findings(self) -> dict[str, str]:
        count = len(self.instances)
        certified = f"{count} {'instance' if count == 1 else 'instances'} certified" if count else ""
        return {"argument": self.argument, "instances": certified}
