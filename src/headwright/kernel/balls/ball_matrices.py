"""Small dense matrices: inverses in rationals and in balls, and the projector on the leading eigenvectors of a symmetric one."""

from __future__ import annotations

from fractions import Fraction

from headwright.kernel import budget
from headwright.kernel.balls.ball import Ball, exact, unit_cost


def rational_inverse(rows: list[list[Fraction]]) -> list[list[Fraction]] | None:
    """The inverse of a square matrix, exactly; None if it is singular.

    >>> rational_inverse([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(1)]])
    [[Fraction(1, 1), Fraction(-1, 1)], [Fraction(-1, 1), Fraction(2, 1)]]
    """
    from flint import fmpq, fmpq_mat

    n = len(rows)
    long = max((max(x.numerator.bit_length(), x.denominator.bit_length()) for row in rows for x in row), default=0)
    budget.spend(n**3 * budget.product(n * long, n * long))
    matrix = fmpq_mat(n, n, [fmpq(x.numerator, x.denominator) for row in rows for x in row])
    try:
        inverse = matrix.inv()
    except ZeroDivisionError:
        return None
    return [[Fraction(int(inverse[i, j].p), int(inverse[i, j].q)) for j in range(n)] for i in range(n)]


def ball_inverse(rows: list[list[Ball]]) -> list[list[Ball]] | None:
    """Balls around the inverse of every matrix in the balls; None if one of them may be singular."""
    from flint import arb_mat

    budget.spend(len(rows) ** 3 * unit_cost())
    try:
        inverse = arb_mat(rows).inv()
    except ZeroDivisionError:
        return None
    entries = [[inverse[i, j] for j in range(len(rows))] for i in range(len(rows))]
    return entries if all(x.is_finite() for row in entries for x in row) else None


def projections(columns: list[list[Ball]], vectors: list[list[Ball]]) -> list[list[Ball]] | None:
    """The orthogonal projections of `vectors` on the span of `columns`; None if the columns may be dependent.

    Both are lists of vectors of one length. With the columns as a matrix C, the projection of v is C a for the only a that
    solves CᵀC a = Cᵀv. Arb's `solve` encloses it, or fails where CᵀC may be singular.
    """
    from flint import arb_mat

    k, d, m = len(columns), len(columns[0]), len(vectors)
    budget.spend((k * k * d + k**3 + 2 * k * d * m) * unit_cost())
    transposed = arb_mat(columns)
    spanning = transposed.transpose()
    try:
        shadows = spanning * (transposed * spanning).solve(transposed * arb_mat(vectors).transpose())
    except ZeroDivisionError:
        return None
    entries = [[shadows[i, c] for i in range(d)] for c in range(m)]
    return entries if all(x.is_finite() for row in entries for x in row) else None


def leading_projector(symmetric: list[list[Ball]], rank: int) -> list[list[Ball]] | None:
    """Balls around P = Σ v vᵀ/(vᵀv) over the eigenvectors v of the `rank` largest eigenvalues; None if these are not separated.

    Arb encloses the eigenvectors of simple eigenvalues. Each is real up to a complex factor, which cancels in v v*/(v*v).
    """
    from flint import acb, acb_mat

    n = len(symmetric)
    if rank in (0, n):
        return [[exact(int(i == j and rank == n)) for j in range(n)] for i in range(n)]
    budget.spend(200 * n**3 * unit_cost())  # measured: about a hundred products for each entry and row
    try:
        values, vectors = acb_mat(n, n, [acb(x) for row in symmetric for x in row]).eig(right=True)
    except ValueError:  # eigenvalues that Arb cannot isolate
        return None
    order = sorted(range(n), key=lambda i: -float(values[i].real.mid()))
    kept, left = order[:rank], order[rank:]
    if not all(values[i].real > values[j].real for i in kept for j in left):
        return None
    projector = [[exact(0) for _ in range(n)] for _ in range(n)]
    for c in kept:
        v = [vectors[i, c] for i in range(n)]
        whole = sum((x.real * x.real + x.imag * x.imag for x in v), exact(0))
        for i in range(n):
            for j in range(n):
                projector[i][j] += (v[i].real * v[j].real + v[i].imag * v[j].imag) / whole
    return projector if all(x.is_finite() for row in projector for x in row) else None
