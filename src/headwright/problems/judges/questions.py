"""What the questions that want a query ask of it: the family of each, in the library's own terms."""

from __future__ import annotations

from fractions import Fraction

from headwright.problems.settings import LENGTHS
from headwright.proofs.families import QueryFamily

EXACT = {"E.1c": ("k_i", "k_j")}  # equality, not nearness
ASKS: dict[str, QueryFamily] = {
    "A.1a": QueryFamily(("k_1",), each=True, limit=Fraction(4), leaning=Fraction(1, 2)),
    "A.1b": QueryFamily(("k_1", "k_2"), each=True, limit=Fraction(8)),
    "A.1d": QueryFamily(("u", "k_2"), heads=2, lengths=LENGTHS),
    "B.3b": QueryFamily(("k_a", "k_b")),
    "B.3c-i": QueryFamily(("u_a", "u_b"), vanishing=True),
    "B.3d-i": QueryFamily(("u_a", "u_b"), heads=2, vanishing=True),
    "C.1.2a": QueryFamily(("k_a", "k_b")),
    "C.2.1a": QueryFamily(("mu_a", "mu_b"), vanishing=True),
    "C.2.2a": QueryFamily(("mu_a", "mu_b"), heads=2, vanishing=True, different=True),
    "D.b-ii": QueryFamily(("k_a", "k_b")),
    "D.c-i": QueryFamily(("mu_a", "mu_b"), vanishing=True),
    "D.d-i": QueryFamily(("mu_a", "mu_b"), heads=2, vanishing=True, different=True),
    "E.1e": QueryFamily(("mu_i", "mu_j"), vanishing=True),
}
