"""False models that a careless walk would accept, and true ones whose seen error must stay below the proved one."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from headwright.search.compile.compile import compile
from headwright.theories.programs.runs_program import RunsProgram
from headwright.theories.programs.steps import Atom, Step, Sum, WrittenProgram
from headwright.theories.programs.walk import Place, Unproved
from headwright.words.program import Program
from tests.program_machine import EXACT, WORST, every_word, seen_error

KINDS = {"real": EXACT, "float64": np.float64, "float32": np.float32}


def programs():
    def made(name, program, output, error="0.25"):
        return pytest.param(program, output, error, id=name)

    p = Program("ab", length=4)
    yield made("histogram", p, p.count(p.tokens.matches(p.tokens)))
    p = Program("ab", length=4)
    yield made("below", p, p.count(p.tokens.below("b")))
    p = Program("abc", length=3)
    yield made("pick at", p, p.pick(p.at(p.indices - 1), p.tokens, default="?"), "0.01")
    p = Program("ab", length=4)
    yield made("reverse", p, p.pick(p.at(p.length() - 1 - p.indices), p.tokens), "0.01")
    p = Program("ab", length=4, causal=True)
    x = p.map({"a": 1, "b": -1}, p.tokens)
    yield made("mean", p, p.mean(p.before(), x), "0.01")
    p = Program("ab", length=4, causal=True)
    x = p.map({"a": 1, "b": -1}, p.tokens)
    yield made("sign of a mean", p, p.sign(p.mean(p.before(), x)))
    p = Program("ab", length=4)
    x = p.map({"a": 1, "b": 0}, p.tokens)
    yield made("full mean", p, p.mean(p.before(), x), "0.01")
    p = Program("ab", length=4, causal=True)
    yield made("last", p, p.last(p.tokens.among("a"), p.indices, default=-1))
    p = Program("ab", length=3)
    yield made("one key and more", p, p.pick(p.at(p.indices) & p.tokens.matches(p.tokens), p.tokens))
    p = Program("ab", length=3)
    c = p.count(p.tokens.matches(p.tokens))
    yield made("compare", p, p.map(lambda a, b: a * 2 + b, c >= 2, p.map({"a": 0, "b": 1}, p.tokens)))
    p = Program("a", length=1)
    yield made("one word", p, p.count())


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize(("program", "output", "error"), [*programs()])
def test_no_word_errs_more_than_is_proved(program, output, error, dtype, rng):
    claim = compile(program, output, error=error, dtype=None if dtype == "real" else dtype).claim
    bound = float(claim.proved_error())
    words = [*every_word(claim.program)]
    machines = {"real": [EXACT], "float64": 2 * [np.float64], "float32": [np.float32, *4 * [WORST]]}
    for machine in machines[dtype]:
        assert seen_error(claim, words, machine, rng) <= bound


def test_no_changed_number_is_accepted_beyond_its_bound(rng):
    p = Program("ab", length=3)
    reverse = p.pick(p.at(p.length() - 1 - p.indices), p.tokens)
    claim = compile(p, reverse, error="0.01").claim
    words, accepted = [*every_word(claim.program)], 0
    names = sorted(claim.weights)
    for _ in range(90):
        weights = {name: array.copy() for name, array in claim.weights.items()}
        name = names[rng.integers(len(names))]
        at = tuple(rng.integers(size) for size in weights[name].shape)
        weights[name][at] += rng.choice([1e-6, 1e-3, 0.25, 1.0, -1.0, -weights[name][at]])
        changed = replace(claim, weights=weights, error=Fraction(1, 4))
        try:
            bound = float(changed.proved_error())
        except Unproved:
            continue
        accepted += 1
        assert seen_error(changed, words, np.float64, rng) <= bound
    assert accepted > 10


def claim_of(program, output, layout, dtype="float64", error="0.25", **weights):
    arrays = {name.replace("block", "").replace("__", "."): np.array(own, dtype=float) for name, own in weights.items()}
    return RunsProgram(program, output, dtype, Fraction(error), tuple(layout), arrays)


def idle(heads=1, width=2):
    shapes = {
        "query": (heads, 1, width),
        "key": (heads, 1, width),
        "value": (heads, 1, width),
        "output": (heads, width, 1),
    }
    return {f"block0__{name}": np.zeros(shape) for name, shape in shapes.items()}


def untouched(width=2):
    """A program whose output is its token, with the code of the table: a number in column 0."""
    program = WrittenProgram(("a", "b"), 2, False, (Step("map", (0,), table=(0, 1)),))
    tables = {"tokens": np.zeros((3, width)), "unembedding": np.eye(1, width)}
    tables["tokens"][2, 0] = 1.0
    return program, 2, [Place(2, (0,))], tables


def test_a_table_alone_is_proved():
    program, output, layout, tables = untouched()
    assert claim_of(program, output, layout, **tables, **idle()).prove().status == "proved"


@pytest.mark.parametrize("name", ["query and key", "value"])
def test_an_idle_head_that_overflows_is_refused(name, rng):
    """0 times a weight that is not a number is not a number."""
    program, output, layout, tables = untouched()
    tables["tokens"][:, 1] = 2.0**100
    blocks = idle() | {"block0__query_bias": [[0.0]], "block0__key_bias": [[0.0]]}
    if name == "value":
        blocks["block0__value"][0, 0, 1] = 2.0**100
    else:
        blocks |= {"block0__query_bias": [[2.0**100]], "block0__key_bias": [[2.0**100]]}
    claim = claim_of(program, output, layout, "float32", **tables, **blocks)
    assert seen_error(claim, every_word(program), np.float32, rng) == np.inf
    assert claim.prove().status == "undecided"


def test_an_idle_unit_that_overflows_is_refused(rng):
    program, output, layout, tables = untouched()
    tables["tokens"][:, 1] = 2.0**100
    units = {"block0__inner": [[0.0, 2.0**100]], "block0__outer": [[0.0], [0.0]]}
    claim = claim_of(program, output, layout, "float32", **tables, **idle(), **units)
    assert seen_error(claim, every_word(program), np.float32, rng) == np.inf
    assert claim.prove().status == "undecided"


def one_value(weight=1.0, row=(0.0, 0.0, 0.0, 0.0)):
    """Every key has one value, so that no weight can be wrong: a pick in column 0 of the constant in column 1."""
    program = WrittenProgram(("a",), 2, False, (Step("pick", (0,)),))
    heads = {"block0__query": [[[0.0, weight, 0.0, 0.0]]], "block0__key": [[[0.0, weight, 0.0, 0.0]]]}
    heads |= {"block0__value": [[[0.0, 1.0, 0.0, 0.0], row]], "block0__output": [[[1.0, 0.0], *[[0.0, 0.0]] * 3]]}
    layout = [Place(0, (1,)), Place(2, (0,), 0, 0)]
    tables = {"tokens": [[0.0, 1.0, 2.0**119, 2.0**119]] * 2, "unembedding": [[1.0, 0.0, 0.0, 0.0]]}
    return claim_of(program, 2, layout, "float32", **tables, **heads)


def test_one_value_is_proved(rng):
    assert seen_error(one_value(), every_word(one_value().program), np.float32, rng) < 1e-6
    assert one_value().prove().status == "proved"


@pytest.mark.parametrize("given", [{"weight": 2.0**100}, {"row": (0.0, 0.0, 2.0**10, -(2.0**10))}])
def test_a_head_that_overflows_where_nothing_depends_on_it_is_refused(given, rng):
    """Scores that overflow, and a value that cancels after it has overflowed, which the output multiplies by 0."""
    claim = one_value(**given)
    assert seen_error(claim, every_word(claim.program), np.float32, rng) == np.inf
    assert claim.prove().status == "undecided"


def test_a_map_of_one_register_twice_would_be_read_twice():
    """Two names for one register add its code twice in the walk, and once in the machine, so no program may have them."""
    with pytest.raises(ValueError, match="once"):
        WrittenProgram(("a", "b"), 2, False, (Step("map", (0, 0), table=(0, 0, 0, 1)),))


def test_a_register_that_the_output_does_not_need_is_refused(rng):
    """On a word of one token the pick is undefined, the output is not, and the pick's column holds the value of BOS."""
    pick = Step("pick", (0,), (Atom("at", index=Sum((), Fraction(1))),))
    copy = Step("map", (0,), table=(0, 1))
    program = WrittenProgram(("a", "b"), 2, False, (pick, copy))
    tokens = np.zeros((3, 5))
    tokens[0, 4], tokens[2, 0], tokens[1:, 1] = 1.0, 1.0, 0.0
    positions = np.zeros((3, 5))
    positions[:, 3] = [-1.0, 0.0, 1.0]
    # Index 1 scores 100, index 0 scores 0, BOS 50; only BOS has a value.
    heads = {"block0__query": np.zeros((1, 2, 5)), "block0__query_bias": [[100.0, 50.0]]}
    heads |= {"block0__key": [[[0, 0, 0, 1.0, 1.0], [0, 0, 0, 0, 1.0]]], "block0__value": [[[0, 0, 0, 0, 1.0]]]}
    heads |= {"block0__output": [[[0.0], [0.0], [1.0], [0.0], [0.0]]]}
    layout = [Place(3, (0,)), Place(0, (1,)), Place(1, (3,)), Place(2, (2,), 0, 0, None, (1,))]
    tables = {"tokens": tokens, "positions": positions, "unembedding": [[1.0, 0.0, 1.0, 0.0, 0.0]]}
    claim = claim_of(program, 3, layout, **tables, **heads)
    assert seen_error(claim, [("a",)], np.float64, rng) > 0.5
    assert claim.prove().status == "undecided"


