"""Singular values under their bound: the numbers drawn are those of the matrix, and what may be 0 is drawn so."""

import numpy as np
import pytest

from headwright.faces.pictures import spectrum_and_bound, svg
from tests.facts import says

pytestmark = pytest.mark.needs("matplotlib")


def lines(figure):
    (axes,) = figure.axes
    return {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}


def test_values_bound_and_star(rng):
    a = rng.normal(size=(9, 5))
    figure = spectrum_and_bound(a)
    found = lines(figure)
    assert list(found) == ["the bound", "σ_k", "nearest to the bound"]
    values = np.linalg.svd(a, compute_uv=False)
    k = np.arange(1, 6)
    np.testing.assert_allclose(found["σ_k"].get_ydata(), values, rtol=1e-12)
    np.testing.assert_allclose(found["the bound"].get_ydata(), np.linalg.norm(a) / np.sqrt(k), rtol=1e-12)
    nearest = int(np.argmax(values * np.sqrt(k)))
    (x,), (y,) = found["nearest to the bound"].get_data()
    assert (x, y) == (nearest + 1, pytest.approx(values[nearest]))
    assert f"nearest at k = {nearest + 1}" in figure.get_label()
    assert figure.axes[0].get_yscale() == "linear"


def test_a_wide_spectrum_has_a_logarithmic_axis():
    figure = spectrum_and_bound(np.diag(10.0 ** -np.arange(8)), name="K")
    assert figure.axes[0].get_yscale() == "log"
    assert says(figure.get_suptitle(), "K (8 × 8)")
    assert "‖K‖_F/√k" in {text.get_text() for text in figure.axes[0].texts}


def test_values_that_may_be_zero_are_hollow():
    figure = spectrum_and_bound(np.outer(np.arange(1.0, 6), [1, 2, 3]))
    hollow = lines(figure)["may be 0"]
    assert hollow.get_xdata().tolist() == [2, 3]
    assert hollow.get_markerfacecolor() == "white"
    assert lines(figure)["σ_k"].get_xdata().tolist() == [1]
    assert says(figure.get_label(), 2, 0)


@pytest.mark.parametrize("a", [np.zeros((3, 2)), [[2.0]], np.eye(3), 1e150 * np.eye(2), 1e-150 * np.eye(2)])
def test_extremes_are_drawn(a):
    assert "</svg>" in svg(spectrum_and_bound(a))


def test_equal_values_reach_the_bound():
    assert says(spectrum_and_bound(np.eye(3)).get_label(), "k = 3", "100.0%")
    assert says(spectrum_and_bound(np.zeros((3, 2))).get_label(), 0)


def test_names_do_not_meet():
    for a in (np.eye(3), np.diag([3.0, 2.9, 2.8])):
        (axes,) = spectrum_and_bound(a).axes
        heights = [text.xy[1] for text in axes.texts]
        assert heights[0] - heights[1] > 0.06


@pytest.mark.parametrize("a", [[1.0, 2.0], [[np.nan, 1.0]], np.zeros((0, 3))])
def test_wrong_calls(a):
    with pytest.raises(ValueError, match="`a`"):
        spectrum_and_bound(a)
