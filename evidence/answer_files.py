"""Ten thousand answer files in TOML, Markdown and plain text, made and mutated, through the workers of `headwright check`.

A tenth are right answers, a tenth wrong ones, a tenth has single characters of formulas changed, a tenth operators, names
and numbers swapped, a tenth has arrays around the smallest size that suffices, and a tenth is random words of the grammar or
nasty: a million characters, ten thousand brackets, programs, huge exponents, NaN, wrong shapes, deep TOML. The other four tenths
are mutated as files: in two of them the lines of one answer, in one a header, and in one anything anywhere, encodings included.
A mutation inside one answer's lines must leave all others as they were. A damaged header may cost its answer and the one above
it, and something about the file must say so. Every process has an audit hook: once all libraries are loaded, anything compiled,
run, imported, opened for writing, started or connected to is a fault. Every answer that is called right, or would be without
the words beside it, and is a formula, is evaluated by `tests/second_opinion_answers.py`, which shares no code with the judge;
what that cannot read must be the very claim that the answer before the mutation makes. What is proposed earns no points.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from evidence.partial import Partial
from headwright.problems import CATALOGUE, AnswerError
from headwright.problems.answers.answer_files import AnswerFile, read_answers
from headwright.problems.grading import Grade, _grade_many, grade_many
from headwright.problems.grading.grades import Result
from headwright.theories.formulas.forms import FormulaError
from tests.answer_bank import NASTY, RIGHT, WORDS, WRONG
from tests.second_opinion_answers import QUESTIONS, opinion

CASES, BATCH, LONGEST = 10_000, 1000, 2.0
CLAIM = (
    f"{CASES:,} made and mutated answer files in three forms: no internal error, no answer over {LONGEST:g} seconds, nothing "
    "run, no right answer refuted, no formula or array called right that an independent evaluation at many points finds wrong, "
    "and no mutation that costs more than the answer it stands in, or in a header also the answer above"
)
# The worker of `headwright check` with an audit hook and a clock; the seconds come back at the end of every message.
WATCHED = """
import sys, time
sys.path.append(sys.argv[1])
from headwright.problems.grading import _grade, worker
from headwright.reading.formulas import FormulaError
from headwright.problems import CATALOGUE, AnswerError
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
        from headwright.problems.grading.results import Result
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
        canary = [path.name for path in Path(folder).iterdir() if path.suffix not in FORMS]
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
        "verdicts_not_contradicted_at_many_points": sum(row["tried"] for row in rows.values()),
        "verdicts_on_the_same_claim_as_before": sum(row["same"] for row in rows.values()),
        "verdicts_not_read_by_the_second_opinion": sum(row["unknown"] for row in rows.values()),
        "longest_seconds": max(row["seconds"] for row in rows.values()),
    }


