"""A seeded subset of the answer files that `make evidence` judges, and proof that its alarms ring."""

import pytest

from evidence import answer_files
from headwright.problems.grading.grades import Grade
from headwright.problems.grading.results import Result
from tests.answer_bank import NASTY, RIGHT, WRONG
from tests.second_opinion_answers import opinion


def test_mutated_files_are_judged_without_harm(tmp_path, monkeypatch):
    monkeypatch.setattr(answer_files, "LONGEST", 60)  # how fast this machine is decides nothing here
    found = answer_files.run(tmp_path, limit=60)
    assert found["holds"], found
    assert found["files"] == 60
    assert found["right_answers_proved"] >= 6
    seen = found["verdicts_confirmed"] + found["verdicts_not_contradicted_at_many_points"]
    assert seen >= found["right_answers_proved"]
    assert seen > found["verdicts_confirmed"] > 0
    assert found["longest_seconds"] > 0  # it was measured
    assert answer_files.run(tmp_path, limit=60) == found  # from the store


@pytest.mark.parametrize("problem_id", RIGHT)
def test_the_second_opinion_knows_the_bank(problem_id):
    for answer in RIGHT[problem_id]:
        one = problem_id == "E.1c" or any(isinstance(value, list) for value in answer.values())
        assert opinion(problem_id, answer) == ("true" if one else "not contradicted"), answer
    for answer in WRONG[problem_id]:
        assert opinion(problem_id, answer) in ("false", "unknown"), answer


def test_a_wrong_proved_a_wrong_refuted_and_a_slow_answer_are_noticed():
    def row(status, answer, *, kind="words", seconds="0.001"):
        graded = Grade("a", None, "", {"A.1a": Result("A.1a", "A", status, f"a message of words [{seconds} s]")})
        return answer_files.examined(graded, answer_files.Case(b"", kind, {"A.1a": {"q": answer}}))

    assert row("proved", "2*log(n/eps)*k_1")["bad"] == []
    assert "called proved" in row("proved", "2*log(n)*k_1")["bad"][0]
    assert "right but refuted" in row("refuted", "2*log(n/eps)*k_1", kind="right")["bad"][0]
    assert row("refuted", "k_1", seconds="2.5")["bad"] == ["2.5 seconds"]
    assert "fault" in row("fault", "k_1")["bad"][0]


def test_the_audit_hook_rings(tmp_path, monkeypatch):
    """A judge that opens a file for writing, imports, or runs a program is reported."""
    strange = """
from headwright.problems import _check as checking
real = checking.check
def check(problem_id, answer, **options):
    if not watching: return real(problem_id, answer, **options)
    if answer["q"] == "k_1": open("canary", "w")
    if answer["q"] == "k_2": import antigravity
    if answer["q"] == "k_3": eval("1 + 1")
    import subprocess
    subprocess.Popen(["true"])
checking.check = check
"""
    monkeypatch.setattr(
        answer_files, "WATCHED", answer_files.WATCHED.replace("worker.serve()", strange + "worker.serve()")
    )
    monkeypatch.setattr(
        answer_files, "case", lambda number: answer_files.Case(f'[A.1a]\nq = "k_{number}"\n'.encode(), "words")
    )
    rows = dict(answer_files.judged([1, 2, 3, 4], tmp_path))
    for number, event in {1: "open", 2: "import", 3: "compile", 4: "subprocess_Popen"}.items():
        assert f"Forbidden_{event}" in rows[number]["bad"][0], rows[number]


def test_the_nasty_list_has_what_was_promised():
    assert max(map(len, NASTY)) >= 10**6
    for part in (b"(" * 10_000, b"__import__", b"9**9**9", b"nan", b"[[1, 2], [3]]", b"{q=" * 1000, b"a." * 1000):
        assert any(part in content for content in NASTY), part[:20]
