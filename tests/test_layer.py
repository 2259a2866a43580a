"""A Layer computes what it says: against slow loops and torch, for its own and other tokens; and what it shows of itself."""

import json

import numpy as np
import pytest

import headwright as hw
from headwright import Layer
from tests.facts import says


def made(rng, *, heads=1, causal=False, n=5, d=4, r=2, v=3):
    """Random maps, designed by nobody."""
    shape = (r, d) if heads == 1 else (heads, r, d)
    V = rng.normal(size=(v, d))
    values = V if heads == 1 else np.repeat(V[None], heads, axis=0)
    goals = {0: hw.Copy(0)}
    return Layer(
        rng.normal(size=shape),
        rng.normal(size=shape),
        values,
        rng.normal(size=(n, d)),
        goals,
        {},
        "0.01",
        causal=causal,
    )


def slowly(layer, x):
    """Weights (n, n) by three loops."""
    Q, K = layer.Q.reshape(-1, layer.rank, x.shape[1]), layer.K.reshape(-1, layer.rank, x.shape[1])
    weights = np.zeros((len(x), len(x)))
    for query_map, key_map in zip(Q, K, strict=True):
        for i in range(len(x)):
            seen = range(i + 1 if layer.causal else len(x))
            powers = [np.exp((query_map @ x[i]) @ (key_map @ x[j])) for j in seen]
            for j in seen:
                weights[i, j] += powers[j] / sum(powers) / len(Q)
    return weights


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("heads", [1, 3])
def test_weights_and_output_against_a_loop(heads, causal, rng):
    layer = made(rng, heads=heads, causal=causal)
    for x in (layer.tokens, rng.normal(size=(7, 4)), rng.normal(size=(1, 4))):
        weights = slowly(layer, x)
        np.testing.assert_allclose(layer.weights(x), weights, rtol=1e-12, atol=1e-15)
        V = layer.V if heads == 1 else layer.V[0]
        np.testing.assert_allclose(layer.output(x), weights @ x @ V.T, rtol=1e-11, atol=1e-13)
    np.testing.assert_array_equal(layer.weights(), layer.weights(layer.tokens))
    assert (layer.heads, layer.rank) == (heads, 2)


def test_large_scores_do_not_overflow(rng):
    layer = made(rng)
    big = Layer(1e200 * layer.Q, layer.K, layer.V, layer.tokens, layer.goals, {}, "0.01")
    assert np.isfinite(big.weights()).all()
    np.testing.assert_allclose(big.weights().sum(axis=1), 1.0)


def test_norm_is_that_of_the_product(rng):
    layer = made(rng, heads=2)
    products = [q.T @ k for q, k in zip(layer.Q, layer.K, strict=True)]
    assert layer.norm == pytest.approx(np.sqrt(sum((p**2).sum() for p in products)))


def test_it_is_frozen_and_does_not_follow_its_inputs(rng):
    Q = rng.normal(size=(2, 4))
    layer = Layer(Q, Q, np.eye(4), np.eye(4), {0: hw.Copy(0)}, {}, "0.01")
    Q[:] = 0
    assert layer.Q.any()
    with pytest.raises(ValueError, match="read-only"):
        layer.Q[0, 0] = 1.0
    with pytest.raises(AttributeError):
        layer.causal = True


def test_values_that_differ_between_heads_are_refused(rng):
    layer = made(rng, heads=2)
    with pytest.raises(ValueError, match="`V`"):
        Layer(layer.Q, layer.K, rng.normal(size=(2, 3, 4)), layer.tokens, layer.goals, {}, "0.01")


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (np.ones((3, 5)), r"`tokens`.*\(3, 5\)"),
        (np.ones(4), "`tokens`"),
        (np.full((2, 4), np.nan), "`tokens`"),
    ],
)
def test_tokens_that_do_not_fit_are_refused(tokens, message, rng):
    for method in (made(rng).weights, made(rng).output):
        with pytest.raises(ValueError, match=message):
            method(tokens)


