"""examples/programs.py: each program means what its docstring says, and its model agrees on every short word."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from examples.programs import ERRORS, PROGRAMS
from headwright.theories.programs.meaning import Undefined

LENGTH = 4
MOST = 120  # words of each length that are tried


def balanced(word):
    depth, depths = 0, []
    for token in word:
        depth += {"(": 1, ")": -1, "x": 0}[token]
        depths.append(depth)
    return [depths[i] == 0 and min(depths[: i + 1]) >= 0 for i in range(len(word))]


def added(word):
    first, second = (sum(int(pair[k]) << i for i, pair in enumerate(word)) for k in (0, 1))
    return [(first + second) >> i & 1 for i in range(len(word))]


def followed(word):
    said = []
    for i, token in enumerate(word):
        found = [j for j in range(1, i + 1) if word[j - 1] == token]
        said.append(word[found[-1]] if found else "?")
    return said


def winner(word):
    (first, most), *rest = Counter(word).most_common()
    return [first] * len(word) if not rest or rest[0][1] < most else None


def shares(word):
    return [Fraction(word[: i + 1].count("a"), i + 1) for i in range(len(word))]


def pairs(word):
    known = list(zip(("?", *word), word, strict=False))
    return [known.count(pair) for pair in known]


# What each program should say, from its definition; None where it has no value.
MEANT = {
    "copy": lambda word: [word[3]] * len(word) if len(word) > 3 else None,
    "shift": lambda word: ["a", *word[:-1]],
    "frac_prevs_causal": shares,
    "frac_prevs_full": shares,
    "histogram": lambda word: [word.count(token) for token in word],
    "reverse": lambda word: list(word[::-1]),
    "sort": sorted,
    "brackets": balanced,
    "addition": added,
    "induction": followed,
    "most_frequent": winner,
    "bigrams": pairs,
}


def words(program, rng):
    """Every word up to the length, or so many of each length."""
    known = program.tokens.labels
    for n in range(1, LENGTH + 1):
        every = list(itertools.islice(itertools.product(known, repeat=n), 10**5))
        chosen = range(len(every)) if len(every) <= MOST else rng.choice(len(every), MOST, replace=False)
        yield from (every[k] for k in chosen)


def test_every_program_is_tried():
    assert MEANT.keys() == PROGRAMS.keys()


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_and_model_say_what_is_meant(name, rng):
    program, output = PROGRAMS[name](LENGTH)
    model = hw.compile(program, output, error=ERRORS.get(name, "0.25"))
    bound = model.verdict.expect().bound
    for word in words(program, rng):
        wanted = MEANT[name](word)
        if wanted is None:
            with pytest.raises(Undefined):
                program.run(word, output)
            continue
        assert program.run(word, output) == wanted
        said = model(word)
        assert said == wanted if output.labels is not None else np.abs(np.subtract(said, wanted)).max() <= bound
        assert model.error(word) <= bound


def test_conjunctions_are_used_where_both_conditions_matter():
    program, output = PROGRAMS["bigrams"](6)
    assert program.run("abcbab", output) != program.run("abcbab", program.count(program.tokens.matches(program.tokens)))
    joined = [
        name for name, make in PROGRAMS.items() if any(len(step.select) > 1 for step in make(5)[0].written().steps)
    ]
    assert len(joined) >= 2
