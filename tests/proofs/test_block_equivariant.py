"""One claim about blocks: f(Px) = P f(x). Proved where nothing knows one row from another; refuted at points that re-check."""

import json
from dataclasses import replace
from itertools import permutations

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import claim_of, load
from headwright.theories.order import block_equivariant as module
from headwright.theories.order.block_equivariant import BlockEquivariant
from headwright.theories.order.block_identities import commutes
from headwright.theories.order.block_parts import sinusoidal_table
from tests import second_opinion_equivariance as written_out
from tests.blocks import ALL, BARE, NORMS, PARTS, D, H, N, V, block, witness
from tests.facts import says
from tests.second_opinion import judge


def refutation(rng, given, order=(1, 2, 0)):
    return BlockEquivariant(given, N, witness(rng), order).prove()


@pytest.mark.parametrize("names", [BARE, ALL[:8], BARE + ALL[8:12], BARE + NORMS, ALL])
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("residual", [False, True])
def test_a_block_that_knows_no_order_is_proved(rng, names, norm_first, residual):
    given = block(rng, names, norm_first=norm_first, residual=residual, activation="gelu" if residual else "relu")
    verdict = BlockEquivariant(given, N).prove()
    assert verdict.status == "proved"
    assert judge(verdict.record) == "true"
    assert says(verdict.scope, 3, 4)


@pytest.mark.parametrize(("n", "d", "h"), [(2, 2, 1), (2, 3, 3), (3, 2, 2), (4, 3, 1), (4, 4, 2), (5, 1, 1)])
def test_small_shapes_are_proved(rng, n, d, h):
    maps = [rng.normal(size=(h, *shape)) for shape in ((2, d), (2, d), (3, d), (d, 3))]
    assert BlockEquivariant(hw.Block(*maps), n).prove().status == "proved"


@pytest.mark.parametrize(
    "knows",
    [
        {"causal": True},
        {"positions": "sinusoidal"},
        {"positions": np.arange(24.0).reshape(6, 4)},
        {"causal": True, "positions": "sinusoidal"},
    ],
)
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_a_block_that_knows_the_order_is_refuted(rng, knows, norm_first, activation):
    given = block(rng, norm_first=norm_first, activation=activation, **knows)
    verdict = refutation(rng, given)
    assert verdict.status == "refuted"
    assert BlockEquivariant(given, N).prove().status == "undecided"  # a failed proof is no refutation
    point = verdict.counterexample
    order, row, column = list(point["permutation"]), point["row"], point["column"]
    assert order == [1, 2, 0]
    assert given(point["input"][order])[row, column] == pytest.approx(sum(point["f(Px)"]) / 2, abs=1e-9)
    assert given(point["input"])[order][row, column] == pytest.approx(sum(point["P f(x)"]) / 2, abs=1e-9)
    assert rechecked(verdict) >= verdict.bound > 0
    assert ("causal mask" in verdict.reason) == given.causal
    assert ("positions" in verdict.reason) == (given.positions is not None)


def rechecked(verdict):
    """How far the two entries are apart in mpmath, from the stored numbers alone; both lie between the stored ends."""
    arrays, fields, point = verdict.record.arrays(), verdict.record.fields(), verdict.counterexample
    with mpmath.workdps(50):
        numbers = {name: written_out._nested(array) for name, array in arrays.items()}
        x, order = numbers.pop("input"), fields["permutation"]
        moved = written_out.values(numbers, fields, [x[k] for k in order])[point["row"]][point["column"]]
        plain = written_out.values(numbers, fields, x)[order[point["row"]]][point["column"]]
        assert point["f(Px)"][0] <= moved <= point["f(Px)"][1]
        assert point["P f(x)"][0] <= plain <= point["P f(x)"][1]
        return abs(moved - plain)


def test_the_entry_that_differs_most_is_named(rng):
    given = block(rng, causal=True)
    verdict = refutation(rng, given)
    order, x = [1, 2, 0], verdict.record.input
    apart = np.abs(given(x[order]) - given(x)[order])
    assert (verdict.counterexample["row"], verdict.counterexample["column"]) == np.unravel_index(
        apart.argmax(), apart.shape
    )
    assert verdict.bound == pytest.approx(apart.max(), rel=1e-9)


