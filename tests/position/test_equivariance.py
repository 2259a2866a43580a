"""equivariance of a function that can only be called: a report on what was seen, neither proved nor refuted."""

import math

import numpy as np
import pytest

import headwright as hw
from headwright.search.positions import equivariance
from headwright.search.positions._equivariance import permutations
from headwright.words.block_steps import sinusoidal_table
from tests.facts import says

N, D = 6, 4


@pytest.fixture
def x(rng):
    return rng.normal(size=(N, D))


FOLLOWS = {
    "each row alone": lambda x: np.tanh(x) @ np.ones((D, 2)),
    "centred": lambda x: x - x.mean(axis=-2, keepdims=True),
    "the mean everywhere": lambda x: np.broadcast_to(x.mean(axis=-2, keepdims=True), x.shape),
    "attention": lambda x: hw.attend(x, x, x).output,
    "integers": lambda x: (x[:, :1] > x.mean()).astype(int),
}
DOES_NOT = {
    "sorted": lambda x: np.sort(x, axis=0),
    "summed up": lambda x: x.cumsum(axis=0),
    "the first row everywhere": lambda x: np.broadcast_to(x[:1], x.shape),
    "numbered": lambda x: x + np.arange(len(x))[:, None],
    "the last row alone": lambda x: np.vstack([x[:-1], 2 * x[-1:]]),
    "places as integers": lambda x: np.arange(len(x))[:, None],
}


def exceeds(verdict):
    """Whether the largest defect is above the allowance, as the evidence has it and the reason says."""
    above = verdict.evidence["largest defect"] > verdict.evidence["allowance"]
    assert verdict.reason.startswith("the largest defect exceeds" if above else "no defect exceeds")
    return above


@pytest.mark.parametrize("name", FOLLOWS)
def test_a_function_that_follows_the_rows_is_undecided(name, x):
    verdict = equivariance(FOLLOWS[name], x)
    assert verdict.status == "undecided"
    assert not exceeds(verdict)
    assert verdict.evidence["allowance"] < 1e-11
    assert 100 < verdict.evidence["permutations tried"] <= 120


@pytest.mark.parametrize("name", DOES_NOT)
def test_a_function_that_does_not_is_undecided_with_its_defect(name, x):
    verdict = equivariance(DOES_NOT[name], x)
    assert (verdict.status, verdict.record) == ("undecided", None)
    assert exceeds(verdict)
    seen, f = verdict.evidence, DOES_NOT[name]
    order = seen["permutation"]
    assert sorted(order) == list(range(N))
    assert seen["largest defect"] == np.abs(f(x[order]) - f(x)[order]).max()


def test_the_allowance_is_the_formula_or_the_callers(x):
    f = DOES_NOT["numbered"]
    assumed = equivariance(f, x).evidence["allowance"]
    assert assumed == pytest.approx(64 * 2.0**-52 * math.sqrt(N + D) * np.abs(f(x)).max(), rel=1e-12)
    single = x.astype(np.float32)
    coarse = equivariance(f, single).evidence["allowance"]  # float64 results, but of float32 numbers
    assert coarse == pytest.approx(64 * 2.0**-23 * math.sqrt(N + D) * np.abs(f(single)).max(), rel=1e-6)
    assert (
        equivariance(lambda x: 1e-9 * x, 1e6 * x).evidence["allowance"] > 1e-9
    )  # of the size of x, which is the larger
    assert not exceeds(equivariance(f, x, allowance=10.0))
    assert not exceeds(equivariance(f, x, allowance="21/2"))
    assert equivariance(f, x, allowance=0.1).evidence["allowance"] == 0.1
    largest = equivariance(f, x).evidence["largest defect"]
    assert not exceeds(equivariance(f, x, allowance=largest))  # at the edge: not above
    assert exceeds(equivariance(f, x, allowance=math.nextafter(largest, 0)))
    assert equivariance(DOES_NOT["places as integers"], x).evidence["allowance"] == 0


def test_rounding_alone_is_allowed(rng):
    x = rng.normal(size=(40, 3)).astype(np.float32)
    verdict = equivariance(lambda x: x - x.sum(axis=0), x)
    assert verdict.evidence["largest defect"] > 0
    assert not exceeds(verdict)
    assert exceeds(equivariance(lambda x: x - x.sum(axis=0), x, allowance=0))


def follows(kind):
    """An equivariant function that computes in `kind`, and returns float64."""

    def function(x):
        short = x.astype(kind)
        return (short.sum(axis=0) / kind(3) + short).astype(np.float64)

    return function


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_rounding_in_a_coarser_type_than_is_returned(rng, kind):
    x = rng.normal(size=(40, 3))
    verdict = equivariance(follows(kind), x)
    assert not exceeds(verdict)
    assert verdict.evidence["largest defect"] > 1e-9
    assert says(verdict.reason, kind.__name__)
    single = equivariance(lambda x: follows(np.float32)(x.cumsum(axis=0)), x)
    assert exceeds(single)
    assert says(single.reason, "float32")
    coarse = equivariance(follows(kind), x.astype(np.float16))
    assert "float32" not in coarse.reason  # the type of x is as coarse


