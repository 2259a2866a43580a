"""The walk on the landing page: the playground itself, without a kernel, and below it the list of steps with their pictures.

The module stands in the page and is not loaded from a file, so that the page also works when it is opened from a disk. The widget
lives in a shadow root: neither the theme's rules nor ours reach across.
"""

from __future__ import annotations

from html import escape

from headwright.playground import walks
from headwright.playground.module import module_text, style_text
from headwright.playground.single_file import json_in_html
from headwright.problems.reports.typesetting import typeset

HOLDER = """<div class="playground" id="playground"></div>
<noscript><p>The playground needs JavaScript, which this browser has switched off. The steps below have pictures.</p></noscript>
"""

# A step that is chosen in the list below comes into sight.
_START = """
const given = JSON.parse(document.getElementById("playground-given").textContent)
const holder = document.getElementById("playground")
const inside = holder.attachShadow({ mode: "open" })
const sheet = document.createElement("style")
sheet.textContent = given.style
const spot = document.createElement("div")
inside.append(sheet, spot)
render({ model: modelWithoutKernel(given.traits), el: spot })
addEventListener("hashchange", () => {
  const { top } = holder.getBoundingClientRect()
  if (location.hash.startsWith("#step=") && (top < 0 || top > innerHeight / 2)) holder.scrollIntoView()
})
"""


def with_playground(html: str) -> str:
    """The finished page with the playground's code at its end, if it has a place for it."""
    if 'id="playground"' not in html:
        return html
    traits = {"opens": {"host": "file", "step": walks.names()[0]}, "walks": walks.steps()}
    given = json_in_html({"style": style_text(), "traits": traits})
    code = (
        f'<script type="application/json" id="playground-given">{given}</script>\n'
        f'<script type="module">{module_text()}{_START}</script>\n'
    )
    head, end, tail = html.rpartition("</body>")
    return head + code + end + tail


def still() -> str:
    """A picture of the playground, for a reader of the page as it is stored."""
    return "![The playground: keys and a query in the plane, with the weight of each key as a bar](walk/copy-light.png)"


def plain_steps() -> str:
    """The steps by title and question, in Markdown.

    >>> plain_steps().count("\\n")
    11
    """
    return "\n".join(f"1. **{step['title']}.** {step['question']['words']}" for step in walks.stored())


def steps_list() -> str:
    """Every step with its address and its picture, in the colours of the page.

    >>> steps_list().count("<li>")
    12
    """
    lines = []
    for step in walks.stored():
        name, title = step["name"], escape(step["title"])
        pictures = "".join(
            f'<img src="walk/{name}-{scheme}.png#only-{scheme}" alt="The step “{title}” as it opens" loading="lazy">'
            for scheme in ("light", "dark")
        )
        asked = typeset(step["question"]["words"])
        lines.append(f'<li><a href="#step={name}">{pictures}<strong>{title}</strong></a> <span>{asked}</span></li>')
    return '<ol class="walk-steps">\n' + "\n".join(lines) + "\n</ol>\n"
