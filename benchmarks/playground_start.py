"""From the README to a dragged key: the wheel in an environment of its own, `headwright play`, a browser, a hand that drags."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.browser.conftest import FLAGS
from tests.browser.playground_hands import KEY, drag, place, until

LIMIT = 120.0
CLAIM = (
    f"After installation, at most {LIMIT:g} seconds pass from typing `headwright play` to a key that was dragged in the browser "
    "and a verdict of the library on its new place, also on the first run."
)
# What the badge may be once the library has spoken; the step that opens first has a query that fails.
VERDICTS = ("proved", "refuted")
ROOT = Path(__file__).parents[1]


def run() -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = perf_counter()
        headwright = installed(folder)
        installing = perf_counter() - start
        rows = [served(headwright, folder, told) for told in ("first run", "second run")]
        rows.append(single_file(headwright, folder))
    return [{**row, "installation_seconds": installing, "limit": LIMIT} for row in rows]


def installed(folder: Path) -> Path:
    """The command, in an environment of its own with the wheel and the extra `play`."""
    pip = [sys.executable, "-m", "pip", "-qq"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = folder / "venv" / "bin" / "python"
    wanted = [f"{wheel}[play]", "--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([str(python), "-m", "pip", "-qq", "install", *wanted], check=True, env=plain())
    return python.with_name("headwright")


def plain() -> dict[str, str]:
    """The environment without a way to the sources here."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def served(headwright: Path, folder: Path, told: str) -> dict[str, object]:
    start = perf_counter()
    command = [str(headwright), "play", "--no-open", "--json"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env=plain())
    try:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        ready = perf_counter() - start
        dragged, judged = dragged_in_browser(address, start, judges=True)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
    return row(told, ready, dragged, judged, judged <= LIMIT and process.returncode == 0)


def single_file(headwright: Path, folder: Path) -> dict[str, object]:
    start = perf_counter()
    page = folder / "playground.html"
    subprocess.run([str(headwright), "play", "--html", str(page)], check=True, stdout=subprocess.DEVNULL, env=plain())
    ready = perf_counter() - start
    dragged, _ = dragged_in_browser(page.as_uri(), start, judges=False)
    return row("single file", ready, dragged, None, dragged <= LIMIT)


def row(told: str, ready: float, dragged: float, judged: float | None, met: bool) -> dict[str, object]:
    return {"run": told, "ready_seconds": ready, "dragged_seconds": dragged, "judged_seconds": judged, "met": met}


def dragged_in_browser(address: str, start: float, *, judges: bool) -> tuple[float, float]:
    """Seconds until key 0 was dragged, and until the library had judged the new state."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        browser: Any = player.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address)
        page.locator(KEY.format(0)).wait_for(timeout=LIMIT * 1000)
        was = place(page, 0)
        drag(page, 0, -40, 20)
        until(page, lambda: place(page, 0) != was)
        dragged = perf_counter() - start
        if judges:
            until(page, lambda: page.locator(".hw-badge").get_attribute("data-tone") in VERDICTS, seconds=int(LIMIT))
        judged = perf_counter() - start
        browser.close()
    return dragged, judged
