"""Grades: points by verdict, totals and marks; in this process, in workers, as a table and as results.json."""

import csv
import json
import os
import queue
import random
import signal
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import headwright as hw
from headwright.problems import CATALOGUE
from headwright.problems.answers.answer_files import read_answers
from headwright.problems.classes.class_statistics import same
from headwright.problems.grading import _grade_many, grade_many
from headwright.problems.grading._grade import judged
from headwright.problems.grading.grade_tables import GradeTable, digests_of, safe_cell
from headwright.problems.grading.grades import Grade, total_of
from headwright.problems.grading.gradescope import results_json
from headwright.problems.grading.policies import POLICIES
from headwright.problems.grading.results import UNJUDGED, WORDS, Result, to_parts
from tests.facts import says
from tests.toy_claim import proved, refuted

POSIX = os.name == "posix"


@pytest.fixture
def write(tmp_path):
    def write(text, name="a.toml"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.fixture
def check(monkeypatch):
    """Have `check` answer what the test says, by the text of the answer's q."""
    from headwright.problems import _check as checking

    real = checking.check

    def install(answers):
        def stand_in(problem_id, answer, *, error=None, n=None):
            if answer.get("q") not in answers:  # our own constructions are judged as ever
                return real(problem_id, answer, error=error, n=n)
            told = answers[answer["q"]]
            if isinstance(told, Exception):
                raise told
            return told

        monkeypatch.setattr(checking, "check", stand_in)

    return install


def test_points_by_verdict(write, check):
    check({
        "good": proved("c", reason="every weight is right"),
        "bad": refuted("c", reason="the weight is 0.3", holds_when="n ≤ 4"),
        "odd": hw.Undecided("c", reason="no form for sqrt(n)"),
        "wrong": hw.problems.AnswerError("`q` must be a vector"),
        "large": MemoryError(),
        "fault": ZeroDivisionError("division by zero"),
        "ours": ValueError("`queries` must be finite, and our own code did not see to it"),
    })  # fmt: skip
    names = ["E.1c", "E.1d", "E.1e", "E.1b", "A.1a", "A.1b", "A.1c"]
    answers = ["good", "bad", "odd", "wrong", "large", "fault", "ours"]
    path = write("\n".join(f'[{name}]\nq = "{answer}"' for name, answer in zip(names, answers, strict=True)))
    graded = hw.problems.grade(path)
    by_id = graded.results
    assert [by_id[name].status for name in names] == [
        "proved", "refuted", "undecided", "invalid", "stopped", "fault", "fault"
    ]  # fmt: skip
    assert [by_id[name].points for name in names] == [10, 0, 0, 0, 0, 0, 0]
    assert [by_id[name].to_read for name in names] == [False, False, True, False, True, True, True]
    assert says(by_id["E.1d"].message, "0.3", 4)
    assert by_id["E.1a"].status == "missing"
    e = next(total for total in graded.totals if total.sheet == "E")
    assert (e.points, e.possible, e.right, e.judged, e.asked, e.to_read, e.mark) == (10, 80, 1, 2, 7, 1, 2)
    assert graded.marks == {"E": 2}


def counted(name, status, possible):
    credit = {"proved": "right", "refuted": "wrong"}.get(status, "")
    return Result(name, name[0], status, credit=credit).counted(possible, POLICIES["strict"])


@pytest.mark.parametrize(("earned", "mark"), [(0, 2), (29, 2), (30, 3), (49, 3), (50, 4), (69, 4), (70, 5), (80, 5)])
def test_marks_of_sheet_e(earned, mark):
    results = [counted("E.1", "proved", earned), counted("E.2", "refuted", 80 - earned)]
    total = total_of("E", results, marked=True)
    assert (total.points, total.possible, total.mark) == (earned, 80, mark)


def test_sheets_without_points_count_right_answers():
    results = [
        counted(f"B.{k}", status, None) for k, status in enumerate(["proved", "refuted", "undecided", "missing"])
    ]
    total = total_of("B", results, marked=True)
    assert (total.points, total.right, total.judged, total.asked, total.mark) == (None, 1, 2, 4, None)
    assert says(str(total), 1, 2, 4)


def test_the_sheets_sum_to_their_points():
    """A: 100 and E: 80 points, as the sheets say; the others have none."""
    sums = {
        s: total_of(s, [counted(p.id, "proved", p.points) for p in CATALOGUE.values() if p.sheet == s], marked=True)
        for s in "ABCDE"
    }
    assert [sums[s].possible for s in "ABCDE"] == [100, None, None, None, 80]


def test_results_are_in_the_order_of_the_sheet_and_show_themselves(write, check):
    check({"<b>": refuted("c", reason="<script> of weight 1")})
    graded = hw.problems.grade(write('student = "<i>"\n[zz]\nq = 1\n["A.1b"]\nq = "<b>"\n[A.1a]\nq = "<b>"'))
    assert list(graded.results)[:3] == ["A.1a", "A.1b", "A.1c"]
    assert "A.1a     wrong" in repr(graded)
    assert says(str(graded), 0, 100)
    page = graded._repr_html_()
    assert "<script>" not in page
    assert "<i>" not in page
    assert "zz" in page
    assert graded.table()["status"][:3] == ["refuted", "refuted", "missing"]
    told = json.loads(json.dumps(graded.to_dict()))
    assert told["totals"]["A"]["possible"] == 100
    assert Result.from_dict(told["results"]["A.1a"]).id == "A.1a"


def test_explanations_come_only_when_asked(write, check):
    ours = hw.problems.run("A.1a").construction
    check({"x": refuted("c", reason="no")})
    path = write('[A.1a]\nq = "x"')
    assert ours not in json.dumps(hw.problems.grade(path).to_dict(), ensure_ascii=False)
    explained = hw.problems.grade(path, explain=True)
    assert explained.results["A.1a"].explanation == ours
    assert explained.results["A.1b"].explanation is None  # it was not answered


def test_a_file_that_cannot_be_read(tmp_path, write):
    with pytest.raises(FileNotFoundError):
        hw.problems.grade(tmp_path / "none.toml")
    with pytest.raises(ValueError, match="PDF"):
        hw.problems.grade(write("%PDF-1.7"))


def test_the_documents_example_can_be_judged(write):
    """Every answer in docs/checking_answers.md is understood."""
    text = (Path(__file__).parents[2] / "docs" / "checking_answers.md").read_text("utf-8")
    graded = hw.problems.grade(write(text.split("```toml\n")[1].split("```")[0]))
    found = {result.id: result.status for result in graded.answered}
    assert found == dict.fromkeys(["A.1a", "A.1b", "B.3d-i", "D.b-i"], "proved") | {"D.a-i": "refuted"}
    assert graded.student == "Ada"


# As results.json


def test_gradescope_gets_what_it_accepts(write, check):
    check({"g": proved("c", reason="r"), "b": refuted("c", reason="s")})
    graded = hw.problems.grade(write('[E.1c]\nq = "g"\n[E.1d]\nq = "b"\n["B.3b"]\nq = "g"'))
    told = json.loads(json.dumps(results_json(graded)))
    assert_gradescope(told)
    assert told["score"] == 11  # 10 points, and 1 for a question without points
    by_number = {test["number"]: test for test in told["tests"]}
    assert (by_number["E.1c"]["score"], by_number["E.1c"]["max_score"], by_number["E.1c"]["status"]) == (
        10,
        10,
        "passed",
    )
    assert (by_number["E.1d"]["score"], by_number["E.1d"]["output"]) == (0, "s.")
    assert by_number["E.1a"]["score"] == 0
    assert by_number["B.3b"]["max_score"] == 1
    with pytest.raises(ValueError, match="`visibility`"):
        results_json(graded, visibility="none")


def assert_gradescope(told):
    """What Gradescope's description of results.json allows, by name, type and value."""
    kinds = {
        "score": (int, float), "execution_time": (int, float), "output": str, "output_format": str,
        "test_output_format": str, "test_name_format": str, "visibility": str, "stdout_visibility": str,
        "extra_data": dict, "tests": list, "leaderboard": list,
    }  # fmt: skip
    of_tests = {
        "score": (int, float), "max_score": (int, float), "status": str, "name": str, "name_format": str, "number": str,
        "output": str, "output_format": str, "tags": list, "visibility": str, "extra_data": dict,
    }  # fmt: skip
    formats, visible = (
        {"text", "html", "simple_format", "md", "ansi"},
        {"hidden", "after_due_date", "after_published", "visible"},
    )
    for table, allowed in [(told, kinds), *((test, of_tests) for test in told["tests"])]:
        for name, value in table.items():
            assert isinstance(value, allowed[name]), name
            assert not isinstance(value, bool), name
            assert not name.endswith("_format") or value in formats
            assert not name.endswith("visibility") or value in visible
    assert "score" in told or told["tests"]
    waiting = [test for test in told["tests"] if test.get("extra_data", {}).get("to_read")]
    for test in told["tests"]:
        if test in waiting:  # a person will give the points
            assert (test["score"], "status" in test, "provisional" in test["output"]) == (0, False, True)
        else:
            assert 0 <= test["score"] <= test["max_score"]
            assert test["status"] in ("passed", "failed")
    assert told["score"] == sum(test["score"] for test in told["tests"])


# Words beside a formula


@pytest.mark.parametrize(
    ("below", "proposed", "points"),
    [
        ("q = 2*log(n/eps)*k_1\nScratch that.", "right", 10),
        ("q = k_1\nmultiplied by a very large number", "right direction, too short", 0),
        ("q = -k_1 sau khi đổi dấu", "wrong", 0),
        ("q = 10*log(n/eps)*k_1\n> normed to its length", "right direction, too long", 0),
        ("q = kk_1\nBut see above.", "not understood", 0),
        ("q = 2¬k_1", "not understood", 0),
        ("q = [9, 0] struck out", "not understood", 0),
    ],
)
def test_words_make_a_verdict_a_proposal(write, below, proposed, points):
    graded = hw.problems.grade(write(f"## A.1a\n{below}\n## A.1b\nq = 2 ln(n/eps)(k_1+k_2)\n", "a.md"))
    result = graded.results["A.1a"]
    assert (result.status, result.word, result.proposed) == ("proposed", f"proposal: {proposed}", proposed)
    assert (result.points, result.proposed_points, result.to_read, result.credit) == (0, points, True, "")
    assert UNJUDGED in result.message
    assert proposed in result.message
    assert graded.points == 10
    assert (graded.provisional, graded.to_dict()["provisional"], "provisional" in str(graded)) == (True, True, True)
    assert Result.from_dict(result.sent()).proposed_points == points
    told = results_json(graded)
    assert_gradescope(told)
    assert told["score"] == 10
    assert "provisional" in told["output"]


@pytest.mark.parametrize(
    "said", ["We choose q1 = t mu_a and q2 = t mu_b.", "q2 = t mu_b\n\nBy symmetry $q_{1} := t mu_a$."]
)
def test_what_stands_in_words_is_not_missing(write, said):
    result = hw.problems.grade(write(f"## D.d-i\n{said}\n", "a.md")).results["D.d-i"]
    assert "`q1` stands in your words and needs a line of its own" in result.message
    assert "missing" not in result.message


RIGHT_FILES = [
    ("B.3b", "q = t(k_a+k_b)\n\nfor large t\n"),
    ("A.1a", "$$\nq = 2\\ln(n/\\epsilon) k_1\n$$\n"),
    ("E.1c", "> none\n"),
    ("D.b-i", "- M = A A^T\n---\n"),
    ("B.3d-i", "$q_1 = t u_a$ and $q_2 = t u_b$, t → ∞\n"),
]
SCRIPTS = [
    (0x300, 0x36F),
    (0x400, 0x44F),
    (0x5D0, 0x5EA),
    (0x620, 0x64A),
    (0x4E00, 0x9FA5),
    (0x1F300, 0x1F64F),
    (0x2700, 0x27BF),
]
MARKS = "!?#@~%&|{}<>\"'`*_-+=()[]^/\\.,;:$ \t\n\u200b\u0336\ufe0f"


@pytest.mark.parametrize("seed", range(4))
def test_nothing_at_all_is_dropped_wherever_it_stands(tmp_path, seed):
    """Random text at any place of a right answer: it stands in what a person reads, and nothing with it earns a point."""
    rng, path = random.Random(seed), tmp_path / "a.md"
    for _ in range(60):
        name, body = rng.choice(RIGHT_FILES)
        if rng.random() < 0.5:
            added = "".join(chr(rng.randint(*rng.choice(SCRIPTS))) for _ in range(rng.randint(1, 6)))
        else:
            added = " ".join(
                "".join(rng.choices("abcdefghijklmnopqrsuvwxyz", k=rng.randint(5, 9))) for _ in range(rng.randint(1, 4))
            )
        added = rng.choice(
            ["{}", " {} ", "\n{}\n", "\n> {}\n", "<!-- {} -->", "\n# {}\n", "\n| {} |\n", "\n```{}\n", " # {}"]
        ).format(added)
        body = f"\n{body}"
        at = rng.choice([0, 1, len(body), rng.randint(0, len(body))])
        path.write_text(f"## {name}{' ' * (at == 0)}{body[:at]}{added}{body[at:]}", "utf-8")
        file = read_answers(path, ids=CATALOGUE)
        found = hw.problems.grade(path)
        result = found.results[name]
        assert result.points == 0, path.read_text("utf-8")
        said = "".join([result.written, result.given, result.message, *found.complaints, *file.complaints.values()])
        kept = {letter for letter in said if letter.isalnum()}
        assert {letter for letter in added if letter.isalnum()} <= kept, path.read_text("utf-8")


@pytest.mark.parametrize("seed", range(4))
def test_marks_anywhere_never_make_another_answer_right(tmp_path, seed):
    rng, path = random.Random(seed), tmp_path / "a.md"
    for _ in range(60):
        name, body = rng.choice(RIGHT_FILES)
        path.write_text(f"## {name}\n{body}", "utf-8")
        meant = hw.problems.grade(path).results[name].reading
        at = rng.randint(0, len(body))
        path.write_text(f"## {name}\n{body[:at]}{''.join(rng.choices(MARKS, k=rng.randint(1, 4)))}{body[at:]}", "utf-8")
        result = hw.problems.grade(path).results[name]
        assert result.points == 0 or same(result.reading) == same(meant), path.read_text("utf-8")


# In workers


def test_workers_grade_many_files(tmp_path, write):
    good = [write(f'student = "S{k}"\n[A.1a]\nq = "{k}*log(n/eps)*k_1"', f"a{k}.toml") for k in range(4)]
    bad = [write("%PDF-1.7", "bad.toml"), tmp_path / "none.toml"]
    grades = {grade.path: grade for grade in grade_many([*good, *bad], jobs=2)}
    assert set(grades) == {str(path) for path in (*good, *bad)}
    for k, path in enumerate(good):
        here, there = grades[str(path)], hw.problems.grade(path)
        assert here.student == f"S{k}"
        assert here.to_dict() == there.to_dict()
    assert "PDF" in grades[str(bad[0])].unreadable
    assert bad[1].name in grades[str(bad[1])].unreadable


def test_workers_send_claims_that_are_proved_again_here(write):
    path = write(f"[A.1a]\nq = {[9.0] + [0.0] * 9}\n[A.1b]\nq = {[12.0] * 2 + [0.0] * 8}", "claims.toml")
    (graded,) = grade_many([path])
    for there, here in zip(graded.answered, hw.problems.grade(path).answered, strict=True):
        assert there.verdict is None
        assert there.claim.fields() == here.verdict.record.fields()
        assert there.verdict_here().status == here.verdict.record.prove().status
        assert here.verdict_here() is here.verdict


def test_what_a_worker_says_is_no_verdict():
    """A worker that calls a false claim proved: the claim is kept, and refuted as soon as it is asked for here."""
    false = hw.certify([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0], hw.Copy(0), error="1e-6").record
    told = Result("A.1a", "A", "proved").to_dict()
    result = Result.from_dict({**told, "claim": to_parts(false)})
    assert result.verdict is None
    assert result.verdict_here().status == "refuted"
    assert result.verdict_here().restored is False
    for junk in ({}, {"claim": "{}", "arrays": {}}, {"claim": 3, "arrays": 4}, [], "proved"):
        assert Result.from_dict({**told, "claim": junk}).claim is None
    assert Result.from_dict(told).verdict_here() is None


def test_no_files_no_workers():
    assert list(grade_many([])) == []


@pytest.fixture
def endless(monkeypatch, tmp_path):
    """Workers whose judge, for the answers "loop", "sleep", "eat" and "die", does what its name says.

    Every answer has a minute, on the slowest machine. The worker's own clock is put forward when "loop" computes, and the
    clock of this process, which stands still, when "sleep" is asleep.
    """
    code = """
import os, signal, sys, time
sys.path.append(sys.argv[1])
from headwright.problems import _check as checking
real = checking.check
def strange(problem_id, answer, **options):
    if answer == {"q": "loop"} and hasattr(signal, "setitimer"):
        assert 0 < signal.getitimer(signal.ITIMER_PROF)[0] < 61
        signal.setitimer(signal.ITIMER_PROF, 0.01)
        while True: pass
    if answer in ({"q": "loop"}, {"q": "sleep"}):
        open(os.environ["ASLEEP"], "w").close()
        time.sleep(1000)
    if answer == {"q": "eat"}: held = bytearray(2**34)
    if answer == {"q": "die"}: os._exit(9)
    if answer == {"q": "write"}:
        with open(os.environ["CANARY"], "w") as file: file.write("x" * 10)
    if answer == {"q": "print"}: print('{"end": true}', flush=True)
    return real(problem_id, answer, **options)
checking.check = strange
from headwright.problems.grading.worker import serve
serve()
"""
    asleep, clock = tmp_path / "asleep", [0.0]

    class Heard(queue.SimpleQueue):
        def get(self, timeout):
            while True:
                try:
                    return super().get(timeout=0.05)
                except queue.Empty:
                    if asleep.exists():
                        asleep.unlink()
                        assert timeout <= 600, "an answer that sleeps is waited for without end"
                        clock[0] += timeout + 1
                        raise

    monkeypatch.setenv("ASLEEP", str(asleep))
    monkeypatch.setattr(_grade_many, "queue", SimpleNamespace(SimpleQueue=Heard, Empty=queue.Empty))
    monkeypatch.setattr(_grade_many, "monotonic", lambda: clock[0])
    monkeypatch.setattr(_grade_many, "_CODE", code)


@pytest.mark.parametrize(
    ("strange", "status", "said"),
    [
        ("loop", "stopped", ""),
        ("sleep", "stopped", ""),
        ("die", "stopped", ""),
        pytest.param("eat", "stopped", "", marks=pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS")),
        pytest.param("write", "fault", "OSError", marks=pytest.mark.skipif(not POSIX, reason="RLIMIT_FSIZE")),
        ("print", "invalid", "print"),
    ],
)  # fmt: skip
def test_one_answer_ends_a_worker_and_the_rest_is_judged(write, endless, monkeypatch, tmp_path, strange, status, said):
    monkeypatch.setenv("CANARY", str(tmp_path / "canary"))
    path = write(f'[A.1a]\nq = "2*log(n/eps)*k_1"\n[A.1b]\nq = "{strange}"\n[E.1e]\nq = "0*mu_i"')
    (graded,) = grade_many([path], seconds=60)
    found = {result.id: result for result in graded.answered}
    assert (found["A.1a"].status, found["E.1e"].status) == ("proved", "refuted")
    assert found["A.1b"].status == status
    assert said in found["A.1b"].message
    assert not (tmp_path / "canary").exists() or not (tmp_path / "canary").read_text()


def test_workers_do_not_import_from_the_current_folder(tmp_path, write, monkeypatch):
    """A stranger's tomllib.py beside the answers must not run."""
    for name in ("tomllib.py", "numpy.py", "headwright.py", "json.py"):
        write(f"open({str(tmp_path / 'ran')!r}, 'w').write('yes')", name)
    monkeypatch.chdir(tmp_path)
    (graded,) = grade_many([write('[A.1a]\nq = "0*k_1"')])
    assert graded.answered[0].status == "refuted"
    assert not (tmp_path / "ran").exists()


def test_workers_that_do_not_start_are_told(monkeypatch, write):
    monkeypatch.setattr(_grade_many, "_CODE", "raise SystemExit('no such library')")
    with pytest.raises(RuntimeError, match="no such library"):
        list(grade_many([write("[A.1a]\nq = 1")]))


def test_workers_end_with_the_run(write):
    paths = [write('[A.1a]\nq = "0*k_1"', f"a{k}.toml") for k in range(3)]
    running = grade_many(paths, jobs=1)
    next(running)
    crew = running.gi_frame.f_locals["crew"]
    processes = [worker.process for worker in crew.workers]
    assert [process.poll() for process in processes] == [None]
    running.close()
    assert all(process.poll() is not None for process in processes)
    if POSIX:
        assert processes[0].returncode == -signal.SIGKILL


# As a table


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def made(path, status="proved", student="Ada"):
    return Grade(str(path), student, "d", {"E.1a": counted("E.1a", status, 5), "B.3a": counted("B.3a", status, None)})


QUESTIONS = {"E.1a": "E", "B.3a": "B"}


def test_a_row_for_each_file_as_it_comes(tmp_path, write):
    paths = [str(write("x", f"{k}.toml")) for k in range(2)]
    table_at = tmp_path / "g.csv"
    with GradeTable(table_at, QUESTIONS, digests_of(paths, [])) as table:
        table.add(made(paths[0]))
        assert len(rows(table_at)) == 1  # before the next file
        table.add(made(paths[1], "undecided", "=cmd|' /C calc'!A0"))
    first, second = rows(table_at)
    assert (first["sheet E"], first["sheet B"], first["mark E"], first["E.1a"], first["to read"]) == (
        "5",
        "1",
        "2",
        "right",
        "",
    )
    assert (second["sheet E"], second["to read"], second["E.1a"]) == ("0", "E.1a B.3a", WORDS["undecided"])
    assert second["student"] == "'=cmd|' /C calc'!A0"


def test_a_killed_run_goes_on(tmp_path, write):
    paths = [str(write(f"x{k}", f"{k}.toml")) for k in range(3)]
    table_at = tmp_path / "g.csv"
    with GradeTable(table_at, QUESTIONS, digests_of(paths, [])) as table:
        table.add(made(paths[0]))
        table.add(made(paths[1]))
    with table_at.open("a") as file:
        file.write(f"{paths[2]},cut o")  # killed here
    Path(paths[1]).write_text("changed")
    with GradeTable(table_at, QUESTIONS, digests_of(paths, [])) as table:
        assert table.done == {paths[0]}
        table.add(made(paths[1]))
        table.add(made(paths[2]))
    assert [row["file"] for row in rows(table_at)] == paths
    mine = write("other questions", "mine.toml")
    with GradeTable(table_at, QUESTIONS, digests_of(paths, [mine])) as table:
        assert table.done == set()


def test_a_table_of_something_else_is_left_alone(tmp_path):
    table_at = tmp_path / "g.csv"
    table_at.write_text("name,salary\nAda,1\n")
    with pytest.raises(ValueError, match="`--csv`"):
        GradeTable(table_at, QUESTIONS, {})
    assert table_at.read_text() == "name,salary\nAda,1\n"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "'quoted", " =1"])
