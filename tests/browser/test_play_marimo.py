"""hw.play in a marimo notebook, with a real kernel: a key is dragged, and another cell sees the state of the page."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.needs("playwright", "anywidget", "marimo")
ROOT = Path(__file__).parents[2]
PATIENCE = 90  # seconds: a kernel starts in a few, on a busy machine in many
NOTEBOOK = """
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    import headwright as hw

    return hw, mo


@app.cell
def _(hw, mo):
    shown = mo.ui.anywidget(hw.play([[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]], hw.Copy(3)))
    shown
    return (shown,)


@app.cell
def _(mo, shown):
    shown.value
    mo.md(f"Python has key 3 at {shown.widget.state.keys[3].tolist()} and {shown.widget.state.goal}")
    return


@app.cell
def _(hw, mo, shown):
    def move(_):
        shown.widget.state = {"goal": hw.Copy(4)}

    mo.ui.button(label="move it", on_click=move)
    return


if __name__ == "__main__":
    app.run()
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of the notebook, run on loopback with folders of its own."""
    home = tmp_path_factory.mktemp("marimo")
    (home / "play.py").write_text(NOTEBOOK, "utf-8")
    source = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home), "PYTHONPATH": source}
    command = [
        sys.executable,
        "-m",
        "marimo",
        "run",
        "play.py",
        "--headless",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-token",
    ]
    with (home / "log.txt").open("w") as log:
        started = subprocess.Popen(command, env={**os.environ, **own}, cwd=home, stdout=log, stderr=log)
    try:
        yield _address(started, home / "log.txt")
    finally:
        started.terminate()
        started.wait(30)


def _address(started, log):
    for _ in range(10 * PATIENCE):
        if found := re.search(r"http://[\w.]+:(\d+)", log.read_text("utf-8")):
            return found[0]
        assert started.poll() is None, log.read_text("utf-8")
        time.sleep(0.1)
    raise AssertionError(log.read_text("utf-8"))


def until(page, holds, what):
    """Wait for something that the kernel has a part in."""
    for _ in range(10 * PATIENCE):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError(what)


def test_a_key_is_dragged_and_python_reads_and_sets_the_state(address, browser):
    context = browser.new_context(viewport={"width": 1280, "height": 1100})
    page, asked, said = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append((message.type, message.text)))
    page.on("pageerror", lambda error: said.append(("error", str(error))))
    page.goto(address, timeout=1000 * PATIENCE)
    badge = page.locator(".headwright-play .hw-badge")  # Playwright looks into the shadow root that marimo puts it in
    badge.wait_for(timeout=1000 * PATIENCE)

    def tone():
        return badge.get_attribute("data-tone")

    def state():
        return 0 if tone() == "stale" else int(badge.get_attribute("data-state"))

    def told():
        return re.search(r"Python has key 3 at \[([-\d.e]+), ([-\d.e]+)\] and (.*)", page.inner_text("body"))

    def sentences():
        return page.locator(".headwright-play .hw-sentences").inner_text()

    until(page, lambda: tone() == "proved", "nothing is proved at the start")
    until(page, told, "Python tells nothing")
    first = state()
    box = page.locator('.headwright-play [data-key="3"] .hw-disc').bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 20, y + 8)
    page.mouse.move(x - 40, y + 15)
    until(page, lambda: tone() == "stale" or state() > first, "the badge stays as it was")
    page.mouse.up()
    until(page, lambda: tone() == "proved" and state() > first, "the new state is not proved")
    until(page, lambda: float(told()[1]) < 5 and float(told()[2]) < 5, "Python does not see the drag")
    assert told()[3].strip() == "Copy(3)"

    page.get_by_role("button", name="move it").click()
    until(page, lambda: tone() == "unreachable", "the picture does not follow Python")
    assert "of Copy(4)" in sentences()

    context.close()
    assert [url for url in asked if urlsplit(url).hostname not in (None, "", "127.0.0.1", "localhost")] == []
    assert [own for own in said if is_ours(*own)] == []


def is_ours(kind, text):
    """Whether a message may come from the widget. marimo itself writes about its fonts, its sockets and its own components."""
    return (
        "headwright" in text
        or "hw-" in text
        or "anywidget" in text.lower()
        or (kind == "error" and "marimo" not in text.lower())
    )
