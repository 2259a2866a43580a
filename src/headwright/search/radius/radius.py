"""radius: how far keys may move before a claim breaks. Float64 finds where, and two proofs say so.

For one head the worst case has a formula (`proofs.withstands`), so its root is found in float64 first. The claim is then
proved a hair below the root and refuted a hair above it. A root that is slightly off costs a few more proofs, nothing else. For
several heads, and for goals with too many subsets, the proofs themselves are bisected.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from headwright.kernel import balls, inputs
from headwright.kernel.goals import Goal, Top
from headwright.kernel.heads import Heads
from headwright.kernel.region import Region
from headwright.kernel.top_gap import TopGap
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.kernel.within_error import WithinError
from headwright.kernel.withstands import Withstands
from headwright.search.radius.float_worst import crossing
from headwright.search.radius.radius_result import Radius
from headwright.search.random_keys.outcome import heads_of
from headwright.words.batches import rows_of, wants_each
from headwright.words.design import Design
from headwright.words.key_models import KeyModel
from headwright.words.profiles import own_region, region_of

Number = float | str | Fraction
_LEAST, _MOST = 2.0**-1000, 2.0**1000  # the radii that are tried
# Parts of the root: two of the first are within the promised width and far above rounding. The others serve a root that is off.
_HAIRS = (2.0**-22, 2.0**-16, 2.0**-8, 1.0, 2.0**8, 2.0**64, 2.0**512, math.inf)
_WIDTH = 1e-6  # promised for one head, of the upper end
_ROUGH = 2.0**-14  # width of the bisection where the proof is a bound and no interval is promised
_USED_UP = 1e-6  # an error this near to the asked one, as a part of it, leaves nothing for keys that move


def radius(
    keys: ArrayLike,
    design: Design | ArrayLike,
    goal: Goal | Top | None = None,
    *,
    error: Number | None = None,
    gap: Number | None = None,
    norm: Literal["box", "ball"] = "box",
    per: Literal["key", "channel", "entry"] | None = None,
    profile: ArrayLike | None = None,
    scale: Number | None = None,
    mix: ArrayLike | Literal["equal"] | None = None,
    each: bool = False,
) -> Radius:
    """The largest t such that the weights stay within `error` of `goal` however each key moves within t times `profile`.

    `profile` has one number per key (n,), per channel (d,) or per entry (n, d), and is 1 everywhere unless given. `per` ("key",
    "channel" or "entry") names its axis, and is needed where n = d. With `norm="box"` coordinate c of key j moves by at most
    t·profile[j, c]. With "ball" key j moves within the ellipsoid with these semi-axes. A zero holds its coordinate in place.

    `design` is a Design or raw queries, as for `certify`. With `each=True` the result is a list, one Radius per query. `error`
    is by default what the Design was asked for. A design of least norm has used that up, and a ValueError then asks for a larger
    one. The radius that a Design was made for is tried as well, where its `norm` and profile are these. For `Top` the claim is
    that every named key keeps a score gap of at least `gap` over the others, or any positive gap.

    If no move of any size breaks the claim, both ends are infinite, and `reason` says why. The verdict is then about radius 1.
    For one head `(high - low) / high` is at most 10^-6. For several heads the claim is proved by a bound, which may leave a wide
    interval open (`exact=False`).

    >>> import numpy as np, headwright as hw
    >>> keys = np.eye(3)
    >>> found = radius(keys, [9.0, 0.0, 0.0], hw.Copy(0), error=0.01)
    >>> print(f"{found.low:.4f} {found.high:.4f}", hw.certify(keys, [9.0, 0.0, 0.0], hw.Copy(0), radius=found.low).status)
    0.2062 0.2062 proved
    """
    if isinstance(keys, KeyModel):
        raise TypeError("`keys` must be an array for `radius`: keys that vary at random have `certify(confidence=)`")
    if wants_each(each, design, mix):
        options: Any = {"error": error, "gap": gap, "norm": norm, "per": per, "profile": profile, "scale": scale}
        return [radius(keys, row, goal, **options) for row in rows_of(design)]  # type: ignore[return-value]  # a list
    heads = heads_of(keys, design, scale, mix)
    question = _question(heads, design, goal, error, gap, region_of(heads.keys, 1, norm, per, profile))
    fixed = question.fixed.prove()
    if isinstance(fixed, Refuted):
        return question.result(None, None, 0.0, fixed, exact=True)
    if question.default and isinstance(fixed, Proved) and fixed.bound is not None:
        asked = float(question.moving.error)  # type: ignore[union-attr]  # only an error has a default
        if fixed.bound >= asked * (1 - _USED_UP):
            raise ValueError(
                f"this design has used up its error: it reaches {fixed.bound:.6g} of the {asked:.6g} asked, so no key may move; "
                f"pass a larger `error`{_larger(fixed.bound)}"
            )
    if reason := question.holds_for_every_move():
        at_one = question.at(1.0)
        if isinstance(at_one, Proved):
            return question.result(math.inf, at_one, math.inf, None, exact=True, reason=reason)
        return question.result(None, None, math.inf, None, exact=False)
    own = own_region(design)
    if not question.moving.exact:
        return question.bisected(fixed, own)
    return question.around(crossing(question.moving, _LEAST, _MOST), fixed, own)


def _larger(error: float) -> str:
    """Advice of an error with twice these odds, in as few digits as lie between it and 1; empty where float64 has none."""
    doubled = 2 * error / (1 + error)
    shown = (f"{doubled:.{digits}g}" for digits in range(2, 18))
    fits = next((text for text in shown if error < Fraction(text) < 1), None)
    return "" if fits is None else f", such as `error={fits}`"


@dataclass(frozen=True)
class _Question:
    """The claim at radius 1, the same claim about keys that stay, and whether its error is the design's own."""

    moving: Withstands | TopGap
    fixed: WithinError | TopGap
    default: bool

    def at(self, t: float) -> Verdict:
        """The verdict at this radius."""
        region = self.moving.region
        assert region is not None
        return replace(self.moving, region=Region(Fraction(t), region.norm, region.profile)).prove()

    def holds_for_every_move(self) -> str | None:
        """Why the claim at one radius is the claim at every radius, or holds for any weights; None otherwise. Exact."""
        heads, region = self.moving.heads, self.moving.region
        assert region is not None
        profile = np.ones((1, 1)) if region.profile is None else region.profile
        reached = np.broadcast_to(profile.max(axis=0), heads.keys.shape[1])
        moving = (reached > 0).tolist()
        if not any(c and moves for point in heads.points for c, moves in zip(point.tolist(), moving, strict=True)):
            return "every query is 0 where keys may move, so that no score changes"
        if isinstance(self.moving, TopGap) or len(self.moving.goal.indices) < heads.n:
            return None
        most = 1 - min(self.moving.goal.shares)
        return f"no weights are further than {inputs.show(most)} from the goal" if self.moving.error >= most else None

    def result(
        self,
        low: float | None,
        verdict: Verdict | None,
        high: float,
        refutation: Verdict | None,
        *,
        exact: bool,
        reason: str | None = None,
    ) -> Radius:
        region = self.moving.region
        assert region is not None
        return Radius(low, high, exact, region.norm, region.profile, verdict, refutation, reason)

    def _try_own(self, ends: _Ends, own: Region | None) -> None:
        """Try the radius that the design was made for, where it is measured alike: a root in float64 may lie a hair below it."""
        region = self.moving.region
        if own is not None and region is not None and own.norm == region.norm and _same(own.profile, region.profile):
            ends.try_at(balls.float_below(own.radius))

    def around(self, root: float, fixed: Verdict, own: Region | None) -> Radius:
        """The result near a root found in float64: proofs on both sides of it, further away where they do not agree with it."""
        ends = _Ends(self.at)
        for hair in _HAIRS:
            if ends.low is None:
                ends.try_at(max(root / (1 + hair), _LEAST))
            if ends.high is None:
                ends.try_at(min(root * (1 + hair), _MOST))
        self._try_own(ends, own)
        ends.close(_WIDTH)
        return self._from(ends, fixed, exact=True)

    def bisected(self, fixed: Verdict, own: Region | None) -> Radius:
        """The result where no root is known: doubled and bisected by proofs, for the largest proved and the smallest refuted."""
        ends = _Ends(self.at)
        t, step = 1.0, 8.0
        ends.try_at(t)
        while ends.low is None and t / step >= _LEAST:
            t /= step
            ends.try_at(t)
            step = step * step if t < 2.0**-60 else step
        t, step = 1.0, 8.0
        while ends.high is None and t * step <= _MOST:
            t *= step
            ends.try_at(t)
            step = step * step if t > 2.0**60 else step
        self._try_own(ends, own)
        ends.widen(_ROUGH)
        return self._from(ends, fixed, exact=False)

    def _from(self, ends: _Ends, fixed: Verdict, *, exact: bool) -> Radius:
        low: float | None = None if ends.low is None else ends.low[0]
        verdict = None if ends.low is None else ends.low[1]
        if low is None and isinstance(fixed, Proved):
            low, verdict = 0.0, fixed
        high, refutation = ends.high or (math.inf, None)
        narrow = low is not None and low > 0 and (high - low) <= _WIDTH * high
        return self.result(low, verdict, high, refutation, exact=exact and narrow)


