"""attend against a slow oracle in 50 digits, in every array library, with its refusals."""

from itertools import product

import array_api_strict
import mpmath
import numpy as np
import pytest

import headwright as hw

torch_only, jax_only = pytest.mark.needs("torch"), pytest.mark.needs("jax")
LIBRARIES = ["numpy", "array_api_strict", pytest.param("torch", marks=torch_only), pytest.param("jax", marks=jax_only)]
HALF = ("float16", "bfloat16")
HALVES = [("numpy", "float16"), pytest.param("numpy", "bfloat16", marks=pytest.mark.needs("ml_dtypes"))]
HALVES += [pytest.param(*library.values, kind, marks=library.marks) for library in LIBRARIES[2:] for kind in HALF]
B, H, M, N, D, V = 2, 3, 4, 6, 5, 7
SEEN = np.arange(N) != 2
TWO_HEADS = hw.Design(np.arange(2.0 * D).reshape(2, D) / 5, [0.25, 0.75], 0.5, hw.Copy(0), 0.1, np.zeros(N))


def into(library, array, kind=None):
    """The array in that library; `kind` names another dtype (None keeps it, JAX then rounds to float32)."""
    if library == "torch":
        import torch

        return torch.tensor(array, dtype=getattr(torch, kind) if kind else None)
    if library == "jax":
        import jax.numpy as jnp

        return jnp.asarray(array, dtype=kind or (np.float32 if array.dtype == np.float64 else None))
    if library == "array_api_strict":
        return array_api_strict.asarray(array)
    return np.asarray(array, dtype=kind)  # NumPy knows "bfloat16" since needs("ml_dtypes") imported it


def plain(array):
    """The exact numbers as float64 NumPy, whatever the library."""
    if type(array).__module__ == "torch":
        return array.detach().cpu().double().numpy()
    return np.asarray(array).astype(np.float64)


def kind_of(array):
    return str(array.dtype).split(".")[-1]


def row(query, keys, scale, mask):
    """Weights of one query, by loops in 50 digits."""
    with mpmath.workdps(50):
        scores = [mpmath.mpf(scale) * mpmath.fdot(query.tolist(), key) for key in keys.tolist()]
        powers = [mpmath.exp(score) * int(allowed) for score, allowed in zip(scores, mask, strict=True)]
        return np.array([float(power / mpmath.fsum(powers)) for power in powers])


def oracle(query, keys, scale=1.0, mask=True):
    """Weights (..., m, n) of queries (..., m, d) over keys (..., n, d), one row at a time."""
    batch = np.broadcast_shapes(query.shape[:-2], keys.shape[:-2])
    query, keys = (np.broadcast_to(part, batch + part.shape[-2:]) for part in (query, keys))
    weights = np.empty((*batch, query.shape[-2], keys.shape[-2]))
    mask = np.broadcast_to(mask, weights.shape)
    for at in product(*map(range, weights.shape[:-1])):
        weights[at] = row(query[at], keys[at[:-1]], scale, mask[at])
    return weights


