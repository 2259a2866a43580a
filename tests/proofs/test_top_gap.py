"""The gap of a set over the rest: exact on both sides of the true value, with and without moving keys."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

import headwright as hw
from headwright.kernel import balls
from headwright.kernel.certificate import load
from headwright.kernel.heads import Heads
from headwright.kernel.region import Region
from headwright.kernel.top_gap import TopGap
from headwright.search.top.design_top import design_top
from tests.facts import says
from tests.second_opinion import check_counterexample, judge

TINY = Fraction(1, 10**60)


def scores_of(keys, query, scale=Fraction(1)):
    return [
        scale * sum(Fraction(a) * Fraction(b) for a, b in zip(key, query, strict=True))
        for key in np.asarray(keys).tolist()
    ]


def gap_of(keys, query, top, scale=Fraction(1)):
    scores = scores_of(keys, query.tolist(), scale)
    named = set(top.indices)
    return min(scores[i] for i in named) - max(s for j, s in enumerate(scores) if j not in named)


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(2, 7)])
def test_exact_on_both_sides(rng, scale):
    seen = set()
    for _ in range(40):
        n, d, m = 7, 3, int(rng.integers(1, 4))
        keys, query, top = rng.normal(size=(n, d)), rng.normal(size=d), hw.Top(*rng.permutation(n)[:m].tolist())
        true = gap_of(keys, query, top, scale)
        verdict = hw.certify(keys, query, top, scale=scale)
        assert verdict.status == ("proved" if true > 0 else "refuted")
        seen.add(verdict.status)
        if true > 0:
            assert verdict.bound <= true < verdict.bound * (1 + 2**-51)
            assert hw.certify(keys, query, top, gap=true, scale=scale).status == "proved"
            over = hw.certify(keys, query, top, gap=true + TINY, scale=scale)
            assert over.status == "refuted"
            assert check_counterexample(over)
            assert over.bound >= true
        else:
            assert verdict.bound >= true
    assert seen == {"proved", "refuted"}


def test_ties():
    keys = np.array([[1.0, 0.0], [1.0, 5.0], [0.0, 9.0]])
    assert hw.certify(keys, [1.0, 0.0], hw.Top(0)).status == "refuted"  # key 1 has the same score
    assert hw.certify(keys, [1.0, 0.0], hw.Top(0, 1)).status == "proved"
    assert hw.certify(keys, [1.0, 0.0], hw.Top(0, 1), gap=1).status == "proved"  # equality is enough
    assert hw.certify(keys, [1.0, 0.0], hw.Top(0, 1), gap=np.nextafter(1.0, 2)).status == "refuted"
    assert hw.certify(keys, [0.0, 0.0], hw.Top(2)).status == "refuted"


def test_refuted_names_the_pair():
    keys = np.array([[3.0], [1.0], [0.0], [2.0]])
    verdict = hw.certify(keys, [1.0], hw.Top(0, 1))
    assert verdict.counterexample == {"pair": (1, 3)}
    assert verdict.bound == -1
    assert says(repr(verdict), 1, 3, -1)
    moved = hw.certify(keys, [1.0], hw.Top(0, 3), gap="0.5", radius="0.3", norm="ball")
    assert moved.counterexample["pair"] == (3, 1)
    assert says(moved.counterexample["moves"], 3, "-radius · query/‖query‖", 1, "+radius")
    assert "sign(query)" in hw.certify(keys, [1.0], hw.Top(0, 3), gap="0.5", radius="0.3").counterexample["moves"]


@pytest.mark.parametrize("norm", ["box", "ball"])
def test_moved_keys_on_both_sides(rng, norm):
    """The radius at which the gap is used up is A / (2τ‖q‖): just under it the order holds, just over it does not."""
    for _ in range(10):
        keys, query, scale = rng.normal(size=(6, 3)), rng.normal(size=3), Fraction(3, 5)
        top = hw.Top(int((keys @ query).argmax()))
        apart = gap_of(keys, query, top, scale)
        parts = [abs(Fraction(c)) for c in query.tolist()]
        with balls.precision(400):
            size = sum(parts) if norm == "box" else balls.lower(balls.exact(sum(c * c for c in parts)).sqrt())
        edge = apart / (2 * scale * size)
        told = [
            hw.certify(keys, query, top, radius=edge * (1 + side), norm=norm, scale=scale) for side in (-TINY, TINY)
        ]
        assert [v.status for v in told] == ["proved", "refuted"]
        assert 0 <= told[0].bound < 1e-55
        assert check_counterexample(told[1])
        left = apart - 2 * scale * size * edge / 2  # half the radius leaves half the gap
        told = [
            hw.certify(keys, query, top, radius=edge / 2, norm=norm, scale=scale, gap=left * (1 + side))
            for side in (-TINY, TINY)
        ]
        assert [v.status for v in told] == ["proved", "refuted"]
        assert told[0].bound == pytest.approx(float(left), rel=1e-15)
        assert told[1].bound == pytest.approx(float(left), rel=1e-15)


def test_moved_keys_at_equality():
    """‖(3, 4)‖ = 5: at radius 1/10 two scores 2 apart come within 1 of each other, exactly."""
    keys, query = np.array([[2.0, -1.0], [0.0, 0.0]]), np.array([3.0, 4.0])
    asked = {"radius": "1/10", "norm": "ball"}
    assert hw.certify(keys, query, hw.Top(0), gap=1, **asked).status == "proved"
    assert hw.certify(keys, query, hw.Top(0), gap=1, **asked).bound == 1
    assert hw.certify(keys, query, hw.Top(0), gap=1 + TINY, **asked).status == "refuted"
    assert hw.certify(keys, query, hw.Top(0), radius="1/5", norm="ball").status == "refuted"  # 2 - 2 is not > 0
    assert hw.certify(keys, query, hw.Top(0), radius=Fraction(1, 5) - TINY, norm="ball").status == "proved"
    assert hw.certify(keys, query, hw.Top(1), radius="1/5", norm="ball").bound == pytest.approx(-4)


def test_a_gap_that_the_radius_exceeds_is_no_gap():
    """(A - g)² > (2δ)² holds for A far below g too: the sign counts."""
    keys, query = np.array([[0.0], [1.0]]), [1.0]
    assert hw.certify(keys, query, hw.Top(0), radius="0.001").status == "refuted"
    assert hw.certify(keys, query, hw.Top(1), gap=9, radius="0.001").status == "refuted"


exponents = st.sampled_from([0, 1, 52, 53, 60, 200, -60, 900, -1000])
numbers = st.builds(lambda m, e: float(np.ldexp(float(m), e)), st.integers(-3, 3), exponents)


@given(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=5), st.tuples(numbers, numbers))
def test_numbers_of_every_size(keys, query):
    """Scores that overflow, cancel or underflow in float64 are still compared exactly."""
    top = hw.Top(0)
    true = gap_of(keys, np.array(query), top)
    assert hw.certify(keys, query, top).status == ("proved" if true > 0 else "refuted")


def test_ties_within_rounding_are_told_apart():
    """Both scores are 1 in float64; one is larger by 2^-80."""
    keys = np.array([[1.0, 2.0**-40], [1.0, 0.0], [1.0, -(2.0**-40)]])
    query = np.array([1.0, 2.0**-40])
    assert hw.certify(keys, query, hw.Top(0)).bound == 2.0**-80
    assert hw.certify(keys, query, hw.Top(1)).counterexample["pair"] == (1, 0)
    assert hw.certify(keys, query, hw.Top(0, 1), gap=Fraction(1, 2**80)).status == "proved"
    assert hw.certify(keys, query, hw.Top(0, 2)).counterexample["pair"] == (2, 1)


def test_the_pair_is_found_among_scores_that_round_to_one_number(rng):
    for _ in range(20):
        keys = np.stack([np.ones(7), rng.permutation(7) * 2.0**-40], axis=1)
        query, top = np.array([1.0, 2.0**-40]), hw.Top(*rng.permutation(7)[:3].tolist())
        order = np.argsort(-keys[:, 1]).tolist()
        lowest = max(top.indices, key=order.index)
        highest = min(set(range(7)) - set(top.indices), key=order.index)
        verdict = hw.certify(keys, query, top)
        assert verdict.bound == (keys[lowest, 1] - keys[highest, 1]) * 2.0**-40
        assert verdict.status == "proved" or verdict.counterexample["pair"] == (lowest, highest)


def test_saved_and_proved_again(tmp_path, rng):
    keys, query = rng.normal(size=(5, 3)), rng.normal(size=3)
    order = np.argsort(-(keys @ query))
    top = hw.Top(*order[:2].tolist())
    for k, asked in enumerate(({}, {"gap": "1/1000"}, {"radius": "0.001"}, {"gap": 9, "radius": 0.5, "norm": "ball"})):
        verdict = hw.certify(keys, query, top, scale="1/3", **asked)
        hw.save(tmp_path / str(k), verdict)
        assert isinstance(load(tmp_path / str(k)), TopGap)
        again = hw.verify(tmp_path / str(k))
        assert (again.status, again.claim, again.bound) == (verdict.status, verdict.claim, verdict.bound)
        assert judge(tmp_path / str(k)) == {"proved": "true", "refuted": "false"}[verdict.status]


def test_sentence():
    head = Heads(np.eye(3), np.eye(3)[:1], np.ones(1), Fraction(1))
    assert says(TopGap(head, hw.Top(0)).sentence(), 1, 3, "Top(0)")
    full = TopGap(head, hw.Top(0), Fraction(1, 3), Region(Fraction(1, 2), "box"))
    assert says(full.sentence(), "1/3", "0.5")


def test_a_design_brings_its_gap():
    keys = np.eye(5)
    made = design_top(keys, hw.Top(1, 3), scale=0.5)
    assert hw.certify(keys, made).status == "proved"
    assert says(hw.certify(keys, made).claim, 1)
    assert hw.certify(keys, made, gap=2).status == "refuted"
    assert hw.certify(keys, made, hw.Top(1)).status == "refuted"
    assert hw.certify(keys, made, hw.Average(1, 3), error=0.6).status == "proved"
    assert says(hw.certify(keys, made, hw.Average(1, 3)).claim, "0.01")  # the asked gap is no error
    other = hw.Design(made.queries, made.mix, 0.5, hw.Average(1, 3), 0.6, made.weights)
    assert "0.6" not in hw.certify(keys, other, hw.Top(1, 3)).claim  # nor the asked error a gap


TOP = {"goal": hw.Top(0)}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (TOP | {"design": np.eye(2, 3), "mix": "equal"}, "`goal`.*2 heads"),
        (TOP | {"error": 0.1}, "`error`"),
        *((TOP | {"gap": gap}, "`gap`") for gap in (0, -1, "-1/3")),
        (TOP | {"gap": float("nan")}, "`gap`"),
        ({"goal": hw.Top(0, 1, 2, 3)}, "`goal`.*4"),
        ({"goal": hw.Top(4)}, "`goal`.*4"),
        ({"goal": hw.Copy(0), "gap": 1}, "`gap`"),
        ({"of": 0, "at_most": 1, "gap": 1}, "`gap`"),
    ],
)
def test_wrong_calls(call, message):
    with pytest.raises(ValueError, match=message):
        hw.certify(**({"keys": np.eye(4, 3), "design": [1.0, 2.0, 0.0]} | call))


def test_fields_are_json(rng):
    claim = hw.certify(np.eye(3), [1.0, 0.0, 0.0], hw.Top(0), gap="1/3", radius="0.1").record
    parts = json.loads(json.dumps(claim.fields()))
    assert TopGap.from_parts(claim.arrays(), parts).fields() == claim.fields()
