"""A cheap subset of the hostile files that `make evidence` reads, and proof that its alarms ring."""

import pytest

from evidence import hostile_files

CHEAP = (1, 2, 3, 8, 13, 22, 26, 28, 29, 31, 37, 52)
PLAIN = hostile_files.case


def test_hostile_files_end_by_themselves(tmp_path, monkeypatch):
    monkeypatch.setattr(hostile_files, "case", lambda number: PLAIN(CHEAP[number]))
    found = hostile_files.run(tmp_path, limit=len(CHEAP))
    assert found["holds"], found
    assert found["files"] == len(CHEAP)
    assert found["ended_by_the_budget"] >= 3
    assert hostile_files.run(tmp_path, limit=len(CHEAP)) == found  # from the store


@pytest.mark.parametrize("way", ["while True: pass", "bytes(10**12)", "raise SystemExit(3)", "raise KeyError('x')"])
def test_a_reader_that_does_not_end_by_itself_is_noticed(monkeypatch, way):
    spoilt = hostile_files.READ.replace("    status = readers[path.suffix]()", f"    {way}")
    assert spoilt != hostile_files.READ
    monkeypatch.setattr(hostile_files, "READ", spoilt)
    monkeypatch.setattr(hostile_files, "SECONDS", 5)  # of computing, which are counted wherever this runs
    monkeypatch.setattr(hostile_files, "PATIENCE", 1000)
    monkeypatch.setattr(hostile_files, "case", lambda _: ("a family", {"a.problem": b"x = 1"}))
    assert hostile_files.examined(0)["bad"]
