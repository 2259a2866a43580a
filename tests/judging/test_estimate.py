"""Undecided over keys that vary: an estimate, with Clopper and Pearson's interval and its seed."""

import numpy as np
import pytest

import headwright as hw

MODEL, QUERIES, GOAL = hw.GaussianKeys(np.eye(10), isotropic=0.1), 9 * np.eye(10)[:2], hw.Average(0, 1)


@pytest.mark.parametrize(
    ("confidence", "words"), [(0.6, "speak for"), (0.7, "speak against"), (0.656, "leave it open")]
)
def test_an_undecided_claim_carries_an_estimate(confidence, words):
    verdict = hw.certify(MODEL, QUERIES, GOAL, error=0.1, confidence=confidence)
    assert verdict.status == "undecided"
    assert words in verdict.next_step
    assert {"samples", "seed"} < verdict.evidence.keys()
    assert verdict.evidence["seed"] == 0
    assert verdict.evidence["samples"] == 2**17
    low, high = map(float, verdict.evidence["estimated interval at 99 % (Clopper–Pearson)"].split(" … "))
    value = verdict.evidence["estimated probability"]
    found = hw.outcome(MODEL, QUERIES, GOAL, seed=1).probability(0.1)
    assert low < value < high
    assert high - low == pytest.approx(2 * 2.576 * (0.656 * 0.344 / 2**17) ** 0.5, rel=0.05)
    assert low < found.high
    assert found.low < high
    assert "estimated probability" in repr(verdict)


def test_another_seed_gives_another_estimate():
    verdicts = [hw.certify(MODEL, QUERIES, GOAL, error=0.1, confidence=0.6, seed=s) for s in (3, 4)]
    assert [v.evidence["seed"] for v in verdicts] == [3, 4]
    assert verdicts[0].evidence["estimated probability"] != verdicts[1].evidence["estimated probability"]
    with pytest.raises(ValueError, match="`seed`"):
        hw.certify(MODEL, QUERIES, GOAL, error=0.1, confidence=0.6, seed=-1)