def test_where_rounding_may_hide_everything(rng):
    x = rng.normal(size=(5, 3)).astype(np.float16)
    hidden = equivariance(lambda x: x / 1000, x)
    assert hidden.evidence["allowance"] >= np.abs(x / 1000).max()
    assert not exceeds(hidden)
    assert "`allowance`" in hidden.next_step
    for open_to_doubt in (equivariance(lambda x: x, x), equivariance(lambda x: 0 * x, x)):
        assert "`allowance`" not in open_to_doubt.next_step


def test_batches_are_permuted_along_the_rows(rng):
    x = rng.normal(size=(2, 3, 5, D))  # 5 rows: all 119 permutations
    assert equivariance(lambda x: x - x.mean(axis=-2, keepdims=True), x).evidence["permutations tried"] == 119
    assert not exceeds(equivariance(lambda x: x - x.mean(axis=-3, keepdims=True), x))
    late = equivariance(lambda x: x * np.array([1, 1, 1, 1, 2])[:, None], x)
    assert exceeds(late)
    assert late.evidence["permutation"][4] != 4


def test_chance_is_undecided_with_its_reason(x):
    chance = np.random.default_rng(3)
    verdict = equivariance(lambda x: x + chance.normal(size=x.shape), x)
    assert verdict.status == "undecided"
    assert verdict.reason
    assert "module" not in verdict.reason
    assert "eval" not in verdict.next_step
    assert verdict.evidence is None


@pytest.mark.parametrize("first", [2, 3, 4, 15, 26, 27, 28, 29, 30, 31, 32])
def test_chance_that_shows_late_is_not_taken_for_order(x, first):
    """From its call number `first` on the function gives something else: 3 calls, 23 permutations, 3 calls of each again."""
    calls = []

    def moody(x):
        calls.append(1)
        return x + (len(calls) >= first)

    verdict = equivariance(moody, x[:4])
    assert verdict.status == "undecided"
    assert says(verdict.reason, 1)


def test_what_is_not_finite_is_undecided(x):
    for f in (lambda x: x / 0.0, lambda x: np.where(x == x[0, 0], np.nan, x)):
        with np.errstate(all="ignore"):
            verdict = equivariance(f, x)
        assert verdict.status == "undecided"
        assert verdict.reason


def test_x_is_left_as_it_was(x):
    before = x.copy()

    def greedy(x):
        x *= 2
        return x

    assert equivariance(greedy, x).status == "undecided"
    assert (x == before).all()


def test_permutations_are_all_or_the_telling_ones():
    assert len(permutations(4, trials=23, seed=0)) == 23
    few = permutations(50, trials=40, seed=0)
    assert len(few) == len(set(few)) == 40
    assert few[0] == tuple(range(50))[::-1]
    assert (*range(48), 49, 48) in few
    assert (1, 0, *range(2, 50)) in few
    assert all(sorted(order) == list(range(50)) for order in few)
    assert tuple(range(50)) not in few
    assert permutations(50, trials=40, seed=1) != few
    assert permutations(50, trials=40, seed=0) == few
    assert len(permutations(2, trials=120, seed=0)) == len(permutations(2, trials=1, seed=0)) == 1
    assert len(permutations(12, trials=1, seed=0)) == 1


