"""Policies: what an answer is worth, given what is known about it. The verdict is a theorem, the points are a choice.

A credit says in which way an answer is right or wrong (`credit.py` finds it), and a policy gives each credit its share of the
question's points. An assignment may change single shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, final

from headwright.kernel import inputs
from headwright.kernel.frozen import FrozenMap

CREDITS: Mapping[str, str] = {
    "right": "right",
    "up-to": "right for all practical sizes",
    "limit": "right in the limit",
    "too-short": "right direction, too short",
    "too-long": "right direction, too long",
    "wrong": "wrong",
}
LARGEST_N = 10**6  # "practical" means every n up to this ...
SMALLEST_EPSILON = Fraction(1, 10**6)  # ... and every ε from this on
RANGE = "n ≤ 10^6 and ε ≥ 10^−6"


@final
@dataclass(frozen=True, slots=True)
class Policy:
    """The share of a question's points that each credit earns; a credit that is not listed earns none.

    >>> POLICIES["practical"].share("limit"), POLICIES["strict"].share("limit")
    (Fraction(1, 1), Fraction(0, 1))
    """

    name: str
    shares: Mapping[str, Fraction] = field(default_factory=lambda: FrozenMap({"right": Fraction(1)}))

    def share(self, credit: str) -> Fraction:
        return self.shares.get(credit, Fraction(0))

    def changed(self, shares: Mapping[str, Any], *, name: str = "credit") -> Policy:
        """The policy with other shares for some credits; ValueError or TypeError naming the entry that is wrong.

        >>> POLICIES["practical"].changed({"too-short": "1/2"}).share("too-short")
        Fraction(1, 2)
        """
        if not isinstance(shares, Mapping):
            raise TypeError(f'`{name}` must be a table such as {{"too-short" = 0.5}}, got {shares!r}')
        known = {credit.replace("-", "_"): credit for credit in CREDITS}
        read: dict[str, Fraction] = {}
        for credit, value in shares.items():
            plain = known.get(str(credit).replace("-", "_").replace(" ", "_"))
            if plain is None:
                raise ValueError(f"`{name}` has no entry `{credit}`; there are {', '.join(CREDITS)}")
            read[plain] = inputs.rational(value, name=f"{name}.{credit}")
            if not 0 <= read[plain] <= 1:
                raise ValueError(f"`{name}.{credit}` must lie between 0 and 1, got {value}")
        shares = {**self.shares, **read}
        nearly = max((shares.get(credit, Fraction(0)) for credit in ("too-short", "too-long")), default=Fraction(0))
        for better in {"up-to", "limit"} - set(read):  # what is nearly right never earns more than what is better
            shares[better] = max(shares.get(better, Fraction(0)), nearly)
        return replace(self, shares=FrozenMap(shares))

    def changes(self) -> dict[str, float]:
        """The shares in which this policy differs from the one that has its name.

        >>> POLICIES["strict"].changed({"limit": "1/2"}).changes()
        {'limit': 0.5}
        """
        usual = POLICIES[self.name]
        return {credit: float(self.share(credit)) for credit in CREDITS if self.share(credit) != usual.share(credit)}


POLICIES: Mapping[str, Policy] = {
    "practical": Policy("practical", FrozenMap({name: Fraction(1) for name in ("right", "up-to", "limit")})),
    "strict": Policy("strict"),
}


def policy_named(name: Any, *, entry: str = "policy") -> Policy:
    """The policy of this name; ValueError naming the entry where there is none.

    >>> policy_named("lenient")
    Traceback (most recent call last):
    ...
    ValueError: `policy` must be practical or strict, got 'lenient'
    """
    if isinstance(name, Policy):
        return name
    if not isinstance(name, str) or name not in POLICIES:
        raise ValueError(f"`{entry}` must be {' or '.join(POLICIES)}, got {name!r}")
    return POLICIES[name]
