"""Every program of the examples compiled at three lengths and in two types, and attacked at the greatest length.

Words are constant, alternating, periodic, skewed, sorted, reversed, in runs, of any length, and made worse by hill climbing on
the seen error. Each is run in NumPy, in torch, and by hand with every sum in a random order, one by one, by halves or fused. What
comes out is compared with a meaning written by hand, which is compared with the interpreter on short words first.
"""

from __future__ import annotations

from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

import headwright as hw
from evidence.partial import Partial
from evidence.program_cases import CASES, PARTS, attacking_words, climbed, defined, labels_of, model
from evidence.program_runs import ByHand, Run, in_numpy, in_torch, seen_errors, wanted_codes, wrong_tokens
from headwright.theories.programs.meaning import Undefined, meaning
from headwright.theories.programs.runs_program import RunsProgram

CLAIM = (
    "eleven programs compiled at 10, 50 and 400 tokens in float64 and float32 are proved, and so is bigrams, except at 400 "
    "tokens in float32, where it may be refused; at 400 tokens, in at least 40,000 attacked tokens for each way of running what "
    "was proved, no token is wrong and no error exceeds the proved one"
)
NEEDS = ("torch",)
LENGTHS, TYPES, LEAST_TOKENS = (10, 50, 400), ("float64", "float32"), 40_000
# The first run counted this case as proved and failed: the refusal names 112 tokens as the most that float32 can prove.
MAY_BE_REFUSED = ("bigrams 400 float32",)
WAYS = {"float64": ("one by one", "by halves"), "float32": ("one by one", "by halves", "fused")}


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """With `limit`, that many programs, at the shortest length only, on a tenth of the words."""
    lengths = LENGTHS if limit is None else LENGTHS[:1]
    cases = [(name, n, dtype) for n in lengths for name in list(CASES)[:limit] for dtype in TYPES]
    with Partial(store, __file__, parts=PARTS) as partial:
        for name, n, dtype in cases:
            if f"{name} {n} {dtype}" not in partial:
                share = None if n < lengths[-1] else 1.0 if limit is None else 0.1
                partial.add(f"{name} {n} {dtype}", examine(name, n, dtype, share))
        rows = {f"{name} {n} {dtype}": partial[f"{name} {n} {dtype}"] for name, n, dtype in cases}
    attacked = {name: row["attack"] for name, row in rows.items() if row["attack"] is not None}
    least = min(own["tokens"] for row in attacked.values() for own in row.values())
    refused = {name: row["reason"] for name, row in rows.items() if row["status"] == "not found"}
    bad = [name for name, row in rows.items() if not good(row) and not (name in refused and name in MAY_BE_REFUSED)]
    return {
        "holds": not bad and (limit is not None or least >= LEAST_TOKENS),
        "bad": bad,
        "refused": refused,
        "proved": sum(row["status"] == "proved" for row in rows.values()),
        "attacked_tokens": sum(own["tokens"] for row in attacked.values() for own in row.values()),
        "least_attacked_tokens_of_a_program_in_one_way": least,
        "wrong_tokens": sum(own["wrong"] for row in attacked.values() for own in row.values()),
        "cases": rows,
    }


def good(row: dict[str, Any]) -> bool:
    attack = (row["attack"] or {}).values()
    return row["status"] == "proved" and all(own["wrong"] == 0 and own["seen"] <= row["proved"] for own in attack)


def examine(name: str, n: int, dtype: str, share: float | None) -> dict[str, Any]:
    """Compile one program, and attack it with this share of the words (None: not at all)."""
    start = perf_counter()
    try:
        made = model(name, n, dtype)
    except hw.NotFound as refusal:
        return {"status": "not found", "reason": str(refusal), "proved": None, "attack": None}
    compiled = perf_counter() - start
    claim: RunsProgram = made.claim
    with TemporaryDirectory() as folder:
        hw.save(path := Path(folder) / "certificate.json", made.verdict)
        start = perf_counter()
        status = hw.verify(path).status
        checked, size = perf_counter() - start, path.stat().st_size
    hidden = sum(0 if block.inner is None else len(block.inner) for block in claim.blocks)
    return {
        "status": status,
        "proved": float(claim.proved_error()),
        "blocks": len(claim.blocks),
        "width": claim.weights["tokens"].shape[1],
        "hidden": hidden,
        "parameters": made.parameters,
        "file_kB": size / 1000,
        "compile_s": compiled,
        "check_s": checked,
        "attack": None if share is None else attack(name, claim, n, share),
    }


