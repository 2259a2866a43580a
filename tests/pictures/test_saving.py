"""Files: valid, the same bytes every time, nothing from outside, words for those who cannot see."""

import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import headwright as hw
from headwright.faces.pictures import key_range, save, svg, weights_over_samples
from tests.facts import says

MODEL = hw.GaussianKeys(np.eye(5), along={0: 0.5})
SVG = "{http://www.w3.org/2000/svg}"


def picture():
    return weights_over_samples(MODEL, 9 * np.eye(5)[:2], hw.Average(0, 1), samples=12, mix="equal")


@pytest.mark.needs("matplotlib")
def test_svg_is_valid_and_says_what_it_shows(tmp_path):
    path = save(picture(), tmp_path / "weights.svg")
    root = ET.parse(path).getroot()
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert says(root.find(f"{SVG}title").text, "Average(0, 1)")
    assert says(root.find(f"{SVG}desc").text, 12, 5)


@pytest.mark.needs("matplotlib")
def test_svg_refers_to_nothing_outside():
    for figure in (picture(), key_range(MODEL, 0)):
        text = svg(figure)
        assert "<!DOCTYPE" not in text
        addresses = set(re.findall(r"https?://[^\"'\s)]+", text))
        assert addresses == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}  # names, never fetched
        links = re.findall(r"href=\"([^\"]*)\"|url\(([^)]*)\)", text)
        assert links
        assert all((one or other).startswith(("#", "data:")) for one, other in links)


@pytest.mark.needs("matplotlib")
@pytest.mark.parametrize("name", ["one.svg", "one.png", "ONE.PNG"])
def test_bytes_are_the_same_every_time(tmp_path, name):
    from matplotlib import rc_context

    first = save(picture(), tmp_path / name).read_bytes()
    with rc_context({"font.size": 30, "svg.hashsalt": None, "axes.facecolor": "red"}):  # another user's settings
        assert save(picture(), tmp_path / name).read_bytes() == first
    figure = picture()
    save(figure, tmp_path / "again.svg")
    assert save(figure, tmp_path / name).read_bytes() == first  # saving does not change a figure


@pytest.mark.needs("matplotlib")
def test_png_has_its_size_and_its_words(tmp_path):
    data = save(picture(), tmp_path / "weights.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (1125, 735)
    assert b"Where the attention goes" in data


@pytest.mark.needs("matplotlib")
@pytest.mark.parametrize("name", ["picture.pdf", "picture", "svg"])
def test_other_types_are_refused(tmp_path, name):
    with pytest.raises(ValueError, match="`path`"):
        save(picture(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.needs("matplotlib")
def test_pictures_leave_no_trace():
    code = """
import sys
import matplotlib
def settings():  # but the backend: to look at it would choose one, and load pyplot
    return {name: matplotlib.rcParams[name] for name in matplotlib.rcParams if not name.startswith("backend")}
before = settings()
import numpy as np, headwright as hw
from headwright.faces import pictures
pictures.svg(pictures.key_range(hw.GaussianKeys(np.eye(3), along={0: 1}), 0))
assert settings() == before
assert "matplotlib.pyplot" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    for name in list(sys.modules):
        if name.partition(".")[0] == "matplotlib":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for draw in (picture, lambda: key_range(MODEL, 0)):
        with pytest.raises(ImportError, match="`plots`"):
            draw()
