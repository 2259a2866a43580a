"""The standalone checker with one slip in it: certificates of every kind must come out otherwise, at some precision.

A mutant judges the certificates whose decision ran through its line, at 8, 12 and 16 bits, where a wrong end of an interval
shows, and at full precision; among them are copies whose figure lies 2^-4 to 2^-10 beside the bound that the library proves. It
is caught by the first answer that is not that of the plain checker. What survives is listed, to be read.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import isfinite
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any

import headwright_check
from evidence.mutations import Mutant, mutants
from evidence.partial import Partial
from evidence.two_checkers import leaves, parts, whole
from tests.many_certificates import Certificate, certificates

CLAIM = "No mutant of the standalone checker that the tests let pass could confirm a false claim or refute a true one."
SOURCE = Path(headwright_check.__file__)
LADDERS = ((8,), (12,), (16,), headwright_check.BITS)
EACH, MOST, PATIENCE = 10, 60, 20  # certificates of a kind and outcome; runs for one mutant; seconds for one
SEED, MUTANTS = 28, 1200
_BESIDE = [1 + sign * Fraction(1, 2**k) for k in (4, 6, 8, 10) for sign in (1, -1)]
_NOT_THE_VERDICT = ("charge", "say", "some", "product_cost")  # what they are handed counts work or is words


def loaded(source: str) -> ModuleType:
    """The checker, made from this source."""
    module = ModuleType("checker")
    module.__file__ = str(SOURCE)
    exec(compile(source, str(SOURCE), "exec"), vars(module))
    vars(module)["BASE_BUDGET"] = 2_000_000
    return module


def word(module: ModuleType, path: str, bits: tuple[int, ...]) -> str:
    module.BITS = bits  # type: ignore[attr-defined]
    return str(module.check(path)[0])


def near(certificate: Certificate, rng: random.Random) -> Iterator[bytes]:
    """The certificate with a figure a little beside its bound."""
    if certificate.bound and isfinite(certificate.bound):
        for scale in rng.sample(_BESIDE, 2):
            claim, said, arrays, packs = parts(certificate.content)
            figures = [
                key
                for home, key in leaves(claim)
                if home is claim and key in ("error", "bound", "least", "gap", "confidence")
            ]
            if figures:
                claim[rng.choice(figures)] = str(Fraction(certificate.bound) * scale)
                yield whole(claim, said, arrays, packs)


@cache
def suite() -> list[tuple[str, tuple[int, ...], str, frozenset[int]]]:
    """(file, precisions, the plain checker's word, the lines that ran), the quickest first."""
    plain, folder, rng = loaded(SOURCE.read_text("utf-8")), Path(mkdtemp()), random.Random(SEED)
    chosen: dict[tuple[str, str], list[Certificate]] = {}
    for certificate in sorted(certificates(), key=lambda each: len(each.content)):
        chosen.setdefault((certificate.kind, certificate.status), []).append(certificate)
    contents = [
        content
        for same in chosen.values()
        for certificate in rng.sample(same[: max(EACH, len(same) * 3 // 4)], min(EACH, len(same)))
        for content in (certificate.content, *near(certificate, rng))
    ]
    found = []
    for number, content in enumerate(contents):
        path = folder / f"{number}.safetensors"
        path.write_bytes(content)
        for bits in LADDERS:
            said, lines, cost = traced(plain, str(path), bits)
            found.append((cost, str(path), bits, said, lines))
    return [row[1:] for row in sorted(found, key=lambda row: row[0])]


def traced(module: ModuleType, path: str, bits: tuple[int, ...]) -> tuple[str, frozenset[int], int]:
    """The word, the lines of the checker that ran, and how often."""
    lines: set[int] = set()
    steps = 0

    def trace(frame: Any, event: str, argument: object) -> Any:
        nonlocal steps
        if frame.f_code.co_filename != str(SOURCE):
            return None
        steps += 1
        lines.add(frame.f_lineno)
        return trace

    sys.settrace(trace)
    try:
        said = word(module, path, bits)
    finally:
        sys.settrace(None)
    return said, frozenset(lines), steps


def judge(mutant: Mutant) -> dict[str, Any]:
    """By what a mutant is caught, and whether it then said something false."""
    last = mutant.line + mutant.was.count("\n")
    runs = [(path, bits, said) for path, bits, said, lines in suite() if lines & set(range(mutant.line, last + 1))]
    step = max(1, len(runs) // MOST)
    signal.signal(signal.SIGALRM, _too_long)
    try:
        signal.alarm(PATIENCE)
        module = loaded(mutant.source)
        for path, bits, said in runs[:MOST] + runs[MOST::step]:
            signal.alarm(PATIENCE)
            if (now := word(module, path, bits)) != said:
                return {"caught by": f"{said} became {now}"}
    except Exception as error:
        return {"caught by": type(error).__name__}
    finally:
        signal.alarm(0)
    return {"caught by": None, "runs": len(runs), "mutant": str(mutant)}


def _too_long(number: int, frame: object) -> None:
    raise TimeoutError("the mutant does not end")


def run(store: Path, limit: int | None = None) -> dict[str, Any]:
    every = mutants(SOURCE.read_text("utf-8"), apart_from=_NOT_THE_VERDICT)
    chosen = random.Random(SEED).sample(every, min(limit or MUTANTS, len(every)))
    suite()
    with Partial(store, __file__, library=SOURCE.parent, parts=(SOURCE.name,)) as partial:
        left = [mutant for mutant in chosen if name(mutant) not in partial]
        with multiprocessing.get_context("fork").Pool(os.cpu_count(), maxtasksperchild=20) as pool:
            for mutant, row in zip(left, pool.imap(judge, left), strict=True):
                partial.add(name(mutant), row)
        rows = [partial[name(mutant)] for mutant in chosen]
    alive = [row for row in rows if row["caught by"] is None]
    return {
        "holds": False,  # a person reads the survivors
        "mutants": len(rows),
        "of": len(every),
        "caught": len(rows) - len(alive),
        "runs": len(suite()),
        "survivors": sorted(row["mutant"] for row in alive),
    }


def name(mutant: Mutant) -> str:
    return json.dumps([mutant.line, mutant.was, mutant.now, hash_of(mutant.source)])


def hash_of(text: str) -> str:
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()[:12]
