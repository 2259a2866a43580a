"""compare: shapes, grouped heads, causal queries, summaries, and inputs of every library."""

import json
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from tests.balls.test_compared_rows import exact_moves


def moved(rng, shape, by=0.1):
    keys = rng.standard_normal(shape)
    return keys, keys + by * rng.standard_normal(shape)


def encloses(comparison, exact):
    """Whether the bounds enclose exact numbers, in the order of the flattened arrays."""
    low, high = comparison.variation_low.ravel(), comparison.variation.ravel()
    return all(a <= row[0] <= b for a, b, row in zip(low, high, exact, strict=True))


@pytest.mark.parametrize("causal", [False, True])
def test_batches_and_groups(rng, causal):
    keys, stored = moved(rng, (2, 3, 6, 4))
    queries, values = rng.standard_normal((2, 6, 5, 4)), rng.standard_normal((2, 3, 6, 2))
    c = hw.compare(keys, stored, queries, values=values, causal=causal, scale="1/2")
    assert c.variation.shape == c.output_change.shape == c.winner_kept.shape == (2, 6, 5)
    exact = [
        row
        for b in range(2)
        for h in range(6)
        for row in exact_moves(
            keys[b, h // 2], stored[b, h // 2], queries[b, h], Fraction(1, 2), causal, values[b, h // 2]
        )
    ]
    assert encloses(c, exact)
    assert all(
        low <= row[1] <= high
        for low, high, row in zip(c.output_change_low.flat, c.output_change.flat, exact, strict=True)
    )
    assert c.worst.value.low <= max(row[0] for row in exact) <= c.worst.value.high
    assert exact[int(np.ravel_multi_index(c.worst.where, c.variation.shape))][0] == max(row[0] for row in exact)


@pytest.mark.parametrize(
    ("keys", "queries", "shape"),
    [
        ((5, 3), (3,), ()),
        ((5, 3), (4, 3), (4,)),
        ((2, 5, 3), (2, 3), (2,)),
        ((2, 5, 3), (4, 3), (4,)),
        ((2, 5, 3), (4, 1, 3), (4, 1)),
        ((1, 5, 3), (3, 2, 3), (3, 2)),
        ((2, 2, 5, 3), (2, 2, 3), (2, 2)),
        ((1, 1), (1, 1), (1,)),
        ((3, 3), (3, 3), (3,)),
    ],
)
def test_shapes(rng, keys, queries, shape):
    before, after = moved(rng, keys)
    c = hw.compare(before, after, rng.standard_normal(queries))
    assert c.variation.shape == shape
    assert c.worst.where == (0,) * len(shape) or len(c.worst.where) == len(shape)
    assert repr(c)
    assert c.claim("0.99").status == "proved"


def test_ties_are_kept_where_nothing_is_stored_otherwise():
    """Two keys share the largest score: kept if stored as they are, and open if both are moved, in a key set of their own."""
    tied, queries = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 1.0]])
    c = hw.compare(np.stack([tied, tied]), np.stack([tied, 1.5 * tied]), np.stack([queries, queries]))
    assert c.winner_kept.tolist() == [[True, True], [False, True]]
    assert not c.winner_changed.any()


def test_one_query_per_key_set_sees_all_keys(rng):
    keys, stored = moved(rng, (3, 5, 2))
    queries = rng.standard_normal((3, 2))
    one, other = (hw.compare(keys, stored, queries, causal=causal) for causal in (False, True))
    assert np.array_equal(one.variation, other.variation)
    assert encloses(one, [exact_moves(keys[i], stored[i], queries[i : i + 1])[0] for i in range(3)])


def test_summaries(rng):
    keys, stored = moved(rng, (20, 4), 0.3)
    c = hw.compare(keys, stored, rng.standard_normal((50, 4)))
    ordered = np.sort(c.variation)
    assert c.quantile(1).high == c.worst.value.high == ordered[-1]
    assert c.quantile("1/2").high == ordered[24]
    assert c.quantile("0.02").high == ordered[0]
    middle = float(ordered[24] + ordered[25]) / 2
    assert c.within(middle).exact == Fraction(1, 2)
    assert c.within(1).exact == 1
    assert c.claim(float(ordered[-1]) * 1.001).status == "proved"
    assert c.claim(middle).status == "refuted"
    assert len(c.table()["variation"]) == len(c.table()["query"]) == 50
    said = json.loads(json.dumps(c.to_dict()))
    assert said["queries"] == 50
    assert said["worst"]["where"] == list(c.worst.where)


def test_a_claim_can_be_saved_and_verified(rng, tmp_path):
    keys, stored = moved(rng, (2, 4, 3))
    c = hw.compare(keys, stored, rng.standard_normal((4, 3, 3)), values=keys, stored_values=stored, causal=True)
    for of in ("weights", "output"):
        hw.save(tmp_path / "kept.safetensors", c.claim("0.9", of=of))
        assert hw.verify(tmp_path / "kept.safetensors").status == "proved"


