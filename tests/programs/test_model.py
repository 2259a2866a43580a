"""Model: torch agrees with NumPy on every short word, the table is what the walk proves, and files give the model back."""

import dataclasses
import itertools
import json
import xml.etree.ElementTree as ET
from contextlib import suppress

import numpy as np
import pytest

import headwright as hw
from headwright.search.compile.words import registers_read, step_in_words
from headwright.theories.programs.meaning import Undefined


def induction(length=5, **options):
    p = hw.Program("abc", length=length, causal=True)
    previous = p.pick(p.at(p.indices - 1), p.tokens, default="?")
    return hw.compile(p, p.last(previous.matches(p.tokens) & p.before(), p.tokens, default="?"), **options)


def histogram(length=5, **options):
    p = hw.Program("abc", length=length)
    return hw.compile(p, p.count(p.tokens.matches(p.tokens)), **options)


def reverse(length=5, **options):
    p = hw.Program("abc", length=length)
    return hw.compile(p, p.pick(p.at(p.length() - 1 - p.indices), p.tokens), **options)


def mean(length=5, **options):
    p = hw.Program("abc", length=length, causal=True)
    return hw.compile(p, p.mean(p.before(), p.map({"a": -3, "b": 0, "c": 2}, p.tokens)), **options)


def sign(length=5, **options):
    p = hw.Program("abc", length=length, causal=True)
    return hw.compile(p, p.sign(p.mean(p.before(), p.map({"a": -1, "b": 0, "c": 2}, p.tokens))), **options)


MAKERS = [induction, histogram, reverse, mean, sign]
every_model = pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)


def words(model, most=4):
    for n in range(1, most + 1):
        yield from itertools.product(model.program.tokens.labels, repeat=n)


@every_model
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_it_says_what_the_program_means(make, dtype):
    model = make(dtype=dtype)
    bound = model.verdict.expect().bound
    for word in words(model):
        wanted = model.program.run(word, model.output)
        said = model(word)
        assert np.abs(np.subtract(said, wanted)).max() <= bound if make is mean else said == wanted
        assert model.error(word) <= bound
    assert model.codes("ab").dtype == dtype


@pytest.mark.needs("torch")
@every_model
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_torch_computes_the_same(make, dtype):
    import torch

    model = make(dtype=dtype)
    module, bound = model.to_torch(), model.verdict.bound
    assert sum(weights.numel() for weights in module.parameters()) == model.parameters
    assert {weights.dtype for weights in module.parameters()} == {getattr(torch, dtype)}
    for n in range(1, 5):
        batch = list(itertools.product("abc", repeat=n))
        with torch.no_grad():
            codes = module(torch.stack([module.ids(word) for word in batch]))
        assert codes.shape[:2] == (len(batch), n)
        for word, own in zip(batch, codes, strict=True):
            # Each of the two lies within the proved error of the same codes.
            assert np.abs(own.numpy() - model.codes(word)).max() <= 2 * bound
            np.testing.assert_allclose(own.numpy(), model.codes(word), atol=1e-3 if dtype == "float32" else 1e-9)
            if make is not mean:
                assert module.decode(own) == model.program.run(word, model.output)


@pytest.mark.needs("torch")
@every_model
def test_torch_decodes_codes_that_have_a_gradient(make, recwarn):
    model = make(dtype="float64")
    module = model.to_torch()
    decoded = module.decode(module(module.ids("ab")))
    assert decoded == pytest.approx(model("ab"), abs=1e-9) if make is mean else decoded == model("ab")
    assert [own.message for own in recwarn] == []


@pytest.mark.needs("torch")
def test_torch_is_causal_and_can_be_moved_to_another_type():
    import torch

    model = induction()
    module = model.to_torch(dtype="float32")
    assert module.unembedding.dtype == torch.float32
    with torch.no_grad():
        one, other = (module(module.ids(word)) for word in ("abab", "abac"))
    assert torch.equal(one[:3], other[:3])
    assert not torch.equal(one, other)
    assert module.decode(one) == model("abab")


@pytest.mark.needs("torch")
def test_torch_refuses_what_the_model_refuses():
    module = histogram().to_torch()
    with pytest.raises(ValueError, match="`ids`"):
        module(module.ids("abcabc"))
    with pytest.raises(ValueError, match="`word`"):
        module.ids("abz")


@pytest.mark.parametrize("word", ["", "abcabc", "abz", 3])
def test_bad_words_are_refused(word):
    model = histogram()
    for call in (model, model.error, model.codes, model.attention):
        with pytest.raises((ValueError, TypeError), match="`word`"):
            call(word)


