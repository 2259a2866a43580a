"""equivariance of a Block: proved or refuted in exact arithmetic, and called like any function where that cannot be."""

import doctest
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import headwright as hw
from headwright.search.positions import equivariance
from tests.facts import says

N, D = 6, 4


@pytest.fixture
def x(rng):
    return rng.normal(size=(N, D))


def block(rng, **more):
    maps = [rng.normal(size=shape) for shape in ((2, 3, D), (2, 3, D), (2, 5, D), (2, D, 5))]
    return hw.Block(*maps, **more)


def test_a_block_is_proved_or_refuted_exactly(rng, x):
    given, x = block(rng), x[:3]
    proved = equivariance(given, x)
    assert proved.status == "proved"
    assert says(proved.scope, 3, 4)
    for more in ({"causal": True}, {"positions": "sinusoidal"}, {"positions": rng.normal(size=(N, D))}):
        verdict = equivariance(replace(given, **more), x)
        assert verdict.status == "refuted"
        assert verdict.record is not None
        assert verdict.record.prove().status == "refuted"
        assert "assum" not in str(verdict)
    assert equivariance(replace(given, positions=np.ones((N, D))), x).status == "proved"
    assert equivariance(replace(given, causal=True, output=np.zeros((2, D, 5))), x).status == "proved"


def test_a_block_that_is_blind_at_x_is_refuted_elsewhere(rng):
    """At x = 0 all rows are equal, and a causal mask shows nothing: another input is found."""
    verdict = equivariance(block(rng, causal=True), np.zeros((3, D)))
    assert verdict.status == "refuted"
    assert verdict.record.input.any()


LARGE = [{"causal": True}, {"positions": "sinusoidal"}, {"causal": True, "norm_first": True}]


@pytest.mark.parametrize("more", LARGE)
@pytest.mark.parametrize("size", [1e30, 1e200])
@pytest.mark.filterwarnings("error")
def test_weights_too_large_for_floats_are_refuted_exactly(rng, size, more):
    """Scores leave the range of float64; exact arithmetic, at an input that it or floats can judge, decides all the same."""
    norms = {"norm_scale": np.ones((2, 2)), "norm_shift": np.zeros((2, 2))} if "norm_first" in more else {}
    verdict = equivariance(hw.Block(*(size * rng.normal(size=(4, 1, 2, 2))), **more, **norms), rng.normal(size=(3, 2)))
    assert verdict.status == "refuted"
    assert verdict.record.prove().status == "refuted"


@pytest.mark.filterwarnings("error")
def test_weights_too_large_for_floats_and_for_a_witness(rng, monkeypatch):
    """A mask behind norms of scale 0 has no witness, and calls fail: Undecided, with what they raised."""
    from headwright.theories.order import block_equivariant

    weights, x = 1e200 * rng.normal(size=(4, 1, 2, 2)), rng.normal(size=(3, 2))
    flat = {"norm_scale": np.zeros((2, 2)), "norm_shift": np.ones((2, 2))}
    verdict = equivariance(hw.Block(*weights, causal=True, **flat), x)
    assert verdict.status == "undecided"
    assert verdict.reason
    assert says(verdict.reason, "float64")
    assert verdict.evidence is None
    monkeypatch.setattr(block_equivariant, "_MOST_TERMS", 1)
    plain = equivariance(hw.Block(*weights), x)
    assert plain.status == "undecided"
    assert says(plain.reason, "float64")
    assert plain.reason


def test_a_large_block_is_called_as_it_is(rng):
    x = rng.normal(size=(2, 90, D))
    verdict = equivariance(block(rng), x, trials=5)
    assert verdict.status == "undecided"
    assert verdict.reason
    assert verdict.evidence["permutations tried"] == 5
    assert equivariance(block(rng, causal=True), x, trials=5).status == "refuted"


def test_a_block_without_order_is_never_refuted(rng):
    """Called in float16 with nothing allowed, a large block has a defect; the theorem says that it is rounding."""
    x = rng.normal(size=(90, D)).astype(np.float16)
    verdict = equivariance(block(rng), x, allowance=0, trials=5)
    assert verdict.status == "undecided"
    assert verdict.evidence["largest defect"] > 0


def test_what_no_method_decides_is_undecided(rng, x):
    """A mask behind norms of scale 0: true, by no identity; calls show no defect."""
    hidden = block(rng, causal=True, norm_scale=np.zeros((2, D)), norm_shift=np.ones((2, D)))
    verdict = equivariance(hidden, x)
    assert verdict.status == "undecided"
    assert verdict.reason
    assert verdict.evidence["largest defect"] == 0


def test_a_block_and_an_x_that_do_not_fit(rng, x):
    with pytest.raises(ValueError, match=r"`x`.*\(\.\.\., n, 4\)"):
        equivariance(block(rng), x[:, :3])
    with pytest.raises(ValueError, match=r"`x`.*`positions`"):
        equivariance(block(rng, positions=np.ones((5, D))), x)


def test_the_page_on_order_prints_what_it_says():
    page = Path(__file__).parents[2] / "docs" / "theory" / "order.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted >= 10
    assert result.failed == 0


def test_a_block_too_large_for_balls_is_undecided_with_what_calls_show(rng, x, monkeypatch):
    from headwright.theories.order import block_equivariant

    monkeypatch.setattr(block_equivariant, "_MOST_PRODUCTS", 1)
    verdict = equivariance(block(rng, causal=True), x)
    assert verdict.status == "undecided"
    assert "an assumption" in verdict.reason
    assert verdict.evidence["largest defect"] > verdict.evidence["allowance"]
