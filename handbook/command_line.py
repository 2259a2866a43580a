"""The page of the command line, made from the application that the command runs."""

from __future__ import annotations

import re
from typing import Any

import typer

from headwright.cli.app import app

_MARKUP = re.compile(r"\[/?(?:bold|cyan|dim|italic|green|red|yellow)[^\]]*\]")

_ABOUT = """\
# Command line

`headwright` asks the library's questions about keys, queries and answers, in the same words. Run it without arguments for
a quick start. This page is generated from the program's own help texts.

| exit code | meaning |
|---|---|
| 0 | done, or [proved](glossary.md#verdict) |
| 1 | refuted, or proved impossible |
| 2 | usage error |
| 3 | undecided, argued or not found |
| 4 | internal error |

`headwright check` exits with 0 once grading is done, whatever the grades are.

Every command takes `--json` and prints one JSON object. Keys are read from `.npy`, `.npz`, `.safetensors` and `.csv`
files, never from pickles. `--traceback`, or the environment variable `HEADWRIGHT_TRACEBACK=1`, shows where an error arose.

```console
$ headwright design --orthonormal 40 --average 3,7 --error 0.01 --save c.safetensors
…
$ headwright verify c.safetensors
…
```

## What to ask in Python

How far keys may move, what weights do when keys vary, whole layers, programs, position codes and singular values have no
command. These lines ask about them:

```python
import numpy as np, headwright as hw

keys, query = np.eye(12), 9 * np.eye(12)[0]  # np.load("keys.npy") takes keys from a file
safe = hw.radius(keys, query, hw.Copy(0), error="0.02")
law = hw.outcome(hw.GaussianKeys(keys, along={0: 0.5}), query, hw.Copy(0))
layer = hw.design_layer(keys, {0: hw.Copy(2), 1: hw.Average(0, 1)}, {0: [1.0, 0.0]}, error="0.01")

p = hw.Program("abcd", length=8)
model = hw.compile(p, p.count(p.tokens.matches(p.tokens)))

codes = hw.position.sinusoidal(4096, 2)
nearest, apart = hw.position.nearest_pair(codes), hw.position.distinct(codes, dtype="float16")
near = hw.spectrum.low_rank(keys, 8)

hw.save("c.safetensors", model.verdict)  # headwright verify c.safetensors proves it again
```

Each has a page: [keys that move](questions/radius.md), [keys that vary](questions/varying_keys.md),
[layers](questions/layers.md), [programs](questions/programs.md), [positions](questions/positions.md) and [singular
values](questions/singular_values.md).
"""


def page() -> str:
    """Every command with its arguments and options."""
    group: Any = typer.main.get_command(app)
    context = typer.Context(group, info_name="headwright")
    return "\n\n".join([_ABOUT, *(_command(name, command, context) for name, command in group.commands.items())]) + "\n"


def _command(name: str, command: Any, parent: Any) -> str:
    """One command; a command of commands is the list of these."""
    context = type(parent)(command, info_name=name, parent=parent)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    level = "#" * len(context.command_path.split())
    parts = [f"{level} {context.command_path}", _plain(command.help or "")]
    if hasattr(command, "commands"):
        return "\n\n".join([*parts, *(_command(below, inner, context) for below, inner in command.commands.items())])
    parts.append(f"```text\n{usage}\n```")
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
    if arguments:
        rows = [f"| `{p.metavar or p.name.upper()}` | {_cell(p.help)} |" for p in arguments]
        parts.append("\n".join(["| argument | what it is |", "|---|---|", *rows]))
    for panel in dict.fromkeys(getattr(param, "rich_help_panel", None) for param in options):
        rows = [
            f"| {_spelling(p)} | {_cell(p.help)}{_default(p)} |"
            for p in options
            if getattr(p, "rich_help_panel", None) == panel
        ]
        parts.append("\n".join([f"| {panel or 'option'} | what it does |", "|---|---|", *rows]))
    if command.epilog:
        parts.append(_plain(command.epilog))
    return "\n\n".join(part for part in parts if part)


def _spelling(param: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*param.opts, *param.secondary_opts))
    return names if param.is_flag else f"{names} `{param.metavar or param.name.upper()}`"


def _default(param: Any) -> str:
    given = param.default
    if param.is_flag or given in (None, (), [], "") or callable(given) or type(given).__name__ == "Sentinel":
        return ""
    return f" Default: `{given}`."


def _cell(text: str | None) -> str:
    return _plain(text or "").replace("\n", " ").replace("|", "\\|")


def _plain(text: str) -> str:
    """A help text as Markdown, with commands and options as code.

    >>> _plain("As in headwright design --keys k.npy; --top needs a_b.")
    'As in `headwright design --keys k.npy`; `--top` needs a\\\\_b.'
    """
    code = r"headwright [a-z]+(?: --[a-z-]+(?: [\w.,=/]*\w)?)+|(?<![\w-])--[a-z][a-z-]*(?:=\w+)?"
    parts = re.split(f"({code})", _MARKUP.sub("", text))
    plain = [re.sub(r"([<*_])", r"\\\1", part) for part in parts[::2]]
    marked = [f"`{part}`" for part in parts[1::2]]
    return "".join(part for pair in zip(plain, [*marked, ""], strict=True) for part in pair).strip()