def test_nobody_proves_a_layer_without_a_prover(rng):
    layer = made(rng)
    assert layer.verdict is None
    assert layer.to_dict()["verdict"] is None


@pytest.fixture
def designed():
    goals = {0: hw.Copy(2), 1: hw.Average(0, 1), 2: hw.Blend({0: "0.25", 3: "0.75"})}
    return hw.design_layer(np.eye(4)[:, :3] + np.eye(4, 3, -1), goals, {0: [1.0, 2.0]}, error="0.02")


def test_what_it_shows(designed):
    assert designed.verdict.status == "proved"
    assert says(designed.summary(), 3, 4, 1)
    assert says(designed.summary(), "0.02")
    assert says(repr(designed), 3)
    assert says(repr(designed), 1, "Average(0, 1)")
    table = designed.table()
    assert table["row"] == [0, 1, 2]
    assert max(table["error"]) == pytest.approx(0.02, rel=1e-6)
    told = json.loads(json.dumps(designed.to_dict()))
    assert told["goals"]["1"] == {"goal": "average", "indices": [0, 1], "shares": ["1/2", "1/2"]}
    assert (told["rank"], told["heads"], told["causal"], told["asked"]) == (designed.rank, 1, False, "0.02")
    assert told["outputs"] == {"0": [1.0, 2.0]}
    np.testing.assert_array_equal(told["Q"], designed.Q)


def test_many_rows_are_shown_briefly():
    layer = hw.design_layer(np.eye(12), {row: hw.Copy(row) for row in range(12)}, causal=True)
    assert says(repr(layer), 12)
    assert says(layer.summary(), "causal", "least joint norm")
    assert repr(layer).count("error") == 10


@pytest.mark.parametrize("heads", [1, 3])
def test_exported_maps_run_elsewhere(heads, tmp_path, rng):
    from safetensors import safe_open

    layer = made(rng, heads=heads, causal=True)
    layer.export(tmp_path / "maps.safetensors")
    with safe_open(tmp_path / "maps.safetensors", framework="numpy") as file:
        Q, K, V = (file.get_tensor(name) for name in "QKV")
        said = json.loads(file.metadata()["headwright-layer"])
    assert (Q.shape, K.shape, V.shape, Q.dtype) == ((heads, 2, 4), (heads, 2, 4), (3, 4), np.float64)
    assert (said["heads"], said["causal"], said["claim"], said["error"]) == (heads, True, None, "0.01")
    again = Layer(Q, K, np.repeat(V[None], heads, axis=0), layer.tokens, layer.goals, {}, "0.01", causal=said["causal"])
    np.testing.assert_array_equal(again.output(), layer.output())


@pytest.mark.needs("torch")
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("heads", [1, 2])
def test_to_torch_is_the_same_layer(heads, causal, rng):
    import torch

    layer = made(rng, heads=heads, causal=causal)
    with pytest.raises(TypeError, match="`dtype`"):
        layer.to_torch(dtype="float65")
    for dtype, close in ((None, 1e-6), (torch.float64, 1e-13)):
        module = layer.to_torch(dtype=dtype and str(dtype).removeprefix("torch.") if causal else dtype)
        for x in (layer.tokens, rng.normal(size=(9, 4)) / 2):
            x = np.float32(x).astype(np.float64)
            found = module(torch.tensor(x, dtype=dtype or torch.float32)).detach().numpy()
            np.testing.assert_allclose(found, layer.output(x), atol=close * max(1.0, np.abs(layer.output(x)).max()))


