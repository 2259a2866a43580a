"""headwright play: the playground in the browser, served to this machine or as a single file."""

from __future__ import annotations

import sys
import threading
import webbrowser
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from headwright.cli import screens
from headwright.cli.goal_options import GoalOptions
from headwright.cli.key_options import FixedKeyOptions, Scale, number_of
from headwright.cli.output_files import check_files

_served = partial(typer.Option, rich_help_panel="Where it is served")


def play_command(
    keys: FixedKeyOptions,
    asked: GoalOptions,
    scale: Scale = "1",
    step: Annotated[
        str | None, typer.Option(metavar="NAME", help="Open this step of the guided walk, such as coin-toss.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html",
            help="Write the playground as one file, which needs no server and no network. It computes, and proves nothing.",
        ),
    ] = None,
    host: Annotated[
        str,
        _served(
            metavar="ADDRESS",
            help="Address to listen at. Other machines can reach every address but those of loopback.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, _served(metavar="N", help="Port to listen at; 0 takes a free one.")] = 0,
    opens: Annotated[bool, _served("--open/--no-open", help="Open the page in your browser.")] = True,
    allow_remote: Annotated[
        bool, _served("--allow-remote", help="Let other machines in. Needs --host and --token.")
    ] = False,
    token: Annotated[
        str | None,
        _served(
            metavar="TEXT",
            help="Ask every visitor for this text, of at least 16 characters; auto makes one and prints it.",
        ),
    ] = None,
    as_json: screens.Json = False,
) -> int:
    """Open the playground: drag keys, choose a goal, and see the query that meets it, with its proof.

    It runs in your browser, served by this machine to itself, until you press Ctrl+C. This needs the extra play.
    Without keys and a goal it opens the guided walk.

    headwright play --keys keys.npy --average 3,7

    With --html, it is one file to keep or send, which needs no extra:

    headwright play --html playground.html
    """
    check_files({"--html": html})
    given = _given(keys, asked, scale, step, "app" if html is None else "file")
    if html is not None:
        _refuse_to_serve(host, port, opens, allow_remote, token)
        return _write(html, given, as_json)
    from headwright.playground.addresses import place
    from headwright.playground.serving import serve

    where = place(host, port=port, allow_remote=allow_remote, token=token)

    def ready(address: str) -> None:
        entry = address if where.token is None else f"{address}?access_token={quote(where.token, safe='')}"
        if as_json:
            screens.print_json({"status": "serving", "address": entry})
        else:
            screens.print_plain(screens.out(), f"The playground is at {entry}\nPress Ctrl+C to end it.")
        sys.stdout.flush()
        if opens:  # beside the server, since some browsers keep their caller until they end
            threading.Thread(target=webbrowser.open, args=(entry,), daemon=True).start()

    serve(given, where, port=port, ready=ready)
    return 0


def _given(keys: FixedKeyOptions, asked: GoalOptions, scale: str, step: str | None, host: str) -> dict[str, Any]:
    """What the widget opens: a state where keys or a goal are named, and otherwise the walk."""
    from headwright.playground import walks
    from headwright.playground.scene import Scene

    if step is not None and step not in walks.names():
        raise ValueError(f"`--step` must be one of {', '.join(walks.names())}, got {step!r}")
    scene: dict[str, Any] = {}
    if keys.keys is not None or keys.orthonormal is not None or keys.array is not None:
        scene["keys"] = keys.centre().tolist()
    if (goal := asked.goal()) is not None:
        scene["goal"] = goal.to_dict()
    if asked.error is not None:
        scene["error"] = number_of(asked.asked_error() or "", "--error")
    if scale != "1":
        scene["scale"] = number_of(scale, "--scale")
    if scene and step is not None:
        raise ValueError("`--step` opens a state of its own, so it goes with no option for keys, goal, error or scale")
    if scene:
        text = Scene.of(scene).text
        return {"opens": {"host": host, "step": None}, "asked": {"number": 1, "text": text, "question": None}}
    return {"opens": {"host": host, "step": step or walks.names()[0]}, "walks": walks.steps()}


def _refuse_to_serve(host: str, port: int, opens: bool, allow_remote: bool, token: str | None) -> None:
    served = {
        "--host": host != "127.0.0.1",
        "--port": port != 0,
        "--no-open": not opens,
        "--allow-remote": allow_remote,
        "--token": token is not None,
    }
    if wrong := [f"`{option}`" for option, given in served.items() if given]:
        raise ValueError(f"{' and '.join(wrong)} must not go with `--html`: a file is not served")


def _write(html: Path, given: dict[str, Any], as_json: bool) -> int:
    from headwright.playground.single_file import page_text

    # The policy of the page knows its script by a hash, so line ends must stay what they are.
    html.write_text(page_text(given), encoding="utf-8", newline="\n")
    if as_json:
        screens.print_json({"status": "done", "page": str(html)})
    else:
        screens.print_plain(screens.out(), f"Saved {html}\nOpen it in a browser; it needs no network.")
    return 0
