"""Goals that contradict each other: only an exact relation with enough entropy is a proof, and no layer gets past one."""

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import load
from headwright.kernel.goals_contradict import GoalsContradict
from tests.facts import says
from tests.second_opinion import judge

# x_2 = x_0 + x_1, so s_2j = s_0j + s_1j. Rows 0 and 1 copy token 0, row 2 token 3: s_2,3 - s_2,0 is at once > 0 and < 0.
TOKENS = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.5, 0.25, 1.0]])
GOALS = {0: hw.Copy(0), 1: hw.Copy(0), 2: hw.Copy(3)}
WITNESS = ((0, 0, 3, Fraction(1)), (1, 0, 3, Fraction(1)), (2, 3, 0, Fraction(1)))
CLAIM = GoalsContradict(TOKENS, GOALS, Fraction(1, 100), WITNESS)


def test_a_contradiction_is_proved():
    verdict = CLAIM.prove()
    assert verdict.status == "proved"
    assert says(verdict.scope, "QᵀK")
    assert says(verdict.claim, 0, 1, 2, 4, "1/100")
    assert judge(CLAIM) == "true"


def test_the_error_is_told_apart_at_the_edge():
    """Weights on one token each have no entropy: the gain is -3 ln(e/(1-e)), positive just below one half."""
    assert replace(CLAIM, error=Fraction(1, 2) - Fraction(1, 10**60)).prove().status == "proved"
    for error in (Fraction(1, 2), Fraction(1, 2) + Fraction(1, 10**60)):
        claim = replace(CLAIM, error=error)
        verdict = claim.prove()
        assert verdict.status == "undecided"
        assert judge(claim) != "true"


@pytest.mark.parametrize(
    ("change", "token"),
    [
        ({"witness": WITNESS[:2]}, None),
        ({"witness": ()}, None),
        ({"witness": (*WITNESS[:2], (2, 3, 0, Fraction(2)))}, None),
        ({"witness": (*WITNESS[:2], (2, 3, 1, Fraction(1)))}, None),
        ({"goals": {**GOALS, 2: hw.Blend({3: "1/200", 0: "199/200"})}}, 3),
        ({"goals": {**GOALS, 2: hw.Blend({3: "0.31", 0: "0.69"})}, "error": Fraction(3, 10)}, None),
    ],
)
def test_anything_less_is_not(change, token):
    claim = replace(CLAIM, **change)
    verdict = claim.prove()
    assert verdict.status == "undecided"
    assert token is None or says(verdict.reason, token)
    assert judge(claim) != "true"


def test_a_hair_off_is_no_relation():
    for place in ((0, 0), (1, 1), (2, 0), (2, 1), (2, 2), (0, 2)):
        moved = TOKENS.copy()
        moved[place] = np.nextafter(moved[place], 9)
        claim = replace(CLAIM, tokens=moved)
        assert claim.prove().status == "undecided"
        assert judge(claim) == "false"


def test_a_zero_token_is_refused_by_entropy():
    """It attends evenly to all n it sees: Copy is off by 1 - 1/n, exactly, and the witness of equal weights reaches that."""
    tokens = np.vstack([np.zeros(3), np.eye(3), [[7.0, 8.0, 9.0]]])
    even = tuple((0, 2, j, Fraction(1, 3)) for j in (0, 1, 3, 4))
    claim = GoalsContradict(tokens, {0: hw.Copy(2)}, Fraction(4, 5) - Fraction(1, 10**30), even)
    verdict = claim.prove()
    assert verdict.status == "proved"
    assert says(verdict.claim, 0, 5)
    assert replace(claim, error=Fraction(4, 5)).prove().status == "undecided"
    uneven = (*even[:3], (0, 2, 4, Fraction(1)))  # entropy of (1, 1, 1, 3)/6
    most = math.exp(-(3 * math.log(1 / 6) / 6 + math.log(1 / 2) / 2))
    edge = Fraction(most / (1 + most))
    assert replace(claim, witness=uneven, error=edge * Fraction(999, 1000)).prove().status == "proved"
    assert replace(claim, witness=uneven, error=edge * Fraction(1001, 1000)).prove().status == "undecided"


