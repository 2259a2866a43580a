"""Verdicts: what is known about a claim, as a value: Proved, Refuted, Undecided, or Argued (`words/argued.py`).

A verdict has no truth value, because `if verdict:` would hide that there are four answers. `verdict.expect()` returns the
Proved or raises NotProved. `record` holds the claim in the form that `save` writes and `verify` proves again. Every Proved and
Refuted has one, since only the `prove()` of a claim makes them.
"""

from __future__ import annotations

import copy
import math
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any, ClassVar, NoReturn, Protocol, Self, TypeAlias, final

import numpy as np

from headwright.kernel.frozen import Frozen, SetOnce, lending, sealed
from headwright.kernel.shown import Shown, drawing

# A point where a claim fails: its parts by name. The point of a claim made of claims holds that of the part that fails.
Counterexample: TypeAlias = "Mapping[str, np.ndarray | Fraction | float | str | tuple[float, ...] | Counterexample]"

_CHANGED = "the arrays of its record were changed after the proof, and this verdict is about the numbers before that"


class Record(Protocol):
    """A claim as numbers and words; nothing else is needed to prove it again."""

    def arrays(self) -> dict[str, np.ndarray]: ...
    def fields(self) -> dict[str, Any]: ...
    def about(self) -> str: ...
    def prove(self) -> Verdict: ...


_UNDER_PROOF: ContextVar[tuple[Record, ...]] = ContextVar("_UNDER_PROOF", default=())


@contextmanager
def under_proof(record: Record) -> Iterator[bool]:
    """Inside the block a Proved or Refuted of this record may be made; only `Claim.prove` opens it.

    What it yields says whether the block is the outermost one, and not part of another proof.
    """
    mark = _UNDER_PROOF.set((*_UNDER_PROOF.get(), record))
    try:
        yield mark.old_value is Token.MISSING or not mark.old_value
    finally:
        _UNDER_PROOF.reset(mark)


def numbers_of(record: Record) -> tuple[Any, ...]:
    """The arrays of a record by type, shape and checksum, by which it is noticed that they were written to after the proof.

    A library can write through memory that NumPy calls read-only, as `torch.from_numpy` does. CRC-32 sees every change within
    32 bits in a row, and all others but one in 2^32. It takes a tenth of the time of a hash that withstands an attacker, who
    could change the verdict itself. Whatever is saved is proved again.
    """
    arrays = sorted(record.arrays().items())
    return tuple((name, x.dtype.str, x.shape, zlib.crc32(np.ascontiguousarray(x).data)) for name, x in arrays)


def _need_proof(verdict: Verdict) -> None:
    """TypeError unless the verdict is made while its own claim is under proof."""
    proving = _UNDER_PROOF.get()
    if not proving or verdict.record is not proving[-1]:
        name = type(verdict).__name__
        raise TypeError(f"{name} is made by the `prove()` of the claim that it is about, which is its `record`")


