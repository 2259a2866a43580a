"""Statements are judged by computing: each is decided, as its mathematics says, and its numbers hold in mpmath."""

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

import headwright as hw
from headwright.problems.grading.messages import PERSON, message_of
from headwright.problems.judges.statements import judge
from tests.facts import says

ESSAYS = [problem for problem in hw.problems.CATALOGUE.values() if problem.statements]
# Decided by hand; the code must come to the same by computing.
TRUE = {
    *{
        "non-negative-and-sum-to-one",
        "quotients-of-exponentials",
        "dot-product-large-relative",
        "lead-over-every-score",
    },
    *{"nearly-that-value", "that-value-and-a-mean", "looks-one-entry-up", "follows-x-2", "keeps-a-third"},
    *{"never-an-average", "ratio-and-threshold", "weight-varies", "coin-toss", "leans-with-the-length"},
    *{"coin-toss-unless-another", "leans-unless-another", "lost-when-backwards", "quarter-of-the-variance"},
    *{"average-given-positive", "between-the-heads", "nothing-cancels", "conjugated-scores", "index-by-index"},
    *{"conjugated-columns", "sine-alone", "first-pair-differs", "trace-identity", "orthogonal-maps", "k-largest-terms"},
    *{"least-of-the-largest", "copy-and-average", "positions-and-softmax-over-keys"},
}
ALL = [(problem, statement) for problem in ESSAYS for statement in problem.statements]


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(40):
        yield


@pytest.mark.parametrize(("problem", "statement"), ALL, ids=lambda value: value.id)
def test_every_statement_is_decided_as_its_mathematics_says(problem, statement):
    verdict = judge(problem, statement.id)
    assert verdict.status in (("proved", "argued") if statement.id in TRUE else ("refuted",))
    assert verdict.status != "argued" or verdict.claim == statement.text
    assert len(verdict.reason) > 40
    if verdict.status == "refuted":
        assert verdict.counterexample
        assert any(letter.isdigit() for letter in verdict.reason)


@pytest.mark.parametrize("problem", ESSAYS, ids=lambda problem: problem.id)
def test_a_question_offers_both_and_its_refutations_do_not_name_the_right_one(problem):
    truths = [statement.id in TRUE for statement in problem.statements]
    assert any(truths)
    assert truths.count(False) >= 2
    right = [statement for statement in problem.statements if statement.id in TRUE]
    for statement in problem.statements:
        if statement.id not in TRUE:
            told = str(judge(problem, statement.id).lines())
            assert not [other.id for other in right if other.id in told or other.text[:40] in told]


def test_the_order_of_statements_does_not_tell():
    lists = {tuple(s.id in TRUE for s in problem.statements) for problem in ESSAYS}
    firsts, lasts = [truths[0] for truths in lists], [truths[-1] for truths in lists]
    assert len(lists) > 10
    assert any(lasts)
    assert not all(lasts)
    assert not all(firsts)


def test_free_text_is_for_a_person():
    problem = hw.problems.find("B.3a")
    for text in ("k_i·q must be far larger than all others.", "Yes!", "because <b>softmax</b> is sharp"):
        verdict = judge(problem, text)
        assert verdict.status == "undecided"
        assert verdict.reason
        assert message_of(verdict).lower().count(PERSON) == 1
    assert len(judge(problem, "long " * 10**5).claim) < 300


@pytest.mark.parametrize("unknown", ["", "   ", "coin-toss", "yes", "non-negative-and-sum-to-one-"[:-1]])
def test_an_id_of_another_question_is_refused_with_the_ids_of_this_one(unknown):
    problem = hw.problems.find("B.3a")
    with pytest.raises(ValueError, match="`statement`") as caught:
        judge(problem, unknown)
    assert all(statement.id in str(caught.value) for statement in problem.statements)


def test_wrong_calls_are_named():
    with pytest.raises(TypeError, match="`statement`"):
        judge(hw.problems.find("B.3a"), 3)
    with pytest.raises(ValueError, match=r"`problem`.*A\.1a"):
        judge(hw.problems.find("A.1a"), "coin-toss")


def test_ids_may_be_written_with_blanks_around_and_in_capitals():
    assert judge(hw.problems.find("B.3a"), " Lead-Over-Every-Score\n").status == "proved"


def test_every_statement_says_what_it_rests_on():
    for _, statement in ALL:
        assert {"for", "against", "argument"} & set(statement.entry), statement.id


# Independent computations: what the counterexamples say, without the library.


def softmax(scores):
    powers = [mp.exp(s) for s in scores]
    return [p / mp.fsum(powers) for p in powers]


def orthonormal(**scores):
    """Weights over ten keys with these scores, given as k0=…, and 0 for the others."""
    return softmax([mpf(scores.get(f"k{j}", 0)) for j in range(10)])


