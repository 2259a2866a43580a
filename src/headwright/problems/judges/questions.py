"""What the questions that want a query ask of it: which keys are targets, how near is near enough, what else must hold.

Every named vector is a key (or its mean), so that a query is known by the coefficient of each name: a named key scores its
coefficient, times its length where that varies, and every other key scores 0, or half of k_1's score where the others lean
towards k_1 as far as A.1a lets them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from headwright.problems.settings import LENGTHS


@final
@dataclass(frozen=True)
class Ask:
    """One question that wants a query, or two.

    - `targets`: the first one or two of `basis` share the attention;
    - `each`: every target must have at least 1/(m+ε) of it, rather than all weights be within the error;
    - `limit`: the squared length of a query is at most this times ln(n/ε)²;
    - `leaning`: the inner product of the first key with every unnamed one; `lengths`: those that the first key may have;
    - `vanishing`: the keys have noise, so that the error must be met with room to spare;
    - `different`: two queries must not be the same; `exact`: equality, not nearness.
    """

    id: str
    basis: tuple[str, ...]
    answers: tuple[str, ...] = ("q",)
    targets: int = 2
    each: bool = False
    limit: Fraction | None = None
    leaning: Fraction = Fraction(0)
    lengths: tuple[Fraction, ...] = (Fraction(1),)
    vanishing: bool = False
    different: bool = False
    exact: bool = False

    def wanted(self) -> str:
        """What the weights are to be, in words."""
        names = " and ".join(self.basis[: self.targets])
        if self.each:
            return f"at least 1/({self.targets}+eps) on {'each of ' if self.targets == 2 else ''}{names}"
        return f"one half on each of {names}"


_TWO = ("q1", "q2")
ASKS: dict[str, Ask] = {
    ask.id: ask
    for ask in (
        Ask("A.1a", ("k_1",), targets=1, each=True, limit=Fraction(4), leaning=Fraction(1, 2)),
        Ask("A.1b", ("k_1", "k_2"), each=True, limit=Fraction(8)),
        Ask("A.1d", ("u", "k_2"), _TWO, lengths=LENGTHS),
        Ask("B.3b", ("k_a", "k_b")),
        Ask("B.3c-i", ("u_a", "u_b"), vanishing=True),
        Ask("B.3d-i", ("u_a", "u_b"), _TWO, vanishing=True),
        Ask("C.1.2a", ("k_a", "k_b")),
        Ask("C.2.1a", ("mu_a", "mu_b"), vanishing=True),
        Ask("C.2.2a", ("mu_a", "mu_b"), _TWO, vanishing=True, different=True),
        Ask("D.b-ii", ("k_a", "k_b")),
        Ask("D.c-i", ("mu_a", "mu_b"), vanishing=True),
        Ask("D.d-i", ("mu_a", "mu_b"), _TWO, vanishing=True, different=True),
        Ask("E.1c", ("k_i", "k_j"), exact=True),
        Ask("E.1e", ("mu_i", "mu_j"), vanishing=True),
    )
}
