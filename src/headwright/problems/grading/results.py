"""One answer, judged: its verdict, the credit that a policy counts, and the message for the student; a frozen value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

import numpy as np

from headwright.kernel.certificate import BadCertificate, claim_in, text_of
from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Verdict
from headwright.problems.grading.policies import Policy

Number = int | float

WORDS: Mapping[str, str] = {
    "proved": "right",
    "argued": "right",
    "refuted": "wrong",
    "key-right": "right by the key",
    "key-wrong": "wrong by the key",
    "undecided": "for a person to read",
    "readings": "two readings",
    "written": "for a person to read",
    "invalid": "not understood",
    "stopped": "stopped",
    "fault": "not judged",
    "missing": "no answer",
    "proposed": "proposal",
}
FOR_A_PERSON = ("proposed", "undecided", "readings", "written", "stopped", "fault")
_SENT = (
    *("id", "sheet", "status", "message", "credit", "word", "remark", "reading", "written", "given", "picture"),
    *("proposed", "proposed_points"),
)
UNJUDGED = "Your words beside the answer were not judged: a person will read them."
_MOST_SENT = 2**16  # numbers in a claim that is sent along

_MISSING = re.compile(r"`(\w+)` is missing")


@final
@dataclass(frozen=True, slots=True)
class Result:
    """One question of a graded file.

    - `status`: the verdict's, or another key of `WORDS`; `word`: what the grade says, such as "right up to n ≈ 10^41".
    - `credit`: the kind of credit that the policy counts ("" where there is none), `share` what it counts for.
    - `points` of `possible`: what the answer earned; `possible` is None where the sheet has no points, and counts as 1.
    - `remark` belongs to the message of those who have full marks: it gives another right answer away.
    - `message` is for the student, `reading` how the formulas were read, `written` the student's own words.
    - `given`: what the student entered, a line for each name of the answer.
    - `proposed`: the word that the formulas alone would get, worth `proposed_points`, where words beside them were not judged.
      A person decides: until then the answer earns no points.
    - `awarded`: the points that a person gave, which replace ours.
    - `picture`: the weights at the counterexample, for drawing. `explanation`: our own answer, where it was asked for.
    - `verdict` is None where a process of its own judged; `claim` is then what that process proved or refuted, and nothing in
      this one vouches for it before `verdict_here` proves it again.
    """

    id: str
    sheet: str
    status: str
    message: str = ""
    credit: str = ""
    word: str = ""
    remark: str = ""
    reading: str = ""
    written: str = ""
    given: str = ""
    proposed: str = ""
    proposed_points: Number = 0
    possible: Number | None = None
    share: Fraction = Fraction(0)
    awarded: Number | None = None
    picture: Mapping[str, Any] | None = None
    explanation: str | None = None
    verdict: Verdict | None = None
    claim: Claim | None = None

    def __post_init__(self) -> None:
        if not self.word:
            object.__setattr__(self, "word", WORDS[self.status])

    @property
    def points(self) -> Number:
        """What the answer earned, to a hundredth of a point."""
        if self.awarded is not None:
            return self.awarded
        return shown_points(round(Fraction(str(_worth(self))) * self.share, 2))

    @property
    def to_read(self) -> bool:
        """Whether a person must read the answer before the grade is final."""
        return self.awarded is None and self.status in FOR_A_PERSON

    def counted(self, possible: Number | None, policy: Policy) -> Result:
        """The same result, worth what a policy says; the message says so where the verdict alone does not."""
        share = policy.share(self.credit)
        counts = {Fraction(1): "full marks", Fraction(0): "no marks"}.get(
            share, f"{float(100 * share):.3g} % of the points"
        )
        earns = [f"Under the policy “{policy.name}” this earns {counts}."]
        remark = [self.remark] if self.remark and share == 1 else []
        said = " ".join([self.message, *remark, *([] if self.credit in ("", "right", "wrong") else earns)]).strip()
        return replace(self, possible=possible, share=share, message=said)

    def proposal(self, words: str) -> Result:
        """What this result is worth where the student wrote `words` beside the formulas that were judged."""
        if self.status in FOR_A_PERSON:
            return replace(self, written=words)
        said = f"{UNJUDGED} Without them it would be: {self.word}, {self.points} of {_worth(self)} points."
        return replace(
            self,
            status="proposed",
            word=f"{WORDS['proposed']}: {self.word}",
            message=f"{said} {_MISSING.sub(lambda found: _found_in(words, found), self.message)}".strip(),
            proposed=self.word,
            proposed_points=self.points,
            credit="",
            share=Fraction(0),
            written=words,
        )

    def feedback(self) -> str:
        """The result in words for the student, in lines: the word and the points, how the answer was read, the message.

        >>> print(Result("A.1a", "A", "proved", reading="2·k_1", possible=10, share=Fraction(1)).feedback())
        A.1a: right, 10 of 10 points
        Read as 2·k_1
        >>> print(Result("A.1a", "A", "readings", possible=10).feedback())
        A.1a: two readings, a person will read it for up to 10 points
        """
        possible = _worth(self)
        worth = (
            f"a person will read it for up to {possible} points"
            if self.to_read
            else f"{self.points} of {possible} points"
        )
        lines = (f"{self.id}: {self.word}, {worth}", self.reading and f"Read as {self.reading}", self.message)
        return "\n".join(line for line in lines if line)

    def verdict_here(self) -> Verdict | None:
        """A verdict of this process, which `save` takes: a worker's claim is proved again. None where there is no claim."""
        return self.verdict if self.verdict is not None or self.claim is None else self.claim.prove()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        said = {name: getattr(self, name) for name in (*_SENT, "points", "possible", "explanation", "to_read")}
        return {**said, "picture": None if self.picture is None else dict(self.picture)}

    def sent(self) -> dict[str, Any]:
        """The result as one process sends it to another: with the claim behind its verdict, unless that is too long."""
        claim = None if self.verdict is None else self.verdict.record
        short = isinstance(claim, Claim) and sum(array.size for array in claim.arrays().values()) <= _MOST_SENT
        return {**self.to_dict(), "claim": to_parts(claim) if isinstance(claim, Claim) and short else None}

    @classmethod
    def from_dict(cls, sent: Mapping[str, Any]) -> Result:
        """The result that `sent` describes, not counted yet; a claim that cannot be read is not kept."""
        try:
            claim = None if sent.get("claim") is None else from_parts(sent["claim"])
        except BadCertificate:
            claim = None
        return cls(**{name: sent[name] for name in _SENT}, claim=claim)