@pytest.mark.needs("torch")
@pytest.mark.parametrize("causal", [False, True])
def test_to_torch_of_a_designed_layer_on_random_tokens(causal, rng):
    import torch

    tokens = rng.normal(size=(8, 10))
    goals = {row: hw.Average(row // 2, row) if row % 2 else hw.Copy(row) for row in range(8)}
    layer = hw.design_layer(tokens, goals, {7: rng.normal(size=3)}, heads=2 if causal else 1, causal=causal)
    module = layer.to_torch()
    assert {name: p.dtype for name, p in module.named_parameters()} == dict.fromkeys("QKV", torch.float32)
    x = np.float32(rng.normal(size=(6, 10)))
    np.testing.assert_allclose(module(torch.tensor(x)).detach().numpy(), layer.output(x), atol=1e-6)


@pytest.mark.needs("torch")
def test_to_torch_takes_batches_and_learns(rng):
    import torch

    layer = made(rng, heads=2, causal=True)
    module = layer.to_torch(dtype=torch.float64)
    x = rng.normal(size=(2, 3, 6, 4))
    found = module(torch.tensor(x))
    assert found.shape == (2, 3, 6, 3)
    for place in np.ndindex(2, 3):
        np.testing.assert_allclose(found[place].detach().numpy(), layer.output(x[place]), atol=1e-12)
    found.sum().backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in module.parameters())
    assert set(module.state_dict()) == {"Q", "K", "V"}


def test_a_layer_is_apart_from_what_the_caller_holds():
    import pickle

    goals = {0: hw.Copy(2)}
    layer = hw.design_layer(np.eye(3), goals)
    verdict = layer.verdict
    goals[0] = hw.Copy(1)
    assert layer.goals == {0: hw.Copy(2)}
    with pytest.raises(TypeError):
        layer.goals[0] = hw.Copy(1)
    assert verdict.record.prove().status == "proved"
    assert pickle.loads(pickle.dumps(layer)).norm == layer.norm


def test_small_errors_keep_their_digits():
    error = hw.design_layer(np.eye(3), {0: hw.Copy(1)}, error="1e-20").table()["error"][0]
    assert error == pytest.approx(1e-20, rel=1e-3)


def test_maps_of_unlike_shapes_are_refused():
    with pytest.raises(ValueError, match=r"`Q`.*`K`"):
        hw.Layer(np.eye(3), np.eye(3)[:2], np.eye(3), np.eye(3), {0: hw.Copy(1)}, {}, 0.01)


LAYER = {
    "Q": np.eye(2),
    "K": np.eye(2),
    "V": np.eye(2),
    "tokens": np.eye(2),
    "goals": {0: hw.Copy(1)},
    "outputs": {0: [1.0, 0.0]},
    "asked": "0.1",
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Q", [[np.int64(2**53 + 1), 0.5], [0.0, 1.0]]),
        ("K", np.array([[2**53 + 1, 1], [0, 1]])),
        ("V", np.ma.array(np.eye(2))),
        ("tokens", [[2**53 + 1, 0.5], [0.0, 1.0]]),
        ("tokens", np.eye(2, dtype=np.longdouble)),
        ("tokens", np.full((2, 2), np.inf)),
        ("outputs", {0: [2**53 + 1, 0.5]}),
        ("outputs", {0: np.array([1.0, 2.0], dtype=object)}),
        ("outputs", {-1: [1.0, 0.0]}),
        ("outputs", [[1.0, 0.0]]),
        ("goals", {0: 1}),
        ("goals", {"0": hw.Copy(1)}),
        ("asked", "much"),
        ("tolerance", "1/3"),
        ("residual", 2**53 + 1),
    ],
)
def test_what_a_layer_cannot_keep_is_refused(name, value):
    with pytest.raises((TypeError, ValueError), match=f"`{name}"):
        hw.Layer(**{**LAYER, name: value})


def test_a_layer_cannot_be_changed_nor_can_its_copies():
    import copy
    import pickle

    given = np.array([1.0, 0.0])
    layer = hw.Layer(**{**LAYER, "outputs": {np.int64(0): given}})
    given[0] = 5.0
    for made in (layer, copy.copy(layer), copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert made.outputs[0].tolist() == [1.0, 0.0]
        assert {type(row) for row in (*made.goals, *made.outputs)} == {int}
        for array in (made.Q, made.K, made.V, made.tokens, made.outputs[0]):
            assert not array.flags.writeable
        for mapping in (made.goals, made.outputs):
            with pytest.raises(TypeError, match="does not support item assignment"):
                mapping[0] = None
