"""An assignment decides which questions count, for how much and by which policy: totals depend on nothing else."""

import pytest

import headwright as hw
from headwright.problems.grading.policies import POLICIES
from headwright.problems.grading.results import Result

TEXT = """
title = "Homework 3"
[[question]]
id = "a.1A"
points = 7.5
[[question]]
id = "D.b-ii"
points = 4
"""


@pytest.fixture
def write(tmp_path):
    def make(text, name="homework.toml"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return make


def test_totals_depend_on_the_assignment_alone(write):
    assignment = write(TEXT)
    right = 'A.1a = {q = "2*log(n/eps)*k_1"}\n'
    for answers, points in {right: 7.5, 'E.1a = {statement = "x"}\n' + right: 7.5, 'B.3b = {q = "k_a"}': 0}.items():
        for graded in (
            hw.problems.grade(write(answers, "ada.toml"), assignment=assignment),
            *hw.problems.grade_many([write(answers, "ada.toml")], assignment=assignment, jobs=1),
        ):
            assert (graded.points, graded.possible, list(graded.results)) == (points, 11.5, ["A.1a", "D.b-ii"])
            assert graded.title == "Homework 3"


def test_without_an_assignment_the_sheets_that_are_touched_count(write):
    graded = hw.problems.grade(write('A.1a = {q = "2*log(n/eps)*k_1"}', "ada.toml"))
    assert (graded.points, graded.possible) == (10, 100)


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (("a.1A", "A.1z"), ["question 1", "`id`", "A.1a"]),
        (("7.5", "-1"), ["question 1", "`points`", "-1"]),
        (("7.5", '"ten"'), ["question 1", "`points`"]),
        (("D.b-ii", "A.1a"), ["question 2", "twice"]),
        (("points = 4", 'policy = "lenient"'), ["question 2", "`policy`", "practical", "strict"]),
        (("points = 4", "credit = {half = 0.5}"), ["question 2", "`half`", "too-short"]),
        (("points = 4", "credit = {too-short = 2}"), ["question 2", "too-short"]),
        (("points = 4", "point = 4"), ["question 2", "`point`"]),
        (("points = 4", "tolerance = 2"), ["question 2", "`tolerance`"]),
        (("title", "titel"), ["`titel`"]),
        (('title = "Homework 3"', 'title = "x"\npolicy = "practial"'), ["`policy`", "practial"]),
        (('title = "Homework 3"', 'title = "x"\nproblems = "none.toml"'), ["none.toml"]),
    ],
)
def test_a_wrong_entry_is_named(write, change, parts):
    with pytest.raises((ValueError, TypeError, OSError)) as raised:
        hw.problems.read_assignment(write(TEXT.replace(*change)))
    for part in ("homework.toml", *parts):
        assert part in str(raised.value)


def test_tolerance_says_what_about_equal_means(write):
    """10(k_a + k_b) leaks 2·10⁻⁴ at ten keys: within 0.01 up to n = 2 + (2/99)·e¹⁰, within 0.4 up to 2 + (4/3)·e¹⁰."""
    answer = write('D.b-ii = {q = "10*(k_a + k_b)"}', "ada.toml")
    strict = TEXT.replace("title", 'policy = "strict"\ntitle')
    for tolerance, limit in {"0.01": "446", "0.4": "29370"}.items():
        assignment = write(strict.replace("points = 4", f"points = 4\ntolerance = {tolerance}"))
        verdict = hw.problems.grade(answer, assignment=assignment).results["D.b-ii"].verdict
        assert verdict.status == "refuted"
        assert limit in verdict.holds_when


@pytest.mark.parametrize(
    ("credit", "policy", "points"),
    [
        ("right", POLICIES["strict"], 7.5),
        ("limit", POLICIES["practical"], 7.5),
        ("limit", POLICIES["strict"], 0),
        ("too-short", POLICIES["practical"], 0),
        ("too-short", POLICIES["practical"].changed({"too_short": "1/3"}), 2.5),
        ("wrong", POLICIES["practical"].changed({"wrong": "0.1"}), 0.75),
    ],
)
def test_a_policy_counts_credit_and_says_so(credit, policy, points):
    result = Result("A.1a", "A", "refuted", "What was seen.", credit=credit).counted(7.5, policy)
    assert result.points == points
    assert (policy.name in result.message) == (credit not in ("right", "wrong"))


