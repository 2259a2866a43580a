"""Writes what is made: the loops, and in the pages figures, tables, pictures and the walk's steps, to be read anywhere.

    python -m handbook.written                # or: make pages

A figure stands before its name in a comment, `18,281<!-- trusted_base.lines -->`; a block stands between `<!-- table: NAME -->`
(or `picture: NAME`, `walk: steps`, `playground`) and `<!-- end -->`. When the handbook is built, `hook.py` puts drawings in the
page's own colours, and the playground itself, in place of such blocks.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from posixpath import relpath

from handbook import certificate_format, command_line, figures, loops, measured, walk

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BLOCK = re.compile(
    r"<!-- (picture|table|walk|playground)(?:: (\w+))? -->\n(?:((?:(?!<!-- \w+).)*)<!-- end -->\n)?", re.DOTALL
)
FIGURE = re.compile(r"[\w.,−^-]*<!-- (\w+\.[\w. ]+) -->")


def filled(text: str, page: str, *, drawing: bool = True) -> str:
    """The page with today's figures, tables, steps and, unless they cannot be drawn, pictures; `page` is its path below docs/."""

    def block(found: re.Match[str]) -> str:
        kind, name, _ = found.groups()
        if kind == "picture" and not drawing:
            return found[0]
        start = found[0].partition("\n")[0]
        return f"{start}\n{_made(kind, name, PurePosixPath(page).parent)}\n<!-- end -->\n"

    text = FIGURE.sub(lambda found: f"{measured.figure(found[1])}<!-- {found[1]} -->", text)
    return BLOCK.sub(block, text)


def _made(kind: str, name: str, folder: PurePosixPath) -> str:
    if kind == "picture":
        return f"![{figures.words(name)}]({relpath(f'pictures/{name}.svg', folder)})"
    if kind == "table":
        return f"\n{certificate_format.parts(name) or measured.table(name)}\n"
    return walk.plain_steps() if kind == "walk" else walk.still()


def main() -> None:
    for name in figures.names():
        (DOCS / "pictures" / f"{name}.svg").write_text(figures.file(name), "utf-8")
    loops.main()
    (DOCS / "command_line.md").write_text(command_line.page(), "utf-8")
    for path in sorted(DOCS.rglob("*.md")):
        path.write_text(filled(path.read_text("utf-8"), path.relative_to(DOCS).as_posix()), "utf-8")


if __name__ == "__main__":
    main()
