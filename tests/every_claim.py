"""One small claim of every kind that certificates know, for tests of what all claims have in common."""

from fractions import Fraction

import numpy as np

import headwright as hw
from headwright.kernel.combined import AllOf, Contrary
from headwright.reading.formulas import parse
from headwright.search.compile.compile import compile as compile_program
from headwright.search.random_keys.outcome import heads_of
from headwright.theories.formulas.forms import Range
from headwright.theories.formulas.inequality import Inequality
from headwright.theories.formulas.lead_decides import LeadDecides
from headwright.theories.order.block_equivariant import BlockEquivariant
from headwright.theories.positions.row_sets import WaveRows
from headwright.theories.positions.rows_apart import RowsApart
from headwright.theories.positions.waves import Waves
from headwright.theories.programs.needs_later import NeedsLater
from headwright.theories.random_keys.weight_variance import WeightVariance
from headwright.theories.stored_keys.kept_on_ball import KeptOnBall

KEYS = np.array([[1.0, 0.25], [0.5, -1.0], [0.0, 2.0]])
QUERY = np.array([6.0, -1.0])
LINE = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])


def _refusal(make):
    try:
        make()
    except hw.Unreachable as refusal:
        return refusal.verdict
    raise AssertionError("this was meant to be unreachable")


def _verdicts():
    """Proved and Refuted, so that counterexamples of every make are among them."""
    tokens = np.eye(3)
    block = hw.Block(np.eye(2), np.eye(2), np.eye(2), np.eye(2))
    matrix = np.array([[3.0, 0.0], [4.0, 5.0]])
    span = np.eye(3)[:, :2]
    yield hw.certify(KEYS, QUERY, hw.Copy(0), error="0.001")
    yield hw.certify(KEYS, QUERY, hw.Copy(0), error="0.2", radius="0.5")
    yield hw.certify(KEYS, QUERY, of=1, at_least="0.9")
    yield hw.certify(np.stack([KEYS, -KEYS]), QUERY, hw.Average(0, 1), error="0.2").whole
    yield hw.design(KEYS, hw.Copy(0)).optimality
    yield hw.design(KEYS, hw.Copy(0), max_norm=2).optimality
    yield _refusal(lambda: hw.design(LINE, hw.Copy(1)))
    yield _refusal(lambda: hw.design(KEYS, hw.Copy(0), radius=[0.9, 0.1, 9.0], norm="ball"))
    yield hw.certify(KEYS, QUERY, hw.Top(0), gap="1000")
    yield _refusal(lambda: hw.design(LINE, hw.Top(1)))
    yield hw.design(KEYS, hw.Top(0)).optimality
    yield hw.readout(span[:, :1], against=span[:, 1:]).verdict
    yield _refusal(lambda: hw.readout(span, against=span[:, :1]))
    yield hw.certify(
        hw.GaussianKeys(np.eye(3), along={0: 0.25}, factors={1: 0.25 * np.ones((3, 1))}, cov=np.eye(3) / 64),
        9 * np.eye(3)[0],
        hw.Copy(0),
        error="0.1",
        confidence="0.3",
    )
    yield hw.design_layer(tokens, {0: hw.Copy(2), 1: hw.Average(0, 1)}, outputs={0: np.ones(2)}).verdict
    opposite = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    yield _refusal(lambda: hw.design_layer(opposite, {0: hw.Copy(2), 1: hw.Copy(2)}))
    yield _refusal(
        lambda: hw.design_layer(tokens, {0: hw.Copy(2), 1: hw.Copy(2)}, outputs={0: np.ones(1), 1: np.zeros(1)})
    )
    yield RowsApart(WaveRows("sinusoidal", Waves(20, 4, Fraction(10000))), Fraction(2)).prove()
    yield hw.spectrum.singular_values(matrix).verdict
    yield hw.spectrum.low_rank(matrix, 1).verdict
    yield BlockEquivariant(block, 3, np.eye(3)[:, :2], (1, 0, 2)).prove()
    check = hw.problems.check
    yield check("A.1a", {"q": "log(n/eps)*k_1"})
    yield check("B.3b", {"q": "t*k_a"})
    yield check("D.b-ii", {"q": [1.0, 1.0] + [0.0] * 8})
    yield check("E.1c", {"q": "beta*(k_i + k_j)"})
    yield check("E.1d", {"M": "2*S*S'"})
    yield check("A.3c", {"M": "svd_part(A, k)"})
    yield check("B.3e-ii", {"Q": "I", "K": "I", "V": "I"})
    yield Inequality(
        parse("n - x^2", names=["n", "x"]).root,
        ">=",
        {"n": Range(2), "x": Range(0, 9)},
        point={"n": Fraction(3), "x": Fraction(2)},
    ).prove()
    yield AllOf(
        (hw.certify(KEYS, QUERY, hw.Copy(0), error="0.2").record, hw.certify(KEYS, QUERY, of=1, at_least="0.9").record)
    ).prove()
    holding = [hw.certify(KEYS, QUERY, of=0, at_least=least).record for least in ("1/2", "1/3")]
    yield Contrary(*holding).prove()
    yield hw.spectrum.energy(matrix).verdict
    yield hw.spectrum.tail(matrix, 1).verdict
    noisy = hw.GaussianKeys(np.eye(3), along={0: 0.5})
    yield WeightVariance(
        noisy, heads_of(np.eye(3), 2 * np.eye(3)[0]), np.eye(3)[0], "at least", Fraction(1, 100)
    ).prove()
    yield LeadDecides(enough=((Fraction(1), 1, 1),), needed=((Fraction(1), 0, 1),)).prove()
    yield hw.compare(KEYS[None], 0.75 * KEYS[None], [[QUERY, -QUERY]], values=KEYS[None]).claim("0.1", of="output")
    program = hw.Program("ab", length=4)
    same = program.count(program.tokens.matches(program.tokens) & program.at(program.indices + 1))
    yield NeedsLater(program.written(), same.number, 1, "aab", "aaa").prove()
    yield compile_program(program, program.count(program.tokens.matches(program.tokens))).verdict
    yield KeptOnBall(KEYS[None], 0.75 * KEYS[None], "0.1", 1, "1/4", tried=[QUERY]).prove()


CLAIMS = {verdict.record.kind: verdict.record for verdict in _verdicts()}