class NotProved(SetOnce, Shown, Exception):  # noqa: N818 - a state of knowledge, not a fault
    """Raised by `Verdict.expect` on a verdict that is not Proved; `.verdict` is that verdict.

    >>> try:
    ...     Undecided("P = NP").expect()
    ... except NotProved as error:
    ...     print(error.verdict.status)
    undecided
    """

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(str(verdict))
        self.verdict = verdict

    def __reduce__(self) -> tuple[Any, ...]:
        return NotProved, (self.verdict,)


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(Frozen, Shown, ABC):
    """What all verdicts have: the claim in words, its scope, the reason, and how it was reached.

    A verdict can be pickled and copied, and its arrays stay read-only. For a verdict from another process no proof was made in
    this one: `restored` is then True, and `save` proves the claim again before writing it.
    """

    claim: str
    _: KW_ONLY
    scope: str = "this instance"
    reason: str = ""
    method: str = ""
    record: Record | None = None
    reading: str = ""  # the answer that was judged, as it was read
    status: ClassVar[str]

    @property
    def restored(self) -> bool:
        """Whether this verdict was unpickled, so that it was not proved in this process."""
        return "_restored" in self.__dict__

    @property
    def changed(self) -> bool:
        """Whether the arrays of the record were written to after the proof, so that the verdict is not about them as they are."""
        proved = self.__dict__.get("_numbers")  # set by `Claim.prove`
        return proved is not None and self.record is not None and numbers_of(self.record) != proved

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), dict(self.__dict__))

    def __copy__(self) -> Self:
        same = object.__new__(type(self))
        same.__dict__.update(self.__dict__)
        return same

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value: look at `.status`, or call `.expect()`")

    def explained(self, reason: str) -> Self:
        """The same verdict with another reason for its reader. Everything that was proved stays the same."""
        copied = copy.copy(self)
        object.__setattr__(copied, "reason", reason)
        return copied

    def read_as(self, reading: str) -> Self:
        """The same verdict with the answer as it was read. Everything that was proved stays the same."""
        copied = copy.copy(self)
        object.__setattr__(copied, "reading", reading)
        return copied

    def expect(self) -> Proved:
        """This verdict if it is Proved; otherwise raises NotProved."""
        raise NotProved(self)

    def trust(self) -> dict[str, int]:
        """The source files of headwright that this verdict rests on, each with its lines. No other file can make it wrong.

        >>> import headwright as hw
        >>> files = hw.certify([[1.0, 0.0], [0.0, 1.0]], [9.0, 0.0], hw.Copy(0)).trust()
        >>> "kernel/within_error.py" in files, "kernel/balls/scores.py" in files, "search/design.py" in files
        (True, True, False)
        """
        return {} if self.record is None else drawing["trust"](self.record)  # type: ignore[return-value]

    @abstractmethod
    def findings(self) -> dict[str, str]:
        """What this kind of verdict adds for printing, in words."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        texts = {name.replace(" ", "_"): text for name, text in self.lines().items()}
        number = getattr(self, "bound", None)
        return {"status": self.status, "claim": self.claim, **texts, "bound_value": number}

    def table(self) -> dict[str, list[str]]:
        """Two columns, for pandas or polars."""
        return {"part": ["status", "claim", *self.lines()], "text": [self.status, self.claim, *self.lines().values()]}

    def lines(self) -> dict[str, str]:
        """Everything but status and claim, by name, for printing."""
        about = "" if self.record is None else self.record.about()
        said = {"because": self.reason, "how": self.method, "scope": self.scope, "about": about}
        said["beware"] = _CHANGED * self.changed
        lines = {"read as": self.reading, **self.findings(), **said}
        return {name: text for name, text in lines.items() if text}

    def __repr__(self) -> str:
        rows = "".join(f"\n  {name + ':':<13}{text}" for name, text in self.lines().items())
        return f"{self.status.capitalize()}: {self.claim}{rows}"

    __str__ = __repr__


@final
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Proved(Verdict):
    """The claim holds. `bound` is the proved figure as a float, rounded outward.

    Only a claim's `prove()` makes one:

    >>> Proved("2 is even")
    Traceback (most recent call last):
    TypeError: Proved is made by the `prove()` of the claim that it is about, which is its `record`
    """

    bound: float | None = None
    bound_text: str = ""
    status: ClassVar[str] = "proved"

    def __post_init__(self) -> None:
        _need_proof(self)
        _need_finite(self.bound)

    def expect(self) -> Proved:
        return self

    def findings(self) -> dict[str, str]:
        return {"bound": self.bound_text or ("" if self.bound is None else repr(self.bound))}


@final
@lending("counterexample")
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Refuted(Verdict):
    """The claim is false: `counterexample` is a point where it fails, checked without tolerance.

    `holds_when` is a condition under which the claim is true after all, or a proved claim to make in its place, or None.

    Only a claim's `prove()` makes one.

    >>> import numpy as np, headwright as hw
    >>> verdict = hw.certify(np.eye(2), [1.0, 0.0], hw.Copy(0), error="0.1")
    >>> verdict.status, verdict.bound_text
    ('refuted', 'total variation at least 0.268941')
    """

    counterexample: Counterexample
    holds_when: str | None = None
    bound: float | None = None
    bound_text: str = ""
    status: ClassVar[str] = "refuted"

    def __post_init__(self) -> None:
        _need_proof(self)
        _need_finite(self.bound)
        object.__setattr__(self, "counterexample", sealed(vars(self)["counterexample"]))

    def findings(self) -> dict[str, str]:
        return {
            "bound": self.bound_text or ("" if self.bound is None else repr(self.bound)),
            "fails at": _point(vars(self)["counterexample"]),
            "holds when": self.holds_when or "",
        }


@final
@lending("evidence")
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Undecided(Verdict):
    """Neither proved nor refuted. `next_step` says what could decide the claim; `evidence` is what was observed.

    >>> Undecided("P = NP", reason="nobody knows", next_step="wait").status
    'undecided'
    """

    next_step: str = ""
    evidence: Mapping[str, Any] | None = None
    status: ClassVar[str] = "undecided"

    def __post_init__(self) -> None:
        object.__setattr__(self, "evidence", sealed(vars(self)["evidence"]))

    def findings(self) -> dict[str, str]:
        seen = "; ".join(f"{name} {_point(value)}" for name, value in (self.evidence or {}).items())
        return {"seen": seen, "next step": self.next_step}


def _restored(kind: type[Verdict], state: dict[str, Any]) -> Verdict:
    """The verdict that was pickled or deep-copied, marked as restored."""
    verdict = object.__new__(kind)
    verdict.__setstate__({**state, "_restored": True})
    return verdict


def _need_finite(bound: float | None) -> None:
    if bound is not None and not math.isfinite(bound):
        raise ValueError(f"`bound` must be a finite number or None, got {bound!r}")


def _point(value: Any) -> str:
    """A counterexample or piece of evidence in one line."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return "; ".join(f"{name} = {_point(part)}" for name, part in value.items())
    if isinstance(value, np.ndarray):
        if value.size > 12:
            return f"an array of shape {value.shape}"
        return np.array2string(value, precision=6, separator=", ").replace("\n", "")
    return str(value)
