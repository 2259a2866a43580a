"""The page of every text that a person can meet: errors, reasons, help, words of reports and pictures, each with its place.

Nothing is run. The sources are read as syntax trees, and every string that holds a phrase is taken, docstrings left out, so that
no message is missed because it is put together in an unusual way.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "src" / "headwright"
KINDS = {
    "error": "Errors and refusals",
    "verdict": "Verdicts: claims, reasons, scopes and next steps",
    "help": "Help texts of the command line",
    "picture": "Words in pictures and reports",
    "screen": "What commands print",
    "other": "Pieces of sentences, and everything else",
}
_ABOUT = """\
---
search:
  exclude: true
---

# Every message

This page lists {count:,} texts that a person can meet, with the file and line where each is written. It is generated from the
sources, so that one editor can read them all in one sitting. A name in braces, `{{n}}`, stands for a value that is filled in.
Docstrings are not listed here: they are the [reference](reference/index.md).
"""
_VERDICT_WORDS = {
    "reason",
    "next_step",
    "scope",
    "bound_text",
    "holds_when",
    "method",
    "how",
    "claim",
    "found",
    "argument",
}
_VERDICT_MAKERS = {"Proved", "Refuted", "Undecided", "Argued", "explained", "proved", "refuted", "undecided"}
_PICTURE_WORDS = {"title", "note", "text", "caption", "label", "xlabel", "ylabel"}


@dataclass(frozen=True)
class Message:
    """One text, where it stands, what kind of text it is and, for an error, the exception that carries it."""

    kind: str
    place: str
    text: str
    carrier: str = ""


def messages(folder: Path = SOURCES) -> list[Message]:
    """All texts of the sources, in the order of files and lines."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        tree = ast.parse(path.read_text("utf-8"))
        found += [*_of_tree(tree, name)]
    return found


def page() -> str:
    """The page: one table for each kind."""
    every = messages()
    parts = [_ABOUT.format(count=len(every))]
    for kind, title in KINDS.items():
        rows = [message for message in every if message.kind == kind]
        if rows:
            parts.append(f"## {title} ({len(rows):,})")
            parts.append(_table(rows))
    return "\n\n".join(parts) + "\n"


def _table(rows: list[Message]) -> str:
    """As HTML, which Markdown leaves alone: the texts hold every sign that Markdown reads. Templates double their braces."""
    lines = [
        f"<tr><td><code>{escape(row.place)}</code>{f'<br>{row.carrier}' if row.carrier else ''}</td>"
        f"<td>{escape(' '.join(_single(row.text).split()))}</td></tr>"
        for row in rows
    ]
    return "\n".join(
        [
            "<table class='messages'><thead><tr><th>place</th><th>text</th></tr></thead><tbody>",
            *lines,
            "</tbody></table>",
        ]
    )


def _single(template: str) -> str:
    return re.sub(r"([{}])\1+", r"\1", template)


def _of_tree(tree: ast.Module, name: str) -> Iterator[Message]:
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    skipped = {id(text) for text in _docstrings(tree)} | {id(text) for text in _annotations(tree)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.JoinedStr) and not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            continue
        if id(node) in skipped or isinstance(parents.get(node), ast.JoinedStr | ast.FormattedValue):
            continue
        text = spelled(node)
        if _is_phrase(text):
            kind, carrier = _kind(node, parents, name)
            yield Message(kind, f"{name}:{node.lineno}", text, carrier)


def spelled(node: ast.expr) -> str:
    """A string of the sources as it is written, with values in braces.

    >>> spelled(ast.parse('f"{n} keys, {x:.3f} apart"', mode="eval").body)
    '{n} keys, {x} apart'
    """
    if isinstance(node, ast.Constant):
        return str(node.value)
    assert isinstance(node, ast.JoinedStr)
    return "".join(
        "{" + ast.unparse(part.value) + "}" if isinstance(part, ast.FormattedValue) else str(getattr(part, "value", ""))
        for part in node.values
    )


def _is_phrase(text: str) -> bool:
    """Whether a person would read it: two words beside each other, and not a pattern, a colour or a line of HTML alone."""
    plain = re.sub(r"\{[^{}]*\}", "x", text)
    if re.search(r"\(\?|\\[dwsb]|\[\^", plain) or plain.lstrip().startswith(("<svg", "<!doctype", ":root", "import ")):
        return False
    two = re.search(r"[A-Za-zε-ω]{2,}[,.:;]? [A-Za-zε-ω(`{\d]", plain) and not re.fullmatch(r"[a-z_ ]+", plain)
    return bool(two or re.search(r"[a-z]+ [a-z]+ [a-z]+", plain))


def _kind(node: ast.AST, parents: dict[ast.AST, ast.AST], name: str) -> tuple[str, str]:
    """What kind of text it is, by the statement and the call that it stands in."""
    at, function = node, ""
    while at in parents:
        above = parents[at]
        if isinstance(above, ast.Raise):
            called = above.exc.func if isinstance(above.exc, ast.Call) else above.exc
            return "error", ast.unparse(called).rpartition(".")[2] if called is not None else ""
        if isinstance(above, ast.Call):
            function = ast.unparse(above.func).rpartition(".")[2]
            word = at.arg if isinstance(at, ast.keyword) else ""
            if word in ("help", "epilog") or function in ("Option", "Argument"):
                return "help", ""
            if function.endswith(("Error", "Unreachable", "NotFound", "AssumptionFailed", "BadCertificate", "Fault")):
                return "error", function
            if word in _VERDICT_WORDS or function in _VERDICT_MAKERS:
                return "verdict", ""
            if word in _PICTURE_WORDS and name.startswith(("pictures/", "reports/")):
                return "picture", ""
        if isinstance(above, ast.FunctionDef) and above.name in ("sentence", "findings", "judge", "reason"):
            return "verdict", ""
        at = above
    if name.startswith(("pictures/", "reports/")):
        return "picture", ""
    if name.startswith("cli/"):
        return "screen", ""
    return ("verdict", "") if name.startswith(("kernel/", "theories/", "problems/judges/")) else ("other", "")


def _docstrings(tree: ast.AST) -> Iterator[ast.expr]:
    """Docstrings, and strings that stand alone as statements."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def _annotations(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        for given in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if given is not None:
                # Help texts of options stand inside annotations, as arguments of calls.
                calls = {
                    id(inner) for call in ast.walk(given) if isinstance(call, ast.Call) for inner in ast.walk(call)
                }
                yield from (inner for inner in ast.walk(given) if id(inner) not in calls)