class _Ends:
    """The largest radius proved so far and the smallest refuted, with their verdicts."""

    def __init__(self, judge: Callable[[float], Verdict]) -> None:
        self.judge = judge
        self.low: tuple[float, Verdict] | None = None
        self.high: tuple[float, Verdict] | None = None

    def try_at(self, t: float) -> None:
        verdict = self.judge(t)
        if isinstance(verdict, Proved) and (self.low is None or t > self.low[0]):
            self.low = t, verdict
        if isinstance(verdict, Refuted) and (self.high is None or t < self.high[0]):
            self.high = t, verdict

    def close(self, width: float) -> None:
        """Bisect until the ends are this near, as a part of the upper one, or a verdict in between stays open."""
        while self.low and self.high and self.high[0] - self.low[0] > width * self.high[0]:
            before = self.low, self.high
            self.try_at(_middle(self.low[0], self.high[0]))
            if (self.low, self.high) == before:
                break

    def widen(self, width: float) -> None:
        """Push the proved end up and the refuted end down, each as far as its own proofs go."""
        if self.low:
            bound = self.high[0] if self.high else _MOST
            while bound - self.low[0] > width * bound:
                middle = _middle(self.low[0], bound)
                self.try_at(middle)
                bound = bound if self.low[0] >= middle else middle
        if self.high:
            bound = self.low[0] if self.low else 0.0
            while self.high[0] - bound > width * self.high[0]:
                middle = _middle(bound, self.high[0])
                self.try_at(middle)
                bound = bound if self.high[0] <= middle else middle