def test_shares_and_error_set_the_level():
    """A zero token and Blend(3/4, 1/4) over two tokens: token 1 has 1/2 whatever happens, 1/4 off."""
    tokens = np.array([[0.0], [1.0]])
    claim = GoalsContradict(tokens, {0: hw.Blend({1: "3/4", 0: "1/4"})}, Fraction(1, 4), ((0, 1, 0, Fraction(5)),))
    hair = Fraction(1, 10**50)
    assert replace(claim, error=Fraction(1, 4) - hair).prove().status == "proved"
    assert claim.prove().status == "undecided"
    other = replace(claim, witness=((0, 0, 1, Fraction(5)),), error=Fraction(1, 8))  # token 0 has more than it wants
    assert other.prove().status == "undecided"


def test_each_level_counts_by_its_weight():
    """The same zero token, both targets: levels -0.62 and 1.73 at error 1/10, so that 3:1 proves it and 1:1 does not."""
    tokens = np.array([[0.0], [1.0]])
    goals = {0: hw.Blend({1: "3/4", 0: "1/4"})}
    for heavy, status in ((3, "proved"), (1, "undecided")):
        witness = ((0, 1, 0, Fraction(heavy)), (0, 0, 1, Fraction(1)))
        claim = GoalsContradict(tokens, goals, Fraction(1, 10), witness)
        assert claim.prove().status == status
        assert (judge(claim) == "true") == (status == "proved")


def test_every_product_of_coordinates_must_cancel():
    """x_0 (x_2 - x_1)ᵀ has one entry that is not zero, off the diagonal; a layer copies token 1 easily."""
    tokens = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    claim = GoalsContradict(tokens, {0: hw.Copy(1)}, Fraction(1, 100), ((0, 1, 2, Fraction(1)),))
    assert claim.prove().status == "undecided"
    assert judge(claim) == "false"
    assert hw.design_layer(tokens, {0: hw.Copy(1)}).verdict.status == "proved"


def test_causal_rows_use_what_they_see():
    tokens = np.vstack([TOKENS[[0, 3]], TOKENS[1:3]])  # x_3 = x_0 + x_2
    goals = {2: hw.Copy(0), 3: hw.Copy(1), 0: hw.Copy(0)}
    witness = ((3, 1, 0, Fraction(1)), (2, 0, 1, Fraction(1)))
    with pytest.raises(ValueError, match=r"`witness`.*0, 0, 1"):
        GoalsContradict(tokens, goals, Fraction(1, 100), ((0, 0, 1, Fraction(1)), *witness), True)
    seen = GoalsContradict(tokens, goals, Fraction(1, 100), ((0, 0, 1, Fraction(1)), *witness))
    assert seen.prove().status == "proved"
    doubled = np.vstack([tokens, 2 * tokens[3]])
    causal = GoalsContradict(
        doubled,
        {3: hw.Copy(0), 4: hw.Copy(1)},
        Fraction(1, 100),
        ((3, 0, 1, Fraction(2)), (4, 1, 0, Fraction(1))),
        True,
    )
    assert causal.prove().status == "proved"
    assert says(causal.sentence(), "causal")


def test_no_precision_tells_a_gain_near_zero():
    """Entropy ln 2 against a level of ln 2 up to 2^-2000."""
    tokens = np.vstack([np.zeros(2), np.eye(2)])
    error = Fraction(2, 3) - Fraction(1, 2**2000)
    claim = GoalsContradict(tokens, {0: hw.Copy(0)}, error, ((0, 0, 1, Fraction(1)), (0, 0, 2, Fraction(1))))
    verdict = claim.prove()
    assert verdict.status == "undecided"
    assert verdict.reason


