"""headwright certify: a query you have, and the proof that it does what you say, or that it does not."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES, worst
from headwright.cli.goal_options import LikelyGoalOptions
from headwright.cli.key_options import KeyOptions, QueryOptions, scale_of
from headwright.cli.move_options import MoveOptions
from headwright.cli.output_files import SaveOption, check_files, named, print_saved, save_certificate

if TYPE_CHECKING:
    from headwright.kernel.verdict import Verdict
    from headwright.words.verdicts import Verdicts

_MOST_ROWS = 20  # of a table of key sets or queries
_one_weight = partial(typer.Option, rich_help_panel="One weight instead of a goal")


def certify_command(
    queries: QueryOptions,
    keys: KeyOptions,
    asked: LikelyGoalOptions,
    moves: MoveOptions,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Random seed for the estimate made when nothing can be proved (varying keys only)."),
    ] = None,
    gap: Annotated[
        str | None, typer.Option(metavar="0.5", help="With --top: the score gap claimed (default: any above 0).")
    ] = None,
    of: Annotated[int | None, _one_weight(metavar="INDEX", help="The key asked about.")] = None,
    at_least: Annotated[str | None, _one_weight(metavar="X", help="Its weight is at least X.")] = None,
    at_most: Annotated[str | None, _one_weight(metavar="X", help="Its weight is at most X.")] = None,
    save: SaveOption = None,
    as_json: screens.Json = False,
) -> int:
    """Prove or refute what a query of yours does with the keys, even if every key may move or keys vary at random.

    Keys of more than two axes are many key sets. Each gets a verdict of its own, and so does each query with --each. Examples:

    headwright certify --keys k.npy --query q.npy --copy 3 --radius 0.001

    headwright certify --keys k.npy --isotropic 0.01 --query q.npy --copy 3 --confidence 0.9
    """
    from headwright.search.certify import certify
    from headwright.words.verdicts import Verdicts

    goal = asked.required() if of is None else asked.goal()
    check_files({"--save": save})
    given = keys.read(batch=True)
    verdict: Verdict | Verdicts = certify(
        given,
        queries.read(given),
        goal,
        error=asked.asked_error() if of is None else asked.error,
        gap=gap,
        **moves.read(),
        of=of,
        at_most=at_most,
        at_least=at_least,
        confidence=asked.confidence,
        scale=scale_of(queries.scale),
        mix=queries.shares(),
        each=queries.each,
        seed=seed,
    )
    if isinstance(verdict, Verdicts):
        return _answer_each(verdict, save, as_json)
    save_certificate(save, verdict)
    if as_json:
        screens.print_json({"status": verdict.status, "verdict": verdict.to_dict(), **named(saved=save)})
    else:
        screens.print_verdict(screens.out(), verdict)
        print_saved([save])
    return VERDICT_CODES[verdict.status]


def _answer_each(verdicts: Verdicts, save: Path | None, as_json: bool) -> int:
    """The table of a batch, or of many queries, those that are not proved first; returns the worst exit code."""
    from headwright.kernel.balls import decimal_above, decimal_below

    if save is not None and verdicts.whole is None:
        raise ValueError(
            "`--save` needs fixed keys, a goal and an error for a batch of keys or queries: other claims are saved one by one"
        )
    save_certificate(save, verdicts.whole)
    code = worst([VERDICT_CODES[status] for status, number in verdicts.counts.items() if number])
    if as_json:
        status = next(status for status, own in VERDICT_CODES.items() if own == code)
        screens.print_json({"status": status, "verdicts": verdicts.to_dict(), **named(saved=save)})
        return code
    console, table = screens.out(), verdicts.table()
    screens.print_plain(console, f"{verdicts!r}\n")
    rows = sorted(zip(*table.values(), strict=True), key=lambda row: row[1] == "proved")
    shown = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for name in (verdicts.about, "status", *(("error at least", "error at most") if len(table) > 2 else ())):
        shown.add_column(name)
    for place, status, *ends in rows[:_MOST_ROWS]:
        cells = [shorten(Fraction(end)) for shorten, end in zip((decimal_below, decimal_above), ends, strict=False)]
        shown.add_row(str(place), Text(status, style=screens.COLOURS[status]), *cells)
    console.print(shown)
    if len(rows) > _MOST_ROWS:
        screens.print_plain(console, f"… {len(rows) - _MOST_ROWS} more {verdicts.many}")
    print_saved([save])
    return code
