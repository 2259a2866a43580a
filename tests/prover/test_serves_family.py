"""Claims about whole families with witnesses made by hand: false families past any sampling of members, and lying witnesses."""

from fractions import Fraction

import pytest

from headwright.kernel.certificate import claim_of
from headwright.theories.formulas.families.family import Queries, QueryFamily
from headwright.theories.formulas.families.members import Member
from headwright.theories.formulas.families.regions import Part
from headwright.theories.formulas.families.serves_family import ServesFamily
from tests.prover.reading import queries, tree

HALF = Fraction(1, 2)
EACH = {"basis": ("k",), "each": True}
LEANING = {**EACH, "leaning": HALF, "limit": Fraction(4)}
ALL = (Part(2, None, None),)
FROM_3 = (Part(2, 2, None), Part(3, None, None))


def serves(asked, parts=FROM_3, *, n=None, epsilon=None, **more):
    return ServesFamily(asked, n, epsilon, tuple(parts), **more).prove()


def at(*sizes, last=None, epsilon=None):
    """A part for each single size, and one from `last` on."""
    singles = [Part(n, n, epsilon) for n in sizes]
    return (*singles, *([] if last is None else [Part(last, None, epsilon)]))


def test_parts_must_cover_every_member():
    right = queries("log(n/eps)*k", **EACH)
    assert serves(right, ()).status == "undecided"
    assert serves(right, at(2, 3, 4)).status == "undecided"
    assert serves(right, at(2, 3, 4, last=6)).status == "undecided"
    assert serves(right, at(3, last=4)).status == "undecided"
    assert serves(right, at(2, 4, last=5)).status == "undecided"
    assert serves(right, at(2, 3, 4, last=5)).status == "proved"
    assert serves(right, at(2, 3, 4, 4, last=6)).status == "undecided"
    assert serves(right, at(4), n=5).status == "undecided"
    assert serves(right, at(5), n=5).status == "proved"
    assert serves(right, (), n=5).status == "undecided"


def test_every_part_must_hold():
    falls_short = queries("(n-5)^2*log(n/eps)*k", **EACH)
    assert serves(falls_short, at(2, 3, 4, 5, last=6)).status == "undecided"
    assert serves(falls_short, at(5), n=5).status == "undecided"
    assert serves(falls_short, at(5, epsilon=HALF), n=5, epsilon=HALF).status == "undecided"
    assert serves(falls_short, at(6, epsilon=HALF), n=6, epsilon=HALF).status == "proved"
    assert serves(queries("(n-2)*log(n/eps)*k", **EACH), FROM_3).status == "undecided"
    assert serves(queries("log(4/eps)*k", **EACH), ALL).status == "undecided"
    assert serves(queries("log(4/eps)*k", **EACH), at(2, 3, 4, 5, last=6)).status == "undecided"


def test_a_tolerance_is_the_claims_own():
    right = queries("log(n/eps)*k", **EACH)
    with pytest.raises(ValueError, match="parts"):
        ServesFamily(right, None, HALF, ALL)
    with pytest.raises(ValueError, match="parts"):
        ServesFamily(right, None, None, at(2, last=3, epsilon=HALF))
    only_half = queries("log(2*n)*k", **EACH)
    assert serves(only_half, (Part(2, None, HALF),), epsilon=HALF).status == "proved"
    third = Fraction(1, 3)
    assert serves(only_half, (Part(2, None, third),), epsilon=third).status == "undecided"


def test_vanishing_noise_leaves_no_room_for_a_tie():
    """At n = 10 the lead of ln(8/eps) is needed exactly."""
    for changes in ({"vanishing": True}, {"vanishing": True, "each": True}):
        for epsilon in (None, HALF):
            tie = queries("log(8/eps)*(a+b)", **changes)
            assert serves(tie, (Part(10, 10, epsilon),), n=10, epsilon=epsilon).status == "undecided"
            assert serves(tie, (Part(9, 9, epsilon),), n=9, epsilon=epsilon).status == "proved"
    tie = queries("log(8/eps)*(a+b)")
    assert serves(tie, (Part(10, 10, None),), n=10).status == "proved"
    two = queries("log(8/eps)*(a+b)", "log(8/eps)*(a+b)", vanishing=True)
    assert serves(two, (Part(10, 10, None),), n=10).status == "undecided"


