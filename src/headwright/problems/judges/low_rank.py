"""A.3c: a matrix M of rank at most k-1 with ‖A - M‖₂ <= ‖A‖_F/√k, judged at the setting in exact arithmetic.

‖A - M‖₂² <= b just when b·I - (A-M)ᵀ(A-M) is positive semidefinite: exact rationals, no singular value is trusted. A matrix
of float64 numbers is hardly ever of rank k-1 exactly, so M given whole must lie within 10^-9·‖A‖_F of one that is: factors L R
found by a singular value decomposition show that it does (M - L R in exact arithmetic), and k directions X with ‖M X z‖ >
10^-9·‖A‖_F·‖X z‖ for all z ≠ 0 that it does not. M given as factors L (n, k-1) and R (k-1, d) is L R exactly.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from headwright.problems.judges import exact_matrices as em
from headwright.problems.settings import Setting
from headwright.verdict import Proved, Refuted, Undecided, Verdict

_ROUNDING = Fraction(1, 10**9)
_LONGEST = 10**150  # beyond it, squares leave the range of float64


def judge_low_rank(given: dict[str, np.ndarray], setting: Setting, *, which: str = "") -> Verdict:
    """`given` is {"M": (n, d)} or {"L": (n, k-1), "R": (k-1, d)}; `which` names the A, where it is not the setting's own."""
    a = np.asarray(setting.names["A"])
    k = int(setting.names["k"])
    _check_shapes(given, a.shape, k)
    matrix = em.rows_of(given["M"]) if "M" in given else em.product(em.rows_of(given["L"]), em.rows_of(given["R"]))
    claim = f"M has rank at most k-1 = {k - 1} and ‖A - M‖₂ <= ‖A‖_F/√k"
    named = which or f"the A of setting({setting.n})"
    scope = f"{named}, {a.shape[0]}×{a.shape[1]}, k = {k}; rank and distance up to 10^-9·‖A‖_F"
    whole = em.square(em.rows_of(a))
    found = _rank(given, k, whole, claim, scope)
    found = _distance(a, matrix, k, whole, claim, scope) if found is None else found
    if found is not None:
        return found
    approximately = np.array([[float(x) for x in row] for row in matrix])
    off, size = np.linalg.norm(a - approximately, 2), np.sqrt(float(whole) / k)
    return Proved(
        claim,
        scope=scope,
        reason=f"‖A - M‖₂ is {off:.6g}, and ‖A‖_F/√k is {size:.6g}. Judged at this one A.",
        method="exact rationals: b·I - (A-M)ᵀ(A-M) has no negative pivot",
    )


def _check_shapes(given: dict[str, np.ndarray], shape: tuple[int, ...], k: int) -> None:
    wanted = {"M": shape, "L": (shape[0], k - 1), "R": (k - 1, shape[1])}
    for name, array in given.items():
        if array.shape != wanted[name]:
            raise ValueError(f"`{name}` must have shape {wanted[name]} beside the A of the setting, got {array.shape}")
        if np.abs(array).max() > _LONGEST:
            raise ValueError(f"`{name}` must have entries of at most 1e150 in size, got {np.abs(array).max():.3g}")


def _rank(given: dict[str, np.ndarray], k: int, whole: Fraction, claim: str, scope: str) -> Verdict | None:
    """None where the rank is at most k-1, up to rounding."""
    if "M" not in given:
        return None
    m = given["M"]
    u, s, v = np.linalg.svd(m, full_matrices=False)
    left, right = em.rows_of(u[:, : k - 1] * s[: k - 1]), em.rows_of(v[: k - 1])
    exact = em.rows_of(m)
    if em.square(em.combined(exact, em.product(left, right), Fraction(-1))) <= _ROUNDING**2 * whole:
        return None
    directions = em.rows_of(v[:k].T)
    image, inside = em.product(exact, directions), em.product(em.transposed(directions), directions)
    gram = em.product(em.transposed(image), image)
    if em.is_positive(em.combined(gram, inside, -(_ROUNDING**2) * whole)):
        return Refuted(
            claim,
            scope=scope,
            counterexample={f"{k} directions that M keeps apart, as columns": v[:k].T},
            reason=f"M has rank {k} at least: its singular values begin {', '.join(f'{x:.4g}' for x in s[:k])}. The question "
            f"allows k-1 = {k - 1} of them to differ from 0.",
            method="exact rationals: all pivots positive",
        )
    return Undecided(claim, scope=scope, reason="the rank of M is not decided", next_step="give M as factors L and R")


def _distance(a: np.ndarray, matrix: em.Rows, k: int, whole: Fraction, claim: str, scope: str) -> Verdict | None:
    """None where ‖A - M‖₂² <= ‖A‖_F²/k, up to rounding."""
    difference = em.combined(em.rows_of(a), matrix, Fraction(-1))
    gram = em.product(em.transposed(difference), difference)
    allowed = whole / k * (1 + _ROUNDING) ** 2
    room = em.plus_identity([[-x for x in row] for row in gram], allowed)
    if em.is_nonnegative(room):
        return None
    approximately = np.array([[float(x) for x in row] for row in difference])
    sizes, vectors = np.linalg.svd(approximately)[1:]
    direction = [Fraction(x) for x in vectors[0].tolist()]
    if em.quadratic(room, direction) < 0:
        return Refuted(
            claim,
            scope=scope,
            counterexample={"x": vectors[0]},
            reason=f"‖(A - M)x‖ is {sizes[0]:.6g} for a vector x of length 1. The question allows ‖A‖_F/√k = "
            f"{np.sqrt(float(whole) / k):.6g}.",
            method="exact rationals at that x",
        )
    return Undecided(
        claim, scope=scope, reason="the distance is too close to the limit", next_step="a matrix nearer to A"
    )
