"""Facts about tokens in an order, position codes, matrices and trained blocks: how their tables become claims.

    { equivariant = { causal = true }, tokens = [[1, 0], [0, 2]], not = true }  # a block; maps not given are the identity
    { codes = { sinusoidal = 1001, dimension = 2 } }                        # all rows differ; `stored = "float16"`: as stored
    { codes = …, apart = "0.00006", pair = [0, 710], within = "0.00007" }   # no two nearer; these two that near; or either
    { singular = [[3, 0], [0, 4]], values = [4, 3], within = "1e-9" }       # the singular values
    { squares = [[3, 0], [0, 4]], sum = 25 }                                # what their squares add up to; or two bounds
    { tail = [[3, 0], [0, 4]], k = 2 }                                      # σ_k <= ‖A‖_F/√k; without `k`, every one
    { low_rank = …, rank = 2 }                                              # how near the nearest matrix of that rank is
    { reads_out = "A*A'", columns = { A = ["u_0"], B = ["u_1"] }, dimension = 3, share = 1, within = 0 }
    { trained = "copy_1_head", sequences = 20 }                             # what stored blocks do: `trained_blocks.py`

A matrix is a list of its rows, or { random = [12, 5], seed = 61 }: standard normal numbers. Decimals mean the nearest float64.
`reads_out` says that this matrix reads a value in the span of the first columns out of `share` times its sum with one in that of
the second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel.claim import Claim
from headwright.kernel.combined import AllOf
from headwright.kernel.verdict import Verdict
from headwright.problems.judges.trained_blocks import trained
from headwright.problems.judges.weight_facts import Table, rows_of
from headwright.reading import formulas
from headwright.search.positions import distinct, equivariance, sinusoidal
from headwright.search.positions.claimed_rows import row_set, taken
from headwright.search.spectrum import energy, low_rank, singular_values, tail
from headwright.search.spectrum.decomposition import decomposed
from headwright.theories.matrices.reads_out import ReadsOut
from headwright.theories.matrices.singular_squares import SingularSquares
from headwright.theories.matrices.singular_values import SingularValues
from headwright.theories.positions.rows_apart import RowsApart
from headwright.words.block import Block

_MAPS = ("query", "key", "value", "output")


def matrix_of(given: Any) -> np.ndarray:
    """The matrix (n, d) that a table describes.

    >>> matrix_of([[1, 0.5]]).tolist(), matrix_of({"random": [12, 5], "seed": 61}).shape
    ([[1.0, 0.5]], (12, 5))
    """
    if isinstance(given, Mapping):
        return np.random.default_rng(given["seed"]).standard_normal(tuple(given["random"]))
    return np.array(given, dtype=float)


def _equivariant(table: Table) -> Verdict:
    tokens = matrix_of(table["tokens"])
    parts: dict[str, Any] = dict.fromkeys(_MAPS, np.eye(tokens.shape[1]))
    for name, given in table["equivariant"].items():
        parts[name] = given if isinstance(given, bool) else np.array(given, dtype=float)
    return equivariance(Block(**parts), tokens)


def _codes(table: Table) -> Claim | Verdict:
    given, stored = table["codes"], None
    if isinstance(given, Mapping):
        codes, stored = sinusoidal(given["sinusoidal"], given["dimension"]), given.get("stored")
    else:
        codes = taken(matrix_of(given))
    if "apart" not in table and "pair" not in table:
        return distinct(codes, dtype=stored)
    apart, within = (None if name not in table else Fraction(str(table[name])) for name in ("apart", "within"))
    return RowsApart(row_set(codes, stored), apart, table.get("pair"), within)


def _singular(table: Table) -> Claim | Verdict:
    matrix = matrix_of(table["singular"])
    if "values" not in table:
        return singular_values(matrix).verdict
    around, off = np.array(table["values"], dtype=float), float(table.get("within", "1e-9"))
    return SingularValues(matrix, around - off, around + off, *decomposed(matrix))


def _squares(table: Table) -> Claim | Verdict:
    matrix = matrix_of(table["squares"])
    if "sum" not in table:
        return energy(matrix).verdict
    given = table["sum"]
    low, high = given if isinstance(given, tuple | list) else (given, given)
    return SingularSquares(matrix, Fraction(str(low)), Fraction(str(high)))


def _tail(table: Table) -> Claim | Verdict:
    matrix = matrix_of(table["tail"])
    if "k" in table:
        return tail(matrix, table["k"]).verdict
    every = [tail(matrix, k).verdict.record for k in range(1, min(matrix.shape) + 1)]
    return AllOf(tuple(record for record in every if isinstance(record, Claim)))


def _low_rank(table: Table) -> Verdict:
    return low_rank(matrix_of(table["low_rank"]), table["rank"]).verdict


def _reads_out(table: Table) -> Claim:
    columns = {name: rows_of(rows, table["dimension"]).T for name, rows in table["columns"].items()}
    matrix = np.asarray(formulas.evaluate(formulas.parse(table["reads_out"], names=tuple(columns)), columns))
    first, second = columns.values()
    share, within = (Fraction(str(table[name])) for name in ("share", "within"))
    return ReadsOut(matrix, first, second, share, within)


KINDS: dict[str, Callable[[Table], Claim | Verdict]] = {
    "reads_out": _reads_out,
    "equivariant": _equivariant,
    "codes": _codes,
    "singular": _singular,
    "squares": _squares,
    "tail": _tail,
    "low_rank": _low_rank,
    "trained": trained,
}
