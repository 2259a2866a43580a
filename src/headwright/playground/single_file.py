"""The playground as one HTML file that needs no kernel, no server and no network."""

from __future__ import annotations

import json
from typing import Any

from headwright.playground.module import module_text, style_text

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>headwright playground</title>
<style>
body {{ margin: 0; }}
{style}
</style>
<main id="playground"></main>
<script type="module">
{module}
// What a notebook gives the module, with nobody at the other end.
const traits = {traits}
render({{
  el: document.getElementById("playground"),
  model: {{ get: (name) => traits[name], set: (name, value) => (traits[name] = value), save_changes() {{}}, on() {{}}, off() {{}} }},
}})
</script>
</html>
"""


def page_text(traits: dict[str, Any] | None = None) -> str:
    """The page, with what the widget is given at the start.

    >>> page_text().startswith("<!doctype html>")
    True
    """
    given = {"opens": {"host": "file", "step": None}, **(traits or {})}
    # "<" would let a text end the script element.
    return _PAGE.format(style=style_text(), module=module_text(), traits=json.dumps(given).replace("<", "\\u003c"))
