"""B.3e-ii as numbers: maps Q, K, V at β = 5/2, judged by the outputs alone.

Row r has the output c_r = Σ_j α_rj V x_j, α_r the softmax over j of (Q x_r)·(K x_j). Wanted are u_b for the second token and
u_b - u_c for the first; "≈" is read as ‖c_r - wanted‖ <= error·β, β being the length of every u. Which weights bring that
about is free. Scores and values are exact rationals; exponentials are balls.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from headwright import arrays, balls
from headwright.problems.judges.numbers import ROUNDING
from headwright.problems.settings import Setting
from headwright.verdict import Proved, Refuted, Undecided, Verdict

_BITS = (128, 512, 2048)
WANTED = {0: (0, 1, -1, 0), 1: (0, 1, 0, 0)}  # in units of u_a … u_d, by row
CLAIM = "the second token has the output c_2 ≈ u_b, and the first c_1 ≈ u_b - u_c"
OUTPUTS = {0: "c_1", 1: "c_2"}


def judge_layer_numbers(maps: dict[str, np.ndarray], setting: Setting) -> Verdict:
    """Q and K (r, 4) with one number of rows, V (4, 4)."""
    checked_maps(maps)
    tokens = setting.keys
    assert tokens is not None
    beta = float(setting.names["beta"])
    allowed = setting.error * (1 + ROUNDING)
    scope = (
        f"the tokens of the setting, β = {beta:g}; outputs to within {arrays.show(setting.error)}·β in length, up to rounding "
        "(one part in 10^12)"
    )
    found = {row: _off(tokens, maps, row, beta, allowed) for row in WANTED}
    shown = ", ".join(f"{OUTPUTS[row]} by {text}·β" for row, (_, text) in found.items())
    reason = f"The outputs are off: {shown}. Allowed is {arrays.show(setting.error)}·β."
    method = "exact scores and values, exponentials in balls"
    if any(state is False for state, _ in found.values()):
        row = next(row for row, (state, _) in found.items() if state is False)
        point = {"β": f"{beta:g}", "output": OUTPUTS[row], "off by": f"{found[row][1]}·β"}
        return Refuted(CLAIM, scope=scope, counterexample=point, reason=reason, method=method)
    if any(state is None for state, _ in found.values()):
        return Undecided(CLAIM, scope=scope, reason="an output is too close to its limit", next_step="sharper maps")
    return Proved(CLAIM, scope=scope, reason=reason, method=method)


def checked_maps(maps: dict[str, np.ndarray]) -> None:
    """ValueError for maps that do not fit four dimensions and each other."""
    for name in ("Q", "K"):
        if maps[name].shape[1] != 4:
            raise ValueError(f"`{name}` must have 4 columns, one for each of u_a … u_d, got shape {maps[name].shape}")
    if len(maps["Q"]) != len(maps["K"]):
        raise ValueError(f"`Q` and `K` must have as many rows as each other, got {len(maps['Q'])} and {len(maps['K'])}")
    if maps["V"].shape != (4, 4):
        raise ValueError(f"`V` must have shape (4, 4), got {maps['V'].shape}")


def _off(
    tokens: np.ndarray, maps: dict[str, np.ndarray], row: int, beta: float, allowed: Fraction
) -> tuple[bool | None, str]:
    """(whether ‖c_r - wanted‖ <= allowed·β, None where that is open; that distance over β in words)."""
    numerators, exponent = balls.exact_product(tokens, maps["K"].T, maps["Q"], tokens[row])
    values, unit = balls.exact_product(tokens, maps["V"].T)
    scores = [int(x) * Fraction(2) ** exponent for x in numerators]
    top = max(scores)
    text = "an unknown length"
    for bits in _BITS:
        with balls.precision(bits):
            powers = [balls.exact(score - top).exp() for score in scores]
            whole = balls.total(powers)
            parts = []
            for column, wanted in zip(values.T.tolist(), WANTED[row], strict=True):
                exact = [balls.exact(int(v) * Fraction(2) ** unit / Fraction(beta)) for v in column]
                mean = balls.total([p * v for p, v in zip(powers, exact, strict=True)]) / whole
                parts.append((mean - wanted) ** 2)
            square = balls.total(parts)
            distance = balls.upper(square)
            text = text if distance is None else f"{float(min(distance, Fraction(10) ** 300)) ** 0.5:.3g}"
            if square <= balls.exact(allowed) ** 2:
                return True, text
            if square > balls.exact(allowed) ** 2:
                return False, text
    return None, text
