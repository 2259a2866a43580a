"""All questions of the five sheets under their ids, in the order of the sheets.

>>> problem = find("A.1a")
>>> problem.points, problem.published
(10, 'q = 2 ln(n/ε) k_1.')
>>> len(CATALOGUE)
44
"""

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from headwright.problems import sheet_a, sheet_b, sheet_c, sheet_d, sheet_e
from headwright.problems.problem import Problem

SHEETS: Mapping[str, str] = MappingProxyType(
    {
        "A": "What attention can express, positions and singular values",
        "B": "An assignment that explores attention, with published answers",
        "C": "A second assignment on attention, with published answers",
        "D": "The assignment on attention itself, questions only",
        "E": "A third assignment: theory and a trained block, questions only",
    }
)

CATALOGUE: Mapping[str, Problem] = MappingProxyType(
    {problem.id: problem for sheet in (sheet_a, sheet_b, sheet_c, sheet_d, sheet_e) for problem in sheet.PROBLEMS}
)


def find(problem_id: str) -> Problem:
    """The question with this id; a ValueError that names close ids where there is none.

    >>> find("A.1")
    Traceback (most recent call last):
    ...
    ValueError: `problem_id` must be the id of a question; got 'A.1'. Did you mean A.1a, A.1b, A.1c, A.1d?
    """
    if not isinstance(problem_id, str):
        raise TypeError(f"`problem_id` must be a str such as 'A.1a'; got {type(problem_id).__name__}")
    if problem_id in CATALOGUE:
        return CATALOGUE[problem_id]
    raise ValueError(f"`problem_id` must be the id of a question; got {problem_id!r}. {_suggestion(problem_id)}")


def _suggestion(problem_id: str) -> str:
    """Up to four ids that begin like this one or else resemble it, in any case of letters; else where the ids lie."""
    by_folded_id = {known.casefold(): known for known in CATALOGUE}
    wanted = problem_id.strip().casefold()
    longer = [folded for folded in by_folded_id if wanted and folded.startswith(wanted)]
    close = longer[:4] or get_close_matches(wanted, by_folded_id, n=4)
    if close:
        return f"Did you mean {', '.join(by_folded_id[folded] for folded in close)}?"
    first, *_, last = CATALOGUE
    return f"The ids run from {first} to {last}; headwright problems lists them, in Python `CATALOGUE`"
