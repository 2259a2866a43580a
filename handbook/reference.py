"""The reference: one entry for every public name, made from its signature and its docstring."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import ModuleType
from typing import Any

import headwright as hw
from headwright.kernel.frozen import computed_once

NAMESPACES = ("position", "spectrum", "problems", "claims")

# The pages of the names directly below `hw`, in reading order. A name that no page lists is put on the last one.
GROUPS = {
    "design": (
        "Designing",
        "design design_many Design design_layer Layer readout Unreachable NotFound",
    ),
    "goals": ("Goals", "Copy Average Blend Top"),
    "varying_keys": ("Keys that vary", "GaussianKeys ScaledKeys outcome Bounded"),
    "compression": ("Compression", "compare stored Stored compress"),
    "verdicts": (
        "Verdicts and certificates",
        "certify radius Proved Refuted Undecided Argued NotProved save load verify",
    ),
    "programs": ("Programs", "Program compile Model"),
    "playground": ("Playground", "play"),
    "attention": ("Attention and blocks", "attend Block"),
}
_SPACES = {
    "position": "Position codes",
    "spectrum": "Singular values",
    "problems": "Questions, answers and grades",
    "claims": "Claims",
}
# Classes that callers are given and do not make: their entries show fields in place of a signature.
_GIVEN = (
    "Argued Design Layer Model NotFound NotProved Proved Refuted Undecided "
    "Unreachable position.NearestPair position.Positions spectrum.Energy "
    "spectrum.LowRank spectrum.Spectrum spectrum.Tail problems.Problem problems.Showing problems.Grade problems.AnswerError "
    "problems.Family problems.Setting problems.ClassGrade"
)
RESULTS = {f"hw.{name}" for name in _GIVEN.split()}
_OF_FILES = {"arrays", "fields", "from_parts"}  # members that write and read certificates, not meant for callers
_WIDTH = 92  # of a signature on one line


@cache
def homes() -> dict[str, str]:
    """The page of each public name: "hw.design" is on "reference/design.md"."""
    found = {}
    listed = {name: page for page, (_, names) in GROUPS.items() for name in names.split()}
    last = [*GROUPS][-1]
    for name in hw.__all__:
        if name not in NAMESPACES:
            found[f"hw.{name}"] = f"reference/{listed.get(name, last)}.md"
    for space in NAMESPACES:
        found[f"hw.{space}"] = f"reference/{space}.md"
        for name in getattr(hw, space).__all__:
            found[f"hw.{space}.{name}"] = f"reference/{space}.md"
    return found


def public() -> Iterator[tuple[str, Any]]:
    """Every public name with what it names, namespaces left out."""
    for name in homes():
        thing = hw
        for part in name.split(".")[1:]:
            thing = getattr(thing, part)
        if not isinstance(thing, ModuleType):
            yield name, thing


def pages() -> dict[str, str]:
    """The pages of the reference by their paths."""
    things, made = dict(public()), {}
    titles = {f"reference/{page}.md": title for page, (title, _) in GROUPS.items()}
    titles |= {f"reference/{space}.md": f"{_SPACES[space]}: hw.{space}" for space in NAMESPACES}
    for path, title in titles.items():
        names = [name for name, home in homes().items() if home == path and name in things]
        if path.removeprefix("reference/").removesuffix(".md") in GROUPS:
            order = GROUPS[path.removeprefix("reference/").removesuffix(".md")][1].split()
            names.sort(key=lambda name: order.index(name[3:]) if name[3:] in order else len(order))
        space = next((s for s in NAMESPACES if path == f"reference/{s}.md"), None)
        about = [f"<span id='hw.{space}'></span>\n", prose(inspect.getdoc(getattr(hw, space)) or "")] if space else []
        entries = [entry(name, things[name]) for name in names]
        made[path] = "\n\n".join([f"# {title}", *about, *entries]) + "\n"
    made["reference/index.md"] = _index(titles, things)
    return made


def _index(titles: dict[str, str], things: dict[str, Any]) -> str:
    lines = [
        "# Reference",
        "",
        "Every public name, with what it does in one sentence. `hw` stands for `import headwright as hw`. Names are looked up "
        "when they are first used, so `import headwright` itself loads nothing.",
        "",
        "Examples come from the docstrings, which the tests run where they are written: a bare `outcome(...)` in one of them is "
        "`hw.outcome(...)` to you.",
    ]
    for path, title in titles.items():
        lines += ["", f"## {title}", "", "| name | what it is |", "|---|---|"]
        for name, thing in things.items():
            if homes()[name] == path:
                first = re.split(r"(?<=\.)\s|\n\n|\n>>>", _doc(thing) or _value(thing))[0].replace("\n", " ")
                cell = _words(first, linked=False)
                lines.append(f"| [`{name}`]({path.removeprefix('reference/')}#{name}) | {cell} |")
    return "\n".join(lines) + "\n"


def entry(name: str, thing: Any) -> str:
    """Heading, signature, docstring, and for a class its members."""
    parts = [f"## {name} {{#{name}}}"]
    doc = _doc(thing)
    if inspect.isclass(thing) or inspect.isroutine(thing):
        if not _is_result(name, thing):
            parts.append(f"```python\n{signature(name, thing)}\n```")
        parts.append(prose(doc, _arguments(thing)))
    else:
        parts.append(_value(thing) if not doc else prose(doc))
    if inspect.isclass(thing):
        parts.append(_members(thing))
    home = getattr(thing, "__module__", None)
    if inspect.isclass(thing) or inspect.isroutine(thing):
        module = sys.modules[home]
        file = "/__init__.py" if hasattr(module, "__path__") else ".py"
        parts.append(f"<small>Source: `src/{home.replace('.', '/')}{file}`</small>")
    return "\n\n".join(part for part in parts if part)


def _is_result(name: str, thing: Any) -> bool:
    """Whether a name is a class that a function of the library makes, and hardly anybody calls."""
    return inspect.isclass(thing) and name in RESULTS


def _doc(thing: Any) -> str:
    return inspect.getdoc(thing) or "" if inspect.isclass(thing) or inspect.isroutine(thing) else ""


def _value(thing: Any) -> str:
    if isinstance(thing, str | int | float | tuple):
        return f"The value `{thing!r}`."
    if not isinstance(thing, Mapping):
        return f"The one `{type(thing).__name__}` there is."
    return f"A mapping with {len(thing)} entries: {', '.join(f'`{key}`' for key in thing)}."


def signature(name: str, thing: Any) -> str:
    """The call as it is written, on one line where it fits and else a parameter on each."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):  # an exception that takes a message like any other
        return f"{name}(message)"
    words, parameters = [], [*found.parameters.values()]
    for before, parameter in zip([None, *parameters], parameters, strict=False):
        if parameter.kind is parameter.KEYWORD_ONLY and getattr(before, "kind", None) not in (
            parameter.KEYWORD_ONLY,
            parameter.VAR_POSITIONAL,
        ):
            words.append("*")
        words.append(_parameter(parameter))
    gives = found.return_annotation
    arrow = "" if gives in (found.empty, None, "None") or inspect.isclass(thing) else f" -> {gives}"
    line = f"{name}({', '.join(words)}){arrow}"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {word}," for word in words), f"){arrow}"])


