"""All words of small sizes: every program, float64, float32 and real arithmetic, the seen error against the proved one.

In float64 and float32 NumPy runs every word, and some words are run by hand with every sum in a random order. In real arithmetic
the words that are worst in float64, and some drawn ones, are run with 40 digits. If the leak of a program of one step in float64
is more than 100 times its rounding, the proved error must be at most 1.01 times the largest one seen.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np

from evidence.compiled_programs import wanted
from evidence.partial import Partial
from evidence.program_cases import CASES, PARTS, defined, every_word, model
from evidence.program_runs import ByHand, in_digits, in_numpy, seen_errors, wrong_tokens
from headwright.theories.programs.runs_program import RunsProgram

CLAIM = (
    "on every word of small sizes no program errs by more than its proved error, in float64, float32 and real arithmetic; "
    "for programs of one step in float64 whose leak exceeds 100 times their rounding, the proved error is at most 1.01 times "
    "the largest one seen"
)
TYPES = ("float64", "float32", None)
SIZES = ((2, 10), (3, 7))  # tokens of the vocabulary, longest word
WHOLE = {8: 4, 4: 6, 3: 7}  # the longest word for the whole vocabulary, by its size
ERRORS = ("0.1", "0.001", "0.000001")  # of programs of one step, where the bound must be tight
BY_HAND, CLOSE = 300, 1.01


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """With `limit`, that many programs, and words of up to four tokens."""
    cases = [case for name in list(CASES)[:limit] for case in sizes_of(name, None if limit is None else 4)]
    with Partial(store, __file__, parts=PARTS) as partial:
        for case in cases:
            if str(case) not in partial:
                partial.add(str(case), examine(*case))
        rows = {str(case): partial[str(case)] for case in cases}
    bad = [name for name, row in rows.items() if not row["good"]]
    ratios = {name: row["ratio"] for name, row in rows.items() if row["tight"]}
    return {
        "holds": not bad,
        "bad": bad,
        "words": sum(row["words"] for row in rows.values()),
        "words_with_40_digits": sum(row["in_digits"] for row in rows.values()),
        "one_step_cases_with_leak_above_rounding": len(ratios),
        "largest_ratio": max(ratios.values(), default=0.0),
        "cases": rows,
    }


def sizes_of(name: str, longest: int | None) -> list[tuple[str, int, int, str | None, str]]:
    """Program, tokens of the vocabulary, longest word, type and stated error of each case."""
    case = CASES[name]
    whole = len(case.vocabulary)
    # Three letters of brackets and two bits of addition mean nothing without the rest of their vocabulary.
    sizes = [(whole, WHOLE[whole]), *(SIZES if name not in ("brackets", "addition") else ())]
    errors = ERRORS if case.one_step else (case.error,)
    return [
        (name, size, min(n, longest or n), dtype, error)
        for size, n in sizes
        for dtype in TYPES
        for error in (errors if dtype == "float64" else (case.error,))
    ]


def examine(name: str, size: int, n: int, dtype: str | None, error: str) -> dict[str, Any]:
    """Compile one case and run every word."""
    claim: RunsProgram = model(
        name, n, dtype, letters=None if size == len(CASES[name].vocabulary) else size, error=error
    ).claim
    proved, seen, wrong, number, rng = claim.proved_error(), 0.0, 0, 0, np.random.default_rng(size + n)
    machine, hardest = ByHand(rng, "one by one"), []
    for words in every_word(size, n):
        words = words[defined(name, words, size)]
        if len(words) == 0:
            continue
        number += len(words)
        codes = wanted(name, claim, words)
        made = in_numpy(claim, words)
        found = seen_errors(made, codes).max(axis=1)
        wrong += wrong_tokens(claim, made, codes)
        order = np.argsort(found)
        hardest += [words[row] for row in (*order[-4:], *rng.integers(len(words), size=4))]
        if dtype is not None:
            seen = max(seen, float(found.max()))
            chosen = rng.permutation(len(words))[: BY_HAND // n]
            by_hand = machine(claim, words[chosen])
            seen = max(seen, float(seen_errors(by_hand, codes[chosen]).max()))
            wrong += wrong_tokens(claim, by_hand, codes[chosen])
    in_real = 0
    if dtype is None:
        for word in hardest:
            seen = max(seen, in_real_arithmetic(name, claim, word))
            in_real += 1
    rounding = rounding_of(claim, proved)
    tight = CASES[name].one_step and dtype == "float64" and seen > 100 * rounding
    ratio = float(proved) / seen if seen > 0 else None
    return {
        "words": number,
        "in_digits": in_real,
        "wrong": wrong,
        "proved": float(proved),
        "seen": seen,
        "rounding": rounding,
        "ratio": ratio,
        "tight": tight,
        "good": wrong == 0 and Fraction(seen) <= proved and not (tight and ratio is not None and ratio > CLOSE),
    }


def rounding_of(claim: RunsProgram, proved: Fraction) -> float:
    """How much of the proved error is due to rounding: the same weights, once more in real arithmetic."""
    exact = RunsProgram(claim.program, claim.output, "real", claim.error, claim.layout, claim.weights)
    return float(proved - exact.proved_error())


def in_real_arithmetic(name: str, claim: RunsProgram, word: np.ndarray) -> float:
    """The error of one word with 40 digits, rounded down, so that it is never above the true one."""
    codes = wanted(name, claim, word[None])[0]
    with mpmath.workdps(40):
        exact = [[mpmath.mpf(made) for made in row] for row in in_digits(claim, word)]
        if claim.program.values[claim.output].labels is None:  # a fraction: the number of tokens 0 so far by the index
            wanted_numbers = [[mpmath.mpf(int((word[: i + 1] == 0).sum())) / (i + 1)] for i in range(len(word))]
        else:
            wanted_numbers = [[mpmath.mpf(float(number)) for number in row] for row in codes]
        error = max(
            abs(one - other)
            for row, own in zip(exact, wanted_numbers, strict=True)
            for one, other in zip(row, own, strict=True)
        )
        return float(np.nextafter(float(error), 0.0))
