"""Planted bugs of the rules behind radius, budget, subspace, comparison, storage and Gaussian claims.

A table for `planted_bugs.py`, which plants them, one section for each kind of claim.
"""

# ruff: noqa: E501 - one row per bug reads better than one word per line

RADIUS: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

BUDGET: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

SUBSPACE: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

COMPARISON: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

STORAGE: tuple[tuple[str, str, str, str], ...] = (
    ("any column passes for stored codes", "number_types.py", "fits[tried] = (nearest * scale[tried] == array[:, tried]).all(axis=0)", "fits[tried] = True"),
    ("one stored number vouches for its column", "number_types.py", "== array[:, tried]).all(axis=0)", "== array[:, tried]).any(axis=0)"),
    ("any scale passes for a float16 one", "number_types.py", "(_nearest(scale, half) == scale)", "(scale == scale)"),
    ("a scale beyond float16", "number_types.py", " & (scale < 2.0**half.highest))", ")"),
    ("codes of one bit more", "number_types.py", "np.arange(1.0 - 2 ** (bits - 1), 2 ** (bits - 1))", "np.arange(1.0 - 2**bits, 2**bits)"),
    ("the least code has no opposite", "number_types.py", "np.arange(1.0 - 2 ** (bits - 1), 2 ** (bits - 1))", "np.arange(-(2.0 ** (bits - 1)), 2 ** (bits - 1))"),
    ("a level of nf4 moved", "number_types.py", "0.33791524171829224", "0.33791524171829235"),
    ("e4m3 up to 480", "number_types.py", "_Type(4, -9, 9, 448.0)", "_Type(4, -9, 9, 480.0)"),
    ("e4m3 with smaller numbers than it has", "number_types.py", "_Type(4, -9, 9, 448.0)", "_Type(4, -10, 9, 448.0)"),
    ("e5m2 with a bit more", "number_types.py", "_Type(3, -16, 16, 57344.0)", "_Type(4, -16, 16, 57344.0)"),
    ("e5m2 beyond its largest number", "number_types.py", "_Type(3, -16, 16, 57344.0)", "_Type(3, -16, 16, 65536.0)"),
    ("queries in float64 carry the label of a number type", "proofs/heads.py", "if self.precision in PRECISIONS:\n", "if False:\n"),
    ("the sentence calls queries stored that are not", "proofs/heads.py", '"keys and queries" if self.precision in PRECISIONS else "keys"', '"keys and queries"'),
    ("the middle between two codes is missed", "_stored.py", "split > above", "split > above + scales"),
    ("ties to the odd code", "_stored.py", "(split == above) & ~even", "(split == above) & even"),
    ("scales that are not float16", "_stored.py", 'return round_to(wanted, "float16"), ', "return wanted, "),
)  # fmt: skip

GAUSSIAN: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

TIERS: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

CALL_ROWS = RADIUS + BUDGET + SUBSPACE + COMPARISON + STORAGE + GAUSSIAN + TIERS
