"""A seeded subset of the random formulas that `make evidence` judges, and proof that its alarms ring."""

from fractions import Fraction

import pytest

from evidence import formulas
from headwright import problems
from headwright.reading.formulas import parse
from headwright.theories.formulas.forms import to_lists
from tests.second_opinion_trees import Undefined, Unsure, steady


def test_random_formulas_are_judged_as_an_exact_evaluator_does(tmp_path):
    found = formulas.run(tmp_path, limit=40)
    assert found["holds"], found
    assert found["formulas"] == sum(found["statuses"].values()) == 40
    assert found["confirmed"] >= 15
    looked = ("confirmed", "not_contradicted_at_many_members", "not_decided_by_the_evaluator")
    assert sum(map(found.get, looked)) == sum(found["kinds"].values())
    assert formulas.run(tmp_path, limit=40) == found  # from the store


def test_what_is_spelled_is_read_as_it_was_made():
    """Text and tree agree in value where both have one: what is read may be grouped otherwise."""
    point = {
        "n": Fraction(7),
        "eps": Fraction(1, 3),
        "t": Fraction(11),
        "s": Fraction(5),
        "T": Fraction(9),
        "beta": Fraction(4),
    }
    compared = 0
    for number in range(0, 200, 10):
        question, trees = formulas.case(number)
        names = {
            **point,
            **{v: ((Fraction(j),), (Fraction(1),)) for j, v in enumerate(("k_1", "k_2", "u", "k_a", "k_b"))},
        }
        names |= {
            v: ((Fraction(j),), (Fraction(2),)) for j, v in enumerate(("mu_a", "mu_b", "mu_i", "mu_j", "k_i", "k_j"))
        }
        for tree in trees.values():
            read = to_lists(parse(formulas.spelled(tree), names=(*problems.CATALOGUE[question].names,)).root)
            values = [steady(lambda do, x=x, names=names: value(do, x, names), digits=200) for x in (tree, read)]
            assert values[0] == values[1]
            compared += 1
    assert compared >= 20


def value(do, tree, names):
    try:
        return [[f"{float(x):.12g}" for x in row] for row in do.value(tree, names)]
    except (Undefined, Unsure):
        return "none"


@pytest.mark.parametrize(
    ("question", "text", "instead", "status", "wanted", "contrary"),
    [
        ("A.1a", "2*log(n/eps)*k_1", "2*log(n)*k_1", "proved", "not contradicted", "false"),
        ("D.b-i", "A*A'", "A*B'", "proved", "not contradicted", "false"),
        (
            "D.b-ii",
            "(1e18+14-1e18)*[1,1,0,0,0,0,0,0,0,0]",
            "(1e18+5-1e18)*[1,1,0,0,0,0,0,0,0,0]",
            "proved",
            "true",
            "false",
        ),
        ("A.1a", "3*log(n/eps)*k_1", "2*log(n/eps)*k_1", "refuted", "false", "not contradicted"),
    ],
)
def test_a_wrong_proved_and_a_wrong_refuted_are_noticed(question, text, instead, status, wanted, contrary):
    """The verdict on one formula, as if it had been given on another. A claim about all members is confirmed by no points."""
    names = problems.CATALOGUE[question].names
    verdict = problems.check(question, {problems.CATALOGUE[question].answers[0]: text})
    assert verdict.status == status
    trees = [{"x": to_lists(parse(x, names=names).root)} for x in (text, instead)]
    assert formulas.second(verdict, trees[0]) == wanted
    assert formulas.second(verdict, trees[1]) == contrary


def test_a_value_that_is_denied_is_noticed(monkeypatch):
    def denied(question, answer):
        raise formulas.FormulaError("It has no value.")

    monkeypatch.setattr(formulas.problems, "check", denied)
    tree = formulas.mul(formulas.num(2), formulas.name("k_1"))
    assert formulas.examined("A.1a", {"q": tree})["bad"]
    broken = formulas.mul(formulas.call("log", formulas.num(-1)), formulas.name("k_1"))
    assert not formulas.examined("A.1a", {"q": broken})["bad"]
