"""certify over key models: proofs, refutations, estimates that say what they are, wrong calls."""

import numpy as np
import pytest

import headwright as hw
from tests.facts import says

MODEL = hw.GaussianKeys(np.eye(10), along={0: 0.5})
HEADS = 9.210340371976184 * np.eye(10)[:2]


def test_the_textbook_heads_are_judged_on_both_sides_of_their_probability():
    assert hw.certify(MODEL, HEADS, hw.Average(0, 1), error=0.1, confidence=0.8, mix="equal").status == "proved"
    assert hw.certify(MODEL, HEADS, hw.Average(0, 1), error=0.1, confidence=0.81, mix="equal").status == "refuted"


def test_a_finite_law_is_judged_exactly():
    model = hw.ScaledKeys(np.eye(10), {0: {0.5: "1/3", 1.5: "2/3"}})
    assert hw.certify(model, HEADS, hw.Average(0, 1), error="0.02", confidence="2/3", mix="equal").status == "proved"
    assert hw.certify(model, HEADS, hw.Average(0, 1), error="0.02", confidence=0.667, mix="equal").status == "refuted"


def test_scale_and_mix_are_heard():
    halves = hw.certify(MODEL, HEADS / 4, hw.Average(0, 1), error=0.1, confidence=0.8, scale=4, mix="equal")
    assert halves.status == "proved"
    assert says(halves.claim, "4.0")
    one_sided = hw.certify(MODEL, HEADS, hw.Average(0, 1), error=0.1, confidence=0.5, mix=[0.9, 0.1])
    assert one_sided.status == "refuted"


def test_a_designs_own_confidence_is_the_default():
    design = hw.design(MODEL, hw.Average(0, 1), error=0.1, confidence=0.9)
    verdict = hw.certify(MODEL, design)
    assert verdict.status == "proved"
    assert says(verdict.claim, "0.9")
    assert hw.certify(MODEL, design, confidence=0.5).status == "proved"


def test_what_is_not_proved_is_estimated_and_says_so():
    model = hw.GaussianKeys(np.eye(5), isotropic=0.02)
    verdict = hw.certify(
        model, 6 * np.eye(5)[:2], hw.Average(0, 1), error="0.15", confidence="0.99967", seed=3, mix="equal"
    )
    assert verdict.status == "undecided"
    said = repr(verdict)
    assert "estimated" in said
    assert "seed" in said
    assert "3" in str(verdict.evidence)
    again = hw.certify(
        model, 6 * np.eye(5)[:2], hw.Average(0, 1), error="0.15", confidence="0.99967", seed=3, mix="equal"
    )
    assert again.evidence == verdict.evidence


def test_samples_that_tie_with_the_error_speak_for_neither_side():
    """A zero query over 20 keys: total variation 0.9 exactly in every sample, which float64 errors miss by a rounding."""
    model = hw.GaussianKeys(np.zeros((20, 3)), isotropic=0.0, factors={0: [1.0, 0.0, 0.0], 1: [0.0, 1.0, 0.0]})
    verdict = hw.certify(model, 1e-30 * np.ones((2, 3)), hw.Average(0, 1), error="0.9", confidence="0.5", mix="equal")
    assert verdict.status == "undecided"
    assert verdict.next_step


def test_scores_that_cannot_be_sampled_leave_the_verdict_without_an_estimate():
    model = hw.GaussianKeys(np.eye(3), isotropic=1e-300)
    verdict = hw.certify(model, 1e200 * np.eye(3)[:2] + 1e200, hw.Average(0, 1), error=0.1, confidence=0.5, mix="equal")
    assert verdict.status in ("undecided", "refuted", "proved")


def test_tiny_keys_with_long_queries_have_ordinary_scores():
    k = 1e-200
    model = hw.GaussianKeys(k * np.eye(3), factors={0: 0.5 * k * np.ones(3), 1: k * np.ones(3)})
    query = np.array([5.0, 1.0, 1.0]) / k
    assert hw.certify(model, query, hw.Copy(0), error=0.1, confidence=0.5).status == "refuted"
    assert hw.certify(model, query, hw.Copy(0), error=0.1, confidence=0.44).status == "proved"
    verdict = hw.certify(model, query, hw.Copy(0), error=0.1, confidence=0.4662)
    assert verdict.status == "undecided"
    assert "estimated" in repr(verdict)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hw.certify(MODEL, HEADS, hw.Copy(0), mix="equal"), "`confidence`"),
        (lambda: hw.certify(MODEL, HEADS, hw.Copy(0), confidence=1, mix="equal"), "`confidence`"),
        (lambda: hw.certify(MODEL, HEADS, hw.Copy(0), confidence=-0.5, mix="equal"), "`confidence`"),
        (lambda: hw.certify(np.eye(10), HEADS, hw.Copy(0), confidence=0.5, mix="equal"), "`confidence`"),
        (lambda: hw.certify(MODEL, HEADS, hw.Top(0), confidence=0.5, mix="equal"), "`goal`"),
        (lambda: hw.certify(MODEL, HEADS, confidence=0.5, mix="equal"), "`goal`"),
        (lambda: hw.certify(MODEL, HEADS, hw.Copy(0), confidence=0.5, radius=0.1, mix="equal"), "`radius`"),
        (lambda: hw.certify(MODEL, HEADS, of=0, at_least=0.1, confidence=0.5, mix="equal"), "`of`"),
        (
            lambda: hw.certify(MODEL, HEADS[:, :4], hw.Copy(0), confidence=0.5, mix="equal"),
            "`queries`",
        ),
    ],
)
def test_wrong_calls_are_told_in_words(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