def test_no_cell_is_a_formula(text):
    assert safe_cell(text)[0] == "'"
    assert safe_cell("a\nb") == "a b"


def test_a_strangers_question_is_judged_by_what_it_does():
    """No stand-in here: the judge itself, on a right and a wrong answer."""
    right = judged(CATALOGUE["A.1a"], {"q": "2*log(n/eps)*k_1"}).counted(10, POLICIES["practical"])
    wrong = judged(CATALOGUE["A.1a"], {"q": "-k_1"}).counted(10, POLICIES["practical"])
    assert (right.status, right.points, wrong.status, wrong.points) == ("proved", 10, "refuted", 0)
    assert "log" not in wrong.message  # it does not tell the answer
    for answer in ({}, {"q": 7}, {"r": "k_1"}, {"q": "k_1", "r": "k_1"}, {"q": "__import__('os')"}, {"q": "k_7"}):
        result = judged(CATALOGUE["A.1a"], answer)
        assert result.status == "invalid", (answer, result)
        assert result.message.endswith((".", "^", "?"))


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        ("A.1a", {"r": "k_1"}, ValueError),
        ("A.1a", {"q": True}, TypeError),
        ("A.1a", {"q": [1.0, 2.0]}, ValueError),
        ("A.1a", {"q": [float("nan")] * 10}, ValueError),
        ("D.b-i", {"M": [[1.0]]}, ValueError),
        ("A.3c", {"M": [[1.0]]}, ValueError),
        ("B.3e-ii", {"Q": "u_a", "K": "I", "V": "I"}, ValueError),
        ("C.1.1a", {"statement": "no-such-id"}, ValueError),
    ],
)
def test_a_mistake_in_an_answer_has_a_type(question, answer, kind):
    with pytest.raises(hw.problems.AnswerError) as caught:
        hw.problems.check(question, answer)
    assert isinstance(caught.value, kind)


