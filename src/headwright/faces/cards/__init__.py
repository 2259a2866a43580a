"""Cards: how values show themselves in a notebook.

`draw` finds the function for a value by the name of its class, so that showing a goal does not import what designs for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwright.faces.cards import designs, keys, programs, verdicts
from headwright.faces.cards.parts import Html, frame, text

_DRAWN: dict[str, Callable[[Any], Html]] = {
    "headwright.kernel.verdict.Verdict": verdicts.verdict_card,
    "headwright.kernel.verdict.NotProved": verdicts.not_proved_card,
    "headwright.words.refusals.Unreachable": verdicts.unreachable_card,
    "headwright.words.refusals.NotFound": verdicts.not_found_card,
    "headwright.words.refusals.AssumptionFailed": verdicts.assumption_card,
    "headwright.words.design.Design": designs.design_card,
    "headwright.words.layer.Layer": designs.layer_card,
    "headwright.search.compile.model.Model": programs.model_card,
    "headwright.search.radius.radius_result.Radius": designs.radius_card,
    "headwright.words.verdicts.Verdicts": verdicts.verdicts_card,
    "headwright.kernel.goals.Goal": keys.goal_card,
    "headwright.kernel.goals.Top": keys.goal_card,
    "headwright.words.key_models.GaussianKeys": keys.gaussian_card,
    "headwright.words.scaled_keys.ScaledKeys": keys.scaled_card,
    "headwright.words.program.Program": keys.program_card,
    "headwright.search.random_keys.result.Outcome": keys.outcome_card,
    "headwright.search.compress.comparison.Comparison": keys.comparison_card,
    "headwright.words.bounded.Bounded": keys.bounded_text,
    "headwright.search.spectrum._low_rank.LowRank": verdicts.low_rank_card,
    "headwright.search.spectrum._singular_values.Spectrum": verdicts.spectrum_card,
    "headwright.search.spectrum._energy_and_tail.Energy": verdicts.energy_card,
    "headwright.search.spectrum._energy_and_tail.Tail": verdicts.tail_card,
    "headwright.search.positions._nearest_pair.NearestPair": verdicts.nearest_pair_card,
    "headwright.kernel.shown.Shown": verdicts.result_card,
}


def draw(value: object) -> str:
    """The card of a value.

    >>> from headwright.kernel.goals import Copy
    >>> "All attention on key 3." in draw(Copy(3))
    True
    """
    for kind in type(value).__mro__:
        if (drawn := _DRAWN.get(f"{kind.__module__}.{kind.__qualname__}")) is not None:
            return drawn(value)
    return frame([], type(value).__name__, text(repr(value)))
