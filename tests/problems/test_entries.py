"""Every question has a full entry: what must be shown, the published answer as data, statements where an essay is asked for."""

import json
import pickle
import re
from dataclasses import fields

import pytest

import headwright as hw
from headwright.problems.judges.statements import judge
from headwright.problems.problem import Statement

PROBLEMS = list(hw.problems.CATALOGUE.values())
ESSAYS = [problem for problem in PROBLEMS if problem.answers == ("statement",)]
PUBLISHED = [problem for problem in PROBLEMS if problem.published is not None]


def named(problem):
    return problem.id


@pytest.mark.parametrize("problem", PROBLEMS, ids=named)
def test_an_entry_says_what_must_be_shown(problem):
    assert 30 < len(problem.must_show) < 300
    assert problem.must_show.endswith(".")
    assert "  " not in problem.must_show


@pytest.mark.parametrize("problem", PROBLEMS, ids=named)
def test_a_published_answer_defines_what_the_question_asks_for(problem):
    if problem.published is None:
        assert problem.published_answer is None
    else:
        assert sorted(problem.published_answer) == sorted(problem.answers)
        assert all(isinstance(text, str) and text for text in problem.published_answer.values())


@pytest.mark.parametrize("problem", [p for p in PUBLISHED if p not in ESSAYS], ids=named)
def test_a_published_formula_uses_the_names_of_its_question(problem):
    known = {*problem.names, "log", "I", "svd_part"}
    for formula in problem.published_answer.values():
        assert set(re.findall(r"[A-Za-z_][A-Za-z_0-9]*", formula)) <= known


@pytest.mark.parametrize("problem", PROBLEMS, ids=named)
def test_essay_questions_and_no_others_have_statements(problem):
    assert bool(problem.statements) == (problem in ESSAYS)
    if problem.statements:
        assert 4 <= len(problem.statements) <= 7
        ids = [statement.id for statement in problem.statements]
        assert len(set(ids)) == len(ids)
        assert len({statement.text for statement in problem.statements}) == len(ids)
        for statement in problem.statements:
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", statement.id)
            assert len(statement.id) <= 32
            assert statement.text.endswith(".")


def test_a_statement_does_not_know_whether_it_is_true():
    assert [field.name for field in fields(Statement)] == ["id", "text", "entry"]
    truths = {"true", "false", "proved", "refuted", "status", "verdict"}
    assert not truths & {key for problem in ESSAYS for statement in problem.statements for key in statement.entry}


@pytest.mark.parametrize("problem", [p for p in PUBLISHED if p in ESSAYS], ids=named)
def test_the_statement_of_a_published_essay_has_the_verdict_of_the_published_answer(problem):
    wanted = hw.problems.published(problem.id).status
    assert judge(problem, problem.published_answer["statement"]).status == wanted


def test_entries_survive_json_and_pickle_and_can_be_keys():
    for problem in PROBLEMS:
        assert json.loads(json.dumps(problem.to_dict())) == problem.to_dict()
        assert pickle.loads(pickle.dumps(problem)) == problem
    assert len(set(PROBLEMS)) == len(PROBLEMS)
