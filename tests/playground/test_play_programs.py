"""A compiled model as JSON for the page: codes and bounds that hold on words, what is too large, and words that are wrong."""

import base64
import json

import numpy as np
import pytest

import headwright as hw
from examples.programs import PROGRAMS
from headwright.playground.programs import MOST_TEXT, program_answer, program_traits
from headwright.program_meaning import registers


def compiled(name, length=10, **options):
    program, output = PROGRAMS[name](length)
    return hw.compile(program, output, **options)


def numbers(packed, kind="<f8"):
    return np.frombuffer(base64.b64decode(packed["data"]), dtype=kind).reshape(packed["shape"])


def some_words(model, rng, count):
    own = model.program.written()
    for _ in range(count):
        size = int(rng.integers(1, own.length + 1))
        yield [own.vocabulary[k] for k in rng.integers(0, len(own.vocabulary), size)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_registers_hold_is_what_the_program_says_within_the_proved_error(name, rng):
    model = compiled(name)
    traits = program_traits(model)
    seen = 0
    for word in some_words(model, rng, 12):
        answer = program_answer(model, {"number": 5, "word": word})
        if answer["problem"]:
            assert name in ("copy", "most_frequent")
            continue
        seen += 1
        says = registers(model.program.written(), word, model.claim.output)
        assert (answer["number"], answer["word"], answer["output"]) == (5, word, model(word))
        for row, own in zip(traits["registers"], answer["registers"], strict=True):
            assert len(own["says"]) == len(word)
            assert own["says"] == [
                value if isinstance(value, str | int) else [str(value)] for value in says[row["number"]]
            ]
            if own["holds"] is None:
                assert row["columns"] is None
                continue
            # The proof bounds the machine's result. The subtraction here rounds once more.
            assert max(own["off"]) <= row["error"] * (1 + 1e-9) + 1e-15, row["name"]
            if row["codes"] is not None:
                assert own["holds"] == own["says"]
        every = model.attention(word)
        for head, packed in zip(traits["heads"], answer["attention"], strict=True):
            np.testing.assert_allclose(numbers(packed, "<f4"), every[head["name"]], atol=1e-7)
    assert seen >= 3


def test_everything_is_plain_json_and_the_weights_keep_every_bit():
    model = compiled("induction")
    traits = json.loads(json.dumps(program_traits(model), allow_nan=False))
    for name, packed in traits["weights"].items():
        np.testing.assert_array_equal(numbers(packed), model.claim.weights[name])
    assert traits["written"] == model.program.to_dict()
    assert traits["sentence"] == "Proved for every word of up to 10 tokens. The error is at most 0.2491."
    assert [head["leak"] for head in traits["heads"]] == [leak for leak in model.table()["leak"] if leak is not None]
    json.dumps(program_answer(model, {"number": 1, "word": traits["word"]}), allow_nan=False)


def test_the_first_word_is_one_on_which_the_program_is_defined():
    for name in ("most_frequent", "copy", "brackets"):
        model = compiled(name)
        model.checked(program_traits(model)["word"])
    short = hw.Program("a", length=1)
    assert program_traits(hw.compile(short, short.count()))["word"] == ["a"]
    assert program_traits(compiled("histogram"), "abba")["word"] == list("abba")


def test_registers_with_one_name_keep_their_own_attention():
    p = hw.Program("abc", length=6)
    one = p.named(p.pick(p.at(p.indices - 1), p.tokens, default="?"), "near")
    two = p.named(p.pick(p.at(p.indices - 2), p.tokens, default="?"), "near")
    model = hw.compile(p, p.map(lambda a, b: a if a == b else "-", one, two))
    answer = program_answer(model, {"number": 1, "word": list("abcab")})
    first, second = (numbers(own, "<f4") for own in answer["attention"])
    assert first[4, 3] > 0.9
    assert second[4, 2] > 0.9


@pytest.mark.parametrize(
    ("word", "problem"),
    [
        (["z"], "position 0 holds 'z'"),
        (["a"] * 11, "1 to 10 tokens, got 11"),
        ([], "1 to 10 tokens, got 0"),
        ("ab", "list of tokens"),
        (None, "list of tokens"),
        (["a", 3], "list of tokens"),
        (["a", "b"], "pick#2 has no value at position 0, because no key is selected there"),
    ],
)
def test_a_word_that_cannot_be_run_is_answered_in_words(word, problem):
    answer = program_answer(compiled("copy"), {"number": 7, "word": word})
    assert problem in answer["problem"]
    assert (answer["number"], answer["word"], answer["output"], answer["attention"]) == (7, word, None, None)


def test_selected_keys_that_differ_are_named():
    answer = program_answer(compiled("most_frequent"), {"number": 1, "word": ["a", "b"]})
    assert "pick#20 has no value at position 0, because the selected keys hold 'a' and 'b' there" in answer["problem"]


def test_a_model_that_is_too_large_says_so():
    model = compiled("frac_prevs_full", 120, error="0.01")
    traits = program_traits(model)
    assert (traits["weights"], traits["written"]) == (None, None)
    assert f"at most {MOST_TEXT // 1000} kB" in traits["too_large"]
    assert len(json.dumps(traits)) < MOST_TEXT
    assert program_answer(model, {"number": 1, "word": ["a"] * 120})["output"][-1] == pytest.approx(1, abs=0.01)


def test_streams_in_a_basis_and_with_tokens_of_their_own(rng):
    p = hw.Program("abcd", length=6)
    output = p.count(p.tokens.matches(p.tokens))
    basis, tokens = rng.integers(-4, 5, (12, 9)) / 4, rng.integers(-4, 5, (4, 5)) / 4
    for options in ({"basis": basis}, {"tokens": tokens}):
        model = hw.compile(p, output, **options)
        traits = program_traits(model)
        assert ("reader" in traits["weights"]) == ("basis" in options)
        answer = program_answer(model, {"number": 1, "word": list("abacab")})
        for row, own in zip(traits["registers"], answer["registers"], strict=True):
            # The columns are read by a pseudo-inverse, which rounds.
            assert max(own["off"]) <= row["error"] + 1e-9
        assert answer["registers"][0]["holds"] == list("abacab")
        assert np.round(answer["registers"][-1]["holds"]).tolist() == [3, 2, 3, 1, 3, 2]


def test_only_models_are_taken():
    with pytest.raises(TypeError, match="must be a compiled program"):
        program_traits([[1, 2]])
