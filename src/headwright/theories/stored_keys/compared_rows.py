"""How far softmax weights move when keys are replaced: proved bounds for every query, in float64 and without trusting libm.

All scores here are in base 2: q̃ = q · scale · log2(e), so that weights are powers of two. For one query, with scores s_j of the
keys and moves δ_j = q̃·(k'_j - k_j), and with any numbers M, c and o, let

    a_j = 2^(s_j - M),   g_j = 2^(δ_j - c) - o,   A = Σ a_j,   ḡ = Σ a_j g_j / A,   B = Σ a_j (o + g_j).

Then α_j = a_j / A and α'_j = a_j (o + g_j) / B, so α'_j - α_j = a_j (g_j - ḡ) / B, and the total variation is

    TV = Σ a_j |g_j - ḡ| / (2B).

If all moves are within 1/2, c is 1 and o is 1/2: the moves enter by themselves, so that the bounds of a small TV are tight too.
Otherwise o is 0. If all scores are within 200 and all moves within 100, M and such a c are 0, since the weights and their sums
are then well inside float64. Otherwise M is the largest score and c the largest s_j - M + δ_j, both as computed.

**Radii.** Let u = 2^-53. A dot product of length d, in any order, with or without fused multiply-add, is off by at most
γ_d |q̃|·|k| <= γ_d ‖q̃‖‖k‖. The roundings of scale · log2(e), of its product with q and of k' - k cost at most 5u of the same. So
every s_j is known to ρ = (d + 12) u ‖q̃‖ max‖k_i‖, and every δ_j to r = (d + 12) u ‖q̃‖ max‖k'_i - k_i‖. Underflow is covered
as in `scores.py`.

**Terms.** Let â, ĝ be what is computed. Exponents s_j - M and δ_j - c lie between -860 and 860, and are rounded by at most
860u < 2^-43. Powers have relative error 2^-35. So |a_j - â_j| <= η â_j with η = ρ + 2^-34, since 2^t - 1 <= t for 0 <= t <= 1.
For the same reason |g_j - ĝ_j| <= 2^-34 |ĝ_j| + r' (o + ĝ_j) with r' = 1.01 r. An exponent below -860 counts as -860. That
changes each sum by less than n · 2^-450, because δ_j - c <= 400 for keys with s_j - M < -850. Rows in which that is not so are
given up. Where it happens, M is the largest score, so that A > 1/2, and n · 2^-449 A covers it. A key that a query cannot see
counts as one of exponent -860 and move 0. Since A > 2^-201 in every row, that is covered too, and so is underflow.

**Sums.** ν = (n + 8) u bounds the relative error of a sum of n products of non-negative numbers. Let Ĝ = Σ âĝ, ĥ = Ĝ / Â,
T̂ = Σ â|ĝ - ĥ|, W = T̂ + Â|ĥ| >= Σ â|ĝ| and E = 2^-34 W + r' (oÂ + W) >= Σ â|g - ĝ|. Then

    Σ |a_j (g_j - ḡ) - â_j (ĝ_j - ĥ)|  <=  F = 2ηT̂ + 2(1 + η)E + ν(W + 2Â|ĥ|),
    |B - (oÂ + Ĝ)|                      <=  H = (η + 2ν)(oÂ + W) + (1 + η)E.

The first holds because Σ|a - â||ĝ - ĥ| <= ηT̂ and Σ a|g - ĝ| <= (1 + η)E, and because the same two with the roundings of Ĝ
and ĥ bound A|ḡ - ĥ| = |Σ a_j (g_j - ĥ)|. All these terms are non-negative, so their own roundings are covered by the factor
`_MORE`.

**Outputs.** B(o' - o) = Σ a_j (g_j - ḡ) v_j + Σ a_j (o + g_j)(v'_j - v_j), with the errors F max‖v‖ + H max‖v' - v‖ of its
factors, and ν of the sums of norms for its products.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from headwright.kernel import budget
from headwright.kernel.inputs import need_gradual_underflow
from headwright.theories.stored_keys.powers import LOG2E, exp2, half_exp2_less_half

_LONGEST_DOT, _LONGEST_SUM = 2**20, 2**28  # up to here (n + 8)u and (d + 12)u cover the squares of n u and d u
_BLOCK = 2**19  # scores held at once, in each of two buffers
_CHUNK = 2**17  # scores that one pass works on: they stay in the cache, and a pass takes longer than its call
_UNIT = 2.0**-53
_MORE = 1 + 2.0**-40
_LOWEST, _HIGHEST = -860.0, 400.0
_FAR_SCORE, _FAR_MOVE = 200.0, 100.0  # up to here no weight and no square of an output comes near the ends of float64
_NEAR = 0.5
_WIDEST = 2.0**-6  # no larger radius is used


class Moved(NamedTuple):
    """Bounds for every query: of the total variation, and of the norm of the output's change (None without values).

    `kept` says that the same key or keys have the largest score before and after, `changed` that no key has it both times.
    Both are True only where that is proved. Where float64 proves nothing, `low` is 0, `high` is 1, and the output's bounds
    are 0 and infinity.
    """

    low: np.ndarray
    high: np.ndarray
    kept: np.ndarray
    changed: np.ndarray
    output_low: np.ndarray | None
    output_high: np.ndarray | None


def moved_rows(
    keys: np.ndarray,
    stored: np.ndarray,
    queries: np.ndarray,
    scale: Fraction,
    *,
    causal: bool = False,
    values: np.ndarray | None = None,
    stored_values: np.ndarray | None = None,
) -> Moved:
    """The bounds for each of m queries when keys (n, d) become `stored`, and values (n, v) become `stored_values`.

    With `causal`, query i sees the first n - m + i + 1 keys.

    >>> moved = moved_rows(np.eye(2), np.array([[1.0, 0.0], [0.0, 1.5]]), np.array([[0.0, 2.0]]), Fraction(1))
    >>> exact = 1 / (1 + math.exp(-3)) - 1 / (1 + math.exp(-2))
    >>> bool(moved.low[0] <= exact <= moved.high[0]), bool(moved.high[0] - moved.low[0] < 1e-9), moved.kept.tolist()
    (True, True, [True])
    """
    need_gradual_underflow()
    (n, d), m = keys.shape, len(queries)
    width = 0 if values is None else values.shape[1]
    budget.spend(m * n * ((d + width) // 8 + 20) + 8 * n * (d + width))
    rows = max(1, min(m, _BLOCK // n))
    free = max(n, min(_CHUNK, rows * n))
    budget.hold(16 * (rows * n + free) + 8 * n * (d + width) + 8 * m * width)
    with np.errstate(all="ignore"):
        turned = queries * _nearest(scale * LOG2E)
        moves = stored - keys
        other = None if values is None or stored_values is None else stored_values - values
        if not moves.any() and (other is None or not other.any()):  # nothing moves
            none = None if values is None else np.zeros(m)
            return Moved(np.zeros(m), np.zeros(m), np.ones(m, bool), np.zeros(m, bool), none, none)
        radii = _radius(turned, keys), _radius(turned, moves)
        space, spare = np.empty((2, rows * n)), np.empty((2, free))
        visible = np.tri(rows, rows - 1, -1)  # of the keys that the first query of a block does not see
        sight = np.stack([visible, np.where(visible, 0.0, -np.inf)])
        parts, changes = [], []
        for start in range(0, m, rows):
            stop = min(start + rows, m)
            seen = n - m + stop if causal else n
            s, g = (part[: (stop - start) * seen].reshape(-1, seen) for part in space)
            np.matmul(turned[start:stop], keys[:seen].T, out=s)
            np.matmul(turned[start:stop], moves[:seen].T, out=g)
            first = n - m + start + 1 if causal else n  # how many keys the first query of the block sees
            own = sight[:, : stop - start, : seen - first]
            parts.append(_sums(s, g, [radius[start:stop] for radius in radii], own, d, spare))
            if values is not None:
                changes.append(_output(s, g, parts[-1], values, other))
        sums = Sums(*map(np.concatenate, zip(*parts, strict=True)))
        if values is None:
            return bounds(sums, n, None)
        sizes = [0.0 if part is None else float(norms_above(part).max()) for part in (values, other)]
        return bounds(sums, n, (np.concatenate(changes), sizes[0], sizes[1]))


class Sums(NamedTuple):
    """For every query: Â, Ĝ, T̂, o, the radii ρ and r', whether all this can be used, and what is known of the winner."""

    total: np.ndarray
    shift: np.ndarray
    spread: np.ndarray
    base: np.ndarray
    rho: np.ndarray
    move: np.ndarray
    sound: np.ndarray
    kept: np.ndarray
    changed: np.ndarray


