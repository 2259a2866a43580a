"""Key models: validated, frozen, sampled by the law they state."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from tests.facts import says


def test_samples_have_the_covariance_that_is_stated(rng):
    mean = rng.standard_normal((4, 3))
    model = hw.GaussianKeys(
        mean,
        isotropic=[0.5, 0.2, 0.0, 0.1],
        along={0: -0.4, 2: 0.7},
        factors={1: rng.standard_normal((3, 2)), 3: [1.0, 0.0, 2.0]},
    )
    drawn = model.sample(200_000, seed=4)
    assert drawn.shape == (200_000, 4, 3)
    for j in range(4):
        covariance = model.covariance(j)
        off = 6 * np.sqrt(2 * np.outer(np.diag(covariance), np.diag(covariance)) / 200_000) + 1e-12
        assert (np.abs(np.cov(drawn[:, j].T) - covariance) <= off).all()
        assert (np.abs(drawn[:, j].mean(axis=0) - mean[j]) <= 6 * np.sqrt(np.diag(covariance) / 200_000) + 1e-12).all()
        for i in range(j):
            cross = drawn[:, j].T @ (drawn[:, i] - mean[i]) / 200_000
            assert np.abs(cross).max() < 0.05  # keys are independent


def test_covariance_is_the_sum_of_its_parts():
    model = hw.GaussianKeys([[3.0, 4.0]], isotropic=1.0, along={0: 25.0}, factors={0: [[1.0], [0.0]]})
    assert model.covariance(0).tolist() == pytest.approx(np.array([[11.0, 12.0], [12.0, 17.0]]))
    assert model.unit_mean(0).tolist() == pytest.approx([0.6, 0.8])


def test_the_same_seed_draws_the_same_keys():
    for model in (hw.GaussianKeys(np.eye(3), isotropic=0.1), hw.ScaledKeys(np.eye(3), {1: {1: 0.5, 2: 0.5}})):
        assert (model.sample(5, seed=8) == model.sample(5, seed=8)).all()
        assert (model.sample(50, seed=8) != model.sample(50, seed=9)).any()
        assert model.sample(2).shape == (2, 3, 3)


def test_scaled_samples_follow_their_law():
    model = hw.ScaledKeys(np.eye(3), {2: {"-1": "1/4", "1/2": "1/4", 3: "1/2"}})
    drawn = model.sample(40_000, seed=2)
    assert (drawn[:, :2] == np.eye(3)[:2]).all()
    values, counts = np.unique(drawn[:, 2, 2], return_counts=True)
    assert values.tolist() == [-1.0, 0.5, 3.0]
    assert counts / 40_000 == pytest.approx([0.25, 0.25, 0.5], abs=0.02)
    assert model.mean[2, 2] == 1.375
    assert model.combinations == 3
    assert model.varying == (2,)


def test_which_keys_vary():
    assert hw.GaussianKeys(
        np.eye(4), isotropic=[0, 1, 0, 0], along={2: 0.5, 0: 0.0}, factors={3: np.zeros(4)}
    ).varying == (1, 2)
    assert hw.ScaledKeys(np.eye(4), {0: {1: 1}, 1: {2: 1}}).varying == (1,)
    assert (hw.GaussianKeys(np.eye(2)).mean == np.eye(2)).all()


def test_decimal_probabilities_are_normalised_exactly_and_zero_ones_left_out():
    model = hw.ScaledKeys(np.eye(2), {0: {1: 0.1, 2: 0.2, 3: 0.7, 4: 0}})
    assert sum(model.laws[0].values()) == 1
    assert list(model.laws[0]) == [1, 2, 3]
    assert hw.ScaledKeys(np.eye(2), {0: {"0.1": "0.5", "0.3": "1/2"}}).laws[0] == {
        Fraction(1, 10): Fraction(1, 2),
        Fraction(3, 10): Fraction(1, 2),
    }


@pytest.mark.parametrize(
    "model",
    [
        hw.GaussianKeys(np.eye(3), isotropic=0.25, along={1: 2.0}, factors={0: np.ones((3, 2))}),
        hw.ScaledKeys(np.eye(3), {0: {"1/3": "1/2", 2: "1/2"}}),
    ],
)
def test_models_are_frozen_and_travel(model):
    with pytest.raises(AttributeError, match="frozen"):
        model.centre = 3
    with pytest.raises(AttributeError, match="frozen"):
        del model.centre
    with pytest.raises(ValueError, match="read-only"):
        model.centre[0, 0] = 2.0
    again = pickle.loads(pickle.dumps(model))
    assert repr(again) == repr(model)
    assert again.fields() == model.fields()
    assert all((again.arrays()[name] == array).all() for name, array in model.arrays().items())


def test_models_describe_themselves():
    many = hw.GaussianKeys(
        np.eye(6),
        isotropic=np.arange(6) / 10,
        along=dict.fromkeys(range(5), 0.5),
        factors=dict.fromkeys(range(4), np.ones(6)),
    )
    assert says(repr(many), 0, "0.5")
    assert says(repr(many), 5)
    assert says(repr(many), 4)
    assert repr(hw.GaussianKeys(np.eye(2))) != repr(hw.GaussianKeys(np.eye(2), isotropic=0.1))
    laws = {j: {c: "1/5" for c in range(5)} for j in range(4)}
    assert says(repr(hw.ScaledKeys(np.eye(4), laws)), 2, 0, "1.0", "2.0", 5, 4)
    assert says(repr(hw.ScaledKeys(np.eye(4), {})), 4)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hw.GaussianKeys(np.eye(3), isotropic=-0.1), r"\b0\b.*`isotropic`, `along`"),
        (
            lambda: hw.GaussianKeys(np.eye(3), isotropic=0.1, along={2: -0.2}),
            r"\b2\b.*`isotropic`, `along`",
        ),
        (
            lambda: hw.GaussianKeys(np.eye(3), isotropic=[0.1, 0.1]),
            "`isotropic`.*2",
        ),
        (lambda: hw.GaussianKeys([[0.0, 0.0], [1.0, 0.0]], along={0: 0.5}), r"`along\[0\]`.*0"),
        (lambda: hw.GaussianKeys(np.eye(3), along={3: 0.5}), "`along`.*3"),
        (lambda: hw.GaussianKeys(np.eye(3), along={-1: 0.5}), "`along index`"),
        (lambda: hw.GaussianKeys(np.eye(3), along=[0.5]), "`along`"),
        (lambda: hw.GaussianKeys(np.eye(3), along={0: float("nan")}), r"`along\[0\]`"),
        (lambda: hw.GaussianKeys(np.eye(3), along={0: "1e400"}), r"`along\[0\]`.*float64"),
        (lambda: hw.GaussianKeys(np.eye(3), along={0: "1e-400"}), r"`along\[0\]`.*float64"),
        (lambda: hw.GaussianKeys(np.eye(3), isotropic=np.inf), "`isotropic`"),
        (lambda: hw.GaussianKeys(np.eye(3), factors={0: np.ones(2)}), r"`factors\[0\]`"),
        (lambda: hw.GaussianKeys(np.ones(3)), "`mean`"),
        (lambda: hw.ScaledKeys(np.eye(3), {0: {1: 0.5, 2: 0.4}}), r"`laws\[0\]`.*0\.9"),
        (lambda: hw.ScaledKeys(np.eye(3), {0: {1: 1.5, 2: -0.5}}), r"`laws\[0\]`"),
        (lambda: hw.ScaledKeys(np.eye(3), {0: {1: "1/2", "1": "1/2"}}), r"`laws\[0\]`.*1\.0"),
        (lambda: hw.ScaledKeys(np.eye(3), {0: {}}), r"`laws\[0\]`"),
        (lambda: hw.ScaledKeys(np.eye(3), {5: {1: 1}}), "`laws`.*5"),
        (
            lambda: hw.ScaledKeys(np.eye(30), {j: {1: "1/2", 2: "1/2"} for j in range(23)}),
            "`laws`.*8388608",
        ),
        (lambda: hw.ScaledKeys(np.eye(60), {j: {1: "1/2", 2: "1/2"} for j in range(60)}), "`laws`.*10"),
        (lambda: hw.GaussianKeys(np.eye(2)).sample(0), "`samples`.*0"),
        (lambda: hw.GaussianKeys(np.eye(2)).sample(10**400), "`samples`"),
        (lambda: hw.GaussianKeys(np.eye(2)).sample(2, seed=-1), "`seed`"),
    ],
)
def test_wrong_models_are_refused_in_words(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"along": {0: "1/3"}}, r"along\[0\]"),
        ({"along": {0: "0.1"}}, r"along\[0\]"),
        ({"along": {0: Fraction(1, 10)}}, r"along\[0\]"),
        ({"along": {0: 2**53 + 1}}, r"along\[0\]"),
        ({"along": {0: np.longdouble(0.5)}}, r"along\[0\]"),
        ({"isotropic": "0.5"}, "isotropic"),
        ({"isotropic": [2**53 + 1, 0.5, 0.0]}, "isotropic"),
        ({"isotropic": np.longdouble(1)}, "isotropic"),
        ({"factors": {0: [2**53 + 1, 0.5, 0.0]}}, r"factors\[0\]"),
        ({"factors": {0: np.ma.array(np.ones(3))}}, r"factors\[0\]"),
    ],
)
def test_a_variance_is_kept_exactly_or_refused(more, name):
    with pytest.raises((ValueError, TypeError), match=f"`{name}`"):
        hw.GaussianKeys(np.eye(3), **more)


def test_exact_variances_of_every_kind_are_kept():
    model = hw.GaussianKeys(
        np.eye(4), along={0: "1/4", 1: 0.1, 2: Fraction(3, 8), 3: np.float32(0.1)}, isotropic=np.float16(0.1)
    )
    assert model.along.tolist() == [0.25, 0.1, 0.375, float(np.float32(0.1))]
    assert model.isotropic.tolist() == [float(np.float16(0.1))] * 4


def test_probabilities_that_are_spelled_out_sum_to_one_exactly():
    assert hw.ScaledKeys(np.eye(2), {0: {1: 0.1, 2: 0.9}}).laws[0]
    with pytest.raises(ValueError, match="probabilities that sum to one"):
        hw.ScaledKeys(np.eye(2), {0: {1: "0.3333333333", 2: "0.6666666666"}})
    with pytest.raises(TypeError, match=r"`probability in laws\[0\]`"):
        hw.ScaledKeys(np.eye(2), {0: {1: np.longdouble(0.5), 2: 0.5}})


def test_the_mappings_of_models_are_read_only():
    gaussian = hw.GaussianKeys(np.eye(2), factors={0: [1.0, 0.0]})
    scaled = hw.ScaledKeys(np.eye(2), {0: {1: "1/2", 2: "1/2"}})
    for made in (gaussian, copy.deepcopy(gaussian), pickle.loads(pickle.dumps(gaussian))):
        assert not made.factors[0].flags.writeable
        with pytest.raises(TypeError, match="does not support item assignment"):
            made.factors[0] = np.zeros((2, 1))
    for made in (scaled, copy.deepcopy(scaled), pickle.loads(pickle.dumps(scaled))):
        for mapping in (made.laws, made.laws[0]):
            with pytest.raises(TypeError, match="does not support item assignment"):
                mapping[0] = {}


# Full covariances


def random_covariance(rng, d=3):
    root = rng.standard_normal((d, d))
    return (root @ root.T + (root @ root.T).T) / 2


def test_a_full_covariance_is_of_every_key_or_of_each(rng):
    mean, one = rng.standard_normal((3, 3)), random_covariance(rng)
    each = np.stack([one, np.zeros((3, 3)), 2 * one])
    shared, own = hw.GaussianKeys(mean, cov=one), hw.GaussianKeys(mean, cov=each, isotropic=[0, 0, 0.5])
    assert (shared.varying, own.varying) == ((0, 1, 2), (0, 2))
    assert (shared.covariance(1) == one).all()
    assert np.allclose(own.covariance(2), 2 * one + 0.5 * np.eye(3))
    for model in (shared, own):
        drawn = model.sample(200_000, seed=4)
        for j in range(3):
            covariance = model.covariance(j)
            off = 6 * np.sqrt(2 * np.outer(np.diag(covariance), np.diag(covariance)) / 200_000) + 1e-12
            assert (np.abs(np.cov(drawn[:, j].T) - covariance) <= off).all()


def test_a_covariance_and_its_factor_are_the_same_law(rng):
    mean, query = rng.standard_normal((4, 3)), rng.standard_normal(3)
    root = rng.integers(-3, 4, (3, 2)) / 4
    by_factor = hw.GaussianKeys(mean, factors={2: root})
    by_cov = hw.GaussianKeys(mean, cov=[np.zeros((3, 3))] * 2 + [root @ root.T] + [np.zeros((3, 3))])
    p, q = (hw.outcome(model, query, hw.Copy(2)).probability("0.6") for model in (by_factor, by_cov))
    assert p.proved
    assert (p.low, p.high) == (q.low, q.high)


def test_the_covariance_travels(rng):
    for cov in (random_covariance(rng), np.stack([random_covariance(rng)] * 4)):
        model = hw.GaussianKeys(rng.standard_normal((4, 3)), cov=cov)
        for again in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
            assert (again.cov == cov).all()
            assert again.describe() == model.describe()
        with pytest.raises(ValueError, match="read-only"):
            model.cov[0] = 0.0


@pytest.mark.parametrize(
    ("cov", "message"),
    [
        (np.eye(4), r"`cov`.*\(d, d\).*\(4, 4\)"),
        (np.zeros((3, 3, 3)), r"`cov`.*n = 2"),
        (np.ones(3), "`cov`.*dimension"),
        ([[1.0, 0.5, 0.0], [0.25, 1.0, 0.0], [0.0, 0.0, 1.0]], r"`cov`.*symmetric.*\(0, 1\)"),
        (np.diag([1.0, -1.0, 1.0]), "`cov`.*semi-definite"),
        ([np.eye(3), [[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]], r"`cov\[1\]`.*semi-definite"),
        ([[0.0, 1e-300, 0.0], [1e-300, 0.0, 0.0], [0.0, 0.0, 1.0]], "`cov`.*semi-definite"),
        (np.full((3, 3), np.nan), "`cov`.*finite"),
    ],
)
def test_what_is_no_covariance_is_refused(cov, message):
    with pytest.raises(ValueError, match=message):
        hw.GaussianKeys(np.eye(3)[:2], cov=cov)
    with pytest.raises(TypeError, match="`cov`"):
        hw.GaussianKeys(np.eye(3)[:2], cov="full")
