"""Pages made from other files of the repository, and links to such files."""

from __future__ import annotations

import ast
import re
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

ROOT = Path(__file__).resolve().parents[1]

_LINK = re.compile(r"\]\(([^)\s#:]+)((?:#[^)\s]*)?)\)")
# Files of the repository that a page of the handbook stands for.
_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "examples": "examples.md",
    "evidence/trusted_base.json": "trust.md",
}


def relinked(text: str, path: str) -> str:
    """The page with links to files outside docs/ led to the page that shows them, or made plain where none does.

    >>> relinked("[a](../examples/order.py)", "classroom.md")
    '[a](examples.md#order.py)'
    >>> relinked("[all](../ARCHITECTURE.md)", "trust.md")
    '`ARCHITECTURE.md`'
    """
    here = PurePosixPath("docs", path).parent

    def led(found: re.Match[str]) -> str:
        target = normpath(str(here / found[1]))
        if target.startswith("docs/"):
            return found[0]
        home = _PAGES.get(target) or ("examples.md" if target.startswith("examples/") else None)
        if home is None:
            return f"\0{target}\0"
        anchor = f"#{PurePosixPath(target).name}" if target.startswith("examples/") else found[2]
        return f"]({relpath(f'docs/{home}', here)}{anchor})"

    return re.sub(r"\[[^\]]*\0([^\0]*)\0", r"`\1`", _LINK.sub(led, text))


def changelog() -> str:
    """CHANGELOG.md as a page: the same text, with links that hold from docs/."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return re.sub(r"\]\(docs/", "](", text).replace("# Changelog", "# Change log", 1)


def examples() -> str:
    """Every script and file of examples/ with its text."""
    scripts = sorted((ROOT / "examples").glob("*.py"))
    tables = sorted((ROOT / "examples").glob("*.toml"))
    lines = [
        "# Examples",
        "",
        f"The folder `examples/` holds {len(scripts)} scripts and {len(tables)} TOML files. Each script is short, needs no "
        "arguments and ends in a verdict. The tests run them all.",
        "",
    ]
    for path in scripts + tables:
        text = path.read_text("utf-8").rstrip()
        about = ""
        if path.suffix == ".py":
            about = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].replace("\n", " ")
        language = {".py": "python", ".toml": "toml"}[path.suffix]
        lines += [f"## {path.name} {{#{path.name}}}", "", about, "", f"```{language}", text, "```", ""]
    return "\n".join(lines)
