"""Claims made of claims: that all of several hold, and that one is false. Neither adds words of its own.

One instance can refute a general statement: if the statement implies that certain facts about the instance are not all true,
then refuting `Contrary(AllOf(facts))` refutes the statement. The sentences are put together from those of the parts, so that a
file can claim only what its parts claim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, final

import numpy as np

from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Counterexample, Proved, Refuted, Verdict

GENERAL = "the claim in general"
_MOST = 2048  # claims in one file
_SPELLED = 20  # a sentence spells out this many claims; of more, it names the first
_DEEPEST = 6  # claims within claims
_NOT_ALL_DECIDED = "not every part could be decided"
_ONE_BY_ONE = "prove the parts one by one"


@final
@dataclass(frozen=True, eq=False)
class AllOf(Claim):
    """All of `claims` hold.

    >>> from headwright.claims import SingularTail
    >>> AllOf(tuple(SingularTail(np.eye(2), k, bound) for k, bound in ((1, "3/2"), (2, "1")))).prove().status
    'proved'
    """

    claims: tuple[Claim, ...]
    kind: ClassVar[str] = "all-of"

    def __post_init__(self) -> None:
        self.settle()
        if not self.claims:
            raise ValueError("`claims` must hold at least one claim, but it is empty")
        _bounded(self)

    def sentence(self) -> str:
        if len(self.claims) == 1:
            return self.claims[0].sentence()
        return f"all of these hold: {_listed(self.claims)}"

    def judge(self) -> Verdict:
        """Refuted by the first refuted part; Proved if every part is proved."""
        verdicts = []
        for place, claim in enumerate(self.claims):
            verdict = claim.prove()
            if isinstance(verdict, Refuted):
                return self.refuted(
                    counterexample={"claim": place, "of": verdict.counterexample},
                    reason=f"this one is false: {verdict.claim}",
                    method=verdict.method,
                )
            verdicts.append(verdict)
        if not all(isinstance(verdict, Proved) for verdict in verdicts):
            return self.undecided(_NOT_ALL_DECIDED, _ONE_BY_ONE)
        return self.proved(
            scope="; ".join(dict.fromkeys(verdict.scope for verdict in verdicts)), method=_methods(verdicts)
        )

    def arrays(self) -> dict[str, np.ndarray]:
        return {
            f"claims.{i}.{name}": array for i, claim in enumerate(self.claims) for name, array in claim.arrays().items()
        }

    def fields(self) -> dict[str, Any]:
        return {"claims": [claim.stated() for claim in self.claims]}

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        given = fields["claims"]
        if not isinstance(given, list) or len(given) > _MOST:
            raise ValueError(f"`claims` must be a list of at most {_MOST} claims")
        parts: list[dict[str, np.ndarray]] = [{} for _ in given]
        for name, array in stored.items():
            own, place, rest = (*name.split(".", 2), "", "")[:3]
            if (
                own != "claims"
                or not place.isascii()
                or not place.isdecimal()
                or place != str(int(place))
                or int(place) >= len(given)
            ):
                raise ValueError(f"array {name!r} belongs to none of the {len(given)} claims")
            parts[int(place)][rest] = array
        return cls(tuple(_read(each, part) for each, part in zip(given, parts, strict=True)))


@final
@dataclass(frozen=True, eq=False)
class Contrary(Claim):
    """`claim` is false. Proved if `claim` is refuted, and refuted if `claim` is proved.

    `where` is what can be said instead: if it is proved too, a refutation names it, in the words of `where` alone.

    >>> from headwright.claims import LEADS
    >>> Contrary(LEADS).prove().status
    'refuted'
    """

    claim: Claim
    where: Claim | None = None
    kind: ClassVar[str] = "contrary"

    def __post_init__(self) -> None:
        self.settle()
        _bounded(self)

    def sentence(self) -> str:
        inner = self.claim
        if isinstance(inner, Contrary):
            return inner.claim.sentence()
        if isinstance(inner, AllOf) and len(inner.claims) > 1:
            return f"at least one of these is false: {_listed(inner.claims)}"
        return f"it is false that {inner.sentence()}"

    def judge(self) -> Verdict:
        verdict = self.claim.prove()
        if isinstance(verdict, Refuted):
            return self.proved(reason=verdict.reason, method=verdict.method)
        if isinstance(verdict, Proved):
            # A statement that fails for one instance is false as a statement about all instances: the scope says so.
            arrays, said = self.claim.arrays(), self._saved()
            facts: Counterexample = arrays if arrays else {"fact": self.claim.sentence()}
            return self.refuted(scope=GENERAL, counterexample=facts, holds_when=said, method=verdict.method)
        return self.undecided(verdict.reason, getattr(verdict, "next_step", _ONE_BY_ONE))

    def _saved(self) -> str | None:
        """What `where` says and is about, if it is proved. That it is a case of the claim is not proved, nor said."""
        if self.where is None or not isinstance(verdict := self.where.prove(), Proved):
            return None
        beside = "; ".join(filter(None, (verdict.scope, self.where.about())))
        return f"it says no more than this: {verdict.claim} [{beside}]"

    def arrays(self) -> dict[str, np.ndarray]:
        both = {"claim": self.claim} | ({} if self.where is None else {"where": self.where})
        return {f"{part}.{name}": array for part, claim in both.items() for name, array in claim.arrays().items()}

    def fields(self) -> dict[str, Any]:
        return {"claim": self.claim.stated()} | ({} if self.where is None else {"where": self.where.stated()})

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        parts: dict[str, dict[str, np.ndarray]] = {part: {} for part in ("claim", "where") if part in fields}
        for name, array in stored.items():
            part, _, rest = name.partition(".")
            if part not in parts:
                raise ValueError(f"array {name!r} belongs to neither `claim` nor `where`")
            parts[part][rest] = array
        return cls(**{part: _read(fields[part], own) for part, own in parts.items()})


def _bounded(claim: AllOf | Contrary) -> None:
    """ValueError if there are too many claims, or too many levels of claims within claims."""
    count, depth = _size(claim)
    if count > _MOST:
        raise ValueError(f"`claims` must be at most {_MOST} in all, got {count}")
    if depth > _DEEPEST:
        raise ValueError(f"`claims` must be nested at most {_DEEPEST} deep, got {depth}")


def _size(claim: Claim) -> tuple[int, int]:
    """How many claims there are, including this one, and how deeply they are nested."""
    both = (claim.claim, claim.where) if isinstance(claim, Contrary) else ()
    sizes = [_size(each) for each in (claim.claims if isinstance(claim, AllOf) else both) if each is not None]
    return 1 + sum(count for count, _ in sizes), 1 + max((depth for _, depth in sizes), default=0)


def _listed(claims: tuple[Claim, ...]) -> str:
    """The sentences, numbered. If they are about different numbers, each names its case, so that none seem to contradict."""
    subjects = [_about(claim) for claim in claims]
    cases = {about: f"in case {i}, " for i, about in enumerate(dict.fromkeys(each for each in subjects if each), 1)}
    named = cases if len(cases) > 1 else {}
    spelled = claims if len(claims) <= _SPELLED else claims[:3]
    sentences = [
        f"({i}) {named.get(about, '')}{claim.sentence()}"
        for i, (claim, about) in enumerate(zip(spelled, subjects, strict=False), 1)
    ]
    if len(spelled) < len(claims):
        sentences.append(f"and {len(claims) - len(spelled)} more, which the record holds")
    return "; ".join(sentences)


def _about(claim: Claim) -> tuple[tuple[str, tuple[int, ...], bytes], ...]:
    """The numbers of a claim without the functional that it asks about: claims about the same case share them."""
    own = {name: array for name, array in claim.arrays().items() if name.rpartition(".")[2] != "values"}
    return tuple((name, array.shape, array.tobytes()) for name, array in sorted(own.items()))


def _methods(verdicts: list[Verdict]) -> str:
    """The methods, each once."""
    return "; ".join(dict.fromkeys(verdict.method for verdict in verdicts if verdict.method))


def _read(fields: Any, stored: Mapping[str, np.ndarray]) -> Claim:
    from headwright.kernel.certificate import claim_of  # which knows all kinds, including these two

    return claim_of(fields, dict(stored))
