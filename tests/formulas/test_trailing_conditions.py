"""Conditions behind a formula: read as what they say on a large symbol, said to narrow the claim elsewhere, else an error."""

import pytest

from headwright.reading.formulas import FormulaError, Symbols, readings

SYMBOLS = Symbols(
    {**dict.fromkeys(["n", "eps", "t", "T", "s", "beta"], "number"), "k_a": "column", "k_b": "column"},
    large=("t", "T", "s", "beta"),
    answer="q",
    kind="column",
)


def read(text):
    (formula,) = readings(text, SYMBOLS)
    return formula


LARGE = [
    *(", t ≫ 0", " with t → ∞", " for t large", " (t large)", " where t >> n", ", t -> infinity", " as t → ∞"),
    *(
        " for sufficiently large t",
        r" \; t \gg 0",
        " for all large t",
        ", t≫1",
        "; t >> 1",
        " (for large t)",
        ", large t",
    ),
    *(" t ≫ n", " in the limit t → ∞", " with t large enough", " as t goes to infinity", ", t → +∞", " as t grows"),
    *(r" \text{ as } t \to \infty", r" \quad (t\to\infty)", " where t is a sufficiently large constant", ", n ≪ t"),
    *(" with t much larger than n", ", t ≫ ln(n)/eps", " for t positive and large", ", where t is huge"),
    *(" [t large]", ", t ≫ max(n, 1/ε)"),
    *(" with t large compared to n", " where t≫1 is a large constant", ", t arbitrary large"),
]


@pytest.mark.parametrize("behind", LARGE)
def test_a_condition_on_a_large_symbol_says_what_the_claim_means(behind):
    formula = read(f"t(k_a + k_b){behind}")
    assert formula.root == read("t*(k_a + k_b)").root
    assert [condition.names for condition in formula.conditions] == [("t",)] * len(formula.conditions)
    assert formula.conditions
    assert not any(condition.narrows or condition.loose for condition in formula.conditions)


@pytest.mark.parametrize(
    "behind",
    [
        *(" for any t", ", t fixed", " for all t > 0", " for every t greater than 1", " for t > n constant", ", t ∈ ℝ"),
        *(" with t as large as n", " for all n and t", " for some t ≥ 1", " given t", ", T ≫ n, t arbitrary"),
    ],
)
def test_a_condition_that_may_take_back_that_a_symbol_is_large_is_loose(behind):
    assert any(condition.loose for condition in read(f"t(k_a + k_b){behind}").conditions)
    assert not any(condition.loose for condition in read("t(k_a + k_b), t > n, n ≥ 3, t larger than n").conditions)


@pytest.mark.parametrize(
    "behind", [" with t > 0", ", t ∈ ℝ", " for all t", ", t > 5", ", t ∈ ℝ, t ≫ 0", ", t > 0 and large"]
)
def test_a_weaker_condition_is_read_as_large_and_says_so(behind):
    formula = read(f"t(k_a + k_b){behind}")
    assert formula.root == read("t*(k_a + k_b)").root
    assert any(condition.note for condition in formula.conditions)


@pytest.mark.parametrize(
    "behind", [", s, T ≫ n", ", s and T ≫ n", " where s, T are large", " for large s and T", r",\quad s,T\gg n"]
)
def test_a_condition_on_two_symbols(behind):
    (condition,) = read(f"s*k_a + T*k_b{behind}").conditions
    assert condition.names == ("s", "T")
    assert not condition.narrows


@pytest.mark.parametrize(
    "behind", [" for n ≥ 3", ", n > 10", ", ε → 0", " where n is large", " for eps < 1/2", ", n → ∞", " for small ε"]
)
def test_a_condition_on_n_or_eps_narrows_the_claim(behind):
    formula = read(f"t*k_a{behind}")
    assert formula.root == read("t*k_a").root
    (condition,) = formula.conditions
    assert condition.narrows
    assert condition.text.strip() in condition.note


@pytest.mark.parametrize(
    "behind",
    [
        " for all n",
        ", n ≥ 2",
        " for every n ≥ 2 and ε ∈ (0,1)",
        ", 0 < ε < 1",
        " for all n, ε",
        ", ε > 0",
        " for fixed n",
    ],
)
def test_a_condition_that_holds_for_the_whole_family_narrows_nothing(behind):
    formula = read(f"t*k_a{behind}")
    assert formula.conditions
    assert not any(condition.narrows for condition in formula.conditions)


def test_a_bound_on_a_large_symbol_is_not_judged_and_that_is_said():
    (condition,) = read("t*k_a for any t ≥ 2ln(n/ε)").conditions
    assert condition.names == ("t",)
    assert condition.note


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("t*k_a, banana", 7),
        ("t*k_a, t small", 7),
        ("t*k_a, t → 0", 7),
        ("t*k_a, t not large", 9),
        ("t*k_a, ()", 7),
        ("t*k_a, t > 0 and small", 7),
        ("t*k_a, tiny t ≥ 1", 7),
        ("t*k_a without growing t", 6),
        ("t*k_a, t → ∞ without large t", 13),
        ("t*k_a, k_a large", 7),
        ("t*k_a with t = ln n", 13),
        ("t*k_a, t = 5", 9),
        ("t*k_a s, T ≫ n", 6),
        ("k_a t ≫ 0", 4),
        ("(k_a + k_b) t large", 12),
        ("t*k_a, t ≫ k_9", 11),
        ("t*k_a, t < 5", 7),
        ("t*k_a, c ≫ 0", 7),
        ("t*k_a, s", 7),
        ("t*k_a because it is right", 6),
        ("t*k_a, t ≫ 0 banana", 13),
    ],
)
def test_any_other_text_behind_a_formula_is_an_error_that_shows_the_place(text, place):
    with pytest.raises(FormulaError) as caught:
        readings(text, SYMBOLS)
    assert caught.value.position == place


def test_a_condition_alone_is_no_formula():
    for text in ("t ≫ 0", "for large t", "large t", "(t large)", ", t ≫ 0"):
        with pytest.raises(FormulaError):
            readings(text, SYMBOLS)
