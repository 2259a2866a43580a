"""What the walk says of every register against what machines do with changed weights, on every word of small programs.

The machine errs by as much as the rounding model allows, with a unit roundoff so coarse that each rounding shows.
"""

from fractions import Fraction

import numpy as np
import pytest

from headwright.search.compile.compile import compile
from headwright.theories.programs.meaning import Undefined, registers
from headwright.theories.programs.rounding import ROUNDING, Rounding
from headwright.theories.programs.runs_program import RunsProgram
from headwright.theories.programs.steps import FIRST, INDICES, Sum
from headwright.theories.programs.walk import Unproved
from headwright.words.program import Program
from tests.program_machine import Worst, every_word, read, stream


def histogram():
    p = Program("ab", length=3)
    return p, p.count(p.tokens.matches(p.tokens))


def chosen():
    p = Program("ab", length=3)
    return p, p.count(p.tokens.among("b")) <= 1


def previous():
    p = Program("ab", length=3)
    return p, p.pick(p.at(p.indices - 1), p.tokens, default="?")


def next_one():
    p = Program("ab", length=3)
    return p, p.pick(p.at(p.indices + 1), p.tokens, default="a")


def reverse():
    p = Program("ab", length=3)
    return p, p.pick(p.at(p.length() - 1 - p.indices), p.tokens)


def last():
    p = Program("ab", length=3, causal=True)
    return p, p.last(p.tokens.among("a"), p.indices, default=-1)


def last_of_all():
    p = Program("ab", length=3)
    return p, p.last(p.tokens.among("a") & p.before(), p.tokens, default="?")


def mean():
    p = Program("ab", length=3, causal=True)
    return p, p.mean(p.before(), p.map({"a": 2, "b": -1}, p.tokens))


def full_mean():
    p = Program("ab", length=3)
    return p, p.mean(p.before(), p.map({"a": 1, "b": 0}, p.tokens))


def mean_of_equals():
    p = Program("ab", length=3)
    return p, p.mean(p.tokens.matches(p.tokens), p.indices)


def sign():
    p = Program("ab", length=3, causal=True)
    return p, p.sign(p.mean(p.before(), p.map({"a": 1, "b": -1}, p.tokens)))


def picked_mean():
    p = Program("ab", length=3, causal=True)
    return p, p.pick(p.at(0), p.mean(p.before(), p.map({"a": 1, "b": -1}, p.tokens)))


def table():
    p = Program("ab", length=3)
    many = p.count(p.tokens.matches(p.tokens)) >= 2
    return p, p.map(lambda many, token: "yz"[many] + token, many, p.tokens)


def difference():
    p = Program("ab", length=3)
    return p, p.count(p.tokens.among("a")) * 2 > p.length() - 1


def in_between():
    p = Program("abc", length=3)
    return p, p.count(p.tokens.among("ab"))


def if_any():
    p = Program("ab", length=3)
    return p, p.pick(p.tokens.among("a"), p.tokens, default="?")


def mean_above():
    p = Program("ab", length=3, causal=True)
    return p, p.mean(p.before(), p.map({"a": 1, "b": -1}, p.tokens)) > 0


OWN = 1e-12  # the rounding of these machines themselves, which compute in float64
MAKERS = [histogram, chosen, previous, next_one, reverse, last, last_of_all, mean, full_mean, mean_of_equals, sign]
MAKERS += [picked_mean, table, difference, in_between, if_any, mean_above]


def tampered(claim, rng, much):
    """Every stored number a little off, and some zeros not 0; hidden units keep one row for each register."""
    weights = {}
    for name, array in claim.weights.items():
        shape = (1, array.shape[1]) if name.endswith("inner") else array.shape
        noise = much * rng.normal(size=shape) * (rng.random(shape) < rng.choice([0.1, 0.9]))
        extra = 0.2 * much * rng.normal(size=shape) * (rng.random(shape) < 0.05)
        weights[name] = np.float32(array * (1 + noise) + extra).astype(float)
    return RunsProgram(claim.program, claim.output, "float32", claim.error, claim.layout, weights)


