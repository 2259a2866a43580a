"""Mutants of a small project, laid out as ours: what kills them, and what lives."""

from collections import Counter

import pytest

from evidence import mutants, mutations, runs_through
from evidence.mutations import Mutant
from evidence.partial import LIBRARY
from tests.many_certificates import Certificate

NUMBERS = """
FACTOR = 2

def doubled(x):
    return FACTOR * x

def next_one(x):
    return x + 1

def unseen(x):
    return x - 1
"""
CERTIFICATE = """
from types import SimpleNamespace
from headwright.kernel.numbers import doubled

def verify(path):
    return SimpleNamespace(status="proved", bound=doubled(float(path.read_text())))
"""
TESTS = """
from headwright.faces import face
from headwright.kernel.numbers import next_one

def test_next():
    assert next_one(2) == 3

def test_face():
    assert face(2) == [2, 1]

def test_that_fails():
    assert next_one(2) == 4
"""
CONFTEST = """
def pytest_addoption(parser):
    parser.addoption("--cases")
"""
FILES = {
    "src/headwright/__init__.py": "",
    "src/headwright/kernel/__init__.py": "",
    "src/headwright/kernel/numbers.py": NUMBERS,
    "src/headwright/faces.py": "def face(x):\n    return [x, 1]\n",
    "src/headwright/kernel/certificate.py": CERTIFICATE,
    "tests/conftest.py": CONFTEST,
    "tests/test_numbers.py": TESTS,
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = ['--import-mode=importlib']\n",
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "evidence").mkdir()
    for path in (LIBRARY.parents[1] / "evidence").glob("*.py"):
        (tmp_path / "evidence" / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr("tests.many_certificates.certificates", lambda: [Certificate("kind/1", "proved", 6.0, b"3")])
    monkeypatch.setattr(mutants, "FLOOR", 0.01)
    return tmp_path


def slip(file, was, now):
    """One changed place of a file of the small project."""
    plain = FILES[f"src/headwright/{file}"].encode()
    at = plain.index(was.encode())
    return mutants.Slip(
        file, file != "faces.py", Mutant(plain[:at].count(b"\n") + 1, was, now, plain, at, at + len(was), now)
    )


def test_what_kills_each(project, tmp_path):
    with mutants.crew(project, 1) as spread:
        through = runs_through.RunsThrough(tmp_path / "store", project, spread)
        assert through.known.keys() == {"kind/1", *(f"tests/test_numbers.py::test_{name}" for name in ("next", "face"))}
        cases = {
            slip("kernel/numbers.py", "FACTOR * x", "FACTOR * x"): (None, None),  # the sources as they are
            slip("kernel/numbers.py", "FACTOR * x", "FACTOR + x"): ("net", "proved 6.0 became proved 5.0"),
            slip("kernel/numbers.py", "FACTOR = 2", "FACTOR = 3"): ("net", "proved 6.0 became proved 9.0"),
            slip("kernel/numbers.py", "FACTOR * x", "1 / 0"): ("net", "proved 6.0 became ZeroDivisionError "),
            slip("kernel/numbers.py", "FACTOR * x", "all(zero == 0 for zero in iter(int, 1))"): ("net", "time"),
            slip("kernel/numbers.py", "x + 1", "x - 1"): ("tests", "failed"),
            slip("kernel/numbers.py", "x + 1", "1 + x"): (None, None),
            slip("kernel/numbers.py", "x + 1", "__import__('os').abort()"): ("tests", "ended with code -6"),
            slip("kernel/numbers.py", "x - 1", "x + 1"): (None, None),
            slip("faces.py", "[x, 1]", "[1, x]"): ("tests", "failed"),
            slip("faces.py", "[x, 1]", "all(zero == 0 for zero in iter(int, 1))"): ("tests", "time"),
        }
        rows = list(spread(lambda copy, case: mutants.judge(through, copy, case), cases))
        assert [(row["stage"], row["how"]) for row in rows] == [*cases.values()]
        (row,) = spread(
            lambda copy, case: mutants.judge(through, copy, case), [slip("faces.py", "[x, 1]", "[x] * 2**60")]
        )
        assert "test_face (MemoryError" in row["no result"]
        (blind,) = spread(
            lambda copy, names: mutants._blind(copy, [*through.known.values(), *names]),
            [[runs_through.Ran("tests/test_numbers.py::test_that_fails", 0.0, 1)]],
        )
        assert blind == ["tests/test_numbers.py::test_that_fails"]


def test_a_run_resumes_and_lists_what_lives(project, tmp_path, monkeypatch):
    found = mutants.run(tmp_path / "store", limit=6, processes=1, root=project)
    assert found["holds"]
    assert sum(sum(counts.values()) for counts in ({**own, "share": 0} for own in found["all"].values())) == 6
    unseen = NUMBERS.splitlines().index("    return x - 1") + 1
    assert {(file, line) for file, line, *_ in found["survivors"]} == {("kernel/numbers.py", unseen)}
    monkeypatch.setattr(mutants, "judge", lambda *_: pytest.fail("it was judged before"))
    monkeypatch.setattr(runs_through, "_examined", lambda *_: pytest.fail("it was run before"))
    assert mutants.run(tmp_path / "store", limit=6, processes=1, root=project) == found


def test_the_sample_is_seeded_and_spread(project, monkeypatch):
    assert mutants.shares(100, {"a": 60, "b": 30, "c": 5}, {"a": 60, "b": 30, "c": 5}) == {"a": 60, "b": 30, "c": 5}
    assert mutants.shares(50, {"a": 60, "b": 30, "c": 20}, {"a": 600, "b": 10, "c": 16}) == {"a": 25, "b": 10, "c": 15}
    monkeypatch.setattr(mutants, "LEAST", 2)
    monkeypatch.setattr(mutants, "BASE", 4)
    monkeypatch.setattr(mutants, "OUTSIDE", 1)
    slips = mutants.sample(project / "src" / "headwright")
    assert slips == mutants.sample(project / "src" / "headwright")
    counts = Counter((one.in_base, one.file) for one in slips)
    assert counts == {(False, "faces.py"): 2, (True, "kernel/numbers.py"): 3, (True, "kernel/certificate.py"): 1}
    assert len({one.case for one in slips}) == 6


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("y = float_above(x)", ["float(x)", "float_below"]),
        ("y = math.nextafter(x, up)", ["x", "math.nextafter(up, x)"]),
        ("y = x[:, 0]", ["x[0, :]", "x[:, 1]"]),
        ("y += x", ["y -= x", "pass"]),
        ("y = 0.5", ["1.0", "0.25"]),
        ("spend(2 * x)", ["pass"]),
        ("y: 'int' = x + 'one' * n", []),
        ("if TYPE_CHECKING:\n    y = 1", []),
        ("def __repr__(x):\n    return x < 1", []),
        ("y = isinstance(x, (A, B))", []),
        ("y = x in (A, B)", ["x not in (A, B)"]),
        ("y: tuple[int, ...] | None", []),
        ("y = tuple[int, ...]", []),
        ("raise ValueError(x + 1)", []),
    ],
)
def test_slips_that_are_made_and_left_out(source, made):
    found = mutations.mutants(source, priced=("spend",))
    assert [one.now for one in found] == made or [one.source.removeprefix("y = ") for one in found] == made
    for one in found:
        compile(one.source, "", "exec")
