"""headwright design and certify for keys that vary: what they print, write and answer."""

import re

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import load
from tests.facts import near, says

T = float(np.log(1e4))


@pytest.fixture(autouse=True)
def queries(tmp_path):
    """The textbook's two heads, over ten orthonormal keys."""
    np.save(tmp_path / "two.npy", T * np.eye(10)[:2])


def judged(model, **options):
    """What the library says of the two heads over these keys."""
    return hw.certify(model, T * np.eye(10)[:2], hw.Average(0, 1), error="0.1", mix="equal", **options).to_dict()


def test_finite_laws(call, answer):
    """The heads miss an error of 0.01 where key 0 is halved, and meet it where key 0 is longer by half."""
    line = "certify --orthonormal 10 --scaled 0=0.5:1/4,1.5:3/4 --query two.npy --mix equal --average 0,1 --error 0.01"
    assert [answer(f"{line} --confidence {p}")[0] for p in ("0.75", "0.76")] == [0, 1]
    assert says(call(f"{line} --confidence 0.75")[1].replace("\n", " "), 0, "0.5", "1.5")


def test_noise_by_a_factor_and_several_options(answer, tmp_path, rng):
    noise = rng.normal(size=(10, 2))
    np.save(tmp_path / "u.npy", noise)
    options = "--along 0=0.5 --along 2=1/4,3=0.25 --factor 1=u.npy --isotropic 1e-6 --confidence 0.99 --seed 0"
    _, told = answer(f"certify --orthonormal 10 {options} --query two.npy --mix equal --average 0,1 --error 0.1")
    model = hw.GaussianKeys(np.eye(10), along={0: 0.5, 2: 0.25, 3: 0.25}, factors={1: noise}, isotropic=1e-6)
    assert told["verdict"] == judged(model, confidence="0.99", seed=0)


def test_a_covariance_from_a_file(answer, tmp_path):
    spread = np.diag(np.arange(10) / 64)
    np.save(tmp_path / "c.npy", spread)
    line = "certify --orthonormal 10 --query two.npy --mix equal --average 0,1 --error 0.1 --confidence 0.9 --seed 0"
    _, told = answer(f"{line} --cov c.npy")
    assert told["verdict"] == judged(hw.GaussianKeys(np.eye(10), cov=spread), confidence="0.9", seed=0)
    np.save(tmp_path / "c.npy", -spread)
    code, told = answer(f"{line} --cov c.npy")
    assert (code, "`--cov`" in told["message"]) == (2, True)
    np.savez(tmp_path / "both.npz", a=spread, b=spread)
    assert answer(f"{line} --cov both.npz")[0] == 2


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
    code, _, err = call(f"certify --orthonormal 10 {model} --query two.npy --mix equal --copy 0 --confidence 0.9")
    assert code == 2
    assert f"`{model.split('1')[0].strip()}`" in err