def check(claim, walk, words, machine, rng):
    """Every column of every register lies in the box of its label, and every read in what `read` says."""
    maps, bias = np.float32(rng.normal(size=(3, len(walk.stray)))).astype(float), rng.normal(size=3)
    maps[1] *= rng.random(len(walk.stray)) < 0.3
    maps[2] = np.eye(len(walk.stray))[rng.integers(len(walk.stray))] * rng.choice([1.0, 3.0])
    bias = np.float32([0.0, bias[1], 0.0]).astype(float)
    written = [register for register in walk.held if register in claim.program.needed(claim.output)]
    for word in words:
        try:
            values = registers(claim.program, word, claim.output)
        except Undefined:
            continue
        x = stream(claim, word, machine, rng)
        assert (np.abs(x[0] - walk.bos.middle) <= walk.bos.radius + walk.stray + OWN).all()
        assert (np.abs(x[1:] - walk.hull.middle) <= walk.hull.radius + walk.stray + OWN).all()
        assert (np.abs(x) <= walk.stream() + OWN).all()
        made = read(x, maps, bias, machine, rng)
        for register in written:
            held, labels = walk.held[register], claim.program.values[register].labels
            reading = walk.read(maps, bias, [register])
            assert (np.abs(made[0] - reading.bos.middle) <= reading.bos.radius + OWN).all()
            for i, value in enumerate(values[register]):
                own = x[1 + i, list(held.columns)]
                if labels is None:
                    assert abs(own[0] - float(value)) <= held.error + walk.stray[held.columns[0]] + OWN
                    part = reading.parts[register]
                    away = made[1 + i] - part.middle[0] * float(value) - reading.base.middle
                    assert (np.abs(away) <= part.radius[0] + reading.base.radius + OWN).all()
                    continue
                box = held.boxes[labels.index(value)]
                assert (np.abs(own - box.middle) <= box.radius + walk.stray[list(held.columns)] + OWN).all()
                part = reading.parts[register][labels.index(value)]
                away = made[1 + i] - part.middle - reading.base.middle
                assert (np.abs(away) <= part.radius + reading.base.radius + OWN).all()


@pytest.mark.parametrize("make", MAKERS)
def test_every_box_holds(make, rng, monkeypatch):
    program, output = make()
    claim = compile(program, output, error="0.25").claim
    words, walked = [*every_word(claim.program)], 0
    for trial in range(8):
        unit = (0.0, 2.0**-24, 2.0**-16, 2.0**-12)[trial % 4]
        monkeypatch.setitem(ROUNDING, "float32", Rounding(unit, 2.0**-149, 2.0**120))
        changed = tampered(claim, rng, (0.0, 1e-3, 0.02)[trial % 3])
        try:
            with np.errstate(all="ignore"):
                walk = changed.walked()
        except Unproved:
            continue
        walked += 1
        assert max(walk.held) >= FIRST
        check(changed, walk, words, Worst(unit), rng)
    assert walked >= 4


def test_a_line_holds_for_every_pair_of_labels(rng):
    """2·index - length/3 + 5·seven + 1/2 is read by rows whose factors are other ones: the line must say how far off it is."""
    p = Program("ab", length=3)
    output = p.pick(p.at(p.length() - 1 - p.indices), p.map(lambda token: 7, p.tokens))
    claim = tampered(compile(p, output, error="0.25").claim, rng, 0.01)
    with np.errstate(all="ignore"):
        walk = claim.walked()
    maps = rng.normal(size=(4, len(walk.stray)))
    held = {claim.program.values[register].labels: register for register in walk.held}
    length, seven = held[1, 2, 3], held[7,]
    total = Sum(((INDICES, Fraction(2)), (length, Fraction(-1, 3)), (seven, Fraction(5))), Fraction(1, 2))
    reading = walk.read(maps, None, [INDICES, length, seven])
    slope, offset = walk.line(reading, total)
    for i in range(3):
        for n in (1, 2, 3):
            made = reading.base + reading.parts[INDICES][i] + reading.parts[length][n - 1] + reading.parts[seven][0]
            value = float(2 * i - Fraction(n, 3) + 35 + Fraction(1, 2))
            for end in (made.low, made.high):
                assert (np.abs(end - slope * value - offset.middle) <= offset.radius + OWN).all()
