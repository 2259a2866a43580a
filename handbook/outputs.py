"""Runs the code of a page and says where it does not print what the page shows.

    python -m handbook.outputs docs/start.md …      # writes what was printed into the pages instead

A block of Python with `>>>` is run as by doctest, the blocks of a page one after the other. A block `console` holds commands
after `$` and what they print. A line that is "…" stands for anything. What a processor's way of rounding decides is no
difference: digits beyond the sixth, the size of a radius, the order of keys whose printed weights are equal, and the digest of an
array, `#3f2a9c01`.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
ANYTHING = "…"
_DIGEST = re.compile(r"#[0-9a-f]{8}\b")
# A radius, or a number of more than six digits, zeros at its front aside.
_LONG = re.compile(
    r"(?<![\w.])(±?)(0?\.0*\d{7,}(?:e[-+]?\d+)?|(?=[\d.]{8})\d+\.\d+(?:e[-+]?\d+)?|(?<=±)[\d.]+(?:e[-+]?\d+)?)"
)
_BAR = re.compile(r"^([* ] key +)\d+(  .*)", re.MULTILINE)
_BARS = re.compile(r"((?:^[* ] key +\d+  .*\n)+)((?:  \d+ other keys)?)", re.MULTILINE)
_PROMPT = re.compile(r"^\s*>>> ", re.MULTILINE)
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def differences(text: str) -> list[str]:
    """What the code of a page prints otherwise than the page says, each with the line of code. Runs in the current folder."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    return [f"{code}\n{printed}" for code, shown, printed in ran(text, scope) if not agree(shown, printed)]


def ran(text: str, scope: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Code, what the page shows and what was printed, for each example of the page."""
    for kind, body in BLOCK.findall(text):
        if kind in ("python", "pycon") and _PROMPT.search(body):
            for example in doctest.DocTestParser().get_examples(body):
                yield example.source, example.want, python(example.source, scope)
        elif kind == "python":
            yield body, "", python(body, scope, mode="exec")
        elif kind == "console":
            for command, shown in commands(body):
                yield command, shown, shell(command)


def commands(body: str) -> list[tuple[str, str]]:
    """The commands of a block with what is shown after each.

    >>> commands("$ headwright\\nhello\\n$ headwright tour\\n…\\n")
    [('headwright', 'hello\\n'), ('headwright tour', '…\\n')]
    """
    parts = re.split(r"^\$ (.*)\n", body, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def agree(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed; blanks at line ends, "…", digests and what `settled` settles aside.

    >>> agree("a\\n…\\nz\\n", "a \\nb\\nc\\nz\\n"), agree("a\\n", "b\\n"), agree("keys 2×2 #3f2a9c01", "keys 2×2 #90d2e7aa")
    (True, False, True)
    """
    shown, printed = map(without_digests, (shown, printed))
    if shown.startswith("Traceback"):
        return printed.startswith("Traceback") and shown.strip().split("\n")[-1] in printed
    wanted = re.sub(rf"^{ANYTHING}$", "...", shown, flags=re.MULTILINE)
    clean = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
    return doctest.OutputChecker().check_output(ranked(wanted), ranked(settled(wanted, clean)), _FLAGS)


def settled(shown: str, printed: str) -> str:
    """What was printed, with each long number as the page shows it where the two agree to six digits.

    >>> settled("0.05774345336 (proved, ±9e-11), 7", "0.05774345339 (proved, ±1e-10), 8")
    '0.05774345336 (proved, ±9e-11), 8'
    """
    there = [(found[1], Decimal(found[2]), found[0]) for found in _LONG.finditer(shown)]

    def as_shown(found: re.Match[str]) -> str:
        sign, number = found[1], Decimal(found[2])
        most = 10 if sign else Decimal("1.000001")
        near = [
            (abs(len(text) - len(found[0])), abs(x - number), text)
            for other, x, text in there
            if other == sign and x <= most * number and number <= most * x
        ]
        return min(near)[2] if near else found[0]

    return _LONG.sub(as_shown, printed)


def ranked(text: str) -> str:
    """The text, in which keys of one printed weight come in the order of their numbers, and the last such have none.

    >>> print(ranked("  key 7  0.4950  █\\n  key 3  0.4950  █\\n  key 8  0.0001\\n  992 other keys together 0.0084"))
      key 3  0.4950  █
      key 7  0.4950  █
      key #  0.0001
      992 other keys together 0.0084
    """

    def run(found: re.Match[str]) -> str:
        lines = sorted(found[1].splitlines(), key=lambda line: [_BAR.sub(r"\2", line), line])[::-1]
        groups = [list(group) for _, group in groupby(lines, lambda line: _BAR.sub(r"\2", line))]
        if found[2]:
            groups[-1] = [_BAR.sub(r"\1#\2", line) for line in groups[-1]]
        return "".join(f"{line}\n" for group in groups for line in group[::-1]) + found[2]

    return _BARS.sub(run, text)


def without_digests(text: str) -> str:
    """The text with the same mark for every digest of an array."""
    return _DIGEST.sub("#xxxxxxxx", text)


def python(source: str, scope: dict[str, Any], mode: str = "single") -> str:
    """What the code prints, or the error that it ends in."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            exec(compile(source, "<page>", mode), scope)
        except Exception as error:
            told = "".join(traceback.format_exception_only(error)).replace(f"{type(error).__module__}.", "")
            return f"{out.getvalue()}Traceback (most recent call last):\n{told}"
    return out.getvalue()


def shell(command: str) -> str:
    """What `headwright …` prints, at 80 columns."""
    from headwright.cli import main

    name, *arguments = shlex.split(command)
    if name != "headwright":
        raise ValueError(f"`command` must be headwright, got {command!r}")
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        main(arguments)
    return out.getvalue()


def filled(text: str) -> str:
    """The page with what its code prints in place of what it showed, where the two do not agree."""
    scope: dict[str, Any] = {"__name__": "__main__"}

    def block(found: re.Match[str]) -> str:
        lines: list[str] = []
        if found[1] == "console":
            for command, shown in commands(found[2]):
                lines += [f"$ {command}", _kept(shown, shell(command))]
            return "```console\n" + "\n".join(line for line in lines if line) + "\n```"
        if found[1] not in ("python", "pycon") or not _PROMPT.search(found[2]):
            return found[0]
        for example in doctest.DocTestParser().get_examples(found[2]):
            first, *rest = example.source.rstrip("\n").split("\n")
            lines += [f">>> {first}", *(f"... {line}".rstrip() for line in rest)]
            printed = re.sub(r"^\s*$", "<BLANKLINE>", python(example.source, scope).rstrip("\n"), flags=re.MULTILINE)
            if printed != "<BLANKLINE>":
                lines.append(_kept(example.want, printed))
        return f"```{found[1]}\n" + "\n".join(lines) + "\n\n```"

    return BLOCK.sub(block, text)


def _kept(shown: str, printed: str) -> str:
    if shown.strip() and agree(shown, printed):
        return shown.rstrip("\n")
    return "\n".join(line.rstrip() for line in printed.rstrip("\n").split("\n"))


def main(names: list[str]) -> None:
    os.environ["COLUMNS"] = "80"
    for path in map(Path, names):
        target = path.resolve()
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            shutil.copytree(ROOT / "examples", "examples")
            target.write_text(filled(target.read_text("utf-8")), "utf-8")
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
