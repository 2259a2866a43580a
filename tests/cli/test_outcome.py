"""headwright outcome, and design and certify for keys that vary: what they print, write and answer."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import headwright as hw
from headwright.proofs import load
from tests.facts import near, says

T = float(np.log(1e4))


@pytest.fixture(autouse=True)
def queries(tmp_path):
    """The textbook's two heads and its one, over ten orthonormal keys."""
    np.save(tmp_path / "two.npy", T * np.eye(10)[:2])
    np.save(tmp_path / "one.npy", T * (np.eye(10)[0] + np.eye(10)[1]))


def test_the_textbook_example(call):
    code, out, err = call(
        "outcome --orthonormal 10 --along 0=0.5 --query two.npy --mix equal --average 0,1 --error 0.1"
    )
    assert (code, err) == (0, "")
    assert says(out, "Average(0, 1)", 2, 10)
    assert near(out, "0.80622621445", within=1e-11)
    for part in ("\nProved: ", "(proved, ±", "* key 0  0.4252 ± 0.1523  ███"):
        assert part in out
    assert "stimated" not in out
    assert "≈" not in out
    assert max(map(len, out.splitlines())) <= 80


def test_json_has_every_figure(answer):
    code, told = answer(
        "outcome --orthonormal 10 --along 0=0.5 --query one.npy --average 0,1 --error 0.1 --quantile 0.3"
    )
    assert (code, told["status"], told["kind"]) == (0, "done", "proved")
    assert told["mean"][0] == pytest.approx(0.49995277607654, abs=1e-12)
    assert told["sd"][0] == pytest.approx(0.43697423825961, abs=1e-12)
    probability, quantile = told["probability"], told["quantile"]
    assert (probability["kind"], probability["error"]) == ("proved", "0.1")
    assert probability["low"] <= probability["value"] <= probability["high"]
    library = hw.outcome(
        hw.GaussianKeys(np.eye(10), along={0: 0.5}), T * (np.eye(10)[0] + np.eye(10)[1]), hw.Average(0, 1)
    )
    assert probability["value"] == float(library.probability("0.1"))
    assert quantile["value"] == float(library.quantile("0.3"))
    assert (quantile["p"], told["pictures"], told["output_mean"]) == ("0.3", [], None)


def test_an_estimate_never_looks_proved(call, answer):
    line = "outcome --orthonormal 10 --isotropic 0.05 --query two.npy --mix equal --average 0,1 --error 0.1"
    line += " --samples 4096 --seed 3"
    code, out, _ = call(line)
    assert code == 0
    assert says(out, 4096, 3)
    for part in ("\nEstimated", "≈ 0.9", "95 %", "* key 0  ≈ 0.48"):
        assert part in out
    assert "Proved" not in out
    assert "(proved" not in out
    _, told = answer(line)
    assert (told["kind"], told["seed"], told["samples"]) == ("estimated at 95 %", 3, 4096)
    assert says(told["probability"]["kind"], 95)


def test_finite_laws_and_values(call, answer, tmp_path, rng):
    values = rng.normal(size=(10, 3))
    np.save(tmp_path / "v.npy", values)
    line = "outcome --orthonormal 10 --scaled 0=0.5:1/4,1.5:3/4 --query two.npy --mix equal --values v.npy"
    code, out, _ = call(line)
    assert code == 0
    assert says(out.replace("\n", " "), 0, "0.5", "1.5")
    assert says(out, 0)
    assert "P(error" not in out  # no goal, no error
    _, told = answer(line)
    weights = []
    for c in (0.5, 1.5):
        scores = T * np.eye(10)[:2] * [c, *[1] * 9]
        heads = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        weights.append(heads.mean(axis=0))
    mean = 0.25 * weights[0] + 0.75 * weights[1]
    np.testing.assert_allclose(told["mean"], mean, rtol=1e-13)
    np.testing.assert_allclose(told["output_mean"], mean @ values, rtol=1e-12)
    off = (weights[0] - weights[1]) @ values
    np.testing.assert_allclose(told["output_cov"], 3 / 16 * np.outer(off, off), rtol=1e-10)
    assert (told["probability"], told["quantile"], told["error_mean"]) == (None, None, None)


def test_keys_that_do_not_vary_scale_and_mix(answer):
    _, told = answer("outcome --orthonormal 10 --query two.npy --scale 0.5 --mix 3,1 --copy 0")
    expected = np.exp(T / 2) / (np.exp(T / 2) + 9)
    assert told["mean"][0] == pytest.approx(0.75 * expected + 0.25 * (1 - expected) / 9, rel=1e-14)
    assert max(told["sd"]) == 0
    assert told["probability"]["value"] == 0


def test_noise_by_a_factor_and_several_options(answer, tmp_path, rng):
    noise = rng.normal(size=(10, 2))
    np.save(tmp_path / "u.npy", noise)
    model = "--along 0=0.5 --along 2=1/4,3=0.25 --factor 1=u.npy --isotropic 1e-6"
    _, told = answer(
        f"outcome --orthonormal 10 {model} --query two.npy --mix equal --average 0,1 --samples 1024 --seed 0"
    )
    same = hw.GaussianKeys(np.eye(10), along={0: 0.5, 2: 0.25, 3: 0.25}, factors={1: noise}, isotropic=1e-6)
    library = hw.outcome(same, T * np.eye(10)[:2], hw.Average(0, 1), samples=1024, seed=0, mix="equal")
    assert told["mean"] == library.mean.tolist()


