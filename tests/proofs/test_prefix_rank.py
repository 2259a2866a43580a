"""The rank of heads with exactly equal scores on prefixes: proved below N - 1, refuted by a head from there on."""

import numpy as np
import pytest

import headwright as hw
from headwright import budget
from headwright.proofs import PrefixRank
from tests.second_opinion import check_counterexample, judge


@pytest.mark.parametrize("length", [1, 2, 3, 7, 20])
def test_the_threshold_is_one_less_than_the_length(length):
    for rank in range(length + 3):
        verdict = PrefixRank(rank, length).prove()
        assert verdict.status == ("proved" if rank < length - 1 else "refuted")
        assert judge(verdict.record) == {"proved": "true", "refuted": "false"}[verdict.status]
        if verdict.status == "refuted":
            assert check_counterexample(verdict) is True


def test_the_head_of_a_counterexample_has_the_rank_that_is_claimed():
    point = PrefixRank(8, 6).prove().counterexample
    assert point["queries"].shape == point["keys"].shape == (6, 8)
    scores = point["queries"] @ point["keys"].T
    assert [len(set(scores[q, : q + 1])) for q in range(6)] == [1] * 6
    assert all(scores[q, q + 1] != scores[q, q] for q in range(5))


def test_nearly_equal_scores_are_not_excluded():
    """Rank 1 comes near: the claim is about exact equality, and says so."""
    n, beta, c = 12, np.log(30_000), 0.001
    place = np.arange(n)
    scores = -c * np.outer(np.exp(-beta * place), np.exp(beta * place))
    weights = np.exp(scores)
    weights /= weights.sum(axis=1, keepdims=True)
    wanted = np.tri(n) / (place[:, None] + 1)
    assert np.abs(weights - wanted).sum(axis=1).max() < 0.002
    verdict = PrefixRank(1, n).prove()
    assert verdict.status == "proved"
    assert "exactly equal" in verdict.claim
    assert "not excluded" in verdict.reason


@pytest.mark.parametrize(
    ("rank", "length", "named"),
    [(-1, 4, "rank"), (1.0, 4, "rank"), (True, 4, "rank"), (1, 0, "length"), (1, "4", "length")],
)
def test_bad_claims_are_refused(rank, length, named):
    with pytest.raises((ValueError, TypeError), match=f"`{named}`"):
        PrefixRank(rank, length)


def test_large_numbers_end_at_the_budget(tmp_path):
    path = tmp_path / "claim.safetensors"
    hw.save(path, PrefixRank(5, 10**9).prove())
    assert hw.verify(path).status == "proved"
    with budget.within(), pytest.raises(budget.OverBudget):
        PrefixRank(10**9, 10**9).prove()