def _parameter(parameter: inspect.Parameter) -> str:
    star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    given = f": {parameter.annotation}" if parameter.annotation is not parameter.empty else ""
    if parameter.default is parameter.empty:
        return f"{star}{parameter.name}{given}"
    default = re.sub(r"<[^>]*>", "...", repr(parameter.default))
    return f"{parameter.name}{given}{' = ' if given else '='}{default}"


def _members(thing: type) -> str:
    """The methods and properties with their docstrings, inherited ones of this library included."""
    rows = []
    if is_dataclass(thing):
        kinds = {field.name: field.type for field in fields(thing) if not field.name.startswith("_")}
        rows = [f"| `.{name}` | {_type(kind)} |" for name, kind in kinds.items() if "Callable" not in str(kind)]
    for name, member in members(thing).items():
        inner = getattr(member, "__func__", member)
        doc = (inspect.getdoc(inner) or "").split("\n>>>")[0]
        if inspect.isfunction(inner):
            call = signature(f".{name}", inner).replace("\n    ", " ").replace("\n", "")
            call = re.sub(r"\((self|cls)(, )?", "(", re.sub(r" -> .*$", "", call))
            name = re.sub(r": [^,=)]*(?=[,=)])", "", call)[1:]
        rows.append(f"| `.{name}` | {_words(' '.join(doc.split()))} |")
    return "\n".join(["| member | what it gives |", "|---|---|", *rows]) if rows else ""


