"""Whole layers: Q, K and V for tokens of your own, five times - of rank one, causal, of two heads, and two that cannot be."""

import numpy as np

import headwright as hw

rng = np.random.default_rng(0)


def a_rank_one_layer() -> None:
    """Tokens on a circle: one direction to ask with and one to be found by are enough for three rows."""
    angles = np.linspace(0, 2 * np.pi, 9)[:-1]
    tokens = np.column_stack([np.cos(angles), np.sin(angles)])
    show("a rank-1 layer", hw.design_layer(tokens, {0: hw.Copy(2), 1: hw.Copy(2), 4: hw.Copy(6)}, rank=1))


def a_causal_layer() -> None:
    """Each token attends to the one before it, and yields its first coordinate."""
    tokens = rng.standard_normal((8, 12))
    goals = {row: hw.Copy(row - 1) for row in range(1, 8)}
    show("a causal layer", hw.design_layer(tokens, goals, {row: tokens[row - 1, :1] for row in goals}, causal=True))


def a_two_head_layer() -> None:
    """Averages of two by two heads, each of which copies one of them."""
    tokens = rng.standard_normal((6, 10))
    goals = {0: hw.Average(1, 2), 3: hw.Average(4, 5), 4: hw.Copy(0)}
    show("a two-head layer", hw.design_layer(tokens, goals, error="0.001", heads=2))


def a_refusal_by_dependency() -> None:
    """x_2 = x_0 + x_1, so that whatever V is, V x_2 = V x_0 + V x_1; the wanted outputs are not so."""
    tokens = np.array([[1.0, 2.0], [3.0, -2.0], [4.0, 0.0], [-9.0, 5.0]])
    goals = {row: hw.Copy(row) for row in range(3)}
    show_refusal("a refusal by dependency", tokens, goals, {0: [1.0], 1: [1.0], 2: [3.0]})


def a_refusal_by_hull() -> None:
    """Token 4 lies between the others: no query of row 1, whatever Q and K are, attends to it alone."""
    tokens = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [5.0, 5.0], [2.0, 1.0]])
    show_refusal("a refusal by hull", tokens, {0: hw.Copy(3), 1: hw.Copy(4)}, None)


def show(name: str, layer: hw.Layer) -> None:
    print(f"\n{name}\n{layer!r}\n{layer.verdict}")


def show_refusal(name: str, tokens: np.ndarray, goals: dict, outputs: dict | None) -> None:
    try:
        hw.design_layer(tokens, goals, outputs)
    except hw.Unreachable as refusal:
        print(f"\n{name}\n{refusal.reason}\n{refusal.verdict}")
        print("witness:", dict(zip(refusal.witness.indices, map(str, refusal.witness.weights), strict=True)))


a_rank_one_layer()
a_causal_layer()
a_two_head_layer()
a_refusal_by_dependency()
a_refusal_by_hull()
