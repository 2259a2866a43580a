"""Keys that move within a profile: every claim against slow oracles, on both sides of the true value."""

import itertools
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.kernel import balls, withstands
from headwright.kernel.heads import Heads
from headwright.kernel.region import Region
from headwright.kernel.top_gap import TopGap, root_sign
from headwright.kernel.weight_bound import WeightBound
from headwright.kernel.withstands import Withstands
from tests import known_moves
from tests.known_truth import digits
from tests.second_opinion import check_counterexample, judge

HAIR = Fraction(1, 10**12)
ONE = Fraction(1)
PROFILES = {
    "key": lambda rng, n, d: rng.uniform(0, 1, size=(n, 1)),
    "channel": lambda rng, n, d: rng.uniform(0, 1, size=(1, d)),
    "entry": lambda rng, n, d: rng.uniform(0, 1, size=(n, d)) * rng.integers(0, 2, size=(n, d)),
}
GOALS = {
    "copy": hw.Copy(1),
    "average": hw.Average(0, 1, 2, 3),
    "blend": hw.Blend({0: 1, 1: 2, 2: 1, 3: 1, 4: 3}),
    "everything": hw.Average(*range(8)),
}
each = pytest.mark.parametrize
both = each("norm", ["box", "ball"])


def case(rng, per, n=8, d=3):
    keys, query = rng.normal(size=(n, d)), 2 * rng.normal(size=d)
    return keys, query, PROFILES[per](rng, n, d) / 3


def shares(goal):
    return dict(zip(goal.indices, goal.shares, strict=True))


def told_apart(claim_at, value):
    over, under = claim_at(value * (1 + HAIR)).prove(), claim_at(value * (1 - HAIR)).prove()
    assert (over.status, under.status) == ("proved", "refuted")
    assert judge(over.record) == "true"
    assert judge(under.record) == "false"
    assert check_counterexample(under)
    return over, under


@both
@each("goal", GOALS)
@each("per", PROFILES)
def test_total_variation(rng, per, goal, norm):
    keys, query, profile = case(rng, per)
    scale, radius = Fraction(2, 3), Fraction(3, 2)
    with mpmath.workdps(60):
        reach = known_moves.moves(keys.shape, query, norm, profile, scale)
        at = known_moves.scores(keys, query, scale), reach, shares(GOALS[goal]), mpmath.mpf(1.5)
        value = digits(known_moves.variation(*at), 40)
    heads, region = Heads(keys, query[None], np.ones(1), scale), Region(radius, norm, profile)
    over, under = told_apart(lambda error: Withstands(heads, GOALS[goal], error, region), value)
    assert value * (1 - HAIR) <= over.bound <= value * (1 + 2 * HAIR)
    assert over.record.exact
    assert under.bound >= value * (1 - 2 * HAIR)
    moved = under.counterexample["keys"]
    assert region.holds(keys, moved)
    assert not (moved != keys)[np.broadcast_to(profile, keys.shape) == 0].any()


@both
@each("per", PROFILES)
@each("side", ["at most", "at least"])
def test_functional(rng, side, per, norm):
    keys, query, profile = case(rng, per)
    values = rng.uniform(0.1, 1, size=len(keys)) * (1 if side == "at most" else -1)
    with mpmath.workdps(60):
        reach = known_moves.moves(keys.shape, query, norm, profile)
        given = known_moves.scores(keys, query), reach, np.abs(values).tolist(), mpmath.mpf(1)
        value = digits(known_moves.functional(*given), 40)
    sign = 1 if side == "at most" else -1
    heads, region = Heads(keys, query[None], np.ones(1), ONE), Region(ONE, norm, profile)
    over, _ = told_apart(lambda bound: WeightBound(heads, values, side, sign * bound, region), value)
    assert abs(sign * over.bound - value) <= 2 * HAIR * value


@both
@each("per", PROFILES)
def test_gap(rng, per, norm):
    for _ in range(5):
        keys, query, profile = case(rng, per)
        members = set(np.argsort(-(keys @ query))[:2].tolist())
        with mpmath.workdps(60):
            reach = known_moves.moves(keys.shape, query, norm, profile)
            given = known_moves.scores(keys, query)
            least = known_moves.smallest_gap(given, reach, members, mpmath.mpf(0))
            edge = known_moves.bisected(
                lambda t, g=given, r=reach, m=members: known_moves.smallest_gap(g, r, m, t) <= 0
            )
            value = digits(known_moves.smallest_gap(given, reach, members, edge[0] / 2), 40)
            half = digits(edge[0] / 2, 40)
        assert digits(least, 40) > value
        heads = Heads(keys, query[None], np.ones(1), ONE)
        claim = TopGap(heads, hw.Top(*members), value * (1 - HAIR), Region(half, norm, profile))
        over = claim.prove()
        under = TopGap(heads, hw.Top(*members), value * (1 + HAIR), claim.region).prove()
        assert (over.status, under.status) == ("proved", "refuted")
        assert judge(over.record) == "true"
        assert judge(under.record) == "false"
        assert check_counterexample(under)
        assert over.bound == pytest.approx(float(value))
        assert claim.region.holds(keys, under.counterexample["keys"])