def _type(kind: Any) -> str:
    """
    >>> _type("float | str | None")
    '`float`, `str` or None'
    """
    first, *rest = [f"`{part}`" if part != "None" else part for part in str(kind).split(" | ")]
    return f"{', '.join([first, *rest[:-1]])} or {rest[-1]}" if rest else first


def members(thing: type) -> dict[str, Any]:
    """The public methods and properties of a class by their names, those of its bases in this library included."""
    found: dict[str, Any] = {}
    for home in thing.__mro__:
        if home.__module__.startswith("headwright"):
            for name, member in vars(home).items():
                inner = getattr(member, "__func__", member)
                is_member = inspect.isfunction(inner) or isinstance(member, property | computed_once)
                if is_member and not name.startswith("_") and name not in _OF_FILES:
                    found.setdefault(name, member)
    return found


def undocumented(thing: type) -> list[str]:
    """The public members of a class that have no docstring."""
    return [name for name, member in members(thing).items() if not inspect.getdoc(getattr(member, "__func__", member))]


def _arguments(thing: Any) -> frozenset[str]:
    """The names of a function's arguments, which mean those arguments in its docstring and nothing else."""
    try:
        return frozenset(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return frozenset()


def prose(doc: str, own: frozenset[str] = frozenset()) -> str:
    """A docstring as Markdown: examples become blocks of code, and a public name in backticks a link.

    >>> prose("Adds.\\n\\n>>> 1 + 1\\n2")
    'Adds.\\n\\n```pycon\\n>>> 1 + 1\\n2\\n```'
    """
    parts = []
    for paragraph in re.split(r"\n\s*\n", doc.strip()):
        lines = paragraph.split("\n")
        start = next((i for i, line in enumerate(lines) if line.lstrip().startswith(">>>")), len(lines))
        if words := "\n".join(lines[:start]):
            parts.append(f"```text\n{inspect.cleandoc(words)}\n```" if words.startswith("    ") else _words(words, own))
        if code := inspect.cleandoc("\n".join(lines[start:])):
            parts.append(f"```pycon\n{code}\n```")
    return "\n\n".join(parts).replace("```\n\n```pycon\n", "\n")


def _words(text: str, own: frozenset[str] = frozenset(), *, linked: bool = True) -> str:
    """Text with the signs of Markdown made plain outside backticks, and public names in backticks made links."""
    pieces = re.split(r"(`[^`]*`)", text)
    for k in range(0, len(pieces), 2):
        pieces[k] = re.sub(r"([*_<|\[\]])", r"\\\1", pieces[k])
    for k in range(1, len(pieces), 2):
        word = pieces[k].strip("`").removeprefix("hw.")
        home = homes().get(f"hw.{word}")
        if linked and home and word not in own:
            pieces[k] = f"[{pieces[k]}](../{home}#hw.{word})"
        pieces[k] = pieces[k].replace("|", "\\|") if not linked else pieces[k]
    told = "".join(pieces)
    return told if told.startswith("- ") else re.sub(r"\n(?=- )", "\n\n", told, count=1)