def test_a_member_that_certainly_fails_refutes_and_no_other():
    asked = queries("(n-5)^2*log(n/eps)*k", **EACH)
    failing = Member(5, HALF)
    verdict = serves(asked, (), member=failing)
    assert verdict.status == "refuted"
    assert (verdict.counterexample["n"], verdict.counterexample["eps"]) == ("5", "1/2")
    assert serves(asked, (), member=Member(6, HALF)).status == "undecided"
    tie = queries("log((n-1)/eps)*k", **EACH)
    assert serves(tie, (), member=Member(7, HALF)).status == "undecided"
    assert serves(queries("log(n-7)*k", **EACH), (), member=Member(5, HALF)).counterexample["n"] == "5"
    long = queries("(2*log(n/eps)+n-6)*k", **LEANING)
    assert serves(long, (), member=Member(7, HALF)).status == "refuted"
    assert serves(long, (), member=Member(6, HALF)).status == "undecided"  # exactly as long as is allowed


@pytest.mark.parametrize(
    ("member", "n", "epsilon"),
    [
        (Member(5, Fraction(2)), None, None),
        (Member(5, Fraction(1)), None, None),
        (Member(5, HALF), 6, None),
        (Member(5, HALF), None, Fraction(1, 3)),
        (Member(5, HALF, {"t": Fraction(1)}), None, None),
    ],
)
def test_a_member_belongs_to_the_family(member, n, epsilon):
    for more in ({"member": member}, {"outside": (member,)}):
        with pytest.raises(ValueError, match="member"):
            ServesFamily(queries("0*k", **EACH), n, epsilon, (), **more)


def test_queries_that_must_differ():
    same = queries("log(n/eps)*(a+b)", "(log(n)-log(eps))*(b+a)", different=True)
    verdict = serves(same, FROM_3)
    assert (verdict.status, verdict.counterexample) == ("refuted", {"q1 - q2": "0"})
    one_alike = queries("(1+log(n/eps))*(a+b)", "(1+log(n/eps))*a+(2+log(n/eps))*b", different=True)
    assert serves(one_alike, ()).status == "undecided"
    assert serves(queries("log(n/eps)*(a+b)", "log(n/eps)*(a+b)"), FROM_3).status == "proved"
    beyond = queries("9*abs(eps-1)*a+9*(1-eps)*b", "9*(1-eps)*a+9*abs(eps-1)*b", different=True)
    assert serves(beyond, (), n=2, epsilon=Fraction(2)).status != "refuted"


def test_the_condition_names_what_is_proved():
    asked = queries("(n-5)^2*log(n/eps)*k", **EACH)
    failing = Member(5, Fraction(99, 100))
    found = serves(asked, at(2, 3, 4, last=6), member=failing, outside=(failing,))
    assert found.holds_when == "n <= 4 or n >= 6"
    assert serves(asked, at(2, 3, 4, last=6), member=failing).holds_when == "at least for n <= 4 or n >= 6"
    not_failing = Member(6, HALF)
    said = serves(asked, at(2, 3, 4, last=6), member=failing, outside=(failing, not_failing)).holds_when
    assert said == "at least for n <= 4 or n >= 6"
    assert serves(asked, at(2, 3, 4, last=8), member=failing, outside=(failing,)).holds_when.startswith("at least")
    assert serves(asked, at(2, 3, last=8), member=failing, outside=(failing,)).holds_when.startswith("at least")
    for lie in (at(2, 3, 4, 5), at(2, 3, 4, last=5), at(5), ALL):
        assert serves(asked, lie, member=failing).holds_when is None
    assert serves(asked, at(3, 4), member=failing).holds_when is None
    assert serves(asked, at(2, 4), member=failing).holds_when == "at least for n = 2"
    assert serves(asked, at(6, last=8), member=failing).holds_when == "at least for n >= 8"
    assert serves(asked, at(6, 7, last=8), member=failing).holds_when == "at least for n >= 6"
    assert serves(asked, at(3, 7, last=8), member=failing).holds_when == "at least for n >= 7"
    assert serves(asked, at(2), n=5, member=failing).holds_when is None


@pytest.mark.parametrize(
    ("asked", "up_to", "failing"),
    [
        (queries("(n-5)^2*k", **EACH), 40, 5),  # it depends on n
        (queries("20*k", **EACH, limit=Fraction(4)), 10**5, 2),  # it is too long at small n
        (queries("5*(a+b)", "5*(a+b)", different=True), 3, 10**6),  # both queries are the same
        (queries("log(8/eps)*(a+b)", vanishing=True), 10, 100),  # a tie at n = 10
        (queries("5*k", **EACH), 10**6, 10**7),  # not met
    ],
)
def test_up_to_is_not_taken_on_trust(asked, up_to, failing):
    verdict = serves(asked, (Part(2, up_to, HALF),), epsilon=HALF, member=Member(failing, HALF))
    assert (verdict.status, verdict.holds_when) == ("refuted", None)


