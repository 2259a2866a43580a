"""headwright position: what it prints, writes and answers, and how it refuses."""

import re
import xml.etree.ElementTree as ET

import mpmath
import numpy as np
import pytest

from headwright.proofs import load
from tests.facts import near, says


def test_exact_codes_are_proved_different(call):
    code, out, err = call("position --length 4096 --dim 128")
    assert (code, err) == (0, "")
    assert says(out, "4,096", 128, 0, 1, "proved", "bfloat16", "π")
    with mpmath.workdps(40):
        angles = [mpmath.mpf(10000) ** (mpmath.mpf(-i) / 64) for i in range(64)]
        true = mpmath.sqrt(mpmath.fsum(4 * mpmath.sin(angle / 2) ** 2 for angle in angles))
        assert near(out, mpmath.nstr(true, 30), within=1e-8)
        low, high = map(mpmath.mpf, re.search(r"between (\S+) and (\S+)", out).groups())
        assert low <= true <= high
    assert "\nProved: " in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_nearest_pair_and_first_coincidences(answer):
    code, told = answer("position --length 100000 --dim 2")
    assert (code, told["status"], told["kind"], told["dim"], told["base"]) == (0, "proved", "sinusoidal", 2, 10000.0)
    near = told["nearest_pair"]
    assert (near["pair"], near["shift"], near["verdict"]["status"]) == ([0, 710], 710, "proved")
    with mpmath.workdps(40):
        assert near["low"] <= 2 * abs(mpmath.sin(355)) <= near["high"]
    assert told["coincidence"] == {"float32": None, "float16": [2, 712], "bfloat16": [1, 711]}
    assert (told["saved"], told["pictures"]) == (None, [])


def test_stored_codes_that_coincide_are_refuted_and_verified(call, answer, tmp_path):
    line = "position --length 4096 --dim 2 --dtype float16"
    code, out, _ = call(f"{line} --save c.safetensors")
    assert code == 1
    assert says(out, "float16", 2, 712, "pair = (2, 712)")
    assert "\nRefuted: " in out
    assert "bfloat16" not in out
    assert load(tmp_path / "c.safetensors").kind == "rows-apart"
    assert call("verify c.safetensors")[0] == 1
    _, told = answer(line)
    assert (told["status"], told["coincidence"]) == ("refuted", {"float16": [2, 712]})
    assert (told["nearest_pair"]["distance"], told["nearest_pair"]["dtype"]) == (0.0, "float16")


def test_the_other_kinds(answer, tmp_path):
    code, told = answer("position --kind rotary --length 1000 --dim 4 --base 100")
    assert (code, told["kind"], told["base"]) == (0, "rotary", 100.0)
    angles = np.arange(1000)[:, None] * np.array([1.0, 0.1])
    square = (4 * np.sin(angles[1:] / 2) ** 2).sum(axis=1)
    assert told["nearest_pair"]["pair"] == [0, 1 + int(square.argmin())]
    table = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0009765625], [0.0, 0.0]])
    np.save(tmp_path / "t.npy", table)
    code, told = answer("position --table t.npy")
    assert (code, told["kind"], told["nearest_pair"]["pair"]) == (0, "learned", [0, 2])
    assert told["coincidence"] == {"float32": None, "float16": [0, 2], "bfloat16": [0, 2]}  # 2 + 2^-10 is half way up
    assert answer("position --table t.npy --dtype bfloat16")[0] == 1


def test_a_table_among_several(call, tmp_path, rng):
    np.savez(tmp_path / "t.npz", a=rng.normal(size=(5, 3)), b=np.ones((4, 2)))
    code, out, _ = call("position --table t.npz --table-array b")
    assert code == 1
    assert says(out, 0, 1)
    assert says(out, 0, 1)
    assert "\nRefuted: " in out
    code, _, err = call("position --table t.npz")
    assert (code, "`--table-array`" in err) == (2, True)


@pytest.mark.needs("matplotlib")
def test_pictures(call, answer, tmp_path):
    code, out, _ = call("position --length 800 --dim 2 --picture d.svg --collisions c.png")
    assert code == 0
    assert "Saved d.svg" in out
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    words = ET.parse(tmp_path / "d.svg").getroot().find("{http://www.w3.org/2000/svg}desc").text
    assert says(words, 0, 710)
    assert answer("position --length 9 --dim 2 --collisions c.svg")[1]["pictures"] == ["c.svg"]
    np.save(tmp_path / "t.npy", np.eye(3))
    code, _, err = call("position --table t.npy --picture d.svg")
    assert (code, "`--picture`" in err) == (2, True)
    code, _, err = call("position --length 9 --dim 2 --picture d.svg --collisions d.svg")
    assert (code, "`--collisions`" in err) == (2, True)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "`--length`"),
        ("--length 9", "`--length`"),
        ("--length 0 --dim 2", "'--length'"),
        ("--length 1 --dim 2", "'--length'"),
        ("--length 9 --dim 3", "`--dim`"),
        ("--length 9 --dim 2 --base 0", "`--base`"),
        ("--length 9 --dim 2 --base nan", "`--base`"),
        ("--length 9 --dim 2 --kind learned", "`--kind`"),
        ("--length 9 --dim 2 --kind alibi", "`--kind`"),
        ("--length 9 --dim 2 --dtype float8", "`--dtype`"),
        ("--table t.npy --length 9", "`--table`"),
        ("--length 9 --dim 2 --table-array a", "`--table-array`"),
        ("--table absent.npy", "`--table`"),
        ("--length 9 --dim 2 --save absent/c.safetensors", "`--save`"),
        ("--length 9 --dim 2 --picture d.pdf", "`--picture`"),
    ],
)
def test_wrong_calls(call, answer, line, words):
    code, out, err = call(f"position {line}")
    assert (code, out) == (2, "")
    assert words in err
    code, told = answer(f"position {line}")
    assert (code, told["status"]) == (2, "error")
    assert words in told["message"]


def test_a_type_that_cannot_hold_the_table(call, answer, tmp_path):
    np.save(tmp_path / "t.npy", np.array([[1e6], [2e6], [1e6 + 1]]))
    code, out, _ = call("position --table t.npy")
    assert code == 0
    assert says(out, "float16")
    assert answer("position --table t.npy")[1]["coincidence"] == {
        "float32": None, "float16": "overflow", "bfloat16": [0, 2],
    }  # fmt: skip
    code, _, err = call("position --table t.npy --dtype float16")
    assert (code, "`--dtype` float16" in err) == (2, True)


def test_a_distance_known_exactly(call, tmp_path):
    np.save(tmp_path / "t.npy", np.array([[0.0, 0.0], [3.0, 4.0], [9.0, 9.0]]))
    assert says(call("position --table t.npy")[1], "5.0")


def test_a_table_with_a_hole_is_refused(call, tmp_path):
    np.save(tmp_path / "t.npy", np.array([[1.0, np.nan]]))
    code, _, err = call("position --table t.npy")
    assert (code, "`--table`" in err) == (2, True)
