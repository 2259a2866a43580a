"""The textbook queries: their lengths against the formulas in 50 digits, their claims proved, their assumptions refused."""

import pickle
from fractions import Fraction
from itertools import combinations

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.search.least_norm.closed_form import error_of_epsilon
from headwright.words.refusals import AssumptionFailed
from tests.facts import says

ERRORS = [0.4, 0.01, 1e-6, 1e-12]
N, D = 7, 11


@pytest.fixture(autouse=True)
def fifty_digits():
    with mpmath.workdps(50):
        yield


def textbook(keys, goal, **options):
    return hw.design(keys, goal, **({"method": "closed-form"} | options))


def orthonormal(rng, n=N, d=D):
    return np.linalg.qr(rng.normal(size=(d, n)))[0].T


def unit(rng, n, d):
    keys = rng.normal(size=(n, d))
    return keys / np.linalg.norm(keys, axis=1, keepdims=True)


def log_odds(error):
    odds = Fraction(error) / (1 - Fraction(error))
    return mpmath.log(odds.numerator) - mpmath.log(odds.denominator)


def judged(keys, design, error):
    """The design as returned certifies at the asked error, from its own words and from words given again."""
    assert hw.certify(keys, design).status == "proved"
    again = hw.certify(keys, design.queries, design.goal, error=error, scale=design.scale, mix=design.mix)
    assert again.status == "proved"
    assert 0 <= design.error <= float(Fraction(error)) * (1 + 1e-15)
    assert design.asked == error


def length_is(design, wanted, scale=1):
    assert design.norm == pytest.approx(float(wanted / mpmath.mpf(scale)), rel=1e-9, abs=0)


@pytest.mark.parametrize("error", [*ERRORS, "1e-300"])
def test_copy_of_separated_unit_keys(error, rng):
    """t = (2/r²)·[ln((n-1)/odds)]₊ with the measured separation r."""
    keys = unit(rng, 7, 5)
    for i in (0, 4):
        design = textbook(keys, hw.Copy(i), error=error)
        exact = [[mpmath.mpf(x) for x in key] for key in keys.tolist()]
        squares = [mpmath.fsum((a - b) ** 2 for a, b in zip(exact[i], key, strict=True)) for key in exact]
        r2 = min(square for j, square in enumerate(squares) if j != i)
        length_is(design, 2 / r2 * max(mpmath.mpf(0), mpmath.log(6) - log_odds(error)))
        np.testing.assert_allclose(design.query / design.norm, keys[i], atol=1e-12)
        judged(keys, design, error)


@pytest.mark.parametrize("error", [*ERRORS, "1e-300"])
@pytest.mark.parametrize("m", range(1, N + 1))
def test_average_of_m_basis_keys(error, m):
    """t = [ln((n-m)/(m·odds))]₊ and the query t·Σ k_j; no outsiders, no query."""
    keys = np.eye(N, D)
    members = [(3 * j + 1) % N for j in range(m)]
    design = textbook(keys, hw.Average(*members), error=error)
    t = max(mpmath.mpf(0), mpmath.log(mpmath.mpf(N - m) / m) - log_odds(error)) if m < N else mpmath.mpf(0)
    length_is(design, t * mpmath.sqrt(m))
    np.testing.assert_allclose(design.query, float(t) * keys[members].sum(axis=0), rtol=1e-9, atol=0)
    judged(keys, design, error)


@pytest.mark.parametrize("error", ERRORS)
def test_average_of_every_subset_of_rotated_keys(error, rng):
    keys = orthonormal(rng, 5, 8)
    for m in range(1, 6):
        for members in combinations(range(5), m):
            design = textbook(keys, hw.Average(*members), error=error)
            t = max(mpmath.mpf(0), mpmath.log(mpmath.mpf(5 - m) / m) - log_odds(error)) if m < 5 else mpmath.mpf(0)
            length_is(design, t * mpmath.sqrt(m))
            judged(keys, design, error)