def test_a_key_that_stays_may_be_the_lowest():
    """Key 1 scores above key 0, but key 0 stays and key 1 falls below it."""
    keys, query = np.array([[1.0], [1.5], [0.0]]), [1.0]
    profile = np.array([[0.0], [1.0], [0.0]])
    claim = TopGap(Heads(keys, [query], [1.0], 1), hw.Top(0, 1), None, Region(Fraction(7, 4), "box", profile))
    verdict = claim.prove()
    assert verdict.status == "refuted"
    assert verdict.counterexample["pair"] == (1, 2)
    assert TopGap(claim.heads, claim.top, None, Region(Fraction(5, 4), "box", profile)).prove().bound == 0.25


def test_several_heads_are_bounded_soundly(rng):
    seen = set()
    for per, norm in itertools.product(PROFILES, ("box", "ball")):
        keys, _, profile = case(rng, per)
        queries = rng.normal(size=(2, 3))
        for error in ("0.3", "0.6", "0.9"):
            verdict = hw.certify(
                keys, queries, hw.Copy(1), error=error, radius=np.squeeze(profile), per=per, norm=norm, mix="equal"
            )
            assert judge(verdict.record) != {"proved": "false", "refuted": "true"}.get(verdict.status)
            seen.add(verdict.status)
    assert {"proved", "refuted"} <= seen


def test_equal_rows_make_no_difference(rng):
    """A profile per entry whose rows are equal is one per channel, and one whose columns are equal is one per key."""
    keys, query = rng.normal(size=(6, 3)), rng.normal(size=3)
    heads = Heads(keys, query[None], np.ones(1), ONE)
    for part in (rng.uniform(size=(1, 3)), rng.uniform(size=(6, 1))):
        for norm in ("box", "ball"):
            told = [
                Withstands(heads, hw.Average(0, 1, 2), "0.9", Region(ONE, norm, profile)).prove().bound
                for profile in (part, np.broadcast_to(part, keys.shape))
            ]
            assert told[0] == pytest.approx(told[1], rel=1e-12)


def test_members_that_move_differently_are_chosen_by_what_they_are_worth():
    """Key 0 has the larger exponential, but key 1 moves further: the worst set of one member holds key 1."""
    keys, query = np.array([[0.1], [0.0], [0.0], [-9.0]]), np.array([1.0])
    profile = np.array([[0.1], [2.0], [0.1], [0.1]])
    claim = Withstands(Heads(keys, [query], [1.0], 1), hw.Average(0, 1, 2), "0.2", Region(ONE, "box", profile))
    verdict = claim.prove()
    assert verdict.status == "refuted"
    assert verdict.counterexample["signs"].tolist() == [-1, 1, -1, 1]
    assert check_counterexample(verdict)


def test_too_many_members_are_bounded(rng, monkeypatch):
    keys, query, profile = case(rng, "key")
    profile[0] = 0.0  # the bound goes by the key that moves furthest, not by the first
    region = Region(Fraction(1, 100), "box", profile)
    claim = Withstands(Heads(keys, query[None] / 9, np.ones(1), ONE), hw.Average(0, 1, 2, 3), "0.9", region)
    exact = claim.prove()
    monkeypatch.setattr(withstands, "_MOST_SORTED", 4)
    assert not claim.exact
    bounded = claim.prove()
    assert (exact.status, bounded.status) == ("proved", "proved")
    assert exact.bound < bounded.bound


@both
def test_moves_are_enclosed_at_every_size(rng, norm):
    for size in (1e-290, 1e-150, 1.0, 1e150):
        profile, query = size * rng.uniform(0, 1, size=(4, 3)), rng.normal(size=3)
        profile[0] = 0
        profile[1] *= 1e-8
        region = Region(Fraction(1, 3), norm, profile)
        exact = region.squared_moves(query, ONE, np.arange(4))
        for bits in (64, 128):
            with balls.precision(bits):
                ends = [(balls.lower(m), balls.upper(m)) for m in region.score_moves(query, ONE, bits)]
            for square, (low, high) in zip(exact, ends, strict=True):
                assert high >= 0
                assert max(low, 0) ** 2 <= square <= high**2
                assert high - low <= Fraction(size) / 10**12


def test_signs_of_roots():
    numbers = [Fraction(k) for k in (0, 1, 2, 3, 4, 9)]
    with mpmath.workdps(50):
        for a, p, q in itertools.product([*numbers, *(-x for x in numbers), Fraction(1, 3)], repeat=3):
            ends = [mpmath.sign(known_moves.mp(x)) * mpmath.sqrt(abs(known_moves.mp(x))) for x in (p, q)]
            value = known_moves.mp(a) + sum(ends)
            assert root_sign(a, p, q) == (0 if abs(value) < 1e-40 else mpmath.sign(value))


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        (-np.ones((1, 2)), "`profile`"),
        (np.zeros((3, 1)), "`profile`"),
        (np.full((3, 1), np.nan), "`profile`"),
        (np.ones(3), "`profile`"),
        (np.ones((2, 2)), "`profile`"),
    ],
)
def test_wrong_profiles_are_refused(profile, message):
    heads = Heads(np.ones((3, 2)), np.ones((1, 2)), np.ones(1), ONE)
    for make in (
        lambda region: Withstands(heads, hw.Copy(0), "0.1", region),
        lambda region: TopGap(heads, hw.Top(0), None, region),
        lambda region: WeightBound(heads, np.ones(3), "at most", ONE, region),
    ):
        with pytest.raises(ValueError, match=message):
            make(Region(ONE, "box", profile))


