"""Exactly one half on each of two keys: equal scores at n = 2, and never from n = 3 on."""

import pytest

from headwright.theories.formulas.families.exact_average import ExactAverage
from tests.prover.reading import tree


def average(text, n):
    return ExactAverage(("a", "b"), None if text is None else tree(text, "a", "b"), n).prove()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("a+b", "proved"),
        ("0*a", "proved"),
        ("t*(a+b)/(n-1)", "proved"),
        ("log(n/2)*a", "proved"),
        ("[1, 1]", "proved"),  # said of the unit vectors
        ("inv(a*a'+b*b')*(a+b)", "undecided"),  # right for the unit vectors, and not for all orthonormal keys
        ("a+2*b", "refuted"),
        ("t*a+s*b", "undecided"),
        ("t*a+2*s*b", "refuted"),
        ("(a+b)/(n-2)", "refuted"),
        ("(a+b)*log(n-2)", "refuted"),
        ("(a+b)+0*a/(t-5)", "undecided"),
        ("(a+b)+0*a*log(1/2-eps)", "undecided"),
        ("eps*a+(1-eps)*b", "undecided"),
        ("eps*a+(2/3-eps)*b", "refuted"),
        ("exp(t)*(a+b)", "undecided"),
        ("exp(t)*a+b", "refuted"),
        ("[1, 2]", "refuted"),
        ("[1, 2, 3]", "undecided"),
        ("n", "refuted"),
    ],
)
def test_two_keys(text, status):
    assert average(text, 2).status == status


@pytest.mark.parametrize("n", [3, 7, None])
@pytest.mark.parametrize("text", ["a+b", "a", "t*(a+b)", "(n-2)*(a+b)"])
def test_more_keys_have_weight(text, n):
    verdict = average(text, n)
    assert verdict.status == "refuted"
    assert verdict.counterexample["n"] == str(n or 3)
    assert verdict.holds_when == ("n = 2" if n is None and text != "a" else None)


def test_undecided_at_two_keys_is_no_condition():
    assert average("t*a+s*b", None).holds_when is None
    assert average("a+2*b", None).holds_when is None


def test_no_query_at_all():
    assert average(None, 2).status == "refuted"
    assert average(None, 3).status == "proved"
    verdict = average(None, None)
    assert verdict.status == "proved"
    assert "n >= 3" in verdict.scope


@pytest.mark.parametrize(
    "changes", [{"basis": ("a", "a")}, {"basis": ("a", "n")}, {"basis": ("a",)}, {"n": 1}, {"n": True}, {"n": 2.0}]
)
def test_what_is_not_judged(changes):
    with pytest.raises(ValueError, match="`"):
        ExactAverage(**{"basis": ("a", "b"), "tree": tree("a", "a"), "n": 2, **changes})
    with pytest.raises(ValueError, match="`query`"):
        ExactAverage(("a", "b"), tree("a+c", "a", "c"), 2)
