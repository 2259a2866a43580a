"""The programs that the evidence compiles, what each of them means written a second time by hand, and words to try them on.

Words are arrays of whole numbers (words, length), one number for each token of the vocabulary. A meaning gives an array of
the same shape: the place of a token, a count, 0 or 1, or a fraction as a long double. `defined` says which words have one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from examples import programs
from headwright.search.compile.compile import compile
from headwright.words.program import Program, Register

Words = np.ndarray
# What the cases rest on: other sources may change without a new run.
PARTS = (
    "kernel/**/*.py",
    "theories/programs/*.py",
    "theories/order/block_parts.py",
    "search/compile/*.py",
    "words/*.py",
)


class Case(NamedTuple):
    """A program for words of up to n tokens, its meaning by hand, vocabulary and stated error, and whether it is one step."""

    build: Callable[[int, Any], tuple[Program, Register]]
    meaning: Callable[[Words, int], np.ndarray]
    vocabulary: tuple[str, ...]
    error: str
    one_step: bool = False


def _copy(n: int, letters: Any) -> tuple[Program, Register]:
    p = Program(letters, length=n)
    return p, p.pick(p.at(3), p.tokens)


def _shift(n: int, letters: Any) -> tuple[Program, Register]:
    p = Program(letters, length=n)
    return p, p.pick(p.at(p.indices - 1), p.tokens, default=letters[0])


def _fraction(n: int, letters: Any, *, causal: bool) -> tuple[Program, Register]:
    p = Program(letters, length=n, causal=causal)
    return p, p.mean(p.before(), p.map(lambda token: int(token == letters[0]), p.tokens))


def _histogram(n: int, letters: Any) -> tuple[Program, Register]:
    p = Program(letters, length=n)
    return p, p.count(p.tokens.matches(p.tokens))


def _reverse(n: int, letters: Any) -> tuple[Program, Register]:
    p = Program(letters, length=n)
    return p, p.pick(p.at(p.length() - 1 - p.indices), p.tokens)


def _sort(n: int, letters: Any) -> tuple[Program, Register]:
    p = Program(letters, length=n)
    passed = [p.count(p.tokens.below(letter)) <= p.indices for letter in letters[1:]]
    return p, p.map(lambda *own: letters[sum(own)], *passed)


def _brackets(n: int, letters: Any) -> tuple[Program, Register]:
    p = Program(letters, length=n, causal=True)
    depth = p.mean(p.before(), p.map(lambda token: {"(": 1, ")": -1}.get(token, 0), p.tokens))
    sign, below = p.sign(depth), depth < 0
    never = p.mean(p.before(), below) <= 0
    return p, p.map(lambda fine, own: fine and own == 0, never, sign)


def _addition(n: int, letters: Any) -> tuple[Program, Register]:
    p = Program(letters, length=n, causal=True)
    carries = p.map(lambda token: int(token == "11"), p.tokens)
    out = p.last(p.tokens.among(["00", "11"]), carries, default=0)
    into = p.pick(p.at(p.indices - 1), out, default=0)
    return p, p.map(lambda token, carry: (token.count("1") + carry) % 2, p.tokens, into)


def _induction(n: int, letters: Any) -> tuple[Program, Register]:
    p = Program(letters, length=n, causal=True)
    before = p.pick(p.at(p.indices - 1), p.tokens, default="?")
    return p, p.last(before.matches(p.tokens) & p.before(), p.tokens, default="?")


def _most(n: int, letters: Any) -> tuple[Program, Register]:
    p = Program(letters, length=n)
    own = p.count(p.tokens.matches(p.tokens))
    most = p.map(lambda *least: all(least), *(p.count(p.tokens.among([letter])) <= own for letter in letters))
    return p, p.pick(most.among([True]), p.tokens)


def _bigrams(n: int, letters: Any) -> tuple[Program, Register]:
    p = Program(letters, length=n)
    before = p.pick(p.at(p.indices - 1), p.tokens, default="?")
    return p, p.count(p.tokens.matches(p.tokens) & before.matches(before))


def _counts(words: Words, size: int) -> np.ndarray:
    return (words[:, :, None] == np.arange(size)).sum(axis=1)


def _fractions(words: Words, size: int) -> np.ndarray:
    return np.cumsum(words == 0, axis=1).astype(np.longdouble) / np.arange(1, words.shape[1] + 1)


def _balanced(words: Words, size: int) -> np.ndarray:
    depth = np.cumsum(np.array([1, -1, 0])[words], axis=1)
    return ((np.minimum.accumulate(depth, axis=1) >= 0) & (depth == 0)).astype(int)


def _added(words: Words, size: int) -> np.ndarray:
    """Binary addition by Python's integers: the token at index i holds bit i of both numbers."""
    made = np.zeros_like(words)
    for row, word in enumerate(words.tolist()):
        one, other = (int("".join(str(token >> bit & 1) for token in reversed(word)), 2) for bit in (0, 1))
        made[row] = [(one + other) >> i & 1 for i in range(len(word))]
    return made


