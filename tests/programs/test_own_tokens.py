"""Own token vectors: no small word exceeds the proved error, and what no head can do is refused with a proof."""

from itertools import product

import numpy as np
import pytest

import headwright as hw
from headwright.search.compile.own_tokens import codes_of_labels, direction
from headwright.search.compile.token_scores import score_maps
from headwright.theories.programs.meaning import Undefined
from headwright.theories.programs.runs_program import RunsProgram
from tests.facts import is_mean


def circle(count, dtype=np.float32):
    angles = 2 * np.pi * np.arange(count) / count + 0.3
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(dtype)


def histogram(p):
    return p.count(p.tokens.matches(p.tokens))


def reverse(p):
    return p.pick(p.at(p.length() - 1 - p.indices), p.tokens)


def share(p):
    return p.mean(p.before(), p.map({"a": 1, "b": 0, "c": 0, "d": 1}, p.tokens))


def copied(p):
    return p.pick(p.tokens.among("ab"), p.tokens, default="?")


def looked_up(p):
    before = p.pick(p.at(p.indices - 1), p.tokens, default="?")
    return p.last(before.matches(p.tokens), p.tokens, default="?")


def one_hot(p):
    same = p.map(lambda t: t, p.tokens)
    return p.count(same.among("bd"))


def joined(p):
    before = p.pick(p.at(p.indices - 1), p.tokens, default="a")
    return p.map(lambda s, t: (ord(s) + 2 * ord(t)) % 3, before, p.tokens)


PROGRAMS = [histogram, reverse, share, copied, looked_up, one_hot, joined, lambda p: p.tokens]


def worst(model, p, output, length):
    """The largest error seen on all words of up to `length` tokens on which the program is defined."""
    seen = 0.0
    for size in range(1, length + 1):
        for word in product(p.written().vocabulary, repeat=size):
            try:
                meant = p.run(word, output)
            except Undefined:
                continue
            seen = max(seen, model.error(word))
            if p.written().values[output.number].labels is not None:
                assert model(word) == meant
    return seen


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("written", PROGRAMS)
def test_no_word_exceeds_the_proved_error(written, dtype):
    p = hw.Program("abcd", length=4)
    output = written(p)
    model = hw.compile(p, output, tokens=circle(4), dtype=dtype)
    assert model.verdict.status == "proved"
    assert worst(model, p, output, 4) <= model.verdict.bound


def test_the_embedding_holds_the_vectors():
    p = hw.Program("abcd", length=4)
    vectors = circle(4)
    model = hw.compile(p, histogram(p), tokens=vectors, dtype="float32")
    (place,) = [part for part in model.claim.layout if part.register == 0]
    assert np.array_equal(model.embedding[1:, list(place.columns)], vectors)
    assert not np.delete(model.embedding[1:], place.columns, axis=1).any()
    assert not model.embedding[0, list(place.columns)].any()


def test_a_changed_vector_is_not_proved():
    p = hw.Program("abcd", length=4)
    claim = hw.compile(p, histogram(p), tokens=circle(4)).claim
    tokens = claim.weights["tokens"].copy()
    columns = next(list(part.columns) for part in claim.layout if part.register == 0)
    tokens[1, columns] = tokens[2, columns]
    weights = dict(claim.weights) | {"tokens": tokens}
    changed = RunsProgram(claim.program, claim.output, claim.dtype, claim.error, claim.layout, weights)
    assert changed.prove().status != "proved"


def test_many_tokens_in_few_dimensions(rng):
    vectors = rng.standard_normal((200, 16))
    vectors = (vectors / np.linalg.norm(vectors, axis=1)[:, None]).astype(np.float32)
    p = hw.Program([f"w{k}" for k in range(200)], length=20)
    output = histogram(p)
    model = hw.compile(p, output, tokens=vectors, dtype="float32")
    assert model.verdict.status == "proved"
    near = vectors @ vectors.T - 2 * np.eye(200)
    first, second = np.unravel_index(near.argmax(), near.shape)
    for word in ([f"w{first}"] + [f"w{second}"] * 19, [f"w{k}" for k in rng.integers(0, 200, 20)]):
        assert model(word) == p.run(word, output)
        assert model.error(word) <= model.verdict.bound


def test_a_token_in_the_hull_of_others():
    p = hw.Program("abcd", length=4)
    vectors = [[0, 0], [1, 0], [0, 1], [0.25, 0.25]]
    for output in (histogram(p), p.last(p.tokens.among("d"), p.indices, default=-1), p.count(p.tokens.among("d"))):
        with pytest.raises(hw.Unreachable) as refusal:
            hw.compile(p, output, tokens=vectors)
        assert refusal.value.verdict.status == "proved"
        assert is_mean(vectors, 3, refusal.value.witness)
        assert "'d'" in str(refusal.value)
    same = p.map(lambda t: t, p.tokens)  # hidden units tell the tokens apart
    assert hw.compile(p, p.count(same.matches(same)), tokens=vectors).verdict.status == "proved"
    assert hw.compile(p, p.pick(p.tokens.among("ad"), p.tokens), tokens=vectors).verdict.status == "proved"


