"""What stands beside the counterexample of a refuted answer: for which n it holds after all, checked on both sides by mpmath."""

import mpmath
import pytest

from headwright.problems import CATALOGUE, check
from headwright.problems.judges.queries import family_of
from headwright.problems.judges.query_words import why_not_for_all
from headwright.reading.formulas import parse
from headwright.theories.formulas.families.family import Queries
from tests.members_by_hand import large_symbols, meets, member_of, rational

TOLERANCES = ("0.99", "0.9", "0.5", "1e-3", "1e-9")
CASES = [
    ("B.3b", "20*(k_a+k_b)", "n <= 9801319"),
    ("D.b-ii", "(k_a+k_b)/2", "n = 2"),
    ("B.3b", "log((n-2)/eps)*(k_a+k_b)", "n >= 3"),
    ("D.d-i", ("log(n/eps)*mu_a", "log(n/eps)*mu_b"), "n <= 4"),
    ("B.3b", "t*(n-9)*(k_a+k_b)", "n = 2 or n >= 10"),
    ("B.3b", "-t*(k_a+k_b)", "n = 2"),
    ("B.3b", "t*(n-200)*(k_a+k_b)", "at least for n = 2"),
    ("A.1b", "log((n-2)/eps)*(k_1+k_2)", "n >= 3"),
    ("E.1e", "(n-1)*(mu_i+mu_j)", "n = 2 or n >= 7"),
    ("B.3b", "n*(k_a+k_b)", "n = 2 or n >= 6"),
    ("B.3b", "2*log(n)*(k_a+k_b)", "n = 2 or n >= 48"),
    ("B.3b", "sqrt(n)*(k_a+k_b)", "n = 2 or n >= 65"),
    ("C.1.2a", "sqrt(n-1)*(k_a+k_b)", "n = 2 or n >= 66"),
    ("D.b-ii", "(n-1)*(k_a+k_b)", "n = 2 or n >= 7"),
    ("B.3b", "n/1000*(k_a+k_b)", "n = 2 or n >= 13406"),
    ("B.3b", "3*log(n-2)*(k_a+k_b)", "n >= 10"),
    ("B.3b", "(12-n)*(k_a+k_b)", "n <= 6"),
    ("D.d-i", ("n*mu_a", "n*mu_b"), "n = 2 or n >= 6"),
    ("B.3b", "log(n)^2*(k_a+k_b)", "at least for n = 2"),
    ("B.3b", "(n-1)*(21-n)/12*(k_a+k_b)", "at least for n = 2"),  # and for some n in the middle
    ("B.3b", "40*(k_a+k_b)", "at least for n <= 10^15"),
    ("B.3b", "50*(k_a+k_b)", "at least for n <= 10^20"),
    ("B.3b", "100*(k_a+k_b)", "at least for n <= 10^41"),
    ("A.1d", ("100*u", "100*k_2"), "at least for n <= 10^20"),
    ("E.1e", "log(10^30)*(mu_i+mu_j)", "at least for n <= 10^28"),
    ("C.2.1a", "1000*(mu_a+mu_b)", "at least for n <= 10^432"),
    ("C.2.2a", ("60*(mu_a+mu_b)", "61*(mu_a+mu_b)"), "at least for n <= 10^24"),
    ("B.3b", "1000000*(k_a+k_b)", "at least for n <= 10^434292"),
    ("B.3b", "(100+log(1/eps))*(k_a+k_b)", "at least for n <= 8"),
]


def answer(texts):
    return {"q": texts} if isinstance(texts, str) else {"q1": texts[0], "q2": texts[1]}


def ends(part):
    """(the members at the ends of a part of a condition, those just outside)."""
    sign, number = part.split()[1:]
    bound = int(rational(number))
    return {
        "<=": ((2, bound), (bound + 1 if bound < 10**15 else 10 * bound,)),
        ">=": ((bound, bound + 1, 3 * bound, 10**9), (bound - 1,)),
        "=": ((bound,), (bound + 1,)),
    }[sign]


@pytest.mark.parametrize(("problem_id", "texts", "condition"), CASES)
def test_the_condition_is_true_and_does_not_leave_out_its_neighbours(problem_id, texts, condition):
    verdict = check(problem_id, answer(texts))
    assert (verdict.status, verdict.holds_when) == ("refuted", condition)
    texts = [texts] if isinstance(texts, str) else list(texts)
    large = {name: mpmath.mpf(10) ** 90 for name in large_symbols(texts)}
    tolerances = [rational(eps) for eps in (TOLERANCES if "eps" in "".join(texts) else ("2/99",))]

    def served(n):
        """Whether every tolerance is met; a formula without a value serves nobody."""
        return all(meets(problem_id, texts, n=n, eps=eps, large=large) for eps in tolerances)

    with mpmath.workdps(50):
        for part in condition.removeprefix("at least for ").split(" or "):
            inside, outside = ends(part)
            assert all(served(n) for n in inside)
            if not condition.startswith("at least for"):
                assert not any(served(n) for n in outside if n > 1)
        assert not meets(problem_id, texts, **member_of(problem_id, texts, verdict.counterexample))


def test_at_least_is_said_where_more_is_true():
    with mpmath.workdps(50):
        for text in ("log(n)^2*(k_a+k_b)", "(n-1)*(21-n)/12*(k_a+k_b)", "t*(n-200)*(k_a+k_b)"):
            large = {name: mpmath.mpf(10) ** 90 for name in large_symbols([text])}
            assert any(meets("B.3b", [text], n=n, eps=rational("2/99"), large=large) for n in (10, 12, 400)), text


@pytest.mark.parametrize(
    ("problem_id", "texts", "shown"),
    [
        ("B.3b", "(k_a+k_b)/2", True),
        ("B.3b", "100*(k_a+k_b)", True),
        ("D.d-i", ("3*mu_a", "3*mu_b"), True),
        ("B.3b", "-2*(k_a+k_b)", False),  # its growth would not help
        ("B.3b", "k_a - k_b", False),
        ("B.3b", "0*k_a", False),
        ("B.3b", "log(n)*(k_a+k_b)", False),
        ("B.3b", "log(1/eps)*(k_a+k_b)", False),
        ("B.3b", "t*k_a", False),
    ],
)
def test_a_factor_that_does_not_grow_is_named_as_the_cause(problem_id, texts, shown):
    verdict = check(problem_id, answer(texts))
    assert verdict.status == "refuted"
    assert bool(hint(problem_id, answer(texts), verdict)) is shown
    assert verdict.reason.endswith(hint(problem_id, answer(texts), verdict))


def hint(problem_id, given, verdict):
    """The sentence on a factor that does not grow, "" where there is none."""
    trees = tuple(parse(text, names=CATALOGUE[problem_id].names).root for text in given.values())
    return why_not_for_all(Queries(family_of(CATALOGUE[problem_id]), trees), verdict.holds_when)


def test_at_one_n_a_constant_factor_is_no_fault_by_itself():
    given = {"q": "(k_a+k_b)/2"}
    said = hint("B.3b", given, check("B.3b", given))
    assert said
    assert said not in check("B.3b", given, n=10).reason
