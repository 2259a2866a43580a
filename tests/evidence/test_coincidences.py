"""A seeded subset of the codes that `make evidence` compares with brute force."""

import numpy as np
import pytest

from evidence import coincidences


def test_nearest_and_coinciding_pairs_are_those_of_brute_force(tmp_path, monkeypatch):
    monkeypatch.setattr(coincidences, "LENGTH", 1000)
    monkeypatch.setattr(coincidences, "SHIFTS", 20_000)
    found = coincidences.run(tmp_path, limit=4)
    assert found["holds"], found
    assert found["cases"] == 17
    assert found["coincidences"]["2 base 10000, float16"] == [2, 712]
    assert found["coincidences"]["2 base 10000, bfloat16"] == [1, 711]
    assert found["long"]["pair"] == [0, 710]
    assert coincidences.run(tmp_path, limit=4) == found  # from the store


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_brute_force_rounds_as_numpy_does(rng, dtype):
    x = rng.uniform(-1, 1, size=(50, 4))
    fixed = np.array([[int(v * 2**256) for v in row] for row in x.tolist()], dtype=object)
    made = coincidences.rounded(fixed, *coincidences.TYPES[dtype])
    np.testing.assert_array_equal(made, x.astype(dtype).astype(float))
    ties = np.array([[1 + 2.0**-11, 1 + 3 * 2.0**-11, 0.5 + 2.0**-12]]) / 2
    fixed = np.array([[int(v * 2**256) for v in row] for row in ties.tolist()], dtype=object)
    np.testing.assert_array_equal(coincidences.rounded(fixed, 11, -24), ties.astype(np.float16).astype(float))
    np.testing.assert_array_equal(coincidences.rounded(fixed + 1, 11, -24)[0, 0], 0.5 * (1 + 2.0**-10))


def test_a_wrong_answer_is_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(coincidences, "LENGTH", 60)
    monkeypatch.setattr(coincidences, "SHIFTS", 1000)
    monkeypatch.setattr(coincidences.hw.position, "coincidence", lambda *a, **k: (0, 1))
    assert len(coincidences.run(tmp_path, limit=1)["bad"]) == 4
