"""The budget of counted work: what is counted, when it ends, and that it is nobody else's."""

import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

from headwright.kernel import budget
from headwright.reading import toml_files


def test_outside_of_a_budget_nothing_is_counted():
    budget.spend(10**30)
    budget.hold(10**30)


def test_what_is_spent_is_counted_and_ends_at_the_amount():
    with budget.within(100) as purse:
        budget.spend(60)
        budget.spend(40)
        assert purse.spent == 100
        with pytest.raises(budget.OverBudget, match="budget"):
            budget.spend(1)


def test_the_error_names_the_budget_and_one_that_allows_more():
    with budget.within(1000), pytest.raises(budget.OverBudget) as over:
        budget.spend(5000)
    assert "1e+03" in str(over.value)
    assert "`budget=5e+04`" in str(over.value)


def test_a_byte_that_is_held_counts_as_ten_units():
    with budget.within(1000) as purse:
        budget.hold(7)
    assert purse.spent == 70


def test_a_budget_ends_with_its_block_and_the_one_before_is_in_force_again():
    with budget.within(100) as outer:
        with pytest.raises(ZeroDivisionError), budget.within(10):
            raise ZeroDivisionError
        budget.spend(50)
    assert outer.spent == 50
    budget.spend(10**30)


def test_a_thread_has_its_own():
    with budget.within(10), ThreadPoolExecutor(1) as pool:
        pool.submit(budget.spend, 1000).result()


@pytest.mark.parametrize("amount", [0, -1, math.nan, "1e10", None, True])
def test_a_budget_is_a_positive_number(amount):
    with pytest.raises((ValueError, TypeError), match="`budget`"), budget.within(amount):
        pass


def test_an_infinite_budget_has_no_end():
    with budget.within(math.inf) as purse:
        budget.spend(10**30)
    assert purse.spent == 10**30


def test_reading_turns_the_end_into_a_value_error_about_the_file():
    with pytest.raises(ValueError, match=r"x\.toml.*budget"), toml_files.reading("`FILE` x.toml", 10):
        budget.spend(11)


def test_sums_and_denominators_are_right_and_cost_more_where_they_grow(rng):
    numbers = [Fraction(int(a), int(b)) for a, b in rng.integers(1, 10**6, (40, 2))]
    with budget.within(math.inf) as short:
        assert budget.summed(numbers) == sum(numbers)
        common = budget.common_denominator(numbers)
        assert common == math.lcm(*(x.denominator for x in numbers))
        assert budget.whole_numbers(numbers) == [int(x * common) for x in numbers]
    long = [x / 3**2000 + Fraction(1, 5**2000 + k) for k, x in enumerate(numbers)]
    for work in (budget.summed, budget.common_denominator, budget.whole_numbers):
        with budget.within(math.inf) as purse:
            work(long)
        assert purse.spent > 10 * short.spent


@pytest.mark.parametrize("price", [budget.ball, budget.function, lambda bits: budget.product(bits, bits)])
def test_longer_numbers_cost_more(price):
    prices = [price(2**k) for k in range(6, 16)]
    assert prices == sorted(prices)
    assert prices[-1] > 100 * prices[0]
