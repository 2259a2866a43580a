"""Collisions by type: the counts equal a direct count of rounded rows, the first pair is the library's."""

import mpmath
import numpy as np
import pytest

from headwright.faces.pictures import collisions_by_type, svg
from headwright.faces.pictures.type_collisions import _repeats
from headwright.kernel.number_types import round_to
from headwright.search.positions import alibi, coincidence, learned, sinusoidal
from tests.facts import says

pytestmark = pytest.mark.needs("matplotlib")


def lines(figure):
    (axes,) = figure.axes
    return {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}


def counted(rows):
    seen, found = set(), []
    for row in rows:
        found.append((found[-1] if found else 0) + (tuple(row) in seen))
        seen.add(tuple(row))
    return found


def test_repeats_are_those_of_rows_rounded_from_many_digits():
    with mpmath.workdps(30):
        exact = [[float(mpmath.sin(t)), float(mpmath.cos(t))] for t in range(1500)]
    for name in ("float16", "bfloat16"):
        assert _repeats(sinusoidal(1500, 2), name).tolist() == counted((round_to(np.array(exact), name) + 0.0).tolist())


def test_repeats_of_a_table_of_ones_own():
    table = np.array([[1.0, 2], [1.001, 2], [3, -0.0], [1, 2], [3, 0]])
    assert _repeats(learned(table), "float32").tolist() == [0, 0, 0, 1, 2]
    assert _repeats(learned(table), "bfloat16").tolist() == [0, 1, 1, 2, 3]


def test_curves_stars_and_names():
    codes = sinusoidal(3000, 2)
    figure = collisions_by_type(codes)
    found = lines(figure)
    assert list(found) == ["float32", "float16", "first of float16", "bfloat16", "first of bfloat16"]
    assert set(found["float32"].get_ydata()) == {0}
    lengths, share = found["bfloat16"].get_data()
    assert (lengths[-1], share[-1]) == (3000, _repeats(codes, "bfloat16")[-1] / 3000)
    i, j = coincidence(codes, dtype="bfloat16")
    star = found["first of bfloat16"]
    assert (star.get_xdata(), star.get_ydata()) == ([j + 1], [1 / (j + 1)])
    texts = {text.get_text() for text in figure.axes[0].texts}
    assert texts == {"float32", "no two alike", "float16", "★ first 2 and 712", "bfloat16", f"★ first {i} and {j}"}
    assert says(figure.get_label(), "bfloat16", 1, 711)


def test_curves_differ_without_colour():
    found = lines(collisions_by_type(sinusoidal(800, 2)))
    curves = [found[name] for name in ("float32", "float16", "bfloat16")]
    assert len({line.get_marker() for line in curves}) == len({str(line._dash_pattern) for line in curves}) == 3
    assert found["first of float16"].get_markersize() != found["first of bfloat16"].get_markersize()


def test_where_nothing_coincides():
    for codes in (sinusoidal(500, 64), learned(np.asarray(alibi(40, 4)))):
        figure = collisions_by_type(codes)
        assert {tuple(set(line.get_ydata())) for line in lines(figure).values()} == {(0,)}
        heights = sorted(text.xy[1] for text in figure.axes[0].texts if text.get_text() == "no two alike")
        assert len(heights) == 3
        assert min(np.diff(heights)) > 0.1
        assert "</svg>" in svg(figure)


def test_some_types_alone():
    figure = collisions_by_type(learned(np.array([[1.0], [1.0]])), dtypes=["bfloat16"])
    assert list(lines(figure)) == ["bfloat16", "first of bfloat16"]
    assert "Learned, d = 1" in figure.get_suptitle()


@pytest.mark.parametrize(
    ("positions", "options", "kind", "words"),
    [
        (np.eye(3), {}, TypeError, "`positions`.*ndarray"),
        (sinusoidal(1, 2), {}, ValueError, "`positions`.*1"),
        (alibi(9, 2), {}, ValueError, r"`positions`.*alibi.*learned\(np\.asarray"),
        (sinusoidal(9, 2), {"dtypes": ["float8"]}, ValueError, "`dtypes`.*float8"),
        (sinusoidal(9, 2), {"dtypes": []}, ValueError, "`dtypes`.*none"),
        (sinusoidal(9, 2), {"dtypes": ["float16", "float16"]}, ValueError, "`dtypes`"),
    ],
)
def test_wrong_calls(positions, options, kind, words):
    with pytest.raises(kind, match=words):
        collisions_by_type(positions, **options)
