"""The playground as one HTML file that needs no kernel, no server and no network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from headwright.playground.module import module_text, style_text

# What surrounds the widget: nothing but the page's own colours, which follow the reader's.
_STYLE = """
html { color-scheme: light dark; }
body { margin: 0; }
"""

_START = """
{
  const traits = JSON.parse(document.getElementById("given").textContent)
  render({ model: modelWithoutKernel(traits), el: document.getElementById("playground") })
}
"""


def page_text(traits: Mapping[str, Any] | None = None) -> str:
    """The page, with the `traits` that the widget has at the start.

    By its Content-Security-Policy, no script runs and no style applies but those written here, and nothing can be fetched.

    >>> page_text().startswith("<!doctype html>")
    True
    >>> "</script><b>" in page_text({"opens": {"host": "file", "step": "</script><b>"}})
    False
    """
    style, script = style_text() + _STYLE, module_text() + _START
    if "</style" in style.lower() or re.search(r"</script|<!--", script, re.IGNORECASE):
        raise ValueError(
            "the module must not hold `</script` or `<!--`, nor the style sheet `</style`: either ends early"
        )
    parts = {
        "policy": f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'",
        "style": style,
        "script": script,
        "given": json_in_html({"opens": {"host": "file", "step": None}, **(traits or {})}),
    }
    page = (files("headwright.playground") / "page.html").read_text(encoding="utf-8")
    # One pass: what is filled in is not searched again.
    return re.sub(r"\{\{([a-z]+)\}\}", lambda found: parts[found[1]], page)


def json_in_html(data: Any) -> str:
    """JSON for a script element of a page, without "<", by which a text could end that element.

    >>> json_in_html("</script>")
    '"\\\\u003c/script>"'
    """
    return json.dumps(data).replace("<", "\\u003c")


def _hash(text: str) -> str:
    """What the policy calls an element by its text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
