"""hw.play in JupyterLab, with a real kernel: a key is dragged, a goal chosen, the state read and set from Python."""

import json
import os
import re
import secrets
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.needs("playwright", "anywidget", "jupyterlab", "ipykernel")
ROOT = Path(__file__).parents[2]
CELLS = [
    "import headwright as hw\nw = hw.play([[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]], hw.Copy(3))\nw",
    "print('keys', w.state.keys[3].tolist(), w.state.goal, type(w.state.design).__name__)",
    "w.state = {'goal': hw.Copy(4)}",
]
PATIENCE = 90_000  # milliseconds: a kernel starts in a few seconds, on a busy machine in many


def notebook():
    cells = [
        {"cell_type": "code", "id": f"cell-{k}", "metadata": {}, "source": text, "outputs": [], "execution_count": None}
        for k, text in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})


def settle(folder, theme):
    """Lab keeps every cell in the page, so that a test finds it, and asks nobody for news."""
    for name, settings in {
        "notebook-extension/tracker": {"windowingMode": "none"},
        "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
        "apputils-extension/themes": {"theme": theme},
    }.items():
        file = folder / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings), "utf-8")


@contextmanager
def started(home, theme="JupyterLab Light"):
    """The address of JupyterLab with one notebook, on loopback, with a token and folders of its own."""
    work = home / "work"
    work.mkdir()
    (work / "play.ipynb").write_text(notebook(), "utf-8")
    settle(home / "settings", theme)
    own = {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    own |= {f"JUPYTERLAB_{name}_DIR": str(home / name.lower()) for name in ("SETTINGS", "WORKSPACES")}
    own |= {"IPYTHONDIR": str(home / "ipython"), "HOME": str(home)}
    source = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    token = secrets.token_hex(16)
    options = ["--no-browser", "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0", f"--IdentityProvider.token={token}"]
    options += [f"--ServerApp.root_dir={work}", "--LabApp.extension_manager=readonly"]
    options += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with (home / "log.txt").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options],
            env={**os.environ, **own, "PYTHONPATH": source},
            cwd=work,
            stdout=log,
            stderr=log,
        )
    try:
        yield f"{_address(server, home)}lab/tree/play.ipynb?token={token}"
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with started(tmp_path_factory.mktemp("lab")) as address:
        yield address


def _address(server, home):
    """What the server wrote down about itself once it listens."""
    for _ in range(600):
        for note in (home / "runtime").glob("jpserver-*.json"):
            url = json.loads(note.read_text("utf-8") or "{}").get("url")
            if url:
                return url
        assert server.poll() is None, (home / "log.txt").read_text("utf-8")
        time.sleep(0.1)
    raise AssertionError((home / "log.txt").read_text("utf-8"))


@pytest.fixture(scope="module")
def opened(lab, browser):
    """A page with the widget shown, what it asked for and what it complained about."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page, asked, said = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append((message.type, message.text, message.location.get("url", ""))))
    page.on("pageerror", lambda error: said.append(("pageerror", str(error), "")))
    page.goto(lab, timeout=PATIENCE)
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=PATIENCE)
    # A cell that is run while the kernel is still starting is dropped.
    page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").first.wait_for(timeout=PATIENCE)
    run(page, 0)
    page.locator(".headwright-play .hw-badge").wait_for(timeout=PATIENCE)
    yield page, asked, said
    context.close()


def run(page, k):
    """Run a cell by the keyboard, as a person does, and again if the kernel was not there yet."""
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(k)
    for _ in range(10):
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        for _ in range(30):
            if cell.locator(".jp-InputPrompt").inner_text().strip() != "[ ]:":
                return
            page.wait_for_timeout(100)
    raise AssertionError(f"cell {k} is not run")


def badge(page):
    return page.locator(".headwright-play .hw-badge")


def until(page, holds, what):
    """Wait for something that the kernel has a part in."""
    for _ in range(PATIENCE // 100):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{what}; the badge says: {badge(page).inner_text()}")


def tone(page):
    return badge(page).get_attribute("data-tone")


def state_of_badge(page):
    """The number of the state that the badge is valid for; 0 while it is valid for none."""
    return 0 if tone(page) == "stale" else int(badge(page).get_attribute("data-state"))


def sentences(page):
    return page.locator(".headwright-play .hw-sentences").inner_text()


def disc(page, key):
    box = page.locator(f'.headwright-play [data-key="{key}"] .hw-disc').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def printed(page):
    return page.locator(".jp-Notebook .jp-CodeCell").nth(1).locator(".jp-OutputArea-output").all_inner_texts()


def test_a_key_is_dragged_and_python_reads_and_sets_the_state(opened):
    page, asked, said = opened
    until(page, lambda: tone(page) == "proved", "nothing is proved at the start")
    assert "of Copy(3)." in sentences(page)
    first = state_of_badge(page)

    # While the hand holds the key, the badge of the old state is grey; when it rests, the new state is proved.
    page.locator(".headwright-play .hw-plane").scroll_into_view_if_needed()
    x, y = disc(page, 3)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 20, y + 8)
    page.mouse.move(x - 40, y + 15)
    until(page, lambda: tone(page) == "stale" or state_of_badge(page) > first, "the badge stays as it was")
    page.mouse.up()
    until(page, lambda: tone(page) == "proved" and state_of_badge(page) > first, "the new state is not proved")

    run(page, 1)
    until(page, lambda: any("keys" in text for text in printed(page)), "nothing is printed")
    words = printed(page)[0]
    right, up = map(float, re.search(r"keys \[([-\d.e]+), ([-\d.e]+)\]", words).groups())
    assert right < 5
    assert up < 5
    assert words.endswith(("Copy(3) Design", "Copy(3) Design\n"))

    # Another goal by a press: key 1 is a corner, and can be copied.
    second = state_of_badge(page)
    page.locator(".headwright-play .hw-plane").scroll_into_view_if_needed()
    page.mouse.click(*disc(page, 1))
    until(page, lambda: state_of_badge(page) > second and tone(page) == "proved", "the press changes nothing")
    assert "of Copy(1)." in sentences(page)

    # Python moves the picture: key 4 lies in the hull of others.
    run(page, 2)
    until(page, lambda: tone(page) == "unreachable", "the picture does not follow Python")
    assert "no query brings the weights over 5 keys within total variation 0.01 of Copy(4)" in sentences(page)

    outside = [url for url in asked if urlsplit(url).hostname not in (None, "127.0.0.1", "localhost")]
    assert outside == []
    assert [own for own in said if is_ours(*own)] == []


def is_ours(kind, text, source):
    """Whether a message can come from the widget: anywidget loads our module from a blob. The rest is JupyterLab's own."""
    return (
        kind == "pageerror"
        or source.startswith("blob:")
        or "headwright" in text
        or "hw-" in text
        or "anywidget" in text
    )
