"""Designs and refusals on the screen and as JSON.

A design shows its norm beside a lower bound, its error or score gap, the largest weights, and its verdict. A refusal shows the
witness of its proof, or the best query that was found. The sentences of refusals are written where they are raised, mostly in
`search/least_norm/impossibility.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from pathlib import Path
from typing import Any

from headwright.cli import screens
from headwright.cli.faults import fault_of
from headwright.cli.output_files import named, print_saved, save_certificate
from headwright.kernel.goals import Copy, Top
from headwright.kernel.inputs import show as show_number
from headwright.kernel.number_types import PRECISIONS
from headwright.kernel.verdict import Verdict
from headwright.words.design import Design, weight_bars
from headwright.words.refusals import NotFound, Unreachable, Witness

_MOST = 10  # keys of a witness that are shown
_WIDTH = 30  # of the longest bar


def as_json(made: Design, verdict: Verdict) -> dict[str, Any]:
    """The design and what is proved of it, as plain values for JSON."""
    optimality = None if made.optimality is None else made.optimality.to_dict()
    return {"design": _described(made), "verdict": verdict.to_dict(), "optimality": optimality}


def _described(made: Design) -> dict[str, Any]:
    """The design alone; `norm_gap` is norm/lower bound - 1."""
    return {**made.to_dict(), "norm_gap": _norm_gap(made), "weights": made.weights.tolist()}


def _norm_gap(made: Design) -> float | None:
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


def _reached(made: Design) -> tuple[str, str]:
    """What the design is proved to reach: its error, for Top its smallest score gap, for keys that vary a probability."""
    from headwright.kernel.balls import decimal_above, decimal_below

    if made.confidence is not None:
        sure = "not proved" if made.probability is None else f"at least {decimal_below(Fraction(made.probability))}"
        return "probability", f"{sure} of error at most {made.asked}"
    if isinstance(made.goal, Top):
        return "score gap", "not proved" if made.gap is None else f"at least {decimal_below(Fraction(made.gap))}"
    return "error", "not proved" if made.error is None else f"at most {decimal_above(Fraction(made.error))}"


def _facts(made: Design) -> list[tuple[str, str]]:
    name, figure = _reached(made)
    varies = made.confidence is not None
    asked = made.confidence if varies else made.asked
    if made.max_norm is not None:
        facts = [
            ("norm", f"{made.norm:.9g} (at most {show_number(made.max_norm)})"),
            (name, figure),
            *_best_within(made),
        ]
    else:
        facts = [("norm", f"{made.norm:.9g}"), *([] if varies else _bound(made)), (name, f"{figure} (asked: {asked})")]
    if len(made.goal.indices) > 1 and not isinstance(made.goal, Top) and len(made.queries) == 1 and not varies:
        facts.append(("ratios", _ratios(made)))
    whose = "keys and query rounded to it" if made.precision in PRECISIONS else "for the keys; the query is float64"
    stored = "float64" if made.precision is None else f"{made.precision}, {whose}"
    facts += [("precision", stored), ("method", made.method)]
    if len(made.queries) > 1:
        mix = ", ".join(f"{share:.4g}" for share in made.mix)
        facts.append(("heads", f"{len(made.queries)}, mixed {mix}; norm is the largest"))
    if made.formed:
        facts.append(("queries", f"{made.formed}; the bound is about these queries"))
    if made.scale != 1:
        facts.append(("scale", f"{made.scale:.6g}"))
    return facts


def _bound(made: Design) -> list[tuple[str, str]]:
    from headwright.kernel.balls import decimal_below

    if made.lower_bound is None:
        return [("lower bound", "none proved")]
    ratios = "" if isinstance(made.goal, Copy | Top) else " for exact ratios"
    facts = [("lower bound", f"{decimal_below(Fraction(made.lower_bound), 9)} (proved{ratios})")]
    gap = _norm_gap(made)
    if gap is None:
        return facts
    shorter = "; < 0 as its ratios are rounded" if gap < 0 and made.precision else ""
    return [*facts, ("norm gap", f"{gap:.2g} (norm/lower bound - 1{shorter})")]


def _best_within(made: Design) -> list[tuple[str, str]]:
    """What no query within the norm improves on."""
    from headwright.kernel.balls import decimal_above, decimal_below

    among = "" if isinstance(made.goal, Copy | Top) else " for exact ratios"
    if made.gap_upper_bound is not None:
        return [("upper bound", f"{decimal_above(Fraction(made.gap_upper_bound), 9)} (proved{among})")]
    if made.error_lower_bound is not None:
        return [("lower bound", f"{decimal_below(Fraction(made.error_lower_bound), 9)} (proved{among})")]
    return [("lower bound", "none proved")]


def _ratios(made: Design) -> str:
    if not made.exact_ratios:
        return "approximate: exact ones cannot meet the error"
    return "exact" if made.precision not in PRECISIONS else f"exact but for the rounding to {made.precision}"


def refuse(refusal: Unreachable | NotFound, *, save: Path | None, json_wanted: bool, precision: str | None) -> int:
    """Print the refusal on stdout, for it is the answer, and save its proof where there is one; returns the exit code."""
    proof = refusal.verdict if isinstance(refusal, Unreachable) else None
    saved, fault = save_certificate(save, proof), fault_of(refusal)
    if json_wanted:
        more = {"precision": precision, **named(saved=saved)}
        screens.print_json({**fault.to_dict(), **_refusal_as_json(refusal), **more})
        return fault.code
    console = screens.out()
    screens.print_status(console, fault)
    facts = _unreachable_facts(refusal) if isinstance(refusal, Unreachable) else _not_found_facts(refusal)
    if precision is not None:
        facts.append(("precision", f"{precision}, in which the keys are stored"))
    screens.print_facts(console, facts)
    if isinstance(refusal, Unreachable) and refusal.witness is not None:
        meaning, lines = _explained(refusal.witness, refusal.verdict)
        console.print(f"\nWitness: {meaning}")
        screens.print_plain(console, lines)
    print_saved([saved])
    return fault.code


def _refusal_as_json(refusal: Unreachable | NotFound) -> dict[str, Any]:
    if isinstance(refusal, NotFound):
        best = None if refusal.best is None else _described(refusal.best)
        return {"best": best, "proved_bound": refusal.proved_bound, "probability": refusal.probability}
    witness = refusal.witness
    weighed = witness and {"indices": list(witness.indices), "weights": [float(w) for w in witness.weights]}
    return {"best_error": refusal.best_error, "witness": weighed, "verdict": refusal.verdict.to_dict()}


def _unreachable_facts(refusal: Unreachable) -> list[tuple[str, str]]:
    from headwright.kernel.balls import decimal_below

    facts = [("proof", refusal.verdict.method)]
    if refusal.best_error is None:
        return facts
    return [("best error", f"{decimal_below(Fraction(refusal.best_error))}; no query errs less"), *facts]


def _not_found_facts(refusal: NotFound) -> list[tuple[str, str]]:
    from headwright.kernel.balls import decimal_below

    best, facts = refusal.best, []
    if best is not None:
        reached = " ".join(_reached(best))
        if refusal.probability is not None:
            reached = f"probability about {refusal.probability:.6g} of error at most {best.asked}"
        facts.append(("best found", f"{reached}, norm {best.norm:.6g}"))
    if refusal.proved_bound is not None:
        facts.append(("proved bound", decimal_below(Fraction(refusal.proved_bound))))
    return facts


def _explained(witness: Witness, verdict: Verdict) -> tuple[str, str]:
    """What the witness of a proved impossibility says, and its weights."""
    from headwright.kernel.hulls_meet import HullsMeet
    from headwright.kernel.out_of_reach import OutOfReach

    record = verdict.record
    if isinstance(record, HullsMeet):
        bars = witness_bars(witness, record.top.indices)
        if record.image is not None:
            return "all these queries score these means of the named keys (*) and of the others the same apart:", bars
        return "this mean of the named keys (*) is this mean of the others:", bars
    if isinstance(record, OutOfReach) and isinstance(record.goal, Copy):
        seen = "" if record.image is None else "projected on the image of W, "
        return f"{seen}key {record.goal.index} is this mean of other keys:", witness_bars(witness)
    named = record.goal.indices if isinstance(record, OutOfReach) else ()
    return "this mean of keys is also a mean of the goal's keys (*):", witness_bars(witness, named)


def witness_bars(witness: Witness, named: Collection[int] = ()) -> str:
    """The heaviest keys of a witness with their weights, as decimals and bars; of more than ten, how many there are.

    >>> print(witness_bars(Witness((4, 9), (Fraction(1, 3), Fraction(2, 3))), {4}))
      key 9  0.6667  ████████████████████
    * key 4  0.3333  ██████████
    """
    pairs = sorted(zip(witness.indices, witness.weights, strict=True), key=lambda pair: (-pair[1], pair[0]))[:_MOST]
    digits = len(str(max(j for j, _ in pairs)))
    lines = []
    for j, weight in pairs:
        mark = "*" if j in named else " "
        lines.append(f"{mark} key {j:>{digits}}  {float(weight):.4f}  {'█' * round(_WIDTH * weight)}".rstrip())
    if len(witness.indices) > _MOST:
        lines.append(f"  … {len(witness.indices)} keys in all")
    return "\n".join(lines)
