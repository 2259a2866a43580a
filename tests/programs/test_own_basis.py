"""Own residual basis: dense columns at any angles, and the errors that a basis can give."""

from itertools import product

import numpy as np
import pytest

import headwright as hw
from headwright.search.compile.plan import Plan


def copy(p):
    return p.pick(p.at(1), p.tokens, default="a")


def histogram(p):
    return p.count(p.tokens.matches(p.tokens))


def reverse(p):
    return p.pick(p.at(p.length() - 1 - p.indices), p.tokens)


def sort(p):
    flags = [p.count(p.tokens.below(u)) <= p.indices for u in "bc"]
    return p.map(lambda *x: "abc"[sum(x)], *flags)


def share(p):
    return p.mean(p.before(), p.map(lambda t: int(t == "a"), p.tokens))


PROGRAMS = [copy, histogram, reverse, sort, share]


def dense(rng, width, extra=3):
    """Unit columns that lean towards one direction: (w + extra, w), with coherence above one half."""
    columns = rng.standard_normal((width + extra, width)) + 1.2 * rng.standard_normal((width + extra, 1))
    columns /= np.linalg.norm(columns, axis=0)
    assert np.abs(columns.T @ columns - np.eye(width)).max() > 0.5
    return columns


def width(p, output, tokens=None):
    return Plan(p.written(), output.number, tokens).width


def check_all_words(model, p, output):
    for size in range(1, p.written().length + 1):
        for word in product(p.written().vocabulary, repeat=size):
            assert model.error(word) <= model.verdict.bound
            if p.written().values[output.number].labels is not None:
                assert model(word) == p.run(word, output)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("written", PROGRAMS)
def test_no_word_exceeds_the_proved_error(written, dtype, rng):
    p = hw.Program("abc", length=4)
    output = written(p)
    basis = dense(rng, width(p, output))
    model = hw.compile(p, output, basis=basis, dtype=dtype)
    assert model.verdict.status == "proved"
    assert model.embedding.shape[1] == len(basis)
    check_all_words(model, p, output)


@pytest.mark.parametrize("written", PROGRAMS)
def test_dense_bases_at_length_50(written, rng):
    p = hw.Program("abc", length=50)
    output = written(p)
    model = hw.compile(p, output, basis=dense(rng, width(p, output)))
    assert model.verdict.status == "proved"
    word = [("a", "b", "c")[k] for k in rng.integers(0, 3, 50)]
    assert model.error(word) <= model.verdict.bound


def test_tokens_and_basis_together(rng):
    p = hw.Program("abc", length=4)
    output = reverse(p)
    vectors = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]])
    model = hw.compile(p, output, tokens=vectors, basis=dense(rng, width(p, output, vectors)))
    assert model.verdict.status == "proved"
    check_all_words(model, p, output)
    (place,) = [part for part in model.claim.layout if part.register == 0]
    held = model.embedding[1:] @ np.linalg.pinv(model.claim.weights["basis"]).T
    assert np.allclose(held[:, list(place.columns)], vectors)


def test_the_first_columns_are_used(rng):
    p = hw.Program("abc", length=4)
    output = histogram(p)
    needed = width(p, output)
    wide = dense(rng, needed + 4)
    model = hw.compile(p, output, basis=wide)
    assert np.array_equal(model.claim.weights["basis"], wide[:, :needed])


def test_too_few_columns(rng):
    p = hw.Program("abc", length=4)
    output = histogram(p)
    with pytest.raises(ValueError, match=rf"`basis` must have {width(p, output)} columns"):
        hw.compile(p, output, basis=rng.standard_normal((9, width(p, output) - 1)))


def test_dependent_columns(rng):
    p = hw.Program("abc", length=4)
    output = histogram(p)
    basis = np.round(rng.standard_normal((12, width(p, output))) * 8)
    basis[:, 2] = basis[:, 0] + basis[:, 1]
    with pytest.raises(hw.Unreachable) as refusal:
        hw.compile(p, output, basis=basis)
    assert refusal.value.verdict.status == "proved"
    basis[:, 2] = 0
    with pytest.raises(ValueError, match="`basis`"):
        hw.compile(p, output, basis=basis)
    with pytest.raises(hw.Unreachable):  # more columns than dimensions
        hw.compile(p, output, basis=rng.standard_normal((2, width(p, output))))


@pytest.mark.parametrize("basis", [[1, 2, 3], [[1, float("nan")]], "abc", [["x"]], [[]]])
def test_bad_bases(basis):
    p = hw.Program("abc", length=4)
    with pytest.raises((TypeError, ValueError), match="`basis`"):
        hw.compile(p, histogram(p), basis=basis)
