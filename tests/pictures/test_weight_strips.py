"""Weights over draws: the bands are the weights, in one order; one head flips where two hold."""

from itertools import pairwise

import numpy as np
import pytest

import headwright as hw
from headwright.faces.pictures import weights_over_samples
from tests.facts import says

pytestmark = pytest.mark.needs("matplotlib")

N, T = 10, 40.0
ONE = T * (np.eye(N)[0] + np.eye(N)[1])
TWO = T * np.eye(N)[:2]
LENGTHS = hw.GaussianKeys(np.eye(N), along={0: 0.5})


def bands(axes):
    """Thickness of every band by its name, one number per column."""
    found = {}
    for patch in axes.patches:
        high, _, low = patch.get_data()
        found[patch.get_label()] = high - low
    return found


def test_one_head_flips_and_two_hold_the_average():
    figure = weights_over_samples(
        LENGTHS, {"one head": ONE, "two heads": TWO}, hw.Average(0, 1), error=0.1, mix="equal"
    )
    one, two = (bands(axes) for axes in figure.axes)
    assert list(one) == ["key 0", "key 1", "all other keys"]
    flipped = (one["key 0"] < 0.1) | (one["key 0"] > 0.9)
    assert np.count_nonzero(flipped) > 50
    assert 15 < np.count_nonzero(one["key 0"] > 0.9) < 45
    held = np.abs(two["key 0"] - 0.5) < 0.1
    assert np.count_nonzero(held) > 45
    assert figure.axes[0].get_title(loc="left").startswith("one head\n")
    count = np.count_nonzero(held)
    assert f"{count} of 60 draws within 0.1 of the goal" in figure.axes[1].get_title(loc="left")
    assert f"two heads: mean weight ± standard deviation of key 0 {two['key 0'].mean():.2f}" in figure.get_label()


def test_columns_fill_up_and_are_sorted_by_length():
    figure = weights_over_samples(LENGTHS, TWO, hw.Average(0, 1), samples=37, seed=4, mix="equal")
    (axes,) = figure.axes
    found = bands(axes)
    assert axes.get_title(loc="left") == "two heads"
    np.testing.assert_allclose(sum(found.values()), np.ones(37), atol=1e-15)
    assert (np.diff(found["key 0"]) >= 0).all()  # this weight grows with the key's length
    assert says(figure.get_label(), 0)


def test_strips_show_the_same_draws(rng):
    """Against an own loop over the same keys: the weights of every column, whatever the order."""
    model = hw.GaussianKeys(rng.normal(size=(6, 4)), isotropic=0.1)
    queries = rng.normal(size=(3, 4))
    goal = hw.Blend({4: 3, 1: 1})
    mixed = hw.Design(queries, [1.0, 2.0, 1.0], 0.5, goal, 0.1, np.full(6, 1 / 6))
    figure = weights_over_samples(model, {"first": queries[0], "mixed": mixed}, samples=9, seed=8)
    seeds = np.random.SeedSequence(8).generate_state(9)
    expected = []
    for seed in seeds:
        keys = model.sample(1, seed=int(seed))[0]
        heads = [np.exp(0.5 * keys @ q) / np.exp(0.5 * keys @ q).sum() for q in queries]
        first = np.exp(keys @ queries[0]) / np.exp(keys @ queries[0]).sum()
        expected.append((first[4], (heads[0][4] + 2 * heads[1][4] + heads[2][4]) / 4))
    expected.sort()
    got = np.stack([bands(axes)["key 4"] for axes in figure.axes], axis=1)
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_bands_differ_without_colour():
    figure = weights_over_samples(LENGTHS, TWO, hw.Average(0, 1, 2, 3), mix="equal")
    patches = figure.axes[0].patches
    looks = {(patch.get_hatch(), patch.get_facecolor()) for patch in patches}
    hatches = [patch.get_hatch() for patch in patches[:-1]]
    assert len(looks) == len(patches) == 5
    assert len(set(hatches)) == 4
    grey = [np.dot(patch.get_facecolor()[:3], [0.299, 0.587, 0.114]) for patch in patches[:-1]]
    assert min(abs(a - b) for a, b in pairwise(grey)) > 0.04
    marks = [line.get_ydata()[0] for line in figure.axes[0].lines]
    assert sorted(set(marks)) == [0.25, 0.5, 0.75]
    (legend,) = figure.legends
    named = [text.get_text() for text in legend.get_texts()]
    assert named == ["key 0", "key 1", "key 2", "key 3", "all other keys", "shares the goal asks for"]


def test_many_targets_share_a_band():
    figure = weights_over_samples(LENGTHS, TWO, hw.Average(*range(7)), samples=5, mix="equal")
    found = bands(figure.axes[0])
    assert list(found) == ["key 0", "key 1", "key 2", "key 3", "the goal's 3 other keys", "all other keys"]


def test_a_finite_law(rng):
    model = hw.ScaledKeys(np.eye(4), {0: {"1/2": "1/2", "3/2": "1/2"}})
    figure = weights_over_samples(model, 30 * (np.eye(4)[0] + np.eye(4)[1]), hw.Average(0, 1), samples=20)
    assert len(set(bands(figure.axes[0])["key 0"].round(9))) == 2


@pytest.mark.parametrize(
    ("model", "designs", "options", "kind", "words"),
    [
        (np.eye(N), ONE, {"goal": hw.Copy(0)}, TypeError, "`model`.*GaussianKeys"),
        (LENGTHS, ONE, {}, TypeError, "`goal`.*NoneType"),
        (LENGTHS, ONE, {"goal": hw.Top(0)}, TypeError, "`goal`.*Top"),
        (LENGTHS, ONE, {"goal": hw.Copy(N)}, ValueError, "`goal`.*10"),
        (LENGTHS, {}, {"goal": hw.Copy(0)}, ValueError, "`designs`.*0"),
        (LENGTHS, np.ones(3), {"goal": hw.Copy(0)}, ValueError, "`queries`"),
        (LENGTHS, ONE, {"goal": hw.Copy(0), "samples": 0}, ValueError, "`samples`"),
        (LENGTHS, ONE, {"goal": hw.Copy(0), "error": "x"}, ValueError, "`error`"),
    ],
)
def test_wrong_calls(model, designs, options, kind, words):
    with pytest.raises(kind, match=words):
        weights_over_samples(model, designs, **options, mix="equal")
