"""The answer "none" at given keys: a proof that no query does what is asked, or a query that does.

- Any goal: the keys alone may forbid it (`Unreachable`), whatever the length.
- Copying within a length: the shortest query may be proved to be longer (`NoShorter`).
- Several heads that copy one key: the mean weight on it is at most that of the best head, so what no query does, no heads do.

For all else (heads that share a goal, an average within a length) no claim covers every query, and the verdict is Undecided.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import balls
from headwright.kernel.claim import Claim
from headwright.kernel.combined import Contrary
from headwright.kernel.goals import Copy, Goal, Top
from headwright.kernel.no_shorter import NoShorter
from headwright.kernel.verdict import Proved, Undecided, Verdict
from headwright.problems.family import Setting
from headwright.problems.judges.key_words import key_name, named
from headwright.problems.problem import Problem
from headwright.search.certify import certify
from headwright.search.design import design
from headwright.words.design import Design
from headwright.words.refusals import NotFound, Unreachable

_MOST_SHOWN = 4  # keys of a witness that are written out
_SHORTER = Fraction(999_999, 1_000_000)  # a query for `top` may be scaled to any length


def judge_none(problem: Problem, setting: Setting) -> Verdict:
    """Proved where no query does what is asked, Refuted by a query that does, Undecided where neither is proved."""
    heads = len(problem.answers)
    longest: Fraction | None = problem.claim.get("max_length")
    assert setting.goal is not None, "a question about given keys has a goal"
    found = design(setting.centre, setting.goal, error=setting.error, throw=False)
    if isinstance(found, Unreachable) and (heads == 1 or isinstance(setting.goal, Copy)):
        return found.verdict.explained(_why(found, setting, heads))
    for queries in _candidates(found, setting, heads, longest):
        if longest is None or all(_squared(query) <= longest**2 for query in queries):
            return _shown(problem, setting, queries)
    if isinstance(found, Unreachable | NotFound):
        why = "no queries were found" if heads > 1 else "no query was found"
        return _open(problem, f"{why}, and no proof covers all others: {_said(found.reason, setting)}")
    verdict = None if longest is None else _longer(found, setting, longest)
    if longest is not None and isinstance(verdict, Proved) and isinstance(verdict.record, NoShorter):
        least = balls.decimal_below(verdict.record.least, 5)
        each = "One head of several must do as much as a single one. " if heads > 1 else ""
        return verdict.explained(
            f"{each}Every query that does it is at least {least} long, and at most {float(longest):.6g} is allowed"
        )
    return _open(
        problem, "the shortest query that was found is longer than allowed, and no proof covers all other queries"
    )


def _candidates(
    found: Design | Unreachable | NotFound, setting: Setting, heads: int, longest: Fraction | None
) -> Iterator[np.ndarray]:
    """Queries (h, d) that should do what is asked: heads that are all alike, and one head for each target."""
    goal = setting.goal
    if isinstance(found, Design):
        queries = _scaled(found.queries, longest) if isinstance(goal, Top) else found.queries
        yield np.repeat(queries, heads, axis=0)
    if isinstance(goal, Goal) and 1 < heads == len(goal.indices):
        several = design(setting.centre, goal, error=setting.error, heads=heads, throw=False)
        if isinstance(several, Design) and len(set(goal.shares)) == 1:
            yield several.queries


def _longer(found: Design, setting: Setting, longest: Fraction) -> Verdict | None:
    """The claim that every query that copies is longer than allowed; None where the design proves no such bound."""
    record = None if found.optimality is None else found.optimality.record
    if not isinstance(record, NoShorter) or not isinstance(setting.goal, Copy) or record.least <= longest:
        return None
    return NoShorter(setting.centre, setting.goal, setting.error, Fraction(1), record.least, record.witness).prove()


def _scaled(queries: np.ndarray, longest: Fraction | None) -> np.ndarray:
    """The query of a score gap, scaled down to the length that is allowed: any positive gap will do."""
    size = float(np.linalg.norm(queries))
    return queries if longest is None or size <= longest else queries * (float(longest * _SHORTER) / size)


def _squared(query: np.ndarray) -> Fraction:
    """The squared length, exactly."""
    return sum((Fraction(x) ** 2 for x in query.tolist()), Fraction(0))


def _shown(problem: Problem, setting: Setting, queries: np.ndarray) -> Verdict:
    """Refuted by these queries, if they are proved to do what is asked."""
    assert setting.goal is not None
    error: Any = None if isinstance(setting.goal, Top) else setting.error
    verdict = certify(setting.centre, queries, setting.goal, error=error, mix="equal")
    if not isinstance(verdict, Proved) or not isinstance(verdict.record, Claim):
        return _open(problem, "a query was found, and it is not proved that it does what is asked")
    longest = max(float(np.linalg.norm(query)) for query in queries)
    what = f"There is a query of length {longest:.4g} that does it"
    if len(queries) > 1:
        what = f"There are {len(queries)} queries of length at most {longest:.4g} that do it"
    return Contrary(verdict.record).prove().explained(what)


def _open(problem: Problem, why: str) -> Undecided:
    return Undecided(f"no query does what {problem.id} asks", reason=why)


def _why(refusal: Unreachable, setting: Setting, heads: int) -> str:
    """The witness in words: the key that is a mean of others, or what the search says."""
    more = " The mean of several heads is no better than the best of them." if heads > 1 else ""
    witness, goal = refusal.witness, setting.goal
    if not isinstance(goal, Copy) or witness is None or len(witness.indices) > _MOST_SHOWN:
        return f"{_said(refusal.reason, setting)}.{more}"
    mean = " + ".join(
        f"{weight}·{key_name(setting, i)}" if weight != 1 else key_name(setting, i)
        for i, weight in zip(witness.indices, witness.weights, strict=True)
    )
    best = refusal.best_error
    least = "" if best is None else f" The total variation is at least {balls.decimal_below(Fraction(best), 4)}."
    return (
        f"You are right: {key_name(setting, goal.index)} = {mean}, so no query scores it above all of these."
        f"{least}{more}"
    )


def _said(reason: str, setting: Setting) -> str:
    """A refusal's reason in the question's names."""
    goal = setting.goal
    what = "the goal"
    if isinstance(goal, Top):
        what = " and ".join(key_name(setting, i) for i in goal.indices)
    return named(reason.replace(repr(goal), what), setting)
