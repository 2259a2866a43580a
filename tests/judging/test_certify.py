"""certify: what it asks, on which side of a number it lands, and which calls it refuses."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

import headwright as hw
from tests.facts import says

N, D, H = 6, 4, 3


@pytest.fixture(autouse=True)
def fifty_digits():
    with mpmath.workdps(50):
        yield


def weights(keys, queries, scale=1, mix=None):
    """Mixed softmax weights (n,) in 50 digits, by loops."""
    mix = [1] * len(queries) if mix is None else mix
    mixed = [mpmath.mpf(0)] * len(keys)
    for query, share in zip(queries, mix, strict=True):
        powers = [mpmath.exp(scale * mpmath.fdot(key, query)) for key in np.asarray(keys, dtype=float).tolist()]
        part = mpmath.mpf(share) / mpmath.fsum(mpmath.mpf(pi) for pi in mix) / mpmath.fsum(powers)
        mixed = [so_far + part * power for so_far, power in zip(mixed, powers, strict=True)]
    return mixed


def variation(keys, queries, goal, **how):
    wanted = dict(zip(goal.indices, goal.shares, strict=True))
    shares = [
        mpmath.mpf(wanted.get(j, Fraction(0)).numerator) / wanted.get(j, Fraction(1)).denominator
        for j in range(len(keys))
    ]
    return mpmath.fsum(abs(a - w) for a, w in zip(weights(keys, queries, **how), shares, strict=True)) / 2


def spelled(number):
    return mpmath.nstr(number, 30)


def brackets(ask, value):
    """`ask` is proved a hair above `value` and refuted a hair below it, and its bound is tight."""
    above, below = ask(spelled(value * (1 + mpmath.mpf(10) ** -20))), ask(spelled(value * (1 - mpmath.mpf(10) ** -20)))
    assert (above.status, below.status) == ("proved", "refuted")
    assert value <= above.bound <= value * (1 + mpmath.mpf(10) ** -12)
    assert value * (1 - mpmath.mpf(10) ** -12) <= below.bound <= value


@pytest.mark.parametrize("goal", [hw.Copy(4), hw.Average(1, 5), hw.Blend({0: "0.5", 3: "0.3", 2: "0.2"})])
def test_raw_queries(goal, rng):
    keys, query = rng.normal(size=(N, D)), rng.normal(size=D)
    brackets(lambda e: hw.certify(keys, query, goal, error=e), variation(keys, [query], goal))
    third = mpmath.mpf(1) / 3
    brackets(lambda e: hw.certify(keys, query, goal, error=e, scale="1/3"), variation(keys, [query], goal, scale=third))
    queries, mix = rng.normal(size=(H, D)), [0.5, 0.0, 2.0]
    brackets(lambda e: hw.certify(keys, queries, goal, error=e, mix="equal"), variation(keys, queries, goal))
    brackets(lambda e: hw.certify(keys, queries, goal, error=e, mix=mix), variation(keys, queries, goal, mix=mix))


def test_a_design_brings_goal_error_scale_and_mix(rng):
    keys, queries, goal = rng.normal(size=(N, D)), rng.normal(size=(2, D)), hw.Average(0, 3)
    mix = np.array([0.25, 0.75])
    true = variation(keys, queries, goal, scale=mpmath.mpf(0.5), mix=mix)
    asked = spelled(true * (1 + mpmath.mpf(10) ** -20))
    design = hw.Design(queries, mix, 0.5, goal, asked, np.zeros(N))
    assert hw.certify(keys, design).status == "proved"
    assert "Average(0, 3)" in hw.certify(keys, design).claim
    brackets(lambda e: hw.certify(keys, design, error=e), true)
    other = hw.Copy(2)
    brackets(lambda e: hw.certify(keys, design, other, error=e), variation(keys, queries, other, scale=0.5, mix=mix))
    for extra in (dict(scale=0.5), dict(mix=mix)):
        with pytest.raises(ValueError, match=r"`scale`.*`mix`"):
            hw.certify(keys, design, **extra)


def test_raw_queries_are_judged_at_one_hundredth():
    keys = np.zeros((100, 2))  # equal keys: an Average of 99 of them is off by exactly 1/100
    assert hw.certify(keys, [1.0, 2.0], hw.Average(*range(99))).status == "proved"  # float 0.01 is above 1/100
    assert hw.certify(keys, [1.0, 2.0], hw.Average(*range(98))).status == "refuted"


EQUAL = np.tile([0.5, -2.0, 3.0], (10, 1))
# error, number of targets among ten equal keys (total variation (10-m)/10 exactly), verdict
EDGE = [
    ("0.1", 9, "proved"),
    (Fraction(1, 10), 9, "proved"),
    (0.1, 9, "proved"),  # the float is above 1/10
    ("0.0999999999999999999999", 9, "refuted"),
    (np.nextafter(0.1, 0), 9, "refuted"),
    ("0.3", 7, "proved"),
    (0.3, 7, "refuted"),  # the float is below 3/10
    (np.nextafter(0.3, 1), 7, "proved"),
    ("3/10", 7, "proved"),
]


@pytest.mark.parametrize(("error", "m", "status"), EDGE)
def test_a_float_means_its_binary_value_and_a_string_the_rational(error, m, status):
    assert hw.certify(EQUAL, [1.5, 0.1, -7.0], hw.Average(*range(m)), error=error).status == status


@pytest.mark.parametrize(
    ("side", "status"),
    [
        ({"at_least": "0.1"}, "proved"),
        ({"at_least": 0.1}, "refuted"),  # the float is above 1/10
        ({"at_most": 0.1}, "proved"),
        ({"at_most": "0.1"}, "proved"),
        ({"at_most": "0.09999999999999999999"}, "refuted"),
    ],
)
def test_one_weight_at_the_edge(side, status):
    found = hw.certify(EQUAL, [1.5, 0.1, -7.0], of=3, **side)
    assert found.status == status
    assert says(found.claim, 3)


def test_weights_and_functionals(rng):
    keys, queries, mix = rng.normal(size=(N, D)), rng.normal(size=(H, D)), [1.0, 2.0, 4.0]
    true = weights(keys, queries, mix=mix)
    values = np.array([3.0, -1.0, 0.5, 0.0, 2.0, 7.0])
    mean = mpmath.fdot(true, values.tolist())
    hair = mpmath.mpf(10) ** -20
    for of, value in ((2, true[2]), (np.int64(5), true[5]), (values, mean), (values.tolist(), mean)):
        above, below = spelled(value + hair), spelled(value - hair)
        found = [
            hw.certify(keys, queries, of=of, mix=mix, **side).status
            for side in ({"at_most": above}, {"at_most": below}, {"at_least": below}, {"at_least": above})
        ]
        assert found == ["proved", "refuted", "proved", "refuted"]
    design = hw.Design(queries, np.array(mix), 1.0, hw.Copy(0), 0.01, np.zeros(N))
    assert hw.certify(keys, design, of=2, at_most=spelled(true[2] + hair)).status == "proved"


def test_a_radius_is_part_of_the_claim():
    """Two scores 4 and 0, each moving by 0.5·‖q‖: the gap shrinks to 4 - 2·0.5·4 = 0."""
    keys, query = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]), [4.0, 0.0, 0.0]
    for norm in ("box", "ball"):
        found = [hw.certify(keys, query, hw.Copy(0), error=e, radius="1/2", norm=norm).status for e in ("0.51", "0.49")]
        assert found == ["proved", "refuted"]
        found = [hw.certify(keys, query, of=0, at_least=w, radius=0.5, norm=norm).status for w in ("0.49", "0.51")]
        assert found == ["proved", "refuted"]
    assert says(hw.certify(keys, query, hw.Copy(0), error=0.6, radius=0.5).claim, "0.5")


def test_errors_too_small_for_words_are_still_proved():
    """e^-20000 is below every float; the bound is a float above it, and its text can be printed."""
    for length in (12_000.0, 20_000.0, 1e300):
        found = hw.certify(np.eye(2, 3), [length, 0.0, 0.0], hw.Copy(0), error="1e-4000")
        assert (found.status, found.bound) == ("proved", 5e-324)
        assert "e-" in found.bound_text


def from_torch(array):
    import torch

    return torch.tensor(array, dtype=torch.bfloat16, requires_grad=True)


def from_jax(array):
    import jax.numpy as jnp

    return jnp.asarray(array, dtype=jnp.float16)


@pytest.mark.parametrize(
    "into",
    [
        pytest.param(from_torch, marks=pytest.mark.needs("torch")),
        pytest.param(from_jax, marks=pytest.mark.needs("jax")),
        np.array,
        list,
    ],
)
def test_keys_and_queries_of_every_kind(into):
    keys, query, goal = [[2, 0, 1], [0, 3, 1]], [1, 0, 2], hw.Copy(0)
    brackets(lambda e: hw.certify(into(keys), into(query), goal, error=e), variation(keys, [query], goal))


GOAL = {"goal": hw.Copy(0)}
ONE = {"of": 0, "at_most": 1}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (GOAL | dict(keys=np.full((2, 3), np.nan)), ValueError, r"`keys`.*\[0, 0\]"),
        (GOAL | dict(keys=np.zeros((0, 3))), ValueError, r"`keys`.*\(0, 3\)"),
        (GOAL | dict(keys=np.ones(3)), ValueError, r"`keys`.*\(3,\)"),
        (GOAL | dict(keys=np.eye(3).astype(object)), TypeError, "`keys`"),
        (GOAL | dict(design=[1.0, 2.0]), ValueError, "`queries`.*3"),
        (GOAL | dict(design=[1.0, np.inf, 0.0]), ValueError, "`queries`.*inf"),
        (GOAL | dict(design=np.ones((1, 1, 3))), ValueError, "`queries`"),
        (GOAL | dict(design=None), TypeError, "`queries`"),
        ({}, TypeError, "`goal`.*NoneType"),
        (dict(goal=0), TypeError, "`goal`.*int"),
        (dict(goal=hw.Average(1, 4)), ValueError, "`goal`.*4"),
        *((GOAL | dict(error=e), ValueError, "`error`") for e in (0, 1.0, "-1", 2)),
        (GOAL | dict(error=float("nan")), ValueError, "`error`"),
        (GOAL | dict(error="small"), ValueError, "`error`"),
        *((GOAL | dict(radius=r), ValueError, "`radius`") for r in (0, -1, "-1/3")),
        (GOAL | dict(radius=float("inf")), ValueError, "`radius`"),
        (GOAL | dict(radius=1, norm="l1"), ValueError, "`norm`.*'l1'"),
        *((GOAL | dict(scale=s), ValueError, "`scale`") for s in (0, -0.5)),
        (GOAL | dict(scale=float("nan")), ValueError, "`scale`"),
        (GOAL | dict(mix=[0.5, 0.5]), ValueError, "`mix`.*2"),
        (GOAL | dict(design=np.eye(2, 3), mix=[-1.0, 2.0]), ValueError, "`mix`"),
        (GOAL | dict(design=np.eye(2, 3), mix=[0.0, 0.0]), ValueError, "`mix`"),
        (GOAL | dict(design=np.eye(2, 3), mix=[np.nan, 1]), ValueError, "`mix`"),
        (ONE | GOAL, ValueError, "`of`.*`goal`"),
        (ONE | dict(error=0.1), ValueError, "`of`.*`goal`"),
        (ONE | dict(at_least=0), ValueError, "`of`.*`at_most`"),
        (dict(of=0), ValueError, "`of`.*`at_most`"),
        (GOAL | dict(at_most=1), ValueError, "`at_most`.*`at_least`"),
        (GOAL | dict(at_least="0.1"), ValueError, "`at_most`.*`at_least`"),
        (ONE | dict(of=4), ValueError, "`of`.*4"),
        (ONE | dict(of=-1), ValueError, "`of`"),
        (ONE | dict(of=1.0), TypeError, "`of`"),
        (ONE | dict(of=True), TypeError, "`of`"),
        (ONE | dict(of=[1.0, 2.0]), ValueError, "`of`"),
        (ONE | dict(of=[[1.0] * 4]), ValueError, "`of`"),
        (ONE | dict(of=[[1.0], [2.0, 3.0]]), ValueError, "`of`"),
        (ONE | dict(at_most=float("nan")), ValueError, "`at_most`"),
        (dict(of=0, at_least="much"), ValueError, "`at_least`"),
    ],
)
def test_wrong_calls(call, error, message):
    with pytest.raises(error, match=message):
        hw.certify(**({"keys": np.eye(4, 3), "design": [1.0, 2.0, 0.0]} | call))
