"""headwright compile: a program in a TOML file; the transformer that computes it, with a proof for every word."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headwright.budget import DEFAULT
from headwright.cli import design_screens, screens
from headwright.cli.faults import VERDICT_CODES, worst
from headwright.cli.output_files import SaveOption, check_files, named, print_saved, save_certificate
from headwright.refusal_types import NotFound, Unreachable

if TYPE_CHECKING:
    from headwright.program import Program
    from headwright.programs import Model
    from headwright.programs.program_files import ProgramFile

_WIDTH = 76  # of the lines that show a word


def compile_command(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="Vocabulary, length, steps and output.")],
    word: Annotated[
        list[str] | None,
        typer.Option(
            "--word",
            metavar="WORD",
            help="Run the model on this word and show what the program says. Separate tokens of several letters by spaces.",
        ),
    ] = None,
    error: Annotated[
        str | None, typer.Option(metavar="0.25", help="Largest error of the output, against its code or number.")
    ] = None,
    dtype: Annotated[str | None, typer.Option(metavar="TYPE", help="float64, float32, or real.")] = None,
    layers: Annotated[int | None, typer.Option(metavar="N", help="Blocks to use at most.")] = None,
    rank: Annotated[int | None, typer.Option(metavar="R", help="Rows of Q and K to use at most.")] = None,
    causal: Annotated[
        bool, typer.Option("--causal", help="Run under a causal mask, or prove that the program cannot.")
    ] = False,
    save: SaveOption = None,
    as_json: screens.Json = False,
    budget: screens.Budget = DEFAULT,
) -> int:
    """Compile a program to a transformer and prove that it is right on every word.

    The file says what the words are and how each step is computed. Options given here replace those in the file:

    vocabulary = "abcd"; length = 50; output = "histogram", and a table
    \\[steps] with histogram = "count(tokens matches my tokens)"

    headwright compile histogram.toml --word abacad --save c.safetensors
    """
    from headwright.programs import compile as compiled
    from headwright.programs.program_files import number_type, read_program

    check_files({"--save": save})
    given = {"error": error, "layers": layers, "rank": rank, "causal": causal or None}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if dtype is not None:
        options["dtype"] = number_type(dtype)
    asked = read_program(file, budget=budget)
    words = [_Word(asked, text) for text in word or ()]  # a word that cannot be read ends the command before the work
    try:
        model = compiled(asked.program, asked.output, **{**asked.options, **options})
    except (Unreachable, NotFound) as refusal:
        return design_screens.refuse(refusal, save=save, json_wanted=as_json)
    for own in words:
        own.run(model)
    verdict = model.verdict
    saved = save_certificate(save, verdict)
    if as_json:
        shown = {"status": verdict.status, "model": _described(model), "words": [own.to_dict() for own in words]}
        screens.print_json({**shown, "verdict": verdict.to_dict(), **named(saved=saved)})
    else:
        _show(model, words)
        print_saved([saved])
    return worst([VERDICT_CODES[verdict.status], *(own.code for own in words)])


class _Word:
    """A word with what the program says of it, and with what the model gives once it has run."""

    def __init__(self, asked: ProgramFile, text: str) -> None:
        from headwright.program_meaning import Undefined

        self.program, written = asked.program, asked.program.written()
        single = all(len(token) == 1 for token in written.vocabulary)
        self.tokens: list[str] = list(text) if single else text.split()
        self.said: list[Any] | None = None
        self.made: list[Any] | None = None
        self.reason = ""
        try:
            self.said = asked.program.run(self.tokens, asked.output)
        except Undefined as undefined:
            self.reason = _why_undefined(asked.program, undefined)

    def run(self, model: Model) -> None:
        if self.said is not None:
            self.made = model(self.tokens)

    @property
    def code(self) -> int:
        """0 if there is an output, 3 if the program has none on this word."""
        return 3 if self.said is None else 0

    def to_dict(self) -> dict[str, Any]:
        """The word as plain values for JSON; a mean is the rational as text."""
        said = None if self.said is None else [str(own) if isinstance(own, Fraction) else own for own in self.said]
        return {"tokens": self.tokens, "program": said, "model": self.made, "reason": self.reason or None}

    def lines(self) -> str:
        """Tokens, the program's output and the model's, one below the other."""
        if self.said is None or self.made is None:
            return f"  {' '.join(self.tokens)}: the program has no output here. {self.reason}"
        rows = [self.tokens, [*map(_value, self.said)], [*map(_value, self.made)]]
        wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines, first = [], 0
        while first < len(wide):
            final = first + 1
            while final < len(wide) and sum(wide[first : final + 1]) + final - first + 11 <= _WIDTH:
                final += 1
            for name, row in zip(("word", "program", "model"), rows, strict=True):
                cells = [f"{row[k]:>{wide[k]}}" for k in range(first, final)]
                lines.append(f"  {name:<7}  {' '.join(cells)}")
            lines += [""] if final < len(wide) else []
            first = final
        return "\n".join(lines)


def _value(value: Any) -> str:
    return f"{float(value):.4g}" if isinstance(value, Fraction | float) else str(value)


def _why_undefined(program: Program, undefined: Any) -> str:
    name = program.name(undefined.register)
    held = " and ".join(_value(value) for value in undefined.values[:2])
    what = f"the selected keys hold {held}" if held else "no key is selected"
    return f"Step {name} is undefined at position {undefined.position}: {what}."


def _parts(model: Model) -> list[dict[str, Any]]:
    """Which step each head and each group of hidden units writes."""
    parts = []
    for place in model.claim.layout:
        if place.head is not None or place.units is not None:
            part = f"head {place.head}" if place.units is None else f"units {place.units[0]} to {place.units[1] - 1}"
            parts.append({"block": place.block, "part": part, "step": model.program.name(place.register)})
    return parts


def _described(model: Model) -> dict[str, Any]:
    claim = model.claim
    return {
        "blocks": len(claim.blocks),
        "width": model.embedding.shape[1],
        "heads": sum(len(block.query) for block in claim.blocks),
        "hidden": sum(len(block.inner) for block in claim.blocks if block.inner is not None),
        "parameters": model.parameters,
        "dtype": claim.dtype,
        "length": claim.program.length,
        "parts": _parts(model),
    }


def _show(model: Model, words: list[_Word]) -> None:
    console, facts = screens.out(), _described(model)
    written = model.claim.program
    screens.print_plain(
        console,
        f"{model.program.name(model.output.number)} for words of up to {written.length} of {len(written.vocabulary)} tokens\n",
    )
    numbers = [(name, f"{facts[name]:,}") for name in ("blocks", "width", "heads", "hidden", "parameters")]
    screens.print_facts(console, [*numbers, ("arithmetic", facts["dtype"])])
    wide = max((len(part["part"]) for part in facts["parts"]), default=0)
    lines = [f"  block {part['block']}  {part['part']:<{wide}}  {part['step']}" for part in facts["parts"]]
    screens.print_plain(console, "\n".join(["", *lines, ""]))
    screens.print_verdict(console, model.verdict)
    for own in words:
        screens.print_plain(console, f"\n{own.lines()}")