def _induced(words: Words, size: int) -> np.ndarray:
    """The token that followed the last earlier occurrence of the same token, or `size` if there was none."""
    made = np.zeros_like(words)
    for row, word in enumerate(words.tolist()):
        follower = {}
        for i, token in enumerate(word):
            if i:
                follower[word[i - 1]] = token
            made[row, i] = follower.get(token, size)
    return made


def _majority(words: Words, size: int) -> np.ndarray:
    return np.broadcast_to(_counts(words, size).argmax(axis=1)[:, None], words.shape)


def _pairs(words: Words, size: int) -> np.ndarray:
    """How often the pair of a token and the one before it occurs; the first token stands after a mark of its own."""
    before = np.pad(words, ((0, 0), (1, 0)), constant_values=size)[:, :-1]
    pairs = before * (size + 1) + words
    return (pairs[:, :, None] == pairs[:, None, :]).sum(axis=2)


EIGHT, FOUR = tuple("abcdefgh"), tuple("abcd")
CASES = {
    "copy": Case(_copy, lambda w, size: np.broadcast_to(w[:, 3:4], w.shape), EIGHT, "0.001", True),
    "shift": Case(_shift, lambda w, size: np.pad(w, ((0, 0), (1, 0)))[:, :-1], EIGHT, "0.001", True),
    "frac_prevs causal": Case(lambda n, own: _fraction(n, own, causal=True), _fractions, FOUR, "0.001", True),
    "frac_prevs full": Case(lambda n, own: _fraction(n, own, causal=False), _fractions, FOUR, "0.001", True),
    "histogram": Case(_histogram, lambda w, size: np.take_along_axis(_counts(w, size), w, axis=1), EIGHT, "0.25", True),
    "reverse": Case(_reverse, lambda w, size: w[:, ::-1], EIGHT, "0.001"),
    "sort": Case(_sort, lambda w, size: np.sort(w, axis=1), EIGHT, "0.25"),
    "brackets": Case(_brackets, _balanced, ("(", ")", "x"), "0.25"),
    "addition": Case(_addition, _added, ("00", "01", "10", "11"), "0.25"),
    "induction": Case(_induction, _induced, EIGHT, "0.25"),
    "most frequent": Case(_most, _majority, EIGHT, "0.25"),
    "bigrams": Case(_bigrams, _pairs, EIGHT, "0.25"),
}


def model(name: str, n: int, dtype: str | None, *, letters: int | None = None, error: str | None = None) -> Any:
    """The compiled program of the examples, or, with `letters`, the same over the first so many tokens of its vocabulary."""
    case = CASES[name]
    program, output = example(name, n) if letters is None else case.build(n, case.vocabulary[:letters])
    return compile(program, output, error=error or case.error, dtype=dtype)


def example(name: str, n: int) -> tuple[Program, Register]:
    """The program as examples/programs.py writes it."""
    made: tuple[Program, Register] = getattr(programs, name.replace(" ", "_"))(n)
    return made


def defined(name: str, words: Words, size: int) -> np.ndarray:
    """Which words the program is defined on, by hand: copy needs a fourth token, most frequent a single winner."""
    if name == "copy":
        return np.full(len(words), words.shape[1] > 3)
    if name == "most frequent":
        counts = np.sort(_counts(words, size), axis=1)
        return counts[:, -1] > counts[:, -2] if size > 1 else np.ones(len(words), dtype=bool)
    return np.ones(len(words), dtype=bool)


def labels_of(name: str, meaning: np.ndarray, vocabulary: tuple[str, ...]) -> list[list[Any]]:
    """What a meaning by hand says, in the values that the program has."""
    if name.startswith("frac_prevs") or name in ("histogram", "brackets", "addition", "bigrams"):
        return meaning.tolist()
    return [[(*vocabulary, "?")[place] for place in row] for row in meaning.tolist()]


def every_word(size: int, longest: int) -> Iterator[Words]:
    """All words of 1 to `longest` tokens, those of one length together."""
    for n in range(1, longest + 1):
        yield np.stack(np.meshgrid(*[np.arange(size)] * n, indexing="ij"), axis=-1).reshape(-1, n)