@pytest.mark.parametrize("norm_first", [False, True])
def test_equal_positions_are_none(rng, norm_first):
    table = np.tile(rng.normal(size=D), (N, 1))
    given = block(rng, positions=np.vstack([table, rng.normal(size=(2, D))]), norm_first=norm_first)
    assert BlockEquivariant(given, N).prove().status == "proved"
    assert refutation(rng, given).status == "proved"
    assert BlockEquivariant(given, N + 1).prove().status == "undecided"  # the fourth position is another
    table[2, 1] = np.nextafter(table[2, 1], 9)  # no tolerance: one bit of one position
    assert BlockEquivariant(replace(given, positions=table), N).prove().status == "undecided"


@pytest.mark.parametrize("part", ["first two", "all but the last", "last"])
def test_one_generator_is_not_enough(rng, part):
    """Positions that a swap of the first two rows leaves as they are, and others."""
    table = np.ones((4, D))
    table[{"first two": slice(0, 2), "all but the last": slice(0, 3), "last": slice(3, 4)}[part]] += 1
    given = block(rng, positions=table)
    assert BlockEquivariant(given, 4).prove().status == "undecided"
    assert BlockEquivariant(given, 4, witness(rng, 4), (3, 2, 1, 0)).prove().status == "refuted"


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_mask_without_effect_is_proved(rng, norm_first):
    """The output map is 0, or values are one constant: weights, whatever they are, sum to 1."""
    silent = block(rng, causal=True, output=np.zeros((H, D, V)), norm_first=norm_first)
    constant = block(rng, causal=True, value=np.zeros((H, V, D)), norm_first=norm_first)
    for given in (silent, constant):
        assert refutation(rng, given).status == "proved"


def test_positions_without_effect_are_proved(rng):
    """No residual path, and heads that see the first two coordinates only, where the positions are 0."""
    maps = {name: rng.normal(size=PARTS[name]) for name in BARE}
    for name in ("query", "key", "value"):
        maps[name][:, :, 2:] = 0
    table = np.hstack([np.zeros((N, 2)), rng.normal(size=(N, 2))])
    given = hw.Block(**maps, positions=table, residual=False)
    assert refutation(rng, given).status == "proved"
    assert refutation(rng, replace(given, residual=True)).status == "refuted"
    for name in ("query", "key", "value"):  # each of them can tell the positions, if it looks
        seeing = maps[name].copy()
        seeing[1, 0, 3] = 1.0
        assert refutation(rng, replace(given, **{name: seeing})).status == "refuted"
    constant = replace(given, query=rng.normal(size=PARTS["query"]), value=np.zeros((H, V, D)))
    assert refutation(rng, constant).status == "proved"  # scores differ; values are all 0


def test_scores_are_compared_for_every_pair(rng):
    """QᵀK is antisymmetric on the first two coordinates, where the positions are: every token's score with itself is 0."""
    query, key = np.eye(2, D), np.array([[0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0]])
    value = np.eye(2, D, k=2)
    table = np.hstack([rng.normal(size=(N, 2)), np.zeros((N, 2))])
    given = hw.Block(query, key, value, rng.normal(size=(D, 2)), positions=table, residual=False)
    assert refutation(rng, given).status == "refuted"
    assert BlockEquivariant(given, N).prove().status == "undecided"


def test_one_head_is_enough_to_see(rng):
    """Only the last head's values carry anything: its mask counts; without it the first head's, of output 0, does not."""
    output = rng.normal(size=PARTS["output"])
    output[0] = 0
    given = block(rng, causal=True, output=output)
    assert refutation(rng, given).status == "refuted"
    assert BlockEquivariant(given, N).prove().status == "undecided"


@pytest.mark.parametrize("column", [0, 2])
def test_one_entry_is_enough_to_see(rng, column):
    """A mask that shows in a single column of the output."""
    output = np.zeros(PARTS["output"])
    output[1, column] = rng.normal(size=V)
    verdict = refutation(rng, block(rng, BARE, causal=True, output=output))
    assert verdict.status == "refuted"
    assert verdict.counterexample["column"] == column


def test_a_norm_does_not_hide_positions(rng):
    """Norm first, no residual path: positions are seen through the norm alone."""
    given = block(rng, positions="sinusoidal", norm_first=True, residual=False)
    assert refutation(rng, given).status == "refuted"
    assert BlockEquivariant(given, N).prove().status == "undecided"


def test_what_norms_hide_is_undecided(rng):
    """Norms of scale 0 make every row the same: true, but not by these identities, and no point refutes it."""
    given = block(rng, BARE + NORMS, causal=True, norm_scale=np.zeros((2, D)))
    verdict = refutation(rng, given)
    assert verdict.status == "undecided"
    assert verdict.reason


