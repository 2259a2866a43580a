"""The standalone checker with one slip in it: certificates of every kind must come out otherwise, at some precision.

A mutant first meets the small tests of `tests/checker_units.py`. Then it judges the certificates whose decision ran through its
line, at 8, 12 and 16 bits, where a wrong end of an interval shows, and at full precision. Among them are copies with another
number somewhere, and pairs of copies that differ by 2^-30 of a figure, between which the plain checker begins to decide. The
mutant is caught by the first answer that is not that of the plain checker. What survives is listed, to be read.
"""

from __future__ import annotations

import ast
import json
import multiprocessing
import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any, NamedTuple

import headwright_check
from evidence.mutations import Mutant, mutants
from evidence.partial import Partial
from evidence.two_checkers import RATIONAL, changed, leaves, parts, whole
from tests.checker_units import UNITS
from tests.many_certificates import Certificate, certificates

CLAIM = "No mutant of the standalone checker that the tests let pass could confirm a false claim or refute a true one."
SOURCE = Path(headwright_check.__file__)
LADDERS = ((8,), (12,), (16,), headwright_check.BITS)
EACH, MOST, PATIENCE = (
    5,
    100,
    20,
)  # certificates of a kind and outcome; the quickest runs for one mutant, and others; seconds
SEED, MUTANTS = 28, 600
# The lines whose survivors a person has read, and why none of them could confirm a false claim or refute a true one.
READ = {
    "the order of what commutes": "206 396 553 631 734 746 836 1102 1488 1637 1932 1940 1988 2063 2128 2239 2285 2286 "
    "2403 2428 2491 2516 2950 3150 3338 3415",
    "precisions, sizes, costs and words": "33 35 79 119 397 2050 2106",
    "wider, or with a guard digit to spare": "118 135 151 153 274 1723 1729 1731 1923 2889 2890 2949 3174",
    "a shortcut, or the slower exact way": "204 264 488 2126 2129 2830",
    "what never differs": "527 1010 2062 2252 2326 3172 3254 3341",
    "more stays open": "1178 2284 2462 2508 3293",
    "any value is sound": "1980 1981 2407 2410 3307",
    "what runs the file as a program": "3447",
}
_FAR = [Fraction(f) for f in ("9/8", "7/8", "2", "1/2", "16", "1/16", "256", "1/256")]
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


def with_figure(certificate: Certificate, figure: str, value: Fraction) -> bytes:
    claim, said, arrays, packs = parts(certificate.content)
    claim[figure] = str(value)
    return whole(claim, said, arrays, packs)


def figures_of(certificate: Certificate) -> dict[str, Fraction]:
    """The positive rationals of a claim that stand in it by name."""
    claim = parts(certificate.content)[0]
    found = {key: claim[key] for home, key in leaves(claim) if home is claim and isinstance(claim[key], str)}
    return {key: Fraction(text) for key, text in found.items() if RATIONAL.fullmatch(text) and Fraction(text) > 0}


def edges(task: tuple[Certificate, str, tuple[int, ...], str]) -> list[bytes]:
    """Two copies whose figure lies 2^-30 apart, and of which the plain checker decides one and not the other.

    A slack that is dropped moves the figure at which a claim is confirmed, and so changes one of the two answers.
    """
    certificate, figure, bits, path = task
    start = figures_of(certificate)[figure]

    def said(value: Fraction) -> str:
        Path(path).write_bytes(with_figure(certificate, figure, value))
        return word(marked()[0], path, bits)

    here = said(start)
    there = next((start * f for f in _FAR if said(start * f) != here), None)
    if there is None:
        return []
    low, high = start, there
    while abs(high - low) > start / 2**30:
        middle = (low + high) / 2
        low, high = (middle, high) if said(middle) == here else (low, middle)
    return [with_figure(certificate, figure, value) for value in (low, high)]


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
        contents = [content for each in chosen for content in (each.content, changed(each, rng))]
        runs = [
            run for found in pool.imap_unordered(judgements, write(folder / "chosen", contents), 8) for run in found
        ]
        tried = [changed(each, rng) for each in chosen for _ in range(3)]
        runs += pool.imap_unordered(plain_judgement, write(folder / "changed", tried), 8)
        tasks = [
            (each, rng.choice(sorted(figures_of(each))), bits, str(folder / f"edge {number} {bits[0]}"))
            for number, each in enumerate(chosen)
            if figures_of(each)
            for bits in (LADDERS[-1], LADDERS[number % 3])
        ]
        found = pool.map(edges, tasks, chunksize=2)
        for (_, _, bits, _), pair in zip(tasks, found, strict=True):
            for content in pair:
                where = write(folder / f"beside {len(runs)}", [content])[0]
                runs.append(judgement(where, bits))
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
        for unit in UNITS:
            signal.alarm(PATIENCE)
            if error := raised(unit, module):
                return {"caught by": f"{unit.__name__}: {error}"}
        for path, bits, said, *_ in runs[:MOST] + runs[MOST::step]:
            signal.alarm(PATIENCE)
            if (now := word(module, path, bits)) != said:
                return {"caught by": f"{said} became {now}"}
    except (Exception, TooLong) as error:
        return {"caught by": type(error).__name__}
    finally:
        signal.alarm(0)
    return {"caught by": None, "runs": len(runs), "mutant": str(mutant)}


def raised(unit: Callable[[ModuleType], None], module: ModuleType) -> str | None:
    """The name of the error, if a small test finds one in this checker."""
    try:
        unit(module)
    except Exception as error:
        return type(error).__name__
    return None


class TooLong(BaseException):
    """The mutant does not end. The checker answers every Exception by "open", and must not answer this one."""


def _too_long(number: int, frame: object) -> None:
    raise TooLong


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
        "holds": {row["mutant"].split()[1].rstrip(":") for row in alive}
        <= {n for lines in READ.values() for n in lines.split()},
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
