"""Compression: the fewest bits in which keys can be stored, with a verdict, and what was found of every kind tried."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, final

from headwright.kernel import balls, inputs
from headwright.kernel.frozen import Frozen
from headwright.kernel.shown import Shown, drawing
from headwright.kernel.verdict import Proved, Verdict
from headwright.words.pickling import Whole
from headwright.words.stored import Stored


class Tried(NamedTuple):
    """One kind: its bits per number, the largest error that is proved of it, and the largest that was seen.

    Both errors are the largest total variation over the queries. `certified` is not below it, and `observed`, which is
    proved too, not above. None where nothing could be proved.

    >>> import numpy as np, headwright as hw
    >>> hw.compress(np.eye(4), np.eye(4), error="0.1", kinds=["int8"]).tried[0].kind
    'int8 per channel'
    """

    kind: str
    bits: float
    certified: float | None
    observed: float
    within: bool


@final
@dataclass(frozen=True, eq=False, repr=False)
class Compression(Whole, Frozen, Shown):
    """The kind with the fewest bits that is proved to keep attention within `error`, and every kind that was `tried`.

    `kind`, `bits` and `stored` are None if none of them is proved to. Then `verdict` is about the kind whose proved error
    is least of those that remain undecided, or of all if every kind is refuted. `about` says which queries the error is about.

    >>> import numpy as np, headwright as hw
    >>> keys = np.random.default_rng(0).normal(size=(64, 16))
    >>> small = hw.compress(keys, keys[:5], error="0.05", scale="1/4", kinds=["bfloat16", "int8", "int4"])
    >>> small.kind, small.bits, small.verdict.status
    ('int8 per channel', 8.25, 'proved')
    """

    kind: str | None
    bits: float | None
    stored: Stored | None
    verdict: Verdict
    error: Fraction
    about: str
    tried: tuple[Tried, ...]

    @property
    def found(self) -> bool:
        """Whether a kind is proved to keep attention within the error."""
        return isinstance(self.verdict, Proved)

    def table(self) -> dict[str, list[Any]]:
        """Every kind tried, fewest bits first: bits per number, certified and observed error, and whether it is within."""
        return {name: [getattr(row, name) for row in self.tried] for name in Tried._fields}

    def plot(self) -> Any:
        """A matplotlib figure of bits against error for every kind tried; needs the extra `plots`."""
        return drawing["compression"](self)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the stored keys."""
        return {
            "status": self.verdict.status,
            "kind": self.kind,
            "bits": self.bits,
            "error": str(self.error),
            "about": self.about,
            "verdict": self.verdict.to_dict(),
            "tried": [row._asdict() for row in self.tried],
        }

    def summary(self) -> str:
        """The answer in one line."""
        asked = f"total variation at most {inputs.show(self.error)} for {self.about}"
        if self.kind is None:
            return f"none of {len(self.tried)} kinds is proved to keep the {asked}"
        return f"{self.kind}, {self.bits:.4g} bits per number, keeps the {asked} ({self.verdict.status})"

    def __repr__(self) -> str:
        wide = max(len(row.kind) for row in self.tried)
        lines = [
            f"Compression: {self.summary()}",
            f"  {'kind':<{wide}}  {'bits':>6}  {'certified':>9}  {'observed':>9}",
        ]
        for row in self.tried:
            certified = "-" if row.certified is None else balls.decimal_above(Fraction(row.certified), 4)
            observed = balls.decimal_below(Fraction(row.observed), 4)
            mark = "*" if row.kind == self.kind else " "
            lines.append(f"{mark} {row.kind:<{wide}}  {row.bits:>6.2f}  {certified:>9}  {observed:>9}")
        return "\n".join(lines)
