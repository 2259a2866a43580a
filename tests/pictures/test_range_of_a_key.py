"""The range of a varying key: what is drawn, where, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.faces.pictures import key_range
from headwright.words.key_models import GaussianKeys
from headwright.words.scaled_keys import ScaledKeys

pytestmark = pytest.mark.needs("matplotlib")


def by_label(figure, part):
    """The one collection or line whose label contains `part`."""
    (axes,) = figure.axes
    (found,) = [artist for artist in [*axes.collections, *axes.lines] if part in artist.get_label()]
    return found


def range_line(figure):
    """The line with end strokes: its ends along the mean."""
    (axes,) = figure.axes
    (line,) = [line for line in axes.lines if line.get_marker() == "|"]
    return line.get_xdata()


def texts(figure):
    (axes,) = figure.axes
    return [text.get_text() for text in axes.texts]


def test_the_range_is_that_of_the_gaussian_along_its_mean(rng):
    mean = rng.normal(size=(7, 5))
    noise = rng.normal(size=(5, 2))
    model = GaussianKeys(mean, isotropic=0.1, along={3: 0.5}, factors={3: noise})
    figure = key_range(model, 3, samples=50, seed=1)
    unit = mean[3] / np.linalg.norm(mean[3])
    spread = 1.959963984540054 * np.sqrt(unit @ model.covariance(3) @ unit)
    length = np.linalg.norm(mean[3])
    np.testing.assert_allclose(range_line(figure), [length - spread, length + spread], rtol=1e-12)
    assert by_label(figure, "mean of key 3").get_offsets().tolist() == [[pytest.approx(length), 0]]
    assert len(by_label(figure, "50 draws of key 3").get_offsets()) == 50
    assert len(by_label(figure, "means of other keys").get_offsets()) == 6


def test_draws_have_the_law_of_the_key(rng):
    """Against draws in key space, projected: the same covariance in the plane."""
    mean = rng.normal(size=(4, 6))
    model = GaussianKeys(mean, isotropic=0.2, along={1: 0.7}, factors={1: rng.normal(size=6)})
    drawn = np.asarray(by_label(key_range(model, 1, beside=2, samples=40_000, seed=2), "draws").get_offsets())
    along = mean[1] / np.linalg.norm(mean[1])
    across = mean[2] - (mean[2] @ along) * along
    plane = np.stack([along, across / np.linalg.norm(across)])
    whole = model.sample(40_000, seed=3)[:, 1] @ plane.T
    np.testing.assert_allclose(drawn.mean(axis=0), whole.mean(axis=0), atol=0.05)
    np.testing.assert_allclose(np.cov(drawn.T), np.cov(whole.T), atol=0.1)


def test_noise_along_the_mean_alone_stays_on_its_line():
    figure = key_range(GaussianKeys(np.eye(4), along={0: 0.5}), 0, samples=30)
    drawn = np.asarray(by_label(figure, "30 draws").get_offsets())
    assert np.abs(drawn[:, 1]).max() == 0
    assert np.ptp(drawn[:, 0]) > 1
    assert "95 % of draws: −0.386 … 2.39" in texts(figure)
    assert {"key 1", "keys 2, 3"} <= set(texts(figure))


def test_a_finite_law_shows_its_points():
    law = {"1/2": "1/4", "3/2": "1/2", "-1": "1/4"}
    figure = key_range(ScaledKeys(2 * np.eye(3), {1: law}), 1)
    points = by_label(figure, "larger where likelier")
    assert np.asarray(points.get_offsets()).tolist() == [[1.0, 0.0], [3.0, 0.0], [-2.0, 0.0]]
    sizes = points.get_sizes()
    assert sizes[0] == sizes[2] < sizes[1]
    assert {"× 0.5\n25 %", "× 1.5\n50 %", "× −1\n25 %", "all draws: −2 … 3"} <= set(texts(figure))
    expected = 2 * float(Fraction(1, 2) / 4 + Fraction(3, 2) / 2 - Fraction(1, 4))
    assert by_label(figure, "mean of key 1").get_offsets().tolist() == [[expected, 0]]


def test_everything_lies_inside_the_frame(rng):
    for k in range(5):
        model = GaussianKeys(rng.normal(size=(9, 4)) * 10.0 ** (k - 2), along={2: 10.0 ** (2 * k - 4)})
        figure = key_range(model, 2, seed=k)
        (axes,) = figure.axes
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        for points in axes.collections:
            x, y = np.asarray(points.get_offsets()).T
            assert left < x.min() <= x.max() < right
            assert bottom < y.min() <= y.max() < top
        assert left < min(range_line(figure))
        assert max(range_line(figure)) < right


@pytest.mark.parametrize(
    "model",
    [
        GaussianKeys([[2.0]], along={0: 1}),
        GaussianKeys([[2.0], [3.0]], isotropic=0.1),
        GaussianKeys([[1.0, 0], [2.0, 0]], along={0: 1}),
        GaussianKeys([[1.0, 2, 3]], isotropic=1e-12),
        GaussianKeys(np.eye(2) * 1e-150, along={0: 1e-300}),
    ],
    ids=["one number", "on a line", "parallel", "alone", "tiny"],
)
def test_odd_shapes_are_drawn(model):
    from headwright.faces.pictures import svg

    assert "</svg>" in svg(key_range(model, 0))


@pytest.mark.parametrize(
    ("model", "options", "kind", "words"),
    [
        (np.eye(3), {"key": 0}, TypeError, "`model`.*ndarray"),
        (GaussianKeys(np.eye(3), along={1: 1}), {"key": 0}, ValueError, "`key`.*0"),
        (GaussianKeys(np.eye(3), along={1: 1}), {"key": 3}, ValueError, "`key`.*3"),
        (GaussianKeys(np.eye(3), along={1: 1}), {"key": -1}, ValueError, "`key`"),
        (GaussianKeys(np.eye(3), along={1: 1}), {"key": 1, "beside": 5}, ValueError, "`beside`.*5"),
        (
            GaussianKeys(np.eye(3), along={1: 1}),
            {"key": 1, "samples": 0},
            ValueError,
            "`samples`.*0",
        ),
        (GaussianKeys(np.zeros((2, 3)), isotropic=1), {"key": 1}, ValueError, "`key`.*1"),
    ],
)
def test_wrong_calls(model, options, kind, words):
    with pytest.raises(kind, match=words.replace("(", r"\(")):
        key_range(model, options.pop("key"), **options)
