"""Bounds on the weights of heads against the weights themselves, on every word, with scores that are not quite right."""

import math
from fractions import Fraction

import numpy as np
import pytest

from headwright.theories.programs import heads as program_heads
from headwright.theories.programs.heads import attend
from headwright.theories.programs.meaning import registers
from headwright.theories.programs.rounding import Rounding
from headwright.theories.programs.runs_program import RunsProgram, begin
from headwright.theories.programs.steps import INDICES, TOKENS, Atom, Step, Sum, WrittenProgram
from headwright.theories.programs.walk import Place
from tests.program_machine import every_word

AT_ONE_BEFORE = Atom("at", index=Sum(((INDICES, Fraction(1)),), Fraction(-1)))
AT_ME = Atom("at", index=Sum(((INDICES, Fraction(1)),)))
AMONG, MATCHES, BEFORE = Atom("among", TOKENS, chosen=("a", "b")), Atom("matches", TOKENS, TOKENS), Atom("before")
STEPS = [
    Step("count", select=(MATCHES,)),
    Step("count", select=(AMONG,)),
    Step("count", select=(MATCHES, BEFORE)),
    Step("pick", (TOKENS,), (AMONG,), default="c"),
    Step("pick", (TOKENS,), (MATCHES,)),
    Step("pick", (TOKENS,), (AT_ONE_BEFORE,), default="c"),
    Step("pick", (TOKENS,), (AT_ME, AMONG), default="c"),
    Step("pick", (TOKENS,), (AT_ONE_BEFORE, AMONG), default="c"),
    Step("last", (TOKENS,), (AMONG,), default="c"),
    Step("last", (TOKENS,), (AMONG, BEFORE), default="c"),
    Step("mean", (INDICES,), (AMONG,)),
    Step("mean", (INDICES,), (MATCHES, BEFORE)),
    Step("length"),
]
N, WIDTH = 3, 8  # tokens in columns 0 to 2, index and its square in 3 and 4, 1 in 5, BOS in 6, the result in 7


def rows_of(atom, strength):
    """Rows of query and key that serve a condition, roughly."""
    query, key = [], []
    eye = np.eye(WIDTH)
    if atom.kind == "matches":
        query, key = [strength * eye[c] for c in range(3)], [eye[c] - eye[5] for c in range(3)]
    elif atom.kind == "among":
        query, key = [strength * eye[5]], [-eye[2]]
    elif atom.kind == "at":
        shift = float(atom.index.constant)
        query, key = [strength * (2 * eye[3] + 2 * shift * eye[5]), -strength * eye[5]], [eye[3], eye[4]]
    elif atom.kind == "last":
        query, key = [strength / 8 * eye[5]], [eye[3]]  # later keys that fail must not win
    return query, key


def head_of(step, causal, strength, bos, noise, rng):
    atoms = [*step.select, *([Atom("last")] if step.kind == "last" else [])]
    served = [rows_of(atom, strength) for atom in atoms]
    query = [*(row for own, _ in served for row in own), np.eye(WIDTH)[5]]
    key = [*(row for _, own in served for row in own), bos * np.eye(WIDTH)[6]]
    query, key = (np.array(own) + noise * rng.normal(size=(len(own), WIDTH)) for own in (query, key))
    tokens, positions = np.zeros((4, WIDTH)), np.zeros((N + 1, WIDTH))
    tokens[[1, 2, 3], [0, 1, 2]], tokens[1:, 5], tokens[0, 6] = 1.0, 1.0, 1.0
    positions[:, 3], positions[:, 4] = np.arange(-1, N), np.arange(-1, N) ** 2
    program = WrittenProgram(("a", "b", "c"), N, causal, (step,))
    layout = (
        Place(TOKENS, (0, 1, 2)),
        Place(INDICES, (3, 4)),
        Place(2, (7,), 0, 0, None, tuple(len(own) for own, _ in served)),
    )
    weights = {"tokens": tokens, "positions": positions, "unembedding": np.eye(1, WIDTH, 7)}
    weights |= {"0.query": query[None], "0.key": key[None], "0.value": np.ones((1, 1, WIDTH))}
    weights |= {"0.output": np.eye(WIDTH)[7][None, :, None]}
    return RunsProgram(program, 2, "float64", Fraction(1), layout, weights)


