"""A design on the screen and as JSON: norm and its lower bound, error or score gap, the largest weights, the verdict."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from headwright._design import Design, weight_bars
from headwright.cli import screens
from headwright.goals import Copy, Top
from headwright.verdict import Verdict


def told(made: Design, verdict: Verdict) -> dict[str, Any]:
    """The design and what is proved of it, as plain values for JSON."""
    optimality = None if made.optimality is None else made.optimality.to_dict()
    return {"design": described(made), "verdict": verdict.to_dict(), "optimality": optimality}


def described(made: Design) -> dict[str, Any]:
    """The design alone; `norm_gap` is norm/lower bound - 1."""
    return {**made.to_dict(), "norm_gap": norm_gap(made), "weights": made.weights.tolist()}


def norm_gap(made: Design) -> float | None:
    """norm/lower bound - 1; None where no positive bound is proved. The query 0 is as short as any: 0."""
    if made.lower_bound is None:
        return None
    if made.norm == 0:
        return 0.0
    return made.norm / made.lower_bound - 1 if made.lower_bound > 0 else None


def show(made: Design, verdict: Verdict) -> None:
    console = screens.out()
    varying = "" if made.confidence is None else "varying "
    screens.print_plain(
        console, f"{made.goal} over {len(made.weights)} {varying}keys of dimension {made.queries.shape[1]}\n"
    )
    screens.print_facts(console, _facts(made))
    mean = "" if made.confidence is None else "mean "
    screens.print_plain(console, f"\nThe largest {mean}weights (* named by the goal):")
    screens.print_plain(console, weight_bars(made.weights, made.goal) + "\n")
    screens.print_verdict(console, verdict)


def reached(made: Design) -> tuple[str, str]:
    """What the design is proved to reach: its error, for Top its smallest score gap, for keys that vary a probability."""
    from headwright.balls import decimal_above, decimal_below

    if made.confidence is not None:
        sure = "not proved" if made.probability is None else f"at least {decimal_below(Fraction(made.probability))}"
        return "probability", f"{sure} of error at most {made.asked}"
    if isinstance(made.goal, Top):
        return "score gap", "not proved" if made.gap is None else f"at least {decimal_below(Fraction(made.gap))}"
    return "error", "not proved" if made.error is None else f"at most {decimal_above(Fraction(made.error))}"


def _facts(made: Design) -> list[tuple[str, str]]:
    name, figure = reached(made)
    varies = made.confidence is not None
    asked = made.confidence if varies else made.asked
    facts = [("norm", f"{made.norm:.9g}"), *([] if varies else _bound(made)), (name, f"{figure} (asked: {asked})")]
    if len(made.goal.indices) > 1 and not isinstance(made.goal, Top) and len(made.queries) == 1 and not varies:
        facts.append(("ratios", _ratios(made)))
    stored = "float64" if made.precision is None else f"{made.precision}, keys and query rounded to it"
    facts += [("precision", stored), ("method", made.method)]
    if len(made.queries) > 1:
        mix = ", ".join(f"{share:.4g}" for share in made.mix)
        facts.append(("heads", f"{len(made.queries)}, mixed {mix}; norm is the largest"))
    if made.scale != 1:
        facts.append(("scale", f"{made.scale:.6g}"))
    return facts


def _bound(made: Design) -> list[tuple[str, str]]:
    from headwright.balls import decimal_below

    if made.lower_bound is None:
        return [("lower bound", "none proved")]
    ratios = "" if isinstance(made.goal, Copy | Top) else " for exact ratios"
    facts = [("lower bound", f"{decimal_below(Fraction(made.lower_bound), 9)} (proved{ratios})")]
    gap = norm_gap(made)
    if gap is None:
        return facts
    shorter = "; < 0 as its ratios are rounded" if gap < 0 and made.precision else ""
    return [*facts, ("norm gap", f"{gap:.2g} (norm/lower bound - 1{shorter})")]


def _ratios(made: Design) -> str:
    if not made.exact_ratios:
        return "approximate: exact ones cannot meet the error"
    return "exact" if made.precision is None else f"exact but for the rounding to {made.precision}"
