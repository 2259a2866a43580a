"""Trees: what a certificate may hold, and everything else refused."""

import random
from fractions import Fraction

import pytest

from headwright.reading.formulas import parse
from headwright.theories.formulas import forms
from headwright.theories.formulas.forms import (
    OutOfClass,
    below,
    from_lists,
    names_in,
    need_degree,
    spelled,
    to_lists,
    with_numbers,
)
from headwright.theories.formulas.forms.trees import MOST_DEPTH, MOST_NODES

NAMES = ("n", "eps", "t", "A", "k_1")
TEXTS = [
    "2*log(n/eps)*k_1",
    "-n + eps - -t",
    "n/eps/t*2",
    "2^-n^2",
    "-2^2",
    "(A'*A)'",
    "max(n, t, 3) - min(1/3, eps)",
    "[1, -2, 3]'*[[1], [2], [3]]",
    "[[1, 2], [3, 4]]*I*pi - e*I",
    "svd_part(A, 2) + inv(A)*pinv(A)*norm(k_1)*dot(k_1, k_1)",
    "1/(n - 3)*(-1)",
    "(n + 1)*(n - 1)",
    "-(n - 1)/2",
    "1/n^2 - (1/n)^2",
    "(2^3)^2 - 2^(3^2)",
]


def read(text):
    return parse(text, names=NAMES, functions=["svd_part"]).root


@pytest.mark.parametrize("text", TEXTS)
def test_a_tree_survives_lists_and_spelling(text):
    root = read(text)
    assert from_lists(to_lists(root)) == root
    values = {"n": Fraction(7), "eps": Fraction(1, 3), "t": Fraction(5, 2)}
    if not names_in(root) - set(values):
        again = read(spelled(root))
        assert str(forms.at_point(again, values)) == str(forms.at_point(root, values))


def test_random_trees_survive_their_spelling():
    rng = random.Random(6)

    def text(depth):
        if depth == 0:
            return rng.choice(["n", "eps", "2", "0.5", "t"])
        kind = rng.choice("+-*/^n")
        left = text(depth - 1)
        if kind == "n":
            return f"(-{left})"
        return f"({left}{kind}{rng.choice(['2', '(-1)', '3'])})" if kind == "^" else f"({left}{kind}{text(depth - 1)})"

    values = {"n": Fraction(7), "eps": Fraction(1, 3), "t": Fraction(5, 2)}
    for _ in range(150):
        root = read(text(rng.randint(1, 4)))
        try:
            exact = forms.at_point(root, values)
        except forms.FormulaError:
            continue
        assert forms.at_point(read(spelled(root)), values) == exact
        assert from_lists(to_lists(root)) == root
        assert forms.at_point(with_numbers(root, values), {}) == exact


@pytest.mark.parametrize(
    "stored",
    [
        None,
        "n",
        [],
        ["number"],
        ["number", 1],
        ["number", 1.5],
        ["number", "1/0"],
        ["number", "nan"],
        ["number", "1", "2"],
        ["name", 3],
        ["name", "~n"],
        ["name", "ln(n)"],
        ["name", "(e)"],
        ["name", ""],
        ["name", "n n"],
        ["name", "small(ln(n))"],
        ["name", "X" * 50],
        ["constant", "c"],
        ["constant", "X"],
        ["array"],
        ["array", []],
        ["array", ["1", "2"], ["3"]],
        ["array", ["1"], "2"],
        ["sum"],
        ["product"],
        ["sum", [2, ["name", "n"]]],
        ["sum", [0, ["name", "n"]]],
        ["sum", [True, ["name", "n"]]],
        ["sum", [1.0, ["name", "n"]]],
        ["sum", ["1", ["name", "n"]]],
        ["sum", [1]],
        ["sum", [1, ["name", "n"], ["name", "n"]]],
        ["product", [-2, ["name", "n"]]],
        ["power", ["name", "n"]],
        ["power", ["name", "n"], ["name", "n"], ["name", "n"]],
        ["transposed"],
        ["transposed", ["name", "n"], ["name", "n"]],
        ["call", "eval", ["name", "n"]],
        ["call", "log"],
        ["call", "log", ["name", "n"], ["name", "n"]],
        ["call", "min", ["name", "n"]],
        ["call", "max", *[["name", "n"]] * 9],
        ["call", "dot", ["name", "n"]],
        ["call", 3, ["name", "n"]],
        ["quotient", ["name", "n"], ["name", "n"]],
    ],
)
def test_malformed_trees_are_refused(stored):
    with pytest.raises((ValueError, TypeError)):
        from_lists(stored)
    with pytest.raises((ValueError, TypeError)):
        from_lists(["sum", [1, ["name", "n"]], [1, stored]])


def test_trees_without_end_are_refused():
    deep = ["name", "n"]
    for _ in range(MOST_DEPTH):
        deep = ["transposed", deep]
    assert len(list(below(from_lists(deep)))) == MOST_DEPTH + 1
    with pytest.raises(ValueError, match="`tree`"):
        from_lists(["transposed", deep])
    wide = ["sum", *[[1, ["name", "n"]]] * (MOST_NODES - 1)]
    assert len(list(below(from_lists(wide)))) == MOST_NODES
    with pytest.raises(ValueError, match="`tree`"):
        from_lists([*wide, [1, ["name", "n"]]])
    with pytest.raises(ValueError, match="`tree`"):
        from_lists(["sum", *[[1, ["array", *[["1"]] * 1500]]] * 3])


def test_names_and_numbers_in_their_place():
    root = read("n*log(eps) + A'*k_1^t - max(n, 2)")
    assert names_in(root) == {"n", "eps", "A", "k_1", "t"}
    half = with_numbers(read("n^(1/eps)/(n - t)*max(n, eps)"), {"n": Fraction(4), "eps": Fraction(1, 2)})
    assert names_in(half) == {"t"}
    assert forms.at_point(half, {"t": Fraction(3)}) == 64


@pytest.mark.parametrize(
    ("text", "most", "fits"),
    [
        ("n^5", 5, True),
        ("n^100", 30, True),  # one term
        ("(n+1)^31", 30, False),
        ("(n+1)^30", 30, True),
        ("(n+1)^15*(t+1)^15", 30, True),
        ("(n+1)^16*(t+1)^15", 30, False),
        ("log((n+1)^31)", 30, False),
        ("((n+1)^6)^6", 30, False),
        ("max(n, (n+1)^31)", 30, False),
        ("n + (n*t+1)^16", 30, False),
    ],
)
def test_degrees_are_bounded(text, most, fits):
    if fits:
        assert need_degree(read(text), most) <= max(most, 100)
    else:
        with pytest.raises(OutOfClass):
            need_degree(read(text), most)
