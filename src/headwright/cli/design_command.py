"""headwright design: keys and a goal in, the query that does it out, with its verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headwright.cli import screens
from headwright.cli.faults import VERDICT_CODES
from headwright.cli.goal_options import AverageOption, BlendOption, CopyOption, required_goal
from headwright.cli.key_options import ArrayOption, KeysOption, OrthonormalOption, keys_of
from headwright.cli.saving import SaveOption, check_target, save_certificate, save_queries, saved_note
from headwright.head import Design, weight_bars
from headwright.verdict import Verdict


def design_command(
    keys: KeysOption = None,
    array: ArrayOption = None,
    orthonormal: OrthonormalOption = None,
    copy: CopyOption = None,
    average: AverageOption = None,
    blend: BlendOption = None,
    error: Annotated[
        str, typer.Option(metavar="0.01", help="Total variation from the goal that is allowed; exact: 0.01 is 1/100.")
    ] = "0.01",
    scale: Annotated[float, typer.Option(help="Factor on every score.")] = 1.0,
    heads: Annotated[int, typer.Option(help="1, or one head per key of the goal.")] = 1,
    method: Annotated[str, typer.Option(help="How the query is made.")] = "closed-form",
    save: SaveOption = None,
    query_out: Annotated[
        Path | None, typer.Option("--query-out", metavar="FILE.npy", help="Write the query, or the queries.")
    ] = None,
    as_json: screens.Json = False,
) -> int:
    """Make the query that does what you ask of the keys, and prove that it does.

    Example: headwright design --orthonormal 40 --average 3,7 --error 0.01
    """
    from headwright.constructions import design
    from headwright.judging import certify

    goal = required_goal(copy, average, blend)
    check_target(save, "--save")
    check_target(query_out, "--query-out", suffix=".npy")
    numbers = keys_of(keys, array, orthonormal)
    made = design(numbers, goal, error=error, scale=scale, heads=heads, method=method)
    verdict = certify(numbers, made)
    save_certificate(save, verdict)
    save_queries(query_out, made.queries)
    if as_json:
        files = {"saved": save and str(save), "query_out": query_out and str(query_out)}
        answer = {**made.to_dict(), "weights": made.weights.tolist()}
        screens.print_json({"status": verdict.status, "design": answer, "verdict": verdict.to_dict(), **files})
    else:
        _show(made, verdict, d=numbers.shape[1], save=save, query_out=query_out)
    return VERDICT_CODES[verdict.status]


def _show(made: Design, verdict: Verdict, *, d: int, save: Path | None, query_out: Path | None) -> None:
    console = screens.out()
    screens.print_plain(console, f"{made.goal} over {len(made.weights)} keys of dimension {d}\n")
    screens.print_facts(console, _facts(made))
    screens.print_plain(console, "\nThe largest weights (* named by the goal):")
    screens.print_plain(console, weight_bars(made.weights, made.goal) + "\n")
    screens.print_verdict(console, verdict)
    if save is not None:
        screens.print_plain(console, saved_note(save))
    if query_out is not None:
        screens.print_plain(console, f"\nSaved {query_out}")


def _facts(made: Design) -> list[tuple[str, str]]:
    bound = made.lower_bound
    shortest = "" if bound is None else f" (no such query is shorter than {bound:.6g})"
    error = "not proved" if made.error is None else f"at most {made.error:.6g}"
    facts = [("norm", f"{made.norm:.6g}{shortest}"), ("error", f"{error} (asked: {made.asked})")]
    facts.append(("method", made.method))
    if len(made.queries) > 1:
        mix = ", ".join(f"{share:.4g}" for share in made.mix)
        facts.append(("heads", f"{len(made.queries)}, mixed {mix}; norm is the largest"))
    if made.scale != 1:
        facts.append(("scale", f"{made.scale:.6g}"))
    return facts