def test_a_mistake_in_a_call_is_not_one_in_the_answer():
    with pytest.raises(ValueError, match="`error`") as caught:
        hw.problems.check("A.1a", {"q": "k_1"}, error=2)
    assert not isinstance(caught.value, hw.problems.AnswerError)


def test_a_worker_judges_what_is_written_alike_once(monkeypatch):
    """Formulas alone are kept, not arrays, and nothing that the judge did not come to an end with."""
    from headwright.problems.grading import _grade, worker

    seen, statuses = [], {"q": "proved", "eats": "stopped", "breaks": "fault"}

    def judged(question, answer):
        seen.append(answer)
        return Result(question.id, question.sheet, statuses.get(str(answer["q"]), "proved"), "said")

    monkeypatch.setattr(_grade, "judged", judged)
    monkeypatch.setattr(worker, "_KNOWN", {})
    monkeypatch.setattr(worker, "_MOST_KNOWN", 2)
    asked = ["k_1", "k_1", " k_1", [1.0], [1.0], "eats", "eats", "breaks", "breaks", "k_1", "2*k_1", "k_1"]
    for text in asked:
        assert worker._result({"problems": None, "assignment": None}, "A.1a", {"q": text})["message"] == "said"
    assert [answer["q"] for answer in seen] == [asked[0], *asked[2:9], "2*k_1", "k_1"]
    worker._result({"problems": None, "assignment": None}, "E.1e", {"q": "k_1"})
    assert len(seen) == 11
