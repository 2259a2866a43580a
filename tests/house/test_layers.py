"""A folder imports from the folders above it in the list, and the trusted base trusts nothing outside itself."""

import ast
from pathlib import Path, PurePosixPath

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "headwright"
ORDER = ("kernel", "theories", "words", "search", "reading", "faces", "problems", "playground", "cli")
PUBLIC = {"__init__.py", "__main__.py", "claims.py"}  # the only files in the root: the public names
TRUSTED = ORDER[:2]
UNTRUSTED = {"scipy", "torch", "jax", "jaxlib"}
LONGEST_FILE = 500
NAMED_AT_RUN_TIME = {"kernel/claim.py", "words/optional.py"}  # a kind of claim that is on the list, and an extra


def rank(place):
    """The place of a folder in the list; `headwright.claims` belongs to the theories, whose claims it names."""
    return ORDER.index("theories" if place == "claims" else place)


def imports(file, source):
    """Every import in the source, wherever it stands, as (line, absolute dotted name)."""
    package = ["headwright", *file.parent.parts]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module, names, level):
                base = package[: len(package) - level + 1] if level else []
                base = [*base, module] if module else base
                yield from ((node.lineno, ".".join([*base, alias.name])) for alias in names)
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), args) if name in ("import_module", "__import__"):
                named = args and isinstance(args[0], ast.Constant)
                yield node.lineno, args[0].value if named else "a module named at run time"


def complaint(file, imported):
    """Why a file may not import this, or None."""
    place, trusted = file.parts[0], file.parts[0] in TRUSTED
    root, *rest = imported.split(".")
    if root in UNTRUSTED and trusted:
        return f"the trusted base imports no {root}"
    if " " in root and trusted and file.as_posix() not in NAMED_AT_RUN_TIME:
        return "the trusted base names what it imports"
    if root != "headwright" or not rest or file.as_posix() in PUBLIC:
        return None
    if rest[0] not in (*ORDER, "claims"):
        return (
            None
            if rest == ["__version__"] or place in ("playground", "problems", "cli")
            else "the public names are above"
        )
    return None if rank(rest[0]) <= rank(place) else f"{rest[0]}/ stands below {place}/ in the list"


def violations(file, source):
    """What is wrong with one file, given by its path inside headwright/."""
    if len(file.parts) == 1 and file.name not in PUBLIC:
        return [f"{file}: only {', '.join(sorted(PUBLIC))} lie in the root"]
    if len(file.parts) > 1 and file.parts[0] not in ORDER:
        return [f"{file}: {file.parts[0]}/ is not in the list of folders"]
    found = [(line, name, complaint(file, name)) for line, name in imports(file, source)]
    faults = [f"{file}:{line}: imports {name}: {why}" for line, name, why in found if why]
    length = len(source.splitlines())
    if length > LONGEST_FILE:
        faults.append(f"{file}: {length} lines; the limit is {LONGEST_FILE}")
    return faults


def test_the_tree_keeps_its_order():
    files = sorted(PACKAGE.rglob("*.py"))
    assert files, f"no files in {PACKAGE.name}"
    faults = [fault for path in files for fault in violations(path.relative_to(PACKAGE), path.read_text("utf-8"))]
    assert not faults, "\n" + "\n".join(faults)
    assert {path.name for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__"} == set(ORDER)


@pytest.mark.parametrize(
    ("file", "source", "why"),
    [
        ("search/least_norm/hull.py", "from headwright.problems import check", "problems/ stands below search/"),
        ("words/layer.py", "def f():\n    from ..search import design", "search/ stands below words/"),
        (
            "kernel/goals.py",
            "if TYPE_CHECKING:\n    from ..theories.order import block_parts",
            "theories/ stands below",
        ),
        ("kernel/goals.py", "import headwright.words.design as design", "words/ stands below kernel/"),
        ("kernel/leak.py", "importlib.import_module('headwright.search')", "search/ stands below kernel/"),
        ("search/hull.py", "import headwright as hw\nfrom headwright import design", "the public names are above"),
        ("theories/matrices/leak.py", "import scipy.linalg", "imports no scipy"),
        ("kernel/balls/ball.py", "def f():\n    from torch import nn", "imports no torch"),
        ("kernel/leak.py", "import_module(name)", "names what it imports"),
        ("drawer/odds.py", "", "drawer/ is not in the list"),
        ("odds.py", "", "lie in the root"),
        ("kernel/leak.py", "\n" * 501, "501 lines"),
    ],
)
def test_a_fault_is_reported(file, source, why):
    (fault,) = violations(PurePosixPath(file), source)
    assert why in fault


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("kernel/goals.py", "from .verdict import Proved\nfrom . import inputs\nimport numpy as np"),
        ("theories/matrices/low_rank.py", "from flint import arb\nfrom headwright.kernel.balls import exact"),
        (
            "search/readout/readout.py",
            "from ...theories.matrices import reads_out\nfrom ..request import x\nimport scipy",
        ),
        ("words/optional.py", "import_module(name)"),
        ("problems/judges/queries.py", "import headwright as hw\nfrom headwright import certify, claims"),
        ("cli/app.py", "from headwright.playground import play"),
        ("__init__.py", "from .kernel.goals import Copy\nfrom . import problems"),
    ],
)
def test_what_is_allowed_passes(file, source):
    assert violations(PurePosixPath(file), source) == []