def _same(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    return one is other if one is None or other is None else bool(np.array_equal(one, other))


def _middle(low: float, high: float) -> float:
    """Between two radii: by ratio if they are far apart."""
    return math.sqrt(low) * math.sqrt(high) if low > 0 and high > 2 * low else low + (high - low) / 2


def _question(heads: Heads, design: Any, goal: Any, error: Any, gap: Any, region: Region) -> _Question:
    own = design if isinstance(design, Design) else None
    wanted = own.goal if goal is None and own is not None else goal
    if isinstance(wanted, Top):
        if error is not None:
            raise ValueError("`error` does not go with `Top`, which asks for a score gap: use `gap`")
        least = None if gap is None else inputs.rational(gap, name="gap")
        return _Question(TopGap(heads, wanted, least, region), TopGap(heads, wanted, least), default=False)
    if gap is not None:
        raise ValueError("`gap` goes with `Top` alone; other goals ask for an error")
    if not isinstance(wanted, Goal):
        raise TypeError(f"`goal` must be a goal such as Copy(3), got {type(wanted).__name__}")
    default = error is None and own is not None and isinstance(own.goal, Goal)
    asked: Any = own.asked if default and own is not None else 0.01 if error is None else error
    exact = inputs.rational(asked, name="error")
    return _Question(Withstands(heads, wanted, exact, region), WithinError(heads, wanted, exact), default)