def test_a_product_that_underflows_is_not_nothing():
    """2^-600 · 2^-600 is 0 in float64. Real arithmetic, and later weights of 2^600, make 1 of it."""
    program, _, layout, tables = untouched(4)
    program = WrittenProgram(("a", "b"), 2, False, (*program.steps, Step("map", (2,), table=(0, 1))))
    tables["tokens"][:, 1] = 2.0**-600
    stages = {"block0__inner": [[0.0, 2.0**-600, 0.0, 0.0]], "block0__outer": np.zeros((4, 1))}
    stages["block0__outer"][2, 0] = 2.0**600
    stages |= {name.replace("block0", "block1"): array for name, array in idle(width=4).items()}
    stages |= {"block1__inner": [[1.0, 0.0, 2.0**600, 0.0]], "block1__outer": np.zeros((4, 1))}
    stages["block1__outer"][3, 0] = 1.0
    stages |= {"unembedding": np.eye(4)[3:]}
    layout = [Place(2, (0,)), Place(2, (2,), 0, None, (0, 1)), Place(3, (3,), 1, None, (0, 1))]
    claim = claim_of(program, 3, layout, "real", **(tables | stages), **idle(width=4))
    assert seen_error(claim, every_word(program), EXACT) > 0.5
    assert claim.prove().status == "undecided"


