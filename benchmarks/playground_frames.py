"""One of sixty keys dragged with a real mouse in the playground's single file: the script time of each frame.

What counts is all script of a frame: the handlers of the pointer's events since the last frame, and everything that runs in the
animation frame itself (the query, the weights and the drawing). Layout and painting are the browser's own.
"""

from __future__ import annotations

import json
import math
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import headwright as hw

KEYS, MOVES, LIMIT = 60, 200, 10.0
CLAIM = (
    f"While one of {KEYS} keys is dragged in the playground, the script time of a frame is at most {LIMIT:g} ms in the median, "
    "and in 95 of 100 frames. Beside it stands the time in which the library designs and proves the same query."
)
GOALS: dict[str, hw.Goal | hw.Top] = {
    "copy the dragged key": hw.Copy(0),
    "average two keys": hw.Average(0, 1),
    "blend two keys": hw.Blend({0: "0.7", 1: "0.3"}),
    "copy a key in the hull": hw.Copy(2),
    "average of keys that exclude one another": hw.Average(0, 2),
    "two keys on top": hw.Top(0, 1),
}
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
# Adds up what handlers of the pointer and animation frames take, and closes the sum at the end of each frame that did any work.
WATCH = """
window.frames_ms = []
let spent = 0, depth = 0
const timed = (call) => function (...given) {
  const start = performance.now()
  depth += 1
  try { return call.apply(this, given) } finally { if (--depth === 0) spent += performance.now() - start }
}
const add = EventTarget.prototype.addEventListener, known = new WeakMap()
EventTarget.prototype.addEventListener = function (name, call, ...rest) {
  if (typeof call !== "function" || !/^(pointer|mouse|touch)/.test(name)) return add.call(this, name, call, ...rest)
  if (!known.has(call)) known.set(call, timed(call))
  return add.call(this, name, known.get(call), ...rest)
}
const later = window.requestAnimationFrame.bind(window)
window.requestAnimationFrame = (call) => later((now) => { timed(call)(now); window.frames_ms.push(spent); spent = 0 })
"""


def run() -> list[dict[str, object]]:
    program = shutil.which("chromium")
    if not find_spec("playwright") or not program:
        missing = "playwright" if program else "chromium"
        return [{"skipped": f"{missing} is missing: pip install playwright, apt-get install chromium", "met": None}]
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player, tempfile.TemporaryDirectory() as folder:
        browser = player.chromium.launch(executable_path=program, args=FLAGS)
        rows = [measured(browser, Path(folder), name, goal) for name, goal in GOALS.items()]
        browser.close()
    return rows


def measured(browser: Any, folder: Path, name: str, goal: hw.Goal | hw.Top) -> dict[str, object]:
    """The script time of the frames of one drag, and the time that the library takes for some of its states."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.add_init_script(WATCH)
    (folder / "play.html").write_text(page_of(goal), "utf-8")
    page.goto((folder / "play.html").as_uri())
    disc = page.locator('[data-key="0"] .hw-disc')
    box = disc.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate("() => { window.frames_ms.length = 0 }")
    for step in range(1, MOVES + 1):
        turn = 2 * math.pi * step / 50
        page.mouse.move(x - 20 + 20 * math.cos(turn), y + 20 * math.sin(turn))
        page.evaluate("() => new Promise((done) => setTimeout(done, 0))")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
    page.mouse.up()
    frames = [float(ms) for ms in page.evaluate("() => window.frames_ms") if ms > 0]
    page.close()
    median, high = (float(np.quantile(frames, part)) for part in (0.5, 0.95)) if frames else (math.inf, math.inf)
    library = library_ms(goal)
    return {
        "goal": name,
        "frames": len(frames),
        "median [ms]": median,
        "95 % [ms]": high,
        "longest [ms]": max(frames, default=math.inf),
        "library [ms]": library,
        "library / page": library / median,
        "limit": LIMIT,
        "met": len(frames) >= MOVES // 2 and median <= LIMIT and high <= LIMIT,
    }


def keys_at(turn: float) -> np.ndarray:
    """Sixty keys, of which the first two lie outside of the others and the first moves in a circle."""
    keys = np.random.default_rng(18).normal(size=(KEYS, 2))
    keys *= np.minimum(1, 2.2 / np.linalg.norm(keys, axis=1))[:, None]
    keys[0] = 3.4 + 0.2 * math.cos(turn), 0.4 + 0.2 * math.sin(turn)
    keys[1] = 3.2, 1.9
    keys[2] = 0.1, 0.2
    return keys


def page_of(goal: hw.Goal | hw.Top) -> str:
    """The single file, opened at the first state."""
    from headwright.playground.single_file import page_text

    state = {
        "keys": keys_at(0).tolist(),
        "goal": {"goal": "top", "indices": list(goal.indices)} if isinstance(goal, hw.Top) else goal.to_dict(),
        "error": 0.01,
    }
    return page_text({"asked": {"number": 1, "text": json.dumps(state)}})


def library_ms(goal: hw.Goal | hw.Top) -> float:
    """The median time of `design`, proof included, over states of the drag; the first call only imports."""
    hw.design(keys_at(0), goal, throw=False)
    took = []
    for turn in np.linspace(0, 2 * math.pi, 15):
        start = perf_counter()
        hw.design(keys_at(turn), goal, throw=False)
        took.append(1e3 * (perf_counter() - start))
    return float(np.median(took))
