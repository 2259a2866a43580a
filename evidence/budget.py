"""How large the house is, beside the limits that its owner has set: `make budget` prints the table.

Lines are those of the files, comments, docstrings and blank lines included. While a figure is above its limit, it must not be
larger than in the commit before: `python -m evidence.budget` then ends with 1.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PACKAGE = "src/headwright"
# What is counted, its files, and how many lines there may be after part one, after part two, and when all is built.
LINES = {
    "Python in src, the standalone checker apart": ((f"{PACKAGE}/**/*.py",), (51_000, 46_000, 49_500)),
    "kernel/": ((f"{PACKAGE}/kernel/**/*.py",), (3_900, 3_900, 3_900)),
    "kernel/ and theories/": ((f"{PACKAGE}/kernel/**/*.py", f"{PACKAGE}/theories/**/*.py"), (13_000, 13_000, 13_400)),
    "JavaScript": ((f"{PACKAGE}/**/*.js",), (5_837, 4_900, 5_000)),
    "TOML in src": ((f"{PACKAGE}/**/*.toml",), (3_442, 3_442, 3_642)),
    "CSS and HTML in src": ((f"{PACKAGE}/**/*.css", f"{PACKAGE}/**/*.html"), (949, 949, 1_149)),
    "tests, Python": (("tests/**/*.py",), (62_000, 29_000, 31_500)),
    "evidence, handbook, benchmarks, examples": (
        tuple(f"{folder}/**/*.py" for folder in ("evidence", "handbook", "benchmarks", "examples")),
        (12_500, 9_000, 10_000),
    ),
}
NOW = 0  # which of the three limits holds


def lines(root: Path) -> dict[str, int]:
    """The lines of each kind in this tree."""
    return {name: sum(map(_length, _files(root, patterns))) for name, (patterns, _) in LINES.items()}


def _files(root: Path, patterns: Iterable[str]) -> set[Path]:
    return {path for pattern in patterns for path in root.glob(pattern)}


def _length(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def counted() -> dict[str, tuple[int, tuple[int, int, int]]]:
    """What is counted on the running package: its public names, commands and options, and what verdicts rest on."""
    import typer

    import headwright as hw
    from headwright.cli.app import app
    from headwright.faces.trust import rests_on
    from tests.every_claim import CLAIMS

    leaves = list(_leaves(typer.main.get_command(app)))
    options = sum(sum(type(option).__name__.endswith("Option") for option in leaf.params) for leaf in leaves)  # type: ignore[attr-defined]
    rests = {kind: sum(rests_on(claim).values()) for kind, claim in CLAIMS.items()}
    return {
        "public names at top level": (len(hw.__all__), (44, 42, 46)),
        "commands": (len(leaves), (15, 15, 16)),
        "options": (options, (180, 150, 165)),
        f"lines under the largest verdict, {max(rests, key=rests.__getitem__)}": (max(rests.values()), (5_200,) * 3),
        "lines under a verdict of within-error": (rests["within-error"], (2_900,) * 3),
    }


def _leaves(command: object) -> Iterable[object]:
    inner = getattr(command, "commands", None)
    return [leaf for one in inner.values() for leaf in _leaves(one)] if inner else [command]


def before() -> dict[str, int] | None:
    """The lines in the commit before this one, or None where git does not have it."""
    with TemporaryDirectory() as folder:
        ran = subprocess.run(["git", "archive", "HEAD^"], cwd=ROOT, capture_output=True, check=False)
        if ran.returncode:
            return None
        with tarfile.open(fileobj=io.BytesIO(ran.stdout)) as held:
            held.extractall(folder, filter="data")
        return lines(Path(folder))


def main() -> int:
    now, then, grown = lines(ROOT), before(), []
    print(f"{'':62}{'now':>9}{'limit':>9}{'before':>9}")
    for name, value in now.items():
        limit, was = LINES[name][1][NOW], None if then is None else then[name]
        print(f"{name:62}{value:9,}{limit:9,}{'–' if was is None else f'{was:,}':>9}{'  above' * (value > limit)}")
        if value > limit and was is not None and value > was:
            grown.append(name)
    for name, (value, limits) in counted().items():
        print(f"{name:62}{value:9,}{limits[NOW]:9,}{'–':>9}{'  above' * (value > limits[NOW])}")
    if grown:
        print(f"Above its limit and larger than in the commit before: {', '.join(grown)}")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
