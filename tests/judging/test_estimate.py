"""Undecided over keys that vary: an estimate, with Clopper and Pearson's interval and its seed."""

import numpy as np
import pytest

import headwright as hw

MODEL, QUERIES, GOAL = hw.GaussianKeys(np.eye(10), isotropic=0.1), 9 * np.eye(10)[:2], hw.Average(0, 1)


@pytest.mark.parametrize("confidence", [0.6, 0.7, 0.656])  # below, above, and inside what samples say
def test_an_undecided_claim_carries_an_estimate(confidence):
    verdict = hw.certify(MODEL, QUERIES, GOAL, error=0.1, confidence=confidence, mix="equal")
    assert verdict.status == "undecided"
    assert verdict.next_step
    assert {"samples", "seed"} < verdict.evidence.keys()
    assert verdict.evidence["seed"] == 0
    assert verdict.evidence["samples"] == 2**17
    (value,) = (number for number in verdict.evidence.values() if isinstance(number, float))
    (interval,) = (text for text in verdict.evidence.values() if isinstance(text, str))
    low, high = map(float, interval.split(" … "))
    found = hw.outcome(MODEL, QUERIES, GOAL, seed=1, mix="equal").probability(0.1)
    assert low < value < high
    assert high - low == pytest.approx(2 * 2.576 * (0.656 * 0.344 / 2**17) ** 0.5, rel=0.05)
    assert low < found.high
    assert found.low < high
    assert "estimated" in repr(verdict)
    assert (low <= confidence <= high) == (confidence == 0.656)


def test_another_seed_gives_another_estimate():
    verdicts = [hw.certify(MODEL, QUERIES, GOAL, error=0.1, confidence=0.6, seed=s, mix="equal") for s in (3, 4)]
    assert [v.evidence["seed"] for v in verdicts] == [3, 4]
    assert verdicts[0].evidence.values() != verdicts[1].evidence.values()
    with pytest.raises(ValueError, match="`seed`"):
        hw.certify(MODEL, QUERIES, GOAL, error=0.1, confidence=0.6, seed=-1, mix="equal")
