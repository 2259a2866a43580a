"""headwright verify: certificate files, each proved again from itself alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headwright.budget import DEFAULT
from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES, Fault, fault_of, worst
from headwright.verdict import Verdict


def verify_command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Certificates written by --save.")],
    as_json: screens.Json = False,
    budget: screens.Budget = DEFAULT,
) -> int:
    """Prove the claim of each certificate again, from the file alone.

    Of several files the worst answer gives the exit code: a damaged file before a refuted claim before an undecided one.
    """
    answers = [_judge(file, budget) for file in files]
    code = worst([_code(answer) for answer in answers])
    if as_json:
        verdicts = [{"file": str(file), **answer.to_dict()} for file, answer in zip(files, answers, strict=True)]
        status = next((answer.status for answer in answers if _code(answer) == code), "proved")
        screens.print_json({"status": status, "files": verdicts})
        return code
    console = screens.out()
    for file, answer in zip(files, answers, strict=True):
        if isinstance(answer, Fault):
            screens.print_fault(answer, about=str(file))
        else:
            screens.print_verdict(console, answer, label=str(file))
    return code


def _judge(file: Path, budget: float) -> Verdict | Fault:
    from headwright.proofs import verify

    try:
        return verify(file, budget=budget)
    except Exception as error:  # one bad file must not hide the answers on the others
        return fault_of(error)


def _code(answer: Verdict | Fault) -> int:
    return answer.code if isinstance(answer, Fault) else VERDICT_CODES[answer.status]
