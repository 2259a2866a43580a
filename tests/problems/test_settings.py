"""The settings: what an array in an answer is judged on."""

from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.problems.family import LARGEST_N
from headwright.theories.formulas.families.family import LARGE


def setting_of(problem_id, n=None, error=None):
    error = None if error is None else Fraction(error)
    return hw.problems.CATALOGUE[problem_id].family.restricted(n, error).setting()


ALL = list(hw.problems.CATALOGUE.values())


@pytest.mark.parametrize("n", [2, 3, 10, 17])
@pytest.mark.parametrize("problem", ALL, ids=lambda p: p.id)
def test_every_question_has_one(problem, n):
    setting = problem.setting(n)
    assert setting.error == Fraction(1, 100)
    if problem.names:  # every name but the large symbols, which have no value
        assert set(setting.names) >= set(problem.names) - set(LARGE) | ({"beta"} & set(setting.names))
    if problem.answers[0] in ("q", "q1"):
        assert (setting.keys is None) != (setting.model is None)
        assert setting.heads == len(problem.answers)
        keys = setting.keys if setting.keys is not None else setting.model.centre
        assert keys.shape == (n, n)
        for j, name in enumerate(setting.basis):
            assert np.array_equal(setting.names[name], keys[j])


def test_the_keys_of_a_1a_are_as_near_as_they_may_be():
    keys = hw.problems.CATALOGUE["A.1a"].setting(7).keys
    assert (keys[1:] @ keys[0] == 0.5).all()
    assert np.allclose(np.linalg.norm(keys, axis=1), 1, rtol=0, atol=1e-15)
    assert np.linalg.norm(keys[1:] - keys[0], axis=1) == pytest.approx(np.ones(6), abs=1e-15)


def test_epsilon_stands_for_the_error():
    assert setting_of("A.1a", 5, error="0.2").epsilon == Fraction(1, 4)
    assert setting_of("A.1b", 5, error="0.2").epsilon == Fraction(1, 2)
    assert setting_of("A.1b").names["eps"] == 2 / 99
    assert "eps" not in setting_of("E.1e").names  # there it is a variance


def test_models_have_the_noise_of_their_question():
    assert setting_of("D.c-i", 4).model.isotropic.tolist() == [1e-6] * 4
    assert set(setting_of("D.c-ii", 4).model.varying) == set(range(4))
    assert setting_of("A.1d", 4).model.varying == (0,)
    assert setting_of("A.1d", 4).model.laws[0] == {Fraction(1, 2): Fraction(1, 2), Fraction(3, 2): Fraction(1, 2)}


def test_spans_are_orthogonal_and_columns_of_norm_one():
    for problem_id, first, second, orthonormal in (("D.b-i", "A", "B", True), ("E.1d", "S", "T", False)):
        names = setting_of(problem_id).names
        a, b = names[first], names[second]
        assert a.shape[1] != b.shape[1]
        assert not (a.T @ b).any()
        assert np.diag(a.T @ a) == pytest.approx(np.ones(a.shape[1]), abs=1e-15)
        assert (np.linalg.matrix_rank(a), np.linalg.matrix_rank(b)) == (a.shape[1], b.shape[1])
        assert np.allclose(a.T @ a, np.eye(a.shape[1])) == orthonormal


def test_three_tokens_whatever_n():
    setting = setting_of("B.3e-ii", 8)
    u = setting.names
    assert setting.keys.tolist() == [(u["u_d"] + u["u_b"]).tolist(), u["u_a"].tolist(), (u["u_c"] + u["u_b"]).tolist()]
    assert u["u_a"] @ u["u_a"] == u["beta"] ** 2


def test_the_matrix_of_a_3_has_full_rank():
    for n in (2, 5, 10, 30):
        names = setting_of("A.3c", n).names
        assert np.linalg.matrix_rank(names["A"]) == min(n, 6)
        assert 2 <= names["k"] <= min(n, 6)


def test_settings_do_not_change():
    setting = setting_of("B.3b", 4)
    with pytest.raises(ValueError, match="read-only"):
        setting.keys[0, 0] = 2
    with pytest.raises(ValueError, match="read-only"):
        setting.names["k_a"][0] = 2
    with pytest.raises(TypeError):
        setting.names["k_a"] = 1
    with pytest.raises(AttributeError):
        setting.n = 3


def test_sizes_that_no_setting_has():
    for n in (1, 0, -4):
        with pytest.raises(ValueError, match=rf"`n`.*{n}"):
            setting_of("B.3b", n)
    with pytest.raises(ValueError, match=rf"`n`.*{LARGEST_N + 1}"):
        setting_of("B.3b", LARGEST_N + 1)


def test_wrong_calls():
    with pytest.raises(TypeError, match="`n`"):
        setting_of("B.3b", 2.5)
    with pytest.raises(ValueError, match="`error`"):
        setting_of("B.3b", 3, error=1)
