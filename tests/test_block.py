"""A Block does what its formulas say (against plain loops), and what torch's own layers do under the same weights."""

import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

import headwright as hw
from headwright.words.block_steps import sinusoidal_table
from tests.facts import says

N, D, H, R, V, F = 5, 6, 2, 3, 4, 7  # all unequal: a transposition shows


def parameters(rng, **more):
    shapes = {
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
        "positions": (N + 2, D),
    }
    return {name: rng.normal(size=shape) for name, shape in shapes.items()} | more


def softmax(scores):
    powers = [math.exp(s - max(scores)) for s in scores]
    return [p / sum(powers) for p in powers]


def slow_norm(p, y, step, eps):
    spread = math.sqrt(sum((v - y.mean()) ** 2 for v in y) / D + eps)
    return (y - y.mean()) / spread * p["norm_scale"][step] + p["norm_shift"][step]


def slow(p, x, *, scale, causal, norm_first, eps=1e-5):
    """The formulas, token by token and head by head, for one sequence (n, d)."""
    s = [x[t] + p["positions"][t] for t in range(len(x))]
    seen = [slow_norm(p, row, 0, eps) for row in s] if norm_first else s
    out = []
    for t in range(len(x)):
        a = p["output_bias"].copy()
        for h in range(H):
            q = p["query"][h] @ seen[t] + p["query_bias"][h]
            upto = range(t + 1 if causal else len(x))
            weights = softmax([scale * q @ (p["key"][h] @ seen[j] + p["key_bias"][h]) for j in upto])
            mean = sum(w * (p["value"][h] @ seen[j] + p["value_bias"][h]) for w, j in zip(weights, upto, strict=True))
            a = a + p["output"][h] @ mean
        y = s[t] + a
        y = y if norm_first else slow_norm(p, y, 0, eps)
        inner = p["inner"] @ (slow_norm(p, y, 1, eps) if norm_first else y) + p["inner_bias"]
        z = y + p["outer"] @ np.maximum(inner, 0) + p["outer_bias"]
        out.append(z if norm_first else slow_norm(p, z, 1, eps))
    return np.array(out)


@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("causal", [True, False])
def test_against_loops(rng, causal, norm_first):
    p = parameters(rng)
    block = hw.Block(**p, causal=causal, norm_first=norm_first, scale=0.7)
    x = rng.normal(size=(2, 3, N, D))
    found = block(x)
    assert found.shape == x.shape
    for place in np.ndindex(2, 3):
        np.testing.assert_allclose(
            found[place], slow(p, x[place], scale=0.7, causal=causal, norm_first=norm_first), atol=1e-11
        )


def test_attention_and_projections_agree(rng):
    block = hw.Block(**parameters(rng), causal=True, scale=0.5)
    x = rng.normal(size=(4, N, D))
    weights = block.attention(x)
    assert weights.shape == (4, H, N, N)
    np.testing.assert_allclose(weights.sum(axis=-1), 1)
    assert (weights[..., np.triu_indices(N, 1)[0], np.triu_indices(N, 1)[1]] == 0).all()
    queries, keys, values = block.projections(x)
    assert (queries.shape, values.shape) == ((4, H, N, R), (4, H, N, V))
    row = N - 1
    for h in range(H):
        seen = hw.attend(queries[2, h, row], keys[2, h], scale=0.5).weights
        np.testing.assert_allclose(seen, weights[2, h, row])


def test_plain_attention_and_one_head_without_the_first_axis(rng):
    q, k, v, o = (rng.normal(size=shape) for shape in ((R, D), (R, D), (V, D), (D, V)))
    x = rng.normal(size=(N, D))
    wanted = hw.attend(x @ q.T, x @ k.T, x @ v.T).output @ o.T
    np.testing.assert_allclose(hw.Block(q, k, v, o, residual=False)(x), wanted)
    np.testing.assert_allclose(hw.Block(q, k, v, o)(x), x + wanted)


