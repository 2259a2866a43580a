import subprocess
import sys
from pathlib import Path

import pytest

from evidence.partial import Partial

ROOT = Path(__file__).parents[2]

# Finishes two cases, writes half of a third, and dies without closing anything.
KILLED = """
import os, sys
from pathlib import Path
from evidence.partial import Partial

store, module, library = map(Path, sys.argv[1:])
partial = Partial(store, module, library=library)
partial.add("a", {"n": 1})
partial.add("b", {"n": 2})
partial._file.write(b'{"case": "c", "row": {"n"')
partial._file.flush()
os._exit(9)
"""


@pytest.fixture
def place(tmp_path):
    """A store, an evidence module and a library of one file."""
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "ball.py").write_text("radius = 1\n")
    (tmp_path / "claim.py").write_text("CLAIM = 'it holds'\n")
    return tmp_path


def start(place):
    return Partial(place / "store", place / "claim.py", library=place / "library")


def test_resumes_after_a_kill_in_mid_line(place):
    arguments = [place / "store", place / "claim.py", place / "library"]
    killed = subprocess.run([sys.executable, "-c", KILLED, *arguments], cwd=ROOT)
    assert killed.returncode == 9
    with start(place) as partial:
        assert list(partial) == ["a", "b"]
        assert partial["b"] == {"n": 2}
        partial.add("c", {"n": 3})
    with start(place) as partial:
        assert {case: partial[case]["n"] for case in partial} == {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('"""What it is."""\n\nradius = 1  # why\n', True),
        ("radius = 2\n", False),
        ("radius = 1\nmessage = 'what it says'\n", False),
    ],
)
def test_prose_is_not_code(place, text, kept):
    with start(place) as partial:
        partial.add("a", {"n": 1})
    (place / "library" / "ball.py").write_text(text)
    with start(place) as partial:
        assert ("a" in partial) is kept


@pytest.mark.parametrize("changed", ["claim.py", "library/ball.py", "library/new.py"])
def test_starts_afresh_when_a_source_changes(place, changed):
    with start(place) as partial:
        partial.add("a", {"n": 1})
    (place / changed).write_text("changed = True\n")
    with start(place) as partial:
        assert "a" not in partial
        partial.add("b", {"n": 2})
    with start(place) as partial:
        assert list(partial) == ["b"]


def test_starts_afresh_when_killed_in_the_header(place):
    (place / "store").mkdir()
    (place / "store" / "claim.jsonl").write_bytes(b'{"dig')
    with start(place) as partial:
        assert len(partial) == 0


def test_a_finished_case_is_not_added_twice(place):
    with start(place) as partial:
        partial.add("a", {"n": 1})
        with pytest.raises(ValueError, match="must be new"):
            partial.add("a", {"n": 1})