def test_huge_scores_stay_finite(rng):
    """Scores of 10^40: the largest is taken off before the exponentials; beyond all precision nothing is said."""
    given = block(rng, BARE, causal=True, scale=1e40)
    assert refutation(rng, given).status == "refuted"
    wide = block(rng, BARE, causal=True, scale=1e300, query=1e300 * rng.normal(size=PARTS["query"]))
    assert refutation(rng, wide).status in ("refuted", "undecided")


def test_every_permutation_follows_from_two(rng):
    given = BlockEquivariant(block(rng), 4).block
    assert all(commutes(given, order) for order in permutations(range(4)))
    cycle, swap = (1, 2, 3, 0), (1, 0, 2, 3)
    reached = {tuple(range(4))}
    while True:
        more = {tuple(order[k] for k in step) for order in reached for step in (cycle, swap)} | reached
        if more == reached:
            break
        reached = more
    assert module._generators(4) == [swap, cycle]
    assert len(reached) == 24


def test_too_large_is_undecided(rng, monkeypatch):
    given = block(rng)
    monkeypatch.setattr(module, "_MOST_TERMS", 10)
    verdict = BlockEquivariant(given, N).prove()
    assert verdict.status == "undecided"
    assert verdict.reason
    assert refutation(rng, given).status == "undecided"  # at no input does it fail
    causal = replace(given, causal=True)
    assert refutation(rng, causal).status == "refuted"  # a point needs no identities
    monkeypatch.setattr(module, "_MOST_PRODUCTS", 10)
    assert refutation(rng, causal).status == "undecided"


def test_a_file_brings_it_back(rng, tmp_path):
    for name, given in {"proved": block(rng), "refuted": block(rng, BARE, causal=True, positions="sinusoidal")}.items():
        verdict = refutation(rng, given) if name == "refuted" else BlockEquivariant(given, N).prove()
        assert verdict.status == name
        hw.save(tmp_path / name, verdict)
        again = hw.verify(tmp_path / name)
        assert (again.status, again.claim) == (verdict.status, verdict.claim)
        assert isinstance(load(tmp_path / name), BlockEquivariant)
        assert judge(tmp_path / name) == {"proved": "true", "refuted": "false"}[name]
    assert (load(tmp_path / "refuted").block.positions == sinusoidal_table(N, D)).all()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"scale": 1}, "scale"),
        ({"scale": float("nan")}, "`scale`"),
        ({"norm_eps": 10**400}, "`norm_eps`"),
        ({"tokens": 1}, "`tokens`"),
        ({"tokens": 4}, "`input`"),
        ({"permutation": [0, 1, 1]}, "`permutation`.*0"),
        ({"causal": 1}, "`causal`"),
    ],
)
def test_parts_that_mean_nothing_are_refused(rng, changes, why):
    claim = BlockEquivariant(block(rng, BARE), N, witness(rng), (1, 0, 2))
    fields = json.loads(json.dumps(claim.fields())) | changes
    with pytest.raises((ValueError, TypeError), match=why):
        claim_of({"kind": claim.kind, **fields}, claim.arrays())


def test_wrong_calls_are_named(rng):
    given = block(rng, BARE, positions=rng.normal(size=(N, D)))
    with pytest.raises(ValueError, match=r"`tokens`.*`positions`"):
        BlockEquivariant(given, 4)
    with pytest.raises(ValueError, match=r"`input`.*`permutation`"):
        BlockEquivariant(given, N, witness(rng))
    with pytest.raises(ValueError, match="`scale`"):
        BlockEquivariant(replace(given, scale=2**60 + 1), N)
    assert BlockEquivariant(replace(given, scale=3), N).block.scale == 3.0


def test_half_types_are_held_exactly(rng):
    maps = [rng.normal(size=shape).astype(np.float16) for shape in ((2, 3), (2, 3), (2, 3), (3, 2))]
    claim = BlockEquivariant(hw.Block(*maps), 2)
    assert all((claim.block.arrays()[name][0] == array).all() for name, array in zip(BARE, maps, strict=True))
    assert claim.prove().status == "proved"


@pytest.mark.needs("torch")
def test_torch_parameters_are_held_exactly(rng):
    import torch

    maps = [torch.tensor(rng.normal(size=s)).bfloat16() for s in ((2, 3), (2, 3), (2, 3), (3, 2))]
    claim = BlockEquivariant(hw.Block(*maps), 2)
    assert claim.block.query.dtype == np.float64
    assert (claim.block.query[0] == maps[0].double().numpy()).all()
    assert claim.prove().status == "proved"