def test_a_number_that_is_the_only_label_is_the_number(rng):
    program = WrittenProgram(("a",), 1, False, (Step("map", (0,), table=(5,)),))
    tables = {"tokens": [[0.0, 0.0], [1.0, 0.0]], "unembedding": [[1.0, 0.0]]}
    claim = claim_of(program, 2, [Place(2, (0,))], **tables, **idle())
    assert seen_error(claim, [("a",)], np.float64, rng) == 4
    assert claim.prove().status == "undecided"


@pytest.mark.parametrize(
    "step",
    [
        Step("map", (0, 0), table=("a",) * 4),
        Step("length", select=(Atom("among", 0, chosen=("a",)),)),
        Step("count", (0,)),
        Step("mean", (1,), default=3),
        Step("compare", sum=Sum(((1, Fraction(1)), (1, Fraction(1))))),
        Step("compare", sum=Sum(((1, Fraction(0)),))),
        Step("compare", sum=Sum(((1, Fraction(1, 2**60)),))),
        Step("compare", sum=Sum(((1, Fraction(1)),)), table=(0, 1)),
        Step("sign", sum=Sum(((1, Fraction(1)),)), strict=True),
        Step("map", (0,), table=("a", "b"), sum=Sum(((1, Fraction(1)),))),
        Step("count", select=(Atom("matches", 0),)),
        Step("count", select=(Atom("among", 0, 0, ("a",)),)),
        Step("count", select=(Atom("before", 0),)),
        Step("pick", (0,), default=2**60),
    ],
)
def test_steps_that_two_readers_could_read_differently_are_refused(step):
    with pytest.raises(ValueError, match="must"):
        WrittenProgram(("a", "b"), 3, False, (step,))


def undecided(claim):
    return claim.prove().status == "undecided"


