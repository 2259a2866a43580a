"""Ten thousand answer files, made and mutated, through the workers of `headwright check`: what strangers may send.

A tenth are right answers, a tenth wrong ones, two tenths have single characters changed, two tenths operators, names
and numbers swapped, a tenth has arrays around the smallest size that suffices, a tenth is made of random words of the
grammar; the rest is nasty: a million characters, ten thousand brackets, programs, huge exponents, NaN, wrong shapes,
deep TOML, broken bytes. Every process has an audit hook: once all libraries are loaded, anything compiled, run,
imported, opened for writing, started or connected to is a fault. Every answer that is called right, and is a formula,
is evaluated by `tests/second_opinion_answers.py`, which shares no code with the judge.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from evidence.partial import Partial
from headwright.problems import CATALOGUE
from headwright.problems.answers import Grade, _grade_many, grade_many
from tests.answer_bank import NASTY, RIGHT, WORDS, WRONG
from tests.second_opinion_answers import QUESTIONS, opinion

CASES, BATCH, LONGEST = 10_000, 1000, 2.0
CLAIM = (
    f"{CASES:,} made and mutated answer files: no internal error, no answer over {LONGEST:g} seconds, nothing run, no right "
    "answer refuted, and no formula or array called right that an independent evaluation at many points finds wrong"
)
# The worker of `headwright check` with an audit hook and a clock; the seconds come back at the end of every message.
WATCHED = """
import sys, time
sys.path.append(sys.argv[1])
from headwright.problems.answers import _grade, worker
from headwright.problems import CATALOGUE
plain_warm_up, plain_limits, plain_judged = worker.warm_up, worker.limit_resources, _grade.judged
watching = []

def hook(event, arguments):
    if not watching:
        return
    writes = event == "open" and (set(str(arguments[1] or "r")) & set("wax+") or (arguments[2] or 0) & 3)
    if writes or event in ("compile", "exec", "import", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn",
            "subprocess.Popen", "ctypes.dlopen", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink",
            "os.truncate", "shutil.rmtree", "builtins.input", "marshal.loads", "pickle.find_class", "code.__new__",
            "function.__new__") or event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")):
        raise type("Forbidden_" + event.replace(".", "_") + "_" + str(arguments[:1])[:40], (BaseException,), {})

def warm_up():
    plain_warm_up()
    b"x".decode("utf-8-sig")  # its codec is a module
    for problem in CATALOGUE.values():
        for statement in problem.statements:
            plain_judged(problem, {"statement": statement.id})
        for text in ("t", "0*k_1", "none", "sqrt(n)*k_1", "A*A'", "inv(S'*S)", "log(n)*u"):
            for answer in ({name: text for name in problem.answers}, {name: [[1.0] * 10] * 10 for name in problem.answers},
                    {name: [1.0] * 10 for name in problem.answers}):
                plain_judged(problem, answer)

def limit_resources():
    plain_limits()
    watching.append(True)

def judged(question, answer):
    start = time.process_time()
    try:
        result = plain_judged(question, answer)
    except BaseException as error:
        from headwright.problems.answers.results import Result
        result = Result(question.id, question.sheet, "fault", type(error).__name__)
    from dataclasses import replace
    return replace(result, message=result.message + f" [{time.process_time() - start:.3f} s]")

