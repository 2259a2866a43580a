"""Corners of judging: tolerances near 0 and beyond the question's own, and the identity with a number on either side."""

import re

import mpmath
import pytest

import headwright as hw

TOKENS = {"V": "(u_b*u_b' - u_c*u_c')/beta^2", "Q": "(u_c*u_d' + u_d*u_a')/beta^2"}


@pytest.mark.parametrize("more", ["1e-9", "1e-20", "1e-30"])
@pytest.mark.parametrize(("short", "status"), [("-1e-6", "refuted"), ("1e-6", "proved")])
def test_arrays_are_judged_by_what_leaks_however_small_the_error(more, short, status):
    with mpmath.workdps(60):
        error = mpmath.mpf(more)
        length = 2 * mpmath.log(9 * (1 - error) / error) + mpmath.mpf(short)  # the nine others at inner product 1/2
        found = hw.problems.check("A.1a", {"q": [float(length)] + [0.0] * 9}, error=more)
    assert found.status == status


@pytest.mark.parametrize(("question", "most"), [("A.1a", "1/2"), ("A.1b", "1/3")])
def test_an_error_beyond_the_question_is_refused(question, most):
    answer = dict(hw.problems.find(question).published_answer)
    with pytest.raises(ValueError, match=rf"`error`.*{most}"):
        hw.problems.check(question, answer, error=most)
    assert hw.problems.check(question, answer, error="0.3").status == "proved"


@pytest.mark.parametrize("key", ["I", "I*2", "2*I", "I*beta", "-I*(-1)", "I/3"])
def test_the_identity_takes_a_number_on_either_side(key):
    assert hw.problems.check("B.3e-ii", {**TOKENS, "K": key}).status == "proved"


def test_a_number_beside_the_identity_is_not_lost():
    assert hw.problems.check("D.b-i", {"M": "I*1 - B*B'"}).status == "proved"
    assert hw.problems.check("D.b-i", {"M": "I*2 - B*B'"}).status == "refuted"


@pytest.mark.parametrize(
    ("answer", "threshold", "rises"),
    [
        ("T*(k_a+k_b)", lambda lead: lead, True),
        ("ln(T)*(k_a+k_b)", mpmath.exp, True),
        ("(T-20)^2*(k_a+k_b)", lambda lead: 20 + mpmath.sqrt(lead), False),  # met below 17.5 too, and not at 20
        ("sqrt(T)*(k_a+k_b)", lambda lead: lead**2, False),  # it does rise, which is not shown
    ],
)
def test_a_threshold_is_where_the_claim_begins_to_hold_for_good(answer, threshold, rises):
    reason = hw.problems.check("B.3b", {"q": answer}).reason
    stated = float(re.search(r"T = ([\d.]+\d)", reason)[1])
    assert stated == pytest.approx(float(threshold(mpmath.log(8 * 99 / mpmath.mpf(2)))), rel=5e-4)


@pytest.mark.parametrize("great", ["n^(1/3)*1e17", "exp(n^(1/3)*40)", "1e18*sqrt(log(n))"])
def test_a_right_answer_that_float64_loses_is_not_refuted(great):
    answer = f"({great} + 2*log(n/eps) - {great})*k_1"
    assert hw.problems.check("A.1a", {"q": answer}).status != "refuted"


@pytest.mark.parametrize("wrong", ["n^(1/3)*k_1", "sqrt(log(n))*k_1", "log(1+log(n))*k_1", "0.1*n^0.3*k_1"])
def test_a_wrong_answer_without_a_normal_form_is_refuted_where_balls_confirm_it(wrong):
    assert hw.problems.check("A.1a", {"q": wrong}).status == "refuted"


def test_queries_that_float64_cannot_tell_apart_are_not_called_equal():
    heads = {"q1": "(t^0 + n^(1/3))*mu_a", "q2": "(1 + n^(1/3) + 1e-30*n^(1/3))*mu_a"}
    assert "different" not in hw.problems.check("D.d-i", heads).reason
