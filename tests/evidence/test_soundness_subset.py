"""Seeded subsets of the counts that `make evidence` makes in full."""

import pytest

from evidence import leaked_mass, soundness


def test_claims_with_known_answers(tmp_path):
    result = soundness.run(tmp_path, limit=len(soundness.FAMILIES))
    assert result["false verdicts"] == 0
    assert result["left open at 1e-12 or wider, n <= 1000"] == 0
    assert result["claims"] >= 100
    assert len(result["per family"]) == len(soundness.FAMILIES)


def test_a_stopped_run_goes_on(tmp_path):
    first = soundness.run(tmp_path, limit=3)
    again = soundness.run(tmp_path, limit=3)
    assert first == again


@pytest.mark.parametrize("case", [*leaked_mass.cases(40), *leaked_mass.cases()[40::7]])
def test_leaked_mass_is_told_from_its_neighbours(case):
    row = leaked_mass.examine(*case)
    assert (row["above"], row["below"]) == ("proved", "refuted")


def test_a_wrong_verdict_is_counted(monkeypatch):
    monkeypatch.setattr(soundness, "verdict", lambda base, asked: "proved")
    rows = [soundness.examine(soundness.FAMILIES["one head"](soundness.np.random.default_rng(1), 1))]
    result = soundness.summary([{"family": "one head", **row} for row in rows])
    assert not result["holds"]
    assert result["false verdicts"] == 5
