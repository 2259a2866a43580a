"""What proofs cost, in counted units: each costly step says so before it begins, and a hostile claim ends at the budget.

Every claim here is small enough to be proved in a moment without a budget, and large enough in one respect that this one
step makes up most of its count. A step that were no longer counted would fall below the number beside it.
"""

import math
from contextlib import suppress
from fractions import Fraction
from threading import Thread

import numpy as np
import pytest

from headwright import balls, budget, inputs
from headwright._save import save
from headwright.block import Block
from headwright.geometry.null_space import null_vectors
from headwright.geometry.relations import null_weights
from headwright.goals import Average, Blend, Copy, Top
from headwright.key_models import GaussianKeys
from headwright.number_types import need_stored
from headwright.program import Program
from headwright.programs import compile as compile_program
from headwright.proofs import (
    AttentionKept,
    BlockEquivariant,
    GapNorm,
    GoalsContradict,
    Heads,
    HullsMeet,
    Image,
    KeptOnBall,
    LayerRows,
    NearLowRank,
    NeedsLater,
    NoneWithstands,
    NoShorter,
    NoSmallerError,
    OutOfReach,
    OutputsContradict,
    ReadsOut,
    Region,
    RowsApart,
    SingularValues,
    SpansMeet,
    TableRows,
    TopGap,
    VariationOfEach,
    WaveRows,
    WeightBound,
    WithinError,
    WithProbability,
    Withstands,
    load,
    verify,
)
from headwright.proofs.certificate import KINDS
from headwright.scaled_keys import ScaledKeys
from tests.every_claim import CLAIMS as EVERY

NUMBERS = np.random.default_rng(12)
FRESH = NUMBERS.bit_generator.state
LETTERS = [f"letter {k}" for k in range(300)]
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def heads(n, d=1, h=1, make=NUMBERS.standard_normal):
    return Heads(make((n, d)), make((h, d)), np.ones(h), Fraction(1))


def wide(shape):
    return np.ldexp(NUMBERS.standard_normal(shape), NUMBERS.integers(-1000, 1000, shape))