def test_a_covariance_from_a_file(answer, tmp_path):
    spread = np.diag(np.arange(10) / 64)
    np.save(tmp_path / "c.npy", spread)
    line = "--orthonormal 10 --query two.npy --mix equal --average 0,1 --cov"
    _, told = answer(f"outcome {line} c.npy --samples 1024 --seed 0")
    same = hw.GaussianKeys(np.eye(10), cov=spread)
    library = hw.outcome(same, T * np.eye(10)[:2], hw.Average(0, 1), samples=1024, seed=0, mix="equal")
    assert told["mean"] == library.mean.tolist()
    np.save(tmp_path / "c.npy", -spread)
    code, told = answer(f"certify {line} c.npy --error 0.1 --confidence 0.9")
    assert (code, "`--cov`" in told["message"]) == (2, True)
    np.savez(tmp_path / "both.npz", a=spread, b=spread)
    assert answer(f"outcome {line} both.npz")[0] == 2


@pytest.mark.needs("matplotlib")
def test_pictures(call, answer, tmp_path):
    line = "outcome --orthonormal 10 --along 0=0.5 --query two.npy --mix equal --average 0,1 --error 0.1"
    code, out, _ = call(f"{line} --picture w.svg --against one.npy --key-picture k.png")
    assert code == 0
    assert "Saved w.svg" in out
    assert (tmp_path / "k.png").read_bytes().startswith(b"\x89PNG")
    words = ET.parse(tmp_path / "w.svg").getroot().find("{http://www.w3.org/2000/svg}desc").text
    assert says(words, 2)
    assert says(words, "one.npy", "two.npy")
    assert answer(f"{line} --picture w.png")[1]["pictures"] == ["w.png"]
    code, _, err = call(f"outcome --orthonormal 10 --query two.npy --mix equal --key-picture {tmp_path}/k.svg")
    assert (code, "`--key-picture`" in err) == (2, True)
    code, _, err = call(f"{line} --picture w.svg --against two.npy")
    assert (code, "two.npy" in err) == (2, True)


def test_without_matplotlib_a_picture_is_refused_before_the_work(call, monkeypatch):
    import sys

    for name in list(sys.modules):
        if name.partition(".")[0] == "matplotlib":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = call("outcome --orthonormal 10 --along 0=1 --query two.npy --mix equal --copy 0 --picture w.svg")
    assert (code, out) == (2, "")
    assert says(err, "`matplotlib`", "`plots`")


def test_certify_with_confidence(call, answer, tmp_path):
    line = "certify --orthonormal 10 --along 0=0.5 --query two.npy --mix equal --average 0,1 --error 0.1"
    code, out, _ = call(f"{line} --confidence 0.8 --save c.safetensors")
    assert code == 0
    assert near(out, "0.80622621445", within=1e-8)
    assert load(tmp_path / "c.safetensors").kind == "within-error-with-probability"
    assert call("verify c.safetensors")[0] == 0
    code, told = answer(f"{line} --confidence 0.81")
    assert (code, told["status"]) == (1, "refuted")


def test_certify_undecided_has_an_estimate(call):
    line = "certify --orthonormal 10 --isotropic 0.05 --query two.npy --mix equal --average 0,1 --error 0.1"
    line += " --confidence 0.9 --seed 5"
    code, out, _ = call(line)
    assert code == 3
    assert re.search(r"0\.92\d*", out)
    assert says(out, 5)


def test_design_for_keys_that_vary(call, answer, tmp_path):
    line = "design --orthonormal 12 --along 0=0.5 --average 0,1 --error 0.1 --confidence 0.99 --heads auto"
    code, out, err = call(f"{line} --save c.safetensors --query-out q.npy")
    assert (code, err) == (0, "")
    assert says(out, "Average(0, 1)", 12, "0.99", 1, "q.npy")
    assert "\nProved: " in out
    assert max(map(len, out.splitlines())) <= 80
    assert call("verify c.safetensors")[0] == 0
    assert call(f"{line.replace('design', 'certify').replace(' --heads auto', '')} --query q.npy")[0] == 0
    _, told = answer(line)
    assert told["design"]["confidence"] == "0.99"
    assert told["design"]["probability"] >= 0.99


def test_design_that_is_not_found(call, answer, tmp_path):
    """Key 1 and others surround the origin once the noise of key 0 is left out: one head feels it."""
    axes = np.eye(4)
    np.save(tmp_path / "k.npy", np.vstack([axes[:2], axes[2:], -axes[2:], -0.2 * axes[1:2]]))
    line = "design --keys k.npy --along 0=0.5 --average 0,1 --error 0.1 --confidence 0.95"
    code, _, err = call(line)
    assert (code, err) == (3, "")
    code, told = answer(line)
    assert (code, told["status"]) == (3, "not found")
    assert 0 < told["probability"] < 0.95


@pytest.mark.parametrize("model", ["--along 0=1/3", "--isotropic 1/3", "--isotropic 1e-400", "--along 0=1e400"])
def test_a_variance_that_float64_cannot_hold_is_refused(call, model):
    code, _, err = call(f"outcome --orthonormal 10 {model} --query two.npy --mix equal --copy 0")
    assert code == 2
    assert f"`{model.split('1')[0].strip()}`" in err