@pytest.mark.parametrize(
    "layout",
    [
        [Place(2, (0,)), Place(0, (0,))],
        [Place(2, (0,)), Place(0, (2,))],
        [Place(0, (0,))],
        [Place(2, (0,)), Place(2, (1,), 0, 0)],
        [Place(2, (0,)), Place(0, (1,), 0, 0)],
        [Place(2, (0,)), Place(0, (1,), 0, None, (0, 1))],
        [Place(2, (0,)), Place(2, (1,), 0, 1)],
        [Place(2, (0,)), Place(2, (1,), 0, -1)],
        [Place(2, (0,)), Place(2, (1,), 0, None, (1, 2))],
        [Place(2, (0,)), Place(2, (1,), 0)],
    ],
    ids=[
        "shared",
        "beyond",
        "missing",
        "half",
        "token",
        "unit-of-token",
        "head-beyond",
        "head-below",
        "units-beyond",
        "nobody",
    ],
)
def test_layouts_that_name_the_wrong_parts_are_refused(layout):
    program, output, _, tables = untouched()
    units = {"block0__inner": np.zeros((1, 2)), "block0__outer": np.zeros((2, 1))}
    assert undecided(claim_of(program, output, layout, **tables, **idle(), **units))


def picks(**changes):
    """Two picks of the token at index 0 in a causal program, by one head or two; every key has the same score."""
    at = Atom("at", index=Sum((), Fraction(0)))
    program = WrittenProgram(("a", "b"), 1, True, (Step("pick", (0,), (at,)), Step("map", (2,), table=(0, 1))))
    tables = {"tokens": [[0.0] * 4, [0.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]], "unembedding": [[0.0, 0.0, 0.0, 1.0]]}
    tables["positions"] = np.array([[0.0] * 4, [1.0, 0.0, 0.0, 0.0]])
    heads = {
        "block0__query": np.zeros((1, 1, 4)),
        "block0__query_bias": [[9.0]],
        "block0__key": [[[1.0, 0.0, 0.0, 0.0]]],
    }
    heads |= {"block0__value": [[[0.0, 1.0, 0.0, 0.0]]], "block0__output": [[[0.0], [0.0], [1.0], [0.0]]]}
    units = {
        "block0__inner": [[0.0, 0.0, 8.0, 0.0]] * 2,
        "block0__inner_bias": [0.5, -0.5],
        "block0__outer": np.zeros((4, 2)),
    }
    units["block0__outer"][3] = [1.0, -1.0]
    layout = [Place(0, (1,)), Place(1, (0,)), Place(2, (2,), 0, 0, None, (1,)), Place(3, (3,), 0, None, (0, 2))]
    return claim_of(program, 3, changes.pop("layout", layout), **(tables | heads | units | changes))


def test_heads_and_units_serve_one_register_each(rng):
    assert picks().prove().status == "proved"
    assert seen_error(picks(), every_word(picks().program), np.float64, rng) < 1e-9
    tokens, indices, pick, step = picks().layout
    twice = Place(2, (), 0, 0, None, (1,))
    assert undecided(picks(layout=[tokens, indices, pick, twice, step]))
    assert undecided(picks(layout=[tokens, indices, pick, step, Place(3, (), 0, None, (1, 2))]))
    assert undecided(picks(layout=[tokens, indices, pick, Place(3, (3,), 0, None, (0, 1))]))
    assert undecided(picks(layout=[tokens, indices, pick, step, Place(3, (), 0, 0, None, ())]))
    assert undecided(picks(layout=[tokens, indices, Place(2, (2,), 0, 0, None, ()), step]))
    assert undecided(picks(layout=[tokens, indices, Place(2, (2,), 0, 0, None, (2,)), step]))
    assert undecided(picks(layout=[tokens, indices, Place(2, (2,), 0, None, (0, 2)), Place(3, (3,), 0, 0, None, (1,))]))
    assert undecided(picks(block0__inner=[[0.0, 0.0, 8.0, 0.0], [0.0, 0.0, 8.5, 0.0]]))


def test_a_stored_number_that_the_type_does_not_hold_is_refused():
    program, output, layout, tables = untouched()
    tables["tokens"][2, 0] = 1 + 2.0**-40
    assert undecided(claim_of(program, output, layout, "float32", **tables, **idle()))
    assert claim_of(program, output, layout, "float64", **tables, **idle()).prove().status == "proved"


@pytest.mark.parametrize(("value", "error"), [(1.1, "0.05"), (0.45, "0.9")])
def test_an_output_too_far_from_its_code_is_refused(value, error):
    """The second is within the stated error, but nearer to the other code."""
    program, output, layout, tables = untouched()
    tables["tokens"][2, 0] = value
    assert undecided(claim_of(program, output, layout, "float64", error, **tables, **idle()))


