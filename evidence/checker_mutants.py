"""The standalone checker with one slip in it: certificates of every kind must come out otherwise, at some precision.

A mutant judges the certificates whose decision ran through its line, at 8, 12 and 16 bits, where a wrong end of an interval
shows, and at full precision; among them are copies whose figure lies 2^-4 to 2^-10 beside the bound that the library proves, and
copies with another number somewhere. It is caught by the first answer that is not that of the plain checker. What survives is
listed, to be read.
"""

from __future__ import annotations

import ast
import json
import multiprocessing
import os
import random
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import isfinite
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any, NamedTuple

import headwright_check
from evidence.mutations import Mutant, mutants
from evidence.partial import Partial
from evidence.two_checkers import changed, leaves, parts, whole
from tests.many_certificates import Certificate, certificates

CLAIM = "No mutant of the standalone checker that the tests let pass could confirm a false claim or refute a true one."
SOURCE = Path(headwright_check.__file__)
LADDERS = ((8,), (12,), (16,), headwright_check.BITS)
EACH, MOST, PATIENCE = (
    5,
    100,
    20,
)  # certificates of a kind and outcome; the quickest runs for one mutant, and others; seconds
SEED, MUTANTS = 28, 1200
_BESIDE = [1 + sign * Fraction(1, 2**k) for k in (4, 6, 8, 10) for sign in (1, -1)]
_NOT_THE_VERDICT = ("charge", "say", "some", "product_cost")  # what they are handed counts work or is words


def loaded(source: str | ast.Module, **names: object) -> ModuleType:
    """The checker, made from this source."""
    module = ModuleType("checker")
    vars(module).update(names, __file__=str(SOURCE))
    exec(compile(source, str(SOURCE), "exec"), vars(module))
    vars(module)["BASE_BUDGET"] = 2_000_000
    return module


class Marked(ast.NodeTransformer):
    """A source in which every statement of a function notes that it ran; `lines` has the lines of each."""

    def __init__(self) -> None:
        self.lines: list[range] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        for inner in ast.walk(node):
            for name in ("body", "orelse", "finalbody"):
                if isinstance(block := getattr(inner, name, None), list) and not isinstance(inner, ast.ClassDef):
                    setattr(inner, name, [each for statement in block for each in (self.mark(statement), statement)])
        return node

    def mark(self, statement: ast.stmt) -> ast.stmt:
        body = getattr(statement, "body", None)
        self.lines.append(range(statement.lineno, body[0].lineno if body else statement.end_lineno + 1))
        return ast.copy_location(ast.parse(f"_ran[{len(self.lines) - 1}] += 1").body[0], statement)


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


class Run(NamedTuple):
    """A judgement of the plain checker: of which file, at which precision, how, through which lines."""

    path: str
    bits: tuple[int, ...]
    said: str
    lines: frozenset[int]
    steps: int


@cache
def suite() -> list[Run]:
    """The judgements that mutants must repeat, the quickest first."""
    folder, rng = Path(mkdtemp()), random.Random(SEED)
    with multiprocessing.get_context("fork").Pool() as pool:
        chosen = covering(certificates(), write(folder / "all", [each.content for each in certificates()]), pool)
        contents = [content for each in chosen for content in (each.content, *near(each, rng), changed(each, rng))]
        paths = write(folder / "chosen", contents)
        runs = [run for found in pool.imap_unordered(judgements, paths, chunksize=8) for run in found]
    return sorted(runs, key=lambda run: (run.steps, run.path))


def write(folder: Path, contents: Sequence[bytes]) -> list[str]:
    """The files that hold these."""
    folder.mkdir()
    for number, content in enumerate(contents):
        (folder / f"{number}.safetensors").write_bytes(content)
    return [str(folder / f"{number}.safetensors") for number in range(len(contents))]


def covering(every: Sequence[Certificate], paths: Sequence[str], pool: Any) -> list[Certificate]:
    """Of each kind and outcome the quickest few, and whichever run through a line that no quicker one does."""
    runs = pool.map(plain_judgement, paths, chunksize=16)
    found: Counter[tuple[str, str]] = Counter()
    seen: set[int] = set()
    chosen = []
    for run, certificate in sorted(zip(runs, every, strict=True), key=lambda pair: pair[0].steps):
        group = certificate.kind, certificate.status
        if found[group] < EACH or not run.lines <= seen:
            found[group] += 1
            seen |= run.lines
            chosen.append(certificate)
    return chosen


@cache
def marked() -> tuple[ModuleType, list[range], list[int]]:
    """The plain checker that notes what runs, the lines of its statements, and how often each ran."""
    marks = Marked()
    tree = ast.fix_missing_locations(marks.visit(ast.parse(SOURCE.read_text("utf-8"))))
    ran = [0] * len(marks.lines)
    return loaded(tree, _ran=ran), marks.lines, ran


def judgements(path: str) -> list[Run]:
    return [judgement(path, bits) for bits in LADDERS]


def plain_judgement(path: str) -> Run:
    return judgement(path, headwright_check.BITS)


def judgement(path: str, bits: tuple[int, ...]) -> Run:
    module, lines, ran = marked()
    ran[:] = [0] * len(ran)
    said = word(module, path, bits)
    through = frozenset(line for place, times in zip(lines, ran, strict=True) if times for line in place)
    return Run(path, bits, said, through, sum(ran))


def judge(mutant: Mutant) -> dict[str, Any]:
    """By what a mutant is caught, and whether it then said something false."""
    inside = any(
        mutant.line in place for place in marked()[1]
    )  # what stands outside of functions may serve any of them
    runs = [run for run in suite() if mutant.line in run.lines or not inside]
    step = max(1, len(runs) // MOST)
    signal.signal(signal.SIGALRM, _too_long)
    try:
        signal.alarm(PATIENCE)
        module = loaded(mutant.source)
        for path, bits, said, *_ in runs[:MOST] + runs[MOST::step]:
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
