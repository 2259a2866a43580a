"""headwright play --program: a compiled program in the page, and why one cannot be shown."""

import json
import re

import pytest

from headwright.playground import serving
from headwright.programs import Model

HISTOGRAM = 'vocabulary = "ab"\nlength = 4\noutput = "n"\n[steps]\nn = "count(tokens matches my tokens)"\n'


@pytest.fixture
def files(tmp_path):
    (tmp_path / "p.toml").write_text(HISTOGRAM)
    (tmp_path / "shallow.toml").write_text(
        'layers = 1\nvocabulary = "ab"\nlength = 4\noutput = "r"\n[steps]\n'
        'l = "length()"\nr = "pick(tokens where at(l - 1 - indices))"\n'
    )
    (tmp_path / "wrong.toml").write_text(HISTOGRAM.replace("count", "counts"))


def test_a_file_with_a_program(call, files, tmp_path):
    code, _, err = call("play --program p.toml --html out.html")
    assert (code, err) == (0, "")
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    given = json.loads(re.search(r'id="given">(.*?)</script>', page, re.DOTALL)[1])
    assert given["opens"] == {"host": "file", "step": None}
    assert (given["program"]["output"], given["program"]["vocabulary"]) == ("n", ["a", "b"])


def test_the_server_is_handed_the_model(call, files, monkeypatch):
    told = []
    monkeypatch.setattr(serving, "serve", lambda opens, *_, **__: told.append(opens))
    assert call("play --program p.toml --no-open")[0] == 0
    assert isinstance(told[0]["model"], Model)
    assert told[0]["model"]("abb") == [1, 2, 2]
    assert told[0]["opens"] == {"host": "app", "step": None}


@pytest.mark.parametrize(
    ("options", "code", "named"),
    [
        ("--program p.toml --copy 0", 2, "`--program`"),
        ("--program p.toml --step copy", 2, "`--program`"),
        ("--program wrong.toml", 2, "wrong.toml"),
        ("--program missing.toml", 2, "missing.toml"),
        ("--program shallow.toml", 3, "needs 2 layers"),
    ],
)
def test_refusals(call, files, tmp_path, options, code, named):
    got, out, err = call(f"play {options} --html out.html")
    assert got == code
    assert named in out + err
    assert not (tmp_path / "out.html").exists()