def selected(program, step, values, i):
    """The keys that position i selects, in words of its own."""
    keys = []
    for j in range(i + 1 if program.causal else len(values[TOKENS])):
        held = {
            "matches": lambda j=j: values[TOKENS][j] == values[TOKENS][i],
            "among": lambda j=j: values[TOKENS][j] in ("a", "b"),
            "before": lambda j=j: j <= i,
        }
        if all(j == i + atom.index.constant if atom.kind == "at" else held[atom.kind]() for atom in step.select):
            keys.append(j)
    return keys


def weights_of(claim, word, unit, rng):
    w, program = claim.weights, claim.program
    x = w["tokens"][[0, *(1 + program.vocabulary.index(token) for token in word)]] + w["positions"][: len(word) + 1]
    scores = (x @ w["0.query"][0].T) @ (x @ w["0.key"][0].T).T
    if program.causal:
        scores[np.triu_indices(len(x), 1)] = -np.inf
    away = scores - scores.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        away = np.where(np.isneginf(away), away, away * (1 + unit * rng.choice([-1.0, 1.0], size=away.shape)))
    powers = np.exp(away)
    return powers / powers.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("step", "causal"),
    [
        (step, causal)
        for step in STEPS
        for causal in (False, True)
        if (causal or BEFORE not in step.select) and not (causal and step.kind == "length")
    ],
)
def test_weights_lie_within_their_bounds(step, causal, rng):
    told = 0
    for trial in range(12):
        unit = (0.0, 2.0**-6)[trial % 2]
        bos = math.log(N) if step.kind == "count" else -(2.0, 4.0, 8.0)[trial % 3] / 2
        claim = head_of(step, causal, (2.0, 4.0, 8.0)[trial % 3], bos, (0.0, 0.02)[trial % 4 // 2], rng)
        walk = begin(claim.program, claim.layout, claim.weights, "float64")
        walk.rounding = Coarse(unit)
        with np.errstate(all="ignore"):
            bounds = attend(walk, claim.blocks[0], claim.layout[2], step)
        told += bounds.outside < 0.9
        for word in every_word(claim.program):
            values = registers(claim.program, word, INDICES) | {TOKENS: list(word)}
            w = weights_of(claim, word, unit, rng)
            assert 1 - w[0, 0] <= bounds.at_bos + 1e-12
            for i in range(len(word)):
                keys = selected(claim.program, step, values, i)
                own = w[1 + i, [1 + j for j in keys]]
                if step.kind == "count":
                    assert not bounds.counted[0][len(keys)] > w[1 + i, 0] + 1e-12
                    assert not bounds.counted[1][len(keys)] < w[1 + i, 0] - 1e-12
                elif not keys:
                    assert 1 - w[1 + i, 0] <= bounds.without + 1e-12
                elif step.kind == "last":
                    assert 1 - own[-1] <= bounds.outside + 1e-12
                else:
                    assert 1 - own.sum() <= bounds.outside + 1e-12
                    away = own / own.sum() - 1 / len(keys)
                    assert away[away > 0].sum() <= bounds.uneven + 1e-12 or step.kind == "pick"
    assert told > 0 or step.kind == "count"


class Coarse(Rounding):
    """Rounding of differences only, so that this rule is seen alone."""

    def __new__(cls, unit):
        return super().__new__(cls, unit, 0.0, 2.0**900)

    def gamma(self, terms):
        return 0.0 * np.asarray(terms)


def test_growth_of_weights():
    for spread in (0.0, 1e-9, 0.1, 0.5, 1.0, 1.1):
        assert math.expm1(spread) <= program_heads._growth(spread)
