"""Programs that become transformers: what each does, the trick behind it, and a proof for every word up to its length.

Run it to compile all of them for words of up to eight tokens. Each function takes the length, and returns the program with the
register that holds its output.
"""

from __future__ import annotations

from collections.abc import Callable

import headwright as hw

LETTERS = "abcdefgh"
Made = tuple[hw.Program, "hw.Register"]


def copy(length: int) -> Made:
    """Every position says the token at index 3.

    One head: the score of key j is a parabola, β(2·3·j − j²), which has its peak at 3 whatever the length.
    """
    p = hw.Program(LETTERS, length=length)
    return p, p.pick(p.at(3), p.tokens)


def shift(length: int) -> Made:
    """Every position says the token before it, and the first one says "a".

    The same parabola, with its peak at my index − 1. At the first position it lies on the beginning-of-word token.
    """
    p = hw.Program(LETTERS, length=length)
    return p, p.pick(p.at(p.indices - 1), p.tokens, default="a")


def frac_prevs_causal(length: int) -> Made:
    """The share of "a" among the tokens so far.

    Under a causal mask a head whose scores are all equal averages over exactly the tokens so far.
    """
    p = hw.Program("abcd", length=length, causal=True)
    is_a = p.map(lambda token: int(token == "a"), p.tokens)
    return p, p.mean(p.before(), is_a)


def frac_prevs_full(length: int) -> Made:
    """The share of "a" among the tokens so far, without a mask.

    The scores must be equal on exactly the tokens so far, for each position. That takes a head of rank N − 1.
    """
    p = hw.Program("abcd", length=length)
    is_a = p.map(lambda token: int(token == "a"), p.tokens)
    return p, p.mean(p.before(), is_a)


def histogram(length: int) -> Made:
    """How often my token occurs in the word.

    The beginning-of-word token competes with the tokens that equal mine: its weight N/(N + w) tells their number w.
    """
    p = hw.Program(LETTERS, length=length)
    return p, p.count(p.tokens.matches(p.tokens))


def reverse(length: int) -> Made:
    """The word backwards.

    The mean of 2j + 1 over all indices j is the length n, and position i picks the token at n − 1 − i.
    """
    p = hw.Program(LETTERS, length=length)
    return p, p.pick(p.at(p.length() - 1 - p.indices), p.tokens)


def sort(length: int) -> Made:
    """The tokens of the word in alphabetical order.

    Position i of the sorted word holds the letter that has as many letters u after "a" up to it as satisfy #{tokens < u} ≤ i.
    """
    p = hw.Program(LETTERS, length=length)
    reached = [p.count(p.tokens.below(letter)) <= p.indices for letter in LETTERS[1:]]
    return p, p.map(lambda *passed: LETTERS[sum(passed)], *reached)


def brackets(length: int) -> Made:
    """Whether the word so far is balanced.

    The mean of +1 for "(" and −1 for ")" has the sign of the depth. Balanced means depth 0 now and at no point below 0.
    """
    p = hw.Program("()x", length=length, causal=True)
    depth = p.mean(p.before(), p.map({"(": 1, ")": -1, "x": 0}, p.tokens))
    never_below = p.mean(p.before(), depth < 0) <= 0
    return p, p.map(lambda fine, sign: bool(fine) and sign == 0, never_below, p.sign(depth))


def addition(length: int) -> Made:
    """The sum of two binary numbers, one pair of digits for each position, lowest first.

    A carry is decided by the last pair of equal digits so far: "00" stops it, "11" starts it, and "01" or "10" passes it on.
    """
    p = hw.Program(["00", "01", "10", "11"], length=length, causal=True)
    starts = p.map(lambda pair: int(pair == "11"), p.tokens)
    carry_out = p.last(p.tokens.among(["00", "11"]) & p.before(), starts, default=0)
    carry_in = p.pick(p.at(p.indices - 1), carry_out, default=0)
    return p, p.map(lambda pair, carry: (pair.count("1") + carry) % 2, p.tokens, carry_in)


def induction(length: int) -> Made:
    """What followed the last occurrence of my token, or "?" if it is new.

    One head looks at the token before each position. A second one looks for the last position whose previous token is mine.
    """
    p = hw.Program(LETTERS, length=length, causal=True)
    previous = p.pick(p.at(p.indices - 1), p.tokens, default="?")
    return p, p.last(previous.matches(p.tokens) & p.before(), p.tokens, default="?")


def most_frequent(length: int) -> Made:
    """The token that occurs most often; undefined on words where two share the first place.

    A token is the winner if no letter occurs more often than it does. Every position picks the token of a winner.
    """
    p = hw.Program(LETTERS, length=length)
    own = p.count(p.tokens.matches(p.tokens))
    wins = p.map(lambda *each: all(each), *(p.count(p.tokens.among(letter)) <= own for letter in LETTERS))
    return p, p.pick(wins.among([True]), p.tokens)


def bigrams(length: int) -> Made:
    """How often my token and the one before it occur together.

    The keys must match in both: the scores of the two conditions add up, and only a key that meets both reaches the top.
    """
    p = hw.Program(LETTERS, length=length)
    previous = p.pick(p.at(p.indices - 1), p.tokens, default="?")
    return p, p.count(p.tokens.matches(p.tokens) & previous.matches(previous))


PROGRAMS: dict[str, Callable[[int], Made]] = {
    made.__name__: made
    for made in (
        copy, shift, frac_prevs_causal, frac_prevs_full, histogram, reverse, sort, brackets, addition, induction, most_frequent,
        bigrams,
    )
}  # fmt: skip
# Outputs that are one-hot codes of tokens or shares within this error. The others may be off by a quarter of a step, the default.
ERRORS = dict.fromkeys(("copy", "shift", "frac_prevs_causal", "frac_prevs_full", "reverse"), "0.001")
WORDS = {
    "brackets": "(x())",
    "addition": ["11", "01", "00", "10"],  # 0011 + 1001, the lowest digits first
    "frac_prevs_causal": "abad",
    "frac_prevs_full": "abad",
    "induction": "abcabdab",
    "bigrams": "abcabdab",
    "most_frequent": "hedgehe",
}


def main() -> None:
    print(
        f"{'program':18} {'blocks':>6} {'heads':>5} {'width':>5} {'parameters':>10}  verdict, and the error for every word"
    )
    models = {}
    for name, make in PROGRAMS.items():
        program, output = make(8)
        models[name] = model = hw.compile(program, output, error=ERRORS.get(name, "0.25"), dtype="float32")
        heads = sum(place.head is not None for place in model.layout)
        print(
            f"{name:18} {len(model.blocks):6} {heads:5} {model.embedding.shape[1]:5} {model.parameters:10,}  "
            f"{model.verdict.status}, at most {model.verdict.bound:.2g}"
        )
    print()
    for name, model in models.items():
        word = WORDS.get(name, "headache")
        said = [round(value, 3) if isinstance(value, float) else value for value in model(word)]
        print(f"{name:18} {word if isinstance(word, str) else ' '.join(word)} -> {' '.join(map(str, said))}")


if __name__ == "__main__":
    main()
