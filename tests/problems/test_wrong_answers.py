"""Wrong answers seen in the wild, each rejected with a reason; answers that are none; published answers as data."""

import numpy as np
import pytest

from headwright.problems import CATALOGUE, check, published
from headwright.reading.formulas import FormulaError

BASIS = np.eye(10)


@pytest.mark.parametrize("problem_id", ["B.3b", "C.1.2a", "D.b-ii"])
@pytest.mark.parametrize(
    "query", ["(k_a+k_b)/2", "1/2*k_a + 0.5*k_b", (BASIS[0] + BASIS[1]) / 2], ids=["sum", "apart", "numbers"]
)
def test_the_mean_of_the_keys_is_too_short(problem_id, query):
    verdict = check(problem_id, {"q": query})
    assert verdict.status == "refuted"
    assert "0.146" in verdict.reason  # e^(1/2)/(2 e^(1/2) + 8)
    assert np.exp(0.5) / (2 * np.exp(0.5) + 8) == pytest.approx(0.1459, abs=5e-5)


@pytest.mark.parametrize("problem_id", ["C.2.2a", "D.d-i"])
def test_two_means_without_a_factor_are_too_short(problem_id):
    for given in ({"q1": "mu_a", "q2": "mu_b"}, {"q1": BASIS[0], "q2": BASIS[1]}):
        verdict = check(problem_id, given)
        assert verdict.status == "refuted"
        assert "0.159" in verdict.reason  # (e + 1)/(2(e + 9))
    assert (np.e + 1) / (2 * (np.e + 9)) == pytest.approx(0.1587, abs=5e-5)


def test_the_transpose_gives_coordinates():
    for matrix in ("A'", "A.T", np.eye(10)[:3]):
        verdict = check("D.b-i", {"M": matrix})
        assert verdict.status == "refuted"
        assert "3×10" in verdict.reason
        assert verdict.reason


def test_a_query_orthogonal_to_every_key_copies_nothing():
    keys = CATALOGUE["A.1a"].setting().keys
    assert not (keys @ np.zeros(10)).any()
    for query in ("0*k_1", np.zeros(10)):
        verdict = check("A.1a", {"q": query})
        assert verdict.status == "refuted"
        assert "k_1 a weight of 0.1" in verdict.reason  # the same weight for all ten


FORMULAS = {
    p.id: p.published_answer for p in CATALOGUE.values() if p.published_answer and "statement" not in p.published_answer
}


@pytest.mark.parametrize(("problem_id", "given"), FORMULAS.items())
def test_published_answers_as_data(problem_id, given):
    """C.2.1a: the published text has a false step besides its query, which is right: the formula alone is accepted."""
    found = check(problem_id, given).status
    if problem_id == "C.2.1a":
        assert (found, published(problem_id).status) == ("proved", "refuted")
    else:
        assert found == published(problem_id).status


@pytest.mark.parametrize(
    ("given", "error", "why"),
    [
        ({}, ValueError, r"B\.3b"),
        ({"q": "k_a", "r": "k_b"}, ValueError, "q"),
        ({"Q": "k_a"}, ValueError, "q"),
        ({"q": ""}, ValueError, "`q`"),
        ({"q": "t*(k_1+k_2)"}, ValueError, "k_1"),
        ({"q": "log(n/eps)"}, FormulaError, None),
        ({"q": "k_a'"}, FormulaError, None),
        ({"q": "k_a + 1"}, FormulaError, None),
        ({"q": "k_a +"}, FormulaError, r"\+"),
        ({"q": 5}, ValueError, "`q`"),
        ({"q": np.float64(2)}, ValueError, "`q`"),
        ({"q": True}, TypeError, "`q`.*True"),
        ({"q": None}, TypeError, "`q`.*None"),
        ({"q": {"k_a": 1}}, TypeError, "`q`.*dict"),
        ({"q": b"k_a"}, TypeError, "`q`.*bytes"),
        ({"q": [True] * 10}, TypeError, "`q`"),
        ({"q": np.ones(10, dtype=bool)}, TypeError, "`q`"),
        ({"q": ["k_a"] * 10}, TypeError, "`q`"),
        ({"q": [[1, 2], [3]]}, ValueError, "`q`"),
        ({"q": [np.nan] * 10}, ValueError, "`q`"),
        ({"q": [10**400] * 10}, ValueError, "`q`"),
        ({"q": np.eye(10)}, ValueError, "`q`"),
        ({"q": np.ones(9)}, ValueError, r"`q`.*\(10,\)"),
        ({"q": "[1, 2, 3]"}, ValueError, "`q`"),
        ({"q": np.ones(2 * 10**6)}, ValueError, "`q`"),
        ({1: "k_a"}, TypeError, "`answer`"),
        ("k_a", TypeError, "`answer`"),
    ],
)
def test_answers_that_are_none(given, error, why):
    with pytest.raises(error, match=why):
        check("B.3b", given)


def test_wrong_calls():
    with pytest.raises(ValueError, match="`problem_id`"):
        check("B.3", {"q": "k_a"})
    with pytest.raises(ValueError, match=r"`n`.*1"):
        check("B.3b", {"q": "k_a"}, n=1)
    with pytest.raises(ValueError, match=r"`n`.*2"):
        check("B.3b", {"q": "k_a"}, n=10**13)
    with pytest.raises(TypeError, match="`n`"):
        check("B.3b", {"q": "k_a"}, n=2.0)
    with pytest.raises(ValueError, match="`error`"):
        check("B.3b", {"q": "k_a"}, error=0)
    with pytest.raises(TypeError, match="`error`"):
        check("B.3b", {"q": "k_a"}, error=True)
    with pytest.raises(ValueError, match="`q1`"):
        check("A.1d", {"q1": "t*u", "q2": BASIS[1]})
    assert check(CATALOGUE["A.1a"], {"q": "2*log(n/eps)*k_1"}).status == "proved"


def test_extreme_numbers_are_judged():
    assert check("B.3b", {"q": 1e308 * (BASIS[0] + BASIS[1])}).status == "proved"
    assert check("B.3b", {"q": 1e308 * (BASIS[0] - BASIS[1])}).status == "refuted"
    assert check("A.1a", {"q": 1e308 * BASIS[0]}).status == "refuted"
    assert check("B.3b", {"q": np.full(10, 5e-324)}).status == "refuted"
    assert check("B.3b", {"q": BASIS[0]}, error="0.999999999999999").status == "proved"


def test_no_message_tells_the_answer():
    """What is said of a wrong answer names no factor that would be right; the claim alone repeats the question."""
    for problem_id, wrong in (("A.1a", "k_1"), ("B.3b", "(k_a+k_b)/2"), ("A.1b", "k_1+k_2")):
        verdict = check(problem_id, {"q": wrong})
        said = str(verdict).removeprefix(f"Refuted: {verdict.claim}")
        assert len(said) < len(str(verdict))
        assert not any(part in said for part in ("ln(n", "log(n", "T ≫", "large factor"))
