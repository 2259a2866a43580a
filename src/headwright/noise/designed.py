"""heads_of: the heads that a Design or raw queries make over keys, as the proofs take them."""

from __future__ import annotations

from typing import Any

import numpy as np

from headwright import arrays
from headwright._design import Design
from headwright.number_types import round_to
from headwright.proofs import Heads


def heads_of(keys: Any, design: Any, scale: Any = None, mix: Any = None) -> Heads:
    """The heads of a Design, or of raw queries (d,) or (h, d) at `scale` 1 and mixed equally unless given, over `keys`.

    A Design with a `precision` has the keys rounded to that type.
    """
    array = arrays.float64(keys, name="keys", ndim=2)
    if isinstance(design, Design):
        if scale is not None or mix is not None:
            raise ValueError("`scale` and `mix` belong to the Design: pass one or the other")
        if design.precision is not None:
            array = round_to(array, design.precision)
        return Heads(array, design.queries, design.mix, arrays.rational(design.scale, name="scale"), design.precision)
    queries = np.atleast_2d(arrays.float64(design, name="queries", ndim=(1, 2)))
    shares = np.ones(len(queries)) if mix is None else mix
    return Heads(array, queries, shares, arrays.rational(1 if scale is None else scale, name="scale"))
