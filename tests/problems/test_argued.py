"""Argued verdicts: each has a written argument under the heading it names, and the page that lists them lists them all."""

import re
from pathlib import Path

import pytest

import headwright as hw
from headwright.problems import run as shown
from headwright.problems.judges.statements import judge

ROOT = Path(__file__).parents[2]


def everything():
    for problem in hw.problems.CATALOGUE.values():
        showing = shown(problem.id)
        yield f"{problem.id} ours", showing.ours
        if showing.published is not None:
            yield f"{problem.id} published", showing.published
        for statement in problem.statements:
            yield f"{problem.id} {statement.id}", judge(problem, statement.id)


@pytest.fixture(scope="module")
def verdicts():
    return dict(everything())


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def listed():
    """verdict -> argument, from the page."""
    found = {}
    for names, link, why in re.findall(
        r"^\| ([^|]+) \| \[[^]]+\]\(([^)]+)\) \| ([^|]+) \|$",
        (ROOT / "docs/theory/argued.md").read_text("utf-8"),
        flags=re.MULTILINE,
    ):
        assert len(why) > 20
        for name in names.split(", "):
            assert name not in found
            found[name] = f"docs/theory/{link}"
    return found


def test_the_page_lists_them_all(verdicts):
    assert {name: verdict.argument for name, verdict in verdicts.items() if verdict.status == "argued"} == listed()


def test_every_argument_is_written_where_it_says(verdicts):
    for verdict in verdicts.values():
        if verdict.status == "argued":
            page, _, anchor = verdict.argument.partition("#")
            assert anchor in anchors(ROOT / page), verdict.argument


def test_what_is_not_argued_has_a_record(verdicts):
    """Proved and Refuted can be proved again; nothing is undecided."""
    for name, verdict in verdicts.items():
        assert verdict.status in ("proved", "refuted", "argued"), name
        if verdict.status == "refuted":
            assert verdict.record is not None, name


def test_every_question_has_our_answer(verdicts):
    assert sum(name.endswith(" ours") for name in verdicts) == len(hw.problems.CATALOGUE)


def test_an_argued_statement_earns_its_points():
    result = hw.problems.grade_answer("C.1.1a", {"statement": "quotients-of-exponentials"}, policy="strict")
    assert (result.status, result.points, result.to_read) == ("argued", 1, False)


def test_an_argued_verdict_cannot_be_saved_or_expected(tmp_path):
    verdict = shown("C.1.1a").ours
    with pytest.raises(ValueError, match="argued"):
        hw.save(tmp_path / "claim", verdict)
    with pytest.raises(hw.NotProved):
        verdict.expect()
    hw.save(tmp_path / "claim", verdict.instances[0])
    assert hw.verify(tmp_path / "claim").status == "proved"


@pytest.mark.parametrize("problem_id", ["C.1.1b", "C.2.2b", "A.1d"])
def test_a_refuted_answer_is_refuted_again_from_a_file(problem_id, tmp_path):
    verdict = shown(problem_id).published
    hw.save(tmp_path / "claim", verdict)
    again = hw.verify(tmp_path / "claim")
    assert (again.status, again.scope, again.claim) == ("refuted", "the claim in general", verdict.claim)


def test_the_page_of_the_sheets_counts_verdicts_as_they_are(verdicts):
    words = " ".join((ROOT / "docs/sheets.md").read_text("utf-8").split())
    kinds = {"ours": [], "published": [], "statements": []}
    for name, verdict in verdicts.items():
        kind = name.partition(" ")[2]
        kinds[kind if kind in kinds else "statements"].append(verdict.status)
    for statuses in kinds.values():
        told = [f"{statuses.count(s)} {s}" for s in ("proved", "refuted", "argued") if s in statuses]
        first, *rest = told
        assert f"{len(statuses)}" in words
        assert first.replace(" ", " are ") in words
        assert all(each in words for each in rest)
