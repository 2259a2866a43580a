"""Pages of the playground for tests: the whole widget, with the library played by the test."""

import json

from headwright.playground.module import module_text, style_text

# The README's corners: key 4 lies inside the triangle of keys 0, 1 and 2.
SCENE = {
    "keys": [[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]],
    "labels": None,
    "values": None,
    "goal": {"goal": "copy", "indices": [3], "shares": ["1"]},
    "error": 0.01,
    "scale": 1,
    "max_norm": None,
    "heads": 1,
    "queries": None,
    "noise": None,
    "steady": False,
    "radius": 0,
    "layer": None,
    "row": 0,
}
AVERAGE = {"goal": "average", "indices": [1, 2], "shares": ["1/2", "1/2"]}

# The model is the one that a notebook gives, and `sent` is what reached it. The names of the module are in reach of a test.
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>playground</title><style>body { margin: 0 } %(style)s</style><main id="here"></main><script type="module">
%(module)s
const traits = %(traits)s, heard = {}
const model = {
  get: (name) => traits[name],
  set: (name, value) => { traits[name] = value; (heard["change:" + name] ?? []).forEach((tell) => tell()) },
  save_changes() { window.sent.push(structuredClone(traits.asked)) },
  on: (name, tell) => (heard[name] ??= []).push(tell),
  off() {},
}
Object.assign(window, { sent: [], answer: (own) => model.set("answer", own), state: (own) => model.set("asked", own) })
Object.assign(window, { prose, verdictWords, spokenVerdict, pythonOf, compute, movedShares })
window.close = render({ model, el: document.getElementById("here") })
</script></html>
"""


def widget_page(scene=None, *, host="file", **traits):
    """The page as text. Without a scene it opens as a reader first sees it."""
    given = {"opens": {"host": host, "step": None}, **traits}
    if scene is not None:
        given["asked"] = {"number": 17, "text": json.dumps({**SCENE, **scene}), "question": None}
    text = json.dumps(given).replace("<", "\\u003c")
    return PAGE % {"style": style_text(), "module": module_text(), "traits": text}


def frames(page):
    """Waits until what has changed is drawn."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


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