def test_moved_keys_are_measured_by_the_profile():
    keys = np.zeros((2, 2))
    for norm, profile, move, inside in (
        ("box", [[0.5, 0.0]], [0.4, 0.0], True),
        ("box", [[0.5, 0.0]], [0.6, 0.0], False),
        ("box", [[0.5, 0.0]], [0.4, 5e-324], False),
        ("box", [[2.0], [0.5]], [0.6, 0.0], False),
        ("ball", [[2.0, 0.5]], [1.2, 0.3], True),
        ("ball", [[2.0, 0.5]], [1.5, 0.4], False),
        ("ball", [[2.0, 0.0]], [1.5, 5e-324], False),
        ("ball", [[2.0, 0.0]], [1.5, 0.0], True),
        ("ball", [[2.0], [0.5]], [0.4, 0.4], False),
    ):
        assert Region(ONE, norm, profile).holds(keys, keys + move) is inside


@both
@each("per", PROFILES)
def test_what_holds_is_truly_inside(rng, per, norm):
    """Near the border, on both sides, by Fractions."""
    seen = set()
    for _ in range(60):
        keys, query, profile = case(rng, per)
        region = Region(Fraction(1, 3), norm, profile)
        moved = keys + (1 + rng.choice([-1e-15, 1e-15, 1e-13, -1e-13])) / 3 * region.direction(query)
        held = region.holds(keys, moved)
        for old, new, row in zip(
            keys.tolist(), moved.tolist(), np.broadcast_to(profile, keys.shape).tolist(), strict=True
        ):
            steps = [abs(Fraction(b) - Fraction(a)) for a, b in zip(old, new, strict=True)]
            assert not held or all(own or not step for step, own in zip(steps, row, strict=True))
            parts = [3 * step / Fraction(own) for step, own in zip(steps, row, strict=True) if own]
            assert not held or (max(parts, default=0) if norm == "box" else sum(x * x for x in parts)) <= 1
        seen.add(held)
    assert seen == {True, False}


class WideEnds:
    """A head whose raised and lowered exponentials are known only within wide balls."""

    def __init__(self, ends, outside):
        self._ends, self._outside = ends, outside

    def raised_total(self, without):
        return balls.exact(self._outside)

    def ends(self, key):
        return tuple(balls.around(list(self._ends[key][0]), list(self._ends[key][1])))


@each("rounds", [1, 2, 8])
def test_every_set_within_wide_balls_is_bounded(rng, rounds, monkeypatch):
    """Whatever c the iteration stops at, the bound holds for every set and for every number in the balls."""
    monkeypatch.setattr(withstands, "_ROUNDS", rounds)
    keys, query, profile = case(rng, "key", n=5)
    goal = hw.Average(0, 1, 2, 3)
    claim = Withstands(Heads(keys, query[None], np.ones(1), ONE), goal, "0.5", Region(ONE, "box", profile))
    for _ in range(40):
        up = rng.uniform(1, 6, size=4) ** 2
        down = up * rng.uniform(0.05, 0.9, size=4)
        spread = rng.choice([0.0, 0.02], size=(4, 2)) * np.stack([up, down], axis=1)
        ends = [((up[i], down[i]), tuple(spread[i])) for i in range(4)]
        with balls.precision(64):
            found = {}
            for value, bits in claim._sorted_values(WideEnds(ends, 0.5)):
                found[bits.bit_count()] = float(balls.upper(value))
        for signs in (-1, 0, 1):
            a, b = up + signs * spread[:, 0], down + signs * spread[:, 1]
            for size in range(4):
                for chosen in itertools.combinations(range(4), size):
                    raised = 0.5 + sum(a[i] for i in chosen)
                    lowered = sum(b[i] for i in range(4) if i not in chosen)
                    assert raised / (raised + lowered) - size / 4 <= found[size] + 1e-15


@both
def test_a_gap_below_what_float64_sees(norm):
    """Key 1 falls 2^-70 below key 0, and key 2 lies between them: float64 takes all three for one score."""
    keys, query = np.array([[1.0, 0.0], [1.5, -(2.0**-70)], [1.0, -(2.0**-71)]]), np.ones(2)
    region = Region(ONE, norm, [[0.0, 0.0], [0.5, 0.0], [0.0, 0.0]])
    verdict = TopGap(Heads(keys, [query], [1.0], 1), hw.Top(0, 1), None, region).prove()
    assert verdict.status == "refuted"
    assert verdict.counterexample["pair"] == (1, 2)
    assert (
        TopGap(Heads(keys, [query], [1.0], 1), hw.Top(0), None, Region(ONE, norm, [[0.0, 1.0]])).prove().status
        == "refuted"
    )
