"""Outputs that break a relation among the wanted means: only an exact relation, really broken, is a proof."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import load
from headwright.theories.matrices.outputs_contradict import OutputsContradict
from tests.facts import says
from tests.second_opinion import judge

# Rows 0, 1 and 4 want the means (1, 2), (3, -2) and (3/2, 1) = ¾(1, 2) + ¼(3, -2): -3 m_0 - m_1 + 4 m_4 = 0.
TOKENS = np.array([[1.0, 2.0], [3.0, -2.0], [0.0, 5.0], [7.0, 7.0], [1.5, 1.0]])
GOALS = {0: hw.Copy(0), 1: hw.Copy(1), 4: hw.Blend({4: "1/2", 0: "3/8", 1: "1/8"})}
RELATION = (Fraction(-3), Fraction(-1), Fraction(4))
OUTPUTS = np.array([[1.0, 0.0, 0.0], [1.0, 4.0, 0.0], [1.0, 1.0, 0.5]])  # right, right, wrong in the last entry
CLAIM = OutputsContradict(TOKENS, OUTPUTS, GOALS, RELATION)


def test_a_broken_relation_is_proved():
    verdict = CLAIM.prove()
    assert verdict.status == "proved"
    assert says(verdict.claim, 0, 1, 4)
    assert judge(CLAIM) == "true"


@pytest.mark.parametrize(
    "change",
    [
        {"witness": (Fraction(-3), Fraction(-1), Fraction(5))},
        {"witness": (Fraction(-1), Fraction(-1), Fraction(2))},
        {"witness": (Fraction(0), Fraction(0), Fraction(0))},
        {"goals": {**GOALS, 4: hw.Average(0, 1)}},
        {"outputs": OUTPUTS * [1.0, 1.0, 0.0]},
    ],
)
def test_anything_less_is_not(change):
    claim = replace(CLAIM, **change)
    verdict = claim.prove()
    assert verdict.status == "undecided"
    assert verdict.reason
    assert judge(claim) == "false"


def test_a_hair_off_is_no_relation():
    for place in ((0, 0), (1, 1), (4, 1)):
        moved = TOKENS.copy()
        moved[place] = np.nextafter(moved[place], 9)
        assert replace(CLAIM, tokens=moved).prove().status == "undecided"


def test_a_hair_off_breaks_the_relation():
    outputs = OUTPUTS * [1.0, 1.0, 0.0]
    outputs[1, 1] = np.nextafter(4.0, 9)
    assert replace(CLAIM, outputs=outputs).prove().status == "proved"


def test_the_sentence_names_the_rows_that_take_part():
    more = {**GOALS, 2: hw.Copy(3)}
    claim = OutputsContradict(TOKENS, np.vstack([OUTPUTS, OUTPUTS[:1]]), more, (*RELATION, Fraction(0)))
    assert says(claim.sentence(), 0, 1, 4)
    many = {row: hw.Copy(0) for row in range(9)}
    long = OutputsContradict(np.ones((9, 2)), np.ones((9, 2)), many, (Fraction(1),) * 9)
    assert says(long.sentence(), 0, 1, 2, 3, 4, 5, 6, 7, 9)


def test_saved_and_proved_again(tmp_path):
    thirds = replace(CLAIM, witness=tuple(u / 3 for u in RELATION))
    hw.save(tmp_path / "claim", thirds.prove())
    again = load(tmp_path / "claim")
    assert isinstance(again, OutputsContradict)
    assert (again.goals, again.witness) == (GOALS, thirds.witness)
    assert list(again.goals) == list(GOALS)
    assert hw.verify(tmp_path / "claim").status == "proved"
    assert judge(tmp_path / "claim") == "true"


def test_edited_certificates_are_judged_anew():
    edited = OutputsContradict.from_parts(CLAIM.arrays(), CLAIM.fields() | {"witness": ["-0x3", "-0x1", "0x17/0x4"]})
    assert edited.prove().status == "undecided"


@pytest.mark.parametrize(
    "change",
    [
        {"witness": ["x", "1", "2"]},
        {"witness": ["1", "2"]},
        {"witness": [None, "1", "2"]},
        {"goals": [[0, CLAIM.goals[0].to_dict()]] * 3},
        {"goals": [["0", CLAIM.goals[0].to_dict()]]},
        {"goals": 5},
    ],
)
def test_ill_formed_files_are_refused(change):
    with pytest.raises((ValueError, TypeError)):
        OutputsContradict.from_parts(CLAIM.arrays(), CLAIM.fields() | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"witness": RELATION[:2]}, "`witness`.*3"),
        ({"outputs": OUTPUTS[:2]}, "`outputs`"),
        ({"goals": {0: hw.Copy(0), 1: hw.Copy(1)}}, "`outputs`"),
        ({"goals": {**GOALS, 1: hw.Copy(5)}}, "`goal`.*5"),
        ({"tokens": np.full((5, 2), np.nan)}, "`tokens`"),
        ({"outputs": np.full((3, 2), np.inf)}, "`outputs`"),
        ({"goals": {0: hw.Copy(0), 1: hw.Copy(1), 9: hw.Copy(0)}}, "`goals`.*9"),
    ],
)
def test_ill_formed_claims_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(CLAIM, **change)


def test_every_value_map_misses_an_output(rng):
    """Value maps by luck: none has all three outputs."""
    for _ in range(50):
        V = rng.normal(size=(3, 2))
        means = np.array([goal.weights(5) @ TOKENS for goal in GOALS.values()])
        assert np.abs(means @ V.T - OUTPUTS).max() > 1e-3
