"""headwright verify: certificate files, each proved again from itself alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from headwright._design import Design
from headwright.budget import DEFAULT, within
from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES, Fault, fault_of, worst
from headwright.verdict import Verdict


def verify_command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Certificates written by --save.")],
    as_json: screens.Json = False,
    budget: screens.Budget = DEFAULT,
) -> int:
    """Prove the claim of each certificate again, from the file alone.

    The exit code is that of the worst file: a damaged file comes before a refuted claim, and that before an undecided one.
    """
    found = [_judge(file, budget) for file in files]
    answers, designs = [answer for answer, _ in found], [design for _, design in found]
    code = worst([_code(answer) for answer in answers])
    if as_json:
        verdicts = [
            {"file": str(file), **answer.to_dict(), **({} if design is None else {"design": _described(design)})}
            for file, answer, design in zip(files, answers, designs, strict=True)
        ]
        status = next((answer.status for answer in answers if _code(answer) == code), "proved")
        screens.print_json({"status": status, "files": verdicts})
        return code
    console = screens.out()
    for file, answer, design in zip(files, answers, designs, strict=True):
        if isinstance(answer, Fault):
            screens.print_fault(answer, about=str(file))
        else:
            screens.print_verdict(console, answer, label=str(file))
            if design is not None:
                told = _described(design)
                words = f"{told['goal']} by {told['heads']} ({told['method']}), norm {told['norm']:.6g}"
                screens.print_facts(console, [("design", f"{words}; `hw.load` reads it")])
    return code


def _judge(file: Path, budget: float) -> tuple[Verdict | Fault, Design | None]:
    """The verdict on the claim in a file, and the Design that the file holds beside it, if any."""
    from headwright._save import load
    from headwright.proofs import verify

    try:
        verdict = verify(file, budget=budget)
        with within(budget):
            held = load(file)
        return verdict, held if isinstance(held, Design) else None
    except Exception as error:  # one bad file must not hide the answers on the others
        return fault_of(error), None


def _described(design: Design) -> dict[str, Any]:
    """What the design is, without a proof of its own."""
    heads = "1 head" if len(design.queries) == 1 else f"{len(design.queries)} heads"
    return {"goal": str(design.goal), "heads": heads, "method": design.method, "norm": design.norm}


def _code(answer: Verdict | Fault) -> int:
    return answer.code if isinstance(answer, Fault) else VERDICT_CODES[answer.status]
