"""Cards: how values show themselves in a notebook.

`draw` finds the function for a value by the name of its class, so that showing a goal does not import what designs for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwright.cards import classwork, designs, keys, programs, verdicts
from headwright.cards.parts import Html, frame, text

_DRAWN: dict[str, Callable[[Any], Html]] = {
    "headwright.verdict.Verdict": verdicts.verdict_card,
    "headwright.verdict.NotProved": verdicts.not_proved_card,
    "headwright.refusal_types.Unreachable": verdicts.unreachable_card,
    "headwright.refusal_types.NotFound": verdicts.not_found_card,
    "headwright.refusal_types.AssumptionFailed": verdicts.assumption_card,
    "headwright._design.Design": designs.design_card,
    "headwright.layer.Layer": designs.layer_card,
    "headwright.programs.model.Model": programs.model_card,
    "headwright.judging.radius_result.Radius": designs.radius_card,
    "headwright.judging.verdicts.Verdicts": verdicts.verdicts_card,
    "headwright.goals.Goal": keys.goal_card,
    "headwright.goals.Top": keys.goal_card,
    "headwright.key_models.GaussianKeys": keys.gaussian_card,
    "headwright.scaled_keys.ScaledKeys": keys.scaled_card,
    "headwright.program.Program": keys.program_card,
    "headwright.noise.result.Outcome": keys.outcome_card,
    "headwright.compression.comparison.Comparison": keys.comparison_card,
    "headwright.bounded.Bounded": keys.bounded_text,
    "headwright.problems.problem.Problem": classwork.problem_card,
    "headwright.problems.grading.grades.Grade": classwork.grade_card,
    "headwright.spectrum._low_rank.LowRank": verdicts.low_rank_card,
    "headwright.spectrum._singular_values.Spectrum": verdicts.spectrum_card,
    "headwright.spectrum._energy_and_tail.Energy": verdicts.energy_card,
    "headwright.spectrum._energy_and_tail.Tail": verdicts.tail_card,
    "headwright.position._nearest_pair.NearestPair": verdicts.nearest_pair_card,
    "headwright.shown.Shown": verdicts.result_card,
}


def draw(value: object) -> str:
    """The card of a value.

    >>> from headwright.goals import Copy
    >>> "All attention on key 3." in draw(Copy(3))
    True
    """
    for kind in type(value).__mro__:
        if (drawn := _DRAWN.get(f"{kind.__module__}.{kind.__qualname__}")) is not None:
            return drawn(value)
    return frame([], type(value).__name__, text(repr(value)))
