"""The catalogue holds every question of the five sheets once, complete and unchangeable."""

import json
from dataclasses import FrozenInstanceError

import pytest

from headwright.problems.catalogue import CATALOGUE, SHEETS, find
from headwright.problems.family import Family
from headwright.problems.problem import Problem

IDS = {
    "A": ["A.1a", "A.1b", "A.1c", "A.1d", "A.2a", "A.2b", "A.3a", "A.3b", "A.3c"],
    "B": ["B.3a", "B.3b", "B.3c-i", "B.3c-ii", "B.3d-i", "B.3d-ii", "B.3e-i", "B.3e-ii"],
    "C": [
        *["C.1.1a", "C.1.1b", "C.1.1c", "C.1.1d", "C.1.2a", "C.1.3"],
        *["C.2.1a", "C.2.1b", "C.2.2a", "C.2.2b"],
    ],
    "D": ["D.a-i", "D.a-ii", "D.a-iii", "D.a-iv", "D.b-i", "D.b-ii", "D.c-i", "D.c-ii", "D.d-i", "D.d-ii"],
    "E": ["E.1a", "E.1b", "E.1c", "E.1d", "E.1e", "E.1f", "E.2a"],
}
ALL_IDS = [problem_id for ids in IDS.values() for problem_id in ids]
POINTS = {
    **{"A.1a": 10, "A.1b": 10, "A.1c": 10, "A.1d": 10, "A.2a": 25, "A.2b": 5, "A.3a": 12, "A.3b": 6, "A.3c": 12},
    **{"E.1a": 5, "E.1b": 5, "E.1c": 10, "E.1d": 10, "E.1e": 10, "E.1f": 10, "E.2a": 30},
}
THEMES = {"copying", "averaging", "varying keys", "layers", "position", "singular values", "learning"}
ANSWERS = {("q",), ("q1", "q2"), ("M",), ("Q", "K", "V"), ("statement",)}
NAMES = (
    {"k_1", "k_2", "k_a", "k_b", "k_i", "k_j", "u", "u_a", "u_b", "u_c", "u_d", "mu_a", "mu_b", "mu_i", "mu_j"}
    | {"n", "eps", "t", "T", "s", "beta", "A", "B", "S", "k"}
)  # fmt: skip


def test_every_id_occurs_once_in_the_order_of_the_sheets() -> None:
    assert list(CATALOGUE) == ALL_IDS


def test_every_sheet_has_a_title() -> None:
    assert list(SHEETS) == list(IDS)
    assert all(SHEETS.values())


def test_the_catalogue_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        CATALOGUE["A.1a"] = CATALOGUE["A.1b"]  # type: ignore[index]


def test_points_are_those_of_the_sheets() -> None:
    assert {problem.id: problem.points for problem in CATALOGUE.values() if problem.points is not None} == POINTS
    assert sum(points for problem_id, points in POINTS.items() if problem_id.startswith("A")) == 100
    assert sum(points for problem_id, points in POINTS.items() if problem_id.startswith("E")) == 80


@pytest.mark.parametrize("problem_id", ALL_IDS)
def test_a_question_is_complete(problem_id: str) -> None:
    problem = CATALOGUE[problem_id]
    assert problem.id == problem_id
    assert problem.sheet == problem_id[0]
    assert problem.question.strip() == problem.question
    assert problem.question.endswith((".", "?"))
    assert "  " not in problem.question
    assert problem.theme in THEMES
    assert problem.answers in ANSWERS
    assert set(problem.names) <= NAMES
    assert len(set(problem.names)) == len(problem.names)
    assert bool(problem.names) == (problem.answers != ("statement",))


@pytest.mark.parametrize("problem_id", ALL_IDS)
def test_sheets_a_b_c_publish_an_answer_and_d_e_do_not(problem_id: str) -> None:
    published = CATALOGUE[problem_id].published
    assert (published is not None) == (problem_id[0] in "ABC")
    assert published is None or published.endswith(".")


def test_a_problem_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        CATALOGUE["A.1a"].points = 0  # type: ignore[misc]


def test_a_problem_shows_itself() -> None:
    with_points, without = CATALOGUE["A.1a"], CATALOGUE["B.3a"]
    assert str(with_points) == f"A.1a (10 points): {with_points.question}"
    assert str(without) == f"B.3a: {without.question}"
    assert repr(with_points) == "<Problem A.1a>"


def test_html_is_escaped() -> None:
    problem = Problem(
        id="X.1",
        sheet="X",
        points=None,
        question="Is a < b & c?",
        published="<b>Yes</b>.",
        theme="copying",
        answers=("q",),
        family=Family(),
        claim={"kind": "near"},
    )
    html = problem._repr_html_()
    assert "Is a &lt; b &amp; c?" in html
    assert "&lt;b&gt;Yes&lt;/b&gt;." in html


def test_to_dict_has_every_field_and_survives_json() -> None:
    for problem in CATALOGUE.values():
        data = problem.to_dict()
        assert all(data[name] is not None for name in ("id", "sheet", "question", "theme", "answers", "must_show"))
        assert set(problem.asked()) == set(data) - {"published", "published_answer"}
        assert json.loads(json.dumps(data)) == data


def test_find_returns_the_question() -> None:
    for problem_id, problem in CATALOGUE.items():
        assert all(find(spelt) is problem for spelt in (problem_id, problem_id.upper(), problem_id.lower()))


@pytest.mark.parametrize(
    ("wrong", "meant"), [("a.1", "A.1a"), ("B3c-i", "B.3c-i"), ("C1.2a", "C.1.2a"), ("E.1", "E.1a")]
)
def test_find_names_its_argument_and_close_ids(wrong: str, meant: str) -> None:
    with pytest.raises(ValueError, match="`problem_id`") as caught:
        find(wrong)
    assert repr(wrong) in str(caught.value)
    assert meant in str(caught.value)


def test_find_says_which_ids_there_are_when_none_is_close() -> None:
    for wrong in ("zzz", ""):
        with pytest.raises(ValueError, match="`problem_id`"):
            find(wrong)


def test_find_refuses_what_is_no_string() -> None:
    with pytest.raises(TypeError, match="`problem_id`"):
        find(1)  # type: ignore[arg-type]
