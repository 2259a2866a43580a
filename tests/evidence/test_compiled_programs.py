"""Seeded subsets of the runs on compiled programs that `make evidence` makes, and what must make each of them fail."""

import numpy as np
import pytest

from evidence import changed_weights, compiled_programs, small_words
from evidence.program_cases import CASES, defined, every_word, labels_of, model
from evidence.program_runs import ByHand, in_digits, in_numpy, seen_errors, wrong_tokens
from headwright.theories.programs.meaning import Undefined, meaning

NAMES = list(CASES)


@pytest.mark.parametrize("name", NAMES)
def test_the_meaning_by_hand_is_that_of_the_interpreter(name):
    size = min(len(CASES[name].vocabulary), 4)
    program, output = CASES[name].build(5, CASES[name].vocabulary[:size])
    some = 0
    for words in every_word(size, 5):
        words = words[:: max(1, len(words) // 60)]
        there = defined(name, words, size)
        for word, has_meaning in zip(words, there, strict=True):
            tokens = [program.written().vocabulary[token] for token in word]
            if not has_meaning:
                with pytest.raises(Undefined):
                    meaning(program.written(), tokens, output.number)
                continue
            by_hand = labels_of(name, CASES[name].meaning(word[None], size), program.written().vocabulary)[0]
            said = meaning(program.written(), tokens, output.number)
            assert all(map(compiled_programs.same, by_hand, said)), (word, by_hand, said)
            some += 1
    assert some > 20


def test_programs_are_proved_and_withstand_the_attack(tmp_path):
    found = compiled_programs.run(tmp_path, limit=3)
    assert found["holds"], found
    assert found["proved"] == 6
    assert found["attacked_tokens"] > 2000
    assert found["wrong_tokens"] == 0
    assert compiled_programs.run(tmp_path, limit=3) == found  # from the store


def test_small_words_stay_within_the_bound_and_come_close_to_it(tmp_path):
    found = small_words.run(tmp_path, limit=2)
    assert found["holds"], found
    assert found["words_with_40_digits"] > 10
    assert found["one_step_cases_with_leak_above_rounding"] == 18
    assert 1 <= found["largest_ratio"] <= 1.01


def test_changed_weights_are_refused_or_within_their_bound(tmp_path):
    found = changed_weights.run(tmp_path, limit=18)
    assert found["holds"], found
    assert found["first"]["refused"] > 3
    assert found["first"]["accepted"] > 3


def test_an_accepted_change_beyond_its_bound_is_false(monkeypatch):
    """A checker that accepts everything is caught."""
    stated = model("reverse", 10, "float64").claim.error
    monkeypatch.setattr(changed_weights, "proved", lambda claim: stated)
    monkeypatch.setattr(changed_weights, "second_opinion", lambda claim: None)
    rows = [changed_weights.examine("reverse", 10, "float64", number) for number in range(12)]
    assert any(row["false"] for row in rows)


def test_wrong_tokens_are_counted():
    claim = model("histogram", 6, "float64").claim
    words = np.array([[0, 1, 0, 2]])
    codes = compiled_programs.wanted("histogram", claim, words)
    made = in_numpy(claim, words)
    assert wrong_tokens(claim, made, codes) == 0
    made[0, 2] += 0.6
    assert wrong_tokens(claim, made, codes) == 1


@pytest.mark.parametrize("way", ["one by one", "by halves", "fused"])
@pytest.mark.parametrize("name", ["sort", "brackets", "induction"])
def test_sums_in_any_order_agree_with_numpy(name, way, rng):
    claim = model(name, 6, "float32").claim
    words = rng.integers(0, len(CASES[name].vocabulary), (3, 6))
    by_hand, codes = ByHand(rng, way)(claim, words), compiled_programs.wanted(name, claim, words)
    np.testing.assert_allclose(by_hand, in_numpy(claim, words), atol=1e-4)
    assert (seen_errors(by_hand, codes) <= float(claim.proved_error())).all()
    if name == "induction":  # all exponentials are off by an ulp at random
        assert not np.array_equal(by_hand, in_numpy(claim, words))


def test_forty_digits_agree_with_float64(rng):
    claim = model("most frequent", 5, None, letters=3).claim
    word = np.array([0, 1, 2, 0])
    exact = np.array(in_digits(claim, word), dtype=float)
    np.testing.assert_allclose(exact, in_numpy(claim, word[None])[0], atol=1e-9)


def test_a_checker_that_assumes_the_values_of_the_length_head_is_caught(monkeypatch):
    """A first prototype did: it took the head's values for granted instead of reading them from the stored weights."""
    case, prove = ("reverse", 10, "float64"), changed_weights.proved
    stored = changed_weights.compiled(*case)
    assumed = ("0.value", "0.value_bias")

    def assuming(claim):
        weights = {**claim.weights, **{name: stored.weights[name] for name in assumed}}
        fields = claim.program, claim.output, claim.dtype, claim.error, claim.layout
        return prove(changed_weights.RunsProgram(*fields, weights))

    monkeypatch.setattr(changed_weights, "second_opinion", lambda claim: None)
    chosen = [k for k in range(100) if changed_weights.changed(stored, np.random.default_rng(k))[0] in assumed]
    assert len(chosen) > 5
    assert not any(changed_weights.examine(*case, number)["false"] for number in chosen)
    monkeypatch.setattr(changed_weights, "proved", assuming)
    assert sum(changed_weights.examine(*case, number)["false"] for number in chosen) > 3


def test_only_the_named_case_may_be_refused(tmp_path, monkeypatch):
    refusal = {"status": "not found", "reason": "too long", "proved": None, "attack": None}
    row = {**refusal, "status": "proved", "proved": 0.1, "attack": {"NumPy": {"tokens": 9, "wrong": 0, "seen": 0.0}}}
    refused = ["copy 10 float64"]

    def examine(name, n, dtype, share):
        return refusal if f"{name} {n} {dtype}" in refused else row

    monkeypatch.setattr(compiled_programs, "examine", examine)
    assert compiled_programs.run(tmp_path / "one", limit=2)["bad"] == refused
    monkeypatch.setattr(compiled_programs, "MAY_BE_REFUSED", tuple(refused))
    found = compiled_programs.run(tmp_path / "two", limit=2)
    assert found["holds"]
    assert found["refused"] == {"copy 10 float64": "too long"}