worker.warm_up, worker.limit_resources, _grade.judged = warm_up, limit_resources, judged
sys.addaudithook(hook)
worker.serve()
"""


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    numbers = list(range(CASES))[:limit]
    with Partial(store, __file__) as partial, tempfile.TemporaryDirectory() as folder:
        missing = [number for number in numbers if str(number) not in partial]
        for start in range(0, len(missing), BATCH):
            for number, row in judged(missing[start : start + BATCH], Path(folder)):
                partial.add(str(number), row)
        rows = {number: partial[str(number)] for number in numbers}
        canary = [path.name for path in Path(folder).iterdir() if path.suffix != ".toml"]
    statuses = Counter(status for row in rows.values() for status in row["statuses"])
    bad = {number: row["bad"] for number, row in rows.items() if row["bad"]}
    return {
        "holds": not bad and not canary,
        "bad": dict(list(bad.items())[:20]),
        "left_behind": canary,
        "files": len(rows),
        "answers": dict(statuses),
        "right_answers_proved": sum(row["expected"] for row in rows.values()),
        "right_answers_undecided": sum(row["doubted"] for row in rows.values()),
        "verdicts_confirmed": sum(row["confirmed"] for row in rows.values()),
        "verdicts_not_read_by_the_second_opinion": sum(row["unknown"] for row in rows.values()),
        "longest_seconds": max(row["seconds"] for row in rows.values()),
    }


def judged(numbers: list[int], folder: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """Write a batch of files, grade them in watched workers, examine the grades."""
    made = {number: case(number) for number in numbers}
    paths = {str(folder / f"{number}.toml"): number for number in numbers}
    for path, number in paths.items():
        Path(path).write_bytes(made[number][0])
    plain, _grade_many._CODE = _grade_many._CODE, WATCHED
    try:
        for graded in grade_many(list(paths), jobs=2, seconds=LONGEST):
            number = paths[graded.path]
            Path(graded.path).unlink()
            yield number, examined(graded, *made[number][1:])
    finally:
        _grade_many._CODE = plain


def examined(graded: Grade, kind: str, answers: dict[str, Answer]) -> dict[str, object]:
    """What is bad about a grade, and how often the second opinion agrees."""
    bad = [] if graded.unreadable is None or len(graded.unreadable) > 20 else ["a file without a reason"]
    bad += [f"reading: {graded.unreadable}"] if graded.unreadable and "reading the file" in graded.unreadable else []
    row: Counter[str] = Counter()
    longest = 0.0
    for result in graded.answered:
        message, _, seconds = result.message.rpartition(" [")
        longest = max(longest, float(seconds.removesuffix(" s]")) if seconds.endswith(" s]") else 0.0)
        if result.status in ("fault", "stopped"):
            bad.append(f"{result.id} {result.status}: {result.message[:200]}")
        if result.status not in ("missing", "fault", "stopped") and len(message) < 8 and seconds.endswith(" s]"):
            bad.append(f"{result.id}: no message")
        if (
            result.id in answers
            and "statement" not in answers[result.id]
            and (result.status == "proved" or (kind == "numbers" and result.status == "refuted"))
        ):
            said, wanted = opinion(result.id, answers[result.id]), {"proved": "true", "refuted": "false"}[result.status]
            row["confirmed"] += said == wanted
            row["unknown"] += said == "unknown"
            if said not in (wanted, "unknown"):
                bad.append(f"{result.id} called {result.status}: {answers[result.id]}")
        if kind == "right":
            row["expected"] += result.status == "proved"
            row["doubted"] += result.status == "undecided"
            if result.status not in ("proved", "undecided"):
                bad.append(f"{result.id} right but {result.status}: {answers[result.id]} {message[:200]}")
    if longest > LONGEST:
        bad.append(f"{longest} seconds")
    counts = {name: row[name] for name in ("expected", "doubted", "confirmed", "unknown")}
    return {"statuses": [r.status for r in graded.answered], "seconds": longest, "bad": bad, **counts}


# The files


Answer = dict[str, str | list[float]]


def case(number: int) -> tuple[bytes, str, dict[str, Answer]]:
    """The bytes of a file, its kind, and the formulas and arrays in it that were written as such."""
    rng = random.Random(number)
    kind = ("right", "wrong", *("characters",) * 2, *("words",) * 2, "numbers", "random", "nasty", "bytes")[number % 10]
    if kind == "nasty":
        return NASTY[(number // 10) % len(NASTY)], kind, {}
    if kind == "numbers":
        answers = {problem_id: drawn(problem_id, rng) for problem_id in rng.sample(sorted(QUESTIONS), 2)}
        return toml(answers).encode(), kind, answers
    answers = {}
    for problem_id in rng.sample(sorted(RIGHT), rng.randint(1, 3)):
        chosen = rng.choice((WRONG if kind == "wrong" else RIGHT)[problem_id])
        answers[problem_id] = {name: changed(text, kind, rng, problem_id) for name, text in chosen.items()}
    if kind == "random":
        essay = rng.choice([problem for problem in CATALOGUE.values() if problem.statements])
        chosen = rng.choice(
            [*(statement.id for statement in essay.statements), "free words", "no-such-id", "'", "⟂" * 50]
        )
        answers[essay.id] = {"statement": chosen}
    content = toml(answers)
    if kind == "bytes":
        return mutated_bytes(content.encode(), rng), kind, {}
    return content.encode(), kind, answers


def changed(text: str, kind: str, rng: random.Random, problem_id: str) -> str:
    if kind == "characters":
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(["", "", *"0123456789+-*/^()'.eE ,[]_knt"]) + text[at + rng.randint(0, 1) :]
        return text
    if kind == "words":
        parts = re.findall(r"[\d.]+|\w+|\S", text)
        for _ in range(rng.randint(1, 2)):
            at = rng.randrange(len(parts))
            parts[at] = alike(parts[at], rng, problem_id)
        return "".join(parts)
    if kind == "random":
        return "".join(rng.choice(WORDS) for _ in range(rng.randint(1, 25)))
    return text


def alike(word: str, rng: random.Random, problem_id: str) -> str:
    """Another word of the same kind, so that most changed formulas are still formulas, and some still right."""
    names = CATALOGUE[problem_id].names
    numbers = [
        "0",
        "1",
        "2",
        "3",
        "0.5",
        "1.0001",
        "7",
        "n",
        "(n-1)",
        "(n+1)",
        "eps^2",
        "99",
        "1e-9",
        "50",
        "100",
        "101",
    ]
    if word in names:
        vectors = [name for name in names if "_" in name or name in "uABS"]
        return rng.choice(vectors if word in vectors else [name for name in names if name not in vectors] + numbers)
    if word[:1].isdigit():
        return rng.choice(numbers)
    if word.isalpha():
        return rng.choice(["log", "ln", "exp", "sqrt", "abs", "norm", "inv", "pinv", "2*log", "-", ""])
    return rng.choice(WORDS if word in "()'" else list("+-*/^@"))


def mutated_bytes(content: bytes, rng: random.Random) -> bytes:
    """Any bytes anywhere in the file, TOML's own characters more often than others."""
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(content) + 1)
        new = bytes([rng.choice([rng.randrange(256), *b'[]"=.\n{}#\\'])])
        content = content[:at] + new * rng.choice([0, 1, 1, 1, 40]) + content[at + rng.randint(0, 2) :]
    return content


def drawn(problem_id: str, rng: random.Random) -> Answer:
    """Queries as ten numbers each: a multiple of the targets or of one of them, around the smallest size that suffices."""
    targets = QUESTIONS[problem_id][1]
    names = CATALOGUE[problem_id].answers
    size, noise = rng.uniform(2, 16), rng.choice([0.0, 0.001, 0.1])
    answer: Answer = {}
    for k, name in enumerate(names):
        pulled = range(targets) if len(names) == 1 else [k]
        answer[name] = [size * (j in pulled) + noise * rng.gauss(0, 1) for j in range(10)]
    return answer


def toml(answers: dict[str, Answer]) -> str:
    """Formulas as basic strings, with what TOML reserves escaped; lists as arrays."""
    lines = []
    for problem_id, answer in answers.items():
        assert problem_id in CATALOGUE
        lines.append(f'["{problem_id}"]')
        lines += [
            f"{name} = {v if isinstance(v, list) else chr(34) + escaped(v) + chr(34)}" for name, v in answer.items()
        ]
    return "\n".join([*lines, ""])


def escaped(text: str) -> str:
    return "".join(c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in text)
