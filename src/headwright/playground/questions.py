"""The question that ends a step of a walk: do the heads of this scene meet a goal that the step sets?"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from headwright.kernel import budget
from headwright.kernel.goals import Goal, Top
from headwright.kernel.heads import Heads
from headwright.kernel.region import Region
from headwright.kernel.top_gap import TopGap
from headwright.kernel.verdict import Verdict
from headwright.kernel.within_error import WithinError
from headwright.kernel.withstands import Withstands
from headwright.playground.scene import Scene, goal_of
from headwright.playground.scene_faults import fault_of_goal
from headwright.playground.sentences import internal_error, one_line, sentence
from headwright.theories.random_keys.with_probability import WithProbability

_ENTRIES = ("goal", "error", "confidence", "radius")
_FOR_A_PROOF = 15 * 10**8  # units of `budget`, about a nanosecond each: a notebook waits for the answer


def judged_question(scene: Scene, heads: Heads | None, question: Any) -> dict[str, str]:
    """{"status", "sentence"} for a question {"goal", "error", "confidence", "radius"}. It never raises.

    `error` is the scene's unless given. With `confidence` the question is about keys that vary as the scene says, and with
    `radius` about keys that move by that Euclidean distance.
    """
    try:
        verdict = _verdict(scene, heads, question)
    except budget.OverBudget:
        return _said("undecided", "Undecided: the proof takes more work than the playground waits for.")
    except (ValueError, TypeError) as wrong:
        return _said("error", one_line(wrong))
    except Exception as wrong:
        return _said("error", internal_error(wrong))
    still = scene.model is not None and question.get("confidence") is None
    return _said(verdict.status, sentence(verdict, "This is about the keys without their noise." if still else ""))


def _verdict(scene: Scene, heads: Heads | None, question: Any) -> Verdict:
    if not isinstance(question, dict):
        raise ValueError("The question must be a table of named entries.")
    for name in question:
        if name not in _ENTRIES:  # a condition that is not understood must not be taken for met
            raise ValueError(f'The question has an unknown entry, "{str(name)[:40]}".')
    data = _with_floats(question.get("goal"))
    if data is None:
        raise ValueError("The question must have a goal.")
    if wrong := fault_of_goal(data, len(scene.keys)):
        raise ValueError(wrong)
    if heads is None:
        raise ValueError("There is no query to judge.")
    goal = goal_of(data)
    error, confidence, moves = (question.get(name) for name in ("error", "confidence", "radius"))
    if moves is not None and (confidence is not None or isinstance(goal, Top)):
        raise ValueError("A radius goes with no confidence and not with top.")
    exact = _between(scene.error if error is None else error, "error")
    with budget.within(_FOR_A_PROOF):
        if isinstance(goal, Top):
            return TopGap(heads, goal, None, None).prove()
        assert isinstance(goal, Goal)
        model = scene.model
        if moves is not None:
            return Withstands(heads, goal, exact, Region(_number(moves, "radius"), "ball", None)).prove()
        if confidence is None:
            return WithinError(heads, goal, exact).prove()
        if model is None:
            raise ValueError("The question has a confidence, but the keys do not vary.")
        return WithProbability(model, heads, goal, exact, _between(confidence, "confidence")).prove()


def _number(given: Any, name: str) -> Fraction:
    """The decimal that a number spells, positive."""
    if isinstance(given, bool) or not isinstance(given, int | float | str) or len(str(given)) > 40:
        raise ValueError(f"The question's {name} must be a number.")
    try:
        exact = Fraction(str(given))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"The question's {name} must be a number.") from None
    if exact <= 0:
        raise ValueError(f"The question's {name} must be positive.")
    return exact


def _between(given: Any, name: str) -> Fraction:
    exact = _number(given, name)
    if exact >= 1:
        raise ValueError(f"The question's {name} must lie between 0 and 1.")
    return exact


def _with_floats(goal: Any) -> Any:
    """A goal as `fault_of_goal` reads it, in which every number is a float."""
    if not isinstance(goal, dict) or not isinstance(goal.get("indices"), list):
        return goal
    return {**goal, "indices": [float(i) if type(i) is int and abs(i) < 10**6 else i for i in goal["indices"]]}


def _said(status: str, words: str) -> dict[str, str]:
    return {"status": status, "sentence": words}
