"""Claims about large symbols with witnesses made by hand: limits that are wrong at one n or on one way out, and lying members."""

from fractions import Fraction

import mpmath
import pytest

from headwright.kernel import balls
from headwright.theories.formulas.families.family import EVERYWHERE, Queries
from headwright.theories.formulas.families.limits import defined_far_out, limiting_weights, tends
from headwright.theories.formulas.families.members import Member
from headwright.theories.formulas.families.regions import Part
from headwright.theories.formulas.families.serves_family import ServesFamily
from tests.prover.reading import form, queries

TENTH = Fraction(1, 10)


def eventually(asked, *, n=None, epsilon=None, two=False, low=None, **more):
    sizes = [(n, n)] if n else [(2, 2), (3, None)]
    if "member" in more:
        sizes = [*([(2, 2)] if two else []), *([] if low is None else [(low, None)])]
    parts = tuple(Part(first, last, epsilon) for first, last in sizes)
    return ServesFamily(asked, n, epsilon, parts, **more).prove()


def far(n, path=None, tolerance=TENTH, **symbols):
    values = {name: Fraction(x) for name, x in symbols.items()}
    return Member(n, tolerance, values, path or {name: 1 for name in symbols if name != "eps"})


RIGHT = [
    queries("t*(a+b)"),
    queries("t*log(n)*(a+b)"),
    queries("(t-n)*(a+b)"),
    queries("(t+s)*(a+b)"),
    queries("log(t)*(a+b)/eps"),
    queries("t*(a+b)+a/t"),
    queries("2*t*a+t*b", "t*a+2*t*b"),
    queries("t*(a+b)", "(t+1)*(a+b)", different=True),
    queries("t*(a+b)", "2*t*(a+b)", different=True),
    queries("log(t-n)*(a+b)"),
]


@pytest.mark.parametrize("asked", RIGHT, ids=Queries.spelled)
def test_what_is_right_is_proved(asked):
    assert eventually(asked).status == "proved"


WRONG = [
    # wrong at n = 2, or at one other n
    queries("t/(n-2)*(a+b)"),
    queries("t*(a+b)+0*log(n-2)*a"),
    queries("t*(n-5)^2*(a+b)"),
    queries("t/(n-5)^2*(a+b)"),
    queries("(t+0/(n-5))*(a+b)"),
    queries("log((n-5)^2*t+1)*(a+b)"),
    queries("t*(a+b)+(n-2)*a"),
    queries("t*(a+b)+(n-2)*(n-3)*a"),
    queries("t*log(n-1)*(a+b)-a+a*log(n-1)"),
    # wrong at all n >= 3
    queries("-t*(a+b)"),
    queries("(5+1/t)*(a+b)"),
    queries("(a+b)/t"),
    queries("(t-t+9)*(a+b)+0*a/t"),
    # the limit depends on the way
    queries("(t^2-s)*(a+b)"),
    queries("(t-s)*(a+b)"),
    queries("t*s/(t+s^2)*(a+b)"),
    queries("(s-t^2)*(a+b)"),
    queries("t*(a+b)+s/t*a"),
    queries("2*(t+s)*a+(t+s)*b", "(t+s)*a+(t+t^2)*b"),
    # one target is ahead
    queries("(t+1)*a+t*b"),
    queries("2*t*a+t*b"),
    queries("t*a+2*t*b"),
    queries("t*(a+b)+(1+1/t)*a"),
    queries("t*a"),
    # two heads whose mean is wrong
    queries("t*a", "2*t*a"),
    queries("t*(a+b)", "(a+b)/t"),
    queries("t*(a+b)+a", "t*(a+b)+a"),
    queries("t*(a+b)+a", "t*(a+b)+2*b"),
    queries("t*a+b", "s*a+b"),
    # the first key may be longer
    queries("t*(a+b)", lengths=(Fraction(1), Fraction(2))),
    queries("t*(a+b)", lengths=(Fraction(1), Fraction(1, 2))),
    # not different at n = 5, or in the limit alone
    queries("t*(a+b)", "(t+n-5)*(a+b)", different=True),
    queries("t*(a+b)", "(t+(n-5)^2)*(a+b)", different=True),
    queries("t*(a+b)", "(t+(n-5)/t)*(a+b)", different=True),
    # not defined far out
    queries("t*(a+b)+0*log(100-t)*a"),
    queries("t*(a+b)+0*log(n-t)*a"),
    queries("t*(a+b)+0*log(t-s)*a"),
    queries("(t+s)*(a+b)+0*log(t-s+5)*a"),
    queries("t*(a+b)+0*sqrt(100-t)*a"),
    queries("t*(a+b)+0*a/(t-s)"),
    queries("t*(a+b)+0*log((n-5)*t+1)*a"),
    queries("t*(a+b)+0*a/((n-5)*t+1)"),
]


