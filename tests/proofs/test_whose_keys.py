"""Whose keys: what is proved of keys rounded to a narrow type says so, and no label that does not fit is taken."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.claims import KINDS
from headwright.kernel.certificate import load
from headwright.kernel.gap_norm import GapNorm
from headwright.kernel.hulls_meet import HullsMeet
from headwright.kernel.no_shorter import NoShorter
from headwright.kernel.number_types import PRECISIONS, as_stored, need_stored, round_to
from headwright.kernel.out_of_reach import OutOfReach
from tests import second_opinion
from tests.every_claim import CLAIMS

ROUGH = np.array([[0.1, 1.0], [1 / 3, -0.7], [0.9, 0.2]])
LABELLED = [kind for kind, claim in CLAIMS.items() if hasattr(getattr(claim, "heads", claim), "precision")]
# Kinds that hold keys and no queries.
OF_KEYS = ("no-shorter", "out-of-reach", "gap-norm", "hulls-meet", "no-smaller-error", "none-withstands")


def labelled(kind, precision):
    claim = CLAIMS[kind]
    if hasattr(claim, "heads"):
        return replace(claim, heads=replace(claim.heads, precision=precision))
    return replace(claim, precision=precision)


def test_every_claim_about_keys_alone_has_the_label():
    assert set(OF_KEYS) <= set(LABELLED)
    assert set(OF_KEYS) == {kind for kind, claim in CLAIMS.items() if "keys" in claim.arrays()} - {
        kind for kind, claim in CLAIMS.items() if {"queries", "stored"} & {*claim.arrays()} or "trees" in claim.fields()
    }


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("kind", OF_KEYS)
def test_the_sentence_the_fields_and_the_file_say_whose_keys(kind, precision, tmp_path):
    verdict = labelled(kind, precision).prove()
    assert verdict.status == "proved"
    assert as_stored(precision) in verdict.claim
    assert as_stored(precision) not in CLAIMS[kind].sentence()
    assert verdict.record.fields()["precision"] == precision
    hw.save(tmp_path / "claim", verdict)
    assert load(tmp_path / "claim").precision == precision
    assert hw.verify(tmp_path / "claim").claim == verdict.claim
    assert second_opinion.judge(tmp_path / "claim") != "false"


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("kind", OF_KEYS)
def test_a_false_label_is_refused(kind, precision):
    claim = labelled(kind, precision)
    keys = claim.keys.copy()
    keys[-1, -1] += 2.0**-40
    with pytest.raises(ValueError, match="`keys`"):
        replace(claim, keys=keys)
    parts = {**claim.arrays(), "keys": keys}
    with pytest.raises(ValueError, match="`keys`"):
        KINDS[kind].from_parts(parts, claim.fields())
    assert second_opinion.judge_parts(kind, parts, claim.fields()) == "false"


@pytest.mark.parametrize("kind", OF_KEYS)
@pytest.mark.parametrize("label", ["float64", "", "bfloat", 16, True, ["float16"], {}])
def test_a_label_that_names_no_type_is_refused(kind, label):
    with pytest.raises((ValueError, TypeError)):
        KINDS[kind].from_parts(CLAIMS[kind].arrays(), {**CLAIMS[kind].fields(), "precision": label})


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("goal", [hw.Copy(0), hw.Average(0, 2), hw.Blend({0: "0.7", 1: "0.3"})])
def test_a_design_says_whose_keys_its_optimality_is_about(goal, precision):
    verdict = hw.design(ROUGH, goal, error="0.1", precision=precision).optimality
    assert isinstance(verdict.record, NoShorter)
    assert verdict.record.precision == precision
    np.testing.assert_array_equal(verdict.record.keys, round_to(ROUGH, precision))


def test_a_design_in_float64_is_about_the_keys_themselves():
    assert hw.design(ROUGH, hw.Copy(0)).optimality.record.precision is None


@pytest.mark.parametrize(
    ("keys", "goal"),
    [
        ([[0.0], [0.1], [0.1 + 2.0**-40]], hw.Copy(1)),  # equal once they are rounded
        ([[0.0], [1.0 + 2.0**-30], [2.0]], hw.Copy(1)),
        ([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0 + 2.0**-30], [2.0, 1.0]], hw.Average(0, 1)),
    ],
)
@pytest.mark.parametrize("precision", ["float16", "bfloat16"])
def test_a_refusal_says_whose_keys_it_is_about(keys, goal, precision):
    with pytest.raises(hw.Unreachable) as caught:
        hw.design(keys, goal, error="1e-3", precision=precision)
    for verdict in (caught.value.verdict, caught.value.best_verdict):
        assert isinstance(verdict.record, OutOfReach)
        assert verdict.record.precision == precision
        assert as_stored(precision) in verdict.claim


def test_the_best_found_is_of_the_keys_that_its_figures_are_about():
    keys = np.array([[1.0, 0.1], [1.0, -0.1], [1.0 - 2.0**-6, 0.0], [0.97, 0.31]])
    with pytest.raises((hw.NotFound, hw.Unreachable)) as caught:
        hw.design(keys, hw.Blend({0: "0.6", 1: "0.3", 2: "0.1"}), error="1e-9", precision="bfloat16")
    best = getattr(caught.value, "best", None)
    if best is not None and best.error is not None:
        assert best.precision == "bfloat16"
        assert hw.certify(keys, best, error=Fraction(best.error)).status == "proved"


def test_a_top_hands_its_label_on():
    from headwright.kernel.heads import Heads
    from headwright.kernel.top_gap import TopGap
    from headwright.search.least_norm.nearest_points import nearest_points
    from headwright.search.top import design_top

    keys = np.array([[1.0, 0.5], [0.5, -1.0], [0.0, 2.0]])
    heads = Heads(keys, np.zeros((1, 2)), np.ones(1), Fraction(1), "float16")
    drafts = [design_top._draft(TopGap(heads, hw.Top(0), Fraction(1)), nearest_points(keys, hw.Top(0).members(3)))]
    twins = np.array([[1.0, 0.5], [1.0, 0.5], [0.0, 2.0]])
    drafts.append(design_top._duplicate(TopGap(replace(heads, keys=twins), hw.Top(0), Fraction(1))))
    assert [type(draft) for draft in drafts] == [GapNorm, HullsMeet]
    assert [draft.precision for draft in drafts] == ["float16", "float16"]


def test_stored_numbers():
    need_stored(np.array([0.1]), None, name="keys")
    need_stored(np.array([1.5, -0.0, 2.0**-24, 65504.0]), "float16", name="keys")
    for wrong in (0.1, 2.0**-25, 65504.0 + 32):
        with pytest.raises(ValueError, match="float16"):
            need_stored(np.array([1.0, wrong]), "float16", name="keys")
    for number, precision in ((1 + 2.0**-7, "bfloat16"), (2.0**-133, "bfloat16"), (2.0**-149, "float32")):
        assert second_opinion.is_stored(Fraction(number), precision)
        assert not second_opinion.is_stored(Fraction(number) * (1 + Fraction(1, 2**25)), precision)
        need_stored(np.array([number]), precision, name="keys")
    assert not second_opinion.is_stored(Fraction(2) ** 16, "float16")
