"""Positions: which are nearest, which coincide once they are stored, and what is proved of all of them."""

import numpy as np

import headwright as hw

rng = np.random.default_rng(0)


def two_dimensions() -> None:
    """sin t and cos t never repeat, but come near: 710 is almost 226π."""
    code = hw.position.sinusoidal(1_000_000, 2)
    print(f"{code}\n{hw.position.nearest_pair(code)}\n{hw.position.distinct(code)}")


def stored_in_narrow_types() -> None:
    """The same rows, each number rounded: from some length on, two positions are one."""
    code = hw.position.sinusoidal(4096, 2)
    for dtype in ("float32", "float16", "bfloat16"):
        near = hw.position.nearest_pair(code, dtype=dtype)
        print(f"\n{dtype}: rows {near.pair} at distance {near.distance:.3g}\n{hw.position.distinct(code, dtype=dtype)}")


def a_usual_size() -> None:
    """128 dimensions tell a million positions apart, and 4,096 of them in every type: neighbours are the nearest."""
    print(f"\n{hw.position.nearest_pair(hw.position.sinusoidal(1_000_000, 128))}")
    print(hw.position.distinct(hw.position.sinusoidal(4096, 128), dtype="bfloat16"))


def other_codes() -> None:
    """Rotations have the sinusoid's distances. A learned table is searched in all pairs. Linear biases are one too."""
    table = rng.normal(size=(2000, 32)) * 0.02
    biases = np.asarray(hw.position.alibi(128, 8))
    for code in (hw.position.rotary(8192, 64, base=500_000.0), hw.position.learned(table), biases):
        near = hw.position.nearest_pair(code)
        print(f"\n{near}\n{near.verdict}")


two_dimensions()
stored_in_narrow_types()
a_usual_size()
other_codes()