def test_points_add_up_as_decimals_do(write):
    """0.1 three times is 0.3, which the sum of floats is not."""
    assignment = write(
        'title = "x"\n' + "".join(f'[[question]]\nid = "D.a-{k}"\npoints = 0.1\n' for k in ("i", "ii", "iii"))
    )
    assert hw.problems.read_assignment(assignment).possible == 0.3
    assert hw.problems.grade(write("", "empty.toml"), assignment=assignment).possible == 0.3


OWN = """
[[question]]
id = "X.1"
text = "Copy the second key."
points = 2.5
keys = [[1, 0], [0, 1]]
copy = 2
credit = {too-short = 0.4}
"""


def test_a_question_of_ones_own_stands_in_the_assignment(write):
    assignment = write("count_from = 1\n" + TEXT + OWN)
    for query, points in {"9 k_2": 2.5, "k_2": 1, "k_1": 0}.items():
        answers = write(f"## x.1\nq = {query}\n", "ada.md")
        for graded in (
            hw.problems.grade(answers, assignment=assignment),
            *hw.problems.grade_many([answers], assignment=assignment, jobs=1),
        ):
            assert (graded.results["X.1"].points, graded.possible) == (points, 14)


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (("copy = 2", "copy = 3"), ["question 3 (X.1)", "key"]),
        (('"X.1"', '"A.1b"'), ["question 3 (A.1b)", "`id`"]),
        (("copy = 2", "copi = 2"), ["question 3 (X.1)", "`copi`"]),
        (("points = 2.5", "points = -2.5"), ["question 3 (X.1)", "`points`"]),
        (("points = 2.5", 'solution = {q = "k_1"}'), ["question 3 (X.1)", "`solution`"]),
    ],
)
def test_a_wrong_question_of_ones_own_is_named(write, change, parts):
    with pytest.raises((ValueError, TypeError)) as raised:
        hw.problems.read_assignment(write("count_from = 1\n" + TEXT + OWN.replace(*change)))
    for part in ("homework.toml", *parts):
        assert part in str(raised.value)


def test_what_is_better_never_earns_less_than_what_is_nearly_right():
    policy = POLICIES["strict"].changed({"too-short": "1/2"})
    assert [policy.share(credit) for credit in ("right", "up-to", "limit", "too-short", "wrong")] == [
        1,
        0.5,
        0.5,
        0.5,
        0,
    ]
    assert POLICIES["strict"].changed({"too-short": "1/2", "limit": 0}).share("limit") == 0  # unless a teacher says so


@pytest.mark.parametrize(("policy", "given_away"), [("practical", True), ("strict", False)])
def test_another_right_answer_is_told_with_full_marks_only(write, policy, given_away):
    answers = write("## E.1c\nq = t(k_i + k_j), t → ∞\n", "ada.md")
    result = hw.problems.grade(answers, policy=policy).results["E.1c"]
    assert ("none" in result.message, result.points > 0) == (given_away, given_away)


def test_students_see_the_points_of_the_assignment(write):
    items = hw.problems.read_assignment(write(TEXT)).items
    assert [item.question.points for item in items.values()] == [7.5, 4]


@pytest.mark.parametrize("points", ["nan", "inf", "-inf"])
def test_points_are_finite(write, points):
    with pytest.raises(ValueError, match=r"question 1 .*`points`"):
        hw.problems.read_assignment(write(TEXT.replace("7.5", points)))


def test_a_mistake_in_the_file_of_problems_names_that_file(write):
    write('id = "X.1"\nkeys = [[1]]\ncopy = 0', "mine.toml")
    with pytest.raises(ValueError, match=r"`problems` mine.toml: .*`text`"):
        hw.problems.read_assignment(write('problems = "mine.toml"\n' + TEXT))
