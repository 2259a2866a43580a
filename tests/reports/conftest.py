"""What the tests of the reports share: every question is run and judged once, for the page and for the tour alike."""

import sys

import pytest

from headwright.problems.reports.entries import entry_of

JUDGED = {}


def judged_once(problem):
    if problem.id not in JUDGED:
        JUDGED[problem.id] = entry_of(problem)
    return JUDGED[problem.id]


@pytest.fixture(autouse=True, scope="module")
def _each_question_once():
    with pytest.MonkeyPatch.context() as patch:
        for name, module in [*sys.modules.items()]:
            if name.startswith("headwright.problems.reports") and getattr(module, "entry_of", None) is entry_of:
                patch.setattr(module, "entry_of", judged_once)
        yield