@pytest.mark.parametrize("asked", WRONG, ids=Queries.spelled)
def test_what_is_wrong_is_not_proved(asked):
    assert eventually(asked).status != "proved"


def test_one_n():
    assert eventually(queries("-t*(a+b)"), n=2).status == "proved"
    assert eventually(queries("-t*(a+b)"), n=3).status == "undecided"
    assert eventually(queries("t*(n-5)^2*(a+b)"), n=5).status == "undecided"
    assert eventually(queries("t*(n-5)^2*(a+b)"), n=6).status == "proved"
    assert eventually(queries("t/(n-2)*(a+b)"), n=2).status != "proved"
    assert eventually(queries("t*(1/2-eps)^2*(a+b)"), epsilon=Fraction(1, 2)).status != "proved"
    assert eventually(queries("t*(1/2-eps)^2*(a+b)"), epsilon=Fraction(1, 3)).status == "proved"
    assert eventually(queries("t*(1/2-eps)^2*(a+b)")).status != "proved"


def test_parts_must_cover_every_size():
    right = queries("t*(a+b)")
    for sizes in ([(3, None)], [(2, 2), (4, None)], [(2, 2), (3, 10**6)], []):
        parts = tuple(Part(low, high, None) for low, high in sizes)
        assert ServesFamily(right, None, None, parts).prove().status == "undecided"
    assert ServesFamily(right, None, None, (Part(2, None, None),)).prove().status == "proved"
    assert ServesFamily(right, 7, None, (Part(3, None, None),)).prove().status == "proved"


def test_queries_that_are_the_same():
    same = queries("t*(a+b)", "(2*t-t)*(a+b)", different=True)
    verdict = eventually(same)
    assert (verdict.status, verdict.counterexample) == ("refuted", {"q1 - q2": "0"})
    one = queries("t*(a+b)", "t*a+(t+1/t)*b", different=True)
    assert eventually(one).status != "refuted"
    beyond = queries("t*(abs(eps-1)*a+(1-eps)*b)", "t*((1-eps)*a+abs(eps-1)*b)", different=True)
    assert eventually(beyond, n=2, epsilon=Fraction(2)).status == "proved"


def test_a_far_member_refutes_only_where_its_limit_is_wrong_too():
    wrong = queries("(5+1/t)*(a+b)")
    verdict = eventually(wrong, member=far(10**6, t=10**6))
    assert verdict.status == "refuted"
    assert (verdict.counterexample["n"], verdict.counterexample["t"]) == ("1000000", "1000000")
    right = queries("t*(a+b)")
    assert eventually(right, member=far(1000, t=1)).status == "undecided"  # t is too small there, that is all
    unknown = queries("(t+log(log(t+2)))*(a+b)")
    assert eventually(unknown, member=far(1000, t=1)).status == "undecided"
    assert eventually(queries("(1+9/t)*(a+b)"), member=far(10, t=1)).status == "undecided"  # this one is met
    assert eventually(queries("(t-s)*(a+b)"), member=far(10, t=1, s=9)).status == "refuted"
    crossed = queries("(t-s^2)*(a+b)")
    assert eventually(crossed, member=far(10, {"t": 1, "s": 1}, t=9, s=9)).status == "refuted"
    assert eventually(crossed, member=far(10, {"t": 4, "s": 1}, t=9, s=9)).status == "undecided"
    aside = queries("t*(a+b)+a")
    assert eventually(aside, member=far(2, t=99)).status == "refuted"
    assert eventually(aside, member=far(2, t=99, tolerance=Fraction(9))).status == "undecided"
    undefined = queries("t/(n-2)*(a+b)")
    assert eventually(undefined, member=far(2, t=99)).status == "undecided"


@pytest.mark.parametrize(
    ("texts", "n", "scores"),
    [
        (["(2+1/t)*(a+b)"], 7, [((2, 2), 0)]),
        (["(2+1/t)*a+3*b"], 5, [((2, 3), 0)]),
        (["t*(a+b)+a"], 9, [((1, 0), -mpmath.inf)]),
        (["a/t-2*b"], 4, [((0, -2), 0)]),
        (["a+t*b"], 4, [((-mpmath.inf, 0), -mpmath.inf)]),
        (["-t*(a+b)+a/2"], 2, [((mpmath.mpf(1) / 2, 0), 0)]),
        (["-t*a+3*b"], 6, [((-mpmath.inf, 3), 0)]),
        (["t*(a+b)+a", "2*a-b+a/t"], 6, [((1, 0), -mpmath.inf), ((2, -1), 0)]),
    ],
)
def test_limiting_weights(texts, n, scores):
    asked = queries(*texts)
    found = limiting_weights(asked.family, asked.coefficients({}), n, Fraction(1), {"t": 1})
    for place in range(2):
        shares = [
            mpmath.exp(own[place]) / (sum(mpmath.exp(x) for x in own) + (n - 2) * mpmath.exp(rest))
            for own, rest in scores
        ]
        with balls.precision(100):
            assert abs(float(found[place].mid()) - sum(shares) / len(shares)) < 1e-14