def test_undefined_words_are_refused():
    p = hw.Program("ab", length=4)
    model = hw.compile(p, p.pick(p.at(2), p.tokens))
    with pytest.raises(Undefined) as caught:
        model("ab")
    assert (caught.value.word, caught.value.values) == (("a", "b"), ())


@every_model
def test_the_table_has_a_row_for_each_place_and_ends_in_the_verdict(make):
    model = make()
    table = model.table()
    assert {len(column) for column in table.values()} == {len(model.layout)}
    assert sorted(itertools.chain(*table["columns"])) == sorted(itertools.chain(*(p.columns for p in model.layout)))
    assert table["register"][-1] == model.program.name(model.output.number)
    assert table["error"][-1] <= model.verdict.bound <= 1.001 * table["error"][-1] + 1e-12
    for k, kind in enumerate(table["kind"]):
        assert (table["rank"][k] is None) == (kind != "head")
        assert (table["units"][k] is None) == (table["slope"][k] is None) == (kind != "units")
        assert table["error"][k] >= 0


def test_leaks_and_errors_of_the_table_hold_on_every_word():
    """The walk speaks of all words. Attention that was computed on some of them must lie within what it says."""
    model = induction(dtype="float32")
    table = model.table()
    heads = [k for k, kind in enumerate(table["kind"]) if kind == "head"]
    leaks, gaps = ({table["register"][k]: table[name][k] for k in heads} for name in ("leak", "gap"))
    seen = dict.fromkeys(("pick#2", "last#3"), 0.0)
    for word in words(model):
        heads = model.attention(word)
        for i in range(1, len(word) + 1):
            seen["pick#2"] = max(seen["pick#2"], 1 - heads["pick#2"][i, i - 1])
            found = [j for j in range(2, i + 1) if word[j - 2] == word[i - 1]]
            seen["last#3"] = max(seen["last#3"], 1 - heads["last#3"][i, found[-1] if found else 0])
    for name, leak in seen.items():
        assert 0.1 * leaks[name] < leak <= leaks[name] * (1 + 1e-5)
    assert min(gaps.values()) > 1


def test_the_error_of_a_pick_is_its_leak_in_real_arithmetic():
    p = hw.Program("ab", length=6)
    model = hw.compile(p, p.pick(p.at(p.indices - 1), p.tokens, default="a"), error="0.01", dtype=None)
    table = model.table()
    assert table["leak"][-1] <= table["error"][-1] <= table["leak"][-1] * (1 + 1e-9)
    # A parabola of strength β leaks 2e^-β + 2e^-4β + …, so that the gap to the neighbours is β.
    powers = np.exp(-table["gap"][-1] * np.arange(1, 7) ** 2)
    share = 2 * powers.sum()
    assert table["leak"][-1] == pytest.approx(share / (1 + share), rel=1e-6)


def test_attention_comes_by_register_with_bos_in_front():
    model = reverse()
    heads = model.attention("abc")
    assert list(heads) == ["length#2", "pick#3"]
    for weights in heads.values():
        assert weights.shape == (4, 4)
        np.testing.assert_allclose(weights.sum(axis=1), 1)
    assert heads["pick#3"][1:].argmax(axis=1).tolist() == [3, 2, 1]
    assert np.triu(induction().attention("abca")["last#3"], 1).max() == 0


def test_a_saved_model_comes_back(tmp_path):
    model = histogram(dtype="float32")
    hw.save(tmp_path / "model", model)
    assert hw.verify(tmp_path / "model").status == "proved"
    back = hw.Model.of(hw.load(tmp_path / "model"))
    assert back.verdict.bound == model.verdict.bound
    assert repr(back) == repr(model)
    for word in words(model, 3):
        assert (back.codes(word) == model.codes(word)).all()
    with pytest.raises(TypeError, match="`claim`"):
        hw.Model.of(hw.design(np.eye(2), hw.Copy(0)))


def test_it_can_be_written_as_json():
    said = json.loads(json.dumps(mean().to_dict()))
    assert said["verdict"]["status"] == "proved"
    assert said["blocks"] == 1
    assert said["table"]["kind"] == ["table", "head"]


def test_a_model_that_is_not_proved_has_no_table():
    model = histogram()
    weights = {name: np.array(array) for name, array in model.claim.weights.items()}
    weights["0.query"] *= 0.1
    made = hw.Model.of(dataclasses.replace(model.claim, weights=weights))
    assert made.verdict.status == "undecided"
    assert "undecided" in repr(made)
    assert "Proved" not in made._repr_html_()


