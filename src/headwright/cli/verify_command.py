"""headwright verify: certificate files, each proved again from itself alone."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES, Fault, fault_of, worst
from headwright.kernel.budget import DEFAULT, within
from headwright.kernel.verdict import Verdict
from headwright.words.design import Design


def verify_command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Certificates written by --save.")],
    independent: Annotated[
        bool,
        typer.Option(
            "--independent",
            help="Have headwright_check.py judge them instead: one file, run apart, that imports nothing of headwright.",
        ),
    ] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="List the source files that each verdict rests on, with their lines.")
    ] = False,
    as_json: screens.Json = False,
    budget: Annotated[
        float,
        typer.Option(metavar="UNITS", help="Most work to spend on a file, counted in units of about a nanosecond."),
    ] = DEFAULT,
) -> int:
    """Prove the claim of each certificate again, from the file alone.

    The exit code is that of the worst file: a damaged file comes before a refuted claim, and that before an undecided one.
    """
    if independent:
        return _independent(files, as_json=as_json)
    found = [_judge(file, budget) for file in files]
    answers, designs = [answer for answer, _ in found], [design for _, design in found]
    code = worst([_code(answer) for answer in answers])
    if as_json:
        verdicts = [
            {
                "file": str(file),
                **answer.to_dict(),
                **({} if design is None else {"design": _described(design)}),
                **({"trust": _trusted(answer)} if trust and isinstance(answer, Verdict) else {}),
            }
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
            if trust:
                rests = _trusted(answer)
                said = f"{len(rests)} files of headwright, {sum(rests.values()):,} lines"
                screens.print_facts(
                    console, [("rests on", said), *((f"{lines:,}", name) for name, lines in rests.items())]
                )
    return code


def _independent(files: list[Path], *, as_json: bool) -> int:
    """What the standalone checker says; its exit codes are those of `headwright verify`."""
    checker = find_spec("headwright_check")
    assert checker is not None, "the wheel holds it beside the package"
    command = [sys.executable, "-I", "-X", "utf8", str(checker.origin), *(["--json"] if as_json else []), "--"]
    ran = subprocess.run([*command, *map(str, files)], capture_output=True, check=False, encoding="utf-8")
    print(ran.stdout, end="")
    print(ran.stderr, end="", file=sys.stderr)
    return ran.returncode


def _judge(file: Path, budget: float) -> tuple[Verdict | Fault, Design | None]:
    """The verdict on the claim in a file, and the Design that the file holds beside it, if any."""
    from headwright.kernel.certificate import verify
    from headwright.words.files import load

    try:
        verdict = verify(file, budget=budget)
        with within(budget):
            held = load(file)
        return verdict, held if isinstance(held, Design) else None
    except Exception as error:  # one bad file must not hide the answers on the others
        return fault_of(error), None


def _trusted(verdict: Verdict) -> dict[str, int]:
    """The files that this verdict on a file rests on, the reader of certificates among them, and their lines."""
    from headwright.faces.trust import rests_on

    return rests_on(verdict.record, "headwright.kernel.certificate")


def _described(design: Design) -> dict[str, Any]:
    """What the design is, without a proof of its own."""
    heads = "1 head" if len(design.queries) == 1 else f"{len(design.queries)} heads"
    return {"goal": str(design.goal), "heads": heads, "method": design.method, "norm": design.norm}


def _code(answer: Verdict | Fault) -> int:
    return answer.code if isinstance(answer, Fault) else VERDICT_CODES[answer.status]