def test_layers_by_luck_never_do_what_is_refused(rng):
    for size in (1.0, 10.0, 100.0):
        for _ in range(200):
            W = size * rng.normal(size=(3, 3))
            scores = TOKENS @ W @ TOKENS.T
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights /= weights.sum(axis=1, keepdims=True)
            assert min(weights[0, 0], weights[1, 0], weights[2, 3]) <= 0.5


def test_saved_and_proved_again(tmp_path):
    thirds = replace(CLAIM, witness=tuple((r, i, j, number / 3) for r, i, j, number in WITNESS))
    hw.save(tmp_path / "claim", thirds.prove())
    again = load(tmp_path / "claim")
    assert isinstance(again, GoalsContradict)
    assert (again.goals, again.witness, again.causal) == (GOALS, thirds.witness, False)
    assert hw.verify(tmp_path / "claim").status == "proved"
    assert judge(tmp_path / "claim") == "true"


def test_long_integers_travel():
    huge = 7**20_000
    made = replace(CLAIM, witness=tuple((r, i, j, Fraction(huge, 3)) for r, i, j, _ in WITNESS))
    assert made.prove().status == "proved"
    again = GoalsContradict.from_parts(made.arrays(), json.loads(json.dumps(made.fields())))
    assert again.witness == made.witness


def test_edited_certificates_are_judged_anew():
    fields = CLAIM.fields()
    assert GoalsContradict.from_parts(CLAIM.arrays(), fields | {"error": "3/5"}).prove().status == "undecided"
    loose = fields | {"witness": [[0, 0, 3, "0x1"], [1, 0, 3, "0x1"], [2, 3, 0, "0xa/0xb"]]}
    assert GoalsContradict.from_parts(CLAIM.arrays(), loose).prove().status == "undecided"


@pytest.mark.parametrize(
    "change",
    [
        {"causal": "no"},
        {"goals": []},
        {"goals": {"x": GOALS[0].to_dict()}},
        {"witness": [[0, 0, 3, "g"]]},
        {"witness": [[0, 0, 3]]},
        {"witness": [[0, 0, 3.0, "1"]]},
        {"witness": [[0, 0, -1, "1"]]},
        {"error": "much"},
    ],
)
def test_ill_formed_files_are_refused(change):
    with pytest.raises((ValueError, TypeError)):
        GoalsContradict.from_parts(CLAIM.arrays(), CLAIM.fields() | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": np.full((4, 3), np.nan)}, "`tokens`"),
        ({"goals": {**GOALS, 4: hw.Copy(0)}}, "`goals`.*4"),
        ({"goals": {**GOALS, -1: hw.Copy(0)}}, "`goals`.*-1"),
        ({"goals": {**GOALS, 1: hw.Copy(4)}}, "`goal`.*4"),
        ({"causal": True}, "`goal`.*3"),
        ({"error": Fraction(0)}, "`error`"),
        (
            {"witness": ((3, 0, 1, Fraction(1)),)},
            "`witness`.*3, 0, 1",
        ),
        ({"witness": ((0, 1, 2, Fraction(1)),)}, "`witness`.*0, 1, 2"),
        ({"witness": ((0, 0, 0, Fraction(1)),)}, "`witness`.*0, 0, 0"),
        ({"witness": ((0, 0, 4, Fraction(1)),)}, "`witness`.*0, 0, 4"),
        ({"witness": (*WITNESS, WITNESS[0])}, "`witness`.*0"),
        ({"witness": ((0, 0, 3, Fraction(-1)),)}, "`witness`"),
        ({"witness": ((0, 0, 3, Fraction(0)),)}, "`witness`"),
    ],
)
def test_ill_formed_claims_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(CLAIM, **change)


def test_many_rows_are_named_briefly():
    tokens, goals = np.zeros((12, 2)), {row: hw.Copy(0) for row in range(12)}
    claim = GoalsContradict(tokens, goals, Fraction(1, 2), tuple((r, 0, 5, Fraction(1)) for r in range(12)))
    assert says(claim.sentence(), 0, 1, 2, 3, 4, 5, 6, 7, 12)
