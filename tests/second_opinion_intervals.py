"""Arrays of intervals by their two ends, for the second opinion on programs: float64, every operation rounded outward.

A sum or product rounded to nearest is off by half a unit in its last place, so the neighbour on either side bounds it. Matrix
products are bounded as a whole: (k + 2) · 2^-53 · 1.01 of the product of absolute values, for k terms in any order.
"""

import numpy as np

TINY = 2.0**-1060  # more than the products of one sum can lose to underflow
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # k · LN2_HIGH is exact for |k| < 2^20
EXP_SLACK = 2.0**-46


def down(x):
    return np.nextafter(x, -np.inf)


def up(x):
    return np.nextafter(x, np.inf)


class Box:
    """Numbers between `lo` and `hi`, entry by entry."""

    def __init__(self, lo, hi=None):
        self.lo = np.asarray(lo, dtype=np.float64)
        self.hi = self.lo if hi is None else np.asarray(hi, dtype=np.float64)

    def __getitem__(self, index):
        return Box(self.lo[index], self.hi[index])

    def __add__(self, other):
        other = other if isinstance(other, Box) else Box(other)
        # Adding an exact zero does not round: boxes of what nobody wrote stay exact.
        lo, hi = self.lo + other.lo, self.hi + other.hi
        return Box(
            np.where((self.lo == 0) | (other.lo == 0), lo, down(lo)),
            np.where((self.hi == 0) | (other.hi == 0), hi, up(hi)),
        )

    def __neg__(self):
        return Box(-self.hi, -self.lo)

    def __sub__(self, other):
        return self + (-(other if isinstance(other, Box) else Box(other)))

    def __mul__(self, other):
        other = other if isinstance(other, Box) else Box(other)
        ends = [a * b for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        low, high = np.minimum.reduce(ends), np.maximum.reduce(ends)
        zero = ((self.lo == 0) & (self.hi == 0)) | ((other.lo == 0) & (other.hi == 0))
        return Box(np.where(zero, 0.0, down(low)), np.where(zero, 0.0, up(high)))

    def over(self, positive):
        """Divided by a box of positive numbers."""
        ends = [a / b for a in (self.lo, self.hi) for b in (positive.lo, positive.hi)]
        return Box(down(np.minimum.reduce(ends)), up(np.maximum.reduce(ends)))

    def wider(self, by):
        """With `by` >= 0 more on both sides."""
        by = np.asarray(by)
        return Box(np.where(by == 0, self.lo, down(self.lo - by)), np.where(by == 0, self.hi, up(self.hi + by)))

    @property
    def size(self):
        """The largest absolute value of each entry."""
        return np.maximum(np.abs(self.lo), np.abs(self.hi))

    @property
    def middle(self):
        return self.lo / 2 + self.hi / 2

    @property
    def radius(self):
        mid = self.middle
        exact = self.lo == self.hi
        return np.where(exact & (mid == self.lo), 0.0, up(np.maximum(up(self.hi - mid), up(mid - self.lo))))

    def hull(self, axis=0):
        return Box(self.lo.min(axis=axis), self.hi.max(axis=axis))

    def joined(self, other):
        return Box(np.minimum(self.lo, other.lo), np.maximum(self.hi, other.hi))

    def only(self, where):
        """Empty boxes (from inf to -inf) where `where` is false: they vanish in hulls."""
        return Box(np.where(where, self.lo, np.inf), np.where(where, self.hi, -np.inf))


def product(left, right):
    """The box of left @ right for two arrays of points."""
    made = left @ right
    error = slack(left.shape[-1]) * (np.abs(left) @ np.abs(right))
    return Box(made).wider(np.where(error > 0, up(error) + TINY, 0.0))


def box_product(box, matrix):
    """The box of x @ m for x in the box and m in the box of matrices."""
    xm, xr, mm, mr = box.middle, box.radius, matrix.middle, matrix.radius
    made = product(xm, mm)
    spread = above_product(np.abs(xm), mr) + above_product(xr, up(np.abs(mm) + mr))
    return made.wider(np.where(spread > 0, up(spread), 0.0))


def above_product(left, right):
    """An upper bound on left @ right for arrays without negative entries; 0 where the product is exactly 0."""
    made = left @ right
    return np.where(made > 0, made * (1 + slack(left.shape[-1])) + TINY, 0.0)


def slack(terms):
    return (terms + 2) * 2.0**-53 * 1.01


def exponential(x):
    """(a lower, an upper) bound on e^x.

    With k the nearest whole number to x / ln 2, r = x - k ln 2 is off by less than 2^-51, its series to r^15 by less than
    2^-60 of e^r, and Horner's scheme by less than 2^-49: together far below EXP_SLACK.
    """
    x = np.asarray(x, dtype=np.float64)
    inner = np.clip(x, -690.0, 690.0)
    k = np.rint(inner / (LN2_HIGH + LN2_LOW))
    r = (inner - k * LN2_HIGH) - k * LN2_LOW
    made = np.ones_like(r)
    for n in range(15, 0, -1):
        made = 1.0 + r * made / n
    made = np.ldexp(made, k.astype(np.int64))
    low = np.where(x < -690.0, 0.0, made * (1 - EXP_SLACK))
    high = np.where(x > 690.0, np.inf, made * (1 + EXP_SLACK))
    exact = x == 0
    return np.where(exact, 1.0, low), np.where(exact, 1.0, np.where(x == -np.inf, 0.0, high))


def blended(base, *others):
    """The box of (v + Σ m_k v_k) / (1 + Σ m_k) for v in `base` and each pair (box of masses m_k >= 0, box of values v_k).

    The quotient is monotone in each mass, so its extremes lie at ends of the masses.
    """
    ends = [(Box(mass.lo), Box(mass.hi)) for mass, _ in others]
    every = base
    for _, value in others:
        every = Box(np.minimum(every.lo, value.lo), np.maximum(every.hi, value.hi))
    lows, highs = [], []
    for corner in range(2 ** len(others)):
        top, below = base, Box(np.ones(1))
        for number, (_, value) in enumerate(others):
            mass = ends[number][corner >> number & 1]
            top, below = top + mass * value, below + mass
        made = top.over(below)
        lows.append(made.lo)
        highs.append(made.hi)
    low, high = np.minimum.reduce(lows), np.maximum.reduce(highs)
    # A mean lies between the extremes of its terms, also where a mass is infinite and the quotient not a number.
    return Box(np.where(low >= every.lo, low, every.lo), np.where(high <= every.hi, high, every.hi))
