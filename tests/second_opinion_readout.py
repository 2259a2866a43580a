"""The second opinion on read-outs: matrix products and elimination in Fractions, entry by entry."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from tests.brackets import rationals


def reads_out(arrays, fields):
    """ "true" or "false" for each column; beside the basis, "true" by the witness and "false" by a vector that shows it."""
    share, square = Fraction(fields["share"]), Fraction(fields["bound"]) ** 2
    matrix, basis = _rows(arrays["matrix"]), _columns(arrays["basis"])
    wanted = [(column, column) for column in basis]
    if "against" in arrays:
        wanted += [(column, [0] * len(column)) for column in _columns(arrays["against"])]
    if any(_off(matrix, share, column, target) > square * _size(column) for column, target in wanted):
        return "false"
    if "against" in arrays:
        return "true"
    witness, rows = _rows(arrays["witness"]), _rows(arrays["basis"])
    gap = Fraction(0)
    for i, row in enumerate(matrix):
        for k, entry in enumerate(row):
            gap += (share * entry - sum(x * a for x, a in zip(witness[i], rows[k], strict=True))) ** 2
    if gap <= square:
        return "true"
    beside = _null_vectors(basis)
    over = any(_off(matrix, share, v, [0] * len(v)) > square * _size(v) for v in beside)
    return "false" if over else "unknown"


def breaks(verdict):
    """Whether the stored column of a Refuted is one of that side, and is read wrongly by more than the bound."""
    claim, point = verdict.record, verdict.counterexample
    side = getattr(claim, point["side"])
    column = rationals(side[:, point["column"]])
    target = column if point["side"] == "basis" else [0] * len(column)
    off = _off(_rows(claim.matrix), claim.share, column, target)
    return rationals(point["vector"]) == column and off > claim.bound**2 * _size(column)


def spans_meet(arrays, fields):
    """Spans meet if and only if the rank of all columns is below the sum of the ranks; the witness is added up too."""
    basis, against = _columns(arrays["basis"]), _columns(arrays["against"])
    sums = []
    for columns, name in ((basis, "in_basis"), (against, "in_against")):
        weights = [int(text, 16) for text in fields[name]]
        sums.append([sum(w * c[i] for w, c in zip(weights, columns, strict=True)) for i in range(len(basis[0]))])
    meet = _rank(basis + against) < _rank(basis) + _rank(against)
    if sums[0] == sums[1] and any(sums[0]):
        assert meet, "a common vector of spans that do not meet"
    return "true" if meet else "false"


def _off(matrix, share, vector, target):
    read = [share * sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix]
    return sum((r - t) ** 2 for r, t in zip(read, target, strict=True))


def _size(vector):
    return sum(entry**2 for entry in vector)


def _rows(array):
    return [rationals(row) for row in np.asarray(array)]


def _columns(array):
    return _rows(np.asarray(array).T)


def _eliminated(rows):
    """(reduced rows, pivot places) of Gauss's elimination."""
    left, done, places = [list(row) for row in rows], [], []
    for place in range(len(rows[0])):
        pivot = next((row for row in left if row[place] != 0), None)
        if pivot is None:
            continue
        left.remove(pivot)
        pivot = [entry / pivot[place] for entry in pivot]
        cleared = [[a - row[place] * b for a, b in zip(row, pivot, strict=True)] for row in done + left]
        done, left = [*cleared[: len(done)], pivot], cleared[len(done) :]
        places.append(place)
    return done, places


def _rank(rows):
    return len(_eliminated(rows)[1])


def _null_vectors(rows):
    """Vectors orthogonal to all rows, one for each place without a pivot."""
    done, places = _eliminated(rows)
    width = len(rows[0])
    for free in sorted(set(range(width)) - set(places)):
        vector = [Fraction(int(place == free)) for place in range(width)]
        for row, place in zip(done, places, strict=True):
            vector[place] = -row[free]
        yield vector


def work(kind, arrays, fields):
    """In rough units of 10 microseconds, as in `second_opinion`."""
    d, m = arrays["basis"].shape
    p = arrays["against"].shape[1] if "against" in arrays else d
    return d * d * (m + p) / 4 if kind == "reads-out" else d * (m + p) ** 2


def bound_claim(verdict):
    """The claim that the verdict's bound makes; for a Refuted, one that must be false. None where there is none."""
    if verdict.record.kind != "reads-out" or verdict.bound is None:
        return None
    less = 1 if verdict.status == "proved" else 1 - Fraction(1, 2**60)
    return replace(verdict.record, bound=Fraction(verdict.bound) * less)


JUDGES = {"reads-out": reads_out, "spans-meet": spans_meet}