@pytest.mark.parametrize(
    ("text", "defined"),
    [
        ("log(t-n)", True),
        ("1/(n-t)", True),
        ("1/(t-100)", True),
        ("log(n-t)", False),
        ("log(100-t)", False),
        ("0/(n-5)", False),
        ("log(t-s)", False),
        ("1/(t-s)", False),
        ("log((n-5)*t)", False),
        ("1/((n-5)*t+1)", False),
        ("0*log(log(log(t))-5)", False),  # it is, and its growth is not known
        ("0*log(5-log(log(t)))", False),
        ("log(t+s-1)", True),
    ],
)
def test_defined_far_out(text, defined):
    assert defined_far_out([form("n"), form(text)], ("t", "s"), EVERYWHERE) is defined


def test_a_limit_is_one_at_every_member():
    assert tends(form("1/t + log(n)"), ("t", "s"), EVERYWHERE) is not None
    for text in ("log(n-2)/t", "1/(n-3) + 1/t", "0*log(eps-1/2) + 1/t", "log((n-5)^2*t+1)/t", "t*(n-5)", "s - t"):
        assert tends(form(text), ("t", "s"), EVERYWHERE) is None


def test_the_condition_names_what_is_proved():
    asked = queries("t*(n-9)*(a+b)")
    failing = far(5, t=99)
    nine = far(9, t=99)
    assert (
        eventually(asked, member=failing, two=True, low=10, outside=(far(3, t=99), nine)).holds_when
        == "n = 2 or n >= 10"
    )
    assert eventually(asked, member=failing, two=True, low=10, outside=(nine,)).holds_when.startswith("at least")
    said = eventually(asked, member=failing, two=True, low=10).holds_when
    assert said == "at least for n = 2 or n >= 10"
    assert eventually(asked, member=failing, low=9).holds_when is None
    assert eventually(asked, member=failing, low=3).holds_when is None
    assert eventually(asked, member=failing, low=12, outside=(nine,)).holds_when == "at least for n >= 12"
    met = far(10, t=99)
    assert eventually(asked, member=failing, low=10, outside=(nine, met)).holds_when == "at least for n >= 10"
    undefined = queries("t/(n-2)*(a+b)*(n-9)")
    assert eventually(undefined, member=failing, two=True).holds_when is None
    negative = queries("-t*(a+b)")
    assert eventually(negative, member=failing, two=True, outside=(far(3, t=99),)).holds_when == "n = 2"
    assert eventually(negative, member=failing, two=True).holds_when == "at least for n = 2"
    assert eventually(negative, n=5, member=failing, two=True).holds_when is None


@pytest.mark.parametrize(
    "member",
    [
        far(5, {"s": 1}, t=9),
        far(5, {"t": 1, "s": 1}, t=9, s=9),
        far(5, {"t": 1}),
        far(5, t=0),
        far(5, t=-3),
        far(5, t=9, eps=Fraction(3, 2)),
    ],
)
def test_a_far_member_belongs_to_the_family(member):
    for more in ({"member": member}, {"outside": (member,)}):
        with pytest.raises(ValueError, match="member"):
            ServesFamily(queries("t*(a+b)*eps"), None, None, **more)
    with pytest.raises(ValueError, match="member"):
        ServesFamily(queries("t*(a+b)"), 6, None, member=far(5, t=9))


def test_what_no_claim_about_large_symbols_is_about():
    for asked in (
        queries("t*k", basis=("k",)),
        queries("t*(a+b)", each=True),
        queries("t*(a+b)", limit=Fraction(4)),
    ):
        with pytest.raises(ValueError, match="`queries`"):
            ServesFamily(asked, None, None)
    for more in ({"n": 1}, {"n": True}, {"epsilon": Fraction(0)}):
        with pytest.raises(ValueError, match="`"):
            ServesFamily(queries("t*(a+b)"), **{"n": None, "epsilon": None, **more})


def test_a_claim_survives_its_own_record():
    parts = (Part(2, 2, None), Part(10, None, None))
    outside = (far(3, t=99), far(9, t=99))
    claim = ServesFamily(queries("t*(n-9)*(a+b)"), None, None, parts, far(5, t=99), outside)
    again = ServesFamily.from_parts({}, claim.fields())
    assert again.fields() == claim.fields()
    assert again.prove().holds_when == "n = 2 or n >= 10"
    for path in ({"t": 0}, {"t": 5}, {"t": 1.0}, {"t": True}, {"t": "1"}):
        with pytest.raises((ValueError, TypeError), match="`"):
            Member.from_parts({}, {**claim.fields()["member"], "path": path})