@pytest.mark.parametrize("changes", [{"unembedding": [[1.5, 0.0]]}, {"unembedding_bias": [0.5]}])
def test_a_mean_is_compared_with_its_number(changes, rng):
    program = WrittenProgram(("a", "b"), 2, True, (Step("map", (0,), table=(0, 1)), Step("mean", (2,))))
    tables = {"tokens": [[0.0, 0.0], [0.0, 0.0], [0.0, 1.0]], "unembedding": [[1.0, 0.0]]}
    heads = {"block0__query": np.zeros((1, 1, 2)), "block0__key": np.zeros((1, 1, 2)), "block0__value": [[[0.0, 1.0]]]}
    heads |= {"block0__output": [[[1.0], [0.0]]]}
    layout = [Place(2, (1,)), Place(3, (0,), 0, 0)]
    right = claim_of(program, 3, layout, "float64", "0.9", **tables, **heads)
    wrong = claim_of(program, 3, layout, "float64", "0.9", **(tables | changes), **heads)
    bounds = [float(claim.proved_error()) for claim in (right, wrong)]
    assert bounds[1] > bounds[0] + 0.4
    assert seen_error(wrong, every_word(program), np.float64, rng) <= bounds[1]


def test_a_count_that_may_be_0_has_the_label_0():
    for select, least in (((), 1), ((Atom("among", 0, chosen=("a",)),), 0), ((Atom("matches", 0, 0),), 1)):
        assert WrittenProgram(("a", "b"), 3, False, (Step("count", select=select),)).values[2].labels[0] == least


def test_sums_of_means_keep_their_gap():
    mean = Step("mean", (1,), (Atom("before"),))
    other = Step("mean", (1,), (Atom("matches", 0, 0),))
    program = WrittenProgram(("a", "b"), 5, False, (mean, other))
    assert program.gap(Sum(((2, Fraction(1, 2)),))) == Fraction(1, 10)
    assert program.gap(Sum(((2, Fraction(1)), (3, Fraction(1))), Fraction(1, 3))) == Fraction(1, 75)


def test_selected_keys_with_different_scores_make_a_mean_uneven(rng):
    program = WrittenProgram(("a", "b"), 2, True, (Step("map", (0,), table=(0, 1)), Step("mean", (2,))))
    tables = {"tokens": [[0.0, 0.0, -60.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "unembedding": [[1.0, 0.0, 0.0]]}
    heads = {"block0__query": np.zeros((1, 1, 3)), "block0__query_bias": [[1.0]], "block0__key": [[[0.0, 0.5, 1.0]]]}
    heads |= {"block0__value": [[[0.0, 1.0, 0.0]]], "block0__output": [[[1.0], [0.0], [0.0]]]}
    claim = claim_of(program, 3, [Place(2, (1,)), Place(3, (0,), 0, 0)], **tables, **heads)
    assert 0.1 < seen_error(claim, every_word(program), EXACT) <= float(claim.proved_error())


def test_tiny_tokens_and_positions_round_when_they_are_added():
    program, output, layout, tables = untouched()
    tables["tokens"][:, 1] = 2.0**-600
    tables["positions"] = np.zeros((3, 2))
    tables["positions"][:, 1] = 1.25 * 2.0**-652
    walk = claim_of(program, output, layout, **tables, **idle()).walked()
    lost = abs(Fraction(2.0**-600) + Fraction(1.25 * 2.0**-652) - Fraction(2.0**-600 + 1.25 * 2.0**-652))
    assert 0 < lost <= Fraction(walk.stray[1])


def test_a_head_cannot_write_what_each_position_computes_alone(rng):
    """The head gives the mean over the word, which is not the number of the position's own token."""
    program = WrittenProgram(("a", "b"), 2, False, (Step("map", (0,), table=(0, 1)),))
    tables = {"tokens": [[0.0, 0.0, -60.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "unembedding": [[1.0, 0.0, 0.0]]}
    heads = {"block0__query": np.zeros((1, 1, 3)), "block0__query_bias": [[1.0]], "block0__key": [[[0.0, 0.0, 1.0]]]}
    heads |= {"block0__value": [[[0.0, 1.0, 0.0]]], "block0__output": [[[1.0], [0.0], [0.0]]]}
    claim = claim_of(program, 2, [Place(0, (1,)), Place(2, (0,), 0, 0)], **tables, **heads)
    assert seen_error(claim, every_word(program), np.float64, rng) > 0.4
    assert undecided(claim)
