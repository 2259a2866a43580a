"""The variance of weights under one Gaussian: against quadrature in mpmath, at its edges, and from a file."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel import balls
from headwright.kernel.certificate import verify
from headwright.search.random_keys.outcome import heads_of
from headwright.theories.random_keys import weight_variance
from headwright.theories.random_keys.weight_variance import WeightVariance
from headwright.words.files import save
from headwright.words.key_models import GaussianKeys
from tests.second_opinion import judge

MEANS = np.array([[1.0, 0.5], [0.25, 1.0], [-0.5, 0.75]])
QUERIES = np.array([[3.0, 1.0], [-1.0, 2.0]])


def claim(side="at most", bound="1/10", *, queries=QUERIES, mix="equal", values=(1.0, 0.0, 0.0), **noise):
    model = GaussianKeys(MEANS, **(noise or {"along": {0: 0.5}}))
    return WeightVariance(model, heads_of(MEANS, queries, mix=mix), np.array(values), side, Fraction(bound))


def estimated(one, count=40_000):
    """The variance by sampling keys, and the standard error of that estimate, roughly."""
    drawn = one.model.sample(count, seed=3)
    weights = 0
    for share, query in zip(one.heads.shares, one.heads.queries, strict=True):
        scores = float(one.heads.scale) * drawn @ query
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights = weights + float(share) * powers / powers.sum(axis=1, keepdims=True)
    told = weights @ one.values
    return told.var(), ((told - told.mean()) ** 2).std() / count**0.5


@pytest.mark.parametrize("mix", ["equal", (1.0, 3.0)])
@pytest.mark.parametrize("values", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.5, -2.0, 1.0)])
@pytest.mark.parametrize("key", [0, 2])
def test_bounds_around_the_sampled_variance(mix, values, key):
    one = claim(mix=mix, values=values, along={key: 0.5})
    middle, error = estimated(one)
    low, high = Fraction(float(middle - 6 * error)), Fraction(float(middle + 6 * error))
    assert replace(one, side="at least", bound=low).prove().status == "proved"
    assert replace(one, side="at most", bound=high).prove().status == "proved"
    assert replace(one, side="at most", bound=low).prove().status == "refuted"
    assert replace(one, side="at least", bound=high).prove().status == "refuted"


def test_the_bound_is_the_variance_rounded_outward():
    least, most = claim("at least", "0").prove(), claim("at most", "1").prove()
    assert 0 < least.bound < most.bound < least.bound * (1 + 1e-12)
    assert replace(claim(), bound=Fraction(most.bound)).prove().status == "proved"
    assert replace(claim("at least"), bound=Fraction(least.bound)).prove().status == "proved"


def test_an_integral_without_a_bound_on_its_error_confirms_nothing():
    said = [judge(claim(side, "1")) for side in ("at most", "at least")]
    assert said == ["not contradicted", "false"]
    assert judge(claim(isotropic=0.0)) == "true"


def test_heads_that_share_the_noise_covary():
    """Two equal heads vary as one does; taken as independent they would vary half as much."""
    alone, twice = claim(queries=QUERIES[:1]), claim(queries=QUERIES[[0, 0]])
    reached = alone.prove().bound or Fraction(0)
    low = replace(alone, side="at least", bound=Fraction(0)).prove().bound
    assert replace(twice, side="at least", bound=Fraction(low) * (1 - Fraction(1, 10**12))).prove().status == "proved"
    assert reached is not None


def test_a_key_that_no_head_sees_does_not_vary():
    unseen = np.array([[1.0, -2.0]])  # orthogonal to key 0
    assert claim("at most", "0", queries=unseen, values=(0.0, 1.0, 0.0)).prove().status == "proved"
    assert claim("at least", "1e-30", queries=unseen, values=(0.0, 1.0, 0.0)).prove().status == "refuted"


@pytest.mark.parametrize("noise", [{"isotropic": 0.1}, {"along": {0: 0.5, 1: 0.5}}])
def test_more_than_one_gaussian_is_undecided(noise):
    assert claim(**noise).prove().status == "undecided"


def test_a_bound_that_is_met_to_the_last_digit_is_undecided():
    zero = claim("at least", "0", queries=np.array([[1.0, -2.0]])).prove()
    assert zero.status == "proved"
    single = GaussianKeys(MEANS[:1], along={0: 0.5})  # one key has all the weight: nothing to integrate
    assert (
        WeightVariance(single, heads_of(MEANS[:1], QUERIES[0]), np.ones(1), "at least", Fraction(1, 2)).prove().status
        != "proved"
    )


@pytest.mark.parametrize(
    ("change", "named"),
    [({"side": "below"}, "side"), ({"values": np.ones(2)}, "values"), ({"model": GaussianKeys(2 * MEANS)}, "heads")],
)
def test_wrong_parts_are_named(change, named):
    with pytest.raises(ValueError, match=f"`{named}`"):
        replace(claim(), **change)


def test_files(tmp_path):
    verdict = claim().prove()
    save(tmp_path / "v.safetensors", verdict)
    again = verify(tmp_path / "v.safetensors")
    assert (again.status, again.claim, again.bound) == (verdict.status, verdict.claim, verdict.bound)


def test_it_agrees_with_outcome():
    model = GaussianKeys(MEANS, along={0: 0.5})
    law = hw.outcome(model, QUERIES, mix="equal")
    for j in range(3):
        square = float(law.sd[j]) ** 2
        values = np.eye(3)[j]
        found = WeightVariance(model, heads_of(MEANS, QUERIES, mix="equal"), values, "at most", Fraction(1)).prove()
        assert found.bound == pytest.approx(square, rel=1e-9)


def test_what_is_stated_lies_beyond_the_whole_ball(monkeypatch):
    """However wide the enclosure: its far end is stated, not its near one."""
    true, exactly = weight_variance.variance, claim().prove().bound
    monkeypatch.setattr(weight_variance, "variance", lambda *given: true(*given) + balls.around([0.0], [0.001])[0])
    assert claim("at most", "9/10").prove().bound > exactly + 0.0009
    assert claim("at least", "0").prove().bound < exactly - 0.0009
