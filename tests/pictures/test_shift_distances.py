"""Distance against shift: every number drawn is that of the codes, the nearest pair has its star, and grey suffices."""

import mpmath
import numpy as np
import pytest

from headwright.faces.pictures import distance_against_shift, svg
from headwright.faces.pictures.shift_distances import shift_distances
from headwright.search.positions import alibi, learned, nearest_pair, rotary, sinusoidal
from tests.facts import says

pytestmark = pytest.mark.needs("matplotlib")


def lines(figure):
    (axes,) = figure.axes
    return {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}


def test_distances_are_those_of_the_rows_and_of_mpmath():
    codes = sinusoidal(60, 6, 50.0)
    table = np.asarray(codes)
    shifts = np.arange(1, 60)
    direct = [np.linalg.norm(table[0] - table[s]) for s in shifts]
    np.testing.assert_allclose(shift_distances(codes, shifts), direct, rtol=1e-12)
    with mpmath.workdps(40):
        assert shift_distances(sinusoidal(711, 2), np.array([710]))[0] == pytest.approx(
            float(2 * abs(mpmath.sin(355))), rel=1e-9
        )


def test_every_encoding_has_points_a_line_and_a_star():
    figure = distance_against_shift([sinusoidal(1000, 2), sinusoidal(300, 8), rotary(1000, 4)])
    found = lines(figure)
    assert list(found) == [
        "shifts, d = 2", "d = 2", "nearest of d = 2", "shifts, d = 8", "d = 8", "nearest of d = 8",
        "shifts, rotary, d = 4", "rotary, d = 4", "nearest of rotary, d = 4",
    ]  # fmt: skip
    star = found["nearest of d = 2"]
    near = nearest_pair(sinusoidal(1000, 2))
    assert (star.get_xdata(), star.get_ydata()) == ([710], [near.distance])
    texts = {text.get_text() for text in figure.axes[0].texts}
    assert {"d = 2", "★ 6.03e-05 at shift 710", "d = 8", "rotary, d = 4"} <= texts


def test_the_line_is_the_least_distance_so_far_and_ends_at_the_last_shift():
    found = lines(distance_against_shift(sinusoidal(1000, 2)))
    shifts, least = found["d = 2"].get_data()
    distances = shift_distances(sinusoidal(1000, 2), np.arange(1, 1000))
    for s, d in zip(shifts[:-1], least[:-1], strict=True):
        assert d == distances[:s].min() == distances[s - 1]
    assert set(shifts) == {1, 6, 19, 25, 44, 333, 710, 999}  # ever better multiples of 2π, and the end of the line
    assert least[-1] == least[-2]


def test_a_point_is_the_nearest_of_the_shifts_it_stands_for():
    drawn = lines(distance_against_shift(sinusoidal(5000, 2)))["shifts, d = 2"]
    x, y = drawn.get_data()
    assert len(x) <= 240
    np.testing.assert_array_equal(y, shift_distances(sinusoidal(5000, 2), x))
    assert 710 in x
    few, _ = lines(distance_against_shift(sinusoidal(12, 2)))["shifts, d = 2"].get_data()
    assert few.tolist() == list(range(1, 12))


def test_curves_differ_without_colour():
    figure = distance_against_shift([sinusoidal(50, d) for d in (2, 4, 6, 8)])
    found = lines(figure)
    curves, points = ([found[f"{words}d = {d}"] for d in (2, 4, 6, 8)] for words in ("", "shifts, "))
    assert len({str(line._dash_pattern) for line in curves}) == 4
    assert len({line.get_marker() for line in points}) == 4


def test_labels_do_not_meet():
    (axes,) = distance_against_shift([sinusoidal(20, d) for d in (2, 4, 6, 8)]).axes
    heights = sorted(text.xy[1] for text in axes.texts if text.get_text().startswith("d ="))
    assert len(heights) == 4
    assert min(np.diff(heights)) > 0.1


def test_two_positions_alone_and_the_words_for_those_who_cannot_see():
    figure = distance_against_shift(sinusoidal(2, 2))
    assert "</svg>" in svg(figure)
    assert says(figure.get_label(), "d = 2", 0, 1, "0.9589")


@pytest.mark.parametrize(
    ("positions", "kind", "words"),
    [
        ([], ValueError, "`positions`.*0"),
        ([sinusoidal(9, 2)] * 5, ValueError, "`positions`.*5"),
        ([np.eye(2)], TypeError, "`positions`.*ndarray"),
        (3, TypeError, "`positions`.*int"),
        (alibi(9, 2), ValueError, "`positions`.*alibi"),
        (learned(np.eye(3)), ValueError, "`positions`.*learned"),
        (sinusoidal(1, 2), ValueError, "`positions`.*1"),
    ],
)
def test_wrong_calls(positions, kind, words):
    with pytest.raises(kind, match=words):
        distance_against_shift(positions)
