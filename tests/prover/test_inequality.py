"""Inequalities with wrong relations, points that do not break them, and formulas that are not defined everywhere."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.reading.formulas import parse
from headwright.theories.formulas.forms import Range
from headwright.theories.formulas.inequality import RELATIONS, Inequality

N, EPS = Range(2, closed=True), Range(0, 1)


def claim(text, relation, point=None, given=None, **ranges):
    root = parse(text, names=[*ranges, *(given or {})], functions=["svd_part"]).root
    return Inequality(root, relation, ranges, given or {}, point)


@pytest.mark.parametrize(
    ("text", "holding"),
    [
        ("3", {">=", ">", "!="}),
        ("0", {">=", "="}),
        ("-1/7", {"!="}),
        ("sqrt(2)-1.41421356", {">=", ">", "!="}),
        ("sqrt(2)-1.41421357", {"!="}),
        ("4e16+1-4e16", {">=", ">", "!="}),
        ("exp(0)-1", {">=", "="}),
        ("sqrt(4)-2", {">=", "="}),
        ("1/(2-2)", set()),
        ("log(-1)", set()),
        ("[1, 2]", set()),
    ],
)
def test_numbers(text, holding):
    for relation in RELATIONS:
        assert claim(text, relation).prove().status == ("proved" if relation in holding else "refuted")


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_zero_that_is_not_seen_is_undecided(relation):
    hidden = claim("sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3)", relation)
    assert hidden.prove().status == "undecided"
    for text in ("1/(sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3))", "log(sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3))"):
        assert claim(text, relation).prove().status == "undecided"
    assert claim("abs(sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3))", relation).prove().status in (
        {"proved", "undecided"} if relation == ">=" else {"undecided"}
    )


RANGED = [
    ("n-1", {">=", ">", "!="}),
    ("n-2", {">="}),
    ("2-n", set()),
    ("1-n", {"!="}),
    ("(n-5)^2", {">="}),
    ("n-5", set()),
    ("n-eps-1", {">=", ">", "!="}),
    ("log(n/eps)", {">=", ">", "!="}),
    ("eps-1", {"!="}),
    ("log(n/eps)-log(n)+log(eps)", {">=", "="}),
    ("log(n-2)+9+n", set()),
    ("n+0/(n-5)", set()),
    ("0/(n-5)+0*eps", set()),
    ("n-n+eps-eps", {">=", "="}),
    ("n+0*log(eps-1/2)", set()),
    ("n+0*log(eps-1)", set()),
    ("0*log(n-2)", set()),
    ("sqrt(n-3)", set()),
    ("n/(n-2)", set()),
    ("1/(eps-1/2)^2", set()),
]


@pytest.mark.parametrize(("text", "holding"), RANGED)
def test_ranges(text, holding):
    used = {name: known for name, known in (("n", N), ("eps", EPS)) if name in text}
    for relation in RELATIONS:
        assert claim(text, relation, **used).prove().status == ("proved" if relation in holding else "undecided")


@pytest.mark.parametrize(
    ("text", "relation", "n", "status"),
    [
        ("n-5", ">=", 4, "refuted"),
        ("n-5", ">=", 5, "undecided"),
        ("n-5", ">", 5, "refuted"),
        ("n-5", ">", 6, "undecided"),
        ("n-5", "!=", 5, "refuted"),
        ("n-5", "!=", 4, "undecided"),
        ("n-5", "=", 5, "undecided"),
        ("n-5", "=", 4, "refuted"),
        ("n-5", "=", 6, "refuted"),
        ("1/(n-5)", ">=", 5, "refuted"),
        ("1/(n-5)", ">=", 6, "undecided"),
    ],
)
def test_points(text, relation, n, status):
    verdict = claim(text, relation, {"n": Fraction(n)}, n=N).prove()
    assert verdict.status == status
    assert status != "refuted" or verdict.counterexample == {"n": str(n)}


@pytest.mark.parametrize(("n", "eps"), [(1, "1/2"), ("3/2", "1/2"), (2, 0), (2, 1), (2, 2)])
def test_a_point_outside_the_ranges_is_refused(n, eps):
    with pytest.raises(ValueError, match="`point`"):
        claim("n-eps", ">=", {"n": Fraction(n), "eps": Fraction(eps)}, n=N, eps=EPS)


def test_what_is_not_judged():
    for wrong in ("<", "<=", "==", ""):
        with pytest.raises(ValueError, match="`relation`"):
            claim("1", wrong)
    with pytest.raises(ValueError, match="`ranges`"):
        claim("1", ">", n=N)
    with pytest.raises(ValueError, match="`ranges`"):
        Inequality(parse("n", names=["n"]).root, ">", {})
    with pytest.raises(ValueError, match="`ranges`"):
        Inequality(parse("n", names=["n"]).root, ">", {"n": N}, {"n": np.ones((1, 1))})
    with pytest.raises(ValueError, match="`point`"):
        claim("n-eps", ">", {"n": Fraction(3)}, n=N, eps=EPS)
    with pytest.raises(ValueError, match="`high`"):
        Range(1, 1)


def test_arrays():
    given = {"A": np.array([[2.0, 1.0], [1.0, 1.0]]), "x": np.array([[1.0], [-1.0]])}
    assert claim("x'*A*x - 1", "=", given=given).prove().status == "proved"
    assert claim("x'*A*x", "=", given=given).prove().status == "refuted"
    assert claim("x'*inv(A)*x - 5", "=", given=given).prove().status == "proved"
    assert claim("n*x'*A*x", ">", given=given, n=N).prove().status == "undecided"
    crossed = {**given, "B": np.array([[0.0, 1.0], [0.0, 0.0]])}
    assert claim("n*x'*(A*B-B*A)*x", "=", given=crossed, n=N).prove().status == "undecided"
    assert claim("A*x", "!=", given=given).prove().status == "refuted"


def test_a_claim_survives_its_own_record():
    made = claim("n-5-eps", ">", {"n": Fraction(3), "eps": Fraction(1, 3)}, n=N, eps=Range(0, 1, closed=True))
    again = Inequality.from_parts({}, made.fields())
    assert again.fields() == made.fields()
    assert (again.ranges, again.point, again.relation) == (made.ranges, made.point, made.relation)
    for known in (
        {"=>": "2"},
        {">=": "2", "<=": "3"},
        {">": "2", "<=": "2"},
        {">": "3", "<": "2"},
        {"<": "2"},
        {},
    ):
        with pytest.raises((ValueError, TypeError)):
            Range.from_dict(known)


def test_ends_of_ranges():
    for known, inside, outside in (
        (Range(2, closed=True), [2, 3], [1]),
        (Range(2), [3], [2, 1]),
        (Range(0, 1), ["1/2"], [0, 1, 2, -1]),
        (Range(0, 1, closed=True), ["1/2", 1], [0, 2]),
    ):
        assert all(known.contains(Fraction(x)) for x in inside)
        assert not any(known.contains(Fraction(x)) for x in outside)
        assert Range.from_dict(known.to_dict()) == known
