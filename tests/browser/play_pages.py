"""Pages of the playground for tests: the whole widget, with the library played by the test."""

import json

from headwright.playground.module import module_text, style_text
from headwright.playground.scene_faults import FIRST
from headwright.playground.single_file import json_in_html

# The README's corners: key 4 lies inside the triangle of keys 0, 1 and 2.
SCENE = FIRST
AVERAGE = {"goal": "average", "indices": [1, 2], "shares": ["1/2", "1/2"]}

# The model that a notebook gives, made of `traits`. `sent` is what reached it. The test answers as the library does, or sets the
# state as Python does.
MODEL = """
const heard = {}
const model = {
  get: (name) => traits[name],
  set: (name, value) => { traits[name] = value; (heard["change:" + name] ?? []).forEach((tell) => tell()) },
  save_changes() { window.sent.push(structuredClone(traits.asked)) },
  on: (name, tell) => (heard[name] ??= []).push(tell),
  off() {},
}
Object.assign(window, { sent: [], answer: (own) => model.set("answer", own), python: (own) => model.set("asked", own) })
"""

# The names of the module are in reach of a test.
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>playground</title><style>body { margin: 0 } %(style)s</style><main id="here"></main><script type="module">
%(module)s
const traits = %(traits)s
%(model)s
Object.assign(window, { prose, verdictWords, spokenVerdict, pythonOf, compute, movedShares })
window.close = render({ model, el: document.getElementById("here") })
</script></html>
"""


def widget_page(scene=None, *, host="file", **traits):
    """The page as text. Without a scene it opens as a reader first sees it."""
    given = {"opens": {"host": host, "step": None}, **traits}
    if scene is not None:
        given["asked"] = {"number": 17, "text": json.dumps({**SCENE, **scene}), "question": None}
    return PAGE % {"style": style_text(), "module": module_text(), "traits": json_in_html(given), "model": MODEL}


def open_widget(browser):
    """A page with the widget as a reader first sees it; made a fixture by the tests that share one."""
    context = browser.new_context()
    page = context.new_page()
    page.set_content(widget_page({}))
    page.wait_for_selector(".hw-badge:not(:empty)", state="attached")
    yield page
    context.close()


def open_pages(browser):
    """Opens the widget with a scene; a fixture like `open_widget`. Nothing may be written to the console."""
    contexts, said = [], []

    def open_page(scene=None, *, host="file", size=(1280, 900), scheme="light", touch=False, calm=False, **traits):
        page = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            has_touch=touch,
            reduced_motion="reduce" if calm else "no-preference",
        ).new_page()
        contexts.append(page.context)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.set_content(widget_page(scene, host=host, **traits))
        page.wait_for_selector(".hw-badge:not(:empty)", state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []


def frames(page, milliseconds=0):
    """Waits until what changes within so many milliseconds is drawn.

    It waits in the page, whose own timers and frames come first however slow the machine is, as no clock outside ensures.
    """
    page.evaluate(
        """(time) => new Promise((done) =>
            setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), time))""",
        milliseconds,
    )


def link_scene(page):
    """The scene on the screen, as its link tells it."""
    if not page.locator(".hw-sheet").is_visible():
        page.click("[data-tool=link]")
    frames(page)
    return page.evaluate("""() => {
      const told = JSON.parse(decodeURIComponent(document.querySelector(".hw-code").textContent.split("#scene=")[1]))
      document.querySelector("[data-tool=link]").click()
      return told
    }""")
