"""Facts about tokens in an order, position codes, matrices and trained blocks: how their tables become claims.

    { reads_out = "A*A'", columns = { A = ["u_0"], B = ["u_1"] }, dimension = 3, share = 1, within = 0 }

says that this matrix reads a value in the span of the first columns out of `share` times its sum with one in that of the second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from headwright import formulas
from headwright.problems.judges.weight_facts import rows_of
from headwright.proofs import ReadsOut
from headwright.verdict import Verdict

Table = Mapping[str, Any]


def _reads_out(table: Table) -> Verdict:
    columns = {name: rows_of(rows, table["dimension"]).T for name, rows in table["columns"].items()}
    matrix = np.asarray(formulas.evaluate(formulas.parse(table["reads_out"], names=tuple(columns)), columns))
    first, second = columns.values()
    share, within = (Fraction(str(table[name])) for name in ("share", "within"))
    return ReadsOut(matrix, first, second, share, within).prove()


KINDS: dict[str, Callable[[Table], Verdict]] = {"reads_out": _reads_out}
