"""Answers as students write them: each spelling of the table is read as its canonical form, and judged as that form is."""

import ast
import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from headwright.problems import CATALOGUE, AnswerError, check
from headwright.reading.formulas import FormulaError, readings
from headwright.theories.formulas.forms.trees import (
    CONSTANTS,
    Call,
    Constant,
    Name,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Transposed,
)

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


def canonical(text):
    """The tree of a canonical text, by Python's own grammar: it shares nothing with the reader that is tested here."""
    return same_for_all(_tree(ast.parse(text.replace("^", "**").replace("'", ".T"), mode="eval").body))


def _tree(node):
    match node:
        case ast.Constant(value):
            return Number(Fraction(str(value)))
        case ast.Name(name):
            return (Constant if name in CONSTANTS else Name)(name)
        case ast.UnaryOp(ast.USub(), of):
            return Sum(((-1, _tree(of)),))
        case ast.BinOp(left, ast.Add() | ast.Sub() as sign, right):
            return Sum(((1, _tree(left)), (1 if isinstance(sign, ast.Add) else -1, _tree(right))))
        case ast.BinOp(left, ast.Mult() | ast.Div() as way, right):
            return Product(((1, _tree(left)), (1 if isinstance(way, ast.Mult) else -1, _tree(right))))
        case ast.BinOp(base, ast.Pow(), exponent):
            return Power(_tree(base), _tree(exponent))
        case ast.Attribute(of, "T"):
            return Transposed(_tree(of))
        case ast.Call(ast.Name(function), arguments):
            return Call(function, tuple(map(_tree, arguments)))
    raise ValueError(f"not canonical: {ast.unparse(node)}")


def same_for_all(node: Node) -> Node:
    """The tree without what makes no difference to its meaning, so that equal formulas have equal trees.

    - Brackets around a product within a product, or a sum within a sum: (2*n)*k_1 is 2*n*k_1. A divisor is a number, so
      a/(b*c) is a/b/c whatever stands around it.
    - A fraction of two numbers is a number: T*1/2 is T*0.5.
    - A minus sign before a factor stands before the whole product: (-2)*n is -(2*n).
    - The inverse is the power -1, exp(x) is e^x, and the inner product of u and v is u'*v.

    The order of factors and terms stays, and so does what stands below a fraction.
    """
    match node:
        case Sum(pairs):
            terms = []
            for sign, part in pairs:
                inner = same_for_all(part)
                terms += [(sign * s, x) for s, x in inner.terms] if isinstance(inner, Sum) else [(sign, inner)]
            return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else Sum(tuple(terms))
        case Product(pairs):
            return _product([(way, same_for_all(part)) for way, part in pairs])
        case Power(base, exponent):
            return Power(same_for_all(base), same_for_all(exponent))
        case Transposed(of):
            return Transposed(same_for_all(of))
        case Call("inv", (matrix,)):
            return Power(same_for_all(matrix), Sum(((-1, Number(Fraction(1))),)))
        case Call("exp", (exponent,)):
            return Power(Constant("e"), same_for_all(exponent))
        case Call("dot", (u, v)):
            return same_for_all(Product(((1, Transposed(u)), (1, v))))
        case Call(function, arguments):
            return Call(function, tuple(map(same_for_all, arguments)))
        case Number(value) if value < 0:
            return Sum(((-1, Number(-value)),))
    return node


def _product(pairs):
    """A flat product of parts that are in order themselves."""
    factors, sign = [], 1
    for way, part in pairs:
        if isinstance(part, Sum) and len(part.terms) == 1:
            sign, part = -sign, part.terms[0][1]
        for w, factor in part.factors if isinstance(part, Product) else [(1, part)]:
            before = factors[-1] if factors else (0, None)
            if isinstance(factor, Number) and isinstance(before[1], Number) and before[0] == 1 and factor.value:
                factors[-1] = (1, Number(before[1].value * factor.value ** (way * w)))
            else:
                factors.append((way * w, factor))
    whole = factors[0][1] if len(factors) == 1 and factors[0][0] == 1 else Product(tuple(factors))
    return whole if sign == 1 else Sum(((-1, whole),))


@pytest.mark.parametrize("line", lines(lambda line: "error" not in line))
def test_a_spelling_is_read_as_its_canonical_form(line):
    problem = CATALOGUE[line["question"]]
    for name, text in line["typed"].items():
        wanted = {meaning[name] for meaning in meanings(line)}
        if wanted == {NO_QUERY}:
            said = check(problem.id, line["typed"])
            assert said.claim == check(problem.id, {name: NO_QUERY}).claim
            continue
        read = [same_for_all(reading.root) for reading in readings(text, problem.symbols.with_answer(name))]
        assert Counter(read) == Counter(map(canonical, wanted))


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
    ("one", "other"),
    [
        ("log(n/2*eps)*k_1", "log(n/(2*eps))*k_1"),
        ("log(n)^2*k_1", "log(n^2)*k_1"),
        ("e^2*t*k_a", "e^(2*t)*k_a"),
        ("n^T*k_a", "n'*k_a"),
        ("t*(k_a-k_b)", "t*(k_a+k_b)"),
        ("-t*k_a", "t*k_a"),
        ("2/3*k_a", "3/2*k_a"),
        ("A*A'", "A'*A"),
        ("inv(A'*A)", "pinv(A'*A)"),
        ("t*k_a", "T*k_a"),
    ],
)
def test_the_comparison_of_trees_tells_formulas_apart(one, other):
    assert canonical(one) != canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2*(n*k_1)", "2*n*k_1"),
        ("T*(1/2)*k_a", "T*0.5*k_a"),
        ("n/(2*eps)", "n/2/eps"),
        ("(-2)*n", "-(2*n)"),
        ("inv(A'*A)", "(A'*A)^(-1)"),
        ("exp(2*t)", "e^(2*t)"),
        ("dot(k_a, k_b)", "k_a'*k_b"),
        ("A*(B - (A + B))", "A*(B - A - B)"),
    ],
)
def test_the_comparison_of_trees_leaves_out_what_makes_no_difference(one, other):
    assert canonical(one) == canonical(other)