def close(found, wanted):
    tolerance = 1e-13 if kind_of(found) == "float64" else 3e-6
    np.testing.assert_allclose(plain(found), wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("library", LIBRARIES)
def test_one_query(library, rng):
    q, K, values = (into(library, rng.normal(size=shape)) for shape in [(D,), (N, D), (N, V)])
    found = hw.attend(q, K, values, scale=0.7)
    weights = oracle(plain(q)[None], plain(K), 0.7)[0]
    assert [tuple(part.shape) for part in (found.scores, found.weights, found.output)] == [(N,), (N,), (V,)]
    assert {type(part) for part in (found.scores, found.weights, found.output)} == {type(K)}
    close(found.scores, 0.7 * plain(K) @ plain(q))
    close(found.weights, weights)
    close(found.output, weights @ plain(values))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("batches", [((), (), ()), ((B, H), (B, H), (B, H)), ((B, H), (H,), (B, 1)), ((), (B, 1), ())])
def test_many_queries_and_broadcasting(library, batches, rng):
    shapes = [(*batch, *core) for batch, core in zip(batches, [(M, D), (N, D), (N, V)], strict=True)]
    q, K, values = (into(library, rng.normal(size=shape)) for shape in shapes)
    mask = rng.random((M, N)) < 0.6
    mask[:, 1] = True
    found = hw.attend(q, K, values, mask=into(library, mask))
    weights = oracle(plain(q), plain(K), mask=mask)
    output = weights @ plain(values)
    assert (tuple(found.weights.shape), tuple(found.output.shape)) == (weights.shape, output.shape)
    close(found.weights, weights)
    close(found.output, output)
    assert (plain(found.weights)[~np.broadcast_to(mask, weights.shape)] == 0).all()
    assert hw.attend(q, K).output is None


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("value_heads", [2, 1])
def test_grouped_heads_read_the_keys_of_their_group(library, value_heads, rng):
    shapes = [(B, 6, M, D), (B, 2, N, D), (B, value_heads, N, V)]
    q, K, values = (into(library, rng.normal(size=shape)) for shape in shapes)
    mask = rng.random((B, 6, M, N)) < 0.6
    mask[..., 1] = True
    found = hw.attend(q, K, values, mask=into(library, mask))
    shared = np.repeat(plain(K), 3, axis=1)  # head h reads key head h // 3
    weights = oracle(plain(q), shared, mask=mask)
    close(found.weights, weights)
    close(found.scores, plain(q) @ shared.swapaxes(-1, -2))
    close(found.output, weights @ np.repeat(plain(values), 6 // value_heads, axis=1))
    with pytest.raises(ValueError, match=r"`query`.*axis -3.*5 and 2"):
        hw.attend(q[:, :5, :, :], K)
    with pytest.raises(ValueError, match=r"`values`.*axis -3"):
        hw.attend(q, K, into(library, np.ones((B, 3, N, V))))


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_design_attends_to_a_batch_of_keys(library, rng):
    design = hw.design(rng.normal(size=(N, 8)), hw.Average(1, 3), heads=2)
    K, values = into(library, rng.normal(size=(B, H, N, 8))), into(library, rng.normal(size=(B, H, N, V)))
    found = hw.attend(design, K, values)
    assert [tuple(part.shape) for part in (found.scores, found.weights, found.output)] == [
        (B, H, 2, N),
        (B, H, N),
        (B, H, V),
    ]
    for at in product(range(B), range(H)):
        one = hw.attend(design, K[at[0], at[1], :, :], values[at[0], at[1], :, :])
        close(found.weights[at[0], at[1], :], plain(one.weights))
        close(found.output[at[0], at[1], :], plain(one.output))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_stable_for_large_scores(library, kind):
    K = np.zeros((N, 2), dtype=kind)
    K[:, 1] = [-1e5, 1e5, 1e5 - 1, 99999.5, 0, -3]
    for sign in (1, -1):
        q = np.array([0, sign], dtype=kind)
        close(hw.attend(into(library, q), into(library, K)).weights, row(q, K, 1, [True] * N))


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_row_with_nothing_left_is_named(library, rng):
    q, K = into(library, rng.normal(size=(B, H, M, D))), into(library, rng.normal(size=(H, N, D)))
    mask = np.ones((B, 1, M, N), dtype=bool)
    mask[1, 0, 2] = False
    with pytest.raises(ValueError, match=r"`mask`.*\[1, 0, 2\]"):
        hw.attend(q, K, mask=into(library, mask))
    with pytest.raises(ValueError, match="`mask`"):
        hw.attend(q[0, 0, 0, :], K[0, :, :], mask=into(library, np.zeros(N, dtype=bool)))


@pytest.mark.parametrize(("library", "kind"), HALVES)
def test_half_types_are_computed_in_float32(library, kind, rng):
    q, K, values = (into(library, rng.normal(size=shape), kind) for shape in [(M, 64), (N, 64), (N, V)])
    found = hw.attend(q, K, values)
    assert [kind_of(part) for part in (found.scores, found.weights, found.output)] == ["float32", kind, kind]
    scores, weights = plain(q) @ plain(K).T, oracle(plain(q), plain(K))
    np.testing.assert_allclose(plain(found.scores), scores, rtol=1e-5, atol=1e-5)
    in_half = oracle(plain(into(library, scores, kind)), np.eye(N))  # the best a computation with half scores can do
    rounded = plain(into(library, weights, kind))  # what the type can hold at best
    assert abs(plain(found.weights) - weights).max() <= max(
        abs(in_half - weights).max() / 2, 1.01 * abs(rounded - weights).max()
    )
    unit = {"float16": 2.0**-11, "bfloat16": 2.0**-8}[kind]
    np.testing.assert_allclose(plain(found.weights), weights, rtol=1.01 * unit, atol=1e-7)
    np.testing.assert_allclose(plain(found.output), weights @ plain(values), rtol=1.1 * unit, atol=1e-4)


@pytest.mark.parametrize("library", LIBRARIES)
def test_integers_become_floats_and_float64_stays(library):
    K = np.array([[1, 0, 2], [0, 3, 1]])
    found = hw.attend(into(library, np.array([1, 0, 1])), into(library, K))
    close(found.weights, row(np.array([1.0, 0, 1]), K, 1, [True, True]))
    if library != "jax":  # whose default has no float64
        parts = hw.attend(into(library, np.ones(3)), into(library, K + 0.5), into(library, np.eye(2)))
        assert {kind_of(part) for part in (parts.scores, parts.weights, parts.output)} == {"float64"}


def test_lists_are_numpy_and_read_only_inputs_stay_as_they_were(rng):
    assert isinstance(hw.attend([1.0, 2.0], [[0, 1], [1, 1], [2, 0]]).weights, np.ndarray)
    given = [rng.normal(size=shape) for shape in [(M, D), (N, D), (N, V)]] + [rng.random((M, N)) < 2]
    before = [part.copy() for part in given]
    for part in given:
        part.flags.writeable = False
    hw.attend(*given[:3], mask=given[3])
    assert all(np.array_equal(a, b) for a, b in zip(given, before, strict=True))


@torch_only
def test_torch_gradient(rng):
    import torch

    q, K, values = (torch.tensor(rng.normal(size=s), requires_grad=True) for s in [(H, M, D), (H, N, D), (H, N, V)])
    mask = torch.tensor(SEEN)
    assert torch.autograd.gradcheck(lambda *parts: hw.attend(*parts, scale=0.4, mask=mask).output, (q, K, values))
    ours = hw.attend(q, K, values, scale=D**-0.5, mask=mask).output
    theirs = torch.nn.functional.scaled_dot_product_attention(q, K, values, attn_mask=mask.expand(M, N))
    torch.testing.assert_close(ours, theirs)
    up = torch.tensor(rng.normal(size=(H, M, V)))
    mine, other = (torch.autograd.grad(output, (q, K, values), up) for output in (ours, theirs))
    torch.testing.assert_close(mine, other)


@torch_only
def test_torch_keeps_the_device():
    import torch

    for device in ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]:
        K = torch.eye(N, D, device=device)
        for found in (hw.attend(K[0], K, K, mask=K[:, 0] < 2), hw.attend(TWO_HEADS, K, K)):
            assert {part.device.type for part in (found.scores, found.weights, found.output)} == {device}


@jax_only
def test_jax_transformations(rng):
    import jax

    q, K, values = (into("jax", rng.normal(size=s)) for s in [(B, M, D), (N, D), (N, V)])
    mask = into("jax", SEEN)
    eager = hw.attend(q, K, values, mask=mask).output
    jitted = jax.jit(lambda *parts: hw.attend(*parts, mask=mask).output)(q, K, values)
    mapped = jax.vmap(lambda one: hw.attend(one, K, values, mask=mask).output)(q)
    close(jitted, plain(eager))
    close(mapped, plain(eager))
    gradient = jax.grad(lambda q: hw.attend(q, K, values, mask=mask).output.sum())(q)
    step = 1e-4 * rng.normal(size=q.shape)
    ahead, behind = (oracle(plain(q) + move, plain(K), mask=SEEN) @ plain(values) for move in (step, -step))
    assert (plain(gradient) * step).sum() == pytest.approx((ahead - behind).sum() / 2, rel=1e-4)


@pytest.mark.parametrize("library", LIBRARIES)
def test_design_as_query(library, rng):
    K, values = into(library, rng.normal(size=(N, D))), into(library, rng.normal(size=(N, V)))
    found = hw.attend(TWO_HEADS, K, values)
    each = oracle(TWO_HEADS.queries, plain(K), 0.5)
    assert (tuple(found.scores.shape), type(found.weights)) == ((2, N), type(K))
    close(found.weights, 0.25 * each[0] + 0.75 * each[1])
    close(found.output, (0.25 * each[0] + 0.75 * each[1]) @ plain(values))


NAN, INF, KEYS = float("nan"), float("inf"), np.eye(N, D)
REFUSED = [
    (dict(query=[1.0, 2.0]), ValueError, r"`query`.*`keys`.*\(2,\)"),
    (dict(query=TWO_HEADS, keys=KEYS.T), ValueError, "`query`.*`keys`"),
    (dict(query=TWO_HEADS, keys=KEYS[None, :, :2]), ValueError, "`query`.*`keys`"),
    (dict(keys=TWO_HEADS), TypeError, "`keys`.*Design"),
    (dict(query=TWO_HEADS, scale=1.0), ValueError, "`scale`"),
    (dict(query=1.0), ValueError, "`query`"),
    (dict(query=[1j] * D), TypeError, "`query`.*complex128"),
    (dict(query=np.ones((2, M, D)), keys=np.ones((3, N, D))), ValueError, "`(query|keys)`"),
    (dict(keys=KEYS[0]), ValueError, r"`keys`.*\(5,\)"),
    (dict(keys=KEYS[:0]), ValueError, r"`keys`.*\(0, 5\)"),
    (dict(keys=KEYS * NAN), ValueError, "`keys`"),
    (dict(keys=KEYS.astype(object)), TypeError, "`keys`.*object"),
    (dict(keys=[[1.0] * D, [1.0]]), ValueError, "`keys`"),
    (dict(values=KEYS[1:]), ValueError, r"`values`.*\(5, 5\)"),
    (dict(values=KEYS[:, 0]), ValueError, "`values`"),
    (dict(values=KEYS - INF), ValueError, "`values`"),
    (dict(values=[["a"] * V] * N), TypeError, "`values`"),
    (dict(mask=np.ones(N)), TypeError, "`mask`.*float64"),
    (dict(mask=np.ones(N + 1, dtype=bool)), ValueError, r"`mask`.*\(7,\)"),
    *((dict(scale=scale), ValueError, "`scale`") for scale in (0, -1.0, INF, NAN)),
    (dict(scale="big"), TypeError, "`scale`"),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        hw.attend(**({"query": np.ones(D), "keys": KEYS} | call))


@pytest.mark.parametrize("library", LIBRARIES[1:])
def test_refused_in_every_library(library):
    q, K = into(library, np.ones(D)), into(library, KEYS)
    with pytest.raises(TypeError, match="numpy"):
        hw.attend(q, KEYS)
    with pytest.raises(ValueError, match="`keys`"):
        hw.attend(q, K * NAN)
    with pytest.raises(ValueError, match="`values`"):
        hw.attend(q, K, K + INF)
    with pytest.raises(TypeError, match=r"`keys`.*complex"):
        hw.attend(q, into(library, KEYS * 1j))
