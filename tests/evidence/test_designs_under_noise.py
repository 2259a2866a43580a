"""The first problems of the evidence, as `make evidence` runs them: one of each family."""

from evidence import designs_under_noise


def test_designs_under_noise_are_proved_and_confirmed_by_simulation(tmp_path):
    found = designs_under_noise.run(tmp_path, limit=5)
    assert found["holds"], found
    assert found["outcomes"] == {"proved": 5}
    assert len(found["by_family"]) == 5
    assert found["by_family"]["crossed"]["textbook_reaching_the_confidence"] == 0
    assert found["smallest_p_value"] >= designs_under_noise.REJECTED