def test_a_set_that_no_query_gives_equal_weight():
    p = hw.Program("abcd", length=4)
    square = [[0, 0], [1, 0], [0, 1], [1, 1]]
    with pytest.raises(hw.Unreachable) as refusal:
        hw.compile(p, p.count(p.tokens.among("ad")), tokens=square)
    assert refusal.value.verdict.status == "proved"
    with pytest.raises(hw.Unreachable):  # nor does any query prefer them to the others
        hw.compile(p, p.pick(p.tokens.among("ad"), p.tokens), tokens=square)


def test_equal_vectors():
    p = hw.Program("abc", length=4)
    with pytest.raises(hw.Unreachable) as refusal:
        hw.compile(p, p.tokens, tokens=[[1, 0], [0, 1], [1, 0]])
    assert refusal.value.verdict.status == "proved"
    assert "'a' and 'c'" in str(refusal.value)


@pytest.mark.parametrize(
    ("tokens", "error"),
    [
        ([[1, 0], [0, 1]], ValueError),
        ([1, 2, 3], ValueError),
        ([[1, 0], [0, 1], [0, float("nan")]], ValueError),
        ([[1, 0], [0, 1], [0, float("inf")]], ValueError),
        ([["x", "y"], ["y", "z"], ["z", "x"]], (TypeError, ValueError)),
        ("abc", (TypeError, ValueError)),
        ([[], [], []], ValueError),
    ],
)
def test_bad_tokens(tokens, error):
    p = hw.Program("abc", length=4)
    with pytest.raises(error, match="`tokens`"):
        hw.compile(p, p.tokens, tokens=tokens)


def test_float32_takes_only_numbers_that_it_holds():
    p = hw.Program("abc", length=4)
    vectors = [[1, 0], [0, 0.1], [0, 2]]
    with pytest.raises(ValueError, match="`tokens`"):
        hw.compile(p, p.tokens, tokens=vectors, dtype="float32")
    assert hw.compile(p, p.tokens, tokens=np.float32(vectors), dtype="float32").verdict.status == "proved"


@pytest.mark.parametrize("size", [1e-200, 1e200, 1e-6, 1e6])
def test_huge_and_tiny_vectors_are_proved_or_refused(size):
    p = hw.Program("abc", length=4)
    try:
        model = hw.compile(p, histogram(p), tokens=size * circle(3, np.float64))
    except (hw.NotFound, hw.Unreachable):
        return
    assert worst(model, p, histogram(p), 0) <= model.verdict.bound
    assert model("abca") == [2, 1, 1, 2]


def test_one_dimension():
    p = hw.Program("abc", length=4)
    output = p.count(p.tokens.among("c"))
    model = hw.compile(p, output, tokens=[[0], [1], [5]])
    assert worst(model, p, output, 4) <= model.verdict.bound
    with pytest.raises(hw.Unreachable):
        hw.compile(p, p.count(p.tokens.among("b")), tokens=[[0], [1], [5]])


@pytest.mark.parametrize("even", [True, False])
def test_scores_have_a_gap_of_one(rng, even):
    for vectors in (circle(7, np.float64), rng.standard_normal((5, 6)), np.eye(3)):
        holds = np.eye(len(vectors), dtype=bool)
        maps = score_maps(vectors, vectors, holds, even=even)
        scores = (vectors @ maps.query.T + maps.query_bias) @ (vectors @ maps.key.T + maps.key_bias).T
        selected = np.diag(scores)
        assert (selected >= maps.least - 1e-9).all()
        assert (selected[:, None] - np.where(holds, -np.inf, scores) >= 1 - 1e-6).all()
        if even:
            assert np.ptp(selected) <= 1e-5


def test_directions_keep_classes_apart(rng):
    codes = rng.standard_normal((20, 3))
    classes = list("abcde" * 4)
    y = codes @ direction(codes, classes)
    apart = [abs(y[i] - y[j]) for i in range(20) for j in range(i) if classes[i] != classes[j]]
    assert min(apart) >= 1 - 1e-9


def test_a_default_has_a_code_of_its_own():
    for vectors in (np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])):
        names = "abc"[: len(vectors)]
        codes = codes_of_labels(vectors, [*names, "?"], names)
        assert np.array_equal(codes[:-1], vectors)
        assert np.abs(codes[:-1] - codes[-1]).max(axis=1).min() >= 0.5
