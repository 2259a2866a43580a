"""Weights that are shown beside a question's own are marked by their own goal: on the screen, in the tour and in the report."""

import re

import numpy as np
import pytest

from headwright.kernel.goals import Copy
from headwright.kernel.verdict import Undecided
from headwright.problems import CATALOGUE, Showing, run
from headwright.problems.reports.drawings import panels
from headwright.problems.reports.question_html import panels_html


@pytest.fixture(scope="module")
def tokens():
    return run("B.3e-ii")


def showing(**more):
    weights = np.array([0.1, 0.2, 0.7])
    ours = Undecided("a claim", reason="none", next_step="none")
    return Showing(
        CATALOGUE["A.1a"], "words", ours, weights=weights, goal=Copy(1), also=(("other", weights[::-1]),), **more
    )


def test_the_goal_is_the_questions_unless_it_is_given():
    assert [goal.indices for _, _, goal in showing().further()] == [Copy(1).indices]
    assert [goal for _, _, goal in showing(also_goals=(None,)).further()] == [None]
    assert showing(also_goals=(Copy(2),)).to_dict()["also_goals"] == [Copy(2).to_dict()]
    with pytest.raises(ValueError, match="zip"):
        showing(also_goals=(Copy(2), Copy(0))).further()


def test_token_1_copies_x_3(tokens):
    ((caption, weights, goal),) = tokens.further()
    assert "x_3" in caption
    assert tuple(goal.indices) == (2,)
    assert int(np.argmax(weights)) == 2


def test_the_report_marks_the_key_that_token_1_is_to_copy(tokens):
    found = re.findall(
        r"<span>key[^<\d]*([\d-]+)[^<]*</span><span>[^<]*</span><i( class='goal')?", panels_html(panels(tokens)[1])
    )
    assert [name for name, mark in found if mark] == ["2"]


@pytest.mark.needs("matplotlib")
def test_the_chart_colours_it(tokens):
    from headwright.problems.reports.drawings import weight_chart

    own, other = weight_chart(tokens).axes
    for axes, key in ((own, 0), (other, 2)):
        wanted, rest = axes.patches
        high, _, low = wanted.get_data()
        assert np.flatnonzero(high > low).tolist() == [2 * key]  # every other number is a gap
        assert wanted.get_facecolor() != rest.get_facecolor()