@pytest.mark.parametrize(
    ("given", "error", "why"),
    [
        ({"function": 3}, TypeError, "`function`.*int"),
        ({"x": [1.0, 2.0]}, ValueError, r"`x`.*\(2,\)"),
        ({"x": [[1.0, 2.0]]}, ValueError, r"`x`.*\(1, 2\)"),
        ({"x": [[1.0], [math.nan]]}, ValueError, "`x`"),
        ({"x": np.zeros((3, 0))}, ValueError, "`x`"),
        ({"x": np.array([["a"], ["b"]])}, TypeError, "`x`"),
        ({"x": [[1.0], [2.0, 3.0]]}, ValueError, "`x`"),
        ({"allowance": -1.0}, ValueError, "`allowance`"),
        ({"allowance": math.nan}, ValueError, "`allowance`"),
        ({"trials": 0}, ValueError, "`trials`.*0"),
        ({"trials": -1}, ValueError, "`trials`.*-1"),
        ({"seed": -1}, ValueError, "`seed`.*-1"),
        ({"seed": 0.5}, TypeError, "`seed`"),
        (
            {"function": lambda x: 1 / 0},
            ValueError,
            "`function`.*ZeroDivisionError",
        ),
        ({"function": lambda x: x[:2]}, ValueError, r"`function`.*\(2, 2\)"),
        ({"function": lambda x: x.sum()}, ValueError, r"`function`.*\(\)"),
        ({"function": lambda x: x[:, :0]}, ValueError, r"`function`.*\(3, 0\)"),
        ({"function": lambda x: (x, x)}, TypeError, "`function`"),
        ({"function": lambda x: x.tolist()}, TypeError, "`function`"),
        ({"function": lambda x: None}, TypeError, "`function`.*NoneType"),
        ({"function": lambda x: x.astype(np.int64) + 2**53}, TypeError, "`function`.*int64"),
        ({"allowance": "1/3"}, ValueError, "`allowance`"),
        ({"function": lambda x: x + 1j}, TypeError, "`function`.*complex128"),
        ({"function": lambda x: x[:, : 1 + int(x[0, 0] == 0)]}, ValueError, "`function`"),
    ],
)
def test_wrong_calls_are_named(given, error, why):
    call = {"function": lambda x: x, "x": np.arange(6.0).reshape(3, 2), **given}
    with pytest.raises(error, match=why):
        equivariance(call.pop("function"), call.pop("x"), **call)


def test_what_the_function_raised_is_kept(x):
    def first_order_only(y):
        if (y != x).any():
            raise KeyError("unknown order")
        return y

    with pytest.raises(ValueError, match=r"`function`.*'unknown order'") as raised:
        equivariance(first_order_only, x)
    assert isinstance(raised.value.__cause__, KeyError)


def test_a_shape_that_changes_is_named():
    calls = []

    def growing(x):
        calls.append(1)
        return np.ones((3, len(calls)))

    with pytest.raises(ValueError, match=r"`function`.*\(3, 1\).*\(3, 2\)"):
        equivariance(growing, np.ones((3, 2)))


@pytest.mark.needs("torch")
def test_torch_layers(rng):
    import torch

    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True)
    table = torch.tensor(sinusoidal_table(7, 8), dtype=torch.float32)

    class Placed(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = layer

        def forward(self, x):
            return self.layer(x + table[: x.shape[-2]])

    x = torch.tensor(rng.normal(size=(3, 7, 8)), dtype=torch.float32, requires_grad=True)
    dropping = equivariance(layer.train(), x)
    assert dropping.status == "undecided"
    assert dropping.reason
    assert dropping.reason
    assert "eval()" in dropping.next_step
    assert layer.training
    placed = Placed().eval()
    assert equivariance(layer, x).evidence["largest defect"] < 1e-5
    assert exceeds(equivariance(placed, x))
    assert not layer.training
    assert x.grad is None
    assert exceeds(equivariance(placed, x[0].detach().numpy().astype(np.float64)))  # NumPy numbers, made float32
    assert equivariance(hw.Block.from_torch(layer), x).status == "proved"
    assert not exceeds(equivariance(lambda x: layer.self_attn(x, x, x)[0], x))


@pytest.mark.needs("torch")
def test_torch_types_and_modules_without_parameters(rng):
    import torch

    class Total(torch.nn.Module):
        def forward(self, x):
            x *= 1  # in place: it has a copy of its own
            return x.cumsum(dim=-2)

    assert exceeds(equivariance(Total(), rng.normal(size=(4, 3))))
    assert equivariance(Total(), torch.arange(8).reshape(4, 2)).evidence["allowance"] == 0
    half = torch.tensor(rng.normal(size=(4, 3))).bfloat16()
    verdict = equivariance(lambda x: x + 1, half)
    assert verdict.evidence["allowance"] >= 64 * 2.0**-7
    embedding = torch.nn.Embedding(9, 3)
    assert not exceeds(equivariance(lambda x: embedding(x)[..., 0, :], torch.arange(8).reshape(4, 2)))
    with pytest.raises(TypeError, match="real numbers"):
        equivariance(lambda x: x.to(torch.complex64), torch.ones(3, 2))


@pytest.mark.needs("jax")
def test_jax_functions(rng):
    import jax
    import jax.numpy as jnp

    x = jnp.asarray(rng.normal(size=(2, 4, 3)))
    assert exceeds(equivariance(lambda x: jnp.cumsum(x, axis=-2), x))
    assert not exceeds(equivariance(jax.jit(lambda x: x - x.mean(axis=-2, keepdims=True)), x))
    assert equivariance(lambda x: x + 1, x.astype(jnp.bfloat16)).evidence["allowance"] >= 64 * 2.0**-7
    with pytest.raises(TypeError, match="traced"):
        jax.jit(lambda x: equivariance(lambda x: x, x) and x)(x)
