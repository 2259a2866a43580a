"""Answers as students write them: each spelling of the table is read as its canonical form, and judged as that form is."""

import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from headwright.forms.trees import Call, Node, Number, Power, Product, Sum, Transposed
from headwright.formulas import FormulaError, parse, readings
from headwright.problems import CATALOGUE, AnswerError, check

SPELLINGS = tomllib.loads(Path(__file__).with_name("spellings.toml").read_text(encoding="utf-8"))["spelling"]
FORMULA_QUESTIONS = {
    *("A.1a", "A.1b", "A.1d", "A.3c", "B.3b", "B.3c-i", "B.3d-i", "B.3e-ii", "C.1.2a", "C.2.1a", "C.2.2a"),
    *("D.b-i", "D.b-ii", "D.c-i", "D.d-i", "E.1c", "E.1d", "E.1e"),
}
NO_QUERY = "none"  # E.1c: the one canonical answer that is a word and no formula


def lines(kept):
    return [
        pytest.param(line, id=f"{line['question']}: {' ;; '.join(line['typed'].values())}")
        for line in SPELLINGS
        if kept(line)
    ]


def meanings(line):
    """The canonical answers that a line allows: one, or the two that the rules leave."""
    return line.get("readings") or [line["means"]]


def canonical(question, text):
    return same_for_all(parse(text, names=CATALOGUE[question].names, functions=["svd_part"]).root)


def same_for_all(node: Node) -> Node:
    """The tree without what makes no difference to its meaning, so that equal trees are equal formulas.

    - Brackets around a product within a product, or a sum within a sum: (2*n)*k_1 is 2*n*k_1. A divisor is a number, so
      that a/(b*c) is a/b/c whatever stands around it.
    - A minus sign in front of a number: n^-1 has the number -1 above it.
    - The inverse is the power -1, and the inner product of u and v is u'*v.

    The order of factors and terms stays, and so does what stands below a fraction.
    """
    match node:
        case Sum(pairs):
            terms = []
            for sign, part in pairs:
                inner = same_for_all(part)
                terms += [(sign * s, x) for s, x in inner.terms] if isinstance(inner, Sum) else [(sign, inner)]
            if len(terms) > 1:
                return Sum(tuple(terms))
            [(sign, only)] = terms
            if isinstance(only, Number):
                return Number(sign * only.value)
            return only if sign == 1 else Sum(((-1, only),))
        case Product(pairs):
            factors = []
            for way, part in pairs:
                inner = same_for_all(part)
                factors += [(way * w, x) for w, x in inner.factors] if isinstance(inner, Product) else [(way, inner)]
            return factors[0][1] if factors[0][0] == 1 and len(factors) == 1 else Product(tuple(factors))
        case Power(base, exponent):
            return Power(same_for_all(base), same_for_all(exponent))
        case Transposed(of):
            return Transposed(same_for_all(of))
        case Call("inv", (matrix,)):
            return Power(same_for_all(matrix), Number(Fraction(-1)))
        case Call("dot", (u, v)):
            return same_for_all(Product(((1, Transposed(u)), (1, v))))
        case Call(function, arguments):
            return Call(function, tuple(map(same_for_all, arguments)))
    return node


@pytest.mark.parametrize("line", lines(lambda line: "error" not in line))
def test_a_spelling_is_read_as_its_canonical_form(line):
    problem = CATALOGUE[line["question"]]
    for name, text in line["typed"].items():
        wanted = {meaning[name] for meaning in meanings(line)}
        if wanted == {NO_QUERY}:
            said = check(problem.id, line["typed"])
            assert said.claim == check(problem.id, {name: NO_QUERY}).claim
            continue
        read = [same_for_all(reading.root) for reading in readings(text, problem.symbols)]
        assert Counter(read) == Counter(canonical(problem.id, text) for text in wanted)


@pytest.mark.parametrize("line", lines(lambda line: "error" not in line))
def test_a_spelling_is_judged_as_its_canonical_form(line):
    assert check(line["question"], line["typed"]).status == line["status"]


@pytest.mark.parametrize("line", lines(lambda line: "error" in line))
def test_what_the_rules_refuse_is_an_error_and_gets_no_verdict(line):
    with pytest.raises((FormulaError, AnswerError)):
        check(line["question"], line["typed"])


@pytest.mark.parametrize("line", lines(lambda line: "readings" in line))
def test_two_readings_have_a_verdict_only_where_they_agree(line):
    """This is about the table itself: its verdict on two readings follows from those on the canonical texts."""
    found = {check(line["question"], meaning).status for meaning in meanings(line)}
    assert line["status"] == (found.pop() if len(found) == 1 else "undecided")


def test_the_table_covers_every_formula_question_with_right_and_wrong_answers():
    assert {p.id for p in CATALOGUE.values() if p.kind != "statement"} == FORMULA_QUESTIONS
    assert len(SPELLINGS) >= 300
    for question in FORMULA_QUESTIONS:
        statuses = [line.get("status") for line in SPELLINGS if line["question"] == question]
        assert statuses.count("proved") >= 3
        assert statuses.count("refuted") >= 2


def test_no_spelling_stands_in_the_table_twice():
    counts = Counter((line["question"], *line["typed"].values()) for line in SPELLINGS)
    assert not [spelling for spelling, count in counts.items() if count > 1]
    for line in SPELLINGS:  # a line says one thing: what is meant, the two readings, or that it is an error
        assert sum(key in line for key in ("means", "readings", "error")) == 1
        assert set(line["typed"]) == set(CATALOGUE[line["question"]].answers)


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("A.1a", "log(n/2*eps)*k_1", "log(n/(2*eps))*k_1"),
        ("A.1a", "log(n)^2*k_1", "log(n^2)*k_1"),
        ("B.3b", "e^2*t*k_a", "e^(2*t)*k_a"),
        ("B.3b", "n^T*k_a", "n'*k_a"),
        ("B.3b", "t*(k_a-k_b)", "t*(k_a+k_b)"),
        ("D.b-i", "A*A'", "A'*A"),
        ("D.b-i", "inv(A'*A)", "pinv(A'*A)"),
        ("D.b-ii", "t*k_a", "T*k_a"),
    ],
)
def test_the_comparison_of_trees_tells_formulas_apart(question, one, other):
    assert canonical(question, one) != canonical(question, other)
