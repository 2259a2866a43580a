"""The hook that mkdocs.yml names: it adds the generated pages and completes the written ones.

A page can be read as it is stored, with its figures, tables and pictures (`written.py`). In the site a picture is drawn in the
page's colours, the playground runs and its steps have pictures; `hw.NAME` in backticks becomes a link to the reference, and `$…$`
MathML.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]  # mkdocs loads this file by its path

from mkdocs.structure.files import File, Files  # noqa: E402

from handbook import figures, generated, reference, repository, walk, written  # noqa: E402
from handbook.mathematics import with_mathml  # noqa: E402

_FONT = ROOT / "src" / "headwright" / "reports" / "math.woff2"  # the report's font for formulas, where it has one
_FENCE = re.compile(r"^(```|~~~).*?^\1[ \t]*$|^<table\b.*?</table>$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"(?<![\[`])`(hw\.[A-Za-z_.]+)(\(\))?`(?!`)")


def on_config(config: Any) -> Any:
    if _FONT.is_file():
        config.extra_css.append("styles/math.css")
    return config


def on_files(files: Files, config: Any) -> Files:
    for path, text in generated.pages().items():
        files.append(File.generated(config, path, content=text))
    if _FONT.is_file():
        face = '@font-face { font-family: "Handbook Math"; src: url("math.woff2") format("woff2"); }\n'
        files.append(File.generated(config, "styles/math.css", content=face))
        files.append(File.generated(config, "styles/math.woff2", content=_FONT.read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    path = page.file.src_uri
    up = "../" * path.count("/")
    text = repository.relinked(written.BLOCK.sub(_in_the_site, markdown), path)
    return outside_fences(text, lambda part: _NAME.sub(lambda found: _linked(found, up), part))


def _in_the_site(found: re.Match[str]) -> str:
    kind, name, stored = found.groups()
    if kind == "picture":
        return f"{figures.drawn(name)}\n"
    return {"table": stored or "", "walk": walk.steps_list(), "playground": walk.HOLDER}[kind]


def on_page_content(html: str, **_: Any) -> str:
    return with_mathml(html)


def on_post_page(output: str, **_: Any) -> str:
    return walk.with_playground(output)


def outside_fences(text: str, change: Any) -> str:
    """The text with `change` applied to everything but its blocks of code and its tables in HTML.

    >>> outside_fences("a\\n```\\na\\n```\\na", str.upper)
    'A\\n```\\na\\n```\\nA'
    """
    parts, last = [], 0
    for fence in _FENCE.finditer(text):
        parts += [change(text[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*parts, change(text[last:])])


def _linked(found: re.Match[str], up: str) -> str:
    home = reference.homes().get(found[1])
    return f"[`{found[1]}{found[2] or ''}`]({up}{home}#{found[1]})" if home else found[0]