def attack(name: str, claim: RunsProgram, n: int, share: float) -> dict[str, dict[str, Any]]:
    """For each way of running the program: tokens, wrong ones, and the largest error seen."""
    rng = np.random.default_rng(sum(map(ord, name)) + n)
    batches = list(attacking_words(name, n, rng, share))
    compare_with_the_interpreter(name, claim, batches)

    def error(words: np.ndarray) -> np.ndarray:
        return seen_errors(in_numpy(claim, words), wanted(name, claim, words)).max(axis=1)

    full = [words for words in batches if words.shape[1] == n]
    worst = sorted(((found, tuple(word)) for words in full for found, word in zip(error(words), words, strict=True)))
    start = np.array([word for _, word in worst[-3:]] + [full[-1][0]])
    batches.append(climbed(name, start, error, rng, rounds=max(4, round(60 * share))))
    ways: dict[str, Run] = {"NumPy": in_numpy}
    if find_spec("torch") is not None:
        ways["torch"] = in_torch
    seen = {way: {"tokens": 0, "wrong": 0, "seen": 0.0} for way in (*ways, "any order")}
    orders = [ByHand(rng, way) for way in WAYS[claim.dtype]]
    for words in batches:
        codes = wanted(name, claim, words)
        for way, execute in ways.items():
            note(seen[way], claim, execute(claim, words), codes)
        for row in range(len(words)):
            machine = orders[int(rng.integers(len(orders)))]
            note(seen["any order"], claim, machine(claim, words[row : row + 1]), codes[row : row + 1])
    return seen


def note(seen: dict[str, Any], claim: RunsProgram, made: np.ndarray, codes: np.ndarray) -> None:
    """Add what one run gave to the count."""
    found = float(seen_errors(made, codes).max())
    seen["tokens"] += made.shape[0] * made.shape[1]
    seen["wrong"] += wrong_tokens(claim, made, codes)
    seen["seen"] = found if np.isnan(found) else max(seen["seen"], found)


def wanted(name: str, claim: RunsProgram, words: np.ndarray) -> np.ndarray:
    vocabulary = claim.program.vocabulary
    return wanted_codes(claim, labels_of(name, CASES[name].meaning(words, len(vocabulary)), vocabulary))


def compare_with_the_interpreter(name: str, claim: RunsProgram, batches: list[np.ndarray], longest: int = 12) -> None:
    """The meaning by hand and the interpreter must agree on the beginnings of the words, also on where there is no meaning."""
    vocabulary = claim.program.vocabulary
    for words in batches:
        short = words[:4, : min(longest, claim.program.length)]
        there = defined(name, short, len(vocabulary))
        by_hand = labels_of(name, CASES[name].meaning(short, len(vocabulary)), vocabulary) if there.any() else short
        for word, own, has_meaning in zip(short, by_hand, there, strict=True):
            try:
                said: Any = meaning(claim.program, [vocabulary[token] for token in word], claim.output)
            except Undefined:
                said = None
            if (said is not None) != has_meaning:
                raise AssertionError(f"{name}: interpreter and hand differ on where {word} has a meaning")
            if said is not None and not all(map(same, own, said)):
                raise AssertionError(f"{name}: interpreter and hand differ on {word}: {said} and {own}")


def same(by_hand: Any, said: Any) -> bool:
    """A fraction by hand is rounded to a long double."""
    return abs(float(by_hand) - float(said)) < 1e-15 if isinstance(said, Fraction) else bool(by_hand == said)