def test_steps_in_words():
    p = hw.Program("abcdefgh", length=5)
    held = p.length()
    told = {
        p.count(): "count all keys",
        p.count(p.tokens.below(p.tokens)): "count keys whose token is below my token",
        p.count(p.tokens.among("ab") & p.before()): "count keys whose token is 'a' or 'b' and that are not after me",
        p.count(p.tokens.among([])): "count keys whose token is nothing",
        p.last(p.at(held - 1), p.tokens, default="x"): "last token at length#2 − 1, otherwise 'x'",
        p.mean(None, p.indices): "mean of index over all keys",
        held: "length of the word",
        2 * p.indices - held <= 3: "2·index ≤ length#2 + 3",
        held > 4: "4 < length#2",
        p.sign(3 - held): "sign of −length#2 + 3",
        p.map(lambda a, b: 0, p.tokens, held): "table of token, length#2",
        p.tokens: "tokens",
    }
    for register, words_of in told.items():
        assert step_in_words(p.written(), register.number, p.name) == words_of


def test_what_a_step_reads_is_told_apart():
    p = hw.Program("ab", length=4)
    before = p.mean(p.before() & p.tokens.among("a"), p.indices)
    order = p.last(None, p.tokens)
    known = p.written()
    assert registers_read(known, before.number) == ((0, 1), (1,))
    assert registers_read(known, order.number) == ((0, 1), ())
    assert registers_read(known, order.number, again=True) == ((), (order.number,))
    assert registers_read(p.written(), (before <= 2).number - 1) == ((0, 1), ())


@pytest.mark.needs("matplotlib")
def test_drawings_are_written_and_say_what_they_show(tmp_path):
    model = induction()
    for path, words_of in (
        (model.draw(tmp_path / "layers.svg"), ["pick#2", "index − 1"]),
        (model.draw_attention(tmp_path / "heads.svg", "abca"), ["BOS a b c a", "last#3"]),
    ):
        described = ET.parse(path).getroot().find("{http://www.w3.org/2000/svg}desc").text.replace("\u00a0", " ")
        assert all(words in described for words in words_of)
    with pytest.raises(ValueError, match="`path`"):
        model.draw(tmp_path / "layers.pdf")


# Registers with one label, and every place where a step may read one.
ONLY = {
    "of the token": lambda p: p.map(lambda token: 7, p.tokens),
    "of the index": lambda p: p.map(lambda i: 0, p.indices),
    "picked": lambda p: p.pick(p.at(p.indices), p.map(lambda token: 2, p.tokens)),
    "of a count": lambda p: p.map(lambda count: 3, p.count(p.tokens.matches(p.tokens))),
    "compared": lambda p: p.map(lambda count: 1, p.last(p.tokens.among("a"), p.indices, default=5)) > 0,
}
ROLES = {
    "key and query": lambda p, one: p.count(one.matches(one)),
    "key": lambda p, one: p.pick(one.matches(p.map(lambda i: i + 1, p.indices)), one, default=9),
    "query": lambda p, one: p.last(p.map(lambda i: i + 1, p.indices).matches(one), p.tokens, default="?"),
    "less than mine": lambda p, one: p.count(one.below(p.map(lambda i: 4 * i, p.indices))),
    "mine": lambda p, one: p.count(p.map(lambda i: 4 * i, p.indices).below(one)),
    "chosen": lambda p, one: p.count(one.among([one.labels[0]]) & p.tokens.among("a")),
    "index": lambda p, one: p.pick(p.at(one - int(one.labels[0]) + p.indices), p.tokens),
    "default": lambda p, one: p.pick(p.at(p.indices - 1), one, default=one.labels[0]),
    "last": lambda p, one: p.last(p.tokens.matches(p.tokens), one),
    "averaged": lambda p, one: p.mean(p.tokens.matches(p.tokens), one),
    "mapped": lambda p, one: p.map(lambda own, token: f"{own}{token}", one, p.tokens),
    "summed": lambda p, one: p.count(p.tokens.among("a")) * 2 >= one,
    "output": lambda p, one: one,
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("only", ONLY)
@pytest.mark.parametrize(("vocabulary", "length", "causal"), [("ab", 4, False), ("a", 3, True), ("ab", 1, False)])
def test_a_register_with_one_label(only, role, vocabulary, length, causal):
    """The program is compiled and right on every word for which it is defined, or refused."""
    p = hw.Program(vocabulary, length=length, causal=causal)
    one = ONLY[only](p)
    output, refusal = ROLES[role](p, one), None
    try:
        model = hw.compile(p, output)
    except hw.NotFound as found:
        refusal = found
    if refusal is not None:
        assert "cannot be compiled at this length" in refusal.reason
        return
    for word in words(model, length):
        with suppress(Undefined):
            assert (
                model(word) == pytest.approx(p.run(word, output), abs=0.25)
                if output.labels is None
                else model(word) == p.run(word, output)
            )
