"""Region: how far keys may move, and what that does to scores. All claims about moved keys share it.

Key j may move by t·p_jc in coordinate c ("box"), or within the ellipsoid with these semi-axes ("ball"), independently of the
other keys. The radius is t, and the profile p is 1 everywhere unless given. For one query q the score of key j then moves by
up to

    δ_j = τ·t·Σ_c p_jc |q_c|  (box)      δ_j = τ·t·√(Σ_c (p_jc q_c)²)  (ball).

Every value in [-δ_j, δ_j] is reached, and keys move independently, so the scores fill a box exactly. Nothing is relaxed.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.record import Parts

NORMS = ("box", "ball")
_ROWS = 4096  # rows held at once as integers
_LONGEST_SUM = 2**20  # terms of a float64 sum of squares whose error is bounded here
_FLOAT_TIER = 128  # below this precision, float64 sums with a radius are as good as exact ones


@final
@dataclass(frozen=True, eq=False)
class Region(Parts):
    """Each key moves by at most `radius` > 0 times its `profile`, per coordinate ("box") or in an ellipsoid ("ball").

    `profile` >= 0 has shape (n, d), or (n, 1) for one number per key, or (1, d) for one per channel. A zero holds that
    coordinate in its place.

    >>> Region("1/20", "box").radius
    Fraction(1, 20)
    """

    radius: Fraction
    norm: str
    profile: np.ndarray | None = None

    def __post_init__(self) -> None:
        self.settle(profile="nd")
        if self.radius <= 0:
            raise ValueError(f"`radius` must be positive, got {inputs.show(self.radius)}")
        if self.norm not in NORMS:
            raise ValueError(f"`norm` must be 'box' or 'ball', got {self.norm!r}")
        if self.profile is not None and ((self.profile < 0).any() or not self.profile.any()):
            raise ValueError("`profile` must be non-negative and not all zero")

    def check(self, keys: np.ndarray) -> None:
        """ValueError unless the profile fits these keys."""
        if self.profile is not None and any(
            own not in (1, size) for own, size in zip(self.profile.shape, keys.shape, strict=True)
        ):
            raise ValueError(f"`profile` of shape {self.profile.shape} does not fit keys of shape {keys.shape}")

    @property
    def alike(self) -> bool:
        """Whether every key moves alike, so that all scores move equally far."""
        return self.profile is None or len(self.profile) == 1

    def describe(self) -> str:
        """The region in words, for the sentence of a claim."""
        where = "per coordinate" if self.norm == "box" else "in Euclidean length"
        if self.profile is None:
            return f"however each key moves by at most {inputs.show(self.radius)} {where}"
        rows, columns = self.profile.shape
        own = "key" if columns == 1 else "channel" if rows == 1 else "entry"
        times = "" if self.radius == 1 else f"{inputs.show(self.radius)} times "
        if self.norm == "ball":
            where = where if own == "key" else "in the ellipsoid with these semi-axes"
        return f"however each key moves by at most {times}the profile given per {own}, {where}"

    def move(self) -> str:
        """The move that raises a score of `query` most, as text for a counterexample."""
        unit = "sign(query)" if self.norm == "box" else "query/‖query‖"
        if self.profile is None:
            return f"radius · {unit}"
        unit = "profile_j · sign(query)" if self.norm == "box" else "profile_j² · query/‖profile_j · query‖"
        return f"radius · {unit}"

    def score_moves(self, query: balls.Vector, scale: Fraction, bits: int = _FLOAT_TIER) -> list[balls.Ball]:
        """The largest moves δ as balls at the working precision: one for all keys if they move alike, or one for each.

        A profile per entry is summed in float64 with an a-priori radius where `bits` are few, and exactly otherwise.
        """
        unit = balls.exact(scale * self.radius)
        if self.profile is None or 1 in self.profile.shape:
            one = unit * self._size(query)
            if self.profile is None or self.alike:
                return [one]
            budget.spend(2 * len(self.profile) * balls.unit_cost())
            return [balls.exact(own) * one for own in self.profile[:, 0].tolist()]
        budget.hold(100 * len(self.profile))
        enclosed = self._enclosed(query) if bits < _FLOAT_TIER and isinstance(query, np.ndarray) else None
        if enclosed is not None:
            budget.spend(len(self.profile) * balls.unit_cost())
            middle, spread, power = enclosed
            unit = unit * balls.exact(Fraction(2) ** power)
            return [unit * size for size in balls.around(middle.tolist(), spread.tolist())]
        sums, unit_of_sums = self._exact_sums(query)
        budget.spend(len(sums) * (2 * balls.unit_cost() + balls.function_cost()))
        if self.norm == "box":
            unit = unit * balls.exact(unit_of_sums)
            return [unit * balls.exact(total) for total in sums]
        root = balls.exact(unit_of_sums)
        return [unit * (root * balls.exact(total)).sqrt() for total in sums]

    def squared_moves(self, query: balls.Vector, scale: Fraction, rows: np.ndarray) -> list[Fraction]:
        """The exact δ² of the keys in `rows`."""
        unit = (scale * self.radius) ** 2
        if self.profile is None or 1 in self.profile.shape:
            square = unit * self._squared_size(query)
            if self.profile is None or self.alike:
                return [square] * len(rows)
            budget.spend(len(rows) * 4 * budget.product(budget.bits(square), 2200))
            return [Fraction(own) ** 2 * square for own in self.profile[rows, 0].tolist()]
        part = Region(self.radius, self.norm, self.profile[rows]) if self.profile[rows].any() else None
        if part is None:
            return [Fraction(0)] * len(rows)
        sums, unit_of_sums = part._exact_sums(query)
        budget.spend(len(rows) * 6 * budget.product(4400, 4400))
        if self.norm == "box":
            return [unit * (unit_of_sums * total) ** 2 for total in sums]
        return [unit * unit_of_sums * total for total in sums]

    def _parts(self, query: balls.Vector) -> list[Fraction]:
        """|q_c|, times the profile of its channel if all keys share one."""
        parts = [abs(Fraction(c)) for c in query.tolist()]
        if self.profile is None or not self.alike:
            return parts
        budget.spend(len(parts) * budget.product(2200, 2200))
        across = np.broadcast_to(self.profile[0], len(parts)).tolist()
        return [Fraction(own) * c for own, c in zip(across, parts, strict=True)]

    def _size(self, query: balls.Vector) -> balls.Ball:
        """The dual norm of the parts, as a ball; exactly 0 for the zero query."""
        parts = self._parts(query)
        if self.norm == "box":
            return balls.exact(budget.summed(parts))
        return balls.exact(budget.summed(c * c for c in parts)).sqrt()

    def _squared_size(self, query: balls.Vector) -> Fraction:
        parts = self._parts(query)
        return budget.summed(parts) ** 2 if self.norm == "box" else budget.summed(c * c for c in parts)

    def _exact_sums(self, query: balls.Vector) -> tuple[list[int], Fraction]:
        """(integers N_j, unit u): Σ_c p_jc |q_c| = u N_j for a box, Σ_c (p_jc q_c)² = u N_j for a ball."""
        assert self.profile is not None
        inputs.need_gradual_underflow()
        if isinstance(query, balls.Dyadics):
            q, q_exponent = query
        else:
            q, q_exponent = balls.integers(query, balls.lowest_exponent(query))
        if self.norm == "box":
            sums, exponent = balls.exact_scores(self.profile, balls.Dyadics(np.abs(q), q_exponent))
            return sums, Fraction(2) ** exponent
        lowest = balls.lowest_exponent(self.profile)
        # a float64 over the smallest power of two in sight has up to 2200 bits, and its square twice as many
        budget.spend(self.profile.size * budget.product(4400, 4400))
        budget.hold((min(_ROWS, len(self.profile)) * self.profile.shape[1] + len(self.profile)) * 1200)
        numerators: list[int] = []
        for start in range(0, len(self.profile), _ROWS):
            rows, _ = balls.integers(self.profile[start : start + _ROWS], lowest)
            numerators += ((rows * rows) @ (q * q)).tolist()
        return numerators, Fraction(4) ** (lowest + q_exponent)

    def _enclosed(self, query: np.ndarray) -> tuple[np.ndarray, np.ndarray, int] | None:
        """(midpoints, radii, power) with |midpoint - δ_j/(τ t 2^power)| <= radius for every key; None where float64 fails.

        For a ball, profile and query are brought to size 1 by powers of two first. Each product p q is then off by 2^-53 of
        itself and by 2^-1022 for underflow, the sum of d squares by (d+2)·2^-53 of itself and d·2^-1022, and the root by
        half of that part, 2^-53 more and the root of the last: (d+8)·2^-52 of itself and 2^-490 cover all for d <= 2^20.
        """
        assert self.profile is not None
        if self.norm == "box":
            enclosed = balls.float_scores(self.profile, np.abs(query))
            return None if enclosed is None else (*enclosed, 0)
        n, d = self.profile.shape
        budget.spend(6 * n * d)
        if d > _LONGEST_SUM:
            return None
        powers = [int(np.frexp(np.abs(x).max())[1]) for x in (self.profile, query)]
        along = np.ldexp(query, -powers[1])
        sums = np.empty(n)
        for start in range(0, n, _ROWS):
            products = np.ldexp(self.profile[start : start + _ROWS], -powers[0]) * along
            sums[start : start + _ROWS] = (products * products).sum(axis=1)
        sizes = np.sqrt(sums)
        return sizes, (d + 8) * 2.0**-52 * sizes + 2.0**-490, sum(powers)

    def direction(self, query: np.ndarray) -> np.ndarray:
        """The moves at radius 1 that raise the scores of `query` most, (1, d) or (n, d), rounded to float64."""
        profile = np.ones((1, 1)) if self.profile is None else self.profile
        if self.norm == "box":
            signs: np.ndarray = profile * np.sign(query)
            return signs
        largest = np.abs(query).max()
        scaled = profile / profile.max() * (query / largest if largest > 0 else query)
        top = np.abs(scaled).max(axis=1, keepdims=True)
        scaled = np.divide(scaled, top, out=np.zeros_like(scaled), where=top > 0)
        length = np.linalg.norm(scaled, axis=1, keepdims=True)
        units: np.ndarray = np.divide(scaled, length, out=np.zeros_like(scaled), where=length > 0)
        units *= profile
        return units

    def moved(self, keys: np.ndarray, moves: np.ndarray) -> np.ndarray | None:
        """keys + radius·moves, shrunk slightly so that the float64 keys lie in the region; None if they still do not."""
        budget.spend(20 * keys.size)
        budget.hold(8 * keys.size)
        with np.errstate(all="ignore"):
            point: np.ndarray = keys + (balls.float_below(self.radius) * (1 - 2.0**-40)) * moves
            for inside in (point, np.nextafter(point, keys)):
                if self.holds(keys, inside):
                    return inside
        return None

    def holds(self, keys: np.ndarray, moved: np.ndarray) -> bool:
        """True only if every moved key is certainly within its region.

        A float64 difference is the true one correctly rounded, so the true size is at most the next float up, and 0 if it is
        0. A float64 product is likewise at least the next float down. A sum of d squares computed in float64 is short
        of the true one by less than a part (d+4)·2^-52, plus underflow.
        """
        if moved.shape != keys.shape or not np.isfinite(moved).all():
            return False
        with np.errstate(all="ignore"):
            steps = np.abs(moved - keys)
            size = np.where(steps > 0, np.nextafter(steps, np.inf), 0.0)
            limit = np.array(balls.float_below(self.radius))
            if self.profile is not None:
                limit = np.nextafter(limit * self.profile, 0.0)
            if self.norm == "box":
                return bool((size <= limit).all())
            parts = np.where(size > 0, np.nextafter(size / limit, np.inf), 0.0)
            most = float((parts * parts).sum(axis=1).max())
        if not np.isfinite(most):
            return False
        d = keys.shape[1]
        return Fraction(most) * (1 + Fraction(d + 4, 2**52)) + Fraction(d + 4, 2**1021) <= 1


@final
class Pushed:
    """The exponentials of one head with its scores at either end of their boxes, up to a common factor.

    With `region` None nothing moves. If all keys move alike, raised scores are left as they are and lowered ones damped
    by κ = e^{-2δ}. Otherwise key j is raised by e^{δ_j} and lowered by e^{-δ_j}.
    """

    def __init__(
        self, row: balls.Table, region: Region | None, query: balls.Vector, scale: Fraction, bits: int
    ) -> None:
        self._row, self._factors = row, None
        self.moves = [balls.exact(0)] if region is None else region.score_moves(query, scale, bits)
        budget.spend(len(self.moves) * balls.function_cost())
        if len(self.moves) > 1:
            self._factors = [move.exp() for move in self.moves]
        else:
            self._kappa = (-2 * self.moves[0]).exp()

    def widest(self) -> balls.Ball:
        """A ball above every move δ_j."""
        most = self.moves[0]
        for move in self.moves[1:]:
            most = most.max(move)
        return most

    def ends(self, j: int, exponential: balls.Ball | None = None) -> tuple[balls.Ball, balls.Ball]:
        """Key j raised and lowered, from its own exponential or another ball for it."""
        e = self._row[j] if exponential is None else exponential
        if self._factors is None:
            return e, e * self._kappa
        return e * self._factors[j], e / self._factors[j]

    def raised_total(self, without: Collection[int]) -> balls.Ball:
        """The sum of all keys but those in `without`, raised."""
        if self._factors is None:
            return self._row.total(without=without)
        budget.spend(len(self._factors) * balls.unit_cost())
        left_out = set(without)
        pairs = enumerate(zip(self._row, self._factors, strict=True))
        return balls.total([e * factor for j, (e, factor) in pairs if j not in left_out])

    def both(self) -> tuple[list[balls.Ball], list[balls.Ball]]:
        """All keys raised, and all keys lowered."""
        row = list(self._row)
        budget.spend(2 * len(row) * balls.unit_cost())
        if self._factors is None:
            return row, [e * self._kappa for e in row]
        ends = [self.ends(j, e) for j, e in enumerate(row)]
        return [up for up, _ in ends], [down for _, down in ends]
