"""What the command tests share: `call` and `answer` run one command line."""

import json

import pytest

from headwright.cli import main


@pytest.fixture
def call(capsys, monkeypatch, tmp_path):
    """Run `headwright …` in an empty folder; returns exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("HEADWRIGHT_TRACEBACK", raising=False)

    def call(line):
        with pytest.raises(SystemExit) as ended:
            main(line.split())
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return call


@pytest.fixture
def answer(call):
    """The same with --json: exit code and the JSON object, which must be all of stdout."""

    def answer(line):
        code, out, _ = call(f"{line} --json")
        assert out.count("\n") == 1
        return code, json.loads(out)

    return answer