SHARES = [{2: "0.7", 5: "0.3"}, {6: 1, 0: 2, 3: 5}, {1: "0.001", 2: "0.999"}, {j: j + 1 for j in range(N)}, {4: 1}]


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("shares", SHARES)
@pytest.mark.parametrize("scale", [1.0, 0.25, 1 / 3])
def test_blend(error, shares, scale, rng):
    """q = Σ (t + ln w_j) k_j, t = max(ln((n-m)/odds), -mean ln w_j); n = m: the second alone."""
    goal = hw.Blend(shares)
    keys, m = orthonormal(rng), len(shares)
    logs = [mpmath.log(mpmath.mpf(w.numerator) / w.denominator) for w in goal.shares]
    t = -mpmath.fsum(logs) / m
    if m < N:
        t = max(t, mpmath.log(N - m) - log_odds(error))
    design = textbook(keys, goal, error=error, scale=scale)
    tau = mpmath.mpf(Fraction(scale).numerator) / Fraction(scale).denominator
    length_is(design, mpmath.sqrt(mpmath.fsum((t + log) ** 2 for log in logs)), tau)
    judged(keys, design, error)
    ratios = design.weights[list(goal.indices)] / design.weights[goal.indices[0]]
    np.testing.assert_allclose(ratios, [float(w / goal.shares[0]) for w in goal.shares], rtol=1e-8)


@pytest.mark.parametrize(("n", "m", "error"), [(5, 3, "2/5"), (5, 3, Fraction(2, 5)), (7, 6, "1/7"), (8, 1, "7/8")])
def test_the_zero_query_where_it_suffices_exactly(n, m, error):
    """Without a query the leak is (n-m)/n: with exactly that allowed, the answer is t = 0."""
    keys = np.eye(n, n + 2)
    design = textbook(keys, hw.Average(*range(m)), error=error)
    assert design.norm == 0
    judged(keys, design, error)
    assert Fraction(design.error) >= Fraction(n - m, n)


def test_a_single_key_needs_no_query():
    for goal in (hw.Copy(0), hw.Average(0), hw.Blend({0: 3})):
        design = textbook([[0.6, 0.8, 0.0]], goal, error="1e-300")
        assert (design.norm, design.weights.tolist()) == (0, [1])
        judged([[0.6, 0.8, 0.0]], design, "1e-300")


@pytest.mark.parametrize(
    "goal", [hw.Average(5, 0, 3), hw.Blend({1: "0.7", 6: "0.2", 4: "0.1"}), hw.Blend({2: 1, 0: 6})]
)
@pytest.mark.parametrize("error", ERRORS)
def test_one_copy_head_per_target(goal, error, rng):
    keys, m = unit(rng, N, D), len(goal.indices)
    design = textbook(keys, goal, error=error, heads=m)
    assert design.queries.shape == (m, D)
    np.testing.assert_allclose(design.mix, [float(share) for share in goal.shares], rtol=1e-15)
    for query, i in zip(design.queries, goal.indices, strict=True):
        assert query @ keys[i] == pytest.approx(np.linalg.norm(query))
    judged(keys, design, error)
    with pytest.raises(ValueError, match=r"`\.queries`"):
        design.query  # noqa: B018 - the access is the test


def test_rounded_ratios_cannot_meet_a_tiny_error():
    """ln w is irrational: float64 holds the ratios to about 1e-16, so the closed form says so instead of lying."""
    with pytest.raises(hw.NotFound, match="1e-300") as caught:
        textbook(np.eye(N), hw.Blend({0: 2, 4: 1}), error="1e-300")
    assert caught.value.best is None


def refusal(keys, goal):
    with pytest.raises(AssumptionFailed, match=r"\d") as caught:
        textbook(keys, goal)
    return caught.value


def test_assumptions_name_the_offending_pair(rng):
    long = orthonormal(rng)
    long[3] *= 1.5
    for goal in (hw.Copy(0), hw.Average(1, 2), hw.Blend({3: 1, 4: 2})):
        failed = refusal(long, goal)
        assert (failed.assumption, failed.pair) == ("unit keys", (3, 3))
        assert failed.value == pytest.approx(1.5)
        assert says(str(failed), 3, "1.5")
    slanted = orthonormal(rng)
    slanted[5] = 0.6 * slanted[5] - 0.8 * slanted[2]
    failed = refusal(slanted, hw.Average(0, 1))
    assert (failed.assumption, failed.pair) == ("orthonormal keys", (2, 5))
    assert failed.value == pytest.approx(-0.8)
    assert says(str(failed), 2, 5, "-0.8")