def test_where_float64_overflows_exact_scores_are_used(rng):
    keys = np.array([[1e300, 0.0], [1e300, 1.0], [0.0, 0.0]])
    stored = keys.copy()
    stored[1, 1] = 1.5
    queries = np.array([[0.0, 1.0], [1.0, 1e300], [1e-300, 1.0]])
    c = hw.compare(keys, stored, queries, values=keys)
    assert encloses(c, exact_moves(keys, stored, queries))
    assert (c.variation - c.variation_low <= 1e-9).all()
    assert not np.isnan(c.output_change).any()


@pytest.mark.parametrize("kind", ["float32", "float16"])
def test_narrow_numbers_are_taken_exactly(rng, kind):
    keys, stored = (part.astype(kind) for part in moved(rng, (6, 3)))
    queries = rng.standard_normal((4, 3)).astype(kind)
    wide = [part.astype(np.float64) for part in (keys, stored, queries)]
    assert np.array_equal(hw.compare(keys, stored, queries).variation, hw.compare(*wide).variation)


@pytest.mark.needs("torch")
def test_bfloat16_of_torch(rng):
    import torch

    keys, stored = (torch.from_numpy(part).to(torch.bfloat16) for part in moved(rng, (6, 3)))
    queries = torch.from_numpy(rng.standard_normal((4, 3))).to(torch.bfloat16)
    wide = [part.to(torch.float64) for part in (keys, stored, queries)]
    assert np.array_equal(hw.compare(keys, stored, queries).variation, hw.compare(*wide).variation)


@pytest.mark.parametrize(
    ("change", "error", "named"),
    [
        ({"keys": np.full((5, 3), np.nan)}, ValueError, "keys"),
        ({"keys": "text"}, TypeError, "keys"),
        ({"keys": np.zeros(3)}, ValueError, "keys"),
        ({"keys": np.zeros((0, 3)), "stored": np.zeros((0, 3))}, ValueError, "keys"),
        ({"stored": np.zeros((4, 3))}, ValueError, "stored"),
        ({"stored": np.zeros((5, 2))}, ValueError, "stored"),
        ({"stored": np.zeros((1, 5, 3))}, ValueError, "stored"),
        ({"queries": np.zeros((2, 4))}, ValueError, "queries"),
        ({"queries": np.zeros((2, 2, 3))}, ValueError, "queries"),
        (
            {"queries": np.zeros((3, 2, 3)), "keys": np.zeros((2, 5, 3)), "stored": np.zeros((2, 5, 3))},
            ValueError,
            "queries",
        ),
        ({"queries": np.zeros((6, 3)), "causal": True}, ValueError, "causal"),
        ({"causal": 1}, TypeError, "causal"),
        ({"scale": 0}, ValueError, "scale"),
        ({"scale": -1}, ValueError, "scale"),
        ({"scale": float("nan")}, ValueError, "scale"),
        ({"values": np.zeros((4, 3))}, ValueError, "values"),
        ({"stored_values": np.zeros((5, 3))}, ValueError, "stored_values"),
        ({"values": np.zeros((5, 3)), "stored_values": np.zeros((5, 2))}, ValueError, "stored_values"),
    ],
)
def test_wrong_calls_name_the_argument(change, error, named):
    given = {"keys": np.zeros((5, 3)), "stored": np.ones((5, 3)), "queries": np.ones((2, 3)), **change}
    with pytest.raises(error, match=f"`{named}`"):
        hw.compare(given.pop("keys"), given.pop("stored"), given.pop("queries"), **given)


@pytest.mark.parametrize(
    ("call", "named"),
    [(("quantile", 0), "p"), (("quantile", 2), "p"), (("claim", 0), "error"), (("claim", 1), "error")],
)
def test_wrong_summaries_name_the_argument(call, named):
    c = hw.compare(np.eye(2), 0.5 * np.eye(2), np.eye(2))
    with pytest.raises(ValueError, match=f"`{named}`"):
        getattr(c, call[0])(call[1])
    with pytest.raises(ValueError, match="`of`"):
        c.claim("0.1", of="output")


@pytest.mark.needs("matplotlib")
@pytest.mark.parametrize("count", [1, 7, 3000])
def test_it_is_drawn(rng, count):
    from headwright.faces.pictures import svg, variation_by_share

    keys, stored = moved(rng, (6, 3))
    stored[:, 0] = keys[:, 0]
    queries = rng.standard_normal((count, 3))
    queries[0, 1:] = 0  # moves no weight
    figure = hw.compare(keys, stored, queries).plot()
    (line,) = [line for line in figure.axes[0].lines if line.get_label() == "total variation"]
    x, y = line.get_data()
    assert x[-1] == 1
    assert (np.diff(y) >= 0).all()
    assert svg(figure).startswith("<svg")
    with pytest.raises(TypeError, match="`comparison`"):
        variation_by_share("comparison")
