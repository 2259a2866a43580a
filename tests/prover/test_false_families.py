"""False families, each wrong at few members or by little, with the parts that would prove them: none is proved."""

from fractions import Fraction

import pytest

from headwright.theories.formulas.families.family import Queries
from headwright.theories.formulas.families.regions import Part
from headwright.theories.formulas.families.serves_family import ServesFamily
from tests.prover.reading import queries

HALF = Fraction(1, 2)
EACH = {"basis": ("k",), "each": True}
LEANING = {**EACH, "leaning": HALF, "limit": Fraction(4)}
ALL = (Part(2, None, None),)
FROM_3 = (Part(2, 2, None), Part(3, None, None))
ONE_BY_ONE = (*(Part(n, n, None) for n in range(2, 7)), Part(7, None, None))


RIGHT = [
    (queries("log(n/eps)*k", **EACH), ALL),
    (queries("2*log(n/eps)*k", **LEANING), ALL),
    (queries("log(n/eps)*(a+b)"), FROM_3),
    (queries("log(n/eps)*(a+b)", each=True, limit=Fraction(2)), FROM_3),
    (queries("2*log(n/eps)*(a+b)", vanishing=True), FROM_3),
    (queries("(1+log(n/eps))*(a+b)", "(2+log(n/eps))*(a+b)", different=True), FROM_3),
    (queries("2*log(n/eps)*k", basis=("k",), lengths=(HALF, Fraction(3, 2))), ALL),
    (queries("(1+log(n/eps))*k", basis=("k",)), ALL),
]


@pytest.mark.parametrize(("asked", "parts"), RIGHT, ids=lambda x: x.spelled() if isinstance(x, Queries) else "")
def test_what_is_right_is_proved(asked, parts):
    verdict = ServesFamily(asked, None, None, parts).prove()
    assert (verdict.status, verdict.scope) == ("proved", "all n >= 2 and eps in (0, 1)")


WRONG = [
    # a length of 199 where 7 is allowed, and lengths just beyond what is allowed
    (queries("100*log(n/eps)*k", **LEANING), ALL),
    (queries("2.01*log(n/eps)*k", **LEANING), ALL),
    (queries("(2*log(n/eps)+n)*k", **LEANING), ALL),
    (queries("2*log(n/eps)*k", basis=("k",), each=True, limit=Fraction(3)), ALL),
    (queries("3*log(n/eps)*(a+b)", each=True, limit=Fraction(9)), FROM_3),
    # defined everywhere but at n = 5
    (queries("(2*log(n/eps)+0/(n-5))*k", **LEANING), ALL),
    (queries("(2*log(n/eps)+log((n-5)^2)-2*log(abs(n-5)))*k", **EACH), ONE_BY_ONE),
    (queries("(log(n/eps)+1/(n-5)-1/(n-5))*(a+b)"), FROM_3),
    (queries("log(n/eps)*k+0*log(eps-1/3)*k", **EACH), ALL),
    (queries("(log(n/eps)+0/(n-2))*k", **EACH), ALL),
    (queries("log(n/eps)*k+0*log(n-2)*k", **EACH), ALL),
    (queries("log(n/eps)*k*(n-2)/(n-2)", **EACH), ALL),
    (queries("log(n/eps)*(a+b)+0*sqrt(n-2.5)*a"), FROM_3),
    # enough everywhere but at n = 5, or at one tolerance
    (queries("(n-5)^2*log(n/eps)*k", **EACH), ALL),
    (queries("log(n/eps)*k*min(1,(n-5)^2)", **EACH), ALL),
    (queries("log(n/eps)*k+log((n-5)^2+1/9)*k", **EACH), ALL),
    (queries("(log(n/eps)-log(1+1/(9*(n-5)^2+1)))*k", **EACH), ALL),
    (queries("(2-3*eps)*log(n/eps)*k", **EACH), ALL),
    (queries("log(n)*k", **EACH), ALL),
    (queries("log((n-1)/eps)*k-k/10^30", **EACH), ALL),
    (queries("log((n-1)/eps)*k", basis=("k",), each=True, vanishing=True), ALL),
    (queries("log((n-2)/eps)*(a+b)", vanishing=True), ONE_BY_ONE),
    # the others lean, the first key is short, one target is behind
    (queries("log(n/eps)*k", **LEANING), ALL),
    (queries("2*log(n/eps)*k", basis=("k",), each=True, leaning=Fraction(2, 3)), ALL),
    (queries("log(n/eps)*k", basis=("k",), lengths=(HALF, Fraction(3, 2))), ALL),
    (queries("log(n/eps)*k", basis=("k",), lengths=(Fraction(3, 2), HALF)), ALL),
    (queries("log(n/eps)*a+2*log(n/eps)*b"), FROM_3),
    (queries("2*log(n/eps)*a+log(n/eps)*b"), FROM_3),
    (queries("(log(n/eps)+1)*a+log(n/eps)*b"), FROM_3),
    (queries("log(n/eps)*(a-b)"), FROM_3),
    (queries("log(n/eps)*a", each=True), FROM_3),
    # only the mean of two heads is asked for, and it is wrong
    (queries("log(n/eps)*a", "2*log(n/eps)*a"), FROM_3),
    (queries("log(n/eps)*a", "log(n/eps)*b"), FROM_3),
    (queries("2*log(n/eps)*(a+b)", "0*a"), FROM_3),
    # the same query at n = 5, or at every n
    (queries("(1+log(n/eps))*(a+b)", "(1+log(n/eps)+(n-5)^2)*(a+b)", different=True), FROM_3),
    (queries("(1+log(n/eps))*(a+b)", "(1+log(n/eps)+n-5)*(a+b)", different=True), FROM_3),
]


@pytest.mark.parametrize(("asked", "parts"), WRONG, ids=lambda x: x.spelled() if isinstance(x, Queries) else "")
def test_what_is_wrong_is_not_proved(asked, parts):
    for given in (parts, ONE_BY_ONE):
        assert ServesFamily(asked, None, None, given).prove().status == "undecided"
