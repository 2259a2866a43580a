"""Refusals of design and layer on the screen and as JSON: proved impossible, with a witness; or not found, with the best.

The sentences themselves are written in `design_refusals.py`, `constructions/layer_refusals.py` and where the errors are raised.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from pathlib import Path
from typing import Any

from headwright.cli import screens
from headwright.cli.design_screens import described, reached
from headwright.cli.faults import fault_of
from headwright.cli.output_files import print_saved
from headwright.design_refusals import NotFound, Unreachable, Witness
from headwright.goals import Copy
from headwright.verdict import Verdict

_MOST = 10  # keys or rows of a witness that are shown
_WIDTH = 30  # of the longest bar


def show(refusal: Unreachable | NotFound, *, precision: str | None, saved: Path | None, as_json: bool) -> None:
    """Print the refusal on stdout: it is the answer, not a complaint."""
    fault = fault_of(refusal)
    if as_json:
        more = _unreachable(refusal) if isinstance(refusal, Unreachable) else _not_found(refusal)
        screens.print_json({**fault.to_dict(), **more, "precision": precision, "saved": saved and str(saved)})
        return
    console = screens.out()
    screens.print_status(console, fault)
    facts = _unreachable_facts(refusal) if isinstance(refusal, Unreachable) else _not_found_facts(refusal)
    if precision is not None:
        facts.append(("precision", f"{precision}, keys rounded to it"))
    screens.print_facts(console, facts)
    if isinstance(refusal, Unreachable) and refusal.witness is not None:
        meaning, lines = _explained(refusal.witness, refusal.verdict)
        console.print(f"\nWitness: {meaning}")
        screens.print_plain(console, lines)
    print_saved([saved])


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


def _unreachable(refusal: Unreachable) -> dict[str, Any]:
    witness = refusal.witness
    weighed = witness and {"indices": list(witness.indices), "weights": [float(w) for w in witness.weights]}
    return {"best_error": refusal.best_error, "witness": weighed, "verdict": refusal.verdict.to_dict()}


def _unreachable_facts(refusal: Unreachable) -> list[tuple[str, str]]:
    from headwright.balls import decimal_below

    facts = [("proof", refusal.verdict.method)]
    if _about_rows(refusal.verdict):
        return [*facts, ("because", refusal.verdict.reason)]
    if refusal.best_error is None:
        return facts
    return [("best error", f"{decimal_below(Fraction(refusal.best_error))}; no query errs less"), *facts]


def _about_rows(verdict: Verdict) -> bool:
    """Whether what is impossible is a layer, because its rows contradict each other."""
    from headwright.proofs import GoalsContradict, OutputsContradict

    return isinstance(verdict.record, GoalsContradict | OutputsContradict)


def _explained(witness: Witness, verdict: Verdict) -> tuple[str, str]:
    """What the witness of a proved impossibility says, and its weights."""
    from headwright.proofs import HullsMeet, OutOfReach, OutputsContradict

    record = verdict.record
    if isinstance(record, OutputsContradict):
        return "so the wanted means cancel, and the wanted outputs do not:", _row_shares(witness)
    if _about_rows(verdict):
        return "the share of each row in the contradiction:", _row_shares(witness)
    if isinstance(record, HullsMeet):
        bars = witness_bars(witness, record.top.indices)
        return "this mean of the named keys (*) is this mean of the others:", bars
    if isinstance(record, OutOfReach) and isinstance(record.goal, Copy):
        return f"key {record.goal.index} is this mean of other keys:", witness_bars(witness)
    named = record.goal.indices if isinstance(record, OutOfReach) else ()
    return "this mean of keys is also a mean of the goal's keys (*):", witness_bars(witness, named)


def _row_shares(witness: Witness) -> str:
    pairs = list(zip(witness.indices, witness.weights, strict=True))
    lines = [f"  row {row}  {float(weight):+.6f}" for row, weight in pairs[:_MOST]]
    return "\n".join([*lines, *([f"  … {len(pairs)} rows in all"] if len(pairs) > _MOST else [])])


def _not_found(refusal: NotFound) -> dict[str, Any]:
    best = refusal.best
    figures = {"proved_bound": refusal.proved_bound, "probability": refusal.probability}
    return {"best": None if best is None else described(best), **figures}


def _not_found_facts(refusal: NotFound) -> list[tuple[str, str]]:
    from headwright.balls import decimal_below

    facts = []
    if refusal.best is not None and refusal.probability is not None:
        best = f"probability about {refusal.probability:.6g} of error at most {refusal.best.asked}"
        facts.append(("best found", f"{best}, norm {refusal.best.norm:.6g}"))
    elif refusal.best is not None:
        facts.append(("best found", f"{' '.join(reached(refusal.best))}, norm {refusal.best.norm:.6g}"))
    if refusal.proved_bound is not None:
        facts.append(("proved bound", decimal_below(Fraction(refusal.proved_bound))))
    return facts