def _sums(s: np.ndarray, g: np.ndarray, radii: list[np.ndarray], sight: np.ndarray, d: int, spare: np.ndarray) -> Sums:
    """The sums of a block, chunk by chunk. Afterwards `s` holds â, and `g` holds ĝ - ĥ.

    Where both radii are at most 2^-6, all scores lie below 2^48, so that nothing overflows. Other rows count as zero. No
    score is larger than ‖q̃‖ max‖k‖, which ρ tells.
    """
    rows, seen = s.shape
    sound = (radii[0] <= _WIDEST) & (radii[1] <= _WIDEST)
    s[~sound], g[~sound] = 0.0, 0.0
    farthest = 1.01 * float(radii[0].max(where=sound, initial=0.0)) / ((d + 12) * _UNIT)
    step = max(1, _CHUNK // seen)
    parts = []
    for i in range(0, rows, step):
        chunk = slice(i, min(i + step, rows))
        free = [part[: (chunk.stop - i) * seen].reshape(-1, seen) for part in spare]
        own = s[chunk], g[chunk], radii[0][chunk], radii[1][chunk], sound[chunk], sight[:, chunk], free
        parts.append(_chunk(*own, farthest))
    return Sums(*map(np.concatenate, zip(*parts, strict=True)))


def _chunk(
    s: np.ndarray,
    g: np.ndarray,
    rho: np.ndarray,
    move: np.ndarray,
    sound: np.ndarray,
    sight: np.ndarray,
    spare: list[np.ndarray],
    farthest: float,
) -> Sums:
    visible, wall = sight  # 1 and 0 for a key that a query sees, 0 and -inf for one that it does not
    last = s.shape[1] - visible.shape[1]
    s_last, g_last = s[:, last:], g[:, last:]
    s_last += wall
    g_last *= visible
    top = s.argmax(axis=1)
    kept, changed, highest = _winner(s, g, rho, move, top, spare[0])
    most, least = float(g.max()), float(g.min())
    near = max(most, -least) <= _NEAR
    if not (farthest <= _FAR_SCORE and max(most, -least) <= _FAR_MOVE):
        largest = s[np.arange(len(s)), top]
        s -= largest[:, None]
        if not near:
            highest -= largest
            g -= highest[:, None]
            g_last *= visible
            most, least = most - float(highest.min()), least - float(highest.max())  # bounds of what g holds now
            if most > _HIGHEST:
                sound = sound & ~((g > _HIGHEST) & (s < _LOWEST + 10)).any(axis=1)
            if not (most <= -_LOWEST and least >= _LOWEST):
                np.clip(g, _LOWEST, -_LOWEST, out=g)
        np.maximum(s, _LOWEST, out=s)
    np.maximum(s_last, _LOWEST, out=s_last)
    exp2(s, *spare)
    if near:
        half_exp2_less_half(g, max(most, -least), *spare)
    else:
        exp2(g, *spare)
    total, shift = s @ np.ones(s.shape[1]), np.vecdot(s, g)
    g -= (shift / total)[:, None]
    spread = np.vecdot(s, np.abs(g, out=spare[0]))
    return Sums(total, shift, spread, np.full(len(s), 0.5 if near else 0.0), rho, 1.01 * move, sound, kept, changed)


def _winner(
    s: np.ndarray, g: np.ndarray, rho: np.ndarray, move: np.ndarray, top: np.ndarray, spare: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Whether the key with the largest score stays the only largest, whether it is overtaken, and the largest new score.

    A sum s + δ and a difference of two scores are each rounded by at most a thirteenth of the radii of their terms. So a
    difference of two scores is off by less than 3ρ, and one of two new scores by less than 3(ρ + r).
    """
    every = np.arange(len(s))
    largest = s[every, top]
    s[every, top] = -np.inf
    alone = s.max(axis=1) - largest < -3 * rho
    s[every, top] = largest
    np.add(s, g, out=spare)
    own = spare[every, top]
    spare[every, top] = -np.inf
    others, sure = spare.max(axis=1), 3 * (rho + move)
    usable = alone & (rho <= _WIDEST) & (move <= _WIDEST)
    return usable & (own - others > sure), usable & (others - own > sure), np.maximum(own, others)


def bounds(sums: Sums, n: int, output: tuple[np.ndarray, float, float] | None) -> Moved:
    """The bounds from sums over at most n keys, as derived above; `output` has B(o' - o), max‖v‖ and max‖v' - v‖."""
    nu, eta, tail = (n + 8) * _UNIT, sums.rho + 2.0**-34, n * 2.0**-449 * sums.total
    total, spread = sums.total * (1 + 2 * nu), sums.spread * (1 + 2 * nu)
    middle = total * np.abs(sums.shift / sums.total)
    weight = spread + middle
    after = sums.base * total + weight
    moves = 2.0**-34 * weight + sums.move * after
    off = (2 * eta * spread + 2 * (1 + eta) * moves + nu * (weight + 2 * middle)) * _MORE + tail
    off_below = ((eta + 2 * nu) * after + (1 + eta) * moves) * _MORE + tail
    below = sums.base * sums.total + sums.shift
    least, most = (below - off_below) * (2 - _MORE), (below + off_below) * _MORE
    sound = sums.sound & (least > 0)
    high = np.where(sound, np.minimum((spread + off) / (2 * least) * _MORE, 1.0), 1.0)
    low = np.where(sound, np.maximum((sums.spread * (1 - 2 * nu) - off) / (2 * most) * (2 - _MORE), 0.0), 0.0)
    if output is None:
        return Moved(low, high, sums.kept, sums.changed, None, None)
    change, size, other = output
    length, round_off = np.sqrt(np.einsum("ij,ij->i", change, change)), (change.shape[1] + 8) * _UNIT
    slack = ((off + nu * spread) * size + (off_below + 2 * nu * after) * other) * _MORE + 2.0**-500
    above = (length * (1 + round_off) + slack) / least * _MORE
    under = (length * (1 - round_off) - slack) / most * (2 - _MORE)
    usable = sound & np.isfinite(above)
    ends = np.where(usable, np.maximum(under, 0.0), 0.0), np.where(usable, above, np.inf)
    return Moved(low, high, sums.kept, sums.changed, *ends)


def _output(s: np.ndarray, g: np.ndarray, sums: Sums, values: np.ndarray, other: np.ndarray | None) -> np.ndarray:
    """B(o' - o) for every query of a block, from â and ĝ - ĥ."""
    seen = s.shape[1]
    g *= s
    change: np.ndarray = g @ values[:seen]
    if other is not None:
        s *= (sums.base + sums.shift / sums.total)[:, None]
        s += g
        change += s @ other[:seen]
    return change


def _nearest(factor: Fraction) -> float:
    """The float nearest to a factor of scores; infinite, so that nothing is proved, where its relative error may be large."""
    return float(factor) if Fraction(2) ** -500 < factor < Fraction(2) ** 500 else math.inf


def _radius(turned: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(d + 12) u ‖q̃‖ max‖row‖ for every query, and what underflow may lose; infinite if sums are too long."""
    n, d = rows.shape
    if d > _LONGEST_DOT or n > _LONGEST_SUM:
        return np.full(len(turned), np.inf)
    sizes, largest = norms_above(turned), norms_above(rows).max()
    radius: np.ndarray = (
        (d + 12) * _UNIT * sizes * largest + 4 * (d + 12) * 2.0**-1022 * (1 + sizes + largest)
    ) * _MORE
    return radius


def norms_above(rows: np.ndarray) -> np.ndarray:
    """Numbers not below the Euclidean norms of the rows; infinite where a square overflows.

    The sum of d squares and its root are off by at most (d/2 + 2)u, and underflow by at most √d · 2^-511.
    """
    squares = np.einsum("ij,ij->i", rows, rows)
    above: np.ndarray = np.sqrt(squares) * (1 + (rows.shape[1] + 8) * _UNIT) + 2.0**-500
    return above
