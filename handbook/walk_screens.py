"""Pictures of every step of the walk, opened by its address, and a look at each: python -m handbook.walk_screens

Each step is opened at the width of a desk and of a phone, in light and dark colours. Texts must not overlap, nothing may be cut
or wider than its box, and words must have contrast. Pictures of the desk go to docs/walk/, since the landing page shows them.
Those of the phone go to build/walk/, for a person to look at.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from headwright.playground import single_file, walks

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {"desk": ROOT / "docs" / "walk", "phone": ROOT / "build" / "walk"}
# Just large enough for the text, the drawing and the verdict: a picture is scaled down to the width of a page.
SIZES = {"desk": (740, 860), "phone": (360, 760)}
SCHEMES = ("light", "dark")
# Letters keep their smooth edges, and keys their colours to one part in 255.
COLOURS = 128
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

# Every text that is shown, as [words, left, top, right, bottom]; formulas count as one text.
FAULTS = """() => {
    const root = document.querySelector('.headwright-play')
    const texts = [], said = []
    const name = (words) => JSON.stringify(words.trim().replace(/\\s+/g, ' ').slice(0, 40))
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
        if (node.nodeType === 3) return node.parentElement.closest('math') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT
        // Words for screen readers alone are one pixel large.
        const box = node.getBoundingClientRect()
        const small = box.width <= 1 && box.height <= 1 && getComputedStyle(node).position === 'absolute'
        if (small || !node.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) return NodeFilter.FILTER_REJECT
        return NodeFilter.FILTER_ACCEPT
    })
    while (walk.nextNode()) {
        const node = walk.currentNode
        const isMath = node.nodeType === 1 && node.localName === 'math'
        const isOption = node.nodeType === 3 && node.parentElement.closest('option, select, title, desc')
        if (node.nodeType === 1) {
            const style = getComputedStyle(node)
            const isBox = !(node instanceof SVGElement) && !node.closest('math') && style.display !== 'inline'
            const scrolls = ['auto', 'scroll'].includes(style.overflowX) || node.localName === 'select'
            if (isBox && !scrolls && node.clientWidth > 1 && node.scrollWidth > node.clientWidth + 1)
                said.push('wider than its box: ' + node.localName + '.' + node.className + ' ' + name(node.textContent))
        }
        if (!isMath && (node.nodeType === 1 || isOption || !node.textContent.trim())) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        const boxes = isMath ? [node.getBoundingClientRect()] : [...range.getClientRects()]
        for (const box of boxes) {
            if (box.width < 1 || box.height < 1) continue
            const {left, top, right, bottom} = box
            texts.push({words: node.textContent, left, top: top + scrollY, right, bottom: bottom + scrollY, node})
            if (left < -1 || right > innerWidth + 1) said.push('cut at the edge: ' + name(node.textContent))
            const drawing = node.parentElement.closest('svg')
            const frame = drawing && drawing.getBoundingClientRect()
            if (frame && (left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1))
                said.push('cut at the edge of the drawing: ' + name(node.textContent))
        }
    }
    texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        // Boxes of lines have room above and below their letters.
        const allowed = Math.min(a.bottom - a.top, b.bottom - b.top) * 0.35
        // The answer lies above what it sticks to, on a ground of its own.
        if (a.node.parentElement.closest('.hw-walk-answer') || b.node.parentElement.closest('.hw-walk-answer')) return
        if (a.node === b.node || across <= 2 || down <= allowed) return
        said.push('overlap: ' + name(a.words) + ' and ' + name(b.words))
    }))
    if (document.documentElement.scrollWidth > innerWidth) said.push('the page scrolls sideways')
    return [...new Set(said)]
}"""


def faults(page: Any, *, colours: bool = True) -> list[str]:
    """What a reader would stumble over in an opened step, in words; with `colours` contrast and all else that axe measures."""
    from axe_playwright_python.sync_playwright import Axe

    told = page.evaluate(FAULTS)
    # The page around a widget has the heading of the first level.
    rules = {"rules": {"page-has-heading-one": {"enabled": False}}}
    found = Axe().run(page, options=rules).response["violations"] if colours else []
    return told + [f"{fault['id']}: {node['html'][:120]}" for fault in found for node in fault["nodes"]]


def shot(page: Any, path: Path) -> None:
    """A picture in few colours, which takes a quarter of the room and looks the same."""
    from PIL import Image

    drawn = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    drawn.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(path, optimize=True)


@contextmanager
def written_page() -> Iterator[str]:
    """The address of the playground as one file, with the walk."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "walk.html"
        path.write_text(single_file.page_text({"walks": walks.steps()}), encoding="utf-8")
        yield path.as_uri()


def opened(page: Any, address: str, name: str) -> None:
    """Opens one step by its address, in a page of its own, and waits until it stands still."""
    page.goto("about:blank")
    page.goto(f"{address}#step={name}")
    page.wait_for_selector(".hw-walk-badge:not(:empty)")
    page.evaluate("document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 120)))")


def main() -> int:
    from playwright.sync_api import sync_playwright

    for folder in FOLDERS.values():
        folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with sync_playwright() as player, written_page() as address:
        browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for width, scheme in ((width, scheme) for width in SIZES for scheme in SCHEMES):
            across, down = SIZES[width]
            # Where motion is not wanted, all samples are drawn at once.
            size = {"width": across, "height": down}
            context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
            page = context.new_page()
            for name in walks.names():
                opened(page, address, name)
                # Colours do not depend on the width: each scheme is measured once.
                for fault in faults(page, colours=(width, scheme) in (("desk", "light"), ("phone", "dark"))):
                    wrong += 1
                    print(f"{name}, {width}, {scheme}: {fault}")
                shot(page, FOLDERS[width] / f"{name}-{scheme}.png")
            context.close()
        browser.close()
    print(f"pictures in {' and '.join(map(str, FOLDERS.values()))}, {wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
