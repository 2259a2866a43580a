"""The number type that a result was computed in, read off its numbers."""

import numpy as np
import pytest

from headwright.search.positions.black_box import held_in, unit


def bfloat16(values):
    """Rounded towards 0: the upper half of float32."""
    return (values.astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32).astype(np.float64)


def test_the_coarsest_type_that_holds_all(rng):
    values = rng.normal(size=(5, 4))
    assert held_in(values) is None
    assert held_in(values.astype(np.float32).astype(float)) == ("float32", 2.0**-23)
    assert held_in(values.astype(np.float16).astype(float)) == ("float16", 2.0**-10)
    assert held_in(bfloat16(values)) == ("bfloat16", 2.0**-7)
    assert held_in(bfloat16(values).T) == ("bfloat16", 2.0**-7)  # however it lies in memory
    one_finer = bfloat16(values)
    one_finer[2, 1] = 1 / 3
    assert held_in(one_finer) is None
    assert held_in(bfloat16(values) * 2.0**40) == ("bfloat16", 2.0**-7)  # beyond float16, and all integers
    assert held_in(bfloat16(values) * 2.0**200) is None  # beyond float32


def test_integers_and_coarse_grids_are_no_half_type(rng):
    whole = rng.integers(-8, 9, size=(5, 4)).astype(float)
    whole[0, :2] = 8, 1
    assert held_in(whole) is held_in(1e6 * whole) is held_in(0 * whole) is None
    assert held_in(whole / 16) == held_in(whole / 3 // 0.125 * 0.125 + 0.125) == ("float32", 2.0**-23)
    edge = np.array([255.0, 1.0]) / 256  # eight bits from the first to the last
    assert held_in(edge) == ("float32", 2.0**-23)
    assert held_in(np.array([255.0, 0.5]) / 256) == ("bfloat16", 2.0**-7)


@pytest.mark.parametrize(("kind", "own"), [("f2", 2.0**-10), ("f4", 2.0**-23), ("f8", 2.0**-52), ("i4", 0), ("?", 0)])
def test_units_of_types(kind, own):
    assert unit(np.zeros(2, dtype=kind)) == own


@pytest.mark.needs("torch")
def test_units_of_torch_types():
    import torch

    assert unit(torch.zeros(2, dtype=torch.bfloat16)) == 2.0**-7
    assert unit(torch.zeros(2).to(torch.float8_e4m3fn)) == 0.25
