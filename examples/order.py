"""Does it follow the order of its tokens? Proofs about blocks, and reports on functions that can only be called."""

from dataclasses import replace

import numpy as np

import headwright as hw

rng = np.random.default_rng(0)
tokens = rng.normal(size=(3, 4))
block = hw.Block(
    *rng.normal(size=(4, 2, 4, 4)),  # query, key, value, output: two heads of width four
    inner=rng.normal(size=(8, 4)),
    outer=rng.normal(size=(4, 8)),
    norm_scale=np.ones((2, 4)),
    norm_shift=np.zeros((2, 4)),
    activation="gelu",
    scale=0.5,
)


def blocks() -> None:
    """Without order: a proof for all inputs. With a mask or positions: one input where it fails, checked without tolerance."""
    show("a block", hw.position.equivariance(block, tokens))
    show("the same, causal", hw.position.equivariance(replace(block, causal=True), tokens))
    show("the same with positions", hw.position.equivariance(replace(block, positions="sinusoidal"), tokens))
    show("with three equal positions", hw.position.equivariance(replace(block, positions=np.ones((3, 4))), tokens))


def functions() -> None:
    """Known by calls alone: a report on the largest defect, beside an assumed rounding; chance is distinguished from order."""
    x = rng.normal(size=(6, 4))
    show("centring", hw.position.equivariance(lambda x: x - x.mean(axis=0), x))
    show("running sums", hw.position.equivariance(lambda x: x.cumsum(axis=0), x))
    show("noise", hw.position.equivariance(lambda x: x + rng.normal(size=x.shape), x))


def show(name: str, verdict: hw.Proved | hw.Refuted | hw.Undecided) -> None:
    print(f"\n{name}\n{verdict}")


blocks()
functions()