def judged(numbers: list[int], folder: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """Write a batch of files, grade them in watched workers, examine what was read and the grades."""
    made = {number: case(number) for number in numbers}
    paths = {str(folder / f"{number}{made[number].suffix}"): number for number in numbers}
    for path, number in paths.items():
        Path(path).write_bytes(made[number].content)
    plain, _grade_many._CODE = _grade_many._CODE, WATCHED
    try:
        for graded in grade_many(list(paths), jobs=2, seconds=LONGEST):
            number = paths[graded.path]
            file = None if graded.unreadable else read_answers(graded.path, ids=CATALOGUE)
            Path(graded.path).unlink()
            yield number, examined(graded, made[number], file)
    finally:
        _grade_many._CODE = plain


def examined(graded: Grade, made: Case, file: AnswerFile | None = None) -> dict[str, object]:
    """What is bad about a grade, and how often the second opinion agrees."""
    bad = [] if graded.unreadable is None or len(graded.unreadable) > 20 else ["a file without a reason"]
    bad += [f"reading: {graded.unreadable}"] if graded.unreadable and "reading the file" in graded.unreadable else []
    bad += misplaced(made, file)
    row: Counter[str] = Counter()
    longest = 0.0
    for result in graded.answered:
        message, _, seconds = result.message.rpartition(" [")
        longest = max(longest, float(seconds.removesuffix(" s]")) if seconds.endswith(" s]") else 0.0)
        if result.status in ("fault", "stopped"):
            bad.append(f"{result.id} {result.status}: {result.message[:200]}")
        if result.status not in ("missing", "fault", "stopped") and len(message) < 8 and seconds.endswith(" s]"):
            bad.append(f"{result.id}: no message")
        if result.proposed and result.points:
            bad.append(f"{result.id} earns points that nobody decided")
        status = {"right": "proved", "wrong": "refuted"}.get(result.proposed, result.status)
        answer = (file.answers if file else made.answers).get(result.id, {})
        judged_again = status == "proved" or (made.kind == "numbers" and status == "refuted")
        if answer and "statement" not in answer and judged_again:
            said, wanted = second(result, dict(answer), made), {"proved": "true", "refuted": "false"}[status]
            row["confirmed"] += said == wanted
            row["tried"] += said == "not contradicted"
            row["same"] += said == "same"
            row["unknown"] += said == "unknown"
            agrees = (wanted, "same", *(["not contradicted"] if wanted == "true" else []))
            if said not in agrees and not (said == "unknown" and made.kind not in MUTATED):
                bad.append(f"{result.id} called {status}, by the second opinion {said}: {answer}")
        if made.kind == "right":
            row["expected"] += status == "proved"
            row["doubted"] += status == "undecided"
            if status not in ("proved", "undecided"):
                bad.append(f"{result.id} right but {status}: {answer} {message[:200]}")
    if longest > LONGEST:
        bad.append(f"{longest} seconds")
    counts = {name: row[name] for name in ("expected", "doubted", "confirmed", "tried", "same", "unknown")}
    return {"statuses": [r.status for r in graded.answered], "seconds": longest, "bad": bad, **counts}


def second(result: Result, answer: Answer, made: Case) -> str:
    """The second opinion on an answer as it was read; "same" where it cannot tell, but the claim is that of the answer before."""
    answer = {name: value if isinstance(value, str | list) else value.tolist() for name, value in answer.items()}
    said = opinion(result.id, answer)
    if said == "unknown":
        said = opinion(result.id, {name: v if isinstance(v, list) else spelt_out(v) for name, v in answer.items()})
    before = made.answers.get(result.id)
    if said == "unknown" and before is not None and all(isinstance(value, str) for value in before.values()):
        claim = result.claim if result.verdict is None else result.verdict.record
        same = answer == before or (claim is not None and claim.fields() == claim_of(result.id, tuple(before.items())))
        return "same" if same else said
    return said


@cache
def claim_of(problem_id: str, answer: tuple[tuple[str, str], ...]) -> object:
    try:
        record = CATALOGUE[problem_id].check(dict(answer)).record
    except (AnswerError, FormulaError):
        return None
    return None if record is None else record.fields()


def spelt_out(text: str) -> str:
    """The formula with every product written out, and LaTeX as plain text: a reading of its own, for the second opinion."""
    text = re.sub(r"\\(?:left|right|vec|mathbf)(?![a-zA-Z])", "", text.strip("$ "))
    text = re.sub(r"\\(?:ln|log)", " log", text).replace("\\epsilon", " eps").replace("\\cdot", "*")
    text = re.sub(r"\\([a-zA-Z]+)", r" \1", text)
    parts = [part for word in re.findall(r"\d[\d.]*(?:e-?\d+)?|[^\W\d]\w*|\S", text) for part in names_in(word)]
    spelt = ""
    for left, right in zip(["", *parts], parts, strict=False):
        ends = left in (")", "'") or (left[:1].isalnum() and left not in ("log", "ln", "exp", "sqrt", "abs", "norm"))
        spelt += ("*" if ends and (right[:1].isalnum() or right == "(") else " ") + right
    return spelt


def names_in(word: str) -> list[str]:
    """The names of the questions that a word is joined from, the longest first: ttmu_a is t, t and mu_a."""
    if word in NAMES or not word[:1].isalpha():
        return [word]
    for name in sorted(NAMES, key=len, reverse=True):
        if word.startswith(name) and (rest := names_in(word[len(name) :])) and rest[-1] in NAMES:
            return [name, *rest]
    return [word]


def misplaced(made: Case, file: AnswerFile | None) -> list[str]:
    """Answers that were not mutated and are not read as they were written; a lost one that nothing names."""
    if made.kind not in ("lines", "header", "encoding"):
        return []
    if file is None:
        return [] if made.binary else ["a mutation in one place made the file unreadable"]
    read = {name: dict(answer) for name, answer in file.answers.items()}
    lost = [name for name in made.answers if read.get(name) != made.answers[name]]
    bad = [f"{name} was not touched" for name in lost if name not in made.touched]
    odd = [name for name in read if name not in made.answers or set(read[name]) != set(made.answers[name])]
    named = [
        *file.complaints,
        *file.explanations,
        *odd,
    ]  # of an odd one, the judge says what is missing or not asked for
    return bad + (["an answer was lost, and nothing says so"] if made.kind == "header" and lost and not named else [])


# The files


NAMES = {
    *("n", "eps", "t", "T", "s", "beta", "log", "ln", "exp", "sqrt", "u", "k_1", "k_2", "k_a", "k_b", "k_i", "k_j"),
    *("u_a", "u_b", "mu_a", "mu_b", "mu_i", "mu_j"),
}
Answer = dict[str, str | list[float]]
FORMS = (".toml", ".md", ".txt")
KINDS = ("right", "wrong", "characters", "words", "numbers", "random", "lines", "lines", "header", "file")
MUTATED = ("lines", "header", "file", "encoding", "characters", "words")
ENCODINGS = ("utf-8-sig", "utf-16", "crlf", "tabs")
STRAYS = [*'\\\\\\""\'`#[]{}()=:;,.$*_->\n\t \r', "\x00", "\x07", "\x1b", "\x0b", "\x85", "\u2028", "\u202e", "\ufeff"]
STRAYS += ["“", "”", "ε", "'''", '"""']


@dataclass(frozen=True)
class Case:
    """A file: its bytes and form, what it was made of, and the answers that a mutation may cost."""

    content: bytes
    kind: str
    answers: dict[str, Answer] = field(default_factory=dict)
    suffix: str = ".toml"
    touched: tuple[str, ...] = ()
    binary: bool = False


def case(number: int) -> Case:
    """The file of this number."""
    rng = random.Random(number)
    kind, suffix = KINDS[number % 10], FORMS[(number // 10) % 3]
    if kind == "random" and (number // 10) % 2:
        return Case(NASTY[(number // 20) % len(NASTY)], "nasty", suffix=suffix if number % 7 == 0 else ".toml")
    if kind == "numbers":
        answers = {problem_id: drawn(problem_id, rng) for problem_id in rng.sample(sorted(QUESTIONS), 2)}
        return Case(joined(pieces(answers, suffix, rng)), kind, answers, suffix)
    mutates = kind in ("lines", "header", "file")
    answers = {}
    for problem_id in rng.sample(sorted(RIGHT), rng.randint(3, 5) if mutates else rng.randint(1, 3)):
        chosen = rng.choice((WRONG if kind == "wrong" else RIGHT)[problem_id])
        answers[problem_id] = {name: changed(text, kind, rng, problem_id) for name, text in chosen.items()}
    if kind == "random":
        essay = rng.choice([problem for problem in CATALOGUE.values() if problem.statements])
        chosen = rng.choice(
            [*(statement.id for statement in essay.statements), "free words", "no-such-id", "'", "⟂" * 50]
        )
        answers[essay.id] = {"statement": chosen}
    if mutates:
        if rng.random() < 0.4:
            answers = {problem_id: {name: latex(text) for name, text in a.items()} for problem_id, a in answers.items()}
        return mutated(answers, kind, suffix, rng)
    suffix = suffix if kind in ("right", "wrong") else ".toml"  # a line cannot hold every text that a string can
    return Case(joined(pieces(answers, suffix, rng)), kind, answers, suffix)


def mutated(answers: dict[str, Answer], kind: str, suffix: str, rng: random.Random) -> Case:
    """A file with a mutation in the lines of one answer, in one header, or anywhere."""
    parts = pieces(answers, suffix, rng)
    names = list(answers)
    at = rng.randrange(len(names))
    header, body = parts[at]
    if kind == "lines":
        body = mutated_lines(body, rng)
        return Case(joined([*parts[:at], (header, body), *parts[at + 1 :]]), kind, answers, suffix, (names[at],))
    if kind == "header":
        header = mutated_text(header, rng)
        touched = (
            *names[max(at - 1, 0) : at + 1],
            *(name for name in names if letters(header).endswith(letters(name))),
        )
        return Case(joined([*parts[:at], (header, body), *parts[at + 1 :]]), kind, answers, suffix, touched)
    if rng.random() < 0.25:
        text, encoding = joined(parts).decode(), rng.choice(ENCODINGS)
        if encoding in ("crlf", "tabs"):
            text = text.replace("\n", "\r\n") if encoding == "crlf" else text.replace(" = ", "\t=\t")
            return Case(text.encode(), "encoding", answers, suffix)
        return Case(text.encode(encoding), "encoding", answers, suffix)
    content = joined(parts)
    lines = content.split(b"\n")
    rng.choice(
        (lambda: None, lambda: swap(lines, rng), lambda: lines.insert(rng.randrange(len(lines)), parts[at][0]))
    )()
    content = b"\n".join(lines)
    return Case(mutated_bytes(content, rng) if rng.random() < 0.7 else content, kind, answers, suffix, binary=True)


def pieces(answers: dict[str, Answer], suffix: str, rng: random.Random) -> list[tuple[bytes, bytes]]:
    """Header and lines of every answer, in one of the spellings that the form allows."""
    style = rng.randrange(4)
    made = []
    for problem_id, answer in answers.items():
        assert problem_id in CATALOGUE
        if suffix == ".toml":
            lines = [f"{name} = {v if isinstance(v, list) else quoted(v, style)}" for name, v in answer.items()]
            made.append((f'["{problem_id}"]' if style % 2 else f"[{problem_id}]", lines))
        else:
            headers = (
                ("## {}", "### Question {}", "**{}**", "{}")
                if suffix == ".md"
                else ("{}:", "{})", "[{}]", "Problem {}")
            )
            around = ("{}", "- {}", "$${}$$", "```\n{}\n```") if suffix == ".md" else ("{}", "{}", "\t{}", "$${}$$")
            if any(isinstance(value, list) or "\n" in value for value in answer.values()):
                around = ("{}",) * 4
            lines = [around[style].format(f"{name} {'=' if style else ':'} {value}") for name, value in answer.items()]
            lines += ["", "The other keys trail, so their weights vanish."] if rng.random() < 0.7 else []
            made.append((headers[style].format(problem_id.upper() if rng.random() < 0.3 else problem_id), [*lines, ""]))
    return [(header.encode(), "\n".join(lines).encode()) for header, lines in made]


def latex(text: str) -> str:
    """The formula in LaTeX, as students write it."""
    text = re.sub(r"\b(?:log|ln)\b", r"\\ln", text).replace("eps", r"\epsilon").replace("beta", r"\beta")
    return re.sub(r"\bmu_", r"\\mu_", text).replace("*", " ")


def quoted(text: str, style: int) -> str:
    """A formula as a basic string with what TOML reserves escaped, or as a literal one where it can be; LaTeX as it is."""
    if "\\" in text and style % 2:
        return f'"{text}"'
    plain = text.isprintable() and not set(text) & set("\"'\\")
    return f"'{text}'" if style > 1 and plain else f'"{escaped(text)}"'


def joined(parts: list[tuple[bytes, bytes]]) -> bytes:
    return b"".join(header + b"\n" + body + b"\n" for header, body in parts)


def letters(name: bytes | str) -> str:
    text = name if isinstance(name, str) else name.decode(errors="replace")
    return "".join(filter(str.isalnum, text.casefold()))


def mutated_lines(body: bytes, rng: random.Random) -> bytes:
    """Lines cut short, dropped, doubled or swapped, and then single characters or bytes."""
    lines = body.split(b"\n")
    at = rng.randrange(len(lines))
    what = rng.randrange(8)
    if what == 0:
        lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]
    elif what == 1:
        del lines[at]
    elif what == 2:
        lines.insert(at, lines[rng.randrange(len(lines))])
    elif what == 3:
        swap(lines, rng)
    return mutated_text(b"\n".join(lines), rng) if what > 1 else b"\n".join(lines)


def swap(lines: list[bytes], rng: random.Random) -> None:
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def mutated_text(content: bytes, rng: random.Random) -> bytes:
    """One to four characters deleted, inserted or replaced, stray signs and bytes that are not text among them."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(len(content) + 1)
        stray, letter = rng.choice(STRAYS).encode(), rng.choice("aAkqnt0159*+-^").encode()
        new = rng.choice([b"", b"", stray, stray, letter])
        if rng.random() < 0.1:
            new = bytes([rng.randrange(128, 256)])
        content = content[:at] + new + content[at + rng.randint(0, 1) :]
    return content


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