def test_a_refusal_survives_a_process_boundary():
    failed = refusal(np.ones((2, 3)), hw.Copy(1))
    back = pickle.loads(pickle.dumps(failed))
    assert (str(back), back.assumption, back.pair, back.value) == (str(failed), "unit keys", (0, 0), failed.value)


def test_duplicates_and_too_many_keys_are_refused(rng):
    twice = orthonormal(rng)
    twice[6] = twice[1]
    failed = refusal(twice, hw.Copy(1))
    assert (failed.pair, failed.value) == ((1, 6), 0)
    assert refusal(twice, hw.Average(0, 3)).pair == (1, 6)
    judged(twice, textbook(twice, hw.Copy(0), error=0.01), 0.01)  # the copied key is apart from the rest
    crowd = unit(rng, 9, 4)
    i, j = (failed := refusal(crowd, hw.Average(0, 1))).pair
    assert 1e-12 < abs(failed.value) == pytest.approx(abs(crowd[i] @ crowd[j]))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        *((dict(heads=h), ValueError, "`heads`.*1") for h in (0, 3, "auto", True)),
        (dict(method="magic"), ValueError, "`method`.*'magic'"),
        (dict(goal=3), TypeError, "`goal`.*int"),
        (dict(goal={0: 1.0}), TypeError, "`goal`.*dict"),
        (dict(goal=hw.Copy(6)), ValueError, r"`goal`.*Copy\(6\)"),
        *((dict(error=e), ValueError, "`error`") for e in (0, 1, -0.1, "1", 2)),
        (dict(error=float("nan")), ValueError, "`error`.*nan"),
        (dict(error="little"), ValueError, "`error`.*'little'"),
        *((dict(scale=s), ValueError, "`scale`") for s in (0, -1.0)),
        (dict(scale=float("inf")), ValueError, "`scale`"),
        (dict(keys=np.ones(5)), ValueError, r"`keys`.*\(5,\)"),
        (dict(keys=np.zeros((0, 5))), ValueError, "`keys`"),
        (dict(keys=np.eye(6) * np.nan), ValueError, r"`keys`.*\[0, 0\]"),
        (dict(keys=np.eye(6).astype(object)), TypeError, "`keys`.*object"),
    ],
)
def test_wrong_calls(call, error, message):
    with pytest.raises(error, match=message):
        textbook(**({"keys": np.eye(6, 9), "goal": hw.Average(1, 4)} | call))


@pytest.mark.parametrize("m", [1, 2, 5])
def test_epsilon_and_error_are_one_bound_for_exact_ratios(m):
    """Weights x on each of m targets and the rest elsewhere: x >= 1/(m+ε) iff TV = 1 - mx <= ε/(m+ε)."""
    for epsilon in (Fraction(1, 10), Fraction(3), Fraction(1, 10**9)):
        error = error_of_epsilon(epsilon, targets=m)
        edge = 1 / (m + epsilon)
        for x in (edge - Fraction(1, 10**30), edge, edge + min(Fraction(1, 10**30), Fraction(1, m) - edge)):
            assert (x >= edge) == (1 - m * x <= error)


def test_without_exact_ratios_the_error_does_not_bound_each_weight():
    """.46/.54 on two targets: TV .04 is within ε/(2+ε) for ε = .1, and .46 < 1/2.1."""
    weights, epsilon = (Fraction("0.46"), Fraction("0.54")), Fraction("0.1")
    variation = sum(abs(w - Fraction(1, 2)) for w in weights) / 2
    assert variation == Fraction("0.04") <= error_of_epsilon(epsilon, targets=2)
    assert min(weights) < 1 / (2 + epsilon)


@pytest.mark.parametrize("epsilon", [0, -1, "-0.1"])
def test_epsilon_must_be_positive(epsilon):
    with pytest.raises(ValueError, match="`epsilon`"):
        error_of_epsilon(epsilon)


@pytest.mark.parametrize("targets", [0, -2, 1.5, True])
def test_targets_are_counted(targets):
    with pytest.raises((ValueError, TypeError), match="`targets`"):
        error_of_epsilon("0.1", targets=targets)
