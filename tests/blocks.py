"""Blocks with random numbers, for tests: every part there is, or some of them, and inputs of eighths."""

import headwright as hw

N, D, H, R, V, F = 3, 4, 2, 1, 5, 6  # all unequal: a transposition shows
PARTS = {
    "query": (H, R, D),
    "key": (H, R, D),
    "value": (H, V, D),
    "output": (H, D, V),
    "query_bias": (H, R),
    "key_bias": (H, R),
    "value_bias": (H, V),
    "output_bias": (D,),
    "inner": (F, D),
    "inner_bias": (F,),
    "outer": (D, F),
    "outer_bias": (D,),
    "norm_scale": (2, D),
    "norm_shift": (2, D),
}
ALL = tuple(PARTS)
BARE = ALL[:4]
NORMS = ("norm_scale", "norm_shift")


def block(rng, names=ALL, **more):
    return hw.Block(**{name: rng.normal(size=PARTS[name]) for name in names} | {"scale": 0.7} | more)


def witness(rng, n=N, d=D):
    return rng.integers(-8, 9, size=(n, d)) / 8
