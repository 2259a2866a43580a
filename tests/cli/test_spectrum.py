"""headwright spectrum: what it prints, writes and answers, and how it refuses."""

import re
import xml.etree.ElementTree as ET
from fractions import Fraction

import numpy as np
import pytest

from headwright.proofs import load
from tests.facts import figures, says


@pytest.fixture
def matrix(tmp_path, rng):
    a = rng.normal(size=(20, 14)) * np.exp(-np.arange(14) / 3)
    np.save(tmp_path / "a.npy", a)
    return a


def test_singular_values_on_the_screen(call, matrix):
    code, out, err = call("spectrum a.npy")
    assert (code, err) == (0, "")
    values = np.linalg.svd(matrix, compute_uv=False)
    for part in ("20 × 14", "‖A‖_F²", "(proved, ±", f"σ_1   {values[0]:<12.6g}  {'█' * 30}", "  …\n",
                 f"σ_14  {values[13]:.6g}", "\nProved: "):  # fmt: skip
        assert part in out
    assert "σ_13 " not in out
    assert max(map(len, out.splitlines())) <= 80


def test_json_has_every_interval(answer, matrix):
    code, told = answer("spectrum a.npy")
    assert (code, told["status"], told["shape"], told["pictures"]) == (0, "proved", [20, 14], [])
    values, found = np.linalg.svd(matrix, compute_uv=False), told["singular_values"]
    assert (np.array(found["low"]) - 1e-12 <= values).all()
    assert (values <= np.array(found["high"]) + 1e-12).all()
    assert found["verdict"]["status"] == "proved"
    assert told["total"]["value"] == pytest.approx((matrix**2).sum(), rel=1e-14)


def test_one_value_and_its_bound(call, answer, matrix):
    code, out, _ = call("spectrum a.npy --tail 3")
    assert code == 0
    for part in ("σ_3   ", "‖A‖_F/√3", "Σ σ_i², i >= 3", "\nProved: σ_3 "):
        assert part in out
    _, told = answer("spectrum a.npy --tail 3")
    values = np.linalg.svd(matrix, compute_uv=False)
    assert told["singular_value"]["value"] == pytest.approx(values[2], rel=1e-12)
    assert told["bound"]["value"] == pytest.approx(np.linalg.norm(matrix) / 3**0.5, rel=1e-12)
    assert told["energy"]["value"] == pytest.approx((values[2:] ** 2).sum(), rel=1e-10)


def test_low_rank_with_factors_and_certificate(call, answer, matrix, tmp_path):
    code, out, _ = call("spectrum a.npy --rank 4 --save c.safetensors --factors f.npz")
    assert code == 0
    fifth = np.linalg.svd(matrix, compute_uv=False)[4]
    assert says(out, 4, "proved", "‖A‖_F/√5", "f.npz")
    with np.load(tmp_path / "f.npz") as factors:
        left, right = factors["left"], factors["right"]
    assert (left.shape, right.shape) == ((20, 4), (4, 14))
    assert np.linalg.norm(matrix - left @ right, 2) == pytest.approx(fifth, rel=1e-10)
    assert load(tmp_path / "c.safetensors").kind == "low-rank"
    assert call("verify c.safetensors")[0] == 0
    _, told = answer("spectrum a.npy --rank 4")
    assert told["best"] <= fifth * (1 + 1e-12)
    assert fifth * (1 - 1e-12) <= told["error"] <= told["bound"]
    assert np.shape(told["left"]) == (20, 4)
    assert "left" not in answer("spectrum a.npy --rank 4 --factors f.npz")[1]  # they are in the file


def test_the_certificate_of_the_intervals(call, matrix, tmp_path):
    assert call("spectrum a.npy --tail 2 --save c.safetensors")[0] == 0
    assert load(tmp_path / "c.safetensors").kind == "singular-values"
    assert call("verify c.safetensors")[0] == 0


def test_help_and_errors_use_one_name(call, tmp_path):
    assert "MATRIX" in call("spectrum --help")[1]
    np.savez(tmp_path / "m.npz", a=np.eye(2), b=np.eye(3))
    assert says(call("spectrum m.npz")[2], "`matrix` m.npz", "`--matrix-array`", "a, b")


def test_low_rank_is_rounded_outward_on_the_screen(call, tmp_path):
    np.save(tmp_path / "i.npy", np.eye(3))
    _, out, _ = call("spectrum i.npy --rank 2")
    above, below = (figures(re.search(rf"{word} (.*)", out)[1])[0] for word in ("distance +at most", "nearer than"))
    assert 1 - Fraction(1, 10**10) < below <= 1 <= above < 1 + Fraction(1, 10**10)


def test_few_values_and_a_zero_matrix(call, tmp_path):
    np.save(tmp_path / "z.npy", np.zeros((2, 3)))
    code, out, _ = call("spectrum z.npy")
    assert code == 0
    assert "σ_2  0" in out
    assert "…" not in out


@pytest.mark.needs("matplotlib")
def test_picture(call, answer, matrix, tmp_path):
    code, out, _ = call("spectrum a.npy --picture s.svg")
    assert (code, "Saved s.svg" in out) == (0, True)
    words = ET.parse(tmp_path / "s.svg").getroot().find("{http://www.w3.org/2000/svg}desc").text
    assert says(words, 20, 14)
    assert answer("spectrum a.npy --picture s.png")[1]["pictures"] == ["s.png"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a.npy --rank 15", "`--rank`"),
        ("a.npy --rank 0", "`--rank`"),
        ("a.npy --tail -1", "`--tail`"),
        ("a.npy --tail 15", "`--tail`"),
        ("a.npy --rank 2 --tail 3", "`--rank`"),
        ("a.npy --factors f.npz", "`--factors`"),
        ("a.npy --rank 2 --factors f.npy", "`--factors`"),
        ("a.npy --picture s.pdf", "`--picture`"),
        ("a.npy --save absent/c.safetensors", "absent/c.safetensors"),
        ("absent.npy", "`matrix`"),
        ("nan.npy", "`matrix`"),
        ("flat.npy", "`matrix`"),
    ],
)
def test_wrong_calls(call, answer, matrix, tmp_path, line, words):
    np.save(tmp_path / "nan.npy", np.array([[1.0, np.nan]]))
    np.save(tmp_path / "flat.npy", np.arange(3.0))
    code, out, err = call(f"spectrum {line}")
    assert (code, out) == (2, "")
    assert words in err
    code, told = answer(f"spectrum {line}")
    assert (code, told["status"], words in told["message"]) == (2, "error", True)