def test_up_to_is_for_one_tolerance():
    constant = queries("5*k", **EACH)
    failing = Member(10**7, HALF)
    assert serves(constant, (Part(2, 30, HALF),), epsilon=HALF, member=failing).holds_when == "at least for n <= 30"
    assert serves(constant, (Part(2, 30, None),), member=failing).holds_when is None


def test_what_no_family_claim_is_about():
    with pytest.raises(ValueError, match="queries"):
        ServesFamily(queries("t*k", **EACH), None, None)
    for n in (1, 0, True, Fraction(5, 2)):
        with pytest.raises(ValueError, match="`n`"):
            ServesFamily(queries("k", **EACH), n, None)
    for epsilon in (Fraction(0), Fraction(-1)):
        with pytest.raises(ValueError, match="`epsilon`"):
            ServesFamily(queries("k", **EACH), None, epsilon)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("basis", {"basis": ()}),
        ("basis", {"basis": ("a", "a")}),
        ("basis", {"basis": ("a", "b", "c")}),
        ("basis", {"basis": ("n",)}),
        ("basis", {"basis": ("t",)}),
        ("heads", {"heads": 3}),
        ("heads", {"heads": 0}),
        ("heads", {"different": True}),
        ("leaning", {"leaning": HALF}),
        ("leaning", {"basis": ("a",), "leaning": Fraction(1)}),
        ("leaning", {"basis": ("a",), "leaning": Fraction(-1, 2)}),
        ("leaning", {"basis": ("a",), "leaning": HALF, "lengths": (Fraction(2),)}),
        ("leaning", {"basis": ("a",), "leaning": HALF, "heads": 2}),
        ("limit", {"limit": Fraction(0)}),
        ("limit", {"limit": Fraction(-4)}),
        ("limit", {"limit": Fraction(4), "heads": 2}),
        ("lengths", {"lengths": ()}),
    ],
)
def test_a_family_that_is_not_judged(name, changes):
    with pytest.raises(ValueError, match=f"`{name}`"):
        QueryFamily(**{"basis": ("a", "b"), **changes})


def test_queries_fit_their_family():
    with pytest.raises(ValueError, match="`queries`"):
        Queries(QueryFamily(("a", "b")), (tree("a", "a"), tree("b", "b")))
    with pytest.raises(ValueError, match="`queries`"):
        Queries(QueryFamily(("a",)), (tree("a+c", "a", "c"),))


def test_a_claim_survives_its_own_record():
    claim = ServesFamily(queries("(n-5)^2*log(n/eps)*k", **EACH), None, None, at(2, 3, last=6), Member(5, HALF))
    again = ServesFamily.from_parts({}, claim.fields())
    assert again.fields() == claim.fields()
    assert again.prove().holds_when == claim.prove().holds_when
    for wrong in (
        {"each": 1},
        {"vanishing": "yes"},
        {"different": 0},
        {"heads": True},
        {"heads": "1"},
    ):
        with pytest.raises((ValueError, TypeError)):
            ServesFamily.from_parts({}, {**claim.fields(), **wrong})
    with pytest.raises(ValueError, match="more"):
        claim_of({"kind": claim.kind, **claim.fields(), "more": 1}, {})


def test_a_long_chain_of_singles_is_looked_at_whole():
    """It fails at n = 9 alone, in the middle of single parts."""
    asked = queries("log(n/eps)*k*(n-9)^2", **EACH)
    assert serves(asked, at(*range(2, 12), last=12)).status == "undecided"
    assert serves(asked, at(*range(2, 9), *range(10, 12), last=12)).status == "undecided"


def test_a_cut_at_nothing_is_refused():
    """With exponents cut down to 0 every power would be 1: the weight of 3^-5 against 1 would pass for one half."""
    wrong = queries("-5*log(3)*k", **EACH)
    fields = ServesFamily(wrong, 2, Fraction(2), (Part(2, 2, Fraction(2)),)).fields()
    assert ServesFamily.from_parts({}, fields).prove().status == "undecided"
    fields["parts"][0]["cut"] = 1
    assert ServesFamily.from_parts({}, fields).prove().status == "undecided"
    fields["parts"][0]["cut"] = 0
    with pytest.raises(ValueError, match="`cut`"):
        ServesFamily.from_parts({}, fields)


def test_two_keys_alone_are_served_by_equal_scores():
    assert serves(queries("0*a"), (Part(2, 2, None),), n=2).status == "proved"
    assert serves(queries("0*a"), ALL).status == "undecided"
    assert serves(queries("0*a"), (Part(3, 3, None),), n=3).status == "undecided"
