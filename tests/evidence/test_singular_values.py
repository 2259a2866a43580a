"""A seeded subset of the matrices whose enclosures `make evidence` compares with 50 digits."""

import mpmath
import numpy as np

from evidence import singular_values


def test_enclosures_contain_fifty_digits(tmp_path):
    found = singular_values.run(tmp_path, limit=50)
    assert found["holds"], found
    assert set(found["kinds"].values()) == {5}
    assert 0 < found["widest"]["of_the_largest"] < 1e-12
    assert singular_values.run(tmp_path, limit=50) == found  # from the store


def test_the_reference_can_contradict():
    values = singular_values.reference(np.array([[3.0, 0.0], [4.0, 5.0]]))
    with mpmath.workdps(50):
        assert abs(values[0] ** 2 - 45) < mpmath.mpf(10) ** -45
    assert singular_values.contained([6.7, 2.2], [6.71, 2.3], values)
    assert not singular_values.contained([6.7, 2.2], [6.7, 2.3], values)
    assert not singular_values.contained([6.7, 2.3], [6.71, 2.3], values)


def test_a_matrix_that_is_not_enclosed_is_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(singular_values, "contained", lambda low, high, values: False)
    found = singular_values.run(tmp_path, limit=1)
    assert not found["holds"]
    assert found["bad"] == ["gaussian 0"]
