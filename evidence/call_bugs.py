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
)  # fmt: skip

GAUSSIAN: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

TIERS: tuple[tuple[str, str, str, str], ...] = (
)  # fmt: skip

CALL_ROWS = RADIUS + BUDGET + SUBSPACE + COMPARISON + STORAGE + GAUSSIAN + TIERS
