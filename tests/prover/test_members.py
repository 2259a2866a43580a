"""Single members and bounds over parts, against softmax by its definition in mpmath."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest

from headwright.kernel import balls
from headwright.theories.formulas.families.family import QueryFamily, heads_of
from headwright.theories.formulas.families.members import Member, judged, looked_at
from headwright.theories.formulas.families.regions import Part, covered, number, root_below, spelled
from headwright.theories.formulas.families.serves_family import ServesFamily
from headwright.theories.formulas.families.weights import inequalities, mean_weights
from tests.members_by_hand import number as by_hand
from tests.prover.reading import form, queries

HALF = Fraction(1, 2)


def mpf(x):
    return mpmath.mpf(x.numerator) / x.denominator


def room(family, coefficients, n, eps, length):
    """What must not be negative, and the weights: scores of mpmath numbers, softmax as it is written in books."""
    shares = []
    for head in coefficients:
        scores = [head[0] * length, *head[1:]]
        rest = head[0] * mpf(family.leaning)
        top = max(*scores, rest)
        powers = [mpmath.exp(x - top) for x in scores]
        whole = sum(powers) + (n - len(scores)) * mpmath.exp(rest - top)
        shares.append([power / whole for power in powers])
    weights = [sum(column) / len(shares) for column in zip(*shares, strict=True)]
    m = len(weights)
    if family.each:
        return [w - 1 / (m + eps) for w in weights], weights
    error = eps / (m + eps)
    return [*(w - (mpmath.mpf(1) / m - error) for w in weights), sum(weights) - (1 - error)], weights


SCORES = [
    "log(n/eps)",
    "2*log(n/eps)",
    "3/2*log(n)",
    "log(n)-log(eps)/2",
    "n/3",
    "1/eps",
    "5",
    "-log(n)",
    "log(2*n/eps)",
    "0",
]
ASKED = [
    {"basis": ("a",), "each": True},
    {"basis": ("a",), "leaning": HALF},
    {"basis": ("a",), "lengths": (HALF, Fraction(3, 2))},
    {},
    {"each": True},
    {"lengths": (HALF, Fraction(3, 2))},
]


def random_queries(rng):
    asked = rng.choice(ASKED)
    heads = rng.choice([1, 2]) if "leaning" not in asked else 1
    basis = asked.get("basis", ("a", "b"))
    texts = [[rng.choice(SCORES) for _ in basis] for _ in range(heads)]
    spelled = ["+".join(f"({text})*{name}" for text, name in zip(own, basis, strict=True)) for own in texts]
    return queries(*spelled, **asked), texts


def test_bounds_are_worth_having():
    """A head whose lead is ln(n/eps) exactly has its weights exactly, up to roots that a part has."""
    asked = queries("log(n/eps)*a", basis=("a",), each=True)
    part = Part(2, None, None)
    (found,) = inequalities(asked.family, heads_of(asked.family, asked.coefficients({}), Fraction(1)), part)
    n, eps = part.symbols["n"], part.symbols["eps"]
    exact = n / eps / (n / eps + n - 1) - (eps + 1) ** -1
    assert found == exact


def test_scores_far_apart():
    asked = queries("10^8*(a+b)")
    found = mean_weights(heads_of(asked.family, asked.coefficients({}), Fraction(1)), 10**9, {}, bits=128)
    with balls.precision(128):
        assert all(abs(float(w.mid()) - 0.5) < 1e-30 for w in found)
    asked = queries("10^8*a+3*b", "3*a+10^8*b")
    found = mean_weights(heads_of(asked.family, asked.coefficients({}), Fraction(1)), 5, {}, bits=128)
    assert all(abs(float(w.mid()) - 0.5) < 1e-30 for w in found)
    for text in ("-10^8*(a+b)", "10^8*a", "-10^8*a+b"):
        asked = queries(text)
        assert judged(asked, Member(5, HALF)).meets is False
    assert judged(queries("-10^8*(a+b)"), Member(2, HALF)).meets is True


@pytest.mark.parametrize(
    ("text", "n", "fails"),
    [
        ("9*(a+b)+0*log(n-5)*a", 5, True),
        ("9*(a+b)+0*log(n-5)*a", 4, True),
        ("9*(a+b)+0*log(n-5)*a", 6, False),
        ("9*(a+b)+0/(n-5)*a", 5, True),
        ("9*(a+b)+0/(n-5)*a", 4, False),
        ("9*(a+b)+sqrt(n-5)*0*a", 4, True),
        ("9*(a+b)+sqrt(n-5)*0*a", 5, False),
    ],
)
def test_a_member_at_which_the_formula_has_no_value_fails(text, n, fails):
    assert judged(queries(text), Member(n, HALF)).meets is not fails
    assert bool(judged(queries(text), Member(n, HALF)).fault) is fails


@pytest.mark.parametrize(
    ("text", "n", "meets"),
    [
        ("9*(a+b)+0*log(n-5)*a", 5, False),
        ("9*(a+b)+0*log(n-5)*a", 4, False),
        ("9*(a+b)+0*log(n-5)*a", 6, True),
        ("9*(a+b)+0/(n-5)*a", 5, False),
        ("9*(a+b)+0/(n-5)*a", 4, True),
    ],
)
def test_the_same_where_the_symbols_are_still_there(text, n, meets):
    asked = queries(text)
    assert looked_at(asked.family, asked.coefficients({}), Member(n, HALF)).meets is meets


def test_a_tie_is_open():
    assert judged(queries("log((n-1)/eps)*k", basis=("k",), each=True), Member(7, HALF)).meets is None
    assert judged(queries("log((n-2)/eps)*(a+b)"), Member(7, HALF)).meets is None


def test_the_targets_need_their_share_together():
    """At n = 10 and eps = 1/2 each target has 0.376, which is at least 1/2 - 1/5; both together have less than 4/5."""
    assert judged(queries("2.5*(a+b)"), Member(10, HALF)).meets is False
    assert judged(queries("2.8*(a+b)"), Member(10, HALF)).meets is True
    assert judged(queries("9*a+8*b"), Member(10, HALF)).meets is False


def test_lengths():
    allowed = {"basis": ("k",), "each": True, "limit": Fraction(4)}
    assert judged(queries("2.001*log(n/eps)*k", **allowed), Member(9, HALF)).meets is False
    assert judged(queries("1.999*log(n/eps)*k", **allowed), Member(9, HALF)).meets is True
    assert judged(queries("2*log(n/eps)*k", **allowed), Member(9, HALF)).meets is None
    both = {"each": True, "limit": Fraction(4)}
    assert judged(queries("1.5*log(n/eps)*(a+b)", **both), Member(9, HALF)).meets is False
    assert judged(queries("1.4*log(n/eps)*(a+b)", **both), Member(9, HALF)).meets is True


def test_keys_that_lean_are_not_judged_at_a_tolerance_of_1_and_beyond():
    """The worst case is that they lean towards the key only for coefficients >= 0; a negative one fails for certain below 1."""
    asked = queries("-k/2", basis=("k",), each=True, leaning=HALF)
    assert judged(asked, Member(2, HALF)).meets is False
    for epsilon in (Fraction(1), Fraction(2)):
        with pytest.raises(ValueError, match="`epsilon`"):
            ServesFamily(asked, 2, epsilon)
        ServesFamily(queries("-k/2", basis=("k",), each=True), 2, epsilon)
    ServesFamily(asked, 2, Fraction(99, 100))


def test_a_member_beyond_our_forms_is_open():
    for text in ("9*n^(1/3)*(a+b)", "exp(-sqrt(n))*(a+b)", "[1, 2]"):
        assert judged(queries(text), Member(5, HALF)).meets is None


@pytest.mark.parametrize(
    "changes",
    [
        {"low": 1},
        {"low": 2.0},
        {"low": True},
        {"high": 1},
        {"high": 2.5},
        {"low": 2**13_000},
        {"high": True},
        {"power": 0},
        {"power": 65},
        {"power": Fraction(1)},
        {"shift": -3},
        {"shift": 0.5},
        {"steps": 0},
        {"steps": 65},
        {"cut": 0},
        {"cut": 65},
        {"cut": 1.5},
    ],
)
def test_parts_that_are_not_looked_at(changes):
    with pytest.raises((ValueError, TypeError)):
        Part(**{"low": 2, "high": None, "epsilon": None, **changes})


def test_parts():
    part = Part(5, None, None, power=2, shift=-1)
    n, eps = part.symbols["n"], part.symbols["eps"]
    assert part.nonnegative(n - 5)
    assert part.positive(n - 4)
    assert not part.positive(n - 5)
    assert not part.nonnegative(n - 6)
    assert not part.nonnegative(n - Fraction(51, 10))
    assert part.positive(eps)
    assert not part.nonnegative(eps - Fraction(1, 2))
    assert part.nonnegative(-eps + 1)
    assert part.positive(-eps + 1)
    assert (part.fixed(), set(part.ranges())) == ({}, {"n", "eps"})
    single = Part(5, 5, HALF)
    assert (single.fixed(), single.ranges()) == ({"n": 5, "eps": HALF}, {})
    assert single.symbols["n"].value() == 5
    assert single.symbols["eps"].value() == HALF
    assert Part.from_parts({}, part.fields()) == part
    assert not Part(2, None, None).ranges()["n"].contains(Fraction(1))
    assert not part.ranges()["eps"].contains(Fraction(1))


def test_covers_and_runs():
    parts = (Part(2, 2, None), Part(4, 4, None), Part(9, None, None), Part(7, None, None))
    assert covered(parts) == [(2, 2), (4, 4), (7, math.inf)]
    assert covered(parts[:2]) == [(2, 2), (4, 4)]
    assert covered([]) == []
    within = [(2, 2), (3, 3), (4, 9), (5, 6), (11, None), (13, 14), (10**400, 10**400)]
    assert covered([Part(low, high, None) for low, high in reversed(within)]) == [(2, 9), (11, math.inf)]
    for number_, power in ((2, 2), (10, 3), (8, 3), (0, 2), (10**40 + 1, 2), (2, 64)):
        low = root_below(number_, power)
        assert low**power <= number_ < (low + Fraction(1, 10**6)) ** power


def test_numbers_of_members():
    for value in (Fraction(1, 3), Fraction(10) ** 5000, Fraction(10) ** 400 + 1, Fraction(7)):
        assert number(spelled(value), "n") == value
    assert spelled(Fraction(10) ** 5000) == "10^5000"
    assert spelled(2 * Fraction(10) ** 300) == str(2 * 10**300)
    for wrong in ("10^99999999", "10^-3", 7, None, "1/0", "ten"):
        with pytest.raises((ValueError, TypeError)):
            number(wrong, "n")
    for n, epsilon in (("1", "1/2"), ("5/2", "1/2"), ("3", "0"), ("3", "-1")):
        with pytest.raises(ValueError, match=r"member|`n`"):
            Member.from_parts({}, {"n": n, "epsilon": epsilon, "further": {}, "path": {}})
    with pytest.raises(ValueError, match="member"):
        Member(Fraction(5, 2), HALF)
    member = Member(5, HALF, {"t": Fraction(3)}, {"t": 1})
    assert Member.from_parts({}, member.fields()) == member
    assert member.values() == {"n": 5, "eps": HALF, "t": 3}


def test_a_members_numbers_are_written_into_the_formula():
    """(n-5)/(n-5) has no value at n = 5, and |n-3| a form only where n is a number."""
    assert judged(queries("9*(n-5)/(n-5)*(a+b)"), Member(5, HALF)).meets is False
    assert judged(queries("9*(n-5)/(n-5)*(a+b)"), Member(4, HALF)).meets is True
    assert judged(queries("9*abs(n-3)*(a+b)"), Member(5, HALF)).meets is True
    assert (form("log(n)") - form("log(n)")).is_zero()


def test_members_are_judged_as_by_hand():
    rng = random.Random(4)
    seen = {True: 0, False: 0}
    for _ in range(120):
        asked, texts = random_queries(rng)
        member = Member(rng.choice([2, 3, 5, 40, 10**6]), Fraction(rng.randint(1, 199), 100))
        with mpmath.workdps(50):
            n, eps = mpmath.mpf(member.n), mpf(member.epsilon)
            own = [[by_hand(text, {"n": n, "eps": eps}) for text in head] for head in texts]
            least = min(min(room(asked.family, own, n, eps, mpf(c))[0]) for c in asked.family.lengths)
            found = judged(asked, member)
            worst = asked.family.leaning and min(own[0]) < 0 and member.epsilon >= 1
            if abs(least) > 1e-20 and not worst:
                assert found.meets is bool(least > 0)
                seen[found.meets] += 1
            if found.meets is not None:
                shown = room(asked.family, own, n, eps, mpf(found.length))[1]
                assert all(abs(x - y) < 1e-12 for x, y in zip(found.weights, shown, strict=True))
    assert min(seen.values()) > 20


def test_bounds_over_a_part_lie_below_what_is_true():
    rng = random.Random(8)
    compared = 0
    while compared < 400:
        asked, texts = random_queries(rng)
        epsilon = rng.choice([None, None, Fraction(1, 3)])
        power, low = rng.choice([1, 2]), rng.choice([2, 2, 3, 7])
        high = low if rng.random() < 0.3 else None
        part = Part(low, high, epsilon, power=power, steps=rng.choice([1, 3]), cut=rng.choice([None, 1]))
        length = rng.choice(asked.family.lengths)
        found = inequalities(asked.family, heads_of(asked.family, asked.coefficients(part.fixed()), length), part)
        for _ in range(4):
            n = part.low if part.single else part.low + rng.choice([0, 1, 9, 1000])
            eps = part.epsilon or Fraction(rng.randint(1, 99), 100)
            with mpmath.workdps(40):
                roots = {
                    "N": mpmath.mpf(n) ** (mpmath.mpf(1) / power),
                    "y": 1 / mpf(eps) ** (mpmath.mpf(1) / power) - 1,
                }
                own = [[by_hand(text, {"n": mpmath.mpf(n), "eps": mpf(eps)}) for text in head] for head in texts]
                true, _ = room(asked.family, own, mpmath.mpf(n), mpf(eps), mpf(length))
                for function, exact in zip(found, true, strict=True):
                    bound = by_hand(str(function), {name: roots[name] for name in function.names})
                    assert bound <= exact + mpmath.mpf(10) ** -30
                    compared += 1


def test_families_that_differ_are_described_apart():
    plain = QueryFamily(("a", "b"), heads=2)
    others = [
        replace(plain, different=True),
        replace(plain, lengths=(Fraction(1, 2), Fraction(3, 2))),
        replace(plain, vanishing=True),
        replace(plain, each=True),
        replace(plain, heads=1),
        replace(plain, heads=1, limit=Fraction(4)),
        QueryFamily(("a",), each=True),
        QueryFamily(("a",), each=True, leaning=Fraction(1, 2)),
        QueryFamily(("a",), each=True, leaning=Fraction(1, 4)),
    ]
    said = [family.claimed(family.keys()) for family in (plain, *others)]
    assert len(set(said)) == len(said)