def test_the_weights_in_the_counterexamples():
    sharp = orthonormal(k3=7)
    assert mpf("0.99") < sharp[3] < mpf("0.992")
    assert sharp[0] > mpf("0.0009")
    assert sharp[0] * 10**6 > 900
    assert orthonormal(k0=1)[0] < mpf("0.24")
    assert orthonormal(k0=mpf(1) / 8)[0] < mpf("0.12")
    assert softmax([mpf(100) / 1024] + [mpf(1) / 1024] * 9)[0] < mpf("0.11")
    assert softmax([1, 20] + [0] * 8)[0] < mpf("0.0001")
    assert softmax([10] + [0] * 9)[0] > mpf("0.99")
    assert max(softmax([-q, 0, q])[1] for q in range(-9, 10)) <= mpf(1) / 3
    beta = mpf("2.5")
    assert mp.exp(beta) / (mp.exp(beta) + 2) < mpf("0.87") < mpf("0.99") < mp.exp(beta**2) / (mp.exp(beta**2) + 2)
    assert softmax([beta**2, 2 * beta**2, 0])[0] < mpf("0.01")


def test_the_coin_of_a_1c():
    t = mp.log(mpf(495))
    short, long = (softmax([t * c, t] + [0] * 8) for c in (mpf("0.5"), mpf("1.5")))
    assert (mp.nstr(short[1], 4), mp.nstr(short[0], 3)) == ("0.9424", "0.0424")
    assert 22 < long[0] / long[1] < 23
    assert long[0] - long[1] > mpf("0.9")


def noisy(function, *kinks):
    """E function(c) for c ~ N(1, ½)."""
    ends = sorted({mpf(-8), mpf(10), *(k + d for k in kinks for d in (mpf("-0.5"), 0, mpf("0.5")))})
    return mp.quad(lambda c: function(c) * mp.npdf(c, 1, mp.sqrt(0.5)), ends)


def spread(function, *kinks):
    mean = noisy(function, *kinks)
    return mp.sqrt(noisy(lambda c: (function(c) - mean) ** 2, *kinks))


def test_the_spreads_under_a_noisy_length():
    t = mp.log(10**4)
    one = spread(lambda c: softmax([t * c, t] + [0] * 8)[0], 1)
    pair = spread(lambda c: (softmax([t * c] + [0] * 9)[0] + softmax([0, t] + [0] * 8)[0]) / 2, 0, mpf("0.25"))
    difference = spread(lambda c: softmax([t * c, -t] + [0] * 8)[0], 0, mpf("0.25"))
    mean = spread(
        lambda c: (softmax([t * c, t] + [0] * 8)[0] + softmax([t * c, -t] + [0] * 8)[0]) / 2, 0, mpf("0.25"), 1
    )
    assert 2 * pair < one
    assert one > mpf("0.43")
    assert difference < mean < one
    assert 4 * mean**2 > one**2 + difference**2
    found = str(judge(hw.problems.find("C.2.2b"), "between-the-heads"))
    assert all(f"{float(value):.4f}" in found for value in (one, mean, difference))


@pytest.mark.parametrize("t", [4, 5.98, 6.5, 9.2, 20, 50, 200])
def test_no_factor_makes_one_head_average(t):
    # the error is at most 0.01 on an interval of c around 1: its ends by bisection, its mass by the normal law
    def error(c):
        weights = softmax([mpf(t) * c, mpf(t)] + [0] * 8)
        return (abs(weights[0] - 0.5) + abs(weights[1] - 0.5) + mp.fsum(weights[2:])) / 2

    grid = [1 + mpf(k) / 20000 / t for k in range(-2000, 2001)]
    inside = [c for c in grid if error(c) <= mpf("0.01")]
    mass = mp.ncdf((inside[-1] - 1) * mp.sqrt(2)) - mp.ncdf((inside[0] - 1) * mp.sqrt(2)) if inside else mpf(0)
    assert mass < mpf("0.008")
    assert error(1 + mpf("0.1") / t) > mpf("0.01") < error(1 - mpf("0.1") / t)


def test_positions_by_mpmath():
    periods = {4: 628, 64: 47117, 512: 60611}
    for dim, shift in (*periods.items(), (2, 710)):
        squares = [4 * mp.sin(shift / mpf(10**4) ** (mpf(2 * i) / dim) / 2) ** 2 for i in range(dim // 2)]
        true = mp.sqrt(mp.fsum(squares))
        assert true > (mpf("0.1") if shift != 710 else mpf("0.00006028"))
        assert shift != 710 or true < mpf("0.00007")
    for dim, period in periods.items():
        assert int(mp.nint(2 * mp.pi * mpf(10**4) ** (1 - mpf(2) / dim))) == period
    assert says(judge(hw.problems.find("A.2b"), "shift-710-agrees").reason, "0.00006028")
    assert says(judge(hw.problems.find("A.2b"), "repeat-after-longest-period").reason, *periods.values())


def test_the_two_tokens_of_the_order_statements():
    pair = np.array([[1.0, 0.0], [0.0, 2.0]])
    for tokens, wanted in (
        (pair, [[2 / 3, 1 / 3], [1 / 17, 16 / 17]]),
        (pair[::-1], [[16 / 17, 1 / 17], [1 / 3, 2 / 3]]),
    ):
        assert np.allclose(hw.attend(np.log(2) * tokens, tokens).weights, wanted, atol=1e-13)