def test_sinusoidal_positions(rng):
    p = parameters(rng)
    del p["positions"]
    x = rng.normal(size=(N, D))
    table = np.array(
        [[f(t * 10000 ** (-2 * i / D)) for i in range(D // 2) for f in (math.sin, math.cos)] for t in range(N)]
    )
    np.testing.assert_allclose(sinusoidal_table(N, D), table)
    np.testing.assert_allclose(hw.Block(**p, positions="sinusoidal")(x), hw.Block(**p, positions=table)(x))


def test_without_positions_rows_may_be_permuted(rng):
    block = hw.Block(**parameters(rng, positions=None))
    x, order = rng.normal(size=(N, D)), rng.permutation(N)
    np.testing.assert_allclose(block(x[order]), block(x)[order], atol=1e-12)
    placed = hw.Block(**parameters(rng))
    assert np.abs(placed(x[order]) - placed(x)[order]).max() > 1e-3


def test_a_block_is_frozen_and_comes_back_from_its_parts(rng):
    given = parameters(rng)
    block = hw.Block(**given, causal=True)
    with pytest.raises(FrozenInstanceError):
        block.scale = 2.0
    given["query"][:] = 0  # the block holds copies, and they are read-only
    assert block.query.any()
    assert not block.query.flags.writeable
    again = hw.Block.from_parts(block.arrays(), block.fields())
    x = rng.normal(size=(N, D))
    assert (again(x) == block(x)).all()
    assert says(repr(block), 2, 3, 6, 7)


WRONG = [
    ({"key": np.ones((H, R + 1, D))}, r"`key`.*\(2, 4, 6\)"),
    ({"output": np.ones((H, V, D))}, r"`output`.*\(2, 4, 6\)"),
    ({"outer": None}, "`inner`.*`outer`"),
    ({"inner": None, "outer": None}, "`inner_bias`.*`inner`"),
    ({"norm_shift": None}, "`norm_scale`.*`norm_shift`"),
    ({"norm_scale": np.ones((1, D))}, "`norm_scale`.*2"),
    ({"value": np.full((H, V, D), np.nan)}, "`value`"),
    ({"positions": "rotary"}, "`positions`.*'rotary'"),
    ({"activation": "tanh"}, "`activation`.*'tanh'"),
    ({"scale": 0.0}, r"`scale`.*0\.0"),
    ({"scale": 10**400}, "`scale`.*1000"),
    ({"norm_eps": math.nan}, "`norm_eps`.*nan"),
    ({"query": [[1.0, 2.0], [3.0]]}, "`query`"),
]


@pytest.mark.parametrize(("more", "words"), WRONG)
def test_wrong_parameters(rng, more, words):
    with pytest.raises(ValueError, match=words):
        hw.Block(**parameters(rng, **more))


@pytest.mark.parametrize(
    "more", [{"scale": "1"}, {"causal": 1}, {"query": None}, {"query": np.array(["a"])}, {"inner": "x"}]
)
def test_wrong_kinds(rng, more):
    with pytest.raises(TypeError, match=f"`{next(iter(more))}`"):
        hw.Block(**parameters(rng, **more))


def test_wrong_inputs(rng):
    block = hw.Block(**parameters(rng))
    with pytest.raises(ValueError, match=r"`x`.*\(5, 7\)"):
        block(np.ones((N, D + 1)))
    with pytest.raises(ValueError, match="`x`"):
        block(np.full((N, D), np.inf))
    with pytest.raises(ValueError, match=r"`x`.*`positions`"):
        block(np.ones((N + 3, D)))
    with pytest.raises(TypeError, match="`x`"):
        block(np.ones((N, D), dtype=complex))
    assert block(np.ones((N, D), dtype=int)).dtype == np.float64
    assert block(np.ones((N, D), dtype=np.float16)).dtype == np.float16


def test_a_strict_array_library(rng):
    """Nothing but the array API is used, and types are never mixed."""
    import array_api_strict as strict

    p = parameters(rng)
    x = rng.normal(size=(2, N, D))
    for more in ({"causal": True}, {"norm_first": True}, {"positions": "sinusoidal"}):
        block = hw.Block(**{**p, **more})
        found = block(strict.asarray(x))
        np.testing.assert_allclose(np.asarray(found), block(x))
        weights = block.attention(strict.asarray(x, dtype=strict.float32))
        assert weights.dtype == strict.float32
    with pytest.raises(TypeError, match=r"`activation`.*'gelu'"):
        hw.Block(**p, activation="gelu")(strict.asarray(x))


@pytest.mark.needs("torch")
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_twin_of_multihead_attention(heads, bias):
    import torch

    torch.manual_seed(heads)
    module = torch.nn.MultiheadAttention(8, heads, bias=bias, batch_first=True).eval()
    x = torch.randn(3, N, 8)
    block = hw.Block.from_torch(module)
    wanted, weights = module(x, x, x, average_attn_weights=False)
    assert (block(x) - wanted).abs().max() <= 1e-5
    assert (block.attention(x) - weights).abs().max() <= 1e-6
    assert np.abs(block(x.numpy()) - wanted.detach().numpy()).max() <= 1e-5
    closed = ~torch.tril(torch.ones(N, N, dtype=torch.bool))
    masked, _ = module(x, x, x, attn_mask=closed)
    assert (replace(block, causal=True)(x) - masked).abs().max() <= 1e-5


@pytest.mark.needs("torch")
@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("batch_first", [True, False])
def test_twin_of_encoder_layer(activation, norm_first, batch_first):
    import torch

    torch.manual_seed(3)
    module = torch.nn.TransformerEncoderLayer(
        8, 2, 12, activation=activation, norm_first=norm_first, batch_first=batch_first, layer_norm_eps=1e-3
    ).eval()
    with torch.no_grad():  # norms and biases start as ones and zeros, which hide mistakes
        for parameter in module.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    x = torch.randn(3, N, 8)
    wanted = module(x) if batch_first else module(x.transpose(0, 1)).transpose(0, 1)
    block = hw.Block.from_torch(module)
    assert (block(x) - wanted).abs().max() <= 1e-5
    assert np.abs(block(x.numpy()) - wanted.detach().numpy()).max() <= 1e-5


@pytest.mark.needs("torch")
def test_torch_modules_that_a_block_is_not():
    import torch

    nn = torch.nn
    with pytest.raises(ValueError, match="`module`"):
        hw.Block.from_torch(nn.MultiheadAttention(8, 2, kdim=4))
    with pytest.raises(ValueError, match="`module`"):
        hw.Block.from_torch(nn.MultiheadAttention(8, 2, add_bias_kv=True))
    with pytest.raises(ValueError, match="`module`"):
        hw.Block.from_torch(nn.TransformerEncoderLayer(8, 2, activation=nn.functional.silu))
    with pytest.raises(TypeError, match="`module`"):
        hw.Block.from_torch(nn.Linear(3, 3))


@pytest.mark.needs("torch")
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_gradients_through_torch(rng, activation):
    import torch

    p = {name: torch.tensor(a, requires_grad=True) for name, a in parameters(rng).items()}
    block = hw.Block(**p, activation=activation, causal=True)
    x = torch.tensor(rng.normal(size=(2, N, D)), requires_grad=True)
    block(x).square().sum().backward()
    missing = [name for name, t in {**p, "x": x}.items() if t.grad is None or not t.grad.any()]
    assert missing == []
    assert torch.autograd.gradcheck(hw.Block(**parameters(rng), activation=activation), (x[0],))


@pytest.mark.needs("jax")
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_jax_gives_the_same_and_differentiates(rng, activation):
    import jax

    p = parameters(rng)
    block, x = hw.Block(**p, activation=activation), rng.normal(size=(N, D)).astype(np.float32)
    given = jax.numpy.asarray(x)
    np.testing.assert_allclose(block(given), block(x), atol=1e-4)
    np.testing.assert_allclose(jax.jit(block)(given), block(x), atol=1e-4)
    slope = np.asarray(jax.grad(lambda y: (block(y) ** 2).sum())(given))
    wide, step, bump = x.astype(np.float64), 1e-6, np.zeros((N, D))
    bump[2, 3] = step
    change = ((block(wide + bump) ** 2).sum() - (block(wide - bump) ** 2).sum()) / (2 * step)
    np.testing.assert_allclose(slope[2, 3], change, rtol=1e-3, atol=1e-3)
    by_query = jax.grad(lambda q: hw.Block(**{**p, "query": q})(given).sum())(jax.numpy.asarray(p["query"]))
    assert np.isfinite(np.asarray(by_query)).all()
    assert np.asarray(by_query).any()


@pytest.mark.needs("torch")
def test_libraries_are_not_mixed(rng):
    import torch

    block = hw.Block(**{name: torch.tensor(a) for name, a in parameters(rng).items()})
    with pytest.raises(TypeError, match="numpy, torch"):
        block(np.ones((N, D)))
    assert block(torch.ones((N, D), dtype=torch.bfloat16)).dtype == torch.bfloat16


@pytest.mark.parametrize(
    "value",
    [
        [[np.int64(2**53 + 1), 0.5], [0.0, 1.0]],
        np.array([[2**53 + 1, 1], [0, 1]]),
        np.eye(2, dtype=np.longdouble),
        np.ma.array(np.eye(2)),
        [[2**53 + 1, 0.5], [0.0, 1.0]],
        np.eye(2, dtype=complex),
    ],
)
def test_parameters_are_kept_exactly_or_refused(value):
    with pytest.raises((TypeError, ValueError), match="`query`"):
        hw.Block(value, np.eye(2), np.eye(2), np.eye(2))
    with pytest.raises((TypeError, ValueError), match="`positions`"):
        hw.Block(*[np.eye(2)] * 4, positions=value)


@pytest.mark.parametrize("name", ["scale", "norm_eps"])
def test_settings_are_floats_that_hold_the_number(name):
    with pytest.raises(ValueError, match=f"`{name}` must be a number that float64 holds exactly"):
        hw.Block(*[np.eye(2)] * 4, **{name: 2**53 + 1})
    found = getattr(hw.Block(*[np.eye(2)] * 4, **{name: np.float32(0.1)}), name)
    assert (type(found), found) == (float, float(np.float32(0.1)))


def test_narrow_floats_stay_as_they_are_and_position_codes_are_read():
    block = hw.Block(
        np.eye(2, dtype=">f4"), [[1, 0], [0, 1]], np.eye(2), np.eye(2), positions=hw.position.sinusoidal(3, 2)
    )
    assert (block.query.dtype, block.key.dtype) == (np.float32, np.float64)
    assert block.positions.tolist() == np.asarray(hw.position.sinusoidal(3, 2)).tolist()


def test_copies_of_a_block_are_read_only():
    import copy
    import pickle

    block = hw.Block(*[np.eye(2)] * 4)
    for made in (copy.deepcopy(block), pickle.loads(pickle.dumps(block))):
        assert not made.query.flags.writeable
        assert made.fields() == block.fields()


@pytest.mark.needs("torch")
def test_parameters_of_torch_are_dense_and_of_a_type_that_computes():
    import torch

    eye = torch.eye(2)
    for strange in (eye.to_sparse(), eye.to("meta"), eye.to(torch.float8_e5m2), eye.long(), eye.to(torch.complex64)):
        with pytest.raises(TypeError, match="`query` must hold real"):
            hw.Block(strange, eye, eye, eye)