def attacking_words(name: str, n: int, rng: np.random.Generator, share: float = 1.0) -> Iterator[Words]:
    """Words that are hard for one reason or another, on which the program is defined; `share` of the full number of each kind."""
    size = len(CASES[name].vocabulary)
    for words in _kinds(size, n, rng, lambda count: max(1, round(share * count))):
        yield from _made_defined(name, words, size, rng)
    if name == "brackets":
        yield np.stack([_nested(n, depth, rng) for depth in rng.integers(1, n // 2 + 1, max(1, round(share * 24)))])
    if name == "addition":  # a carry through the whole word, and carries that end anywhere
        chains = rng.integers(1, 3, (max(1, round(share * 24)), n))
        chains[:, 0] = 3
        chains[np.arange(len(chains)), rng.integers(0, n, len(chains))] = 0
        yield chains
    if name == "copy":  # everything else differs from the copied token
        words = rng.integers(1, size, (max(1, round(share * 8)), n))
        words[:, 3] = 0
        yield words


def _kinds(size: int, n: int, rng: np.random.Generator, some: Callable[[int], int]) -> Iterator[Words]:
    yield np.repeat(np.arange(size)[:, None], n, axis=1)
    pairs = rng.integers(0, size, (some(12), 2))
    yield pairs[:, np.arange(n) % 2]
    periods = rng.integers(0, size, (some(6), 7))
    yield periods[:, np.arange(n) % 7]
    for _ in range(some(24)):
        yield rng.choice(size, (1, n), p=rng.dirichlet(np.full(size, 0.2)))
    uniform = rng.integers(0, size, (some(20), n))
    yield uniform
    yield np.sort(uniform[: some(8)], axis=1)
    yield np.sort(uniform[: some(8)], axis=1)[:, ::-1]
    lone = np.repeat(rng.integers(0, size, (some(16), 1)), n, axis=1)
    lone[np.arange(len(lone)), rng.integers(0, n, len(lone))] = rng.integers(0, size, len(lone))
    yield lone
    yield np.repeat(rng.integers(0, size, (some(8), n)), rng.integers(1, 40), axis=1)[:, :n]
    for length in [1, 2, *rng.integers(1, n + 1, some(30)).tolist()]:
        yield rng.integers(0, size, (1, length))


def _made_defined(name: str, words: Words, size: int, rng: np.random.Generator) -> Iterator[Words]:
    """The words on which the program is defined, ties broken by one more token of a winner."""
    if name == "most frequent":
        words = np.array(words)
        for row in np.flatnonzero(~defined(name, words, size)):
            winner = int(_counts(words[row : row + 1], size)[0].argmax())
            words[row, int(rng.choice(np.flatnonzero(words[row] != winner)))] = winner
    kept = words[defined(name, words, size)]
    if len(kept):
        yield kept


def _nested(n: int, depth: int, rng: np.random.Generator) -> Words:
    """A word of brackets that walks up and down below a depth, and closes everything where there is room."""
    word, height = [], 0
    for i in range(n):
        choices = [2, *([0] if height < min(depth, n - i - 1) else []), *([1] if height else [])]
        token = 1 if height >= n - i else int(rng.choice(choices))
        height += (1, -1, 0)[token]
        word.append(token)
    return np.array(word)


def climbed(
    name: str,
    start: Words,
    error: Callable[[Words], np.ndarray],
    rng: np.random.Generator,
    *,
    rounds: int,
    mutants: int = 8,
) -> Words:
    """Words made worse step by step: change one token, or a run of them, and keep the change if the seen error grows."""
    size, best, n = len(CASES[name].vocabulary), np.array(start), start.shape[1]
    seen = error(best)
    for _ in range(rounds):
        tried = np.repeat(best, mutants, axis=0)
        first = rng.integers(0, n, len(tried))
        width = np.where(rng.uniform(size=len(tried)) < 0.7, 1, rng.integers(1, max(n // 4, 1) + 1, len(tried)))
        at = np.arange(n)
        changed = (at >= first[:, None]) & (at < (first + width)[:, None])
        tried = np.where(changed, rng.integers(0, size, (len(tried), 1)), tried)
        owner = np.repeat(np.arange(len(best)), mutants)
        fine = defined(name, tried, size)
        if not fine.any():
            continue
        tried, owner = tried[fine], owner[fine]
        for word, row, found in zip(tried, owner, error(tried), strict=True):
            if found > seen[row]:
                best[row], seen[row] = word, found
    return best