def tied(n, h):
    """Opposite heads over opposite keys: weights that are equal, which no precision shows."""
    x, q = NUMBERS.standard_normal((n // 2, 1)), NUMBERS.standard_normal((h // 2, 1))
    return Heads(np.concatenate([x, -x]), np.concatenate([q, -q]), np.ones(h), Fraction(1))


def led_by_two(n):
    """Two equal keys far ahead of all others: their weights differ from a half by less than float64 shows."""
    keys = np.append([0.0, 0.0], -700 - NUMBERS.random(n - 2))
    return Heads(keys[:, None], np.ones((1, 1)), np.ones(1), Fraction(1))


def compared(n, d, m, size=1.0, width=None):
    """Keys that move by a quarter; beyond 2^50, float64 leaves every query open."""
    keys = NUMBERS.standard_normal((1, n, d))
    values = None if width is None else NUMBERS.standard_normal((1, n, width))
    return AttentionKept(keys, 1.25 * keys, size * NUMBERS.standard_normal((1, m, d)), THIRD, 1, False, values)


def odd(count, bits=400):
    """Rationals whose denominators have next to nothing in common."""
    return [Fraction(2**bits + 4 * k + 1, 2**bits + 4 * k + 3) for k in range(count)]


def block(n, d, h=1, hidden=0, make=NUMBERS.standard_normal):
    maps = [make((h, d, d)) for _ in range(4)]
    more = {"inner": make((hidden, d)), "outer": make((d, hidden)), "activation": "gelu"} if hidden else {}
    shown = (make((n, d)), (*range(1, n), 0)) if hidden else (None, None)
    return BlockEquivariant(Block(*maps, **more, causal=bool(hidden)), n, *shown)


def waves(length, dim=8):
    return WaveRows("sinusoidal", balls.Waves(length, dim, Fraction(10_000)))


def colliding(n):
    """Rows that differ and have one hash."""
    factor = balls.equal_rows._FACTORS[0]
    first = np.abs(NUMBERS.standard_normal(n)).view(np.uint64)
    mixed = first * factor
    mixed ^= mixed >> np.uint64(29)
    second = mixed ^ mixed[:1] ^ np.float64(1.0).view(np.uint64)
    table = np.stack([part.view(np.float64) for part in (first, second)], axis=1)
    return table[np.isfinite(table).all(axis=1)]


def spectrum(n, d):
    p = min(n, d)
    return SingularValues(np.ones((n, d)), np.zeros(p), np.ones(p), np.eye(n, p), np.ones(p), np.eye(d, p))


def near_low_rank(n, d):
    witness = np.eye(n), np.ones(n), np.eye(d, n)
    return NearLowRank(np.ones((n, d)), np.eye(n), np.eye(n, d), HALF, HALF, *witness)


def many_sets(b, n, d, h, most=1.0):
    keys, queries = NUMBERS.standard_normal((b, n, d)), NUMBERS.standard_normal((1, h, d))
    keys[:, 1:] = keys[:, :1] if most == 0.0 else keys[:, 1:]  # the total variation is 0, which float64 cannot tell
    goal = Average(*range(n)) if most == 0.0 else Copy(0)
    return VariationOfEach(keys, queries, np.ones(h), Fraction(1), (goal,), np.zeros(b), np.full(b, most))


def scaled(varying, law, members=(0, 1), *, n=None, error=HALF, h=1, size=1.0):
    keys = size * np.concatenate([np.eye(2)] * varying)[: n or varying]
    model = ScaledKeys(keys, {j: law for j in range(len(keys))})
    asked = Heads(keys, np.ones((h, 2)), np.ones(h), Fraction(1))
    return WithProbability(model, asked, Average(*members), error, HALF)


def moves(n, d):
    keys = NUMBERS.standard_normal((1, n, d))
    return keys, keys + NUMBERS.standard_normal((1, n, d)) / 100


def stored_or_not(keys):
    with suppress(ValueError):  # most columns are not: every level is tried for them
        need_stored(keys.astype(np.float64), "int8", name="keys")


def contradicting(m):
    """Every target of one row has its place in the witness, which cancels: x_r = 0."""
    witness = tuple((m, i, m, Fraction(1)) for i in range(m))
    return GoalsContradict(np.zeros((m + 1, 1)), {m: Average(*range(m))}, Fraction(1, 10**6), witness)


def gaussian(n, m, h=1, d=2):
    keys = NUMBERS.standard_normal((n, d))
    model = GaussianKeys(keys, isotropic=0.01)
    asked = Heads(keys, NUMBERS.standard_normal((h, d)), np.ones(h), Fraction(1))
    return WithProbability(model, asked, Average(*range(m)), HALF, HALF)


def one_length(n):
    keys = NUMBERS.standard_normal((n, 2))
    asked = Heads(keys, NUMBERS.standard_normal((1, 2)), np.ones(1), Fraction(1))
    return WithProbability(GaussianKeys(keys, along={0: 0.5}), asked, Average(0, 1), HALF, HALF)


def singular(d):
    root = NUMBERS.integers(-9, 10, (d, d - 1)).astype(float)
    return root @ root.T


def layer(n, d, v, make=NUMBERS.standard_normal):
    maps = make((1, d, d)), make((1, d, d)), make((v, d))
    return LayerRows(make((n, d)), *maps, {0: Copy(0)}, HALF, (0,), make((1, v)), Fraction(10) ** 4000)


def spread(n, d, make=NUMBERS.standard_normal, norm="box"):
    return Region(THIRD, norm, np.abs(make((n, d))))


def tied_keys(n):
    """Keys with one score, so that all of them are compared exactly."""
    return Heads(np.tile([1.0, 0.0], (n, 1)), np.array([[1.0, 0.5]]), np.ones(1), Fraction(1))


def unwithstood(n, norm):
    keys = NUMBERS.standard_normal((n, 3))
    return NoneWithstands(keys, Copy(0), HALF, Fraction(1), spread(n, 3, norm=norm), np.ones(n), Fraction(9))


def later(make, length=60, tokens="ab"):
    """A program that is run on two long words: its step is the costly one."""
    program = Program(tokens, length=length)
    output = make(program).number
    return NeedsLater(program.written(), output, 0, [tokens[0]] * length, [tokens[0]] * (length - 1))


def compiled(make, length):
    program = Program("abcd", length=length)
    return compile_program(program, make(program), dtype="float32").claim


LAW = {f"{Fraction(1, 3**300)}": f"{Fraction(3**500 - 1, 2 * 3**500)}", "1": f"{Fraction(3**500 + 1, 2 * 3**500)}"}
CLAIMS = {
    "many key sets": (lambda: many_sets(200, 100, 4, 5), 91_400_000),
    "many key sets that float64 leaves open": (lambda: many_sets(20, 4, 2, 1, most=0.0), 765_000),
    "a ball of queries": (lambda: KeptOnBall(*moves(400, 8), HALF, Fraction(1), HALF), 77_800_000),
    "first tier": (lambda: WithinError(heads(20_000, 4, 5), Copy(0), HALF), 74_100_000),
    "heavy keys": (lambda: WithinError(led_by_two(4000), Copy(0), HALF), 64_252_400),
    "ties": (lambda: WithinError(tied(4, 2), Average(0, 1), HALF), 6_750_000),
    "mixed heads": (lambda: WithinError(tied(2, 100), Copy(0), HALF), 342_000_000),
    "wide scores": (lambda: WithinError(heads(4, 2000, 1, wide), Copy(0), HALF), 83_400_000),
    "long shares": (lambda: WithinError(heads(30), Blend(dict(enumerate(odd(30)))), HALF), 9_960_000),
    "subsets": (
        lambda: Withstands(heads(12), Blend({j: j + 1 for j in range(12)}), HALF, Region(THIRD, "box")),
        9_850_000,
    ),
    "members": (lambda: Withstands(heads(3000), Average(*range(2999)), HALF, Region(THIRD, "box")), 41_200_000),
    "a long query": (lambda: Withstands(heads(2, 500, 1, wide), Copy(0), HALF, Region(THIRD, "ball")), 35_800_000),
    "a profile per key": (lambda: Withstands(heads(3000), Copy(0), HALF, spread(3000, 1)), 5_970_000),
    "a profile per channel": (lambda: Withstands(heads(2, 500), Copy(0), HALF, spread(1, 500, wide)), 9_430_000),
    "a profile per entry": (lambda: Withstands(heads(3000, 4), Copy(0), HALF, spread(3000, 4)), 10_000_000),
    "an ellipsoid per entry": (
        lambda: Withstands(heads(3000, 4), Copy(0), HALF, spread(3000, 4, norm="ball")),
        10_050_000,
    ),
    "members that move differently": (
        lambda: Withstands(heads(90), Average(*range(80)), HALF, spread(90, 1)),
        67_700_000,
    ),
    "gap of a box": (lambda: TopGap(tied_keys(300), Top(0), None, spread(300, 2)), 1_630_000),
    "gap of an ellipsoid": (lambda: TopGap(tied_keys(300), Top(0), None, spread(300, 2, wide, "ball")), 1_790_000),
    "gap of keys": (lambda: TopGap(tied_keys(300), Top(0), None, spread(300, 1, wide)), 1_110_000),
    "a functional of moved keys": (
        lambda: WeightBound(heads(2000), np.arange(2000.0) % 3, "at most", Fraction(2), spread(2000, 1)),
        7_770_000,
    ),
    "nothing withstands": (lambda: unwithstood(300, "box"), 7_290_000),
    "no ellipsoid is withstood": (lambda: unwithstood(300, "ball"), 7_840_000),
    "values": (lambda: WeightBound(heads(3000), NUMBERS.standard_normal(3000), "at most", Fraction(9)), 60_300_000),
    "rounds": (lambda: WeightBound(heads(2000), np.arange(2000.0) % 3, "at most", Fraction(2)), 4_500_000),
    "logarithms": (
        lambda: NoShorter(NUMBERS.standard_normal((2000, 1)), Copy(0), HALF, Fraction(1), Fraction(9), np.ones(2000)),
        709_800,
    ),
    "exact logarithms": (
        lambda: NoShorter(
            NUMBERS.standard_normal((2000, 1)), Copy(0), HALF, Fraction(1), Fraction(9), np.full(2000, 2.0**950)
        ),
        7_896_000,
    ),
    "least error": (
        lambda: NoSmallerError(
            NUMBERS.standard_normal((2000, 1)), Copy(0), Fraction(9), Fraction(1), HALF, np.ones(2000)
        ),
        711_000,
    ),
    "an image of many columns": (
        lambda: NoShorter(
            np.eye(30),
            Copy(0),
            HALF,
            Fraction(1),
            Fraction(9),
            np.ones(30),
            image=Image(wide((30, 20)), None, tuple(range(20))),
        ),
        14_360_000,
    ),
    "dependent columns": (
        lambda: NoShorter(
            np.eye(30),
            Copy(0),
            HALF,
            Fraction(1),
            Fraction(9),
            np.ones(30),
            image=Image(np.ones((30, 400)), None, (0,)),
        ),
        77_060_000,
    ),
    "a long query of an image": (
        lambda: Withstands(
            Heads(np.eye(300), wide((1, 2)), [1.0], Fraction(1), image=Image(wide((300, 2)))),
            Copy(0),
            HALF,
            Region(THIRD, "box"),
        ),
        721_500_000,
    ),
    "long witness": (
        lambda: OutOfReach(np.zeros((41, 1)), Copy(0), HALF, tuple((0, j + 1, x) for j, x in enumerate(odd(40)))),
        3_140_000,
    ),
    "entropies": (
        lambda: OutOfReach(np.zeros((2001, 1)), Copy(0), HALF, tuple((0, j, Fraction(1)) for j in range(1, 2001))),
        3_430_000,
    ),
    "many tokens": (
        lambda: GoalsContradict(np.zeros((300, 1)), {0: Copy(0)}, HALF, ((0, 0, 1, Fraction(1)),)),
        15_800_000,
    ),
    "relations": (
        lambda: OutputsContradict(wide((20, 2)), wide((20, 2)), {j: Copy(j) for j in range(20)}, tuple(odd(20))),
        1_340_000,
    ),
    "gap": (lambda: TopGap(heads(4, 2000, 1, wide), Top(0), None, Region(THIRD, "ball")), 230_000_000),
    "gap norm": (
        lambda: GapNorm(wide((4, 300)), Top(0), Fraction(1), Fraction(1), Fraction(1), np.abs(wide(4))),
        164_000_000,
    ),
    "long weights": (lambda: HullsMeet(wide((4, 3)), Top(0, 1), (0, 1, 2, 3), (2**90_001 + 1, 1) * 2), 3_580_000),
    "spans": (lambda: SpansMeet(wide((5, 2)), wide((5, 2)), (2**90_001 + 1, 1), (1, 2**90_001 + 1)), 8_350_000),
    "read-out": (lambda: ReadsOut(wide((12, 12)), wide((12, 12)), wide((12, 12)), THIRD, Fraction(0)), 44_700_000),
    "combinations": (lambda: scaled(11, {"1/2": "1/2", "1": "1/2"}), 15_100_000),
    "screened": (lambda: scaled(13, {"1/2": "1/2", "1": "1/2"}), 108_000_000),
    "long laws": (lambda: scaled(8, LAW), 2_000_000),
    "cells": (lambda: one_length(4), 579_000),
    "targets": (lambda: gaussian(120, 100), 18_800_000),
    "covariances": (lambda: gaussian(4, 2, h=40), 77_000_000),
    "sums of outsiders": (lambda: gaussian(5, 1, h=2), 2_900_000_000),
    "boxes of targets": (lambda: gaussian(5, 4, h=2), 50_700_000),
    "layer": (lambda: layer(40, 20, 20), 4_640_000),
    "wide layer": (lambda: layer(10, 20, 1, wide), 18_400_000),
    "shifts": (lambda: RowsApart(waves(10**6), Fraction(1, 10**9)), 97_100_000),
    "frequencies": (lambda: RowsApart(waves(2, 2000), None, (0, 1), Fraction(9)), 1_730_000),
    "half steps": (lambda: RowsApart(waves(2, 2000), Fraction(1)), 48_400_000),
    "pairs": (lambda: RowsApart(TableRows(NUMBERS.standard_normal((2000, 2))), Fraction(1, 10**9)), 62_800_000),
    "near pairs": (lambda: RowsApart(TableRows(NUMBERS.standard_normal((150, 2))), Fraction(10**9), None), 17_400_000),
    "hashes": (lambda: RowsApart(TableRows(NUMBERS.standard_normal((20_000, 3))), Fraction(0)), 10_300_000),
    "collisions": (lambda: RowsApart(TableRows(colliding(200)), Fraction(0)), 76_600_000),
    "singular values": (lambda: spectrum(300, 200), 18_800_000),
    "low rank": (lambda: near_low_rank(200, 300), 15_300_000),
    "long rows": (lambda: RowsApart(TableRows(NUMBERS.standard_normal((40, 4000))), Fraction(0)), 783_000),
    "two long rows": (lambda: RowsApart(TableRows(NUMBERS.standard_normal((2, 9000))), Fraction(1, 10**9)), 7_690_000),
    "near long rows": (lambda: RowsApart(TableRows(NUMBERS.standard_normal((40, 2000))), Fraction(10**9)), 124_000_000),
    "long keys": (lambda: WithinError(heads(100, 4000), Copy(0), HALF), 2_360_000),
    "many targets": (lambda: scaled(13, {"1/2": "1/2", "1": "1/2"}, range(13)), 333_000_000),
    "doubtful": (lambda: scaled(13, {"1": "1"} | {"1/2": "0"}, (0,), n=2), 41_300),
    "alone": (lambda: scaled(5, LAW, (0, 1), error=Fraction(2, 3)), 2_830_000),
    "many heads screened": (lambda: scaled(13, {"1/2": "1/2", "1": "1/2"}, h=60), 225_000_000),
    "all doubtful": (
        lambda: scaled(13, {"1/2": "1/2", "1": "1/2"}, (0,), size=0.0, error=Fraction(12, 13)),
        303_000_000,
    ),
    "many targets of a query": (
        lambda: OutOfReach(
            np.zeros((301, 1)),
            Average(*range(300)),
            Fraction(1, 10**4),
            tuple((i, 300, Fraction(1)) for i in range(300)),
        ),
        1_142_000,
    ),
    "long contradiction": (
        lambda: GoalsContradict(
            np.zeros((31, 1)), {0: Copy(0)}, HALF, tuple((0, 0, j + 1, x) for j, x in enumerate(odd(30)))
        ),
        1_480_000,
    ),
    "wide mix": (
        lambda: WithinError(Heads(np.ones((2, 1)), np.ones((60, 1)), np.abs(wide(60)), Fraction(1)), Copy(0), THIRD),
        1_140_000,
    ),
    "long bound": (lambda: WeightBound(heads(4), np.arange(4.0), "at most", odd(1, 13_000)[0] + 9), 402_000),
    "weights of a hull": (
        lambda: GapNorm(wide((300, 1)), Top(0), Fraction(1), Fraction(1), Fraction(1), np.abs(wide(300))),
        5_770_000,
    ),
    "shares of a row": (lambda: contradicting(400), 30_300_000),
    "moved": (lambda: Withstands(heads(300, 300, 2), Copy(0), Fraction(1, 10**9), Region(THIRD, "box")), 4_150_000),
    "identities": (lambda: block(5, 3), 6_970_000),
    "wide identities": (lambda: block(3, 2, 1, 0, wide), 10_300_000),
    "hidden units": (lambda: block(2, 1, 1, 300), 15_400_000),
    "compared": (lambda: compared(300, 2, 300), 30_600_000),
    "compared exactly": (lambda: compared(100, 200, 1, 2.0**60), 40_890_000),
    "a run of a program": (lambda: later(lambda p: p.count(p.tokens.matches(p.tokens))), 14_160_000),
    "a sum of long means": (lambda: later(lambda p: p.mean(None, p.mean(p.before(), p.indices))), 32_953_000),
    "many labels chosen": (
        lambda: later(lambda p: p.count(p.tokens.among(LETTERS)), 30, LETTERS),
        19_150_000,
    ),
    "a map of many labels": (lambda: later(lambda p: p.map(lambda token: "x", p.tokens), 30, LETTERS), 590_000),
    "a compiled count": (lambda: compiled(lambda p: p.count(p.tokens.matches(p.tokens)), 60), 13_760_000),
    "a compiled pick": (
        lambda: compiled(lambda p: p.pick(p.at(p.indices - 1), p.tokens, default="?"), 100),
        16_010_000,
    ),
    "a compiled sum": (lambda: compiled(lambda p: p.count(p.tokens.among("a")) * 2 > p.indices, 60), 4_366_000),
    "compared values": (lambda: compared(50, 1, 1, 2.0**60, width=200), 10_210_000),
}

COSTLY = {make().kind for make, _ in CLAIMS.values()}
for kind, claim in EVERY.items():
    if kind not in COSTLY:  # made anew, as what they computed is kept
        CLAIMS[kind] = (lambda claim=claim: type(claim).from_parts(claim.arrays(), claim.fields()), 1)


STEPS = {
    "a singular covariance": (lambda: GaussianKeys(np.ones((1, 40)), cov=singular(40)), 14_400_000),
    "a null space": (lambda: null_vectors(wide((5, 6))), 126_000),
    "an exact system": (lambda: null_weights(np.array([[1.0], [-3.0]]), np.array([0.7, 0.2])), 3_120),
    "an integral": (lambda: balls.logistic_mean([(balls.exact(0), balls.exact(3))]), 2_410_000),
    "a sum of long shares": (lambda: Blend(dict(enumerate(odd(30)))), 593_000),
    "a law of long chances": (lambda: ScaledKeys(np.eye(2), {0: LAW}), 34_300),
    "a long rational": (lambda: inputs.rational("7" * 4000, name="x"), 746_000),
    "codes": (lambda: stored_or_not(NUMBERS.standard_normal((40, 50)).round(2).astype(np.float16)), 300_000),
    "a polynomial": (lambda: (balls.RationalFunction.symbol("n") + 1) ** 9, 20_600),
}


def made(name):
    NUMBERS.bit_generator.state = FRESH
    return CLAIMS[name][0]()


def counted(claim):
    with budget.within(math.inf) as purse:
        claim.prove()
    return purse.spent


@pytest.mark.parametrize("name", [*CLAIMS, *STEPS])
def test_costly_steps_are_counted(name):
    if name in CLAIMS:
        assert counted(made(name)) >= CLAIMS[name][1]
        return
    NUMBERS.bit_generator.state = FRESH
    with budget.within(math.inf) as purse:
        STEPS[name][0]()
    assert purse.spent >= STEPS[name][1]


ONE_OF_EACH = {made(name).kind: name for name in CLAIMS}


@pytest.mark.parametrize("name", ONE_OF_EACH.values(), ids=ONE_OF_EACH)
def test_a_claim_beyond_the_budget_is_undecided_and_a_larger_budget_decides_it(name, tmp_path):
    claim = made(name)
    verdict = claim.prove()
    save(tmp_path / "claim", verdict)
    with budget.within(math.inf) as purse:
        load(tmp_path / "claim")
    half = purse.spent + counted(made(name)) // 2
    short = verify(tmp_path / "claim", budget=half)
    assert short.status == "undecided"
    assert "budget" in short.reason
    assert "`budget`" in short.next_step
    assert short.record.kind == claim.kind
    assert verify(tmp_path / "claim", budget=3 * half).status == verdict.status
    assert verify(tmp_path / "claim").status == verdict.status  # all of these are far below the default


def test_every_kind_of_claim_is_here():
    assert set(ONE_OF_EACH) == set(KINDS)


def test_the_count_is_the_same_every_time_and_in_every_thread():
    counts = [counted(made(name)) for name in ("ties", "cells", "pairs")]
    found = []
    threads = [Thread(target=lambda: found.append([counted(made(name)) for name in ("ties", "cells", "pairs")]))]
    for thread in threads:  # one after the other: flint has one precision for all
        thread.start()
        thread.join()
    assert found == [counts]


def test_without_a_budget_nothing_is_bounded():
    claim = made("mixed heads")
    with budget.within(1000), pytest.raises(budget.OverBudget):
        claim.prove()
    assert claim.prove().status in ("proved", "refuted", "undecided")


def test_the_precision_is_as_before_after_the_budget_ended_a_proof():
    from flint import ctx

    before = ctx.prec
    with budget.within(counted(made("ties")) // 2), pytest.raises(budget.OverBudget):
        made("ties").prove()
    assert ctx.prec == before


HOSTILE = {
    "heads": lambda: WithinError(heads(10**5, 1, 10**5), Copy(0), HALF),
    "tokens": lambda: GoalsContradict(np.ones((10**5, 1)), {0: Copy(0)}, HALF, ((0, 0, 1, Fraction(1)),)),
    "a long hull": lambda: HullsMeet(wide((4, 30)), Top(0, 1), (0, 1, 2, 3), (2**60_000_001 + 1, 1) * 2),
    "block": lambda: block(100, 1, make=wide),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_claim_ends_at_the_default_budget_before_it_begins(name):
    """Each asks for hours or for more memory than there is, in one step that is counted before it is taken."""
    claim = HOSTILE[name]()
    with budget.within(), pytest.raises(budget.OverBudget):
        claim.prove()