def _found_in(words: str, missing: re.Match[str]) -> str:
    """Where a name is that the judge, who saw no words, has missed."""
    said = re.search(rf"\b{missing[1]}\s*:?=", re.sub(r"[_{}$\\]", "", words))
    return f"`{missing[1]}` stands in your words and needs a line of its own" if said else missing[0]


def _worth(result: Result) -> Number:
    return 1 if result.possible is None else result.possible


def total_points(points: Iterable[Number]) -> Number:
    """The sum of points. They are decimals, which floats would not add exactly.

    >>> total_points([0.1, 0.1, 0.1, 7]), total_points([2.5, 2.5])
    (7.3, 5)
    """
    return shown_points(sum((Fraction(str(number)) for number in points), Fraction(0)))


def shown_points(points: Fraction) -> Number:
    return int(points) if points.denominator == 1 else float(points)


def to_parts(claim: Claim) -> dict[str, Any]:
    """The claim as plain JSON values, which keep the exact value of a float."""
    return {"claim": text_of(claim), "arrays": {name: array.tolist() for name, array in claim.arrays().items()}}


def from_parts(parts: Any) -> Claim:
    """The claim that `to_parts` wrote, not proved; BadCertificate where the parts describe none."""
    try:
        stored = {name: np.array(rows, dtype=np.float64) for name, rows in parts["arrays"].items()}
        text = parts["claim"]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadCertificate(f"`parts` describe no claim that can be judged: {error}") from error
    return claim_in(text, stored, where="`parts`")
